"""The event loop: one compiled entry for one shot or a batch of them.

Each ball carries its own clock and one quadratic. The loop takes the earliest of all foreseen events, lets
its handler change the balls in it, and looks ahead anew for those only: cost grows with events.
"""

from __future__ import annotations

import math

import numpy as np

from sim.physics.arrays import (
    AIRBORNE,
    BALL_BALL,
    CUE_STRIKE,
    DONE,
    EVENT_LIMIT,
    HELD,
    HELD_REACH,
    HOLD,
    LEFT_TABLE,
    MISCUE,
    NONE,
    NOT_A_NUMBER,
    OFF_TABLE,
    POCKETED,
    PRESS,
    REST_SPEED,
    RESTING,
    ROLL_TO_REST,
    ROLLING,
    SLIDE_TO_ROLL,
    SLIDING,
    SPIN_TO_REST,
    SPINNING,
    STICK_BLOCKED,
    STICK_TOUCH,
    STILL,
    TIE,
    TIME_LIMIT,
    TIP_AGAIN,
    TOUCH,
)
from sim.physics.contact.tip import least_elevation, stick_axes, tip_impact
from sim.physics.detect.ball_ball import meeting_time
from sim.physics.detect.ball_cushion import bed_contact
from sim.physics.detect.flight import flight_contact
from sim.physics.handle import depart, on_hit, on_meeting, on_transition
from sim.physics.handle_held import on_held
from sim.physics.kernel import entry, inlined, kernel
from sim.physics.log import log_after, log_event, log_segment
from sim.physics.motion import advance, begin, sweep
from sim.physics.roots import first_fall

# Of one shot: 75 MB of them, and half a minute of held steps at the worst.
MOST_SEGMENTS = np.int64(500_000)
# Slow impacts without end in one instant are a persistent contact: after so many, approaches under REST_SPEED
# are held. Where friction wedges a spinning ball they would go on until its spin is spent.
CROWD = np.int64(300)
# After every kind of event.
NO_KIND = np.int64(1000)


@kernel
def foresee(i, balls, n, p, noses, pockets, meet, now):
    """Look ahead for ball i: its next contact with the table, and with each other ball."""
    b = balls[i]
    gone = b.state == POCKETED or b.state == OFF_TABLE
    b.hit_t = math.inf
    if b.state == AIRBORNE:
        flight_contact(b, p, noses, pockets)
    elif b.state == SLIDING or b.state == ROLLING:
        sweep(b, p.t_max)
        bed_contact(b, p, noses, pockets)
    sweep(b, p.t_max)
    limit = min(b.end, b.hit_t, p.t_max)
    for j in range(n):
        if j == i:
            continue
        o = balls[j]
        t = math.inf
        if not (
            gone
            or o.state == POCKETED
            or o.state == OFF_TABLE
            or (b.state <= SPINNING and o.state <= SPINNING)
            or (b.state == HELD and o.state == HELD and touching(b, o, p, now))
        ):
            horizon = min(limit, o.end, o.hit_t)
            if i < j:
                t = meeting_time(b, o, p, now, horizon)
            else:
                t = meeting_time(o, b, p, now, horizon)
        meet[min(i, j), max(i, j)] = t


@kernel
def touching(a, b, p, now):
    """Whether two held balls are in one group, by the same reach as `gather_group`: else they may meet."""
    s = now - b.t
    r = now - a.t
    dx = b.x + s * (b.vx + 0.5 * s * b.ax) - a.x - r * (a.vx + 0.5 * r * a.ax)
    dy = b.y + s * (b.vy + 0.5 * s * b.ay) - a.y - r * (a.vy + 0.5 * r * a.ay)
    dz = b.z + s * (b.vz + 0.5 * s * b.az) - a.z - r * (a.vz + 0.5 * r * a.az)
    d = 2.0 * p.R + HELD_REACH
    return dx * dx + dy * dy + dz * dz < d * d


@kernel
def phase_end_kind(state):
    """Which event the end of a segment is."""
    if state == SLIDING:
        return SLIDE_TO_ROLL
    if state == ROLLING:
        return ROLL_TO_REST
    if state == HELD:
        return HOLD
    return SPIN_TO_REST


@kernel
def next_event(balls, n, meet):
    """The event to handle now: (time, kind, i, j). Ties within TIE go by kind, then by row."""
    first = math.inf
    meeting = math.inf
    for i in range(n):
        b = balls[i]
        first = min(first, b.end, b.hit_t)
        for j in range(i + 1, n):
            if meet[i, j] < meeting:
                meeting = meet[i, j]
    first = min(first, meeting)
    limit = first + TIE
    kind = NO_KIND
    at_i = NONE
    at_j = NONE
    if first == math.inf:
        return first, kind, at_i, at_j
    for i in range(n):
        b = balls[i]
        if b.hit_t <= limit and b.hit_kind < kind:
            kind = b.hit_kind
            at_i = i
            at_j = NONE
        if b.end <= limit:
            k = phase_end_kind(b.state)
            if k < kind:
                kind = k
                at_i = i
                at_j = NONE
        if meeting > limit:
            continue
        for j in range(i + 1, n):
            if meet[i, j] <= limit and kind > BALL_BALL:
                kind = BALL_BALL
                at_i = i
                at_j = j
    return first, kind, at_i, at_j


