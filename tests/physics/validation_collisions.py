"""Published numbers of ball-ball impacts, clusters and slate bounces: asked, got, limit.

`collision_rows()` gives (source, quantity, asked, got, limit, reason); limits are absolute, in the
quantity's unit. Model rows: 0.1 % or the last printed digit, whichever is more. Measured rows:
tests/physics/data/limits_collisions.toml.
"""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from collision_drivers import ELASTIC, R, balls_at, bounce, impact, pair, params, resolve
from numpy.typing import NDArray

from sim.model import Materials

DATA = Path(__file__).parent / "data"
MPH = 0.44704
FOOT = 0.3048
SPEEDS = {"slow": 0.447, "medium": 1.341, "fast": 3.129}
MODEL = "closed form: 0.1 % or the last printed digit"

Row = tuple[str, str, float, float, float, str]


def model_row(source: str, quantity: str, asked: str, got: float) -> Row:
    """A row with its limit taken from the digits printed in the source."""
    digits = len(asked.partition(".")[2])
    limit = max(1e-3 * abs(float(asked)), 10.0**-digits)
    return (source, quantity, float(asked), float(got), limit, MODEL)


def after_cut(
    materials: Materials, speed: float, cut: float, top: float = 0.0, side: float = 0.0
) -> NDArray[Any]:
    """Cue ball moving along x into a ball cut to the left (degrees); spins in units of speed / R.

    top 1 is natural roll; side is positive counterclockwise seen from above.
    """
    radius = materials.ball_radius
    a = math.radians(cut)
    balls = pair((math.cos(a), math.sin(a), 0.0), radius=radius, z=radius)
    balls["vx"][0] = speed
    balls["wy"][0] = top * speed / radius
    balls["wz"][0] = side * speed / radius
    return impact(balls, params(materials))


def throw(speed: float, cut: float, top: float = 0.0, side: float = 0.0) -> float:
    """Degrees between the object ball's path and the line of centres (TP A.14: e = 1)."""
    object_ball = after_cut(Materials(e_ball=1.0), speed, cut, top, side)[1]
    return cut - math.degrees(math.atan2(object_ball["vy"], object_ball["vx"]))


def rolling(ball: Any, radius: float) -> NDArray[Any]:
    """Velocity once the slip has ended: (5/7) v - (2/7) R z x w (Coriolis)."""
    v = np.array([ball["vx"], ball["vy"]])
    return 5 / 7 * v - 2 / 7 * radius * np.array([-ball["wy"], ball["wx"]])


