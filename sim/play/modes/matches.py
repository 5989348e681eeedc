"""The matches that are kept: go on with one, or look at its shots again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, ClassVar

from sim.game.journal import read_journal
from sim.game.match import Match
from sim.game.prompt import prompt
from sim.model.errors import TenballError
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.wording import counted

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["MatchesMode"]

A_PAGE = 8


@dataclass(frozen=True)
class _Kept:
    """A match file as the list shows it; `match` is None where it cannot be read."""

    path: Path
    match: Match | None
    what: str


def _kept(path: Path) -> _Kept:
    try:
        match = read_journal(path).game.now
    except TenballError as error:
        return _Kept(path, None, str(error).replace(f"{path} ", "").replace(f"{path}: ", ""))
    if match.setup is not None and match.setup.practice:
        return _Kept(
            path, match, f"{match.side_name('A')}, practice: {counted(len(match.log), 'shot')}"
        )
    if match.setup is None:
        return _Kept(path, match, prompt(match).text)
    state = "over" if match.winner is not None else "open"
    return _Kept(
        path,
        match,
        f"{match.side_name('A')} {match.score('A')} : {match.score('B')} {match.side_name('B')}, "
        f"race to {match.setup.race_to}, {counted(len(match.log), 'shot')}, {state}",
    )


class MatchesMode(Mode):
    """A page of the matches, the last one first."""

    says: ClassVar[dict[str, str]] = {"menu": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back
        self.page = 0
        self._paths = game.matches()
        self._shown: list[_Kept] = []

    def enter(self) -> None:
        self.game.leave_match()  # coming back from a replay
        self._paths = self.game.matches()
        super().enter()

    def build(self, layer: Layer) -> None:
        half, top = 1.45, 0.80
        pages = max(1, -(-len(self._paths) // A_PAGE))
        self.page = min(self.page, pages - 1)
        first = self.page * A_PAGE
        self._shown = [_kept(path) for path in self._paths[first : first + A_PAGE]]
        layer.panel(-half, half, -0.82, top)
        layer.line("title", "Matches", -half + 0.08, top - 0.11, 0.058, font="Bold")
        for k, kept in enumerate(self._shown):
            z = top - 0.25 - 0.13 * k
            bad = kept.match is None
            layer.line(
                f"match {k}",
                shorten(kept.what, 150) if bad else kept.what,
                -half + 0.08,
                z,
                0.034,
                colour="bad" if bad else "text",
                fit=2 * half - (0.16 if bad else 0.90),
            )
            layer.line(f"file {k}", kept.path.name, -half + 0.08, z - 0.050, 0.029, colour="dim")
            if kept.match is not None:
                layer.button(
                    f"go on {k}",
                    "Sheet" if kept.match.winner is not None else "Go on",
                    half - 0.58,
                    z - 0.012,
                    partial(self.go_on, k),
                    width=0.28,
                )
                layer.button(
                    f"replay {k}", "Replay", half - 0.25, z - 0.012, partial(self.replay, k),
                    width=0.28,
                )  # fmt: skip
        if pages > 1:
            layer.line("page", f"page {self.page + 1} of {pages}", 0.0, -0.73, 0.034,
                       align="centre", colour="dim")  # fmt: skip
            layer.button("newer", "Newer", -half + 0.30, -0.73, partial(self.turn, -1), width=0.40)
            layer.button("older", "Older", -half + 0.74, -0.73, partial(self.turn, 1), width=0.40)
        layer.button("back", "Back", half - 0.32, -0.73, self.done, width=0.48)

    def keys(self) -> Keys:
        return {
            "previous_shot": partial(self.turn, -1),
            "next_shot": partial(self.turn, 1),
            "menu": self.done,
        }

    def line(self) -> str:
        if not self._paths:
            return f"Anybody: no match has been played yet; {self.key('menu')} goes back."
        return f"Anybody: click a button beside a match; {self.key('menu')} goes back."

    def match(self) -> Match | None:
        return None

    # --- what the buttons do ----------------------------------------------------------------------

    def turn(self, pages: int) -> None:
        """Other matches, if there are more."""
        last = max(0, -(-len(self._paths) // A_PAGE) - 1)
        self.page = min(max(self.page + pages, 0), last)
        self.rebuild()

    def go_on(self, row: int) -> Mode:
        """Go on with a match."""
        return self.game.continue_match(self._shown[row].path)

    def replay(self, row: int) -> Mode:
        """The shots of a match; then back to the list."""
        kept = self._shown[row]
        self.game.continue_match(kept.path)
        if kept.match is not None and kept.match.layout is not None:
            layout = kept.match.layout
            self.game.show_table(layout.table, layout.ball_radius)
        return ReplayMode(self.game, self)

    def done(self) -> Mode:
        """Back to the menu."""
        return self.back
