"""When a ball that rolls or slides on the bed meets a nose, or the slate ends under it."""

from __future__ import annotations

import math

from sim.physics.arrays import ARC, CUSHION, JAW, LINE, POCKET_EDGE, PRESS, STILL, TOUCH
from sim.physics.kernel import kernel
from sim.physics.roots import first_fall

# Pieces join smoothly, so a contact found this far beyond an end is the same contact, m.
JOIN = 1e-9


@kernel
def bed_contact(b, p, noses, pockets):
    """Set b.hit_t, b.hit_kind, b.hit_index for a ball on the bed, from its box.

    A ball on the bed touches the wire when its centre is p.reach from it in plan (engine.md 6): straight
    pieces give quadratics, arcs and the slate's edge quartics.
    """
    b.hit_t = math.inf
    if b.lo_x > -p.safe_x and b.hi_x < p.safe_x and b.lo_y > -p.safe_y and b.hi_y < p.safe_y:
        return
    end = min(b.end, p.t_max) - b.t
    c4 = 0.25 * (b.ax * b.ax + b.ay * b.ay)
    c3 = b.vx * b.ax + b.vy * b.ay
    for k in range(noses.shape[0]):
        s = noses[k]
        if (
            b.hi_x < s.lo_x - p.reach
            or b.lo_x > s.hi_x + p.reach
            or b.hi_y < s.lo_y - p.reach
            or b.lo_y > s.hi_y + p.reach
        ):
            continue
        px = b.x - s.x
        py = b.y - s.y
        if s.kind == LINE:
            d = px * s.nx + py * s.ny - p.reach
            v = b.vx * s.nx + b.vy * s.ny
            a = 0.5 * (b.ax * s.nx + b.ay * s.ny)
            t = first_fall(d, v, a, 0.0, 0.0, end, TOUCH, STILL, 0.5 * PRESS)
            if t < end and b.t + t < b.hit_t:
                qx = px + t * (b.vx + 0.5 * t * b.ax)
                qy = py + t * (b.vy + 0.5 * t * b.ay)
                along = qx * s.tx + qy * s.ty
                if along >= -JOIN and along <= s.length + JOIN:
                    b.hit_t = b.t + t
                    b.hit_kind = CUSHION if s.pocket < 0 else JAW
                    b.hit_index = k
        elif s.kind == ARC:
            d = s.r + p.reach
            c0 = px * px + py * py - d * d
            c1 = 2.0 * (px * b.vx + py * b.vy)
            c2 = b.vx * b.vx + b.vy * b.vy + px * b.ax + py * b.ay
            t = first_fall(c0, c1, c2, c3, c4, end, 2.0 * d * TOUCH, 2.0 * d * STILL, d * PRESS)
            if t < end and b.t + t < b.hit_t:
                qx = px + t * (b.vx + 0.5 * t * b.ax)
                qy = py + t * (b.vy + 0.5 * t * b.ay)
                if qx * s.tx + qy * s.ty >= (s.cos_half - JOIN) * d:
                    b.hit_t = b.t + t
                    b.hit_kind = JAW
                    b.hit_index = k
    for k in range(pockets.shape[0]):
        s = pockets[k]
        d = s.r + p.edge_r
        if b.hi_x < s.x - d or b.lo_x > s.x + d or b.hi_y < s.y - d or b.lo_y > s.y + d:
            continue
        px = b.x - s.x
        py = b.y - s.y
        c0 = px * px + py * py - d * d
        c1 = 2.0 * (px * b.vx + py * b.vy)
        c2 = b.vx * b.vx + b.vy * b.vy + px * b.ax + py * b.ay
        t = first_fall(c0, c1, c2, c3, c4, end, 2.0 * d * TOUCH, 2.0 * d * STILL, d * PRESS)
        if t < end and b.t + t < b.hit_t:
            b.hit_t = b.t + t
            b.hit_kind = POCKET_EDGE
            b.hit_index = k
