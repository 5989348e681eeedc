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
    ROLL_TO_REST,
    ROLL_TO_SPIN,
    ROLLING,
    SLIDE_TO_ROLL,
    SLIDING,
    SPIN_TO_REST,
    TAKEOFF,
)
from sim.physics.contact.ball_ball import ball_ball_impact
from sim.physics.contact.cluster import find_cluster, presses_on_bed, resolve_cluster
from sim.physics.contact.surface import settle, table_impact
from sim.physics.detect.surface import edge_gap, hole_of, nose_gap
from sim.physics.kernel import kernel
from sim.physics.log import log_after, log_event, put_motion
from sim.physics.motion import advance, begin


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
    i, j, t, balls, n, p, still, struck, tip_until,
    members, work, touches, prior, dirty, events, summary,
):  # fmt: skip
    """Balls i and j meet. An approach of at most `still` is none, and they are held."""
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
    if approach <= still:
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
def on_hit(i, t, balls, p, still, noses, pockets, struck, dirty, events, summary):
    """Ball i meets the table: bed, nose, liner, rail top, the slate's edge, the pocket's depth, the outside.

    An approach of at most `still` is none, and the ball is held.
    """
    b = balls[i]
    advance(b, p, t)
    dirty[i] = 1
    kind = b.hit_kind
    index = b.hit_index
    was = b.state
    if kind == BED:
        b.z = b.floor + p.R
        # In a tie its turn may come before its moment, while it still rises; by less than can be written down.
        b.vz = min(b.vz, 0.0)
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
        near = nose_gap(b.x, b.y, b.z, math.inf, p, noses)
        edge = edge_gap(b.x, b.y, b.z, math.inf, p, pockets)
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
    if approach <= still:
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
def halt(b):
    """Take all motion from a ball."""
    b.vx = 0.0
    b.vy = 0.0
    b.vz = 0.0
    b.wx = 0.0
    b.wy = 0.0
    b.wz = 0.0


@kernel
def stop(b):
    """Take a ball out of play: it keeps its last place and moves no more."""
    halt(b)
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
