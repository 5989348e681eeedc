"""A ball on the cloth: its phases against Coriolis, orientation, and motion between events."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from sim.shot.validation.play import R, first, one_ball

G = 9.81
slow = st.floats(-1.2, 1.2).filter(lambda x: x == 0.0 or abs(x) > 1e-6)
spin = st.floats(-60.0, 60.0).filter(lambda x: x == 0.0 or abs(x) > 1e-6)
friction = st.sampled_from([0.1, 0.2, 0.4])


def slide(vx, vy, wx, wy, wz, mu):
    """A ball in the middle of a long table, and its first event."""
    materials = sim.Materials(mu_slide=mu)
    return one_ball((vx, vy, 0.0), (wx, wy, wz), at=(1.5, 3.0), materials=materials)


@given(slow, slow, spin, spin, spin, friction)
def test_slip_ends_at_coriolis_velocity_whatever_the_friction(vx, vy, wx, wy, wz, mu):
    """Coriolis 1835: (5/7) v - (2/7) R z x w; the slip shrinks at 7/2 mu g."""
    slip = math.hypot(vx - R * wy, vy + R * wx)
    result = slide(vx, vy, wx, wy, wz, mu)
    if slip <= 1e-9:
        return
    end = first(result, "slide_to_roll")
    final = np.array([5 / 7 * vx + 2 / 7 * R * wy, 5 / 7 * vy - 2 / 7 * R * wx])
    if np.hypot(*final) < 1e-9:
        return
    velocity, turning = end.after[1]
    assert velocity[:2] == pytest.approx(final, abs=1e-12)
    assert end.t == pytest.approx(2 * slip / (7 * mu * G), rel=1e-12)
    assert turning[:2] == pytest.approx((-velocity[1] / R, velocity[0] / R), rel=1e-12)


@given(slow, slow, spin, spin, friction)
def test_sliding_path_is_a_parabola(vx, vy, wx, wy, mu):
    """Friction points against the slip, whose direction never changes: x'' = -mu g u/|u|."""
    ux, uy = vx - R * wy, vy + R * wx
    size = math.hypot(ux, uy)
    if size < 1e-3:
        return
    result = slide(vx, vy, wx, wy, 0.0, mu)
    t = 2 * size / (7 * mu * G) * np.array([0.25, 0.5, 1.0])
    places = result.states(t)[:, 0, :2]
    v, u = np.array([vx, vy]), np.array([ux, uy]) / size
    asked = np.array([1.5, 3.0]) + v * t[:, None] - mu * G / 2 * u * (t**2)[:, None]
    np.testing.assert_allclose(places, asked, atol=1e-12)


@pytest.mark.parametrize("mu_roll", [0.005, 0.01, 0.015])
def test_rolling_stops_after_v_squared_over_two_mu_g(mu_roll):
    v = 0.4
    materials = sim.Materials(mu_roll=mu_roll)
    result = one_ball((v, 0.0, 0.0), (0.0, v / R, 0.0), at=(0.5, 3.0), materials=materials)
    stopped = result.events[-1]
    assert stopped.kind == "roll_to_rest"
    assert result.duration == pytest.approx(v / (mu_roll * G))
    assert stopped.position[0] - 0.5 == pytest.approx(v * v / (2 * mu_roll * G))


def test_side_spin_dies_at_ten_radians_a_second_and_moves_nothing():
    result = one_ball((0.0, 0.0, 0.0), (0.0, 0.0, -35.0))
    assert [e.kind for e in result.events] == ["spin_to_rest"]
    assert result.duration == pytest.approx(3.5)
    assert tuple(result.final[1][:2]) == (1.5, 1.0)
    assert result.states([1.0])[0, 0, 12] == pytest.approx(-25.0)


def test_spin_outlives_the_roll():
    result = one_ball((0.1, 0.0, 0.0), (0.0, 0.1 / R, 60.0))
    assert [e.kind for e in result.events] == ["roll_to_spin", "spin_to_rest"]
    assert [e.t for e in result.events] == pytest.approx([0.1 / (0.01 * G), 6.0])


def test_in_flight_spin_is_constant_and_the_path_a_parabola():
    v, w = (0.5, 1.0, 2.0), (30.0, -20.0, 10.0)
    result = one_ball(v, w)
    up = 2 * v[2] / G
    bounce = first(result, "bed")
    assert bounce.t == pytest.approx(up)
    assert bounce.before[1][1] == w
    t = up / 2
    x, y, z = result.states([t])[0, 0, :3]
    assert (x, y, z) == pytest.approx((1.5 + v[0] * t, 1.0 + v[1] * t, R + v[2] ** 2 / (2 * G)))


def test_a_ladder_of_bounces_survives_and_ends():
    """0.5 m/s up: 0.30, 0.18, 0.108, 0.0648 m/s, then 0.039 is under 0.06 and lands."""
    result = one_ball((0.0, 0.0, 0.5), at=(1.5, 1.0, R))
    ups = [e.after[1][0][2] for e in result.events]
    assert [e.kind for e in result.events[:5]] == ["bed"] * 4 + ["land"]
    assert ups[:5] == pytest.approx([0.5 * 0.6**n for n in range(1, 5)] + [0.0])


def test_rolling_turns_the_ball_by_its_way_over_its_radius():
    v = 0.5
    result = one_ball((0.0, v, 0.0), (-v / R, 0.0, 0.0))
    for t in (0.3, 1.0, 3.0):
        row = result.states([t])[0, 0]
        turned = (row[1] - 1.0) / R
        quaternion = np.array([math.cos(turned / 2), -math.sin(turned / 2), 0.0, 0.0])
        assert abs(float(quaternion @ row[3:7])) == pytest.approx(1.0, abs=1e-12)


def test_orientation_is_exact_to_a_microradian_where_the_axis_turns():
    """Against small steps of the spin itself, for a slide with side spin."""
    result = one_ball((0.3, 1.0, 0.0), (40.0, 25.0, 50.0))
    end = 1.0
    n = 20_000
    times = (np.arange(n) + 0.5) * end / n
    spins = result.states(times)[:, 0, 10:13]
    q = np.array([1.0, 0.0, 0.0, 0.0])
    for w in spins:
        angle = float(np.linalg.norm(w)) * end / n
        axis = w / np.linalg.norm(w) * math.sin(angle / 2)
        c = math.cos(angle / 2)
        scalar = c * q[0] - axis @ q[1:]
        q[1:] = c * q[1:] + axis * q[0] + np.cross(axis, q[1:])
        q[0] = scalar
    got = result.states([end])[0, 0, 3:7]
    difference = 2 * math.acos(min(1.0, abs(float(q @ got))))
    vector = np.linalg.norm(q - math.copysign(1.0, q @ got) * got) * 2
    assert min(difference, vector) < 1e-6
