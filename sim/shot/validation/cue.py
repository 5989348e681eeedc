"""The stick: speed, spin and squirt of the ball it strikes."""

from __future__ import annotations

import math

from sim.model import PLAYING_STICK, Materials, Stick
from sim.shot.validation.play import R, after_cue
from sim.shot.validation.rows import Point, Row, limits, measured_row, model_row

__all__ = ["A31", "B1", "ball_speed", "rows", "squirt"]

A30 = "TP A.30, energy and momentum"
A31 = "TP A.31, squirt"
B1 = "TP B.1, measured cue"


def ball_speed(stick: Stick, speed: float, offset: float, e: float) -> float:
    """(1 + e) V / (1 + m/M + 5/2 x^2): the ball's surface gives way by 1/m + (R x)^2 / I."""
    return (1 + e) * speed / (1 + Materials.ball_mass / stick.mass + 2.5 * offset**2)


def rows() -> list[Row]:
    """Ball speed over stick speed and offset, spin over speed, squirt."""
    found = []
    third = Stick(mass=3 * Materials.ball_mass, e_tip=1.0)
    v, _ = after_cue(third, 1.0)
    found.append(model_row(A30, "centre, elastic, m/M 1/3: v over V", "1.5", v[1]))
    for x in (0.0, 0.2, 0.4, 0.5):
        v, w = after_cue(PLAYING_STICK, 2.0, vertical=x)
        asked = ball_speed(PLAYING_STICK, 2.0, x, Materials.e_tip)
        found.append(model_row(A30, f"follow {x} R, 2 m/s: v (m/s)", f"{asked:.4f}", v[1]))
        if x > 0.0:
            got = -w[0] * R / v[1]
            found.append(model_row(A30, f"follow {x} R: R w / v", f"{2.5 * x:.4f}", got))
    for x in (0.1, 0.2, 0.3, 0.4, 0.5):
        angle = squirt(x)
        lean = 1 - x * x
        asked = math.degrees(math.atan(2.5 * x * math.sqrt(lean) / (21 + 2.5 * lean)))
        found.append(
            model_row(A31, f"side {x} R, mr 20 (deg)", f"{asked:.3f}", angle, Point("squirt", x))
        )
        if x == 0.2:
            found.append(model_row(A31, "side 0.2 R, mr 20 (deg), printed", "1.199", angle))
    entry, point = limits()["squirt"], Point("squirt, measured", 0.453)
    got = squirt(0.453)
    found.append(measured_row(B1, "side 0.453 R (deg)", 2.5, got, entry, point))
    return found


def squirt(side: float) -> float:
    """Degrees between the heading of the playing stick and that of the ball, tip `side` R off centre."""
    v, _ = after_cue(PLAYING_STICK, 2.0, side=side)
    return math.degrees(math.atan2(-v[0], v[1]))
