"""Small shots that once broke an engine, each a text file named for what went wrong.

A golden file holds `about` (one sentence), `shot` (a shot file), `variants` (changes of materials,
each played on its own) and `expect`, all optional but one:

    events      [[time, kind, ball, other], ...] that happen, in this order, among others
    absent      kinds of event that do not happen
    at_most     number of events
    status      what `status` may be (default: done)
    pocketed    {ball: pocket}, exactly
    off_table   {ball: [x, y]} (null: any), exactly these balls
    final_line  the object balls are still in their order along the table
    mirror      the shot stays its own mirror image across the long string, to so many metres

Every golden shot also keeps the numerical contract and gives the same bits when played again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invariants import faults

import sim
from sim.shot.files import ShotFile, parse_shot

FILES = sorted((Path(__file__).parent / "golden").glob("*.json"))
KEYS = {
    "events", "absent", "at_most", "status", "pocketed", "off_table", "final_line", "mirror",
}  # fmt: skip


def read(path: Path) -> tuple[ShotFile, dict[str, Any], list[dict[str, float]]]:
    golden = json.loads(path.read_text(encoding="utf-8"))
    assert golden["about"].endswith(".")
    assert golden["expect"]
    assert set(golden["expect"]) <= KEYS
    shot = parse_shot(json.dumps(golden["shot"]), name=path.name)
    return shot, golden["expect"], golden.get("variants", [{}])


def play(shot: ShotFile, changes: dict[str, float]) -> sim.Result:
    materials = (shot.materials or sim.Materials()).with_(**changes)
    stick = shot.stick or sim.Stick()
    return sim.simulate(
        shot.layout,
        shot.stroke,
        motions=shot.motions,
        materials=materials,
        cushion_model=shot.cushion_model,
        stick=stick,
        clearance="event",
    )


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_golden(path: Path) -> None:
    shot, expect, variants = read(path)
    for changes in variants:
        result = play(shot, changes)
        assert result.status in expect.get("status", ["done"])
        assert faults(result) == []
        check(result, expect)
        again = play(shot, changes)
        assert again.events == result.events
        assert again.final == result.final


def check(result: sim.Result, expect: dict[str, Any]) -> None:
    """The shot against what its file expects."""
    events = list(result.events)
    left = iter(events)
    for t, kind, ball, other in expect.get("events", []):
        assert any(
            abs(e.t - t) < 1e-7 and (e.kind, e.ball, e.other) == (kind, ball, other) for e in left
        ), (t, kind, ball, other)
    assert not {e.kind for e in events} & set(expect.get("absent", []))
    assert len(events) <= expect.get("at_most", len(events))
    if "pocketed" in expect:
        assert {str(b): p for b, p in result.pocketed.items()} == expect["pocketed"]
    if "off_table" in expect:
        assert {str(b) for b in result.off_table} == set(expect["off_table"])
        for ball, asked in expect["off_table"].items():
            for got, want in zip(result.off_table[int(ball)], asked, strict=False):
                assert want is None or got == pytest.approx(want, abs=1e-6)
    if expect.get("final_line"):
        along = [result.states([result.duration])[0, result.balls.index(b), 1] for b in range(1, 7)]
        assert along == sorted(along)
    if "mirror" in expect:
        assert asymmetry(result) <= expect["mirror"]


def asymmetry(result: sim.Result) -> float:
    """How far the balls ever are from being their own mirror image across the long string, m."""
    times = np.linspace(0.0, result.duration, 400)
    states, present = result.states(times), result.present(times)
    worst = 0.0
    for row, there in zip(states, present, strict=True):
        places = row[there, :2]
        mirrored = places * (-1.0, 1.0) + (result.table.width, 0.0)
        apart = np.linalg.norm(places[:, None] - mirrored[None], axis=2).min(axis=1)
        worst = max(worst, float(apart.max(initial=0.0)))
    return worst


def test_the_eight_shots_that_broke_other_engines_are_here() -> None:
    names = {path.stem for path in FILES}
    assert names >= {
        "frozen_to_cushion_into_it",
        "radius_from_cushion",
        "line_of_six",
        "line_of_six_follow",
        "equal_velocities",
        "straight_break_mirrors",
        "no_friction",
        "one_ball",
        "slide_ends_at_the_cushion",
        "pushed_into_the_slate",
    }


def test_the_frictions_of_golden_no_friction_are_all_there_are() -> None:
    _, _, variants = read(next(path for path in FILES if path.stem == "no_friction"))
    names = {name for changes in variants for name in changes}
    fields = {n for n in sim.Materials.__dataclass_fields__ if n.startswith("mu_")}
    assert names == fields | {"spin_decay"}
