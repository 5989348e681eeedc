"""Noses and drafts at the limits a table takes for its balls: nothing gets through a pocket's wall."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from invariants import faults

import sim

WPA = sim.Table.wpa_9ft()


def table(draft: float) -> sim.Table:
    return sim.Table.from_spec(replace(WPA.spec, back_draft_deg=draft))


def most(radius: float) -> float:
    """The largest draft for such balls, degrees, a little less for rounding."""
    return math.degrees(math.asin(radius / (WPA.spec.cushion_height + radius))) - 1e-6


@pytest.mark.parametrize("radius", [0.0258, 0.028575, 0.035])
@pytest.mark.parametrize("steep", [False, True])
def test_balls_driven_into_pockets_stay_in_the_table(radius: float, steep: bool) -> None:
    """Found by extreme tables: at 31 degrees balls went centimetres into the rail and came out elsewhere."""
    where = table(most(radius) if steep else 5.0)
    materials = sim.Materials(ball_radius=radius)
    rng = np.random.default_rng([int(radius * 1e6), steep])
    for k in range(25):
        mouth = where.geometry.pockets[k % 6]
        x, y = rng.uniform(0.1, where.width - 0.1), rng.uniform(0.1, where.length - 0.1)
        turn = math.atan2(mouth.centre[1] - y, mouth.centre[0] - x) + rng.normal(0.0, 0.05)
        v = rng.uniform(0.3, 12.0)
        up = rng.uniform(0.0, 4.0) if k % 2 else 0.0
        motion = sim.Motion(
            (v * math.cos(turn), v * math.sin(turn), up), tuple(rng.uniform(-150, 150, 3))
        )
        layout = sim.Layout(where, {1: (x, y)}, ball_radius=radius)
        result = sim.simulate(layout, motions={1: motion}, materials=materials)
        assert faults(result, 20) == []
        assert all(at[2] >= where.spec.rail_top for at in result.off_table.values())


@pytest.mark.parametrize(
    ("spec", "radius", "part"),
    [
        ({"back_draft_deg": 31.0}, 0.028575, "back_draft_deg: got 31, expected at most 26.14"),
        ({"back_draft_deg": 27.0}, 0.032, None),
        ({}, 0.0245, "is too high for a ball of radius 0.0245 m; expected at most 0.03462"),
        ({}, 0.02625, None),  # snooker balls
        ({}, 0.04, "is below the centre of a ball of radius 0.04 m"),
    ],
)
def test_a_nose_that_does_not_fit_the_balls_is_refused(
    spec: dict[str, float], radius: float, part: str | None
) -> None:
    where = sim.Table.from_spec(replace(WPA.spec, **spec))
    layout = sim.Layout(where, {0: (0.6, 0.6)}, ball_radius=radius)
    shot = {"stroke": sim.Stroke(2.0, 1.0), "materials": sim.Materials(ball_radius=radius)}
    if part is None:
        assert sim.simulate(layout, **shot).status == "done"
    else:
        with pytest.raises(sim.TableError, match=part):
            sim.simulate(layout, **shot)
