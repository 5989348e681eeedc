"""A slow, plain integrator of the same mechanics, which shares no code with sim.physics.

Fixed small time steps; a contact is a gap whose sign changes over a step, then halved down inside the step.
Table and materials come from sim.model alone. It covers free motion on the bed and in the air, ball on
ball in any direction, bounces, noses, jaws and facings from any height, the liner, the slate's edge, the
cushion's top and the rail, with a constant restitution at the noses (cushion model mathavan2010).

It does not cover, and stops at (`Contact.after` is then None): clusters of three, a ball met on the bed from
above or below (a cluster of ball and bed), approaches too slow to rebound, pivoting over a pocket's edge.

One file on purpose, longer than the house's others: it is a second opinion, read from top to bottom beside
the engine's description, and the loops are kept compiled (half a minute): numba notices changes in the file of
a function only, so that all they call and every number they use must stand here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import sim
from sim.model.geometry import ArcNose, LineNose

Vector = NDArray[np.float64]

STEP = 5e-5  # s
KINDS = ("ball_ball", "cushion", "jaw", "liner", "rail_top", "pocket_edge", "bed")
BALL, CUSHION, JAW, LINER, RAIL, EDGE, BED = range(7)
# Thresholds of engine.md, its numbers 2 and 5, and what the README calls steep and near.
HOP, SLOW, STEEP, NEAR = 0.06, 5e-3, 0.02, 2e-3
E_NOSE = 0.98  # mathavan2010
NOSE_TIME = 1e-3  # s, to the middle of a nose's impact: README, "Just above the bed"


@dataclass(frozen=True)
class Contact:
    """One contact: who, where (centres), velocities before and after; (2, 3) each: ball, other."""

    t: float
    kind: str
    ball: int
    other: int  # row of the other ball, or -1
    places: Vector
    before: Vector
    after: Vector | None


def table_pieces(table: sim.Table) -> tuple[Vector, Vector]:
    """The wire as rows (kind, x0, y0, x1, y1, nx, ny, r, what), the holes as (x, y, r, ax, ay, half).

    Segments: ends and normal. Arcs: centre in x0, y0; unit vector to the middle in x1, y1; half their
    span in nx; +1 (rubber inside) or -1 (outside) in ny.
    """
    rows, holes = [], []
    for chain in table.geometry.chains:
        for piece in chain.pieces:
            what = CUSHION if piece.pocket < 0 else JAW
            if isinstance(piece, LineNose):
                rows.append((0, *piece.start, *piece.end, *piece.normal, 0.0, what))
            else:
                assert isinstance(piece, ArcNose)
                middle = (piece.start_angle + piece.end_angle) / 2
                half = abs(piece.end_angle - piece.start_angle) / 2
                way = (math.cos(middle), math.sin(middle))
                rows.append((1, *piece.centre, *way, half, 1.0, piece.radius, what))
    for mouth in table.geometry.pockets:
        ex = mouth.facing_ends[0][0] - mouth.centre[0]
        ey = mouth.facing_ends[0][1] - mouth.centre[1]
        ax, ay = mouth.axis
        half = abs(math.atan2(ax * ey - ay * ex, ax * ex + ay * ey))
        rows.append((1, *mouth.centre, -ax, -ay, math.pi - half, -1.0, mouth.radius, LINER))
        holes.append((*mouth.centre, mouth.radius, ax, ay, half))
    return np.array(rows), np.array(holes)


def constants(table: sim.Table, m: sim.Materials) -> Vector:
    """Everything else as one row of numbers; the order is that of the unpacking below."""
    s = table.spec
    # Under the wire the rubber recedes so far that a ball on the bed meets the wire (engine.md 6).
    rise = math.asin((s.cushion_height - m.ball_radius) / m.ball_radius)
    draft = max(math.radians(s.back_draft_deg), rise + 1e-3)
    law = m.friction_law
    return np.array(
        [
            m.ball_radius, m.g, m.mu_slide, m.mu_roll, m.spin_decay, m.e_ball, law.a, law.b, law.c,
            m.e_bed, m.mu_bed, E_NOSE, m.mu_cushion, m.e_liner, m.mu_liner, m.e_rail_top,
            m.mu_rail_top, s.w, s.l, s.cushion_height, s.rail_top, s.cushion_width, draft,
            s.slate_edge_radius, s.rail_width,
        ]
    )  # fmt: skip


@numba.njit(cache=True)
def dot(a: Any, b: Any) -> float:
    """a . b; this and the loops below compile faster than numpy's."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@numba.njit(cache=True)
