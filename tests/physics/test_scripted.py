"""Scripted shots: their numbers, their events, what the law makes of them, their pictures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from invariants import faults

import rules
import sim
from sim.cli.main import main
from sim.game.facts import shot_facts
from sim.game.witness import witness
from sim.shot.validation.scripted import SHOTS, R, scripted

NAMES = [shot.name for shot in SHOTS]


@cache
def played(name: str) -> sim.Result:
    return scripted(name).play()


def kinds(name: str, ball: int | None = None) -> list[str]:
    return [e.kind for e in played(name).events if ball in (None, e.ball, e.other)]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_plain_mechanics(name: str) -> None:
    rows = scripted(name).rows(played(name))
    assert rows
    assert [row for row in rows if not row.ok] == []


@pytest.mark.parametrize("name", NAMES)
def test_keeps_the_contract(name: str) -> None:
    assert faults(played(name)) == []


def test_jump_clears_the_ball_in_the_way_and_no_double_hit() -> None:
    result = played("jump")
    met = next(e for e in result.events if e.kind == "ball_ball")
    assert {met.ball, met.other} == {0, 1}
    np.testing.assert_array_equal(result.final[2], result.layout[2])
    assert "tip_again" not in kinds("jump")


def test_masse_goes_round_and_hits_the_ball_behind() -> None:
    result = played("masse")
    met = next(e for e in result.events if e.kind == "ball_ball")
    assert {met.ball, met.other} == {0, 1}
    np.testing.assert_array_equal(result.final[2], result.layout[2])
    # It starts to the right of the line to the ball behind, and arrives moving left.
    strike = next(e for e in result.events if e.kind == "cue_strike")
    assert strike.after[0][0][0] > 0.0 > met.before[0][0][0]


def test_ten_off_the_table_is_a_foul_and_the_ten_is_spotted() -> None:
    result = played("ten_off_table")
    assert list(result.off_table) == [10]
    assert kinds("ten_off_table", 10)[-1] == "off_table"
    state = rules.RackState(
        rules.WPA_2009,
        breaker="A",
        shooter="A",
        shot_number=5,
        balls=frozenset({1, 10}),
        cue_ball=rules.CueBall.POSITION,
        push_out_available=False,
    )
    call = rules.call(10, "foot_left")
    ruling = rules.adjudicate(state, call, witness(result))
    assert rules.FoulCode.OBJECT_BALL_OFF_TABLE in {foul.code for foul in ruling.fouls}
    assert 10 in ruling.spotted
    after = shot_facts(state, call, result).layout(result.table, result.layout.ball_radius)
    assert tuple(after[10][:2]) == pytest.approx(result.table.foot_spot)


def test_ball_runs_along_the_rail_and_comes_back() -> None:
    result = played("rail_top")
    names = kinds("rail_top")
    held, released, landed = (names.index(k) for k in ("hold", "release", "bed"))
    assert names.index("rail_top") < held < released < landed
    events = result.events
    assert events[released].t - events[held].t > 0.3
    assert events[released].position[0] - events[held].position[0] > 0.1
    assert 1 in result.final
    assert result.off_table == {}


def test_ball_off_the_liner_was_never_pocketed_there() -> None:
    result = played("liner")
    names = kinds("liner")
    out = names.index("pocket_exit")
    assert "liner" in names[:out]
    assert "pocketed" not in names[: out + 1]
    assert result.events[out].other == "side_left"


def test_double_hit_is_a_foul_of_its_name() -> None:
    record = witness(played("double_hit"))
    codes = [s.kind for s in record.sightings if isinstance(s, rules.Infraction)]
    assert codes == [rules.FoulCode.DOUBLE_HIT]
    names = kinds("double_hit")
    assert names.index("ball_ball") < names.index("tip_again")


def test_miscue_is_reported_from_the_edge_of_the_cone_on() -> None:
    table = sim.Table.wpa_9ft()
    layout = sim.Layout(table, {0: (0.635, 1.2)})
    stick = sim.Stick(length=1.0)
    edge = 0.6 / np.hypot(1.0, 0.6)
    for side, miscue in ((edge - 1e-6, False), (edge + 1e-6, True)):
        stroke = sim.Stroke(2.0, np.pi / 2, side, 0.0, 0.0)
        result = sim.simulate(layout, stroke, stick=stick)
        assert ("miscue" in [e.kind for e in result.events]) is miscue
    assert R * 0.514 < edge * R < R * 0.515


@pytest.mark.parametrize("speed", [0.1, 0.2, 0.3, 0.4, 0.5])
def test_slow_ball_pivots_over_the_slates_edge(speed: float) -> None:
    """It leaves at cos psi = (10 + 7 v^2/(g rho))/17 where friction lets it roll that far.

    The limit is a held step of 1 ms (psi' h sin psi). With the cloth's friction it slips earlier, so it
    leaves earlier by at most 0.03; without a grip at all cos psi = 2/3 + v^2/(3 g rho).
    """
    table = sim.Table.wpa_9ft()
    rho, g = R + table.spec.slate_edge_radius, 9.81
    layout = sim.Layout(table, {1: (0.03, 1.27)})
    motions = {1: sim.Motion((-speed, 0.0, 0.0), (0.0, -speed / R, 0.0))}
    left = {}
    for mu in (0.2, 2.0):
        materials = sim.Materials(mu_slide=mu)
        result = sim.simulate(layout, motions=motions, materials=materials)
        edge = next(e for e in result.events if e.kind == "pocket_edge")
        release = next(e for e in result.events if e.kind == "release")
        left[mu] = (release.position[2] + table.spec.slate_edge_radius) / rho
        v2 = edge.before[1][0][0] ** 2 / (g * rho)
    rolling, slipping = (10 + 7 * v2) / 17, (2 + v2) / 3
    assert left[2.0] == pytest.approx(rolling, abs=0.008)
    assert rolling < left[0.2] < slipping
    assert result.pocketed == {1: "side_left"}


def test_fast_ball_leaves_the_edge_at_once() -> None:
    layout = sim.Layout(sim.Table.wpa_9ft(), {1: (0.03, 1.27)})
    result = sim.simulate(layout, motions={1: sim.Motion((-0.65, 0.0, 0.0), (0.0, -0.65 / R, 0.0))})
    assert "hold" not in [e.kind for e in result.events]
    assert result.pocketed == {1: "side_left"}


def test_pictures_are_written_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "pictures"
    assert main(["validate", "scripted", "--pictures", str(folder)]) == 0
    assert sorted(p.stem for p in folder.iterdir()) == sorted(NAMES)
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert text.startswith("<svg")
        assert "<path" in text or "<polyline" in text
    assert capsys.readouterr().err.count("picture: ") == len(NAMES)
