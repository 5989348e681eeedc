"""Impact of a ball on whatever of the table it met: nose, jaw, liner, rail top, slate edge, bed."""

from __future__ import annotations

from sim.physics.arrays import (
    BED,
    CUSHION,
    HOP_SPEED,
    JAW,
    LINER,
    ONE,
    RAIL_TOP,
    REST_SPEED,
    ZERO,
)
from sim.physics.contact.bed import bed_impact
from sim.physics.contact.cushion import cushion_impact
from sim.physics.contact.cushion_models import free_impact
from sim.physics.kernel import kernel
from sim.physics.motion import LIES

# Half the time a ball and a nose are in touch, s: the middle of the impact, by which a ball that the nose
# drives down must have reached the bed if the bed is to bear it (a few milliseconds in all: README.md).
NOSE_TIME = 1e-3


@kernel
def lies(b, p):
    """Whether the flat bed is what bears the ball."""
    height = b.z - b.floor - p.R
    return b.pocket < 0 and -LIES <= height <= 0.0


@kernel
def settle(b, p):
    """Let the bed answer a ball that lies on it and was given a vertical velocity.

    Downward: the bed's impact (restitution and friction). Upward under HOP_SPEED: it stays. Returns 1
    if the ball flies afterwards.
    """
    if not lies(b, p):
        return 1
    if b.vz < 0.0:
        return bed_impact(b, p, p.e_bed, p.mu_bed)
    if b.vz < HOP_SPEED:
        b.vz = 0.0
        return 0
    return 1


@kernel
def nose_impact(b, p, nx, ny, nz):
    """A ball meets a nose: alone in the air, with the bed below it, or shortly above the bed.

    A nose above the centre drives the ball down. On the bed that squeezes it. A ball at height h is
    squeezed for the part of the impact that is left when it reaches the bed: its velocity is between those
    of the two limits by 1 - h / (fall speed * NOSE_TIME), so nothing jumps as h goes to zero. Kinetic
    energy is convex, so the mean of two states that gained none gains none.
    """
    if lies(b, p):
        slow = -(b.vx * nx + b.vy * ny + b.vz * nz) < REST_SPEED
        cushion_impact(b, p, nx, ny, nz, ONE)
        lifted = b.vz > 0.0
        if settle(b, p) == 0 and lifted and slow:
            # It went up along the nose, and stays on the bed: what is left of that is no rebound either.
            left = (b.vx * nx + b.vy * ny) / (nx * nx + ny * ny)
            b.vx -= left * nx
            b.vy -= left * ny
        return
    height = b.z - b.floor - p.R
    if b.pocket >= 0 or height <= 0.0 or nz >= 0.0:
        cushion_impact(b, p, nx, ny, nz, ZERO)
        return
    ux, uy, uz = b.vx, b.vy, b.vz
    ox, oy, oz = b.wx, b.wy, b.wz
    cushion_impact(b, p, nx, ny, nz, ZERO)
    fall = -b.vz * NOSE_TIME
    if height >= fall:
        return
    share = 1.0 - height / fall
    fx, fy, fz = b.vx, b.vy, b.vz
    gx, gy, gz = b.wx, b.wy, b.wz
    b.vx, b.vy, b.vz = ux, uy, uz
    b.wx, b.wy, b.wz = ox, oy, oz
    cushion_impact(b, p, nx, ny, nz, ONE)
    b.vx = fx + share * (b.vx - fx)
    b.vy = fy + share * (b.vy - fy)
    b.vz = fz + share * (b.vz - fz)
    b.wx = gx + share * (b.wx - gx)
    b.wy = gy + share * (b.wy - gy)
    b.wz = gz + share * (b.wz - gz)


@kernel
def table_impact(b, p, kind, nx, ny, nz):
    """Change velocity and spin of a ball that meets the table along the unit normal n.

    kind: CUSHION, JAW, LINER, RAIL_TOP, POCKET_EDGE or BED. An approach under REST_SPEED has no
    restitution and leaves the normal velocity zero.
    """
    if kind == BED:
        bed_impact(b, p, p.e_bed, p.mu_bed)
        return
    approach = -(b.vx * nx + b.vy * ny + b.vz * nz)
    if approach <= 0.0:
        return
    if kind == CUSHION or kind == JAW:
        nose_impact(b, p, nx, ny, nz)
        return
    if kind == LINER:
        e = p.e_liner
        mu = p.mu_liner
    elif kind == RAIL_TOP:
        e = p.e_rail
        mu = p.mu_rail
    else:
        e = p.e_bed
        mu = p.mu_bed
    # On what lies below the ball small rebounds are specks, as on the bed.
    if approach < REST_SPEED or (nz > 0.5 and e * approach < HOP_SPEED):
        e = 0.0
    r = p.R
    b.vx, b.vy, b.vz, wx, wy, wz = free_impact(
        b.vx, b.vy, b.vz, r * b.wx, r * b.wy, r * b.wz, nx, ny, nz, e, mu
    )
    b.wx = wx / r
    b.wy = wy / r
    b.wz = wz / r
    # Rounding may leave an approach of the last bits.
    left = b.vx * nx + b.vy * ny + b.vz * nz
    if left < 0.0:
        b.vx -= left * nx
        b.vy -= left * ny
        b.vz -= left * nz
