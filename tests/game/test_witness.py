"""The witness: what the referee notes of the engine's events, and what he cannot tell apart."""

from __future__ import annotations

import math

import pytest
from game_fakes import TABLE, FakeEvent, FakeResult, layout_of

import rules
from sim.game import FROZEN_GAP, SAME_INSTANT_S, frozen_to_cue, frozen_to_cushion, witness
from sim.game.stick import balls_touched
from sim.model import Layout, Stick, Stroke

R = 0.028575
REACH = TABLE.nose_contact(R)
OPEN = layout_of(b0=(0.5, 0.5), b1=(0.5, 1.0), b2=(0.8, 1.5), b10=(0.9, 2.0))


def record_of(*events, layout=OPEN, **keywords):
    fake = {k: keywords.pop(k) for k in ("final", "paths", "duration") if k in keywords}
    return witness(FakeResult(layout, events, **fake), **keywords)


def test_contacts_and_cushions_in_order():
    """Ball and cushion contacts become sightings in the order of time."""
    record = record_of(
        FakeEvent(0.0, "cue_strike", 0),
        FakeEvent(0.1, "slide_to_roll", 0),
        FakeEvent(0.5, "ball_ball", 1, 0),
        FakeEvent(0.9, "ball_ball", 1, 2),
        FakeEvent(1.2, "cushion", 1, "left_foot"),
        FakeEvent(1.5, "jaw", 2, "foot_left"),
        FakeEvent(1.6, "pocketed", 2, "foot_left"),
        FakeEvent(1.9, "off_table", 10),
    )
    assert record.sightings == (
        rules.cue_contact(1),
        rules.ball_ball(1, 2),
        rules.cushion(1, "left_foot"),
        rules.jaw(2, "foot_left"),
        rules.pocketed(2, "foot_left"),
        rules.off_table(10),
    )


def test_split_hit_cannot_be_told_apart():
    """First contacts closer than SAME_INSTANT_S are one instant; a chain does not stretch it."""
    step = 0.8 * SAME_INSTANT_S
    record = record_of(
        FakeEvent(0.5, "ball_ball", 0, 2),
        FakeEvent(0.5 + step, "ball_ball", 0, 1),
        FakeEvent(0.5 + 2 * step, "cushion", 1, "left_foot"),
    )
    flags = [s.same_instant for s in record.sightings]
    assert flags == [False, True, False]
    late = record_of(
        FakeEvent(0.5, "ball_ball", 0, 2), FakeEvent(0.5 + 1.01 * SAME_INSTANT_S, "ball_ball", 0, 1)
    )
    assert [s.same_instant for s in late.sightings] == [False, False]
    state = rules.RackState(
        rules.WPA_2009, "A", "A", 3, frozenset({1, 2, 10}), rules.CueBall.POSITION
    )
    codes = [f.code for f in rules.adjudicate(state, rules.no_call(), late).fouls]
    assert rules.FoulCode.WRONG_BALL_FIRST in codes
    assert not rules.adjudicate(state, rules.no_call(), record).fouls


def test_frozen_ball_is_declared_and_leaves_its_cushion():
    """A ball within the gap is declared frozen; it has left when a millimetre off."""
    layout = layout_of(b0=(0.6, 0.6), b1=(REACH + 0.5 * FROZEN_GAP, 1.0), b10=(0.9, 2.0))
    assert frozen_to_cushion(layout) == ((1, "left_head"),)
    events = (
        FakeEvent(0.5, "ball_ball", 0, 1),
        FakeEvent(0.5001, "cushion", 1, "left_head"),
        FakeEvent(2.0, "cushion", 1, "left_head"),
    )
    path = [(0.5, REACH, 1.0), (1.0, REACH + 0.2, 1.2), (2.0, REACH, 1.5)]
    record = record_of(*events, layout=layout, paths={1: path})
    kinds = [s.kind.value for s in record.sightings]
    assert kinds == ["cue_contact", "cushion", "leaves_rail", "cushion"]
    assert record.frozen_to_cushion == ((1, "left_head"),)
    undeclared = record_of(*events, layout=layout, paths={1: path}, frozen=())
    assert undeclared.frozen_to_cushion == ()
    assert [s.kind.value for s in undeclared.sightings] == ["cue_contact", "cushion", "cushion"]


def test_a_frozen_ball_that_only_rolls_along_has_not_left():
    """A frozen ball that runs along its cushion without leaving it was not driven to it (8.4)."""
    layout = layout_of(b0=(0.6, 0.6), b1=(REACH, 1.0), b10=(0.9, 2.0))
    events = (FakeEvent(0.5, "ball_ball", 0, 1), FakeEvent(0.5001, "cushion", 1, "left_head"))
    path = [(0.5, REACH, 1.0), (2.0, REACH + 0.0005, 1.2)]
    record = record_of(*events, layout=layout, paths={1: path})
    state = rules.RackState(rules.WPA_2009, "A", "A", 3, frozenset({1, 10}), rules.CueBall.POSITION)
    codes = [f.code for f in rules.adjudicate(state, rules.no_call(), record).fouls]
    assert codes == [rules.FoulCode.NO_RAIL_AFTER_CONTACT]


