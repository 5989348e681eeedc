"""Finished shots to and from pooltool: its history as a Result, a Result as its System."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.interop.pooltool.convert import (
    CUSHION_IDS,
    POCKET_IDS,
    _ball_number,
    ball_name,
    from_layout,
)
from sim.interop.pooltool.library import InteropError, load
from sim.model import (
    CUSHIONS,
    PLAYING_STICK,
    POCKETS,
    Layout,
    Materials,
    Motion,
    Stick,
    Stroke,
)
from sim.physics import arrays as A
from sim.shot.result import Result

__all__ = ["from_result", "to_result"]

_STATES = (A.RESTING, A.SPINNING, A.SLIDING, A.ROLLING, A.POCKETED)
_KINDS = {
    "stick_ball": A.CUE_STRIKE,
    "ball_ball": A.BALL_BALL,
    "ball_pocket": A.IN_POCKET,
    "sliding_rolling": A.SLIDE_TO_ROLL,
    "rolling_spinning": A.ROLL_TO_SPIN,
    "rolling_stationary": A.ROLL_TO_REST,
    "spinning_stationary": A.SPIN_TO_REST,
}


def to_result(
    system: Any,
    layout: Layout,
    materials: Materials,
    *,
    stroke: Stroke | None = None,
    motions: Mapping[int, Motion] | None = None,
    stick: Stick = PLAYING_STICK,
    cushion_model: str = "stronge",
) -> Result:
    """A simulated pooltool System as a Result: its events, paths and end in this project's types.

    Everything in it is pooltool's: planar motion (z of a ball on the bed), pocketed where pooltool says so, no
    balls off the table. Segments between events are the same closed forms of sliding, rolling
    and spinning in both, so `states` and orientation are exact to pooltool's own precision.

    Args:
        system: the System after `pooltool.simulate`.
        layout, materials, stroke, motions, stick, cushion_model: what it was made from.

    Raises:
        InteropError: the system has not been simulated, or its balls are not the layout's.
    """
    if not system.simulated:
        raise InteropError(
            "pooltool system: got one that is not simulated, expected a finished shot"
        )
    order = list(layout.balls)
    if sorted(_ball_number(name) for name in system.balls) != order:
        raise InteropError(
            f"pooltool system: got balls {sorted(system.balls)}, expected the layout's {order}"
        )
    row_of = {ball_name(ball): row for row, ball in enumerate(order)}
    shift = np.array([layout.table.width / 2, layout.table.length / 2, 0.0])
    segments: list[Any] = []
    events: list[Any] = []
    for k, event in enumerate(system.events):
        names = [agent.id for agent in event.agents if agent.agent_type == "ball"]
        for name in list(row_of) if k == 0 else names:
            state = system.balls[name].history[k]
            segments.append(_segment(state, row_of[name], materials, shift))
        if event.event_type != "none":
            events.append(_event(event, names, row_of, layout, shift))
    end = float(system.t)
    rows = np.zeros(len(order), A.BALL)
    for name, row in row_of.items():
        state = system.balls[name].state
        place = np.asarray(state.rvw[0], float) - shift
        rows[row]["x"], rows[row]["y"], rows[row]["z"] = place
        rows[row]["state"] = _STATES[state.s]
    return Result(
        layout=layout,
        stroke=stroke,
        motions=motions,
        stick=stick,
        materials=materials,
        cushion_model=cushion_model,
        order=order,
        rows=rows,
        events=np.concatenate(events) if events else np.zeros(0, A.EVENT),
        segments=np.concatenate(segments) if segments else np.zeros(0, A.SEGMENT),
        summary={
            "duration": end,
            "status": A.DONE,
            "elevation": 0.0 if stroke is None else (stroke.elevation or 0.0),
        },
    )


def _segment(
    state: Any, row: int, materials: Materials, shift: NDArray[np.float64]
) -> NDArray[Any]:
    """The motion that begins with this pooltool state."""
    s = np.zeros(1, A.SEGMENT)
    place, velocity, spin = (np.asarray(v, float) for v in state.rvw)
    kind = _STATES[state.s]
    r = materials.ball_radius
    ax = ay = bx = by = 0.0
    slip = (velocity[0] - r * spin[1], velocity[1] + r * spin[0])
    u, v = math.hypot(*slip), math.hypot(velocity[0], velocity[1])
    if kind == A.SLIDING and u > 0.0:
        a = materials.mu_slide * materials.g
        ax, ay = -a * slip[0] / u, -a * slip[1] / u
        bx, by = 2.5 / r * ay, -2.5 / r * ax
    elif kind == A.ROLLING and v > 0.0:
        a = materials.mu_roll * materials.g
        ax, ay = -a * velocity[0] / v, -a * velocity[1] / v
        bx, by = -ay / r, ax / r
    x, y, z = place - shift
    s[0] = (
        state.t, math.inf, row, kind, x, y, z, *velocity, *spin, ax, ay, 0.0, bx, by, 0.0
    )  # fmt: skip
    return s


def _event(
    event: Any,
    names: list[str],
    row_of: Mapping[str, int],
    layout: Layout,
    shift: NDArray[np.float64],
) -> NDArray[Any]:
    """One pooltool event as a record of this project's."""
    e = np.zeros(1, A.EVENT)
    kind, other = _kind_and_other(event, names, row_of, layout)
    balls = [agent for agent in event.agents if agent.agent_type == "ball"]
    place = np.asarray(balls[0].initial.state.rvw[0], float) - shift
    row = e[0]
    row["t"], row["kind"], row["ball"], row["other"] = event.time, kind, row_of[names[0]], other
    row["x"], row["y"], row["z"] = place
    for k, agent in enumerate(balls):
        row["before"][k] = np.asarray(agent.initial.state.rvw[1:], float).ravel()
        row["after"][k] = np.asarray(agent.final.state.rvw[1:], float).ravel()
    return e


