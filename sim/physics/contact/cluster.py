"""Contacts that overlap in time: balls pressed together as springs, from their actual gaps.

Hertz springs along the lines of centres, damped to the pair's restitution at any speed, with
Coulomb friction; the bed is a spring of the same kind. Equations, sources and every threshold:
sim/physics/README.md, "Clusters".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.physics.arrays import OFF_TABLE, POCKETED
from sim.physics.contact.ball_ball import E_BALL_FLOOR, mu_ball
from sim.physics.contact.bed import REBOUND_FLOOR
from sim.physics.kernel import kernel

__all__ = [
    "CLUSTER",
    "CLUSTER_ROWS",
    "MAX_MEMBERS",
    "MAX_TOUCHES",
    "find_cluster",
    "presses_on_bed",
    "resolve_cluster",
]

MAX_MEMBERS = 11
MAX_TOUCHES = MAX_MEMBERS * (MAX_MEMBERS - 1) // 2
# Rows of the scratch of `resolve_cluster`: a CLUSTER record per member, then one per pair.
CLUSTER_ROWS = MAX_MEMBERS + MAX_TOUCHES

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
        # of a place in the list of touches
        ("at", _i),  # its pair
    ]
)  # fmt: skip

# Contact time of two pool balls at 1 m/s (s); it goes as speed^(-1/5), and as R^(-1/5) m^(2/5).
_T1, _R1, _M1 = 329e-6, 0.028575, 0.170097
_HERTZ = 3.21797  # contact time of x'' = -x^(3/2) from speed 1
_STEPS = 40  # of one contact at the fastest approach
_BLEND = 0.5  # how smoothly damping changes sign between loading and unloading
_E_MIN = 0.02  # the smallest restitution the spring can give
_BED = 2.0 * math.sqrt(2.0)  # spring of ball on a rigid plane over that of two balls
# A gap is closed in time if smaller than this part of approach speed x contact time. At a half the
# ball ahead of a lone impact has just got there when the impact ends: no jump in the result.
_NEAR = 0.5
_HORIZON = 0.25  # contact times without any contact after which an impact is over
_TOUCH = 1e-8  # gaps (m) always taken as touching: rounding, not geometry
_ON_FLOOR = 1e-7  # height (m) above the floor up to which a ball lies on it
_STEEP = 0.02  # |n_z| from which a contact presses a lying ball on its bed
_KEEP = 0.3
_RELAX = 0.4  # part of the slip ended in one step, so that six contacts of a ball stay stable
_SLOW = 2e-4  # contacts that could only give this part of the fastest approach back are ended
_LONGEST = 60.0  # contact times after which the rest is settled without rebound
_TOUCHED = (
    1e-12  # overlap (m) from which a pair touches: above rounding, so no ball is stirred by it
)
_APART = 1e-13  # part of the speeds by which settled pairs are left separating
_SWEEPS = 4000
_ROUNDS = 6


@kernel
def _contact_time(p: Any) -> float:
    """Contact time (s) of two balls that meet at 1 m/s; at v it is this times v^(-1/5)."""
    return _T1 * (p.m / _M1) ** 0.4 * (p.R / _R1) ** -0.2


@kernel
def find_cluster(
    balls: Any, n_balls: int, i: int, j: int, v_approach: float, p: Any, members: Any
) -> int:
    """Writes the rows of the balls that share the contact of rows i and j; returns how many.

    Balls reachable from i or j through gaps smaller than half of approach speed x contact
    time, in ascending order of rows. Balls are taken where they are at `balls[i].t`.
    """
    reach = _NEAR * _contact_time(p) * max(v_approach, 0.0) ** 0.8
    limit = 2.0 * p.R + max(reach, _TOUCH)
    t = balls[i].t
    members[0], members[1] = i, j
    n, k = 2, 0
    while k < n:
        a = balls[members[k]]
        s = t - a.t
        ax = a.x + s * (a.vx + 0.5 * s * a.ax)
        ay = a.y + s * (a.vy + 0.5 * s * a.ay)
        az = a.z + s * (a.vz + 0.5 * s * a.az)
        k += 1
        for q in range(n_balls):
            b = balls[q]
            if b.state == POCKETED or b.state == OFF_TABLE:
                continue
            s = t - b.t
            dx = b.x + s * (b.vx + 0.5 * s * b.ax) - ax
            dy = b.y + s * (b.vy + 0.5 * s * b.ay) - ay
            dz = b.z + s * (b.vz + 0.5 * s * b.az) - az
            if dx * dx + dy * dy + dz * dz < limit * limit and n < members.shape[0]:
                known = False
                for r in range(n):
                    if members[r] == q:
                        known = True
                if not known:
                    members[n] = q
                    n += 1
    for r in range(1, n):
        q = members[r]
        c = r - 1
        while c >= 0 and members[c] > q:
            members[c + 1] = members[c]
            c -= 1
        members[c + 1] = q
    return n


@kernel
def _lies(b: Any, p: Any) -> bool:
    """Whether a ball lies on its floor (over a pocket there is none)."""
    return b.pocket < 0 and abs(b.z - b.floor - p.R) < _ON_FLOOR


@kernel
def presses_on_bed(a: Any, b: Any, p: Any) -> bool:
    """Whether the contact of a and b presses one of them on the floor it lies on."""
    nz = (b.z - a.z) / (2.0 * p.R)
    return (nz < -_STEEP and _lies(b, p)) or (nz > _STEEP and _lies(a, p))


@kernel
def _damping(e: float) -> float:
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
def _spring(lap: float, closing: float, beta: float, k: float) -> float:
    """Force per mass of an overlap: Hertz's, more on loading and less on unloading.

    f goes smoothly from -1 to 1 with closing speed over the contact's own speed, so the force
    is scale-free (restitution does not depend on speed) and continuous, and never pulls.
    """
    root = math.sqrt(lap)
    f = closing / math.sqrt(closing * closing + _BLEND * _BLEND * k * lap * lap * root)
    return k * lap * root * max(1.0 + beta * f, 0.0) / math.sqrt(1.0 + beta * beta)


@kernel
def _gather(balls: Any, members: Any, n: int, p: Any, reach: float, work: Any) -> int:
    """Copies the members' motions and writes the pairs nearer than reach; returns how many."""
    count = 0
    limit = 2.0 * p.R + reach
    for i in range(n):
        a = balls[members[i]]
        w = work[i]
        w.vx, w.vy, w.vz = a.vx, a.vy, a.vz
        w.wx, w.wy, w.wz = a.wx, a.wy, a.wz
        w.hit = 0
        w.lies = 1 if _lies(a, p) else 0
        for j in range(i + 1, n):
            b = balls[members[j]]
            dx, dy, dz = b.x - a.x, b.y - a.y, b.z - a.z
            d = dx * dx + dy * dy + dz * dz
            if d < limit * limit:
                d = math.sqrt(d)
                c = work[MAX_MEMBERS + count]
                count += 1
                c.i, c.j = i, j
                c.dx, c.dy, c.dz = dx, dy, dz
                c.nx, c.ny, c.nz = dx / d, dy / d, dz / d
                c.gap = max(d - 2.0 * p.R, 0.0)
                c.first = math.inf
    return count


