"""Impact of two balls: restitution along the line of centres, Coulomb friction across it.

Source: Alciatore TP A.14 (throw model, friction fitted to Marlow's data), for any direction of the
line of centres. Every quantity is odd or even under an exchange of the two balls, bit for bit, so
that renaming balls renames the result and changes nothing else.
"""

from __future__ import annotations

import math

from sim.physics.arrays import REST_SPEED
from sim.physics.kernel import kernel

__all__ = ["ball_ball_impact", "mu_ball", "separate"]

# Part of the balls' speeds added where rounding would leave them approaching; a few bits.
_BITS = 4.0e-16


@kernel
def mu_ball(slip, p):
    """Coefficient of friction ball on ball at a slip speed in m/s (TP A.14)."""
    return p.mu_a + p.mu_b * math.exp(-p.mu_c * slip)


@kernel
def separate(a, b, nx, ny, nz):
    """Takes away what rounding left of an approach along n, the unit vector from a to b."""
    ux, uy, uz = a.vx - b.vx, a.vy - b.vy, a.vz - b.vz
    left = ux * nx + uy * ny + uz * nz
    if left > 0.0:
        sizes = abs(a.vx) + abs(b.vx) + abs(a.vy) + abs(b.vy) + abs(a.vz) + abs(b.vz)
        half = 0.5 * left + _BITS * sizes
        a.vx -= half * nx
        a.vy -= half * ny
        a.vz -= half * nz
        b.vx += half * nx
        b.vy += half * ny
        b.vz += half * nz


@kernel
def ball_ball_impact(a, b, p):
    """Changes velocity and spin of two touching BALL records; nothing if they do not approach.

    The tangential impulse is the smaller of what friction can give, mu(slip) times the normal
    impulse, and what ends the slip of two equal solid spheres, m slip / 7.
    """
    nx, ny, nz = b.x - a.x, b.y - a.y, b.z - a.z
    d = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / d, ny / d, nz / d
    ux, uy, uz = a.vx - b.vx, a.vy - b.vy, a.vz - b.vz
    approach = ux * nx + uy * ny + uz * nz
    if approach <= 0.0:
        return
    e = p.e_ball if approach >= REST_SPEED else 0.0
    jn = 0.5 * (1.0 + e) * approach  # impulse over mass, as all below

    # Velocity of a's surface over b's where they touch.
    sx, sy, sz = p.R * (a.wx + b.wx), p.R * (a.wy + b.wy), p.R * (a.wz + b.wz)
    tx = ux - approach * nx + (sy * nz - sz * ny)
    ty = uy - approach * ny + (sz * nx - sx * nz)
    tz = uz - approach * nz + (sx * ny - sy * nx)
    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
    jx, jy, jz = 0.0, 0.0, 0.0
    if slip > 0.0:
        part = min(mu_ball(slip, p) * jn / slip, 1.0 / 7.0)
        jx, jy, jz = part * tx, part * ty, part * tz

    a.vx -= jn * nx + jx
    a.vy -= jn * ny + jy
    a.vz -= jn * nz + jz
    b.vx += jn * nx + jx
    b.vy += jn * ny + jy
    b.vz += jn * nz + jz
    # The two torques are alike: the arm and the force both change sign. I = 2/5 m R^2.
    k = 2.5 / p.R
    wx, wy, wz = k * (jy * nz - jz * ny), k * (jz * nx - jx * nz), k * (jx * ny - jy * nx)
    a.wx += wx
    a.wy += wy
    a.wz += wz
    b.wx += wx
    b.wy += wy
    b.wz += wz
    separate(a, b, nx, ny, nz)
