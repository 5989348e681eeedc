"""The numerical contract of the engine, as a check on one finished shot."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

import sim
from sim.physics.arrays import (
    BALL_BALL,
    CUE_STRIKE,
    HELD,
    IN_POCKET,
    KINDS,
    LEFT_TABLE,
    POCKETED,
    PUSH,
    TIP_AGAIN,
)
from sim.physics.detect.surface import table_gap
from sim.physics.sample import spin_at
from sim.shot import packing

OVERLAP = 1e-9  # m
HELD_OVERLAP = 1e-6  # m, inside a persistent contact
ENERGY = 1e-9  # of itself
# A ball deeper inside the table than this is below its bed on purpose: in a pocket, m.
_IN_POCKET = 1e-3

# What the walk found worst, one record a clause: by how much it is over its limit (<= 0: kept).
_WORST = np.dtype([("over", float), ("much", float), ("t", float), ("i", int), ("j", int)])
_NUMBER, _BALLS, _TABLE, _BED, _ENERGY = range(5)


@numba.njit(error_model="numpy")  # type: ignore[misc]  # numba has no types
def _note(worst: Any, clause: int, over: float, much: float, t: float, i: int, j: int) -> None:
    w = worst[clause]
    if over > w.over:
        w.over = over
        w.much = much
        w.t = t
        w.i = i
        w.j = j


@numba.njit(error_model="numpy")  # type: ignore[misc]  # numba has no types
def _walk(
    segments: Any, first: Any, gone: Any, moments: Any, tips: Any,
    p: Any, noses: Any, pockets: Any, decay: float, worst: Any,
) -> None:  # fmt: skip
    """Every clause at every moment; segments sorted by ball and time, in the engine's frame."""
    n = first.shape[0] - 1
    at = first[:-1].copy()
    place = np.zeros((n, 3))
    held = np.zeros(n, np.bool_)
    before = math.inf
    highest = 1e-12
    rise = 0.0
    rise_t = 0.0
    for m in range(moments.shape[0]):
        t = moments[m]
        total = 0.0
        inside = False
        for i in range(n):
            while at[i] < first[i + 1] - 1 and segments[at[i] + 1].t <= t:
                at[i] += 1
            s = segments[at[i]]
            h = t - s.t
            if s.state == 0 or s.state >= POCKETED:
                h = 0.0
            place[i, 0] = s.x + h * (s.vx + 0.5 * h * s.ax)
            place[i, 1] = s.y + h * (s.vy + 0.5 * h * s.ay)
            place[i, 2] = s.z + h * (s.vz + 0.5 * h * s.az)
            held[i] = s.state == HELD or (at[i] > first[i] and segments[at[i] - 1].state == HELD)
            inside |= s.state == HELD and t > s.t
            wx, wy, wz = spin_at(s, h, decay)
            vx, vy, vz = s.vx + h * s.ax, s.vy + h * s.ay, s.vz + h * s.az
            own = 0.5 * (vx * vx + vy * vy + vz * vz) + 0.2 * p.R * p.R * (
                wx * wx + wy * wy + wz * wz
            )
            # A ball that is gone keeps its last height and has no speed: only losses come of it.
            total += own + p.g * (place[i, 2] - p.R)
        if not math.isfinite(total):
            _note(worst, _NUMBER, 1.0, total, t, 0, 0)
        for i in range(n):
            if t >= gone[i]:
                continue
            limit = HELD_OVERLAP if held[i] else OVERLAP
            x, y, z = place[i, 0], place[i, 1], place[i, 2]
            if abs(x) > p.safe_x - 1e-6 or abs(y) > p.safe_y - 1e-6 or z < p.R - OVERLAP:
                gap = table_gap(x, y, z, -1, p, noses, pockets)[0]
                _note(worst, _TABLE, -gap - limit, -gap, t, i, 0)
                over_slate = gap > -_IN_POCKET
                for k in range(pockets.shape[0]):
                    hole = pockets[k]
                    px, py = x - hole.x, y - hole.y
                    if math.sqrt(px * px + py * py) < hole.r + p.edge_r:
                        over_slate = False
                if over_slate:
                    _note(worst, _BED, p.R - z - limit, p.R - z, t, i, 0)
            for j in range(i + 1, n):
                if t >= gone[j]:
                    continue
                dx, dy, dz = x - place[j, 0], y - place[j, 1], z - place[j, 2]
                deep = 2.0 * p.R - math.sqrt(dx * dx + dy * dy + dz * dz)
                most = HELD_OVERLAP if held[i] or held[j] else OVERLAP
                _note(worst, _BALLS, deep - most, deep, t, i, j)
        for k in range(tips.shape[0]):
            if abs(t - tips[k]) < 1e-12:
                before = math.inf  # what the stick gives
        # Inside a held step the quadratic may stand up to O(h^2) off the energy: from step to step.
        if inside:
            continue
        highest = max(highest, total)
        if total - before > rise:
            rise = total - before
            rise_t = t
        before = total
    _note(worst, _ENERGY, rise / highest - ENERGY, rise / highest, rise_t, 0, 0)


