"""The commands of a match: everything that a player, referee or program can do, as values.

A match is the list of its commands. Nothing else changes it, so a list of commands replays it.
`forms` gives each its JSON form. `Shoot`, `Lag` and `DeclareInfraction` carry the facts of what
happened once it has; without facts they are questions, and the reducer answers with an effect that
says what has to be simulated or ruled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import rules
from sim.game.facts import LagFacts, Positions, ShotFacts
from sim.game.setup import Setup
from sim.model.stroke import Stick, Stroke

__all__ = [
    "Acknowledge",
    "AgreeStalemate",
    "Aim",
    "AnnounceStalemate",
    "Arrange",
    "AskCall",
    "ChooseBreaker",
    "Choose",
    "ClockExpired",
    "Command",
    "Concede",
    "Declare",
    "DeclareInfraction",
    "ExtendClock",
    "Lag",
    "NextRack",
    "Penalise",
    "Place",
    "Redo",
    "Repeat",
    "Seat",
    "Shoot",
    "TakeStick",
    "Undo",
]


@dataclass(frozen=True)
class Seat:
    """Seat the players and settle ruleset, table, constants and race: the first command."""

    setup: Setup


@dataclass(frozen=True)
class Lag:
    """Both sides lag at once; `facts` once it was played. Strokes of A and of B."""

    a: Stroke
    b: Stroke
    facts: LagFacts | None = None


@dataclass(frozen=True)
class ChooseBreaker:
    """The winner of the lag (or anybody, without a lag) says which side breaks first."""

    breaker: rules.Side


@dataclass(frozen=True)
class Place:
    """Put a ball in hand at (x, y), m: the cue ball, or any ball in practice."""

    xy: tuple[float, float]
    ball: int = 0


@dataclass(frozen=True)
class Declare:
    """Declare the next shot: a call, a safety, a push-out, or the obvious call proposed."""

    declaration: rules.Declaration


@dataclass(frozen=True)
class AskCall:
    """The opponent asks which ball and which pocket; the shooter must answer before he shoots."""


@dataclass(frozen=True)
class Acknowledge:
    """The opponent acknowledges the push-out; if not, the shot is judged as an ordinary one."""

    accepted: bool = True


@dataclass(frozen=True)
class Aim:
    """The stroke as it is aimed now; nothing is struck."""

    stroke: Stroke


@dataclass(frozen=True)
class TakeStick:
    """Take this stick for the next stroke; in practice for all that follow."""

    stick: Stick


@dataclass(frozen=True)
class Shoot:
    """Play the stroke (None: as aimed); `facts` once it was played."""

    stroke: Stroke | None = None
    facts: ShotFacts | None = None


@dataclass(frozen=True)
class Choose:
    """Answer the open option."""

    side: rules.Side
    choice: str


@dataclass(frozen=True)
class DeclareInfraction:
    """Declare what the engine cannot see.

    `on`: "last", on the shot just played, before the next; "now", with nothing struck. `facts` is
    the new ruling once it was made.
    """

    infraction: rules.Infraction
    on: Literal["last", "now"] = "now"
    facts: ShotFacts | None = None


@dataclass(frozen=True)
class Penalise:
    """The referee chooses the penalty for the unsportsmanlike conduct just declared."""

    penalty: rules.Penalty
    facts: ShotFacts | None = None


@dataclass(frozen=True)
class AnnounceStalemate:
    """The referee judges that the rack makes no progress."""


@dataclass(frozen=True)
class AgreeStalemate:
    """A side agrees to play the rack again; when both do, it is."""

    side: rules.Side


@dataclass(frozen=True)
class Concede:
    """A side gives up the rack or the match."""

    side: rules.Side
    what: Literal["rack", "match"] = "rack"


@dataclass(frozen=True)
class ExtendClock:
    """The shooter takes an extension of the shot clock."""


@dataclass(frozen=True)
class ClockExpired:
    """The shot clock ran out on the shooter: slow play."""

    facts: ShotFacts | None = None


@dataclass(frozen=True)
class NextRack:
    """Rack the balls for the next rack; in practice at any time."""


@dataclass(frozen=True)
class Arrange:
    """Practice: these balls, here. The state is an ordinary shot of side A."""

    positions: Positions


@dataclass(frozen=True)
class Repeat:
    """Practice: everything as it was before the last shot."""


@dataclass(frozen=True)
class Undo:
    """Take back the last commands; a run of aims or placings counts as one."""

    steps: int = 1


@dataclass(frozen=True)
class Redo:
    """Do again what was taken back."""

    steps: int = 1


Command = (
    Seat
    | Lag
    | ChooseBreaker
    | Place
    | Declare
    | AskCall
    | Acknowledge
    | Aim
    | TakeStick
    | Shoot
    | Choose
    | DeclareInfraction
    | Penalise
    | AnnounceStalemate
    | AgreeStalemate
    | Concede
    | ExtendClock
    | ClockExpired
    | NextRack
    | Arrange
    | Repeat
    | Undo
    | Redo
)