@kernel
def _closing(a: Any, b: Any, nx: float, ny: float, nz: float) -> float:
    """Speed at which two members approach along n."""
    return (a.vx - b.vx) * nx + (a.vy - b.vy) * ny + (a.vz - b.vz) * nz


@kernel
def _fastest(n: int, n_pairs: int, work: Any, widest: float) -> float:
    """Greatest speed of approach: of pairs with gaps up to widest, of balls to their floor."""
    top = 0.0
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        if c.gap <= widest:
            top = max(top, _closing(work[c.i], work[c.j], c.nx, c.ny, c.nz))
    for i in range(n):
        if work[i].lies == 1:
            top = max(top, -work[i].vz)
    return top


@kernel
def _touch(a: Any, b: Any, c: Any, step: float, since: float) -> None:
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
    c.lap = since * _closing(a, b, c.tx, c.ty, c.tz)


@kernel
def _until_touch(a: Any, b: Any, c: Any, p: Any, slow: float, step: float) -> float:
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
            _touch(a, b, c, step, -gap / _closing(a, b, tx, ty, tz))
            return -1.0
    closing = _closing(a, b, tx, ty, tz)
    return max(gap, 0.0) / closing if closing > slow else math.inf


@kernel
def _push(a: Any, b: Any, c: Any, p: Any, jn: float, closing: float) -> None:
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
    tx, ty, tz = hx + _RELAX / 7.0 * tx, hy + _RELAX / 7.0 * ty, hz + _RELAX / 7.0 * tz
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
def _lift(w: Any, p: Any, jn: float) -> None:
    """Adds one step's impulses of the floor under a member: jn upwards, friction across."""
    ux, uy = w.vx - p.R * w.wy, w.vy + p.R * w.wx
    slip = math.sqrt(ux * ux + uy * uy)
    part = min(p.mu_bed * jn / slip, _RELAX * 2.0 / 7.0) if slip > 0.0 else 0.0
    w.jx -= part * ux
    w.jy -= part * uy
    w.jz += jn
    w.kx -= part * uy
    w.ky += part * ux


