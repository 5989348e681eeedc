"""From what a match waits for to the mode that asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.play.modes.aim import AimMode
from sim.play.modes.base import Mode
from sim.play.modes.choice import ChoiceMode
from sim.play.modes.lag import LagMode
from sim.play.modes.menu import MenuMode
from sim.play.modes.practice import PracticeMode
from sim.play.modes.setup import SetupMode
from sim.play.modes.sheet import SheetMode

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["first_mode", "mode_for"]


def first_mode(game: Game) -> Mode:
    """The menu."""
    return MenuMode(game)


def mode_for(game: Game) -> Mode:
    """The mode that does what the match waits for now."""
    if game.session is None:
        return MenuMode(game)
    need = game.session.prompt.need
    if need == "seats":
        return SetupMode(game, practice=False, back=MenuMode(game))
    if need == "lag":
        return LagMode(game)
    if need == "over":
        return SheetMode(game, None)
    if need in ("breaker", "choice", "acknowledgement", "penalty", "next_rack"):
        return ChoiceMode(game)
    setup = game.session.match.setup
    practice = setup is not None and setup.practice
    return PracticeMode(game) if practice else AimMode(game)
