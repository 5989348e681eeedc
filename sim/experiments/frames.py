"""Played rows as tidy data frames: shots as rows, events as a second frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sim.experiments.plan import Plan
from sim.experiments.playing import Drawn, play_rows, shot_of
from sim.experiments.rulings import RULING_COLUMNS, ruling_columns
from sim.model import CUSHIONS, POCKETS, EngineError
from sim.physics.arrays import KINDS
from sim.shot.columns import ColumnShots
from sim.shot.result import Result
from sim.shot.simulator import simulate

__all__ = ["EVENT_COLUMNS", "events_frame", "play_frames"]

_POCKETS = pd.CategoricalDtype(list(POCKETS))
_KINDS = pd.CategoricalDtype(list(KINDS))
_OTHERS = pd.CategoricalDtype([*map(str, range(11)), *CUSHIONS, *POCKETS])
_MOTION = ("vx", "vy", "vz", "wx", "wy", "wz")
EVENT_COLUMNS = (
    "shot", "t", "kind", "ball", "other", "x", "y", "z",
    *(f"{side}{name}{when}" for side in ("", "other_") for when in ("_before", "_after")
      for name in _MOTION),
)  # fmt: skip
"""Velocities (vx, vy, vz; m/s) and spins (wx, wy, wz; rad/s) of the ball, and of the other ball."""


def play_frames(plan: Plan, first: int, last: int) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Play rows first..last: (shots, events or None). The task that travels to a worker."""
    drawn, shots = play_rows(plan, first, last)
    columns = _shot_columns(plan, drawn, shots, first, last)
    judging = plan.judging
    ruled: list[dict[str, Any]] = []
    happened: list[pd.DataFrame] = []
    if judging.events or judging.rulesets:
        for row in range(last - first):
            told = _result(drawn, shots, row) if shots.ok[row] else None
            if judging.rulesets:
                wanted = told is not None and (first + row) % judging.rulings_every == 0
                ruled.append(ruling_columns(told if wanted else None, judging))
            if told is not None and judging.events:
                happened.append(events_frame(told, first + row))
    for name in ruled[0] if ruled else ():
        kind = next(k for end, k in RULING_COLUMNS.items() if name.endswith(end))
        columns[name] = pd.array([row[name] for row in ruled], dtype=kind)
    events = None
    if judging.events:
        # An empty frame first gives the columns their types where nothing could be played.
        events = (
            pd.concat([_events([], 0), *happened], ignore_index=True)
            if happened
            else (_events([], 0))
        )
    return pd.DataFrame(columns), events


def _result(drawn: Drawn, shots: ColumnShots, row: int) -> Result:
    """A row played again with its events kept, and checked to be the same shot."""
    layout, stroke, keywords = shot_of(drawn, row)
    result = simulate(layout, stroke, clearance="event", **keywords)
    if result.duration != float(shots.duration[row]):
        raise EngineError(
            f"row {row}: played twice, got {result.duration!r} s and then "
            f"{float(shots.duration[row])!r} s, expected the same"
        )
    return result


def _shot_columns(
    plan: Plan, drawn: Drawn, shots: ColumnShots, first: int, last: int
) -> dict[str, Any]:
    from sim import __version__

    count = last - first
    columns: dict[str, Any] = {"shot": np.arange(first, last)}
    for name, values in drawn.columns.items():
        columns[name] = _parameter(values)
    if plan.constants:
        for name, value in plan.situation.constants().items():
            columns.setdefault(name, _repeated(value, count))
    columns["seed"] = np.full(count, plan.seed, np.uint64 if plan.seed >= 2**63 else np.int64)
    columns["engine"] = _repeated(__version__, count)
    columns["ok"] = shots.ok
    error = [drawn.errors.get(row) for row in range(count)]
    columns["error"] = pd.array(error, dtype="string")
    objects = shots.pocketed[:, 1:] >= 0
    columns["pocketed"] = objects.sum(axis=1).astype(np.int8)
    columns["scratch"] = (shots.pocketed[:, 0] >= 0) | shots.off_table[:, 0]
    columns["off_table"] = shots.off_table.sum(axis=1).astype(np.int8)
    columns["to_cushion"] = shots.cushion[:, 1:].sum(axis=1).astype(np.int8)
    columns["first_contact"] = shots.first_contact
    columns["duration"] = shots.duration
    columns["n_events"] = shots.n_events
    columns["elevation_played"] = shots.elevation
    for name in ("miscue", "tip_again", "push", "stick_touch", "time_limit"):
        columns[name] = getattr(shots, name)
    columns["cue_top"] = shots.cue_top
    for ball in plan.balls:
        code = np.maximum(shots.pocketed[:, ball], -1)
        columns[f"pocket_{ball}"] = pd.Categorical.from_codes(code, dtype=_POCKETS)
        columns[f"off_{ball}"] = shots.off_table[:, ball]
        columns[f"cushion_{ball}"] = shots.cushion[:, ball]
        columns[f"cushion_after_{ball}"] = shots.cushion_after[:, ball]
        columns[f"x_{ball}"] = shots.final[:, ball, 0]
        columns[f"y_{ball}"] = shots.final[:, ball, 1]
    return columns


def _parameter(values: Any) -> Any:
    """A parameter's column: numbers as they are, anything else (a table, an order) as its name."""
    if values.dtype.kind in "biuf":
        return values
    return pd.array([None if v is None else _name(v) for v in values.tolist()], dtype="string")


def _name(value: Any) -> str:
    return str(getattr(value, "name", value))


def _repeated(value: Any, count: int) -> Any:
    if isinstance(value, bool | int | float):
        return np.full(count, value)
    if value is None:
        return np.full(count, np.nan)
    text = _name(value)
    return pd.Categorical.from_codes(np.zeros(count, np.int8), categories=[text])


def events_frame(result: Result, shot: int = 0) -> pd.DataFrame:
    """The events of one shot, a row each; columns EVENT_COLUMNS."""
    return _events(list(result.events), shot)


def _events(events: list[Any], shot: int) -> pd.DataFrame:
    nan = (float("nan"),) * 6
    motions = []
    for e in events:
        row: list[float] = []
        for who in (e.ball, e.other):
            for moving in (e.before, e.after):
                pair = moving.get(who) if isinstance(who, int) else None
                row += (*pair[0], *pair[1]) if pair else nan
        motions.append(row)
    numbers = np.array(motions, dtype=float).reshape(len(events), 24)
    place = np.array([e.position for e in events], dtype=float).reshape(len(events), 3)
    others = [None if e.other is None else str(e.other) for e in events]
    columns: dict[str, Any] = {
        "shot": np.full(len(events), shot, np.int64),
        "t": np.array([e.t for e in events], dtype=float),
        "kind": pd.Categorical([e.kind for e in events], dtype=_KINDS),
        "ball": np.array([e.ball for e in events], dtype=np.int8),
        "other": pd.Categorical(others, dtype=_OTHERS),
        "x": place[:, 0],
        "y": place[:, 1],
        "z": place[:, 2],
    }
    for k, name in enumerate(EVENT_COLUMNS[8:]):
        columns[name] = numbers[:, k]
    return pd.DataFrame(columns)
