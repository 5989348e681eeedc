"""Where spotted balls and the cue ball in hand go."""

from __future__ import annotations

import math

import numpy as np
import pytest
from game_fakes import TABLE, layout_of
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.spotting import CUE_BALL_GAP_M
from sim.game import can_place, default_cue_place, placement, spot
from sim.model import Layout, LayoutError, rack

R = 0.028575
FOOT = TABLE.foot_spot
ANYWHERE = rules.CueBall.IN_HAND_ANYWHERE
BEHIND = rules.CueBall.IN_HAND_BEHIND_HEAD_STRING


def state_with(balls, cue_ball=rules.CueBall.POSITION):
    return rules.RackState(rules.WPA_2009, "A", "B", 4, frozenset(balls), cue_ball)


def test_the_ten_goes_on_the_foot_spot():
    """1.4: on the spot when it is free; nothing else moves."""
    layout = layout_of(b0=(0.3, 0.3), b4=(0.9, 2.0))
    after = placement(state_with({4, 10}), layout)
    assert tuple(after[10][:2]) == FOOT
    assert np.array_equal(after[4], layout[4])
    assert np.array_equal(after[0], layout[0])


def test_a_spotted_ball_touches_an_object_ball_but_not_the_cue_ball():
    """1.4: frozen to the object ball in the way, a small visible gap to the cue ball."""
    object_ball = spot(layout_of(b0=(0.3, 0.3), b4=FOOT), 10)
    assert math.dist(object_ball[10], object_ball[4]) == pytest.approx(2 * R, abs=1e-9)
    assert object_ball[10][1] > FOOT[1]
    cue_ball = spot(layout_of(b0=FOOT, b4=(0.3, 0.3)), 10)
    assert math.dist(cue_ball[10], cue_ball[0]) == pytest.approx(2 * R + CUE_BALL_GAP_M, abs=1e-9)


def test_a_cue_ball_in_hand_does_not_interfere():
    """1.4: the ten goes on the spot where the cue ball in hand had stopped."""
    after = placement(state_with({4, 10}, ANYWHERE), layout_of(b0=FOOT, b4=(0.9, 2.2)))
    assert tuple(after[10][:2]) == FOOT
    assert can_place(after, after[0][:2], ANYWHERE) is None


def test_a_ruling_spots_a_ten_that_still_lies_over_a_pocket():
    """A ten held over a pocket is pocketed; the ruling spots it, so it leaves the mouth."""
    hole = TABLE.geometry.pockets[2].centre
    held = Layout.unchecked(
        TABLE, {0: (0.5, 0.5, R), 4: (0.9, 0.9, R), 10: (hole[0] + 0.03, hole[1], R)}, R
    )
    record = rules.ShotRecord(
        (rules.cue_contact(4), rules.supported_over_pocket(10, "side_left", 4))
    )
    ruling = rules.adjudicate(state_with({4, 10}), rules.no_call(), record)
    assert ruling.spotted == (10,)
    assert tuple(placement(ruling, held)[10][:2]) == FOOT


def test_no_cue_ball_in_position_is_refused():
    """A cue ball that is to be played from where it lies must lie there."""
    with pytest.raises(LayoutError, match="cue ball"):
        placement(state_with({4, 10}), layout_of(b4=(0.5, 0.5), b10=(0.9, 2.0)))


@pytest.mark.parametrize(
    ("xy", "zone", "words"),
    [
        ((0.5, TABLE.head_string), BEHIND, "behind the head string"),
        ((0.5, 1.5), rules.CueBall.POSITION, "not in hand"),
        ((0.0, 0.5), ANYWHERE, "nose"),
        ((-0.01, -0.01), ANYWHERE, "pocket"),
        ((0.9, 2.01), ANYWHERE, "overlap the 4"),
        ((5.0, 0.5), ANYWHERE, "off the table"),
        ((math.nan, 0.5), ANYWHERE, "finite"),
    ],
)
def test_why_the_cue_ball_may_not_be_placed(xy, zone, words):
    """Each refusal is one line that says why."""
    reason = can_place(layout_of(b4=(0.9, 2.0)), xy, zone)
    assert reason is not None
    assert words in reason
    assert "\n" not in reason


def test_just_behind_the_head_string_is_fine():
    """1.5: the centre strictly behind the line."""
    layout = layout_of(b4=(0.9, 2.0))
    assert can_place(layout, (0.5, math.nextafter(TABLE.head_string, 0)), BEHIND) is None


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), zone=st.sampled_from([ANYWHERE, BEHIND]))
def test_default_place_is_always_legal_and_free(seed, zone):
    """Ten balls anywhere: the default place is legal and leaves a gap."""
    rng = np.random.default_rng(seed)
    layout = Layout(TABLE, {0: (0.635, 0.5)})
    ball = 1
    while ball <= 10:
        xy = rng.uniform((0.03, 0.03), (1.24, 1.2 if seed % 2 else 2.5))
        if can_place(layout, xy, None, ball) is None:
            layout = layout.with_({ball: xy})
            ball += 1
    place = default_cue_place(layout, zone)
    assert can_place(layout, place, zone) is None
    assert min(math.dist(place, layout[b][:2]) for b in range(1, 11)) > 2 * R


@settings(max_examples=60, deadline=None)
@given(count=st.integers(0, 9), seed=st.integers(0, 1000))
def test_spotting_with_a_blocked_long_string(count, seed):
    """However many balls lie on the long string, the spotted ball fits there."""
    rng = np.random.default_rng(seed)
    layout = Layout(TABLE, {0: (0.2, 0.2)})
    for ball in range(1, count + 1):
        for _ in range(50):
            xy = (FOOT[0] + rng.normal(0, 0.01), rng.uniform(FOOT[1] - 0.2, 2.5))
            if can_place(layout, xy, None, ball) is None:
                layout = layout.with_({ball: xy})
                break
    after = spot(layout, 10)
    assert after[10][0] == pytest.approx(FOOT[0], abs=2e-6)
    gaps = [math.dist(after[10], after[b]) for b in after.balls if b != 10]
    assert min(gaps) >= 2 * R - 1e-12


def test_the_break_is_left_as_racked():
    """A fresh rack only gets a legal cue ball behind the head string."""
    layout = rack(TABLE, seed=3)
    after = placement(rules.new_rack(rules.LBM), layout)
    assert can_place(after, after[0][:2], BEHIND) is None
    assert all(np.array_equal(after[b], layout[b]) for b in range(1, 11))
