"""Where the balls are: a frozen, validated value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model.balls import ball_id
from sim.model.checks import brief, number
from sim.model.errors import LayoutError
from sim.model.materials import Materials
from sim.model.table import Table

__all__ = ["OVERLAP_CLOSED", "Layout"]

# Overlaps up to this are rounding, not intent: they are closed and recorded. Larger ones are refused.
OVERLAP_CLOSED = 1e-6
# What may be left of them (m): the engine takes 1.3 pm for touching. A row of ten between two cushions
# needs some hundred sweeps; where there is no room at all, sweeps would never end.
_LEFT_OVER = 1e-12
_EXACT = 4e-16  # one part in 1e15 is how exactly a touching pair can be written down at all
_SWEEPS = 2000


class Layout:
    """The balls on a table, by id.

    Args:
        table: the table they lie on.
        positions: {ball id 0..10: (x, y) or (x, y, z)}, metres, centres. A ball given by (x, y) lies on
            the bed (z = ball radius).
        ball_radius: m; the materials used with this layout must have the same.
        tolerance: overlaps (ball on ball, ball in nose) up to this are closed, and listed in `closed`.

    Raises:
        LayoutError: unknown ids, numbers that are not finite, overlapping balls, centres nearer a
            nose than contact or off the slate.

    >>> from sim import Layout, Table
    >>> layout = Layout(Table.wpa_9ft(), {0: (0.635, 0.6), 1: (0.635, 1.9)})
    >>> layout.balls, [round(float(value), 4) for value in layout[1]]
    ((0, 1), [0.635, 1.9, 0.0286])
    """

    __slots__ = ("_packed", "_positions", "ball_radius", "closed", "table")

    table: Table
    ball_radius: float
    closed: tuple[str, ...]
    _positions: dict[int, NDArray[np.float64]]
    _packed: Any  # what sim.shot.packing made of it, so that a second shot need not

    def __init__(
        self,
        table: Table,
        positions: Mapping[int, Sequence[float]],
        *,
        ball_radius: float = Materials.ball_radius,
        tolerance: float = OVERLAP_CLOSED,
    ) -> None:
        if not isinstance(table, Table):
            raise LayoutError(f"layout table: got {brief(table)}, expected a Table")
        set_ = object.__setattr__
        set_(self, "table", table)
        radius = number(ball_radius, "layout ball_radius", LayoutError, low=0.005, high=0.1)
        set_(self, "ball_radius", radius)
        tolerance = number(tolerance, "layout tolerance (m)", LayoutError, low=0.0, high=radius)
        centres: dict[int, NDArray[np.float64]] = {}
        try:
            items = list(positions.items())
        except AttributeError:
            raise LayoutError(
                f"layout positions: got {brief(positions)}, expected {{ball id: (x, y)}}"
            ) from None
        for key, value in items:
            ball = ball_id(key)
            centres[ball] = self._centre(ball, value)
        centres = dict(sorted(centres.items()))  # which fault is named is no matter of order
        closed = _close_overlaps(table, centres, radius, tolerance)
        for centre in centres.values():
            centre.setflags(write=False)
        set_(self, "_positions", centres)
        set_(self, "closed", tuple(closed))
        set_(self, "_packed", None)

    def _centre(self, ball: int, value: Any) -> NDArray[np.float64]:
        try:
            numbers = list(islice(value, 4))
        except Exception:  # whatever a foreign iterable does
            raise LayoutError(
                f"ball {ball}: got {brief(value)}, expected (x, y) or (x, y, z)"
            ) from None
        if len(numbers) not in (2, 3):
            raise LayoutError(f"ball {ball}: got {brief(value)}, expected (x, y) or (x, y, z)")
        xyz = [
            number(item, f"ball {ball} {axis}", LayoutError)
            for item, axis in zip(numbers, "xyz", strict=False)
        ]
        if len(xyz) == 2:
            xyz.append(self.ball_radius)
        return np.array(xyz)

    @classmethod
    def unchecked(
        cls, table: Table, positions: Mapping[int, Sequence[float]], ball_radius: float
    ) -> Layout:
        """A layout the engine itself produced: taken as it is (a ball may hang in a pocket's mouth)."""
        self = cls.__new__(cls)
        set_ = object.__setattr__
        set_(self, "table", table)
        set_(self, "ball_radius", ball_radius)
        centres = {}
        for ball in sorted(positions):
            centre = np.array(positions[ball], dtype=np.float64)
            centre.setflags(write=False)
            centres[ball] = centre
        set_(self, "_positions", centres)
        set_(self, "closed", ())
        set_(self, "_packed", None)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuilt as it is: a finished shot's layout would not pass __init__'s checks. `_packed` stays
        # behind, it belongs to this process's engine.
        positions = {ball: tuple(map(float, self[ball])) for ball in self.balls}
        return _restored, (self.table, positions, self.ball_radius, self.closed)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Layout is frozen; make a new one instead of setting {brief(name)}")

    @property
    def balls(self) -> tuple[int, ...]:
        """Ids present, ascending."""
        return tuple(self._positions)

    def __getitem__(self, ball: int) -> NDArray[np.float64]:
        """Centre of a ball, shape (3,), metres, read only."""
        try:
            return self._positions[ball]
        except (KeyError, TypeError):  # not there, or nothing that could be
            raise LayoutError(
                f"ball {brief(ball)} is not in this layout; present: {list(self._positions)}"
            ) from None

    def __contains__(self, ball: object) -> bool:
        return ball in self._positions

    def __iter__(self) -> Iterator[int]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return (
            self.table == other.table
            and self.ball_radius == other.ball_radius
            and self.balls == other.balls
            and all(bool(np.array_equal(self[b], other[b])) for b in self.balls)
        )

    def __hash__(self) -> int:
        return hash((self.table, tuple((b, *map(float, self[b])) for b in self.balls)))

    def __repr__(self) -> str:
        inner = ", ".join(f"{b}: ({self[b][0]:.4f}, {self[b][1]:.4f})" for b in self.balls)
        return f"Layout({self.table.name}, {{{inner}}})"

    def with_(self, positions: Mapping[int, Sequence[float]]) -> Layout:
        """A new layout with these balls moved or added."""
        merged: dict[int, Sequence[float]] = {b: tuple(map(float, self[b])) for b in self.balls}
        if not isinstance(positions, Mapping):
            raise LayoutError(
                f"layout positions: got {brief(positions)}, expected {{ball id: (x, y)}}"
            )
        merged.update(positions)
        return Layout(self.table, merged, ball_radius=self.ball_radius)

    def without(self, *balls: int) -> Layout:
        """A new layout without these balls."""
        gone = {ball_id(ball) for ball in balls}
        kept = {b: tuple(map(float, self[b])) for b in self.balls if b not in gone}
        return Layout(self.table, kept, ball_radius=self.ball_radius)


def _restored(
    table: Table,
    positions: Mapping[int, Sequence[float]],
    ball_radius: float,
    closed: tuple[str, ...],
) -> Layout:
    """A pickled or copied layout."""
    layout = Layout.unchecked(table, positions, ball_radius)
    object.__setattr__(layout, "closed", closed)
    return layout


def _close_overlaps(
    table: Table, centres: dict[int, NDArray[np.float64]], radius: float, tolerance: float
) -> list[str]:
    """Refuse overlaps over `tolerance`; push the smaller ones apart, and say which.

    Everything is judged where it was put; then pairs and noses give way in turn until all are apart,
    for what is pushed out of a ball may be pushed into a nose, and the other way round.
    """
    closed: list[str] = []
    inside = [_check_place(table, ball, at, radius, tolerance) for ball, at in centres.items()]
    for ball, short in zip(centres, inside, strict=True):
        if short > 1e-15:
            closed.append(f"ball {ball} was {short:.3g} m inside a nose")
    deepest = max(inside, default=0.0)
    for a, b in combinations(sorted(centres), 2):
        overlap = 2 * radius - math.dist(centres[a], centres[b])
        if overlap > tolerance + 1e-12 or overlap == 2 * radius:
            raise LayoutError(
                f"balls {a} and {b} overlap by {overlap * 1e3:.4g} mm; centres must be at "
                f"least {2e3 * radius:g} mm apart"
            )
        if overlap > 1e-15:
            closed.append(f"balls {a} and {b} overlapped by {overlap:.3g} m")
        deepest = max(deepest, overlap - _EXACT)
    if deepest > 0.0:
        left = _push_apart(table, centres, radius)
        if left > _LEFT_OVER:
            raise LayoutError(
                f"{'; '.join(closed)}: there is no room to push them apart, {left:.3g} m are left"
            )
        for ball, at in centres.items():  # nor was one pushed off the slate
            _check_place(table, ball, at, radius, _LEFT_OVER)
    return closed


def _push_apart(table: Table, centres: dict[int, NDArray[np.float64]], radius: float) -> float:
    """Let bed, noses and pairs give way in turn until all are apart; the overlap left (m)."""
    left = 0.0
    for _ in range(_SWEEPS):
        left = 0.0
        for at in centres.values():
            left = max(left, _leave_bed_and_nose(table, at, radius))
        for a, b in combinations(sorted(centres), 2):
            apart = math.dist(centres[a], centres[b])
            overlap = 2 * radius - apart
            if overlap <= _EXACT:
                continue
            left = max(left, overlap)
            shift = (centres[b] - centres[a]) * ((overlap / 2 + 1e-16) / apart)
            centres[a] -= shift
            centres[b] += shift
        if left == 0.0:
            break
    return left


def _check_place(
    table: Table,
    ball: int,
    centre: NDArray[np.float64],
    radius: float,
    tolerance: float,
) -> float:
    """Refuse a ball that is not on the table or over `tolerance` inside a nose.

    A ball less than `tolerance` under the bed is lifted onto it. Returns how far (m) the ball is
    inside a nose.
    """
    x, y, z = (float(v) for v in centre)
    spec = table.spec
    lowest = _lowest(table, centre, radius)
    if z < lowest - tolerance:
        raise LayoutError(
            f"ball {ball} at height {z:g} m is below the bed; its centre must be at least {lowest:g} up"
        )
    if z < lowest:
        centre[2] = z = lowest
    if z > 3.0:
        raise LayoutError(f"ball {ball} at height {z:g} m: expected at most 3 m")
    margin = 0.2
    if not (-margin < x < spec.w + margin and -margin < y < spec.l + margin):
        raise LayoutError(
            f"ball {ball} at ({x:.4g}, {y:.4g}) is off the table; the bed is 0..{spec.w:g} by "
            f"0..{spec.l:g} m"
        )
    hole = table.geometry.hole_at(x, y)
    if z == radius and hole >= 0:
        from sim.model.table import POCKETS

        raise LayoutError(
            f"ball {ball} at ({x:.4g}, {y:.4g}) is over the {POCKETS[hole]} pocket; it must lie on "
            "the slate"
        )
    short = _inside_nose(table, centre, radius)
    if short > tolerance + 1e-12:
        reach = _contact_reach(table, radius, z)
        distance = reach - short
        if distance < 0.0:
            raise LayoutError(
                f"ball {ball} at ({x:.4g}, {y:.4g}) is off the bed; centres must be on it and at "
                f"least {reach * 1e3:.4f} mm from a nose"
            )
        raise LayoutError(
            f"ball {ball} is {distance * 1e3:.4f} mm from a nose; its centre must be at least "
            f"{reach * 1e3:.4f} mm away"
        )
    return short


def _leave_bed_and_nose(table: Table, centre: NDArray[np.float64], radius: float) -> float:
    """Push a ball out of the bed and the nose it is in; how far it was inside (m), 0 for rounding."""
    sunk = _lowest(table, centre, radius) - float(centre[2])
    if sunk > 0.0:
        centre[2] += sunk
    short = _inside_nose(table, centre, radius)
    if short <= 0.0:
        return sunk if sunk > 1e-15 else 0.0
    x, y = float(centre[0]), float(centre[1])
    distance, step = table.geometry.nose_distance, 1e-5
    gx = (distance(x + step, y) - distance(x - step, y)) / (2 * step)
    gy = (distance(x, y + step) - distance(x, y - step)) / (2 * step)
    norm = math.hypot(gx, gy) or 1.0
    centre[0] = x + short * gx / norm
    centre[1] = y + short * gy / norm
    inside = max(sunk, short)
    return inside if inside > 1e-15 else 0.0


def _lowest(table: Table, centre: NDArray[np.float64], radius: float) -> float:
    """The height a ball's centre must have there (m): a radius, less over the slate's rounded edge."""
    x, y, z = (float(v) for v in centre)
    if z >= radius:
        return radius
    return table.geometry.rest_height(x, y, radius, table.spec.slate_edge_radius)


def _inside_nose(table: Table, centre: NDArray[np.float64], radius: float) -> float:
    """How far inside the nearest nose a ball is, metres in plan; 0 or less where it is clear of all."""
    x, y, z = (float(v) for v in centre)
    spec = table.spec
    if z > spec.rail_top + radius:
        return 0.0
    reach = _contact_reach(table, radius, z)
    inside = reach <= x <= spec.w - reach and reach <= y <= spec.l - reach
    if inside and not _near_pocket(table, x, y):
        return 0.0
    return reach - table.geometry.nose_distance(x, y)


def _contact_reach(table: Table, radius: float, z: float) -> float:
    """Plan distance from a nose at which a ball with its centre at height z touches the wire."""
    rise = table.spec.cushion_height - z
    return math.sqrt(max(radius * radius - rise * rise, 0.0))


def _near_pocket(table: Table, x: float, y: float) -> bool:
    return any(
        math.dist((x, y), p.centre) < p.radius + table.spec.corner_pocket_width
        for p in table.geometry.pockets
    )
