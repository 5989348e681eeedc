"""A match in the real game, on an offscreen stage, through its buttons and keys: lag to win."""

from __future__ import annotations

import math
import time

import pytest
from game_hands import EASY, SILENT, arranged, at_the_table, click, press, seat, until

import rules
from sim.game import ScriptedPlayer, Session, lag_command, read_journal
from sim.game import commands as c
from sim.game.match import Phase
from sim.model.errors import FileError
from sim.model.stroke import Stroke
from sim.play.app import Game
from sim.play.modes.aim import AimMode
from sim.play.modes.call import CallMode
from sim.play.modes.choice import ChoiceMode
from sim.play.modes.lag import LagMode
from sim.play.modes.menu import MenuMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.setup import SetupMode
from sim.play.modes.sheet import SheetMode
from sim.play.modes.watch import PlayingMode, WatchMode


def test_a_name_that_nobody_typed_makes_room_for_one(game):
    """Clicking the field used to put the letters behind "Player 1"."""
    from direct.showbase.EventManagerGlobal import eventMgr

    def focus(entry, on):
        entry.guiItem.set_focus(on)
        eventMgr.doEvents()

    click(game, "new")
    first, second = (game.mode.layer.entries[f"name {k}"] for k in (0, 1))
    for entry, typed, name in (
        (first, "Zoë", "Zoë"),
        (first, "Zoë", "Zoë"),
        (second, " ", "Player 2"),
    ):
        focus(entry, on=True)
        assert entry.get() in ("", "Zoë")
        entry.set(typed)
        focus(entry, on=False)
        assert entry.get() == name
    focus(second, on=True)
    assert second.get() == ""
    click(game, "rules lbm")
    assert game.mode.names == ["Zoë", "Player 2"]


def test_a_match_is_set_up_lagged_broken_and_ruled_by_buttons_and_keys(game, stage):
    assert isinstance(game.mode, MenuMode)
    click(game, "new")
    assert isinstance(game.mode, SetupMode)
    game.mode.seed = 5
    game.mode.layer.entries["name 0"].set("Ada")
    click(game, "rules lbm")
    assert game.mode.names[0] == "Ada"
    click(game, "rules wpa09")
    click(game, "start")
    assert isinstance(game.mode, LagMode)
    game.step(0.05)
    assert "Ada lags the left ball" in game.bar.text
    for k in range(4):
        press(game, "harder")
        assert game.mode.speed > 2.0 + 0.03 * k
        if k == 3:
            game.mode.take(2.05)
    click(game, "lag")
    assert game.mode.side == "B"
    press(game, "shoot")
    until(game, WatchMode)
    press(game, "next")
    assert "the lag" in game.noticed
    while isinstance(game.mode, LagMode):
        game.mode.take(2.05)
        click(game, "lag")
        click(game, "lag")
        until(game, WatchMode)
        press(game, "next")
    assert isinstance(game.mode, ChoiceMode)
    assert "choose who breaks" in game.mode.line()
    assert game.mode.likely() == f"breaker {game.session.match.lag_winner}"
    click(game, "breaker A")
    assert isinstance(game.mode, AimMode)
    assert "Ada breaks" in game.mode.line()
    assert "call" not in dict(game.mode.keys())
    press(game, "shoot")
    assert isinstance(game.mode, PlayingMode)
    until(game, WatchMode)
    # What is shown is on the disk already.
    assert len(read_journal(game.last_match()).game.now.log) == 1
    until(game, RulingMode)
    text = " ".join(line.text for line in game.mode.layer.lines.values())
    ruling = game.session.match.log[0].facts.ruling
    assert ruling["article"] in text
    assert "shoots next" in text
    press(game, "events")
    assert game.mode.layer.lines["events title"].text.startswith("Events (")
    stage.frame()


def test_a_stroke_without_a_call_is_refused_in_a_line_and_a_call_by_pointer_is_made(game):
    at_the_table(game)
    press(game, "next")
    mode = game.mode
    assert isinstance(mode, AimMode)
    mode.change(azimuth=mode.stroke.azimuth + math.pi)
    press(game, "shoot")
    assert game.mode is mode
    assert "call ball and pocket" in game.noticed
    press(game, "overhead")
    press(game, "call")
    assert isinstance(game.mode, CallMode)
    for _ in range(60):
        game.step(0.1)
    layout = game.session.match.layout
    lowest = game.session.match.rack.lowest
    other = max(game.session.match.rack.balls)
    for ball in (other, lowest):
        game.pointer("press", *game.scene.pose.project(tuple(layout[ball]), game.scene.aspect))
        assert game.mode.ball == ball
    mouth = layout.table.geometry.pockets[5]
    game.pointer("press", *game.scene.pose.project((*mouth.centre, 0.0), game.scene.aspect))
    assert game.mode is mode
    made = game.session.match.declaration
    assert (made.ball, made.pocket, made.explicit) == (lowest, "foot_right", True)
    assert f"the {lowest} into foot right" in mode.layer.lines["call"].text
    press(game, "safety")
    assert game.session.match.declaration.kind is rules.Kind.SAFETY