def cross(a: Any, b: Any, out: Any) -> None:
    """a x b, written into `out`."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@numba.njit(cache=True)
def put(row: Any, at: int, vector: Any) -> None:
    """Three numbers into a row."""
    for k in range(3):
        row[at + k] = vector[k]


@numba.njit(cache=True)
def play_on(
    pos: Any, vel: Any, spin: Any, flies: Any, there: Any, h: float, c: Any, p: Any, v: Any, w: Any
) -> None:
    """All balls a time h later, written into p, v, w."""
    for i in range(pos.shape[0]):
        put(p[i], 0, pos[i])
        put(v[i], 0, vel[i])
        put(w[i], 0, spin[i])
        if there[i]:
            move(p[i], v[i], w[i], flies[i], h, c)


@numba.njit(cache=True)
def wire(x: float, y: float, pieces: Any) -> Any:
    """Signed plan distance to the nearest point of the wire, unit vector from it, what it is."""
    best, d, nx, ny, what = np.inf, np.inf, 0.0, 0.0, 0
    for k in range(pieces.shape[0]):
        s = pieces[k]
        kind, x0, y0, x1, y1, a, b, r, w = s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]
        px, py = x - x0, y - y0
        if kind == 0:
            size = math.hypot(x1 - x0, y1 - y0)
            tx, ty = (x1 - x0) / size, (y1 - y0) / size
            along = px * tx + py * ty
            inside = 0.0 <= along <= size
            along = min(max(along, 0.0), size)
            qx, qy = x0 + along * tx, y0 + along * ty
            side = px * a + py * b
        else:
            rho = math.hypot(px, py)
            off = math.atan2(x1 * py - y1 * px, x1 * px + y1 * py)
            inside = abs(off) <= a
            turn = min(max(off, -a), a)
            qx = x0 + r * (math.cos(turn) * x1 - math.sin(turn) * y1)
            qy = y0 + r * (math.cos(turn) * y1 + math.sin(turn) * x1)
            side = b * (rho - r)
        gone = math.hypot(x - qx, y - qy)
        # Only an edge that stands out of the rubber is nearest with its end: there one is outside.
        if gone < best - 1e-13 or (gone < best + 1e-13 and inside):
            best, what = min(gone, best), int(w)
            sign = -1.0 if (side < 0.0 and inside) else 1.0
            d = sign * gone
            nx, ny = sign * (x - qx) / gone, sign * (y - qy) / gone
    return d, nx, ny, what


@numba.njit(cache=True)
def nearest(ax: float, az: float, bx: float, bz: float, x: float, z: float) -> Any:
    """Vector to (x, z) from the nearest point of the segment a-b."""
    ux, uz = bx - ax, bz - az
    s = ((x - ax) * ux + (z - az) * uz) / (ux * ux + uz * uz)
    s = min(max(s, 0.0), 1.0)
    return x - ax - s * ux, z - az - s * uz


@numba.njit(cache=True)
def rubber_gap(pos: Any, pieces: Any, c: Any) -> Any:
    """(gap, nx, ny, nz, kind) to noses, liners and rails: a broken line in the plane across the wire."""
    d, px, py, what = wire(pos[0], pos[1], pieces)
    rise, top, width, draft = pos[2] - c[19], c[20] - c[19], c[21], c[22]
    best, kind, nd, nz = np.inf, what, 1.0, 0.0
    for part in range(3):
        if part == 0:
            qd, qz = nearest(0.0, 0.0, -math.sin(draft), -math.cos(draft), d, rise)
        elif part == 1:
            qd, qz = nearest(0.0, 0.0, -width, top, d, rise)
        else:
            qd, qz = nearest(-width, top, -width - 1.0, top, d, rise)
        h = math.hypot(qd, qz)
        if h < best - 1e-15:
            best, nd, nz = h, qd / h, qz / h
            kind = what if part == 0 else RAIL
    return best - c[0], nd * px, nd * py, nz, kind


@numba.njit(cache=True)
def edge_gap(pos: Any, holes: Any, c: Any) -> Any:
    """(gap, nx, ny, nz, kind) to the slate's ends at the pockets: a torus above, a wall below."""
    best, bx, by, bz, kind = np.inf, 0.0, 0.0, 1.0, EDGE
    radius, edge = c[0], c[23]
    for k in range(holes.shape[0]):
        s = holes[k]
        hx, hy, r, ax, ay, half = s[0], s[1], s[2], s[3], s[4], s[5]
        qx, qy = pos[0] - hx, pos[1] - hy
        rho = math.hypot(qx, qy)
        if rho > 3.0 * r:
            continue
        ring = r + edge
        off = math.atan2(ax * qy - ay * qx, ax * qx + ay * qy)
        turn = min(max(off, -half), half)
        # The nearest point of the ring around the hole, as far as there is slate.
        ex = hx + ring * (math.cos(turn) * ax - math.sin(turn) * ay)
        ey = hy + ring * (math.cos(turn) * ay + math.sin(turn) * ax)
        dx, dy, dz = pos[0] - ex, pos[1] - ey, pos[2] + edge
        if dz < 0.0:
            if rho > ring:
                continue
            dz = 0.0
        h = math.sqrt(dx * dx + dy * dy + dz * dz)
        if h - edge - radius < best:
            best = h - edge - radius
            bx, by, bz = dx / h, dy / h, dz / h
            kind = LINER if dz == 0.0 else EDGE
    return best, bx, by, bz, kind


