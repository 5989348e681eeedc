"""Shots of skill and of bad luck, each with a number that plain mechanics gives as well.

What is asked is worked out in `plain` from the textbook formulas (impulses, parabolas, small time
steps), sharing no code with `sim.physics`. `tenball validate --pictures DIR` draws them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sim.model import (
    BREAK_STICK,
    JUMP_STICK,
    PLAYING_STICK,
    Layout,
    Materials,
    Motion,
    Stick,
    Stroke,
    Table,
    rack,
)
from sim.shot.result import Result
from sim.shot.simulator import simulate
from sim.shot.validation import plain
from sim.shot.validation.play import R, first
from sim.shot.validation.rows import Row

__all__ = ["SHOTS", "Scripted", "rows", "scripted"]

NINE_FOOT = Table.wpa_9ft()
UP = math.pi / 2
G = Materials.g
CLOSED_FORM = "plain mechanics: 0.1 %, or 0.1 mm where that is more"


@dataclass(frozen=True)
class Scripted:
    """A shot, what it shows, and its numbers: (quantity, asked, got)."""

    name: str
    about: str
    layout: Layout
    numbers: Callable[[Result], list[tuple[str, float, float]]]
    stroke: Stroke | None = None
    motions: Mapping[int, Motion] | None = None
    stick: Stick = PLAYING_STICK

    def play(self) -> Result:
        """The shot, to its end."""
        return simulate(self.layout, self.stroke, motions=self.motions, stick=self.stick)

    def rows(self, result: Result) -> list[Row]:
        """Its rows of the validation table."""
        return [
            Row(
                self.about,
                what,
                asked,
                got,
                max(1e-3 * abs(asked), 1e-4),
                CLOSED_FORM,
            )
            for what, asked, got in self.numbers(result)
        ]


def rows() -> list[Row]:
    """Every scripted shot's rows."""
    return [row for shot in SHOTS for row in shot.rows(shot.play())]


def scripted(name: str) -> Scripted:
    """The scripted shot of that name."""
    return next(shot for shot in SHOTS if shot.name == name)


def path(result: Result, ball: int, until: float, n: int = 2001) -> NDArray[np.float64]:
    """Centres of a ball at n times from 0 to `until`, (n, 3)."""
    row = result.balls.index(ball)
    centres: NDArray[np.float64] = result.states(np.linspace(0.0, until, n))[:, row, :3]
    return centres


# --- over a ball, round a ball, back from a ball -------------------------------------------------


def _jump(result: Result) -> list[tuple[str, float, float]]:
    until = first(result, "bed", 0).t
    other = result.layout[2]
    got = float(np.linalg.norm(path(result, 0, until) - other, axis=1).min()) - 2 * R
    v, _ = plain.strike(JUMP_STICK, 3.2, UP, 0.0, 0.0, math.radians(45))
    start = np.array(result.layout[0])
    t = np.linspace(0.0, 2 * v[2] / G, 20001)[:, None]
    flight = start + v * t - np.array([0.0, 0.0, G / 2]) * t * t
    asked = float(np.linalg.norm(flight - other, axis=1).min()) - 2 * R
    return [("room between the balls (m)", asked, got), ("airborne (s)", 2 * v[2] / G, until)]


def _masse(result: Result) -> list[tuple[str, float, float]]:
    meeting = first(result, "ball_ball", 0)
    stroke = result.stroke
    assert stroke is not None
    assert stroke.elevation is not None
    v, w = plain.strike(
        result.stick, stroke.speed, stroke.azimuth, stroke.side, stroke.vertical, stroke.elevation
    )
    centres = plain.cloth_path(np.array(result.layout[0]), v, w, meeting.t)
    went = path(result, 0, meeting.t)
    round_it = result.layout[2]

    def room(points: NDArray[np.float64]) -> float:
        return float(np.hypot(*(points - round_it)[:, :2].T).min()) - 2 * R

    def aside(points: NDArray[np.float64]) -> float:
        return float(points[:, 0].max() - result.layout[0][0])

    return [
        ("greatest way aside (m)", aside(centres), aside(went)),
        ("room beside the ball in the way, in plan (m)", room(centres), room(went)),
        ("x where it meets the next ball (m)", float(centres[-1, 0]), float(went[-1, 0])),
    ]


