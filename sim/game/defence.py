"""The scripted player without a good pot: safeties, push-outs, and whether to play on."""

from __future__ import annotations

import math

import numpy as np

import rules
from sim.game.attack import AFTER_FOUL, Idea
from sim.game.pots import kicks
from sim.game.setup import Setup
from sim.game.thinking import Skill, ease, imagine, lowest_after, next_layout
from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.stroke import Stroke

__all__ = ["best_push_out", "best_safety"]

SPEEDS = (0.7, 1.1, 1.7, 2.6, 4.0)
SHARES = (-0.85, -0.6, -0.35, -0.1, 0.1, 0.35, 0.6, 0.85)  # of the width of two balls
SAMPLES = 12
FINALISTS = 6
LEAVES = (0.50, 0.42)  # a safety is worth the first, less the second for an easy answer
PUSHES = 48


def best_safety(
    setup: Setup, rack: rules.RackState, layout: Layout, skill: Skill, rng: np.random.Generator
) -> Idea:
    """The stroke that hits the lowest ball lawfully and leaves the least; always one."""
    lowest = rack.lowest
    assert lowest is not None
    strokes = _candidates(layout, lowest, rng)
    seen = imagine(setup, layout, strokes, lowest)
    rows = [row for row in range(len(strokes)) if seen.lawful[row]]
    # Balls that fall on a safety hand the choice to the opponent: only if nothing else is there.
    dry = [row for row in rows if not (seen.shots.pocketed[row] >= 0).any()]
    rows = dry or rows
    if not rows:
        return _hope(layout, lowest, strokes)
    leaves = [
        (
            ease(
                next_layout(setup, layout, seen.shots, r), lowest_after(rack, seen.shots, r), skill
            ),
            r,
        )
        for r in rows[:160]
    ]
    leaves.sort()
    ideas = [_weigh(setup, rack, layout, strokes[row], skill, rng) for _, row in leaves[:FINALISTS]]
    return max(ideas, key=lambda idea: idea.worth)


def _candidates(layout: Layout, lowest: int, rng: np.random.Generator) -> list[Stroke]:
    """Strokes at the lowest ball: straight from thick to thin, kicks, and anywhere at all."""
    strokes = []
    far = math.dist(layout[CUE_BALL], layout[lowest])
    width = math.asin(min(2 * layout.ball_radius / far, 1.0))
    for azimuth in kicks(layout, lowest):
        for share in SHARES:
            for speed in SPEEDS:
                strokes.append(Stroke(speed, azimuth + share * width, 0.0, 0.0))
    for azimuth in rng.uniform(-math.pi, math.pi, 60).tolist():
        strokes += [Stroke(speed, azimuth) for speed in (1.7, 3.2, 5.0)]
    return strokes[:600]


def _hope(layout: Layout, lowest: int, strokes: list[Stroke]) -> Idea:
    """Nothing lawful was found: straight at the ball, firmly."""
    line = layout[lowest] - layout[CUE_BALL]
    stroke = Stroke(2.5, math.atan2(float(line[1]), float(line[0])))
    return Idea(stroke, rules.no_call(), AFTER_FOUL)


def _weigh(
    setup: Setup,
    rack: rules.RackState,
    layout: Layout,
    stroke: Stroke,
    skill: Skill,
    rng: np.random.Generator,
) -> Idea:
    """A safety played several times with the player's errors."""
    assert rack.lowest is not None
    seen = imagine(setup, layout, skill.played(stroke, rng, SAMPLES), rack.lowest)
    worth = 0.0
    for row in range(SAMPLES):
        if not seen.lawful[row]:
            worth += AFTER_FOUL
            continue
        after = next_layout(setup, layout, seen.shots, row)
        left = ease(after, lowest_after(rack, seen.shots, row), skill)
        worth += LEAVES[0] - LEAVES[1] * left
    return Idea(stroke, rules.safety(), worth / SAMPLES)


def best_push_out(
    setup: Setup, rack: rules.RackState, layout: Layout, skill: Skill, rng: np.random.Generator
) -> Idea:
    """A push-out to a shot that neither side much wants: the opponent takes the better half."""
    assert rack.lowest is not None
    azimuths = rng.uniform(-math.pi, math.pi, PUSHES).tolist()
    speeds = rng.uniform(0.4, 2.5, PUSHES).tolist()
    strokes = [Stroke(v, a) for v, a in zip(speeds, azimuths, strict=True)]
    seen = imagine(setup, layout, strokes, rack.lowest, free=True)
    best = Idea(strokes[0], rules.push_out(), 0.0)
    for row, stroke in enumerate(strokes):
        if not seen.lawful[row] or (seen.shots.pocketed[row] >= 0).any():
            continue
        after = next_layout(setup, layout, seen.shots, row)
        left = ease(after, rack.lowest, skill)
        worth = 0.46 - 0.3 * abs(left - 0.5)
        if worth > best.worth:
            best = Idea(stroke, rules.push_out(), worth)
    return best
