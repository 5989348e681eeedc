"""Where a ball can be potted from: ghost balls, banks, combinations, as plain geometry.

Nothing is simulated here. A `Pot` says which ball into which pocket, where the cue ball has to be
when it meets the first ball (the ghost ball), and how hard that looks; the engine judges the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.table import POCKETS, Table

__all__ = ["Pot", "bank_pots", "combination_pots", "direct_pots", "kicks", "pocket_target"]

Point = tuple[float, float]

_STEEPEST_CUT = math.cos(math.radians(78.0))
_SIDE_LIMIT = math.cos(math.radians(62.0))  # from a side pocket's axis
_CORNER_LIMIT = math.cos(math.radians(75.0))
_CLEARANCE = 5e-4  # kept from other balls on the way, m


@dataclass(frozen=True)
class Pot:
    """One way to pot a ball.

    Attributes:
        ball, pocket: what is called.
        first: the ball the cue ball meets.
        ghost: centre of the cue ball when it meets `first`, (x, y), m.
        azimuth: from the cue ball to the ghost ball, radians.
        cut: angle between the cue ball's path and the object ball's, radians.
        reach: cue ball to ghost ball, m; `run`: path of the called ball to its pocket, m.
        tolerance: how far the azimuth may be off before the pot is missed, radians, about.
        via: direct, bank or combination.
    """

    ball: int
    pocket: str
    first: int
    ghost: Point
    azimuth: float
    cut: float
    reach: float
    run: float
    tolerance: float
    via: Literal["direct", "bank", "combination"] = "direct"


def pocket_target(table: Table, pocket: str, ball_radius: float) -> Point:
    """The point a ball is sent to: in the mouth, just inside the line of the pocket's points."""
    mouth = table.geometry.pockets[POCKETS.index(pocket)]
    (ax, ay), (bx, by) = mouth.points
    inside = 0.3 * ball_radius
    return (ax + bx) / 2 - inside * mouth.axis[0], (ay + by) / 2 - inside * mouth.axis[1]


def direct_pots(layout: Layout, ball: int, cue: Point | None = None) -> list[Pot]:
    """Open pots of `ball` straight into a pocket, the easiest first; none: an empty list.

    Geometry only: `pot.azimuth` aims at the ghost ball, throw and squirt are the player's to allow for.
    `cue` stands for the cue ball where it is not in the layout or not there.

    >>> import sim
    >>> layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 1.2), 1: (0.9, 1.9)})
    >>> pot = direct_pots(layout, 1)[0]
    >>> sim.simulate(layout, sim.Stroke(speed=2.0, azimuth=pot.azimuth)).pocketed == {1: pot.pocket}
    True
    """
    start = _place(layout, CUE_BALL) if cue is None else cue
    found = []
    for pocket in POCKETS:
        target = pocket_target(layout.table, pocket, layout.ball_radius)
        pot = _pot(layout, start, ball, pocket, target)
        if pot is not None:
            found.append(pot)
    return sorted(found, key=lambda p: (-p.tolerance, p.pocket))


def bank_pots(layout: Layout, ball: int, cue: Point | None = None) -> list[Pot]:
    """Pots of `ball` over one cushion, by mirror, the easiest first."""
    start = _place(layout, CUE_BALL) if cue is None else cue
    table, radius = layout.table, layout.ball_radius
    reach = table.nose_contact(radius)
    found = []
    for pocket in POCKETS:
        target = pocket_target(table, pocket, radius)
        for mirrored, bounce in _mirrors(table, _place(layout, ball), target, reach):
            if not _fits(layout, bounce, radius, (ball,), to=_place(layout, ball)):
                continue
            if not _fits(layout, bounce, radius, (ball,), to=target):
                continue
            pot = _pot(layout, start, ball, pocket, mirrored, via="bank", stop=bounce)
            if pot is not None:
                found.append(pot)
    return sorted(found, key=lambda p: (-p.tolerance, p.pocket))


def combination_pots(
    layout: Layout, lowest: int, others: Iterable[int], cue: Point | None = None
) -> list[Pot]:
    """Pots of another ball by `lowest`, the easiest first."""
    start = _place(layout, CUE_BALL) if cue is None else cue
    table, radius = layout.table, layout.ball_radius
    found = []
    for ball in others:
        if ball == lowest:
            continue
        for pocket in POCKETS:
            target = pocket_target(table, pocket, radius)
            second = _pot(layout, _place(layout, lowest), ball, pocket, target, striker=lowest)
            if second is None or second.reach > 0.8:
                continue
            first = _pot(layout, start, lowest, pocket, second.ghost, free=(ball,), open_end=True)
            if first is None:
                continue
            # The first ball has to arrive within what the second allows.
            turn = second.tolerance
            slack = (
                turn * 2 * radius * max(math.cos(first.cut), 0.05) / max(first.reach, 2 * radius)
            )
            tolerance = min(first.tolerance, slack)
            found.append(
                Pot(ball, pocket, lowest, first.ghost, first.azimuth, first.cut, first.reach,
                    second.run, tolerance, "combination")
            )  # fmt: skip
    return sorted(found, key=lambda p: (-p.tolerance, p.ball, p.pocket))


def kicks(layout: Layout, ball: int) -> Iterator[float]:
    """Azimuths that reach `ball`, straight or over one cushion, where nothing is between."""
    start, goal = _place(layout, CUE_BALL), _place(layout, ball)
    radius = layout.ball_radius
    if _fits(layout, start, radius, (CUE_BALL, ball), to=goal):
        yield _heading(start, goal)
    reach = layout.table.nose_contact(radius)
    for mirrored, bounce in _mirrors(layout.table, start, goal, reach):
        if _fits(layout, start, radius, (CUE_BALL, ball), to=bounce) and _fits(
            layout, bounce, radius, (CUE_BALL, ball), to=goal
        ):
            yield _heading(start, mirrored)


