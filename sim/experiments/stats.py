"""Shares with their confidence intervals."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from sim.experiments.parameters import ExperimentError

__all__ = ["Mean", "Rate", "mean", "rate", "sample", "wilson"]


def sample(full: int, small: int) -> int:
    """A sample size: `full`, or `small` where the environment says TENBALL_SAMPLE=small.

    The notebooks are read with the full one and run in CI with the small one.
    """
    return small if os.environ.get("TENBALL_SAMPLE") == "small" else full


def wilson(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share: k of n.

    Raises:
        ExperimentError: no trials, or more successes than trials.
    """
    if not 0 <= k <= n or n == 0:
        raise ExperimentError(f"wilson: got {k} of {n}, expected at least one trial")
    z = float(ndtri(0.5 + confidence / 2))
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (0.0 if k == 0 else middle - half), (1.0 if k == n else middle + half)


@dataclass(frozen=True)
class Rate:
    """A share with its 95 % interval (Wilson) and sample size; reads well in a sentence."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        width = 100 * (self.high - self.low)
        digits = 1 if width > 0.3 else 2
        low, high = 100 * self.low, 100 * self.high
        return (
            f"{100 * self.value:.{digits}f} % (95 % CI {low:.{digits}f} to {high:.{digits}f}, "
            f"n = {self.n:,})"
        )


def rate(happened: Any) -> Rate:
    """The share of True in a boolean column; missing values are left out.

    Raises:
        ExperimentError: nothing to count.
    """
    values = np.asarray(getattr(happened, "dropna", lambda: happened)(), dtype=bool)
    k, n = int(values.sum()), len(values)
    low, high = wilson(k, n)
    return Rate(k / n, low, high, n)


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval and sample size."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        digits = max(0, 1 - math.floor(math.log10(max(self.high - self.low, 1e-12))))
        return (
            f"{self.value:.{digits}f} (95 % CI {self.low:.{digits}f} to {self.high:.{digits}f}, "
            f"n = {self.n:,})"
        )


def mean(values: Any) -> Mean:
    """The mean of a column with its normal 95 % interval; NaN is left out.

    Raises:
        ExperimentError: fewer than two values.
    """
    x = np.asarray(values, dtype=float)
    x = x[~np.isnan(x)]
    if len(x) < 2:
        raise ExperimentError(f"mean: got {len(x)} values, expected at least two")
    middle, half = float(x.mean()), 1.959964 * float(x.std(ddof=1)) / math.sqrt(len(x))
    return Mean(middle, middle - half, middle + half, len(x))
