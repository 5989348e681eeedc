"""9.7, LBM 4-7 and 4-8: wrongly pocketed balls and the opponent's option."""

from __future__ import annotations

import pytest
from rules_table import ALL, LAST, PLAY, check, judged, table

import rules

ON_TWO = "A/A 5 3,4,6,8-10 position 2-0 A - -"


@table(
    (ALL, PLAY, "3@foot_left", "0x3 3@foot_right", "B decides wrongful_pocket"),
    (ALL, PLAY, "3@foot_left", "0x3 6@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, "6@side_left", "0x3 3@side_left 6:foot", "B decides wrongful_pocket"),
    (ALL, PLAY, "3@foot_left", "0x3 6@side_left 9@foot_right", "B decides wrongful_pocket"),
    (ALL, PLAY, "3@foot_left", "0x3 10@foot_left", "B decides wrongful_pocket +10"),
    (ALL, LAST, "10@side_left", "0x10 10@head_left", "B decides wrongful_pocket +10"),
    (ALL, ON_TWO, "3@foot_left", "0x3 6@foot_left", "B decides wrongful_pocket"),
    # ruling 3: with a foul there is ball in hand and no hand-back
    (ALL, PLAY, "3@foot_left", "0x4 6@foot_left", "B in hand: wrong_ball_first"),
)
def test_option(state: str, call: str, record: str, answer: str) -> None:
    """One decision however many balls; a foul supersedes it."""
    check(state, call, record, answer)


def test_it_is_no_foul_and_resets_the_count() -> None:
    """Ruling 11."""
    for name in rules.RULESETS:
        ruling = judged(f"{name} {ON_TWO}", "3@foot_left", "0x3 6@foot_left")
        assert ruling.legal
        assert ruling.state.fouls == (0, 0)
        assert ruling.state.warned == frozenset()


def test_the_option_is_answered_first_by_its_owner_with_what_was_offered() -> None:
    """Ruling 20."""
    state = judged(f"ten {PLAY}", "none", "0x3 6@foot_left").state
    assert state.next is None
    assert state.actor == "B"
    assert state.may_declare == ()
    with pytest.raises(rules.DeclarationRefused, match="B owes an answer") as pending:
        rules.adjudicate(state, rules.no_call(), rules.ShotRecord())
    assert pending.value.code == "decision_pending"
    for side, choice, code in (
        ("A", "accept", "not_your_decision"),
        ("B", "ball_in_hand", "option_not_offered"),
        ("B", "accept_without_push_out", "option_not_offered"),
    ):
        with pytest.raises(rules.DecisionRefused) as refusal:
            rules.decide(state, side, choice)
        assert refusal.value.code == code
    taken = rules.decide(state, "B", "accept")
    assert (taken.next, taken.cue_ball) == ("B", "position")
    with pytest.raises(rules.DecisionRefused) as nothing:
        rules.decide(taken, "B", "accept")
    assert nothing.value.code == "no_decision_open"


def test_a_hand_back_can_be_repeated_and_undone() -> None:
    """The option arises anew each time, and the state before an answer still holds it."""
    first = judged(f"wpa09 {PLAY}", "none", "0x3 6@foot_left").state
    back = rules.decide(first, "B", "hand_back")
    assert back.next == "A"
    again = rules.adjudicate(
        back,
        rules.no_call(),
        rules.ShotRecord((rules.cue_contact(3), rules.pocketed(8, "side_left"))),
    )
    assert again.decision is not None
    assert again.decision.player == "B"
    assert first.decision is not None
