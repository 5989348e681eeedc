"""Which balls a stick lies on: the engine says that it touches, the referee says what."""

from __future__ import annotations

import math

from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.stroke import Stick, Stroke

__all__ = ["balls_touched"]


def balls_touched(
    layout: Layout, stroke: Stroke, stick: Stick, elevation: float
) -> tuple[int, ...]:
    """Object balls that the stick at address overlaps, ascending.

    Args:
        layout: before the stroke, with the cue ball.
        stroke: as played; its own elevation is not used.
        stick: a cone from tip to butt.
        elevation: of the butt as played, radians.
    """
    ca, sa = math.cos(stroke.azimuth), math.sin(stroke.azimuth)
    ce, se = math.cos(elevation), math.sin(elevation)
    ahead = (ca * ce, sa * ce, -se)
    right = (sa, -ca, 0.0)
    up = (ca * se, sa * se, ce)
    radius = layout.ball_radius
    depth = math.sqrt(max(1.0 - stroke.side**2 - stroke.vertical**2, 0.0))
    cue = layout[CUE_BALL]
    tip = [
        float(cue[k])
        + radius * (stroke.side * right[k] + stroke.vertical * up[k] - depth * ahead[k])
        for k in range(3)
    ]
    taper = (stick.butt_radius - stick.tip_radius) / stick.length
    touched = []
    for ball in layout.balls:
        if ball == CUE_BALL:
            continue
        offset = [float(layout[ball][k]) - tip[k] for k in range(3)]
        behind = -sum(offset[k] * ahead[k] for k in range(3))
        along = min(max(behind, 0.0), stick.length)
        nearest = [tip[k] - along * ahead[k] for k in range(3)]
        thick = stick.tip_radius + taper * along
        if math.dist(nearest, layout[ball]) < radius + thick:
            touched.append(ball)
    return tuple(touched)
