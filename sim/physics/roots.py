"""The first time a quartic falls to zero: the one root finder of the engine.

All gaps between balls on the bed and what they may meet are polynomials of time up to the fourth
degree. Between its critical points a polynomial is monotone, so the first fall to zero is found by
walking the monotone pieces in order; nothing is divided by a leading coefficient, so lower degrees
(equal accelerations, equal velocities) need no special case.
"""

from __future__ import annotations

import math

from sim.physics.kernel import kernel


@kernel
def bracketed(c0, c1, c2, c3, c4, a, b, fa):
    """The root in [a, b] of a quartic monotone there, from the side of `a`.

    fa = f(a) and f(b) have opposite signs (or f(b) = 0). Newton's step where it stays inside, else
    bisection; returns the end of the last bracket where f still has the sign of fa, so a gap never
    comes back negative.
    """
    sign = 1.0 if fa > 0.0 else -1.0
    t = 0.5 * (a + b)
    for _ in range(200):
        f = sign * (c0 + t * (c1 + t * (c2 + t * (c3 + t * c4))))
        if f > 0.0:
            a = t
        else:
            b = t
        slope = sign * (c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * 4.0 * c4)))
        step = -f / slope if slope < 0.0 else 0.0
        new = t + step
        if not (a < new < b) or slope >= 0.0:
            new = 0.5 * (a + b)
        elif abs(step) < 1e-15 + 4e-16 * abs(t):
            # Converged: step back to the positive side by rounding's worth.
            back = new - 2e-16 * (1.0 + abs(new))
            return max(back, a)
        if new == t or b - a <= 2e-16 * (abs(a) + 1e-3):
            break
        t = new
    return a


@kernel
def first_fall(c0, c1, c2, c3, c4, end, touch, still, press):
    """First t in [0, end] where the quartic falls from positive to zero; inf if it never does.

    At the start c0 <= touch counts as contact: then it is 0 at once if it falls faster than `still`, or
    if it neither rises nor falls but is pressed (c2 < -press); else the fall after the next rise counts.
    """
    if c0 <= touch:
        if c1 < -still:
            return 0.0
        if c1 <= still and c2 < -press:
            return 0.0
    # What pulls down cannot bring it to zero, even if all of it pulled from the start.
    pull = min(c1, 0.0) + end * (min(c2, 0.0) + end * (min(c3, 0.0) + end * min(c4, 0.0)))
    if c0 > touch and c0 + end * pull > 0.0:
        return math.inf
    # Where the curvature 2 c2 + 6 c3 t + 12 c4 t^2 changes sign.
    q1 = end
    q2 = end
    if c4 != 0.0:
        disc = 9.0 * c3 * c3 - 24.0 * c2 * c4
        if disc > 0.0:
            s = -0.5 * (3.0 * c3 + math.copysign(math.sqrt(disc), c3))
            r1 = s / (6.0 * c4)
            # roots of 6 c4 t^2 + 3 c3 t + c2
            r2 = c2 / s if s != 0.0 else r1
            if r1 > r2:
                r1, r2 = r2, r1
            if 0.0 < r1 < end:
                q1 = r1
            if 0.0 < r2 < end:
                if q1 == end:
                    q1 = r2
                else:
                    q2 = r2
    elif c3 != 0.0:
        r1 = -c2 / (3.0 * c3)
        if 0.0 < r1 < end:
            q1 = r1
    a = 0.0
    fa = c0
    da = c1
    for piece in range(3):
        if piece == 0:
            b = q1
        elif piece == 1:
            b = q2
        else:
            b = end
        if b <= a and piece > 0:
            continue
        fb = c0 + b * (c1 + b * (c2 + b * (c3 + b * c4)))
        db = c1 + b * (2.0 * c2 + b * (3.0 * c3 + b * 4.0 * c4))
        if da < 0.0 and db > 0.0:
            # A minimum inside.
            if fa > 0.0:
                m = bracketed(c1, 2.0 * c2, 3.0 * c3, 4.0 * c4, 0.0, a, b, da)
                fm = c0 + m * (c1 + m * (c2 + m * (c3 + m * c4)))
                if fm <= 0.0:
                    return bracketed(c0, c1, c2, c3, c4, a, m, fa)
        elif da > 0.0 and db < 0.0:
            # A maximum inside: a fall only if it ends at or below zero.
            if fb <= 0.0:
                m = bracketed(c1, 2.0 * c2, 3.0 * c3, 4.0 * c4, 0.0, a, b, da)
                fm = c0 + m * (c1 + m * (c2 + m * (c3 + m * c4)))
                if fm > 0.0:
                    return bracketed(c0, c1, c2, c3, c4, m, b, fm)
                return m
        elif fa > 0.0 and fb <= 0.0:
            return bracketed(c0, c1, c2, c3, c4, a, b, fa)
        a = b
        fa = fb
        da = db
    return math.inf
