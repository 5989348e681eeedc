"""Values and errors go through pickle and copy: process pools, joblib and dask send them."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rules
import sim
from rules import errors as rules_errors
from sim.game.errors import CommandRefused
from sim.model import errors as model_errors

TABLE = sim.Table.wpa_9ft()
LAYOUT = sim.rack(TABLE, seed=7)
STROKE = sim.Stroke(speed=6.0, azimuth=1.57, side=0.1)


def through_pickle(value: Any) -> Any:
    """There and back by the oldest and the newest protocol."""
    return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(value, 0))))


WAYS: list[Callable[[Any], Any]] = [through_pickle, copy.copy, copy.deepcopy]
VALUES = {
    "table": TABLE,
    "other table": sim.Table.from_spec(sim.TableSpec(l=2.0, w=1.0)),
    "layout": LAYOUT,
    "stroke": STROKE,
    "motion": sim.Motion((1.0, 0.0, 0.5), (0.0, 3.0, 0.0)),
    "materials": sim.Materials(e_ball=0.9),
    "stick": sim.BREAK_STICK,
    "ruleset": rules.LBM,
    "state": rules.new_rack(rules.WPA_2009, breaker="A"),
    "call": rules.call(ball=3, pocket="foot_left"),
    "sighting": rules.ball_ball(0, 3),
}


@pytest.mark.parametrize("way", WAYS, ids=["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_back_equal(name: str, way: Callable[[Any], Any]) -> None:
    value = VALUES[name]
    back = way(value)
    assert type(back) is type(value)
    assert back == value
    assert hash(back) == hash(value)
    assert repr(back) == repr(value)


def test_a_layout_comes_back_frozen_with_what_was_closed() -> None:
    r = sim.Materials.ball_radius
    layout = sim.Layout(TABLE, {0: (0.6, 0.6), 1: (0.6, 0.6 + 2 * r - 5e-7)})
    assert layout.closed
    sim.simulate(layout, STROKE)  # which leaves the engine's arrays with it
    back = through_pickle(layout)
    assert back.closed == layout.closed
    assert back.ball_radius == layout.ball_radius
    with pytest.raises(ValueError, match="read-only"):
        back[0][0] = 0.0
    with pytest.raises(AttributeError, match="frozen"):
        back.table = TABLE


def test_a_ball_in_a_pockets_mouth_survives() -> None:
    # Where the engine leaves a ball, Layout's own checks would refuse it.
    held = sim.Layout.unchecked(TABLE, {4: (-0.01, 0.0, 0.02)}, sim.Materials.ball_radius)
    assert through_pickle(held) == held


def test_a_result_comes_back_and_can_be_played_on() -> None:
    result = sim.simulate(LAYOUT, STROKE)
    times = np.linspace(0.0, result.duration, 7)
    for touched in (False, True):  # before and after its cached columns were made
        back = through_pickle(result)
        assert back.events == result.events
        assert np.array_equal(back.states(times), result.states(times))
        assert back.final == result.final
        assert back.pocketed == result.pocketed, touched
    again = sim.simulate(through_pickle(LAYOUT), through_pickle(STROKE))
    assert again.events == result.events
    assert sim.simulate(back.final, motions={1: sim.Motion((1.0, 0.0, 0.0))}).events


def test_columns_come_back() -> None:
    shots = sim.simulate_many([LAYOUT] * 3, [STROKE] * 3)
    back = through_pickle(shots)
    for name, column in vars(shots).items():
        np.testing.assert_array_equal(vars(back)[name], column)


def _errors(module: Any) -> list[type[Exception]]:
    return [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == module.__name__
    ]


@pytest.mark.parametrize(
    "kind",
    [*_errors(model_errors), *_errors(rules_errors), CommandRefused],
    ids=lambda kind: kind.__name__,
)
def test_every_error_leaves_a_process_pool(kind: type[Exception]) -> None:
    # One whose __init__ takes more than its text once broke the pool instead of being raised.
    samples: dict[str, Any] = {
        "message": "speed: got -1, expected 0 to 20", "shot": "{}", "index": 2, "field": 1,
        "code": "no_call", "options": ("a", "b"), "column": 4, "case": "c-1", "path": ("events", 2),
    }  # fmt: skip
    wanted = [p for p in inspect.signature(kind.__init__).parameters if p in samples] or ["message"]
    error = kind(*(samples[name] for name in wanted))
    back = through_pickle(error)
    assert type(back) is kind
    assert str(back) == str(error)
    assert vars(back) == vars(error)
