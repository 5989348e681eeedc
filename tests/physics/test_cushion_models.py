"""The cushion's impact: an independent integrator, and what any model must keep.

The published rows are in the validation table.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from cushion_drivers import impact, impacts, impacts_above_bed, law, moving, nose, params
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from sim.physics.contact.cushion import CUSHION_MODELS, REST_SPEED

Vector = NDArray[np.float64]
Z = np.array([0.0, 0.0, 1.0])
DEFAULT = CUSHION_MODELS[0]
SPEEDS = np.array([0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5])


def energy(motion: Vector) -> float:
    """Kinetic energy over m/2 of (v, R w)."""
    return float(motion[:3] @ motion[:3] + 0.4 * motion[3:] @ motion[3:])


def test_default_is_the_model_closest_to_the_measured_rebounds() -> None:
    """Rolling and square, pool's nose, against the fit of Mathavan, Jackson and Parkin (2009)."""
    asked = -0.0877 * SPEEDS**2 + 1.131 * SPEEDS - 0.0953
    misses = {}
    for model in CUSHION_MODELS:
        got = [-impact(moving(v), nose(), params(model))[1] for v in SPEEDS]
        misses[model] = np.abs(got / asked - 1).max()
    assert min(misses, key=lambda model: misses[model]) == DEFAULT
    assert misses[DEFAULT] < 5e-4


# --- an independent integrator -------------------------------------------------------------------


def plain_impact(
    motion: Vector, n: Vector, e: float, mu: float, mu_bed: float
) -> tuple[Vector, float]:
    """The impulse equations in world axes, friction smoothed over 1e-7 of the approach speed.

    Returns the motion afterwards and the approach speed. Work done by the nose in restitution is
    e^2 of what it took in compression; the bed pushes to keep v_z = 0 and never pulls.
    """
    approach = -float(n @ motion[:3])
    nx, ny, nz = map(float, n)

    def rates(_: float, y: Any) -> list[float]:
        vx, vy, vz, wx, wy, wz = map(float, y[:6])
        vn = vx * nx + vy * ny + vz * nz
        sx = vx - wy * nz + wz * ny - vn * nx
        sy = vy - wz * nx + wx * nz - vn * ny
        sz = vz - wx * ny + wy * nx - vn * nz
        f = -mu / math.sqrt(sx * sx + sy * sy + sz * sz + 1e-14)
        fx, fy, fz = f * sx, f * sy, f * sz
        push = max(0.0, -nz - fz) if vz < 1e-9 else 0.0
        kx, ky = vx - wy, vy + wx
        g = -mu_bed * push / math.sqrt(kx * kx + ky * ky + 1e-14)
        gx, gy = g * kx, g * ky
        return [
            nx + fx + gx,
            ny + fy + gy,
            nz + fz + push,
            -2.5 * (ny * fz - nz * fy - gy),
            -2.5 * (nz * fx - nx * fz + gx),
            -2.5 * (nx * fy - ny * fx),
            vn,
        ]

    def slopes(_: float, y: Any) -> Vector:
        here, step = np.array(rates(0, y)), 1e-10
        columns = [(np.array(rates(0, y + step * row)) - here) / step for row in np.eye(7)]
        return np.stack(columns, axis=1)

    def until(start: Vector, event: Any) -> Vector:
        event.terminal = True
        event.direction = 1
        run = solve_ivp(
            rates, (0, 8), start, "Radau", jac=slopes, events=event, rtol=1e-8, atol=1e-10
        )
        return run.y[:, -1]

    start = np.concatenate([motion / approach, [0.0]])
    turned = until(start, lambda _, y: y[:3] @ n)
    target = (1 - e * e) * turned[6]
    end = until(turned, lambda _, y: y[6] - target)
    return end[:6] * approach, approach