@numba.njit(cache=True)
def over_hole(pos: Any, holes: Any, c: Any) -> float:
    """How far the centre is outside the nearest hole's edge in plan, m (negative: over it)."""
    best = np.inf
    for k in range(holes.shape[0]):
        away = math.hypot(pos[0] - holes[k, 0], pos[1] - holes[k, 1]) - holes[k, 2] - c[23]
        best = min(best, away)
    return best


@numba.njit(cache=True)
def move(pos: Any, vel: Any, spin: Any, flies: bool, h: float, c: Any) -> None:
    """One ball for a time h: a parabola in the air, sliding and then rolling on the bed."""
    radius, g = c[0], c[1]
    if flies:
        for k in range(3):
            pos[k] += h * vel[k]
        pos[2] -= 0.5 * g * h * h
        vel[2] -= g * h
        return
    turn = max(abs(spin[2]) - c[4] * h, 0.0)
    spin[2] = math.copysign(turn, spin[2])
    ux, uy = vel[0] - radius * spin[1], vel[1] + radius * spin[0]
    slip = math.hypot(ux, uy)
    if slip > 1e-10:
        a = c[2] * g
        s = min(h, slip / (3.5 * a))
        fx, fy = -a * ux / slip, -a * uy / slip
        pos[0] += s * vel[0] + 0.5 * s * s * fx
        pos[1] += s * vel[1] + 0.5 * s * s * fy
        vel[0] += s * fx
        vel[1] += s * fy
        spin[0] += 2.5 / radius * fy * s
        spin[1] -= 2.5 / radius * fx * s
        if s == h:
            return
        h -= s
    speed = math.hypot(vel[0], vel[1])
    if speed > 0.0:
        a = c[3] * g
        s = min(h, speed / a)
        fx, fy = -a * vel[0] / speed, -a * vel[1] / speed
        pos[0] += s * vel[0] + 0.5 * s * s * fx
        pos[1] += s * vel[1] + 0.5 * s * s * fy
        left = 1.0 - a * s / speed if s < speed / a else 0.0
        vel[0] *= left
        vel[1] *= left
    spin[0], spin[1] = -vel[1] / radius, vel[0] / radius


@numba.njit(cache=True)
def wall_impact(vel: Any, spin: Any, n: Any, e: float, mu: float, radius: float) -> None:
    """A fixed surface: restitution, and friction that slips or stops the slip."""
    vn = dot(vel, n)
    push = -(1.0 + e) * vn
    slip, turn = np.empty(3), np.empty(3)
    cross(spin, n, slip)
    for k in range(3):
        slip[k] = vel[k] - vn * n[k] - radius * slip[k]
    size = math.sqrt(dot(slip, slip))
    give = min(mu * push / size, 2.0 / 7.0) if size > 0.0 else 0.0
    cross(n, slip, turn)
    for k in range(3):
        vel[k] += push * n[k] - give * slip[k]
        spin[k] += 2.5 / radius * give * turn[k]


