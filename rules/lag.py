"""Who won the lag (1.2)?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Final

from .errors import RulesError
from .terms import Side

INDISTINGUISHABLE_M: Final = 1e-3
"""Distances to the head cushion closer than this cannot be told apart."""

_ROUNDING_M: Final = 1e-9


@dataclass(frozen=True, slots=True)
class LagShot:
    """One side's lag. `head_distance` is the final distance to the head cushion, in metres."""

    foot_contacts: int = 1
    head_contacts: int = 1
    head_distance: float | None = None
    side_cushion: bool = False
    crosses_long_string: bool = False
    pocketed: bool = False
    off_table: bool = False
    past_head_cushion_nose: bool = False
    object_ball_foul: bool = False
    struck_after_other_reached_foot: bool = False

    @property
    def fault(self) -> str | None:
        """Why this lag cannot win, None if it can."""
        if self.foot_contacts != 1:
            return f"it met the foot cushion {self.foot_contacts} times instead of once"
        for happened, text in (
            (self.side_cushion, "it touched a side cushion"),
            (self.crosses_long_string, "it crossed the long string"),
            (self.pocketed, "it was pocketed"),
            (self.off_table, "it left the table"),
            (self.past_head_cushion_nose, "it rests in a corner pocket past the head cushion"),
            (self.object_ball_foul, "a foul was committed with it"),
        ):
            if happened:
                return text
        return None


@dataclass(frozen=True, slots=True)
class LagResult:
    """The winner, who chooses the breaker; None means lag again. `reason` is one sentence."""

    winner: Side | None
    reason: str

    @property
    def lag_again(self) -> bool:
        """Whether the lag has to be repeated."""
        return self.winner is None


def lag_winner(a: LagShot, b: LagShot) -> LagResult:
    """Who won, or lag again.

    Raises RulesError if the distances of two good lags are missing or no lengths.
    """
    if a.struck_after_other_reached_foot or b.struck_after_other_reached_foot:
        return LagResult(None, "One ball was struck after the other had reached the foot cushion.")
    if a.fault is not None and b.fault is not None:
        return LagResult(None, f"Both lags are bad: A's, {a.fault}; B's, {b.fault}.")
    if a.fault is not None:
        return LagResult("B", f"A's lag is bad: {a.fault}.")
    if b.fault is not None:
        return LagResult("A", f"B's lag is bad: {b.fault}.")
    one, two = _distance("A", a), _distance("B", b)
    if abs(one - two) < INDISTINGUISHABLE_M - _ROUNDING_M:
        return LagResult(None, "The two balls are as near to the head cushion as each other.")
    winner: Side = "A" if one < two else "B"
    return LagResult(winner, f"{winner}'s ball is nearer to the head cushion.")


def _distance(side: Side, shot: LagShot) -> float:
    distance = shot.head_distance
    if distance is None or not isfinite(distance) or distance < 0:
        raise RulesError(
            f"lag: got head distance {distance!r} for {side}, expected a length, 0 or more"
        )
    return distance
