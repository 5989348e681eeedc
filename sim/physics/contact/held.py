"""Persistent contact: balls that press on each other, on a nose, a jaw, the slate's edge or the rail's top.

One step of a held ball, or of a group of them: gravity, unilateral contact and Coulomb friction are solved
together as impulses over a short time h, with the normals at the step's end, and given back as constant
accelerations, so that a held ball moves on a quadratic like any other. Local error of a step O(h^3).
Kinetic plus potential energy of the group is never let rise.
"""

from __future__ import annotations

import math

import numpy as np

from sim.physics.arrays import (
    HELD,
    HELD_GAP,
    HELD_REACH,
    LINER,
    NONE,
    OFF_TABLE,
    ONE,
    POCKET_EDGE,
    POCKETED,
    RAIL_TOP,
    RESTING,
    ZERO,
)
from sim.physics.detect.surface import (
    amid,
    borne_by_edge,
    box_square,
    edge_gap,
    nose_gap,
    piece_distance,
    plan_distance,
    plan_reach,
    profile,
)
from sim.physics.kernel import kernel

# The longest step of a held ball, s. A gap goes to HELD_GAP within so long, however short its steps are:
# faster, and closing a tenth of a micrometre would be motion of its own.
HELD_STEP = 7e-4
SWEEPS = 40
# Sweeps end once none of their impulses is larger than what rounding leaves of speeds, m/s.
SETTLED = 1e-15
# Two pieces of nose whose normals are this alike are one contact.
ALIKE = 0.98
MAX_CONTACTS = 120

_f, _i = np.float64, np.int64
# One contact of a step: impulses are per ball mass, m/s.
CONTACT = np.dtype(
    [
        ("ball", _i), ("other", _i),  # rows; other -1: the table
        ("bed", _i),  # 1: the flat bed
        ("nx", _f), ("ny", _f), ("nz", _f),  # towards `ball`
        ("gap", _f),  # at the step's start
        ("bias", _f),  # least change of normal velocity that keeps the gap
        ("mu", _f),
        ("jn", _f), ("tx", _f), ("ty", _f), ("tz", _f),
        ("open", _f),  # separating speed at the step's end
    ]
)  # fmt: skip


@kernel
def gather_group(balls, n, first, now, p, members):
    """Balls connected to `first` by touching (gap below HELD_REACH), marked 1 in `members`."""
    for k in range(n):
        members[k] = 0
    members[first] = 1
    grown = True
    d = 2.0 * p.R + HELD_REACH
    while grown:
        grown = False
        for i in range(n):
            if members[i] == 0:
                continue
            a = balls[i]
            for j in range(n):
                b = balls[j]
                if members[j] == 1 or b.state == POCKETED or b.state == OFF_TABLE:
                    continue
                s = now - b.t
                dx = b.x + s * (b.vx + 0.5 * s * b.ax) - a.x
                dy = b.y + s * (b.vy + 0.5 * s * b.ay) - a.y
                dz = b.z + s * (b.vz + 0.5 * s * b.az) - a.z
                if dx * dx + dy * dy + dz * dz < d * d:
                    if not (b.state == HELD or b.leans == 1 or a.state == HELD):
                        continue
                    members[j] = 1
                    grown = True
                    # Joins at `now`, like the rest.
                    b.x += s * (b.vx + 0.5 * s * b.ax)
                    b.y += s * (b.vy + 0.5 * s * b.ay)
                    b.z += s * (b.vz + 0.5 * s * b.az)
                    b.vx += s * b.ax
                    b.vy += s * b.ay
                    b.vz += s * b.az
                    if s > 0.0 and b.state != RESTING:
                        spin = abs(b.wz) - p.spin_decay * s
                        if b.state == HELD:
                            b.wz += s * b.bz
                        else:
                            b.wz = math.copysign(max(spin, 0.0), b.wz)
                        b.wx += s * b.bx
                        b.wy += s * b.by
                    b.t = now


@kernel
def put_contact(work, m, ball, other, nx, ny, nz, gap, bias, mu, bed):
    """Write one contact of the step; returns the next free row."""
    if m >= MAX_CONTACTS:
        return m
    c = work[m]
    c.ball = ball
    c.other = other
    c.bed = bed
    c.nx = nx
    c.ny = ny
    c.nz = nz
    c.gap = gap
    c.bias = bias
    c.mu = mu
    c.jn = 0.0
    c.tx = 0.0
    c.ty = 0.0
    c.tz = 0.0
    c.open = 0.0
    return m + 1