@numba.njit(cache=True)
def bed_bounce(vel: Any, spin: Any, c: Any) -> bool:
    """The bed's answer; whether the ball flies on."""
    back = -c[9] * vel[2]
    e = c[9] if back >= HOP else 0.0
    wall_impact(vel, spin, np.array([0.0, 0.0, 1.0]), e, c[10], c[0])
    if e == 0.0:
        vel[2] = 0.0
    return e > 0.0


@numba.njit(cache=True)
def squeeze(vel: Any, spin: Any, n: Any, c: Any) -> None:
    """Nose, friction and bed together (Mathavan 2010), by many small impulses; friction smoothed.

    In units of the approach speed: impulses of 4e-6, friction linear below a slip of 8e-6.
    """
    radius, mu_nose, mu_bed, e = c[0], c[12], c[2], c[11]
    f = -dot(vel, n)
    vx, vy, vz = vel[0] / f, vel[1] / f, vel[2] / f
    wx, wy, wz = radius * spin[0] / f, radius * spin[1] / f, radius * spin[2] / f
    nx, ny, nz = n[0], n[1], n[2]
    dq, work, took, back = 4e-6, 0.0, 0.0, False
    for _ in range(5000000):
        vn = vx * nx + vy * ny + vz * nz
        if not back and vn >= 0.0:
            took, work, back = -work, 0.0, True
        if back and work >= e * e * took:
            break
        sx = vx - (wy * nz - wz * ny) - vn * nx
        sy = vy - (wz * nx - wx * nz) - vn * ny
        sz = vz - (wx * ny - wy * nx) - vn * nz
        k = -mu_nose / max(math.sqrt(sx * sx + sy * sy + sz * sz), 8e-6)
        fx, fy, fz = k * sx, k * sy, k * sz
        push = max(0.0, -nz - fz) if vz <= 0.0 else 0.0
        kx, ky = vx - wy, vy + wx
        k = -mu_bed * push / max(math.hypot(kx, ky), 8e-6)
        gx, gy = k * kx, k * ky
        vx += dq * (nx + fx + gx)
        vy += dq * (ny + fy + gy)
        vz = max(vz + dq * (nz + fz + push), 0.0)
        wx -= dq * 2.5 * (ny * fz - nz * fy - gy)
        wy -= dq * 2.5 * (nz * fx - nx * fz + gx)
        wz -= dq * 2.5 * (nx * fy - ny * fx)
        work += dq * 0.5 * (vn + vx * nx + vy * ny + vz * nz)
    vel[0], vel[1], vel[2] = f * vx, f * vy, f * vz
    spin[0], spin[1], spin[2] = f * wx / radius, f * wy / radius, f * wz / radius


@numba.njit(cache=True)
def low_impact(vel: Any, spin: Any, n: Any, height: float, c: Any) -> None:
    """A flying ball on a nose: alone, or for a part with the bed if the nose drives it down to it in time."""
    bedded, turned = vel.copy(), spin.copy()
    wall_impact(vel, spin, n, c[11], c[12], c[0])
    if n[2] >= 0.0 or vel[2] >= 0.0 or height <= 0.0 or height >= -vel[2] * NOSE_TIME:
        return
    bedded[2] = max(bedded[2], 0.0)
    squeeze(bedded, turned, n, c)
    alone = height / (-vel[2] * NOSE_TIME)
    for k in range(3):
        vel[k] = alone * vel[k] + (1.0 - alone) * bedded[k]
        spin[k] = alone * spin[k] + (1.0 - alone) * turned[k]


@numba.njit(cache=True)
def table_impact(vel: Any, spin: Any, n: Any, kind: int, flies: bool, height: float, c: Any) -> Any:
    """(goes on, flies): False first if this contact does not rebound and the ball would lean on it."""
    approach = -dot(vel, n)
    if approach < SLOW:
        return False, flies
    if kind in (CUSHION, JAW):
        if flies:
            low_impact(vel, spin, n, height, c)
            return True, True
        squeeze(vel, spin, n, c)
        if vel[2] < HOP:
            vel[2] = 0.0
        return True, vel[2] > 0.0
    e, mu = c[9], c[10]
    if kind == LINER:
        e, mu = c[13], c[14]
    elif kind == RAIL:
        e, mu = c[15], c[16]
    if n[2] > 0.5 and e * approach < HOP:
        return False, flies
    wall_impact(vel, spin, n, e, mu, c[0])
    return True, True