def faults(result: sim.Result, samples: int = 200) -> list[str]:
    """Every clause of the contract that the shot breaks, in words; empty if none."""
    found: list[str] = []
    times = result._events["t"]
    if np.any(np.diff(times) < 0.0):
        found.append("events out of order")
    found += _end_faults(result) + _ghosts(result)
    moments = np.unique(np.concatenate([times, np.linspace(0.0, result.duration, samples)]))
    moments = np.unique(np.concatenate([moments, (moments[1:] + moments[:-1]) / 2]))
    kinds = result._events["kind"]
    path = result._path
    noses, pockets, params = packing.setting(result.table, result.materials, result.cushion_model)
    worst = np.zeros(5, _WORST)
    _walk(
        path.segments, path.first, path.gone, moments,
        times[(kinds == CUE_STRIKE) | (kinds == TIP_AGAIN)],
        params[0], noses, pockets, path.spin_decay, worst,
    )  # fmt: skip
    for clause, w in enumerate(worst):
        if w["over"] > 0.0:
            i, j = result._order[w["i"]], result._order[w["j"]]
            text = {
                _NUMBER: "a state that is not a number",
                _BALLS: f"balls {i} and {j} overlap by {w['much']:.3g} m",
                _TABLE: f"ball {i} is {w['much']:.3g} m inside the table",
                _BED: f"ball {i} is {w['much']:.3g} m inside the bed",
                _ENERGY: f"energy rises by {w['much']:.3g} of itself",
            }[clause]
            found.append(f"{text} at t = {w['t']:.9g}")
    return found


def _ghosts(result: sim.Result) -> list[str]:
    """Balls to which something happens after they are pocketed or off the table."""
    rows = result._events
    gone = set()
    for kind, ball, other in zip(
        rows["kind"].tolist(), rows["ball"].tolist(), rows["other"].tolist(), strict=True
    ):
        if ball in gone or (kind in (BALL_BALL, PUSH) and other in gone):
            return [f"something happens to a ball that is gone: {KINDS[kind]}"]
        if kind in (IN_POCKET, LEFT_TABLE):
            gone.add(ball)
    return []


def _end_faults(result: sim.Result) -> list[str]:
    found = []
    if result.status == "done":
        last = result._path.segments[result._path.first[1:] - 1]
        speeds = [np.abs(last[name]).max() for name in ("vx", "vy", "vz", "wx", "wy", "wz")]
        if max(speeds) != 0.0:
            found.append(f"a ball still moves at the end: {max(speeds):.3g}")
    if set(result.final.balls) | set(result.pocketed) | set(result.off_table) != set(result.balls):
        found.append("a ball got lost")
    return found


def random_layout(rng: np.random.Generator, table: sim.Table, n: int) -> sim.Layout:
    """A legal layout of the cue ball and n object balls, some of them frozen to each other or a nose."""
    r = 0.028575
    reach = table.nose_contact(r)
    places: dict[int, tuple[float, float]] = {}
    balls = [0, *rng.permutation(np.arange(1, 11))[:n].tolist()]
    for ball in balls:
        for _ in range(500):
            x = rng.uniform(reach, table.width - reach)
            y = rng.uniform(reach, table.length - reach)
            kind = rng.random()
            if kind < 0.12:
                x = reach if rng.random() < 0.5 else table.width - reach
            elif kind < 0.2:
                y = reach if rng.random() < 0.5 else table.length - reach
            elif kind < 0.4 and places:
                ox, oy = places[list(places)[int(rng.integers(len(places)))]]
                angle = rng.uniform(0.0, math.tau)
                gap = rng.choice([0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4])
                x = ox + (2 * r + gap) * math.cos(angle)
                y = oy + (2 * r + gap) * math.sin(angle)
            try:
                sim.Layout(table, {**places, int(ball): (x, y)})
            except sim.LayoutError:
                continue
            places[int(ball)] = (x, y)
            break
    return sim.Layout(table, places)


def random_stroke(rng: np.random.Generator, elevated: bool = True) -> sim.Stroke:
    """Any stroke a person can make."""
    rho, angle = 0.7 * math.sqrt(rng.random()), rng.uniform(0, math.tau)
    return sim.Stroke(
        speed=float(
            rng.choice([rng.uniform(0.05, 1.0), rng.uniform(0.5, 5.0), rng.uniform(3.0, 15.0)])
        ),
        azimuth=float(rng.uniform(0, math.tau)),
        side=rho * math.cos(angle),
        vertical=rho * math.sin(angle),
        elevation=float(rng.uniform(0.0, 1.4)) if elevated and rng.random() < 0.4 else None,
    )
