"""One description of a shot to look at, in plain frozen values, shared by every drawer.

`describe(result)` and `describe_layout(layout)` say what is there: the outlines of the noses,
pockets, sights, balls with their looks, where each started, went and ended. `to_svg` draws
it flat. All in the table's frame, metres and seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sim.model.balls import CUE_BALL, LOOKS
from sim.model.checks import number
from sim.model.errors import InputError
from sim.model.geometry import ArcNose, LineNose
from sim.model.table import CUSHIONS, POCKETS, Table

if TYPE_CHECKING:
    from sim.model.layout import Layout
    from sim.shot.result import Result

__all__ = [
    "BallPicture",
    "Ghost",
    "PathPoint",
    "PocketPicture",
    "ShotPicture",
    "TablePicture",
    "describe",
    "describe_layout",
    "describe_table",
    "to_svg",
]

Point = tuple[float, float]
Point3 = tuple[float, float, float]
Fate = Literal["table", "pocketed", "off_table"]

# How far a drawn path may lie from the true one: a fifth of a pixel at 600 px.
FLATNESS = 0.0005
ARC_STEP = math.radians(10)
MAX_HALVINGS = 9


@dataclass(frozen=True)
class PocketPicture:
    """A pocket: its name, the hole's centre and radius, the unit vector from it into the table."""

    name: str
    centre: Point
    radius: float
    axis: Point


@dataclass(frozen=True)
class TablePicture:
    """A table from above.

    Attributes:
        width, length: of the bed between the noses, m.
        cushion_width, rail_width: from the nose back to the wood, and to the outer edge, m.
        cushions: (name, outline of the nose from facing end to facing end), ordered as CUSHIONS.
        pockets: in the order of POCKETS.
        sights: centres of the eighteen sights.
        head_string: its y, m.
        spots: head spot and foot spot.
    """

    name: str
    width: float
    length: float
    cushion_width: float
    rail_width: float
    cushions: tuple[tuple[str, tuple[Point, ...]], ...]
    pockets: tuple[PocketPicture, ...]
    sights: tuple[Point, ...]
    head_string: float
    spots: tuple[Point, Point]

    def pocket(self, name: str) -> PocketPicture:
        """The pocket of that name."""
        return self.pockets[POCKETS.index(name)]


@dataclass(frozen=True)
class PathPoint:
    """Where a ball's centre was at a time."""

    t: float
    x: float
    y: float
    z: float


@dataclass(frozen=True)
class BallPicture:
    """A ball: how it looks, where it started, its path, what became of it.

    Attributes:
        ball: id 0..10.
        colour: sRGB `#rrggbb`.
        label: what stands on it ("" on the cue ball).
        start, end: centres; the end of a pocketed ball is where it was last seen.
        path: from start to end, dense enough that straight lines between the points lie within
            half a millimetre of the true path; one point for a ball that never moved.
        fate: "table", "pocketed" or "off_table".
        place: the pocket it dropped into, else None.
    """

    ball: int
    colour: str
    striped: bool
    label: str
    start: Point3
    end: Point3
    path: tuple[PathPoint, ...]
    fate: Fate
    place: str | None

    @property
    def moved(self) -> bool:
        """Whether it went anywhere."""
        return len(self.path) > 1

    @property
    def name(self) -> str:
        """ "cue ball" or "ball 3"."""
        return "cue ball" if self.ball == CUE_BALL else f"ball {self.ball}"


@dataclass(frozen=True)
class Ghost:
    """Where `ball` was when it first touched `other`."""

    t: float
    ball: int
    other: int
    at: Point3


@dataclass(frozen=True)
class ShotPicture:
    """Everything a drawer needs of one shot (or of one layout: then nothing moved)."""

    table: TablePicture
    ball_radius: float
    balls: tuple[BallPicture, ...]
    ghosts: tuple[Ghost, ...]
    duration: float | None


