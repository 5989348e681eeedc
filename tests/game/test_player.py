"""The scripted player: pots, banks, combinations, options; the same thought every time."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import rules
from sim.game import Phase, Session, Setup, rulings_check
from sim.game import commands as c
from sim.game.attack import Idea
from sim.game.obvious import obvious_call
from sim.game.player import ScriptedPlayer, lag_command, play_turn
from sim.game.pots import bank_pots, combination_pots, direct_pots, kicks
from sim.game.thinking import Skill
from sim.model import Layout, Stroke, Table
from sim.model.stroke import STICKS
from sim.shot.simulator import simulate

TABLE = Table.wpa_9ft()
R = 0.028575
PLAYER = ScriptedPlayer(strength=0.9, seed=3)


def practice(positions, **settings):
    session = Session()
    session.send(c.Seat(Setup(practice=True, **settings)))
    session.send(c.Arrange(tuple((b, (*xy, R)) for b, xy in sorted(positions.items()))))
    return session


OPEN = {0: (0.5, 1.2), 3: (0.35, 1.9), 10: (0.9, 0.6)}


def test_an_open_pot_is_called_and_made():
    """It says what it means, and makes it."""
    session = practice(OPEN)
    for command in PLAYER.turn(session.match):
        session.send(command)
    entry = session.match.log[-1]
    assert (entry.declaration.ball, entry.declaration.pocket) == (3, "foot_left")
    assert entry.facts.pocketed == (3,)
    assert entry.facts.ruling["inning"] == "continues"


def test_the_same_match_gives_the_same_thought():
    """Same match, strength and seed: the same commands; another seed: other errors."""
    match = practice(OPEN).match
    assert PLAYER.turn(match) == PLAYER.turn(match)
    assert ScriptedPlayer(0.9, 4).turn(match)[-1] != PLAYER.turn(match)[-1]


def test_strength_is_the_size_of_the_errors():
    """A stronger player's strokes stray less, in every part."""
    rng = [np.random.default_rng(1) for _ in range(2)]
    weak, strong = (
        Skill.of(s).played(Stroke(2.0, 1.0), r, 400) for s, r in zip((0.2, 0.9), rng, strict=True)
    )
    for part in ("azimuth", "speed", "side", "vertical"):
        spread = [np.std([getattr(s, part) for s in strokes]) for strokes in (weak, strong)]
        assert spread[0] > 1.5 * spread[1]


def test_ghost_ball_geometry():
    """Played along the ghost ball without throw to speak of, the ball falls where it is said to."""
    layout = Layout(TABLE, {0: (0.635, 1.0), 1: (0.635, 1.9)})
    pots = direct_pots(layout, 1)
    assert {p.pocket for p in pots} == {"foot_left", "foot_right"}
    for pot in pots:
        assert math.dist(pot.ghost, layout[1][:2]) == pytest.approx(2 * R)
        assert math.degrees(pot.cut) > 30
    straight = Layout(TABLE, {0: (0.635, 0.635), 1: (0.3175, 0.3175)})
    pot = direct_pots(straight, 1)[0]
    assert pot.pocket == "head_left"
    result = simulate(straight, Stroke(1.5, pot.azimuth))
    assert result.pocketed.get(1) == "head_left"


def test_a_blocked_ball_has_no_direct_pot():
    """Neither with a ball in the cue ball's way nor with one in the object ball's."""
    assert direct_pots(Layout(TABLE, {0: (0.6, 0.6), 2: (0.6, 0.8), 1: (0.6, 1.0)}), 1) == []


def test_bank_over_one_cushion():
    """The mirror of the pocket in the cushion: played, the ball reaches that pocket's mouth."""
    layout = Layout(TABLE, {0: (0.9, 1.9), 1: (0.4, 1.5)})
    banks = bank_pots(layout, 1)
    assert banks
    assert all(p.via == "bank" for p in banks)
    assert not {p.azimuth for p in banks} & {p.azimuth for p in direct_pots(layout, 1)}


def test_combination():
    """The lowest ball sends another in: the other is called, the lowest is met first."""
    layout = Layout(TABLE, {0: (0.5, 1.2), 1: (0.3, 1.9), 10: (0.18, 2.2)})
    combos = combination_pots(layout, 1, (10,))
    assert combos
    assert (combos[0].ball, combos[0].first, combos[0].pocket) == (10, 1, "foot_left")


