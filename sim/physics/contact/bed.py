"""Bounce of a ball on a horizontal floor: the bed, or the rail's top.

Source: Alciatore TP B.10 (bounces on the slate): restitution down, Coulomb friction across. Written
for any floor; its restitution and friction are arguments.
"""

from __future__ import annotations

import math

from sim.physics.arrays import HOP_SPEED
from sim.physics.kernel import kernel

__all__ = ["bed_impact"]


@kernel
def bed_impact(b, p, e, mu):
    """Changes velocity and spin of a BALL record moving down on its floor.

    Returns 1 if the ball bounces, 0 if it stays (vz exactly zero: a rebound under HOP_SPEED). Side
    spin does not change: the contact is a point. The friction's impulse is the smaller of mu times
    the normal impulse and what ends the slip, 2/7 m slip.
    """
    fall = -b.vz
    if fall <= 0.0:
        return 1 if b.vz > 0.0 else 0
    rebound = e * fall
    if rebound < HOP_SPEED:
        rebound = 0.0
    b.vz = rebound
    ux, uy = b.vx - p.R * b.wy, b.vy + p.R * b.wx  # of the ball's lowest point
    slip = math.sqrt(ux * ux + uy * uy)
    if slip > 0.0:
        part = min(mu * (fall + rebound) / slip, 2.0 / 7.0)
        b.vx -= part * ux
        b.vy -= part * uy
        b.wx -= 2.5 / p.R * part * uy
        b.wy += 2.5 / p.R * part * ux
    return 1 if rebound > 0.0 else 0