def describe_table(table: Table) -> TablePicture:
    """The table alone."""
    spec, geometry = table.spec, table.geometry
    cushions = tuple(
        (CUSHIONS[chain.cushion], tuple(_outline(chain.pieces))) for chain in geometry.chains
    )
    pockets = tuple(
        PocketPicture(POCKETS[p.pocket], p.centre, p.radius, p.axis) for p in geometry.pockets
    )
    back = (spec.cushion_width + spec.rail_width) / 2
    sights = [(x, spec.l * i / 8) for i in (1, 2, 3, 5, 6, 7) for x in (-back, spec.w + back)] + [
        (spec.w * i / 4, y) for i in (1, 2, 3) for y in (-back, spec.l + back)
    ]
    return TablePicture(
        name=table.name,
        width=spec.w,
        length=spec.l,
        cushion_width=spec.cushion_width,
        rail_width=spec.rail_width,
        cushions=cushions,
        pockets=pockets,
        sights=tuple(sights),
        head_string=table.head_string,
        spots=(table.head_spot, table.foot_spot),
    )


def describe_layout(layout: Layout) -> ShotPicture:
    """A layout: balls at rest, no paths."""
    balls = tuple(
        _ball(ball, [(0.0, *_point3(layout[ball]))], "table", None) for ball in layout.balls
    )
    return ShotPicture(describe_table(layout.table), layout.ball_radius, balls, (), None)


def describe(result: Result) -> ShotPicture:
    """A shot: paths, the ghost of the first contact, and where every ball ended."""
    tracks = _tracks(result)
    balls = []
    for ball in result.balls:
        if ball in result.pocketed:
            fate: Fate = "pocketed"
        elif ball in result.off_table:
            fate = "off_table"
        else:
            fate = "table"
        balls.append(_ball(ball, tracks[ball], fate, result.pocketed.get(ball)))
    return ShotPicture(
        describe_table(result.table),
        result.layout.ball_radius,
        tuple(balls),
        _ghosts(result),
        float(result.duration),
    )


def to_svg(picture: ShotPicture, width: float = 600, *, landscape: bool = False) -> str:
    """Draw a shot or a layout from above as one SVG element.

    Start positions are hollow, the first contact is dashed, end positions are solid; a path has its
    ball's colour (white for the cue ball; white dashes on it for a striped ball; dotted in the
    air). Pocketed balls lie beside their pocket, in the order they dropped.

    Args:
        picture: from `describe` or `describe_layout`.
        width: of the whole picture, px.
        landscape: the foot to the right instead of up.

    Returns:
        SVG text, the same bytes for the same picture; without ids, so that many fit on one page.

    Raises:
        InputError: a width that is no number of 1 to 100,000.
    """
    width = number(width, "picture width (px)", InputError, low=1, high=100_000)
    from sim.shot.svg import draw  # it draws these values, so it imports this module

    return draw(picture, width, landscape)


def _point3(values: Iterable[float]) -> Point3:
    x, y, z = (float(v) for v in values)
    return x, y, z


def _ball(
    ball: int, track: list[tuple[float, float, float, float]], fate: Fate, place: str | None
) -> BallPicture:
    look = LOOKS[ball]
    path = tuple(PathPoint(*p) for p in track)
    return BallPicture(
        ball=ball,
        colour=look.colour,
        striped=look.striped,
        label="" if ball == CUE_BALL else str(ball),
        start=track[0][1:],
        end=track[-1][1:],
        path=path,
        fate=fate,
        place=place,
    )


def _outline(pieces: Iterable[LineNose | ArcNose]) -> list[Point]:
    points: list[Point] = []
    for piece in pieces:
        if isinstance(piece, LineNose):
            ends = [piece.start, piece.end]
        else:
            turn = piece.end_angle - piece.start_angle
            steps = max(1, math.ceil(abs(turn) / ARC_STEP))
            ends = [piece.point(piece.start_angle + turn * i / steps) for i in range(steps + 1)]
        for end in ends:
            if not points or math.dist(points[-1], end) > 1e-9:
                points.append(end)
    return points


