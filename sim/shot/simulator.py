"""`simulate` and `simulate_many`: a layout and a stroke in, what happened out."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model import (
    PLAYING_STICK,
    EngineError,
    EventLimitError,
    InputError,
    Layout,
    Materials,
    Motion,
    Stick,
    Stroke,
    StrokeError,
    Table,
)
from sim.model.checks import brief, instance, is_several, whole, word
from sim.physics import arrays as A
from sim.physics.loop import MOST_SEGMENTS, run
from sim.shot import packing
from sim.shot.files import dump_shot
from sim.shot.result import Result, Shots

__all__ = ["DEFAULT_MATERIALS", "EVENT_LIMIT", "simulate", "simulate_many"]

DEFAULT_MATERIALS = Materials()
EVENT_LIMIT = 100_000
_CHUNK = (
    64  # shots a thread takes at a time: few, so that the last one at work is not alone for long
)
_NO_EVENTS = np.zeros(0, A.EVENT)
_NO_SEGMENTS = np.zeros(0, A.SEGMENT)
_local = threading.local()


def _scratch() -> packing.Scratch:
    """This thread's work arrays."""
    if not hasattr(_local, "scratch"):
        _local.scratch = packing.Scratch()
    return _local.scratch


def simulate(
    layout: Layout,
    stroke: Stroke | None = None,
    *,
    motions: Mapping[int, Motion] | None = None,
    materials: Materials = DEFAULT_MATERIALS,
    cushion_model: str | None = None,
    stick: Stick = PLAYING_STICK,
    clearance: str = "refuse",
    max_events: int | None = None,
) -> Result:
    """Play one shot to its end, or to its first events.

    Args:
        layout: where the balls are.
        stroke: of the cue ball (id 0). Either this or motions.
        motions: {ball: Motion}, given velocities and spins instead of a stroke.
        materials: the constants of balls, cloth, cushions, tip.
        cushion_model: "measured" (default), "mathavan2010" or "han2005".
        stick: the cue stick.
        clearance: what a stroke does whose elevation does not clear cushions and balls:
            "refuse" (StrokeError) or "event" (played, with an event stick_touch).
        max_events: stop as soon as so many events have happened, status "stopped" (a preview wants the
            first contacts and should not wait for the rest). None: until everything rests.

    Returns:
        a Result: `.events`, `.pocketed`, `.final` (where each ball rests, m), `.duration` (s),
        `.states(times)`; `.svg()` is the picture that a notebook shows.

    >>> import math, sim
    >>> layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 1.2), 1: (0.635, 1.7)})
    >>> result = sim.simulate(layout, sim.Stroke(speed=2.0, azimuth=math.pi / 2))
    >>> hit = next(event for event in result.events if event.kind == "ball_ball")
    >>> hit.ball, hit.other, round(hit.t, 3)  # seconds after the stroke
    (0, 1, 0.182)

    Raises:
        StrokeError: neither or both of stroke and motions, a stick that does not clear, max_events < 1.
        MaterialsError: constants that do not fit the layout.
        EventLimitError: more than 100,000 events; carries the shot as JSON.
    """
    if not isinstance(layout, Layout):
        raise StrokeError(f"simulate: got {brief(layout)}, expected a Layout first")
    _check_request(stroke, motions, stick, clearance)
    limit = EVENT_LIMIT if max_events is None else _checked_limit(max_events)
    order, _ = packing.packed_layout(layout)
    noses, pockets, params = packing.setting(layout.table, materials, cushion_model)
    record = packing.stroke_record(stroke, stick, materials, order, clearance == "event")
    strokes = np.array([record], A.STROKE)
    balls = packing.pack_balls(layout, motions, materials)[None]
    counts = np.array([len(order)])
    scratch = _scratch()
    summary = _summary()
    run(
        balls, counts, strokes, params, noses, pockets, limit,
        *scratch.arrays, scratch.events, scratch.segments, summary,
    )  # fmt: skip
    events, segments = scratch.taken(summary[0])
    if summary[0]["n_events"] > len(events) or summary[0]["n_segments"] > len(segments):
        # More than there is room for: played again.
        room = max(int(summary[0]["n_events"]), int(summary[0]["n_segments"]) // 2) + 16
        events, segments = np.zeros(room, A.EVENT), np.zeros(2 * room, A.SEGMENT)
        balls, summary = packing.pack_balls(layout, motions, materials)[None], _summary()
        run(
            balls, counts, strokes, params, noses, pockets, limit,
            *scratch.arrays, events, segments, summary,
        )  # fmt: skip
        events, segments = events[: summary[0]["n_events"]], segments[: summary[0]["n_segments"]]
    told = summary[0]
    stopped = max_events is not None and told["status"] == A.EVENT_LIMIT
    if told["status"] not in (A.DONE, A.TIME_LIMIT) and not stopped:
        reason = _reason(told, stroke)
        if told["status"] == A.STICK_BLOCKED:
            raise StrokeError(reason)
        text = dump_shot(
            layout=layout,
            stroke=stroke,
            motions=motions,
            materials=materials,
            stick=stick,
            cushion_model=cushion_model,
        )
        if told["status"] == A.EVENT_LIMIT:
            raise EventLimitError(reason, text)
        raise EngineError(f"{reason}; the shot: {text}")
    return Result(
        layout=layout,
        stroke=stroke,
        motions=motions,
        stick=stick,
        materials=materials,
        cushion_model=cushion_model or packing.CUSHION_MODELS[0],
        order=order,
        rows=balls[0],
        events=events,
        segments=segments,
        summary=told,
    )


def _checked_limit(max_events: int) -> int:
    expected = f"an integer 1 to {EVENT_LIMIT}"
    return whole(max_events, "max_events", StrokeError, expected, low=1, high=EVENT_LIMIT)


def _summary() -> NDArray[Any]:
    """A SUMMARY array of one record, before the shot."""
    summary = np.zeros(1, A.SUMMARY)
    summary["first_contact"] = -1
    return summary


def _check_request(
    stroke: Stroke | None, motions: Mapping[int, Motion] | None, stick: Stick, clearance: str
) -> None:
    if (stroke is None) == (motions is None):
        given = "neither" if stroke is None else "both"
        raise StrokeError(f"simulate: got {given} of stroke and motions, expected exactly one")
    if stroke is not None and not isinstance(stroke, Stroke):
        raise StrokeError(f"simulate: got {brief(stroke)}, expected a Stroke")
    if motions is not None and not isinstance(motions, Mapping):
        raise StrokeError(f"simulate: got motions {brief(motions)}, expected {{ball: Motion}}")
    instance(stick, "stick", StrokeError, Stick)
    word(clearance, "clearance", StrokeError, ("refuse", "event"))


def _reason(told: Any, stroke: Stroke | None) -> str:
    """One line on why a shot has no result."""
    if told["status"] == A.STICK_BLOCKED:
        got = 0.0 if stroke is None or stroke.elevation is None else stroke.elevation
        return (
            f"stroke elevation: got {got:.4g}, but the stick touches a cushion or ball below "
            f"{float(told['least_elevation']):.4g} radians; raise it, or ask for clearance='event'"
        )
    if told["status"] == A.EVENT_LIMIT:
        if told["n_events"] < EVENT_LIMIT:
            return f"the shot had more than {MOST_SEGMENTS} segments of motion"
        return f"the shot had more than {EVENT_LIMIT} events"
    return "the engine met a value that is not a number"


def simulate_many(
    layouts: Layout | Sequence[Layout],
    strokes: Stroke | Sequence[Stroke],
    *,
    materials: Materials | Sequence[Materials] = DEFAULT_MATERIALS,
    cushion_model: str | None = None,
    stick: Stick = PLAYING_STICK,
    clearance: str = "event",
    workers: int | None = None,
    on_error: str = "raise",
) -> Shots:
    """Play many shots and keep their summaries: all cores, the GIL released.

    One layout with many strokes, many layouts with one stroke, or as many of each. Layouts may be on
    different tables. Results do not depend on `workers`.

    >>> import sim
    >>> layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 1.2), 1: (0.635, 1.7)})
    >>> shots = sim.simulate_many(layout, [sim.Stroke(v, 1.5708) for v in (1.0, 2.0)])
    >>> len(shots), shots.first_contact.tolist()
    (2, [1, 1])

    Args:
        layouts, strokes, materials: one, or a sequence of N.
        cushion_model, stick, clearance: as `simulate`; here a stick that touches is an event by default.
        workers: threads; None: one per core.
        on_error: "raise", or "row": a shot that cannot be played is a row with ok False.

    Raises:
        InputError: sequences of different lengths, or (on_error "raise") a shot that cannot be played.
    """
    lays, strs, mats = _broadcast(layouts, strokes, materials)
    word(on_error, "on_error", InputError, ("raise", "row"))
    if workers is not None:
        workers = whole(workers, "workers", InputError, "1 to 1024 or None", low=1, high=1024)
    _check_request(strs[0] if strs else Stroke(1.0, 0.0), None, stick, clearance)
    total = len(lays)
    out = _Columns(total)
    spans = [(a, min(a + _CHUNK, total)) for a in range(0, total, _CHUNK)]

    def work(span: tuple[int, int]) -> None:
        a, b = span
        _play_span(
            a, lays[a:b], strs[a:b], mats[a:b], cushion_model, stick, clearance == "event", out
        )

    threads = workers or os.cpu_count() or 1
    if threads == 1 or len(spans) <= 1:
        for span in spans:
            work(span)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, spans))
    if out.errors and on_error == "raise":
        row = min(out.errors)
        raise StrokeError(f"shot {row}: {out.errors[row]}")
    return out.shots()


