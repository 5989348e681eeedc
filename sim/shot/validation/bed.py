"""The slate: bounces of a ball driven into it."""

from __future__ import annotations

import math

from sim.model import Materials
from sim.shot.result import Result
from sim.shot.validation.play import FOOT, MPH, R, one_ball
from sim.shot.validation.rows import Point, Row, model_row

__all__ = ["B10", "driven_down", "rows"]

B10 = "TP B.10, slate bounce"
PRINTED = (
    ("10.855", "32.897", "0.848"),
    ("10.658", "31.731", "0.500"),
    ("10.542", "31.031", "0.297"),
)


def driven_down() -> Result:
    """The shot of TP B.10: a ball driven into the slate 5 degrees downwards, with back spin."""
    speed, down = 11.194 * MPH, math.radians(5.0)
    return one_ball(
        (0.0, speed * math.cos(down), -speed * math.sin(down)),
        (34.841 * math.tau, 0.0, 0.0),
        at=(1.5, 1.0, R),
        materials=Materials(g=9.80665),
    )


def rows() -> list[Row]:
    """The first three bounces of TP B.10, as events of one shot."""
    landings = [e for e in driven_down().events if e.kind in ("bed", "land")]
    found = []
    for n, (mph, turns, hop) in enumerate(PRINTED):
        (_, vy, vz), (wx, _, _) = landings[n].after[1]
        length = landings[n + 1].position[1] - landings[n].position[1]
        name = f"bounce {n + 1}"
        found.append(model_row(B10, f"{name} leaves at (mph)", mph, math.hypot(vy, vz) / MPH))
        found.append(model_row(B10, f"{name} leaves with (rev/s)", turns, wx / math.tau))
        found.append(model_row(B10, f"{name} hops (ft)", hop, length / FOOT, Point("hop", n + 1)))
    return found
