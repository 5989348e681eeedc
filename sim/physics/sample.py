"""States at given times, from the segments a shot wrote down.

Position and velocity are the segment's own quadratics, so they are exact. Orientation is carried along with
the fourth-order Magnus expansion: the rotation over a step is exp of its mean spin plus a commutator
from the spin at the two Gauss points, in steps small enough for 1e-6 rad over a shot.
"""

from __future__ import annotations

import math

from sim.physics.arrays import HELD, POCKETED, ROLLING, SLIDING, SPINNING
from sim.physics.kernel import entry, kernel

# Rotation error allowed per second, rad.
TOLERANCE = 3e-8


@kernel
def spin_at(s, h, decay):
    """Spin of segment s after h seconds."""
    wx = s.wx + h * s.bx
    wy = s.wy + h * s.by
    wz = s.wz
    if s.state == SPINNING or s.state == ROLLING or s.state == SLIDING:
        left = abs(wz) - decay * h
        wz = math.copysign(left, wz) if left > 0.0 else 0.0
    elif s.state == HELD:
        wz += h * s.bz
    return wx, wy, wz


@kernel
def turn(s, a, b, decay, q):
    """Rotate quaternion q (w, x, y, z) by the spin of segment s from a to b seconds after its start."""
    span = b - a
    if span <= 0.0:
        return
    wx, wy, wz = spin_at(s, a, decay)
    ux, uy, uz = spin_at(s, b, decay)
    # What turns the axis makes the error; a change of spin along the axis commutes.
    cx = wy * uz - wz * uy
    cy = wz * ux - wx * uz
    cz = wx * uy - wy * ux
    turning = math.sqrt(cx * cx + cy * cy + cz * cz) / span
    rate2 = max(wx * wx + wy * wy + wz * wz, ux * ux + uy * uy + uz * uz)
    count = 1
    if turning * rate2 > 1e-9:
        step = (720.0 * TOLERANCE / (turning * rate2)) ** 0.25
        count = min(int(span / step) + 1, 1000000)
    d = span / count
    gauss = 0.5 / math.sqrt(3.0)
    for k in range(count):
        t = a + (k + 0.5) * d
        wx, wy, wz = spin_at(s, t - gauss * d, decay)
        ux, uy, uz = spin_at(s, t + gauss * d, decay)
        f = math.sqrt(3.0) / 12.0 * d * d
        rx = 0.5 * d * (wx + ux) + f * (uy * wz - uz * wy)
        ry = 0.5 * d * (wy + uy) + f * (uz * wx - ux * wz)
        rz = 0.5 * d * (wz + uz) + f * (ux * wy - uy * wx)
        half = 0.5 * math.sqrt(rx * rx + ry * ry + rz * rz)
        c = math.cos(half)
        f = 0.5 * math.sin(half) / half if half > 1e-12 else 0.5
        rx *= f
        ry *= f
        rz *= f
        w0 = q[0]
        x0 = q[1]
        y0 = q[2]
        z0 = q[3]
        q[0] = c * w0 - rx * x0 - ry * y0 - rz * z0
        q[1] = c * x0 + rx * w0 + ry * z0 - rz * y0
        q[2] = c * y0 - rx * z0 + ry * w0 + rz * x0
        q[3] = c * z0 + rx * y0 - ry * x0 + rz * w0
    norm = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for k in range(4):
        q[k] /= norm


@entry
def sample(segments, first, times, gone, decay, q, out):
    """Fill out (T, B, 13) with position, quaternion, velocity, spin.

    segments: SEGMENT array sorted by ball, then time; first (B + 1,): where each ball's begin.
    times (T,): ascending, inside the shot; gone (B,): when each ball was pocketed or left (inf: never).
    q (4,): scratch.
    """
    for ball in range(first.shape[0] - 1):
        k = first[ball]
        last = first[ball + 1] - 1
        q[0] = 1.0
        q[1] = 0.0
        q[2] = 0.0
        q[3] = 0.0
        done = 0.0
        for i in range(times.shape[0]):
            t = min(times[i], gone[ball])
            while k < last and segments[k + 1].t <= t:
                s = segments[k]
                turn(s, done, segments[k + 1].t - s.t, decay, q)
                k += 1
                done = 0.0
            s = segments[k]
            h = t - s.t
            if s.state == 0 or s.state >= POCKETED:
                h = 0.0
            turn(s, done, h, decay, q)
            done = max(done, h)
            row = out[i, ball]
            row[0] = s.x + h * (s.vx + 0.5 * h * s.ax)
            row[1] = s.y + h * (s.vy + 0.5 * h * s.ay)
            row[2] = s.z + h * (s.vz + 0.5 * h * s.az)
            for c in range(4):
                row[3 + c] = q[c]
            row[7] = s.vx + h * s.ax
            row[8] = s.vy + h * s.ay
            row[9] = s.vz + h * s.az
            row[10], row[11], row[12] = spin_at(s, h, decay)
