"""The `tenball` command: finds the command asked for, runs it, turns errors into one line.

Each command lives in a module of `sim.cli` with `add_parser(subparsers)`, which adds its parsers
and sets `run` on each to a function `(namespace) -> int | None`. Only the module of the command
asked for is imported, so that `tenball --help` and the referee start at once.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from rules.errors import RulesError
from sim.model.errors import TenballError

__all__ = ["COMMANDS", "main"]

# Module of sim.cli: its commands, each with the line that `tenball --help` shows.
COMMANDS: dict[str, dict[str, str]] = {
    "play": {"play": "play against a friend in 3D"},
    "shot": {
        "break": "break a rack: events, ruling, the state after, a picture",
        "shot": "play the shot of a file: events, ruling, the state after, a picture",
    },
    "referee": {"referee": "judge a file of cases, or one shot"},
    "render": {
        "render": "draw a shot in 3D: a picture or a clip, without a display",
    },
    "validate": {"validate": "compare the engine with published numbers: asked, got, error, limit"},
    "bench": {"bench": "how fast, beside pooltool; pooltool as an oracle"},
    "rulebook": {"rules": "list the articles of a ruleset, or how two differ"},
    "match": {
        "demo": "two scripted players play a match; every shot is printed",
        "match": "play a match in the terminal, two at one keyboard",
        "replay": "watch a shot or a match in a window, or print a match",
        "sheet": "print the sheet of a match",
        "export": "copy a shot out of a match as a shot file",
    },
}

DESCRIPTION = """\
A physics-based 10-ball simulator. Without a command: opens the game; where there is no display, two
scripted players show a match in the terminal.
"""

MAX_MESSAGE = 1000

EPILOG = """\
examples:
  tenball break --seed 7 --speed 9 --ruleset wpa09 --picture break.svg
  tenball break --seed 7 --json
  tenball shot my-shot.json --picture my-shot.svg
  tenball referee cases.yaml
  tenball rules --diff lbm ten
  tenball demo --seed 4 --race-to 3 --journal friday.tenball
  tenball replay friday.tenball --text

Every command explains itself: tenball COMMAND --help. Lengths are metres, speeds m/s, angles
radians unless the option's name says degrees (deg). Exit status: 0 done, 2 something given cannot
be used.
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line like every other error of the command."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"tenball: {_one_line(message)} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is returned.

    0: done. 1: a check of the command's own failed. 2: something given cannot be used (one line on
    standard error, nothing written). 130: interrupted. 141: whoever read the output went away.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console that lacks a letter shows its code instead
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):  # a byte that is no text is a wrong letter
        sys.stdin.reconfigure(errors="replace")
    try:
        namespace = _parse(sys.argv[1:] if argv is None else list(argv))
        status = namespace.run(namespace)
        sys.stdout.flush()
        return int(status or 0)
    except (TenballError, RulesError) as error:
        print(f"tenball: {_one_line(str(error))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _silence()
        return 141
    except OSError as error:  # the world's fault: a full disk, a folder that may not be used
        _silence()
        where = error.filename if error.filename is not None else "output"
        print(f"tenball: {_one_line(f'{where}: {error.strerror or error}')}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _silence() -> None:
    """Python flushes standard output once more on its way out: let that go nowhere."""
    with contextlib.suppress(OSError, ValueError):  # a test's or a notebook's has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(text: str) -> str:
    """Fit to show on a terminal: one line, not endless, no codes that steer the terminal."""
    words = " ".join(text.split())
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words[:MAX_MESSAGE])
    return plain if len(words) <= MAX_MESSAGE else f"{plain}..."


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="tenball",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    word = next((a for a in arguments if not a.startswith("-")), None)
    known = [name for commands in COMMANDS.values() for name in commands]
    if word is not None and word not in known:
        close = difflib.get_close_matches(word, known, 1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        parser.error(f"command: got {word!r}, expected one of {', '.join(known)}{hint}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for module, commands in COMMANDS.items():
        if word in commands:
            importlib.import_module(f"sim.cli.{module}").add_parser(subparsers)
        else:
            for name, line in commands.items():
                subparsers.add_parser(name, help=line)
    namespace, extra = parser.parse_known_args(arguments)
    if extra:
        parser.prog = " ".join(["tenball", *([word] if word else [])])
        parser.error(f"got {extra[0]!r}, which is no option here")
    if namespace.command is None:
        return _alone(namespace)
    return namespace


def _alone(namespace: argparse.Namespace) -> argparse.Namespace:
    """`tenball` without a command."""
    from sim.cli import play

    namespace.run = play.run_alone
    return namespace


def _version() -> str:
    from sim import __version__

    return f"tenball {__version__}"


if __name__ == "__main__":
    sys.exit(main())
