"""Balls that press on something: the next step of a held group, and who goes free after it."""

from __future__ import annotations

import math

from sim.physics.arrays import (
    BALL_BALL,
    BED,
    HELD,
    HELD_REACH,
    IN_POCKET,
    LEFT_TABLE,
    NONE,
    OFF_TABLE,
    POCKETED,
    RELEASE,
    RESTING,
    ROLL_TO_REST,
)
from sim.physics.contact.ball_ball import ball_ball_impact
from sim.physics.contact.held import HELD_STEP, deepest, gather_group, held_step
from sim.physics.contact.surface import table_impact
from sim.physics.detect.flight import fall_time
from sim.physics.detect.surface import (
    amid,
    borne_by_edge,
    clear_time,
    edge_gap,
    nose_gap,
    plan_distance,
    plan_reach,
)
from sim.physics.handle import cushion_or_pocket, halt, stop
from sim.physics.kernel import kernel
from sim.physics.log import log_after, log_event
from sim.physics.motion import advance, begin

# The shortest step of a held ball, s.
HELD_STEP_LEAST = 1e-6
# A faster approach than this inside a held group is an impact, m/s: half a micrometre in a step.
HELD_APPROACH = 1e-3
# ... and how far it may travel in one, m: keeps its overlap small on the tightest curve.
HELD_TRAVEL = 1.5e-3
# A step that cuts deeper into anything is solved again at half its length, m; so often at the most.
HELD_DEPTH = 5e-10
HELD_TRIALS = 10
# On the bed a held group slower than this is at rest, m/s.
HELD_CREEP = 1e-7
# Impacts inside a group come in rounds, each ball against all it touches; so many at the most.
HELD_ROUNDS = 40


@kernel
def outer_time(b, p):
    """Time until a ball at its present speed passes the table's outer edge; 0 if it is past it.

    A ball below the rail's top is inside the table, in a pocket that reaches so far.
    """
    if b.z < p.rail_top:
        return math.inf
    far_x = p.half_w + p.rail_width - abs(b.x)
    far_y = p.half_l + p.rail_width - abs(b.y)
    if far_x <= 0.0 or far_y <= 0.0:
        return 0.0
    out_x = math.copysign(1.0, b.x) * b.vx
    out_y = math.copysign(1.0, b.y) * b.vy
    t = math.inf
    if out_x > 0.0:
        t = far_x / out_x
    if out_y > 0.0:
        t = min(t, far_y / out_y)
    return t


@kernel
def drop_the_gone(t, balls, n, members, p, struck, events, summary):
    """Take members out that slid down a liner, or rolled along the rail's top past the outer edge."""
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        if b.z < -p.R and b.pocket >= 0:
            row = log_event(balls, t, IN_POCKET, q, b.pocket, struck, events, summary)
            stop(b)
            b.state = POCKETED
            log_after(balls, row, events)
            members[q] = 0
        elif outer_time(b, p) <= 0.0:
            row = log_event(balls, t, LEFT_TABLE, q, NONE, struck, events, summary)
            log_after(balls, row, events)
            stop(b)
            b.state = OFF_TABLE
            members[q] = 0


@kernel
def impacts_in_group(t, balls, n, p, noses, pockets, struck, members, events, summary):
    """One round of the impacts among the group and on the table that are faster than HELD_APPROACH.

    Returns how many there were.
    """
    count = 0
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        over_edge = borne_by_edge(b, p, pockets) >= 0
        for surface in range(2):
            if amid(b.x, b.y, HELD_REACH, p):
                break
            if surface == 0:
                near = nose_gap(b.x, b.y, b.z, plan_reach(b.z, HELD_REACH, p), p, noses)
            elif over_edge:
                near = edge_gap(b.x, b.y, b.z, HELD_REACH, p, pockets)
            else:
                continue
            rate = b.vx * near[1] + b.vy * near[2] + b.vz * near[3]
            if near[0] < HELD_REACH and rate < -HELD_APPROACH:
                kind = near[4]
                index = near[5]
                if surface == 0:
                    index = cushion_or_pocket(noses[index], kind)
                row = log_event(balls, t, kind, q, index, struck, events, summary)
                table_impact(b, p, kind, near[1], near[2], near[3])
                log_after(balls, row, events)
                count += 1
        rise = b.z - b.floor - p.R
        # A ball that would rise for less than the shortest step does not rise.
        leaves = b.vz >= p.g * HELD_STEP_LEAST
        if over_edge or b.z <= b.floor or rise >= HELD_REACH or leaves:
            pass
        elif b.vz > -HELD_APPROACH:
            b.vz = 0.0  # else it would sink into the bed while the step stops it
        else:
            b.z = b.floor + p.R
            row = log_event(balls, t, BED, q, NONE, struck, events, summary)
            table_impact(b, p, BED, 0.0, 0.0, 1.0)
            log_after(balls, row, events)
            count += 1
        for r in range(q + 1, n):
            if members[r] == 0:
                continue
            o = balls[r]
            nx = o.x - b.x
            ny = o.y - b.y
            nz = o.z - b.z
            d = math.sqrt(nx * nx + ny * ny + nz * nz)
            closing = ((b.vx - o.vx) * nx + (b.vy - o.vy) * ny + (b.vz - o.vz) * nz) / d
            if d - 2.0 * p.R < HELD_REACH and closing > HELD_APPROACH:
                row = log_event(balls, t, BALL_BALL, q, r, struck, events, summary)
                ball_ball_impact(b, o, p)
                log_after(balls, row, events)
                count += 1
    return count


