"""9.5, 1.6 and rulings 12 and 18: the call."""

from __future__ import annotations

import pytest
from rules_table import ALL, PLAY, check, refused, table

import rules


@table(
    (ALL, PLAY, "3@foot_left", "0x3 3@foot_left", "A continues"),
    (ALL, PLAY, "3@foot_left(unspoken,obvious)", "0x3 3@foot_left", "A continues"),
    (ALL, PLAY, "3@foot_left(unspoken,on_request)", "0x3 3@foot_left", "A continues"),
    (ALL, PLAY, "3@foot_left(unspoken)", "0x3 3@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "3@-(obvious)", "0x3 3@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "-@foot_left", "0x3 3@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "none", "0x3 3@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "none(obvious)", "0x3 3@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "none", "0x3 3:foot", "B shoots"),
    # cushions, kisses and caroms on the way are irrelevant
    (ALL, PLAY, "3@side_right", "0x3 3:foot 3:left 3x6 3@side_right", "A continues"),
    (ALL, PLAY, "8@head_left", "0x3 0x8 8@head_left", "A continues"),
    (ALL, PLAY, "8@head_left", "0x3 3x8 8@head_left", "A continues"),
    ("ten{uncalled_pocket_gives_option=false}", PLAY, "none", "0x3 3@foot_left", "B shoots"),
)
def test_what_counts_as_called(state: str, call: str, record: str, answer: str) -> None:
    """One ball and one pocket, spoken, given on request, or obvious before the stroke."""
    check(state, call, record, answer)


@pytest.mark.parametrize("name", rules.RULESETS)
def test_what_is_refused(name: str) -> None:
    """Two balls, a ball that is down: refused with the reason, and no foul."""
    refused(f"{name} {PLAY}", "3+4@foot_left", "0x3 3@foot_left", "one_ball_per_call")
    refused(f"{name} {PLAY}", "5@foot_left", "0x3 3@foot_left", "ball_not_on_table")


@pytest.mark.parametrize(("ball", "pocket"), [(0, "foot_left"), (11, "foot_left"), (3, "left")])
def test_a_call_of_nothing(ball: int, pocket: str) -> None:
    """A ball or pocket that does not exist cannot be called."""
    with pytest.raises(rules.DeclarationRefused, match="expected"):
        rules.call(ball=ball, pocket=pocket)
