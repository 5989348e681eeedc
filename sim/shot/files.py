"""Shot files: one shot as JSON text, read with suspicion and written whole or not at all.

    {
      "tenball_shot": 1,
      "table": "wpa_9ft",
      "layout": {"0": [0.635, 0.635], "1": [0.635, 1.905]},
      "stroke": {"speed": 4.0, "azimuth": 1.5708},
      "call": {"ball": 1, "pocket": "foot_left"},
      "ruleset": "wpa09"
    }

`table` is a name or the measures that differ from the 9 foot table's; `motions` may stand instead
of `stroke`; `materials`, `cushion_model`, `stick`, `state` (one line of `rules.notation`), `call`
and `ruleset` may be left out. What a call or a ruleset means is for the rules to say; here they are
data.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.model.balls import BALLS, OBJECT_BALLS
from sim.model.errors import FileError
from sim.model.layout import Layout
from sim.model.materials import FrictionLaw, Materials
from sim.model.stroke import PLAYING_STICK, STICKS, Motion, Stick, Stroke, stick_name
from sim.model.table import POCKETS, TABLES, Table, TableSpec
from sim.shot.disk import MAX_BYTES, read_text, write_whole
from sim.shot.reading import Node, parse_json

__all__ = [
    "CALL_KINDS",
    "TOLERANCE",
    "Call",
    "ShotFile",
    "dump_shot",
    "load_shot",
    "parse_shot",
    "save_shot",
]

VERSION = 1
# Two touching balls whose coordinates were each rounded to six decimals overlap by at most
# sqrt(2) um; anything up to this is closed on loading and reported.
TOLERANCE = 2e-6
CALL_KINDS = ("shot", "safety", "push_out", "break")


@dataclass(frozen=True)
class Call:
    """What was declared before the stroke: a kind of CALL_KINDS; a shot's ball and pocket."""

    kind: str = "shot"
    ball: int | None = None
    pocket: str | None = None


@dataclass(frozen=True)
class ShotFile:
    """What a shot file says.

    Attributes:
        layout: the balls; its `table` is the table.
        stroke: of the stick, or None where `motions` set balls going.
        motions: {ball: Motion}, or None.
        materials, cushion_model, stick: as for `simulate`; None: its default.
        call: the declaration, or None.
        ruleset: its name, or None.
        state: the rack before the shot, one line of `rules.notation`, or None.
        closed: the overlaps from rounding that were closed on loading, one line each.
    """

    layout: Layout
    stroke: Stroke | None = None
    motions: Mapping[int, Motion] | None = None
    materials: Materials | None = None
    cushion_model: str | None = None
    stick: Stick | None = None
    call: Call | None = None
    ruleset: str | None = None
    state: str | None = None
    closed: tuple[str, ...] = ()

    def text(self, *, digits: int | None = None) -> str:
        """The text of the file; see `dump_shot`."""
        return _text(self, digits)


# --- reading --------------------------------------------------------------------------------------


def load_shot(path: str | os.PathLike[str]) -> ShotFile:
    """Read a shot file.

    Raises:
        FileError: in one line: the file, the key, what was got and what was expected.
    """
    return parse_shot(read_text(path), name=os.fspath(path))


_KEYS = (
    "tenball_shot", "table", "layout", "stroke", "motions", "materials", "cushion_model", "stick",
    "call", "ruleset", "state",
)  # fmt: skip


def parse_shot(text: str, name: str = "shot") -> ShotFile:
    """Read the text of a shot file; `name` stands for it in errors.

    Raises:
        FileError: in one line: the file, the key, what was got and what was expected.
    """
    if len(text) > MAX_BYTES:
        raise FileError(f"{name}: got {len(text)} characters, expected at most {MAX_BYTES}")
    top = parse_json(text, name)
    top.known(_KEYS)
    version = top.need("tenball_shot").integer()
    if version != VERSION:
        raise top["tenball_shot"].error(str(version), f"version {VERSION} of the format")
    materials = _materials(top["materials"]) if "materials" in top else None
    radius = (materials or Materials()).ball_radius
    table = _table(top["table"]) if "table" in top else Table.wpa_9ft()
    layout, closed = _layout(top.need("layout"), table, radius)
    if ("stroke" in top) == ("motions" in top):
        both = "both" if "stroke" in top else "neither"
        raise top.error(both, "either a stroke or motions")
    return ShotFile(
        layout=layout,
        stroke=_stroke(top["stroke"]) if "stroke" in top else None,
        motions=_motions(top["motions"], layout) if "motions" in top else None,
        materials=materials,
        cushion_model=top["cushion_model"].string() if "cushion_model" in top else None,
        stick=read_stick(top["stick"]) if "stick" in top else None,
        call=_call(top["call"]) if "call" in top else None,
        ruleset=top["ruleset"].string() if "ruleset" in top else None,
        state=top["state"].string() if "state" in top else None,
        closed=closed,
    )


