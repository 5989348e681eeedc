"""The pointer at the table: it aims, drags what is in hand, and strokes while Shift is held."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.model.balls import CUE_BALL
from sim.play.mouse_stroke import MouseStroke

if TYPE_CHECKING:
    from sim.play.modes.aim import AimMode

__all__ = ["AimPointer"]

TURN = 20.0  # degrees of aim for half the picture's width, behind the stick


class AimPointer:
    """What the pointer is in the middle of doing, and what that does to the aim.

    Attributes:
        held: the ball being dragged; None.
    """

    def __init__(self, mode: AimMode) -> None:
        self._mode, self._game = mode, mode.game
        self.held: int | None = None
        self._dragged: tuple[float, float] | None = None
        self._hand: MouseStroke | None = None

    @property
    def gap(self) -> float:
        """Between the tip and the cue ball, m."""
        return 0.03 if self._hand is None else 0.005 + self._hand.gap

    def press(self, x: float, y: float) -> None:
        """It goes down: on a ball that may be moved, or to aim."""
        ball = self._game.scene.pick_ball(x, y, slack=1.5)
        if ball is not None and self._mode.movable(ball):
            self.held = ball
            self._game.view.held = True
            return
        self._dragged = (x, y)
        if self._game.camera != "player":
            self._point(x, y)
        elif ball:
            self._mode.aim_at(ball)

    def drag(self, x: float, y: float) -> None:
        """It moves."""
        if self.held is not None:
            place = self._game.scene.pick_bed(x, y, self._mode.layout.ball_radius)
            if place is not None:
                self._mode.put(self.held, place)
        elif self._dragged is not None and self._game.camera == "player":
            # The view turns with the aim: only how far the pointer went can be meant.
            self._mode.turn(-TURN * (x - self._dragged[0]))
            self._dragged = (x, y)
        elif self._dragged is not None:
            self._point(x, y)

    def release(self) -> None:
        """It goes up."""
        held, self.held, self._dragged = self.held, None, None
        if self._hand is not None:
            self._hand = None
            self._mode.refresh()
        self._game.view.held = False
        if held is not None:
            self._mode.placed()

    def stroke(self, y: float, *, begins: bool) -> float | None:
        """With Shift it is at a height; the stick's speed, m/s, when it has met the ball."""
        now = self._mode.elapsed
        if begins:
            self._hand = MouseStroke(now, y)
            return None
        if self._hand is None:
            return None
        speed = self._hand.move(now, y)
        if speed is None:
            self._mode.refresh()
        else:
            self._hand = None
        return speed

    def _point(self, x: float, y: float) -> None:
        """Aim at the place under the pointer."""
        at, layout = self._game.scene.pick_bed(x, y), self._mode.layout
        if at is not None and CUE_BALL in layout:
            cx, cy = (float(v) for v in layout[CUE_BALL][:2])
            if math.hypot(at[0] - cx, at[1] - cy) > layout.ball_radius:
                self._mode.change(azimuth=math.atan2(at[1] - cy, at[0] - cx))
