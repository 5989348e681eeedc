"""A match between two commands, and what its log keeps of each shot. Values only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import rules
from rules.race import Race
from sim.game.facts import ShotFacts
from sim.game.setup import Setup
from sim.model.layout import Layout
from sim.model.stroke import PLAYING_STICK, Stick, Stroke

__all__ = ["EMPTY", "Game", "Match", "PenaltyDue", "Phase", "ShotEntry"]


class Phase(StrEnum):
    """Where a match stands."""

    SEATING = "seating"
    LAG = "lag"
    CHOOSE_BREAKER = "choose_breaker"
    RACK = "rack"
    RACK_OVER = "rack_over"
    MATCH_OVER = "match_over"

    @property
    def where(self) -> str:
        """In words for a refusal: where the match stands."""
        return _WHERE[self]


_WHERE = {
    Phase.SEATING: "before anybody is seated",
    Phase.LAG: "before the lag is won",
    Phase.CHOOSE_BREAKER: "before the breaker is chosen",
    Phase.RACK: "during a rack",
    Phase.RACK_OVER: "after a rack, before the next",
    Phase.MATCH_OVER: "after the match",
}


@dataclass(frozen=True)
class ShotEntry:
    """One shot of the log, with all that is needed to show, judge or repeat it.

    `stroke` is None where nothing was struck (an infraction). `rack` and `layout` are as before the
    shot; `number` counts entries of the match from 1.
    """

    number: int
    rack_number: int
    side: rules.Side
    player: str
    inning: int
    declaration: rules.Declaration
    stroke: Stroke | None
    rack: rules.RackState | None
    layout: Layout
    facts: ShotFacts
    stick: Stick = PLAYING_STICK


@dataclass(frozen=True)
class PenaltyDue:
    """Unsportsmanlike conduct that waits for the referee's penalty."""

    infraction: rules.Infraction
    on_last: bool
    options: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """A match between two commands.

    Attributes:
        phase: where it stands.
        setup: None before anybody is seated.
        race: score and break order, from the choice of the breaker on.
        lag_winner: who chooses the breaker; None: either may.
        lags: lags played.
        rack_number: the rack being played or just over, from 1.
        replays: how often this rack was replayed after a stalemate.
        rack: the state of the law; None outside a rack, and in practice without a ten.
        layout: the balls for the next stroke.
        aim: the stroke as aimed.
        stick: for the next stroke; after it the playing stick again, but in practice.
        declaration: made for the next stroke; None: nothing yet.
        asked: the opponent asked for the call and has no answer yet.
        acknowledging: a push-out waits for the opponent's acknowledgement.
        penalty: what waits for the referee's penalty.
        turn: the side whose inning it is, and `innings` how many each side had in the match.
        turn_over: the running inning is over; the next player to shoot begins one.
        still: consecutive innings of each side without an object ball pocketed.
        announced: such innings of each since the referee announced a stalemate; None: he has not.
        agreed: sides that agree to a stalemate.
        extensions: extensions of the shot clock used in this rack; `extended` this shot has one.
        log: every shot so far.
        before_last: the match before the last shot, as long as a foul on it can be called.
    """

    phase: Phase = Phase.SEATING
    setup: Setup | None = None
    race: Race | None = None
    lag_winner: rules.Side | None = None
    lags: int = 0
    rack_number: int = 0
    replays: int = 0
    rack: rules.RackState | None = None
    layout: Layout | None = None
    aim: Stroke | None = None
    stick: Stick = PLAYING_STICK
    declaration: rules.Declaration | None = None
    asked: bool = False
    acknowledging: bool = False
    penalty: PenaltyDue | None = None
    turn: rules.Side | None = None
    innings: tuple[int, int] = (0, 0)
    turn_over: bool = True
    still: tuple[int, int] = (0, 0)
    announced: tuple[int, int] | None = None
    agreed: frozenset[rules.Side] = frozenset()
    extensions: tuple[int, int] = (0, 0)
    extended: bool = False
    log: tuple[ShotEntry, ...] = ()
    before_last: Match | None = None

    def having(self, **changes: object) -> Match:
        """This match with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]  # replace checks the names itself

    @property
    def shooter(self) -> rules.Side | None:
        """The side that may strike now; None if none may."""
        if self.phase is not Phase.RACK or self.layout is None:
            return None
        if self.rack is None:
            return "A" if self.setup is not None and self.setup.practice else None
        return self.rack.next

    def player(self, side: rules.Side) -> str:
        """Who of a side is at the table, or is next."""
        if self.setup is None:
            return side
        members = self.setup.sides[0 if side == "A" else 1]
        inning = self.innings[0 if side == "A" else 1]
        return members[max(inning - 1, 0) % len(members)]

    def side_name(self, side: rules.Side) -> str:
        """A side as people say it: its player, or its players joined."""
        return side if self.setup is None else " & ".join(self.setup.sides[side == "B"])

    def score(self, side: rules.Side) -> int:
        """Racks won."""
        return 0 if self.race is None else self.race.score(side)

    @property
    def winner(self) -> rules.Side | None:
        """Who has won the match."""
        return None if self.race is None else self.race.winner


EMPTY = Match()


@dataclass(frozen=True)
class Game:
    """A match with its past and future, for undo: `states[at]` is now.

    `kinds` names the command that led to each state; the first state is the empty match.
    """

    states: tuple[Match, ...] = (EMPTY,)
    kinds: tuple[str, ...] = ("start",)
    at: int = 0

    @property
    def now(self) -> Match:
        """The match as it stands."""
        return self.states[self.at]

    @property
    def can_undo(self) -> int:
        """How many steps can be taken back."""
        return self.at

    @property
    def can_redo(self) -> int:
        """How many steps can be done again."""
        return len(self.states) - 1 - self.at
