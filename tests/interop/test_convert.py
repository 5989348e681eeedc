"""Tables, materials, strokes, layouts and results there and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from sim.interop import pooltool as peer
from sim.interop.pooltool import InteropError

TABLE = sim.Table.wpa_9ft()
MATERIALS = sim.Materials(e_cushion=0.8, spin_decay=10.9, mu_ball=sim.FrictionLaw(0.01, 0.1, 1.0))


def test_table_there_and_back() -> None:
    theirs = peer.from_table(TABLE)
    assert (theirs.w, theirs.l) == (TABLE.width, TABLE.length)
    back = peer.to_table(theirs).spec
    for name in vars(back):
        if name != "rail_top":
            assert getattr(back, name) == pytest.approx(getattr(TABLE.spec, name), abs=1e-10), name


def test_pockets_and_cushions_have_the_same_places() -> None:
    theirs = peer.from_table(TABLE)
    from sim.interop.pooltool.convert import CUSHION_IDS, POCKET_IDS
    from sim.model import POCKETS

    for name, pocket in theirs.pockets.items():
        ours = TABLE.geometry.pockets[POCKETS.index(POCKET_IDS[name])]
        assert math.dist(ours.centre, pocket.center[:2]) < 0.08
    places = {
        "head": (0.5, 0.0), "foot": (0.5, 1.0), "left_head": (0.0, 0.25), "left_foot": (0.0, 0.75),
        "right_head": (1.0, 0.25), "right_foot": (1.0, 0.75),
    }  # fmt: skip
    for name, ours_name in CUSHION_IDS.items():
        segment = theirs.cushion_segments.linear[name]
        middle = (segment.p1 + segment.p2)[:2] / 2 / (TABLE.width, TABLE.length)
        assert np.allclose(middle, places[ours_name], atol=0.03)


def test_pooltools_own_tables_become_ours() -> None:
    pt = peer.load()
    table = peer.to_table(pt.Table.default())
    assert table.width == pytest.approx(pt.Table.default().w)
    with pytest.raises(InteropError, match="expected PocketTableSpecs"):
        peer.to_table(pt.objects.BilliardTableSpecs())


def test_materials_there_and_back() -> None:
    pt = peer.load()
    params = pt.objects.BallParams(**peer.from_materials(MATERIALS))
    friction = peer.to_engine(MATERIALS).resolver.ball_ball.friction
    back = peer.to_materials(params, friction)
    for name in ("ball_radius", "ball_mass", "g", "mu_slide", "mu_roll", "e_ball", "e_cushion"):
        assert getattr(back, name) == getattr(MATERIALS, name)
    assert back.spin_decay == pytest.approx(10.9, rel=1e-14)
    assert back.mu_ball == MATERIALS.mu_ball


def test_zero_friction_is_refused() -> None:
    with pytest.raises(InteropError, match="materials mu_roll: got 0"):
        peer.from_materials(sim.Materials(mu_roll=0.0))


def test_stroke_there_and_back() -> None:
    stroke = sim.Stroke(3.0, 0.7, side=0.2, vertical=-0.3, elevation=0.1)
    cue = peer.from_stroke(stroke, sim.PLAYING_STICK, sim.Materials())
    back = peer.to_stroke(cue)
    for name in ("speed", "azimuth", "side", "vertical", "elevation"):
        assert getattr(back, name) == pytest.approx(getattr(stroke, name), abs=1e-14)


def test_side_means_the_same_side() -> None:
    """Right english on a ball going to +y turns it counterclockwise seen from above."""
    layout = sim.Layout(TABLE, {0: (0.6, 0.6)})
    stroke = sim.Stroke(2.0, math.pi / 2, side=0.2, elevation=0.0)
    ours = sim.simulate(layout, stroke, clearance="event").events
    theirs = peer.simulate(layout, stroke).events
    spins = [next(e for e in ev if e.kind == "cue_strike").after[0][1][2] for ev in (ours, theirs)]
    assert spins[0] > 0.0
    assert spins[1] > 0.0


def test_both_engines_give_nearly_the_same_ball_speed() -> None:
    """Ours is a little slower: its stick clears the cushion, so it is not level."""
    layout = sim.Layout(TABLE, {0: (0.6, 0.6)})
    stroke = sim.Stroke(8.0, 1.2)
    speeds = []
    for play in (sim.simulate, peer.simulate):
        strike = next(e for e in play(layout, stroke).events if e.kind == "cue_strike")
        speeds.append(math.hypot(*strike.after[0][0][:2]))
    assert speeds[0] == pytest.approx(speeds[1], rel=2e-2)
    assert 10.2 < speeds[0] < 10.7


def test_layout_there_and_back() -> None:
    layout = sim.rack(TABLE, seed=3)
    system = peer.from_layout(layout, sim.Materials())
    assert peer.to_layout(system, table=TABLE) == layout


def test_what_is_not_planar_is_refused() -> None:
    layout = sim.Layout(TABLE, {0: (0.6, 0.6, 0.2)})
    with pytest.raises(InteropError, match="expected a ball on the bed"):
        peer.from_layout(layout, sim.Materials())
    flat = sim.Layout(TABLE, {0: (0.6, 0.6)})
    with pytest.raises(InteropError, match="upward"):
        peer.simulate(flat, motions={0: sim.Motion((1.0, 0.0, 0.5))})
    with pytest.raises(InteropError, match="got neither"):
        peer.simulate(flat)


def test_result_of_pooltool_is_a_result() -> None:
    """Its path runs through its own events, turns as it rolls, and ends where it says."""
    layout = sim.Layout(TABLE, {0: (0.5, 0.6), 1: (0.52, 1.4)})
    result = peer.simulate(layout, sim.Stroke(2.0, math.pi / 2))
    kinds = [e.kind for e in result.events]
    assert kinds[0] == "cue_strike"
    assert "ball_ball" in kinds
    assert "cushion" in kinds
    for e in result.events:
        place = result.states([e.t])[0, result.balls.index(e.ball), :3]
        assert np.abs(place - e.position).max() < 2e-6  # its spacer of 1 µm
    ends = result.states([result.duration])[0]
    for ball in result.final.balls:
        assert np.abs(ends[result.balls.index(ball), :3] - result.final[ball]).max() < 1e-9
        assert not ends[result.balls.index(ball), 7:].any()
    assert np.allclose(np.linalg.norm(result.states([0.5])[0, :, 3:7], axis=1), 1.0)
    assert result.svg().startswith("<svg")


def test_pocketed_balls_come_across() -> None:
    layout = sim.Layout(TABLE, {0: (0.635, 1.27)})
    away = {0: sim.Motion((-2.0, 0.0, 0.0))}
    result = peer.simulate(layout, motions=away)
    assert result.pocketed == {0: "side_left"}
    assert result.final.balls == ()
    assert not result.present([result.duration])[0, 0]


def test_our_result_becomes_a_system_that_the_viewer_plays() -> None:
    layout = sim.rack(TABLE, seed=7)
    result = sim.simulate(layout, sim.Stroke(6.0, math.pi / 2), clearance="event")
    system = peer.from_result(result, dt=0.02)
    assert system.simulated
    assert system.continuized
    ball = system.balls["cue"]
    for state in list(ball.history_cts)[::40]:
        ours = result.states([state.t])[0, 0]
        assert np.array_equal(state.rvw[0], ours[:3])
        assert np.array_equal(state.rvw[2], ours[10:])
    struck = {e.ball for e in result.events if e.kind == "ball_ball"}
    theirs = [e for e in system.events if e.event_type == "ball_ball"]
    assert struck
    assert len(theirs) == sum(e.kind == "ball_ball" for e in result.events)
    with pytest.raises(InteropError, match="dt"):
        peer.from_result(result, dt=0.0)


def test_the_viewer_has_a_model_of_every_ball() -> None:
    # It once showed eleven blank balls.
    system = peer.from_layout(sim.rack(TABLE, 1), sim.Materials())
    looks = {ball.ballset.ball_path(name) for name, ball in system.balls.items()}
    assert len(looks) == 11
    assert all(path.is_file() for path in looks)


def test_until_leaves_the_shot_there() -> None:
    layout = sim.Layout(TABLE, {0: (0.5, 0.6), 1: (0.52, 1.4)})
    motions = {0: sim.Motion((0.0, 2.0, 0.0))}
    whole = peer.simulate(layout, motions=motions)
    part = peer.simulate(layout, motions=motions, until=0.3)
    assert [e.t for e in part.events] == [e.t for e in whole.events[: len(part.events)]]
    assert part.duration < 1.0 < whole.duration
