"""Every page of the game as a stranger reads it: nothing cut off, over something else or in code."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from game_hands import SILENT, at_the_table
from game_pages import faults, pages

from rules import CueBall
from sim.game.placement import can_place
from sim.model.materials import Materials
from sim.model.rack import rack
from sim.model.table import Table
from sim.play.app import Game
from sim.play.buffers import give_back
from sim.play.hud import Hud
from sim.play.inputs import ACTIONS
from sim.play.modes.setup import BALLS, CLOTH_SPEEDS, physics_lines
from sim.play.modes.wording import where_it_cannot_lie
from sim.play.settings import load_settings

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


def test_a_centred_letter_is_drawn_at_its_centre(stage):
    hud = Hud(stage.base, SILENT, lambda do: None)
    layer = hud.layer()
    layer.panel(-hud.aspect, hud.aspect, -1, 1)
    line = layer.line("letter", "H", 0.0, 0.0, 1.0, align="centre", font="Bold")
    buffer = stage.buffer((320, 180))
    camera = stage.base.make_camera2d(buffer)
    try:
        for _ in range(2):
            stage.frame()
        rows, columns = np.nonzero(stage.pixels(buffer).mean(axis=2) > 128)
        assert (columns.min() + columns.max()) / 2 == pytest.approx(159.5, abs=1.5)
        base = 180 / 2 * (1 - line.node.get_z())
        assert rows.max() == pytest.approx(base - 1, abs=1.5), "the letter stands on its line"
    finally:
        layer.close()
        camera.remove_node()
        give_back(buffer)


def test_presets_of_cloth_and_balls_stay_within_what_is_published_and_say_what_is_not():
    for values in CLOTH_SPEEDS.values():
        cloth = Materials(**values)
        assert 0.005 <= cloth.mu_roll <= 0.015
        assert 0.15 <= cloth.mu_slide <= 0.4
    for name, values in BALLS.items():
        assert 0.92 <= Materials(**values).e_ball <= 0.98
        balls = physics_lines("club", name)[1]
        assert ("only an example" in balls) == ("mu_ball" in values)


def test_why_a_ball_cannot_lie_somewhere_is_said_without_coordinates():
    table = Table.wpa_9ft()
    layout = rack(table, seed=1)
    said = [
        where_it_cannot_lie(can_place(layout, place, CueBall.IN_HAND_BEHIND_HEAD_STRING) or "")
        for place in ((-0.1, 0.3), (0.01, 0.3), (0.0, 0.0), (0.6, 1.4))
    ]
    assert said == [
        "the cue ball is off the bed",
        "the cue ball touches a cushion",
        "the cue ball is over the head left pocket",
        "behind the head string only",
    ]


def test_the_key_of_an_action_that_is_gone_does_not_spoil_the_settings(tmp_path):
    (tmp_path / "settings.json").write_text('{"keys": {"place": "m", "call": "k"}}', "utf-8")
    assert load_settings(tmp_path).keys == (("call", "k"),)


def test_lines_name_the_keys_as_they_are_bound(stage, tmp_path):
    keys = (("menu", "f1"), ("next", "backspace"))
    game = Game(stage, tmp_path, settings=dataclasses.replace(SILENT, keys=keys))
    try:
        game.engine.wait(600)
        at_the_table(game)
        game.step(0.05)
        assert "BACKSPACE goes on" in game.bar.text
        game.key("menu")
        game.step(0.05)
        assert "F1 goes on" in game.bar.text
    finally:
        game.close()
