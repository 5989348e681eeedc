"""Contacts that overlap in time share one resolution, from the balls' actual gaps.

Which balls share it, and the impact as a whole; the springs between them are in `springs`.
Equations, sources and every threshold: sim/physics/README.md, "Clusters".
"""

from __future__ import annotations

import math

from sim.physics.arrays import HOP_SPEED, OFF_TABLE, POCKETED, REST_SPEED
from sim.physics.contact.springs import (
    CLOSE,
    CLUSTER,
    MAX_MEMBERS,
    closing_speed,
    contact_time,
    damping,
    fastest_approach,
    integrate,
)
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

MAX_TOUCHES = MAX_MEMBERS * (MAX_MEMBERS - 1) // 2
# Rows of the scratch of `resolve_cluster`: a CLUSTER record per member, then one per pair.
CLUSTER_ROWS = MAX_MEMBERS + MAX_TOUCHES


# A gap is closed in time if smaller than this part of approach speed x contact time. At a half the
# ball ahead of a lone impact has just got there when the impact ends: no jump in the result.
_NEAR = 0.5
_ON_FLOOR = 1e-7  # height (m) above the floor up to which a ball lies on it
_STEEP = 0.02  # |n_z| from which a contact presses a lying ball on its bed
_APART = 1e-13  # part of the speeds by which settled pairs are left separating
_SWEEPS = 4000
_ROUNDS = 6


@kernel
def find_cluster(balls, n_balls, i, j, v_approach, p, members):
    """Writes the rows of the balls that share the contact of rows i and j; returns how many.

    Balls reachable from i or j through gaps smaller than half of approach speed x contact
    time, in ascending order of rows. Balls are taken where they are at `balls[i].t`.
    """
    reach = _NEAR * contact_time(p) * max(v_approach, 0.0) ** 0.8
    limit = 2.0 * p.R + max(reach, CLOSE)
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
def _lies(b, p):
    """Whether a ball lies on its floor (over a pocket there is none)."""
    return b.pocket < 0 and abs(b.z - b.floor - p.R) < _ON_FLOOR


@kernel
def presses_on_bed(a, b, p):
    """Whether the contact of a and b presses one of them on the floor it lies on."""
    nz = (b.z - a.z) / (2.0 * p.R)
    return (nz < -_STEEP and _lies(b, p)) or (nz > _STEEP and _lies(a, p))


@kernel
def _gather(balls, members, n, p, reach, work):
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
def _energy(n, p, work):
    """Twice the kinetic energy of the members over the mass of one."""
    total = 0.0
    for i in range(n):
        w = work[i]
        total += w.vx * w.vx + w.vy * w.vy + w.vz * w.vz
        total += 0.4 * p.R * p.R * (w.wx * w.wx + w.wy * w.wy + w.wz * w.wz)
    return total


@kernel
def _take_back(n, excess, work):
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
def _settle(n, n_pairs, work):
    """Ends every approach of touching pairs, and of lying balls to their floor, at once.

    The nearest velocities without approach (projection onto a convex cone, by relaxation with
    impulses that only push): unique, so no order of balls matters, and energy falls.
    """
    top = 0.0
    for i in range(n):
        w = work[i]
        w.held = 0.0
        if w.lies == 1 and 0.0 < w.vz < HOP_SPEED:
            w.vz = 0.0
        top = max(top, abs(w.vx) + abs(w.vy) + abs(w.vz))
    for q in range(n_pairs):
        work[MAX_MEMBERS + q].held = 0.0
    for _ in range(_SWEEPS):
        change = 0.0
        for q in range(n_pairs):
            c = work[MAX_MEMBERS + q]
            if c.gap > CLOSE:
                continue
            a, b = work[c.i], work[c.j]
            closing = closing_speed(a, b, c.nx, c.ny, c.nz)
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
def _write_touches(members, n_pairs, work, touches):
    """Writes the pairs that touched, in order of their first touch; returns how many."""
    count = 0
    while True:
        best, first = -1, math.inf
        for q in range(n_pairs):
            if work[MAX_MEMBERS + q].first < first:
                best, first = q, work[MAX_MEMBERS + q].first
        if best < 0:
            return count
        c = work[MAX_MEMBERS + best]
        c.first = math.inf
        touches[count, 0], touches[count, 1] = members[c.i], members[c.j]
        count += 1


@kernel
def resolve_cluster(balls, members, n, p, work, touches):
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
    t_1 = contact_time(p)
    reach = max(t_1 * math.sqrt(speed) ** 0.8, CLOSE)
    n_pairs = _gather(balls, members, n, p, reach, work)
    t = 0.0
    if fastest_approach(n, n_pairs, work, math.inf) >= REST_SPEED:
        before = _energy(n, p, work)
        beta, beta_bed = damping(p.e_ball), damping(p.e_bed)
        for _ in range(_ROUNDS):
            t = integrate(n, n_pairs, p, beta, beta_bed, t, work)
            if fastest_approach(n, n_pairs, work, CLOSE) < REST_SPEED:
                break
        after = _energy(n, p, work)
        if after > before:
            _take_back(n, after - before, work)
    for q in range(n_pairs):
        c = work[MAX_MEMBERS + q]
        if c.gap <= CLOSE and closing_speed(work[c.i], work[c.j], c.nx, c.ny, c.nz) > 0.0:
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
