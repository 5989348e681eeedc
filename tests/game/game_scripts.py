"""A fake engine that makes up lawful shots from a seed, and random commands."""

from __future__ import annotations

import random

import rules
from sim.game import CommandRefused, prompt
from sim.game import commands as c
from sim.game.effects import SimulateLag
from sim.game.facts import LagFacts, rule_shot
from sim.game.setup import Setup
from sim.model import Stick, Stroke
from sim.model.stroke import STICKS


def fake_play(question):
    """Facts of a made-up shot, fixed by the stroke alone: contacts, cushions, falling balls."""
    if isinstance(question, SimulateLag):
        winner = ("A", "B", None)[int(question.a.azimuth * 1e6) % 3]
        return LagFacts("fake", {}, {}, winner, "made up"), None
    rng = random.Random(f"{question.stroke.azimuth!r} {question.stroke.speed!r}")
    balls = [b for b in question.layout.balls if b != 0]
    seen = []
    gone = []
    if balls and rng.random() < 0.95:
        first = min(balls) if rng.random() < 0.85 else rng.choice(balls)
        seen.append(rules.cue_contact(first))
    cushions = rng.sample(balls, min(len(balls), rng.choice((0, 1, 4, 5))))
    seen += [rules.cushion(b, rng.choice(rules.CUSHIONS[:2])) for b in cushions]
    called = question.declaration.ball
    if called in balls and rng.random() < 0.6:
        seen.append(rules.pocketed(called, question.declaration.pocket))
        gone.append(called)
    for ball in [*balls, 0]:
        if ball in gone:
            continue
        luck = rng.random()
        if luck < 0.04:
            seen.append(rules.pocketed(ball, rng.choice(rules.POCKETS)))
            gone.append(ball)
        elif luck < 0.05:
            seen.append(rules.off_table(ball))
            gone.append(ball)
    final = question.layout.without(*gone)
    record = rules.ShotRecord(tuple(seen))
    facts = rule_shot(question.rack, question.declaration, record, final, engine="fake")
    return facts, None


def random_command(rng, match):
    """Any command, sensible or not; its arguments often fit the match."""
    side = rng.choice("AB")
    stroke = Stroke(rng.uniform(0.5, 9.0), rng.uniform(0.0, 6.28))
    balls = [b for b in (match.layout or ()) if b != 0] or [1]
    kinds = [
        lambda: c.Seat(Setup(race_to=2, ruleset=rng.choice(list(rules.RULESETS)))),
        lambda: c.Lag(stroke, stroke),
        lambda: c.ChooseBreaker(side),
        lambda: c.Place((rng.uniform(-0.1, 1.4), rng.uniform(-0.1, 2.7)), rng.choice((0, 0, 4))),
        lambda: c.Declare(_declaration(rng, balls)),
        lambda: c.Declare(_declaration(rng, balls)),
        c.AskCall,
        lambda: c.Acknowledge(rng.random() < 0.5),
        lambda: c.Aim(stroke),
        lambda: c.TakeStick(rng.choice((*STICKS.values(), Stick(mass=rng.uniform(0.2, 0.7))))),
        *[lambda: c.Shoot(stroke)] * 6,
        c.Shoot,
        *[lambda: c.Choose(side, rng.choice(tuple(rules.Choice)))] * 3,
        lambda: c.DeclareInfraction(_infraction(rng, side), rng.choice(("last", "now"))),
        lambda: c.Penalise(rng.choice(tuple(rules.Penalty))),
        c.AnnounceStalemate,
        lambda: c.AgreeStalemate(side),
        lambda: c.Concede(side, rng.choice(("rack", "rack", "rack", "match"))),
        c.ExtendClock,
        c.ClockExpired,
        c.NextRack,
        c.Repeat,
        lambda: c.Arrange(((0, (0.3, 0.3, 0.028575)), (10, (0.6, 1.2, 0.028575)))),
        lambda: c.Undo(rng.choice((1, 1, 2))),
        c.Redo,
    ]
    return rng.choice(kinds)()


def _declaration(rng, balls):
    return rng.choice(
        (
            rules.call(rng.choice(balls), rng.choice(rules.POCKETS)),
            rules.call(min(balls), rng.choice(rules.POCKETS), explicit=False, obvious=True),
            rules.safety(),
            rules.push_out(),
            rules.no_call(),
        )
    )


def _infraction(rng, side):
    kind = rng.choice(
        (
            rules.FoulCode.NO_FOOT_ON_FLOOR,
            rules.FoulCode.CUE_STICK_ON_TABLE,
            rules.FoulCode.UNSPORTSMANLIKE,
            rules.FoulCode.TEMPLATE,
        )
    )
    return rules.Infraction(kind, side)


def next_command(rng, match):
    """Usually what the match waits for, sometimes anything at all."""
    if rng.random() < 0.3:
        return random_command(rng, match)
    stroke = Stroke(rng.uniform(0.5, 9.0), rng.uniform(0.0, 6.28))
    waits = prompt(match)
    side = waits.side or rng.choice("AB")
    options = waits.options or ("accept",)
    return {
        "seats": lambda: c.Seat(
            Setup(
                sides=(("Ann", "Al"), ("Bob",)),
                ruleset=rng.choice(list(rules.RULESETS)),
                switches=(("shot_clock", True),) if rng.random() < 0.3 else (),
                race_to=2,
                seed=rng.randrange(1000),
                practice=rng.random() < 0.2,
            )
        ),
        "lag": lambda: c.Lag(stroke, stroke),
        "breaker": lambda: c.ChooseBreaker(side),
        "penalty": lambda: c.Penalise(rules.Penalty(rng.choice(options))),
        "choice": lambda: c.Choose(side, rng.choice(options)),
        "acknowledgement": lambda: c.Acknowledge(rng.random() < 0.7),
        "call": lambda: c.Declare(_declaration(rng, sorted(match.rack.balls))),
        "break": lambda: c.Shoot(stroke),
        "shot": lambda: _shot(rng, match, stroke),
        "next_rack": c.NextRack,
        "over": c.Undo,
    }[waits.need]()


def _shot(rng, match, stroke):
    if match.declaration is None and match.rack is not None and rng.random() < 0.6:
        return c.Declare(_declaration(rng, sorted(match.rack.balls)))
    return c.Shoot(stroke)


def play_random(seed, length, session):
    """Send random commands; yields each with the text of its refusal, None if it was done."""
    rng = random.Random(seed)
    for _ in range(length):
        command = next_command(rng, session.match)
        before = session.game
        try:
            session.send(command)
            refused = None
        except CommandRefused as error:
            refused = str(error)
        if refused is not None:
            assert session.game is before
            assert "\n" not in refused
        yield command, refused
