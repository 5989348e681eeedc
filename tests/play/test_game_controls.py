"""The real game's controls: aim and stroke by key and pointer, help, settings, sound, what stays behind."""

from __future__ import annotations

import math

import pytest
from game_hands import EASY, arranged, click, press, seat, until

import rules
from sim.game import commands as c
from sim.game import read_journal
from sim.game.setup import Setup
from sim.model.errors import FileError
from sim.model.stroke import JUMP_STICK, PLAYING_STICK, Stroke
from sim.play.aim import preview
from sim.play.app import Game
from sim.play.inputs import key_name
from sim.play.modes.help import HelpMode
from sim.play.modes.options import KeysMode, OptionsMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.setup import SetupMode, rule_lines
from sim.play.modes.watch import PlayingMode, WatchMode
from sim.play.mouse_stroke import MouseStroke
from sim.play.settings import Settings, load_settings, save_settings
from sim.play.sound import heard, loudness
from sim.play.speeds import FASTEST, SLOWEST, share_of, speed_of, stepped


def test_preview_is_the_engine_itself(game):
    arranged(game, EASY)
    setup, layout = game.session.match.setup, game.mode.layout
    stroke = Stroke(3.0, math.radians(89.3), side=0.4)
    seen = preview(setup, layout, stroke)
    from sim.shot.simulator import simulate

    result = simulate(layout, stroke)
    first = next(e for e in result.events if e.kind == "ball_ball")
    assert seen.first == 1
    row = result.balls.index(0)
    assert seen.ghost == pytest.approx(result.states([first.t])[0, row, :3])
    assert seen.cue[-1] == pytest.approx(seen.ghost)
    heading = math.atan2(*(seen.ball[-1] - seen.ball[0])[[1, 0]])
    (vx, vy, _), _ = first.after[1]
    assert heading == pytest.approx(math.atan2(vy, vx), abs=0.02)
    # Side spin turns both lines: squirt and throw are in them.
    plain = preview(setup, layout, Stroke(3.0, math.radians(89.3)))
    assert abs(plain.ghost[0] - seen.ghost[0]) > 1e-3
    kick = preview(setup, layout, Stroke(3.0, math.radians(60)))
    assert len(kick.cue) > 10


def test_aids_can_be_off(game):
    arranged(game, EASY)
    names = {"all": {"aim cue", "aim ball", "aim after", "aim ghost"},
             "line": {"aim cue", "aim ghost"}, "none": set()}  # fmt: skip
    for aids, wanted in names.items():
        game.aids = aids
        game.mode.change(speed=2.0)
        game.step(0.05)
        assert {n for n in game.scene.marks.names if n.startswith("aim ")} == wanted


def test_stroke_by_keys_slider_face_and_elevation(game):
    arranged(game, EASY)
    mode = game.mode
    start = mode.stroke.azimuth
    press(game, "aim_left_fine")
    assert math.degrees(mode.stroke.azimuth - start) == pytest.approx(0.01)
    press(game, "aim_right")
    assert math.degrees(mode.stroke.azimuth - start) == pytest.approx(-0.09)
    for dial, place, check in (
        ("face", (0.75, 0.5), lambda s: s.side > 0.2 and abs(s.vertical) < 0.05),
        ("speed", (1.0, 0.5), lambda s: s.speed == pytest.approx(FASTEST)),
        ("elevation", (0.5, 0.5), lambda s: 0.5 < s.elevation < 1.0),
    ):
        left, right, bottom, top = mode.layer.dials[dial].box
        margin = 0.02 if dial != "face" else 0.0
        x = left + margin + place[0] * (right - left - 2 * margin)
        game.pointer("press", x / game.hud.aspect, bottom + place[1] * (top - bottom))
        game.pointer("release", 0.0, 0.0)
        assert check(mode.stroke), dial
    assert "m/s" in mode.layer.lines["speed"].text
    assert "mph" in mode.layer.lines["speed"].text
    press(game, "least_elevation")
    assert mode.stroke.elevation is None
    for _ in range(40):
        press(game, "tip_right")
    assert math.hypot(mode.stroke.side, mode.stroke.vertical) <= 0.8 + 1e-9
    # Another thread keeps nothing: a stroke left alone is on the disk.
    for _ in range(10):
        game.step(0.1)
    assert read_journal(game.last_match()).game.now.aim == mode.stroke


