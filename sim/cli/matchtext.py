"""A match in words: a shot with its events, ruling and state, for the demonstration and replay."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rules.notation import format_declaration, format_record, format_state
from sim.cli.output import event_lines, ruling_lines
from sim.game.effects import Effect, LagJudged, MatchOver, Notice, Racked, RackOver
from sim.game.match import Match, ShotEntry
from sim.model.stroke import PLAYING_STICK, stick_name

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["effect_lines", "shot_lines", "stroke_text"]

QUIET = frozenset(
    {"slide_to_roll", "roll_to_spin", "roll_to_rest", "spin_to_rest", "takeoff", "land", "bed",
     "hold", "release"}
)  # fmt: skip
"""Events that the short list leaves out: nothing a referee asks about."""


def stroke_text(entry: ShotEntry) -> str:
    """The stroke in words."""
    stroke = entry.stroke
    if stroke is None:
        return "nothing struck"
    stick = "" if entry.stick == PLAYING_STICK else f", {stick_name(entry.stick)} stick"
    return (
        f"{stroke.speed:.3f} m/s, azimuth {math.degrees(stroke.azimuth):.3f} deg, "
        f"tip {stroke.side:+.3f} right {stroke.vertical:+.3f} up{stick}"
    )


def shot_lines(
    match: Match, entry: ShotEntry, result: Result | None = None, events: str = "short"
) -> list[str]:
    """One shot: heading, stroke, events, record, ruling with its articles, state after.

    `events` is none, short (what a referee asks about) or all; they need the result.
    """
    facts = entry.facts
    state = "-" if entry.rack is None else format_state(entry.rack)
    lines = [
        f"shot {entry.number}: rack {entry.rack_number}, {entry.player} ({entry.side}), "
        f"inning {entry.inning}",
        f"  stroke:      {stroke_text(entry)}",
        f"  declaration: {format_declaration(entry.declaration)}",
        f"  before:      {state}",
    ]
    if result is not None and events != "none":
        lines.append("  events:")
        lines += [f"    {line}" for line in _events(result, events)]
    lines.append(f"  record:      {format_record(facts.record)}")
    if facts.ruling is None or facts.rack is None:
        return [*lines, "  ruling:      none, there is no ten on the table"]
    lines.append("  ruling:")
    lines += [f"  {line}" for line in ruling_lines(facts.ruling)]
    lines.append(f"  state:       {format_state(facts.rack)}")
    return lines


def _events(result: Result, events: str) -> list[str]:
    lines = event_lines(result)
    if events == "all":
        return lines
    kept = [
        line
        for line, event in zip(lines[1:], result.events, strict=True)
        if event.kind not in QUIET
    ]
    return [lines[0], *kept]


def effect_lines(match: Match, effects: tuple[Effect, ...]) -> list[str]:
    """What the players should read of what followed."""
    lines = []
    for effect in effects:
        if isinstance(effect, Notice):
            lines.append(effect.text)
        elif isinstance(effect, LagJudged):
            verdict = "lag again" if effect.winner is None else _name(match, effect.winner)
            lines.append(f"lag: {verdict}. {effect.reason}")
        elif isinstance(effect, Racked):
            lines.append(f"rack {effect.number}: {_name(match, effect.breaker)} breaks")
        elif isinstance(effect, RackOver):
            reason = effect.reason.replace("_", " ")
            score = f"{match.score('A')}:{match.score('B')}"
            lines.append(f"rack to {_name(match, effect.winner)} ({reason}), {score}")
        elif isinstance(effect, MatchOver):
            lines.append(f"match to {_name(match, effect.winner)}")
    return lines


def _name(match: Match, side: str) -> str:
    return match.side_name("A" if side == "A" else "B")
