"""The numerical contract of the engine, as a check on one finished shot."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import sim
from sim.physics.arrays import HELD
from sim.physics.detect.surface import table_gap
from sim.shot import packing

OVERLAP = 1e-9  # m
HELD_OVERLAP = 1e-6  # m, inside a persistent contact
ENERGY = 1e-9  # of itself


@numba.njit(error_model="numpy")
def _gaps(xyz: Any, p: Any, noses: Any, pockets: Any) -> Any:
    """Gap of each centre (N, 3) from the table, its bed included where there is slate."""
    out = np.empty(xyz.shape[0])
    for k in range(xyz.shape[0]):
        out[k] = table_gap(xyz[k, 0], xyz[k, 1], xyz[k, 2], p, noses, pockets)[0]
    return out


def faults(result: sim.Result, samples: int = 200) -> list[str]:
    """Every clause of the contract that the shot breaks, in words; empty if none."""
    found: list[str] = []
    times = np.array([e.t for e in result.events])
    if np.any(np.diff(times) < 0.0):
        found.append("events out of order")
    found += _end_faults(result)
    moments = np.unique(np.concatenate([times, np.linspace(0.0, result.duration, samples)]))
    between = (moments[1:] + moments[:-1]) / 2
    moments = np.unique(np.concatenate([moments, between]))
    states = result.states(moments)
    present = result.present(moments)
    if not np.all(np.isfinite(states)):
        return [*found, "a state that is not a number"]
    held = _held(result, moments)
    found += _ball_overlaps(result, states, present, moments, held)
    found += _table_overlaps(result, states, present, moments, held)
    # From event to event: inside a held step the quadratic may stand up to O(h^2) off the energy.
    told = ~held.any(axis=1) | np.isin(moments, times)
    found += _energy_faults(result, states[told], moments[told])
    return found


def _end_faults(result: sim.Result) -> list[str]:
    found = []
    if result.status == "done":
        last = result.states([result.duration])[0]
        there = [b in result.final for b in result.balls]
        speeds = np.abs(last[there, 7:13])
        if np.any(speeds != 0.0):
            found.append(f"a ball still moves at the end: {speeds.max():.3g}")
    if set(result.final.balls) | set(result.pocketed) | set(result.off_table) != set(result.balls):
        found.append("a ball got lost")
    return found


def _held(result: sim.Result, moments: NDArray[Any]) -> NDArray[np.bool_]:
    """(T, B) whether a ball is in a persistent contact around that moment."""
    path = result._path
    out = np.zeros((len(moments), len(result.balls)), bool)
    for column, ball in enumerate(result.balls):
        row = result._order.index(ball)
        rows = path.segments[path.first[row] : path.first[row + 1]]
        k = np.clip(np.searchsorted(rows["t"], moments, side="right") - 1, 0, len(rows) - 1)
        state = rows["state"]
        leaning = (state == HELD) | np.append(False, state[:-1] == HELD)
        out[:, column] = leaning[k]
    return out


def _ball_overlaps(
    result: sim.Result, states: Any, present: Any, moments: Any, held: Any
) -> list[str]:
    found = []
    d = 2 * result.materials.ball_radius
    for i in range(len(result.balls)):
        for j in range(i + 1, len(result.balls)):
            gap = np.linalg.norm(states[:, i, :3] - states[:, j, :3], axis=1) - d
            limit = np.where(held[:, i] | held[:, j], HELD_OVERLAP, OVERLAP)
            bad = (gap < -limit) & present[:, i] & present[:, j]
            if np.any(bad):
                k = int(np.argmin(np.where(bad, gap, np.inf)))
                found.append(
                    f"balls {result.balls[i]} and {result.balls[j]} overlap by {-gap[k]:.3g} m "
                    f"at t = {moments[k]:.9g}"
                )
    return found


def _table_overlaps(
    result: sim.Result, states: Any, present: Any, moments: Any, held: Any
) -> list[str]:
    found = []
    table = result.table
    noses, pockets = packing.pack_table(table)
    p = packing.pack_params(table, result.materials, result.cushion_model)[0]
    shift = np.array([table.width / 2, table.length / 2, 0.0])
    r = result.materials.ball_radius
    for i, ball in enumerate(result.balls):
        xyz = states[:, i, :3] - shift
        gap = _gaps(np.ascontiguousarray(xyz), p, noses, pockets)
        limit = np.where(held[:, i], HELD_OVERLAP, OVERLAP)
        bad = (gap < -limit) & present[:, i]
        if np.any(bad):
            k = int(np.argmin(np.where(bad, gap, np.inf)))
            found.append(
                f"ball {ball} is {-gap[k]:.3g} m inside the table at t = {moments[k]:.9g}, "
                f"{np.round(states[k, i, :3], 5).tolist()}"
            )
        over = np.ones(len(moments), bool)
        for hole in pockets:
            ring = hole["r"] + p["edge_r"]
            over &= np.hypot(xyz[:, 0] - hole["x"], xyz[:, 1] - hole["y"]) >= ring
        low = r - xyz[:, 2]
        bad = over & present[:, i] & (low > limit) & (gap > -1e-3)
        if np.any(bad):
            k = int(np.argmax(np.where(bad, low, -np.inf)))
            found.append(f"ball {ball} is {low[k]:.3g} m inside the bed at t = {moments[k]:.9g}")
    return found


def energy(result: sim.Result, states: Any) -> NDArray[np.float64]:
    """(T, B) mechanical energy per mass of each ball, height included."""
    m = result.materials
    v2 = np.sum(states[:, :, 7:10] ** 2, axis=2)
    w2 = np.sum(states[:, :, 10:13] ** 2, axis=2)
    return 0.5 * v2 + 0.2 * m.ball_radius**2 * w2 + m.g * states[:, :, 2]


def _energy_faults(result: sim.Result, states: Any, moments: Any) -> list[str]:
    each = energy(result, states)
    # A ball that is gone keeps its last height and has no speed: only losses come of it.
    total = each.sum(axis=1) - result.materials.g * result.materials.ball_radius * each.shape[1]
    tips = [e.t for e in result.events if e.kind in ("tip_again", "cue_strike")]
    scale = max(float(total.max()), 1e-12)
    rise = np.diff(total)
    for t in tips:
        rise[np.abs(moments[1:] - t) < 1e-12] = 0.0
    k = int(np.argmax(rise))
    if rise[k] > ENERGY * scale:
        return [
            f"energy rises by {rise[k] / scale:.3g} of itself between t = {moments[k]:.9g} and "
            f"{moments[k + 1]:.9g}"
        ]
    return []


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
