"""Matches in the terminal: `tenball demo`, `match`, `sheet`, `export`, `replay --text`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import rules
from sim.cli.arguments import RULESET_HELP, number, whole
from sim.cli.matchtext import effect_lines, shot_lines
from sim.cli.output import engine_ready
from sim.game import commands as c
from sim.game.effects import Effect
from sim.game.errors import JournalError
from sim.game.journal import JournalText, read_journal
from sim.game.match import Match, Phase
from sim.game.session import Session
from sim.game.setup import Setup
from sim.game.shotfile import no_such_shot
from sim.model.errors import FileError
from sim.model.table import TABLES, Table
from sim.shot.disk import write_whole

__all__ = ["add_parser", "demo_defaults", "run_demo", "run_export", "run_replay", "run_sheet"]

STRENGTH = 0.8
EVENTS = ("short", "all", "none")


def add_parser(subparsers: Any) -> None:
    """Add the parsers of the commands that play and show matches."""
    _add_demo(subparsers)
    _add_match(subparsers)
    _add_replay(subparsers)
    parser = subparsers.add_parser(
        "sheet",
        help="print the sheet of a match",
        description="Print the match sheet: racks, innings, fouls, breaks, potting percentages.",
    )
    parser.add_argument("file", help="the match file")
    parser.add_argument("--csv", action="store_true", help="every shot as a row of CSV instead")
    parser.set_defaults(run=run_sheet)
    parser = subparsers.add_parser(
        "export",
        help="copy a shot out of a match as a shot file",
        description="Copy one shot of a match as a shot file for `tenball shot`, or for "
        "`tenball match --practice --shot FILE`.",
    )
    parser.add_argument("file", help="the match file")
    parser.add_argument("--shot", type=whole, required=True, help="which shot, from 1")
    parser.add_argument("--out", metavar="FILE", help="where to write it (default: print it)")
    parser.set_defaults(run=run_export)


def _add_replay(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="watch a shot or a match in a window, or print a match",
        description="Watch the shots of a match or of a shot file in a window; with --text print "
        "a match as the demonstration does. What is stored is what is shown; --check plays every "
        "shot again and reports what differs, without adopting it. In the window: space plays and "
        "pauses; left, right step; up, down faster, slower; N, P next and previous shot; C next "
        "camera; T paths; drag turns; Escape leaves.",
    )
    add = parser.add_argument
    add("file", help="a match, or for the window also a shot file")
    add("--text", action="store_true", help="print the shots instead")
    add("--check", action="store_true", help="play the shots again and compare instead")
    add("--shot", type=whole, help="only this shot, from 1; the window begins with it")
    add("--camera", default="broadcast", help="of the window (default broadcast)")
    add("--size", help="of the window, WIDTHxHEIGHT (default 1280x720)")
    add("--look", default="full", help="full, or simple for weak machines (default full)")
    add("--cloth", default="blue", help="its colour (default blue)")
    parser.set_defaults(run=run_replay)


def _add_demo(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="two scripted players play a match; every shot is printed",
        description="Two scripted players play a match: every shot with its stroke, events, "
        "record, ruling with article and state. The same options give the same match. With a "
        "journal that is there already the match in it is continued.",
    )
    _add_demo_options(parser)
    parser.set_defaults(run=run_demo)


def _add_demo_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--seed", type=whole, default=0, help="of racks and players (default 0)")
    add("--ruleset", default="wpa09", help=RULESET_HELP)
    add("--race-to", type=whole, default=1, help="racks to win (default 1)")
    add("--strength", type=number, nargs="+", default=[STRENGTH], metavar="S",
        help=f"of both players, or of each, 0 to 1 (default {STRENGTH})")  # fmt: skip
    add("--table", default="wpa_9ft", help=f"one of {', '.join(TABLES)} (default wpa_9ft)")
    add("--journal", metavar="FILE", help="keep the match in this file, or continue it")
    add(
        "--events",
        default="short",
        help=f"how many to print, one of {', '.join(EVENTS)} (default short)",
    )


def _add_match(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "match",
        help="play a match in the terminal, two at one keyboard",
        description="Play hot seat in the terminal: the prompt says who acts and what is needed; "
        "`help` lists the words. With a journal that is there already the match is continued.",
    )
    add = parser.add_argument
    add("--names", nargs=2, default=["A", "B"], metavar=("A", "B"),
        help="of the two sides; the players of a team are joined by commas")  # fmt: skip
    add("--ruleset", default="wpa09", help=RULESET_HELP)
    add("--race-to", type=whole, default=1, help="racks to win (default 1)")
    add("--table", default="wpa_9ft", help=f"one of {', '.join(TABLES)} (default wpa_9ft)")
    add("--seed", type=whole, default=0, help="of the racks (default 0)")
    add("--set", action="append", default=[], metavar="SWITCH=VALUE",
        help="change a switch of the ruleset, e.g. break_order=winner; `tenball rules "
        "--switches` lists them")  # fmt: skip
    add("--no-lag", action="store_true", help="choose the breaker without a lag")
    add("--practice", action="store_true", help="free placing, repeated shots, no score")
    add("--shot", metavar="FILE", help="practice this shot file")
    add("--journal", metavar="FILE", help="keep the match in this file, or continue it")
    parser.set_defaults(run=run_match)


def run_match(options: argparse.Namespace) -> int:
    """`tenball match`."""
    from sim.cli.hotseat import play

    return play(options)


def demo_defaults(**changes: Any) -> argparse.Namespace:
    """The options of `tenball demo` as if nothing had been given but `changes`."""
    parser = argparse.ArgumentParser()
    _add_demo_options(parser)
    namespace = parser.parse_args([])
    vars(namespace).update(changes)
    return namespace


# --- demo -----------------------------------------------------------------------------------------


def run_demo(options: argparse.Namespace) -> int:
    """`tenball demo`."""
    if options.events not in EVENTS:
        raise FileError(f"events: got {options.events!r}, expected one of {', '.join(EVENTS)}")
    setup = _demo_setup(options)
    with open_session(options.journal) as session:
        for problem in session.problems:
            print(problem, file=sys.stderr)
        with engine_ready():
            _play_nothing()
        for block in play_demo(session, setup, options.events):
            print("\n".join(block), flush=True)
    return 0


def open_session(path: str | None) -> Session:
    """A match in memory, in a new file, or continued from a file that is there."""
    if path is None:
        return Session()
    return Session.resume(path) if os.path.exists(path) else Session.create(path)


def _play_nothing() -> None:
    """The engine's first call, which compiles it on a fresh machine."""
    from sim.model.layout import Layout
    from sim.model.stroke import Stroke
    from sim.shot.simulator import simulate

    simulate(Layout(Table.wpa_9ft(), {0: (0.6, 0.6)}), Stroke(0.5, 0.0))


