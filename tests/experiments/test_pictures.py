"""Statistics drawn, the animation, the explorer."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import sim
from sim import experiments as lab

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def run():
    grid = {"aim_deg": np.linspace(-2, 2, 9), "speed": np.linspace(1.5, 4.0, 6)}
    layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 0.9), 1: (0.635, 1.4)})
    shot = (layout, sim.Stroke(2.0, np.pi / 2))
    return lab.sweep(shot, grid, n=2, progress=False, aim_at=1, errors=lab.Errors(0.01))


def assert_labelled(ax):
    """Both axes say what they show; a quantity with a dimension says its unit."""
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    ax.figure.canvas.draw()


def test_density_counts_every_ball_on_the_bed_once(run):
    ax = lab.plots.density(run.shots, 1, cell=0.1)
    assert_labelled(ax)
    drawn = float(np.sum(ax.collections[0].get_array())) / 1000 * len(run.shots)
    assert drawn == pytest.approx(run.shots["x_1"].notna().sum())


def test_density_shows_where_the_balls_are(run):
    """The cell of a ball known to lie there is not empty, and the axes are y and x."""
    one = run.shots.iloc[:1]
    ax = lab.plots.density(one, 1, cell=0.1)
    cells = np.asarray(ax.collections[0].get_array()).reshape(13, 25)
    row, column = np.unravel_index(cells.argmax(), cells.shape)
    assert row == int(one["x_1"].iloc[0] / (1.27 / 13))
    assert column == int(one["y_1"].iloc[0] / (2.54 / 25))


def test_success_map_is_the_share_in_each_cell(run):
    good = run.shots["duration"] > run.shots["duration"].median()
    ax = lab.plots.success_map(run.shots, "aim_deg", "speed", good)
    assert_labelled(ax)
    told = np.asarray(ax.collections[0].get_array()).reshape(6, 9)
    grouped = good.groupby([run.shots["speed"], run.shots["aim_deg"]]).mean().unstack()
    np.testing.assert_allclose(told, 100 * grouped.to_numpy())


def test_success_map_bins_what_was_drawn_at_random(run):
    ax = lab.plots.success_map(run.shots, "aim_error", "speed", run.shots["ok"], bins=5)
    values = np.asarray(ax.collections[0].get_array())
    assert np.nanmax(values) == 100.0


def test_timeline_marks_each_event_at_its_time(run):
    result = run.result(3)
    ax = lab.plots.timeline(result)
    assert_labelled(ax)
    hits = next(c for c in ax.collections if c.get_label() == "ball on ball")
    expected = sorted(e.t for e in result.events if e.kind == "ball_ball")
    assert sorted(hits.get_offsets()[:, 0]) == pytest.approx(sorted(2 * expected))
    with pytest.raises(lab.ExperimentError, match="expected those of one"):
        lab.plots.timeline(lab.sweep("stop", n=2, events=True, progress=False).events)


def test_error_bars_are_the_intervals(run):
    good = run.shots["x_1"] > 0.635
    ax = lab.plots.error_bars(run.shots["speed"], good, xlabel="speed (m/s)")
    assert_labelled(ax)
    share = 100 * good.groupby(run.shots["speed"]).mean()
    np.testing.assert_allclose(ax.lines[0].get_ydata(), share)


def test_unknown_columns_are_refused(run):
    with pytest.raises(lab.ExperimentError, match="did you mean 'speed'"):
        lab.plots.success_map(run.shots, "aim_deg", "sped", run.shots["ok"])
    with pytest.raises(lab.ExperimentError, match="without ball 9"):
        lab.plots.density(run.shots, 9)


def test_every_parameter_has_a_label_and_dimensions_have_units():
    for name in lab.PARAMETERS:
        text = lab.plots.label(name)
        assert text, name
        if name.startswith("ball_") or name in ("speed", "azimuth", "side", "e_ball", "mu_slide"):
            assert "(" in text, name


def test_error_budget_names_what_spoils_the_shot():
    """A hanging ball rolled at gently: nothing but the aim matters, and not even that much."""
    budget = lab.error_budget(
        "hanger",
        lab.Errors(aim=0.08, speed=0.02),
        lambda shots: shots["pocket_1"].notna(),
        n=200,
        aim_at=1,
    )
    share = budget.frame["value"]
    assert share["none"] == share["tip"] == share["speed"] == 1.0
    assert share["aim"] < 0.9
    assert share["all"] == pytest.approx(share["aim"], abs=0.1)
    assert_labelled(budget.plot())
    with pytest.raises(lab.ExperimentError, match="all zero"):
        lab.error_budget("stop", lab.Errors(), lambda shots: shots["ok"])
    with pytest.raises(lab.ExperimentError, match="success: got shape"):
        lab.error_budget("stop", lab.Errors(0.1), lambda shots: True, n=2)


def test_animation_is_one_svg_without_a_script_and_true_to_the_shot():
    result = sim.simulate(sim.rack(sim.Table.wpa_9ft(), 4), sim.Stroke(8.0, 1.58))
    svg = lab.animate(result)._repr_svg_()
    root = ET.fromstring(svg)
    assert "script" not in svg
    assert len(svg) < 100_000
    moves = [e for e in root.iter() if e.tag.endswith("animateTransform")]
    assert len(moves) == len([b for b in result.balls if _moved(result, b)])
    # The cue ball, first of all: where it is at a fifth of the time, as an SVG player works it out.
    last = float(moves[0].get("dur").rstrip("s"))
    keys = np.array([float(k) for k in moves[0].get("keyTimes").split(";")]) * last
    places = np.array([p.split(",") for p in moves[0].get("values").split(";")], dtype=float)
    scale = float(re.search(r'width="(\d+)"', svg)[1]) / (2.54 + 2 * (0.13 + 0.082))
    for t in np.linspace(0.0, result.duration, 40):
        x, y = (np.interp(t, keys, places[:, k]) / scale - 0.212 for k in (0, 1))
        true = result.states([t])[0, 0]
        assert (x, y) == pytest.approx((true[1], true[0]), abs=2e-3)
    with pytest.raises(lab.ExperimentError, match="pace"):
        lab.animate(result, pace=0)


def _moved(result, ball):
    xy = result.states(np.linspace(0, result.duration, 60))[:, result.balls.index(ball), :2]
    return np.abs(xy - xy[0]).max() > 1e-3


# --- the explorer ---------------------------------------------------------------------------------


def test_the_explorer_draws_the_shot_of_its_sliders():
    explorer = lab.explore("stop", aim_at=1)
    before = explorer.picture.value
    assert before.startswith("<svg")
    explorer.sliders["speed"].value = 4.5
    explorer.sliders["aim_deg"].value = 3.0
    assert explorer.picture.value != before
    assert explorer.stroke.speed == 4.5
    assert explorer.result.stroke == explorer.stroke
    assert f"{explorer.result.duration:.2f} s" in explorer.words.value
    assert "application/vnd.jupyter.widget-view+json" in explorer._repr_mimebundle_()


def test_the_explorer_says_what_cannot_be_and_goes_on():
    layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.6, 0.06), 1: (0.6, 1.5)})
    explorer = lab.explore((layout, sim.Stroke(2.0, np.pi / 2)), clearance="refuse")
    assert explorer.result is not None
    assert explorer.sliders["elevation_deg"].disabled
    explorer.automatic.value = False
    assert explorer.result is None
    assert "the stick touches" in explorer.words.value
    assert explorer.picture.value.startswith("<svg"), "the layout stays in sight"
    explorer.sliders["elevation_deg"].value = 30.0
    assert explorer.result is not None


def test_the_explorer_takes_a_break():
    explorer = lab.explore(lab.Break(rack_seed=3))
    assert len(explorer.result.balls) == 11
