"""Whole matches, every state, ruling and file looked at: a few always, 2,000 per ruleset as a soak.

`TENBALL_MATCHES=2000 pytest -m soak tests/game/test_soak_matches.py` (about 20 minutes on one core).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rules
from tests.game.soak_matches import Told, impossible, play_match, soak


@pytest.mark.parametrize("ruleset", rules.RULESETS)
def test_a_few_matches_have_no_fault_and_an_end(ruleset: str) -> None:
    told = soak(ruleset, range(3))
    assert told.faults == []
    assert told.matches == sum(n for why, n in told.ends.items() if "again" not in why) == 3


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", rules.RULESETS)
def test_matches_have_no_fault_and_an_end(ruleset: str) -> None:
    told = soak(ruleset, range(int(os.environ.get("TENBALL_MATCHES", "2000"))))
    assert told.faults == []


def test_the_soak_sees_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that loses a thousandth of a millimetre, and a ball too many, are both found."""
    import tests.game.soak_matches as module

    real = module.engine

    def other(question: object) -> object:
        facts, result = real(question)  # type: ignore[arg-type]  # a question of the reducer
        moved = tuple((ball, (x + 1e-6, y, z)) for ball, (x, y, z) in facts.final)
        return type(facts)(**{**facts.__dict__, "final": moved}), result

    told = Told()
    monkeypatch.setattr(module, "engine", other)
    play_match("wpa09", 0, tmp_path, told)
    assert any("ends elsewhere" in fault for fault in told.faults)
    monkeypatch.setattr(module, "impossible", lambda match: "a ball too many")
    play_match("wpa09", 1, tmp_path, told)
    assert any("a ball too many" in fault for fault in told.faults)
    assert impossible is not module.impossible
