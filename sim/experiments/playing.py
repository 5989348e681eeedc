"""Rows of a plan played: parameters to strokes and layouts, results to columns."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.experiments.parameters import ANGLES, PARAMETERS, ExperimentError
from sim.experiments.plan import Columns, Plan
from sim.experiments.situation import Situation
from sim.model import BALLS, InputError, Layout, Materials, Stick, Stroke, Table
from sim.model.rack import rack_places
from sim.shot.columns import STROKE_COLUMNS, ColumnShots, simulate_columns
from sim.shot.packing import pack_params

__all__ = ["Constants", "Drawn", "drawn_rows", "play_rows", "shot_of"]

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Constants:
    """What rows share: table, size of the balls, stick, cushion model."""

    table: Table
    ball_radius: float
    stick: Stick
    cushion_model: str | None


@dataclasses.dataclass(frozen=True)
class Drawn:
    """Rows ready to be played.

    Attributes:
        columns: parameters and errors, as they stand in the frame.
        strokes: the stroke's columns as played, errors included.
        positions: (N, 11, 3).
        groups: (constants, row indices) pairs, each played in one go.
        materials: for each row; None where they cannot be.
        errors: {row index: why it cannot be}.
    """

    columns: Columns
    strokes: dict[str, Floats]
    positions: Floats
    groups: list[tuple[Constants, NDArray[np.int64]]]
    materials: list[Materials | None]
    errors: dict[int, str]


def drawn_rows(plan: Plan, first: int, last: int) -> Drawn:
    """Rows first..last of a plan, first a multiple of BLOCK."""
    columns = plan.parameters(first, last)
    count = last - first
    errors: dict[int, str] = {}
    groups, materials = _groups(plan.situation, columns, count, errors)
    positions = np.full((count, len(BALLS), 3), np.nan)
    for constants, rows in groups:
        _place(plan, constants, columns, rows, positions, errors)
    strokes = _strokes(plan.situation, columns, positions, count)
    shown = {name: strokes[name] for name in STROKE_COLUMNS}
    _add_errors(strokes, columns)
    # The stroke as meant stands first; the errors stand beside it.
    ordered = shown | {k: v for k, v in columns.items() if k not in shown}
    return Drawn(ordered, strokes, positions, groups, materials, errors)


def play_rows(plan: Plan, first: int, last: int) -> tuple[Drawn, ColumnShots]:
    """Play rows first..last."""
    drawn = drawn_rows(plan, first, last)
    pieces: list[tuple[NDArray[np.int64], ColumnShots]] = []
    for constants, rows in drawn.groups:
        shots = simulate_columns(
            constants.table,
            drawn.positions[rows],
            {name: drawn.strokes[name][rows] for name in STROKE_COLUMNS},
            materials=[m for row in rows if (m := drawn.materials[row]) is not None],
            cushion_model=constants.cushion_model,
            stick=constants.stick,
            clearance=plan.situation.clearance,
        )
        pieces.append((rows, shots))
        for index, reason in shots.errors.items():
            # A row without a layout says why it has none, not that its cue ball is missing.
            drawn.errors.setdefault(int(rows[index]), reason)
    return drawn, _joined(pieces, last - first, drawn.errors)


def _joined(
    pieces: list[tuple[NDArray[np.int64], ColumnShots]], count: int, errors: dict[int, str]
) -> ColumnShots:
    """The groups' shots in the order of the rows."""
    errors = dict(sorted(errors.items()))
    if len(pieces) == 1 and len(pieces[0][0]) == count:
        return dataclasses.replace(pieces[0][1], errors=errors)
    empty = simulate_columns(
        Table.wpa_9ft(), np.full((count, len(BALLS), 3), np.nan), {"speed": 1.0, "azimuth": 0.0}
    )
    columns = {
        f.name: getattr(empty, f.name)
        for f in dataclasses.fields(ColumnShots)
        if f.name != "errors"
    }
    for rows, shots in pieces:
        for name, column in columns.items():
            column[rows] = getattr(shots, name)
    return ColumnShots(**columns, errors=errors)


def _groups(
    situation: Situation, columns: Columns, count: int, errors: dict[int, str]
) -> tuple[list[tuple[Constants, NDArray[np.int64]]], list[Materials | None]]:
    """Rows that share their constants, and the materials of every row."""
    names = [name for name in columns if PARAMETERS.get(name) in _CONSTANT]
    if not names:
        shared = Constants(
            situation.table,
            situation.materials.ball_radius,
            situation.stick,
            situation.cushion_model,
        )
        return [(shared, np.arange(count))], [situation.materials] * count
    made: dict[tuple[Any, ...], tuple[Constants, Materials] | str] = {}
    rows_of: dict[Constants, list[int]] = {}
    materials: list[Materials | None] = []
    for row, key in enumerate(zip(*(columns[name].tolist() for name in names), strict=True)):
        if key not in made:
            try:
                made[key] = _constants(situation, dict(zip(names, key, strict=True)))
            except InputError as error:
                made[key] = str(error)
        told = made[key]
        if isinstance(told, str):
            errors[row] = told
            materials.append(None)
        else:
            rows_of.setdefault(told[0], []).append(row)
            materials.append(told[1])
    return [(shared, np.array(rows)) for shared, rows in rows_of.items()], materials


_CONSTANT = ("table", "materials", "stick", "cushion_model")


