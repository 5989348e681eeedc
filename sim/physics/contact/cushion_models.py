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
_ERROR = 2e-5  # estimated, of a slip in one step; what it makes in the result is a tenth
_SHRINK = 0.95  # a slip may lose this part of itself in one step
_FIRST = 0.5  # the longest step to begin with
_LAST = 1e-4  # a remaining impulse smaller than this is one straight step
_KINK = 1e-3  # how far past it a step may go, of impulse
_PATIENCE = 40  # after so many steps that smallness grows by a fifth a step
_NEARLY = 1e-4  # up to this
_STEPS = 200  # a guard: ordinary impacts take 3 to 12 steps, a slip that passes near zero 50
# The scheme's weights of the forces (F, G) and of the turns (E, B), for the error and the step.
_F1, _F2, _F3 = -8.0 / 27.0, -1.0 / 6.0, 25.0 / 54.0
_E1, _E2, _E4 = 17.0 / 54.0, 7.0 / 36.0, 125.0 / 108.0
_G1, _G3 = 8.0 / 27.0, 125.0 / 216.0
_B1, _B3 = 19.0 / 9.0, 25.0 / 108.0


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
        f = -mu_w / slip
        a = f * s1
        b = f * s2
    bed = -(k + c * b)
    if lifted or bed < 0.0:
        bed = 0.0
    gx = gy = 0.0
    if skid > _STILL:
        g = -mu_s / skid
        gx = g * cx
        gy = g * cy
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
    """Changes of slip at nose (y, t) and bed (x, y) by all impulses but the nose's normal one."""
    p = 1.0 + 2.5 * k
    r = 2.5 + k
    return 3.5 * a + p * y, 3.5 * b + c * n - r * x, 3.5 * x - r * b, p * a + 3.5 * y


