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
def piece_distance(s, x, y):
    """Signed plan distance to one piece of the wire and its normal: (d, nx, ny).

    d is inf where the nearest point of the piece is an end of it: there a neighbour, or the upright
    edge at a facing's end, is nearer.
    """
    px = x - s.x
    py = y - s.y
    if s.kind == LINE:
        along = px * s.tx + py * s.ty
        if along < 0.0 or along > s.length:
            return math.inf, 0.0, 0.0
        return px * s.nx + py * s.ny, s.nx, s.ny
    rho = math.sqrt(px * px + py * py)
    if rho == 0.0 or px * s.tx + py * s.ty < s.cos_half * rho:
        return math.inf, 0.0, 0.0
    if s.kind == ARC:
        return rho - s.r, px / rho, py / rho
    return s.r - rho, -px / rho, -py / rho


@kernel
def amid(x, y, away, p):
    """Whether a ball there, however high, is more than `away` from every part of the table, bed aside.

    Most balls are: what asks for the nearest part asks this first, and gets the same answer sooner.
    """
    # Higher than on the bed a ball touches the nose from a full radius away.
    margin = p.R - p.reach + away
    return abs(x) < p.safe_x - margin and abs(y) < p.safe_y - margin


@kernel
def box_square(s, x, y):
    """The piece is at least this far away in plan, squared."""
    gx = max(s.lo_x - x, x - s.hi_x, 0.0)
    gy = max(s.lo_y - y, y - s.hi_y, 0.0)
    return gx * gx + gy * gy


@kernel
def out_of_reach(s, x, y, gap, p):
    """Whether the slate at a pocket is certainly no nearer than `gap` to the ball."""
    px = x - s.x
    py = y - s.y
    # To the ring, over the edge's rounding and the ball's radius, and rounding's worth.
    far = max(s.r + 2.0 * p.edge_r + p.R + gap + 1e-9, 0.0)
    return px * px + py * py > far * far


@kernel
def plan_distance(x, y, within, noses):
    """Signed plan distance to the wire (positive where balls are), its normal, and the piece.

    Returns (d, nx, ny, index): (nx, ny) points away from the nearest rubber; index is -1 where none of it
    is nearer than `within`.
    """
    best = within
    square = within * within
    d = math.inf
    nx = 0.0
    ny = 0.0
    index = -1
    for k in range(noses.shape[0]):
        s = noses[k]
        if box_square(s, x, y) >= square:
            continue
        here, hx, hy = piece_distance(s, x, y)
        if abs(here) < best:
            best = abs(here)
            square = best * best
            d = here
            nx = hx
            ny = hy
            index = k
    return d, nx, ny, index


@kernel
def clear_time(x, y, z, vx, vy, vz, fastest, bend, touching, nearest, longest, p, noses, pockets):
    """For how long a ball that flies surely meets no part of the table (bed aside), s; `longest` at most.

    Each part's gap shrinks no faster than `fastest`, and near contact its second derivative is at least
    -bend, so gap + rate t - bend t^2 / 2 bounds it. Parts nearer than `touching` are left out. `nearest` is
    the piece of the wire that `plan_distance` finds.
    """
    best = longest
    for k in range(noses.shape[0] + pockets.shape[0]):
        if k < noses.shape[0]:
            s = noses[k]
            far = max(best * fastest + p.R, 0.0)
            if k != nearest and box_square(s, x, y) > far * far:
                continue
            d, px, py = piece_distance(s, x, y)
            # Behind a piece that is not the nearest there is another part of the table, not its rubber.
            if d == math.inf or (d < 0.0 and k != nearest):
                continue
            gap, nd, nz, _top = profile(d, z - p.nose, p)
            rate = nd * (vx * px + vy * py) + nz * vz
        else:
            s = pockets[k - noses.shape[0]]
            if out_of_reach(s, x, y, best * fastest, p):
                continue
            gap, nx, ny, nz, _kind = hole_gap(s, x, y, z, p)
            rate = vx * nx + vy * ny + vz * nz
        if gap < touching:
            continue
        step = gap / fastest
        if gap < 0.3 * p.R:
            root = math.sqrt(rate * rate + 2.0 * bend * max(gap, 0.0))
            if rate >= 0.0:
                step = max(step, (rate + root) / bend)
            elif gap > 0.0:
                step = max(step, 2.0 * gap / (root - rate))
        best = min(best, step)
    return best


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
def plan_reach(z, gap, p):
    """In plan the wire is no further than this from a ball whose gap to rubber, liner and rail is less than `gap`."""
    # Lower than the wire a ball is on its free side, and no nearer to rubber than it is to the wire.
    return p.R + gap if z < p.nose else math.inf


