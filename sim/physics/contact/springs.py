"""The springs of a cluster: overlapping balls and beds integrated through their common impact.

Hertz springs along the lines of centres, damped to the pair's restitution at any speed, with
Coulomb friction; the bed is a spring of the same kind. Equations, sources and every threshold:
sim/physics/README.md, "Clusters".
"""

from __future__ import annotations

import math

import numpy as np

from sim.physics.contact.ball_ball import mu_ball
from sim.physics.kernel import kernel

__all__ = [
    "CLOSE",
    "CLUSTER",
    "MAX_MEMBERS",
    "closing_speed",
    "contact_time",
    "damping",
    "fastest_approach",
    "integrate",
]

MAX_MEMBERS = 11

_f, _i = np.float64, np.int64
CLUSTER = np.dtype(
    [
        # of a member
        ("sx", _f), ("sy", _f), ("sz", _f),  # how far it has moved
        ("vx", _f), ("vy", _f), ("vz", _f),
        ("wx", _f), ("wy", _f), ("wz", _f),
        ("jx", _f), ("jy", _f), ("jz", _f),  # impulse of this step over mass
        ("kx", _f), ("ky", _f), ("kz", _f),  # its moment over mass and radius
        ("lies", _i),  # 1: on its floor
        ("hit", _i),  # 1: a pair of it has touched
        # of a pair
        ("i", _i), ("j", _i),  # the members
        ("dx", _f), ("dy", _f), ("dz", _f),  # from i to j at the start
        ("nx", _f), ("ny", _f), ("nz", _f),  # its unit vector
        ("tx", _f), ("ty", _f), ("tz", _f),  # the unit vector where they came to touch
        ("gap", _f),  # at the start
        ("lap", _f),  # overlap
        ("on", _i),  # 1: touching
        ("slip", _f), ("mu", _f),  # greatest slip of this contact and its friction
        ("hx", _f), ("hy", _f), ("hz", _f),  # friction's impulse that keeps it from slipping
        ("first", _f),  # time of the first touch (inf: none yet)
        # of both
        ("held", _f),  # impulse that keeps a pair from approaching, a member above its floor
    ]
)  # fmt: skip

# Contact time of two pool balls at 1 m/s (s); it goes as speed^(-1/5), and as R^(-1/5) m^(2/5).
_T1, _R1, _M1 = 329e-6, 0.028575, 0.170097
_HERTZ = 3.21797  # contact time of x'' = -x^(3/2) from speed 1
_STEPS = 48  # of one contact at the fastest approach
_BLEND = 0.5  # how smoothly damping changes sign between loading and unloading
_E_MIN = 0.02  # the smallest restitution the spring can give
_BED = 2.0 * math.sqrt(2.0)  # spring of a ball on a rigid plane over that of two balls
_HORIZON = 0.25  # contact times without any contact after which an impact is over
CLOSE = 5e-8  # gaps (m) taken as touching: rounding and held contacts, not geometry
# Overlap (m) from which a pair counts as touching: above rounding, which thus stirs no ball.
_TOUCHED = 1e-12
# Friction of one step: what the last one held and this part of the slip, plus that part once. With
# them six contacts of one ball stay stable.
_KEEP, _ONCE = 0.3, 0.4
_SLOW = 2e-4  # contacts that could only give this part of the fastest approach back are ended
_LONGEST = 60.0  # contact times after which what is left is settled without rebound


@kernel
def contact_time(p):
    """Contact time (s) of two balls that meet at 1 m/s; at v it is this times v^(-1/5)."""
    return _T1 * (p.m / _M1) ** 0.4 * (p.R / _R1) ** -0.2


@kernel
def _spring(lap, closing, beta, k):
    """Force per mass of an overlap: Hertz's, more on loading and less on unloading.

    f goes smoothly from -1 to 1 with closing speed over the contact's own speed, so the force
    is scale-free (restitution does not depend on speed) and continuous, and never pulls.
    """
    root = math.sqrt(lap)
    square = closing * closing + _BLEND * _BLEND * k * lap * lap * root
    if square == 0.0:
        return 0.0  # speeds and overlaps whose squares are none: what rounding leaves, 1e-170
    f = closing / math.sqrt(square)
    return k * lap * root * max(1.0 + beta * f, 0.0) / math.sqrt(1.0 + beta * beta)


