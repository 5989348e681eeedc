"""Cloth: how a ball slides, when it rolls, how far it gets."""

from __future__ import annotations

import math

import numpy as np

from sim.model import Materials
from sim.shot.result import Event
from sim.shot.validation.play import FOOT, MPH, R, first, one_ball
from sim.shot.validation.rows import Point, Row, model_row

__all__ = ["A18", "rows", "slide"]

A18 = "TP A.18, stun shot"
CLOTH = Materials(g=9.80665)
CORIOLIS = "Coriolis 1835"
SPINS = ((0.0, 0.0, 0.0), (60.0, 0.0, 0.0), (-80.0, 40.0, 30.0), (20.0, -90.0, -50.0))


def slide(mph: float) -> tuple[float, Event]:
    """Feet that a ball slides before it rolls, and the event in which it does."""
    result = one_ball((0.0, mph * MPH, 0.0), materials=CLOTH)
    roll = first(result, "slide_to_roll")
    return (roll.position[1] - 1.0) / FOOT, roll


def rows() -> list[Row]:
    """Slides, final velocities, the lag."""
    found = []
    for speed, asked in ((3, "0.737"), (7, "4.012"), (12, "11.789")):
        feet, roll = slide(speed)
        v = speed * MPH
        found.append(
            model_row(
                A18,
                f"slide at {speed} mph (ft)",
                asked,
                feet,
                Point("slide", speed),
            )
        )
        time = 2 * v / (7 * 0.2 * CLOTH.g)
        found.append(model_row(A18, f"2v/(7 mu g) at {speed} mph (s)", f"{time:.4f}", roll.t))
        after = roll.after[1][0][1]
        found.append(model_row(A18, f"5v/7 at {speed} mph (m/s)", f"{5 * v / 7:.4f}", after))
    for mu in (0.15, 0.2, 0.4):
        for spin in SPINS:
            result = one_ball((0.4, 1.2, 0.0), spin, materials=Materials(mu_slide=mu))
            vx, vy, _ = first(result, "slide_to_roll").after[1][0]
            final = 5 / 7 * np.array([0.4, 1.2]) - 2 / 7 * R * np.array([-spin[1], spin[0]])
            what = f"mu {mu}, spin {spin} rad/s: final"
            found.append(model_row(CORIOLIS, f"{what} v_x (m/s)", f"{final[0]:.4f}", vx))
            found.append(model_row(CORIOLIS, f"{what} v_y (m/s)", f"{final[1]:.4f}", vy))
    lag = one_ball((0.0, 0.7059, 0.0), (-0.7059 / R, 0.0, 0.0))
    run = math.dist(lag.final[1][:2], (1.5, 1.0))
    found.append(model_row("lag, mu_roll 0.01", "0.7059 m/s rolls (m)", "2.540", run))
    found.append(model_row("lag, mu_roll 0.01", "... in (s)", "7.196", lag.duration))
    return found