def _table(node: Node) -> Table:
    if isinstance(node.value, str):
        if node.value not in TABLES:
            raise node.error_one_of(TABLES)
        return Table.named(node.value)
    node.known(_names(TableSpec))
    numbers = {key: child.number() for key, child in node.items()}
    with node.model_errors():
        table = Table.from_spec(TableSpec(**numbers))
        _ = table.geometry  # impossible pockets are found here
    return table


def _layout(node: Node, table: Table, radius: float) -> tuple[Layout, tuple[str, ...]]:
    node.known([str(ball) for ball in BALLS])
    positions: dict[int, list[float]] = {}
    notes = []
    for key, child in node.items():
        numbers = child.numbers(2, 3)
        if len(numbers) == 3 and 0 < abs(numbers[2] - radius) <= TOLERANCE:
            notes.append(f"ball {key} was {abs(numbers[2] - radius):.3g} m off the bed's height")
            numbers = numbers[:2]
        positions[int(key)] = numbers
    with node.model_errors():
        layout = Layout(table, positions, ball_radius=radius, tolerance=TOLERANCE)
    return layout, (*notes, *layout.closed)


def _stroke(node: Node) -> Stroke:
    node.known(_names(Stroke))
    values: dict[str, Any] = {
        key: None if key == "elevation" and child.value is None else child.number()
        for key, child in node.items()
    }
    for key in ("speed", "azimuth"):
        node.need(key)
    with node.model_errors():
        return Stroke(**values)


def _motions(node: Node, layout: Layout) -> dict[int, Motion]:
    node.known([str(ball) for ball in layout.balls])
    motions = {}
    for key, child in node.items():
        child.known(_names(Motion))
        vectors: dict[str, Any] = {name: tuple(v.numbers(3, 3)) for name, v in child.items()}
        with child.model_errors():
            motions[int(key)] = Motion(**vectors)
    if not motions:
        raise node.error("no ball", "at least one")
    return motions


def _materials(node: Node) -> Materials:
    node.known(_names(Materials))
    values: dict[str, Any] = {}
    for key, child in node.items():
        if key == "mu_ball" and isinstance(child.value, dict):
            child.known(_names(FrictionLaw))
            with child.model_errors():
                values[key] = FrictionLaw(**{k: v.number() for k, v in child.items()})
        elif key == "e_cushion" and child.value is None:
            values[key] = None
        else:
            values[key] = child.number()
    with node.model_errors():
        return Materials(**values)


def stick_form(stick: Stick) -> str | dict[str, Any]:
    """A stick as plain data: its name, or what differs from the playing stick."""
    name = stick_name(stick)
    return _changed(stick, PLAYING_STICK) if name == "custom" else name


def read_stick(node: Node) -> Stick:
    """The stick of plain data.

    Raises:
        FileError: a name or a number that cannot be, with its place.
    """
    if isinstance(node.value, str):
        if node.value not in STICKS:
            raise node.error_one_of(STICKS)
        return STICKS[node.value]
    node.known(_names(Stick))
    values: dict[str, Any] = {
        key: None if child.value is None and key in ("e_tip", "end_mass_ratio") else child.number()
        for key, child in node.items()
    }
    with node.model_errors():
        return Stick(**values)