def _draw(result: Result) -> list[tuple[str, float, float]]:
    hit = first(result, "ball_ball")
    contact = float(result.states([hit.t])[0, result.balls.index(0), 1])
    got = contact - first(result, "roll_to_rest", 0).position[1]
    distance = contact - result.layout[0][1]
    asked = plain.draw_length(result.stick, 2.0, -0.45, float(distance))
    return [("draw, from contact to rest (m)", asked, got)]


# --- hops and flights -----------------------------------------------------------------------------


def _break(result: Result) -> list[tuple[str, float, float]]:
    elevation = result.elevation
    assert elevation is not None
    v, _ = plain.strike(BREAK_STICK, 9.0, UP, 0.0, 0.0, elevation)
    bounce = first(result, "bed", 0)
    struck = float(path(result, 0, bounce.t)[:, 2].max()) - R
    # The highest of all hops after the rack, against the speed it left the bed or the rack with.
    best_got, best_asked = 0.0, 0.0
    row = result.balls.index(0)
    mine = [e for e in result.events if 0 in (e.ball, e.other) and e.t > bounce.t]
    for event, following in pairwise(mine):
        up = event.after[0][0][2]
        if up <= 0.0 or event.t + up / G > following.t:
            continue
        times = [event.t, event.t + up / G]
        low, top = result.states(times)[:, row, 2]
        if top - R > best_got:
            best_got, best_asked = float(top) - R, float(low) + up * up / (2 * G) - R
    return [
        ("hop off the stick (m)", v[2] ** 2 / (2 * G), struck),
        ("highest hop after the rack (m)", best_asked, best_got),
    ]


def _off_table(result: Result) -> list[tuple[str, float, float]]:
    gone = first(result, "off_table", 10)
    last = [e for e in result.events if 10 in (e.ball, e.other) and e.t < gone.t][-1]
    vx, vy, vz = last.after[10][0]
    row = result.balls.index(10)
    x, y, z = result.states([last.t])[0, row, :3]
    edge = NINE_FOOT.length + NINE_FOOT.spec.rail_width
    t = (edge - y) / vy
    return [
        ("y where it leaves (m)", edge, gone.position[1]),
        ("x where it leaves (m)", x + vx * t, gone.position[0]),
        ("height over the outer edge (m)", z + vz * t - G * t * t / 2, gone.position[2]),
    ]


def _rail(result: Result) -> list[tuple[str, float, float]]:
    touch = first(result, "rail_top")
    motion = result.motions[1]
    slope = math.atan2(
        NINE_FOOT.spec.rail_top - NINE_FOOT.spec.cushion_height, NINE_FOOT.spec.cushion_width
    )
    start = np.array(result.layout[1])

    def gap(t: float) -> float:
        y = start[1] + motion.velocity[1] * t - NINE_FOOT.length
        rise = start[2] - G * t * t / 2 - NINE_FOOT.spec.cushion_height
        return float(rise * math.cos(slope) - y * math.sin(slope)) - R

    asked = plain.root(gap, 0.0, 0.15)
    held = first(result, "hold").position
    up = (R + (held[1] - NINE_FOOT.length) * math.sin(slope)) / math.cos(slope)
    return [
        ("lands on the cushion's top (s)", asked, touch.t),
        ("height where it rolls on (m)", NINE_FOOT.spec.cushion_height + up, held[2]),
    ]


