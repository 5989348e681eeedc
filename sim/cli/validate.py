"""`tenball validate`: the engine against published numbers, and pictures of the scripted shots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sim.cli.output import engine_ready, json_text
from sim.model.errors import InputError

if TYPE_CHECKING:
    from sim.shot.validation import Row

__all__ = ["add_parser", "run"]

# What a source's table is called: the modules of sim.shot.validation.
GROUPS = ("motion", "cue", "bed", "throw", "collisions", "clusters", "cushion", "scripted")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `validate`."""
    parser = subparsers.add_parser(
        "validate",
        help="compare the engine with published numbers: asked, got, error, limit",
        description=(
            "Plays every experiment whose result is published (or has a closed form) and prints "
            "what was asked, what the engine gives, the error and its limit. Exit status 1 if an "
            "error exceeds its limit."
        ),
    )
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"only these: {', '.join(GROUPS)}"
    )
    parser.add_argument("--json", action="store_true", help="print the rows as data, with reasons")
    parser.add_argument("--reasons", action="store_true", help="print why each limit is what it is")
    parser.add_argument(
        "--pictures", metavar="DIR", help="write a picture of each scripted shot into this folder"
    )
    parser.add_argument(
        "--plots",
        metavar="DIR",
        help="write plots of published points and our curves into this folder (needs matplotlib)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; 1 if a row exceeds its limit."""
    for group in options.groups:
        if group not in GROUPS:
            raise InputError(f"group: got {group!r}, expected one of {', '.join(GROUPS)}")
    if options.plots:
        # Said before the minute of play, not after it.
        from sim.shot.disk import make_folder
        from sim.shot.validation.figures import require_matplotlib

        require_matplotlib()
        make_folder(Path(options.plots))
    with engine_ready():
        from sim.shot.validation import group_rows

        tables = {group: group_rows(group) for group in options.groups or GROUPS}
    if options.pictures:
        _write_pictures(Path(options.pictures))
    if options.plots:
        _write_plots(Path(options.plots), tables)
    rows = [row for table in tables.values() for row in table]
    failed = sum(not row.ok for row in rows)
    if options.json:
        data = [
            {
                "group": group,
                "source": row.source,
                "quantity": row.quantity,
                "asked": row.asked,
                "got": row.got,
                "error": row.error,
                "limit": row.limit,
                "ok": row.ok,
                "reason": row.reason,
            }
            for group, table in tables.items()
            for row in table
        ]
        sys.stdout.write(json_text({"rows": data, "failed": failed}))
    else:
        lines = [line for group in tables for line in _lines(group, tables[group], options.reasons)]
        print("\n".join(lines))
        print(f"{len(rows)} rows, {failed} beyond their limit")
    return 1 if failed else 0


def _lines(group: str, rows: list[Row], reasons: bool) -> list[str]:
    """One group as text: a line a row, under the name of each source."""
    lines = []
    source = None
    width = max(len(row.quantity) for row in rows)
    for row in rows:
        if row.source != source:
            source = row.source
            head = f"{group}: {source}"
            lines += [
                "",
                f"{head:<{width + 2}} {'asked':>11} {'got':>11} {'error':>11} {'limit':>9}",
            ]
        mark = " " if row.ok else "*"
        lines.append(
            f"{mark} {row.quantity:<{width}} {row.asked:>11.5g} {row.got:>11.5g} "
            f"{row.error:>+11.2g} {row.limit:>9.2g}"
        )
        if reasons:
            lines.append(f"    {row.reason}")
    return lines


def _write_pictures(folder: Path) -> None:
    """An SVG a scripted shot, from above, and the heights of its balls over time below it."""
    from sim.shot.disk import make_folder, write_whole
    from sim.shot.picture import describe, to_svg
    from sim.shot.validation.scripted import SHOTS

    make_folder(folder)
    for shot in SHOTS:
        path = folder / f"{shot.name}.svg"
        write_whole(path, to_svg(describe(shot.play())))
        print(f"picture: {path}", file=sys.stderr)


def _write_plots(folder: Path, tables: dict[str, list[Row]]) -> None:
    """A PNG for each curve of the groups played: the rows' published points, and our curve."""
    from sim.shot.disk import write_whole
    from sim.shot.validation.figures import FIGURES, draw, png

    for figure in FIGURES:
        if figure.group in tables:
            path = folder / f"{figure.name}.png"
            write_whole(path, png(draw(figure.panels(tables[figure.group]))))
            print(f"plot: {path}", file=sys.stderr)
