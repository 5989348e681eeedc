"""What happens at each kind of event: the state of the balls in it, before to after.

Every handler leaves each ball it touched at the event's time with a segment begun; `dirty` marks them,
and the loop then looks ahead anew for exactly those.
"""

from __future__ import annotations

import math

from sim.physics.arrays import (
    AIRBORNE,
    BALL_BALL,
    BED,
    HELD,
    HELD_REACH,
    HOLD,
    IN_POCKET,
    JAW,
    LAND,
    LEFT_TABLE,
    LINER,
    NONE,
    OFF_TABLE,
    POCKET_EDGE,
    POCKET_EXIT,
    POCKETED,
    PUSH,
    RELEASE,
    RESTING,
    ROLL_TO_REST,
    ROLL_TO_SPIN,
    ROLLING,
    SLIDE_TO_ROLL,
    SLIDING,
    SPIN_TO_REST,
    STILL,
    TAKEOFF,
)
from sim.physics.contact.ball_ball import ball_ball_impact
from sim.physics.contact.cluster import find_cluster, presses_on_bed, resolve_cluster
from sim.physics.contact.held import gather_group, held_step
from sim.physics.contact.surface import settle, table_impact
from sim.physics.detect.flight import fall_time
from sim.physics.detect.surface import borne_by_edge, clear_time, edge_gap, hole_of, nose_gap
from sim.physics.kernel import kernel
from sim.physics.log import log_after, log_event, put_motion
from sim.physics.motion import advance, begin

# The longest step of a held ball, s, and the shortest.
HELD_STEP = 7e-4
HELD_STEP_LEAST = 1e-6
# A faster approach than this inside a held group is an impact, m/s: half a micrometre in a step.
HELD_APPROACH = 1e-3
# ... and how far it may travel in one, m: keeps its overlap under 1 um on the tightest curve.
HELD_TRAVEL = 1.5e-3


@kernel
def depart(i, was, balls, p, struck, events, summary):
    """Let the bed answer ball i, begin its segment, and note a takeoff. `was`: its state before."""
    b = balls[i]
    flew = was == AIRBORNE or was == HELD
    settle(b, p)
    begin(b, p)
    if b.state == AIRBORNE and not flew:
        row = log_event(balls, b.t, TAKEOFF, i, NONE, struck, events, summary)
        log_after(balls, row, events)


@kernel
def hold(i, t, balls, p, struck, events, summary):
    """Ball i is pressed: from now on it moves in held steps."""
    b = balls[i]
    if b.state != HELD:
        row = log_event(balls, t, HOLD, i, NONE, struck, events, summary)
        log_after(balls, row, events)
    b.state = HELD
    b.end = t
    b.hit_t = math.inf
    b.leans = 2  # its first step is taken whatever its contacts say
    b.ax = 0.0
    b.ay = 0.0
    b.az = 0.0
    b.bx = 0.0
    b.by = 0.0
    b.bz = 0.0


@kernel
def on_meeting(
    i, j, t, balls, n, p, struck, tip_until, members, work, touches, prior, dirty, events, summary
):
    """Balls i and j meet."""
    a = balls[i]
    b = balls[j]
    advance(a, p, t)
    advance(b, p, t)
    nx = b.x - a.x
    ny = b.y - a.y
    nz = b.z - a.z
    d = math.sqrt(nx * nx + ny * ny + nz * nz)
    approach = ((a.vx - b.vx) * nx + (a.vy - b.vy) * ny + (a.vz - b.vz) * nz) / d
    dirty[i] = 1
    dirty[j] = 1
    if approach <= STILL:
        hold(i, t, balls, p, struck, events, summary)
        hold(j, t, balls, p, struck, events, summary)
        return
    if (i == struck or j == struck) and t < tip_until:
        row = log_event(balls, t, PUSH, i, j, struck, events, summary)
        log_after(balls, row, events)
    k = find_cluster(balls, n, i, j, approach, p, members)
    if k == 2 and not presses_on_bed(a, b, p):
        was_a = a.state
        was_b = b.state
        row = log_event(balls, t, BALL_BALL, i, j, struck, events, summary)
        ball_ball_impact(a, b, p)
        settle(a, p)
        settle(b, p)
        log_after(balls, row, events)
        depart(i, was_a, balls, p, struck, events, summary)
        depart(j, was_b, balls, p, struck, events, summary)
        return
    for q in range(k):
        m = members[q]
        advance(balls[m], p, t)
        put_motion(prior, m, balls[m])
    count = resolve_cluster(balls, members, k, p, work, touches)
    log_cluster(balls, members, k, count, t, touches, prior, dirty, p, struck, events, summary)


