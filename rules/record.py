"""What a referee saw of one shot, in order.

A ShotRecord holds sightings of balls, infractions that a person declares, and the moment a foul
was called. `same_instant` on a sighting says that it cannot be told apart in time from the one
before it. What was declared frozen before the stroke stands in the record too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Final

from .errors import RecordError
from .terms import (
    BALLS,
    CUE_BALL,
    CUSHIONS,
    INFRACTION_CODES,
    OBJECT_BALLS,
    POCKETS,
    SIDES,
    Called,
    FoulCode,
    Penalty,
    Side,
    Sight,
    known,
)

_AT_CUSHION: Final = frozenset({Sight.CUSHION, Sight.LEAVES_RAIL, Sight.RAIL_TOP})
_AT_POCKET: Final = frozenset(
    {
        Sight.JAW,
        Sight.ENTERS_POCKET,
        Sight.LEAVES_POCKET,
        Sight.POCKETED,
        Sight.SUPPORTED_OVER_POCKET,
        Sight.DROPS_INTO_POCKET,
    }
)
_TWO_BALLS: Final = frozenset({Sight.CUE_CONTACT, Sight.BALL_BALL, Sight.SUPPORTED_OVER_POCKET})


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing seen.

    `ball` did it; `other` is the second ball (of a contact, or the support of a ball over a
    pocket), `place` the cushion or pocket, `seconds` how long after rest a ball dropped, `what`
    the foreign object. A cue contact has ball 0 and the object ball as `other`.

    Raises RecordError for a ball, cushion or pocket that does not exist.
    """

    kind: Sight
    ball: int
    other: int | None = None
    place: str | None = None
    seconds: float | None = None
    what: str | None = None
    same_instant: bool = False

    def __post_init__(self) -> None:
        kind = self.kind
        if not known(self.ball, BALLS):
            raise RecordError(f"{kind}: got ball {self.ball!r}, expected 0 (cue ball) to 10")
        if kind in _TWO_BALLS:
            if not known(self.other, BALLS) or self.other == self.ball:
                raise RecordError(
                    f"{kind}: got second ball {self.other!r}, expected another ball 0..10"
                )
            if kind is not Sight.SUPPORTED_OVER_POCKET and (
                (self.ball == CUE_BALL) != (kind is Sight.CUE_CONTACT) or self.other == CUE_BALL
            ):
                raise RecordError(
                    f"{kind}: got balls {self.ball} and {self.other}, expected the cue ball "
                    "first in a cue contact and in no other contact"
                )
        elif self.other is not None:
            raise RecordError(f"{kind}: got a second ball {self.other!r}, expected none")
        if kind in _AT_CUSHION:
            if not known(self.place, CUSHIONS):
                raise RecordError(
                    f"{kind}: got cushion {self.place!r}, expected one of {', '.join(CUSHIONS)}"
                )
        elif kind in _AT_POCKET:
            if not known(self.place, POCKETS):
                raise RecordError(
                    f"{kind}: got pocket {self.place!r}, expected one of {', '.join(POCKETS)}"
                )
        elif self.place is not None:
            raise RecordError(f"{kind}: got a place {self.place!r}, expected none")
        if kind is Sight.DROPS_INTO_POCKET:
            if self.seconds is None or not isfinite(self.seconds) or self.seconds < 0:
                raise RecordError(
                    f"{kind}: got {self.seconds!r} seconds after rest, expected a number >= 0"
                )
        elif self.seconds is not None:
            raise RecordError(f"{kind}: got seconds {self.seconds!r}, expected none")
        if (self.what is not None) != (kind is Sight.FOREIGN_OBJECT):
            raise RecordError(f"{kind}: got object {self.what!r}, expected one only if foreign")


@dataclass(frozen=True, slots=True)
class Infraction:
    """What only a person can see, declared by the referee or the players.

    `side` committed it. `ball`, `accidental` and `no_effect` belong to a touched ball; `penalty`
    to unsportsmanlike conduct, where the referee must choose one before there is a ruling.
    """

    kind: FoulCode
    side: Side
    ball: int | None = None
    accidental: bool = False
    no_effect: bool = False
    penalty: Penalty | None = None

    def __post_init__(self) -> None:
        if not known(self.kind, INFRACTION_CODES):
            raise RecordError(
                f"infraction: got {self.kind!r}, expected one of "
                f"{', '.join(sorted(INFRACTION_CODES))}"
            )
        if not known(self.side, SIDES):
            raise RecordError(f"{self.kind}: got side {self.side!r}, expected A or B")
        if self.kind is FoulCode.TOUCHED_BALL:
            if not known(self.ball, BALLS):
                raise RecordError(f"{self.kind}: got ball {self.ball!r}, expected 0 to 10")
        elif self.ball is not None or self.accidental or self.no_effect:
            raise RecordError(f"{self.kind}: got a ball or a mitigation, expected none")
        if self.penalty is not None and self.kind is not FoulCode.UNSPORTSMANLIKE:
            raise RecordError(f"{self.kind}: got penalty {self.penalty!r}, expected none")


