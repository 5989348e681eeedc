"""Esc in a match: everything that is not the next stroke."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.help import HelpMode
from sim.play.modes.options import OptionsMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.sheet import SheetMode

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["PauseMode"]


class PauseMode(Mode):
    """A short list over the table."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "accept": "go on"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back

    def build(self, layer: Layer) -> None:
        game = self.game
        rows = [
            ("resume", "Go on", lambda: self.back),
            ("sheet", "Match sheet", lambda: SheetMode(game, self)),
            ("replay", "Replay", lambda: ReplayMode(game, self)),
            ("referee", "Referee", lambda: RefereeMode(game, self)),
            ("settings", "Settings", lambda: OptionsMode(game, self)),
            ("help", "Help", lambda: HelpMode(game, self.back)),
            ("leave", "Leave the match (it is kept)", game.menu),
        ]
        layer.panel(-0.45, 0.45, 0.50 - 0.1 * len(rows), 0.56)
        for k, (name, text, command) in enumerate(rows):
            layer.button(name, text, 0, 0.48 - 0.1 * k, command, width=0.80, height=0.082)

    def keys(self) -> Keys:
        return {"menu": lambda: self.back, "accept": lambda: self.back}

    def line(self) -> str:
        return f"Paused; everything so far is on the disk. Click what to do, {self.key('menu')} goes on."
