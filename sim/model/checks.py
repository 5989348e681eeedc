"""Checks at the door: every number that comes in is finite and in its range, or is refused."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from itertools import islice
from typing import Any

from sim.model.errors import InputError


def brief(value: object) -> str:
    """A value as Python writes it, on one line and cut to fit in one: for error messages."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a repr of somebody else's, or a number with too many digits to write out
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


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
    array = getattr(value, "ndim", None) not in (None, 0)
    if isinstance(value, bool) or not hasattr(value, "__float__") or array:
        raise error(f"{name}: got {brief(value)}, expected a number")
    try:
        result = float(value)
    except Exception:  # too large, or whatever a foreign class does
        raise error(f"{name}: got {brief(value)}, expected a number") from None
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


def whole(
    value: Any,
    name: str,
    error: type[InputError],
    expected: str,
    *,
    low: int | None = None,
    high: int | None = None,
) -> int:
    """Return value as an int of low..high, or raise `error`, which says what was `expected`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        result = int(operator.index(value))
    except Exception:  # whatever a foreign class does in there
        raise error(f"{name}: got {brief(value)}, expected {expected}") from None
    if (low is not None and result < low) or (high is not None and result > high):
        raise error(f"{name}: got {brief(value)}, expected {expected}")
    return result


def word(value: Any, name: str, error: type[InputError], words: Iterable[str]) -> str:
    """Return value if it is one of these words, or raise `error`."""
    if isinstance(value, str) and value in words:
        return value
    raise error(f"{name}: got {brief(value)}, expected one of {list(words)}")


def instance(value: Any, name: str, error: type[InputError], kind: type) -> None:
    """Raise `error` unless value is of this class."""
    if not isinstance(value, kind):
        raise error(f"{name}: got {brief(value)}, expected a {kind.__name__}")


def is_several(value: Any) -> bool:
    """Whether it can be run through; numpy's single values only look as if they could."""
    return isinstance(value, Iterable) and getattr(value, "ndim", None) != 0


def vector(value: Any, name: str, error: type[InputError]) -> tuple[float, float, float]:
    """Return three finite floats, or raise `error` in one line."""
    try:
        items = list(islice(value, 4))
    except Exception:  # whatever a foreign class does in there
        raise error(f"{name}: got {brief(value)}, expected three numbers (x, y, z)") from None
    if len(items) != 3:
        many = f"{len(items)}" if len(items) < 4 else "more than three"
        raise error(f"{name}: got {many} numbers, expected three (x, y, z)")
    x, y, z = (
        number(item, f"{name}[{axis}]", error) for item, axis in zip(items, "xyz", strict=True)
    )
    return x, y, z
