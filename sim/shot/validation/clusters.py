"""Three balls in line: impacts that overlap in time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.model import Layout, Materials, Motion
from sim.shot.simulator import simulate
from sim.shot.validation.play import LONG, R
from sim.shot.validation.rows import Row, limits, measured_row, model_row

__all__ = ["line_of_three", "rows"]

B29 = "TP B.29, elastic Hertz"
ELASTIC = Materials(e_ball=1.0, mu_ball=0.0)


def line_of_three(gap: float, speed: float) -> NDArray[np.float64]:
    """Speeds over the speed before of a cue ball and two balls in line, `gap` between those."""
    layout = Layout(LONG, {0: (1.5, 3.0), 1: (1.5 + 2 * R, 3.0), 2: (1.5 + 4 * R + gap, 3.0)})
    result = simulate(layout, motions={0: Motion((speed, 0.0, 0.0))}, materials=ELASTIC)
    speeds = np.zeros(3)
    for event in result.events:
        if event.t > 0.01:
            break  # the struck balls are on their way; anything later is another impact
        for ball, (v, _) in event.after.items():
            speeds[ball] = v[0] / speed
    return speeds


def rows() -> list[Row]:
    """Frozen balls, and a gap whose answer depends on speed."""
    found = []
    names = ("cue ball", "second", "third")
    for name, asked, got in zip(
        names, ("-0.071", "0.076", "0.995"), line_of_three(0.0, 1.0), strict=True
    ):
        found.append(model_row(B29, f"frozen, {name} (of v)", asked, got))
    fast, slow = line_of_three(1e-4, 8.0)[0], line_of_three(1e-4, 1.0)[0]
    found.append(model_row(B29, "gap 100 um, 8 m/s, cue ball (of v)", "-0.033", fast))
    what = "gap 100 um, 1 m/s, cue ball (of v)"
    found.append(measured_row(B29, what, 0.0, slow, limits()["separate_hits"]))
    return found