@kernel
def put_second_nose(work, m, i, b, near, h, p, noses):
    """Contacts of ball b with other pieces than the nearest, where they push another way (a wedge)."""
    for k in range(noses.shape[0]):
        s = noses[k]
        reach = p.R + HELD_REACH
        if k == near[5] or box_square(s, b.x, b.y) > reach * reach:
            continue
        d, px, py = piece_distance(s, b.x, b.y)
        if d == math.inf or d < 0.0:
            continue
        gap, nd, nz, _top = profile(d, b.z - p.nose, p)
        nx = nd * px
        ny = nd * py
        if gap >= HELD_REACH or nx * near[1] + ny * near[2] + nz * near[3] > ALIKE:
            continue
        rate = b.vx * nx + b.vy * ny + b.vz * nz
        bias = (HELD_GAP - gap) * min(1.0 / h, 1.0 / HELD_STEP) - rate
        m = put_contact(work, m, i, NONE, nx, ny, nz, gap, bias, p.mu_cushion, ZERO)
    return m


@kernel
def is_pushed(work, m, i):
    """Whether any of the m contacts, beds aside, pushes ball i."""
    for k in range(m):
        c = work[k]
        if c.bed == 0 and c.jn > 0.0 and (c.ball == i or c.other == i):
            return True
    return False


@kernel
def held_step(balls, n, members, now, h, p, noses, pockets, work):
    """Set the accelerations of the group's balls for a step of length h from `now`.

    Every member must be at time `now`. Returns the number of contacts written to `work`, or -1 if the group
    has not the energy to rise as it does: then it stands still, for a moment at least.
    """
    m = ZERO
    share = min(h / HELD_STEP, 1.0)
    for i in range(n):
        if members[i] == 1:
            balls[i].leans = 0
    for i in range(n):
        if members[i] == 0:
            continue
        b = balls[i]
        # Predicted place at the step's end, with the last accelerations.
        x = b.x + h * b.vx
        y = b.y + h * b.vy
        z = b.z + h * b.vz
        hole = borne_by_edge(b, p, pockets)
        b.pocket = hole
        if hole < 0 and b.z < b.floor + p.R + HELD_REACH:
            m = put_contact(work, m, i, NONE, 0.0, 0.0, 1.0, 0.0, 0.0, p.mu_slide, ONE)
        for surface in range(2):
            if amid(b.x, b.y, HELD_REACH, p):
                break
            if surface == 0:
                near = nose_gap(b.x, b.y, b.z, plan_reach(b.z, HELD_REACH, p), p, noses)
            elif hole >= 0:
                near = edge_gap(b.x, b.y, b.z, HELD_REACH, p, pockets)
            else:
                break
            if near[0] >= HELD_REACH:
                continue
            if surface == 0:
                gap, nx, ny, nz, kind, _index = nose_gap(x, y, z, math.inf, p, noses)
            else:
                gap, nx, ny, nz, kind, _index = edge_gap(x, y, z, math.inf, p, pockets)
            mu = p.mu_cushion
            if kind == RAIL_TOP:
                mu = p.mu_rail
            elif kind == LINER:
                mu = p.mu_liner
            elif kind == POCKET_EDGE:
                mu = p.mu_slide
            turn = b.vx * (nx - near[1]) + b.vy * (ny - near[2]) + b.vz * (nz - near[3])
            aim = near[0] + (HELD_GAP - near[0]) * share
            bias = (aim - gap) / h - 0.5 * turn
            m = put_contact(work, m, i, NONE, nx, ny, nz, near[0], bias, mu, ZERO)
            b.leans = 1
            if surface == 0:
                m = put_second_nose(work, m, i, b, near, h, p, noses)
        for j in range(i + 1, n):
            if members[j] == 0:
                continue
            o = balls[j]
            dx = b.x - o.x
            dy = b.y - o.y
            dz = b.z - o.z
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            if d > 2.0 * p.R + HELD_REACH:
                continue
            vx = b.vx - o.vx
            vy = b.vy - o.vy
            vz = b.vz - o.vz
            was = (vx * dx + vy * dy + vz * dz) / d
            apart = d - 2.0 * p.R
            dx += h * vx
            dy += h * vy
            dz += h * vz
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            turn = (vx * dx + vy * dy + vz * dz) / d - was
            aim = apart + (HELD_GAP - apart) * share
            bias = (2.0 * p.R + aim - d) / h - 0.5 * turn
            m = put_contact(
                work, m, i, j, dx / d, dy / d, dz / d, apart, bias, p.mu_a + p.mu_b, ZERO
            )
            b.leans = 1
            o.leans = 1
    for i in range(n):
        if members[i] == 1:
            b = balls[i]
            # ax..bz now collect the change of velocity and spin over the step.
            b.ax = 0.0
            b.ay = 0.0
            b.az = -p.g * h
            b.bx = 0.0
            b.by = 0.0
            b.bz = 0.0
    for _ in range(SWEEPS):
        if not solve_sweep(balls, m, h, p, work):
            break
    kinetic = 0.0
    lift = 0.0
    start = 0.0
    for i in range(n):
        if members[i] == 1:
            b = balls[i]
            resist(b, p, h)
            if b.pocket < 0 and b.z <= b.floor + p.R and b.vz + b.az < 1e-7:
                # Where balls are wedged the sweeps end before all is solved; the bed gives way to nothing.
                b.az = -b.vz
            if not is_pushed(work, m, i):
                continue
            start -= 0.5 * (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz)
            start -= 0.2 * p.R * p.R * (b.wx * b.wx + b.wy * b.wy + b.wz * b.wz)
            vx = b.vx + b.ax
            vy = b.vy + b.ay
            vz = b.vz + b.az
            wx = b.wx + b.bx
            wy = b.wy + b.by
            wz = b.wz + b.bz
            kinetic += 0.5 * (vx * vx + vy * vy + vz * vz)
            kinetic += 0.2 * p.R * p.R * (wx * wx + wy * wy + wz * wz)
            lift += 0.5 * p.g * h * vz
            start += 0.5 * p.g * h * b.vz
    if start > 0.0:
        return NONE
    # What the step would add beyond what was there is taken out of all motion alike: the scale s with
    # s^2 kinetic + s lift + start = 0, where lift and start are the height gained by end and start speeds.
    scale = 1.0
    if kinetic + lift + start > 0.0 and kinetic > 0.0:
        root = lift * lift - 4.0 * kinetic * start
        scale = (math.sqrt(root) - lift) / (2.0 * kinetic) if root > 0.0 else 0.0
        scale = min(max(scale, 0.0), 1.0)
    for i in range(n):
        if members[i] == 1:
            b = balls[i]
            # A ball that nothing but the bed pushes goes its own way, with all it has.
            keep = scale if is_pushed(work, m, i) else 1.0
            b.ax = ((b.vx + b.ax) * keep - b.vx) / h
            b.ay = ((b.vy + b.ay) * keep - b.vy) / h
            b.az = ((b.vz + b.az) * keep - b.vz) / h
            b.bx = ((b.wx + b.bx) * keep - b.wx) / h
            b.by = ((b.wy + b.by) * keep - b.wy) / h
            b.bz = ((b.wz + b.bz) * keep - b.wz) / h
    return m