def test_the_obvious_call_is_proposed_before_the_stroke_and_declared_with_it(game):
    arranged(game, EASY)
    mode = game.mode
    target = (0.635, 2.2)
    assert mode.stroke.azimuth == pytest.approx(math.atan2(target[1] - 0.9, 0.0))
    balls = {0: (0.635, 1.9), 1: (0.9, 2.2), 10: (0.3, 0.3)}
    arranged(game, balls)
    from sim.game.pots import direct_pots

    pot = direct_pots(game.mode.layout, 1)[0]
    game.mode.change(azimuth=pot.azimuth)
    game.step(0.05)
    assert game.mode.proposed is not None
    assert f"pocket {pot.pocket}" in game.scene.marks.names
    assert "Proposed: the 1 into" in game.bar.text
    press(game, "shoot")
    until(game, WatchMode)
    entry = game.session.match.log[-1]
    assert entry.declaration.obvious
    assert not entry.declaration.explicit
    press(game, "next")
    assert isinstance(game.mode, RulingMode)


def test_a_foul_is_declared_ruled_and_shown_with_its_article(game):
    at_the_table(game)
    press(game, "referee")
    assert isinstance(game.mode, RefereeMode)
    click(game, "code cue_stick_on_table")
    click(game, "declare")
    assert isinstance(game.mode, RulingMode)
    assert "cue_stick_on_table" in game.session.match.log[-1].facts.fouls
    text = game.mode.layer.lines["ruling 0"].text
    assert text.startswith("Foul: ")
    press(game, "referee")
    click(game, "code unsportsmanlike")
    click(game, "declare")
    assert isinstance(game.mode, ChoiceMode)
    assert "Referee: choose the penalty" in game.mode.line()
    click(game, "loss_of_rack")
    assert game.session.match.phase is Phase.MATCH_OVER
    assert "wins the rack" in " ".join(t for _, t in game.mode.rows())
    press(game, "next")
    assert isinstance(game.mode, SheetMode)
    assert "has won the match" in game.mode.line()


def test_an_option_is_a_dialog_that_says_who_and_why(game):
    at_the_table(game)
    press(game, "next")
    rack = game.session.match.rack
    if not rack.push_out_available:
        pytest.fail("the seeded break must be legal")
    press(game, "push_out")
    assert "push-out is declared" in game.mode.line()
    # Along the cushion line away from every ball would do; any legal stroke does.
    game.mode.change(speed=0.4)
    press(game, "shoot")
    until(game, WatchMode)
    press(game, "next")
    press(game, "next")
    assert isinstance(game.mode, ChoiceMode)
    decider = game.session.match.rack.decision.player
    assert f"{game.session.match.side_name(decider)} decides after the push-out" in game.mode.line()
    click(game, "hand_back")
    assert isinstance(game.mode, AimMode)
    assert game.session.match.shooter == rules.other_side(decider)


def test_replay_scrubs_pauses_and_goes_back(game):
    at_the_table(game)
    ruling = game.mode
    press(game, "replay")
    assert isinstance(game.mode, ReplayMode)
    for _ in range(400):
        if game.mode.playback is not None:
            break
        time.sleep(0.005)
        game.step(0.02)
    p = game.mode.playback
    press(game, "slower")
    assert p.speed == 0.5
    left, right, bottom, top = game.mode.layer.dials["time"].box
    game.pointer("press", (left + right) / 2 / game.hud.aspect, (bottom + top) / 2)
    assert p.time == pytest.approx((p.start + p.end) / 2, rel=1e-3)
    assert not p.playing
    at = p.time
    press(game, "step_on")
    assert p.time == pytest.approx(at + 0.025)
    press(game, "menu")
    assert game.mode is ruling