@kernel
def _integrate(
    n: int, n_pairs: int, p: Any, beta: float, beta_bed: float, start: float, work: Any
) -> float:
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
        if c.gap <= _TOUCH and _closing(work[c.i], work[c.j], c.nx, c.ny, c.nz) > 0.0:
            _touch(work[c.i], work[c.j], c, 0.0, 0.0)
    v_top = _fastest(n, n_pairs, work, math.inf)
    t_1 = _contact_time(p)
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
                closing = _closing(a, b, c.tx, c.ty, c.tz)
                c.lap += step * closing
                if c.lap <= 0.0:
                    c.on = 0
                    continue
            else:
                wait = _until_touch(a, b, c, p, slow, step)
                if wait >= 0.0:
                    soonest = min(soonest, wait)
                    continue
                closing = _closing(a, b, c.tx, c.ty, c.tz)
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


@kernel
def _energy(n: int, p: Any, work: Any) -> float:
    """Twice the kinetic energy of the members over the mass of one."""
    total = 0.0
    for i in range(n):
        w = work[i]
        total += w.vx * w.vx + w.vy * w.vy + w.vz * w.vz
        total += 0.4 * p.R * p.R * (w.wx * w.wx + w.wy * w.wy + w.wz * w.wz)
    return total


@kernel
def _take_back(n: int, excess: float, work: Any) -> None:
    """Takes energy away that steps of finite length have made, without a change of momentum.

    Shrinks the velocities of the balls that touched about their mean (heights about zero where
    a floor takes part), so every pair of them keeps its direction of relative motion.
    """
    mx, my, mz, lies, count = 0.0, 0.0, 0.0, 0, 0
    for i in range(n):
        w = work[i]
        if w.hit == 1:
            mx, my, mz = mx + w.vx, my + w.vy, mz + w.vz
            lies += w.lies
            count += 1
    if count == 0:
        return
    mx, my, mz = mx / count, my / count, (mz / count if lies == 0 else 0.0)
    about = 0.0
    for i in range(n):
        w = work[i]
        if w.hit == 1:
            dx, dy, dz = w.vx - mx, w.vy - my, w.vz - mz
            about += dx * dx + dy * dy + dz * dz
    if about <= 0.0:
        return
    keep = math.sqrt(max(1.0 - excess / about, 0.0))
    for i in range(n):
        w = work[i]
        if w.hit == 1:
            w.vx = mx + keep * (w.vx - mx)
            w.vy = my + keep * (w.vy - my)
            w.vz = mz + keep * (w.vz - mz)