def scenes(count: int, seed: int) -> list[tuple[Vector, Vector]]:
    """Motions of a ball on the bed and normals of the nose they meet."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        azimuth, angle = rng.uniform(0, math.tau), rng.uniform(0.2, math.pi - 0.2)
        ball = moving(rng.uniform(0.3, 6), angle, rng.choice([1.0, 1.0, 0.0, -1.0, 1.7]))
        ball[3:] += rng.normal(0, 0.3, 3) * np.linalg.norm(ball[:3]) * [1, 1, 2]
        c, s = math.cos(azimuth + math.pi / 2), math.sin(azimuth + math.pi / 2)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        moved = np.concatenate([turn @ ball[:3], turn @ ball[3:]])
        result.append((moved, nose(rng.uniform(0.6, 0.72), azimuth)))
    return result


@pytest.mark.parametrize(("e", "mu", "mu_bed"), [(0.9, 0.14, 0.2), (1.0, 0.2, 0.35), (0.6, 0.1, 0)])
def test_agrees_with_an_independent_integrator(e: float, mu: float, mu_bed: float) -> None:
    misses = []
    for motion, n in scenes(8, 5):
        expected, approach = plain_impact(motion, n, e, mu, mu_bed)
        got = impact(motion, n, params("mathavan2010", e=e, mu=mu, mu_bed=mu_bed))
        misses.append(np.abs(got - expected).max() / approach)
    assert np.median(misses) < 5e-6
    assert max(misses) < 5e-5


def test_a_rough_nose_lifts_the_ball_as_the_integrator_says() -> None:
    for top, lifts in ((1.5, False), (6.0, True)):
        motion = moving(2.0, 1.2, top)
        expected, _ = plain_impact(motion, nose(), 0.9, 0.6, 0.2)
        got = impact(motion, nose(), params("mathavan2010", e=0.9, mu=0.6))
        assert (got[2] > 0.1) == lifts
        np.testing.assert_allclose(got, expected, atol=2e-4)


# --- what any model keeps ------------------------------------------------------------------------

speeds = st.floats(-10, 10)
motions = st.tuples(*[speeds] * 6).map(np.array)
frictions = st.one_of(st.just(0.0), st.floats(0, 2))
restitutions = st.one_of(st.just(-1.0), st.just(0.0), st.just(1.0), st.floats(0, 1))
azimuths = st.one_of(st.sampled_from([0, math.pi / 2, -math.pi / 2]), st.floats(-3.2, 3.2))
models = st.sampled_from(CUSHION_MODELS)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(motions, azimuths, st.floats(-0.98, 0.98), models, restitutions, frictions, frictions)
@example(np.array([0, 1, 0, 0, 0, 0.0]), -math.pi / 2, 0.0, DEFAULT, 1.0, 0.0, 0.0)
@example(np.array([0, 1, 0, 0, -0.27, 0.0]), -math.pi / 2, -0.27, DEFAULT, 1.0, 2.0, 2.0)
@example(np.array([3, 1e-9, 0, 0, 0, 9.0]), -math.pi / 2, -0.27, DEFAULT, 1.0, 2.0, 2.0)
def test_energy_never_rises_and_the_ball_leaves(
    motion: Vector, azimuth: float, up: float, model: str, e: float, mu: float, mu_bed: float
) -> None:
    n = nose((1 - up) / 2, azimuth)
    p = params(model, e=e, mu=mu, mu_bed=mu_bed)
    for on_bed in (True, False):
        before = motion.copy()
        if on_bed:
            before[2] = 0.0
        after = impact(before, n, p, on_bed)
        assert np.isfinite(after).all()
        assert energy(after) <= energy(before) * (1 + 1e-12)
        if n[0] * before[0] + n[1] * before[1] + n[2] * before[2] < 0:
            assert n[0] * after[0] + n[1] * after[1] + n[2] * after[2] >= 0.0
        else:
            np.testing.assert_array_equal(after[:3], before[:3])
        if on_bed:
            assert after[2] >= 0.0
            if model != "han2005" and up < -mu * math.sqrt(1 - up * up):  # friction cannot lift it
                assert after[2] == 0.0


@settings(max_examples=150, deadline=None, derandomize=True)
@given(motions, st.floats(-3.2, 3.2), st.floats(-0.5, 0.5), models, frictions, st.booleans())
def test_a_mirrored_impact_is_the_mirror_of_the_impact(
    motion: Vector, azimuth: float, up: float, model: str, mu: float, on_bed: bool
) -> None:
    if on_bed:
        motion[2] = 0.0
    n = nose((1 - up) / 2, azimuth)
    p = params(model, mu=mu)
    # Spin is an axial vector: across the plane x = 0 its y and z turn round.
    flip = np.array([-1, 1, 1, 1, -1, -1.0])
    straight = impact(motion, n, p, on_bed)
    mirrored = impact(motion * flip, n * flip[:3], p, on_bed)
    np.testing.assert_allclose(mirrored * flip, straight, rtol=0, atol=1e-12)
    swap = [1, 0, 2, 4, 3, 5]
    sign = np.array([1, 1, 1, -1, -1, -1.0])
    swapped = impact(motion[swap] * sign, n[[1, 0, 2]], p, on_bed)
    np.testing.assert_allclose(swapped[swap] * sign, straight, rtol=0, atol=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(motions, azimuths, st.floats(-0.5, 0.5), frictions, st.booleans())
def test_impulses_stay_in_their_friction_cones(
    motion: Vector, azimuth: float, up: float, mu: float, on_bed: bool
) -> None:
    if on_bed:
        motion[2] = 0.0
    n = nose((1 - up) / 2, azimuth)
    after = impact(motion, n, params(DEFAULT, e=0.8, mu=mu), on_bed)
    push, turn = after[:3] - motion[:3], after[3:] - motion[3:]
    # turn = 2.5 (-n x nose - z x bed) with nose + bed = push; in the air the bed gives nothing.
    if not on_bed:
        np.testing.assert_allclose(turn, 2.5 * np.cross(-n, push), atol=1e-9)
        along = push @ n
        assert np.linalg.norm(push - along * n) <= mu * along + 1e-9
    else:
        lever = -Z - -n
        # -n x push + (n - z) x bed: no turn about the line through both points of contact.
        assert (turn - 2.5 * np.cross(-n, push)) @ lever == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("model", CUSHION_MODELS)
@pytest.mark.parametrize("on_bed", [True, False])
def test_a_press_has_no_rebound(model: str, on_bed: bool) -> None:
    for azimuth in (-math.pi / 2, 0.0, math.pi):
        n = nose(0.635, azimuth)
        motion = np.concatenate([-0.9 * REST_SPEED * np.round(n * [1, 1, 0]), [0, 0, 0.1]])
        after = impact(motion, n, params(model), on_bed)
        left = n[0] * after[0] + n[1] * after[1] + n[2] * after[2]
        assert 0.0 <= left < 1e-18
    level = np.array([0.0, -1.0, 0.0])
    after = impact(moving(0.9 * REST_SPEED), level, params(model), on_bed)
    assert after[1] == 0.0


@pytest.mark.parametrize("model", CUSHION_MODELS)
def test_a_given_restitution_replaces_the_law(model: str) -> None:
    for v in (0.1, 2.0, 9.0):
        after = impact(moving(v, top=0.0), (0.0, -1.0, 0.0), params(model, e=0.5), on_bed=False)
        assert after[1] == pytest.approx(-0.5 * v, rel=1e-12)


def test_without_friction_only_the_speed_across_changes() -> None:
    motion = moving(3.0, 0.7, 1.3, 0.8)
    for e in (0.0, 0.4, 1.0):
        after = impact(motion, nose(), params(e=e, mu=0.0, mu_bed=0.0))
        expected = motion * [1, -e, 1, 1, 1, 1]
        np.testing.assert_allclose(after, expected, rtol=1e-12, atol=1e-12)


def test_running_english_widens_and_reverse_narrows() -> None:
    """Sidespin that rolls along the cushion carries the ball further along it."""
    angles = []
    for side in (-1.0, 0.0, 1.0):
        after = impact(moving(2.0, math.radians(45), 1.0, side), nose(), params())
        angles.append(math.degrees(math.atan2(-after[1], after[0])))
    assert angles[0] > angles[1] + 1
    assert angles[1] > angles[2] + 5


# --- continuity of the default -------------------------------------------------------------------


def biggest_jump(rows: Vector) -> float:
    """Largest change of any component between neighbours, beyond its smooth neighbours'."""
    return float(np.abs(np.diff(rows, axis=0)).max())