@numba.njit(cache=True)
def pair_impact(pa: Any, pb: Any, va: Any, vb: Any, wa: Any, wb: Any, c: Any) -> bool:
    """Two equal spheres; False if they approach too slowly to rebound."""
    n, slip, turn = np.empty(3), np.empty(3), np.empty(3)
    for k in range(3):
        n[k] = pb[k] - pa[k]
    size = math.sqrt(dot(n, n))
    for k in range(3):
        n[k] /= size
        slip[k] = wa[k] + wb[k]
    approach = dot(va, n) - dot(vb, n)
    if approach < SLOW:
        return False
    push = 0.5 * (1.0 + c[5]) * approach
    cross(slip, n, turn)
    for k in range(3):
        slip[k] = va[k] - vb[k] - approach * n[k] + c[0] * turn[k]
    size = math.sqrt(dot(slip, slip))
    give = 0.0
    if size > 0.0:
        give = min((c[6] + c[7] * math.exp(-c[8] * size)) * push / size, 1.0 / 7.0)
    cross(slip, n, turn)
    for k in range(3):
        va[k] -= push * n[k] + give * slip[k]
        vb[k] += push * n[k] + give * slip[k]
        wa[k] += 2.5 / c[0] * give * turn[k]
        wb[k] += 2.5 / c[0] * give * turn[k]
    return True


@numba.njit(cache=True)
def apart(a: Any, b: Any) -> float:
    """Distance of two centres."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@numba.njit(cache=True)
def gaps(pos: Any, flies: Any, there: Any, pieces: Any, holes: Any, c: Any, out: Any) -> None:
    """out[i, j] for j > i: pairs; out[i, n + 0..2]: rubber, slate's edge, bed. 1 where out of question."""
    n = pos.shape[0]
    for i in range(n):
        for j in range(n + 3):
            out[i, j] = 1.0
        if not there[i]:
            continue
        for j in range(i + 1, n):
            if there[j]:
                out[i, j] = apart(pos[i], pos[j]) - 2.0 * c[0]
        margin = min(pos[i, 0], c[17] - pos[i, 0], pos[i, 1], c[18] - pos[i, 1])
        if margin > 0.1:
            if flies[i]:
                out[i, n + 2] = pos[i, 2] - c[0]
            continue
        out[i, n] = rubber_gap(pos[i], pieces, c)[0]
        away = over_hole(pos[i], holes, c)
        if flies[i]:
            out[i, n + 1] = edge_gap(pos[i], holes, c)[0]
            if away >= 0.0:
                out[i, n + 2] = pos[i, 2] - c[0]
        else:
            out[i, n + 1] = away