@kernel
def damping(e):
    """Coefficient beta of the spring that gives restitution e back, by the secant method.

    It runs the lone contact x'' = -x^(3/2) (1 + beta f) / sqrt(1 + beta^2) with the steps the
    cluster uses; f as in `_spring`. Scale-free, so beta holds at every speed.
    """
    e = max(e, _E_MIN)
    if e >= 1.0:
        return 0.0
    last, last_miss = 0.0, 1.0 - e
    beta = 1.24 * (1.0 - e * e) / (1.0 + e * e)
    for _ in range(30):
        x, v = 0.0, 1.0
        step = _HERTZ / _STEPS
        for _ in range(100 * _STEPS):
            x += v * step
            if x <= 0.0:
                break
            v -= _spring(x, v, beta, 1.0) * step
        miss = -v - e
        if abs(miss) < 1e-6 or miss == last_miss:
            break
        following = beta - miss * (beta - last) / (miss - last_miss)
        last, last_miss = beta, miss
        beta = min(max(following, 0.5 * beta), 2.0 * beta)
    return beta


@kernel
def closing_speed(a, b, nx, ny, nz):
    """Speed at which two members approach along n."""
    return (a.vx - b.vx) * nx + (a.vy - b.vy) * ny + (a.vz - b.vz) * nz


@kernel
def fastest_approach(n, n_pairs, work, widest):
    """Greatest speed of approach: of pairs with gaps up to widest, of balls to their floor."""
    top = 0.0
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        if c.gap <= widest:
            top = max(top, closing_speed(work[c.i], work[c.j], c.nx, c.ny, c.nz))
    for i in range(n):
        if work[i].lies == 1:
            top = max(top, -work[i].vz)
    return top


@kernel
def _touch(a, b, c, step, since):
    """Begins the contact of a pair that came to touch `since` ago, within the last step.

    Its normal is the line of centres at the first touch, and stays so, as in a lone impact.
    """
    since = min(since, step) if since > 0.0 else step
    c.tx = c.dx + b.sx - a.sx - since * (b.vx - a.vx)
    c.ty = c.dy + b.sy - a.sy - since * (b.vy - a.vy)
    c.tz = c.dz + b.sz - a.sz - since * (b.vz - a.vz)
    d = math.sqrt(c.tx * c.tx + c.ty * c.ty + c.tz * c.tz)
    c.tx, c.ty, c.tz = c.tx / d, c.ty / d, c.tz / d
    c.on, c.slip, c.mu = 1, -1.0, 0.0
    c.hx, c.hy, c.hz = 0.0, 0.0, 0.0
    c.lap = since * closing_speed(a, b, c.tx, c.ty, c.tz)


@kernel
def _until_touch(a, b, c, p, slow, step):
    """Least time until an open pair can touch; negative if it does, and then its contact begins.

    The distance is convex in the displacement: it never falls below its tangent.
    """
    sx, sy, sz = b.sx - a.sx, b.sy - a.sy, b.sz - a.sz
    gap = c.gap + sx * c.nx + sy * c.ny + sz * c.nz
    tx, ty, tz = c.nx, c.ny, c.nz
    if gap <= 0.0:
        dx, dy, dz = c.dx + sx, c.dy + sy, c.dz + sz
        d = math.sqrt(dx * dx + dy * dy + dz * dz)
        # d less its first value, without cancellation: (d^2 - d0^2) / (d + d0)
        rise = sx * (c.dx + dx) + sy * (c.dy + dy) + sz * (c.dz + dz)
        gap = c.gap + rise / (d + 2.0 * p.R + c.gap)
        tx, ty, tz = dx / d, dy / d, dz / d
        if gap < -_TOUCHED:
            _touch(a, b, c, step, -gap / closing_speed(a, b, tx, ty, tz))
            return -1.0
    closing = closing_speed(a, b, tx, ty, tz)
    return max(gap, 0.0) / closing if closing > slow else math.inf


@kernel
def _push(a, b, c, p, jn, closing):
    """Adds one step's impulses of a touching pair: jn along the normal, friction across."""
    nx, ny, nz = c.tx, c.ty, c.tz
    sx, sy, sz = p.R * (a.wx + b.wx), p.R * (a.wy + b.wy), p.R * (a.wz + b.wz)
    tx = a.vx - b.vx - closing * nx + (sy * nz - sz * ny)
    ty = a.vy - b.vy - closing * ny + (sz * nx - sx * nz)
    tz = a.vz - b.vz - closing * nz + (sx * ny - sy * nx)
    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
    if slip > c.slip:
        # The friction of the greatest slip so far: for a lone pair that of the first instant.
        c.slip = slip
        c.mu = mu_ball(slip, p)
    # What the last step's friction kept in place, a part of the slip corrected on top of it.
    most = c.mu * jn
    hx, hy, hz = c.hx + _KEEP / 7.0 * tx, c.hy + _KEEP / 7.0 * ty, c.hz + _KEEP / 7.0 * tz
    tx, ty, tz = hx + _ONCE / 7.0 * tx, hy + _ONCE / 7.0 * ty, hz + _ONCE / 7.0 * tz
    size = hx * hx + hy * hy + hz * hz
    part = most / math.sqrt(size) if size > most * most else 1.0
    c.hx, c.hy, c.hz = part * hx, part * hy, part * hz
    size = tx * tx + ty * ty + tz * tz
    part = most / math.sqrt(size) if size > most * most else 1.0
    tx, ty, tz = part * tx, part * ty, part * tz
    jx, jy, jz = jn * nx + tx, jn * ny + ty, jn * nz + tz
    a.jx -= jx
    a.jy -= jy
    a.jz -= jz
    b.jx += jx
    b.jy += jy
    b.jz += jz
    # The two moments are alike: the arm and the force both change sign.
    kx, ky, kz = ty * nz - tz * ny, tz * nx - tx * nz, tx * ny - ty * nx
    a.kx += kx
    a.ky += ky
    a.kz += kz
    b.kx += kx
    b.ky += ky
    b.kz += kz


