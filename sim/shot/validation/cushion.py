"""The cushion: rebounds, the models' own numbers, table speed."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from sim.model import FileError, Layout, Motion, Table
from sim.shot.packing import CUSHION_MODELS
from sim.shot.simulator import DEFAULT_MATERIALS, simulate
from sim.shot.validation.play import after_nose, moving
from sim.shot.validation.rows import Point, Row, limits, measured_row, model_row, table

__all__ = [
    "MATHAVAN_2009",
    "MATHAVAN_2010",
    "SNOOKER",
    "curve_points",
    "lengths",
    "measured_rebound",
    "rows",
    "snooker_rebound",
    "speed_for",
]

SPEEDS = (0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
SNOOKER: dict[str, float] = {"radius": 0.02625, "height": 0.7, "mu": 0.14, "mu_bed": 0.212}
MATHAVAN_2009 = "Mathavan, Jackson, Parkin 2009, measured"
MATHAVAN_2010 = "Mathavan, Jackson, Parkin 2010, model"
HAN = "Han 2005 as used in games"
TABLE_SPEED = "WPA table speed, 5.2-7 m/s for four lengths"
# Restitution on pool's nose that gives the measured rebounds, at SPEEDS (computed).
RESTITUTION = (0.785, 0.908, 0.965, 0.953, 0.921, 0.879, 0.837, 0.795)


def rows() -> list[Row]:
    """Every row of the cushion."""
    return [*_rebound_rows(), *_model_rows(), *_curve_rows(), *_table_speed_rows()]


def measured_rebound(v: float) -> float:
    """Rebound of a ball rolling square to the cushion, m/s, 0.28 <= v <= 3.5 (published fit)."""
    return -0.0877 * v * v + 1.131 * v - 0.0953


def _rebound_rows() -> list[Row]:
    found = []
    geometries: tuple[tuple[str, dict[str, float]], ...] = (("pool", {}), ("snooker", SNOOKER))
    for name, setup in geometries:
        for model in CUSHION_MODELS:
            entry = _limit_of(f"rebound_{name}", model)
            for v in SPEEDS:
                got = -after_nose(moving(v), model=model, **setup)[1]
                what = f"rolling square {v} m/s, {name} nose, {model}: rebound (m/s)"
                point = Point(f"rebound, {name}", v) if model == "measured" else None
                asked = measured_rebound(v)
                found.append(measured_row(MATHAVAN_2009, what, asked, got, entry, point))
    # Its listed restitution, given to the model as a number, against the default's own.
    for v, e in zip(SPEEDS, RESTITUTION, strict=True):
        own = -after_nose(moving(v))[1]
        listed = -after_nose(moving(v), e=e)[1]
        what = f"rolling square {v} m/s, pool nose, e {e}: rebound (m/s)"
        found.append(measured_row(MATHAVAN_2009, what, listed, own, limits()["restitution"]))
    return found


def _limit_of(section: str, model: str) -> Any:
    """A model's entry in a section of the limits; a model without one is refused by name."""
    try:
        return limits()[section][model]
    except KeyError:
        raise FileError(
            f"sim/shot/validation/data/limits.toml: got no [{section}.{model}], "
            "expected one with limit, relative and reason for each cushion model"
        ) from None


def _model_rows() -> list[Row]:
    found = []
    for v in (0.5, 1.0, 2.5):
        got = -after_nose(moving(v), model="mathavan2010", **SNOOKER)[1] / v
        found.append(model_row(MATHAVAN_2010, f"rolling square {v} m/s, ratio", "0.910", got))
    after = after_nose(moving(1.0, math.pi / 4), model="mathavan2010", e=0.97)
    for k, what, asked in (
        (0, "v_x", "0.543"),
        (1, "v_y", "-0.680"),
        (3, "R w_x", "-0.273"),
        (4, "R w_y", "0.588"),
        (5, "R w_z", "0.401"),
    ):
        what = f"pool nose, e 0.97, rolling 1 m/s at 45 degrees: {what} (m/s)"
        found.append(model_row(MATHAVAN_2010, what, asked, after[k]))
    for e, mu, top, asked in (
        (0.85, 2.0, 0.0, "53.6"),
        (0.97, 2.0, 0.0, "62"),
        (0.85, 0.14, 1.0, "124"),
    ):
        up = after_nose(moving(2.0, top=top), model="mathavan2010", above=0.010, e=e, mu=mu)[2]
        what = f"flying 2 m/s, 10 mm above the nose, e {e}, mu {mu}, roll {top}: hop (mm)"
        found.append(model_row("closed form", what, asked, 1e3 * up * up / (2 * 9.81)))
    for v, asked in ((1.0, "0.603"), (2.0, "0.728"), (4.0, "0.714"), (8.0, "0.000")):
        after = after_nose(moving(v, top=0.0), model="han2005", above=0.0)
        found.append(model_row(HAN, f"e at {v} m/s", asked, -after[1] / v))
    for theta, asked in ((0.5, "0.3505"), (1.0, "0.230")):
        # In the air, spinning so fast that it slips along the nose: friction over normal impulse.
        motion = moving(1.0 / math.cos(theta), math.pi / 2 - theta, top=0.0, side=-20.0)
        after = after_nose(motion, model="han2005", above=0.0)
        mu = abs((after[0] - motion[0]) / (after[1] - motion[1]))
        found.append(model_row(HAN, f"mu at {theta} rad", asked, mu))
    return found


