"""Where the balls are: a frozen, validated value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
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
        closed = _close_overlaps(table, centres, radius, tolerance)
        for ball in sorted(centres):
            centres[ball].setflags(write=False)
        set_(self, "_positions", {ball: centres[ball] for ball in sorted(centres)})
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
    """Refuse overlaps over `tolerance`; push the smaller ones apart, and say which."""
    closed: list[str] = []
    for ball, centre in centres.items():
        _check_place(table, ball, centre, radius, tolerance, closed)
    balls = sorted(centres)
    for _ in range(20):
        moved = False
        for i, a in enumerate(balls):
            for b in balls[i + 1 :]:
                apart = float(np.linalg.norm(centres[b] - centres[a]))
                overlap = 2 * radius - apart
                # One part in 1e15 is how exactly a touching pair can be written down at all.
                if overlap <= 4e-16:
                    continue
                if overlap > tolerance + 1e-12 or apart == 0.0:
                    raise LayoutError(
                        f"balls {a} and {b} overlap by {overlap * 1e3:.4g} mm; centres must be at "
                        f"least {2e3 * radius:g} mm apart"
                    )
                note = f"balls {a} and {b} overlapped by {overlap:.3g} m"
                if overlap > 1e-15 and note not in closed and not moved:
                    closed.append(note)
                shift = (centres[b] - centres[a]) * ((overlap / 2 + 1e-16) / apart)
                centres[a] -= shift
                centres[b] += shift
                moved = True
        if not moved:
            break
    return closed


def _check_place(
    table: Table,
    ball: int,
    centre: NDArray[np.float64],
    radius: float,
    tolerance: float,
    closed: list[str],
) -> None:
    x, y, z = (float(v) for v in centre)
    spec = table.spec
    lowest = radius
    if z < radius:
        lowest = table.geometry.rest_height(x, y, radius, spec.slate_edge_radius)
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
    if z > spec.rail_top + radius:
        return
    geometry = table.geometry
    reach = _contact_reach(table, radius, z)
    hole = geometry.hole_at(x, y)
    if z == radius and hole >= 0:
        from sim.model.table import POCKETS

        raise LayoutError(
            f"ball {ball} at ({x:.4g}, {y:.4g}) is over the {POCKETS[hole]} pocket; it must lie on "
            "the slate"
        )
    inside = reach <= x <= spec.w - reach and reach <= y <= spec.l - reach
    if inside and not _near_pocket(table, x, y):
        return
    distance = geometry.nose_distance(x, y)
    short = reach - distance
    if short <= 0.0:
        return
    if short > tolerance + 1e-12:
        if distance < 0.0:
            raise LayoutError(
                f"ball {ball} at ({x:.4g}, {y:.4g}) is off the bed; centres must be on it and at "
                f"least {reach * 1e3:.4f} mm from a nose"
            )
        raise LayoutError(
            f"ball {ball} is {distance * 1e3:.4f} mm from a nose; its centre must be at least "
            f"{reach * 1e3:.4f} mm away"
        )
    if short > 1e-15:
        closed.append(f"ball {ball} was {short:.3g} m inside a nose")
    step = 1e-5
    gx = (geometry.nose_distance(x + step, y) - geometry.nose_distance(x - step, y)) / (2 * step)
    gy = (geometry.nose_distance(x, y + step) - geometry.nose_distance(x, y - step)) / (2 * step)
    norm = math.hypot(gx, gy) or 1.0
    centre[0] = x + short * gx / norm
    centre[1] = y + short * gy / norm


def _contact_reach(table: Table, radius: float, z: float) -> float:
    """Plan distance from a nose at which a ball with its centre at height z touches the wire."""
    rise = table.spec.cushion_height - z
    return math.sqrt(max(radius * radius - rise * rise, 0.0))


def _near_pocket(table: Table, x: float, y: float) -> bool:
    return any(
        math.dist((x, y), p.centre) < p.radius + table.spec.corner_pocket_width
        for p in table.geometry.pockets
    )
