"""The facts of a finished shot: what was seen, what was ruled, where the balls lie.

Facts are made once, when the shot is played, and are the truth of that shot from then on: they are
written in the journal, and neither a later engine nor a later law changes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rules
from rules.notation import format_state, parse_state
from sim.game.placement import placement
from sim.game.witness import witness
from sim.model.layout import Layout
from sim.model.table import Table

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = [
    "LagFacts",
    "Positions",
    "ShotFacts",
    "engine_version",
    "positions_of",
    "rule_shot",
    "shot_facts",
]

Positions = tuple[tuple[int, tuple[float, float, float]], ...]
"""Balls and their centres, m, ascending ids."""


@dataclass(frozen=True)
class ShotFacts:
    """One finished shot.

    Attributes:
        engine: the engine's version that played it.
        record: what the referee saw.
        ruling: `rules.Ruling.as_dict` of it; None where nothing was ruled (practice without a ten).
        rack: the rack after it, None as above.
        final: where the engine left the balls.
        placed: where they lie for the next stroke: spotted, cue ball in hand put down.
        duration: s.
    """

    engine: str
    record: rules.ShotRecord
    ruling: Mapping[str, Any] | None
    rack: rules.RackState | None
    final: Positions
    placed: Positions
    duration: float = 0.0

    def layout(self, table: Table, radius: float) -> Layout:
        """The layout of the next stroke, to the last bit."""
        return Layout.unchecked(table, dict(self.placed), radius)

    def final_layout(self, table: Table, radius: float) -> Layout:
        """The layout as the shot left it, to the last bit."""
        return Layout.unchecked(table, dict(self.final), radius)

    @property
    def fouls(self) -> tuple[str, ...]:
        """Codes of the fouls seen, the gravest first."""
        return tuple(str(f["code"]) for f in self.ruling["fouls"]) if self.ruling else ()

    @property
    def pocketed(self) -> tuple[int, ...]:
        """Balls pocketed, the cue ball included."""
        if self.ruling is not None:
            return tuple(int(b) for b in self.ruling["pocketed"])
        return tuple(
            s.ball
            for s in self.record.sightings
            if isinstance(s, rules.Sighting) and s.kind is rules.Sight.POCKETED
        )


@dataclass(frozen=True)
class LagFacts:
    """A finished lag: both sides' lags as seen, who won (None: lag again) and why."""

    engine: str
    a: Mapping[str, Any]
    b: Mapping[str, Any]
    winner: rules.Side | None
    reason: str


def engine_version() -> str:
    """The version of the engine that plays shots here."""
    from sim import __version__  # the package's own version; at import time it may not be set yet

    return __version__


def positions_of(layout: Layout) -> Positions:
    """The centres of a layout as plain numbers."""
    return tuple((b, (float(p[0]), float(p[1]), float(p[2]))) for b in layout for p in [layout[b]])


def shot_facts(
    rack: rules.RackState | None, declaration: rules.Declaration, result: Result
) -> ShotFacts:
    """The facts of a simulated shot: witness, ruling, placement.

    Args:
        rack: the rack before the shot; None in practice without a ten: then nothing is ruled.
        declaration: made before the stroke.
        result: of `sim.simulate`.

    Raises:
        rules.RulesError: the record cannot be ruled on.
    """
    three_points = rack is not None and rack.is_break and rack.ruleset.three_point_break_rule
    record = witness(result, side="A" if rack is None else rack.shooter, head_string=three_points)
    return rule_shot(rack, declaration, record, result.final, duration=float(result.duration))


def rule_shot(
    rack: rules.RackState | None,
    declaration: rules.Declaration,
    record: rules.ShotRecord,
    final: Layout,
    *,
    duration: float = 0.0,
    engine: str | None = None,
) -> ShotFacts:
    """The facts of a shot whose record and final layout are known."""
    if rack is None:
        ruling, after, placed = None, None, final
    else:
        ruled = rules.adjudicate(rack, declaration, record)
        # The facts hold what their line in the journal holds, no more.
        ruling, after = ruled.as_dict(), parse_state(format_state(ruled.state))
        placed = placement(ruled, final)
    return ShotFacts(
        engine or engine_version(),
        record,
        ruling,
        after,
        positions_of(final),
        positions_of(placed),
        duration,
    )
