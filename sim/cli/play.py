"""`tenball play`, and what `tenball` does without a command: the game."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

__all__ = ["add_parser", "run_alone", "run_play"]

NO_DISPLAY = "no display here: the game needs one, so two scripted players show a match instead"


def add_parser(subparsers: Any) -> None:
    """Add the parser of `tenball play`."""
    parser = subparsers.add_parser(
        "play",
        help="play against a friend in 3D",
        description="Open the game: two players at one table. Matches are kept, and continued from "
        "the menu. H shows the keys that work.",
    )
    add = parser.add_argument
    add("--journal", metavar="FILE", help="continue this match")
    add("--shot", metavar="FILE", help="practise this shot file")
    add("--size", default="1280x720", help="of the window, WIDTHxHEIGHT (default 1280x720)")
    add("--home", metavar="FOLDER", help="where matches and settings are kept")
    add("--timing", action="store_true", help="at the end, print how long frames took")
    parser.set_defaults(run=run_play)


def run_play(options: argparse.Namespace) -> int:
    """`tenball play`."""
    from pathlib import Path

    from sim.model.errors import InputError
    from sim.play.size import parse_size

    if options.journal is not None and options.shot is not None:
        raise InputError("--journal, --shot: got both, expected one of them")
    size = parse_size(options.size)
    for path in (options.journal, options.shot):
        if path is not None and not os.path.isfile(path):
            raise InputError(f"{path}: got no such file, expected one")
    from sim.play.run import frame_lines, play  # loads the graphics: only for the window
    from sim.play.settings import home

    folder = home() if options.home is None else Path(options.home)
    frames = play(folder, size=size, shot=options.shot, journal=options.journal)
    if options.timing:
        print("\n".join(frame_lines(frames)))
    return 0


def run_alone(_: argparse.Namespace) -> int:
    """`tenball` alone: the game, or the demonstration where there is no display."""
    from sim.cli.match import demo_defaults, run_demo
    from sim.play.stage import no_display

    if not no_display():
        defaults = argparse.Namespace(journal=None, shot=None, size="1280x720", home=None)
        defaults.timing = False
        return run_play(defaults)
    print(NO_DISPLAY, file=sys.stderr)
    return run_demo(demo_defaults())