def _demo_setup(options: argparse.Namespace) -> Setup:
    strengths = options.strength * 2 if len(options.strength) == 1 else options.strength
    if len(strengths) != 2 or not all(0.0 <= s <= 1.0 for s in strengths):
        raise FileError(f"strength: got {options.strength}, expected one or two numbers 0 to 1")
    a, b = strengths
    return Setup(
        # The names carry the strengths, so that a match in a file can be continued by itself.
        sides=((f"Ada {a:g}",), (f"Ben {b:g}",)),
        ruleset=options.ruleset,
        table=Table.named(options.table),
        race_to=options.race_to,
        seed=options.seed,
    )


def demo_players(setup: Setup) -> tuple[Any, Any]:
    """The two scripted players of a demonstration, from its settings alone."""
    from sim.game.player import ScriptedPlayer

    players = []
    for index, (name, *_) in enumerate(setup.sides):
        found = re.fullmatch(r".* ([01](?:\.\d+)?(?:e-?\d+)?)", name)
        strength = STRENGTH if found is None else min(float(found[1]), 1.0)
        players.append(ScriptedPlayer(strength, 2 * setup.seed + index))
    return players[0], players[1]


def play_demo(session: Session, setup: Setup, events: str = "short") -> Iterator[list[str]]:
    """Play a demonstration to its end; a block of lines for each thing that happens."""
    from sim.game.player import play_turn

    if session.match.phase is Phase.SEATING:
        session.send(c.Seat(setup))
        yield [
            f"demonstration: {setup.ruleset}, race to {setup.race_to}, seed {setup.seed}, "
            f"{setup.sides[0][0]} against {setup.sides[1][0]}"
        ]
    elif session.match.log:
        yield [f"continued after shot {len(session.match.log)}"]
    assert session.match.setup is not None
    players = demo_players(session.match.setup)
    while session.match.phase is not Phase.MATCH_OVER:
        before = len(session.match.log)
        for command, effects in play_turn(session, players):
            lines = _done_lines(session, command, effects, before, events)
            if lines:
                yield lines