def test_aiming_by_pointing_on_the_table(game):
    arranged(game, EASY)
    press(game, "overhead")
    for _ in range(60):
        game.step(0.1)
    x, y = game.scene.pose.project((1.0, 1.6, 0.0), game.scene.aspect)
    game.pointer("press", x, y)
    assert game.mode.stroke.azimuth == pytest.approx(math.atan2(1.6 - 0.9, 1.0 - 0.635), abs=1e-3)
    x, y = game.scene.pose.project((0.4, 1.6, 0.0), game.scene.aspect)
    game.pointer("drag", x, y)
    game.pointer("release", x, y)
    assert game.mode.stroke.azimuth == pytest.approx(math.atan2(0.7, 0.4 - 0.635), abs=1e-3)
    press(game, "behind")
    before = game.mode.stroke.azimuth
    game.pointer("press", 0.0, 0.3)
    game.pointer("drag", 0.1, 0.3)
    assert game.mode.stroke.azimuth < before


def test_cue_ball_in_hand_shows_where_it_may_lie(game):
    seat(game)
    click(game, "breaker B")
    press(game, "overhead")
    for _ in range(60):
        game.step(0.1)

    def at(x, y):
        return game.scene.pose.project((x, y, 0.028575), game.scene.aspect)

    x, y = (float(v) for v in game.mode.layout[0][:2])
    game.pointer("press", *at(x, y))
    game.pointer("drag", *at(0.4, 0.3))
    assert game.session.match.layout[0][:2] == pytest.approx((0.4, 0.3), abs=1e-6)
    game.pointer("drag", *at(0.4, 1.4))
    game.step(0.05)
    assert "behind the head string only" in game.bar.text
    assert "place" in game.scene.marks.names
    game.pointer("release", *at(0.4, 1.4))
    assert game.session.match.layout[0][:2] == pytest.approx((0.4, 0.3), abs=1e-6)
    assert "place" not in game.scene.marks.names


def test_help_is_the_modes_own_keys(game):
    for mode in (game.mode, SetupMode(game, practice=False, back=game.mode, seed=1)):
        game.go(mode)
        game.go(HelpMode(game, mode))
        shown = {t.text for n, t in game.mode.layer.lines.items() if n.startswith("help ")}
        assert shown == {mode.key_help(a) for a in dict(mode.keys())}
        press(game, "menu")
        assert game.mode is mode


def test_settings_are_kept_and_keys_can_be_changed(game):
    click(game, "settings")
    assert isinstance(game.mode, OptionsMode)
    for name in ("text_size", "palette", "aids", "sound", "cloth"):
        old = getattr(game.settings, name)
        click(game, name)
        assert getattr(game.settings, name) != old
        assert load_settings(game.folder) == game.settings
    click(game, "keys")
    assert isinstance(game.mode, KeysMode)
    click(game, "key call")
    assert "press the new key" in game.mode.line()
    game.mode.got("space")
    assert game.settings.key("call") == "space"
    assert load_settings(game.folder).key("call") == "space"
    game.step(0.05)
    assert key_name("shift-arrow_left") == "Shift+\u2190"


def test_settings_that_cannot_be_read_are_said(stage, tmp_path):
    (tmp_path / "settings.json").write_text('{"text_size": 9}', encoding="utf-8")
    with pytest.raises(FileError, match="settings text_size: got 9, expected one of"):
        load_settings(tmp_path)
    game = Game(stage, tmp_path)
    try:
        assert "settings text_size" in game.noticed
    finally:
        game.close()
    save_settings(tmp_path, Settings(keys=(("call", "k"),)))
    assert load_settings(tmp_path).key("call") == "k"


def test_every_ruleset_is_explained(game):
    for name in rules.RULESETS:
        assert all(len(line) > 10 for line in rule_lines(name))


