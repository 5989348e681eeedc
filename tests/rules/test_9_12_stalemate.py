"""9.12 with 1.12, and LBM 4-10: the stalemate in both forms."""

from __future__ import annotations

import pytest

import rules
from rules.notation import format_state, parse_state
from rules.race import NoProgress, Race, is_stalemate

NONE: dict[rules.Side, int] = {"A": 0, "B": 0}
THREE: dict[rules.Side, int] = {"A": 3, "B": 3}


@pytest.mark.parametrize(
    ("seen", "yes_for"),
    [
        (NoProgress(THREE, NONE, judged=True), "lbm"),
        (NoProgress({"A": 3, "B": 2}, NONE, judged=True), ""),
        (NoProgress({"A": 2, "B": 3}, NONE, judged=True), ""),
        (NoProgress(THREE, NONE), ""),
        (NoProgress(THREE, NONE, judged=False), ""),
        (NoProgress(THREE, NONE, judged=True, both_agree=True), "lbm"),
        (NoProgress(NONE, NONE, both_agree=True), ""),
        (NoProgress(NONE, NONE, announced=True, both_agree=True), "wpa09 ten"),
        (NoProgress(NONE, THREE, announced=True), "wpa09 ten"),
        (NoProgress(NONE, THREE, announced=True, judged=True), "wpa09 ten"),
        (NoProgress(NONE, THREE), ""),
        (NoProgress(NONE, {"A": 3, "B": 2}, announced=True), ""),
        (NoProgress(NONE, THREE, announced=True, progress=True), ""),
        (NoProgress(THREE, THREE, judged=True, announced=True), "lbm wpa09 ten"),
        (NoProgress(THREE, THREE, judged=True, announced=True, progress=True), ""),
    ],
    ids=repr,
)
def test_when(seen: NoProgress, yes_for: str) -> None:
    """LBM counts unchanged innings by the referee's judgement; WPA announces, then waits."""
    yes = [name for name, ruleset in rules.RULESETS.items() if is_stalemate(ruleset, seen)]
    assert yes == yes_for.split()


@pytest.mark.parametrize("name", rules.RULESETS)
def test_replay(name: str) -> None:
    """Rulings 10 and 13: the original breaker breaks again, counts at zero, score unchanged."""
    state = parse_state(f"{name} A/B 17 9,10 position 2-1 A - -")
    assert format_state(rules.replay(state)) == (
        f"{name} B/B 1 1-10 in_hand_behind_head_string 0-0 - - -"
    )
    race = Race(rules.ruleset(name), "B", to=3)
    assert race.rack().breaker == "B"
    kept = rules.replay(
        parse_state(f"{name}{{replay_keeps_fouls=true}} A/B 9 10 position 2-1 A - -")
    )
    assert (kept.fouls, kept.warned) == ((2, 1), {"A"})
