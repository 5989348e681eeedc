"""What is frozen before a stroke: to a cushion, or to the cue ball, as a referee sees it.

A ball is frozen to a cushion only if that was declared (6.3 with 8.4). The referee of this game
declares every ball whose gap he cannot see, unless the players say otherwise.
"""

from __future__ import annotations

import math

from sim.model.balls import CUE_BALL
from sim.model.geometry import LineNose
from sim.model.layout import Layout
from sim.model.table import CUSHIONS

__all__ = ["FROZEN_GAP", "cushion_gap", "frozen_to_cue", "frozen_to_cushion"]

FROZEN_GAP = 1e-4
"""A gap a referee takes for none, m: about what is seen as a hairline of light under a ball."""


def cushion_gap(layout: Layout, position: tuple[float, float], cushion: str) -> float:
    """Gap in plan between a ball on the bed at (x, y) and the straight nose of a cushion, m.

    Zero where they touch; math.inf where the ball is not in front of that nose.
    """
    reach = layout.table.nose_contact(layout.ball_radius)
    x, y = position
    chain = layout.table.geometry.chains[CUSHIONS.index(cushion)]
    for piece in chain.pieces:
        if not isinstance(piece, LineNose) or piece.pocket >= 0:
            continue
        dx, dy = piece.end[0] - piece.start[0], piece.end[1] - piece.start[1]
        along = ((x - piece.start[0]) * dx + (y - piece.start[1]) * dy) / (dx * dx + dy * dy)
        if 0.0 <= along <= 1.0:
            across = (x - piece.start[0]) * piece.normal[0] + (y - piece.start[1]) * piece.normal[1]
            return across - reach
    return math.inf


def frozen_to_cushion(layout: Layout, gap: float = FROZEN_GAP) -> tuple[tuple[int, str], ...]:
    """The pairs (ball, cushion) whose gap is at most `gap` (m), balls ascending."""
    return tuple(
        (ball, cushion)
        for ball in layout.balls
        for cushion in CUSHIONS
        if _on_bed(layout, ball)
        and cushion_gap(layout, (float(layout[ball][0]), float(layout[ball][1])), cushion) <= gap
    )


def frozen_to_cue(layout: Layout, gap: float = FROZEN_GAP) -> tuple[int, ...]:
    """The object balls within `gap` (m) of the cue ball, ascending."""
    if CUE_BALL not in layout:
        return ()
    cue = layout[CUE_BALL]
    return tuple(
        ball
        for ball in layout.balls
        if ball != CUE_BALL and math.dist(cue, layout[ball]) - 2 * layout.ball_radius <= gap
    )


def _on_bed(layout: Layout, ball: int) -> bool:
    return float(layout[ball][2]) < 1.5 * layout.ball_radius