@kernel
def strike(balls, n, p, s, stick, struck, events, summary):
    """The stroke at t = 0. Fills `stick` for the follow-through; returns a status."""
    b = balls[s.row]
    least = least_elevation(balls, n, p, s)
    summary.least_elevation = least
    elevation = s.elevation
    if elevation < 0.0:
        elevation = least
    elif elevation < least - 1e-9:
        if s.touch_allowed == 0:
            return STICK_BLOCKED
        summary.stick_flags |= 8
        row = log_event(balls, 0.0, STICK_TOUCH, s.row, NONE, struck, events, summary)
        log_after(balls, row, events)
    summary.elevation = elevation
    row = log_event(balls, 0.0, CUE_STRIKE, s.row, NONE, struck, events, summary)
    lost, miscue = tip_impact(b, p, s, s.speed, elevation, s.side, s.vertical)
    stick[0] = s.speed - lost
    stick[1] = b.x
    stick[2] = b.y
    stick[3] = b.z
    dx, dy, dz, _rx, _ry, _rz, _ux, _uy, _uz = stick_axes(s.azimuth, elevation)
    stick[4] = dx
    stick[5] = dy
    stick[6] = dz
    stick[7] = 0.0  # how far the tip had come ...
    stick[8] = 0.0  # ... at this time
    was = b.state
    if miscue == 1:
        summary.stick_flags |= 1
    depart(s.row, was, balls, p, struck, events, summary)
    log_after(balls, row, events)
    # The bed answers while the tip is still on the ball: the stick is carried along, and does not meet
    # the ball again only because the bed threw it back.
    stick[0] = min(stick[0], b.vx * dx + b.vy * dy + b.vz * dz)
    if miscue == 1:
        row = log_event(balls, 0.0, MISCUE, s.row, NONE, struck, events, summary)
        log_after(balls, row, events)
    return DONE


@kernel
def tip_time(b, p, s, stick, now):
    """When the following tip reaches the struck ball again; inf if it does not."""
    speed = stick[0]
    if speed <= 0.0 or stick[7] >= s.follow or b.state == POCKETED or b.state == OFF_TABLE:
        return math.inf
    until = min(stick[8] + (s.follow - stick[7]) / speed, s.follow_time)
    horizon = min(until, b.end, b.hit_t) - now
    if horizon <= 0.0:
        return math.inf
    h = now - b.t
    dx = stick[4]
    dy = stick[5]
    dz = stick[6]
    x = b.x + h * (b.vx + 0.5 * h * b.ax) - stick[1]
    y = b.y + h * (b.vy + 0.5 * h * b.ay) - stick[2]
    z = b.z + h * (b.vz + 0.5 * h * b.az) - stick[3]
    ahead = x * dx + y * dy + z * dz - stick[7] - speed * (now - stick[8])
    rate = (b.vx + h * b.ax) * dx + (b.vy + h * b.ay) * dy + (b.vz + h * b.az) * dz - speed
    bend = 0.5 * (b.ax * dx + b.ay * dy + b.az * dz)
    t = first_fall(ahead, rate, bend, 0.0, 0.0, horizon, TOUCH, STILL, PRESS)
    return now + t


@kernel
def tip_again(balls, t, p, s, stick, struck, elevation, events, summary):
    """The tip reaches the ball a second time: another impact, where the tip now meets it.

    Returns 1 if it met the ball, 0 if the ball has moved out of its line.
    """
    b = balls[s.row]
    advance(b, p, t)
    dx, dy, dz, rx, ry, rz, ux, uy, uz = stick_axes(s.azimuth, elevation)
    x = b.x - stick[1]
    y = b.y - stick[2]
    z = b.z - stick[3]
    side = s.side - (x * rx + y * ry + z * rz) / p.R
    vertical = s.vertical - (x * ux + y * uy + z * uz) / p.R
    stick[7] += stick[0] * (t - stick[8])
    stick[8] = t
    if side * side + vertical * vertical >= 1.0:
        stick[0] = 0.0
        begin(b, p)
        return 0
    row = log_event(balls, t, TIP_AGAIN, s.row, NONE, struck, events, summary)
    own = b.vx * dx + b.vy * dy + b.vz * dz
    was = b.state
    closing = stick[0] - own
    lost, _miscue = tip_impact(b, p, s, closing, elevation, side, vertical)
    stick[0] -= lost
    if closing < REST_SPEED:
        stick[0] = 0.0  # it leans on the ball, and the hand yields
    depart(s.row, was, balls, p, struck, events, summary)
    log_after(balls, row, events)
    return 1