def greatest(f: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Where f is greatest between two cuts, and how great: ever finer grids."""
    for step in (0.5, 0.02, 0.001):
        cuts = np.arange(low, high, step)
        values = [f(float(cut)) for cut in cuts]
        best = int(np.argmax(values))
        low, high = cuts[best] - 2 * step, cuts[best] + 2 * step
    return float(cuts[best]), values[best]


def _throw_rows() -> list[Row]:
    rows = []
    table = {
        "stun, cut 10": (10, 0.0, 0.0, ("1.443", "1.443", "1.443")),
        "stun, cut 30": (30, 0.0, 0.0, ("4.715", "3.549", "1.698")),
        "stun, cut 60": (60, 0.0, 0.0, ("4.621", "2.318", "0.895")),
        "natural roll, cut 30": (30, 1.0, 0.0, ("2.186", "1.004", "0.388")),
        # Half english: a tip at half of the greatest offset 0.5 R, so R w / v = 2.5 x 0.25.
        "straight, half english": (0, 0.0, 0.625, ("5.102", "3.053", "1.307")),
    }
    for name, (cut, top, side, asked) in table.items():
        for (pace, v), value in zip(SPEEDS.items(), asked, strict=True):
            got = abs(throw(v, cut, top, side))
            rows.append(model_row("TP A.14", f"throw, {name}, {pace} (deg)", value, got))
    for pace, (most, where) in {
        "slow": ("5.302", "33.0"),
        "medium": ("3.875", "25.4"),
        "fast": ("2.698", "18.3"),
    }.items():
        cut, value = greatest(partial(throw, SPEEDS[pace]), 5.0, 60.0)
        rows.append(model_row("TP A.14", f"greatest throw, {pace} (deg)", most, value))
        rows.append(model_row("TP A.14", f"cut of greatest throw, {pace} (deg)", where, cut))
    with (DATA / "throw_tpA14.csv").open(newline="") as file:
        for cell in csv.DictReader(file):
            top = 1.0 if cell["shot"] == "natural_roll" else 0.0
            got = throw(float(cell["speed_mps"]), float(cell["cut_deg"]), top)
            name = f"throw, {cell['shot']}, cut {cell['cut_deg']}, {cell['speed_mps']} m/s (deg)"
            rows.append(model_row("TP A.14, throw_tpA14.csv", name, cell["throw_deg"], got))
    cut = 30.0
    gearing = throw(1.341, cut, 0.0, math.sin(math.radians(cut)))
    rows.append(("TP A.27", "throw at gearing english (deg)", 0.0, gearing, 1e-9, "exactly none"))
    slow = after_cut(Materials(mu_ball=2.0), 1.0, 0.0, side=0.5)
    got = slow["wz"][1] * R / -0.5
    rows.append(model_row("TP A.27", "greatest part of side spin given over", "0.357143", abs(got)))
    return rows


def _deflection(cut: float) -> float:
    """Degrees a rolling cue ball is turned by, after its slip has ended (e = 1, no friction)."""
    v = rolling(after_cut(ELASTIC, 1.0, cut, top=1.0)[0], R)
    return -math.degrees(math.atan2(v[1], v[0]))


def _exact_rows() -> list[Row]:
    source = "30 degree rule"
    rows = []
    for name, hit, asked in (
        ("quarter ball", 0.75, "27.27"),
        ("half ball", 0.5, "33.67"),
        ("three quarter ball", 0.25, "27.63"),
    ):
        got = _deflection(math.degrees(math.asin(hit)))
        rows.append(model_row(source, f"{name} (deg)", asked, got))
    cut, value = greatest(_deflection, 5.0, 60.0)
    rows.append(model_row(source, "greatest deflection (deg)", "33.749", value))
    rows.append(model_row(source, "cut of greatest deflection (deg)", "28.13", cut))
    follow = rolling(after_cut(ELASTIC, 1.0, 0.0, top=1.0)[0], R)
    rows.append(model_row("head-on, rolling", "cue ball, 2/7 v", "0.285714", follow[0]))
    stop = after_cut(Materials(), 1.0, 0.0)
    rows.append(model_row("stop shot, e 0.95", "cue ball over v", "0.025", stop["vx"][0]))
    rows.append(model_row("stop shot, e 0.95", "object ball over v", "0.975", stop["vx"][1]))
    return rows


def _measured_rows() -> list[Row]:
    limits = tomllib.loads((DATA / "limits_collisions.toml").read_text(encoding="utf-8"))
    snooker = Materials(
        ball_mass=0.1406, ball_radius=0.02625, mu_slide=0.21, mu_ball=0.05, e_ball=0.89
    )
    rows = []
    for n, (v0, cut, cue, obj, angle) in enumerate(
        (
            (1.539, 33.83, 0.816, 0.836, 35.96),
            (1.364, 40.52, 0.925, 0.700, 30.50),
            (0.942, 18.05, 0.365, 0.581, 29.86),
        ),
        start=1,
    ):
        balls = after_cut(snooker, v0, cut, top=1.0)
        for ball in balls:
            # The bed's answer: friction of the impact lifts one ball and presses the other.
            lying = ball.reshape(1).copy()
            if lying["vz"][0] < 0.0:
                _, lying = bounce(lying, params(snooker), snooker.e_bed, snooker.mu_bed)
            ball["vx"], ball["vy"] = lying["vx"][0], lying["vy"][0]
            for c in ("wx", "wy"):
                ball[c] = lying[c][0]
        v_cue, v_obj = (rolling(ball, 0.02625) for ball in balls)
        got = (
            float(np.hypot(*v_cue)),
            float(np.hypot(*v_obj)),
            -math.degrees(math.atan2(v_cue[1], v_cue[0])),
        )
        for name, asked, value in zip(
            ("v_cue", "v_object", "angle"), (cue, obj, angle), got, strict=True
        ):
            entry = limits[f"mathavan_{n}_{name}"]
            unit = "deg" if name == "angle" else "m/s"
            rows.append(
                (
                    "Mathavan 2009, measured",
                    f"V0 {v0}, cut {cut}: {name} ({unit})",
                    asked,
                    value,
                    entry["limit"],
                    entry["reason"],
                )
            )
    return rows


def line_of_three(gap: float, speed: float, materials: Materials = ELASTIC) -> NDArray[Any]:
    """Speeds over the speed before of a cue ball and two balls in line, `gap` between those."""
    balls = balls_at([(0.0, 0.0), (2 * R, 0.0), (4 * R + gap, 0.0)])
    balls["vx"][0] = speed
    after, _ = resolve(balls, params(materials))
    return after["vx"] / speed


def _cluster_rows() -> list[Row]:
    rows = []
    for name, asked, got in zip(
        ("cue ball", "second", "third"),
        ("-0.071", "0.076", "0.995"),
        line_of_three(0.0, 1.0),
        strict=True,
    ):
        rows.append(model_row("TP B.29", f"frozen, {name} (of v)", asked, got))
    rows.append(
        model_row(
            "TP B.29", "gap 100 um, 8 m/s, cue ball (of v)", "-0.033", line_of_three(1e-4, 8.0)[0]
        )
    )
    rows.append(
        (
            "TP B.29",
            "gap 100 um, 1 m/s, cue ball (of v)",
            0.0,
            float(line_of_three(1e-4, 1.0)[0]),
            1e-3,
            "the source says nearly that of separate hits",
        )
    )
    return rows


def _bounce_rows() -> list[Row]:
    source = "TP B.10, slate bounce"
    m = Materials(g=9.80665)
    ball = balls_at([(0.0, 0.0)])
    v, down = 11.194 * MPH, math.radians(5.0)
    ball["vx"], ball["vz"], ball["wy"] = v * math.cos(down), -v * math.sin(down), -34.841 * math.tau
    rows = []
    for n, (speed, draw, hop) in enumerate(
        (
            ("10.855", "32.897", "0.848"),
            ("10.658", "31.731", "0.500"),
            ("10.542", "31.031", "0.297"),
        ),
        start=1,
    ):
        _, ball = bounce(ball, params(m), m.e_bed, m.mu_bed)
        vx, vz = float(ball["vx"][0]), float(ball["vz"][0])
        rows.append(model_row(source, f"bounce {n} (mph)", speed, math.hypot(vx, vz) / MPH))
        rows.append(
            model_row(source, f"bounce {n} (rev/s)", draw, -float(ball["wy"][0]) / math.tau)
        )
        rows.append(model_row(source, f"hop {n} (ft)", hop, 2 * vz / m.g * vx / FOOT))
        ball["vz"] = -vz
    return rows


def collision_rows() -> list[Row]:
    """Every published number of this part: (source, quantity, asked, got, limit, reason)."""
    return [
        *_throw_rows(),
        *_exact_rows(),
        *_measured_rows(),
        *_cluster_rows(),
        *_bounce_rows(),
    ]
