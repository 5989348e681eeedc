"""When two balls meet."""

from __future__ import annotations

import math

from sim.physics.arrays import PRESS, STILL, TOUCH
from sim.physics.kernel import kernel
from sim.physics.roots import first_fall


@kernel
def meeting_time(a, b, p, now, horizon):
    """First time in [now, horizon] at which two balls touch and approach; inf if they do not.

    Both move on quadratics, so the squared distance of their centres is a quartic. Boxes first: most
    pairs cannot meet.
    """
    d = 2.0 * p.R
    if (
        a.lo_x - b.hi_x > d
        or b.lo_x - a.hi_x > d
        or a.lo_y - b.hi_y > d
        or b.lo_y - a.hi_y > d
        or a.lo_z - b.hi_z > d
        or b.lo_z - a.hi_z > d
    ):
        return math.inf
    s = now - a.t
    px = a.x + s * (a.vx + 0.5 * s * a.ax)
    py = a.y + s * (a.vy + 0.5 * s * a.ay)
    pz = a.z + s * (a.vz + 0.5 * s * a.az)
    vx = a.vx + s * a.ax
    vy = a.vy + s * a.ay
    vz = a.vz + s * a.az
    s = now - b.t
    px -= b.x + s * (b.vx + 0.5 * s * b.ax)
    py -= b.y + s * (b.vy + 0.5 * s * b.ay)
    pz -= b.z + s * (b.vz + 0.5 * s * b.az)
    vx -= b.vx + s * b.ax
    vy -= b.vy + s * b.ay
    vz -= b.vz + s * b.az
    ax = a.ax - b.ax
    ay = a.ay - b.ay
    az = a.az - b.az
    c1 = 2.0 * (px * vx + py * vy + pz * vz)
    c2 = vx * vx + vy * vy + vz * vz + px * ax + py * ay + pz * az
    c3 = vx * ax + vy * ay + vz * az
    c4 = 0.25 * (ax * ax + ay * ay + az * az)
    c0 = px * px + py * py + pz * pz - d * d
    t = first_fall(c0, c1, c2, c3, c4, horizon - now, 2.0 * d * TOUCH, 2.0 * d * STILL, d * PRESS)
    return now + t
