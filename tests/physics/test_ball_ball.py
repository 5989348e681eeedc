"""Two balls meet: conservation laws, restitution, friction."""

from __future__ import annotations

import numpy as np
import pytest
from collision_drivers import (
    MOTION,
    SPIN,
    VELOCITY,
    R,
    approach,
    energy,
    impact,
    pair,
    params,
    vectors,
)
from hypothesis import given
from hypothesis import strategies as st

from sim.model import Materials

component = st.floats(-10.0, 10.0).filter(lambda x: x == 0.0 or abs(x) > 1e-9)
vector = st.tuples(component, component, component)
direction = vector.filter(lambda n: float(np.hypot(np.hypot(*n[:2]), n[2])) > 0.1)
restitution = st.sampled_from([0.0, 0.3, 0.89, 0.95, 1.0])
friction = st.sampled_from([None, 0.0, 0.05, 2.0])


def scene(n, v, w):
    """Two touching balls along n; velocities m/s, surface speeds of spin m/s."""
    balls = pair(n)
    for k in range(2):
        for c in range(3):
            balls[VELOCITY[c]][k] = v[k][c]
            balls[SPIN[c]][k] = w[k][c] / R
    return balls


def materials(e, mu):
    return Materials(e_ball=e) if mu is None else Materials(e_ball=e, mu_ball=mu)


@given(direction, vector, vector, vector, vector, restitution, friction)
def test_laws_of_an_impact(n, va, vb, wa, wb, e, mu):
    before = scene(n, (va, vb), (wa, wb))
    after = impact(before, params(materials(e, mu)))
    size = 1.0 + np.abs(vectors(before)).max() + R * np.abs(vectors(before, SPIN)).max()
    assert np.isfinite(vectors(after, MOTION)).all()
    closing = approach(before, 0, 1)
    if closing <= 0.0:
        assert (vectors(after, MOTION) == vectors(before, MOTION)).all()
        return
    # Momentum, and angular momentum about the point of contact.
    np.testing.assert_allclose(
        vectors(after).sum(axis=0), vectors(before).sum(axis=0), atol=1e-13 * size
    )
    d = np.array([before[c][1] - before[c][0] for c in "xyz"])

    def turning(balls):
        u = vectors(balls)
        return np.cross(d / 2, u[1] - u[0]) + 0.4 * R * R * vectors(balls, SPIN).sum(axis=0)

    np.testing.assert_allclose(turning(after), turning(before), atol=1e-13 * size)
    assert energy(after) <= energy(before) * (1 + 1e-14)
    # Restitution along the line of centres; none below 5 mm/s, and never an approach left.
    expected = e * closing if closing >= 5e-3 else 0.0
    assert approach(after, 0, 1) == pytest.approx(-expected, abs=2e-14 * size)


@given(direction, vector, vector, vector, vector, restitution, friction)
def test_no_approach_is_left(n, va, vb, wa, wb, e, mu):
    before = scene(n, (va, vb), (wa, wb))
    after = impact(before, params(materials(e, mu)))
    # Twice through changes nothing: the kernel itself sees no approach.
    again = impact(after, params(materials(e, mu)))
    assert (vectors(again, MOTION) == vectors(after, MOTION)).all()


@given(direction, vector, vector, vector, vector, restitution, friction)
def test_exchanging_the_balls_exchanges_the_result_bit_for_bit(n, va, vb, wa, wb, e, mu):
    before = scene(n, (va, vb), (wa, wb))
    p = params(materials(e, mu))
    assert (impact(before[::-1], p)[::-1] == impact(before, p)).all()


@given(direction, vector, vector, vector, vector, restitution, friction)
def test_a_mirrored_impact_is_mirrored_bit_for_bit(n, va, vb, wa, wb, e, mu):
    before = scene(n, (va, vb), (wa, wb))
    p = params(materials(e, mu))

    def mirrored(balls):
        image = balls.copy()
        for name in ("x", "vx", "wy", "wz"):
            image[name] = -image[name]
        return image

    assert (impact(mirrored(before), p) == mirrored(impact(before, p))).all()


@given(direction, vector, vector, restitution)
def test_friction_ends_the_slip_or_is_the_whole_of_coulombs(n, va, wa, e):
    before = scene(n, (va, (0, 0, 0)), (wa, (0, 0, 0)))
    mu = 0.06
    if approach(before, 0, 1) <= 1e-6:
        return
    after = impact(before, params(Materials(e_ball=e, mu_ball=mu)))
    n = np.array([before[c][1] - before[c][0] for c in "xyz"]) / (2 * R)

    def slip(balls):
        u, w = vectors(balls), vectors(balls, SPIN)
        u = u[0] - u[1]
        return u - (u @ n) * n + R * np.cross(w[0] + w[1], n)

    j = vectors(after)[1] - vectors(before)[1]
    across = j - (j @ n) * n
    size = 1.0 + np.abs(vectors(before, MOTION)).max()
    assert np.linalg.norm(across) <= mu * (j @ n) + 1e-13 * size
    if np.linalg.norm(slip(after)) > 1e-12 * size:
        assert np.linalg.norm(across) == pytest.approx(mu * (j @ n), abs=1e-13 * size)
        assert across @ slip(before) >= 0.0


def test_a_slow_approach_ends_together():
    balls = pair((1.0, 0.0, 0.0))
    balls["vx"] = (2.0 + 4.9e-3, 2.0)
    after = impact(balls, params())
    assert after["vx"][0] <= after["vx"][1]
    assert after["vx"] == pytest.approx(2.0 + 4.9e-3 / 2, abs=1e-15)
