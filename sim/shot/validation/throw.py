"""Throw: how far friction between balls turns the object ball from the line of centres."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from sim.model import Materials
from sim.shot.validation.play import R, after_cut
from sim.shot.validation.rows import Point, Row, model_row, table

__all__ = ["A14", "SPEEDS", "greatest", "rows", "throw"]

A14 = "TP A.14, throw"
A27 = "TP A.27, spin transfer"
SPEEDS = {"slow": 0.447, "medium": 1.341, "fast": 3.129}
# The published model has elastic balls and no bed below them.
BALLS = Materials(e_ball=1.0, mu_bed=0.0, e_bed=0.0)
PRINTED: dict[str, tuple[float, float, float, tuple[str, str, str]]] = {
    # name: cut (deg), top, side (R w / v), printed (deg)
    "stun, cut 10": (10, 0.0, 0.0, ("1.443", "1.443", "1.443")),
    "stun, cut 30": (30, 0.0, 0.0, ("4.715", "3.549", "1.698")),
    "stun, cut 60": (60, 0.0, 0.0, ("4.621", "2.318", "0.895")),
    "natural roll, cut 30": (30, 1.0, 0.0, ("2.186", "1.004", "0.388")),
    # Half english: a tip at half of the greatest offset 0.5 R, so R w / v = 2.5 x 0.25.
    "straight, half english": (0, 0.0, 0.625, ("5.102", "3.053", "1.307")),
}
GREATEST = {
    "slow": ("5.302", "33.0"),
    "medium": ("3.875", "25.4"),
    "fast": ("2.698", "18.3"),
}


def throw(speed: float, cut: float, top: float = 0.0, side: float = 0.0) -> float:
    """Degrees between the object ball's path and the line of centres, just after the impact."""
    _, _, v, _ = after_cut(BALLS, speed, cut, top, side)
    return cut - math.degrees(math.atan2(v[1], v[0]))


def greatest(f: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Where f is greatest between two cuts, and how great: ever finer grids."""
    for step in (2.5, 0.25, 0.02, 0.002):
        cuts = np.arange(low, high, step)
        values = [f(float(cut)) for cut in cuts]
        best = int(np.argmax(values))
        low, high = cuts[best] - step, cuts[best] + 1.5 * step
    return float(cuts[best]), values[best]


def rows() -> list[Row]:
    """The printed cells, the greatest throws, gearing, and the most spin that is given over."""
    found = []
    for name, (cut, top, side, printed) in PRINTED.items():
        for (pace, v), asked in zip(SPEEDS.items(), printed, strict=True):
            got = abs(throw(v, cut, top, side))
            shot = name.partition(",")[0]
            point = None if side else Point(f"{shot}, {v} m/s", cut)
            found.append(model_row(A14, f"{name}, {pace} (deg)", asked, got, point))
    for pace, (most, where) in GREATEST.items():
        cut, value = greatest(partial(throw, SPEEDS[pace]), 5.0, 60.0)
        point = Point(f"stun, {SPEEDS[pace]} m/s", float(where))
        found.append(model_row(A14, f"greatest, {pace} (deg)", most, value, point))
        found.append(model_row(A14, f"cut of the greatest, {pace} (deg)", where, cut))
    for cell in table("throw_tpA14.csv"):
        v, cut = float(cell["speed_mps"]), float(cell["cut_deg"])
        got = throw(v, cut, 1.0 if cell["shot"] == "natural_roll" else 0.0)
        name = f"{cell['shot']}, cut {cell['cut_deg']}, {cell['speed_mps']} m/s (deg)"
        point = Point(f"{cell['shot'].replace('_', ' ')}, {v} m/s", cut)
        found.append(model_row(A14, name, cell["throw_deg"], got, point))
    gearing = throw(1.341, 30.0, 0.0, math.sin(math.radians(30.0)))
    found.append(Row(A27, "throw at gearing english (deg)", 0.0, gearing, 1e-9, "exactly none"))
    rough = Materials(mu_ball=2.0, mu_bed=0.0, e_bed=0.0)
    *_, w = after_cut(rough, 1.0, 0.0, side=0.5)
    part = abs(w[2]) * R / 0.5
    found.append(model_row(A27, "greatest part of side spin given over", "0.357143", part))
    return found