@numba.njit(cache=True)
def run(
    pos: Any,
    vel: Any,
    spin: Any,
    pieces: Any,
    holes: Any,
    c: Any,
    until: int,
    t_max: float,
    log: Any,
) -> int:
    """Play until so many contacts, one that is not covered, or t_max; how many were logged.

    log (until, 23): t, kind, ball, other, 1 if it went on; two balls' centres, velocities before, after.
    """
    n = pos.shape[0]
    flies = np.zeros(n, np.bool_)
    there = np.ones(n, np.bool_)
    for i in range(n):
        flies[i] = vel[i, 2] > 0.0 or pos[i, 2] > c[0]
    now, then = np.ones((n, n + 3)), np.ones((n, n + 3))
    p, v, w = pos.copy(), vel.copy(), spin.copy()
    count, t, left = 0, 0.0, STEP
    while t < t_max:
        gaps(pos, flies, there, pieces, holes, c, now)
        play_on(pos, vel, spin, flies, there, left, c, p, v, w)
        gaps(p, flies, there, pieces, holes, c, then)
        # The first of the gaps that close in this step: halve the time for as long as one has.
        h, a, b = left, -1, -1
        lo = 0.0
        closes = False
        for i in range(n):
            for j in range(n + 3):
                closes = closes or (now[i, j] >= 0.0 and then[i, j] < 0.0)
        if closes:
            hi = left
            for _ in range(60):
                h = 0.5 * (lo + hi)
                play_on(pos, vel, spin, flies, there, h, c, p, v, w)
                gaps(p, flies, there, pieces, holes, c, then)
                hit = False
                for i in range(n):
                    for j in range(n + 3):
                        if now[i, j] >= 0.0 and then[i, j] < 0.0:
                            hit, a, b = True, i, j
                if hit:
                    hi = h
                else:
                    lo = h
            if a < 0:
                # It closes at the very end of the step: the next one begins there.
                lo = left
            h = lo
            play_on(pos, vel, spin, flies, there, h, c, p, v, w)
        for i in range(n):
            put(pos[i], 0, p[i])
            put(vel[i], 0, v[i])
            put(spin[i], 0, w[i])
        t += h
        left -= h
        if left <= 1e-15:
            left = STEP
        if a < 0:
            for i in range(n):
                if pos[i, 2] < -c[0] or (
                    max(-pos[i, 0], pos[i, 0] - c[17], -pos[i, 1], pos[i, 1] - c[18]) > c[24]
                ):
                    there[i] = False
            continue
        row = log[count]
        count += 1
        row[0], row[2], row[3], row[4] = t, a, -1, 1.0
        put(row, 5, pos[a])
        put(row, 11, vel[a])
        goes_on = True
        if b < n:
            row[1], row[3] = BALL, b
            put(row, 8, pos[b])
            put(row, 14, vel[b])
            steep = (pos[b, 2] - pos[a, 2]) / (2.0 * c[0])
            goes_on = not ((steep > STEEP and not flies[a]) or (steep < -STEEP and not flies[b]))
            for k in range(n):
                for m in (a, b):
                    if there[k] and k != a and k != b:
                        goes_on = goes_on and apart(pos[k], pos[m]) > 2.0 * c[0] + NEAR
            if goes_on:
                goes_on = pair_impact(pos[a], pos[b], vel[a], vel[b], spin[a], spin[b], c)
            for m in (a, b):
                if goes_on and not flies[m]:
                    if vel[m, 2] < 0.0:
                        flies[m] = bed_bounce(vel[m], spin[m], c)
                    elif vel[m, 2] < HOP:
                        vel[m, 2] = 0.0
                    else:
                        flies[m] = True
        elif b == n + 2:
            row[1] = BED
            flies[a] = bed_bounce(vel[a], spin[a], c)
            if not flies[a]:
                pos[a, 2] = c[0]
        elif b == n + 1 and not flies[a]:
            row[1] = EDGE
            near = 0
            for k in range(holes.shape[0]):
                if abs(over_hole(pos[a], holes[k : k + 1], c)) < 1e-6:
                    near = k
            qx, qy = pos[a, 0] - holes[near, 0], pos[a, 1] - holes[near, 1]
            inward = (vel[a, 0] * qx + vel[a, 1] * qy) / math.hypot(qx, qy)
            goes_on = inward * inward >= c[1] * (c[0] + c[23])
            flies[a] = True
        else:
            if b == n:
                _, nx, ny, nz, kind = rubber_gap(pos[a], pieces, c)
            else:
                _, nx, ny, nz, kind = edge_gap(pos[a], holes, c)
            row[1] = kind
            goes_on, flies[a] = table_impact(
                vel[a], spin[a], np.array([nx, ny, nz]), kind, flies[a], pos[a, 2] - c[0], c
            )
        put(row, 17, vel[a])
        if b < n:
            put(row, 20, vel[b])
        if not goes_on:
            row[4] = 0.0
            break
        if count == until:
            break
    return count


def contacts(
    layout: sim.Layout,
    motions: dict[int, sim.Motion],
    materials: sim.Materials,
    until: int = 3,
    t_max: float = 3.0,
) -> list[Contact]:
    """The first contacts of a shot, in order; `ball` and `other` are ids of the layout."""
    balls = list(layout.balls)
    still = sim.Motion()
    pos = np.array([layout[ball] for ball in balls])
    vel = np.array([motions.get(ball, still).velocity for ball in balls])
    spin = np.array([motions.get(ball, still).spin for ball in balls])
    pieces, holes = table_pieces(layout.table)
    log = np.zeros((until, 23))
    count = run(
        pos, vel, spin, pieces, holes, constants(layout.table, materials), until, t_max, log
    )
    out = []
    for row in log[:count]:
        other = int(row[3])
        out.append(
            Contact(
                t=float(row[0]),
                kind=KINDS[int(row[1])],
                ball=balls[int(row[2])],
                other=balls[other] if other >= 0 else -1,
                places=row[5:11].reshape(2, 3).copy(),
                before=row[11:17].reshape(2, 3).copy(),
                after=row[17:23].reshape(2, 3).copy() if row[4] else None,
            )
        )
    return out
