"""The real game: what a referee, a clock, practice and a closed window do to a match."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from game_hands import EASY, SILENT, arranged, at_the_table, click, press, seat, until

import rules
from sim.game import Session, read_journal
from sim.game import commands as c
from sim.game.setup import Setup
from sim.model.stroke import Stroke
from sim.model.table import Table
from sim.play.app import Game
from sim.play.hud import colours
from sim.play.modes.aim import AimMode
from sim.play.modes.matches import MatchesMode
from sim.play.modes.menu import MenuMode
from sim.play.modes.practice import PracticeMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.setup import BALLS, SetupMode
from sim.play.modes.verdicts import VerdictsMode
from sim.play.modes.watch import PlayingMode, WatchMode
from sim.play.settings import choices
from sim.shot.files import load_shot


def declared(game, code, *, on="now"):
    """The shooter is found out by the referee's buttons."""
    press(game, "referee")
    assert isinstance(game.mode, RefereeMode)
    click(game, f"on {on}")
    click(game, f"code {code}")
    click(game, f"side {game.session.match.shooter}")
    click(game, "declare")
    assert isinstance(game.mode, RulingMode)


def ruled(game):
    return " ".join(text for _, text in game.mode.rows())


def played_safe(game, stroke):
    """A safety is played in practice; the balls as they lay before it."""
    arranged(game, EASY, stroke)
    game.send(c.Declare(rules.safety()))
    before = game.session.match.layout
    press(game, "shoot")
    until(game, RulingMode)
    press(game, "next")
    return before


def test_a_side_on_two_fouls_is_warned_aloud_and_the_third_loses_the_rack(game):
    at_the_table(game)
    press(game, "next")
    first = game.session.match.shooter
    for fouls in ((1, 0), (1, 1), (2, 1)):
        declared(game, "cue_stick_on_table")
        assert "is warned" not in ruled(game)
        match = game.session.match
        other = rules.other_side(first)
        assert (match.rack.fouls.of(first), match.rack.fouls.of(other)) == fouls
        press(game, "next")
    declared(game, "cue_stick_on_table")
    name = game.session.match.side_name(first)
    assert f"{name} is warned: 2 fouls in succession." in ruled(game)
    press(game, "next")
    game.step(0.05)
    assert game.session.match.shooter == first
    assert "Warned: on two fouls." in game.bar.text
    declared(game, "cue_stick_on_table")
    assert "wins the rack: three fouls" in ruled(game).lower().replace("three consecutive", "three")


def test_the_clock_is_extended_once_by_its_button(game):
    seat(game, switches=(("shot_clock", True),))
    click(game, "breaker A")
    until(game, AimMode)
    press(game, "shoot")
    until(game, RulingMode)
    press(game, "next")
    game.step(0.1)
    left = float(game.bar.shown("clock").split()[0])
    press(game, "referee")
    click(game, "extend")
    assert isinstance(game.mode, AimMode)
    game.step(0.1)
    assert float(game.bar.shown("clock").split()[0]) > left + 10
    press(game, "referee")
    assert "extend" not in game.mode.layer.buttons


def test_a_stalemate_is_agreed_by_both_sides_buttons(game):
    at_the_table(game)
    press(game, "next")
    press(game, "referee")
    click(game, "agree A")
    assert "agrees to a stalemate" in game.noticed
    press(game, "referee")
    assert "agree A" not in game.mode.layer.buttons
    click(game, "agree B")
    match = game.session.match
    assert (match.replays, match.rack.shot_number, len(match.layout)) == (1, 1, 11)
    assert "Stalemate: the rack is played again" in game.noticed


def test_a_stalemate_is_announced_by_the_referees_button(game):
    at_the_table(game)
    press(game, "next")
    press(game, "referee")
    click(game, "stalemate")
    assert "announces a stalemate" in game.noticed
    assert game.session.match.announced == (0, 0)


def test_practice_every_ball_is_dragged_where_it_shall_lie(game):
    arranged(game, EASY)
    assert isinstance(game.mode, PracticeMode)
    press(game, "overhead")
    for _ in range(60):
        game.step(0.1)

    def at(x, y):
        return game.scene.pose.project((x, y, 0.028575), game.scene.aspect)

    for ball, place in ((1, (0.9, 0.7)), (10, (0.8, 1.9)), (0, (0.3, 1.2))):
        x, y = (float(v) for v in game.mode.layout[ball][:2])
        game.pointer("press", *at(x, y))
        game.pointer("drag", *at(*place))
        game.pointer("release", *at(*place))
        # Right and up on the screen are right and up on the table: no axis is turned round.
        assert game.session.match.layout[ball][:2] == pytest.approx(place, abs=1e-6)
    # Not onto another ball.
    game.pointer("press", *at(0.9, 0.7))
    game.pointer("drag", *at(0.8, 1.9))
    game.step(0.05)
    assert "overlap" in game.bar.text
    game.pointer("release", *at(0.8, 1.9))
    assert game.session.match.layout[1][:2] == pytest.approx((0.9, 0.7), abs=1e-6)