@pytest.mark.parametrize("top", [1.0, 0.0, -1.0])
@pytest.mark.parametrize("side", [0.0, 0.4])
def test_default_is_continuous_in_angle(top: float, side: float) -> None:
    angles = np.linspace(0.02, math.pi - 0.02, 20001)
    rows = np.array([moving(2.0, a, top, side) for a in angles])
    after = impacts(rows, np.broadcast_to(nose(), (len(rows), 3)), params())
    # Two metres a second over a step of 1.55e-4 rad, and the steps of the integrator.
    assert biggest_jump(after) < 1.5e-3


def test_default_is_continuous_in_speed() -> None:
    speeds = np.concatenate([np.linspace(1e-4, 0.05, 5001), np.linspace(0.05, 8, 20001)])
    rows = np.array([moving(v, 1.1, 0.6, 0.2) for v in speeds])
    after = impacts(rows, np.broadcast_to(nose(), (len(rows), 3)), params())
    assert biggest_jump(after[:5001]) < 5e-5
    assert biggest_jump(after[5001:]) < 1.5e-3


def test_default_is_continuous_in_the_normal() -> None:
    ups = np.linspace(-0.6, 0.6, 12001)
    c = np.sqrt(1 - ups * ups)
    normals = np.stack([0 * c, -c, ups], axis=1)
    rows = np.broadcast_to(moving(2.0, 1.2, 0.7, 0.3), (len(ups), 6))
    for on_bed in (True, False):
        assert biggest_jump(impacts(rows, normals, params(), on_bed)) < 1.5e-3


