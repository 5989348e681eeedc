"""9.2 and LBM 4-2: is the rack legal?"""

from __future__ import annotations

import pytest

import rules
from rules.rack import rack_faults, rack_is_legal

GOOD = [[1], [7, 4], [9, 10, 5], [2, 6, 8, 3]]


@pytest.mark.parametrize(
    ("rows", "legal_for"),
    [
        (GOOD, "lbm wpa09 ten"),
        ([[1], [7, 4], [9, 10, 5], [3, 6, 8, 2]], "lbm wpa09 ten"),
        ([[1], [2, 4], [9, 10, 5], [7, 6, 8, 3]], "wpa09 ten"),
        ([[1], [7, 4], [9, 10, 5], [2, 3, 8, 6]], "wpa09 ten"),
        ([[4], [7, 1], [9, 10, 5], [2, 6, 8, 3]], ""),
        ([[1], [7, 4], [10, 9, 5], [2, 6, 8, 3]], ""),
        ([[1], [10, 4], [9, 7, 5], [2, 6, 8, 3]], ""),
        ([[1], [7, 4], [9, 10, 5], [2, 6, 6, 3]], ""),
        ([[1], [7, 4], [9, 10, 5], [2, 6, 3]], ""),
        ([], ""),
    ],
    ids=repr,
)
def test_rack(rows: list[list[int]], legal_for: str) -> None:
    """1 on the apex and 10 in the middle for all; 2 and 3 on the rear corners for LBM only."""
    legal = [name for name, ruleset in rules.RULESETS.items() if rack_is_legal(ruleset, rows)]
    assert legal == legal_for.split()


def test_the_apex_ball_is_on_the_foot_spot() -> None:
    """A rack that is not on the spot is wrong everywhere, and the fault is named."""
    for ruleset in rules.RULESETS.values():
        faults = rack_faults(ruleset, GOOD, apex_on_foot_spot=False)
        assert faults == ("the apex ball is not on the foot spot",)