@kernel
def _lift(w, p, jn):
    """Adds one step's impulses of the floor under a member: jn upwards, friction across."""
    ux, uy = w.vx - p.R * w.wy, w.vy + p.R * w.wx
    slip = math.sqrt(ux * ux + uy * uy)
    part = min(p.mu_bed * jn / slip, _ONCE * 2.0 / 7.0) if slip > 0.0 else 0.0
    w.jx -= part * ux
    w.jy -= part * uy
    w.jz += jn
    w.kx -= part * uy
    w.ky += part * ux


@kernel
def integrate(n, n_pairs, p, beta, beta_bed, start, work):
    """Leapfrog through the impact until nothing overlaps that could still give speed back.

    Begins with the balls where they were at the start; returns the time at the end.
    """
    for i in range(n):
        w = work[i]
        w.sx, w.sy, w.sz = 0.0, 0.0, 0.0
        w.jx, w.jy, w.jz = 0.0, 0.0, 0.0
        w.kx, w.ky, w.kz = 0.0, 0.0, 0.0
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        c.on = 0
        if c.gap <= CLOSE and closing_speed(work[c.i], work[c.j], c.nx, c.ny, c.nz) > 0.0:
            _touch(work[c.i], work[c.j], c, 0.0, 0.0)
    v_top = fastest_approach(n, n_pairs, work, math.inf)
    t_1 = contact_time(p)
    # Of the relative motion of a pair, whose mass is m/2, and of a ball over the bed.
    k = (_HERTZ / t_1) ** 2.5
    k_bed = 0.5 * _BED * k
    t_top = t_1 * v_top**-0.2
    slow = _SLOW * v_top
    dt = t_top / _STEPS
    spin = 2.5 / p.R
    step, t = dt, start
    while t < start + _LONGEST * t_top:
        t += step
        for i in range(n):
            w = work[i]
            w.sx += step * w.vx
            w.sy += step * w.vy
            w.sz += step * w.vz
        alive = False
        soonest = math.inf
        for q in range(n_pairs):
            c = work[MAX_MEMBERS + q]
            a, b = work[c.i], work[c.j]
            if c.on == 1:
                closing = closing_speed(a, b, c.tx, c.ty, c.tz)
                c.lap += step * closing
                if c.lap <= 0.0:
                    c.on = 0
                    continue
            else:
                wait = _until_touch(a, b, c, p, slow, step)
                if wait >= 0.0:
                    soonest = min(soonest, wait)
                    continue
                closing = closing_speed(a, b, c.tx, c.ty, c.tz)
            lap = c.lap
            if c.first == math.inf and lap > _TOUCHED:
                c.first = t - (min(lap / closing, step) if closing > 0.0 else 0.0)
                a.hit, b.hit = 1, 1
            # Twice the energy of relative motion and spring, over the mass: what it can give back.
            if closing * closing + 0.8 * k * lap * lap * math.sqrt(lap) > slow * slow:
                alive = True
            _push(a, b, c, p, 0.5 * dt * _spring(lap, closing, beta, k), closing)
        for i in range(n):
            w = work[i]
            if w.lies == 1 and w.sz < 0.0:
                lap = -w.sz
                if w.vz * w.vz + 0.8 * k_bed * lap * lap * math.sqrt(lap) > slow * slow:
                    alive = True
                _lift(w, p, dt * _spring(lap, -w.vz, beta_bed, k_bed))
            w.vx += w.jx
            w.vy += w.jy
            w.vz += w.jz
            w.wx += spin * w.kx
            w.wy += spin * w.ky
            w.wz += spin * w.kz
            w.jx, w.jy, w.jz = 0.0, 0.0, 0.0
            w.kx, w.ky, w.kz = 0.0, 0.0, 0.0
        step = dt
        if not alive:
            if soonest > _HORIZON * t_top:
                break
            step = max(dt, soonest)
    return t
