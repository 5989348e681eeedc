"""Compiled drivers of the cushion's impact, and plain ways to call them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.physics.arrays import BALL, PARAMS
from sim.physics.contact.cushion import CUSHION_MODELS, cushion_impact, cushion_restitution
from sim.physics.contact.surface import nose_impact
from sim.physics.kernel import python_kernel

POOL = 0.635  # nose height over ball diameter (WPA)
MOTION = ("vx", "vy", "vz", "wx", "wy", "wz")


@python_kernel
def _impacts(balls, p, normals, on_bed):  # type: ignore[no-untyped-def]  # numba infers the types
    for i in range(len(balls)):
        n = normals[i]
        cushion_impact(balls[i], p[0], n[0], n[1], n[2], on_bed)


@python_kernel
def _above_bed(balls, p, nx, ny, nz):  # type: ignore[no-untyped-def]  # numba infers the types
    for i in range(len(balls)):
        nose_impact(balls[i], p[0], nx, ny, nz)


@python_kernel
def _restitution(model, approach):  # type: ignore[no-untyped-def]  # numba infers the types
    return cushion_restitution(model, approach)


def law(model: str, approach: float) -> float:
    """The model's own restitution at an approach speed along the normal."""
    return float(_restitution(CUSHION_MODELS.index(model), approach))


def params(
    model: str = CUSHION_MODELS[0],
    *,
    radius: float = 0.028575,
    e: float = -1.0,
    mu: float = 0.14,
    mu_bed: float = 0.2,
) -> NDArray[Any]:
    """PARAMS as far as the cushion reads them."""
    p = np.zeros(1, PARAMS)
    p["R"], p["m"] = radius, 0.170097
    p["e_cushion"], p["mu_cushion"], p["mu_slide"] = e, mu, mu_bed
    p["cushion_model"] = CUSHION_MODELS.index(model)
    return p


def nose(height: float = POOL, azimuth: float = -math.pi / 2) -> NDArray[np.float64]:
    """Unit normal of a nose at `height` ball diameters for a ball on the bed.

    `azimuth` of the normal's horizontal part; the default is a cushion on the side of +y.
    """
    up = 1.0 - 2.0 * height
    c = math.sqrt(1.0 - up * up)
    return np.array([c * math.cos(azimuth), c * math.sin(azimuth), up])


def impacts(
    motions: ArrayLike, normals: ArrayLike, p: NDArray[Any], on_bed: bool = True
) -> NDArray[np.float64]:
    """Motions (N, 6) after: velocity and R times spin, as given."""
    rows = np.atleast_2d(np.asarray(motions, float))
    ns = np.atleast_2d(np.asarray(normals, float))
    radius = p["R"][0]
    balls = np.zeros(len(rows), BALL)
    for k, name in enumerate(MOTION):
        balls[name] = rows[:, k] if k < 3 else rows[:, k] / radius
    _impacts(balls, p, ns, 1 if on_bed else 0)
    return np.stack([balls[name] * (1.0 if k < 3 else radius) for k, name in enumerate(MOTION)], 1)


def impacts_above_bed(
    motion: ArrayLike, normal: NDArray[np.float64], heights: ArrayLike, p: NDArray[Any]
) -> NDArray[np.float64]:
    """Motions (N, 6) after one motion (6,) met the nose with the ball at each height (N,) over the bed."""
    up = np.asarray(heights, float)
    row = np.asarray(motion, float)
    radius = p["R"][0]
    balls = np.zeros(len(up), BALL)
    balls["pocket"] = -1
    balls["z"] = radius + up
    for k, name in enumerate(MOTION):
        balls[name] = row[k] if k < 3 else row[k] / radius
    p = p.copy()
    p["e_bed"], p["mu_bed"] = 0.5, 0.2
    _above_bed(balls, p, *normal)
    return np.stack([balls[name] * (1.0 if k < 3 else radius) for k, name in enumerate(MOTION)], 1)


def impact(
    motion: ArrayLike, normal: ArrayLike, p: NDArray[Any], on_bed: bool = True
) -> NDArray[np.float64]:
    """One motion (6,) after its impact: velocity and R times spin."""
    return impacts(motion, normal, p, on_bed)[0]


def moving(
    speed: float, from_cushion: float = math.pi / 2, top: float = 1.0, side: float = 0.0
) -> NDArray[np.float64]:
    """A ball on the bed going into the cushion at +y, at an angle from the cushion (x).

    top 1 rolls; side is positive counterclockwise seen from above; both times speed / R.
    """
    c, s = math.cos(from_cushion), math.sin(from_cushion)
    return speed * np.array([c, s, 0.0, -top * s, top * c, side])
