"""How the scripted player imagines strokes: its own error, many shots at once, what they are worth.

The player looks through the engine: candidates are played by `simulate_many`, some of them many
times with the errors that a player of its strength makes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import rules
from sim.game.pots import direct_pots
from sim.game.setup import Setup
from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.stroke import Stroke

if TYPE_CHECKING:
    from sim.shot.result import Shots

__all__ = ["Imagined", "Skill", "ease", "imagine", "next_layout"]

MAX_OFFSET = 0.5  # of the tip: the player does not miscue on purpose
MAX_SPEED = 11.0
ROUGHNESS = 0.002  # what throw and cushions add to an aim taken from geometry alone, radians


@dataclass(frozen=True)
class Skill:
    """Errors of a player's stroke, standard deviations.

    aim in radians, speed as a share of it, tip in ball radii. `of(strength)` runs from a beginner
    (0: 0.5 degrees, 10 %, 0.06 R) to a champion (1: 0.02 degrees, 1.5 %, 0.01 R).
    """

    aim: float
    speed: float
    tip: float

    @classmethod
    def of(cls, strength: float) -> Skill:
        """The skill of a strength 0 to 1."""
        s = min(max(strength, 0.0), 1.0)
        return cls(0.0087 * 0.04**s, 0.10 * 0.15**s, 0.06 * 0.17**s)

    def played(self, stroke: Stroke, rng: np.random.Generator, count: int = 1) -> list[Stroke]:
        """The stroke as it comes out, `count` times."""
        errors = rng.standard_normal((count, 4)).tolist()
        return [self._off(stroke, *error) for error in errors]

    def _off(self, stroke: Stroke, aim: float, speed: float, side: float, up: float) -> Stroke:
        a = stroke.side + self.tip * side
        b = stroke.vertical + self.tip * up
        far = math.hypot(a, b)
        if far > 0.95:
            a, b = 0.95 * a / far, 0.95 * b / far
        pace = stroke.speed * max(1.0 + self.speed * speed, 0.2)
        return Stroke(min(pace, 14.0), stroke.azimuth + self.aim * aim, a, b)


@dataclass(frozen=True)
class Imagined:
    """What many imagined strokes came to, N of each.

    Attributes:
        shots: their columns.
        lawful: no foul that balls and stick can make, (N,) bool.
        scratched: the cue ball did not stay on the table, (N,) bool.
    """

    shots: Shots
    lawful: NDArray[np.bool_]
    scratched: NDArray[np.bool_]

    def made(self, ball: int, pocket: int) -> NDArray[np.bool_]:
        """Where a ball fell in a pocket (an index into POCKETS) without a foul, (N,) bool."""
        fell: NDArray[np.bool_] = self.shots.pocketed[:, ball] == pocket
        return self.lawful & fell


def imagine(
    setup: Setup,
    layouts: Layout | Sequence[Layout],
    strokes: Sequence[Stroke],
    lowest: int,
    *,
    free: bool = False,
) -> Imagined:
    """Play strokes in the mind. `free`: a push-out, where neither contact nor cushion is asked."""
    from sim.shot.simulator import simulate_many  # loads the compiler: only when it is needed

    shots = simulate_many(
        layouts,
        strokes,
        materials=setup.materials,
        cushion_model=setup.cushion_model,
        on_error="row",
    )
    down = shots.pocketed >= 0
    scratched = down[:, CUE_BALL] | shots.off_table[:, CUE_BALL]
    lawful = shots.ok & ~scratched & ~shots.off_table.any(axis=1)
    lawful &= ~(shots.tip_again | shots.push | shots.stick_touch | shots.miscue)
    if not free:
        reached = shots.cushion_after.any(axis=1) | down.any(axis=1)
        lawful &= (shots.first_contact == lowest) & reached
    return Imagined(shots, lawful, scratched)


def next_layout(setup: Setup, before: Layout, shots: Shots, row: int) -> Layout:
    """Where the balls of one imagined shot came to rest; a ten that fell is back on its spot."""
    places = {
        ball: tuple(shots.final[row, ball].tolist())
        for ball in before.balls
        if not math.isnan(shots.final[row, ball, 0])
    }
    if 10 not in places:
        places[10] = (*setup.table.foot_spot, before.ball_radius)
    return Layout.unchecked(setup.table, places, before.ball_radius)


def ease(layout: Layout, lowest: int | None, skill: Skill) -> float:
    """How likely the player of this skill pots something next, by geometry alone, 0 to 1."""
    if lowest is None or lowest not in layout or CUE_BALL not in layout:
        return 0.0
    pots = direct_pots(layout, lowest)
    if not pots:
        return 0.0
    return chance(pots[0].tolerance, skill)


def chance(tolerance: float, skill: Skill) -> float:
    """How likely an aim within a tolerance (radians) comes off."""
    return math.erf(tolerance / (math.sqrt(2.0) * math.hypot(skill.aim, ROUGHNESS)))


def lowest_after(rack: rules.RackState, shots: Shots, row: int) -> int | None:
    """The lowest ball after one imagined shot."""
    left = [b for b in sorted(rack.balls) if b == 10 or shots.pocketed[row, b] < 0]
    return left[0] if left else None