@kernel
def wake(i, balls, n, p, now, outside):
    """Balls that leaned on ball i must look again: i moves, or (`outside`) something not of the group changed it.

    A held step was solved for the whole group; after a blow from outside its forces are no longer true.
    """
    a = balls[i]
    d = 2.0 * p.R + 4.0 * HELD_REACH
    for j in range(n):
        o = balls[j]
        if j == i or not (
            (o.state == RESTING and o.leans == 1) or (outside and o.state == HELD and o.end > now)
        ):
            continue
        s = now - o.t if o.state == HELD else 0.0
        dx = o.x + s * (o.vx + 0.5 * s * o.ax) - a.x
        dy = o.y + s * (o.vy + 0.5 * s * o.ay) - a.y
        dz = o.z + s * (o.vz + 0.5 * s * o.az) - a.z
        if dx * dx + dy * dy + dz * dz < d * d:
            o.end = now
            if o.state == RESTING:
                o.t = now
                o.state = HELD
                o.leans = 2


@inlined
def play(balls, n, s, p, noses, pockets, max_events, scratch, events, segments, summary):
    """Run one shot to its end. Returns its status."""
    meet, members, cluster, touches, prior, dirty, held, stick = scratch
    struck = s.row
    status = DONE
    for i in range(n):
        begin(balls[i], p)
        balls[i].leans = 0
    if struck >= 0:
        status = strike(balls, n, p, s, stick, struck, events, summary)
        if status != DONE:
            return status
    tip_until = s.contact_time if struck >= 0 else -1.0
    for i in range(n):
        sweep(balls[i], p.t_max)
        log_segment(balls, i, segments, summary)
    for i in range(n):
        foresee(i, balls, n, p, noses, pockets, meet, 0.0)
    now = 0.0
    instant = 0.0
    crowd = 0
    while True:
        t, kind, i, j = next_event(balls, n, meet)
        if struck >= 0 and stick[0] > 0.0:
            again = tip_time(balls[struck], p, s, stick, now)
            if again <= t:
                t = again
                kind = TIP_AGAIN
                i = struck
        if t == math.inf:
            # Nothing more will happen; a ball that moves all the same (no friction) never ends.
            for q in range(n):
                if balls[q].state > RESTING and balls[q].state < POCKETED:
                    status = TIME_LIMIT
            break
        if t > p.t_max:
            status = TIME_LIMIT
            break
        if not t >= 0.0:
            status = NOT_A_NUMBER
            break
        now = max(t, now)
        if now - instant > TIE:
            instant = now
            crowd = 0
        crowd += 1
        still = STILL if crowd < CROWD else REST_SPEED
        for q in range(n):
            dirty[q] = 0
        if kind == TIP_AGAIN:
            dirty[i] = 1
            tip_again(balls, now, p, s, stick, struck, summary.elevation, events, summary)
        elif kind == BALL_BALL:
            on_meeting(
                i, j, now, balls, n, p, still, struck, tip_until,
                members, cluster, touches, prior, dirty, events, summary,
            )  # fmt: skip
        elif kind == HOLD:
            on_held(
                i, now, balls, n, p, noses, pockets, struck, members, held, dirty, events, summary
            )
        elif kind <= LEFT_TABLE:
            on_hit(i, now, balls, p, still, noses, pockets, struck, dirty, events, summary)
        else:
            on_transition(i, now, balls, p, struck, events, summary, dirty)
        for q in range(n):
            if dirty[q] == 1 and balls[q].state != RESTING:
                wake(q, balls, n, p, now, kind != HOLD)
        for q in range(n):
            if dirty[q] == 1 and not finite(balls[q]):
                return NOT_A_NUMBER
        for q in range(n):
            if dirty[q] == 1:
                foresee(q, balls, n, p, noses, pockets, meet, now)
                log_segment(balls, q, segments, summary)
        if summary.n_events >= max_events or summary.n_segments >= min(
            20 * max_events, MOST_SEGMENTS
        ):
            status = EVENT_LIMIT
            break
    summary.duration = p.t_max if status == TIME_LIMIT else now
    if status != DONE:
        for q in range(n):
            if balls[q].state > RESTING and balls[q].state < POCKETED:
                advance(balls[q], p, summary.duration)
    return status


@kernel
def finite(b):
    """Whether a ball's state is made of numbers."""
    total = b.x + b.y + b.z + b.vx + b.vy + b.vz + b.wx + b.wy + b.wz
    return total - total == 0.0


@entry
def run(
    balls, counts, strokes, p, noses, pockets, max_events,
    meet, members, cluster, touches, prior, dirty, held, stick,
    events, segments, summaries,
):  # fmt: skip
    """Play a batch of shots in place: balls (N, B) BALL, counts (N,), strokes (N,) STROKE.

    events and segments are written for a batch of one; of size 0 they are only counted.
    """
    scratch = (meet, members, cluster, touches, prior, dirty, held, stick)
    for k in range(balls.shape[0]):
        summary = summaries[k]
        summary.status = play(
            balls[k],
            counts[k],
            strokes[k],
            p[0],
            noses,
            pockets,
            max_events,
            scratch,
            events,
            segments,
            summary,
        )
