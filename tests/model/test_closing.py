"""Overlaps small enough to be rounding are closed: balls, noses and bed give way together."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import sim

TABLE = sim.Table.wpa_9ft()
R = sim.Materials().ball_radius
REACH = TABLE.nose_contact(R)


def deepest(layout: sim.Layout) -> float:
    """The largest overlap of ball and ball, ball and nose, ball and bed (m)."""
    pairs = (2 * R - math.dist(layout[a], layout[b]) for a, b in combinations(layout.balls, 2))
    noses = (REACH - TABLE.geometry.nose_distance(*layout[b][:2].tolist()) for b in layout)
    return max(*pairs, *noses, *(R - layout[b][2] for b in layout))


def row(n: int, room: float) -> dict[int, tuple[float, float]]:
    """A row of n balls out from the right cushion, `room` (m) less than they need."""
    step = 2 * R - room / n
    return {k: (TABLE.width - REACH - k * step, 1.7) for k in range(n)}


@pytest.mark.parametrize("n", [2, 3, 10])
def test_a_row_at_a_cushion_is_not_closed_into_the_nose(n: int) -> None:
    """Found by fuzzed shots (seed 97262): pushed out of its neighbour, a ball stood 153 nm in the nose."""
    start = row(n, n * 9e-7)
    layout = sim.Layout(TABLE, start)
    assert deepest(layout) < 1e-12
    assert len(layout.closed) == n - 1
    # Nothing moves further than the overlaps all together.
    assert all(math.dist(layout[b][:2], start[b]) < n * 1e-6 for b in start)


def test_order_of_balls_does_not_decide_what_is_refused() -> None:
    """Each overlap is judged where it was put, not after its neighbour was pushed into it."""
    start = {b: (0.4 + b * (2 * R - 9e-7), 1.0) for b in range(8)}
    assert deepest(sim.Layout(TABLE, start)) < 1e-12
    assert deepest(sim.Layout(TABLE, dict(reversed(start.items())))) < 1e-12


def test_a_ball_on_top_is_not_closed_into_the_bed() -> None:
    side = 2 * R - 2e-7
    low = {1: (0.5, 1.0), 2: (0.5 + side, 1.0), 3: (0.5 + side / 2, 1.0 + side * math.sqrt(0.75))}
    up = R + math.sqrt((2 * R) ** 2 - side * side / 3) - 4e-7
    layout = sim.Layout(TABLE, low | {4: (0.5 + side / 2, 1.0 + side / math.sqrt(12), up)})
    assert deepest(layout) < 1e-12
    assert len(layout.closed) == 6


def test_no_room_is_said() -> None:
    """Eight big balls that fill the table from cushion to cushion, 200 nm too wide for it."""
    small, big = 0.05, 0.1
    for _ in range(60):
        radius = (small + big) / 2
        room = TABLE.width - 2 * TABLE.nose_contact(radius) - 14 * radius
        small, big = (radius, big) if room > -2e-7 else (small, radius)
    reach = TABLE.nose_contact(radius)
    step = (TABLE.width - 2 * reach) / 7
    with pytest.raises(sim.LayoutError, match="no room to push them apart"):
        sim.Layout(TABLE, {k: (reach + k * step, 0.7) for k in range(8)}, ball_radius=radius)


@pytest.mark.parametrize("seed", range(40))
def test_heaps_at_a_cushion_end_apart(seed: int) -> None:
    """Random heaps, each ball within 1 um of another and the first in the nose."""
    rng = np.random.default_rng(seed)
    places = {0: (TABLE.width - REACH + rng.uniform(0, 1e-6), rng.uniform(0.1, 2.4))}
    for _ in range(200):
        x, y = places[int(rng.integers(len(places)))]
        turn, d = rng.uniform(0.0, math.tau), 2 * R - rng.uniform(0.0, 1e-6)
        place = (x + d * math.cos(turn), y + d * math.sin(turn))
        clear = TABLE.geometry.nose_distance(*place) > REACH - 1e-6
        clear = clear and TABLE.geometry.hole_at(*place) < 0
        if clear and all(math.dist(place, p) > 2 * R - 1e-6 for p in places.values()):
            places[len(places)] = place
        if len(places) == 9:
            break
    assert len(places) > 2
    layout = sim.Layout(TABLE, places)
    assert layout.closed
    assert deepest(layout) < 1e-12


def test_order_of_balls_does_not_decide_which_fault_is_named() -> None:
    """Two balls over holes: which of them was told depended on the order they were given in."""
    holes = [p.centre for p in TABLE.geometry.pockets[:2]]
    told = []
    for order in ((1, 2), (2, 1)):
        with pytest.raises(sim.LayoutError) as caught:
            sim.Layout(TABLE, {b: holes[b - 1] for b in order})
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert told[0].startswith("ball 1 ")
