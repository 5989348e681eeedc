"""Many shots given as arrays: `simulate_many` without a Python object per shot.

What `Layout` and `Stroke` check is checked here on whole columns; rows in doubt (a ball near a nose
or a pocket, balls that may overlap, balls in the air) go through `Layout` itself, so that its
answers, messages and closed overlaps are the same.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model import (
    PLAYING_STICK,
    InputError,
    Layout,
    Materials,
    Stick,
    Stroke,
    Table,
    TenballError,
)
from sim.model.stroke import MAX_SPEED
from sim.physics import arrays as A
from sim.physics.loop import run
from sim.shot import packing
from sim.shot.result import Shots
from sim.shot.simulator import DEFAULT_MATERIALS, EVENT_LIMIT, simulate

__all__ = ["STROKE_COLUMNS", "ColumnShots", "simulate_columns"]

STROKE_COLUMNS = ("speed", "azimuth", "side", "vertical", "elevation")
_N = packing.MAX_BALLS
_CLEAR = 1e-9  # m: balls clearer than this of everything need no second look
_NO_EVENTS = np.zeros(0, A.EVENT)
_NO_SEGMENTS = np.zeros(0, A.SEGMENT)
_local = threading.local()

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ColumnShots(Shots):
    """Shots, and where each started.

    Attributes:
        start: (N, 11, 3) m, overlaps closed as `Layout` does; NaN for balls that are not there.
    """

    start: Floats


def simulate_columns(
    table: Table,
    positions: ArrayLike,
    strokes: Mapping[str, ArrayLike],
    *,
    materials: Materials | Sequence[Materials] = DEFAULT_MATERIALS,
    cushion_model: str | None = None,
    stick: Stick = PLAYING_STICK,
    clearance: str = "event",
) -> ColumnShots:
    """Play N shots on one table with balls of one size, in the calling thread, the GIL released.

    Args:
        table: the table.
        positions: (N, 11, 3), centres by ball id, m; NaN for a ball that is not there.
        strokes: the columns of `Stroke` by name, each (N,) or a number; `elevation` NaN stands for
            the least that clears (None).
        materials: one for all, or a sequence of N; rows that follow each other with the same one are
            played in one call of the engine.
        cushion_model, stick, clearance: as `sim.simulate_many`.

    Returns:
        the same as `simulate_many(..., on_error="row")`: a shot that cannot be played is a row with
        ok False and its reason in `errors`.

    Raises:
        InputError: arrays of the wrong shape, unknown columns, balls of different sizes.
        MaterialsError: constants that do not fit the table.
    """
    start = np.array(positions, dtype=np.float64)
    if start.ndim != 3 or start.shape[1:] != (_N, 3):
        raise InputError(f"positions: got shape {start.shape}, expected (N, {_N}, 3)")
    if clearance not in ("refuse", "event"):
        raise InputError(f"clearance: got {clearance!r}, expected 'refuse' or 'event'")
    n = len(start)
    stroke = _stroke_columns(strokes, n)
    spans = _spans(materials, n)
    radius = spans[0][2].ball_radius if spans else DEFAULT_MATERIALS.ball_radius
    errors: dict[int, str] = {}
    _check_strokes(stroke, errors)
    here = _present(start)
    _check_layouts(table, start, here, radius, errors)
    for row in np.flatnonzero(~here[:, 0]).tolist():
        errors.setdefault(row, "stroke: got a layout without the cue ball, expected ball 0 in it")
    order = _canonical_orders(table, start, here, radius)
    balls = _ball_rows(table, start, here, order)
    counts = here.sum(axis=1).astype(np.int64)
    rows = _stroke_rows(stroke, order, stick, spans, clearance == "event")
    for row in errors:
        counts[row], rows[row]["row"] = 0, -1
    told = np.zeros(n, A.SUMMARY)
    told["first_contact"] = -1
    if not hasattr(_local, "scratch"):
        _local.scratch = packing.Scratch()
    noses, pockets = packing.pack_table(table)
    for a, b, material in spans:
        params = packing.pack_params(table, material, cushion_model)
        run(
            balls[a:b], counts[a:b], rows[a:b], params, noses, pockets, EVENT_LIMIT,
            *_local.scratch.arrays, _NO_EVENTS, _NO_SEGMENTS, told[a:b],
        )  # fmt: skip
    failed = ~np.isin(told["status"], (A.DONE, A.TIME_LIMIT)) | np.isnan(told["duration"])
    for row in np.flatnonzero(failed).tolist():
        if row not in errors:
            # `simulate` says why, in its own words.
            material = next(m for a, b, m in spans if a <= row < b)
            errors[row] = _reason(
                table, start[row], stroke, row, material, cushion_model, stick, clearance
            )
    return _unpack(table, start, here, order, balls, told, radius, errors)


def _spans(materials: Materials | Sequence[Materials], n: int) -> list[tuple[int, int, Materials]]:
    """Rows a..b that follow each other and share their materials: (a, b, materials)."""
    if isinstance(materials, Materials):
        return [(0, n, materials)] if n else []
    items = list(materials)
    if len(items) != n:
        raise InputError(f"materials: got {len(items)}, expected one or {n}")
    if len({m.ball_radius for m in items}) > 1:
        raise InputError("materials: got balls of different radii, expected the same in every row")
    spans = []
    a = 0
    for b in range(1, n + 1):
        if b == n or items[b] is not items[a]:
            spans.append((a, b, items[a]))
            a = b
    return spans


def _present(centres: Floats) -> NDArray[np.bool_]:
    """Which balls are there: (..., 3) to (...)."""
    there: NDArray[np.bool_] = np.asarray(~np.isnan(centres).any(axis=-1))
    return there


def _stroke_columns(strokes: Mapping[str, ArrayLike], n: int) -> dict[str, Floats]:
    given: dict[str, Any] = {"side": 0.0, "vertical": 0.0, "elevation": math.nan, **strokes}
    if set(given) != set(STROKE_COLUMNS):
        raise InputError(f"strokes: got columns {sorted(given)}, expected {sorted(STROKE_COLUMNS)}")
    columns = {}
    for name in STROKE_COLUMNS:
        try:
            columns[name] = np.broadcast_to(np.asarray(given[name], dtype=np.float64), (n,))
        except (TypeError, ValueError):
            raise InputError(f"stroke {name}: expected {n} numbers") from None
    return columns


def _stroke_at(stroke: Mapping[str, Floats], row: int) -> Stroke:
    values = {name: float(stroke[name][row]) for name in STROKE_COLUMNS}
    elevation = None if math.isnan(values["elevation"]) else values["elevation"]
    return Stroke(values["speed"], values["azimuth"], values["side"], values["vertical"], elevation)


def _check_strokes(stroke: Mapping[str, Floats], errors: dict[int, str]) -> None:
    """Rows that `Stroke` would refuse, with its words."""
    lift = stroke["elevation"]
    with np.errstate(invalid="ignore"):
        good = (
            (stroke["speed"] > 0.0)
            & (stroke["speed"] <= MAX_SPEED)
            & np.isfinite(stroke["azimuth"])
            & (np.hypot(stroke["side"], stroke["vertical"]) < 1.0 - 1e-12)
            & (np.isnan(lift) | ((lift >= 0.0) & (lift <= math.pi / 2)))
        )
    for row in np.flatnonzero(~good).tolist():
        try:
            _stroke_at(stroke, row)
        except InputError as error:
            errors[row] = str(error)


def _check_layouts(
    table: Table, start: Floats, here: NDArray[np.bool_], radius: float, errors: dict[int, str]
) -> None:
    """Rows that `Layout` would refuse, with its words; overlaps that it closes are closed."""
    reach = table.nose_contact(radius) + _CLEAR
    # Only balls that are in any row: a scene of three is not looked at eleven times.
    some = np.flatnonzero(here.any(axis=0))
    at = np.ascontiguousarray(start[:, some])
    x, y, z = at[..., 0], at[..., 1], at[..., 2]
    with np.errstate(invalid="ignore"):
        # Every nose, jaw and facing lies outside the rectangle of the noses, so a ball that is
        # `reach` inside it is clear of them all.
        clear = (reach <= x) & (x <= table.width - reach)
        clear &= (reach <= y) & (y <= table.length - reach) & (z == radius)
        for pocket in table.geometry.pockets:
            off_x, off_y = x - pocket.centre[0], y - pocket.centre[1]
            clear &= off_x * off_x + off_y * off_y > (pocket.radius + _CLEAR) ** 2
        good = (clear | ~here[:, some]).all(axis=1)
        for a in range(len(some) - 1):
            apart = at[:, a + 1 :] - at[:, a : a + 1]
            squared = np.einsum("nbk,nbk->nb", apart, apart)
            good &= ~(squared < (2 * radius + 1e-15) ** 2).any(axis=1)
    for row in np.flatnonzero(~good).tolist():
        if row in errors:
            continue
        try:
            layout = _layout_at(table, start[row], here[row], radius)
        except InputError as error:
            errors[row] = str(error)
            continue
        for ball in layout.balls:
            start[row, ball] = layout[ball]


def _layout_at(
    table: Table, centres: Floats, here: NDArray[np.bool_], radius: float, *, checked: bool = True
) -> Layout:
    places = {b: tuple(centres[b].tolist()) for b in range(_N) if here[b]}
    if checked:
        return Layout(table, places, ball_radius=radius)
    return Layout.unchecked(table, places, radius)


def _canonical_orders(
    table: Table, start: Floats, here: NDArray[np.bool_], radius: float
) -> NDArray[np.int64]:
    """(N, 11) ids in `packing.canonical_order`, absent balls last."""
    x, y = start[..., 0] - table.width / 2, start[..., 1] - table.length / 2
    r = np.where(here, np.hypot(x, y), np.inf)
    order = np.argsort(r, axis=1, kind="stable")
    ranked = np.take_along_axis(r, order, axis=1)
    with np.errstate(invalid="ignore"):
        close = ((ranked[:, 1:] - ranked[:, :-1]) < 2e-9).any(axis=1)
    # Where distances agree to a nanometre the finer keys decide: the one function that has them.
    for row in np.flatnonzero(close).tolist():
        layout = _layout_at(table, start[row], here[row], radius, checked=False)
        ids = packing.canonical_order(layout)
        order[row, : len(ids)] = ids
    return order.astype(np.int64)


def _ball_rows(
    table: Table, start: Floats, here: NDArray[np.bool_], order: NDArray[np.int64]
) -> NDArray[Any]:
    ranked = np.take_along_axis(start, order[..., None], axis=1)
    there = np.take_along_axis(here, order, axis=1)
    ranked = np.where(there[..., None], ranked, 0.0)
    balls = np.zeros((len(start), _N), A.BALL)
    balls["x"] = ranked[..., 0] - table.width / 2
    balls["y"] = ranked[..., 1] - table.length / 2
    balls["z"] = ranked[..., 2]
    balls["id"], balls["pocket"] = order, -1
    return balls


def _stroke_rows(
    stroke: Mapping[str, Floats],
    order: NDArray[np.int64],
    stick: Stick,
    spans: list[tuple[int, int, Materials]],
    touch_allowed: bool,
) -> NDArray[Any]:
    rows = np.zeros(len(order), A.STROKE)
    # Everything but the stroke's own numbers, written by the one function that knows the record.
    for a, b, material in spans:
        packing.pack_stroke(Stroke(1.0, 0.0), stick, material, [0], touch_allowed, rows[a])
        rows[a + 1 : b] = rows[a]
    rows["row"] = np.argmax(order == 0, axis=1)
    for name in ("speed", "azimuth", "side", "vertical"):
        rows[name] = stroke[name]
    rows["elevation"] = np.where(np.isnan(stroke["elevation"]), -1.0, stroke["elevation"])
    return rows


def _reason(
    table: Table,
    centres: Floats,
    stroke: Mapping[str, Floats],
    row: int,
    materials: Materials,
    cushion_model: str | None,
    stick: Stick,
    clearance: str,
) -> str:
    """Why the engine could not play a row."""
    here = _present(centres)
    layout = _layout_at(table, centres, here, materials.ball_radius, checked=False)
    try:
        simulate(
            layout,
            _stroke_at(stroke, row),
            materials=materials,
            cushion_model=cushion_model,
            stick=stick,
            clearance=clearance,
        )
    except TenballError as error:
        return str(error).split("; the shot: ")[0]
    return "the engine could not play this shot"


def _unpack(
    table: Table,
    start: Floats,
    here: NDArray[np.bool_],
    order: NDArray[np.int64],
    balls: NDArray[Any],
    told: NDArray[Any],
    radius: float,
    errors: dict[int, str],
) -> ColumnShots:
    n = len(start)
    ok = np.ones(n, bool)
    ok[list(errors)] = False
    shift = np.array([table.width / 2, table.length / 2, 0.0])
    xyz = np.stack([balls["x"], balls["y"], balls["z"]], axis=-1) + shift
    played = np.take_along_axis(here, order, axis=1) & ok[:, None]
    state = balls["state"]
    down = (state == A.POCKETED) & played
    # At rest higher than the bed and outside the noses: on the rail.
    on_rail = (state == A.RESTING) & (xyz[..., 2] > radius + 1e-3)
    on_rail &= (np.abs(xyz[..., :2] - shift[:2]) > shift[:2]).any(axis=-1)
    off = ((state == A.OFF_TABLE) | on_rail) & played
    stays = played & ~down & ~off
    bits = 1 << np.arange(_N)

    def by_id(values: NDArray[Any]) -> NDArray[Any]:
        out = np.empty_like(values)
        index = order if values.ndim == 2 else order[..., None]
        np.put_along_axis(out, index, values, axis=1)
        return out

    def touched(name: str) -> NDArray[np.bool_]:
        return by_id(((told[name][:, None] & bits) > 0) & played)

    pocketed = np.where(down, balls["pocket"], -1).astype(np.int8)
    pocketed[~played] = -2
    met = told["first_contact"]
    first = np.where(met >= 0, np.take_along_axis(order, np.maximum(met, 0)[:, None], 1)[:, 0], -1)
    flags = told["stick_flags"]
    return ColumnShots(
        pocketed=by_id(pocketed),
        off_table=by_id(off),
        final=by_id(np.where(stays[..., None], xyz, np.nan)),
        first_contact=np.where(ok, first, -1).astype(np.int8),
        cushion=touched("cushion_mask"),
        cushion_after=touched("cushion_after_mask"),
        duration=np.where(ok, told["duration"], np.nan),
        n_events=np.where(ok, told["n_events"], 0).astype(np.int32),
        elevation=np.where(ok, told["elevation"], np.nan),
        miscue=((flags & 1) > 0) & ok,
        tip_again=((flags & 2) > 0) & ok,
        push=((flags & 4) > 0) & ok,
        stick_touch=((flags & 8) > 0) & ok,
        cue_top=np.where(ok, told["cue_top"], np.nan),
        ok=ok,
        time_limit=(told["status"] == A.TIME_LIMIT) & ok,
        errors=dict(sorted(errors.items())),
        start=start,
    )