@kernel
def _settle(n: int, n_pairs: int, work: Any) -> None:
    """Ends every approach of touching pairs, and of lying balls to their floor, at once.

    The nearest velocities without approach (projection onto a convex cone, by relaxation with
    impulses that only push): unique, so no order of balls matters, and energy falls.
    """
    top = 0.0
    for i in range(n):
        w = work[i]
        w.held = 0.0
        if w.lies == 1 and 0.0 < w.vz < REBOUND_FLOOR:
            w.vz = 0.0
        top = max(top, abs(w.vx) + abs(w.vy) + abs(w.vz))
    for q in range(n_pairs):
        work[MAX_MEMBERS + q].held = 0.0
    for _ in range(_SWEEPS):
        change = 0.0
        for q in range(n_pairs):
            c = work[MAX_MEMBERS + q]
            if c.gap > _TOUCH:
                continue
            a, b = work[c.i], work[c.j]
            closing = _closing(a, b, c.nx, c.ny, c.nz)
            if closing > 0.0 or c.held > 0.0:
                jn = max(0.5 * (closing + _APART * top), -c.held)
                c.held += jn
                a.vx -= jn * c.nx
                a.vy -= jn * c.ny
                a.vz -= jn * c.nz
                b.vx += jn * c.nx
                b.vy += jn * c.ny
                b.vz += jn * c.nz
                change = max(change, abs(jn))
        for i in range(n):
            w = work[i]
            if w.lies == 1:
                jn = max(-w.vz, -w.held)
                if jn != 0.0:
                    w.held += jn
                    w.vz += jn
                    change = max(change, abs(jn))
        if change <= 0.01 * _APART * top:
            return


@kernel
def _write_touches(members: Any, n_pairs: int, work: Any, touches: Any) -> int:
    """Writes the pairs that touched, in order of their first touch; returns how many."""
    count = 0
    for q in range(n_pairs):
        first = work[MAX_MEMBERS + q].first
        if first < math.inf:
            r = count
            count += 1
            while r > 0 and work[MAX_MEMBERS + work[r - 1].at].first > first:
                work[r].at = work[r - 1].at
                r -= 1
            work[r].at = q
    for r in range(count):
        c = work[MAX_MEMBERS + work[r].at]
        touches[r, 0], touches[r, 1] = members[c.i], members[c.j]
    return count


@kernel
def resolve_cluster(balls: Any, members: Any, n: int, p: Any, work: Any, touches: Any) -> int:
    """Changes velocity and spin of all members by their common impact; positions stay.

    Args:
        balls: BALL array, all at the time of the impact.
        members: rows of the members, canonical order, at most MAX_MEMBERS.
        n: how many.
        p: PARAMS record.
        work: CLUSTER array of CLUSTER_ROWS, scratch.
        touches: int64 (MAX_TOUCHES, 2), filled with the rows of pairs in order of first touch.

    Returns the number of touches. On return no touching pair approaches, no lying ball moves
    down, and the kinetic energy is not above what it was.
    """
    speed = 0.0
    for i in range(n):
        b = balls[members[i]]
        speed = max(speed, b.vx * b.vx + b.vy * b.vy + b.vz * b.vz)
    t_1 = _contact_time(p)
    reach = max(t_1 * math.sqrt(speed) ** 0.8, _TOUCH)
    n_pairs = _gather(balls, members, n, p, reach, work)
    t = 0.0
    if _fastest(n, n_pairs, work, math.inf) >= E_BALL_FLOOR:
        before = _energy(n, p, work)
        beta, beta_bed = _damping(p.e_ball), _damping(p.e_bed)
        for _ in range(_ROUNDS):
            t = _integrate(n, n_pairs, p, beta, beta_bed, t, work)
            if _fastest(n, n_pairs, work, _TOUCH) < E_BALL_FLOOR:
                break
        after = _energy(n, p, work)
        if after > before:
            _take_back(n, after - before, work)
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        if c.gap <= _TOUCH and _closing(work[c.i], work[c.j], c.nx, c.ny, c.nz) > 0.0:
            c.first = min(c.first, t)
    _settle(n, n_pairs, work)
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        if c.held > 0.0:
            c.first = min(c.first, t + t_1)
        if c.first < math.inf:
            work[c.i].hit = 1
            work[c.j].hit = 1
    for i in range(n):
        w, b = work[i], balls[members[i]]
        if w.hit == 0:
            continue
        b.vx, b.vy, b.vz = w.vx, w.vy, w.vz
        b.wx, b.wy, b.wz = w.wx, w.wy, w.wz
    return _write_touches(members, n_pairs, work, touches)
