"""The call: click the ball, click the pocket."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import rules
from sim.game import commands as c
from sim.model.table import POCKETS
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode, words

if TYPE_CHECKING:
    from sim.game.match import Match
    from sim.play.app import Game

__all__ = ["CallMode"]


class CallMode(Mode):
    """The lowest ball is taken as meant until another is clicked; a pocket makes the call."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "call": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back
        rack = self._match().rack
        assert rack is not None
        made = self._match().declaration
        named = made is not None and made.names_something
        self.ball: int = (made.ball if named and made is not None else None) or rack.lowest or 1
        self._camera = game.camera

    def _match(self) -> Match:
        assert self.game.session is not None
        return self.game.session.match

    def enter(self) -> None:
        super().enter()
        if self.game.camera in ("player", "follow"):
            self.game.use_camera("broadcast")
        self._mark()

    def leave(self) -> None:
        super().leave()
        self.game.scene.marks.clear("call ")
        for pocket in POCKETS:
            self.game.scene.marks.pocket(pocket, None)
        self.game.use_camera(self._camera)

    def _mark(self) -> None:
        scene, layout = self.game.scene, self._match().layout
        assert layout is not None
        accent = self.game.hud.colours["accent"]
        for pocket in POCKETS:
            scene.marks.pocket(pocket, accent)
        x, y = (float(v) for v in layout[self.ball][:2])
        scene.marks.ring("call ball", (x, y), 1.5 * layout.ball_radius, accent)

    def build(self, layer: Layer) -> None:
        match = self._match()
        assert match.layout is not None
        balls = [b for b in match.layout.balls if b]
        layer.panel(-1.32, 1.32, -0.92, -0.60)
        for k, ball in enumerate(balls):
            layer.button(
                f"ball {ball}", str(ball), -1.20 + 0.14 * k, -0.67, partial(self.take, ball),
                width=0.12, chosen=ball == self.ball,
            )  # fmt: skip
        layer.button("cancel", "Back", 1.10, -0.67, lambda: self.back, width=0.34)
        for k, pocket in enumerate(POCKETS):
            layer.button(
                f"pocket {pocket}", words(pocket), -1.08 + 0.43 * k, -0.84,
                partial(self.call, pocket), width=0.41,
            )  # fmt: skip

    def keys(self) -> Keys:
        return {"menu": lambda: self.back, "call": lambda: self.back}

    def line(self) -> str:
        match = self._match()
        who = match.player(match.shooter or "A")
        return (
            f"{who}: click the pocket for the {self.ball}, or another ball first; "
            f"{self.key('menu')} goes back without a call."
        )

    def press(self, x: float, y: float) -> Mode | None:
        ball = self.game.scene.pick_ball(x, y, slack=1.4)
        if ball:
            self.take(ball)
            return None
        pocket = self.game.scene.pick_pocket(x, y, slack=1.8)
        return None if pocket is None else self.call(pocket)

    def take(self, ball: int) -> None:
        """Mean this ball."""
        self.ball = ball
        self.rebuild()
        self._mark()

    def call(self, pocket: str) -> Mode:
        """Call the ball into a pocket."""
        self.game.send(c.Declare(rules.call(self.ball, pocket)))
        return self.back
