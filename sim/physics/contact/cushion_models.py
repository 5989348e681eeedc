"""The dynamics of a ball squeezed between nose and bed, and the closed form of one in the air.

Everything is per unit mass: impulses are m/s, spin enters as W = R w in m/s. The local axes are x,
the horizontal part of the normal (away from the cushion), y along the nose, z up; the normal is
n = (c, 0, k) and the second tangent t = (-k, 0, c). With k = -sin(theta) these are the equations of
Mathavan, Jackson and Parkin (2010); here k has any sign and the bed may let go.
"""

from __future__ import annotations

import math

from sim.physics.kernel import kernel

__all__ = ["free_impact", "squeezed_impact"]

# All speeds below are in units of the approach speed along the normal.
_STILL = 1e-6  # a slip smaller than this is none: Coulomb's direction is taken from the drift
_ERROR = 1e-5  # of one step, in the slips and the impulses
_SHRINK = 0.95  # a slip may lose this part of itself in one step
_LAST = 1e-4  # a remaining impulse smaller than this is one straight step
_KINK = 1e-3  # how far past it a step may go, of impulse
_TILT = 1e-7  # angle by which a slip is turned to find how the forces answer
_PATIENCE = 40  # after so many steps that smallness grows by a fifth a step
_STEPS = 200  # a guard: ordinary impacts take 5 to 10 steps, a slip passing near zero some 40


@kernel
def free_impact(vx, vy, vz, wx, wy, wz, nx, ny, nz, e, mu):
    """An impact on a fixed surface with nothing else in touch; v and W before, v and W after.

    A sphere's slip keeps its direction, so this is exact: the friction impulse is the smaller of
    mu times the normal impulse and what stops the slip, 2/7 of it.
    """
    vn = nx * vx + ny * vy + nz * vz
    q = -(1.0 + e) * vn
    sx = vx - (wy * nz - wz * ny)
    sy = vy - (wz * nx - wx * nz)
    sz = vz - (wx * ny - wy * nx)
    sx -= vn * nx
    sy -= vn * ny
    sz -= vn * nz
    slip = math.sqrt(sx * sx + sy * sy + sz * sz)
    f = -2.0 / 7.0
    if slip * 2.0 > 7.0 * mu * q:
        f = -mu * q / slip
    fx, fy, fz = f * sx, f * sy, f * sz
    return (
        vx + q * nx + fx,
        vy + q * ny + fy,
        vz + q * nz + fz,
        wx - 2.5 * (ny * fz - nz * fy),
        wy - 2.5 * (nz * fx - nx * fz),
        wz - 2.5 * (nx * fy - ny * fx),
    )


@kernel
def _pushes(s1, s2, cx, cy, lifted, c, k, mu_w, mu_s):
    """Impulses per unit of nose normal impulse: nose friction (y, t), bed normal, bed friction.

    (s1, s2) is the slip at the nose along y and t, (cx, cy) the slip at the bed. The bed pushes
    just enough to keep v_z = 0, never pulls, and not at all while the ball is lifted.
    """
    slip = math.sqrt(s1 * s1 + s2 * s2)
    skid = math.sqrt(cx * cx + cy * cy)
    a = b = 0.0
    if slip > _STILL:
        a = -mu_w / slip * s1
        b = -mu_w / slip * s2
    bed = -(k + c * b)
    if lifted or bed < 0.0:
        bed = 0.0
    gx = gy = 0.0
    if skid > _STILL:
        gx = -mu_s / skid * cx
        gy = -mu_s / skid * cy
    elif bed > 0.0:
        # Rolling: held if the bed's friction can undo the drift, else it slips along the drift.
        dx = c - (k + 2.5) * b
        dy = (1.0 + 2.5 * k) * a
        drift = math.sqrt(dx * dx + dy * dy)
        g = -1.0 / (3.5 * bed)
        if drift > 3.5 * bed * mu_s:
            g = -mu_s / drift
        gx = g * dx
        gy = g * dy
    if slip <= _STILL and bed > 0.0:
        # The same at the nose; the drift's direction does not depend on the nose's friction.
        d1 = (1.0 + 2.5 * k) * gy
        d2 = c - (k + 2.5) * gx
        drift = math.sqrt(d1 * d1 + d2 * d2)
        give = 3.5 - c * d2
        f = k / give
        if give <= 0.0 or -k * drift > mu_w * give:
            f = -mu_w / drift
        a = f * d1
        b = f * d2
        bed = max(-(k + c * b), 0.0)
    return a, b, bed, bed * gx, bed * gy


