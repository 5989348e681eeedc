"""9.3 and LBM 4-3: the break."""

from __future__ import annotations

import pytest
from rules_table import ALL, BREAK, FOUR, WPA, check, judged, refused, table

import rules

THREE = "0x1 2:left 5:right 7:foot"
POINTS = "three_point_break_rule=true"


@table(
    (ALL, BREAK, "break", FOUR, "B shoots push_out"),
    (ALL, BREAK, "break", f"{FOUR} 4@foot_left", "A continues push_out"),
    (ALL, BREAK, "break", "0x1 4@foot_left", "A continues push_out"),
    (ALL, BREAK, "break", THREE, "B in hand: break_requirement"),
    # the same ball twice is one ball, and the cue ball is none
    (ALL, BREAK, "break", f"{THREE} 7:left 0:foot", "B in hand: break_requirement"),
    (ALL, BREAK, "break", f"{THREE} 8^foot_left", "B shoots push_out"),
    (ALL, BREAK, "break", f"{THREE} 8!", "B in hand: object_ball_off_table"),
    (ALL, BREAK, "break", f"{THREE} 0@side_left", "B in hand: break_requirement, scratch"),
    (ALL, BREAK, "break", f"{FOUR} 0@side_left", "B in hand: scratch"),
    (ALL, BREAK, "break", f"{FOUR} 4@foot_left 0!", "B in hand: cue_ball_off_table"),
    (ALL, BREAK, "break", "0x1", "B in hand: break_requirement"),
    (ALL, BREAK, "break", "-", "B in hand: break_requirement, no_contact"),
    (ALL, BREAK, "break", "0:right", "B in hand: break_requirement, no_contact"),
)
def test_requirement(state: str, call: str, record: str, answer: str) -> None:
    """Pocket a ball or drive four object balls to cushions; after a foul no push-out."""
    check(state, call, record, answer)


@table(
    (ALL, BREAK, "break", "0x2 2:left 5:right 7:foot 9:left", "B in hand: wrong_ball_first"),
    (ALL, BREAK, "break", "0x2 &0x1 2:left 5:right 7:foot 9:left", "B shoots push_out"),
    ("lbm", BREAK, "break", f"0:left {FOUR}", "B in hand: break_cushion_first"),
    ("lbm", BREAK, "break", f"0^side_left {FOUR}", "B in hand: break_cushion_first"),
    (WPA, BREAK, "break", f"0:left {FOUR}", "B shoots push_out"),
    # a cushion at the same instant counts for the shooter
    ("lbm", BREAK, "break", "0:left &0x1 2:left 5:right 7:foot 9:left", "B shoots push_out"),
)
def test_the_one_first(state: str, call: str, record: str, answer: str) -> None:
    """The 1 is contacted first; under LBM before any cushion too."""
    check(state, call, record, answer)


@table(
    (ALL, BREAK, "break", "0x1 2:left 10@side_left", "A continues +10 push_out"),
    (ALL, BREAK, "break", f"{FOUR} 10@side_left 0!", "B in hand: cue_ball_off_table +10"),
    (ALL, BREAK, "break", f"{FOUR} 10!", "B in hand: object_ball_off_table +10"),
    (ALL, BREAK, "break:10@side_left", f"{FOUR} 10@side_left", "A continues +10 push_out"),
    (ALL, BREAK, "10@side_left", f"{FOUR} 10@side_left", "A continues +10 push_out"),
    (ALL, BREAK, "9@side_left", FOUR, "B shoots push_out"),
    (ALL, BREAK, "9+10@side_left", FOUR, "B shoots push_out"),
)
def test_the_ten_never_wins_and_a_call_is_void(
    state: str, call: str, record: str, answer: str
) -> None:
    """The ten on the break is spotted; whatever was called on the break does not count."""
    check(state, call, record, answer)


@pytest.mark.parametrize("name", rules.RULESETS)
def test_what_cannot_be_declared_on_the_break(name: str) -> None:
    """Ruling 12: a safety or a push-out is refused and is no foul."""
    refused(f"{name} {BREAK}", "safety", "-", "safety_not_available")
    refused(f"{name} {BREAK}", "push_out", "-", "push_out_not_available")
    refused(f"{name} {PLAY_AGAIN}", "break", "-", "break_not_available")


