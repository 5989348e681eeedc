"""The stick: energy and momentum, spin, squirt, the friction cone, the bed's answer, clearance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from sim.shot.validation.play import R, after_cue, first

M = sim.Materials.ball_mass
TABLE = sim.Table.wpa_9ft()
UP = math.pi / 2


@given(st.floats(0.1, 10.0), st.floats(-0.5, 0.5), st.floats(0.2, 1.0))
def test_elastic_tip_loses_no_energy_and_no_momentum(speed, offset, mass):
    """TP A.30: with e = 1 ball and stick keep their kinetic energy, spin included.

    That fixes (1 + e) V / (1 + m/M + 5/2 x^2); with 1 + (m/M)(1 + 5/2 x^2) below, as also printed,
    energy would rise off centre.
    """
    stick = sim.Stick(mass=mass, e_tip=1.0)
    v, w = after_cue(stick, speed, vertical=offset)
    stick_after = speed - M / mass * v[1]
    before = mass * speed**2
    after = M * v @ v + 0.4 * M * R**2 * w @ w + mass * stick_after**2
    assert after == pytest.approx(before, rel=1e-12)
    printed = 2 * speed / (1 + M / mass * (1 + 2.5 * offset**2))
    if abs(offset) > 0.2:
        gained = M * printed**2 * (1 + 2.5 * offset**2) + mass * (speed - M / mass * printed) ** 2
        assert gained > before * 1.01


@given(st.floats(0.0, 0.5), st.floats(0.0, math.tau), st.floats(0.2, 0.9))
def test_spin_is_five_halves_offset_times_speed(offset, direction, e):
    """R w = 5/2 v (q x d), q the tip's place in radii: right english turns left."""
    side, vertical = offset * math.cos(direction), offset * math.sin(direction)
    v, w = after_cue(sim.Stick(e_tip=e), 2.0, side, vertical)
    speed = math.hypot(v[0], v[1])
    assert w[0] * R / speed == pytest.approx(-2.5 * vertical, abs=1e-12)
    assert w[2] * R / speed == pytest.approx(2.5 * side, abs=1e-12)
    assert v[0] * side <= 1e-15  # squirt: away from the side that is struck


def test_beyond_the_cone_the_impulse_leans_by_the_friction_angle():
    """A tip that slides pushes at atan(mu) from the normal, whatever the offset."""
    cone = math.atan(0.6)
    for offset in (0.55, 0.7, 0.9, 0.99):
        v, w = after_cue(sim.Stick(), 2.0, side=offset)
        lean = math.atan2(-v[0], v[1])
        assert math.asin(offset) - lean == pytest.approx(cone)
        assert w[2] * R / np.hypot(v[0], v[1]) == pytest.approx(2.5 * math.sin(cone))


def test_offset_of_a_radius_is_refused():
    with pytest.raises(sim.model.errors.StrokeError, match="expected less than 1"):
        sim.Stroke(2.0, 0.0, side=0.8, vertical=0.6)


@pytest.mark.parametrize("degrees", [5.0, 20.0, 45.0, 70.0, 90.0])
def test_the_bed_answers_an_elevated_stroke_in_the_same_event(degrees):
    """Down into the bed at v sin(elevation), up at e times that; friction shares one impulse."""
    elevation = math.radians(degrees)
    layout = sim.Layout(TABLE, {0: (0.635, 1.6)})
    stroke = sim.Stroke(2.0, UP, elevation=elevation)
    (_, vy, vz), (wx, _, _) = first(sim.simulate(layout, stroke), "cue_strike").after[0]
    v = 1.73 * 2.0 / (1 + M / 0.539)
    down, along = v * math.sin(elevation), v * math.cos(elevation)
    up = 0.6 * down
    if up < 0.06:
        up = 0.0
    assert vz == pytest.approx(up)
    rub = min(0.2 * (down + up), 2 / 7 * along)
    assert vy == pytest.approx(along - rub, abs=1e-12)
    assert wx == pytest.approx(-2.5 / R * rub, abs=1e-10)


def test_least_elevation_over_a_cushion_rises_towards_it():
    needed = []
    for y in (1.5, 1.0, 0.5, 0.1, TABLE.nose_contact(R)):
        layout = sim.Layout(TABLE, {0: (0.635, y)})
        result = sim.simulate(layout, sim.Stroke(1.0, UP))
        assert result.elevation is not None
        needed.append(result.elevation)
    assert needed[0] == 0.0  # the stick ends before the cushion
    assert needed == sorted(needed)
    assert needed[-1] > math.radians(10)


def test_a_ball_behind_must_be_cleared_or_is_touched():
    layout = sim.Layout(TABLE, {0: (0.635, 1.6), 1: (0.635, 1.6 - 0.1)})
    with pytest.raises(sim.model.errors.StrokeError, match="touches a cushion or ball"):
        sim.simulate(layout, sim.Stroke(1.0, UP, elevation=0.05))
    least = sim.simulate(layout, sim.Stroke(1.0, UP)).elevation
    assert least is not None
    result = sim.simulate(layout, sim.Stroke(1.0, UP, elevation=least - 0.02), clearance="event")
    assert result.events[0].kind == "stick_touch"
    clear = sim.simulate(layout, sim.Stroke(1.0, UP, elevation=least + 1e-6))
    assert clear.events[0].kind == "cue_strike"


def test_a_frozen_ball_ahead_is_pushed():
    """The tip is still on the cue ball when that meets a frozen ball: a push, in that order."""
    layout = sim.Layout(TABLE, {0: (0.635, 1.2), 1: (0.635, 1.2 + 2 * R)})
    result = sim.simulate(layout, sim.Stroke(1.0, UP))
    kinds = [e.kind for e in result.events]
    assert kinds.index("cue_strike") < kinds.index("push") <= kinds.index("ball_ball")


def test_a_clear_table_sees_one_tip_contact():
    layout = sim.Layout(TABLE, {0: (0.635, 1.2)})
    for speed in (0.5, 2.0, 8.0):
        for vertical in (-0.4, 0.0, 0.4):
            result = sim.simulate(layout, sim.Stroke(speed, UP, 0.0, vertical))
            assert [e.kind for e in result.events].count("tip_again") == 0


def test_light_and_heavy_sticks():
    """The same stroke: a light stick gives less speed, a hard tip more."""
    speeds = {}
    for name, stick in (
        ("playing", sim.model.PLAYING_STICK),
        ("jump", sim.model.JUMP_STICK),
        ("break", sim.model.BREAK_STICK),
    ):
        v, _ = after_cue(stick, 3.0)
        speeds[name] = v[1]
    assert speeds["jump"] < speeds["playing"] < speeds["break"]
