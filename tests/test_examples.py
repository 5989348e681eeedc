"""The examples in the docstrings of the main entry points run as printed."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = (
    "sim",
    "sim.game.pots",
    "sim.model.layout",
    "sim.model.rack",
    "sim.shot.simulator",
    "rules.ruleset",
    "rules.adjudicator",
)


def check(name: str) -> None:
    tried = doctest.testmod(import_module(name))
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    check(name)


def test_examples_of_the_laboratory_run(require) -> None:
    require("module:pandas")
    check("sim.experiments.sweeping")
