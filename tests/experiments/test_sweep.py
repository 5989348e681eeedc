"""Sweeps: parameters to rows, seeds, errors of execution, failed rows, events, rulings."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sim
from sim import experiments as lab
from sim.experiments.parameters import PARAMETERS
from sim.experiments.sampling import BLOCK, uniforms


def quiet(*args, **options):
    return lab.sweep(*args, progress=False, **options)


# --- rows -----------------------------------------------------------------------------------------


def test_rows_run_through_the_grid_in_order():
    run = quiet("stop", {"speed": [1.0, 2.0], "side": np.array([-0.1, 0.0, 0.1])}, n=2)
    frame = run.shots
    assert frame["shot"].tolist() == list(range(12))
    assert frame["speed"].tolist() == [1.0] * 6 + [2.0] * 6
    assert frame["side"].tolist() == [-0.1, -0.1, 0.0, 0.0, 0.1, 0.1] * 2
    assert frame["ok"].all()


def test_parameters_that_change_together_are_one_axis():
    places = [(0.4, 0.5), (0.8, 0.6)]
    run = quiet("stop", {("ball_0_x", "ball_0_y"): places, "speed": [1.0, 2.0]})
    rows = run.shots[["ball_0_x", "ball_0_y", "speed"]].to_numpy().tolist()
    assert rows == [[*place, speed] for place in places for speed in (1.0, 2.0)]


def test_a_row_is_the_shot_that_simulate_plays():
    run = quiet(
        lab.Break(speed=8.0),
        {"aim": lab.Normal(0.0, 0.01), "e_ball": [0.92, 0.96], "table_corner_pocket_width": [0.12]},
        n=3,
        seed=5,
        errors=lab.Errors(aim=0.002, speed=0.03, tip=0.02),
    )
    for row, told in run.shots.iterrows():
        result = run.result(row)
        assert result.duration == told["duration"]
        assert len(result.events) == told["n_events"]
        assert result.materials.e_ball == told["e_ball"]
        assert result.table.spec.corner_pocket_width == 0.12
        assert result.stroke.speed == told["speed"] * (1 + told["speed_error"])
        assert result.stroke.side == told["side"] + told["side_error"]
        rack = sim.rack(result.table, int(told["rack_seed"]))
        np.testing.assert_array_equal(result.layout[7], rack[7])
        final = {b: tuple(result.final[b][:2]) for b in result.final.balls}
        for ball in range(11):
            if ball in final:
                assert final[ball] == (told[f"x_{ball}"], told[f"y_{ball}"])
            else:
                assert math.isnan(told[f"x_{ball}"])
                assert told[f"pocket_{ball}"] == result.pocketed[ball]


VALUES = {"rack_order": "lbm", "table": "wpa_8ft", "cushion_model": "han2005", "mu_ball": 0.05}
VALUES |= {"rack_seed": 4, "ball_0_x": 0.6, "ball_0_y": 0.5, "rack_gap": 5e-5}
VALUES |= {f"ball_0_{axis}": value for axis, value in zip("xyz", (0.6, 0.5, 0.1), strict=True)}


@pytest.mark.parametrize("name", [n for n in PARAMETERS if PARAMETERS[n] != "ball"])
def test_every_parameter_reaches_the_engine(name):
    """Each of them changes what `simulate` is given, and nothing but that."""
    plain = quiet(lab.Break(rack_seed=1), {})
    layout, stroke, keywords = plain.shot(0)
    constants = plain.plan.situation.constants()
    if name in VALUES:
        value = VALUES[name]
    elif name in (
        "aim",
        "aim_deg",
        "azimuth_deg",
        "elevation",
        "elevation_deg",
        "side",
        "vertical",
    ):
        value = 0.25
    elif name in ("stick_e_tip", "e_cushion"):
        value = 0.8
    elif name == "stick_end_mass_ratio":
        value = 15.0
    else:
        value = 1.02 * constants.get(name, 1.57)
    scene, grid = lab.Break(rack_seed=1), {name: [value]}
    if name in ("table_l", "table_w"):
        both = {"table_l": 2.6, "table_w": 1.3}
        grid = {tuple(both): [tuple(both.values())]}
    if name.startswith("azimuth"):
        scene = (layout, stroke)
    run = quiet(scene, grid)
    now = run.shot(0)
    assert run.shots["ok"].tolist() == [True], run.shots["error"].tolist()
    changed = (now[0] != layout) or (now[1] != stroke) or (now[2] != keywords)
    assert changed
    if PARAMETERS[name] == "materials" and name != "mu_ball":
        assert getattr(now[2]["materials"], name) == value
    if PARAMETERS[name] == "stick":
        assert getattr(now[2]["stick"], name.removeprefix("stick_")) == value


def test_angles_in_degrees_are_the_same_shots():
    layout = sim.rack(sim.Table.wpa_9ft(), 3)
    stroke = sim.Stroke(7.0, 1.5)
    a = quiet((layout, stroke), {"azimuth": [1.4, 1.6], "elevation": [0.1]}).shots
    b = quiet(
        (layout, stroke),
        {"azimuth_deg": np.rad2deg([1.4, 1.6]), "elevation_deg": np.rad2deg([0.1])},
    ).shots
    np.testing.assert_allclose(a["azimuth"], b["azimuth"], rtol=1e-15)
    assert a["first_contact"].tolist() == b["first_contact"].tolist()
    assert "azimuth_deg" in b


def test_aim_is_counted_from_the_full_hit():
    layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.3, 0.4), 5: (0.9, 1.3)})
    run = quiet((layout, sim.Stroke(2.0, 0.0)), {"aim": [0.0, 0.3]}, aim_at=5)
    assert run.shots["azimuth"].tolist() == pytest.approx(
        [math.atan2(0.9, 0.6), math.atan2(0.9, 0.6) + 0.3]
    )
    assert run.shots["first_contact"].tolist() == [5, -1]


def test_seed_engine_and_constants_stand_in_the_frame():
    frame = quiet("stop", {"speed": [1.0]}, seed=9, constants=True).shots
    row = frame.iloc[0]
    assert (row["seed"], row["engine"]) == (9, sim.__version__)
    assert row["table"] == "wpa_9ft"
    for name in dataclasses.asdict(sim.Materials()):
        assert name in frame
    assert {"stick_mass", "table_corner_pocket_width", "ball_0_x", "cushion_model"} <= set(frame)


# --- chance ---------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_frame_whatever_the_workers():
    def played(**options):
        return quiet(
            lab.Break(),
            {"speed": [7.0, 9.0], "aim": lab.Normal(0, 0.01)},
            n=300,
            seed=3,
            errors=lab.Errors(0.001, 0.02, 0.01),
            **options,
        ).shots

    first = played()
    pd.testing.assert_frame_equal(first, played(executor=1, chunk=BLOCK))
    pd.testing.assert_frame_equal(first, played(executor=3, chunk=2 * BLOCK))
    assert first["rack_seed"].nunique() == 600


def test_another_seed_gives_other_shots():
    a, b = (quiet("stop", {"aim": lab.Normal(0, 0.1)}, 20, s, aim_at=1).shots for s in (1, 2))
    assert not set(a["aim"]) & set(b["aim"])


@pytest.mark.parametrize("sampling", ["random", "sobol"])
@pytest.mark.parametrize(
    ("distribution", "law"),
    [
        (lab.Normal(2.0, 0.2), stats.norm(2.0, 0.2)),
        (lab.Uniform(1.0, 3.0), stats.uniform(1.0, 2.0)),
        (stats.triang(0.3, 1.0, 2.0), stats.triang(0.3, 1.0, 2.0)),
    ],
)
def test_samples_follow_their_distribution(sampling, distribution, law):
    plan = quiet("stop", {"speed": distribution}, 1, 4, sampling=sampling).plan
    plan = dataclasses.replace(plan, n=4096)
    drawn = plan.parameters(0, 4096)["speed"]
    assert stats.kstest(drawn, law.cdf).pvalue > 1e-3


def test_sobol_points_are_evenly_spread_and_the_same_from_any_block():
    u = uniforms("sobol", 1, 0, 1024, 3, 1024)
    assert stats.qmc.discrepancy(u) < 0.1 * stats.qmc.discrepancy(
        uniforms("random", 1, 0, 1024, 3, 1024)
    )
    np.testing.assert_array_equal(u[512:768], uniforms("sobol", 1, 512, 768, 3, 1024))
    two = uniforms("sobol", 1, 0, 600, 3, 300)
    np.testing.assert_array_equal(two[512:], uniforms("sobol", 1, 512, 600, 3, 300))
    assert not np.array_equal(two[:300], two[300:])


def test_errors_have_their_size_and_are_independent():
    plan = quiet("stop", errors=lab.Errors(aim=0.01, speed=0.1, tip=0.05)).plan
    drawn = pd.DataFrame(dataclasses.replace(plan, n=20_000).parameters(0, 20_000))
    names = ["aim_error", "speed_error", "side_error", "vertical_error"]
    np.testing.assert_allclose(drawn[names].std(), [0.01, 0.1, 0.05, 0.05], rtol=0.02)
    correlation = drawn[names].corr().to_numpy() - np.eye(4)
    assert np.abs(correlation).max() < 0.03


def test_choice_draws_each_value():
    frame = quiet("stop", {"cushion_model": lab.Choice(["han2005", "mathavan2010"])}, 200).shots
    counts = frame["cushion_model"].value_counts()
    assert set(counts.index) == {"han2005", "mathavan2010"}
    assert counts.min() > 70


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "parameters", "options", "message"),
    [
        ("stop", {"sped": [1]}, {}, "did you mean 'speed'"),
        ("stop", {"mu_slid": [1]}, {}, "did you mean 'mu_slide'"),
        ("stop", {"ball_11_x": [1]}, {}, "did you mean 'ball_1"),
        ("stop", {"speed": []}, {}, "speed: got an empty grid"),
        ("stop", {("speed", "side"): []}, {}, "speed and side: got an empty grid"),
        ("stop", {("speed", "side"): [(1.0,)]}, {}, "expected 2 values"),
        ("stop", {("speed", "side"): [(1.0, 0.0)], "side": [0]}, {}, "side twice"),
        ("stop", {"azimuth": [1], "azimuth_deg": [1]}, {}, "expected one of them"),
        ("stop", {"rack_gap": [0]}, {}, "expected a sim.experiments.Break"),
        (lab.Break(), {"ball_3_x": [0.5]}, {}, "only the cue ball"),
        (lab.Break(), {"ball_0_x": [0.5]}, {}, "expected both ball_0_x and ball_0_y"),
        (lab.Break(), {"azimuth": [0.5]}, {}, "vary aim"),
        ("stop", {"aim": [0.5]}, {}, "got no aim_at"),
        ("stop", {}, {"aim_at": 9}, "aim_at: got 9"),
        ("stop", {}, {"n": 0}, "at least 1"),
        ("stop", {}, {"n": 2.5}, "whole number"),
        ("stop", {}, {"seed": -1}, "seed: got -1"),
        ("stop", {}, {"sampling": "halton"}, "sampling: got 'halton'"),
        ("stop", {}, {"rulings": ["wpa"]}, "ruleset: got 'wpa'"),
        ("stop", {}, {"chunk": 100}, "multiple of 256"),
        ("stop", {}, {"executor": "dask"}, "executor: got 'dask'"),
        ("stop", [("speed", 1)], {}, "expected {name: values or distribution}"),
        ("stop", {}, {"errors": 0.1}, "errors: got 0.1"),
        ("stop", {}, {"cushion_model": "rubber"}, "cushion model: got 'rubber'"),
        ("stop", {}, {"materials": sim.Materials(ball_radius=0.026)}, "expected the layout's"),
        ("stopp", {}, {}, "scene: got 'stopp'"),
        (7, {}, {}, "scene: got 7"),
        ("rolling", {}, {}, "with a stroke"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(scene, parameters, options, message):
    with pytest.raises(sim.InputError) as caught:
        quiet(scene, parameters, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_impossible_rows_are_reported_and_the_sweep_goes_on():
    run = quiet(
        "stop",
        {
            ("ball_1_x", "ball_1_y"): [(0.6, 1.8), (0.0, 1.8), (0.9, 1.9)],
            "speed": [2.0, -1.0],
            "e_ball": [0.95, 1.5],
        },
    )
    frame = run.shots
    assert len(frame) == 12
    good = (frame["ball_1_x"] > 0) & (frame["speed"] > 0) & (frame["e_ball"] < 1)
    assert frame["ok"].tolist() == good.tolist()
    assert len(run.failed) == 10
    reasons = run.failed["error"]
    assert reasons[run.failed["e_ball"] == 1.5].str.startswith("e_ball: got 1.5").all()
    at_nose = (run.failed["ball_1_x"] == 0) & (run.failed["e_ball"] < 1) & (run.failed["speed"] > 0)
    assert reasons[at_nose].str.contains("ball 1 is").all()
    with pytest.raises(lab.ExperimentError, match=r"e_ball: got 1\.5"):
        run.result(1)


def test_stroke_that_does_not_clear_is_a_failed_row_where_refused():
    layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.6, 0.06), 1: (0.6, 1.5)})
    shot = (layout, sim.Stroke(2.0, math.pi / 2, elevation=0.0))
    refused = quiet(shot, clearance="refuse").shots.iloc[0]
    assert not refused["ok"]
    assert "the stick touches" in refused["error"]
    played = quiet(shot).shots.iloc[0]
    assert played["ok"]
    assert played["stick_touch"]


# --- events and rulings ---------------------------------------------------------------------------


def test_events_are_those_of_the_shots():
    run = quiet("half_ball", {"speed": [1.5, 3.0]}, events=True)
    for row in (0, 1):
        told = run.events[run.events["shot"] == row]
        events = run.result(row).events
        assert told["t"].tolist() == [e.t for e in events]
        assert told["kind"].tolist() == [e.kind for e in events]
        hits = told[told["kind"] == "ball_ball"]
        first = next(e for e in events if e.kind == "ball_ball")
        assert hits.iloc[0]["other"] == str(first.other)
        assert hits.iloc[0]["other_vx_after"] == first.after[first.other][0][0]
        assert hits.iloc[0]["wz_before"] == first.before[first.ball][1][2]
    with pytest.raises(lab.ExperimentError, match="events=True"):
        quiet("stop").events  # noqa: B018  # asking is what is refused


def test_rulings_are_columns_by_ruleset():
    """A called ball made is the shooter's next turn; the same uncalled is not."""
    options = {"rulings": ["lbm", "wpa09", "ten"]}
    layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 1.6), 1: (0.3, 2.24), 10: (0.9, 0.5)})
    pocket = (layout.table.geometry.pockets[4].centre, "foot_left")
    heading = math.atan2(pocket[0][1] - 2.24, pocket[0][0] - 0.3)
    ghost = layout[1][:2] - 2 * layout.ball_radius * np.array(
        [math.cos(heading), math.sin(heading)]
    )
    aim = ghost - layout[0][:2]
    shot = (layout, sim.Stroke(2.0, math.atan2(aim[1], aim[0])))
    called = quiet(shot, call=(1, "foot_left"), **options).shots.iloc[0]
    uncalled = quiet(shot, **options).shots.iloc[0]
    assert called["pocket_1"] == "foot_left"
    for name in ("lbm", "wpa09", "ten"):
        assert called[f"{name}_legal"]
        assert called[f"{name}_next"] == "shooter"
        assert pd.isna(uncalled[f"{name}_next"])  # the opponent may hand the table back
        assert uncalled[f"{name}_decision"] == "wrongful_pocket"


