"""Small experiments for the validation: one contact at t = 0, or one ball on a long table."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sim.model import Layout, Materials, Motion, Stick, Stroke, Table, TableSpec
from sim.shot.result import Event, Result
from sim.shot.simulator import DEFAULT_MATERIALS, simulate

__all__ = [
    "FOOT",
    "MPH",
    "R",
    "LONG",
    "after_cue",
    "after_cut",
    "after_nose",
    "first",
    "moving",
    "one_ball",
]

Vector = NDArray[np.float64]
R = Materials.ball_radius
MPH = 0.44704
FOOT = 0.3048
LONG = Table.from_spec(TableSpec(l=6.0, w=3.0))  # room for slides longer than a table


def first(result: Result, kind: str, ball: int | None = None, start: int = 0) -> Event:
    """The first event of that kind (of that ball), from the `start`-th event on."""
    for event in result.events[start:]:
        if event.kind == kind and ball in (None, event.ball, event.other):
            return event
    raise LookupError(f"no {kind} in {[event.kind for event in result.events]}")


def one_ball(
    velocity: tuple[float, float, float],
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    materials: Materials = DEFAULT_MATERIALS,
    at: tuple[float, ...] = (1.5, 1.0),
    table: Table = LONG,
) -> Result:
    """One ball set going."""
    layout = Layout(table, {1: at}, ball_radius=materials.ball_radius)
    return simulate(layout, motions={1: Motion(velocity, spin)}, materials=materials)


def after_cut(
    materials: Materials, speed: float, cut: float, top: float = 0.0, side: float = 0.0
) -> tuple[Vector, Vector, Vector, Vector]:
    """A cue ball moving along x into a frozen ball that is cut to the left (degrees).

    top 1 is natural roll, side is positive counterclockwise from above, both times speed / R.
    Returns velocity and spin of cue ball and object ball just after the impact, each (3,).
    """
    event = first(play_cut(materials, speed, cut, top, side), "ball_ball")
    (v0, w0), (v1, w1) = event.after[0], event.after[1]
    return np.array(v0), np.array(w0), np.array(v1), np.array(w1)


def play_cut(
    materials: Materials, speed: float, cut: float, top: float = 0.0, side: float = 0.0
) -> Result:
    """The shot behind `after_cut`, to its end."""
    radius = materials.ball_radius
    a = math.radians(cut)
    places = {
        0: (1.5, 3.0),
        1: (1.5 + 2 * radius * math.cos(a), 3.0 + 2 * radius * math.sin(a)),
    }
    layout = Layout(LONG, places, ball_radius=radius)
    spin = (0.0, top * speed / radius, side * speed / radius)
    return simulate(layout, motions={0: Motion((speed, 0.0, 0.0), spin)}, materials=materials)


def after_cue(
    stick: Stick,
    speed: float,
    side: float = 0.0,
    vertical: float = 0.0,
    materials: Materials = DEFAULT_MATERIALS,
) -> tuple[Vector, Vector]:
    """Velocity (x right, y ahead) and spin of a ball struck by a level stick."""
    layout = Layout(LONG, {0: (1.5, 3.0)}, ball_radius=materials.ball_radius)
    stroke = Stroke(speed, math.pi / 2, side, vertical, 0.0)
    event = first(simulate(layout, stroke, stick=stick, materials=materials), "cue_strike")
    v, w = event.after[0]
    return np.array(v), np.array(w)


@cache
def nose_table(height: float) -> Table:
    """A table whose noses are at that height, m."""
    return Table.from_spec(TableSpec(cushion_height=height, rail_top=max(0.043, height + 0.001)))


def after_nose(
    motion: Vector,
    *,
    model: str | None = None,
    radius: float = R,
    height: float = 0.635,
    above: float | None = None,
    e: float | None = None,
    mu: float = 0.14,
    mu_bed: float = 0.2,
) -> Vector:
    """A ball that touches the foot nose, before to after: velocity and R times spin, (6,).

    height: of the nose over the ball's diameter. above: of the ball's centre over the nose, m
    (None: the ball lies on the bed).
    """
    table = nose_table(height * 2 * radius)
    nose = table.spec.cushion_height
    z = radius if above is None else nose + above
    reach = math.sqrt(radius**2 - (z - nose) ** 2)
    layout = Layout(table, {1: (0.55, table.length - reach, z)}, ball_radius=radius)
    materials = Materials(ball_radius=radius, e_cushion=e, mu_cushion=mu, mu_slide=mu_bed)
    v, w = motion[:3], motion[3:] / radius
    given = Motion((v[0], v[1], v[2]), (w[0], w[1], w[2]))
    result = simulate(layout, motions={1: given}, materials=materials, cushion_model=model)
    event = first(result, "cushion")
    assert event.t < 1e-9, "the ball was to touch the nose at the start"
    v_after, w_after = event.after[1]
    return np.concatenate([v_after, radius * np.array(w_after)])


def moving(
    speed: float, from_cushion: float = math.pi / 2, top: float = 1.0, side: float = 0.0
) -> Vector:
    """Velocity and R times spin of a ball going into the foot cushion, at an angle from it (x).

    top 1 rolls; side is positive counterclockwise seen from above; both times speed.
    """
    c, s = math.cos(from_cushion), math.sin(from_cushion)
    return speed * np.array([c, s, 0.0, -top * s, top * c, side])