def _constants(situation: Situation, changes: dict[str, Any]) -> tuple[Constants, Materials]:
    """The situation's constants with some of them changed, checked to fit each other.

    Raises:
        InputError: what cannot be.
    """
    table, materials, stick = situation.table, situation.materials, situation.stick
    of: dict[str, dict[str, Any]] = {"table": {}, "materials": {}, "stick": {}}
    for name, value in changes.items():
        if (group := PARAMETERS[name]) in of and name != "table":
            of[group][name if group == "materials" else name.split("_", 1)[1]] = value
    if "table" in changes:
        given = changes["table"]
        table = given if isinstance(given, Table) else Table.named(given)
    if of["table"]:
        table = Table.from_spec(dataclasses.replace(table.spec, **of["table"]))
    if of["materials"]:
        materials = materials.with_(**of["materials"])
    if of["stick"]:
        stick = dataclasses.replace(stick, **of["stick"])
    model = changes.get("cushion_model", situation.cushion_model)
    pack_params(table, materials, model)
    return Constants(table, materials.ball_radius, stick, model), materials


def _place(
    plan: Plan,
    constants: Constants,
    columns: Columns,
    rows: NDArray[np.int64],
    positions: Floats,
    errors: dict[int, str],
) -> None:
    """Fill the positions of some rows."""
    situation, radius = plan.situation, constants.ball_radius
    if situation.rack is not None:
        _rack(situation, constants, columns, rows, positions, errors)
    for ball, (x, y, z) in situation.places:
        lying = z == situation.materials.ball_radius
        positions[rows, ball] = (x, y, radius if lying else z)
    for name in columns:
        if PARAMETERS.get(name) == "ball":
            ball, axis = int(name.split("_")[1]), "xyz".index(name[-1])
            positions[rows, ball, axis] = columns[name][rows]
            if axis < 2 and f"ball_{ball}_z" not in columns and ball not in situation.balls:
                positions[rows, ball, 2] = radius


def _rack(
    situation: Situation,
    constants: Constants,
    columns: Columns,
    rows: NDArray[np.int64],
    positions: Floats,
    errors: dict[int, str],
) -> None:
    rack = situation.rack
    assert rack is not None
    given: dict[str, Any] = {
        "seed": columns.get("rack_seed"),
        "gap": columns.get("rack_gap"),
        "order": columns.get("rack_order"),
    }
    fixed = {"seed": rack.rack_seed, "gap": rack.gap, "order": rack.order}
    radius = constants.ball_radius
    racked: dict[int, list[tuple[float, float]]] = {}
    for row in rows.tolist():
        now: dict[str, Any] = {
            k: fixed[k] if v is None else _item(k, v[row]) for k, v in given.items()
        }
        try:
            places = rack_places(constants.table, cue=rack.cue, ball_radius=radius, **now)
        except InputError as error:
            errors[row] = str(error)
            continue
        racked[row] = [places[ball] for ball in BALLS]
    if racked:
        positions[list(racked), :, :2] = list(racked.values())
        positions[list(racked), :, 2] = radius


def _item(name: str, value: Any) -> Any:
    """A cell as Python's own number; a seed drawn from a distribution comes as a float."""
    value = value.item() if isinstance(value, np.generic) else value
    whole = name == "seed" and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _strokes(
    situation: Situation, columns: Columns, positions: Floats, count: int
) -> dict[str, Floats]:
    """The stroke's columns as meant, angles in radians."""
    radians = dict(columns)
    for degrees, name in ANGLES.items():
        if degrees in columns:
            radians[name] = np.deg2rad(columns[degrees].astype(float))
    strokes = {}
    for name in STROKE_COLUMNS:
        value = getattr(situation.stroke, name)
        base = math.nan if value is None else value
        given = radians.get(name)
        if given is None:
            strokes[name] = np.full(count, base)
        else:
            strokes[name] = np.array([math.nan if v is None else v for v in given], dtype=float)
    if situation.aim_at is not None:
        line = positions[:, situation.aim_at] - positions[:, 0]
        heading = np.arctan2(line[:, 1], line[:, 0])
        strokes["azimuth"] = heading + radians.get("aim", np.zeros(count)).astype(float)
    return strokes


def _add_errors(strokes: dict[str, Floats], columns: Columns) -> None:
    if "aim_error" not in columns:
        return
    strokes["azimuth"] = strokes["azimuth"] + columns["aim_error"]
    strokes["speed"] = strokes["speed"] * (1.0 + columns["speed_error"])
    strokes["side"] = strokes["side"] + columns["side_error"]
    strokes["vertical"] = strokes["vertical"] + columns["vertical_error"]


def shot_of(drawn: Drawn, row: int) -> tuple[Layout, Stroke, dict[str, Any]]:
    """(layout, stroke, keywords of `sim.simulate`) of one row.

    Raises:
        InputError: why this row cannot be played.
    """
    if row in drawn.errors:
        raise ExperimentError(drawn.errors[row])
    constants = next(c for c, rows in drawn.groups if row in rows)
    places = {
        ball: tuple(xyz) for ball, xyz in enumerate(drawn.positions[row].tolist()) if xyz == xyz
    }
    places = {ball: xyz for ball, xyz in places.items() if not math.isnan(xyz[0])}
    radius = constants.ball_radius
    values = {name: float(drawn.strokes[name][row]) for name in STROKE_COLUMNS}
    elevation = (
        None if math.isnan(values.pop("elevation")) else float(drawn.strokes["elevation"][row])
    )
    layout = Layout(constants.table, places, ball_radius=radius)
    keywords = {
        "materials": drawn.materials[row],
        "stick": constants.stick,
        "cushion_model": constants.cushion_model,
    }
    return layout, Stroke(**values, elevation=elevation), keywords
