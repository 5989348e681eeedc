"""The rack: ten balls in a triangle, tight but not perfect, and the cue ball behind the head string."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from sim.model.balls import OBJECT_BALLS, TEN, ball_id
from sim.model.checks import brief, instance, is_several, number, whole
from sim.model.errors import LayoutError
from sim.model.layout import Layout
from sim.model.materials import Materials
from sim.model.table import Table

__all__ = ["rack", "rack_order", "rack_places"]

ORDERS = ("wpa", "lbm")


def rack_order(order: str | Sequence[int], seed: int | None) -> tuple[int, ...]:
    """Balls from the apex row by row, left to right seen from the head.

    Args:
        order: "wpa" (1 at the apex, 10 in the middle, the rest without pattern), "lbm" (the same, with
            2 and 3 on the rear corners, either side), or the ten balls in order.
        seed: of the shuffle; None leaves the free balls ascending.

    Raises:
        LayoutError: unknown order, or not each ball once.
    """
    if isinstance(order, str):
        if order not in ORDERS:
            raise LayoutError(
                f"rack order: got {brief(order)}, expected one of {list(ORDERS)} or the ten balls in order"
            )
        if seed is not None:
            seed = whole(seed, "rack seed", LayoutError, "an integer of at least 0 or None", low=0)
        rng = None if seed is None else np.random.default_rng(seed)
        places: list[int] = [0] * 10
        places[0], places[4] = 1, TEN
        corners = [2, 3] if order == "lbm" else []
        rest = [b for b in OBJECT_BALLS if b not in (1, TEN) and b not in corners]
        if rng is not None:
            rng.shuffle(corners)
            rng.shuffle(rest)
        if corners:
            places[6], places[9] = corners
        free = iter(rest)
        return tuple(b or next(free) for b in places)
    if not is_several(order):
        raise LayoutError(
            f"rack order: got {brief(order)}, expected one of {list(ORDERS)} or the ten balls in order"
        )
    balls = tuple(ball_id(b) for b in islice(order, 11))
    if sorted(balls) != list(OBJECT_BALLS):
        raise LayoutError(f"rack order: got {list(balls)}, expected each of 1..10 once")
    return balls


def rack(
    table: Table,
    seed: int | None = 0,
    *,
    order: str | Sequence[int] = "wpa",
    gap: float = 1e-4,
    cue: tuple[float, float] | None = None,
    ball_radius: float = Materials.ball_radius,
) -> Layout:
    """Ten racked balls with the apex on the foot spot, and the cue ball.

    Gaps between neighbours lie between 0 and `gap`: each ball of a lattice with pitch
    D + gap/2 is moved by a seeded vector uniform in the disc of radius gap/4. The default of 0.1 mm is a
    tight hand-made rack (physics/validation: about 0 to 0.1 mm).

    >>> from sim import Table, rack
    >>> layout = rack(Table.wpa_9ft(), seed=7)
    >>> sorted(layout.balls) == list(range(11)), layout[1].round(3).tolist()
    (True, [0.635, 1.905, 0.029])

    Args:
        table: the table.
        seed: of order and gaps; None gives the perfect zero-gap rack in ascending order.
        order: see `rack_order`.
        gap: the largest gap between neighbours, m, 0 to 5 mm.
        cue: (x, y) of the cue ball, m; default on the head string's side of the long string, one ball
            and a half behind the head string, a little off centre as most players break.
        ball_radius: m.

    Raises:
        LayoutError: as Layout and rack_order.
    """
    places = rack_places(table, seed, order=order, gap=gap, cue=cue, ball_radius=ball_radius)
    return Layout(table, places, ball_radius=ball_radius)


def rack_places(
    table: Table,
    seed: int | None = 0,
    *,
    order: str | Sequence[int] = "wpa",
    gap: float = 1e-4,
    cue: tuple[float, float] | None = None,
    ball_radius: float = Materials.ball_radius,
) -> dict[int, tuple[float, float]]:
    """{ball: (x, y)} of `rack`, as plain numbers that no Layout has checked yet.

    Raises:
        LayoutError: as rack_order; a seed or gap that cannot be.
    """
    instance(table, "rack table", LayoutError, Table)
    if seed is not None:
        seed = whole(seed, "rack seed", LayoutError, "an integer of at least 0 or None", low=0)
    ball_radius = number(ball_radius, "rack ball_radius", LayoutError, low=0.005, high=0.1)
    gap = number(gap, "rack gap (m)", LayoutError, low=0.0, high=0.005)
    balls = rack_order(order, seed)
    if seed is None:
        gap = 0.0
    # A stream of its own, so that order and gaps do not depend on each other.
    draws = np.random.default_rng([int(seed or 0), 1]).random(20).tolist()
    positions: dict[int, tuple[float, float]] = {}
    lattice = _lattice(table.foot_spot, 2 * ball_radius + gap / 2)
    for ball, (x, y), far, turn in zip(balls, lattice, draws[::2], draws[1::2], strict=True):
        radius = gap / 4 * math.sqrt(far)
        angle = math.tau * turn
        positions[ball] = (x + radius * math.cos(angle), y + radius * math.sin(angle))
    if cue is None:
        cue = (table.width / 2 + 0.02, table.head_string - 3 * ball_radius)
    positions[0] = cue
    return positions


@lru_cache(maxsize=64)
def _lattice(apex: tuple[float, float], pitch: float) -> tuple[tuple[float, float], ...]:
    """The ten places of a rack row by row; a sweep of breaks asks for the same ones for every rack."""
    return tuple(
        (
            apex[0] + (column - row / 2) * pitch,
            apex[1] + row * pitch * math.sqrt(3) / 2,
        )
        for row in range(4)
        for column in range(row + 1)
    )
