"""`tenball rules`: the articles of a ruleset, the differences between two, the switches."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING

import rules

if TYPE_CHECKING:
    import argparse

__all__ = ["add_parser"]


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `tenball`."""
    parser = subparsers.add_parser(
        "rules",
        help="list the articles of a ruleset, how two differ, or the switches",
        description="List the articles of one ruleset (or of all three) with a line each; with "
        "--diff, what one ruleset does otherwise than another; with --switches, everything that "
        "can be changed and its value in each of the three. A variation is written "
        "'wpa09{shot_clock=true;break_order=winner}' wherever a ruleset is asked for: on the "
        "command line (in quotes), in a shot file, in rules.ruleset(...).",
    )
    parser.add_argument(
        "ruleset", nargs="?", metavar="RULESET", help="lbm, wpa09 or ten; all if left out"
    )
    parser.add_argument("--diff", nargs=2, metavar=("ONE", "TWO"), help="compare two rulesets")
    parser.add_argument(
        "--switches", action="store_true", help="list what can be changed in a ruleset"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; the exit status is 0."""
    if args.diff is not None:
        if args.ruleset is not None or args.switches:
            raise rules.RulesError(
                "rules: got --diff and a ruleset or --switches, expected one of them"
            )
        print("\n".join(difference_lines(*(rules.ruleset(name) for name in args.diff))))
        return 0
    if args.switches:
        if args.ruleset is not None:
            raise rules.RulesError("rules: got a ruleset and --switches, expected one of them")
        print("\n".join(switch_lines()))
        return 0
    names = tuple(rules.RULESETS) if args.ruleset is None else (args.ruleset,)
    print("\n\n".join("\n".join(article_lines(rules.ruleset(name))) for name in names))
    return 0


def article_lines(ruleset: rules.Ruleset) -> list[str]:
    """The title of a ruleset and a line for each of its articles."""
    book = ruleset.book
    width = max(len(article.number) for article in book.articles)
    return [
        f"{ruleset.name}: {book.title}",
        *(
            f"  {article.number:<{width}}  {article.heading}: {article.summary}"
            for article in book.articles
        ),
    ]


def difference_lines(one: rules.Ruleset, two: rules.Ruleset) -> list[str]:
    """The fields in which two rulesets differ, a line each with both values."""
    rows = rules.differences(one, two)
    if not rows:
        return [f"{one} and {two} rule alike"]
    lines = [f"{one} and {two} differ in {len(rows)}:"]
    a, b = (one.name, two.name) if one.name != two.name else ("the first", "the second")
    for name, about, first, second in rows:
        lines.append(f"  {about}: {a} {_spell(first)}, {b} {_spell(second)}")
        lines.append(f"    ({name})")
    return lines


def switch_lines() -> list[str]:
    """Every switch: its name, what it decides, its value, or the three if they differ."""
    lines = []
    for entry in fields(rules.Ruleset):
        if entry.name == "name":
            continue
        said = {name: law.value_text(entry.name) for name, law in rules.RULESETS.items()}
        alike = len(set(said.values())) == 1
        values = said["wpa09"] if alike else ", ".join(f"{n} {v}" for n, v in said.items())
        lines += [entry.name, f"    {entry.metadata['about']}: {values}"]
    return lines


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, (frozenset, tuple)):
        entries = sorted(value) if isinstance(value, frozenset) else value
        return ", ".join(str(entry) for entry in entries) or "none"
    return str(value)
