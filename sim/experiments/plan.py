"""A plan: everything that settles the rows of a sweep, before anything is played."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.experiments.parameters import ANGLES, PARAMETERS, ExperimentError, check_name
from sim.experiments.sampling import (
    BLOCK,
    Distribution,
    Errors,
    describe_distribution,
    uniforms,
)
from sim.experiments.situation import Situation
from sim.model.checks import brief, whole, word

__all__ = ["Axis", "Plan", "Judging", "make_plan"]

METHODS = ("random", "sobol")
_NO_NUMBERS = ("table", "cushion_model", "rack_order")
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Axis:
    """One axis of the grid: one parameter, or several that change together."""

    names: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Judging:
    """What is worked out beyond the summary of a shot.

    Attributes:
        events: whether events are kept.
        rulesets: short names of the rulesets that rule on the shots.
        rulings_every: every how many rows a ruling is made.
        call: as `sim.game.verdict.rule_alone`.
    """

    events: bool = False
    rulesets: tuple[str, ...] = ()
    rulings_every: int = 1
    call: tuple[int, str] | str | None = None


SUMMARY_ONLY = Judging()


@dataclass(frozen=True)
class Plan:
    """What a sweep plays, row by row; two equal plans give equal frames.

    Rows run through the grid in order, the last axis quickest, `n` rows a point.
    """

    situation: Situation
    axes: tuple[Axis, ...]
    sampled: tuple[tuple[str, Any], ...]
    errors: Errors | None
    n: int
    seed: int
    method: str
    judging: Judging
    constants: bool

    @property
    def points(self) -> int:
        """Points of the grid."""
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def total(self) -> int:
        """Rows."""
        return self.points * self.n

    @property
    def varied(self) -> tuple[str, ...]:
        """Parameters that are not the same in every row, in the order given."""
        return tuple(n for a in self.axes for n in a.names) + tuple(n for n, _ in self.sampled)

    @cached_property
    def balls(self) -> tuple[int, ...]:
        """Ids that may be on the table in some row."""
        moved = {int(n.split("_")[1]) for n in self.varied if PARAMETERS[n] == "ball"}
        return tuple(sorted({*self.situation.balls, *moved}))

    def describe(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "constants": {
                k: v for k, v in self.situation.constants().items() if k not in self.varied
            },
            "grid": [[list(axis.names), [list(v) for v in axis.values]] for axis in self.axes],
            "sampled": [[name, describe_distribution(d)] for name, d in self.sampled],
            "errors": repr(self.errors),
            "n": self.n,
            "seed": self.seed,
            "sampling": self.method,
            "judging": repr(self.judging),
            "columns": "all" if self.constants else "varied",
        }

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal plans under one engine version."""
        from sim import __version__

        text = json.dumps([__version__, self.describe()], sort_keys=True, default=_plain)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def parameters(self, first: int, last: int) -> Columns:
        """Columns of the varied parameters and of the errors, rows first..last.

        first is a multiple of BLOCK. Includes `rack_seed` where every shot has a rack of its own.
        """
        rows = np.arange(first, last)
        columns: Columns = {}
        point = rows // self.n
        for axis in reversed(self.axes):
            point, index = np.divmod(point, len(axis.values))
            for k, name in enumerate(axis.names):
                columns[name] = _array([v[k] for v in axis.values])[index]
        columns = {name: columns[name] for axis in self.axes for name in axis.names}
        count = len(self.sampled) + (4 if self.errors else 0)
        u = uniforms(self.method, self.seed, first, last, count, self.n)
        for k, (name, distribution) in enumerate(self.sampled):
            columns[name] = np.asarray(distribution.ppf(u[:, k]))
        if self.situation.rack and "rack_seed" not in columns and self._fresh_racks:
            columns["rack_seed"] = self._rack_seeds(first, last)
        if self.errors:
            columns |= self.errors.draw(u[:, len(self.sampled) :])
        return columns

    @property
    def _fresh_racks(self) -> bool:
        return self.situation.rack is not None and self.situation.rack.rack_seed is None

    def _rack_seeds(self, first: int, last: int) -> NDArray[np.int64]:
        blocks = [
            # Below 2^53, so that a seed survives as a number in any file format.
            np.random.default_rng([self.seed, block, 1]).integers(0, 2**53, BLOCK)
            for block in range(first // BLOCK, math.ceil(last / BLOCK))
        ]
        return np.concatenate(blocks)[: last - first]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return repr(value)


def _array(values: Sequence[Any]) -> NDArray[Any]:
    array = np.array(values)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        array = np.empty(len(values), dtype=object)
        array[:] = values
    return array


def make_plan(
    situation: Situation,
    parameters: Mapping[Any, Any] | None,
    *,
    n: int,
    seed: int,
    errors: Errors | None = None,
    sampling: str = "random",
    judging: Judging = SUMMARY_ONLY,
    constants: bool = False,
) -> Plan:
    """A checked plan; see `sweep` for the arguments.

    Raises:
        ExperimentError: unknown parameters, empty grids, values that are neither a list nor a
            distribution, a parameter given twice, parameters that the scene does not have.
    """
    n = _whole(n, "n (shots at each point of the grid)", 1)
    seed = whole(
        seed, "seed", ExperimentError, "a whole number 0 to 2^64 - 1", low=0, high=2**64 - 1
    )
    word(sampling, "sampling", ExperimentError, METHODS)
    if errors is not None and not isinstance(errors, Errors):
        raise ExperimentError(f"errors: got {brief(errors)}, expected sim.experiments.Errors")
    axes: list[Axis] = []
    sampled: list[tuple[str, Any]] = []
    seen: set[str] = set()
    if parameters is not None and not isinstance(parameters, Mapping):
        raise ExperimentError(
            f"parameters: got {brief(parameters)}, expected {{name: values or distribution}}"
        )
    for key, given in (parameters or {}).items():
        names = tuple(check_name(name) for name in (key if isinstance(key, tuple) else (key,)))
        for name in names:
            _check_fits(name, situation, seen)
            seen.add(name)
        if isinstance(given, Distribution):
            if len(names) > 1:
                raise ExperimentError(f"{names}: got one distribution, expected a list of tuples")
            sampled.append((names[0], given))
        else:
            axes.append(_axis(names, given))
    for degrees, radians in ANGLES.items():
        if {degrees, radians} <= seen:
            raise ExperimentError(f"parameter: got {degrees} and {radians}, expected one of them")
    _check_places(seen, situation)
    plan = Plan(
        situation, tuple(axes), tuple(sampled), errors, n, seed, sampling, judging, constants
    )
    return plan


def _whole(value: Any, name: str, least: int) -> int:
    return whole(value, name, ExperimentError, f"a whole number of at least {least}", low=least)


def _axis(names: tuple[str, ...], given: Any) -> Axis:
    """One axis from a list, an array, a range, or a single value."""
    what = " and ".join(names)
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        given = [given]
    values = given.tolist() if isinstance(given, np.ndarray) else list(given)
    if not values:
        raise ExperimentError(f"{what}: got an empty grid, expected at least one value")
    if len(names) == 1:
        return Axis(names, tuple((_value(names[0], value),) for value in values))
    rows = [tuple(v) if hasattr(v, "__iter__") and not isinstance(v, str) else (v,) for v in values]
    for row in rows:
        if len(row) != len(names):
            raise ExperimentError(
                f"{what}: got {brief(row)}, expected {len(names)} values in each tuple"
            )
    checked = [tuple(_value(n, v) for n, v in zip(names, row, strict=True)) for row in rows]
    return Axis(names, tuple(checked))


def _value(name: str, value: Any) -> Any:
    """A value of the kind the parameter has; whether it can be played is for its row to say."""
    if name in _NO_NUMBERS or value is None:
        return value
    if not isinstance(value, (int, float, np.number)):
        raise ExperimentError(f"{name}: got {brief(value)}, expected a number")
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise ExperimentError(f"{name}: got {brief(value)}, expected a number of 64 bits")
    return value


def _check_fits(name: str, situation: Situation, seen: set[str]) -> None:
    if name in seen:
        raise ExperimentError(f"parameter: got {name} twice, expected each once")
    group = PARAMETERS[name]
    if group == "rack" and situation.rack is None:
        raise ExperimentError(
            f"{name}: got a scene with a fixed layout, expected a sim.experiments.Break"
        )
    if group == "ball" and situation.rack is not None and not name.startswith("ball_0_"):
        raise ExperimentError(f"{name}: got a Break, where only the cue ball can be placed")
    if group == "aim" and situation.aim_at is None:
        raise ExperimentError(f"{name}: got no aim_at, expected the ball to be aimed at")
    if name in ("azimuth", "azimuth_deg") and situation.aim_at is not None:
        raise ExperimentError(f"{name}: the stroke is aimed at a ball; vary aim (radians off it)")


def _check_places(seen: set[str], situation: Situation) -> None:
    """A ball that the scene has not needs both of its coordinates."""
    moved = {int(n.split("_")[1]) for n in seen if PARAMETERS[n] == "ball"}
    for ball in moved:
        alone = ball not in situation.balls or situation.rack is not None
        if alone and not {f"ball_{ball}_x", f"ball_{ball}_y"} <= seen:
            raise ExperimentError(
                f"ball_{ball}: the scene has no place for it; expected both ball_{ball}_x and "
                f"ball_{ball}_y"
            )