@kernel
def step_length(balls, n, members, p, noses, pockets):
    """How long the group's next step may be before any of it comes near something else, s."""
    h = HELD_STEP
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        h = min(h, max(outer_time(b, p), HELD_STEP_LEAST))
        rise = b.z - b.floor - p.R
        if borne_by_edge(b, p, pockets) < 0:
            if rise > HELD_REACH:
                # The bed below a held ball that hops: it lands at its own moment, not inside a step.
                land = fall_time(b.z, b.vz, p.g, b.floor + p.R)
                h = min(h, max(land, HELD_STEP_LEAST))
            elif b.vz > 0.0:
                # It leaves the bed: were the bed to stop it within a step it would have risen too far.
                h = min(h, max(b.vz / p.g, HELD_STEP_LEAST))
        speed = math.sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz)
        h = min(h, HELD_TRAVEL / (speed + 1e-3))
        if amid(b.x, b.y, HELD_TRAVEL, p):
            continue
        far = plan_reach(b.z, h * (speed + 1e-3) + 1e-9, p)
        _d, _nx, _ny, nearest = plan_distance(b.x, b.y, far, noses)
        free = clear_time(
            b.x, b.y, b.z, b.vx, b.vy, b.vz, speed + 1e-3, speed * speed / (0.5 * p.R) + p.g,
            HELD_REACH, nearest, h, p, noses, pockets,
        )  # fmt: skip
        h = min(h, max(free, HELD_STEP_LEAST))
    return h


@kernel
def on_held(i, t, balls, n, p, noses, pockets, struck, members, work, dirty, events, summary):
    """The next step of held ball i and of every ball it touches."""
    advance(balls[i], p, t)
    # All held members keep their own clocks; bring the group to now.
    gather_group(balls, n, i, t, p, members)
    first = 0
    for q in range(n):
        if members[q] == 1:
            dirty[q] = 1
            if balls[q].leans == 2:
                first = 1
    drop_the_gone(t, balls, n, members, p, struck, events, summary)
    for _ in range(HELD_ROUNDS):
        if impacts_in_group(t, balls, n, p, noses, pockets, struck, members, events, summary) == 0:
            break
        first = 1
    h = step_length(balls, n, members, p, noses, pockets)
    contacts = held_step(balls, n, members, t, h, p, noses, pockets, work)
    if contacts < 0:
        for q in range(n):
            if members[q] == 1:
                halt(balls[q])
        contacts = held_step(balls, n, members, t, h, p, noses, pockets, work)
    for _ in range(HELD_TRIALS):
        if deepest(balls, n, members, h, p, noses, pockets) < HELD_DEPTH:
            break
        h *= 0.5
        contacts = held_step(balls, n, members, t, h, p, noses, pockets, work)
    release_or_go_on(balls, n, members, t, h, contacts, first, p, work, struck, events, summary)


@kernel
def release_or_go_on(balls, n, members, t, h, contacts, first, p, work, struck, events, summary):
    """After a held step was solved: balls whose contacts push no more go free, the rest step on.

    A group without any motion left comes to rest. On the flat bed nothing drives it on, and what creeps there
    only opens its gaps to HELD_GAP, with the little energy that is left.
    """
    still = True
    creeps = True
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        v = abs(b.vx) + abs(b.vy) + abs(b.vz)
        w = abs(b.wx) + abs(b.wy) + abs(b.wz)
        dv = h * (abs(b.ax) + abs(b.ay) + abs(b.az))
        dw = h * (abs(b.bx) + abs(b.by) + abs(b.bz))
        if v + w + dv + dw > 1e-9:
            still = False
        flat = b.pocket < 0 and b.z <= b.floor + p.R
        if not flat or v + dv + p.R * (w + dw) > HELD_CREEP:
            creeps = False
    still = still or creeps
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        if still:
            leans = b.leans
            stop(b)
            b.state = RESTING
            b.leans = min(leans, 1)
            row = log_event(balls, t, ROLL_TO_REST, q, NONE, struck, events, summary)
            log_after(balls, row, events)
            continue
        pushed = first == 1 and b.leans > 0
        for r in range(contacts):
            c = work[r]
            if c.bed == 1 or (c.ball != q and c.other != q):
                continue
            # A gap below zero is closed first: free balls may not overlap.
            if c.jn > 0.0 or c.open < 1e-6 or c.gap < 0.0:
                pushed = True
        was = b.state
        if pushed:
            b.state = HELD
            b.end = t + h
            b.hit_t = math.inf
            continue
        if b.pocket < 0 and b.z <= b.floor + p.R + HELD_REACH and b.vz + h * b.az <= 1e-6:
            b.vz = 0.0
        begin(b, p)
        b.leans = 0
        if was == HELD:
            row = log_event(balls, t, RELEASE, q, NONE, struck, events, summary)
            log_after(balls, row, events)