def _broadcast(
    layouts: Any, strokes: Any, materials: Any
) -> tuple[list[Layout], list[Stroke], list[Materials]]:
    given: list[tuple[str, list[Any], bool]] = []
    for name, value, kind in (
        ("layouts", layouts, Layout),
        ("strokes", strokes, Stroke),
        ("materials", materials, Materials),
    ):
        if isinstance(value, kind):
            given.append((name, [value], True))
            continue
        items = []
        for item in value if is_several(value) else [value]:
            instance(item, name, InputError, kind)
            items.append(item)
        given.append((name, items, False))
    lengths = {name: len(items) for name, items, single in given if not single}
    n = next(iter(lengths.values()), 1)
    if any(length != n for length in lengths.values()):
        raise InputError(f"simulate_many: got {lengths}, expected sequences of the same length")
    lays, strs, mats = (items * n if single else items for _, items, single in given)
    return lays, strs, mats


class _Columns:
    """The columns of Shots while they fill up."""

    def __init__(self, n: int) -> None:
        self.pocketed = np.full((n, 11), -2, np.int8)
        self.off_table = np.zeros((n, 11), bool)
        self.final = np.full((n, 11, 3), np.nan)
        self.first_contact = np.full(n, -1, np.int8)
        self.cushion = np.zeros((n, 11), bool)
        self.cushion_after = np.zeros((n, 11), bool)
        self.told = np.zeros(n, A.SUMMARY)
        self.errors: dict[int, str] = {}

    def shots(self) -> Shots:
        told = self.told
        flags = told["stick_flags"]
        ok = np.ones(len(told), bool)
        ok[list(self.errors)] = False
        return Shots(
            pocketed=self.pocketed,
            off_table=self.off_table,
            final=self.final,
            first_contact=self.first_contact,
            cushion=self.cushion,
            cushion_after=self.cushion_after,
            duration=told["duration"].copy(),
            n_events=told["n_events"].astype(np.int32),
            elevation=told["elevation"].copy(),
            miscue=(flags & 1) > 0,
            tip_again=(flags & 2) > 0,
            push=(flags & 4) > 0,
            stick_touch=(flags & 8) > 0,
            cue_top=told["cue_top"].copy(),
            ok=ok,
            time_limit=told["status"] == A.TIME_LIMIT,
            errors=dict(sorted(self.errors.items())),
        )