def _done_lines(
    session: Session, command: c.Command, effects: tuple[Effect, ...], before: int, events: str
) -> list[str]:
    """What is printed of a command that was done."""
    match = session.match
    lines: list[str] = []
    if len(match.log) > before:
        lines += shot_lines(match, match.log[-1], session.result, events)
    elif isinstance(command, c.Choose):
        lines.append(f"{match.side_name(command.side)}: {command.choice.replace('_', ' ')}")
    elif isinstance(command, c.Declare) and command.declaration.kind is rules.Kind.PUSH_OUT:
        lines.append(f"{match.player(match.shooter or 'A')}: push-out")
    return lines + effect_lines(match, effects)


# --- replay, sheet, export ------------------------------------------------------------------------


def run_replay(options: argparse.Namespace) -> int:
    """`tenball replay`."""
    if not (options.text or options.check):
        from sim.play.viewer import replay_match  # loads the graphics: only for the window

        looks = {"camera": options.camera, "look": options.look, "cloth": options.cloth}
        if options.size is not None:
            from sim.play.size import parse_size

            looks["size"] = parse_size(options.size)
        return int(replay_match(options.file, shot=options.shot, **looks) or 0)
    text = _read(options.file)
    if options.check:
        return _check(text)
    match = text.game.now
    if options.shot is not None and not 1 <= options.shot <= len(match.log):
        raise no_such_shot(options.shot, len(match.log))
    for entry in match.log:
        if options.shot in (None, entry.number):
            print("\n".join(shot_lines(match, entry)))
    return 0


def _check(text: JournalText) -> int:
    from sim.game.replay import replay_check

    with engine_ready():
        _play_nothing()
    match = text.game.now
    differences = replay_check(match)
    for difference in differences:
        print(difference)
    shots = {difference.shot for difference in differences}
    print(f"{len(match.log)} shots played again, {len(shots)} differ; the stored ones stand")
    return 1 if differences else 0


def _read(path: str) -> JournalText:
    text = read_journal(path)
    for problem in text.problems:
        print(problem, file=sys.stderr)
    return text


def run_sheet(options: argparse.Namespace) -> int:
    """`tenball sheet`."""
    from sim.game.sheet import format_sheet, match_sheet, sheet_csv

    match: Match = _read(options.file).game.now
    sys.stdout.write(sheet_csv(match) if options.csv else format_sheet(match_sheet(match)))
    return 0


def run_export(options: argparse.Namespace) -> int:
    """`tenball export`."""
    from sim.game.shotfile import shot_file

    text = shot_file(_read(options.file).game.now, options.shot).text()
    if options.out is None:
        sys.stdout.write(text)
    elif os.path.exists(options.out):
        raise JournalError(f"{options.out}: got a file that is there already, expected a new name")
    else:
        write_whole(options.out, text)
    return 0
