"""A ball bounces on a floor: restitution down, friction across, and where bouncing ends."""

from __future__ import annotations

import numpy as np
import pytest
from collision_drivers import MOTION, SPIN, VELOCITY, R, balls_at, bounce, energy, params, vectors
from hypothesis import given
from hypothesis import strategies as st

from sim.model import Materials

speed = st.floats(-10.0, 10.0)


def ball(v, w=(0.0, 0.0, 0.0)):
    """One ball on the bed; velocity m/s, surface speeds of spin m/s."""
    b = balls_at([(0.0, 0.0)])
    for c in range(3):
        b[VELOCITY[c]] = v[c]
        b[SPIN[c]] = w[c] / R
    return b


@given(
    speed, speed, st.floats(-10.0, -1e-6), speed, speed, speed,
    st.sampled_from([0.0, 0.5, 0.6, 0.99]), st.sampled_from([0.0, 0.2, 2.0]),
)  # fmt: skip
def test_laws_of_a_bounce(vx, vy, vz, wx, wy, wz, e, mu):
    before = ball((vx, vy, vz), (wx, wy, wz))
    bounces, after = bounce(before, params(), e, mu)
    assert np.isfinite(vectors(after, MOTION)).all()
    assert energy(after) <= energy(before) * (1 + 1e-14)
    assert after["wz"][0] == before["wz"][0]
    rebound = e * -vz
    if rebound < 0.06:
        assert (bounces, after["vz"][0]) == (0, 0.0)
        rebound = 0.0
    else:
        assert bounces == 1
        assert after["vz"][0] == pytest.approx(rebound, rel=1e-15)
    # Friction: no more than Coulomb's, against the slip, and less only where the slip ends.
    change = np.array([after["vx"][0] - vx, after["vy"][0] - vy])
    most = mu * (rebound - vz)
    assert np.hypot(*change) <= most + 1e-13
    slip = np.array([after["vx"][0] - R * after["wy"][0], after["vy"][0] + R * after["wx"][0]])
    if np.hypot(*slip) > 1e-12:
        assert np.hypot(*change) == pytest.approx(most, abs=1e-13)
        assert change @ slip <= 0.0
    # The moment of that friction about the centre, I = 2/5 m R^2.
    assert R * (after["wx"][0] - before["wx"][0]) == pytest.approx(2.5 * change[1], abs=1e-12)
    assert R * (after["wy"][0] - before["wy"][0]) == pytest.approx(-2.5 * change[0], abs=1e-12)


def test_a_ball_that_does_not_fall_is_left_alone():
    for vz, leaves in ((0.0, 0), (0.3, 1)):
        before = ball((1.0, 2.0, vz), (3.0, 4.0, 5.0))
        bounces, after = bounce(before, params(), 0.6, 0.2)
        assert bounces == leaves
        assert (after == before).all()


def test_a_ladder_of_bounces_survives_and_ends():
    """From 50 cm/s every bounce above the threshold is there, and then the ball lies."""
    b = ball((1.0, 0.0, -0.5))
    speeds = []
    for _ in range(100):
        bounces, b = bounce(b, params(), 0.6, 0.2)
        if not bounces:
            break
        speeds.append(float(b["vz"][0]))
        b["vz"] = -b["vz"]
    assert speeds == pytest.approx([0.3, 0.18, 0.108, 0.0648])
    assert b["vz"][0] == 0.0


def test_high_friction_ends_the_slip_at_the_rolling_speed():
    """Enough friction: the surface stops in contact; v' = (5 v + 2 R w) / 7 (any mu)."""
    _, after = bounce(ball((2.0, 0.0, -3.0), (0.0, -1.0, 0.0)), params(), 0.5, 2.0)
    assert after["vx"][0] == pytest.approx((5 * 2.0 - 2 * 1.0) / 7)
    assert R * after["wy"][0] == pytest.approx(after["vx"][0])


def test_default_materials_bounce():
    m = Materials()
    bounces, after = bounce(ball((0.0, 0.0, -1.0)), params(m), m.e_bed, m.mu_bed)
    assert (bounces, float(after["vz"][0])) == (1, pytest.approx(0.6))
