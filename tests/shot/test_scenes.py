"""Named scenes: legal layouts on every table, random ones repeatable."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from sim.shot.scenes import SCENES, ordinary, scene, spread

TABLES = list(sim.TABLES.values())


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
@pytest.mark.parametrize("name", SCENES)
def test_every_scene_fits_every_table(name: str, table: sim.Table):
    made = scene(name, table)
    assert made.layout.table == table
    assert made.layout.closed == ()
    assert (made.stroke is None) != (made.motions is None)
    assert set(made.keywords) <= {"motions", "stick"}


def test_unknown_scene():
    with pytest.raises(sim.InputError, match="got 'brake', expected one of break"):
        scene("brake")


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_spread_balls_keep_clear(table: sim.Table):
    for seed in range(20):
        layout = spread(table, 10, seed, gap=0.002)
        places = [layout[ball] for ball in layout.balls]
        assert len(places) == 11
        for i, a in enumerate(places):
            assert all(np.linalg.norm(a - b) >= 2 * 0.028575 + 0.002 for b in places[i + 1 :])


def test_spread_is_repeatable_and_grows():
    table = sim.Table.wpa_9ft()
    large = spread(table, 10, 5)
    assert spread(table, 10, 5) == large
    assert spread(table, 10, 6) != large
    assert spread(table, 3, 5) == large.without(*range(4, 11))
    assert spread(table, 2, 5, cue=False).balls == (1, 2)
    with pytest.raises(sim.LayoutError, match="got 11 object balls"):
        spread(table, 11, 5)


def test_half_ball_cut_is_thirty_degrees():
    made = scene("half_ball")
    layout, stroke = made.layout, made.stroke
    assert stroke is not None
    aside = float(layout[1][0] - layout[0][0])
    assert math.sin(math.radians(30)) * 2 * 0.028575 == pytest.approx(-aside)
    assert stroke.azimuth == math.pi / 2


def test_ordinary_shots_aim_at_the_lowest_ball():
    for seed in range(10):
        made = ordinary(sim.Table.wpa_9ft(), seed)
        assert made.stroke is not None
        heading = np.array([math.cos(made.stroke.azimuth), math.sin(made.stroke.azimuth)])
        to_ball = (made.layout[1] - made.layout[0])[:2]
        aside = abs(heading[0] * to_ball[1] - heading[1] * to_ball[0])
        assert aside < 2 * 0.028575
        assert float(heading @ to_ball) > 0
