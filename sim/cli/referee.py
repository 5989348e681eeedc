"""`tenball referee`: judge a file of cases, or one shot from its one-line forms."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rules
from rules import casebook, casetell, notation

from .yaml_lines import read_document

if TYPE_CHECKING:
    import argparse

    from .yaml_lines import Document

__all__ = ["add_parser"]

BAD_INPUT = 2


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `tenball`."""
    parser = subparsers.add_parser(
        "referee",
        help="judge a file of cases, or one shot",
        description="Judge every case of a YAML or JSON casebook, once for each ruleset it names: "
        "prints each difference, the ruling of a case that expects nothing, and the totals. "
        "Exit status 1 if a case failed, 2 if one cannot be judged. "
        "With --state, --call and --record: judge one shot, as `tenball break` and `tenball shot` "
        "print them. A state: wpa09 B/A 5 3,4,6,8-10 position 0-2 B - - (ruleset, shooter/breaker, "
        "shot, balls, cue ball, fouls, warned, push_out, what is open). A record: 0x3 3:foot "
        "3@foot_left (the cue ball meets the 3, which meets the foot cushion and is pocketed). "
        "All signs, and where the form of a casebook is told: rules/README.md.",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a casebook")
    parser.add_argument("--ruleset", metavar="NAME", help="only this ruleset: lbm, wpa09 or ten")
    parser.add_argument("--state", metavar="LINE", help="a rack state in one line")
    parser.add_argument(
        "--call", metavar="WORD", default=None, help="a declaration, such as 3@foot_left"
    )
    parser.add_argument("--record", metavar="LINE", help="a record in one line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; the exit status is 0, 1 for a failed case, 2 for a bad one."""
    only = rules.ruleset(args.ruleset) if args.ruleset is not None else None
    one_shot = (args.state, args.call, args.record)
    if args.file is not None:
        if any(part is not None for part in one_shot):
            raise rules.RulesError("referee: got a file and a shot, expected one of them")
        return judge_file(read_document(args.file), only)
    if args.state is None or args.record is None:
        raise rules.RulesError(
            "referee: got no file, expected FILE, or --state, --record and (but for a break or "
            "an uncalled shot) --call"
        )
    return judge_shot(args.state, args.call, args.record, only)


def judge_shot(state: str, call: str | None, record: str, only: rules.Ruleset | None) -> int:
    """Judge one shot from its one-line forms and print the ruling."""
    before = notation.parse_state(state)
    if only is not None and only.name != before.ruleset.name:
        raise rules.RulesError(
            f"referee: got --ruleset {only.name} and a state under {before.ruleset.name}, "
            "expected the same"
        )
    if call is not None:
        declaration = notation.parse_declaration(call)
    else:
        declaration = rules.break_shot() if before.is_break else rules.no_call()
    ruling = rules.adjudicate(before, declaration, notation.parse_record(record))
    print("\n".join(casetell.tell_ruling(ruling)))
    return 0


def judge_file(document: Document, only: rules.Ruleset | None) -> int:
    """Judge every case of a parsed file, print what differs and the totals."""
    passed = failed = bad = 0
    seen: set[str] = set()
    try:
        nodes = casebook.case_nodes(document.data)
    except rules.CasebookError as error:
        raise rules.RulesError(_place(document, error)) from error
    for node in nodes:
        try:
            case = casebook.read_case(node)
            if case.id in seen:
                node.under("id", case.id).wrong(f"got id {case.id} twice, expected it once")
            seen.add(case.id)
            verdicts = [
                casebook.judge(case, rules.ruleset(name))
                for name in case.rulesets
                if only is None or name == only.name
            ]
        except rules.CasebookError as error:
            print(f"tenball: {_place(document, error)}", file=sys.stderr)
            bad += 1
            continue
        for verdict in verdicts:
            if case.asks:
                _tell(verdict)
            elif verdict.passed:
                passed += 1
            else:
                failed += 1
                _differ(document, verdict)
    print(f"{passed} passed, {failed + bad} failed")
    return BAD_INPUT if bad else 1 if failed else 0


def _tell(verdict: casebook.Verdict) -> None:
    print(f"{verdict.case.id} [{verdict.ruleset}] {verdict.case.title}".rstrip())
    for line in verdict.ruling:
        print(f"    {line}")


def _differ(document: Document, verdict: casebook.Verdict) -> None:
    print(f"{verdict.case.id} [{verdict.ruleset}] {verdict.case.title}".rstrip())
    depth = len(verdict.case.node.path)
    for mismatch in verdict.mismatches:
        where = rules.errors.spell_path(mismatch.path[depth:])
        line = document.line_of(mismatch.path)
        print(
            f"    line {line}: {where}: asked {_plain(mismatch.asked)}, got {_plain(mismatch.got)}"
        )


def _plain(value: object) -> str:
    return "null" if value is None else str(value)


def _place(document: Document, error: rules.CasebookError) -> str:
    line = document.line_of(error.path)
    where = f", line {line}" if line is not None else ""
    path = rules.errors.spell_path(error.path)
    return f"{document.name}{where}: case {error.case}: {path}: {error.reason}"