PLAY_AGAIN = "A/A 2 1-10 position 0-0 - push_out -"


@table(
    (
        "ten{object_ball_off_table_is_foul=false}",
        BREAK,
        "break",
        f"{FOUR} 8!",
        "B shoots push_out",
    ),
    (
        "lbm{object_ball_off_table_is_foul=false}",
        BREAK,
        "break",
        f"{FOUR} 8! 10!",
        "B shoots +10 push_out",
    ),
    (
        "wpa09{break_ball_continues=false}",
        BREAK,
        "break",
        f"{FOUR} 8@foot_left",
        "B shoots push_out",
    ),
    (
        "wpa09{break_ball_continues=false}",
        BREAK,
        "break",
        f"{FOUR} 10@foot_left",
        "A continues +10 push_out",
    ),
    ("ten{break_cushions=3}", BREAK, "break", THREE, "B shoots push_out"),
)
def test_switches(state: str, call: str, record: str, answer: str) -> None:
    """The readings that are switches: jumped balls, the ordinary ball on the break."""
    check(state, call, record, answer)


@table(
    (f"wpa09{{{POINTS}}}", BREAK, "break", f"{FOUR} 2|", "B decides three_point_break"),
    (f"ten{{{POINTS}}}", BREAK, "break", f"{FOUR} 2| 3| 5|", "B shoots push_out"),
    (f"ten{{{POINTS}}}", BREAK, "break", f"{FOUR} 2| 2| 0| 3|", "B decides three_point_break"),
    (
        f"lbm{{{POINTS}}}",
        BREAK,
        "break",
        f"{FOUR} 2| 2@head_left 3|",
        "B decides three_point_break",
    ),
    (f"lbm{{{POINTS}}}", BREAK, "break", f"{FOUR} 2| 4@head_left 3|", "A continues push_out"),
    (f"ten{{{POINTS}}}", BREAK, "break", f"{FOUR} 10@head_left", "B decides three_point_break +10"),
    (f"ten{{{POINTS}}}", BREAK, "break", f"{FOUR} 0@head_left", "B in hand: scratch"),
    (
        f"ten{{{POINTS};three_point_break_points=1}}",
        BREAK,
        "break",
        f"{FOUR} 2|",
        "B shoots push_out",
    ),
    (ALL, BREAK, "break", f"{FOUR} 2|", "B shoots push_out"),
)
def test_three_point_break(state: str, call: str, record: str, answer: str) -> None:
    """Regulation 18, off by default: three object balls pocketed or past the head string."""
    check(state, call, record, answer)


def test_three_point_break_option() -> None:
    """Ruling 19: accept without a push-out, or hand back with one."""
    ruling = judged(f"ten{{{POINTS}}} {BREAK}", "break", FOUR)
    assert ruling.legal
    assert ruling.push_out_next is None
    taken = rules.decide(ruling.state, "B", "accept_without_push_out")
    assert (taken.next, taken.push_out_available) == ("B", False)
    back = rules.decide(ruling.state, "B", "hand_back_push_out_allowed")
    assert (back.next, back.push_out_available) == ("A", True)
    with pytest.raises(rules.DecisionRefused, match="expected accept_without_push_out"):
        rules.decide(ruling.state, "B", "accept")


@table(
    (
        ALL,
        BREAK,
        "break",
        "no_stroke #bad_cue_ball_placement(A)",
        "B in hand: bad_cue_ball_placement",
    ),
    (
        ALL,
        BREAK,
        "break",
        f"#bad_cue_ball_placement(A) {FOUR}",
        "B in hand: bad_cue_ball_placement",
    ),
)
def test_cue_ball_behind_the_head_string(state: str, call: str, record: str, answer: str) -> None:
    """9.3a, 6.10: the break is played from strictly behind the head string."""
    check(state, call, record, answer)


def test_an_infraction_of_the_other_side_leaves_the_break_to_the_breaker() -> None:
    """Nothing was struck, so the break is still to come, from behind the head string."""
    ruling = judged(f"ten {BREAK}", "break", "no_stroke #touched_ball(B,4)")
    assert ruling.state.is_break
    assert ruling.next == "A"
    assert ruling.cue_ball is rules.CueBall.IN_HAND_BEHIND_HEAD_STRING
    assert ruling.state.fouls.b == 1