def _pot(
    layout: Layout,
    start: Point,
    ball: int,
    pocket: str,
    target: Point,
    *,
    via: Literal["direct", "bank"] = "direct",
    stop: Point | None = None,
    striker: int = CUE_BALL,
    free: tuple[int, ...] = (),
    open_end: bool = False,
) -> Pot | None:
    """The pot of `ball` to `target` (a mirrored one for a bank, first as far as `stop`)."""
    radius = layout.ball_radius
    place = _place(layout, ball)
    run = math.dist(place, target)
    if run < 1e-6:
        return None
    ux, uy = (target[0] - place[0]) / run, (target[1] - place[1]) / run
    ghost = (place[0] - 2 * radius * ux, place[1] - 2 * radius * uy)
    reach = math.dist(start, ghost)
    gx, gy = ghost[0] - start[0], ghost[1] - start[1]
    distance = math.hypot(gx, gy)
    cosine = 1.0 if distance < 1e-9 else (gx * ux + gy * uy) / distance
    if cosine < _STEEPEST_CUT:
        return None
    if not open_end and stop is None and not _enters(layout.table, pocket, (ux, uy)):
        return None
    if not _on_bed(layout, ghost):
        return None
    skip = (ball, striker, CUE_BALL, *free)
    if not _fits(layout, start, radius, skip, to=ghost):
        return None
    end = target if stop is None else stop
    if not _fits(layout, place, radius, (ball, striker, CUE_BALL, *free), to=end):
        return None
    width = _opening(layout.table, pocket, radius, (ux, uy)) if stop is None else radius
    if open_end:
        width = 2 * radius
    # An error in azimuth moves the contact point by reach x error; the object ball turns by that
    # over 2R cos(cut), and may turn by its share of the opening.
    turn = width / max(run, 0.05)
    tolerance = turn * 2 * radius * max(cosine, 0.05) / max(reach, 2 * radius)
    if via == "bank":
        tolerance *= 0.4  # the cushion is not known as well as a straight line
    return Pot(
        ball, pocket, ball, ghost, _heading(start, ghost), math.acos(min(cosine, 1.0)), reach, run,
        tolerance, via,
    )  # fmt: skip


def _place(layout: Layout, ball: int) -> Point:
    return float(layout[ball][0]), float(layout[ball][1])


def _heading(start: Point, goal: Point) -> float:
    return math.atan2(goal[1] - start[1], goal[0] - start[0])


def _enters(table: Table, pocket: str, direction: Point) -> bool:
    """Whether a ball moving this way can go in: not too steep across the mouth."""
    axis = table.geometry.pockets[POCKETS.index(pocket)].axis
    cosine = -(axis[0] * direction[0] + axis[1] * direction[1])
    return cosine > (_SIDE_LIMIT if pocket.startswith("side") else _CORNER_LIMIT)


def _opening(table: Table, pocket: str, radius: float, direction: Point) -> float:
    """Half the room a ball has beside itself in the mouth, seen from where it comes, m."""
    mouth = table.geometry.pockets[POCKETS.index(pocket)]
    cosine = -(mouth.axis[0] * direction[0] + mouth.axis[1] * direction[1])
    width = math.dist(*mouth.points)
    return max((width * max(cosine, 0.1) - 2 * radius) / 2, 0.002)


def _on_bed(layout: Layout, place: Point) -> bool:
    reach = layout.table.nose_contact(layout.ball_radius)
    x, y = place
    table = layout.table
    return reach <= x <= table.width - reach and reach <= y <= table.length - reach


def _fits(
    layout: Layout, start: Point, radius: float, without: tuple[int, ...], *, to: Point
) -> bool:
    """Whether a ball can go straight from start to `to` without meeting another."""
    dx, dy = to[0] - start[0], to[1] - start[1]
    length2 = dx * dx + dy * dy
    room = (2 * radius + _CLEARANCE) ** 2
    for ball in layout.balls:
        if ball in without:
            continue
        ox, oy = float(layout[ball][0]) - start[0], float(layout[ball][1]) - start[1]
        along = 0.0 if length2 == 0 else min(max((ox * dx + oy * dy) / length2, 0.0), 1.0)
        ex, ey = ox - along * dx, oy - along * dy
        if ex * ex + ey * ey < room:
            return False
    return True


def _mirrors(
    table: Table, start: Point, goal: Point, reach: float
) -> Iterator[tuple[Point, Point]]:
    """(goal mirrored in a cushion, where the path meets that cushion) for each cushion met."""
    for axis, line in ((0, reach), (0, table.width - reach), (1, reach), (1, table.length - reach)):
        mirrored = (2 * line - goal[0], goal[1]) if axis == 0 else (goal[0], 2 * line - goal[1])
        ahead = mirrored[axis] - start[axis]
        if abs(ahead) < 1e-9:
            continue
        share = (line - start[axis]) / ahead
        if not 0.0 < share < 1.0:
            continue
        bounce = (
            start[0] + share * (mirrored[0] - start[0]),
            start[1] + share * (mirrored[1] - start[1]),
        )
        if _plain_cushion(table, bounce, axis):
            yield mirrored, bounce


def _plain_cushion(table: Table, place: Point, axis: int) -> bool:
    """Whether a cushion is met well away from its pockets."""
    margin = 0.12
    if axis == 1:
        return margin < place[0] < table.width - margin
    from_middle = abs(place[1] - table.length / 2)
    return margin < place[1] < table.length - margin and from_middle > margin
