"""Every page of the game as a stranger reads it: nothing cut off, over something else or in code."""

from __future__ import annotations

import dataclasses

import pytest
from game_hands import SILENT
from game_pages import faults, pages

from sim.play.app import Game
from sim.play.inputs import ACTIONS

LONGEST = ("Maximiliane-Alexandra Oberhuber-Winkler", "Wilhelmina van der Westhuizen-Montgomery")


@pytest.mark.parametrize(
    ("text_size", "aspect", "names"),
    [
        (1.0, 16 / 9, ("Ada", "Ben")),
        (1.3, 16 / 9, LONGEST),
        (0.85, 21 / 9, ("Ada", "Ben")),
        (1.15, 4 / 3, LONGEST),
    ],
)
def test_every_page_is_readable(stage, tmp_path, monkeypatch, text_size, aspect, names):
    monkeypatch.setattr(stage.base, "get_aspect_ratio", lambda *_: aspect)
    game = Game(stage, tmp_path, settings=dataclasses.replace(SILENT, text_size=text_size))
    game.engine.wait(600)
    found, working = {}, set()
    try:
        for name in pages(game, names):
            game.step(0.05)
            working |= set(game.mode.keys())
            if wrong := faults(game):
                found[name] = wrong
    finally:
        game.close()
    assert not found, "\n".join(
        f"{name}: {line}" for name, lines in found.items() for line in lines
    )
    assert working == set(ACTIONS), "keys in the settings that do nothing anywhere"


def test_the_pointer_finds_the_buttons_of_a_narrow_picture(stage, tmp_path, monkeypatch):
    monkeypatch.setattr(stage.base, "get_aspect_ratio", lambda *_: 4 / 3)
    game = Game(stage, tmp_path, settings=SILENT)
    try:
        button = game.mode.layer.buttons["new"]
        x, _, z = button.get_pos(stage.base.aspect2d)
        assert -4 / 3 < x < 4 / 3
        found = game.hud.place(x / (4 / 3), z)
        here = button.get_pos(game.mode.layer.root)
        assert found == pytest.approx((here.x, here.z), abs=1e-5)
        assert game.mode.layer.press(*found), "the panel behind the button takes the press"
    finally:
        game.close()
