"""The lag: both cue balls on the table at once, played by the engine, judged by `rules.lag`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

import rules
from rules.lag import LagShot, lag_winner
from sim.game.facts import LagFacts, engine_version
from sim.game.setup import Setup
from sim.model.layout import Layout
from sim.model.stroke import Motion, Stroke

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["LAG_BALLS", "judge_lag", "lag_layout", "play_lag"]

LAG_BALLS: dict[rules.Side, int] = {"A": 0, "B": 1}
"""Which ball each side lags: A's in the left half of the table, B's in the right."""

_SAME_TOUCH_S = 0.02  # contacts of one ball with one cushion closer than this are one touch


def lag_layout(setup: Setup) -> Layout:
    """Both balls behind the head string, each in the middle of its half."""
    table, radius = setup.table, setup.materials.ball_radius
    y = table.head_string - 2 * radius
    places = {
        LAG_BALLS["A"]: (table.width / 4, y),
        LAG_BALLS["B"]: (3 * table.width / 4, y),
    }
    return Layout(table, places, ball_radius=radius)


def play_lag(setup: Setup, a: Stroke, b: Stroke) -> tuple[LagFacts, Result]:
    """Play both strokes at the same moment and judge them: (facts, result for replay).

    Raises:
        StrokeError: a stroke that cannot be played.
    """
    from sim.shot.simulator import simulate  # loads the compiler: only when something is played

    layout = lag_layout(setup)
    motions = {}
    for side, stroke in (("A", a), ("B", b)):
        ball = LAG_BALLS[side]  # type: ignore[index]  # the two sides above
        motions[ball] = struck(setup, layout, ball, stroke)
    result = simulate(
        layout, motions=motions, materials=setup.materials, cushion_model=setup.cushion_model
    )
    return judge_lag(result), result


def struck(setup: Setup, layout: Layout, ball: int, stroke: Stroke) -> Motion:
    """The motion the stick gives a ball: the engine's own answer for a cue ball in its place."""
    from sim.shot.simulator import simulate  # loads the compiler: only when something is played

    x, y = float(layout[ball][0]), float(layout[ball][1])
    alone = Layout(layout.table, {0: (x, y)}, ball_radius=layout.ball_radius)
    result = simulate(alone, stroke, materials=setup.materials, cushion_model=setup.cushion_model)
    strike = next(e for e in result.events if e.kind == "cue_strike")
    velocity, spin = strike.after[0]
    vx, vy, vz = (float(v) for v in velocity)
    wx, wy, wz = (float(w) for w in spin)
    return Motion((vx, vy, vz), (wx, wy, wz))


def judge_lag(result: Result) -> LagFacts:
    """What both lags did, and who won."""
    a, b = (_seen(result, LAG_BALLS[side]) for side in rules.SIDES)
    verdict = lag_winner(a, b)
    return LagFacts(
        engine_version(),
        dataclasses.asdict(a),
        dataclasses.asdict(b),
        verdict.winner,
        verdict.reason,
    )


def _seen(result: Result, ball: int) -> LagShot:
    table, radius = result.table, result.layout.ball_radius
    mine = [e for e in result.events if e.ball == ball]
    reach = table.nose_contact(radius)
    on_table = ball in result.final.balls
    y = float(result.final[ball][1]) if on_table else 0.0
    return LagShot(
        foot_contacts=_touches(e.t for e in mine if e.kind == "cushion" and e.other == "foot"),
        head_contacts=_touches(e.t for e in mine if e.kind == "cushion" and e.other == "head"),
        head_distance=max(y - reach, 0.0) if on_table else None,
        side_cushion=any(
            e.kind == "jaw" or (e.kind == "cushion" and e.other not in ("head", "foot"))
            for e in mine
        ),
        crosses_long_string=_crosses(result, ball),
        pocketed=ball in result.pocketed,
        off_table=ball in result.off_table,
        past_head_cushion_nose=on_table and y < reach - 1e-6,
    )


def _touches(times: Iterable[float]) -> int:
    count, last = 0, -1.0
    for t in times:
        count += last < 0 or t - last > _SAME_TOUCH_S
        last = t
    return count


def _crosses(result: Result, ball: int) -> bool:
    """Whether the ball's centre was ever on the other half of the table."""
    middle = result.table.width / 2
    own = [e.t for e in result.events if e.ball == ball]
    times = np.unique(np.concatenate([np.arange(0.0, result.duration, 0.02), own]))
    xs = result.states(times)[:, result.balls.index(ball), 0]
    begins_left = float(result.layout[ball][0]) < middle
    return bool(np.any(xs > middle if begins_left else xs < middle))
