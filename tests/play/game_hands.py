"""Hands on the real game: seat players, press keys and buttons, wait for a mode."""

from __future__ import annotations

import time

import pytest

from sim.game import commands as c
from sim.game.setup import Setup
from sim.play.modes.ruling import RulingMode
from sim.play.modes.watch import PlayingMode
from sim.play.settings import Settings

SILENT = Settings(look="simple")


def click(game, name):
    game.mode.layer.click(name)


def press(game, action):
    """Through Panda3D's own event of the key."""
    game.stage.base.messenger.send(game.settings.key(action))


def until(game, *kinds, frames=2000):
    """Step until the game is in a mode of one of these kinds."""
    for _ in range(frames):
        if isinstance(game.mode, kinds):
            return
        if isinstance(game.mode, PlayingMode):
            time.sleep(0.002)  # another thread plays; only the number of frames is tested
        game.step(0.1)
    pytest.fail(f"stuck in {type(game.mode).__name__}: {game.bar.text}")


def seat(game, **options):
    game.go(game.new_match(Setup(**{"seed": 3, "lag": False, **options})))


def at_the_table(game):
    """A match after a legal break with the balls where the engine left them."""
    seat(game)
    click(game, "breaker A")
    press(game, "shoot")
    until(game, RulingMode)


def arranged(game, balls, shooting=None):
    """Practice with these balls."""
    game.go(game.new_match(Setup(practice=True, seed=1)))
    game.send(c.Arrange(tuple((b, (x, y, 0.028575)) for b, (x, y) in balls.items())))
    if shooting is not None:
        game.send(c.Aim(shooting))
    game.go(game.next_mode())
    game.step(0.05)


EASY = {0: (0.635, 0.9), 1: (0.635, 2.2), 10: (0.3, 0.3)}
