"""`simulate_columns` gives what `simulate_many` gives, shot by shot."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import sim
from sim.shot.columns import STROKE_COLUMNS, ColumnShots, simulate_columns
from sim.shot.result import Shots
from sim.shot.scenes import scene, spread
from sim.shot.simulator import simulate_many

TABLE = sim.Table.wpa_9ft()
R = sim.Materials.ball_radius


def columns_of(layouts, strokes):
    positions = np.full((len(layouts), 11, 3), np.nan)
    for row, layout in enumerate(layouts):
        for ball in layout.balls:
            positions[row, ball] = layout[ball]
    columns = {
        name: [np.nan if (v := getattr(s, name)) is None else v for s in strokes]
        for name in STROKE_COLUMNS
    }
    return positions, columns


def assert_same(many: Shots, columns: ColumnShots):
    for field in dataclasses.fields(Shots):
        a, b = getattr(many, field.name), getattr(columns, field.name)
        if field.name == "errors":
            assert a == b
        else:
            np.testing.assert_array_equal(a, b, err_msg=field.name)


def test_every_column_is_that_of_simulate_many():
    """Racks, strewn balls, a ball frozen to a cushion, one in a jaw, a zero-gap rack, few balls."""
    names = ("break", "frozen_cushion", "frozen_pair", "hanger", "combination", "stop")
    scenes = [scene(name) for name in names]
    layouts = [s.layout for s in scenes] + [spread(TABLE, n, n) for n in range(11)]
    layouts.append(sim.rack(TABLE, None, cue=(TABLE.width / 2, 0.5)))
    rng = np.random.default_rng(3)
    strokes = [
        sim.Stroke(
            float(rng.uniform(0.5, 9)),
            float(rng.uniform(0, 6)),
            float(rng.uniform(-0.4, 0.4)),
            float(rng.uniform(-0.4, 0.4)),
        )
        for _ in layouts
    ]
    many = simulate_many(layouts, strokes, workers=1)
    columns = simulate_columns(TABLE, *columns_of(layouts, strokes))
    assert columns.errors == {}
    assert_same(many, columns)


def _made(places, change):
    sim.Layout(TABLE, places)
    sim.Stroke(**{"speed": 1.0, "azimuth": 1.0, **change})


def test_what_layout_and_stroke_refuse_is_a_failed_row_in_their_words():
    good = {0: (0.6, 0.6), 1: (0.6, 1.5)}
    cases = [
        ({**good, 1: (0.6, 0.62)}, {}),
        ({**good, 1: (0.01, 1.5)}, {}),
        ({**good, 1: (3.0, 1.5)}, {}),
        ({**good, 1: TABLE.geometry.pockets[0].centre}, {}),
        (good, {"speed": 0.0}),
        (good, {"speed": 16.0}),
        (good, {"side": 0.8, "vertical": 0.7}),
        (good, {"elevation": 2.0}),
        (good, {"azimuth": float("inf")}),
    ]
    expected = []
    for places, change in cases:
        with pytest.raises(sim.InputError) as caught:
            _made(places, change)
        expected.append(str(caught.value))
    positions = np.full((len(cases) + 1, 11, 3), np.nan)
    columns = {"speed": np.ones(len(cases) + 1), "azimuth": np.ones(len(cases) + 1)}
    columns |= {"side": np.zeros(len(cases) + 1), "vertical": np.zeros(len(cases) + 1)}
    columns |= {"elevation": np.full(len(cases) + 1, np.nan)}
    for row, (places, change) in enumerate([*cases, (good, {})]):
        for ball, xy in places.items():
            positions[row, ball] = (*xy, R)
        for name, value in change.items():
            columns[name][row] = value
    shots = simulate_columns(TABLE, positions, columns)
    assert list(shots.errors.values()) == expected
    assert shots.ok.tolist() == [False] * len(cases) + [True]
    assert np.isnan(shots.final[:-1]).all()


def test_a_row_without_a_cue_ball_is_a_failed_row():
    positions = np.full((1, 11, 3), np.nan)
    positions[0, 1] = (0.6, 0.6, R)
    shots = simulate_columns(TABLE, positions, {"speed": 1.0, "azimuth": 0.0})
    assert shots.errors == {0: "stroke: got a layout without the cue ball, expected ball 0 in it"}


def test_overlaps_of_rounding_are_closed_as_layout_closes_them():
    places = {0: (0.6, 0.6), 1: (0.6, 1.5), 2: (0.6, 1.5 + 2 * R - 5e-7)}
    layout = sim.Layout(TABLE, places)
    assert layout.closed
    positions = np.full((1, 11, 3), np.nan)
    for ball, xy in places.items():
        positions[0, ball] = (*xy, R)
    shots = simulate_columns(TABLE, positions, {"speed": 3.0, "azimuth": 1.57})
    np.testing.assert_array_equal(shots.start[0, 2], layout[2])


@pytest.mark.parametrize(
    ("positions", "strokes", "message"),
    [
        (np.zeros((2, 10, 3)), {"speed": 1.0, "azimuth": 0.0}, "positions: got shape"),
        (np.zeros((2, 11, 3)), {"speed": 1.0, "azimut": 0.0}, "strokes: got columns"),
        (np.zeros((2, 11, 3)), {"speed": [1.0] * 3, "azimuth": 0.0}, "stroke speed: expected 2"),
    ],
)
def test_wrong_arrays_are_refused(positions, strokes, message):
    with pytest.raises(sim.InputError, match=message):
        simulate_columns(TABLE, positions, strokes)