@dataclass(frozen=True, slots=True)
class FoulCalled:
    """When the fouls of this shot were called."""

    when: Called = Called.AFTER_NEXT_SHOT


Seen = Sighting | Infraction | FoulCalled


@dataclass(frozen=True, slots=True)
class ShotRecord:
    """One shot as the referee saw it.

    `sightings` in order; `frozen_to_cushion` the pairs (ball, cushion) declared frozen before
    the stroke; `frozen_to_cue` the object balls declared frozen to the cue ball; `stroke` is
    False when nothing was struck and only infractions happened.
    """

    sightings: tuple[Seen, ...] = ()
    frozen_to_cushion: tuple[tuple[int, str], ...] = ()
    frozen_to_cue: tuple[int, ...] = ()
    stroke: bool = True

    def __post_init__(self) -> None:
        for ball, place in self.frozen_to_cushion:
            if not known(ball, BALLS) or not known(place, CUSHIONS):
                raise RecordError(
                    f"frozen to a cushion: got ball {ball!r} at {place!r}, "
                    "expected a ball 0..10 and a cushion"
                )
        for ball in self.frozen_to_cue:
            if not known(ball, OBJECT_BALLS):
                raise RecordError(
                    f"frozen to the cue ball: got {ball!r}, expected an object ball 1..10"
                )


def cue_contact(ball: int, *, same_instant: bool = False) -> Sighting:
    """The cue ball touched object ball `ball`."""
    return Sighting(Sight.CUE_CONTACT, CUE_BALL, ball, same_instant=same_instant)


def ball_ball(one: int, two: int, *, same_instant: bool = False) -> Sighting:
    """Two object balls touched."""
    if CUE_BALL in (one, two):
        return cue_contact(two if one == CUE_BALL else one, same_instant=same_instant)
    return Sighting(Sight.BALL_BALL, one, two, same_instant=same_instant)


def cushion(ball: int, place: str, *, same_instant: bool = False) -> Sighting:
    """A ball touched a cushion."""
    return Sighting(Sight.CUSHION, ball, place=place, same_instant=same_instant)


def leaves_rail(ball: int, place: str, *, same_instant: bool = False) -> Sighting:
    """A ball declared frozen to a cushion separated from it."""
    return Sighting(Sight.LEAVES_RAIL, ball, place=place, same_instant=same_instant)


def jaw(ball: int, pocket: str, *, same_instant: bool = False) -> Sighting:
    """A ball touched the jaws of a pocket."""
    return Sighting(Sight.JAW, ball, place=pocket, same_instant=same_instant)


def rail_top(ball: int, place: str, *, same_instant: bool = False) -> Sighting:
    """A ball ran along the rail top and came back."""
    return Sighting(Sight.RAIL_TOP, ball, place=place, same_instant=same_instant)


def enters_pocket(ball: int, pocket: str, *, same_instant: bool = False) -> Sighting:
    """A ball went into a pocket and may still come out."""
    return Sighting(Sight.ENTERS_POCKET, ball, place=pocket, same_instant=same_instant)


def leaves_pocket(ball: int, pocket: str, *, same_instant: bool = False) -> Sighting:
    """A ball came back out of a pocket: it was not pocketed."""
    return Sighting(Sight.LEAVES_POCKET, ball, place=pocket, same_instant=same_instant)


def pocketed(ball: int, pocket: str, *, same_instant: bool = False) -> Sighting:
    """A ball was pocketed for good."""
    return Sighting(Sight.POCKETED, ball, place=pocket, same_instant=same_instant)


def supported_over_pocket(
    ball: int, pocket: str, by: int, *, same_instant: bool = False
) -> Sighting:
    """A ball rests over a pocket, held only by ball `by`: it counts as pocketed (8.3)."""
    return Sighting(Sight.SUPPORTED_OVER_POCKET, ball, by, place=pocket, same_instant=same_instant)


def drops_into_pocket(
    ball: int, pocket: str, seconds: float, *, same_instant: bool = False
) -> Sighting:
    """A ball dropped by itself, `seconds` after all balls had come to rest (1.7)."""
    return Sighting(
        Sight.DROPS_INTO_POCKET, ball, place=pocket, seconds=seconds, same_instant=same_instant
    )


def off_table(ball: int, *, same_instant: bool = False) -> Sighting:
    """A ball came to rest off the table (8.5)."""
    return Sighting(Sight.OFF_TABLE, ball, same_instant=same_instant)


def foreign_object(ball: int, what: str, *, same_instant: bool = False) -> Sighting:
    """A ball was returned by something that is not the table: it was off the table (8.5)."""
    return Sighting(Sight.FOREIGN_OBJECT, ball, what=what, same_instant=same_instant)


def past_head_string(ball: int, *, same_instant: bool = False) -> Sighting:
    """A ball crossed the head string (three-point break, regulation 18)."""
    return Sighting(Sight.PAST_HEAD_STRING, ball, same_instant=same_instant)
