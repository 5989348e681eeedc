"""What a stroke would do, from the real engine, to the first contacts: what a player may know.

The shot is played to its first events and cut: squirt, swerve, throw and cushions on the
way to the first ball are the engine's own. No Panda3D but the marks that are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.model.balls import CUE_BALL, LOOKS
from sim.model.layout import Layout
from sim.model.stroke import PLAYING_STICK, Stick, Stroke

if TYPE_CHECKING:
    from sim.game.setup import Setup
    from sim.play.scene import Scene
    from sim.shot.result import Event, Result

__all__ = ["Preview", "default_azimuth", "draw_preview", "preview"]

OBJECT_SHOWN = 1.0  # how far the object ball's line goes, m
CUE_SHOWN = 0.55  # and the cue ball's after the contact, m
STEPS = 32  # points of a line
MOST_CUSHIONS = 3  # shown of the cue ball's way to its first ball
MOST_EVENTS = 40  # of the shot that are looked at: what comes later is not for an aim to know
_STOPS = frozenset({"ball_ball", "cushion", "jaw", "pocketed", "off_table", "rail_top"})
_BOUNCES = frozenset({"cushion", "jaw"})


@dataclass(frozen=True)
class Preview:
    """What is known of a stroke before it is played.

    Attributes:
        cue: (N, 3) the cue ball's way to its first ball, or to where it is not followed further.
        ghost: where the cue ball is when it meets its first ball; None if it meets none.
        first: that ball; None as above.
        ball: (N, 3) its way after the contact, empty as above.
        after: (N, 3) the cue ball's way after the contact, empty as above.
        elevation: of the stick, radians.
        touches: whether the stick touches a cushion or ball; miscue: whether the tip slips.
    """

    cue: NDArray[np.float64]
    ghost: tuple[float, float, float] | None
    first: int | None
    ball: NDArray[np.float64]
    after: NDArray[np.float64]
    elevation: float
    touches: bool
    miscue: bool


def preview(setup: Setup, layout: Layout, stroke: Stroke, stick: Stick = PLAYING_STICK) -> Preview:
    """Play the stroke and keep what comes before and just after the first contact."""
    from sim.shot.simulator import simulate  # loads the compiler: only when something is played

    result = simulate(
        layout,
        stroke,
        materials=setup.materials,
        cushion_model=setup.cushion_model,
        stick=stick,
        clearance="event",
        max_events=MOST_EVENTS,
    )
    kinds = {event.kind for event in result.events}
    first = _first(result)
    empty = np.zeros((0, 3))
    ghost, met, ball, after = None, None, empty, empty
    if first is None:
        (cue,) = _ways(result, [(CUE_BALL, 0.0, _end_of_way(result))])
    else:
        met = first.ball or int(first.other or 0)
        cue, ball, after = _ways(
            result,
            [
                (CUE_BALL, 0.0, first.t),
                (met, first.t, _next(result, met, first.t)),
                (CUE_BALL, first.t, _next(result, CUE_BALL, first.t)),
            ],
        )
        x, y, z = cue[-1].tolist()
        ghost = (x, y, z)
        ball, after = _shortened(ball, OBJECT_SHOWN), _shortened(after, CUE_SHOWN)
    return Preview(
        cue,
        ghost,
        met,
        ball,
        after,
        float(result.elevation or 0.0),
        "stick_touch" in kinds,
        "miscue" in kinds,
    )


def _first(result: Result) -> Event | None:
    """The cue ball's first contact with a ball, if it is not too far round the table."""
    bounces = 0
    for event in result.events:
        if event.kind == "ball_ball" and CUE_BALL in (event.ball, event.other):
            return event
        if event.ball == CUE_BALL and event.kind in _BOUNCES:
            bounces += 1
            if bounces > MOST_CUSHIONS:
                return None
    return None


def _end_of_way(result: Result) -> float:
    bounces = 0
    for event in result.events:
        if event.ball == CUE_BALL and event.kind in _BOUNCES:
            bounces += 1
            if bounces > MOST_CUSHIONS:
                return event.t
        if event.ball == CUE_BALL and event.kind in ("pocketed", "off_table"):
            return event.t
    return result.duration


def _next(result: Result, ball: int, since: float) -> float:
    """When a ball next meets anything more than a moment after `since`."""
    for event in result.events:
        if event.t > since + 0.004 and event.kind in _STOPS and ball in (event.ball, event.other):
            return event.t
    return result.duration


def _ways(result: Result, wanted: list[tuple[int, float, float]]) -> list[NDArray[np.float64]]:
    """(N, 3) places of each (ball, from, to), close where it is fast and at every contact."""
    grids = [
        np.unique(
            np.concatenate(
                (
                    # Squares of equal steps: a ball is fastest, and its way most bent, at first.
                    begin + (end - begin) * np.linspace(0, 1, STEPS) ** 2,
                    [e.t for e in result.events if begin < e.t < end and ball in (e.ball, e.other)],
                    [end],
                )
            )
        )
        for ball, begin, end in wanted
    ]
    # One question for all: most of its cost does not depend on how many times are asked.
    states = result.states(np.concatenate(grids))
    ends = np.cumsum([len(grid) for grid in grids])
    return [
        states[stop - len(grid) : stop, result.balls.index(ball), :3]
        for (ball, _, _), grid, stop in zip(wanted, grids, ends, strict=True)
    ]


def _shortened(way: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    """The first `length` metres of a way."""
    if len(way) < 2:
        return way
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    far = np.concatenate(([0.0], np.cumsum(steps)))
    if far[-1] <= length:
        return way
    last = int(np.searchsorted(far, length))
    share = (length - far[last - 1]) / max(far[last] - far[last - 1], 1e-12)
    end = way[last - 1] + share * (way[last] - way[last - 1])
    return np.vstack((way[:last], end))


def default_azimuth(layout: Layout, lowest: int | None) -> float:
    """From the cue ball to the ball that must be met first, or along the table."""
    if lowest is None or lowest not in layout or CUE_BALL not in layout:
        return math.pi / 2
    x, y = (float(v) for v in (layout[lowest] - layout[CUE_BALL])[:2])
    return math.atan2(y, x)


def draw_preview(scene: Scene, seen: Preview | None, aids: str) -> None:
    """Draw what the aids allow: `all`, only the cue ball's `line`, or `none`."""
    scene.marks.clear("aim ")
    scene.show_ghost(None)
    if seen is None or aids == "none":
        return
    white = (1.0, 1.0, 1.0, 0.85)
    scene.marks.path("aim cue", _low(seen.cue), white, width=0.004)
    if seen.ghost is not None:
        scene.show_ghost(seen.ghost)
        scene.marks.ring("aim ghost", seen.ghost[:2], scene.ball_radius, white, width=0.003)
    if aids != "all" or seen.first is None:
        return
    text = LOOKS[seen.first].colour
    r, g, b = (0.35 + 0.65 * int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    scene.marks.path("aim ball", _low(seen.ball), (r, g, b, 0.95), width=0.006)
    scene.marks.path("aim after", _low(seen.after), (1, 1, 1, 0.45), width=0.004, dashed=True)


def _low(way: NDArray[np.float64]) -> NDArray[np.float64]:
    """The way's shade on the bed: lines at the height of ball centres would seem to float."""
    out = way.copy()
    if len(out):
        out[:, 2] = 0.0
    return out