def _curve_rows() -> list[Row]:
    """For each published curve its worst point in speed and in angle."""
    worst: dict[str, Row] = {}
    for row in curve_points():
        assert row.point is not None
        curve = row.point.curve
        if curve not in worst or _used(row) > _used(worst[curve]):
            worst[curve] = row
    return list(worst.values())


def curve_points() -> list[Row]:
    """Every point of the published curves, by its angle of incidence (degrees)."""
    found = []
    for line in table("mathavan2010_curves.csv"):
        v0, incidence, top, side, asked_speed, asked_angle = map(float, line.values())
        speed, angle = snooker_rebound(v0, incidence, top, side)
        curve = f"{v0} m/s, topspin {top}, sidespin {side}"
        for quantity, unit, asked, got in (
            ("speed", "m/s", asked_speed, speed),
            ("angle", "deg", asked_angle, angle),
        ):
            what = f"rebound {quantity}, {curve}, at {incidence:.0f} degrees ({unit})"
            entry = limits()[f"curve_{quantity}"]
            point = Point(f"rebound {quantity}, {curve}", incidence)
            found.append(measured_row(MATHAVAN_2010, what, asked, got, entry, point))
    return found


def snooker_rebound(v0: float, incidence: float, top: float, side: float) -> tuple[float, float]:
    """Speed (m/s) and angle from the cushion (degrees) after a snooker nose, by mathavan2010."""
    motion = moving(v0, math.radians(incidence), top, side)
    after = after_nose(motion, model="mathavan2010", **SNOOKER)
    return math.hypot(after[0], after[1]), math.degrees(math.atan2(-after[1], after[0]))


def _used(row: Row) -> float:
    """How much of its limit a row uses."""
    return abs(row.error) / row.limit


def lengths(speed: float, model: str | None = None) -> float:
    """Table lengths run by a ball that starts sliding from the head spot along the table."""
    nine_foot = Table.wpa_9ft()
    layout = Layout(nine_foot, {1: nine_foot.head_spot})
    motions = {1: Motion((0.0, speed, 0.0))}
    result = simulate(layout, motions=motions, materials=DEFAULT_MATERIALS, cushion_model=model)
    turns = [nine_foot.head_spot[1]]
    turns += [e.position[1] for e in result.events if e.kind == "cushion"]
    turns.append(float(result.states([result.duration])[0, 0, 1]))
    return sum(abs(b - a) for a, b in pairwise(turns)) / nine_foot.length


def speed_for(asked: float, model: str) -> float:
    """The speed at which `lengths` reaches `asked`, by bisection between 4 and 10 m/s."""
    low, high = 4.0, 10.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if lengths(middle, model) < asked else (low, middle)
    return low


def _table_speed_rows() -> list[Row]:
    entries: dict[str, Any] = limits()["table_speed"]
    found = []
    for model, asked in (("measured", 7.0), ("mathavan2010", 5.2)):
        what = f"sliding start for four lengths, {model} (m/s)"
        got = speed_for(4.0, model)
        found.append(measured_row(TABLE_SPEED, what, asked, got, entries[model]))
    run = lengths(6.0)
    found.append(measured_row(TABLE_SPEED, "lengths from 6 m/s", 4.0, run, entries["lengths"]))
    return found
