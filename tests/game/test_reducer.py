"""The reducer: whatever is sent, the match is lawful or the command is refused; undo and redo."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from game_scripts import fake_play, play_random
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.notation import format_state
from sim.game import (
    CommandRefused,
    Game,
    Phase,
    Session,
    Setup,
    command_form,
    command_of,
    match_sheet,
    prompt,
    reduce,
    verdicts,
)
from sim.game import commands as c
from sim.game.facts import rule_shot
from sim.game.shotfile import practice_commands, shot_file
from sim.model import FileError, Stroke, Table, rack
from sim.shot.files import ShotFile
from sim.shot.reading import parse_json

STROKE = Stroke(3.0, 1.5)
FOUL = rules.ShotRecord((rules.pocketed(0, "foot_left"),))


def assert_lawful(match):
    """What holds between any two commands."""
    waits = prompt(match)
    assert "\n" not in waits.text
    if match.phase is Phase.RACK:
        balls = set(match.layout.balls)
        if match.rack is not None:
            assert match.rack.winner is None
            assert balls - {0} == match.rack.balls
        assert 0 in balls or match.setup.practice
        assert (match.shooter is None) == (waits.need == "choice") or match.penalty is not None
    if match.phase is Phase.MATCH_OVER:
        assert match.winner is not None
    if match.race is not None:
        assert max(match.score("A"), match.score("B")) <= match.setup.race_to
    assert [e.number for e in match.log] == list(range(1, len(match.log) + 1))
    match_sheet(match)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 100))
def test_any_sequence_is_lawful_or_refused(seed, length):
    """Random commands leave a lawful match or a one-line refusal that changes nothing."""
    session = Session(play=fake_play)
    for _ in play_random(seed, length, session):
        assert_lawful(session.match)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(5, 80))
def test_undo_then_redo_of_any_prefix_gives_the_same_state(seed, length):
    """Undo n steps and redo n steps: the same match; every state passed is lawful."""
    session = Session(play=fake_play)
    for _ in play_random(seed, length, session):
        pass
    game = session.game
    for steps in range(1, game.can_undo + 1):
        back, _ = reduce(game, c.Undo(steps))
        assert_lawful(back.now)
        again, _ = reduce(back, c.Redo(steps))
        assert again == game


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(5, 60))
def test_commands_survive_their_json_form(seed, length):
    """Every accepted command, facts included, comes back from JSON as it was, and replays."""
    sent = []
    session = Session(play=fake_play)
    original = reduce

    def spy(game, command):
        after, effects = original(game, command)
        if after is not game:
            sent.append(command)
        return after, effects

    import sim.game.session as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "reduce", spy)
        for _ in play_random(seed, length, session):
            pass
    game = Game()
    for command in sent:
        text = json.dumps(command_form(command))
        back = command_of(parse_json(text, "line"))
        assert back == command
        game, _ = reduce(game, back)
    assert game == session.game


def started(ruleset="wpa09", **settings_):
    session = Session(play=fake_play)
    session.send(c.Seat(Setup(ruleset=ruleset, lag=False, race_to=3, **settings_)))
    session.send(c.ChooseBreaker("A"))
    return session


def shoot_with(session, *sightings, declare=None):
    """Shoot, with exactly this seen."""

    def play(question):
        record = rules.ShotRecord(tuple(sightings))
        gone = [
            s.ball for s in sightings if s.kind in (rules.Sight.POCKETED, rules.Sight.OFF_TABLE)
        ]
        final = question.layout.without(*gone)
        return rule_shot(question.rack, question.declaration, record, final, engine="t"), None

    if declare is not None:
        session.send(c.Declare(declare))
    session._play = play
    return session.send(c.Shoot(STROKE))


def good_break(session, *more):
    return shoot_with(
        session, rules.cue_contact(1), *(rules.cushion(b, "foot") for b in (1, 2, 3, 4)), *more
    )


def refusal(session, command):
    with pytest.raises(CommandRefused) as caught:
        session.send(command)
    return caught.value.code


def test_break_passes_the_table_and_allows_a_push_out():
    """After a dry legal break the opponent shoots and may push out."""
    session = started()
    assert session.prompt.need == "break"
    good_break(session)
    assert session.match.shooter == "B"
    assert session.match.rack.push_out_available
    assert "push out" in session.prompt.text


def test_push_out_has_to_be_acknowledged_under_lbm():
    """LBM 4-4.1a: the shooter waits for the acknowledgement; refused, it is an ordinary shot."""
    session = started("lbm")
    good_break(session)
    session.send(c.Declare(rules.push_out()))
    assert session.prompt.need == "acknowledgement"
    assert session.prompt.side == "A"
    assert refusal(session, c.Shoot(STROKE)) == "acknowledge"
    session.send(c.Acknowledge(True))
    shoot_with(session)
    assert session.prompt.need == "choice"
    assert session.prompt.side == "A"
    assert refusal(session, c.Choose("B", "accept")) == "not_your_decision"
    assert refusal(session, c.Shoot(STROKE)) == "decision_pending"
    session.send(c.Choose("A", "hand_back"))
    assert session.match.shooter == "B"
    refused = started("lbm")
    good_break(refused)
    refused.send(c.Declare(rules.push_out()))
    refused.send(c.Acknowledge(False))
    shoot_with(refused)
    assert refused.match.log[-1].facts.fouls == ("no_contact",)


def test_asked_for_the_call():
    """1.6: asked, the shooter answers before he shoots; the answer counts as explicit."""
    session = started()
    good_break(session)
    session.send(c.AskCall())
    assert session.prompt.need == "call"
    assert refusal(session, c.Shoot(STROKE)) == "call_asked"
    session.send(c.Declare(rules.call(1, "side_left", explicit=False)))
    assert session.match.declaration.on_request
    shoot_with(session, rules.cue_contact(1), rules.pocketed(1, "side_left"))
    assert session.match.shooter == "B"
    assert 1 not in session.match.layout


def test_foul_gives_ball_in_hand_and_placing():
    """After a foul the cue ball may be put anywhere that is free; elsewhere it is refused."""
    session = started()
    shoot_with(session)
    assert session.match.shooter == "B"
    session.send(c.Place((0.3, 2.3)))
    assert tuple(session.match.layout[0][:2]) == (0.3, 2.3)
    ball = session.match.layout[5]
    assert refusal(session, c.Place((float(ball[0]), float(ball[1])))) == "place"
    assert refusal(session, c.Place((0.3, 2.3), 5)) == "not_in_hand"


def test_infraction_on_the_last_shot_changes_its_ruling():
    """A foul called before the next shot replaces the ruling; called later it did not happen."""
    session = started()
    good_break(session, rules.pocketed(2, "foot_left"))
    assert session.match.shooter == "A"
    foot = rules.Infraction(rules.FoulCode.NO_FOOT_ON_FLOOR, "A")
    session.send(c.DeclareInfraction(foot, "last"))
    assert session.match.shooter == "B"
    assert session.match.log[-1].facts.fouls == ("no_foot_on_floor",)
    assert len(session.match.log) == 1
    assert session.match.rack.cue_ball is rules.CueBall.IN_HAND_ANYWHERE
    session.send(c.Undo())
    assert session.match.shooter == "A"


def test_infraction_before_the_rack_is_known_is_too_late():
    """There is no last shot in a fresh rack."""
    session = started()
    foot = rules.Infraction(rules.FoulCode.NO_FOOT_ON_FLOOR, "A")
    assert refusal(session, c.DeclareInfraction(foot, "last")) == "too_late"


def test_unsportsmanlike_conduct_waits_for_the_referee():
    """The referee chooses the penalty; until then nothing else goes on."""
    session = started()
    good_break(session)
    session.send(c.DeclareInfraction(rules.Infraction(rules.FoulCode.UNSPORTSMANLIKE, "B")))
    assert session.prompt.need == "penalty"
    assert refusal(session, c.Shoot(STROKE)) == "penalty_due"
    session.send(c.Penalise(rules.Penalty.LOSS_OF_RACK))
    assert session.match.score("A") == 1
    assert session.match.phase is Phase.RACK_OVER


def test_a_template_foul_is_refused_where_there_is_none():
    """Only The Ten has 6.16, the rack template."""
    session = started("wpa09")
    good_break(session)
    template = rules.Infraction(rules.FoulCode.TEMPLATE, "B")
    assert refusal(session, c.DeclareInfraction(template)) == "template_not_in_ruleset"


def test_three_fouls_after_a_warning_lose_the_rack():
    """6.14: the side is warned when it comes to the table on two; the third foul loses."""
    session = started()
    good_break(session)
    notices = []
    for _ in range(2):
        shoot_with(session, rules.cue_contact(5))
        effects = shoot_with(session, rules.cue_contact(1), rules.cushion(1, "foot"))
        notices += [e.text for e in effects if hasattr(e, "text")]
    assert session.match.rack.fouls.b == 2
    assert any("warned" in text for text in notices)
    shoot_with(session, rules.cue_contact(5))
    assert session.match.phase is Phase.RACK_OVER
    assert session.match.race.rack_winners == ("A",)


def test_the_race_and_the_break_order():
    """Alternate breaks; the match is over when a side has its racks."""
    session = started()
    breakers = []
    for loser in ("B", "A", "B", "B"):
        breakers.append(session.match.rack.breaker)
        session.send(c.Concede(loser))
        if session.match.phase is not Phase.MATCH_OVER:
            session.send(c.NextRack())
    assert breakers == ["A", "B", "A", "B"]
    assert session.match.phase is Phase.MATCH_OVER
    assert session.match.winner == "A"
    assert session.prompt.need == "over"
    assert refusal(session, c.NextRack()) == "rack_open"


def test_stalemate_by_agreement_replays_the_rack():
    """9.12: both agree, the original breaker breaks again, counts at zero."""
    session = started()
    good_break(session)
    shoot_with(session)
    session.send(c.AgreeStalemate("A"))
    session.send(c.AgreeStalemate("B"))
    match = session.match
    assert (match.rack.breaker, match.rack.shot_number, match.replays) == ("A", 1, 1)
    assert match.rack.fouls == rules.Counts()
    assert len(match.layout) == 11


def test_stalemate_by_announcement_counts_three_turns_of_each():
    """1.12: announced, then three turns each without a ball pocketed."""
    session = started()
    good_break(session)
    session.send(c.AnnounceStalemate())
    for _ in range(6):
        assert session.match.replays == 0
        shoot_with(session, rules.cue_contact(1), rules.cushion(1, "foot"))
    assert session.match.replays == 1


def test_stalemate_under_lbm_needs_three_innings_of_each():
    """LBM 4-10: the referee's judgement, after three innings of each without a change."""
    session = started("lbm")
    good_break(session)
    assert refusal(session, c.AnnounceStalemate()) == "progress"
    for _ in range(6):
        shoot_with(session, rules.cue_contact(1), rules.cushion(1, "foot"))
    session.send(c.AnnounceStalemate())
    assert session.match.replays == 1