@kernel
def log_cluster(balls, members, k, count, t, touches, prior, dirty, p, struck, events, summary):
    """Log the touches of a cluster in their order, and send its balls on.

    Events carry what a ball had before the cluster and after it; balls that were never touched are left.
    """
    for q in range(count):
        for side in range(2):
            m = touches[q, side]
            if dirty[m] == 0:
                dirty[m] = 1
    first = summary.n_events
    for q in range(count):
        log_event(balls, t, BALL_BALL, touches[q, 0], touches[q, 1], struck, events, summary)
    for q in range(k):
        m = members[q]
        if dirty[m] == 1:
            was = balls[m].state
            depart(m, was, balls, p, struck, events, summary)
    # `before` is what they had on entering; `after` what they have now.
    for q in range(count):
        row = first + q
        if row < events.shape[0]:
            e = events[row]
            for side in range(2):
                m = touches[q, side]
                for c in range(6):
                    e.before[side, c] = prior[m, c]
            log_after(balls, row, events)


@kernel
def on_hit(i, t, balls, p, noses, pockets, struck, dirty, events, summary):
    """Ball i meets the table: bed, nose, liner, rail top, the slate's edge, the pocket's depth, the outside."""
    b = balls[i]
    advance(b, p, t)
    dirty[i] = 1
    kind = b.hit_kind
    index = b.hit_index
    was = b.state
    if kind == BED:
        b.z = b.floor + p.R
        back = b.pocket
        b.pocket = -1
        row = log_event(balls, t, BED, i, NONE, struck, events, summary)
        table_impact(b, p, BED, 0.0, 0.0, 1.0)
        log_after(balls, row, events)
        if b.vz == 0.0 and row >= 0:
            events[row].kind = LAND
        if back >= 0:
            row = log_event(balls, t, POCKET_EXIT, i, back, struck, events, summary)
            log_after(balls, row, events)
        begin(b, p)
        return
    if kind == IN_POCKET:
        row = log_event(balls, t, IN_POCKET, i, index, struck, events, summary)
        b.state = POCKETED
        b.pocket = index
        stop(b)
        log_after(balls, row, events)
        return
    if kind == LEFT_TABLE:
        row = log_event(balls, t, LEFT_TABLE, i, NONE, struck, events, summary)
        log_after(balls, row, events)
        b.state = OFF_TABLE
        stop(b)
        return
    if kind == POCKET_EDGE and was != AIRBORNE:
        # The slate ends: slow balls pivot over the edge, fast ones fly (engine.md 7).
        row = log_event(balls, t, POCKET_EDGE, i, index, struck, events, summary)
        log_after(balls, row, events)
        s = pockets[index]
        px = b.x - s.x
        py = b.y - s.y
        inward = (b.vx * px + b.vy * py) / math.sqrt(px * px + py * py)
        b.pocket = index
        if inward * inward < p.g * (p.R + p.edge_r):
            hold(i, t, balls, p, struck, events, summary)
        else:
            begin(b, p)
        return
    if was == AIRBORNE:
        near = nose_gap(b.x, b.y, b.z, p, noses)
        edge = edge_gap(b.x, b.y, b.z, p, pockets)
        if edge[0] < near[0]:
            near = edge
            index = near[5]
        kind = near[4]
        nx = near[1]
        ny = near[2]
        nz = near[3]
        if kind != POCKET_EDGE and (kind != LINER or edge[0] != near[0]):
            index = cushion_or_pocket(noses[near[5]], kind)
    else:
        s = noses[index]
        nx, ny = bed_normal(b, s)
        c = p.reach / p.R
        nx *= c
        ny *= c
        nz = (b.z - p.nose) / p.R
        index = cushion_or_pocket(s, kind)
    approach = -(b.vx * nx + b.vy * ny + b.vz * nz)
    if approach <= STILL:
        hold(i, t, balls, p, struck, events, summary)
        return
    row = log_event(balls, t, kind, i, index, struck, events, summary)
    table_impact(b, p, kind, nx, ny, nz)
    log_after(balls, row, events)
    if kind == LINER:
        hole, _rho = hole_of(b.x, b.y, p, pockets)
        b.pocket = hole
    depart(i, was, balls, p, struck, events, summary)


@kernel
def cushion_or_pocket(s, kind):
    """What an event's `other` is for nose s: the cushion, or the pocket for jaws and liners."""
    if kind == JAW or kind == LINER:
        return s.pocket
    return s.cushion


@kernel
def bed_normal(b, s):
    """Plan unit normal of nose piece s towards ball b."""
    if s.kind == 0:
        return s.nx, s.ny
    px = b.x - s.x
    py = b.y - s.y
    d = math.sqrt(px * px + py * py)
    return px / d, py / d


@kernel
def stop(b):
    """Take a ball out of play: it keeps its last place and moves no more."""
    b.vx = 0.0
    b.vy = 0.0
    b.vz = 0.0
    b.wx = 0.0
    b.wy = 0.0
    b.wz = 0.0
    b.ax = 0.0
    b.ay = 0.0
    b.az = 0.0
    b.bx = 0.0
    b.by = 0.0
    b.bz = 0.0
    b.end = math.inf
    b.hit_t = math.inf


