"""The state of one rack between shots: who is at the table, with what, and what is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from .errors import RulesError
from .ruleset import Ruleset
from .ruling import Decision
from .terms import OBJECT_BALLS, SIDES, TEN, CueBall, Kind, Side, WinReason, known, other_side


class Counts(NamedTuple):
    """Successive fouls of each side in this rack, 0 to 3."""

    a: int = 0
    b: int = 0

    def of(self, side: Side) -> int:
        """The count of one side."""
        return self.a if side == "A" else self.b

    def having(self, side: Side, count: int) -> Counts:
        """These counts with one side's changed."""
        return Counts(count, self.b) if side == "A" else Counts(self.a, count)


NO_FOULS: Final = Counts()


@dataclass(frozen=True, slots=True)
class RackState:
    """One rack between two shots. A value: every change makes a new one, so undo is the old one.

    `shooter` is the side at the table (while a decision is open or the rack is over: the side
    that shot last). `shot_number` counts strokes from 1, the break. `balls` are the object
    balls on the table. `warned` are the sides that were warned while on two fouls. `decision`
    is an open option, `winner` ends the rack; at most one of them is set.

    Raises RulesError for a state that cannot be.
    """

    ruleset: Ruleset
    breaker: Side
    shooter: Side
    shot_number: int = 1
    balls: frozenset[int] = OBJECT_BALLS
    cue_ball: CueBall = CueBall.IN_HAND_BEHIND_HEAD_STRING
    fouls: Counts = NO_FOULS
    warned: frozenset[Side] = frozenset()
    push_out_available: bool = False
    decision: Decision | None = None
    winner: Side | None = None
    win_reason: WinReason | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.ruleset, Ruleset):
            raise RulesError(f"rack state: got {self.ruleset!r}, expected a Ruleset")
        if not known(self.breaker, SIDES) or not known(self.shooter, SIDES):
            raise RulesError(
                f"rack state: got breaker {self.breaker!r} and shooter {self.shooter!r}, "
                "expected A or B"
            )
        if self.shot_number < 1:
            raise RulesError(f"rack state: got shot number {self.shot_number}, expected 1 or more")
        if not self.balls <= OBJECT_BALLS:
            raise RulesError(f"rack state: got balls {sorted(self.balls)}, expected some of 1..10")
        if self.winner is None:
            if TEN not in self.balls:
                raise RulesError("rack state: got no ten on the table, expected it until the win")
            if self.shot_number == 1 and self.balls != OBJECT_BALLS:
                raise RulesError(
                    f"rack state: got a break with balls {sorted(self.balls)}, expected all ten"
                )
            if self.win_reason is not None:
                raise RulesError("rack state: got a reason to win without a winner")
            lost = self.ruleset.fouls_to_lose
            if max(self.fouls) >= lost or min(self.fouls) < 0:
                raise RulesError(
                    f"rack state: got foul counts {tuple(self.fouls)}, expected 0 to {lost - 1} "
                    "while the rack is open"
                )
        elif self.decision is not None or self.push_out_available:
            raise RulesError("rack state: got an open option in a finished rack, expected none")
        if self.push_out_available and (self.shot_number == 1 or self.decision is not None):
            raise RulesError(
                "rack state: got a push-out on the break or under an open option, "
                "expected it only on a shot after the break"
            )

    @property
    def is_break(self) -> bool:
        """Whether the next stroke is the break."""
        return self.shot_number == 1

    @property
    def over(self) -> bool:
        """Whether the rack is won."""
        return self.winner is not None

    @property
    def next(self) -> Side | None:
        """Who shoots next: None while a decision is open or the rack is over."""
        return self.shooter if self.decision is None and self.winner is None else None

    @property
    def actor(self) -> Side | None:
        """Who has to act: the decider, or the shooter; None when the rack is over."""
        return self.decision.player if self.decision is not None else self.next

    @property
    def lowest(self) -> int | None:
        """The ball that must be contacted first, None if no ball is left."""
        return min(self.balls, default=None)

    @property
    def may_declare(self) -> tuple[Kind, ...]:
        """What the shooter may declare now."""
        if self.next is None:
            return ()
        if self.is_break:
            return (Kind.BREAK,)
        if self.push_out_available:
            return (Kind.SHOT, Kind.SAFETY, Kind.PUSH_OUT)
        return (Kind.SHOT, Kind.SAFETY)

    @property
    def warning_due(self) -> tuple[Side, ...]:
        """The sides one foul short of losing the rack that have not been warned of it."""
        if self.winner is not None or not self.ruleset.three_foul_warning_required:
            return ()
        brink = self.ruleset.fouls_to_lose - 1
        if brink not in self.fouls:
            return ()
        return tuple(
            side for side in SIDES if self.fouls.of(side) == brink and side not in self.warned
        )


def new_rack(ruleset: Ruleset, breaker: Side = "A") -> RackState:
    """A fresh rack: all ten balls up, cue ball in hand behind the head string, counts zero."""
    return RackState(ruleset, breaker, breaker)


def replay(state: RackState) -> RackState:
    """The rack that replaces a stalemated one: the same breaker, counts at zero (9.12, 4-10)."""
    fouls = state.fouls if state.ruleset.replay_keeps_fouls else Counts()
    warned = state.warned if state.ruleset.replay_keeps_fouls else frozenset()
    return RackState(state.ruleset, state.breaker, state.breaker, fouls=fouls, warned=warned)


def warn(state: RackState, side: Side) -> RackState:
    """The referee warns a side of its fouls; it takes effect for a side one foul from losing."""
    if not known(side, SIDES):
        raise RulesError(f"warning: got side {side!r}, expected A or B")
    if state.over:
        raise RulesError("warning: got a finished rack, expected an open one")
    if state.fouls.of(side) != state.ruleset.fouls_to_lose - 1:
        return state
    return _with(state, warned=state.warned | {side})


def concede(state: RackState, side: Side) -> RackState:
    """A side gives up the rack: the opponent wins it."""
    if not known(side, SIDES) or state.over:
        raise RulesError(f"concession: got {side!r}, expected A or B in an open rack")
    return RackState(
        state.ruleset,
        state.breaker,
        state.shooter,
        state.shot_number,
        state.balls,
        CueBall.NOT_APPLICABLE,
        state.fouls,
        state.warned,
        winner=other_side(side),
        win_reason=WinReason.CONCEDED,
    )


def _with(state: RackState, *, warned: frozenset[Side]) -> RackState:
    return RackState(
        state.ruleset,
        state.breaker,
        state.shooter,
        state.shot_number,
        state.balls,
        state.cue_ball,
        state.fouls,
        warned,
        state.push_out_available,
        state.decision,
    )
