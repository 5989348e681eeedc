"""Where a spotted ball goes: on the long string, to the micrometre (1.4).

The string runs from the head to the foot cushion through the foot spot; places on it are one
number, growing towards the foot. The ball goes on the foot spot, or as near to it as possible
behind it, touching an object ball in the way and leaving a small visible gap to the cue ball. If
all of that is blocked it goes in front of the spot, as near as possible.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from .errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterable

CUE_BALL_GAP_M: Final = 1e-3
"""The visible gap left to the cue ball, in metres: enough to see, small enough not to matter."""

_TOLERANCE_M: Final = 1e-6
"""How much of an overlap counts as touching: positions come rounded to the micrometre."""


class Obstacle(NamedTuple):
    """A ball on the bed: its place along the string, its distance from it, and what it is.

    All in metres. A cue ball that is in hand is not an obstacle: leave it out.
    """

    along: float
    aside: float = 0.0
    is_cue_ball: bool = False


def spot_along(
    foot_spot: float, foot_limit: float, diameter: float, others: Iterable[Obstacle]
) -> float:
    """The place on the long string where the ball is spotted.

    `foot_spot` is the spot's place on the string and `foot_limit` the last place where a ball
    fits in front of the foot cushion (the nose less one radius); metres, growing to the foot.

    Raises RulesError for numbers that are not finite, a spot beyond the limit, or a diameter
    that is not positive.
    """
    if not (isfinite(foot_spot) and isfinite(foot_limit) and foot_spot <= foot_limit):
        raise RulesError(
            f"spotting: got foot spot {foot_spot} and limit {foot_limit}, "
            "expected finite numbers with the spot before the limit"
        )
    if not (isfinite(diameter) and diameter > 0):
        raise RulesError(f"spotting: got diameter {diameter}, expected a positive length")
    blocked = [span for span in (_span(ball, diameter) for ball in others) if span is not None]
    blocked.sort()
    place = foot_spot
    for low, high in blocked:
        if low + _TOLERANCE_M < place < high - _TOLERANCE_M:
            place = high
    if place <= foot_limit + _TOLERANCE_M:
        return place
    place = foot_spot
    for low, high in sorted(blocked, key=lambda span: -span[1]):
        if low + _TOLERANCE_M < place < high - _TOLERANCE_M:
            place = low
    return place


def _span(ball: Obstacle, diameter: float) -> tuple[float, float] | None:
    """The stretch of the string that a ball forbids to a spotted ball's centre."""
    if not (isfinite(ball.along) and isfinite(ball.aside)):
        raise RulesError(f"spotting: got a ball at {ball.along}, {ball.aside}, expected numbers")
    reach = diameter + CUE_BALL_GAP_M if ball.is_cue_ball else diameter
    if abs(ball.aside) >= reach:
        return None
    half = sqrt(reach * reach - ball.aside * ball.aside)
    return ball.along - half, ball.along + half