def test_sounds_follow_events_and_can_be_off(game):
    arranged(game, EASY, Stroke(3.0, math.pi / 2))
    game.send(c.Declare(rules.safety()))
    press(game, "shoot")
    until(game, WatchMode)
    sounds = heard(game.session.result)
    assert [name for _, name, _ in sounds][:2] == ["tip", "ball"]
    assert all(0 < loud <= 1 for _, _, loud in sounds)
    assert loudness(4.0, 6.0) > loudness(1.0, 6.0)
    until(game, RulingMode)
    assert ("tip" in {name for name, _ in game.sounds.played}) is True
    game.sounds.played = []
    game.sounds.volume = 0.0
    game.sounds.between(sounds, -1.0, 99.0)
    assert game.sounds.played == []


def test_the_speed_slider_is_fine_for_soft_strokes():
    assert share_of(speed_of(0.37)) == pytest.approx(0.37)
    assert speed_of(0.5) < 2.3
    assert stepped(0.3, 1) - 0.3 == pytest.approx(0.01)
    assert stepped(SLOWEST, -3) == SLOWEST


def test_leaving_and_coming_again_leaves_no_widget_behind(game, stage):
    def nodes():
        return stage.base.aspect2d.find_all_matches("**").get_num_paths()

    game.step(0.05)
    before = nodes()
    for _ in range(5):
        click(game, "new")
        press(game, "menu")
        click(game, "settings")
        press(game, "menu")
        game.step(0.05)
    assert nodes() == before


def test_a_stroke_by_hand_is_as_fast_as_the_hand(game):
    at = MouseStroke(0.0, 0.0)
    assert at.move(0.1, 0.05) is None  # no pull yet
    assert at.move(0.5, -0.4) is None
    assert at.gap > 0.1
    assert at.move(0.54, -0.1) is None
    assert at.move(0.58, 0.2) == pytest.approx(1.6 * 0.6 / 0.08)
    arranged(game, EASY)
    game.send(c.Declare(rules.safety()))
    game.pointer("stroke_start", 0.0, 0.0)
    for y in (-0.1, -0.2, -0.1, 0.05):
        game.step(0.05)
        game.pointer("stroke", 0.0, y)
    assert isinstance(game.mode, PlayingMode)
    until(game, WatchMode)
    assert game.session.match.log[-1].stroke.speed == pytest.approx(1.6 * 0.15 / 0.05)


@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.soak)])
def test_new_racks_leave_memory_flat(game, stage, count):
    import gc

    game.go(game.new_match(Setup(practice=True)))

    def once():
        click(game, "rack")
        game.step(0.1)
        stage.frame()

    for _ in range(4):
        once()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(count):
        once()
    gc.collect()
    # A match keeps its past for undo: a handful of values a rack, no widget, no node.
    assert (len(gc.get_objects()) - before) / count < 60


def test_another_stick_is_taken_drawn_and_seen_in_the_preview(game):
    """Playing, break, jump: by key or button, on the screen, in the preview and in the stroke."""
    arranged(game, EASY)
    setup, layout = game.session.match.setup, game.mode.layout
    game.mode.change(speed=6.0, elevation=math.radians(35))
    game.step(0.05)
    names = [game.mode.layer.buttons["stick"].text]
    for way in (press, click):
        way(game, "stick")
        game.step(0.05)
        names.append(game.mode.layer.buttons["stick"].text)
    assert names == ["Playing stick (I)", "Break stick (I)", "Jump stick (I)"]
    assert game.scene.stick.stick == JUMP_STICK
    seen, asked = game.mode.seen, preview(setup, layout, game.mode.stroke, JUMP_STICK)
    assert (seen.cue == asked.cue).all()
    plain = preview(setup, layout, game.mode.stroke)
    assert seen.cue.shape != plain.cue.shape or abs(seen.cue - plain.cue).max() > 1e-3
    press(game, "no_call")
    press(game, "shoot")
    until(game, WatchMode)
    assert game.session.result.stick == JUMP_STICK
    press(game, "next")
    press(game, "next")
    press(game, "stick")
    assert game.session.match.stick == PLAYING_STICK
    game.step(0.05)
    assert game.scene.stick.stick == PLAYING_STICK
