"""The match sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sim.game.sheet import match_sheet
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.wording import counted, spoken

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["SheetMode"]

ROWS = (
    ("racks", "racks won"),
    ("innings", "innings"),
    ("shots", "shots"),
    ("calls", "called shots"),
    ("made", "called balls made"),
    ("potting", "potting"),
    ("best_run", "best run"),
    ("fouls", "fouls"),
    ("safeties", "safeties"),
    ("push_outs", "push-outs"),
    ("breaks", "breaks"),
    ("break_balls", "balls made on breaks"),
    ("dry_breaks", "dry breaks"),
    ("break_fouls", "fouls on breaks"),
)


class SheetMode(Mode):
    """Racks, innings, fouls, breaks of both sides, and how each rack was won."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "accept": "back", "sheet": "back"}

    def __init__(self, game: Game, back: Mode | None) -> None:
        super().__init__(game)
        self.back = back

    def build(self, layer: Layer) -> None:
        assert self.game.session is not None
        sheet = match_sheet(self.game.session.match)
        top, half = 0.80, 1.30
        layer.panel(-half, half, -0.90, top)
        layer.line("title", "Match sheet", -half + 0.08, top - 0.11, 0.058, font="Bold")
        columns = (-0.15, 0.25)
        for x, line in zip(columns, sheet.sides, strict=True):
            layer.line(
                f"side {line.side}", " & ".join(line.players), x, top - 0.20, 0.036,
                font="SemiBold", align="right", colour="accent", fit=0.37,
            )  # fmt: skip
        for k, (field, text) in enumerate(ROWS):
            z = top - 0.28 - 0.058 * k
            layer.line(f"row {field}", text, -half + 0.08, z, 0.034, colour="dim")
            for x, line in zip(columns, sheet.sides, strict=True):
                value = getattr(line, field)
                shown = value
                if field == "potting":
                    shown = "-" if value is None else f"{100 * value:.0f} %"
                layer.line(f"{field} {line.side}", str(shown), x, z, 0.036, align="right")
        names = {line.side: " & ".join(line.players) for line in sheet.sides}
        layer.line("racks", "Racks", 0.40, top - 0.20, 0.036, font="SemiBold", colour="accent")
        for k, rack in enumerate(sheet.racks[-13:]):
            won = "open" if rack.winner is None else f"{names[rack.winner]}, {spoken(rack.reason)}"
            layer.line(
                f"rack {rack.number}", f"{rack.number}.  {counted(rack.shots, 'shot')}, {won}",
                0.40, top - 0.28 - 0.058 * k, 0.032, fit=half - 0.44,
            )  # fmt: skip
        text = "Menu" if self.back is None else "Back"
        layer.button("back", text, half - 0.26, -0.82, self.done, width=0.40)

    def keys(self) -> Keys:
        return {"menu": self.done, "accept": self.done, "sheet": self.done}

    def line(self) -> str:
        assert self.game.session is not None
        if self.back is None:
            kept = f"The sheet and every shot are kept; {self.key('menu')} leads to the menu."
            return f"{self.game.session.prompt.text} {kept}"
        return f"Anybody: the match so far; {self.key('menu')} goes back."

    def done(self) -> Mode:
        """Back to where it was called, or to the menu when the match is over."""
        return self.game.menu() if self.back is None else self.back
