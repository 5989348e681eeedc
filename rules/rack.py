"""Is this rack legal (9.2 and 4-2)?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terms import LEAD_BALL, OBJECT_BALLS, TEN, ball_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .ruleset import Ruleset


def rack_faults(
    ruleset: Ruleset, rows_from_apex: Sequence[Sequence[int]], *, apex_on_foot_spot: bool = True
) -> tuple[str, ...]:
    """What is wrong with a rack, in sentences; nothing if it is legal.

    `rows_from_apex` are the four rows from the apex to the foot. Whether the other balls form
    a pattern on purpose is not something a rule can see.
    """
    faults: list[str] = []
    if not apex_on_foot_spot:
        faults.append("the apex ball is not on the foot spot")
    if [len(row) for row in rows_from_apex] != [1, 2, 3, 4]:
        faults.append("the rows are not one, two, three and four balls")
        return tuple(faults)
    balls = sorted(ball for row in rows_from_apex for ball in row)
    if balls != sorted(OBJECT_BALLS):
        faults.append("the rack does not hold each of the balls 1 to 10 once")
    if rows_from_apex[0][0] != LEAD_BALL:
        faults.append(f"the apex ball is {ball_name(rows_from_apex[0][0])}, not the 1")
    if rows_from_apex[2][1] != TEN:
        faults.append("the 10 is not in the middle of the row of three")
    corners = {rows_from_apex[3][0], rows_from_apex[3][3]}
    for ball in sorted(ruleset.rear_corner_balls - corners):
        faults.append(f"{ball_name(ball)} is not on a rear corner")
    return tuple(faults)


def rack_is_legal(
    ruleset: Ruleset, rows_from_apex: Sequence[Sequence[int]], *, apex_on_foot_spot: bool = True
) -> bool:
    """Whether a rack may be broken."""
    return not rack_faults(ruleset, rows_from_apex, apex_on_foot_spot=apex_on_foot_spot)