def test_shot_clock():
    """6.15: one extension a rack, and slow play when the clock runs out."""
    session = started(switches=(("shot_clock", True),))
    good_break(session)
    session.send(c.ExtendClock())
    assert refusal(session, c.ExtendClock()) == "no_extension"
    session.send(c.ClockExpired())
    assert session.match.log[-1].facts.fouls == ("slow_play",)
    assert session.match.shooter == "A"
    assert refusal(started(), c.ClockExpired()) == "no_clock"


def test_players_of_a_team_take_turns():
    """A side's members come to the table in their order, inning by inning."""
    session = started(sides=(("Ann", "Al"), ("Bob",)))
    assert session.match.player("A") == "Ann"
    good_break(session)
    miss = (rules.cue_contact(1), rules.cushion(1, "foot"))
    shoot_with(session, *miss)
    assert session.match.player("A") == "Al"
    shoot_with(session, *miss)
    shoot_with(session, *miss)
    assert session.match.player("A") == "Ann"
    assert [e.player for e in session.match.log] == ["Ann", "Bob", "Al", "Bob"]


def test_practice():
    """Free placing, repeat, and undo that restores the state of the law."""
    session = Session(play=fake_play)
    session.send(c.Seat(Setup(practice=True)))
    session.send(c.Arrange(((0, (0.4, 0.5, 0.028575)), (9, (0.4, 1.5, 0.028575)),
                            (10, (0.9, 2.0, 0.028575)))))  # fmt: skip
    assert session.match.rack.lowest == 9
    session.send(c.Place((0.5, 1.0), 9))
    before = session.match
    made = (rules.cue_contact(9), rules.pocketed(9, "side_left"))
    shoot_with(session, *made, declare=rules.call(9, "side_left"))
    assert session.match.rack.balls == frozenset({10})
    session.send(c.Repeat())
    assert session.match.layout == before.layout
    assert session.match.rack == before.rack
    assert session.match.aim == STROKE
    session.send(c.Undo(2))
    assert session.match.rack == before.rack
    session.send(c.Place((0.5, 1.6), 3))
    assert session.match.rack.balls == frozenset({3, 9, 10})