def test_practice_a_pocketed_ball_is_put_back(game, stage):
    arranged(game, EASY)
    assert {n for n in game.mode.layer.buttons if n.startswith("put ")} == {
        f"put {b}" for b in range(2, 10)
    }
    click(game, "put 7")
    assert isinstance(game.mode, PracticeMode)
    match = game.session.match
    assert match.layout[7][:2] == pytest.approx(match.setup.table.foot_spot)
    assert 7 in match.rack.balls
    assert "put 7" not in game.mode.layer.buttons
    # The next one finds the spot taken.
    click(game, "put 8")
    layout = game.session.match.layout
    assert math.dist(layout[7], layout[8]) >= 2 * layout.ball_radius - 1e-9
    press(game, "undo")
    assert 8 not in game.session.match.layout
    stage.frame()


def test_practice_a_shot_is_repeated_and_told_under_each_ruleset(game):
    before = played_safe(game, Stroke(2.0, math.pi / 2, side=0.2))
    press(game, "verdicts")
    assert isinstance(game.mode, VerdictsMode)
    assert list(game.mode.columns()) == list(rules.RULESETS)
    press(game, "menu")
    press(game, "repeat")
    assert game.session.match.layout == before
    assert game.mode.stroke.side == 0.2


@pytest.mark.parametrize("moment", ["playing", "rolling"])
def test_a_window_closed_in_mid_shot_loses_nothing(stage, tmp_path, moment):
    game = Game(stage, tmp_path, settings=SILENT)
    game.engine.wait(600)
    seat(game)
    click(game, "breaker A")
    press(game, "shoot")
    assert isinstance(game.mode, PlayingMode)
    if moment == "rolling":
        until(game, WatchMode)
        game.step(0.4)
        assert isinstance(game.mode, WatchMode)
        assert not game.mode.playback.over
    game.close()
    found = read_journal(next((tmp_path / "matches").glob("*.tenball")))
    assert not found.problems
    assert len(found.game.now.log) == 1
    second = Game(stage, tmp_path, settings=SILENT)
    try:
        second.engine.wait(600)
        click(second, "continue")
        assert second.session.match == found.game.now
        # What the break brought is not skipped: its ruling and replay are there.
        press(second, "replay")
        assert isinstance(second.mode, ReplayMode)
        assert len(second.mode.shots) == 1
    finally:
        second.close()


def test_old_matches_are_listed_continued_and_replayed(game):
    for name in ("Ada", "Bea"):
        seat(game, sides=((name,), ("Cy",)), race_to=3)
        click(game, "breaker A")
        press(game, "shoot")
        until(game, RulingMode)
        game.go(game.menu())
    (game.folder / "matches" / "broken.tenball").write_text("nothing\n", encoding="utf-8")
    assert isinstance(game.mode, MenuMode)
    click(game, "matches")
    assert isinstance(game.mode, MatchesMode)
    lines = {n: line.text for n, line in game.mode.layer.lines.items()}
    rows = {text.split()[0]: n.split()[1] for n, text in lines.items() if n.startswith("match ")}
    assert lines[f"match {rows['Ada']}"] == "Ada 0 : 0 Cy, race to 3, 1 shot, open"
    assert len(game.mode.layer.buttons) == 5  # nothing can be done with the broken one
    click(game, f"replay {rows['Ada']}")
    assert isinstance(game.mode, ReplayMode)
    assert game.session.match.side_name("A") == "Ada"
    press(game, "menu")
    assert isinstance(game.mode, MatchesMode)
    assert game.session is None
    with Session.resume(game.folder / "matches" / lines[f"file {rows['Ada']}"]) as free:
        assert len(free.match.log) == 1  # the replay let go of the file
    click(game, f"go on {rows['Bea']}")
    assert isinstance(game.mode, AimMode)
    assert game.session.match.side_name("A") == "Bea"


def test_cloth_cushions_balls_and_table_are_part_of_the_match(game):
    click(game, "new")
    assert isinstance(game.mode, SetupMode)
    for row in ("table", "cloth", "cushions", "balls", "lag"):
        click(game, row)
    assert game.mode.values["balls"] == list(BALLS)[1]
    click(game, "start")
    setup = read_journal(game.last_match()).game.now.setup
    assert setup.table.length == 2.340
    assert setup.materials.e_ball == 0.93
    assert setup.materials.mu_roll == 0.013
    assert setup.cushion_model == "mathavan2010"
    assert setup == game.session.match.setup
    for values in BALLS.values():
        assert Setup().materials.with_(**values).e_ball <= 0.95