@kernel
def deepest(balls, n, members, h, p, noses, pockets):
    """How far the group's balls get into each other or the table inside the step just solved, m.

    A contact whose force vanishes within the step is asked for its mean force only, and may be cut into.
    """
    worst = 0.0
    for i in range(n):
        if members[i] == 0:
            continue
        b = balls[i]
        v = math.sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz)
        a = math.sqrt(b.ax * b.ax + b.ay * b.ay + b.az * b.az)
        travel = h * (v + 0.5 * h * a) + 1e-9
        by_table = not amid(b.x, b.y, travel, p)
        by_nose = by_table
        if by_table and b.z + travel < p.nose:
            _d, _px, _py, piece = plan_distance(b.x, b.y, p.R + travel, noses)
            by_nose = piece >= 0
        for quarter in range(1, 5):
            s = 0.25 * quarter * h
            x = b.x + s * (b.vx + 0.5 * s * b.ax)
            y = b.y + s * (b.vy + 0.5 * s * b.ay)
            z = b.z + s * (b.vz + 0.5 * s * b.az)
            if by_nose:
                gap = nose_gap(x, y, z, plan_reach(z, 0.0, p), p, noses)[0]
                worst = max(worst, -gap)
            if by_table and b.pocket >= 0:
                gap = edge_gap(x, y, z, -worst, p, pockets)[0]
                worst = max(worst, -gap)
            for j in range(i + 1, n):
                if members[j] == 0:
                    continue
                o = balls[j]
                dx = x - o.x - s * (o.vx + 0.5 * s * o.ax)
                dy = y - o.y - s * (o.vy + 0.5 * s * o.ay)
                dz = z - o.z - s * (o.vz + 0.5 * s * o.az)
                square = dx * dx + dy * dy + dz * dz
                if square < 4.0 * p.R * p.R:
                    worst = max(worst, 2.0 * p.R - math.sqrt(square))
    return worst