def test_kicks_reach_a_hidden_ball():
    """Straight blocked, over a cushion open: the engine meets the ball first on some kick."""
    layout = Layout(TABLE, {0: (0.4, 0.6), 2: (0.4, 0.8), 1: (0.4, 1.3)})
    headings = list(kicks(layout, 1))
    assert headings
    first = []
    for azimuth in headings:
        events = simulate(layout, Stroke(2.5, azimuth)).events
        first += [{e.ball, e.other} for e in events if e.kind == "ball_ball"][:1]
    assert {0, 1} in first


def decision_match(cue, three):
    """A match in which B has to decide after A's push-out, the 3 as given."""
    session = practice({0: cue, 3: three, 10: (0.9, 0.6)})
    rack = rules.RackState(
        rules.WPA_2009, "A", "A", 3, frozenset({3, 10}), rules.CueBall.POSITION,
        decision=rules.Decision.about("B", rules.Cause.PUSH_OUT, rules.WPA_2009),
    )  # fmt: skip
    return session.match.having(rack=rack)


def test_it_plays_on_with_an_easy_ball_and_hands_back_a_hard_one():
    """The option is answered by what there is to pot."""
    (easy,) = PLAYER.turn(decision_match((0.3, 2.1), (0.2, 2.3)))
    assert (easy.side, easy.choice) == ("B", "accept")
    (hard,) = PLAYER.turn(decision_match((1.2, 0.1), (0.0276, 1.4)))
    assert (hard.side, hard.choice) == ("B", "hand_back")


def test_asked_for_a_call_it_always_answers(monkeypatch):
    """Found by 2,000 matches: with nothing to pot and the opponent asking it shot, and was refused."""
    session = practice(OPEN, ruleset="ten")
    session.send(c.AskCall())
    nothing = Idea(Stroke(2.0, 1.0), rules.no_call(), 0.0)
    monkeypatch.setattr(ScriptedPlayer, "think", lambda self, match: nothing)
    for command in PLAYER.turn(session.match):
        session.send(command)
    assert session.match.log[-1].declaration.kind is rules.Kind.SAFETY


def test_a_push_out_waits_for_the_other_side_under_lbm():
    """LBM 4-4.1a between two scripted players: declared, acknowledged, then played."""
    rack = rules.RackState(
        rules.LBM, "B", "A", 2, frozenset({1, 2, 10}), rules.CueBall.POSITION,
        push_out_available=True,
    )  # fmt: skip
    corner = {0: (0.03, 0.3), 1: (1.2, 2.4), 2: (0.1, 0.35), 10: (0.05, 0.45)}
    session = practice(corner, ruleset="lbm")
    session.game = replace(session.game, states=(*session.game.states[:-1],
                                                 session.match.having(rack=rack)))  # fmt: skip
    players = (PLAYER, ScriptedPlayer(0.9, 9))
    assert PLAYER.think(session.match).declaration.kind is rules.Kind.PUSH_OUT
    sent = [type(command).__name__ for command, _ in play_turn(session, players)]
    sent += [type(command).__name__ for command, _ in play_turn(session, players)]
    sent += [type(command).__name__ for command, _ in play_turn(session, players)]
    assert sent == ["Declare", "Acknowledge", "Shoot"]


@pytest.mark.parametrize(
    "said", [c.AgreeStalemate("B"), c.TakeStick(STICKS["jump"]), c.Aim(Stroke(1.0, 0.0))]
)
def test_what_is_said_in_a_turn_does_not_end_it(said, monkeypatch):
    """Found by 2,000 matches: the opponent agreed to a stalemate before he acknowledged a push-out, and the
    shooter, who took what came after for another turn, acknowledged it once more."""
    session = Session()
    session.send(c.Seat(Setup(ruleset="lbm", lag=False)))
    session.send(c.ChooseBreaker("A"))
    rack = rules.RackState(
        rules.LBM, "B", "A", 2, frozenset({1, 2, 10}), rules.CueBall.POSITION,
        push_out_available=True,
    )  # fmt: skip
    corner = {0: (0.03, 0.3), 1: (1.2, 2.4), 2: (0.1, 0.35), 10: (0.05, 0.45)}
    start = session.match.having(rack=rack, layout=Layout(session.match.layout.table, corner))
    session.game = replace(session.game, states=(*session.game.states[:-1], start))
    idea = Idea(Stroke(2.0, 1.0), rules.push_out(), 0.0)
    monkeypatch.setattr(ScriptedPlayer, "think", lambda self, match: idea)
    sent = []
    for _ in range(3):
        sent += [type(command).__name__ for command, _ in play_turn(session, (PLAYER, PLAYER))]
        if len(sent) == 1:
            session.send(said)
    assert sent == ["Declare", "Acknowledge", "Shoot"]