@pytest.mark.parametrize("model", CUSHION_MODELS)
def test_default_is_continuous_in_the_height_above_the_bed(model: str) -> None:
    """A ball 0.1 um above the bed once left a nose 8 % slower than one on it, and dived at 0.7 m/s."""
    heights = np.concatenate([[0.0], np.geomspace(1e-10, 5e-3, 4001)])
    motion = moving(3.0, 1.2, 0.8, 0.3)
    after = impacts_above_bed(motion, nose(), heights, params(model))
    assert np.abs(after[1] - after[0]).max() < 1e-6
    assert biggest_jump(after) < 1e-2
    free = impact(motion, nose(), params(model), on_bed=False)
    assert np.array_equal(after[-1], free)
    assert np.abs(after[0] - free).max() > 0.1
    before = energy(motion)
    assert all(energy(row) <= before for row in after)


def test_a_hop_inside_the_impact_ends_on_the_bed() -> None:
    """Friction at the nose lifts the ball and it comes down again before the nose lets go.

    What rounding left of the height once stopped the integration at one normal in ten thousand.
    """
    ups = np.linspace(-0.14, -0.12, 20001)
    c = np.sqrt(1 - ups * ups)
    rows = np.broadcast_to(moving(2.0, 1.2, 0.7, 0.3), (len(ups), 6))
    after = impacts(rows, np.stack([0 * c, -c, ups], axis=1), params())
    assert biggest_jump(after) < 5e-4
    assert (after[:, 2] == 0.0).any()


def test_the_law_is_continuous_and_clamped() -> None:
    v = np.linspace(0, 6, 60001)
    e = np.array([law(DEFAULT, float(x)) for x in v])
    slow = v < 2 * REST_SPEED
    assert np.abs(np.diff(e[slow])).max() < 0.02
    assert np.abs(np.diff(e[~slow])).max() < 3e-4
    assert (e[v <= REST_SPEED] == 0).all()
    assert np.ptp(e[(v > 2 * REST_SPEED) & (v < 0.269)]) == 0
    assert np.ptp(e[v > 3.38]) == 0
    assert 0 <= e.min() <= e.max() < 1
