"""9.6 and rulings 4 and 16: the safety."""

from __future__ import annotations

import pytest
from rules_table import ALL, PLAY, SECOND, check, refused, table

import rules


@table(
    (ALL, PLAY, "safety", "0x3 3:foot", "B shoots"),
    (ALL, PLAY, "safety", "0x3 3@foot_left", "B decides safety_pocket"),
    (ALL, PLAY, "safety", "0x3 8@foot_left 9@foot_left", "B decides safety_pocket"),
    (ALL, PLAY, "safety", "0x3 10@foot_left", "B decides safety_pocket +10"),
    (ALL, PLAY, "safety", "0x3", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, "safety", "0x9 0:left", "B in hand: wrong_ball_first"),
    (ALL, PLAY, "safety", "0x3 3@foot_left 0@side_left", "B in hand: scratch"),
    (ALL, SECOND, "safety", "0x1 0:foot", "A shoots"),
)
def test_safety(state: str, call: str, record: str, answer: str) -> None:
    """It ends the inning; any pocketed ball gives the option; fouls are fouls."""
    check(state, call, record, answer)


@pytest.mark.parametrize("name", rules.RULESETS)
def test_a_safety_excludes_a_call(name: str) -> None:
    """Ruling 12: a safety together with a call is refused."""
    for call in ("safety:3@foot_left", "safety:3@-", "safety:-@foot_left"):
        refused(f"{name} {PLAY}", call, "0x3 3:foot", "safety_excludes_call")