def test_what_each_ruleset_would_have_ruled():
    """An early called ten: it wins under two texts, under The Ten it is spotted."""
    session = started("wpa09")
    good_break(session, rules.pocketed(5, "foot_left"))
    call = rules.call(10, "foot_right")
    shoot_with(session, rules.cue_contact(1), rules.pocketed(10, "foot_right"), declare=call)
    ruled = verdicts(session.match.log[-1])
    assert {name: ruling.winner for name, ruling in ruled.items()} == {
        "lbm": "A", "wpa09": "A", "ten": None,
    }  # fmt: skip
    assert ruled["ten"].spotted == (10,)


def test_last_ten_wins():
    """The called ten, legally pocketed, ends rack and match."""
    session = Session(play=fake_play)
    session.send(c.Seat(Setup(practice=False, lag=False, race_to=1)))
    session.send(c.ChooseBreaker("B"))
    good_break(session, rules.pocketed(5, "foot_left"))
    call = rules.call(10, "foot_right")
    shoot_with(session, rules.cue_contact(1), rules.pocketed(10, "foot_right"), declare=call)
    assert session.match.phase is Phase.MATCH_OVER
    assert session.match.winner == "B"


def test_aims_are_one_step_of_undo():
    """A run of aims is taken back at once, and a shot without aim is refused."""
    session = started()
    assert refusal(session, c.Shoot()) == "no_stroke"
    for azimuth in (1.0, 1.1, 1.2):
        session.send(c.Aim(Stroke(2.0, azimuth)))
    assert session.match.aim.azimuth == 1.2
    session.send(c.Undo())
    assert session.match.aim is None
    session.send(c.Redo())
    assert session.match.aim.azimuth == 1.2
    assert refusal(session, c.Redo()) == "no_redo"


