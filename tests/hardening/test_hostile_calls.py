"""Every door that takes values from Python or words from a command line."""

from __future__ import annotations

import contextlib
import dataclasses
import fractions
import io
import itertools
import math
import os
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile import LONGEST, RUDE_VALUES, offered, sizes

import rules
import sim
from sim.cli.main import COMMANDS, main
from sim.experiments import Break, Errors, Uniform, sweep
from sim.model.materials import FrictionLaw

TABLE = sim.Table.wpa_9ft()
LAYOUT = sim.Layout(TABLE, {0: (0.6, 0.6), 1: (0.6, 1.5)})
STROKE = sim.Stroke(2.0, 1.5)


class Unspeakable:
    """Nothing about it works."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __float__ = __index__ = __repr__


VALUES: tuple[Any, ...] = (
    *RUDE_VALUES, math.nan, math.inf, -math.inf, 10**5000, b"1", complex(1, 2), object(), set(),
    np.zeros((20, 20)), np.array([1.0]), np.array(1.0), np.array(["a"]), np.datetime64("2020"),
    np.array([math.nan, 1.0]), fractions.Fraction(10**400), Unspeakable(), range(10**12), (0.6, 0.6),
    itertools.repeat(0.5), {0: (0.5, 0.5)}, TABLE, LAYOUT, STROKE, sim.Motion((1.0, 0.0, 0.0)),
    sim.Materials(), [STROKE, None], memoryview(b"ab"), len,
)  # fmt: skip


def a_field(cls: type, name: str, **needed: Any) -> Any:
    return lambda value: cls(**{**needed, name: value})


def _fields() -> dict[str, Any]:
    found = {}
    for cls, needed in (
        (sim.TableSpec, {}),
        (sim.Stroke, {"speed": 1.0, "azimuth": 1.0}),
        (sim.Motion, {}),
        (sim.Stick, {}),
        (sim.Materials, {}),
        (FrictionLaw, {}),
        (Errors, {}),
        (Uniform, {"low": 0.0, "high": 1.0}),
    ):
        for field in dataclasses.fields(cls):
            found[f"{cls.__name__}.{field.name}"] = a_field(cls, field.name, **needed)
    return found


def option(function: Any, name: str, *args: Any) -> Any:
    return lambda value: function(*args, **{name: value})


DOORS = {
    **_fields(),
    "Table": lambda v: sim.Table(v),
    "Table.named": sim.Table.named,
    "Table.from_spec": lambda v: sim.Table.from_spec(v).geometry,
    "Layout table": lambda v: sim.Layout(v, {0: (0.6, 0.6)}),
    "Layout positions": lambda v: sim.Layout(TABLE, v),
    "Layout place": lambda v: sim.Layout(TABLE, {0: v}),
    "Layout x": lambda v: sim.Layout(TABLE, {0: (v, 0.6)}),
    "Layout radius": option(sim.Layout, "ball_radius", TABLE, {0: (0.6, 0.6)}),
    "Layout tolerance": option(sim.Layout, "tolerance", TABLE, {0: (0.6, 0.6), 1: (0.6, 0.657)}),
    "Layout item": LAYOUT.__getitem__,
    "Layout.with_": LAYOUT.with_,
    "Layout.without": LAYOUT.without,
    "rack table": sim.rack,
    **{f"rack {n}": option(sim.rack, n, TABLE) for n in ("seed", "order", "gap", "cue", "ball_radius")},
    "simulate layout": lambda v: sim.simulate(v, STROKE),
    "simulate stroke": lambda v: sim.simulate(LAYOUT, v),
    "simulate motions": lambda v: sim.simulate(LAYOUT, motions=v),
    "simulate motion": lambda v: sim.simulate(LAYOUT, motions={0: v}),
    **{
        f"simulate {n}": option(sim.simulate, n, LAYOUT, STROKE)
        for n in ("materials", "cushion_model", "stick", "clearance", "max_events")
    },
    "result.states": lambda v: sim.simulate(LAYOUT, STROKE).states(v),
    "result.states time": lambda v: sim.simulate(LAYOUT, STROKE).states([v]),
    "result.present": lambda v: sim.simulate(LAYOUT, STROKE).present(v),
    "result.svg": lambda v: sim.simulate(LAYOUT, STROKE).svg(v),
    "many layouts": lambda v: sim.simulate_many(v, STROKE),
    "many strokes": lambda v: sim.simulate_many(LAYOUT, v),
    "many layout": lambda v: sim.simulate_many([LAYOUT, v], STROKE),
    **{
        f"many {n}": option(sim.simulate_many, n, LAYOUT, [STROKE, STROKE])
        for n in ("materials", "cushion_model", "stick", "clearance", "workers", "on_error")
    },
    "sweep scene": lambda v: sweep(v, {"speed": [2.0]}),
    "sweep parameters": lambda v: sweep((LAYOUT, STROKE), v),
    "sweep value": lambda v: sweep((LAYOUT, STROKE), {"speed": [v]}),
    "sweep name": lambda v: sweep((LAYOUT, STROKE), {v if isinstance(v, str) else 3: [1.0]}),
    **{
        f"sweep {n}": option(sweep, n, (LAYOUT, STROKE), {"speed": [2.0, 3.0]})
        for n in ("seed", "errors", "sampling", "materials", "cushion_model", "stick", "aim_at",
                  "clearance", "rulings", "rulings_every", "call", "chunk", "executor")
    },
    **{f"Break.{f.name}": a_field(Break, f.name) for f in dataclasses.fields(Break)},
    "rules.ruleset": rules.ruleset,
    "rules.call ball": lambda v: rules.call(v, "foot_left"),
    "rules.call pocket": lambda v: rules.call(1, v),
    "rules.cushion": lambda v: rules.cushion(v, "head"),
    "rules.cushion where": lambda v: rules.cushion(1, v),
    "rules.pocketed": lambda v: rules.pocketed(v, "foot_left"),
    "rules.pocketed where": lambda v: rules.pocketed(1, v),
    "rules.off_table": rules.off_table,
    "rules.cue_contact": rules.cue_contact,
    "rules.ShotRecord": lambda v: rules.ShotRecord(v),
    "rules.new_rack": lambda v: rules.new_rack(rules.ruleset("wpa09"), breaker=v),
    "rules.new_rack ruleset": lambda v: rules.new_rack(v, breaker="A"),
    "rules.variation": lambda v: rules.ruleset("wpa09").variation(break_order=v),
    "notation.parse_state": rules.notation.parse_state,
    "notation.parse_record": rules.notation.parse_record,
    "notation.parse_declaration": rules.notation.parse_declaration,
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_any_value_is_taken_or_refused_in_one_line(door):
    """Of the documented errors, at once: no AttributeError from inside, no endless list made."""
    for value in VALUES:
        # The law writes values out with plain repr: one that cannot be written is its owner's error.
        if not (door.startswith(("rules", "notation")) and _unwritable(value)):
            offered(DOORS[door], value)


def _unwritable(value: Any) -> bool:
    try:
        return not repr(value)
    except (RuntimeError, ValueError):
        return True


# --- the command line ---

WORDS = (
    "", "-1", "0", "1", "nan", "inf", "-inf", "1e400", "9" * 5000, "9" * 400, "x" * 5000, "a\x00b",
    "\udcff", "\x1b[31m", "é", "1_0", "0x10", "--", "-", ".", "/dev/zero", "/", "wpa09", "a,b", "=",
    "x=y", "break_order=\udcff", "16x16", "9999999999x1", "a" * 300, "../../../a", "\n", "True",
)  # fmt: skip
OPTIONS = {
    "break": ["--seed", "--speed", "--ruleset", "--table", "--order", "--gap", "--cue", "--azimuth",
              "--azimuth-deg", "--elevation", "--elevation-deg", "--side", "--vertical", "--stick",
              "--picture", "--json"],
    "shot": ["--ruleset", "--picture", "--json"],
    "referee": ["--ruleset", "--state", "--call", "--record"],
    "rules": ["--diff"],
    "demo": ["--seed", "--ruleset", "--race-to", "--strength", "--table", "--journal", "--events"],
    "match": ["--names", "--ruleset", "--race-to", "--table", "--seed", "--set", "--no-lag",
              "--practice", "--shot", "--journal"],
    "replay": ["--text", "--check", "--shot", "--camera", "--size", "--look", "--cloth"],
    "sheet": ["--csv"],
    "export": ["--shot", "--out"],
    "render": ["-o", "--shot", "--at", "--from", "--to", "--fps", "--camera", "--size", "--paths",
               "--look", "--cloth"],
    "validate": [],
    "bench": ["--shots", "--batch", "--write", "--scenes", "--first", "--report"],
    "play": ["--journal", "--shot", "--size", "--home"],
}  # fmt: skip


@pytest.fixture
def idle(monkeypatch, tmp_path):
    """Long work is left out: only what is made of the words is tried."""
    for name in ("sim.cli.bench._speed", "sim.cli.bench._guard", "sim.cli.bench._oracle",
                 "sim.cli.bench._first_shot", "sim.cli.bench._play", "sim.cli.match._play_nothing", "sim.play.run.play",
                 "sim.play.viewer.replay_match"):  # fmt: skip
        monkeypatch.setattr(name, lambda *_, **__: 0)
    monkeypatch.setattr("sim.cli.match.play_demo", lambda *_: iter(()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(arguments: list[str], typed: str = "") -> tuple[int, str]:
    """(exit status, standard error) of a command."""
    out, error = io.StringIO(), io.StringIO()
    kept, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            try:
                status = main(arguments)
            except SystemExit as ended:
                status = int(ended.code or 0)
    finally:
        sys.stdin = kept
    return status, error.getvalue()


def test_every_command_is_tried():
    assert set(OPTIONS) == {name for group in COMMANDS.values() for name in group}


@sizes(12)
@pytest.mark.parametrize("command", sorted(set(OPTIONS) - {"validate"}))
def test_any_words_are_done_or_refused_in_one_line(command, count, idle):
    for seed in range(count):
        rng = random.Random(f"{command} {seed}")
        arguments = [command, *rng.choices(WORDS, k=rng.choice((0, 1, 1, 1, 2)))]
        for name in rng.sample(OPTIONS[command], min(rng.choice((0, 1, 2)), len(OPTIONS[command]))):
            arguments += [name, *rng.choices(WORDS, k=rng.choice((0, 1, 1, 1, 2)))]
        status, error = said(arguments)
        assert status in (0, 1, 2), arguments
        if status == 2:
            assert error.startswith("tenball: "), (arguments, error[:300])
            assert len(error.strip().splitlines()) == 1, (arguments, error[:300])
            assert len(error) <= LONGEST, arguments
            assert error.isprintable() or error[:-1].isprintable(), arguments


@sizes(60)
def test_any_words_in_the_terminal_are_answered(count, idle):
    """The game goes on after anything that is typed."""
    verbs = ["aim", "pot", "speed", "tip", "lift", "call", "safety", "push", "nothing", "ask", "yes", "no", "place", "lag", "breaker", "next", "foul", "penalty", "stalemate", "agree", "concede", "extend", "clock", "undo", "redo", "repeat", "show", "picture", "sheet", "export", "help", "accept"]  # fmt: skip
    rng = random.Random(5)
    plain = [w for w in WORDS if "\n" not in w and "\x00" not in w and len(w) < 400]
    for practice in (True, False):
        lines = [
            " ".join(
                [rng.choice(verbs), *rng.choices([*plain, "A", "B", "1", "10"], k=rng.randrange(4))]
            )
            for _ in range(count)
        ]
        lines = [line.replace("/dev/zero", "zero") for line in lines]
        typed = "\n".join(["aim 'open", *lines, "quit"]) + "\n"
        status, error = said(["match", "--no-lag", *(["--practice"] if practice else [])], typed)
        assert (status, error) == (0, "")


def test_a_line_without_end_in_the_terminal(idle):
    assert said(["match"], "x" * 50_000) == (0, "")
    assert said(["match"], "x" * 10_100_000) == (
        2, "tenball: input: got a line of more than 10000000 letters, expected less\n",
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="/dev")
def test_bytes_that_are_no_text_on_standard_input(tmp_path):
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "sim.cli.main", "shot", "-"], input=b'{"a": "\xe9"}',
        capture_output=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "tenball: standard input: got byte 0xe9 at offset 7, expected text in UTF-8\n"
    )


@pytest.mark.parametrize("times", [["1"], [True], ["2020-01-01"], np.datetime64("now"), [10**400]])
def test_words_truths_and_dates_are_no_times(times):
    """NumPy makes numbers of them; one too large was an OverflowError."""
    assert offered(sim.simulate(LAYOUT, STROKE).states, times).startswith("times: got ")


@pytest.mark.parametrize("width", [0, -1, math.nan, 0.5, 1e9, "600"])
def test_a_picture_has_a_width(width):
    """A picture of width NaN or -1 was drawn, and no browser shows it."""
    assert "picture width" in offered(sim.simulate(LAYOUT, STROKE).svg, width)


@pytest.mark.parametrize("ball", [True, 1.0, "1"])
def test_motions_are_of_balls_by_number(ball):
    """A shot with such a motion was played, but its file could not be read again."""
    text = offered(sim.simulate, LAYOUT, motions={ball: sim.Motion((1.0, 0.0, 0.0))})
    assert text.startswith(f"motions: ball {ball!r} is not in the layout")


@pytest.mark.parametrize("value", [5e-324, 1e-6, 1e10, 1e308])
@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(sim.TableSpec)])
def test_a_shot_on_a_table_of_any_measures_is_played_or_refused(name, value):
    """A shelf of 1e308 m was a StopIteration, a nose of a micrometre a shot without end."""

    def play():
        spec = dataclasses.replace(sim.TableSpec(), **{name: value})
        sim.simulate(sim.rack(sim.Table.from_spec(spec), seed=1), sim.Stroke(8.0, 1.58))

    text = offered(play)
    assert "events" not in text
