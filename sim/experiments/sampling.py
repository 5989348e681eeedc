"""Distributions and execution errors, drawn by inverse transform from numbers in (0, 1).

One stream of such numbers per block of rows, seeded by the sweep's seed and the block's number:
what a row draws depends on neither workers nor the size of a task.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import qmc

from sim.experiments.parameters import ExperimentError
from sim.model.checks import number

__all__ = [
    "BLOCK",
    "Choice",
    "Distribution",
    "Errors",
    "Normal",
    "Uniform",
    "describe_distribution",
    "uniforms",
]

BLOCK = 256
"""Rows that share one stream of random numbers."""

Floats = NDArray[np.float64]
_SMALLEST = 2.0**-54  # random() may give 0, whose quantile is infinite


@runtime_checkable
class Distribution(Protocol):
    """Anything with a quantile function: the classes here, frozen ones of scipy.stats."""

    def ppf(self, q: Any, /) -> Any:
        """Quantiles of probabilities q in (0, 1), same shape."""


@dataclass(frozen=True)
class Uniform:
    """Evenly between two bounds."""

    low: float
    high: float

    def __post_init__(self) -> None:
        low = number(self.low, "Uniform low", ExperimentError)
        number(self.high, "Uniform high", ExperimentError, low=low)

    def ppf(self, q: Floats) -> Floats:
        """Quantiles."""
        return self.low + (self.high - self.low) * q


@dataclass(frozen=True)
class Normal:
    """Gaussian with a mean and a standard deviation."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        number(self.mean, "Normal mean", ExperimentError)
        number(self.sd, "Normal sd", ExperimentError, low=0.0)

    def ppf(self, q: Floats) -> Floats:
        """Quantiles."""
        z: Floats = ndtri(q)
        return self.mean + self.sd * z


@dataclass(frozen=True)
class Choice:
    """One of some values, each as likely."""

    values: tuple[Any, ...]

    def __init__(self, values: Sequence[Any]) -> None:
        if not len(values):
            raise ExperimentError("Choice: got no values, expected at least one")
        object.__setattr__(self, "values", tuple(values))

    def ppf(self, q: Floats) -> NDArray[Any]:
        """Quantiles."""
        index = np.minimum((q * len(self.values)).astype(int), len(self.values) - 1)
        chosen: NDArray[Any] = np.array(self.values)[index]
        return chosen


@dataclass(frozen=True)
class Errors:
    """How a person's stroke misses what was meant: independent Gaussian errors.

    Attributes:
        aim: standard deviation of the heading, radians.
        speed: of the speed, as a share of it.
        tip: of the tip's offset, ball radii, sideways and up alike.

    Notebook 06 takes Errors(aim=0.005, speed=0.06, tip=0.05) for an amateur: 0.3 degrees.
    """

    aim: float = 0.0
    speed: float = 0.0
    tip: float = 0.0

    def __post_init__(self) -> None:
        for name in ("aim", "speed", "tip"):
            value = number(getattr(self, name), f"Errors {name}", ExperimentError, low=0.0)
            object.__setattr__(self, name, value)

    def only(self, name: str) -> Errors:
        """The same player with every other error switched off."""
        return Errors(**{name: getattr(self, name)})

    def draw(self, u: Floats) -> dict[str, Floats]:
        """Error columns from (N, 4) numbers in (0, 1): aim, speed, side and vertical of the tip."""
        z = ndtri(u)
        return {
            "aim_error": self.aim * z[:, 0],
            "speed_error": self.speed * z[:, 1],
            "side_error": self.tip * z[:, 2],
            "vertical_error": self.tip * z[:, 3],
        }


def describe_distribution(distribution: Any) -> Any:
    """A distribution as plain data, equal for equal distributions."""
    if dataclasses.is_dataclass(distribution):
        return repr(distribution)
    inner = getattr(distribution, "dist", None)
    if inner is not None:  # a frozen distribution of scipy.stats
        options = dict(sorted(distribution.kwds.items()))
        return f"scipy.stats.{inner.name}{tuple(distribution.args)}{options}"
    return f"{type(distribution).__module__}.{type(distribution).__qualname__}:{distribution!r}"


def uniforms(
    method: str, seed: int, first: int, last: int, dimensions: int, per_point: int
) -> Floats:
    """Numbers in (0, 1) of rows first..last, shape (last - first, dimensions).

    Args:
        method: "random" (numpy's Generator) or "sobol" (a scrambled Sobol sequence for each point
            of the grid).
        seed: of the sweep.
        first, last: rows; first is a multiple of BLOCK.
        dimensions: numbers a row needs.
        per_point: rows of one point of the grid.
    """
    if dimensions == 0:
        return np.empty((last - first, 0))
    if method == "random":
        blocks = [
            np.random.default_rng([seed, block]).random((BLOCK, dimensions))
            for block in range(first // BLOCK, math.ceil(last / BLOCK))
        ]
        return np.maximum(np.concatenate(blocks)[: last - first], _SMALLEST)
    pieces = []
    row = first
    while row < last:
        point, inside = divmod(row, per_point)
        stop = min(last, (point + 1) * per_point)
        pieces.append(_sobol(seed, point, inside, stop - row + inside, dimensions))
        row = stop
    return np.clip(np.concatenate(pieces), _SMALLEST, 1.0 - 2.0**-53)


# The keyword was renamed in scipy 1.15.
_SEED = "rng" if "rng" in inspect.signature(qmc.Sobol).parameters else "seed"


def _sobol(seed: int, point: int, first: int, last: int, dimensions: int) -> Floats:
    """Points first..last of the scrambled sequence of one grid point."""
    rng = np.random.default_rng([seed, point, 2])
    engine = qmc.Sobol(dimensions, scramble=True, **{_SEED: rng})
    skipped = first // BLOCK * BLOCK
    if skipped:
        engine.fast_forward(skipped)
    # Whole powers of two: that is what the sequence is balanced for.
    size = 1 << max(last - skipped - 1, 1).bit_length()
    drawn: Floats = engine.random(size)
    return drawn[first - skipped : last - skipped]