@kernel
def on_transition(i, t, balls, p, struck, events, summary, dirty):
    """A ball's own phase ends: slide to roll, roll to rest or spin, spin to rest."""
    b = balls[i]
    advance(b, p, t)
    dirty[i] = 1
    was = b.state
    kind = SLIDE_TO_ROLL
    if was == SLIDING:
        b.wx = -b.vy / p.R
        b.wy = b.vx / p.R
    elif was == ROLLING:
        b.vx = 0.0
        b.vy = 0.0
        b.wx = 0.0
        b.wy = 0.0
        kind = ROLL_TO_SPIN if b.wz != 0.0 else ROLL_TO_REST
    else:
        b.wz = 0.0
        kind = SPIN_TO_REST
    begin(b, p)
    row = log_event(balls, t, kind, i, NONE, struck, events, summary)
    log_after(balls, row, events)


@kernel
def outer_time(b, p):
    """Time until a ball at its present speed passes the table's outer edge; 0 if it is past it."""
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
def on_held(i, t, balls, n, p, noses, pockets, struck, members, work, dirty, events, summary):
    """The next step of held ball i and of every ball it touches."""
    advance(balls[i], p, t)
    # All held members keep their own clocks; bring the group to now.
    gather_group(balls, n, i, t, p, members)
    h = HELD_STEP
    first = 0
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        dirty[q] = 1
        if b.leans == 2:
            first = 1
        if b.z < -p.R and b.pocket >= 0:
            # It slid down the liner: pocketed like one that fell.
            row = log_event(balls, t, IN_POCKET, q, b.pocket, struck, events, summary)
            stop(b)
            b.state = POCKETED
            log_after(balls, row, events)
            members[q] = 0
            continue
        outside = outer_time(b, p)
        if outside <= 0.0:
            # It rolled along the rail's top past the outer edge.
            row = log_event(balls, t, LEFT_TABLE, q, NONE, struck, events, summary)
            log_after(balls, row, events)
            stop(b)
            b.state = OFF_TABLE
            members[q] = 0
            continue
        h = min(h, max(outside, HELD_STEP_LEAST))
        for surface in range(2):
            if surface == 0:
                near = nose_gap(b.x, b.y, b.z, p, noses)
            else:
                if borne_by_edge(b, p, pockets) < 0:
                    continue
                near = edge_gap(b.x, b.y, b.z, p, pockets)
            rate = b.vx * near[1] + b.vy * near[2] + b.vz * near[3]
            if near[0] < HELD_REACH and rate < -HELD_APPROACH:
                kind = near[4]
                index = near[5]
                if surface == 0:
                    index = cushion_or_pocket(noses[index], kind)
                row = log_event(balls, t, kind, q, index, struck, events, summary)
                table_impact(b, p, kind, near[1], near[2], near[3])
                log_after(balls, row, events)
                first = 1
        if borne_by_edge(b, p, pockets) < 0 and b.z > b.floor:
            # The bed below a held ball that hops: it lands at its own moment, not inside a step.
            if b.z > b.floor + p.R + HELD_REACH:
                land = fall_time(b.z, b.vz, p.g, b.floor + p.R)
                h = min(h, max(land, HELD_STEP_LEAST))
            elif b.vz < -HELD_APPROACH:
                b.z = b.floor + p.R
                row = log_event(balls, t, BED, q, NONE, struck, events, summary)
                table_impact(b, p, BED, 0.0, 0.0, 1.0)
                log_after(balls, row, events)
        speed = math.sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz)
        free = clear_time(
            b.x, b.y, b.z, b.vx, b.vy, b.vz, speed + 1e-3, speed * speed / (0.5 * p.R) + p.g,
            HELD_REACH, p, noses, pockets,
        )  # fmt: skip
        h = min(h, HELD_TRAVEL / (speed + 1e-3), max(free, HELD_STEP_LEAST))
    for q in range(n):
        if members[q] == 0:
            continue
        for r in range(q + 1, n):
            if members[r] == 0:
                continue
            a = balls[q]
            b = balls[r]
            nx = b.x - a.x
            ny = b.y - a.y
            nz = b.z - a.z
            d = math.sqrt(nx * nx + ny * ny + nz * nz)
            closing = ((a.vx - b.vx) * nx + (a.vy - b.vy) * ny + (a.vz - b.vz) * nz) / d
            if d - 2.0 * p.R < HELD_REACH and closing > HELD_APPROACH:
                row = log_event(balls, t, BALL_BALL, q, r, struck, events, summary)
                ball_ball_impact(a, b, p)
                log_after(balls, row, events)
                first = 1
    contacts = held_step(balls, n, members, t, h, p, noses, pockets, work)
    release_or_go_on(balls, n, members, t, h, contacts, first, p, work, struck, events, summary)


@kernel
def release_or_go_on(balls, n, members, t, h, contacts, first, p, work, struck, events, summary):
    """After a held step was solved: balls whose contacts push no more go free, the rest step on.

    A group without any motion left comes to rest.
    """
    still = True
    for q in range(n):
        if members[q] == 0:
            continue
        b = balls[q]
        moving = abs(b.vx) + abs(b.vy) + abs(b.vz) + abs(b.wx) + abs(b.wy) + abs(b.wz)
        moving += h * (abs(b.ax) + abs(b.ay) + abs(b.az) + abs(b.bx) + abs(b.by) + abs(b.bz))
        if moving > 1e-9:
            still = False
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
            if c.bed == 0 and (c.ball == q or c.other == q) and (c.jn > 0.0 or c.open < 1e-6):
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
