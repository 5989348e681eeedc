"""What the reducer asks for, or tells: effects, as values.

`Simulate`, `SimulateLag` and `Rule` ask: whoever runs the match answers by sending the same command
again with its facts. The others only tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rules
from sim.game.setup import Setup
from sim.model.layout import Layout
from sim.model.stroke import Stick, Stroke

__all__ = [
    "Effect",
    "LagJudged",
    "MatchOver",
    "Notice",
    "RackOver",
    "Racked",
    "Rule",
    "Ruled",
    "Simulate",
    "SimulateLag",
]


@dataclass(frozen=True)
class Simulate:
    """Play this stroke and judge it."""

    setup: Setup
    layout: Layout
    stroke: Stroke
    stick: Stick
    rack: rules.RackState | None
    declaration: rules.Declaration


@dataclass(frozen=True)
class SimulateLag:
    """Play both strokes of a lag at once and judge them."""

    setup: Setup
    a: Stroke
    b: Stroke


@dataclass(frozen=True)
class Rule:
    """Judge this record; nothing needs to be simulated. `final` is the layout it ended in."""

    rack: rules.RackState
    declaration: rules.Declaration
    record: rules.ShotRecord
    final: Layout
    duration: float = 0.0
    engine: str | None = None


@dataclass(frozen=True)
class Ruled:
    """A ruling was made, as `rules.Ruling.as_dict` gives it; None: practice without a ten."""

    ruling: Mapping[str, Any] | None


@dataclass(frozen=True)
class LagJudged:
    """Who won the lag, or None: lag again."""

    winner: rules.Side | None
    reason: str


@dataclass(frozen=True)
class Racked:
    """A rack was set up; `breaker` breaks."""

    number: int
    breaker: rules.Side


@dataclass(frozen=True)
class RackOver:
    """A rack was won."""

    winner: rules.Side
    reason: str


@dataclass(frozen=True)
class MatchOver:
    """The match was won."""

    winner: rules.Side


@dataclass(frozen=True)
class Notice:
    """One line that the players should read."""

    text: str


Effect = Simulate | SimulateLag | Rule | Ruled | LagJudged | Racked | RackOver | MatchOver | Notice
