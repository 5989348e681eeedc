"""Two balls: the 30 degree rule, head-on and stop shots, measured snooker shots."""

from __future__ import annotations

import math

import numpy as np

from sim.model import Materials
from sim.shot.validation.play import after_cut, first, play_cut
from sim.shot.validation.rows import Point, Row, limits, measured_row, model_row
from sim.shot.validation.throw import greatest

__all__ = ["RULE", "deflection", "rows"]

ELASTIC = Materials(e_ball=1.0, mu_ball=0.0)
RULE = "30 degree rule (e 1, mu 0, rolling)"
MATHAVAN = "Mathavan 2009, measured (snooker)"
SNOOKER = Materials(ball_mass=0.1406, ball_radius=0.02625, mu_slide=0.21, mu_ball=0.05, e_ball=0.89)
SHOTS = (
    (1.539, 33.83, 0.816, 0.836, 35.96),
    (1.364, 40.52, 0.925, 0.700, 30.50),
    (0.942, 18.05, 0.365, 0.581, 29.86),
)


def deflection(cut: float) -> float:
    """Degrees a rolling cue ball is turned by, once it rolls again."""
    roll = first(play_cut(ELASTIC, 1.0, cut, top=1.0), "slide_to_roll", 0)
    vx, vy, _ = roll.after[0][0]
    return -math.degrees(math.atan2(vy, vx))


def rows() -> list[Row]:
    """Closed forms, then the measured shots."""
    found = []
    for name, fullness, printed in (
        ("quarter ball", 0.75, "27.27"),
        ("half ball", 0.5, "33.67"),
        ("three quarter ball", 0.25, "27.63"),
    ):
        got = deflection(math.degrees(math.asin(fullness)))
        point = Point("deflection", 1.0 - fullness)
        found.append(model_row(RULE, f"{name} (deg)", printed, got, point))
    cut, value = greatest(deflection, 5.0, 60.0)
    point = Point("deflection", 1.0 - math.sin(math.radians(28.13)))
    found.append(model_row(RULE, "greatest (deg)", "33.749", value, point))
    found.append(model_row(RULE, "cut of the greatest (deg)", "28.13", cut))
    roll = first(play_cut(ELASTIC, 1.0, 0.0, top=1.0), "slide_to_roll", 0)
    found.append(
        model_row("head-on, rolling, e 1", "cue ball, 2/7 v", "0.285714", roll.after[0][0][0])
    )
    cue, _, struck, _ = after_cut(Materials(), 1.0, 0.0)
    found.append(model_row("stop shot, e 0.95", "cue ball over v", "0.025", cue[0]))
    found.append(model_row("stop shot, e 0.95", "object ball over v", "0.975", struck[0]))
    for n, (v0, cut, v_cue, v_object, angle) in enumerate(SHOTS, start=1):
        result = play_cut(SNOOKER, v0, cut, top=1.0)
        v = np.array(first(result, "slide_to_roll", 0).after[0][0][:2])
        o = np.array(first(result, "slide_to_roll", 1).after[1][0][:2])
        turned = -math.degrees(math.atan2(v[1], v[0]))
        for key, what, asked, got in (
            ("v_cue", "v_cue (m/s)", v_cue, float(np.hypot(*v))),
            ("v_object", "v_object (m/s)", v_object, float(np.hypot(*o))),
            ("angle", "angle (deg)", angle, turned),
        ):
            entry = limits()[f"mathavan_{n}_{key}"]
            quantity = f"V0 {v0}, cut {cut}: {what}"
            found.append(measured_row(MATHAVAN, quantity, asked, got, entry))
    return found