@pytest.mark.parametrize(
    ("kind", "codes"),
    [("tip_again", ["double_hit"]), ("push", ["double_hit", "push_shot"])],
)
def test_stick_faults(kind, codes):
    """A second tip contact is a double hit; a tip still on the ball is that and a push."""
    near = layout_of(b0=(0.5, 0.5), b1=(0.5, 0.5 + 2 * R + 0.002), b10=(0.9, 2.0))
    record = record_of(
        FakeEvent(0.001, "ball_ball", 0, 1),
        FakeEvent(0.0012, kind, 0, 1 if kind == "push" else None),
        layout=near,
        side="B",
    )
    faults = [s for s in record.sightings if isinstance(s, rules.Infraction)]
    assert [f.kind.value for f in faults] == codes
    assert {f.side for f in faults} == {"B"}


def test_a_frozen_ball_may_be_shot_into():
    """6.7: a cue ball frozen to the ball it is shot into makes no double hit."""
    frozen = layout_of(b0=(0.5, 0.5), b1=(0.5, 0.5 + 2 * R), b10=(0.9, 2.0))
    assert frozen_to_cue(frozen) == (1,)
    record = record_of(
        FakeEvent(0.0, "ball_ball", 0, 1), FakeEvent(0.0, "push", 0, 1), layout=frozen
    )
    assert record.sightings == (rules.cue_contact(1),)
    assert record.frozen_to_cue == (1,)


def test_stick_touch():
    """A stick that touches a ball is a touched ball; one that touches a cushion is nothing."""
    touch = record_of(FakeEvent(0.0, "stick_touch", 0, 2))
    (fault,) = touch.sightings
    assert (fault.kind, fault.ball) == (rules.FoulCode.TOUCHED_BALL, 2)
    assert record_of(FakeEvent(0.0, "stick_touch", 0, "head")).sightings == ()


def test_the_ball_under_the_stick():
    """Where the engine only says that the stick touches, the ball under it is found."""
    layout = layout_of(b0=(0.6, 1.0), b1=(0.6, 0.7), b2=(0.67, 0.5), b10=(0.9, 2.0))
    stroke, stick = Stroke(2.0, math.pi / 2), Stick()
    assert balls_touched(layout, stroke, stick, 0.05) == (1,)
    assert balls_touched(layout, stroke, stick, 0.30) == ()
    assert balls_touched(layout, Stroke(2.0, -math.pi / 2), stick, 0.0) == ()


def test_out_of_the_pocket_and_off_the_rail_top():
    """A ball that comes back out was not pocketed; one that runs along the rail top comes back."""
    record = record_of(
        FakeEvent(1.0, "pocket_edge", 1, "side_left"),
        FakeEvent(1.1, "liner", 1, "side_left"),
        FakeEvent(1.3, "pocket_exit", 1, "side_left"),
        FakeEvent(1.5, "rail_top", 2, None, (1.3, 0.8, 0.07)),
        FakeEvent(1.6, "rail_top", 2, None, (1.3, 0.9, 0.07)),
        FakeEvent(1.7, "bed", 2),
        FakeEvent(1.8, "rail_top", 10, None, (0.6, 2.6, 0.07)),
        FakeEvent(1.9, "off_table", 10),
    )
    assert record.sightings == (
        rules.enters_pocket(1, "side_left"),
        rules.leaves_pocket(1, "side_left"),
        rules.rail_top(2, "right_head"),
        rules.off_table(10),
    )


def test_ball_supported_over_a_pocket():
    """A ball over a pocket, held only by another, is seen to be so (8.3)."""
    hole = TABLE.geometry.pockets[2]
    over = (hole.centre[0] + hole.radius - 0.004, hole.centre[1])
    start = layout_of(b0=(0.5, 0.5), b1=(0.5, 1.0), b4=(0.8, 1.5), b10=(0.9, 2.0))
    final = Layout.unchecked(
        TABLE,
        {0: (0.5, 0.5, R), 1: (*over, R), 4: (over[0] + 2 * R, over[1], R), 10: (0.9, 2.0, R)},
        R,
    )
    record = record_of(FakeEvent(0.5, "ball_ball", 0, 1), layout=start, final=final)
    assert record.sightings[-1] == rules.supported_over_pocket(1, "side_left", 4)


def test_past_the_head_string():
    """Object balls that cross the head string are noted when asked, once each."""
    line = TABLE.head_string
    path = [(0.0, 0.5, 1.0), (1.0, 0.5, line - 0.1), (2.0, 0.5, line + 0.1), (3.0, 0.5, 0.2)]
    record = record_of(FakeEvent(0.1, "ball_ball", 0, 1), paths={1: path}, head_string=True)
    assert record.sightings == (rules.cue_contact(1), rules.past_head_string(1))
    assert record_of(FakeEvent(0.1, "ball_ball", 0, 1), paths={1: path}).sightings == (
        rules.cue_contact(1),
    )
