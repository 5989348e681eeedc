"""A walk over every page of the real game, and what a stranger would find wrong with one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from game_hands import EASY, click, press, until

import rules
from sim.game import commands as c
from sim.game.setup import Setup
from sim.play.modes.replay import ReplayMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.watch import WatchMode

Box = tuple[float, float, float, float]


def pages(game, names: tuple[str, str]) -> Iterator[str]:
    """Go to one page after the other; the name of each."""
    yield "menu"
    yield from _and_back(game, "help", "help of the menu")
    click(game, "settings")
    yield "settings"
    click(game, "keys")
    yield "keys"
    click(game, "key call")
    yield "waiting for a key"
    game.mode.got("escape")
    for _ in range(2):
        press(game, "menu")
    yield from _setting_up(game, names)
    yield from _lagging(game)
    yield from _breaking(game)
    yield from _a_turn(game)
    yield from _fouls(game)
    click(game, "matches")
    yield "matches"
    press(game, "menu")
    yield from _practising(game, names)
    yield from _clock_and_acknowledgement(game, names)


def _and_back(game, action: str, name: str) -> Iterator[str]:
    press(game, action)
    yield name
    press(game, "menu")


def _setting_up(game, names) -> Iterator[str]:
    click(game, "practice")
    yield "practice set up"
    press(game, "menu")
    click(game, "new")
    game.mode.seed = 5
    for k in (0, 1):
        game.mode.layer.entries[f"name {k}"].set(names[k])
    for ruleset in ("lbm", "ten", "wpa09"):
        click(game, f"rules {ruleset}")
        yield f"set up, {ruleset}"
    click(game, "balls")
    yield "set up, balls"
    click(game, "start")


def _lagging(game) -> Iterator[str]:
    yield "lag"
    yield from _and_back(game, "help", "help of the lag")
    game.mode.take(2.05)
    press(game, "shoot")
    yield "lag of the other"
    game.mode.take(2.2)
    press(game, "shoot")
    until(game, WatchMode)
    yield "watching the lag"
    press(game, "next")
    yield "who breaks"
    click(game, "breaker A")


def _breaking(game) -> Iterator[str]:
    yield "break"
    game.mode.put(0, (0.4, 1.4))
    yield "wrong place"
    game.mode.placed()
    press(game, "shoot")
    until(game, WatchMode)
    yield "watching the break"
    until(game, RulingMode)
    yield "ruling"
    press(game, "events")
    yield "events"
    press(game, "events")
    press(game, "replay")
    until(game, ReplayMode)
    yield "replay"
    press(game, "menu")
    press(game, "next")


def _a_turn(game) -> Iterator[str]:
    yield "aim"
    for action in ("help", "call", "referee"):
        yield from _and_back(game, action, f"{action} while aiming")
    press(game, "menu")
    yield "pause"
    click(game, "sheet")
    yield "sheet so far"
    press(game, "menu")
    press(game, "menu")
    game.mode.change(azimuth=game.mode.stroke.azimuth + math.pi)
    press(game, "shoot")
    yield "nothing called"
    press(game, "push_out")
    game.mode.change(speed=0.4, side=0.35, vertical=-0.45)
    yield "push-out"
    press(game, "shoot")
    until(game, RulingMode)
    yield "ruling on the push-out"
    press(game, "next")
    yield "after the push-out"
    click(game, "hand_back")
    press(game, "safety")
    yield "safety"


def _fouls(game) -> Iterator[str]:
    for _ in range(2):
        press(game, "referee")
        click(game, "on now")
        click(game, "code cue_stick_on_table")
        click(game, f"side {game.session.match.shooter}")
        click(game, "declare")
        yield "foul"
        press(game, "next")
    yield "ball in hand"
    press(game, "referee")
    click(game, "code unsportsmanlike")
    yield "referee, conduct"
    click(game, "declare")
    yield "penalty"
    click(game, "loss_of_rack")
    yield "win"
    press(game, "next")
    yield "sheet"
    press(game, "menu")


def _practising(game, names) -> Iterator[str]:
    game.go(game.new_match(Setup(sides=((names[0],), ("Opponent",)), practice=True, seed=1)))
    game.send(c.Arrange(tuple((b, (x, y, 0.028575)) for b, (x, y) in EASY.items())))
    game.go(game.next_mode())
    yield "practice"
    yield from _and_back(game, "help", "help of practice")
    game.mode.change(side=0.5, vertical=0.6, elevation=0.5)
    yield "practice, stick held"
    game.send(c.Declare(rules.safety()))
    press(game, "shoot")
    until(game, RulingMode)
    press(game, "next")
    yield from _and_back(game, "verdicts", "verdicts")
    game.go(game.menu())


def _clock_and_acknowledgement(game, names) -> Iterator[str]:
    sides = tuple((name,) for name in names)
    setup = Setup(sides=sides, ruleset="lbm", seed=3, lag=False, switches=(("shot_clock", True),))
    game.go(game.new_match(setup))
    click(game, "breaker A")
    press(game, "shoot")
    until(game, RulingMode)
    press(game, "next")
    game.step(0.1)
    yield "clock"
    yield from _and_back(game, "referee", "referee with a clock")
    press(game, "push_out")
    yield "acknowledgement"


# --- what is wrong with a page ----------------------------------------------------------------------

EDGE = 0.004  # units of half the picture's height: a pixel and a half at 720 lines


def _inside(box: Box, frame: Box, slack: float = EDGE) -> bool:
    return (
        box[0] >= frame[0] - slack and box[1] <= frame[1] + slack
        and box[2] >= frame[2] - slack and box[3] <= frame[3] + slack
    )  # fmt: skip


def _meet(a: Box, b: Box) -> bool:
    return min(a[1], b[1]) - max(a[0], b[0]) > EDGE and min(a[3], b[3]) - max(a[2], b[2]) > EDGE


def _button_boxes(layer) -> dict[str, Box]:
    boxes = {}
    for name, button in layer.buttons.items():
        x, _, z = button.get_pos(layer.root)
        left, right, bottom, top = button.frame
        boxes[f"button {name}"] = (x + left, x + right, z + bottom, z + top)
    return boxes


def texts(game) -> dict[str, str]:
    """Everything that can be read, by name."""
    said = {}
    for layer in (game.mode.layer, game.bar.layer):
        if layer is not None:
            said |= {name: line.text for name, line in layer.lines.items()}
            said |= {f"button {name}": b.text for name, b in layer.buttons.items()}
    return said


def faults(game) -> list[str]:
    """What a stranger would find wrong: cut off, without a panel, over something else, unreadable."""
    found = []
    aspect = game.hud.aspect
    for layer, frame in (
        (game.mode.layer, (-aspect, aspect, -0.935, 0.825)),
        (game.bar.layer, (-aspect, aspect, -1.0, 1.0)),
    ):
        lines = {
            f"line {n}": line.box
            for n, line in layer.lines.items()
            if line.text and not re.fullmatch(r"ball \d+", n)
        }
        buttons = _button_boxes(layer)
        dials = {f"dial {n}": dial.box for n, dial in layer.dials.items()}
        for name, box in {**lines, **buttons}.items():
            if not _inside(box, frame):
                found.append(f"{name} is cut off: {box}")
            elif not any(_inside(box, panel) for panel in layer.panels):
                found.append(f"{name} lies on no panel: {box}")
        for name, button in layer.buttons.items():
            if button.text_width > button.frame[1] - button.frame[0]:
                found.append(f"text of button {name} is wider than the button")
        things = list({**lines, **buttons, **dials}.items())
        for k, (one, a) in enumerate(things):
            found += [f"{one} and {other} overlap" for other, b in things[:k] if _meet(a, b)]
    for name, text in texts(game).items():
        if "_" in text:
            found.append(f"{name} is not in plain words: {text}")
        if re.search(r"\b[AB]\b(?!  )", text) and not name.startswith(("key", "button key")):
            found.append(f"{name} speaks of A or B instead of a player: {text}")
    if not re.match(r"[A-Z].{20,}", game.bar.text):
        found.append(f"the line does not say who acts and how: {game.bar.text!r}")
    return found
