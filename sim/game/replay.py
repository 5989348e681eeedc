"""Play a match again and compare: differences are reported, the stored truth stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import rules
from rules.notation import format_record
from sim.game.effects import Simulate
from sim.game.facts import Positions, ShotFacts, rule_shot
from sim.game.match import Match, ShotEntry
from sim.game.session import Engine, engine
from sim.model.errors import TenballError

__all__ = ["POSITION_TOLERANCE", "Difference", "replay_check", "rulings_check", "verdicts"]

POSITION_TOLERANCE = 1e-9
"""Balls that end up closer than this to where the journal has them are at the same place, m."""


@dataclass(frozen=True)
class Difference:
    """One difference between a stored shot and the same shot played or ruled again.

    `what` is record, ruling, layout or error; `stored` stands, `again` is only reported.
    """

    shot: int
    what: str
    stored: str
    again: str

    def __str__(self) -> str:
        return f"shot {self.shot}: {self.what}: stored {self.stored}; now {self.again}"


def rulings_check(match: Match) -> tuple[Difference, ...]:
    """Rule on every stored record again; what differs from the stored rulings."""
    found: list[Difference] = []
    for entry in match.log:
        if entry.rack is None:
            continue
        final = entry.facts.final_layout(entry.layout.table, entry.layout.ball_radius)
        try:
            again = rule_shot(entry.rack, entry.declaration, entry.facts.record, final)
        except (rules.RulesError, TenballError) as error:
            found.append(Difference(entry.number, "error", "a ruling", str(error)))
            continue
        found += _ruling_differences(entry, again)
    return tuple(found)


def verdicts(entry: ShotEntry) -> dict[str, rules.Ruling | str]:
    """What each of the three rulesets rules on a shot: {short name: ruling, or why there is none}.

    The state before the shot is taken as it was; only the ruleset in it is another.
    """
    found: dict[str, rules.Ruling | str] = {}
    if entry.rack is None:
        return found
    for name, ruleset in rules.RULESETS.items():
        try:
            rack = replace(entry.rack, ruleset=ruleset)
            found[name] = rules.adjudicate(rack, entry.declaration, entry.facts.record)
        except rules.RulesError as error:
            found[name] = str(error)
    return found


def replay_check(match: Match, play: Engine = engine) -> tuple[Difference, ...]:
    """Play and rule on every stored shot again, each from its stored layout.

    Args:
        match: of a journal; it is not changed.
        play: the engine to compare with.
    """
    found: list[Difference] = []
    for entry in match.log:
        found += _shot_differences(match, entry, play)
    return tuple(found)


def _shot_differences(match: Match, entry: ShotEntry, play: Engine) -> list[Difference]:
    assert match.setup is not None
    declared = _declared_only(entry)
    if entry.stroke is None or declared.sightings:
        # What people declared cannot be played again; the law can be asked again.
        return [d for d in rulings_check(match) if d.shot == entry.number]
    question = Simulate(
        match.setup, entry.layout, entry.stroke, entry.stick, entry.rack, entry.declaration
    )
    try:
        again, _ = play(question)
    except (rules.RulesError, TenballError) as error:
        return [Difference(entry.number, "error", "a shot", str(error))]
    return compare(entry, again)


def _declared_only(entry: ShotEntry) -> rules.ShotRecord:
    """The infractions that a person, not the witness, put into a record."""
    stick = (rules.FoulCode.DOUBLE_HIT, rules.FoulCode.PUSH_SHOT, rules.FoulCode.TOUCHED_BALL)
    people = tuple(
        seen
        for seen in entry.facts.record.sightings
        if isinstance(seen, rules.Infraction) and seen.kind not in stick
    )
    return rules.ShotRecord(people, stroke=False)


def compare(entry: ShotEntry, again: ShotFacts) -> list[Difference]:
    """What differs between a stored shot and its facts made again."""
    found = []
    stored = entry.facts
    if stored.record != again.record:
        one, two = format_record(stored.record), format_record(again.record)
        found.append(Difference(entry.number, "record", one, two))
    found += _ruling_differences(entry, again)
    moved = _moved(stored.final, again.final)
    if moved is not None:
        found.append(Difference(entry.number, "layout", "its layout", moved))
    return found


def _ruling_differences(entry: ShotEntry, again: ShotFacts) -> list[Difference]:
    one, two = entry.facts.ruling or {}, again.ruling or {}
    found = [
        Difference(entry.number, f"ruling.{key}", _short(one.get(key)), _short(two.get(key)))
        for key in sorted({*one, *two})
        if _plain(one.get(key)) != _plain(two.get(key))
    ]
    if not found and entry.facts.rack != again.rack:
        found.append(Difference(entry.number, "rack", str(entry.facts.rack), str(again.rack)))
    return found


def _plain(value: Any) -> Any:
    """Tuples as lists, so that what came through JSON compares with what did not."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _short(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return ", ".join(str(item.get("code")) for item in value)
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _moved(stored: Positions, again: Positions) -> str | None:
    """What lies elsewhere, in words; None if nothing does."""
    one, two = dict(stored), dict(again)
    if one.keys() != two.keys():
        return f"balls {sorted(two)} instead of {sorted(one)}"
    far = {ball: math.dist(one[ball], two[ball]) for ball in one}
    worst = max(far, key=lambda ball: far[ball], default=None)
    if worst is None or far[worst] <= POSITION_TOLERANCE:
        return None
    return f"ball {worst} {far[worst] * 1e3:.3g} mm away, the farthest of {len(far)}"
