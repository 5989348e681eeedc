"""`tenball match`: hot seat in the terminal. A line asks, a line answers."""

from __future__ import annotations

import argparse
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import rules
from rules.terms import INFRACTION_CODES
from sim.cli.matchtext import effect_lines, shot_lines
from sim.cli.output import engine_ready, layout_lines
from sim.game import commands as c
from sim.game.errors import CommandRefused, JournalError
from sim.game.match import Match, Phase
from sim.game.obvious import obvious_call
from sim.game.pots import direct_pots
from sim.game.session import Session
from sim.game.setup import Setup
from sim.game.sheet import format_sheet, match_sheet
from sim.game.shotfile import practice_commands
from sim.model.errors import FileError, TenballError
from sim.model.stroke import PLAYING_STICK, STICKS, Stick, Stroke, stick_name
from sim.model.table import Table
from sim.shot.disk import write_whole
from sim.shot.files import load_shot

__all__ = ["play"]

HELP = """\
  aim DEG | pot BALL POCKET    heading of the stick from +x towards +y; or along the ghost ball
  speed MS   tip SIDE UP   lift DEG|auto    the stroke; tip offsets in ball radii
  call BALL POCKET | safety | push | nothing    declare;  ask: the opponent asks for the call
  place X Y [BALL]     put the cue ball in hand (any ball in practice), metres
  stick NAME           playing, break or jump, for the next stroke
  shoot                play the stroke as aimed
  yes | no             acknowledge a push-out, or not
  accept | hand_back | accept_without_push_out | hand_back_push_out_allowed    answer an option
  lag SPEED SPEED [DEG DEG]    both sides lag (about 2 m/s);  breaker A|B;  next: the next rack
  foul KIND SIDE [BALL] [last]    declare an infraction, on the last shot or now;  penalty NAME
  stalemate | agree A|B | concede A|B [match] | extend | clock
  undo [N] | redo [N] | repeat
  show | picture FILE | sheet | export FILE | help | quit"""

MAX_LINE = 10_000
_ANSWERS = {"lag": "lag SPEED SPEED", "breaker": "breaker A | breaker B", "next_rack": "next"}
_CHOICES = tuple(str(choice) for choice in rules.Choice)


def play(options: argparse.Namespace) -> int:
    """Play until the match is over, `quit`, or the end of the input."""
    opening = _opening(options)
    path = options.journal
    exists = path is not None and os.path.exists(path)
    session = Session() if path is None else (Session.resume if exists else Session.create)(path)
    with session:
        for problem in session.problems:
            print(problem, file=sys.stderr)
        if session.match.phase is Phase.SEATING:
            for command in opening:
                session.send(command)
        elif options.shot is not None:
            raise JournalError(f"{path}: got a match that is going on, expected a new one")
        _Terminal(session).run()
    return 0


def _opening(options: argparse.Namespace) -> tuple[c.Command, ...]:
    if options.shot is not None:
        return practice_commands(load_shot(options.shot), player=options.names[0])
    law = rules.ruleset(options.ruleset)
    for item in options.set:
        law = law.with_switch(item)
    a, b = (tuple(part.strip() for part in names.split(",")) for names in options.names)
    return (
        c.Seat(
            Setup(
                sides=(a, b),
                ruleset=str(law),
                table=Table.named(options.table),
                race_to=options.race_to,
                seed=options.seed,
                lag=not options.no_lag,
                practice=options.practice,
            )
        ),
    )


