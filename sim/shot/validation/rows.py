"""A row of the validation table, and where its limit comes from."""

from __future__ import annotations

import csv
import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["Point", "Row", "limits", "measured_row", "model_row", "table"]

MODEL = "model: 0.1 % or the last printed digit"


@dataclass(frozen=True)
class Point:
    """A row's place in a figure: which curve it is a point of, and where along it."""

    curve: str
    x: float


@dataclass(frozen=True)
class Row:
    """One published number.

    Attributes:
        source: who published it.
        quantity: what it is, with its unit.
        asked, got: the published value and the engine's.
        limit: the greatest |got - asked| allowed, in the quantity's unit.
        reason: why that limit.
        point: its place in a figure, for rows that are points of a curve.
    """

    source: str
    quantity: str
    asked: float
    got: float
    limit: float
    reason: str
    point: Point | None = None

    @property
    def error(self) -> float:
        """got - asked."""
        return self.got - self.asked

    @property
    def ok(self) -> bool:
        """Whether the error is within the limit (a value that is not a number is not)."""
        return math.isfinite(self.got) and abs(self.error) <= self.limit


def model_row(
    source: str, quantity: str, asked: str, got: float, point: Point | None = None
) -> Row:
    """A closed form, `asked` as printed: 0.1 % or its last digit, whichever is more."""
    digits = len(asked.partition(".")[2])
    limit = max(1e-3 * abs(float(asked)), 10.0**-digits)
    return Row(source, quantity, float(asked), float(got), limit, MODEL, point)


def measured_row(
    source: str,
    quantity: str,
    asked: float,
    got: float,
    entry: dict[str, Any],
    point: Point | None = None,
) -> Row:
    """An experiment or a curve read off a plot: limit and reason from `limits()`.

    A limit is absolute; with `relative = true` it is a part of what is asked.
    """
    scale = abs(asked) if entry.get("relative") else 1.0
    limit = entry["limit"] * scale
    return Row(source, quantity, asked, float(got), limit, entry["reason"], point)


def _text(name: str) -> str:
    return (files("sim.shot.validation") / "data" / name).read_text(encoding="utf-8")


@cache
def limits() -> dict[str, Any]:
    """data/limits.toml."""
    return tomllib.loads(_text("limits.toml"))


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The lines of a CSV file in data/."""
    return tuple(csv.DictReader(_text(name).splitlines()))