def test_practice_undo_restores_stroke_and_rules_together(game):
    arranged(game, EASY, Stroke(2.2, 1.57, elevation=0.2))
    before = game.session.match
    assert game.mode.stroke.elevation == 0.2
    game.send(c.Declare(rules.call(1, "foot_left")))
    press(game, "shoot")
    until(game, WatchMode)
    press(game, "next")
    press(game, "next")
    press(game, "undo")
    assert game.session.match.rack == before.rack
    assert game.session.match.layout == before.layout
    assert game.mode.stroke == Stroke(2.2, 1.57, elevation=0.2)
    press(game, "redo")
    assert len(game.session.match.log) == 1
    press(game, "repeat")
    assert game.mode.stroke == Stroke(2.2, 1.57, elevation=0.2)
    press(game, "verdicts")
    assert set(game.mode.columns()) == set(rules.RULESETS)
    press(game, "menu")
    press(game, "copy")
    from sim.shot.files import load_shot

    path = next((game.folder / "shots").iterdir())
    assert load_shot(path).stroke == Stroke(2.2, 1.57, elevation=0.2)
    game.go(game.practise(path))
    assert game.mode.stroke == Stroke(2.2, 1.57, elevation=0.2)


def test_a_match_is_continued_where_it_was(stage, tmp_path):
    first = Game(stage, tmp_path, settings=SILENT)
    first.engine.wait(600)
    at_the_table(first)
    press(first, "next")
    first.mode.change(speed=3.25)
    for _ in range(8):
        first.step(0.1)
    match = first.session.match
    first.close()
    second = Game(stage, tmp_path, settings=SILENT)
    try:
        click(second, "continue")
        assert second.session.match == match
        assert isinstance(second.mode, AimMode)
        assert second.mode.stroke.speed == 3.25
    finally:
        second.close()


def test_a_killed_game_loses_nothing_shown(game):
    at_the_table(game)
    shown = game.session.match
    # Another process finds on the disk what was shown, though the game was not closed.
    assert read_journal(game.last_match()).game.now == shown
    with pytest.raises(FileError, match="another program has this match open"):
        Session.resume(game.last_match())


def test_the_shot_clock_is_shown_and_its_end_is_slow_play(game):
    seat(game, switches=(("shot_clock", True),))
    click(game, "breaker A")
    game.step(0.1)
    assert game.bar.shown("clock").endswith(" s")
    for _ in range(340):
        game.step(0.1)
    assert isinstance(game.mode, AimMode)
    for _ in range(15):
        game.step(0.1)
    assert isinstance(game.mode, RulingMode)
    assert "slow_play" in game.session.match.log[-1].facts.fouls


def test_under_lbm_the_opponent_acknowledges_a_push_out(game):
    seat(game, ruleset="lbm", seed=3)
    click(game, "breaker A")
    press(game, "shoot")
    until(game, RulingMode)
    press(game, "next")
    press(game, "push_out")
    assert isinstance(game.mode, ChoiceMode)
    assert "acknowledge" in game.mode.line()
    click(game, "no")
    assert isinstance(game.mode, AimMode)
    assert not game.session.match.declaration.acknowledged


def test_a_whole_rack_is_played_to_its_winner(game):
    seat(game, seed=11, lag=True)
    players = [ScriptedPlayer(0.9, seed) for seed in (1, 2)]
    seen = set()
    for _ in range(60):
        match = game.session.match
        mode = game.mode
        seen.add(type(mode).__name__)
        if isinstance(mode, SheetMode):
            break
        if isinstance(mode, LagMode):
            lag = lag_command(tuple(players), match)
            for stroke in (lag.a, lag.b):
                mode.speed, mode.azimuth = stroke.speed, stroke.azimuth
                press(game, "shoot")
            until(game, WatchMode)
            press(game, "next")
            continue
        side = game.session.prompt.side or "A"
        for command in players["AB".index(side)].turn(match):
            if isinstance(command, c.Place):
                game.mode.put(0, command.xy)
            elif isinstance(command, c.Declare) and command.declaration.names_something:
                press(game, "call")
                click(game, f"ball {command.declaration.ball}")
                click(game, f"pocket {command.declaration.pocket}")
            elif isinstance(command, c.Declare):
                press(game, str(command.declaration.kind))
            elif isinstance(command, c.Shoot):
                game.mode.stroke = command.stroke
                match = game.session.match
                if not match.rack.is_break and match.declaration is None:
                    press(game, "no_call")
                press(game, "shoot")
                until(game, WatchMode)
                press(game, "next")
                press(game, "next")
            elif isinstance(command, c.ChooseBreaker):
                click(game, f"breaker {command.breaker}")
            elif isinstance(command, c.Choose):
                click(game, command.choice)
    assert {"LagMode", "ChoiceMode", "AimMode", "SheetMode"} <= seen
    match = game.session.match
    assert match.winner is not None
    assert read_journal(game.last_match()).game.now == match
    assert f"{match.side_name(match.winner)} has won the match" in game.mode.line()
