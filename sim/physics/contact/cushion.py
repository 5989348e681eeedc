"""Ball on cushion: one impact with the nose (and the bed below, if the ball stands on it).

Models, equations, sources and measured errors: sim/physics/README.md.
"""

from __future__ import annotations

import math

from sim.physics.contact.cushion_models import free_impact, squeezed_impact
from sim.physics.kernel import kernel

__all__ = ["CUSHION_MODELS", "REST_SPEED", "cushion_impact", "cushion_restitution"]

# Index 0 is the default: Mathavan's dynamics with the restitution that gives the measured rebounds.
CUSHION_MODELS = ("measured", "mathavan2010", "han2005")
_MEASURED, _MATHAVAN, _HAN = range(3)

REST_SPEED = 5e-3  # m/s: no restitution below this approach, so that a press becomes a contact

# Rebound of a ball rolling square into a cushion, ratio of speeds v'/v = A + B v + C/v
# (Mathavan, Jackson, Parkin 2009, measured), and where it was measured.
_A, _B, _C = 1.131, -0.0877, -0.0953
_SLOWEST, _FASTEST = 0.28, 3.5
# Cosine of the nose's elevation at 0.635 D: a rolling ball's speed is its approach speed over this.
_COS_NOSE = 0.9628603221651623
# With the default frictions on that geometry the nose grips the ball above this ratio, and then
# restitution is a little more than the ratio: inverse of the model's own answer, to 2e-5.
_GRIP, _GRIP_1, _GRIP_2 = 0.8172, 0.1529, -0.0877

_MATHAVAN_E = 0.98


@kernel
def cushion_restitution(model, approach):
    """The model's own restitution for an approach speed along the normal, m/s."""
    if model == _MATHAVAN:
        return _MATHAVAN_E
    if model == _HAN:
        return min(max(0.39 + (0.257 - 0.044 * approach) * approach, 0.0), 1.0)
    v = min(max(approach / _COS_NOSE, _SLOWEST), _FASTEST)
    ratio = _A + _B * v + _C / v
    over = max(ratio - _GRIP, 0.0)
    e = ratio + (_GRIP_1 + _GRIP_2 * over) * over
    # From nothing at REST_SPEED to the law at twice that: no jump where restitution ends.
    return e * min(max(approach / REST_SPEED - 1.0, 0.0), 1.0)


@kernel
def cushion_impact(b, p, nx, ny, nz, on_bed):
    """Velocity and spin of ball record `b` after its impact on a nose, written back into it.

    (nx, ny, nz): unit normal from the point of contact on the rubber to the ball's centre.
    `on_bed` 1: the bed supports the ball and is part of the impact: it pushes as needed to keep
    v_z = 0, rubs with mu_slide and never bounces; v_z stays exactly 0 unless the nose lifts it.
    0: the ball is in the air and meets the nose alone.

    Afterwards n.v >= 0, exactly (summed x, y, z), and kinetic energy is not more than before.
    A ball that does not approach is left as it is.
    """
    R = p.R
    vx, vy, vz = b.vx, b.vy, b.vz
    if on_bed == 1 and vz < 0.0:
        vz = 0.0
    vn = -(nx * vx + ny * vy + nz * vz)
    if not vn > 0.0:
        return
    wx, wy, wz = b.wx * R, b.wy * R, b.wz * R
    energy = vx * vx + vy * vy + vz * vz + 0.4 * (wx * wx + wy * wy + wz * wz)
    c = math.sqrt(nx * nx + ny * ny)
    # A nose below the centre lifts the ball at once, unless its friction holds the ball down.
    squeezed = on_bed == 1 and c > 1e-3 and nz < p.mu_cushion * c
    model = p.cushion_model
    mu = p.mu_cushion
    speed = vn
    if model == _HAN:
        if squeezed:
            speed = vn / c
        along = vx * vx + vy * vy + vz * vz - speed * speed
        mu = max(0.471 - 0.241 * math.atan2(math.sqrt(max(along, 0.0)), speed), 0.0)
    e = p.e_cushion
    if e < 0.0:
        e = cushion_restitution(model, speed)
    if vn < REST_SPEED:
        e = 0.0
    if squeezed and model != _HAN:
        hx, hy = nx / c, ny / c
        f = 1.0 / vn
        ux, uy, vz, ax, ay, wz = squeezed_impact(
            (vx * hx + vy * hy) * f, (vy * hx - vx * hy) * f, vz * f,
            (wx * hx + wy * hy) * f, (wy * hx - wx * hy) * f, wz * f,
            c, nz, e, mu, p.mu_slide,
        )  # fmt: skip
        vx = (ux * hx - uy * hy) * vn
        vy = (ux * hy + uy * hx) * vn
        vz *= vn
        wx = (ax * hx - ay * hy) * vn
        wy = (ax * hy + ay * hx) * vn
        wz *= vn
    else:
        vx, vy, vz, wx, wy, wz = free_impact(vx, vy, vz, wx, wy, wz, nx, ny, nz, e, mu)
        if on_bed == 1 and vz < 0.0:
            vz = 0.0
    after = vx * vx + vy * vy + vz * vz + 0.4 * (wx * wx + wy * wy + wz * wz)
    if after > energy:
        f = math.sqrt(energy / after)
        vx *= f
        vy *= f
        vz *= f
        wx *= f
        wy *= f
        wz *= f
    # What rounding or a plastic impact leaves of approach is taken away, along what the bed lets.
    gx, gy, gz = nx, ny, nz
    if squeezed and vz == 0.0:
        gx, gy, gz = nx / (c * c), ny / (c * c), 0.0
    more = 1.0
    for trial in range(40):
        left = nx * vx + ny * vy + nz * vz
        if left == 0.0 or (left > 0.0 and (e > 0.0 or trial > 3)):
            break
        if trial > 3:
            more *= 2.0  # rounding keeps it negative: push a little further
        vx -= left * more * gx
        vy -= left * more * gy
        vz -= left * more * gz
    b.vx, b.vy, b.vz = vx, vy, vz
    b.wx, b.wy, b.wz = wx / R, wy / R, wz / R
