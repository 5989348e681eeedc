"""The first page: continue, new match, practice, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from sim.model.rack import rack
from sim.model.table import Table
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.help import HelpMode
from sim.play.modes.matches import MatchesMode
from sim.play.modes.options import OptionsMode
from sim.play.modes.setup import SetupMode

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["MenuMode"]


class MenuMode(Mode):
    """What shall be played. The engine is made ready meanwhile."""

    says: ClassVar[dict[str, str]] = {"menu": "quit"}

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.layout = rack(Table.wpa_9ft(), seed=7)
        self._turn = 0.0

    def enter(self) -> None:
        self.game.leave_match()
        super().enter()
        self.game.show_table(self.layout.table, self.layout.ball_radius)
        self.game.scene.show_layout(self.layout)
        self.game.scene.hide_stick()
        self.game.use_camera("orbit")

    def build(self, layer: Layer) -> None:
        left = -layer.hud.aspect + 0.12
        last = self.game.last_match()
        rows: list[tuple[str, str, Callable[[], Mode | None]]] = [
            ("new", "New match", self.new),
            ("practice", "Practice", self.practice),
        ]
        if last is not None:
            rows.insert(0, ("continue", "Continue the last match", self.resume))
            rows.append(("matches", "Matches played", self.matches))
        rows += [
            ("settings", "Settings", self.settings),
            ("help", "Help", self.help),
            ("quit", "Quit", self.quit),
        ]
        bottom = 0.40 - 0.1 * len(rows)
        layer.panel(left, left + 0.86, bottom - 0.05, 0.74)
        layer.line("title", "tenball", left + 0.07, 0.585, 0.115, font="Bold")
        layer.line("what", "10-ball for two at one table", left + 0.075, 0.495, 0.036, colour="dim")
        for k, (name, text, command) in enumerate(rows):
            layer.button(name, text, left + 0.43, 0.41 - 0.1 * k, command, width=0.74, height=0.082)

    def keys(self) -> Keys:
        return {"help": self.help, "menu": self.quit}

    def line(self) -> str:
        return f"Anybody: click what to play; {self.key('help')} shows the keys."

    def step(self, dt: float) -> Mode | None:
        self.game.view.turn_by(self.game.scene, dt * 0.03)
        return None

    # --- what the buttons do ----------------------------------------------------------------------

    def new(self) -> Mode:
        """Set a match up."""
        return SetupMode(self.game, practice=False, back=self)

    def practice(self) -> Mode:
        """Set practice up."""
        return SetupMode(self.game, practice=True, back=self)

    def resume(self) -> Mode | None:
        """Go on with the match played last."""
        last = self.game.last_match()
        return None if last is None else self.game.continue_match(last)

    def matches(self) -> Mode:
        """Every match that is kept."""
        return MatchesMode(self.game, self)

    def settings(self) -> Mode:
        """Change settings."""
        return OptionsMode(self.game, self)

    def help(self) -> Mode:
        """Show the keys."""
        return HelpMode(self.game, self)

    def quit(self) -> None:
        """Leave the game."""
        self.game.done = True
