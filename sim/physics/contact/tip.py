"""The stick: impact of the tip with squirt and miscue, and the least elevation that clears.

Impact: Alciatore TP A.30 (energy and momentum along the stick), TP A.31 (squirt from the end mass). The ball's
speed is (1+e) V / (1 + m/M + 5/2 x^2) with x the offset in radii: the impulse J acts on the ball's
surface, whose speed along the stick rises by J (1/m + R^2 x^2/I) while the stick loses J/M.
"""

from __future__ import annotations

import math

from sim.physics.kernel import kernel


@kernel
def stick_axes(azimuth, elevation):
    """Unit vectors of a stick: d along its motion, r to the player's right, u up."""
    ca = math.cos(azimuth)
    sa = math.sin(azimuth)
    ce = math.cos(elevation)
    se = math.sin(elevation)
    return ca * ce, sa * ce, -se, sa, -ca, 0.0, ca * se, sa * se, ce


@kernel
def tip_impact(b, p, s, speed, elevation, side, vertical):
    """Strike ball b with a stick at `speed` (m/s relative to the ball's own speed along it).

    side, vertical: offset in radii. Adds velocity and spin to b. Returns (stick's speed lost,
    miscue): beyond the tip's friction cone the impulse is clipped to the cone.
    """
    dx, dy, dz, rx, ry, rz, ux, uy, uz = stick_axes(s.azimuth, elevation)
    x2 = side * side + vertical * vertical
    c = math.sqrt(max(1.0 - x2, 0.0))
    # From centre to tip contact, in radii; its opposite is the normal into the ball.
    qx = side * rx + vertical * ux - c * dx
    qy = side * ry + vertical * uy - c * dy
    qz = side * rz + vertical * uz - c * dz
    ratio = p.m / s.mass
    miscue = 0
    jx = dx
    jy = dy
    jz = dz
    # Friction cone: the impulse may lean from the normal by at most atan(mu).
    limit = s.mu_tip / math.sqrt(1.0 + s.mu_tip * s.mu_tip)
    x = math.sqrt(x2)
    if x > limit:
        miscue = 1
        # Along the normal and across it (towards d), at the cone's edge.
        tx = dx + c * qx
        ty = dy + c * qy
        tz = dz + c * qz
        t = math.sqrt(tx * tx + ty * ty + tz * tz)
        cosine = math.sqrt(1.0 - limit * limit)
        jx = -cosine * qx + limit * tx / t
        jy = -cosine * qy + limit * ty / t
        jz = -cosine * qz + limit * tz / t
        along = jx * dx + jy * dy + jz * dz
        # The normal speed of the tip is what restitution acts on.
        k = cosine + ratio * along * c
        v = (1.0 + s.e_tip) * speed * c / k
    else:
        along = 1.0
        v = (1.0 + s.e_tip) * speed / (1.0 + ratio + 2.5 * x2)
    # Spin from the impulse before squirt turns it: R w / v = 2.5 x (TP A.30).
    wx = qy * jz - qz * jy
    wy = qz * jx - qx * jz
    wz = qx * jy - qy * jx
    k = 2.5 * v / p.R
    b.wx += k * wx
    b.wy += k * wy
    b.wz += k * wz
    a = abs(side)
    if miscue == 0 and a > 0.0:
        # Squirt: away from the side that is struck.
        lean = 1.0 - a * a
        tangent = 2.5 * a * math.sqrt(lean) / (1.0 + s.end_ratio + 2.5 * lean)
        cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
        turn = math.copysign(tangent * cosine, side)
        jx = cosine * jx - turn * rx
        jy = cosine * jy - turn * ry
        jz = cosine * jz - turn * rz
    b.vx += v * jx
    b.vy += v * jy
    b.vz += v * jz
    return ratio * v * along, miscue


@kernel
def needed_slope(rise, distance):
    """Elevation at which a line rises by `rise` over `distance` in plan."""
    return math.atan2(rise, distance)


@kernel
def least_elevation(balls, n, p, s):
    """The least elevation at which the stick clears cushions, rails and the other balls, rad.

    The stick is a cone behind its tip. Iterated, because the tip's own height depends on the elevation; the
    sequence rises to its limit. Balls are cleared by passing over them.
    """
    b = balls[s.row]
    ca = math.cos(s.azimuth)
    sa = math.sin(s.azimuth)
    back_x = -ca
    back_y = -sa
    taper = (s.butt_r - s.tip_r) / s.length
    c = math.sqrt(max(1.0 - s.side * s.side - s.vertical * s.vertical, 0.0))
    elevation = 0.0
    for _ in range(60):
        ce = math.cos(elevation)
        se = math.sin(elevation)
        tip_z = b.z + p.R * (s.vertical * ce + c * se)
        tip_x = b.x + p.R * (s.side * sa + s.vertical * ca * se - c * ca * ce)
        tip_y = b.y + p.R * (-s.side * ca + s.vertical * sa * se - c * sa * ce)
        need = 0.0
        # The rail, where the stick's line crosses nose, end of the slope and outer edge.
        for edge in range(3):
            depth = 0.0
            height = p.nose
            if edge == 1:
                depth = p.cushion_width
                height = p.rail_top
            elif edge == 2:
                depth = p.rail_width
                height = p.rail_top
            far = math.inf
            if back_x != 0.0:
                wall = math.copysign(p.half_w + depth, back_x)
                far = min(far, (wall - tip_x) / back_x)
            if back_y != 0.0:
                wall = math.copysign(p.half_l + depth, back_y)
                far = min(far, (wall - tip_y) / back_y)
            if far < s.length * ce:
                thick = (s.tip_r + taper * far / max(ce, 0.1)) / max(ce, 0.1)
                # A ball nearer the rail than its tip: the slope is taken over at least a millimetre.
                need = max(need, needed_slope(height + thick - tip_z, max(far, 1e-3)))
        for k in range(n):
            o = balls[k]
            if k == s.row:
                continue
            ox = o.x - tip_x
            oy = o.y - tip_y
            behind = ox * back_x + oy * back_y
            if behind <= -p.R or behind > s.length * ce + p.R:
                continue
            across = ox * back_y - oy * back_x
            along = max(behind, 0.0)
            thick = s.tip_r + taper * along / max(ce, 0.1)
            wide = p.R + thick
            if abs(across) >= wide:
                continue
            over = math.sqrt(wide * wide - across * across)
            # The axis passes the ball's centre, in its own vertical plane, at a distance of `over`.
            rise = o.z - tip_z
            span = math.sqrt(behind * behind + rise * rise)
            if span <= over:
                need = 0.5 * math.pi
            else:
                need = max(need, math.atan2(rise, behind) + math.asin(over / span))
        need = min(need, 0.5 * math.pi)
        if need <= elevation + 1e-12:
            break
        elevation = need
    return elevation
