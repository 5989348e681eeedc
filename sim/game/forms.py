"""Commands as plain data for JSON, both ways.

A command is an object: `{"do": "place", "xy": [0.3, 0.5], "ball": 0}`. Numbers are written in full,
so what comes back is the same to the last bit. Records, rack states and declarations are the lines
of `rules.notation`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import rules
from rules.notation import (
    format_declaration,
    format_record,
    format_state,
    parse_declaration,
    parse_record,
    parse_state,
)
from sim.game import commands as c
from sim.game.facts import LagFacts, Positions, ShotFacts
from sim.game.setup import Setup
from sim.model.errors import FileError, TenballError
from sim.model.materials import FrictionLaw, Materials
from sim.model.stroke import Stroke
from sim.model.table import TABLES, Table, TableSpec
from sim.shot.files import read_stick, stick_form
from sim.shot.reading import Node

__all__ = ["TAGS", "command_form", "command_of"]

Codec = tuple[Callable[[Any], Any], Callable[[Node], Any]]


def _word(words: tuple[str, ...]) -> Codec:
    def read(node: Node) -> str:
        if node.value not in words:
            raise node.error_one_of(words)
        return str(node.value)

    return str, read


def _or_none(codec: Codec) -> Codec:
    write, read = codec
    return (
        lambda value: None if value is None else write(value),
        lambda node: None if node.value is None else read(node),
    )


def _line(write: Callable[[Any], str], parse: Callable[[str], Any]) -> Codec:
    """One line of `rules.notation`."""

    def read(node: Node) -> Any:
        try:
            return parse(node.string())
        except rules.RulesError as error:
            raise node.error("a line that cannot be read", f"notation ({error})") from None

    return write, read


def _boolean(node: Node) -> bool:
    if not isinstance(node.value, bool):
        raise node.error(repr(node.value), "true or false")
    return node.value


# --- strokes, positions, facts ---


def _write_stroke(stroke: Stroke) -> dict[str, Any]:
    return dataclasses.asdict(stroke)


def _read_stroke(node: Node) -> Stroke:
    node.known([f.name for f in dataclasses.fields(Stroke)])
    for key in ("speed", "azimuth"):
        node.need(key)
    values: dict[str, Any] = {
        key: None if key == "elevation" and child.value is None else child.number()
        for key, child in node.items()
    }
    with node.model_errors():
        return Stroke(**values)


def _write_positions(positions: Positions) -> dict[str, list[float]]:
    return {str(ball): list(xyz) for ball, xyz in positions}


def _read_positions(node: Node) -> Positions:
    node.known([str(ball) for ball in range(11)])
    return tuple(
        (int(key), (v[0], v[1], v[2])) for key, child in node.items() for v in [child.numbers(3, 3)]
    )


_OLD_MEASURES = frozenset({"nose_draft_deg"})  # of tables in match files of older versions
_STROKE: Codec = (_write_stroke, _read_stroke)
_STICK: Codec = (stick_form, read_stick)
_POSITIONS: Codec = (_write_positions, _read_positions)
_RECORD = _line(format_record, parse_record)
_STATE = _line(format_state, parse_state)
_DECLARATION = _line(format_declaration, parse_declaration)
_SIDE = _word(rules.SIDES)
_INTEGER: Codec = (int, Node.integer)
_TEXT: Codec = (str, Node.string)
_NUMBER: Codec = (float, Node.number)
_FLAG: Codec = (bool, _boolean)
_XY: Codec = (lambda xy: [float(v) for v in xy], lambda node: tuple(node.numbers(2, 2)))


def _read_object(node: Node) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise node.error(repr(node.value)[:60], "an object {...}")
    return node.value


_OBJECT: Codec = (dict, _read_object)


def _record_of(cls: type, **codecs: Codec) -> Codec:
    """A dataclass as an object, a codec for each field."""

    def write(value: Any) -> dict[str, Any]:
        return {name: codec[0](getattr(value, name)) for name, codec in codecs.items()}

    def read(node: Node) -> Any:
        node.known(tuple(codecs))
        values = {key: codecs[key][1](child) for key, child in node.items()}
        missing = [
            f.name
            for f in dataclasses.fields(cls)
            if f.name not in values
            and f.default is dataclasses.MISSING
            and f.default_factory is dataclasses.MISSING
        ]
        if missing:
            raise node.error(f"no key {missing[0]!r}", "one")
        try:
            return cls(**values)
        except (TenballError, rules.RulesError) as error:
            raise node.error("values that do not fit", f"other ones ({error})") from None

    return write, read


_FACTS = _record_of(
    ShotFacts, engine=_TEXT, record=_RECORD, ruling=_or_none(_OBJECT), rack=_or_none(_STATE),
    final=_POSITIONS, placed=_POSITIONS, duration=_NUMBER,
)  # fmt: skip
_LAG_FACTS = _record_of(
    LagFacts, engine=_TEXT, a=_OBJECT, b=_OBJECT, winner=_or_none(_SIDE), reason=_TEXT
)


# --- seats ---


def _write_table(table: Table) -> dict[str, Any]:
    return {"name": table.name, "spec": dataclasses.asdict(table.spec)}


def _read_table(node: Node) -> Table:
    node.known(("name", "spec"))
    spec = node.need("spec")
    for gone in _OLD_MEASURES & set(spec.value if isinstance(spec.value, dict) else ()):
        raise spec[gone].error(
            "a measure of an older version's tables",
            "a match begun with this version; the file is left as it is",
        )
    spec.known([f.name for f in dataclasses.fields(TableSpec)])
    name = node.need("name").string()
    with node.model_errors():
        table = Table(TableSpec(**{key: child.number() for key, child in spec.items()}), name)
    # The measures are what counts; a known name is only taken where they are the same.
    return table if TABLES.get(name) == table else dataclasses.replace(table, name="custom")


def _write_materials(materials: Materials) -> dict[str, Any]:
    return dataclasses.asdict(materials)


def _read_materials(node: Node) -> Materials:
    node.known([f.name for f in dataclasses.fields(Materials)])
    values: dict[str, Any] = {}
    for key, child in node.items():
        if key == "mu_ball":
            child.known(("a", "b", "c"))
            with child.model_errors():
                values[key] = FrictionLaw(**{k: v.number() for k, v in child.items()})
        else:
            values[key] = None if child.value is None else child.number()
    with node.model_errors():
        return Materials(**values)


def _write_sides(sides: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    return [list(side) for side in sides]


def _read_sides(node: Node) -> tuple[tuple[str, ...], ...]:
    if not isinstance(node.value, list) or not all(isinstance(s, list) for s in node.value):
        raise node.error(repr(node.value)[:60], "two lists of names")
    return tuple(tuple(side) for side in node.value)


def _write_switches(switches: tuple[tuple[str, object], ...]) -> dict[str, Any]:
    return {
        name: sorted(value) if isinstance(value, frozenset) else value for name, value in switches
    }


def _read_switches(node: Node) -> tuple[tuple[str, object], ...]:
    return tuple(
        (key, tuple(v) if isinstance(v := child.value, list) else v) for key, child in node.items()
    )


_SETUP = _record_of(
    Setup,
    sides=(_write_sides, _read_sides),
    ruleset=_TEXT,
    switches=(_write_switches, _read_switches),
    table=(_write_table, _read_table),
    materials=(_write_materials, _read_materials),
    cushion_model=_or_none(_TEXT),
    race_to=_INTEGER,
    seed=_INTEGER,
    lag=_FLAG,
    practice=_FLAG,
)

_INFRACTION = _record_of(
    rules.Infraction,
    kind=(str, lambda node: rules.FoulCode(_word(tuple(rules.FoulCode))[1](node))),
    side=_SIDE,
    ball=_or_none(_INTEGER),
    accidental=_FLAG,
    no_effect=_FLAG,
    penalty=_or_none((str, lambda node: rules.Penalty(_word(tuple(rules.Penalty))[1](node)))),
)

_PENALTY: Codec = (str, lambda node: rules.Penalty(_word(tuple(rules.Penalty))[1](node)))
_OPTIONAL_FACTS = _or_none(_FACTS)

# --- commands ---

TAGS: dict[str, tuple[type, Codec]] = {
    tag: (cls, _record_of(cls, **codecs))
    for tag, cls, codecs in (
        ("seat", c.Seat, {"setup": _SETUP}),
        ("lag", c.Lag, {"a": _STROKE, "b": _STROKE, "facts": _or_none(_LAG_FACTS)}),
        ("choose_breaker", c.ChooseBreaker, {"breaker": _SIDE}),
        ("place", c.Place, {"xy": _XY, "ball": _INTEGER}),
        ("declare", c.Declare, {"declaration": _DECLARATION}),
        ("ask_call", c.AskCall, {}),
        ("acknowledge", c.Acknowledge, {"accepted": _FLAG}),
        ("aim", c.Aim, {"stroke": _STROKE}),
        ("take_stick", c.TakeStick, {"stick": _STICK}),
        ("shoot", c.Shoot, {"stroke": _or_none(_STROKE), "facts": _OPTIONAL_FACTS}),
        ("choose", c.Choose, {"side": _SIDE, "choice": _TEXT}),
        (
            "infraction",
            c.DeclareInfraction,
            {"infraction": _INFRACTION, "on": _word(("last", "now")), "facts": _OPTIONAL_FACTS},
        ),
        ("penalise", c.Penalise, {"penalty": _PENALTY, "facts": _OPTIONAL_FACTS}),
        ("announce_stalemate", c.AnnounceStalemate, {}),
        ("agree_stalemate", c.AgreeStalemate, {"side": _SIDE}),
        ("concede", c.Concede, {"side": _SIDE, "what": _word(("rack", "match"))}),
        ("extend_clock", c.ExtendClock, {}),
        ("clock_expired", c.ClockExpired, {"facts": _OPTIONAL_FACTS}),
        ("next_rack", c.NextRack, {}),
        ("arrange", c.Arrange, {"positions": _POSITIONS}),
        ("repeat", c.Repeat, {}),
        ("undo", c.Undo, {"steps": _INTEGER}),
        ("redo", c.Redo, {"steps": _INTEGER}),
    )
}
_TAG_OF = {cls: tag for tag, (cls, _) in TAGS.items()}


def command_form(command: c.Command) -> dict[str, Any]:
    """A command as plain data; `do` names it."""
    tag = _TAG_OF[type(command)]
    return {"do": tag, **TAGS[tag][1][0](command)}


def command_of(node: Node) -> c.Command:
    """The command of plain data.

    Raises:
        FileError: unknown command or key, or a value that cannot be, with its place.
    """
    tag = node.need("do").string()
    if tag not in TAGS:
        raise node["do"].error_one_of(TAGS)
    rest = {key: value for key, value in node.value.items() if key != "do"}
    try:
        return TAGS[tag][1][1](Node(node.file, node.path, rest))
    except rules.RulesError as error:
        raise FileError(f"{node.file}: {error}") from None
