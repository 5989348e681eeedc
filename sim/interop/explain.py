"""Why two engines disagree on a scene: from measurements on that scene, not from belief."""

from __future__ import annotations

import math

import numpy as np

from sim.interop.oracle import SPACER, Comparison, Scene, compare
from sim.model import Layout
from sim.shot.result import Result
from sim.shot.simulator import simulate

__all__ = ["explain", "growth"]

NUDGE = 1e-9  # m
SLOW_PRESS = 5e-3  # m/s: below it this engine gives no restitution (persistent contact)


def growth(given: Scene, until: float) -> float:
    """How much a shift of the first moving ball by 1 nm has grown by `until`: metres over metres.

    The greater of a shift along x and one along y, over all balls.
    """
    times = np.linspace(0.0, until, 9)[1:]
    base = _states(given, given.layout, times)
    ball = next(iter(given.motions))
    worst = 0.0
    for axis in range(2):
        place = given.layout[ball].copy()
        place[axis] += NUDGE
        layout = given.layout.with_({ball: tuple(place)})
        moved = np.abs(_states(given, layout, times) - base).max()
        worst = max(worst, float(moved) / NUDGE)
    return worst


def _states(given: Scene, layout: Layout, times: np.ndarray) -> np.ndarray:
    result = simulate(layout, motions=given.motions, materials=given.materials)
    return result.states(times)[:, :, :3]


def explain(given: Scene, found: Comparison) -> str:
    """Which engine is right, and why, for a scene whose comparison failed.

    Tried in this order, each from what happened in this scene: pooltool failed; contacts that overlap in
    time (a cluster); an approach below 5 mm/s; a hop; pooltool's spacer; growth of a perturbation.
    """
    if math.isinf(found.time):
        return f"pooltool is wrong: it stops with {found.fault}"
    ours = simulate(given.layout, motions=given.motions, materials=given.materials)
    until = found.until
    if reason := _physics(ours, until):
        return f"tenball is right: {reason}"
    closer = compare(given, SPACER / 10)
    if closer.agrees:
        return f"pooltool's spacer: with {SPACER / 10:g} m instead of {SPACER:g} m both agree"
    rate = growth(given, until)
    # What pooltool's spacer moves, and what rounding does to a root, is of the order of SPACER.
    if rate * 10 * SPACER >= max(found.place, 1e-9):
        return (
            f"neither: 1 nm grows {rate:.3g} times by {until:.4f} s, and the difference of "
            f"{found.place:.3g} m is what pooltool's spacer of {SPACER:g} m becomes"
        )
    return f"not explained: growth {rate:.3g}; {found.fault}"


def _physics(ours: Result, until: float) -> str:
    """What this engine models and pooltool does not, if it happened before `until`."""
    events = [e for e in ours.events if e.t < until]
    met: dict[int, float] = {}
    for e in events:
        if e.kind == "hold":
            return f"ball {e.ball} presses on another at {e.t:.6f} s (contact that lasts)"
        if e.kind == "takeoff":
            return f"ball {e.ball} leaves the bed at {e.t:.6f} s (pooltool is planar)"
        if e.kind != "ball_ball":
            continue
        for ball in e.before:
            if met.get(ball) == e.t:
                return (
                    f"ball {ball} touches two balls within one contact time at {e.t:.6f} s "
                    f"(Hertz; pooltool plays one after the other)"
                )
            met[ball] = e.t
        a, b = e.before
        closing = math.dist(e.before[a][0], e.before[b][0])
        if closing < SLOW_PRESS:
            return (
                f"balls {a} and {b} meet at {closing * 1e3:.2g} mm/s (no restitution below 5 mm/s)"
            )
    return ""
