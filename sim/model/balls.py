"""The ball set: ids, their colours and stripes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim.model.checks import whole
from sim.model.errors import LayoutError

__all__ = ["BALLS", "CUE_BALL", "OBJECT_BALLS", "TEN", "BallLook", "LOOKS", "ball_id"]

CUE_BALL = 0
TEN = 10
OBJECT_BALLS = tuple(range(1, 11))
BALLS = (CUE_BALL, *OBJECT_BALLS)


@dataclass(frozen=True)
class BallLook:
    """How a ball looks: a name, an sRGB colour `#rrggbb`, a stripe or not."""

    name: str
    colour: str
    striped: bool


LOOKS: dict[int, BallLook] = {
    0: BallLook("cue ball", "#f7f3e6", False),
    1: BallLook("1", "#f5c518", False),
    2: BallLook("2", "#1f4fbf", False),
    3: BallLook("3", "#d6262b", False),
    4: BallLook("4", "#5b2a86", False),
    5: BallLook("5", "#f07f1a", False),
    6: BallLook("6", "#14733c", False),
    7: BallLook("7", "#7c1f24", False),
    8: BallLook("8", "#17181a", False),
    9: BallLook("9", "#f5c518", True),
    10: BallLook("10", "#1f4fbf", True),
}


def ball_id(value: Any) -> int:
    """Return value as a ball id 0..10 (0 is the cue ball), or raise LayoutError."""
    expected = "an integer 0..10 (0 is the cue ball)"
    return whole(value, "ball id", LayoutError, expected, low=CUE_BALL, high=TEN)
