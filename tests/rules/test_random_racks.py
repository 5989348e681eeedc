"""Random racks of random shots keep what must stay true under every ruleset."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_racks import a_declaration, a_record, a_ruleset

import rules
from rules.notation import (
    format_declaration,
    format_record,
    format_state,
    parse_declaration,
    parse_record,
    parse_state,
)

REFUSALS = (
    rules.DeclarationRefused,
    rules.InfractionRefused,
    rules.RefereeDecisionRequired,
    rules.RecordError,
)
ATTEMPTS_IN_A_RACK = 25


def keep_true(before: rules.RackState, ruling: rules.Ruling) -> None:
    """What no ruling may break."""
    state = ruling.state
    # Balls are conserved: up after = up before, less what went, plus what was spotted.
    gone = {*ruling.pocketed, *ruling.off_table}
    assert gone <= before.balls
    assert not set(ruling.pocketed) & set(ruling.off_table)
    assert state.balls == (before.balls - gone) | set(ruling.spotted)
    # The ten is never lost: it is up, or it has won.
    won_by_ten = ruling.win_reason is rules.WinReason.TEN_LEGALLY_POCKETED
    assert (10 in state.balls) != won_by_ten
    assert set(ruling.spotted) <= {10}
    # Exactly one of: somebody to shoot, an open decision, a winner.
    assert [state.next is None, state.decision is None, state.winner is None].count(False) == 1
    answer = (ruling.next, ruling.decision, ruling.winner)
    assert answer == (state.next, state.decision, state.winner)
    # Counts run 0 to 3, and at most one foul is counted.
    assert all(0 <= count <= 3 for count in state.fouls)
    rises = [now - then for now, then in zip(state.fouls, before.fouls, strict=True) if now > then]
    assert rises in ([], [1])
    assert ruling.legal == (not ruling.fouls)
    assert (ruling.penalised is None) == (not ruling.fouls or won_by_ten)
    assert ruling.penalised is None or ruling.penalised in ruling.fouls
    assert state.shot_number - before.shot_number in (0, 1)
    assert ruling.cue_ball is state.cue_ball
    assert "\n" not in ruling.explanation
    assert ruling.article in {entry.number for entry in state.ruleset.book.articles}
    assert parse_state(format_state(state)) == state


def play_a_rack(rng: Random) -> tuple[int, int, bool]:
    """One rack of random shots: how many were judged and refused, and whether it was won."""
    state = rules.new_rack(a_ruleset(rng), rng.choice(rules.SIDES))
    judged = refused = 0
    for _ in range(ATTEMPTS_IN_A_RACK):
        if state.winner is not None:
            break
        if state.decision is not None:
            state = answer_the_option(rng, state)
            continue
        call, record = a_declaration(rng, state), a_record(rng, state)
        assert parse_record(format_record(record)) == record
        assert parse_declaration(format_declaration(call)) == call
        try:
            ruling = rules.adjudicate(state, call, record)
        except REFUSALS as refusal:
            be_clear(str(refusal))
            refused += 1
            continue
        keep_true(state, ruling)
        state = ruling.state
        judged += 1
        if state.warning_due and rng.random() < 0.8:
            state = rules.warn(state, rng.choice(state.warning_due))
    return judged, refused, state.winner is not None


def be_clear(refusal: str) -> None:
    """A refusal is one line that says what was got."""
    assert "got" in refusal
    assert "\n" not in refusal


def answer_the_option(rng: Random, state: rules.RackState) -> rules.RackState:
    """Try what must be refused, then answer."""
    decision = state.decision
    assert decision is not None
    with pytest.raises(rules.DeclarationRefused):
        rules.adjudicate(state, rules.no_call(), rules.ShotRecord())
    with pytest.raises(rules.DecisionRefused):
        rules.decide(state, rules.other_side(decision.player), decision.options[0])
    with pytest.raises(rules.DecisionRefused):
        rules.decide(state, decision.player, "ball_in_hand")
    answered = rules.decide(state, decision.player, rng.choice(decision.options))
    assert answered.balls == state.balls
    assert answered.fouls == state.fouls
    assert answered.next is not None
    return answered


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_a_sample_of_racks(rng: Random) -> None:
    """A sample in every run, shrunk by hypothesis if it breaks."""
    play_a_rack(rng)


@pytest.mark.parametrize("seed", range(300))
def test_seeded_racks(seed: int) -> None:
    """Plain seeds reach further into a rack than a shrinking generator does."""
    play_a_rack(Random(seed))


@pytest.mark.soak
def test_twenty_thousand_racks() -> None:
    """The same with 20,000 racks; all three endings and refusals occur."""
    played = [play_a_rack(Random(f"soak {seed}")) for seed in range(20_000)]
    judged, refused, won = (sum(column) for column in zip(*played, strict=True))
    print(f"20,000 racks: {judged} shots judged, {refused} refused, {won} racks won")
    assert judged > 100_000
    assert refused > 10_000
    assert won > 5_000