def _play_span(
    first: int,
    layouts: list[Layout],
    strokes: list[Stroke],
    materials: list[Materials],
    cushion_model: str | None,
    stick: Stick,
    touch_allowed: bool,
    out: _Columns,
) -> None:
    """Play consecutive shots, those on one table with one material in one call of the engine."""
    a = 0
    while a < len(layouts):
        b = a + 1
        table, material = layouts[a].table, materials[a]
        while b < len(layouts) and layouts[b].table is table and materials[b] is material:
            b += 1
        _play_alike(
            first + a,
            layouts[a:b],
            strokes[a:b],
            material,
            cushion_model,
            stick,
            touch_allowed,
            out,
        )
        a = b


def _play_alike(
    first: int,
    layouts: list[Layout],
    strokes: list[Stroke],
    materials: Materials,
    cushion_model: str | None,
    stick: Stick,
    touch_allowed: bool,
    out: _Columns,
) -> None:
    m = len(layouts)
    table = layouts[0].table
    balls = np.zeros((m, packing.MAX_BALLS), A.BALL)
    raw = memoryview(balls.reshape(-1).view(np.uint8))  # type: ignore[arg-type]  # an array is a buffer
    width = packing.MAX_BALLS * A.BALL.itemsize
    counts = np.zeros(m, np.int64)
    orders = np.full((m, packing.MAX_BALLS), -1)
    records = []
    for k, (layout, stroke) in enumerate(zip(layouts, strokes, strict=True)):
        order, packed = packing.packed_layout(layout)
        try:
            packing.check_radius(layout, materials)
            raw[k * width : k * width + len(packed)] = packed
            record = packing.stroke_record(stroke, stick, materials, order, touch_allowed)
            counts[k] = len(order)
        except InputError as error:
            out.errors[first + k] = str(error)
            record = packing.NO_STROKE
        records.append(record)
        orders[k, : len(order)] = order
    summaries = out.told[first : first + m]
    summaries["first_contact"] = -1
    noses, pockets, params = packing.setting(table, materials, cushion_model)
    run(
        balls, counts, np.array(records, A.STROKE), params, noses, pockets, EVENT_LIMIT,
        *_scratch().arrays, _NO_EVENTS, _NO_SEGMENTS, summaries,
    )  # fmt: skip
    status = summaries["status"]
    failed = ((status != A.DONE) & (status != A.TIME_LIMIT)) | np.isnan(summaries["duration"])
    for k in np.flatnonzero(failed & (counts > 0)).tolist():
        out.errors[first + k] = _reason(summaries[k], strokes[k])
        counts[k] = 0
    _unpack(first, balls, counts, orders, materials, table, out)


