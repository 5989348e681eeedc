"""A race to N: who breaks which rack, the score, and the stalemate that replays a rack."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from .errors import RulesError
from .ruleset import Ruleset
from .state import RackState, new_rack
from .terms import SIDES, BreakOrder, Side, StalemateForm, other_side

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_RACE: Final = 999


def next_breaker(order: BreakOrder, breaker: Side, winner: Side) -> Side:
    """Who breaks the rack after one that `breaker` broke and `winner` won (9.1, reg. 15/16)."""
    if order is BreakOrder.WINNER:
        return winner
    if order is BreakOrder.LOSER:
        return other_side(winner)
    return other_side(breaker)


def breakers(order: BreakOrder, first: Side, rack_winners: tuple[Side, ...]) -> tuple[Side, ...]:
    """The breaker of each rack played and of the next one."""
    row = [first]
    for winner in rack_winners:
        row.append(next_breaker(order, row[-1], winner))
    return tuple(row)


@dataclass(frozen=True, slots=True)
class Race:
    """A match: the first side to win `to` racks. A value: each rack makes a new one.

    `members` are the players of each side in their order at the table; a side is a player or a
    team, and fouls, options and innings belong to the side. `forfeited` is the side that
    unsportsmanlike conduct cost the match.

    Raises RulesError for a race to nothing, a side without members, or too many racks.
    """

    ruleset: Ruleset
    first_breaker: Side
    to: int = 1
    rack_winners: tuple[Side, ...] = ()
    members: tuple[tuple[str, ...], tuple[str, ...]] = (("A",), ("B",))
    forfeited: Side | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.to <= MAX_RACE:
            raise RulesError(f"race: got {self.to} racks to win, expected 1 to {MAX_RACE}")
        if self.first_breaker not in SIDES:
            raise RulesError(f"race: got first breaker {self.first_breaker!r}, expected A or B")
        if not all(self.members):
            raise RulesError("race: got a side without members, expected one or more on each")
        if any(winner not in SIDES for winner in self.rack_winners):
            raise RulesError(f"race: got rack winners {self.rack_winners}, expected A or B")
        for side in SIDES:
            if self.rack_winners[:-1].count(side) >= self.to:
                raise RulesError(f"race: got racks after {side} had won the race to {self.to}")

    def score(self, side: Side) -> int:
        """Racks won by a side."""
        return self.rack_winners.count(side)

    @property
    def winner(self) -> Side | None:
        """The side that has won the race, None while it is open."""
        if self.forfeited is not None:
            return other_side(self.forfeited)
        return next((side for side in SIDES if self.score(side) >= self.to), None)

    @property
    def breaker(self) -> Side:
        """Who breaks the rack that is being played, or the next one."""
        return breakers(self.ruleset.break_order, self.first_breaker, self.rack_winners)[-1]

    def rack(self) -> RackState:
        """A fresh rack for this point of the race. Raises RulesError if the race is won."""
        if self.winner is not None:
            raise RulesError(f"race: got another rack, expected none: {self.winner} has won")
        return new_rack(self.ruleset, self.breaker)

    def won_by(self, winner: Side) -> Race:
        """The race after one more rack. Raises RulesError if it was won before."""
        if self.winner is not None:
            raise RulesError(f"race: got another rack, expected none: {self.winner} has won")
        return replace(self, rack_winners=(*self.rack_winners, winner))

    def lost_by(self, side: Side) -> Race:
        """The race after a side lost the whole match by unsportsmanlike conduct."""
        return replace(self, forfeited=side)

    def member(self, side: Side, innings: int) -> str:
        """Who of a side plays its inning number `innings`, counted from 0, in turn."""
        players = self.members[0] if side == "A" else self.members[1]
        return players[innings % len(players)]


@dataclass(frozen=True, slots=True)
class NoProgress:
    """What bears on a stalemate.

    `unchanged_innings`: consecutive innings of each side without a significant change, and
    `judged` the referee's judgement that the game does not progress (None: he was not asked).
    `announced`, `turns` since then, `progress` since then, and `both_agree` belong to the
    announcement.
    """

    unchanged_innings: Mapping[Side, int]
    turns: Mapping[Side, int]
    judged: bool | None = None
    announced: bool = False
    progress: bool = False
    both_agree: bool = False


def is_stalemate(ruleset: Ruleset, seen: NoProgress) -> bool:
    """Whether the rack is a stalemate and has to be replayed with the same breaker.

    By innings (LBM 4-10): the referee judges that nothing changed in three innings of each.
    By announcement (WPA 1.12): once he has announced it, both agree, or three more turns of
    each bring no progress.
    """
    if seen.progress or seen.judged is False:
        return False
    enough = ruleset.stalemate_turns
    if ruleset.stalemate_form is StalemateForm.INNINGS:
        return bool(seen.judged) and all(
            seen.unchanged_innings.get(side, 0) >= enough for side in SIDES
        )
    return seen.announced and (
        seen.both_agree or all(seen.turns.get(side, 0) >= enough for side in SIDES)
    )
