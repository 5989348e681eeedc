"""Named layouts and shots that tests, notebooks and benchmarks share.

A Scene is a layout and what sets it going. `SCENES` maps names to functions of a table;
`scene(name)` makes one. `spread(table, n, seed)` strews balls at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from sim.model.checks import brief
from sim.model.errors import InputError, LayoutError
from sim.model.layout import Layout
from sim.model.materials import Materials
from sim.model.rack import rack
from sim.model.stroke import BREAK_STICK, JUMP_STICK, Motion, Stick, Stroke
from sim.model.table import Table

__all__ = ["SCENES", "Scene", "break_shot", "ordinary", "scene", "spread"]

R = Materials.ball_radius
UP = math.pi / 2  # heading from the head to the foot


@dataclass(frozen=True)
class Scene:
    """A layout, and a stroke or motions.

    `keywords` are what `sim.simulate` takes besides the layout and the stroke:
    `sim.simulate(scene.layout, scene.stroke, **scene.keywords)`.
    """

    name: str
    about: str
    layout: Layout
    stroke: Stroke | None = None
    motions: Mapping[int, Motion] | None = None
    stick: Stick | None = None

    @property
    def keywords(self) -> dict[str, object]:
        """The keyword arguments of `sim.simulate` for this scene."""
        given: dict[str, object] = {"motions": self.motions, "stick": self.stick}
        return {name: value for name, value in given.items() if value is not None}


def scene(name: str, table: Table | None = None) -> Scene:
    """The scene of that name on a table (default: the 9 foot one).

    Raises:
        InputError: no such scene.
    """
    if name not in SCENES:
        raise InputError(f"scene: got {brief(name)}, expected one of {', '.join(SCENES)}")
    return SCENES[name](table or Table.wpa_9ft())


def break_shot(table: Table, seed: int = 7, speed: float = 9.0, order: str = "wpa") -> Scene:
    """A full hit on the apex ball of a seeded rack."""
    layout = rack(table, seed, order=order)
    return Scene(
        "break",
        "the break, full on the one",
        layout,
        Stroke(speed, _heading(layout, 0, 1)),
        stick=BREAK_STICK,
    )


def spread(table: Table, n: int, seed: int, *, cue: bool = True, gap: float = 1e-3) -> Layout:
    """Balls strewn at random on the bed, clear of each other and of the noses by `gap`.

    Args:
        table: the table.
        n: object balls, 0 to 10: ids 1..n.
        seed: the same seed gives the same layout, and the first balls of a larger one.
        cue: whether there is a cue ball (placed first).
        gap: least room between balls, and between ball and nose, m.

    Raises:
        LayoutError: n out of range.
    """
    if not 0 <= n <= 10:
        raise LayoutError(f"spread: got {n} object balls, expected 0 to 10")
    rng = np.random.default_rng([seed, 2])
    room = table.nose_contact(R) + gap
    low, high = np.array([room, room]), np.array([table.width - room, table.length - room])
    places: dict[int, tuple[float, float]] = {}
    for ball in range(0 if cue else 1, n + 1):
        while True:
            x, y = (float(v) for v in rng.uniform(low, high))
            if all(math.dist((x, y), other) >= 2 * R + gap for other in places.values()):
                places[ball] = (x, y)
                break
    return Layout(table, places)


def ordinary(table: Table, seed: int, n: int = 10) -> Scene:
    """An ordinary shot: balls spread, the cue ball shot at the lowest at 2 to 5 m/s, off centre.

    Whatever lies between is hit on the way: ordinary shots of a random player.
    """
    layout = spread(table, n, seed)
    rng = np.random.default_rng([seed, 3])
    aim = _heading(layout, 0, 1)
    distance = float(np.linalg.norm(layout[1] - layout[0]))
    cut = float(rng.uniform(-0.8, 0.8)) * math.asin(min(1.0, 2 * R / distance))
    stroke = Stroke(
        float(rng.uniform(2.0, 5.0)),
        aim + cut,
        float(rng.uniform(-0.3, 0.3)),
        float(rng.uniform(-0.3, 0.3)),
    )
    return Scene("ordinary", "balls spread, the lowest shot at", layout, stroke)


def _heading(layout: Layout, a: int, b: int) -> float:
    dx, dy = layout[b][:2] - layout[a][:2]
    return math.atan2(dy, dx)


def _straight(name: str, about: str, vertical: float, speed: float) -> Callable[[Table], Scene]:
    def make(table: Table) -> Scene:
        """The one straight into the foot left pocket from half a metre behind it."""
        pocket = table.geometry.pockets[4]
        (x, y), (ax, ay) = pocket.centre, pocket.axis
        layout = Layout(table, {0: (x + 1.1 * ax, y + 1.1 * ay), 1: (x + 0.6 * ax, y + 0.6 * ay)})
        return Scene(name, about, layout, Stroke(speed, math.atan2(-ay, -ax), 0.0, vertical))

    return make


def _half_ball(table: Table) -> Scene:
    """The cue ball's centre aimed at the edge of the one: a cut of 30 degrees."""
    middle, y = table.width / 2, table.length / 2
    contact = (middle + R, y - math.sqrt(3) * R)  # where the cue ball is when they touch
    layout = Layout(table, {0: (contact[0], y - 0.6), 1: (middle, y)})
    return Scene("half_ball", "a half-ball hit", layout, Stroke(2.0, UP))


