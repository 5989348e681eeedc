"""The keys that work in the mode it was called from, drawn from that mode's own map."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["HelpMode"]

CHOOSE = ("Left button", "press a button, a slider or a dial")
AT_TABLE = (
    ("Left button", "on the table: press or drag to aim; drag a ball that may be moved"),
    ("Shift + left", "pull back, then push through: the stroke by hand"),
)
VIEW = (("Right button", "drag: turn the view"), ("Wheel", "nearer, farther"))


class HelpMode(Mode):
    """A panel with the keys of `back`."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "help": "back", "accept": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back

    def rows(self) -> list[tuple[str, str]]:
        """(key, what it does) of everything that works in the mode behind."""
        seen: list[tuple[str, str]] = []
        working = self.back.keys()
        for action in working:
            row = (self.key(action), self.back.key_help(action))
            if row not in seen:
                seen.append(row)
        return seen

    def pointer(self) -> tuple[tuple[str, str], ...]:
        """(button, what it does) in the mode behind."""
        by_hand = type(self.back).stroke_by_hand is not Mode.stroke_by_hand
        return (*(AT_TABLE if by_hand else (CHOOSE,)), *VIEW)

    def build(self, layer: Layer) -> None:
        rows = self.rows()
        half = (len(rows) + 1) // 2
        depth = max(half, 1) * 0.062
        top, width = 0.70, 1.45
        layer.panel(-width, width, top - depth - 0.50, top)
        layer.line("title", "Keys that work now", -width + 0.08, top - 0.11, 0.058, font="Bold")
        for k, (key, text) in enumerate(rows):
            x = -width + 0.08 + (k >= half) * width
            z = top - 0.20 - (k % half) * 0.062
            layer.line(f"key {k}", key, x, z, 0.036, font="SemiBold", colour="accent")
            layer.line(f"help {k}", text, x + 0.42, z, 0.036)
        z = top - depth - 0.24
        for k, (what, text) in enumerate(self.pointer()):
            layer.line(f"pointer {k}", what, -width + 0.08, z - 0.055 * k, 0.034, font="SemiBold")
            layer.line(f"does {k}", text, -width + 0.50, z - 0.055 * k, 0.034, colour="dim")
        layer.button("back", "Back", width - 0.25, z - 0.10, self.leave_help, width=0.34)

    def keys(self) -> Keys:
        return {"help": self.leave_help, "menu": self.leave_help, "accept": self.leave_help}

    def line(self) -> str:
        return f"Anybody: these are the keys that work now; {self.key('menu')} goes back."

    def leave_help(self) -> Mode:
        """Back to where it was called."""
        return self.back