def _ghosts(result: Result) -> tuple[Ghost, ...]:
    """Both balls of the cue ball's first contact (without a cue ball: of the first contact)."""
    for event in result.events:
        if event.kind != "ball_ball" or not isinstance(event.other, int):
            continue
        first, second = sorted((event.ball, event.other))
        if CUE_BALL in result.balls and first != CUE_BALL:
            continue
        states = result.states(np.array([event.t]))[0]
        rows = {ball: row for row, ball in enumerate(result.balls)}
        return tuple(
            Ghost(float(event.t), ball, other, _point3(states[rows[ball], :3]))
            for ball, other in ((first, second), (second, first))
        )
    return ()


def _tracks(result: Result) -> dict[int, list[tuple[float, float, float, float]]]:
    """{ball: points (t, x, y, z)}, halved between the ball's own events until they are flat."""
    rows = {ball: row for row, ball in enumerate(result.balls)}
    end = float(result.duration)
    stops: dict[int, set[float]] = {ball: {0.0, end} for ball in rows}
    gone: dict[int, float] = {}
    for event in result.events:
        for ball in {event.ball, event.other} if isinstance(event.other, int) else {event.ball}:
            if ball in stops:
                stops[ball].add(float(event.t))
        if event.kind in ("pocketed", "off_table"):
            gone[event.ball] = float(event.t)
    sampler = _Sampler(result)
    intervals: list[tuple[int, float, float, int]] = []
    for ball, times in stops.items():
        last = gone.get(ball, end)
        kept = sorted(t for t in times if t <= last)
        stops[ball] = set(kept)
        for a, b in pairwise(kept):
            # Quarters at once: a path that is no single parabola may cross its chord half-way.
            middle = (a + b) / 2
            stops[ball].add(middle)
            intervals += [(ball, a, middle, 1), (ball, middle, b, 1)]
    while intervals:
        sampler.prepare(t for _, a, b, _ in intervals for t in (a, (a + b) / 2, b))
        halved: list[tuple[int, float, float, int]] = []
        for ball, a, b, depth in intervals:
            middle = (a + b) / 2
            p, q, r = (sampler.at(t)[rows[ball]] for t in (a, middle, b))
            if depth < MAX_HALVINGS and _off_chord(p, q, r) > FLATNESS / 2:
                stops[ball].add(middle)
                halved += [(ball, a, middle, depth + 1), (ball, middle, b, depth + 1)]
        intervals = halved
    sampler.prepare(t for times in stops.values() for t in times)
    return {
        ball: _thinned([(t, *_point3(sampler.at(t)[rows[ball]])) for t in sorted(times)])
        for ball, times in stops.items()
    }


class _Sampler:
    """Positions at times, asked of the result in batches and kept."""

    def __init__(self, result: Any) -> None:
        self._result = result
        self._known: dict[float, Any] = {}

    def prepare(self, times: Iterable[float]) -> None:
        new = sorted(set(times) - self._known.keys())
        if new:
            states = self._result.states(np.array(new))
            self._known.update((t, states[i, :, :3]) for i, t in enumerate(new))

    def at(self, t: float) -> Any:
        return self._known[t]


def _off_chord(p: Any, q: Any, r: Any) -> float:
    """Distance of q from the straight line p to r, m."""
    chord = r - p
    length = float(np.dot(chord, chord))
    if length < 1e-18:
        return float(np.linalg.norm(q - p))
    along = min(1.0, max(0.0, float(np.dot(q - p, chord)) / length))
    return float(np.linalg.norm(q - p - along * chord))


def _thinned(
    track: list[tuple[float, float, float, float]],
) -> list[tuple[float, float, float, float]]:
    """Without points closer than a tenth of a millimetre to the one before; the last one stays."""
    kept = [track[0]]
    for point in track[1:]:
        if math.dist(point[1:], kept[-1][1:]) > 1e-4:
            kept.append(point)
    if len(kept) > 1:
        kept[-1] = track[-1]
    return kept