@kernel
def nose_gap(x, y, z, within, p, noses):
    """Gap to rubber, liner and rail: (gap, nx, ny, nz, kind, index of the nearest piece).

    Where no part of the wire is nearer in plan than `within` the gap is given as infinite, and index as -1.
    """
    d, px, py, index = plan_distance(x, y, within, noses)
    if index < 0:
        return math.inf, 0.0, 0.0, 1.0, CUSHION, index
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
def hole_gap(s, x, y, z, p):
    """Gap to the slate at one pocket: (gap, nx, ny, nz, kind).

    The slate ends in an arc around the hole, from one facing to the other, rounded above and upright below;
    behind it there is only the liner. Beyond the arc's ends the nearest slate is an end.
    """
    qx = x - s.x
    qy = y - s.y
    rho = math.sqrt(qx * qx + qy * qy)
    ring = s.r + p.edge_r
    if qx * s.ax + qy * s.ay >= s.cos_open * rho:
        side = ring - rho
        f = -1.0 / rho if rho > 0.0 else 0.0
        nx = qx * f
        ny = qy * f
    else:
        sign = 1.0 if s.ax * qy - s.ay * qx > 0.0 else -1.0
        qx -= ring * (s.ax * s.cos_open - sign * s.ay * s.sin_open)
        qy -= ring * (s.ay * s.cos_open + sign * s.ax * s.sin_open)
        side = math.sqrt(qx * qx + qy * qy)
        nx = qx / side
        ny = qy / side
    up = z + p.edge_r
    if up <= 0.0:
        if side < -p.R:
            return math.inf, 0.0, 0.0, 1.0, LINER  # below the bed, so in another hole
        return side - p.edge_r - p.R, nx, ny, 0.0, LINER
    h = math.sqrt(side * side + up * up)
    return h - p.edge_r - p.R, nx * side / h, ny * side / h, up / h, POCKET_EDGE


@kernel
def edge_gap(x, y, z, below, p, pockets):
    """Gap to the nearest hole's edge or wall, if less than `below`: (gap, nx, ny, nz, kind, pocket)."""
    best = below
    nx = 0.0
    ny = 0.0
    nz = 1.0
    kind = POCKET_EDGE
    index = -1
    for k in range(pockets.shape[0]):
        if out_of_reach(pockets[k], x, y, best, p):
            continue
        gap, hx, hy, hz, what = hole_gap(pockets[k], x, y, z, p)
        if gap < best:
            best = gap
            nx = hx
            ny = hy
            nz = hz
            kind = what
            index = k
    return best, nx, ny, nz, kind, index


@kernel
def table_gap(x, y, z, hint, p, noses, pockets):
    """Gap between a ball's surface and the table, bed aside.

    hint: a piece of the wire that may be the nearest (it is found sooner then), or -1. Returns (gap, nx, ny, nz, kind, index, nearest): the unit normal points from the contact to the ball's
    centre; kind is CUSHION, JAW, LINER, RAIL_TOP or POCKET_EDGE, index a nose or a pocket, `nearest` the
    nearest piece of the wire, whether or not it is the nearest of all.
    """
    within = math.inf
    if hint >= 0:
        d, _nx, _ny = piece_distance(noses[hint], x, y)
        within = abs(d) * (1.0 + 1e-12) + 1e-15
    gap, nx, ny, nz, kind, nearest = nose_gap(x, y, z, within, p, noses)
    index = nearest
    edge = edge_gap(x, y, z, gap, p, pockets)
    if edge[0] < gap:
        gap, nx, ny, nz, kind, index = edge
    return gap, nx, ny, nz, kind, index, nearest
