"""Does every foul and every Ruleset field matter to a test? `python -m tests.rules.mutants`.

Each mutant runs the tests of the law in a process of its own, with one foul predicate disabled
or one field of one ruleset flipped, and prints the test that died. A mutant that no test notices
survives; SURVIVORS names those for which there is a reason.

The same file is the pytest plugin that makes the mutant: `-p tests.rules.mutants --mutant NAME`.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent
SURVIVORS: dict[str, str] = {}
"""Mutants that no test can notice, each with its reason."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that names the mutant."""
    parser.addoption("--mutant", help="foul:CODE or field:RULESET:NAME")


def pytest_configure(config: pytest.Config) -> None:
    """Make the mutant before any test is collected."""
    name = config.getoption("--mutant")
    if name:
        mutate(name)


def mutate(name: str) -> None:
    """Disable a foul predicate, or flip a field of a ruleset, in this process."""
    import rules.fouls
    from rules.ruleset import RULESETS

    kind, _, rest = name.partition(":")
    if kind == "foul":
        rules.fouls.FOULS = tuple(
            replace(rule, predicate=lambda shot: False) if rule.code == rest else rule
            for rule in rules.fouls.FOULS
        )
        return
    ruleset, _, field = rest.partition(":")
    value = RULESETS[ruleset]
    object.__setattr__(value, field, flipped(getattr(value, field)))


def flipped(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, StrEnum):
        words = list(type(value))
        return words[(words.index(value) + 1) % len(words)]
    if isinstance(value, int):
        return value - 1
    if isinstance(value, float):
        return value + 1.0
    if isinstance(value, frozenset):
        return frozenset() if value else frozenset({2, 3})
    if isinstance(value, tuple):
        return value[1:]
    raise TypeError(f"cannot flip {value!r}")


def names() -> list[str]:
    """Every mutant."""
    from rules.fouls import FOULS
    from rules.ruleset import RULESETS, SWITCHES

    fouls = [f"foul:{rule.code}" for rule in FOULS]
    return fouls + [f"field:{ruleset}:{field}" for field in SWITCHES for ruleset in RULESETS]


def first_death(name: str) -> str | None:
    """The first test that a mutant kills, None if all pass; the chapters are asked first."""
    chapters = sorted(map(str, TESTS.glob("test_9_*.py")))
    return run_tests(name, chapters) or run_tests(name, [str(TESTS)])


def run_tests(name: str, paths: list[str]) -> str | None:
    """The first test that fails under a mutant (under none for an empty name)."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "tests.rules.mutants", "--mutant", name, *paths]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", run.stdout, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"{name}: pytest ended with {run.returncode}: {run.stdout[-500:]}")
    return found[1]


def main(argv: list[str]) -> int:
    """Run the mutants (or those named), print what each killed; 1 if one survives unexplained."""
    for name in argv:
        if name not in names():
            near = difflib.get_close_matches(name, names(), 1)
            hint = f", perhaps {near[0]}" if near else ""
            print(f"mutant: got {name!r}, expected foul:CODE or field:RULESET:NAME{hint}")
            return 2
    broken = run_tests("", [str(TESTS)])
    if broken is not None:
        print(f"without a mutant already: {broken}")
        return 2
    unexplained = 0
    chosen = argv or names()
    for name in chosen:
        death = first_death(name)
        if death is not None:
            print(f"{name}: killed {death}", flush=True)
        elif name in SURVIVORS:
            print(f"{name}: survives: {SURVIVORS[name]}", flush=True)
        else:
            print(f"{name}: SURVIVES without a reason", flush=True)
            unexplained += 1
    print(f"{len(chosen)} mutants, {unexplained} unexplained survivors")
    return 1 if unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