def _liner(result: Result) -> list[tuple[str, float, float]]:
    edge, liner = first(result, "pocket_edge"), first(result, "liner")
    pocket = NINE_FOOT.geometry.pockets[2]
    speed = -edge.after[1][0][0]
    nose = NINE_FOOT.spec.cushion_height

    def gap(t: float) -> float:
        from_liner = edge.position[0] - speed * t - (pocket.centre[0] - pocket.radius)
        return math.hypot(from_liner, R - G * t * t / 2 - nose) - R

    t = plain.root(gap, 0.0, 0.13 / speed)
    back = first(result, "pocket_exit")
    return [
        ("from the slate's edge to the liner (s)", t, liner.t - edge.t),
        ("drop at the liner (m)", G * t * t / 2, R - liner.position[2]),
        ("height where it is back (m)", R, back.position[2]),
    ]


# --- the stick again ------------------------------------------------------------------------------


def _double_hit(result: Result) -> list[tuple[str, float, float]]:
    again = first(result, "tip_again")
    asked = plain.second_tip_contact(result.stick, 2.0, 0.005)
    return [("second tip contact (ms)", 1e3 * asked, 1e3 * again.t)]


def _miscue(result: Result) -> list[tuple[str, float, float]]:
    (vx, vy, _), _ = first(result, "miscue").after[0]
    speed, lean = plain.miscue(result.stick, 2.0, 0.7)
    return [
        ("speed (m/s)", speed, math.hypot(vx, vy)),
        ("away from the aim (deg)", math.degrees(lean), math.degrees(math.atan2(-vx, vy))),
    ]


def _at(*balls: tuple[int, tuple[float, ...]]) -> Layout:
    return Layout(NINE_FOOT, dict(balls))


SHOTS = (
    Scripted(
        "jump",
        "jump over a ball",
        _at((0, (0.635, 0.8)), (2, (0.635, 1.1)), (1, (0.635, 1.8))),
        _jump,
        Stroke(3.2, UP, elevation=math.radians(45)),
        stick=JUMP_STICK,
    ),
    Scripted(
        "masse",
        "masse round a ball",
        _at((0, (0.635, 0.7)), (2, (0.635, 0.95)), (1, (0.635, 1.45))),
        _masse,
        Stroke(2.5, UP - 0.5, -0.4, -0.2, math.radians(50)),
    ),
    Scripted(
        "draw",
        "draw shot",
        _at((0, (0.635, 1.2)), (1, (0.635, 1.7))),
        _draw,
        Stroke(2.0, UP, 0.0, -0.45, 0.0),
        stick=Stick(length=1.0),
    ),
    Scripted(
        "break_hop",
        "hop on a hard break",
        rack(NINE_FOOT, seed=7, cue=(0.635, 0.5)),
        _break,
        Stroke(9.0, UP),
        stick=BREAK_STICK,
    ),
    Scripted(
        "ten_off_table",
        "the ten off the table",
        _at((0, (0.635, 2.32)), (10, (0.635, 2.4)), (1, (0.3, 1.0))),
        _off_table,
        Stroke(5.0, UP, elevation=math.radians(20)),
    ),
    Scripted(
        "rail_top",
        "along the rail and back",
        _at((1, (0.4, 2.5, 0.1))),
        _rail,
        motions={1: Motion((0.5, 0.5, 0.0))},
    ),
    Scripted(
        "liner",
        "back out off the liner",
        _at((1, (0.4, 1.27))),
        _liner,
        motions={1: Motion((-11.0, 0.0, 0.0), (0.0, -11.0 / R, 0.0))},
    ),
    Scripted(
        "double_hit",
        "double hit, a ball 5 mm ahead",
        _at((0, (0.635, 1.2)), (1, (0.635, 1.2 + 2 * R + 0.005))),
        _double_hit,
        Stroke(2.0, UP, elevation=0.0),
        stick=Stick(length=1.0),
    ),
    Scripted(
        "miscue",
        "miscue",
        _at((0, (0.635, 1.2))),
        _miscue,
        Stroke(2.0, UP, 0.7, 0.0, 0.0),
        stick=Stick(length=1.0),
    ),
)