@kernel
def _slips(a, b, n, x, y, c, k):
    """Changes of slip at nose (y, t) and bed (x, y) by these impulses, the nose's normal one apart."""
    p = 1.0 + 2.5 * k
    r = k + 2.5
    return 3.5 * a + p * y, 3.5 * b + c * n - r * x, 3.5 * x - r * b, p * a + 3.5 * y


@kernel
def _shorten(h, x, y, fx, fy):
    """The step h, shortened so that a slip (x, y) changing at (fx, fy) stops short of zero."""
    square = x * x + y * y
    along = -(fx * x + fy * y)
    if square > _STILL * _STILL and h * along > _SHRINK * square:
        h = _SHRINK * square / along
    return h


@kernel
def squeezed_impact(vx, vy, vz, wx, wy, wz, c, k, e, mu_w, mu_s):
    """An impact on the nose of a ball that stands on the bed; v, W before, v, W after (local axes).

    Integrates over the normal impulse until the nose has given back the part e^2 of the work put
    into it. Speeds are scaled so that the approach speed is 1.

    Friction turns fast where a slip is small, so the method is implicit: Rosenbrock's of order 4
    with Kaps and Rentrop's scheme and Shampine's constants. The forces depend on the slips by
    their two directions alone; its linear system is therefore two by two.
    """
    i1 = vy - wz * c + wx * k  # slip at the nose before
    i2 = wy - k * vx + c * vz
    ix = vx - wy  # slip at the bed before
    iy = vy + wx
    iv = c * vx + k * vz
    iz = vz
    q = sa = sb = sn = sx = sy = 0.0  # impulses so far
    work = 0.0  # done on the ball by the nose
    target = 1.0  # of the work; positive: still compressing
    longest = 1.0
    s1, s2, cx, cy, vn = i1, i2, ix, iy, iv
    bend = 0.0  # what the next rate takes from the work of the step before
    still = _STILL
    for step in range(_STEPS):
        if step > _PATIENCE:
            still *= 1.2
        lifted = vz > 0.0
        slip = math.sqrt(s1 * s1 + s2 * s2)
        skid = math.sqrt(cx * cx + cy * cy)
        if slip <= still:
            i1, i2, s1, s2 = i1 - s1, i2 - s2, 0.0, 0.0
        if skid <= still:
            ix, iy, cx, cy = ix - cx, iy - cy, 0.0, 0.0
        a, b, n, x, y = _pushes(s1, s2, cx, cy, lifted, c, k, mu_w, mu_s)
        rate = 1.0 + k * n + c * x  # of vn
        work -= bend * rate
        bend = 0.0
        if target > 0.0 and vn > -1e-2:
            target = (1.0 - e * e) * (work - 0.5 * vn * vn / rate)
        # To the end of compression, or of restitution, were the rates to stay.
        if target > 0.0:
            if rate <= 1e-3:
                break  # wedged
            h = -vn / rate
        else:
            square = vn * vn + 2.0 * rate * (target - work)
            if rate <= 0.0 and (square < 0.0 or vn <= 0.0):
                break  # friction holds it before the nose has given all back
            root = math.sqrt(max(square, 0.0))
            if vn > 0.0:
                h = 2.0 * (target - work) / (vn + root)
            else:
                h = (root - vn) / rate
        up = k + c * b + n
        if target <= 0.0 and abs(h) < _LAST:
            q += h
            sa += h * a
            sb += h * b
            sx += h * x
            sy += h * y
            vz += h * up
            break
        f1, f2, fx, fy = _slips(a, b, n, x, y, c, k)
        fx += c
        h = min(h, longest)
        h = _shorten(h, s1, s2, f1, f2)
        h = _shorten(h, cx, cy, fx, fy)
        if lifted and vz + h * up < 0.0:
            h = -vz / up
        # How the forces (p..: by the nose's slip, r..: by the bed's) answer to a turn.
        pa = pb = pn = px = py = p1 = p2 = p3 = p4 = 0.0
        ra = rb = rn = rx = ry = r1 = r2 = r3 = r4 = 0.0
        t1 = t2 = tx = ty = 0.0  # turn by a change of slip
        if slip > still:
            t1, t2 = -s2 / (slip * slip), s1 / (slip * slip)
            pa, pb, pn, px, py = _pushes(
                s1 - _TILT * s2, s2 + _TILT * s1, cx, cy, lifted, c, k, mu_w, mu_s
            )
            pa = (pa - a) / _TILT
            pb = (pb - b) / _TILT
            pn = (pn - n) / _TILT
            px = (px - x) / _TILT
            py = (py - y) / _TILT
            p1, p2, p3, p4 = _slips(pa, pb, pn, px, py, c, k)
        if skid > still:
            tx, ty = -cy / (skid * skid), cx / (skid * skid)
            ra, rb, rn, rx, ry = _pushes(
                s1, s2, cx - _TILT * cy, cy + _TILT * cx, lifted, c, k, mu_w, mu_s
            )
            ra = (ra - a) / _TILT
            rb = (rb - b) / _TILT
            rn = (rn - n) / _TILT
            rx = (rx - x) / _TILT
            ry = (ry - y) / _TILT
            r1, r2, r3, r4 = _slips(ra, rb, rn, rx, ry, c, k)
        u0 = t1 * f1 + t2 * f2
        w0 = tx * fx + ty * fy
        if slip <= still:
            # Gripping: not far past where friction lets go.
            grip = math.sqrt(a * a + b * b)
            less = (a * ra + b * rb) * w0
            if h * less > (mu_w - grip) * grip > 0.0:
                h = min(h, max((mu_w - grip) * grip / less, _KINK))
        g = 0.5 * h
        m11 = 1.0 - g * (t1 * p1 + t2 * p2)
        m12 = -g * (t1 * r1 + t2 * r2)
        m21 = -g * (tx * p3 + ty * p4)
        m22 = 1.0 - g * (tx * r3 + ty * r4)
        inverse = g / (m11 * m22 - m12 * m21)
        # Stage 1.
        d1 = 0.5 * inverse * (m22 * u0 - m12 * w0)
        e1 = 0.5 * inverse * (m11 * w0 - m21 * u0)
        # Stage 2.
        aa, bb, nn, xx, yy = _pushes(
            s1 + h * (f1 + 2.0 * (d1 * p1 + e1 * r1)),
            s2 + h * (f2 + 2.0 * (d1 * p2 + e1 * r2)),
            cx + h * (fx + 2.0 * (d1 * p3 + e1 * r3)),
            cy + h * (fy + 2.0 * (d1 * p4 + e1 * r4)),
            lifted, c, k, mu_w, mu_s,
        )  # fmt: skip
        g1, g2, gx, gy = _slips(aa, bb, nn, xx, yy, c, k)
        gx += c
        u = t1 * g1 + t2 * g2 - 4.0 * u0
        w = tx * gx + ty * gy - 4.0 * w0
        dd, ee = -8.0 * d1, -8.0 * e1
        u += dd * (t1 * p1 + t2 * p2) + ee * (t1 * r1 + t2 * r2)
        w += dd * (tx * p3 + ty * p4) + ee * (tx * r3 + ty * r4)
        d2 = 0.5 * (inverse * (m22 * u - m12 * w) + dd)
        e2 = 0.5 * (inverse * (m11 * w - m21 * u) + ee)
        # Stage 3.
        dd, ee = 1.92 * d1 + 0.24 * d2, 1.92 * e1 + 0.24 * e2
        ca, cb, cn, ccx, ccy = _pushes(
            s1 + h * (0.48 * f1 + 0.12 * g1 + dd * p1 + ee * r1),
            s2 + h * (0.48 * f2 + 0.12 * g2 + dd * p2 + ee * r2),
            cx + h * (0.48 * fx + 0.12 * gx + dd * p3 + ee * r3),
            cy + h * (0.48 * fy + 0.12 * gy + dd * p4 + ee * r4),
            lifted, c, k, mu_w, mu_s,
        )  # fmt: skip
        h1, h2, hx, hy = _slips(ca, cb, cn, ccx, ccy, c, k)
        hx += c
        u1 = t1 * g1 + t2 * g2
        w1 = tx * gx + ty * gy
        u2 = t1 * h1 + t2 * h2
        w2 = tx * hx + ty * hy
        dd, ee = 14.88 * d1 + 2.4 * d2, 14.88 * e1 + 2.4 * e2
        u = 2.64 * u0 + 1.2 * u1 + u2 + dd * (t1 * p1 + t2 * p2) + ee * (t1 * r1 + t2 * r2)
        w = 2.64 * w0 + 1.2 * w1 + w2 + dd * (tx * p3 + ty * p4) + ee * (tx * r3 + ty * r4)
        d3 = 0.5 * (inverse * (m22 * u - m12 * w) + dd)
        e3 = 0.5 * (inverse * (m11 * w - m21 * u) + ee)
        # Stage 4, with the forces of stage 3.
        dd = -0.896 * d1 - 0.432 * d2 - 0.4 * d3
        ee = -0.896 * e1 - 0.432 * e2 - 0.4 * e3
        u = -0.112 * u0 - 0.456 * u1 + 0.8 * u2
        w = -0.112 * w0 - 0.456 * w1 + 0.8 * w2
        u += dd * (t1 * p1 + t2 * p2) + ee * (t1 * r1 + t2 * r2)
        w += dd * (tx * p3 + ty * p4) + ee * (tx * r3 + ty * r4)
        d4 = 0.5 * (inverse * (m22 * u - m12 * w) + dd)
        e4 = 0.5 * (inverse * (m11 * w - m21 * u) + ee)
        dd = 17.0 / 54.0 * d1 + 7.0 / 36.0 * d2 + 125.0 / 108.0 * d4
        ee = 17.0 / 54.0 * e1 + 7.0 / 36.0 * e2 + 125.0 / 108.0 * e4
        z1, z2, z3 = -8.0 / 27.0, -1.0 / 6.0, 25.0 / 54.0
        off = h * max(
            abs(z1 * a + z2 * aa + z3 * ca + dd * pa + ee * ra),
            abs(z1 * b + z2 * bb + z3 * cb + dd * pb + ee * rb),
            abs(z1 * x + z2 * xx + z3 * ccx + dd * px + ee * rx),
            abs(z1 * y + z2 * yy + z3 * ccy + dd * py + ee * ry),
        )
        grow = math.sqrt(math.sqrt(_ERROR / (abs(off) + 1e-3 * _ERROR)))
        longest = abs(h) * 0.9 * grow
        if off > _ERROR:
            longest = max(longest, 0.1 * abs(h))
            continue
        dd = 19.0 / 9.0 * d1 + 0.5 * d2 + 25.0 / 108.0 * d3 + 125.0 / 108.0 * d4
        ee = 19.0 / 9.0 * e1 + 0.5 * e2 + 25.0 / 108.0 * e3 + 125.0 / 108.0 * e4
        z1, z2, z3 = 8.0 / 27.0, 0.125, 125.0 / 216.0
        q += h
        sa += h * (z1 * a + z2 * aa + z3 * ca + dd * pa + ee * ra)
        sb += h * (z1 * b + z2 * bb + z3 * cb + dd * pb + ee * rb)
        sn += h * (z1 * n + z2 * nn + z3 * cn + dd * pn + ee * rn)
        sx += h * (z1 * x + z2 * xx + z3 * ccx + dd * px + ee * rx)
        sy += h * (z1 * y + z2 * yy + z3 * ccy + dd * py + ee * ry)
        work += h * (0.5 * vn + h / 12.0 * rate)
        vn = iv + q + k * sn + c * sx
        work += 0.5 * h * vn
        bend = h * h / 12.0
        s1, s2, cx, cy = _slips(sa, sb, sn, sx, sy, c, k)
        s1 += i1
        s2 += i2
        cx += ix + c * q
        cy += iy
        vz = iz + k * q + c * sb + sn
        slip, old = math.sqrt(s1 * s1 + s2 * s2), slip
        skid, ago = math.sqrt(cx * cx + cy * cy), skid
        if (old > still >= slip) or (ago > still >= skid):
            longest = 0.3
        else:
            if still < slip < old:
                longest *= slip / old
            if still < skid < ago:
                longest *= skid / ago
        if vz < 1e-8:
            vz = 0.0
    if vz < 1e-8:
        vz = 0.0
    return (
        vx + c * q - k * sb + sx,
        vy + sa + sy,
        vz,
        wx + 2.5 * (k * sa + sy),
        wy + 2.5 * (sb - sx),
        wz - 2.5 * c * sa,
    )
