"""When a flying ball lands, meets the table, drops into a pocket or leaves.

The gap to the table is not a polynomial, but it is bounded: it shrinks no faster than the ball moves, and
near contact its second derivative is bounded by curvature and gravity. So the march below never
steps over a contact, and converges on one like Newton's method.
"""

from __future__ import annotations

import math

from sim.physics.arrays import BED, HELD_REACH, IN_POCKET, LEFT_TABLE, NONE, STILL, TOUCH
from sim.physics.detect.surface import amid, clear_time, hole_of, table_gap
from sim.physics.kernel import kernel

# How far ahead a touching ball is looked at to tell whether it is pressed, s.
PROBE = 1e-4
# ... and by how much nearer it must be then, m (rounding is a tenth of this).
NEARER = 1e-14
# A ball that touches without approaching may come this much nearer in one step, m.
LEEWAY = 2e-11


@kernel
def fall_time(z, vz, g, level):
    """Time until z + vz t - g t^2 / 2 falls through `level`; 0 if it is there and not rising."""
    drop = z - level
    if drop <= 0.0 and vz <= 0.0:
        return 0.0
    disc = vz * vz + 2.0 * g * drop
    if disc < 0.0:
        return 0.0
    root = math.sqrt(disc)
    # The form without cancellation for either sign of vz.
    if vz >= 0.0:
        return (vz + root) / g
    return 2.0 * drop / (root - vz)


@kernel
def ring_exit(b, p, pockets):
    """Time until a ball over its pocket's edge is over flat slate again, straight on; inf if it is not."""
    s = pockets[b.pocket]
    x = b.x - s.x
    y = b.y - s.y
    ring = s.r + p.edge_r
    speed2 = b.vx * b.vx + b.vy * b.vy
    outward = x * b.vx + y * b.vy
    inside = ring * ring - x * x - y * y
    if inside <= 0.0:
        return 0.0 if outward > 0.0 else math.inf
    if speed2 == 0.0:
        return math.inf
    root = math.sqrt(outward * outward + speed2 * inside)
    if outward > 0.0:
        return inside / (outward + root)
    return (root - outward) / speed2


@kernel
def leaves(b, p, t):
    """Whether a ball that passes the outer edge at time t leaves: below the rail's top it is in a pocket."""
    return b.z + t * (b.vz - 0.5 * t * p.g) >= p.rail_top


@kernel
def flight_contact(b, p, noses, pockets):
    """Set b.hit_t, b.hit_kind, b.hit_index for a flying ball."""
    b.hit_t = math.inf
    vx = b.vx
    vy = b.vy
    land = fall_time(b.z, b.vz, p.g, p.R)
    lx = b.x + land * vx
    ly = b.y + land * vy
    # A landing is a contact with the bed only over flat slate.
    if b.z >= p.R and amid(b.x, b.y, 0.0, p) and amid(lx, ly, 0.0, p):
        b.hit_t = b.t + land
        b.hit_kind = BED
        b.hit_index = NONE
        return
    out_x = p.half_w + p.rail_width
    out_y = p.half_l + p.rail_width
    # Below -R inside a hole the ball is pocketed.
    end = fall_time(b.z, b.vz, p.g, -p.R)
    kind = IN_POCKET
    if vx != 0.0:
        t = max((math.copysign(out_x, vx) - b.x) / vx, 0.0)
        if t < end and leaves(b, p, t):
            end = t
            kind = LEFT_TABLE
    if vy != 0.0:
        t = max((math.copysign(out_y, vy) - b.y) / vy, 0.0)
        if t < end and leaves(b, p, t):
            end = t
            kind = LEFT_TABLE
    flat = math.sqrt(vx * vx + vy * vy)
    steep = max(abs(b.vz), abs(b.vz - p.g * end))
    fastest = math.sqrt(flat * flat + steep * steep) + 1e-9
    # The tightest curve on which a centre can touch: a jaw's offset, or the edge's.
    bend = fastest * fastest / (0.5 * p.R) + p.g
    t = 0.0
    # A ball that has just left the slate at the edge stands level with it and does not land there.
    landed = land <= 0.0 and (b.vz > 0.0 or b.pocket >= 0)
    # ... unless it goes straight back over flat slate, before it has sunk below the edge.
    back = math.inf
    if landed and b.vz <= 0.0 and b.pocket >= 0:
        back = ring_exit(b, p, pockets)
        if b.z + back * (b.vz - 0.5 * back * p.g) < p.R - HELD_REACH:
            back = math.inf
    nearest = NONE
    for _ in range(4000):
        x = b.x + t * vx
        y = b.y + t * vy
        z = b.z + t * (b.vz - 0.5 * t * p.g)
        vz = b.vz - p.g * t
        gap, nx, ny, nz, what, index, nearest = table_gap(x, y, z, nearest, p, noses, pockets)
        rate = vx * nx + vy * ny + vz * nz
        if gap <= TOUCH:
            pressed = False
            if abs(rate) <= STILL:
                # Does the surface curve away faster than the ball falls towards it?
                s = t + PROBE
                later = table_gap(
                    b.x + s * vx,
                    b.y + s * vy,
                    b.z + s * (b.vz - 0.5 * s * p.g),
                    nearest,
                    p,
                    noses,
                    pockets,
                )
                pressed = later[0] < gap - NEARER
            if rate < -STILL or pressed:
                b.hit_t = b.t + t
                b.hit_kind = what
                b.hit_index = index
                return
        step = gap / fastest
        if gap < 0.3 * p.R:
            step = clear_time(
                x, y, z, vx, vy, vz, fastest, bend, -math.inf, nearest, math.inf, p, noses, pockets
            )
            if gap <= TOUCH:
                # It touches and does not approach: at most LEEWAY deeper in this step, and no further
                # than anything else it may meet.
                least = math.sqrt(2.0 * LEEWAY / bend)
                if step < least:
                    others = clear_time(
                        x,
                        y,
                        z,
                        vx,
                        vy,
                        vz,
                        fastest,
                        bend,
                        TOUCH,
                        nearest,
                        math.inf,
                        p,
                        noses,
                        pockets,
                    )
                    step = min(least, others)
            elif rate < 0.0:
                # At least so far that the gap may shrink by a quarter of what counts as touching.
                root = math.sqrt(rate * rate + 0.5 * bend * TOUCH)
                step = max(step, 0.5 * TOUCH / (root - rate))
        step = max(step, 1e-12)
        if t + step >= back:
            b.hit_t = b.t + back
            b.hit_kind = BED
            b.hit_index = NONE
            return
        if not landed and t + step >= land:
            # Over flat slate the bed is met first; over a hole the ball goes on falling.
            hole, _rho = hole_of(lx, ly, p, pockets)
            there = table_gap(lx, ly, p.R, nearest, p, noses, pockets)
            if hole < 0 and there[0] > -HELD_REACH and abs(lx) < out_x and abs(ly) < out_y:
                b.hit_t = b.t + land
                b.hit_kind = BED
                b.hit_index = NONE
                return
            landed = True
        t += step
        if t >= end:
            b.hit_t = b.t + end
            b.hit_kind = kind
            hole, _rho = hole_of(b.x + end * vx, b.y + end * vy, p, pockets)
            b.hit_index = hole
            return
    # Grazing for thousands of steps: contact, to within the march's resolution.
    b.hit_t = b.t + t
    b.hit_kind = what
    b.hit_index = index
