"""Textbook mechanics of single shots, written plainly: what the scripted shots are held against.

Shares no code with `sim.physics`. Sources: Alciatore TP A.30, A.31 (stick), B.10 (bed), A.14
(friction between balls); Coriolis 1835 (cloth). Default materials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model import Materials, Stick

__all__ = [
    "cloth_path",
    "draw_length",
    "miscue",
    "root",
    "second_tip_contact",
    "strike",
]

Vector = NDArray[Any]
M = Materials()
R, G = M.ball_radius, M.g
UPWARD = np.array([0.0, 0.0, 1.0])


def _e(stick: Stick) -> float:
    return M.e_tip if stick.e_tip is None else stick.e_tip


def _speed(stick: Stick, speed: float, offset: float) -> float:
    return (1 + _e(stick)) * speed / (1 + M.ball_mass / stick.mass + 2.5 * offset**2)


def bed(v: Vector, w: Vector) -> tuple[Vector, Vector]:
    """A bounce on the bed."""
    rebound = M.e_bed * -v[2]
    if rebound < 0.06:
        rebound = 0.0
    slip = v - R * np.cross(w, UPWARD)
    slip[2] = 0.0
    size = float(np.linalg.norm(slip))
    give = min(M.mu_bed * (rebound - v[2]) / size, 2 / 7) if size > 0 else 0.0
    push = -give * slip
    after = v + push
    after[2] = rebound
    return after, w + 2.5 / R * np.cross(-UPWARD, push)


def strike(
    stick: Stick, speed: float, azimuth: float, side: float, vertical: float, elevation: float
) -> tuple[Vector, Vector]:
    """Velocity and spin after the tip and the bed."""
    along = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    right = np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
    ahead = math.cos(elevation) * along - math.sin(elevation) * UPWARD
    up = math.sin(elevation) * along + math.cos(elevation) * UPWARD
    offset = math.hypot(side, vertical)
    v = _speed(stick, speed, offset)
    tip = side * right + vertical * up - math.sqrt(1 - offset**2) * ahead
    w = 2.5 * v / R * np.cross(tip, ahead)
    lean = 1 - side**2
    tangent = 2.5 * abs(side) * math.sqrt(lean) / (1 + M.end_mass_ratio + 2.5 * lean)
    squirt = math.copysign(math.atan(tangent), side)
    velocity = v * (math.cos(squirt) * ahead - math.sin(squirt) * right)
    return bed(velocity, w) if velocity[2] < 0 else (velocity, w)


def cloth_path(start: Vector, v: Vector, w: Vector, until: float, step: float = 2e-5) -> Vector:
    """Centres of a ball that flies, bounces and slides, by small steps (midpoint), (n, 3)."""
    place, v, w = start.copy(), v.copy(), w.copy()
    flying = v[2] > 0
    centres = [place.copy()]
    for _ in range(round(until / step)):
        if flying:
            place += v * step - G / 2 * step**2 * UPWARD
            v[2] -= G * step
            if place[2] <= R and v[2] < 0:
                # Back to the moment of contact, and the rest of the step onwards.
                late = (R - place[2]) / -v[2]
                place -= v * late
                v, w = bed(v + G * late * UPWARD, w)
                flying = v[2] > 0
                place += v * late
                v[2] -= G * late if flying else 0.0
        else:
            slip = v - R * np.cross(w, UPWARD)
            size = math.hypot(slip[0], slip[1])
            if size > M.mu_slide * G * step * 3.5:
                pull = -M.mu_slide * G * np.array([slip[0], slip[1], 0.0]) / size
                w = w + 2.5 / R * np.cross(-UPWARD, pull) * step
            else:
                pull = -M.mu_roll * G * v / max(float(np.linalg.norm(v)), 1e-9)
                w = np.cross(UPWARD, v) / R + w[2] * UPWARD
            place += v * step + pull / 2 * step**2
            v = v + pull * step
        centres.append(place.copy())
    return np.array(centres)


def draw_length(stick: Stick, speed: float, vertical: float, distance: float) -> float:
    """How far a straight draw shot comes back; level stick, the ball hit while it still slides."""
    a = M.mu_slide * G
    v = _speed(stick, speed, abs(vertical))
    spin = 2.5 * vertical * v  # R w, forward roll positive
    t = (v - math.sqrt(v * v - 2 * a * distance)) / a
    v, spin = v - a * t, spin + 2.5 * a * t
    assert spin < 0, "the draw was gone before the ball was met"
    # Ball on ball: restitution, and friction of the spinning front; the bed below holds it.
    push = v * (1 + M.e_ball) / 2
    law = M.friction_law
    rub = min((law.a + law.b * math.exp(law.c * spin)) * push, -spin / 7)
    v, spin = v - push, spin + 2.5 * rub
    held = min(M.mu_bed * rub, 2 / 7 * (v - spin))
    v, spin = v - held, spin + 2.5 * held
    t = 2 * (v - spin) / (7 * a)
    back = v * t - a * t * t / 2
    v -= a * t
    return -(back - v * v / (2 * M.mu_roll * G))


def second_tip_contact(stick: Stick, speed: float, gap: float) -> float:
    """When the stick, going on, meets a cue ball that a ball `gap` ahead has stopped; level."""
    a = M.mu_slide * G
    v = _speed(stick, speed, 0.0)
    tip = speed - M.ball_mass / stick.mass * v
    t = (v - math.sqrt(v * v - 2 * a * gap)) / a
    v = (v - a * t) * (1 - M.e_ball) / 2  # still slides: it hardly turns in 2 ms
    return t + root(lambda s: gap + v * s - a * s * s / 2 - tip * (t + s), 0.0, 0.02)


def miscue(stick: Stick, speed: float, offset: float) -> tuple[float, float]:
    """Ball speed, and its angle from the aim, for a tip that slides: the impulse on the cone."""
    theta, cone = math.asin(offset), math.atan(M.mu_tip)
    lean = theta - cone
    # Along the normal: the ball gains J cos(cone) / m, the tip loses J cos(lean) cos(theta) / M.
    give = math.cos(cone) + M.ball_mass / stick.mass * math.cos(lean) * math.cos(theta)
    return (1 + _e(stick)) * speed * math.cos(theta) / give, lean


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f goes from positive to negative, by bisection."""
    assert f(low) > 0 > f(high), "no sign change"
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2
