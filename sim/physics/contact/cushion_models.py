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
_STILL = 1e-7  # a slip smaller than this is none: Coulomb's direction is taken from the drift
_TURN = 0.1  # a slip may turn by about this angle in one step, rad
_SHRINK = 0.9  # and lose this part of itself
_LAST = 1e-4  # a remaining impulse smaller than this is one straight step
_STEPS = 300  # a guard: ordinary impacts take 3 to 10 steps, a slip passing near zero some 40


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
        # Not slipping at the nose. The drift's direction does not depend on the nose's friction.
        d1 = (1.0 + 2.5 * k) * gy
        d2 = c - (k + 2.5) * gx
        drift = math.sqrt(d1 * d1 + d2 * d2)
        give = 3.5 - c * d2
        if give > 0.0 and -k * drift <= mu_w * give:
            a = k * d1 / give
            b = k * d2 / give
        elif drift > 0.0:
            a = -mu_w / drift * d1
            b = -mu_w / drift * d2
        bed = -(k + c * b)
        if bed < 0.0:
            bed = 0.0
    return a, b, bed, bed * gx, bed * gy


@kernel
def _step_limit(h, x, y, fx, fy):
    """The step h, shortened so that a slip (x, y) changing at (fx, fy) turns and shrinks little."""
    size = math.sqrt(x * x + y * y)
    if size > _STILL:
        along = -(fx * x + fy * y)
        if h * along > _SHRINK * size * size:
            h = _SHRINK * size * size / along
        across = abs(fx * y - fy * x)
        if h * across > _TURN * size * size:
            h = _TURN * size * size / across
    return h


@kernel
def squeezed_impact(vx, vy, vz, wx, wy, wz, c, k, e, mu_w, mu_s):
    """An impact on the nose of a ball that stands on the bed; v, W before, v, W after (local axes).

    Integrates over the normal impulse (Runge-Kutta 4) until the nose has given back the part e^2
    of the work put into it. Speeds are scaled so that the approach speed is 1.
    """
    s1 = vy - wz * c + wx * k  # slip at the nose
    s2 = wy - k * vx + c * vz
    cx = vx - wy  # slip at the bed
    cy = vy + wx
    vn = c * vx + k * vz
    p2 = 1.0 + 2.5 * k
    p3 = k + 2.5
    work = 0.0  # done on the ball by the nose
    target = 1.0  # of the work; positive: still compressing
    q = sa = sb = sn = sx = sy = 0.0  # impulses so far
    for _ in range(_STEPS):
        lifted = vz > 0.0
        a, b, n, x, y = _pushes(s1, s2, cx, cy, lifted, c, k, mu_w, mu_s)
        rate = 1.0 + k * n + c * x  # of vn
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
            if square < 0.0:
                square = 0.0
            root = math.sqrt(square)
            if vn > 0.0:
                h = 2.0 * (target - work) / (vn + root)
            else:
                h = (root - vn) / rate
        if target <= 0.0 and abs(h) < _LAST:
            q += h
            sa += h * a
            sb += h * b
            sn += h * n
            sx += h * x
            sy += h * y
            vz += h * (k + c * b + n)
            break
        if h > 0.0:
            h = _step_limit(h, s1, s2, 3.5 * a + p2 * y, 3.5 * b + c * n - p3 * x)
            h = _step_limit(h, cx, cy, c - p3 * b + 3.5 * x, p2 * a + 3.5 * y)
            up = k + c * b + n
            if lifted and vz + h * up < 0.0:
                h = -vz / up
        # Stage sums for weights 1, 2, 2, 1.
        ta, tb, tn, tx, ty, tv = a, b, n, x, y, vn
        for stage in range(3):
            t = h if stage == 2 else 0.5 * h
            weight = 1.0 if stage == 2 else 2.0
            speed = vn + t * (1.0 + k * n + c * x)
            a, b, n, x, y = _pushes(
                s1 + t * (3.5 * a + p2 * y),
                s2 + t * (3.5 * b + c * n - p3 * x),
                cx + t * (c - p3 * b + 3.5 * x),
                cy + t * (p2 * a + 3.5 * y),
                lifted, c, k, mu_w, mu_s,
            )  # fmt: skip
            ta += weight * a
            tb += weight * b
            tn += weight * n
            tx += weight * x
            ty += weight * y
            tv += weight * speed
        sixth = h / 6.0
        ta *= sixth
        tb *= sixth
        tn *= sixth
        tx *= sixth
        ty *= sixth
        q += h
        sa += ta
        sb += tb
        sn += tn
        sx += tx
        sy += ty
        work += tv * sixth
        s1 += 3.5 * ta + p2 * ty
        s2 += 3.5 * tb + c * tn - p3 * tx
        cx += c * h - p3 * tb + 3.5 * tx
        cy += p2 * ta + 3.5 * ty
        vn += h + k * tn + c * tx
        vz += k * h + c * tb + tn
        if vz < 1e-12:
            vz = 0.0
    return (
        vx + c * q - k * sb + sx,
        vy + sa + sy,
        vz,
        wx + 2.5 * (k * sa + sy),
        wy + 2.5 * (sb - sx),
        wz - 2.5 * c * sa,
    )