def test_rulings_of_a_sample_leave_the_other_rows_missing():
    frame = quiet(lab.Break(), n=9, rulings="wpa09", rulings_every=4).shots
    assert frame["wpa09_legal"].notna().tolist() == [k % 4 == 0 for k in range(9)]
    assert frame["wpa09_legal"].dtype == "boolean"


# --- statistics -----------------------------------------------------------------------------------


def test_wilson_interval_is_the_published_one():
    """Wilson 1927; the example of Agresti and Coull 1998: 9 of 10 give 0.596 to 0.982."""
    assert lab.wilson(9, 10) == pytest.approx((0.596, 0.982), abs=5e-4)
    assert lab.wilson(0, 20)[0] == 0.0
    with pytest.raises(lab.ExperimentError):
        lab.wilson(0, 0)


def test_rate_reads_well_and_leaves_missing_values_out():
    column = pd.array([True, False, None, True], dtype="boolean")
    told = lab.rate(pd.Series(column))
    assert (told.value, told.n) == (2 / 3, 3)
    assert str(told).startswith("66.7 % (95 % CI ")


def test_mean_covers_the_truth():
    rng = np.random.default_rng(1)
    inside = [(m := lab.mean(rng.normal(5.0, 2.0, 400))).low < 5.0 < m.high for _ in range(300)]
    assert 0.91 < np.mean(inside) < 0.985
