"""pooltool as an oracle: the same planar scenes and impacts through both engines, models alike.

Alike means: same g, masses, frictions, restitution and spin decay; balls set off with given motions (no
stick, so no squirt); no friction ball on ball in whole scenes, because this engine lets the bed answer the
vertical part of that friction and pooltool drops it (the friction itself is compared impact by impact, in
`models.py`); and pooltool's spacer, by which it moves colliding balls 1 µm apart, set to 0.1 nm.
Scenes are compared strictly before the first contact with cushion, jaw or pocket in either engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

import sim.interop.pooltool as peer
from sim.model import EngineError, Layout, LayoutError, Materials, Motion, Table
from sim.shot.result import Event, Result
from sim.shot.simulator import simulate

__all__ = ["ANGLE", "PLACE", "SPACER", "TIME", "Comparison", "Scene", "compare", "scene", "spaced"]

TIME, PLACE, ANGLE = 1e-6, 1e-6, 1e-4  # s, m, degrees
SPACER = 1e-10  # m; pooltool's own is 1e-6
SLOW = 1e-3  # m/s; the heading of a slower ball is not compared

ALIKE = Materials(spin_decay=10.9, mu_ball=0.0, e_bed=0.0, mu_bed=0.0)
_TABLE_KINDS = frozenset(
    {"cushion", "jaw", "rail_top", "liner", "pocket_edge", "pocketed", "pocket_exit", "off_table"}
)


@dataclass(frozen=True)
class Scene:
    """One seeded planar scene."""

    seed: int
    layout: Layout
    motions: dict[int, Motion]
    materials: Materials


@dataclass(frozen=True)
class Comparison:
    """How two engines agree on a scene up to `until` (s), the first contact with the table.

    Attributes:
        events: how many were compared, ours.
        time, place, angle: the greatest differences, s, m, degrees.
        fault: None, or the first thing that differs, in words.
    """

    seed: int
    until: float
    events: int
    impacts: int
    time: float
    place: float
    angle: float
    fault: str | None

    @property
    def agrees(self) -> bool:
        """Same events, and all differences within the tolerances."""
        return self.fault is None


def scene(seed: int, table: Table | None = None) -> Scene:
    """A seeded scene: 2 to 11 balls anywhere, one or two of them moving, any spin.

    The first moving ball is aimed at another one, full to thin, uniformly.
    """
    table = Table.wpa_9ft() if table is None else table
    rng = np.random.default_rng([seed, 10])
    n = int(rng.integers(2, 12))
    radius = ALIKE.ball_radius
    margin = 0.15
    while True:
        places = {
            ball: (
                float(rng.uniform(margin, table.width - margin)),
                float(rng.uniform(margin, table.length - margin)),
            )
            for ball in range(n)
        }
        gaps = [math.dist(places[a], places[b]) - 2 * radius for a in places for b in range(a)]
        if min(gaps) < 1e-3:
            continue
        try:
            layout = Layout(table, places)
        except LayoutError:
            continue
        break
    motions = {0: _aimed(rng, places, radius)}
    if rng.random() < 0.3:
        motions[n - 1] = _motion(rng, float(rng.uniform(0.0, math.tau)), radius)
    return Scene(seed, layout, motions, replace(ALIKE, e_ball=float(rng.uniform(0.9, 1.0))))


def _aimed(rng: np.random.Generator, places: dict[int, tuple[float, float]], r: float) -> Motion:
    target = places[int(rng.integers(1, len(places)))]
    dx, dy = target[0] - places[0][0], target[1] - places[0][1]
    off = float(rng.uniform(-1.0, 1.0)) * 2 * r
    return _motion(rng, math.atan2(dy, dx) + math.asin(off / math.hypot(dx, dy)), r)


def _motion(rng: np.random.Generator, heading: float, r: float) -> Motion:
    """A speed of 0.3 to 5 m/s; half of the balls roll, the others have any spin."""
    speed = float(rng.uniform(0.3, 5.0))
    vx, vy = speed * math.cos(heading), speed * math.sin(heading)
    wx, wy, wz = -vy / r, vx / r, float(rng.normal(0.0, 30.0))
    if rng.random() < 0.5:
        wx, wy = (float(v) for v in rng.normal(0.0, 60.0, 2))
    return Motion((vx, vy, 0.0), (wx, wy, wz))


@contextmanager
def spaced(spacer: float) -> Iterator[None]:
    """pooltool moves colliding balls this far apart inside the block."""
    peer.load()
    import pooltool.constants as constants

    kept = constants.MIN_DIST
    constants.MIN_DIST = spacer
    try:
        yield
    finally:
        constants.MIN_DIST = kept


def compare(given: Scene, spacer: float = SPACER) -> Comparison:
    """Play a scene with both engines and compare them up to the first contact with the table."""
    ours = simulate(given.layout, motions=given.motions, materials=given.materials)
    try:
        with spaced(spacer):
            theirs = peer.simulate(
                given.layout,
                motions=given.motions,
                materials=given.materials,
                until=first_table_contact(ours),
            )
    except EngineError as error:
        return Comparison(given.seed, 0.0, 0, 0, math.inf, math.inf, math.inf, str(error))
    return _compared(given.seed, ours, theirs)


def first_table_contact(result: Result) -> float:
    """Time of the first event with cushion, jaw or pocket, s; the duration if there is none."""
    return min((e.t for e in result.events if e.kind in _TABLE_KINDS), default=result.duration)


def _compared(seed: int, ours: Result, theirs: Result) -> Comparison:
    until = min(first_table_contact(ours), first_table_contact(theirs))
    mine = [e for e in ours.events if e.t < until - TIME]
    left = [e for e in theirs.events if e.t < until - TIME]
    worst_t = worst_x = worst_a = 0.0
    fault: str | None = None
    impacts = sum(e.kind == "ball_ball" for e in mine)
    for event in mine:
        twin = _twin(event, left)
        if twin is None:
            fault = f"only here: {_told(event)}"
            break
        left.remove(twin)
        worst_t = max(worst_t, abs(twin.t - event.t))
        if abs(twin.t - event.t) > TIME:
            fault = f"{_told(event)} comes {twin.t - event.t:+.3g} s later in pooltool"
            break
        for ball, (velocity, _) in event.after.items():
            worst_a = max(worst_a, _angle(velocity, twin.after[ball][0]))
    if fault is None and left:
        fault = f"only in pooltool: {_told(left[0])}"
    if fault is None:
        times = np.append(np.linspace(0.0, max(until - 10 * TIME, 0.0), 6), [e.t for e in mine])
        a, b = ours.states(times), theirs.states(times)
        worst_x = float(np.abs(a[:, :, :3] - b[:, :, :3]).max())
        # Just at an event either state may come first; headings are compared between events.
        for k in range(6):
            if all(abs(times[k] - e.t) > 10 * TIME for e in mine):
                for row in range(a.shape[1]):
                    worst_a = max(worst_a, _angle(a[k, row, 7:10], b[k, row, 7:10]))
        if worst_x > PLACE:
            fault = f"positions differ by {worst_x:.3g} m"
        elif worst_a > ANGLE:
            fault = f"headings differ by {worst_a:.3g} degrees"
    return Comparison(seed, until, len(mine), impacts, worst_t, worst_x, worst_a, fault)


def _balls(event: Event) -> frozenset[int]:
    return frozenset(event.before)


def _twin(event: Event, others: list[Event]) -> Event | None:
    """The event of the same kind and balls nearest in time."""
    alike = [o for o in others if o.kind == event.kind and _balls(o) == _balls(event)]
    return min(alike, key=lambda o: abs(o.t - event.t), default=None)


def _told(event: Event) -> str:
    balls = " and ".join(str(b) for b in sorted(_balls(event)))
    return f"{event.kind} of {balls} at {event.t:.9f} s"


def _angle(u: object, v: object) -> float:
    """Degrees between two horizontal velocities; 0 if either is too slow to have a heading."""
    ux, uy = (float(c) for c in np.asarray(u)[:2])
    vx, vy = (float(c) for c in np.asarray(v)[:2])
    if min(math.hypot(ux, uy), math.hypot(vx, vy)) < SLOW:
        return 0.0
    return math.degrees(abs(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)))