@kernel
def solve_sweep(balls, m, h, p, work):
    """One sweep of projected impulses over all contacts of the step. Returns whether it changed any of them."""
    r = p.R
    changed = False
    for k in range(m):
        c = work[k]
        b = balls[c.ball]
        nx = c.nx
        ny = c.ny
        nz = c.nz
        # Velocity of b's surface at the contact, at the step's end, over whatever it touches.
        vx = b.vx + b.ax
        vy = b.vy + b.ay
        vz = b.vz + b.az
        wx = b.wx + b.bx
        wy = b.wy + b.by
        wz = b.wz + b.bz
        pair = c.other >= 0
        if pair:
            o = balls[c.other]
            vx -= o.vx + o.ax
            vy -= o.vy + o.ay
            vz -= o.vz + o.az
            wx += o.wx + o.bx
            wy += o.wy + o.by
            wz += o.wz + o.bz
        half = 0.5 if pair else 1.0
        vn = vx * nx + vy * ny + vz * nz
        c.open = vn
        # The bias speaks of the whole step's drift: v is what it was, so only its change is asked.
        want = vn - c.bias - (b.vx * nx + b.vy * ny + b.vz * nz)
        if pair:
            o = balls[c.other]
            want += o.vx * nx + o.vy * ny + o.vz * nz
        if c.bed == 1:
            want = vn
        jn = max(c.jn - half * want, 0.0) - c.jn
        c.jn += jn
        # Slip with the arm -R n; friction may stop it, (2/7) m for one ball and half for two.
        sx = vx - vn * nx - r * (wy * nz - wz * ny)
        sy = vy - vn * ny - r * (wz * nx - wx * nz)
        sz = vz - vn * nz - r * (wx * ny - wy * nx)
        part = half * 2.0 / 7.0
        tx = c.tx - part * sx
        ty = c.ty - part * sy
        tz = c.tz - part * sz
        size = math.sqrt(tx * tx + ty * ty + tz * tz)
        most = c.mu * c.jn
        if size > most:
            f = most / size if size > 0.0 else 0.0
            tx *= f
            ty *= f
            tz *= f
        jx = tx - c.tx
        jy = ty - c.ty
        jz = tz - c.tz
        if max(abs(jn), abs(jx), abs(jy), abs(jz)) > SETTLED:
            changed = True
        c.tx = tx
        c.ty = ty
        c.tz = tz
        b.ax += jn * nx + jx
        b.ay += jn * ny + jy
        b.az += jn * nz + jz
        q = 2.5 / r
        gx = -q * (ny * jz - nz * jy)
        gy = -q * (nz * jx - nx * jz)
        gz = -q * (nx * jy - ny * jx)
        b.bx += gx
        b.by += gy
        b.bz += gz
        if pair:
            o = balls[c.other]
            o.ax -= jn * nx + jx
            o.ay -= jn * ny + jy
            o.az -= jn * nz + jz
            o.bx += gx
            o.by += gy
            o.bz += gz
    return changed


@kernel
def resist(b, p, h):
    """Rolling resistance and the decay of side spin over the step, for a ball that something bears."""
    vx = b.vx + b.ax
    vy = b.vy + b.ay
    vz = b.vz + b.az
    wx = b.wx + b.bx
    wy = b.wy + b.by
    wz = b.wz + b.bz
    if b.az <= -p.g * h:
        return
    v = math.sqrt(vx * vx + vy * vy + vz * vz)
    w = p.R * math.sqrt(wx * wx + wy * wy)
    lose = p.mu_roll * p.g * h
    if abs(v - w) < 0.05 * v + 0.5 * lose:
        keep = 1.0 - lose / v if v > lose else 0.0
        b.ax += (keep - 1.0) * vx
        b.ay += (keep - 1.0) * vy
        b.az += (keep - 1.0) * vz
        b.bx += (keep - 1.0) * wx
        b.by += (keep - 1.0) * wy
    left = abs(wz) - p.spin_decay * h
    b.bz += (math.copysign(left, wz) if left > 0.0 else 0.0) - wz
