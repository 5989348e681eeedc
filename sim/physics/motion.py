"""Free motion: what a ball does until the next event, as one quadratic of time per coordinate.

Sources: the phases of a ball on cloth are Coriolis' (sliding with constant friction, then rolling); see
README.md, "Motion". Horizontal spin changes linearly; side spin on the cloth decays linearly to zero.
"""

from __future__ import annotations

import math

from sim.physics.arrays import (
    AIRBORNE,
    HELD,
    RESTING,
    ROLLING,
    SLIDING,
    SPINNING,
)
from sim.physics.kernel import kernel

# A slip or speed below this is none, m/s. Rounding leaves 1e-17; the energy it hides is 1e-20 of a ball's.
SLIP_NONE = 1e-10
SPIN_NONE = 1e-9
# A ball that is lower than this below its place on the bed is in a pocket's mouth, m.
LIES = 1e-9


@kernel
def advance(b, p, t):
    """Carry a ball along its segment to time t, where a new segment may begin."""
    h = t - b.t
    b.t = t
    if b.state == RESTING or h <= 0.0:
        return
    b.x += h * (b.vx + 0.5 * h * b.ax)
    b.y += h * (b.vy + 0.5 * h * b.ay)
    b.z += h * (b.vz + 0.5 * h * b.az)
    b.vx += h * b.ax
    b.vy += h * b.ay
    b.vz += h * b.az
    if b.state == AIRBORNE:
        return
    if b.state == HELD:
        b.wx += h * b.bx
        b.wy += h * b.by
        b.wz += h * b.bz
        return
    if b.state == ROLLING:
        b.wx = -b.vy / p.R
        b.wy = b.vx / p.R
    else:
        b.wx += h * b.bx
        b.wy += h * b.by
    left = abs(b.wz) - p.spin_decay * h
    b.wz = math.copysign(left, b.wz) if left > 0.0 else 0.0


@kernel
def begin(b, p):
    """Begin a segment: decide the state from velocity and spin, set accelerations and `end`.

    A ball with b.vz == 0 on the bed slides, rolls, spins or rests; any other flies.
    """
    b.bz = 0.0
    b.az = 0.0
    if b.vz != 0.0 or b.z > b.floor + p.R or b.z < b.floor + p.R - LIES or b.pocket >= 0:
        b.state = AIRBORNE
        b.ax = 0.0
        b.ay = 0.0
        b.az = -p.g
        b.bx = 0.0
        b.by = 0.0
        b.end = math.inf
        return
    b.z = b.floor + p.R
    ux = b.vx - p.R * b.wy
    uy = b.vy + p.R * b.wx
    u = math.sqrt(ux * ux + uy * uy)
    if u > SLIP_NONE:
        a = p.mu_slide * p.g
        b.state = SLIDING
        b.ax = -a * ux / u
        b.ay = -a * uy / u
        b.bx = 2.5 / p.R * b.ay
        b.by = -2.5 / p.R * b.ax
        b.end = b.t + 2.0 * u / (7.0 * a) if a > 0.0 else math.inf
        return
    v = math.sqrt(b.vx * b.vx + b.vy * b.vy)
    if v > SLIP_NONE:
        a = p.mu_roll * p.g
        b.state = ROLLING
        b.wx = -b.vy / p.R
        b.wy = b.vx / p.R
        b.ax = -a * b.vx / v
        b.ay = -a * b.vy / v
        b.bx = -b.ay / p.R
        b.by = b.ax / p.R
        b.end = b.t + v / a if a > 0.0 else math.inf
        return
    b.vx = 0.0
    b.vy = 0.0
    b.wx = 0.0
    b.wy = 0.0
    b.ax = 0.0
    b.ay = 0.0
    b.bx = 0.0
    b.by = 0.0
    if abs(b.wz) > SPIN_NONE:
        b.state = SPINNING
        b.end = b.t + abs(b.wz) / p.spin_decay if p.spin_decay > 0.0 else math.inf
        return
    b.wz = 0.0
    b.state = RESTING
    b.end = math.inf


@kernel
def sweep(b, t_max):
    """Set the box that the ball's centre stays in until its segment's end or next hit."""
    h = min(b.end, b.hit_t, t_max) - b.t
    if b.state <= SPINNING or h <= 0.0:
        b.lo_x = b.x
        b.hi_x = b.x
        b.lo_y = b.y
        b.hi_y = b.y
        b.lo_z = b.z
        b.hi_z = b.z
        return
    b.lo_x, b.hi_x = reach(b.x, b.vx, b.ax, h)
    b.lo_y, b.hi_y = reach(b.y, b.vy, b.ay, h)
    if b.vz == 0.0 and b.az == 0.0:
        b.lo_z = b.z
        b.hi_z = b.z
    else:
        b.lo_z, b.hi_z = reach(b.z, b.vz, b.az, h)


@kernel
def reach(x, v, a, h):
    """Lowest and highest value of x + v t + a t^2 / 2 for 0 <= t <= h."""
    end = x + h * (v + 0.5 * h * a)
    lo = min(x, end)
    hi = max(x, end)
    if a != 0.0:
        turn = -v / a
        if 0.0 < turn < h:
            top = x + 0.5 * v * turn
            lo = min(lo, top)
            hi = max(hi, top)
    return lo, hi
