"""The scripted player at the attack: which pot, from where, how hard, with how much follow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import rules
from sim.game.placement import can_place
from sim.game.pots import Pot, bank_pots, combination_pots, direct_pots
from sim.game.setup import Setup
from sim.game.thinking import Skill, chance, ease, imagine, lowest_after, next_layout
from sim.model.balls import CUE_BALL, TEN
from sim.model.layout import Layout
from sim.model.stroke import Stroke
from sim.model.table import POCKETS

__all__ = ["Idea", "best_pot", "places_for"]

SPEEDS = (0.9, 1.4, 2.2, 3.4)
VERTICALS = (-0.35, 0.0, 0.35)
TURNS = tuple(math.radians(d) for d in (-1.5, -0.75, 0.0, 0.75, 1.5, 2.25, 3.0, 4.0, 5.0))
MOST_POTS = 4
MOST_FINALISTS = 8
SAMPLES = 24

# What a stroke leads to is worth, as the chance to win the rack from there, about.
AFTER_MISS = 0.33
AFTER_FOUL = 0.15
AFTER_POT = (0.52, 0.43)  # plus the second for a certain next pot


@dataclass(frozen=True)
class Idea:
    """A stroke thought of: from where (None: as the cue ball lies), what is declared, its worth."""

    stroke: Stroke
    declaration: rules.Declaration
    worth: float
    cue: tuple[float, float] | None = None
    chance: float = 0.0


@dataclass(frozen=True)
class _Line:
    """A pot at one speed and height of the tip, aimed along one of several turns."""

    layout: Layout
    cue: tuple[float, float] | None
    pot: Pot
    speed: float
    vertical: float

    def stroke(self, turn: float) -> Stroke:
        """The stroke that would turn the ball by `turn` from its line, past the thinner side."""
        radius = self.layout.ball_radius
        arm = 2 * radius * max(math.cos(self.pot.cut), 0.1) / max(self.pot.reach, 2 * radius)
        ball = self.layout[self.pot.first]
        line = math.atan2(ball[1] - self.pot.ghost[1], ball[0] - self.pot.ghost[0])
        bend = math.remainder(line - self.pot.azimuth, math.tau)
        thinner = -math.copysign(1.0, bend) if bend else 1.0
        return Stroke(self.speed, self.pot.azimuth + thinner * turn * arm, 0.0, self.vertical)


def best_pot(
    setup: Setup,
    rack: rules.RackState,
    layout: Layout,
    skill: Skill,
    rng: np.random.Generator,
    places: tuple[tuple[float, float], ...] = (),
) -> Idea | None:
    """The most promising pot, called; None where nothing can be potted.

    `places` are where the cue ball in hand may be put; without them it lies where it is.
    """
    lines = [
        _Line(spot, cue, pot, speed, vertical)
        for spot, cue, pot in _chances(rack, layout, places)
        for speed in _speeds(pot)
        for vertical in VERTICALS
    ]
    if not lines:
        return None
    assert rack.lowest is not None
    finalists = _search(setup, rack.lowest, lines)
    if not finalists:
        return None
    ideas = _weigh(setup, rack, finalists, skill, rng)
    return max(ideas, key=lambda idea: idea.worth)


def places_for(
    layout: Layout, rack: rules.RackState, rng: np.random.Generator
) -> tuple[tuple[float, float], ...]:
    """Where to put the cue ball in hand for the lowest ball: behind its ghost balls, easy cuts."""
    lowest = rack.lowest
    if lowest is None or lowest not in layout:
        return ()
    bare = layout.without(CUE_BALL)
    radius = layout.ball_radius
    x, y = float(layout[lowest][0]), float(layout[lowest][1])
    found: list[tuple[float, tuple[float, float]]] = []
    for bearing in np.linspace(0.0, math.tau, 24, endpoint=False).tolist():
        for distance in (0.22, 0.45, 0.8):
            place = (
                x + (2 * radius + distance) * math.cos(bearing),
                y + (2 * radius + distance) * math.sin(bearing),
            )
            if can_place(bare, place, rack.cue_ball) is not None:
                continue
            pots = direct_pots(bare.with_({CUE_BALL: place}), lowest)
            if pots:
                # A dead straight pot leaves no choice of position: prefer a little cut.
                straight = 0.75 if pots[0].cut < math.radians(6) else 1.0
                found.append((pots[0].tolerance * straight, place))
    found.sort(reverse=True)
    return tuple(place for _, place in found[:MOST_POTS])


def _chances(
    rack: rules.RackState, layout: Layout, places: tuple[tuple[float, float], ...]
) -> Iterator[tuple[Layout, tuple[float, float] | None, Pot]]:
    """(layout, cue ball's place if put there, pot) of what is worth a thought."""
    lowest = rack.lowest
    assert lowest is not None
    if places:
        bare = layout.without(CUE_BALL)
        for place in places:
            there = bare.with_({CUE_BALL: place})
            for pot in direct_pots(there, lowest)[:1]:
                yield there, place, pot
        return
    if lowest not in layout or CUE_BALL not in layout:
        return
    pots = direct_pots(layout, lowest)[:MOST_POTS]
    others = sorted(rack.balls - {lowest})
    wins = rack.ruleset.early_ten_wins
    if wins and TEN in others:
        pots += combination_pots(layout, lowest, (TEN,))[:1]
    if not pots or pots[0].tolerance < 0.004:
        pots += combination_pots(layout, lowest, others)[:2]
        pots += bank_pots(layout, lowest)[:2]
    for pot in pots[: MOST_POTS + 2]:
        yield layout, None, pot


def _speeds(pot: Pot) -> tuple[float, ...]:
    """Speeds worth a thought: more for long and thin pots."""
    least = math.sqrt(0.25 * (pot.reach + pot.run / max(math.cos(pot.cut), 0.2) ** 2)) * 0.9
    if pot.via == "bank":
        least *= 1.4
    return tuple(v for v in SPEEDS if v >= least)[:3] or (min(max(least, SPEEDS[-1]), 6.0),)


def _search(setup: Setup, lowest: int, lines: list[_Line]) -> list[tuple[_Line, float, int]]:
    """(line, turn, breadth) where the pot comes off without an error, the broadest first."""
    strokes = [line.stroke(turn) for line in lines for turn in TURNS]
    layouts = [line.layout for line in lines for _ in TURNS]
    seen = imagine(setup, layouts, strokes, lowest)
    found = []
    for index, line in enumerate(lines):
        rows = slice(index * len(TURNS), (index + 1) * len(TURNS))
        hits = seen.made(line.pot.ball, POCKETS.index(line.pot.pocket))[rows]
        middle, breadth = _longest(hits.tolist())
        if breadth:
            found.append((line, middle, breadth))
    # The broad ones first, but several pots rather than several speeds of one.
    found.sort(key=lambda item: -item[2])
    chosen: list[tuple[_Line, float, int]] = []
    seen_pots: dict[tuple[int, str, tuple[float, float] | None], int] = {}
    for item in found:
        key = (item[0].pot.ball, item[0].pot.pocket, item[0].cue)
        if seen_pots.get(key, 0) < 4:
            seen_pots[key] = seen_pots.get(key, 0) + 1
            chosen.append(item)
    return chosen[:MOST_FINALISTS]


def _longest(hits: list[bool]) -> tuple[float, int]:
    """(turn in the middle, length) of the longest run of hits."""
    best, start = (0.0, 0), None
    for index, hit in enumerate([*hits, False]):
        if hit and start is None:
            start = index
        elif not hit and start is not None:
            length = index - start
            if length > best[1]:
                best = ((TURNS[start] + TURNS[index - 1]) / 2, length)
            start = None
    return best


def _weigh(
    setup: Setup,
    rack: rules.RackState,
    finalists: list[tuple[_Line, float, int]],
    skill: Skill,
    rng: np.random.Generator,
) -> list[Idea]:
    """Each finalist played many times with the player's errors."""
    assert rack.lowest is not None
    meant = [line.stroke(turn) for line, turn, _ in finalists]
    strokes = [s for stroke in meant for s in skill.played(stroke, rng, SAMPLES)]
    layouts = [line.layout for line, _, _ in finalists for _ in range(SAMPLES)]
    seen = imagine(setup, layouts, strokes, rack.lowest)
    ideas = []
    for index, (line, _, _) in enumerate(finalists):
        rows = range(index * SAMPLES, (index + 1) * SAMPLES)
        pot = line.pot
        made = seen.made(pot.ball, POCKETS.index(pot.pocket))
        hits = [row for row in rows if made[row]]
        fouls = sum(not seen.lawful[row] for row in rows) / SAMPLES
        share = len(hits) / SAMPLES
        wins = pot.ball == TEN and (rack.ruleset.early_ten_wins or len(rack.balls) == 1)
        good = 1.0 if wins else _after(setup, rack, line.layout, seen.shots, hits[:8], skill)
        worth = share * good + fouls * AFTER_FOUL + max(1 - share - fouls, 0.0) * AFTER_MISS
        call = rules.call(pot.ball, pot.pocket)
        ideas.append(Idea(meant[index], call, worth, line.cue, share))
    return ideas


def _after(
    setup: Setup,
    rack: rules.RackState,
    layout: Layout,
    shots: object,
    hits: list[int],
    skill: Skill,
) -> float:
    """What the position after a made pot is worth, on average."""
    if not hits:
        return 0.0
    total = 0.0
    for row in hits:
        after = next_layout(setup, layout, shots, row)  # type: ignore[arg-type]  # columns of Shots
        total += ease(after, lowest_after(rack, shots, row), skill)  # type: ignore[arg-type]  # same
    return AFTER_POT[0] + AFTER_POT[1] * total / len(hits)


def likely(layout: Layout, rack: rules.RackState, skill: Skill) -> float:
    """How likely the side at the table pots something from here, by geometry, 0 to 1."""
    lowest = rack.lowest
    if lowest is None or lowest not in layout or CUE_BALL not in layout:
        return 0.0
    pots = direct_pots(layout, lowest)
    return chance(pots[0].tolerance, skill) if pots else 0.0
