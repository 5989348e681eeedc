"""Cases mangled at random: a ruling or a clear fault, and never anything else."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rules
from rules import casebook
from sim.cli.yaml_lines import read_document

DATA = Path(__file__).parent / "data"
JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    11,
    1e400,
    "",
    "cue",
    "x",
    [],
    {},
    [[]],
    "A",
    3.5,
    {"A": 1},
    "10",
]


def mangle(rng: Random, value: Any) -> Any:
    """The value with one thing in it replaced, doubled, dropped or swapped."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            del value[key]
        elif rng.random() < 0.05:
            value[rng.choice(["zzz", 5, "kind", "events"])] = copy.deepcopy(rng.choice(JUNK))
        else:
            value[key] = mangle(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.85:
        index = rng.randrange(len(value))
        chance = rng.random()
        if chance < 0.1:
            del value[index]
        elif chance < 0.2:
            value.insert(index, copy.deepcopy(value[index]))
        elif chance < 0.3:
            rng.shuffle(value)
        else:
            value[index] = mangle(rng, value[index])
        return value
    return copy.deepcopy(rng.choice(JUNK))


@pytest.fixture(scope="module")
def cases() -> list[Any]:
    """Every case that there is, as plain data."""
    found: list[Any] = []
    for name in ("cases.yaml", "more_cases.yaml"):
        document: Any = read_document(DATA / name).data
        found += document["cases"]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_mangled(cases: list[Any], seed: int) -> None:
    """Each case mangled once or twice, judged under its rulesets."""
    rng = Random(seed)
    faults = 0
    for entry in cases:
        case = copy.deepcopy(entry)
        for _ in range(rng.randint(1, 2)):
            case = mangle(rng, case)
        try:
            for read in casebook.read_file({"cases": [case]}):
                for name in read.rulesets:
                    casebook.judge(read, rules.ruleset(name))
        except rules.CasebookError as fault:
            faults += 1
            clear(fault)
    assert faults > len(cases) // 4


def clear(fault: rules.CasebookError) -> None:
    """One line, with the case and what was got."""
    text = str(fault)
    assert text.startswith("case ")
    assert "got" in text or "unknown key" in text or "listed twice" in text, text
    assert "\n" not in text
