"""Impact of a ball on whatever of the table it met: nose, jaw, liner, rail top, slate edge, bed."""

from __future__ import annotations

from sim.physics.arrays import (
    BED,
    CUSHION,
    HOP_SPEED,
    JAW,
    LINER,
    RAIL_TOP,
    REST_SPEED,
)
from sim.physics.contact.bed import bed_impact
from sim.physics.contact.cushion import cushion_impact
from sim.physics.contact.cushion_models import free_impact
from sim.physics.kernel import kernel
from sim.physics.motion import LIES


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
        on_bed = 1 if lies(b, p) else 0
        cushion_impact(b, p, nx, ny, nz, on_bed)
        if on_bed == 1:
            settle(b, p)
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
