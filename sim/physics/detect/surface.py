"""The table as one surface: how far a ball is from it, and which way it would be pushed.

The nose is one closed wire around the table and its pockets. Across the wire the solid has the same profile
everywhere: below it the draft plane recedes, above it the cushion's top rises to the flat of the rail. At
a pocket the slate ends in a rounded edge around the hole. Bed contact is not in here: flat, it has a
closed form.
"""

from __future__ import annotations

import math

from sim.physics.arrays import (
    ARC,
    CUSHION,
    HELD_REACH,
    JAW,
    LINE,
    LINER,
    LINER_ARC,
    POCKET_EDGE,
    RAIL_TOP,
)
from sim.physics.kernel import kernel


@kernel
def plan_distance(x, y, noses):
    """Signed plan distance to the wire (positive where balls are), its normal, and the piece.

    Returns (d, nx, ny, index): (nx, ny) points away from the nearest rubber.
    """
    best = math.inf
    d = math.inf
    nx = 0.0
    ny = 0.0
    index = -1
    for k in range(noses.shape[0]):
        s = noses[k]
        # The piece's box is at least this far away.
        gx = max(s.lo_x - x, x - s.hi_x, 0.0)
        gy = max(s.lo_y - y, y - s.hi_y, 0.0)
        if gx * gx + gy * gy >= best * best:
            continue
        px = x - s.x
        py = y - s.y
        if s.kind == LINE:
            along = px * s.tx + py * s.ty
            if along < 0.0 or along > s.length:
                continue
            across = px * s.nx + py * s.ny
            if abs(across) < best:
                best = abs(across)
                d = across
                nx = s.nx
                ny = s.ny
                index = k
            continue
        rho = math.sqrt(px * px + py * py)
        if px * s.tx + py * s.ty < s.cos_half * rho or rho == 0.0:
            continue
        signed = rho - s.r if s.kind == ARC else s.r - rho
        if abs(signed) < best:
            best = abs(signed)
            d = signed
            out = 1.0 if s.kind == ARC else -1.0
            nx = out * px / rho
            ny = out * py / rho
            index = k
    return d, nx, ny, index


@kernel
def profile(d, rise, p):
    """Gap of a ball from the profile of rubber and rail, and the normal in the profile's plane.

    d: signed plan distance to the wire; rise: height of the centre above the wire.
    Returns (gap, nd, nz, top): top is 1 where the contact is on the cushion's top or the rail.
    """
    back = -d * p.slope_c + rise * p.slope_s  # how far up the slope
    if back > 0.0:
        slope_length = p.cushion_width / p.slope_c
        if back <= slope_length:
            return d * p.slope_s + rise * p.slope_c - p.R, p.slope_s, p.slope_c, 1
        top = p.rail_top - p.nose
        if d < -p.cushion_width:
            return rise - top - p.R, 0.0, 1.0, 1
        # Over the ridge where the slope meets the flat.
        rx = d + p.cushion_width
        rz = rise - top
        h = math.sqrt(rx * rx + rz * rz)
        return h - p.R, rx / h, rz / h, 1
    under = -d * p.draft_s - rise * p.draft_c
    if under > 0.0:
        return d * p.draft_c - rise * p.draft_s - p.R, p.draft_c, -p.draft_s, 0
    h = math.sqrt(d * d + rise * rise)
    if h == 0.0:
        return -p.R, 1.0, 0.0, 0
    return h - p.R, d / h, rise / h, 0


@kernel
def hole_of(x, y, p, pockets):
    """(index, distance to its centre) of the pocket whose slate edge ends under (x, y), or -1."""
    for k in range(pockets.shape[0]):
        s = pockets[k]
        px = x - s.x
        py = y - s.y
        ring = s.r + p.edge_r
        if px * px + py * py < ring * ring:
            return k, math.sqrt(px * px + py * py)
    return -1, 0.0


@kernel
def borne_by_edge(b, p, pockets):
    """The pocket whose slate edge, not the flat bed, is below ball b; -1 if it is over flat slate.

    A ball that just passed onto the edge stands on it to rounding, so it stays with its pocket until it is
    HELD_REACH outside again.
    """
    if b.pocket >= 0:
        s = pockets[b.pocket]
        px = b.x - s.x
        py = b.y - s.y
        ring = s.r + p.edge_r + HELD_REACH
        if px * px + py * py < ring * ring:
            return b.pocket
    hole, _rho = hole_of(b.x, b.y, p, pockets)
    return hole


@kernel
def nose_gap(x, y, z, p, noses):
    """Gap to rubber, liner and rail: (gap, nx, ny, nz, kind, index of the piece)."""
    d, px, py, index = plan_distance(x, y, noses)
    gap, nd, nz, top = profile(d, z - p.nose, p)
    kind = RAIL_TOP
    if top == 0:
        s = noses[index]
        kind = JAW
        if s.kind == LINER_ARC:
            kind = LINER
        elif s.pocket < 0:
            kind = CUSHION
    return gap, nd * px, nd * py, nz, kind, index


@kernel
def edge_gap(x, y, z, p, pockets):
    """Gap to the slate's edges and the holes below them: (gap, nx, ny, nz, kind, pocket).

    The edge is rounded: a ring of tube radius p.edge_r around each hole; below it the slate is a
    cylinder. inf far from every pocket.
    """
    best = math.inf
    nx = 0.0
    ny = 0.0
    nz = 1.0
    kind = POCKET_EDGE
    index = -1
    up = z + p.edge_r
    for k in range(pockets.shape[0]):
        s = pockets[k]
        qx = x - s.x
        qy = y - s.y
        rho = math.sqrt(qx * qx + qy * qy)
        if rho == 0.0:
            continue
        if up <= 0.0:
            gap = s.r - rho - p.R
            # Below the bed outside a hole there is only slate; the nearest hole is the one it is in.
            if rho < s.r and gap < best:
                best = gap
                nx = -qx / rho
                ny = -qy / rho
                nz = 0.0
                kind = LINER
                index = k
            continue
        side = s.r + p.edge_r - rho
        h = math.sqrt(side * side + up * up)
        gap = h - p.edge_r - p.R
        if gap < best:
            best = gap
            nx = -qx / rho * side / h
            ny = -qy / rho * side / h
            nz = up / h
            index = k
    return best, nx, ny, nz, kind, index


@kernel
def table_gap(x, y, z, p, noses, pockets):
    """Gap between a ball's surface and the table, bed aside.

    Returns (gap, nx, ny, nz, kind, index): the unit normal points from the contact to the ball's centre;
    kind is CUSHION, JAW, LINER, RAIL_TOP or POCKET_EDGE, index a nose or a pocket.
    """
    a = nose_gap(x, y, z, p, noses)
    b = edge_gap(x, y, z, p, pockets)
    if b[0] < a[0]:
        return b
    return a
