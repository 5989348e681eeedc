"""From a simulated shot to what a referee saw: `witness`.

Every threshold that needs a judge stands here (and in `frozen`): what cannot be told apart in
time, when a frozen ball has left its cushion, when a tip met the cue ball twice. The engine knows
times to the nanosecond and gaps to the nanometre; a referee does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import rules
from sim.game.frozen import cushion_gap, frozen_to_cue, frozen_to_cushion
from sim.game.stick import balls_touched
from sim.model.balls import CUE_BALL
from sim.model.table import CUSHIONS, POCKETS, Table

if TYPE_CHECKING:
    from sim.shot.result import Event, Result

__all__ = ["LEAVES_GAP", "SAME_INSTANT_S", "TOUCHING_GAP", "witness"]

SAME_INSTANT_S = 5e-4
"""Two contacts closer in time than this cannot be told apart (about two ball contact times)."""

LEAVES_GAP = 1e-3
"""A ball declared frozen has left its cushion when the gap is this wide, m."""

TOUCHING_GAP = 5e-5
"""Balls at rest closer than this support each other, m."""

_SAMPLE_S = 0.004  # between looks at a ball that may leave a cushion or cross a line

_Timed = tuple[float, int, rules.Sighting | rules.Infraction]


def witness(
    result: Result,
    *,
    frozen: Iterable[tuple[int, str]] | None = None,
    side: rules.Side = "A",
    infractions: Sequence[rules.Infraction] = (),
    head_string: bool = False,
) -> rules.ShotRecord:
    """What a referee saw of a shot, in order.

    Args:
        result: of `sim.simulate`.
        frozen: (ball, cushion) pairs declared frozen before the stroke; None: the referee declares
            every ball within FROZEN_GAP (0.1 mm) of a cushion.
        side: who shot; stick faults are declared on it.
        infractions: what people declared on top, put at the end.
        head_string: whether object balls that cross the head string are noted (three-point break).

    Returns:
        a record that `rules.adjudicate` takes. Deterministic.
    """
    start = result.layout
    declared = frozen_to_cushion(start) if frozen is None else tuple(frozen)
    touching = frozen_to_cue(start)
    seen: list[_Timed] = []
    for index, event in enumerate(result.events):
        for sighting in _sightings(event, result, side, touching):
            seen.append((event.t, index, sighting))
    last = len(result.events)
    seen += _pocket_visits(result.events)
    seen += _rail_visits(result)
    seen += [(t, -1, rules.leaves_rail(b, c)) for t, b, c in _departures(result, declared)]
    if head_string:
        seen += [(t, last, rules.past_head_string(b)) for t, b in _crossings(result)]
    seen += _supported(result, last)
    seen += _resting_off(result, last)
    seen.sort(key=lambda item: item[:2])
    return rules.ShotRecord(
        (*_told_apart(seen), *infractions),
        frozen_to_cushion=declared,
        frozen_to_cue=touching,
    )


def _sightings(
    event: Event, result: Result, side: rules.Side, touching: tuple[int, ...]
) -> list[rules.Sighting | rules.Infraction]:
    """What one event shows by itself."""
    kind, ball, other = event.kind, event.ball, event.other
    if kind == "ball_ball" and isinstance(other, int):
        return [rules.ball_ball(ball, other)]
    if kind == "cushion":
        return [rules.cushion(ball, _cushion_name(event, result.table))]
    if kind == "jaw":
        return [rules.jaw(ball, _pocket_name(event, result.table))]
    if kind == "pocketed":
        return [rules.pocketed(ball, _pocket_name(event, result.table))]
    if kind == "off_table":
        return [rules.off_table(ball)]
    if kind in ("tip_again", "push"):
        return list(_stick_faults(event, result, side, touching))
    if kind == "stick_touch":
        return [
            rules.Infraction(
                rules.FoulCode.TOUCHED_BALL, side, touched, accidental=True, no_effect=True
            )
            for touched in _touched(event, result)
        ]
    return []


def _touched(event: Event, result: Result) -> tuple[int, ...]:
    """The balls a stick touched: named by the event, or found where it lay.

    A stick that only brushes a cushion is no foul. The engine does not move what the stick brushes.
    """
    if isinstance(event.other, int):
        return (event.other,)
    if event.ball != CUE_BALL:
        return (event.ball,)
    if event.other is not None or result.stroke is None or result.elevation is None:
        return ()
    return balls_touched(result.layout, result.stroke, result.stick, result.elevation)


def _stick_faults(
    event: Event, result: Result, side: rules.Side, touching: tuple[int, ...]
) -> Iterable[rules.Infraction]:
    """Double hit (6.7) and push shot (6.8).

    A tip that is still on the cue ball when that meets a near ball is both: the second by name, the
    first by the words of 6.7. A cue ball frozen to the ball it is shot into may stay on the tip.
    """
    first = _first_contact(result.events)
    if first is not None and first[1] in touching and first[0] <= event.t + 1e-9:
        return
    yield rules.Infraction(rules.FoulCode.DOUBLE_HIT, side)
    if event.kind == "push":
        yield rules.Infraction(rules.FoulCode.PUSH_SHOT, side)


def _first_contact(events: Sequence[Event]) -> tuple[float, int] | None:
    """When the cue ball first met an object ball, and which."""
    for event in events:
        if event.kind == "ball_ball" and CUE_BALL in (event.ball, event.other):
            return event.t, event.ball or int(event.other or 0)
    return None


def _told_apart(seen: Sequence[_Timed]) -> Iterable[rules.Sighting | rules.Infraction]:
    """Flag every contact that cannot be told apart from the first of its instant.

    The instant is counted from its first contact, so that a chain of close contacts does not
    stretch it. Only ball and cushion contacts are told apart or not; a stick fault declared by the
    referee stands by itself and is written once.
    """
    began = -math.inf
    faults: set[rules.FoulCode] = set()
    for t, _, item in seen:
        if isinstance(item, rules.Infraction):
            if item.kind not in faults or item.kind is rules.FoulCode.TOUCHED_BALL:
                faults.add(item.kind)
                yield item
        elif t - began <= SAME_INSTANT_S:
            yield replace(item, same_instant=True)
        else:
            began = t
            yield item


def _pocket_visits(events: Sequence[Event]) -> list[_Timed]:
    """Balls that went into a pocket and came back out: they were not pocketed (8.3)."""
    seen: list[_Timed] = []
    entered: dict[int, int] = {}
    for index, event in enumerate(events):
        if event.kind in ("pocket_edge", "liner"):
            entered.setdefault(event.ball, index)
        elif event.kind == "pocketed":
            entered.pop(event.ball, None)
        elif event.kind == "pocket_exit":
            into = entered.pop(event.ball, index)
            pocket = str(event.other)
            seen.append((events[into].t, into, rules.enters_pocket(event.ball, pocket)))
            seen.append((event.t, index, rules.leaves_pocket(event.ball, pocket)))
    return seen


def _rail_visits(result: Result) -> list[_Timed]:
    """Balls that ran along the rail top and came back; one sighting a visit."""
    seen: list[_Timed] = []
    on_rail: set[int] = set()
    for index, event in enumerate(result.events):
        ball = event.ball
        if event.kind == "rail_top":
            if ball not in on_rail and ball not in result.off_table:
                place = _cushion_name(event, result.table)
                seen.append((event.t, index, rules.rail_top(ball, place)))
            on_rail.add(ball)
        elif event.kind in ("bed", "land", "cushion", "jaw", "liner") and ball in on_rail:
            on_rail.discard(ball)
    return seen


def _departures(
    result: Result, declared: Iterable[tuple[int, str]]
) -> list[tuple[float, int, str]]:
    """When each ball declared frozen first stood LEAVES_GAP off its cushion: (t, ball, cushion)."""
    found = []
    for ball, cushion in declared:
        if ball not in result.balls:
            continue
        times = _times(result, ball)
        positions = result.states(times)[:, result.balls.index(ball), :2].tolist()
        gone = _gone_at(result, ball)
        for t, (x, y) in zip(times, positions, strict=True):
            if t > gone:
                break
            gap = cushion_gap(result.layout, (float(x), float(y)), cushion)
            if LEAVES_GAP < gap < math.inf or (
                math.isinf(gap) and _off_wall(result, float(x), float(y))
            ):
                found.append((float(t), ball, cushion))
                break
    return found


def _off_wall(result: Result, x: float, y: float) -> bool:
    """Whether a ball not in front of its cushion any more is clear of every nose as well."""
    reach = result.table.nose_contact(result.layout.ball_radius)
    return float(result.table.geometry.nose_distance(x, y)) > reach + LEAVES_GAP


def _crossings(result: Result) -> list[tuple[float, int]]:
    """When each object ball was first past the head string: (t, ball)."""
    line = result.table.head_string
    found = []
    for ball in result.balls:
        if ball == CUE_BALL or float(result.layout[ball][1]) < line:
            continue
        times = _times(result, ball)
        ys = result.states(times)[:, result.balls.index(ball), 1]
        past = np.flatnonzero((ys < line) & (times <= _gone_at(result, ball)))
        if past.size:
            found.append((float(times[past[0]]), ball))
    return found


def _times(result: Result, ball: int) -> np.ndarray:
    """Times to look at a ball: a grid of 4 ms and every event it is in."""
    grid = np.arange(0.0, result.duration, _SAMPLE_S)
    own = [e.t for e in result.events if ball in (e.ball, e.other)]
    return np.unique(np.concatenate([grid, own, [result.duration]]))


def _gone_at(result: Result, ball: int) -> float:
    """When a ball was pocketed or left the table; inf if it stayed."""
    for event in result.events:
        if event.ball == ball and event.kind in ("pocketed", "off_table"):
            return float(event.t)
    return math.inf


def _resting_off(result: Result, index: int) -> list[_Timed]:
    """Balls at rest off the bed (8.5) that no event of the engine reported as gone: on a rail."""
    told = {e.ball for e in result.events if e.kind == "off_table"}
    return [
        (result.duration, index, rules.off_table(ball))
        for ball in sorted(result.off_table)
        if ball not in told
    ]


def _supported(result: Result, index: int) -> list[_Timed]:
    """Balls that rest over a pocket only because another holds them (8.3), the deepest first."""
    final, geometry = result.final, result.table.geometry
    over: list[tuple[float, int, int]] = []
    for ball in final.balls:
        place = (float(final[ball][0]), float(final[ball][1]))
        hole = geometry.hole_at(*place)
        if hole >= 0:
            over.append((math.dist(place, geometry.pockets[hole].centre), ball, hole))
    seen: list[_Timed] = []
    held: set[int] = set()
    for _, ball, hole in sorted(over):
        by = _support(result, ball)
        if by is None:
            continue
        held.add(ball)
        if by in held:  # two that hold each other: the second falls when the first is taken out
            seen.append((result.duration, index, rules.pocketed(ball, POCKETS[hole])))
        else:
            sighting = rules.supported_over_pocket(ball, POCKETS[hole], by)
            seen.append((result.duration, index, sighting))
    return seen


def _support(result: Result, ball: int) -> int | None:
    """The ball that touches a hanging ball, nearest first; None if no ball does."""
    final = result.final
    reach = 2 * final.ball_radius + TOUCHING_GAP
    near = [(math.dist(final[ball], final[other]), other) for other in final.balls if other != ball]
    holding = [(gap, other) for gap, other in near if gap <= reach]
    return min(holding)[1] if holding else None


def _cushion_name(event: Event, table: Table) -> str:
    """The cushion of an event, by name or by where it happened."""
    if event.other in CUSHIONS:
        return str(event.other)
    x, y = event.position[0], event.position[1]
    ends = "head" if y < table.length / 2 else "foot"
    over_end = min(y, table.length - y)
    over_side = min(x, table.width - x)
    if over_end < over_side:
        return ends
    return f"{'left' if x < table.width / 2 else 'right'}_{ends}"


def _pocket_name(event: Event, table: Table) -> str:
    """The pocket of an event, by name or by where it happened."""
    if event.other in POCKETS:
        return str(event.other)
    pockets = table.geometry.pockets
    nearest = min(pockets, key=lambda p: math.dist(p.centre, event.position[:2]))
    return POCKETS[nearest.pocket]