@kernel
def _impulses(g1, g2, gx, gy, c, k):
    """The impulses (a, b, x, y) behind changes of slip, with n = -c b: the inverse of `_slips`."""
    p = 1.0 + 2.5 * k
    r = 2.5 + k
    f = 1.0 / ((3.5 - p) * (3.5 + p))
    g = 0.4 / ((1.0 - k) * (1.0 - k))
    return (
        f * (3.5 * g1 - p * gy),
        g * (3.5 * g2 + r * gx),
        g * ((3.5 - c * c) * gx + r * g2),
        f * (3.5 * gy - p * g1),
    )


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

    Integrates the slips over the normal impulse until the nose has given back the part e^2 of the
    work put into it. Speeds are scaled so that the approach speed is 1.

    Friction turns fast where a slip is small, so the method is implicit: Rosenbrock's of order 4
    with the scheme of Kaps and Rentrop and Shampine's constants. The forces depend on the slips by
    their two directions alone, therefore its linear system is two by two.
    """
    s1 = i1 = vy - wz * c + wx * k  # slip at the nose, now and before
    s2 = i2 = wy - k * vx + c * vz
    d1 = ix = vx - wy  # slip at the bed
    d2 = iy = vy + wx
    lift = vz
    vn = -1.0
    q = work = 0.0  # impulse of the nose, and the work it did
    bend = 0.0  # what the next rate takes from the work of the step before
    target = 1.0  # of the work; positive: still compressing
    longest = _FIRST
    still = _STILL
    for step in range(_STEPS):
        if step > _PATIENCE:
            still = min(1.2 * still, _NEARLY)
        slip = math.sqrt(s1 * s1 + s2 * s2)
        skid = math.sqrt(d1 * d1 + d2 * d2)
        if slip <= still:
            i1 -= s1
            i2 -= s2
            s1 = s2 = 0.0
        if skid <= still:
            ix -= d1
            iy -= d2
            d1 = d2 = 0.0
        a, b, n, x, y = _pushes(s1, s2, d1, d2, lift > 0.0, c, k, mu_w, mu_s)
        rate = 1.0 + k * n + c * x  # of vn
        work -= bend * rate
        bend = 0.0
        # To the end of compression, or of restitution, were the rates to stay.
        if target > 0.0 and vn > -1e-2:
            target = (1.0 - e * e) * (work - 0.5 * vn * vn / rate)
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
        f1, f2, fx, fy = _slips(a, b, n, x, y, c, k)
        fx += c
        if target <= 0.0 and abs(h) < _LAST:
            q += h
            s1 += h * f1
            s2 += h * f2
            d1 += h * fx
            d2 += h * fy
            if n == 0.0:
                lift += h * (k + c * b)
            break
        h = _shorten(min(h, longest), s1, s2, f1, f2)
        h = _shorten(h, d1, d2, fx, fy)
        if lift > 0.0 and lift + h * (k + c * b) < 0.0:
            h = -lift / (k + c * b)

        # How the forces answer to a turn of the nose's slip (p..) and of the bed's (r..), and how
        # much a change of slip is a turn (t..).
        p1 = p2 = px = py = r1 = r2 = rx = ry = t1 = t2 = tx = ty = 0.0
        if slip > still:
            part = 1.0 / (slip * slip)
            t1, t2 = -s2 * part, s1 * part
            pn = kx = ky = 0.0
            if n > 0.0:
                pn = -c * a
                kx, ky = x * (pn / n), y * (pn / n)
                if skid <= still:
                    # The bed's friction follows the drift.
                    bx, by = c - (2.5 + k) * b, (1.0 + 2.5 * k) * a
                    ux, uy = -(2.5 + k) * a, -(1.0 + 2.5 * k) * b
                    size = bx * bx + by * by
                    if size <= 12.25 * mu_s * mu_s * n * n:
                        kx, ky = ux / -3.5, uy / -3.5
                    else:
                        turn = (bx * uy - by * ux) / size
                        kx -= y * turn
                        ky += x * turn
            p1, p2, px, py = _slips(-b, a, pn, kx, ky, c, k)
        if skid > still and n > 0.0:
            fraction = 1.0 / (skid * skid)
            tx, ty = -d2 * fraction, d1 * fraction
            ra = rb = rn = 0.0
            lx, ly = -y, x
            if slip <= still:
                # The nose's friction follows the drift.
                gx, gy = x / n, y / n
                n1, n2 = (1.0 + 2.5 * k) * gy, c - (2.5 + k) * gx
                u1, u2 = (1.0 + 2.5 * k) * gx, (2.5 + k) * gy
                give = 3.5 - c * n2
                flat = n1 * n1 + n2 * n2
                if give > 0.0 and k * k * flat <= mu_w * mu_w * give * give:
                    ra = (k * u1 + a * c * u2) / give
                    rb = (k * u2 + b * c * u2) / give
                    # Not far past where it lets go.
                    grip = a * a + b * b
                    less = 2.0 * (a * ra + b * rb) * (tx * fx + ty * fy)
                    if h * less > mu_w * mu_w - grip:
                        h = min(h, max((mu_w * mu_w - grip) / less, _KINK))
                else:
                    spin = (n1 * u2 - n2 * u1) / flat
                    ra, rb = -b * spin, a * spin
                rn = -c * rb
                lx += gx * rn
                ly += gy * rn
            r1, r2, rx, ry = _slips(ra, rb, rn, lx, ly, c, k)
        tp = t1 * p1 + t2 * p2
        tr = t1 * r1 + t2 * r2
        sp = tx * px + ty * py
        sr = tx * rx + ty * ry
        g = 0.5 * h
        m = g / ((1.0 - g * tp) * (1.0 - g * sr) - g * g * tr * sp)
        m11, m12, m21, m22 = m * (1.0 - g * sr), m * g * tr, m * g * sp, m * (1.0 - g * tp)

        # Stage 1: u turns the nose's slip, w the bed's.
        u1 = t1 * f1 + t2 * f2
        w1 = tx * fx + ty * fy
        a1 = 0.5 * (m11 * u1 + m12 * w1)
        b1 = 0.5 * (m21 * u1 + m22 * w1)
        # Stage 2.
        aa, bb, nn, xx, yy = _pushes(
            s1 + h * (f1 + 2.0 * (a1 * p1 + b1 * r1)),
            s2 + h * (f2 + 2.0 * (a1 * p2 + b1 * r2)),
            d1 + h * (fx + 2.0 * (a1 * px + b1 * rx)),
            d2 + h * (fy + 2.0 * (a1 * py + b1 * ry)),
            lift > 0.0, c, k, mu_w, mu_s,
        )  # fmt: skip
        g1, g2, gx2, gy2 = _slips(aa, bb, nn, xx, yy, c, k)
        gx2 += c
        u2 = t1 * g1 + t2 * g2
        w2 = tx * gx2 + ty * gy2
        ua = u2 - 4.0 * u1 - 8.0 * (a1 * tp + b1 * tr)
        wa = w2 - 4.0 * w1 - 8.0 * (a1 * sp + b1 * sr)
        a2 = 0.5 * (m11 * ua + m12 * wa) - 4.0 * a1
        b2 = 0.5 * (m21 * ua + m22 * wa) - 4.0 * b1
        # Stage 3.
        av = 1.92 * a1 + 0.24 * a2
        bv = 1.92 * b1 + 0.24 * b2
        ca, cb, cn, cx, cy = _pushes(
            s1 + h * (0.48 * f1 + 0.12 * g1 + av * p1 + bv * r1),
            s2 + h * (0.48 * f2 + 0.12 * g2 + av * p2 + bv * r2),
            d1 + h * (0.48 * fx + 0.12 * gx2 + av * px + bv * rx),
            d2 + h * (0.48 * fy + 0.12 * gy2 + av * py + bv * ry),
            lift > 0.0, c, k, mu_w, mu_s,
        )  # fmt: skip
        h1, h2, hx, hy = _slips(ca, cb, cn, cx, cy, c, k)
        hx += c
        u3 = t1 * h1 + t2 * h2
        w3 = tx * hx + ty * hy
        aw = 14.88 * a1 + 2.4 * a2
        bw = 14.88 * b1 + 2.4 * b2
        ub = 2.64 * u1 + 1.2 * u2 + u3 + aw * tp + bw * tr
        wb = 2.64 * w1 + 1.2 * w2 + w3 + aw * sp + bw * sr
        a3 = 0.5 * (m11 * ub + m12 * wb + aw)
        b3 = 0.5 * (m21 * ub + m22 * wb + bw)
        # Stage 4, with the forces of stage 3.
        ax = -0.896 * a1 - 0.432 * a2 - 0.4 * a3
        bx4 = -0.896 * b1 - 0.432 * b2 - 0.4 * b3
        uc = -0.112 * u1 - 0.456 * u2 + 0.8 * u3 + ax * tp + bx4 * tr
        wc = -0.112 * w1 - 0.456 * w2 + 0.8 * w3 + ax * sp + bx4 * sr
        a4 = 0.5 * (m11 * uc + m12 * wc + ax)
        b4 = 0.5 * (m21 * uc + m22 * wc + bx4)

        ae = _E1 * a1 + _E2 * a2 + _E4 * a4
        be = _E1 * b1 + _E2 * b2 + _E4 * b4
        off = abs(h) * max(
            abs(_F1 * f1 + _F2 * g1 + _F3 * h1 + ae * p1 + be * r1),
            abs(_F1 * f2 + _F2 * g2 + _F3 * h2 + ae * p2 + be * r2),
            abs(_F1 * fx + _F2 * gx2 + _F3 * hx + ae * px + be * rx),
            abs(_F1 * fy + _F2 * gy2 + _F3 * hy + ae * py + be * ry),
        )
        grow = 0.9 * math.sqrt(math.sqrt(_ERROR / (off + 1e-3 * _ERROR)))
        longest = max(abs(h) * max(grow, 0.1), 1e-8)
        if off > _ERROR:
            continue
        az = _B1 * a1 + 0.5 * a2 + _B3 * a3 + _E4 * a4
        bz = _B1 * b1 + 0.5 * b2 + _B3 * b3 + _E4 * b4
        s1 += h * (_G1 * f1 + 0.125 * g1 + _G3 * h1 + az * p1 + bz * r1)
        s2 += h * (_G1 * f2 + 0.125 * g2 + _G3 * h2 + az * p2 + bz * r2)
        d1 += h * (_G1 * fx + 0.125 * gx2 + _G3 * hx + az * px + bz * rx)
        d2 += h * (_G1 * fy + 0.125 * gy2 + _G3 * hy + az * py + bz * ry)
        q += h
        bend = h * h / 12.0
        if n == 0.0:
            bend = 0.0  # free of the bed the rates are constant, and jump at its end
            was = lift
            lift += h * (k + c * b)
            if lift < 1e-9:
                lift = 0.0
                if was > 0.0:
                    longest = _FIRST
        rise = lift - vz - k * q
        _, sb, sx, _ = _impulses(s1 - i1, s2 - i2 - c * rise, d1 - ix - c * q, d2 - iy, c, k)
        work += 0.5 * h * vn + bend * rate
        vn = k * (rise - c * sb) + c * sx + q - 1.0
        work += 0.5 * h * vn
        near = math.sqrt(s1 * s1 + s2 * s2)
        nigh = math.sqrt(d1 * d1 + d2 * d2)
        if (slip > still >= near) or (skid > still >= nigh):
            longest = _FIRST
        else:
            # What is small turns fast.
            if still < near < slip:
                longest *= near / slip
            if still < nigh < skid:
                longest *= nigh / skid
    if lift < 1e-9:
        lift = 0.0
    rise = lift - vz - k * q
    sa, sb, sx, sy = _impulses(s1 - i1, s2 - i2 - c * rise, d1 - ix - c * q, d2 - iy, c, k)
    return (
        vx + c * q - k * sb + sx,
        vy + sa + sy,
        lift,
        wx + 2.5 * (k * sa + sy),
        wy + 2.5 * (sb - sx),
        wz - 2.5 * c * sa,
    )
