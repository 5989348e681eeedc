"""`tenball play`, and `tenball` alone."""

from __future__ import annotations

import gc

import pytest

from sim.cli import play as command
from sim.cli.main import main
from sim.play.run import OPENING, Frame, frame_lines, long_lived


@pytest.fixture
def no_display(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_without_a_display_a_demonstration_is_played(no_display, monkeypatch, capsys):
    played = []
    monkeypatch.setattr("sim.cli.match.run_demo", lambda options: played.append(options) or 0)
    assert main([]) == 0
    assert len(played) == 1
    assert played[0].race_to == 1
    assert capsys.readouterr().err.strip() == command.NO_DISPLAY


def test_with_a_display_the_game_is_opened(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("sim.play.stage.no_display", lambda: False)
    monkeypatch.setattr(
        "sim.play.run.play",
        lambda folder, **options: opened.append(options) or [Frame(0.02, 0.01, 0.03, "AimMode")],
    )
    assert main([]) == 0
    assert main(["play", "--size", "800x600", "--timing"]) == 0
    assert capsys.readouterr().out.startswith(
        "1 frames: median 20.0 ms, slowest 20.0 ms (AimMode), 0 over"
    )
    assert [options["size"] for options in opened] == [(1280, 720), (800, 600)]


def test_the_first_picture_is_told_apart():
    """It sends textures and shaders to the driver, and is no hitch in the game."""
    lines = frame_lines([Frame(0.7, 0.7, 0.8, OPENING), Frame(0.02, 0.01, 0.03, "AimMode")])
    assert lines[0] == "first picture: 700 ms"
    assert lines[1].startswith("1 frames: median 20.0 ms, slowest 20.0 ms (AimMode), 0 over 100 ms")
    assert frame_lines([Frame(0.7, 0.7, 0.8, OPENING)])[1].startswith("no frame was drawn")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--size", "huge"], "size: got 'huge', expected WIDTHxHEIGHT"),
        (["--shot", "no.json"], "no.json: got no such file, expected one"),
        (["--journal", "a", "--shot", "b"], "--journal, --shot: got both"),
        ([], "window: got no display"),
    ],
)
def test_what_cannot_be_opened_is_one_line(arguments, says, no_display, tmp_path, capsys):
    assert main(["play", "--home", str(tmp_path), *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.strip().splitlines()) == 1


def test_what_lives_as_long_as_the_game_is_not_looked_through_for_garbage():
    before = gc.get_freeze_count()
    with long_lived() as keep:
        keep()
        assert gc.get_freeze_count() > before
    assert gc.get_freeze_count() == 0
