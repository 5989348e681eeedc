"""What a record adds up to: who was contacted first, what reached a cushion, what went where.

Definitions 6.2, 6.3, 8.3, 8.4, 8.5 and 1.7 are worked out here, once, in one pass over the
record; the foul predicates then ask simple questions. A record that cannot have happened is
refused here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from .errors import RecordError
from .record import FoulCalled, Infraction, Seen, ShotRecord, Sighting
from .terms import CUE_BALL, TEN, Called, Sight, ball_name, same_cushion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .ruleset import Ruleset

_NEVER: Final = 1 << 30

# Bound once: in Python 3.11 looking a member up in its class costs ten times the comparison.
_CUE_CONTACT: Final = Sight.CUE_CONTACT
_BALL_BALL: Final = Sight.BALL_BALL
_CUSHION: Final = Sight.CUSHION
_LEAVES_RAIL: Final = Sight.LEAVES_RAIL
_JAW: Final = Sight.JAW
_RAIL_TOP: Final = Sight.RAIL_TOP
_ENTERS_POCKET: Final = Sight.ENTERS_POCKET
_LEAVES_POCKET: Final = Sight.LEAVES_POCKET
_POCKETED: Final = Sight.POCKETED
_SUPPORTED_OVER_POCKET: Final = Sight.SUPPORTED_OVER_POCKET
_DROPS_INTO_POCKET: Final = Sight.DROPS_INTO_POCKET
_OFF_TABLE: Final = Sight.OFF_TABLE
_FOREIGN_OBJECT: Final = Sight.FOREIGN_OBJECT
_PAST_HEAD_STRING: Final = Sight.PAST_HEAD_STRING


class Evidence(NamedTuple):
    """The sum of one record.

    `first_contacts` are the object balls that the cue ball touched first, several when they
    cannot be told apart in time. `cushion_first` says that the cue ball reached a cushion
    clearly before that; `rail_after_contact` that a ball was pocketed or driven to a cushion no
    earlier than that. `driven` are the object balls driven to a cushion at any time, pocketed
    and departed ones included; `up_table` those past the head string. `pocketed` maps each ball
    to its pocket, in order; `off_table` the balls off the table. `alone` says that the ten was
    the last object ball left when it was pocketed. `late` says that fouls were called too late.
    """

    stroke: bool
    first_contacts: frozenset[int]
    cushion_first: bool
    rail_after_contact: bool
    driven: frozenset[int]
    up_table: frozenset[int]
    pocketed: dict[int, str]
    off_table: frozenset[int]
    alone: bool
    infractions: tuple[Infraction, ...]
    late: bool


_NOTHING: Final[frozenset[int]] = frozenset()


def weigh(balls: frozenset[int], ruleset: Ruleset, record: ShotRecord) -> Evidence:
    """The evidence of a record, for a shot that began with these object balls on the table.

    Raises RecordError, with the index of the sighting, where the record cannot be.
    """
    scale = _Scale(balls, ruleset, record)
    present, driven, frozen = scale.present, scale.driven, scale.frozen
    stroke = record.stroke
    group = 0
    # The three commonest sightings are dealt with here, without a call.
    for index, seen in enumerate(record.sightings):
        if not isinstance(seen, Sighting):
            scale.note(seen, index)
            continue
        if not seen.same_instant:
            group = index
        ball, kind = seen.ball, seen.kind
        if ball not in present or not stroke or (seen.same_instant and index == 0):
            raise scale.impossible(ball, seen, index)
        if kind is _CUSHION:
            if frozen and scale.still_frozen(seen):
                continue
            scale.last_drive = group
            if ball:
                driven.add(ball)
            elif group < scale.cue_cushion:
                scale.cue_cushion = group
        elif kind is _BALL_BALL or kind is _CUE_CONTACT:
            if seen.other not in present:
                raise scale.impossible(seen.other or 0, seen, index)
            if kind is _CUE_CONTACT and group <= scale.first:
                scale.first = group
                scale.contacts.append(seen.other or 0)
        else:
            scale.see(seen, index, group)
    return scale.sum()


class _Scale:
    """The running totals of one pass; lives only inside `weigh`."""

    __slots__ = (
        "balls",
        "contacts",
        "cue_cushion",
        "driven",
        "first",
        "foreign",
        "frozen",
        "gone",
        "held",
        "infractions",
        "inside",
        "last_drive",
        "late",
        "left",
        "pocketed",
        "present",
        "record",
        "ruleset",
        "up_table",
    )

    def __init__(self, balls: frozenset[int], ruleset: Ruleset, record: ShotRecord) -> None:
        self.balls = balls
        self.ruleset = ruleset
        self.record = record
        self.present: set[int] = {CUE_BALL, *balls}
        self.first = _NEVER  # group of the first contact of the cue ball with an object ball
        self.contacts: list[int] = []
        self.cue_cushion = _NEVER  # group in which the cue ball first reached a cushion
        self.last_drive = -2  # group in which a ball last was pocketed or reached a cushion
        self.driven: set[int] = set()
        self.up_table: set[int] = set()
        self.pocketed: dict[int, str] = {}
        self.gone: set[int] = set()
        self.foreign: set[int] = set()
        self.inside: dict[int, str] = {}  # balls in a pocket that may still come out
        self.held: dict[int, tuple[str, int]] = {}  # balls over a pocket, and what supports them
        self.left: dict[int, int] = {}  # group in which each ball left play
        self.infractions: list[Infraction] = []
        self.late = False
        self.frozen: set[tuple[int, str]] = set()
        if record.frozen_to_cushion or record.frozen_to_cue:
            self._start_frozen()

    def _start_frozen(self) -> None:
        record = self.record
        for ball, _ in record.frozen_to_cushion:
            if ball not in self.present:
                raise RecordError(
                    f"frozen to a cushion: got {ball_name(ball)}, which is not on the table"
                )
        for ball in record.frozen_to_cue:
            if ball not in self.present:
                raise RecordError(
                    f"frozen to the cue ball: got {ball_name(ball)}, which is not on the table"
                )
        self.frozen.update(record.frozen_to_cushion)
        if record.stroke:
            moved = [
                ball
                for ball in record.frozen_to_cue
                if _moved_by_cue_ball(ball, record.frozen_to_cue, record.sightings)
            ]
            if moved:
                self.contacts = moved
                self.first = -1

    def note(self, seen: Infraction | FoulCalled, index: int) -> None:
        """Add what a person declared."""
        if isinstance(seen, Infraction):
            self.infractions.append(seen)
        elif isinstance(seen, FoulCalled):
            self.late = seen.when is Called.AFTER_NEXT_SHOT
        else:
            raise RecordError(f"sighting: got {seen!r}, expected what a referee can see", index)

    def see(self, seen: Sighting, index: int, group: int) -> None:
        """Add one sighting of the rarer kinds."""
        ball, kind, place = seen.ball, seen.kind, seen.place or ""
        if kind is _POCKETED:
            self._pocket(seen, index, group)
        elif kind is _JAW or kind is _RAIL_TOP:
            self._drive(ball, group)
        elif kind is _LEAVES_RAIL:
            if self.ruleset.frozen_ball_may_return:
                self.frozen -= {
                    pair for pair in self.frozen if pair[0] == ball and same_cushion(pair[1], place)
                }
        elif kind is _OFF_TABLE:
            self._depart(ball, group)
            self.present.discard(ball)
        elif kind is _FOREIGN_OBJECT:
            # The ball may roll on where all can see it, but it counts as off the table (8.5).
            self._depart(ball, group)
            self.foreign.add(ball)
        elif kind is _PAST_HEAD_STRING:
            if ball != CUE_BALL:
                self.up_table.add(ball)
        elif kind is _ENTERS_POCKET:
            if ball in self.inside:
                raise RecordError(
                    f"{kind}: got {ball_name(ball)}, which is in {self.inside[ball]} already",
                    index,
                )
            self.inside[ball] = place
        elif kind is _LEAVES_POCKET:
            if self.inside.pop(ball, None) != place:
                raise RecordError(
                    f"{kind}: got {ball_name(ball)} out of {place}, which it did not enter", index
                )
        elif kind is _SUPPORTED_OVER_POCKET:
            by = seen.other
            assert by is not None  # Sighting refuses a supported ball without a support
            if by not in self.present or by in self.inside or by in self.held:
                raise RecordError(
                    f"{kind}: got a support by {ball_name(by)}, which is not on the table", index
                )
            self.held[ball] = (place, by)
            self.left[ball] = group
            self._drive(ball, group)
        else:
            assert seen.seconds is not None  # Sighting refuses a drop without its time
            if seen.seconds <= self.ruleset.drop_grace_s:
                self._pocket(seen, index, group)

    def _pocket(self, seen: Sighting, index: int, group: int) -> None:
        ball, place = seen.ball, seen.place or ""
        entered = self.inside.pop(ball, place)
        rested = self.held.pop(ball, (place, 0))[0]
        if entered != place or rested != place:
            raise RecordError(
                f"{seen.kind}: got {ball_name(ball)} in {place}, "
                f"expected {entered if entered != place else rested}, where it was",
                index,
            )
        self.present.discard(ball)
        if ball in self.foreign:
            return
        self.pocketed[ball] = place
        self.left.setdefault(ball, group)
        self._drive(ball, group)

    def _depart(self, ball: int, group: int) -> None:
        self.inside.pop(ball, None)
        self.held.pop(ball, None)
        self.pocketed.pop(ball, None)
        self.gone.add(ball)
        self.left.setdefault(ball, group)
        self._drive(ball, group)

    def _drive(self, ball: int, group: int) -> None:
        self.last_drive = group
        if ball == CUE_BALL:
            self.cue_cushion = min(self.cue_cushion, group)
        else:
            self.driven.add(ball)

    def _ten_was_alone(self) -> bool:
        # Order inside one instant must not matter, so a ball that left with the ten had left.
        moment = self.left[TEN]
        return all(self.left.get(ball, _NEVER + 1) <= moment for ball in self.balls)

    def still_frozen(self, seen: Sighting) -> bool:
        """Whether a cushion contact is of a ball that was declared frozen there and stayed."""
        ball, place = seen.ball, seen.place or ""
        return any(pair[0] == ball and same_cushion(pair[1], place) for pair in self.frozen)

    def impossible(self, ball: int, seen: Sighting, index: int) -> RecordError:
        """Why this sighting of `ball` cannot be."""
        if not self.record.stroke:
            why = "expected no moving ball where nothing was struck"
        elif ball in self.present:
            why = "same_instant on the first sighting, expected one before it"
        elif ball in self.pocketed:
            why = f"which was pocketed in {self.pocketed[ball]} before"
        elif ball in self.gone:
            why = "which was off the table before"
        else:
            why = "which is not on the table"
        return RecordError(f"{seen.kind}: got {ball_name(ball)}, {why}", index)

    def sum(self) -> Evidence:
        """The totals, with balls left in or over a pocket counted as pocketed (8.3)."""
        for ball, place in self.inside.items():
            if ball not in self.foreign:
                self.pocketed[ball] = place
                self.left.setdefault(ball, _NEVER)
                self._drive(ball, _NEVER)
        for ball, (place, _) in self.held.items():
            if ball not in self.foreign:
                self.pocketed[ball] = place
        first = self.first
        return Evidence(
            self.record.stroke,
            frozenset(self.contacts) if self.contacts else _NOTHING,
            first != _NEVER and self.cue_cushion < first,
            first != _NEVER and self.last_drive >= first,
            frozenset(self.driven),
            frozenset(self.up_table),
            self.pocketed,
            frozenset(self.gone),
            TEN in self.pocketed and self._ten_was_alone(),
            tuple(self.infractions),
            self.late,
        )


def _moved_by_cue_ball(
    ball: int, frozen_to_cue: tuple[int, ...], sightings: Iterable[Seen]
) -> bool:
    """Whether a ball frozen to the cue ball moved before anything else can have moved it (6.7).

    The log may name the contact itself, and then that sighting speaks. Otherwise the ball moved
    of the stroke if it is seen moving before any ball that the stroke has set in motion met it.
    """
    moving: set[int] = set()
    for seen in sightings:
        if not isinstance(seen, Sighting):
            continue
        if seen.kind is _CUE_CONTACT or seen.kind is _BALL_BALL:
            pair = {seen.ball, seen.other}
            if ball in pair:
                struck_by = pair - {ball}
                return not (CUE_BALL in pair or struck_by & moving)
            moving |= {one for one in pair if one is not None and one not in frozen_to_cue}
        elif seen.ball == ball:
            return seen.kind is not _DROPS_INTO_POCKET
        else:
            moving.add(seen.ball)
    return False