def _unpack(
    first: int,
    balls: NDArray[Any],
    counts: NDArray[np.int64],
    orders: NDArray[np.int64],
    materials: Materials,
    table: Table,
    out: _Columns,
) -> None:
    """Write shots into the columns from row `first` on: balls (M, 11), ids of their rows `orders`."""
    told = out.told[first : first + len(counts)]
    shot, place = np.nonzero(np.arange(packing.MAX_BALLS) < counts[:, None])
    rows, ids = first + shot, orders[shot, place]
    state = balls["state"][shot, place]
    half = np.array([table.width / 2, table.length / 2, 0.0])
    xyz = np.stack([balls[axis][shot, place] for axis in "xyz"], axis=1) + half
    down = state == A.POCKETED
    # At rest higher than the bed and outside the noses: on the rail.
    on_rail = (
        (state == A.RESTING)
        & (xyz[:, 2] > materials.ball_radius + 1e-3)
        & (np.abs(xyz[:, :2] - half[:2]) > half[:2]).any(axis=1)
    )
    off = (state == A.OFF_TABLE) | on_rail
    out.pocketed[rows, ids] = np.where(down, balls["pocket"][shot, place], -1)
    out.off_table[rows, ids] = off
    here = ~(down | off)
    out.final[rows[here], ids[here]] = xyz[here]
    bits = 1 << place
    out.cushion[rows, ids] = (told["cushion_mask"][shot] & bits) > 0
    out.cushion_after[rows, ids] = (told["cushion_after_mask"][shot] & bits) > 0
    met = told["first_contact"]
    good = np.flatnonzero((counts > 0) & (met >= 0))
    out.first_contact[first + good] = orders[good, met[good]]