def test_the_lag_is_played_by_the_engine_and_has_a_winner():
    """Both balls at once: once to the foot cushion, back towards the head; the nearer one wins."""
    session = Session()
    session.send(c.Seat(Setup(lag=True)))
    command = lag_command((ScriptedPlayer(0.9, 1), ScriptedPlayer(0.9, 2)), session.match)
    session.send(command)
    result = session.result
    assert {e.ball for e in result.events if e.kind == "cushion"} == {0, 1}
    assert session.match.phase is Phase.CHOOSE_BREAKER
    distances = {ball: float(result.final[ball][1]) for ball in (0, 1)}
    nearer = "A" if distances[0] < distances[1] else "B"
    assert session.match.lag_winner == nearer
    assert session.prompt.side == nearer


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (Stroke(0.4, math.pi / 2), Stroke(1.9, math.pi / 2), "foot cushion 0 times"),
        (Stroke(1.9, math.pi / 4), Stroke(1.9, math.pi / 2), "side cushion|long string"),
    ],
)
def test_a_bad_lag_cannot_win(a, b, words):
    """1.2: too short, or off its half of the table."""
    session = Session()
    session.send(c.Seat(Setup(lag=True)))
    (told,) = session.send(c.Lag(a, b))
    assert told.winner == "B"
    import re

    assert re.search(words, told.reason)


STATE = rules.RackState(
    rules.WPA_2009, "A", "A", 3, frozenset({3, 10}), rules.CueBall.POSITION
)  # fmt: skip


def test_the_obvious_call():
    """Straight at the lowest ball, that straight at a pocket: obvious, though it may miss."""
    layout = Layout(TABLE, OPEN)
    pot = next(p for p in direct_pots(layout, 3) if p.pocket == "foot_left")
    call = obvious_call(layout, STATE, Stroke(2.0, pot.azimuth))
    assert call == rules.call(3, "foot_left", explicit=False, obvious=True)
    assert obvious_call(layout, STATE, Stroke(2.0, pot.azimuth + 0.006)) == call
    assert obvious_call(layout, STATE, Stroke(2.0, pot.azimuth + math.pi)) is None


def test_what_is_never_obvious():
    """A kick, a bank, the break, and two pockets as good as each other."""
    layout = Layout(TABLE, {0: (0.4, 0.6), 10: (0.4, 0.8), 3: (0.4, 1.3)})
    for azimuth in kicks(layout, 3):
        assert obvious_call(layout, STATE, Stroke(2.5, azimuth)) is None
    middle = Layout(TABLE, {0: (0.635, 1.0), 3: (0.635, 1.9), 10: (0.2, 0.3)})
    assert obvious_call(middle, STATE) is None
    assert obvious_call(middle, rules.new_rack(rules.LBM), Stroke(2.0, 1.5)) is None


def play_rack(ruleset, seed, strength=0.8):
    """One rack between two scripted players; the finished match."""
    session = Session()
    session.send(c.Seat(Setup(ruleset=ruleset, seed=seed, lag=False)))
    session.send(c.ChooseBreaker("A"))
    players = (ScriptedPlayer(strength, 2 * seed), ScriptedPlayer(strength, 2 * seed + 1))
    while session.match.phase is not Phase.MATCH_OVER:
        for _ in play_turn(session, players):
            pass
    return session.match


@pytest.mark.parametrize("ruleset", list(rules.RULESETS))
def test_a_rack_ends_by_a_ruling(ruleset):
    """One rack of each ruleset to its end, every ruling reproduced from its record."""
    match = play_rack(ruleset, 2)
    assert match.winner is not None
    assert rulings_check(match) == ()


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", list(rules.RULESETS))
def test_fifty_racks_of_each_ruleset(ruleset):
    """Issue 6: of 50 seeded racks at least 40 end by a legally pocketed ten."""
    reasons = Counter()
    for seed in range(50):
        match = play_rack(ruleset, seed)
        assert rulings_check(match) == ()
        reasons[match.log[-1].facts.ruling["win_reason"]] += 1
    assert reasons["ten_legally_pocketed"] >= 40, reasons


def test_a_penalty_that_is_due_is_a_turn_of_its_own():
    """Found by 2,000 matches: it is chosen before anything else, whatever was placed or declared before."""
    session = Session()
    session.send(c.Seat(Setup(ruleset="lbm", lag=False)))
    session.send(c.ChooseBreaker("A"))
    session.send(c.Place((0.5, 0.5)))
    session.send(c.DeclareInfraction(rules.Infraction(rules.FoulCode.UNSPORTSMANLIKE, "B"), "now"))
    assert session.prompt.need == "penalty"
    assert [type(command).__name__ for command, _ in play_turn(session, (PLAYER, PLAYER))] == [
        "Penalise"
    ]
