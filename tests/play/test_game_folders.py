"""What may lie where the game keeps its matches: the game starts, and says what it cannot use."""

from __future__ import annotations

import os

import pytest
from game_hands import SILENT, at_the_table, click, press, seat

from sim.play.app import Game
from sim.play.letters import drawable
from sim.play.modes.choice import ChoiceMode

posix = pytest.mark.skipif(os.name != "posix", reason="links and names of a POSIX system")


@pytest.fixture
def opened(stage, tmp_path):
    """Opens the game on a folder that is there already."""
    games = []

    def open_it():
        games.append(Game(stage, tmp_path, settings=SILENT))
        games[-1].engine.wait(600)
        return games[-1]

    yield open_it
    for made in games:
        made.close()


@posix
@pytest.mark.parametrize("to", ["nothing.tenball", "a.tenball"], ids=["nothing", "itself"])
def test_a_link_to_nothing_among_the_matches_does_not_keep_the_game_from_starting(
    opened, tmp_path, to
):
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "a.tenball").symlink_to(tmp_path / "matches" / to)
    game = opened()
    game.step(0.1)
    click(game, "matches")
    assert "o such file" in game.mode.layer.lines["match 0"].text or to == "a.tenball"
    press(game, "menu")
    seat(game)
    assert isinstance(game.mode, ChoiceMode)


@pytest.mark.parametrize("name", ["matches", "shots"])
def test_a_file_where_a_folder_should_be_is_a_notice(opened, tmp_path, name):
    (tmp_path / name).write_text("mine")
    game = opened()
    if name == "matches":
        game.act(lambda: seat(game))
        assert game.session is None
    else:
        at_the_table(game)
        game.act(game.write_shot)
    game.step(0.1)
    assert game.noticed == f"{tmp_path / name}: File exists"
    assert (tmp_path / name).read_text() == "mine"


@posix
def test_a_match_whose_name_is_not_utf8_is_listed(opened, tmp_path):
    """Panda3D ended the whole process (std::logic_error) when it was to draw such a name."""
    (tmp_path / "matches").mkdir()
    path = os.fsencode(tmp_path / "matches") + b"/b\xff.tenball"
    try:
        open(path, "wb").close()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    game = opened()
    click(game, "matches")
    game.step(0.1)
    game.notice(os.fsdecode(path))
    game.step(0.1)
    game.stage.base.graphicsEngine.render_frame()


def test_what_no_font_has_can_be_drawn():
    assert drawable("Zoë 10-ball") == "Zoë 10-ball"
    assert drawable("a\udcffb\0c\ud800") == "a?b?c?"
