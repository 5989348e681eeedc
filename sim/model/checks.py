"""Checks at the door: every number that comes in is finite and in its range, or is refused."""

from __future__ import annotations

import math
from typing import Any

from sim.model.errors import InputError


def number(
    value: Any,
    name: str,
    error: type[InputError],
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
) -> float:
    """Return value as a float, or raise `error` in one line.

    Bounds: low <= value <= high and above < value < below.
    """
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise error(f"{name}: got {value!r}, expected a number")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise error(f"{name}: got {value!r}, expected a number") from None
    if not math.isfinite(result):
        raise error(f"{name}: got {result}, expected a finite number")
    if low <= result <= high and above < result < below:
        return result
    parts = []
    if low > -math.inf:
        parts.append(f"at least {low:g}")
    if above > -math.inf:
        parts.append(f"more than {above:g}")
    if high < math.inf:
        parts.append(f"at most {high:g}")
    if below < math.inf:
        parts.append(f"less than {below:g}")
    raise error(f"{name}: got {result:g}, expected {' and '.join(parts)}")


def vector(value: Any, name: str, error: type[InputError]) -> tuple[float, float, float]:
    """Return three finite floats, or raise `error` in one line."""
    try:
        items = list(value)
    except TypeError:
        raise error(f"{name}: got {value!r}, expected three numbers (x, y, z)") from None
    if len(items) != 3:
        raise error(f"{name}: got {len(items)} numbers, expected three (x, y, z)")
    x, y, z = (
        number(item, f"{name}[{axis}]", error) for item, axis in zip(items, "xyz", strict=True)
    )
    return x, y, z
