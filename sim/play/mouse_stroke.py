"""A stroke made with the mouse: pull back, push through; as fast as the hand was."""

from __future__ import annotations

__all__ = ["MouseStroke"]

GAIN = 1.6  # m/s of the stick for half the picture's height a second
REACH = 0.35  # how far the stick is drawn back for half the picture's height, m
LEAST_PULL = 0.04  # of half the picture's height
LOOK_BACK = 0.08  # the hand's speed is taken over so long, s


class MouseStroke:
    """One stroke, from the button going down to the tip meeting the ball.

    Args:
        t: seconds; y: of the pointer, -1..1, where the tip touches the ball.
    """

    def __init__(self, t: float, y: float) -> None:
        self._zero = y
        self._way = [(t, y)]
        self._farthest = 0.0

    @property
    def gap(self) -> float:
        """How far the tip is drawn back, m."""
        return max(self._zero - self._way[-1][1], 0.0) * REACH

    def move(self, t: float, y: float) -> float | None:
        """The pointer is at `y` at `t`; the stick's speed, m/s, once it has gone through the ball.

        Before a real pull nothing is a stroke.
        """
        before = self._way[-1][1]
        self._way.append((t, y))
        self._way = [p for p in self._way if p[0] >= t - LOOK_BACK or p is self._way[-1]]
        self._farthest = max(self._farthest, self._zero - y)
        if self._farthest < LEAST_PULL or y < self._zero or before >= y:
            return None
        t0, y0 = min(self._way[:-1], default=(t, y), key=lambda p: p[1])
        return GAIN * (y - y0) / (t - t0) if t > t0 else None