def _kind_and_other(
    event: Any, names: list[str], row_of: Mapping[str, int], layout: Layout
) -> tuple[int, int]:
    kind = str(event.event_type)
    if kind in ("ball_linear_cushion", "ball_circular_cushion"):
        piece = event.agents[1].id
        if kind == "ball_linear_cushion" and piece in CUSHION_IDS:
            return A.CUSHION, CUSHIONS.index(CUSHION_IDS[piece])
        # A jaw or facing: of the pocket nearest to the ball.
        x, y, _ = event.agents[0].initial.state.rvw[0]
        pockets = layout.table.geometry.pockets
        near = min(pockets, key=lambda p: math.hypot(p.centre[0] - x, p.centre[1] - y))
        return A.JAW, near.pocket
    other = -1
    if kind == "ball_ball":
        other = row_of[names[1]]
    elif kind == "ball_pocket":
        other = POCKETS.index(POCKET_IDS[event.agents[1].id])
    return _KINDS[kind], other


def from_result(result: Result, dt: float = 0.01) -> Any:
    """A Result as a pooltool System that its viewer plays: states every `dt` seconds, and its events.

    Events that pooltool has no kind for (jaws, bounces, flights) are left out; positions are not, so the
    viewer shows balls in the air.

    Raises:
        InteropError: dt that is not positive; balls off the bed at the start.
    """
    if not 0.0 < dt < math.inf:
        raise InteropError(f"dt (s): got {dt!r}, expected more than 0")
    load()
    from pooltool.objects.ball.datatypes import BallHistory, BallState

    system = from_layout(
        result.layout, result.materials, stroke=result.stroke, motions=result.motions,
        stick=result.stick,
    )  # fmt: skip
    times = np.append(np.arange(0.0, result.duration, dt), result.duration)
    states, here = result.states(times), result.present(times)
    for column, ball in enumerate(result.balls):
        history = BallHistory()
        for k, t in enumerate(times):
            s = states[k, column]
            rvw = np.array([s[:3], s[7:10], s[10:13]])
            history.add(BallState(rvw, _phase(s, here[k, column], result.materials), float(t)))
        piece = system.balls[ball_name(ball)]
        piece.history, piece.history_cts = history.copy(), history
        piece.state = history[-1].copy()
    system.t = result.duration
    system.events = _events(result, system)
    return system


def _phase(s: NDArray[np.float64], present: bool, materials: Materials) -> int:
    if not present:
        return 4
    r = materials.ball_radius
    if math.hypot(s[7] - r * s[11], s[8] + r * s[10]) > 1e-9 or s[9] != 0.0:
        return 2
    if math.hypot(s[7], s[8]) > 1e-9:
        return 3
    return 1 if abs(s[12]) > 1e-9 else 0


def _events(result: Result, system: Any) -> list[Any]:
    import pooltool.events as ev

    transitions = {
        "slide_to_roll": ev.sliding_rolling_transition,
        "roll_to_spin": ev.rolling_spinning_transition,
        "roll_to_rest": ev.rolling_stationary_transition,
        "spin_to_rest": ev.spinning_stationary_transition,
    }
    pockets = {name: key for key, name in POCKET_IDS.items()}
    cushions = {name: key for key, name in CUSHION_IDS.items()}
    out = [ev.null_event(time=0.0)]
    for e in result.events:
        ball = system.balls[ball_name(e.ball)]
        if e.kind in transitions:
            out.append(transitions[e.kind](ball, e.t))
        elif e.kind == "cue_strike":
            out.append(ev.stick_ball_collision(system.cue, ball, e.t))
        elif e.kind == "ball_ball" and isinstance(e.other, int):
            out.append(ev.ball_ball_collision(ball, system.balls[ball_name(e.other)], e.t))
        elif e.kind == "pocketed":
            out.append(
                ev.ball_pocket_collision(ball, system.table.pockets[pockets[str(e.other)]], e.t)
            )
        elif e.kind == "cushion":
            segment = system.table.cushion_segments.linear[cushions[str(e.other)]]
            out.append(ev.ball_linear_cushion_collision(ball, segment, e.t))
    return [*out, ev.null_event(time=result.duration)]