def _bank(table: Table) -> Scene:
    """The one, off the left cushion, towards the right side pocket."""
    reach = table.nose_contact(R)
    start = (table.width * 0.5, table.length * 0.5 - 0.5)
    target = (table.width, table.length / 2)
    mirrored = (2 * reach - target[0], target[1])
    heading = math.atan2(mirrored[1] - start[1], mirrored[0] - start[0])
    back = 0.3
    cue = (start[0] - back * math.cos(heading), start[1] - back * math.sin(heading))
    layout = Layout(table, {0: cue, 1: start})
    return Scene("bank", "the one, one cushion to a side pocket", layout, Stroke(2.5, heading))


def _combination(table: Table) -> Scene:
    """Three balls frozen in a line to the foot left pocket, shot at from behind."""
    pocket = table.geometry.pockets[4]
    ax, ay = pocket.axis
    places = {}
    for ball in (1, 2, 3):
        along = 0.45 + (3 - ball) * 2 * R
        places[ball] = (pocket.centre[0] + along * ax, pocket.centre[1] + along * ay)
    along = 0.45 + 0.5
    places[0] = (pocket.centre[0] + along * ax, pocket.centre[1] + along * ay)
    heading = math.atan2(-ay, -ax)
    layout = Layout(table, places)
    return Scene(
        "combination", "three frozen balls in line to a corner", layout, Stroke(2.0, heading)
    )


def _frozen_pair(table: Table) -> Scene:
    """Two frozen balls, the first hit full at an angle to their line: throw across the pair."""
    x, y = table.width / 2, table.length / 2
    layout = Layout(table, {0: (x - 0.02, y - 0.4), 1: (x, y), 2: (x, y + 2 * R)})
    return Scene("frozen_pair", "two frozen balls", layout, Stroke(2.0, _heading(layout, 0, 1)))


def _frozen_cushion(table: Table) -> Scene:
    """The one frozen to the left cushion, hit at a slant."""
    reach = table.nose_contact(R)
    layout = Layout(table, {0: (0.4, 0.6), 1: (reach, table.length * 0.4)})
    return Scene(
        "frozen_cushion",
        "a ball frozen to a cushion",
        layout,
        Stroke(2.5, _heading(layout, 0, 1)),
    )


def _jump(table: Table) -> Scene:
    """The jump stick lifts the cue ball over the two, which lies in its way to the one."""
    x, y = table.width / 2, table.length * 0.3
    layout = Layout(table, {0: (x, y), 2: (x, y + 0.3), 1: (x, y + 0.9)})
    return Scene(
        "jump",
        "over the two to the one",
        layout,
        Stroke(5.0, UP, 0.0, 0.0, math.radians(45)),
        stick=JUMP_STICK,
    )


def _masse(table: Table) -> Scene:
    """A steep stick with side: the cue ball goes round the two, which hides the one, and back."""
    x, y = table.width / 2, table.length * 0.35
    layout = Layout(table, {0: (x, y), 2: (x, y + 0.25), 1: (x - 0.06, y + 0.8)})
    stroke = Stroke(2.0, UP + 0.6, 0.45, 0.0, math.radians(60))
    return Scene("masse", "round the two to the one", layout, stroke)


def _rolling(table: Table) -> Scene:
    """A ball set rolling along the table, no stick."""
    layout = Layout(table, {1: (table.width / 2, table.length / 4)})
    motion = Motion((0.0, 1.0, 0.0), (-1.0 / R, 0.0, 0.0))
    return Scene("rolling", "one ball rolling", layout, motions={1: motion})


def _hanger(table: Table) -> Scene:
    """The one at the lip of a corner pocket, tapped in."""
    pocket = table.geometry.pockets[4]
    along = pocket.radius + 0.012
    at = (pocket.centre[0] + along * pocket.axis[0], pocket.centre[1] + along * pocket.axis[1])
    cue = (at[0] + 0.6 * pocket.axis[0], at[1] + 0.6 * pocket.axis[1])
    layout = Layout(table, {0: cue, 1: at})
    return Scene("hanger", "a ball at the lip", layout, Stroke(1.0, _heading(layout, 0, 1)))


SCENES: dict[str, Callable[[Table], Scene]] = {
    "break": break_shot,
    "stop": _straight("stop", "a stop shot, half a metre, struck low", -0.2, 2.0),
    "stun": _straight("stun", "the same struck in the centre", 0.0, 2.0),
    "follow": _straight("follow", "the same struck high", 0.4, 2.0),
    "draw": _straight("draw", "the same struck lower and harder", -0.45, 3.0),
    "half_ball": _half_ball,
    "bank": _bank,
    "combination": _combination,
    "frozen_pair": _frozen_pair,
    "frozen_cushion": _frozen_cushion,
    "jump": _jump,
    "masse": _masse,
    "rolling": _rolling,
    "hanger": _hanger,
    **{f"ordinary_{seed}": partial(ordinary, seed=seed) for seed in range(10)},
}
