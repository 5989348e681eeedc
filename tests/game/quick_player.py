"""A player for long soaks: at most ten strokes thought of a turn, and a referee who meddles.

It plays well enough to end racks and badly enough to commit everything the law knows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import rules
from sim.game import CommandRefused, Session
from sim.game import commands as c
from sim.game.attack import Idea
from sim.game.match import Match
from sim.game.placement import can_place
from sim.game.player import ScriptedPlayer
from sim.game.pots import bank_pots, direct_pots, kicks
from sim.game.thinking import imagine
from sim.model.layout import Layout
from sim.model.stroke import STICKS, Stick, Stroke
from sim.model.table import POCKETS

CANDIDATES = 10
MEDDLES = 0.04  # of the turns, in which a referee or a player does something else first


@dataclass(frozen=True)
class QuickPlayer(ScriptedPlayer):
    """Ten candidates a shot, imagined once each."""

    def think(self, match: Match) -> Idea:
        setup, rack, layout = match.setup, match.rack, match.layout
        assert setup is not None
        assert rack is not None
        assert layout is not None
        rng = self.rng(match, 0)
        cue = None
        if rack.cue_ball is not rules.CueBall.POSITION:
            cue = _somewhere(layout, rack, rng)
            layout = layout.without(0).with_({0: cue})
        lowest = rack.lowest
        assert lowest is not None
        named: list[tuple[Stroke, rules.Declaration, int, int]] = []
        for pot in (direct_pots(layout, lowest) + bank_pots(layout, lowest))[:3]:
            for _ in range(2):
                stroke = Stroke(rng.uniform(1.0, 4.0), pot.azimuth, 0.0, rng.uniform(-0.4, 0.4))
                call = rules.call(pot.ball, pot.pocket)
                named.append((stroke, call, pot.ball, POCKETS.index(pot.pocket)))
        for azimuth in list(kicks(layout, lowest))[: CANDIDATES - len(named)]:
            stroke = Stroke(rng.uniform(0.8, 6.0), azimuth + rng.uniform(-0.03, 0.03))
            said = rules.safety() if rng.random() < 0.4 else rules.no_call()
            named.append((stroke, said, -1, -1))
        if not named:
            named.append((Stroke(2.0, rng.uniform(0.0, math.tau)), rules.no_call(), -1, -1))
        seen = imagine(setup, layout, [stroke for stroke, *_ in named], lowest)
        worth = seen.lawful.astype(float)
        for row, (_, _, ball, pocket) in enumerate(named):
            worth[row] += 2.0 * (ball >= 0 and seen.made(ball, pocket)[row])
        best = int(np.argmax(worth))
        stroke, declaration = named[best][:2]
        if rack.push_out_available and rng.random() < 0.3:
            declaration = rules.push_out()
        elif rng.random() < 0.03:
            # A beginner's wild stroke: jumps, miscues, double hits, balls off the table.
            around, off = rng.uniform(0.0, math.tau), 0.7 * math.sqrt(rng.random())
            stroke = Stroke(
                rng.uniform(0.3, 13.0), rng.uniform(0.0, math.tau),
                off * math.cos(around), off * math.sin(around), rng.uniform(0.1, 1.3),
            )  # fmt: skip
        return Idea(stroke, declaration, float(worth[best]), cue)

    def _break(self, match: Match) -> tuple[c.Command, ...]:
        setup, layout = match.setup, match.layout
        assert setup is not None
        assert layout is not None
        rng = self.rng(match, 0)
        table = setup.table
        place = (rng.uniform(0.2, 0.8) * table.width, table.head_string - rng.uniform(0.03, 0.3))
        x, y = table.foot_spot
        # One break in twenty goes nowhere near the rack.
        miss = rng.uniform(-0.6, 0.6) if rng.random() < 0.05 else 0.0
        azimuth = math.atan2(y - place[1], x - place[0]) + miss
        stroke = Stroke(rng.uniform(4.0, 11.0), azimuth, 0.0, rng.uniform(-0.1, 0.2))
        return (c.Place(place), c.Shoot(self._as_played(match, stroke)))

    def _choice(self, match: Match) -> c.Command:
        rack = match.rack
        assert rack is not None
        assert rack.decision is not None
        options = rack.decision.options
        return c.Choose(
            rack.decision.player, str(options[self.rng(match, 2).integers(len(options))])
        )


def _somewhere(
    layout: Layout, rack: rules.RackState, rng: np.random.Generator
) -> tuple[float, float]:
    """A legal place for the cue ball, where the lowest ball has a pot if that is found soon."""
    bare, table = layout.without(0), layout.table
    lowest = rack.lowest
    legal = None
    for _ in range(400):
        place = (rng.uniform(0.03, table.width - 0.03), rng.uniform(0.03, table.length - 0.03))
        if can_place(bare, place, rack.cue_ball) is not None:
            continue
        legal = place
        if lowest is None or direct_pots(bare.with_({0: place}), lowest):
            return place
    assert legal is not None
    return legal


def _any_stick(rng: np.random.Generator) -> Stick:
    """One with a name, or of any measures."""
    if rng.random() < 0.7:
        return list(STICKS.values())[int(rng.integers(len(STICKS)))]
    return Stick(
        mass=float(rng.uniform(0.2, 0.8)),
        length=float(rng.uniform(0.9, 1.6)),
        tip_radius=float(rng.uniform(0.004, 0.008)),
        e_tip=float(rng.uniform(0.5, 0.95)),
    )


def meddle(session: Session, rng: np.random.Generator) -> str | None:
    """Now and then a referee's or a player's other command; its name if it was taken."""
    if rng.random() >= MEDDLES:
        return None
    side: rules.Side = "A" if rng.random() < 0.5 else "B"
    kind = list(rules.FoulCode)[int(rng.integers(len(rules.FoulCode)))]
    try:
        infraction = rules.Infraction(
            kind, side, int(rng.integers(11)) if kind is rules.FoulCode.TOUCHED_BALL else None
        )
    except rules.RecordError:
        infraction = rules.Infraction(rules.FoulCode.SLOW_PLAY, side)
    on = "last" if rng.random() < 0.3 else "now"
    every: tuple[c.Command, ...] = (
        c.DeclareInfraction(infraction, on),  # type: ignore[arg-type]  # one of the two
        c.ExtendClock(),
        c.ClockExpired(),
        c.AnnounceStalemate(),
        c.AgreeStalemate(side),
        c.AskCall(),
        c.Undo(int(rng.integers(1, 4))),
        c.Redo(1),
        c.Concede(side, "rack"),
        c.TakeStick(_any_stick(rng)),
    )
    weights = np.array([6, 2, 2, 1, 1, 2, 3, 2, 0.3, 3])
    command = every[int(rng.choice(len(every), p=weights / weights.sum()))]
    before = session.match
    try:
        session.send(command)
    except CommandRefused as error:
        refused = str(error)
    else:
        return type(command).__name__
    if "\n" in refused or session.match != before:
        raise AssertionError(f"{command}: refused by {refused!r}, and the match is another")
    return None
