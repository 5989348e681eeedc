"""9.4 and LBM 4-4: the push-out."""

from __future__ import annotations

import pytest
from rules_table import ALL, BREAK, FOUR, PLAY, SECOND, WPA, check, judged, refused, table

import rules


@table(
    (ALL, SECOND, "push_out", "-", "A decides push_out"),
    (ALL, SECOND, "push_out", "0x7", "A decides push_out"),
    (ALL, SECOND, "push_out", "0x1 1@foot_left", "A decides push_out"),
    (ALL, SECOND, "push_out", "0x4 4@foot_left", "A decides push_out"),
    (ALL, SECOND, "push_out", "0x10 10@foot_left", "A decides push_out +10"),
    (ALL, SECOND, "push_out", "0@foot_left", "A in hand: scratch"),
    (ALL, SECOND, "push_out", "0x3 0!", "A in hand: cue_ball_off_table"),
    (ALL, SECOND, "push_out", "0x8 8!", "A in hand: object_ball_off_table"),
    (ALL, SECOND, "push_out", "10@foot_left 0@foot_left", "A in hand: scratch +10"),
    (ALL, SECOND, "push_out", "0x7 #double_hit(B)", "A in hand: double_hit"),
    (ALL, SECOND, "push_out", "#touched_ball(B,0)", "A in hand: touched_ball"),
    (ALL, SECOND, "push_out:10@foot_left", "0x10 10@foot_left", "A decides push_out +10"),
)
def test_what_rests_and_what_applies(state: str, call: str, record: str, answer: str) -> None:
    """Contact and cushion rest, all other fouls apply; balls stay down, the ten comes back."""
    check(state, call, record, answer)


@table(
    (
        "lbm",
        SECOND,
        "push_out(unacknowledged)",
        "0x7",
        "A in hand: no_rail_after_contact, wrong_ball_first",
    ),
    ("lbm", SECOND, "push_out(unacknowledged)", "0x1 1@foot_left", "A decides wrongful_pocket"),
    (WPA, SECOND, "push_out(unacknowledged)", "0x7", "A decides push_out"),
    (ALL, SECOND, "push_out(unannounced)", "-", "A in hand: no_contact"),
    (ALL, SECOND, "push_out(unannounced)", "0x1 0:left", "A shoots"),
)
def test_notice(state: str, call: str, record: str, answer: str) -> None:
    """Ruling 7: unannounced, or under LBM unacknowledged, it is an ordinary shot."""
    check(state, call, record, answer)


@pytest.mark.parametrize("name", rules.RULESETS)
def test_when(name: str) -> None:
    """Only the first shot after a foul-free break, by whoever takes it, and only once."""
    refused(f"{name} {PLAY}", "push_out", "-", "push_out_not_available")
    fouled = judged(f"{name} {BREAK}", "break", f"{FOUR} 0@side_left")
    assert rules.Kind.PUSH_OUT not in fouled.state.may_declare
    with pytest.raises(rules.DeclarationRefused, match="first shot after a break"):
        rules.check_declaration(fouled.state, rules.push_out())
    made = judged(f"{name} {BREAK}", "break", f"{FOUR} 4@foot_left")
    assert made.next == "A"
    rules.check_declaration(made.state, rules.push_out())
    for call in ("none", "safety", "1@foot_left"):
        later = judged(f"{name} {SECOND}", call, "0x1 1@foot_left")
        assert not later.state.push_out_available


@pytest.mark.parametrize("name", rules.RULESETS)
@pytest.mark.parametrize(("choice", "shooter"), [("accept", "A"), ("hand_back", "B")])
def test_the_opponent_chooses_who_shoots(name: str, choice: str, shooter: str) -> None:
    """Either way from the position, and there is no second push-out."""
    ruling = judged(f"{name} {SECOND}", "push_out", "0x7")
    state = rules.decide(ruling.state, "A", choice)
    assert state.next == shooter
    assert state.cue_ball is rules.CueBall.POSITION
    assert not state.push_out_available


@table(
    (ALL, SECOND, "push_out", "no_stroke #touched_ball(A,3)", "B in hand: touched_ball push_out"),
    (ALL, SECOND, "push_out", "no_stroke #touched_ball(B,3)", "A in hand: touched_ball"),
)
def test_a_foul_before_the_stroke(state: str, call: str, record: str, answer: str) -> None:
    """The other side's foul does not take the first shot after the break away; one's own does."""
    check(state, call, record, answer)
