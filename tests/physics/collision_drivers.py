"""Small compiled drivers for the impacts of balls, and arrays to try them on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model import FrictionLaw, Materials
from sim.physics.arrays import BALL, PARAMS
from sim.physics.contact.ball_ball import ball_ball_impact
from sim.physics.contact.bed import bed_impact
from sim.physics.contact.cluster import (
    CLUSTER,
    CLUSTER_ROWS,
    MAX_MEMBERS,
    MAX_TOUCHES,
    find_cluster,
    presses_on_bed,
    resolve_cluster,
)
from sim.physics.kernel import python_kernel

R = Materials().ball_radius
ELASTIC = Materials(e_ball=1.0, mu_ball=0.0)
VELOCITY = ("vx", "vy", "vz")
SPIN = ("wx", "wy", "wz")
MOTION = VELOCITY + SPIN


@python_kernel
def _impact(balls, p):
    ball_ball_impact(balls[0], balls[1], p[0])


@python_kernel
def _bounce(balls, p, e, mu):
    return bed_impact(balls[0], p[0], e, mu)


@python_kernel
def _resolve(balls, members, p, work, touches):
    return resolve_cluster(balls, members, len(members), p[0], work, touches)


@python_kernel
def _find(balls, i, j, approach, p, members):
    n = find_cluster(balls, len(balls), i, j, approach, p[0], members)
    return n, presses_on_bed(balls[i], balls[j], p[0])


def params(materials: Materials | None = None) -> NDArray[Any]:
    """PARAMS of one shot, as far as impacts of balls read them."""
    m = materials or Materials()
    p = np.zeros(1, PARAMS)
    p["R"], p["m"], p["g"] = m.ball_radius, m.ball_mass, m.g
    p["e_ball"], p["e_bed"], p["mu_bed"] = m.e_ball, m.e_bed, m.mu_bed
    assert isinstance(m.mu_ball, FrictionLaw)
    p["mu_a"], p["mu_b"], p["mu_c"] = m.mu_ball.a, m.mu_ball.b, m.mu_ball.c
    return p


def balls_at(centres: Any) -> NDArray[Any]:
    """BALL records at rest on the bed (or at the heights given) at centres (n, 2 or 3)."""
    centres = np.asarray(centres, float)
    balls = np.zeros(len(centres), BALL)
    balls["x"], balls["y"] = centres[:, 0], centres[:, 1]
    balls["z"] = centres[:, 2] if centres.shape[1] == 3 else R
    balls["pocket"] = -1
    return balls


def pair(direction: Any, gap: float = 0.0, radius: float = R, z: float = R) -> NDArray[Any]:
    """Two balls, the second in the given direction of the first."""
    n = np.asarray(direction, float)
    n = n / np.linalg.norm(n)
    return balls_at([(0.0, 0.0, z), (0.0, 0.0, z) + (2 * radius + gap) * n])


def impact(balls: NDArray[Any], p: NDArray[Any]) -> NDArray[Any]:
    """The two balls after their impact."""
    after = balls.copy()
    _impact(after, p)
    return after


def bounce(ball: NDArray[Any], p: NDArray[Any], e: float, mu: float) -> tuple[int, NDArray[Any]]:
    """Whether it leaves the floor, and the ball after its impact on it."""
    after = ball.copy()
    return _bounce(after, p, e, mu), after


def resolve(
    balls: NDArray[Any], p: NDArray[Any], members: Any = None
) -> tuple[NDArray[Any], list[tuple[int, int]]]:
    """The balls after their common impact, and the pairs in order of first touch."""
    after = balls.copy()
    rows = np.arange(len(balls)) if members is None else np.asarray(members)
    touches = np.zeros((MAX_TOUCHES, 2), np.int64)
    count = _resolve(after, rows, p, np.zeros(CLUSTER_ROWS, CLUSTER), touches)
    return after, [(int(i), int(j)) for i, j in touches[:count]]


def find(
    balls: NDArray[Any], i: int, j: int, approach: float, p: NDArray[Any]
) -> tuple[list[int], bool]:
    """Rows that share the contact of i and j, and whether it presses one on its bed."""
    members = np.zeros(MAX_MEMBERS, np.int64)
    n, presses = _find(balls, i, j, approach, p, members)
    return members[:n].tolist(), bool(presses)


def vectors(balls: NDArray[Any], names: tuple[str, ...] = VELOCITY) -> NDArray[Any]:
    """The named components, (n, len(names))."""
    return np.stack([balls[name] for name in names], axis=1)


def energy(balls: NDArray[Any], radius: float = R) -> float:
    """Twice the kinetic energy over the mass of a ball."""
    v, w = vectors(balls), vectors(balls, SPIN)
    return float((v * v).sum() + 0.4 * radius * radius * (w * w).sum())


def approach(balls: NDArray[Any], i: int, j: int) -> float:
    """Speed at which two balls approach along their line of centres."""
    d = np.array([balls[c][j] - balls[c][i] for c in "xyz"])
    u = np.array([balls[c][i] - balls[c][j] for c in VELOCITY])
    return float(u @ d / np.linalg.norm(d))


def rack(gap: float = 0.0, shift: Any = None, speed: float = 10.0) -> NDArray[Any]:
    """Ten balls in a rack (apex at the origin, growing along y), hit straight by ball 0."""
    centres = [(0.0, -2 * R)]
    for row in range(4):
        for k in range(row + 1):
            centres.append(((2 * k - row) * (R + gap / 2), row * math.sqrt(3) * (R + gap / 2)))
    centres_array = np.array(centres)
    if shift is not None:
        centres_array[2:] += shift
    balls = balls_at(centres_array)
    balls["vy"][0] = speed
    return balls
