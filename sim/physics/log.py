"""Writing down what happens: events with velocities before and after, and segments of motion."""

from __future__ import annotations

from sim.physics.arrays import BALL_BALL, CUE_STRIKE, CUSHION, JAW, ONE, PUSH, TIP_AGAIN, ZERO
from sim.physics.kernel import kernel


@kernel
def put_motion(row, k, b):
    """Velocity and spin of b into row[k]."""
    row[k, 0] = b.vx
    row[k, 1] = b.vy
    row[k, 2] = b.vz
    row[k, 3] = b.wx
    row[k, 4] = b.wy
    row[k, 5] = b.wz


@kernel
def log_event(balls, t, kind, i, other, struck, events, summary):
    """Count an event and write its `before`; returns its row, or -1 if nothing is being written.

    `other` is a row of `balls` for BALL_BALL and PUSH, else an index of a cushion or pocket, or -1.
    """
    row = summary.n_events
    summary.n_events += 1
    if kind == BALL_BALL:
        if summary.first_contact < 0 and (i == struck or other == struck):
            summary.first_contact = other if i == struck else i
    elif kind == CUSHION or kind == JAW:
        summary.cushion_mask |= 1 << i
        if summary.first_contact >= 0:
            summary.cushion_after_mask |= 1 << i
    elif kind == TIP_AGAIN:
        summary.stick_flags |= 2
    elif kind == PUSH:
        summary.stick_flags |= 4
    if i == struck and kind != CUE_STRIKE:
        summary.cue_top = max(summary.cue_top, balls[i].z)
    if row >= events.shape[0]:
        return -1
    e = events[row]
    b = balls[i]
    e.t = t
    e.kind = kind
    e.ball = i
    e.other = other
    e.x = b.x
    e.y = b.y
    e.z = b.z
    put_motion(e.before, ZERO, b)
    put_motion(e.after, ZERO, b)
    if kind == BALL_BALL or kind == PUSH:
        put_motion(e.before, ONE, balls[other])
        put_motion(e.after, ONE, balls[other])
    return row


@kernel
def log_after(balls, row, events):
    """Write the `after` of an event already logged."""
    if row < 0:
        return
    e = events[row]
    put_motion(e.after, ZERO, balls[e.ball])
    if e.kind == BALL_BALL or e.kind == PUSH:
        put_motion(e.after, ONE, balls[e.other])


@kernel
def log_segment(balls, i, segments, summary):
    """Write the segment that ball i begins now."""
    row = summary.n_segments
    summary.n_segments += 1
    if row >= segments.shape[0]:
        return
    b = balls[i]
    s = segments[row]
    s.t = b.t
    s.end = b.end
    s.ball = i
    s.state = b.state
    s.x = b.x
    s.y = b.y
    s.z = b.z
    s.vx = b.vx
    s.vy = b.vy
    s.vz = b.vz
    s.wx = b.wx
    s.wy = b.wy
    s.wz = b.wz
    s.ax = b.ax
    s.ay = b.ay
    s.az = b.az
    s.bx = b.bx
    s.by = b.by
    s.bz = b.bz
