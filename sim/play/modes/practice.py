"""Practice at the table: every ball is placed at will, steps are taken back, shots repeated."""

from __future__ import annotations

from functools import partial
from typing import Any

from sim.game import commands as c
from sim.game.placement import spot
from sim.model.balls import CUE_BALL
from sim.play.hud import Layer
from sim.play.modes.aim import AimMode
from sim.play.modes.base import Keys, Mode
from sim.play.modes.verdicts import VerdictsMode

__all__ = ["PracticeMode"]


class PracticeMode(AimMode):
    """As at the table in a match, without an opponent."""

    practice = True

    @property
    def in_hand(self) -> bool:
        return True

    def movable(self, ball: int) -> bool:
        return True

    def build(self, layer: Layer) -> None:
        super().build(layer)
        away = [b for b in range(11) if b not in self.layout]
        if not away:
            return
        left, top, each = -layer.hud.aspect + 0.03, 0.80, 0.11
        layer.panel(left, left + 0.32 + each * len(away), top - 0.096, top)
        layer.line("put back", "Put back", left + 0.03, top - 0.06, 0.032, colour="dim")
        for k, ball in enumerate(away):
            layer.button(
                f"put {ball}", "cue" if ball == CUE_BALL else str(ball),
                left + 0.29 + each * (k + 0.5), top - 0.048, partial(self.put_back, ball),
                width=each - 0.012, height=0.072, size=0.032,
            )  # fmt: skip

    def items(self) -> list[tuple[str, str, Any]]:
        items = super().items()
        items[3:4] = [
            ("undo", "Undo", self.undo),
            ("redo", "Redo", self.redo),
            ("repeat", "Repeat shot", self.repeat),
            ("rack", "New rack", lambda: self.game.after(c.NextRack(), None)),
            ("verdicts", "Verdicts", self.verdicts),
        ]
        return items

    def keys(self) -> Keys:
        keys = super().keys()
        mine: Keys = {"undo": self.undo, "redo": self.redo, "repeat": self.repeat}
        mine["verdicts"] = self.verdicts
        # Before the keys that every page has, in the order of the help.
        at = list(keys).index("camera")
        rows = list(keys.items())
        return dict([*rows[:at], *mine.items(), *rows[at:]])

    # --- what the buttons do ----------------------------------------------------------------------

    def put_back(self, ball: int) -> Mode | None:
        """A ball that is off the table comes back on its spot, to be dragged from there."""
        x, y = (float(v) for v in spot(self.layout, ball)[ball][:2])
        self.game.send(c.Place((x, y), ball))
        return self.game.next_mode()

    def verdicts(self) -> Mode:
        """What each ruleset would have ruled."""
        return VerdictsMode(self.game, self)

    def undo(self) -> Mode | None:
        """Take the last step back: stroke, balls and rules state together."""
        self.game.send(c.Undo())
        return self.game.next_mode()

    def redo(self) -> Mode | None:
        """Do again what was taken back."""
        self.game.send(c.Redo())
        return self.game.next_mode()

    def repeat(self) -> Mode | None:
        """The last shot as it was before it."""
        self.game.send(c.Repeat())
        return self.game.next_mode()