@pytest.mark.parametrize(
    "bad",
    [
        {"sides": ((), ("B",))},
        {"sides": (("A\nB",), ("B",))},
        {"ruleset": "nine_ball"},
        {"race_to": 0},
        {"seed": -1},
        {"switches": (("no_such", True),)},
    ],
)
def test_settings_that_cannot_be(bad):
    """One line that says what was got and what was expected."""
    with pytest.raises(CommandRefused) as caught:
        Setup(**bad)
    assert "\n" not in str(caught.value)


def test_a_ruleset_given_as_a_variation_is_taken_apart():
    """One form in a journal, whichever way the switches were named; a switch named apart prevails."""
    setup = Setup(ruleset="wpa09{rear_corner_balls=4+5;break_order=winner}")
    assert setup.ruleset == "wpa09"
    assert setup.law.rear_corner_balls == {4, 5}
    node = parse_json(json.dumps(command_form(c.Seat(setup))), "seat")
    assert command_of(node).setup == setup
    both = Setup(ruleset="wpa09{break_order=winner}", switches=(("break_order", "loser"),))
    assert both.law.break_order == "loser"
    with pytest.raises(CommandRefused, match="perhaps break_order"):
        Setup(ruleset="wpa09{brek_order=winner}")


def test_practice_keeps_the_variation_of_a_shot_file():
    """It fell back to the plain ruleset."""
    law = rules.WPA_2009.variation(three_point_break_rule=True)
    shot = ShotFile(layout=rack(Table.wpa_9ft()), stroke=STROKE, ruleset=str(law))
    assert practice_commands(shot)[0].setup.law == law


@pytest.mark.parametrize("named", ["wpa09", None])
def test_practice_keeps_the_variation_that_stands_in_the_state_alone(named):
    """So it stands in shot files exported before variations had names; practice was under the plain one."""
    law = rules.WPA_2009.variation(three_point_break_rule=True)
    state = format_state(rules.new_rack(law, breaker="A"))
    shot = ShotFile(layout=rack(Table.wpa_9ft()), stroke=STROKE, ruleset=named, state=state)
    assert practice_commands(shot)[0].setup.law == law
    other = replace(shot, ruleset="ten")
    assert practice_commands(other)[0].setup.law == rules.ruleset("ten")
    with pytest.raises(FileError, match=r"state: .*expected 9"):
        practice_commands(replace(shot, state="nonsense"))


def test_a_refusal_says_where_the_match_stands():
    """`breaker` in the lag said "only before the first rack", where it was."""
    session = Session(play=fake_play)
    session.send(c.Seat(Setup()))
    for command, message in (
        (c.ChooseBreaker("A"), "breaker: got one, expected the lag first"),
        (c.Shoot(), "before the lag is won, expected a rack"),
    ):
        with pytest.raises(CommandRefused, match=message):
            session.send(command)
    with pytest.raises(FileError, match="shot: got 1, expected a match with a shot in it"):
        shot_file(session.match, 1)