def _call(node: Node) -> Call:
    if isinstance(node.value, str):
        word = "shot" if node.value == "none" else node.value  # nothing named: files said "shot"
        if word not in CALL_KINDS:
            raise node.error_one_of(("none", *CALL_KINDS[1:]))
        return Call(word)
    node.known(("ball", "pocket"))
    ball = node.need("ball").integer()
    if ball not in OBJECT_BALLS:
        raise node["ball"].error(str(ball), "an object ball 1..10")
    pocket = node.need("pocket").string()
    if pocket not in POCKETS:
        raise node["pocket"].error_one_of(POCKETS)
    return Call("shot", ball, pocket)


def _names(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(cls))


# --- writing --------------------------------------------------------------------------------------


def dump_shot(
    layout: Layout,
    stroke: Stroke | None = None,
    *,
    motions: Mapping[int, Motion] | None = None,
    materials: Materials | None = None,
    cushion_model: str | None = None,
    stick: Stick | None = None,
    call: Call | None = None,
    ruleset: str | None = None,
    state: str | None = None,
    digits: int | None = None,
) -> str:
    """The text of a shot file, always the same for the same shot.

    Args:
        layout, stroke, motions, materials, cushion_model, stick: as for `simulate`; materials and
            sticks are written where they differ from the default.
        call, ruleset, state: as in ShotFile.
        digits: decimals of every number; None writes each exactly, so that loading gives the same
            bits back. Six decimals (a micrometre) are the least that load again without overlaps.

    Raises:
        FileError: digits under 6.
    """
    shot = ShotFile(
        layout, stroke, motions or None, materials, cushion_model, stick, call, ruleset, state
    )
    return shot.text(digits=digits)


def _text(shot: ShotFile, digits: int | None) -> str:
    if digits is not None and digits < 6:
        raise FileError(f"shot file digits: got {digits}, expected None or at least 6")

    def short(value: Any) -> Any:
        if isinstance(value, float):
            value = value if digits is None else round(value, digits)
            return value + 0.0  # no negative zero
        if isinstance(value, dict):
            return {key: short(item) for key, item in value.items()}
        return [short(item) for item in value] if isinstance(value, (list, tuple)) else value

    data: dict[str, Any] = {"tenball_shot": VERSION, "table": _table_data(shot.layout.table)}
    radius = shot.layout.ball_radius
    data["layout"] = {
        str(ball): [
            float(v) for v in shot.layout[ball][: 2 if shot.layout[ball][2] == radius else 3]
        ]
        for ball in shot.layout.balls
    }
    if shot.stroke is not None:
        data["stroke"] = dataclasses.asdict(shot.stroke)
    if shot.motions is not None:
        data["motions"] = {
            str(ball): dataclasses.asdict(shot.motions[ball]) for ball in sorted(shot.motions)
        }
    materials = _changed(shot.materials or Materials(ball_radius=radius), Materials())
    if materials:
        data["materials"] = materials
    if shot.stick is not None and shot.stick != PLAYING_STICK:
        data["stick"] = stick_form(shot.stick)
    if shot.call is not None:
        named_call = {"ball": shot.call.ball, "pocket": shot.call.pocket}
        word = "none" if shot.call.kind == "shot" else shot.call.kind
        data["call"] = word if shot.call.ball is None else named_call
    for key in ("cushion_model", "ruleset", "state"):
        if getattr(shot, key) is not None:
            data[key] = getattr(shot, key)
    data = short(data)
    lines = []
    for key, value in data.items():
        if key in ("layout", "motions"):
            inner = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f"  {json.dumps(key)}: {{\n{inner}\n  }}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _table_data(table: Table) -> Any:
    if TABLES.get(table.name) == table:
        return table.name
    return _changed(table.spec, TableSpec())


def _changed(value: Any, default: Any) -> dict[str, Any]:
    """The fields of a value that differ from the default's, as plain data."""
    return {
        f.name: dataclasses.asdict(value)[f.name]
        for f in dataclasses.fields(value)
        if getattr(value, f.name) != getattr(default, f.name)
    }


def save_shot(path: str | os.PathLike[str], shot: ShotFile, *, digits: int | None = None) -> None:
    """Write a shot file, whole or not at all.

    Raises:
        FileError: it cannot be written.
    """
    write_whole(path, shot.text(digits=digits))