class _Terminal:
    """The words a player types, each turned into commands of the match."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.stroke = _stroke_of(session.match)

    @property
    def match(self) -> Match:
        return self.session.match

    def run(self) -> None:
        """Ask and answer until there is nothing more."""
        while True:
            print(f"> {self.session.prompt.text}{self._answers()}", flush=True)
            line = sys.stdin.readline(MAX_LINE + 1)
            if not line:
                return
            if len(line) > MAX_LINE:
                _skip_line(line)
                print(f"! input: got a line of more than {MAX_LINE} letters, expected less")
                continue
            try:
                words = shlex.split(line)
            except ValueError as error:
                print(f"! {error}")
                continue
            if not words:
                continue
            if words[0] in ("quit", "exit"):
                return
            try:
                self._word(words[0], words[1:])
            except (TenballError, rules.RulesError) as error:
                print(f"! {error}")
            except (ValueError, IndexError):
                print(f"! {line.strip()[:60]!r}: got words that do not fit, see help")

    def _answers(self) -> str:
        """The words that answer what is asked, where few can."""
        asked = self.session.prompt
        if asked.need in ("choice", "acknowledgement"):
            words = " | ".join(asked.options)
        elif asked.need == "penalty":
            words = " | ".join(f"penalty {option}" for option in asked.options)
        else:
            words = _ANSWERS.get(asked.need, "")
        return f" [{words}]" if words else ""

    def _word(self, word: str, rest: list[str]) -> None:
        if word in _CHOICES:
            decider = self.session.prompt.side or "A"
            self._send(c.Choose(decider, word))
            return
        handler = self._words().get(word)
        if handler is None:
            print(f"! {word[:40]!r}: got no word of this game, see help")
            return
        handler(rest)

    def _words(self) -> dict[str, Callable[[list[str]], None]]:
        send = self._send
        return {
            "help": lambda _: print(HELP),
            "aim": lambda w: self._aim(azimuth=math.radians(float(w[0]))),
            "pot": lambda w: self._pot(int(w[0]), w[1]),
            "speed": lambda w: self._aim(speed=float(w[0])),
            "tip": lambda w: self._aim(side=float(w[0]), vertical=float(w[1])),
            "lift": lambda w: self._aim(
                elevation=None if w[0] == "auto" else math.radians(float(w[0]))
            ),
            "stick": lambda w: send(c.TakeStick(_stick(w[0]))),
            "call": lambda w: send(c.Declare(rules.call(int(w[0]), w[1]))),
            "safety": lambda _: send(c.Declare(rules.safety())),
            "push": lambda _: send(c.Declare(rules.push_out())),
            "nothing": lambda _: send(c.Declare(rules.no_call())),
            "ask": lambda _: send(c.AskCall()),
            "yes": lambda _: send(c.Acknowledge(True)),
            "no": lambda _: send(c.Acknowledge(False)),
            "place": lambda w: send(
                c.Place((float(w[0]), float(w[1])), int(w[2]) if len(w) > 2 else 0)
            ),
            "shoot": lambda _: self._shoot(),
            "lag": self._lag,
            "breaker": lambda w: send(c.ChooseBreaker(_side(w[0]))),
            "next": lambda _: send(c.NextRack()),
            "foul": self._foul,
            "penalty": lambda w: send(c.Penalise(rules.Penalty(w[0]))),
            "stalemate": lambda _: send(c.AnnounceStalemate()),
            "agree": lambda w: send(c.AgreeStalemate(_side(w[0]))),
            "concede": lambda w: send(
                c.Concede(_side(w[0]), "match" if w[1:] == ["match"] else "rack")
            ),
            "extend": lambda _: send(c.ExtendClock()),
            "clock": lambda _: send(c.ClockExpired()),
            "undo": lambda w: self._undo(int(w[0]) if w else 1),
            "redo": lambda w: self._redo(int(w[0]) if w else 1),
            "repeat": lambda _: self._back(c.Repeat()),
            "show": lambda _: self._show(),
            "picture": lambda w: self._picture(w[0]),
            "sheet": lambda _: print(format_sheet(match_sheet(self.match)), end=""),
            "export": lambda w: self._export(w[0]),
        }

    def _send(self, command: c.Command) -> None:
        before = self.match.log
        with engine_ready():
            effects = self.session.send(command)
        match = self.match
        if match.log is not before and match.log and match.log[-1] not in before[-1:]:
            played = isinstance(command, c.Shoot)
            result = self.session.result if played else None
            print("\n".join(shot_lines(match, match.log[-1], result)))
        for line in effect_lines(match, effects):
            print(line)

    def _aim(self, **changes: Any) -> None:
        self.stroke = replace(self.stroke, **changes)
        self._send(c.Aim(self.stroke))

    def _undo(self, steps: int) -> None:
        game = self.session.game
        self._back(c.Undo(steps))
        print(f"taken back: {_done(game.kinds[game.at - steps + 1 : game.at + 1][::-1])}")

    def _redo(self, steps: int) -> None:
        game = self.session.game
        self._back(c.Redo(steps))
        print(f"done again: {_done(game.kinds[game.at + 1 : game.at + steps + 1])}")

    def _back(self, command: c.Command) -> None:
        """Be where the match was: the stroke too is as it was aimed there."""
        self._send(command)
        self.stroke = _stroke_of(self.match)

    def _pot(self, ball: int, pocket: str) -> None:
        if pocket not in rules.POCKETS:
            raise CommandRefused(
                "pot", f"pot: got {pocket[:20]!r}, expected {_one_of(rules.POCKETS)}"
            )
        layout = self.match.layout
        pots = [] if layout is None or ball not in layout else direct_pots(layout, ball)
        found = [pot for pot in pots if pot.pocket == pocket]
        if not found:
            raise CommandRefused("pot", f"pot: got no straight way for the {ball} to {pocket}")
        self._aim(azimuth=found[0].azimuth)
        print(f"aimed at {math.degrees(found[0].azimuth):.3f} deg; cut "
              f"{math.degrees(found[0].cut):.1f} deg")  # fmt: skip

    def _shoot(self) -> None:
        """Propose the obvious call where nothing was declared, then play."""
        match = self.match
        if match.aim is None:
            self._send(c.Aim(self.stroke))
        if match.declaration is None and match.rack is not None and match.layout is not None:
            setup = match.setup
            assert setup is not None
            with engine_ready():
                proposed = obvious_call(
                    match.layout, match.rack, self.match.aim,
                    materials=setup.materials, cushion_model=setup.cushion_model,
                    stick=match.stick,
                )  # fmt: skip
            if proposed is not None:
                print(f"obvious: the {proposed.ball} into {proposed.pocket}")
                self._send(c.Declare(proposed))
        self._send(c.Shoot())

    def _lag(self, words: list[str]) -> None:
        a, b = float(words[0]), float(words[1])
        one, two = (float(w) for w in words[2:4]) if len(words) >= 4 else (90.0, 90.0)
        self._send(c.Lag(Stroke(a, math.radians(one)), Stroke(b, math.radians(two))))

    def _foul(self, words: list[str]) -> None:
        declared = [code for code in rules.FoulCode if code in INFRACTION_CODES]
        if words and words[0] not in declared:
            raise CommandRefused(
                "foul", f"foul: got {words[0][:40]!r}, expected {_one_of(declared)}"
            )
        kind = rules.FoulCode(words[0])
        ball = next((int(w) for w in words[2:] if w.isdecimal()), None)
        infraction = rules.Infraction(kind, _side(words[1]), ball)
        self._send(c.DeclareInfraction(infraction, "last" if "last" in words[2:] else "now"))

    def _show(self) -> None:
        match = self.match
        if match.layout is None:
            print("no balls are on the table yet")
            return
        print("\n".join(layout_lines(match.layout)))
        if match.aim is not None:
            aim = match.aim
            print(f"  aim {math.degrees(aim.azimuth):.3f} deg, {aim.speed:g} m/s, "
                  f"tip {aim.side:g} {aim.vertical:g}")  # fmt: skip
        if match.stick != PLAYING_STICK:
            print(f"  stick {stick_name(match.stick)}")

    def _picture(self, path: str) -> None:
        """The last shot played here, or the balls as they lie, as SVG."""
        from sim.shot.picture import describe, describe_layout, to_svg

        if self.match.layout is None and self.session.result is None:
            raise CommandRefused("picture", "picture: got no balls on the table, expected a rack")
        if self.session.result is not None:
            drawn = describe(self.session.result)
        else:
            drawn = describe_layout(self.match.layout)  # type: ignore[arg-type]  # checked above
        write_whole(path, to_svg(drawn))
        print(f"picture: {path}")

    def _export(self, path: str) -> None:
        from sim.game.shotfile import shot_file

        write_whole(path, shot_file(self.match, len(self.match.log)).text())
        print(f"shot file: {path}")


def _stroke_of(match: Match) -> Stroke:
    """The stroke that words change: as aimed, else the last one played."""
    if match.aim is not None:
        return match.aim
    played = (entry.stroke for entry in reversed(match.log) if entry.stroke is not None)
    return next(played, Stroke(2.0, math.pi / 2))


def _done(kinds: Iterable[str]) -> str:
    """Commands by the names of their classes, in words: `ChooseBreaker` is choose breaker."""
    return ", ".join(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower() for kind in kinds)


def _skip_line(line: str) -> None:
    """Read a line that is too long to its end, if it has one: what follows is to be answered again."""
    for _ in range(1000):
        if not line or line.endswith("\n"):
            return
        line = sys.stdin.readline(MAX_LINE)
    raise FileError(f"input: got a line of more than {1000 * MAX_LINE} letters, expected less")


def _side(word: str) -> rules.Side:
    if word not in ("A", "B"):
        raise CommandRefused("side", f"side: got {word[:20]!r}, expected A or B")
    return "A" if word == "A" else "B"


def _stick(word: str) -> Stick:
    if word not in STICKS:
        raise CommandRefused("stick", f"stick: got {word[:20]!r}, expected {_one_of(STICKS)}")
    return STICKS[word]


def _one_of(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"
