"""Published numbers of the cushion: asked, got, limit.

`cushion_rows()` gives (source, quantity, asked, got, limit, reason); limits are absolute, in the
quantity's unit. Model rows: 0.1 % or the last printed digit, whichever is more. Measured rows and
curves read off a plot: tests/physics/data/limits_cushion.toml.
"""

from __future__ import annotations

import csv
import math
import tomllib
from pathlib import Path
from typing import Any

from cushion_drivers import impact, law, moving, nose, params

from sim.physics.contact.cushion import CUSHION_MODELS

DATA = Path(__file__).parent / "data"
G = 9.81
REACH = 0.0275137  # plan distance of centre and nose at contact, pool geometry
SPEEDS = (0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
SNOOKER = {"radius": 0.02625, "mu": 0.14, "mu_bed": 0.212}
MATHAVAN_2009 = "Mathavan, Jackson, Parkin 2009 (measured)"
MATHAVAN_2010 = "Mathavan, Jackson, Parkin 2010 (model)"
HAN = "Han 2005 as used in games"
MODEL = "model: 0.1 % or the last printed digit"

Row = tuple[str, str, float, float, float, str]


def model_row(source: str, quantity: str, asked: str, got: float) -> Row:
    """A row with its limit taken from the digits printed in the source."""
    limit = max(1e-3 * abs(float(asked)), 10.0 ** -len(asked.partition(".")[2]))
    return (source, quantity, float(asked), float(got), limit, MODEL)


def measured_row(
    source: str, quantity: str, asked: float, got: float, entry: dict[str, Any]
) -> Row:
    """A row with its limit and reason from the data file."""
    scale = 1.0 if entry.get("absolute") else abs(asked)
    return (source, quantity, asked, float(got), entry["limit"] * scale, entry["reason"])


def measured_rebound(v: float) -> float:
    """Rebound of a rolling ball square to the cushion, m/s, 0.28 <= v <= 3.5 (published fit)."""
    return -0.0877 * v * v + 1.131 * v - 0.0953


def lengths(speed: float, model: str, mu_roll: float = 0.01) -> float:
    """Table lengths run by a ball that starts sliding along the table at the head spot."""
    p, n = params(model), nose()
    mu = float(p["mu_slide"][0])
    v, w, run, gap = speed, 0.0, 0.0, 1.905 - REACH
    while True:
        sign = math.copysign(1.0, v - w)
        a = -mu * G * sign
        t = abs(v - w) / (3.5 * mu * G)
        if v * t + 0.5 * a * t * t >= gap:  # the cushion comes before the slip has ended
            t = 2 * gap / (v + math.sqrt(v * v + 2 * a * gap))
            v, w = v + a * t, w - 2.5 * a * t
        else:
            slid = v * t + 0.5 * a * t * t
            v = w = v + a * t
            run, gap = run + slid, gap - slid
            stop = v * v / (2 * mu_roll * G)
            if stop <= gap:
                return (run + stop) / 2.54
            v = w = math.sqrt(v * v - 2 * mu_roll * G * gap)
        run += gap
        after = impact((0.0, v, 0.0, -w, 0.0, 0.0), n, p)
        v, w, gap = -float(after[1]), float(after[3]), 2.54 - 2 * REACH


def speed_for(asked: float, model: str) -> float:
    """Speed at which `lengths` reaches `asked`, by bisection between 4 and 10 m/s."""
    low, high = 4.0, 10.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if lengths(middle, model) < asked else (low, middle)
    return low


def _rebound_rows(limits: dict[str, Any]) -> list[Row]:
    rows = []
    for name, height, setup in (("pool", 0.635, {}), ("snooker", 0.7, SNOOKER)):
        for model in CUSHION_MODELS:
            p = params(model, **setup)
            for v in SPEEDS:
                got = -impact(moving(v), nose(height), p)[1]
                what = f"rolling square {v} m/s, {name} nose, {model}: rebound, m/s"
                entry = limits[f"rebound_{name}"][model]
                rows.append(measured_row(MATHAVAN_2009, what, measured_rebound(v), got, entry))
    listed = (0.785, 0.908, 0.965, 0.953, 0.921, 0.879, 0.837, 0.795)
    c = float(math.hypot(*nose()[:2]))
    for v, e in zip(SPEEDS, listed, strict=True):
        what = f"energetic restitution at {v} m/s, pool nose"
        got = law(CUSHION_MODELS[0], v * c)
        rows.append(measured_row(MATHAVAN_2009, what, e, got, limits["restitution"]))
    return rows


def _model_rows() -> list[Row]:
    rows = []
    p = params("mathavan2010", **SNOOKER)
    for v in (0.5, 1.0, 2.5):
        got = -impact(moving(v), nose(0.7), p)[1] / v
        rows.append(
            model_row(MATHAVAN_2010, f"rolling square {v} m/s, ratio of speeds", "0.910", got)
        )
    after = impact(moving(1.0, math.pi / 4), nose(), params("mathavan2010", e=0.97))
    for k, what, asked in (
        (0, "v_x", "0.543"),
        (1, "v_y", "-0.680"),
        (3, "R w_x", "-0.273"),
        (4, "R w_y", "0.588"),
        (5, "R w_z", "0.401"),
    ):
        what = f"pool nose, e 0.97, rolling 1 m/s at 45 degrees: {what}, m/s"
        rows.append(model_row(MATHAVAN_2010, what, asked, after[k]))
    k = 0.010 / 0.028575
    above = (0.0, -math.sqrt(1 - k * k), k)
    for e, mu, top, asked in (
        (0.85, 2.0, 0.0, "53.6"),
        (0.97, 2.0, 0.0, "62"),
        (0.85, 0.14, 1.0, "124"),
    ):
        p = params("mathavan2010", e=e, mu=mu)
        up = impact(moving(2.0, top=top), above, p, on_bed=False)[2]
        what = f"in the air, 2 m/s, 10 mm above the nose, e {e}, mu {mu}, top {top}: hop, mm"
        rows.append(model_row("closed form", what, asked, 1e3 * up * up / (2 * G)))
    level = (0.0, -1.0, 0.0)
    for v, asked in ((1.0, "0.603"), (2.0, "0.728"), (4.0, "0.714"), (8.0, "0.000")):
        after = impact(moving(v, top=0.0), level, params("han2005"), on_bed=False)
        rows.append(model_row(HAN, f"e at {v} m/s", asked, -after[1] / v))
    for theta, asked in ((0.5, "0.3505"), (1.0, "0.230")):
        # In the air, so fast along the nose that it slips: impulse along over impulse across.
        v = moving(1.0 / math.cos(theta), math.pi / 2 - theta, top=0.0, side=-50.0)
        after = impact(v, level, params("han2005"), on_bed=False)
        mu = abs((after[0] - v[0]) / (after[1] - v[1]))
        rows.append(model_row(HAN, f"mu at {theta} rad", asked, mu))
    return rows


def _curve_rows(limits: dict[str, Any]) -> list[Row]:
    """For each curve its worst point in speed and in angle."""
    p = params("mathavan2010", **SNOOKER)
    speed: dict[str, Row] = {}
    angle: dict[str, Row] = {}
    with (DATA / "mathavan2010_curves.csv").open() as file:
        for line in list(csv.reader(file))[1:]:
            v0, incidence, top, side, asked_speed, asked_angle = map(float, line)
            after = impact(moving(v0, math.radians(incidence), top, side), nose(0.7), p)
            curve = f"{v0} m/s, topspin {top}, sidespin {side}"
            what = f"{curve}, at {incidence:.0f} degrees"
            for worst, entry, quantity, asked, got in (
                (
                    speed,
                    limits["curve_speed"],
                    f"rebound speed, {what}",
                    asked_speed,
                    math.hypot(after[0], after[1]),
                ),
                (
                    angle,
                    limits["curve_angle"],
                    f"rebound angle, {what}",
                    asked_angle,
                    math.degrees(math.atan2(-after[1], after[0])),
                ),
            ):
                row = measured_row(MATHAVAN_2010, quantity, asked, got, entry)
                if curve not in worst or _excess(row) > _excess(worst[curve]):
                    worst[curve] = row
    return [*speed.values(), *angle.values()]


def _excess(row: Row) -> float:
    """How much of its limit a row uses."""
    return abs(row[3] - row[2]) / row[4]


def _table_speed_rows(limits: dict[str, Any]) -> list[Row]:
    rows = []
    for model, asked in (("measured", 7.0), ("mathavan2010", 5.2)):
        what = f"sliding start for four lengths of the table, {model}, m/s"
        entry = limits["table_speed"][model]
        rows.append(
            measured_row("WPA table speed, 5.2-7 m/s", what, asked, speed_for(4.0, model), entry)
        )
    return rows


def cushion_rows() -> list[Row]:
    """Every row of validation.md "Cushion": (source, quantity, asked, got, limit, reason)."""
    limits = tomllib.loads((DATA / "limits_cushion.toml").read_text())
    return [
        *_rebound_rows(limits),
        *_model_rows(),
        *_curve_rows(limits),
        *_table_speed_rows(limits),
    ]