def test_every_page_of_the_game_fits_on_one_line_of_who_acts(game):
    """The line is never empty, on any page a match passes through."""
    at_the_table(game)
    press(game, "next")
    aim = game.mode
    for button in ("referee", "help", "menu", "replay"):
        click(game, button)
        game.step(0.05)
        assert len(game.bar.text) > 20
        assert "\n" not in game.bar.text
        press(game, "menu")
        assert game.mode is aim


def test_a_scratch_is_a_foul_with_its_consequence_and_nothing_moves_on_by_itself(game):
    mouth = (0.0, 0.0)
    place = (0.3, 0.3)
    arranged(
        game,
        {0: place, 1: (0.9, 2.0), 10: (1.0, 0.5)},
        Stroke(1.5, math.atan2(mouth[1] - place[1], mouth[0] - place[0])),
    )
    game.send(c.Declare(rules.safety()))
    press(game, "shoot")
    until(game, RulingMode)
    assert "scratch" in game.session.match.log[-1].facts.fouls
    assert game.mode.layer.lines["title"].text == "Foul"
    assert "cue ball in hand" in ruled(game)
    mode = game.mode
    for _ in range(300):
        game.step(0.1)
    assert game.mode is mode  # half a minute later it still waits to be read


@pytest.mark.parametrize(("name", "says"), [("wpa09", "wins at once"), ("ten", "only as the last")])
def test_what_an_early_ten_does_stands_on_the_screen(game, name, says):
    arranged(game, EASY)
    game.go(game.new_match(Setup(practice=True, seed=1, ruleset=name)))
    game.send(c.Arrange(tuple((b, (x, y, 0.028575)) for b, (x, y) in EASY.items())))
    game.go(game.next_mode())
    assert says in game.mode.layer.lines["ten"].text


def test_the_stick_is_lifted_over_a_ball_behind_the_cue_ball(game):
    lifted = []
    for behind in ({}, {5: (0.635, 0.80)}):
        arranged(game, {**EASY, **behind}, Stroke(2.0, math.pi / 2))
        lifted.append(game.mode.seen.elevation)
        assert (
            f"Elevation {math.degrees(lifted[-1]):.1f}" in game.mode.layer.lines["elevation"].text
        )
    assert lifted[1] > lifted[0] + math.radians(5)


def test_a_stroke_before_the_engine_is_ready_is_refused_in_a_line(game, monkeypatch):
    """Compilation runs behind the menu: nothing freezes, the bar counts."""
    arranged(game, EASY)
    line = "Compiling the engine, once on this machine (about a minute): 3 s"
    monkeypatch.setattr(game, "engine", SimpleNamespace(ready=False, started=False, line=line))
    game.step(0.05)
    assert game.bar.shown("notice") == line
    press(game, "shoot")
    assert isinstance(game.mode, AimMode)
    assert game.noticed == line
    assert not game.session.match.log


def test_a_shot_goes_out_as_a_file_and_comes_in_again(game):
    before = played_safe(game, Stroke(2.0, math.pi / 2, side=0.2, elevation=0.3))
    press(game, "copy")
    path = next((game.folder / "shots").glob("*.json"))
    assert path.name in game.noticed
    shot = load_shot(path)
    assert shot.layout == before
    assert shot.stroke.elevation == 0.3
    game.go(game.practise(path))
    assert isinstance(game.mode, PracticeMode)
    assert game.mode.layout == before
    assert game.mode.stroke.side == 0.2


def test_no_setting_closes_the_game_or_doubles_the_table(game, stage):
    arranged(game, EASY)
    aim = game.mode
    tables = len(game.scene.root.parent.children)
    press(game, "menu")
    click(game, "settings")
    for name in ("look", "cloth", "full_screen", "palette", "text_size"):
        for _ in choices(name):
            click(game, name)
            game.step(0.05)
            stage.frame()
    assert not game.done
    assert len(game.scene.root.parent.children) == tables
    press(game, "menu")
    press(game, "menu")
    assert game.mode is aim
    for table in (Table.wpa_8ft(), Table.wpa_9ft()):
        game.go(game.new_match(Setup(practice=True, table=table)))
        game.step(0.05)
        assert game.scene.table == table
        assert len(game.scene.root.parent.children) == tables


def test_good_and_bad_differ_without_red_and_green():
    paint = colours("colour-blind")
    assert paint["good"][2] > paint["good"][0] + 0.4  # blue
    assert paint["bad"][0] > paint["bad"][2] + 0.4  # orange
    assert paint["text"] == colours("standard")["text"]
