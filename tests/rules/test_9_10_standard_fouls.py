"""9.10 and 6.1 to 6.16, 8.3 to 8.5, 1.7: the standard fouls and the definitions they need."""

from __future__ import annotations

import pytest
from rules_table import ALL, PLAY, SECOND, WPA, check, codes, judged, refused, table

import rules

CALL = "3@foot_left"
DECLARED = (
    "no_foot_on_floor",
    "double_hit",
    "push_shot",
    "balls_still_moving",
    "bad_cue_ball_placement",
    "cue_stick_on_table",
    "out_of_turn",
    "slow_play",
)


@table(
    (ALL, PLAY, CALL, "0x3 0:foot 0@side_left", "B in hand: scratch"),
    (ALL, PLAY, CALL, "0x3 0@side_left", "B in hand: scratch"),
    (ALL, PLAY, CALL, "0x3 3@foot_left 0!", "B in hand: cue_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3@foot_left 0!chalk 0:left", "B in hand: cue_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3:left 0@side_left*8", "B in hand: scratch"),
    (ALL, PLAY, CALL, "0x3 3:left 0@side_left+4", "B in hand: scratch"),
    (ALL, PLAY, CALL, "0x3 3:left 0@side_left+6", "B shoots"),
)
def test_6_1_cue_ball(state: str, call: str, record: str, answer: str) -> None:
    """The cue ball pocketed or off the table."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "0x4 0:left", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "0x8 0x3 3:left", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "0x8 &0x3 3:left", "B shoots"),
    (ALL, PLAY, CALL, "0x3 &0x8 3:left", "B shoots"),
    (ALL, PLAY, CALL, "0x8 &0x9 0x3 3:left", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "0x8 &3x4 &0x3 3:left", "B shoots"),
    (ALL, PLAY, CALL, "0:left 0x3", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "-", "B in hand: no_contact"),
    (ALL, PLAY, CALL, "0:left", "B in hand: no_contact"),
    (ALL, PLAY, CALL, "6x8 8:left", "B in hand: no_contact"),
    (ALL, PLAY, CALL, "0x4", "B in hand: no_rail_after_contact, wrong_ball_first"),
)
def test_6_2_wrong_ball_first(state: str, call: str, record: str, answer: str) -> None:
    """The lowest at the start of the shot comes first; what cannot be told apart counts."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "kissing(3) 0x3 3:foot", "B shoots"),
    (ALL, PLAY, CALL, "kissing(3) 3:foot", "B shoots"),
    (ALL, PLAY, CALL, "kissing(3) 3x8 8:foot", "B shoots"),
    (ALL, PLAY, CALL, "kissing(3) 3x8", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "kissing(3) 0:left", "B in hand: no_contact"),
    (ALL, PLAY, CALL, "kissing(3) 3@foot_left+2", "B in hand: no_contact"),
    (ALL, PLAY, CALL, "kissing(3) 0:left 0x8 8x3 3:foot", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "kissing(3) #double_hit(A) 0x3 3:foot", "B in hand: double_hit"),
    (ALL, PLAY, CALL, "kissing(8) 0x3 3:foot", "B shoots"),
    (ALL, PLAY, CALL, "kissing(8) 8:left 0x3 3:foot", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "kissing(3,8) 0x3 &0x8 3:left", "B shoots"),
    (ALL, PLAY, CALL, "kissing(3,8) 3:left 8:left", "B shoots"),
    (ALL, PLAY, CALL, "kissing(3) 3:foot 0x8", "B shoots"),
)
def test_6_7_frozen_to_the_cue_ball(state: str, call: str, record: str, answer: str) -> None:
    """Shot into it and it moves: contact. Shot away: none."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "0x3", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "0x3 3x4", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "0x3 0:head", "B shoots"),
    (ALL, PLAY, CALL, "0x3 3x8 8:left_head", "B shoots"),
    (ALL, PLAY, CALL, "0x3 3^foot_left", "B shoots"),
    (ALL, PLAY, CALL, "0x3 3=foot", "B shoots"),
    (ALL, PLAY, CALL, "0x3 6@foot_left", "B decides wrongful_pocket"),
    (ALL, PLAY, CALL, "0:left &0x3", "B shoots"),
    (ALL, PLAY, CALL, "8:left 0x3", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "0x3 3!", "B in hand: object_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3>foot_left 3<foot_left", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "0x3 3@foot_left+4", "A continues"),
    (ALL, PLAY, CALL, "0x3 3@foot_left+6", "B in hand: no_rail_after_contact"),
)
def test_6_3_no_rail_after_contact(state: str, call: str, record: str, answer: str) -> None:
    """8.4: driven to a cushion, jaws included; pocketed and departed balls count."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "frozen(3:foot) 0x3 3:foot", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "frozen(3:foot) 0x3 3/foot 3:foot", "B shoots"),
    (ALL, PLAY, CALL, "frozen(3:foot) 0x3 3:left", "B shoots"),
    (ALL, PLAY, CALL, "frozen(3:foot) 0x3 3:foot 0:foot", "B shoots"),
    (ALL, PLAY, CALL, "frozen(3:foot) 0x3 3x8 8:foot", "B shoots"),
    (ALL, PLAY, CALL, "frozen(8:left) 0x3 3x8 8:left", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "frozen(3:left) 0x3 3:left_foot", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "frozen(3:left_head) 0x3 3:left", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "frozen(3:left_head) 0x3 3:left_foot", "B shoots"),
    (
        ALL,
        PLAY,
        CALL,
        "frozen(3:left,3:head) 0x3 3/left 3:head",
        "B in hand: no_rail_after_contact",
    ),
    (ALL, PLAY, CALL, "frozen(3:left,3:head) 0x3 3/left 3:left", "B shoots"),
    (ALL, PLAY, CALL, "frozen(3:left) 0x3 8/left 3:left", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "frozen(0:left) 0x3 0:left", "B in hand: no_rail_after_contact"),
    (ALL, PLAY, CALL, "0x3 3/foot 3:foot", "B shoots"),
    (
        "ten{frozen_ball_may_return=false}",
        PLAY,
        CALL,
        "frozen(3:foot) 0x3 3/foot 3:foot",
        "B in hand: no_rail_after_contact",
    ),
)
def test_8_4_declared_frozen(state: str, call: str, record: str, answer: str) -> None:
    """A ball declared frozen must leave and come back, or reach another cushion."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "0x3 3@foot_left*8", "A continues"),
    (ALL, PLAY, CALL, "0x3 3@foot_left*8 3@foot_left", "A continues"),
    (ALL, PLAY, CALL, "0x3 8@foot_left*3", "B decides wrongful_pocket"),
    (ALL, PLAY, CALL, "0x3 3>foot_left 3@foot_left", "A continues"),
    (ALL, PLAY, CALL, "0x3 3>foot_left", "A continues"),
    (ALL, PLAY, CALL, "0x3 0:left 3>foot_left 3<foot_left 3@foot_left", "A continues"),
    (ALL, PLAY, CALL, "0x3 0:left 3@foot_left+5", "A continues"),
    (ALL, PLAY, CALL, "0x3 0:left 3@foot_left+5.1", "B shoots"),
    ("lbm{drop_grace_s=2}", PLAY, CALL, "0x3 0:left 3@foot_left+3", "B shoots"),
)
def test_8_3_pocketed_and_1_7_settling(state: str, call: str, record: str, answer: str) -> None:
    """Held by another ball only: pocketed. Bounced out, or dropped late: not."""
    check(state, call, record, answer)


@table(
    (ALL, PLAY, CALL, "0x3 3@foot_left 8!", "B in hand: object_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3@foot_left 8!lamp 8:left", "B in hand: object_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3!lamp 3@foot_left", "B in hand: object_ball_off_table"),
    (ALL, PLAY, CALL, "0x3 3=foot 3:left 3@foot_left", "A continues"),
    ("lbm{object_ball_off_table_is_foul=false}", PLAY, CALL, "0x3 3@foot_left 8!", "A continues"),
    (
        "lbm{object_ball_off_table_is_foul=false}",
        PLAY,
        CALL,
        "0x3 3@foot_left 0!",
        "B in hand: cue_ball_off_table",
    ),
)
def test_8_5_off_the_table(state: str, call: str, record: str, answer: str) -> None:
    """At rest off the bed, or returned by what is not the table; the rail top is the table."""
    check(state, call, record, answer)


def test_a_departed_ball_is_gone() -> None:
    """It is not spotted and not pocketed, even if the lamp returned it."""
    ruling = judged(f"wpa09 {PLAY}", CALL, "0x3 8!lamp 8:left 8@foot_left")
    assert ruling.on_table_after == (3, 4, 6, 9, 10)
    assert (ruling.pocketed, ruling.off_table) == ((), (8,))


@pytest.mark.parametrize("name", rules.RULESETS)
@pytest.mark.parametrize(
    "code",
    DECLARED,
)
def test_what_a_person_declares(name: str, code: str) -> None:
    """6.4, 6.7 to 6.15: declared before, during or instead of the shot; the ball stays down."""
    for record in (f"#{code}(A) 0x3 3@foot_left", f"0x3 3@foot_left #{code}(A)"):
        check(f"{name} {PLAY}", CALL, record, f"B in hand: {code}")
        assert 3 not in judged(f"{name} {PLAY}", CALL, record).on_table_after
    check(f"{name} {PLAY}", "none", f"no_stroke #{code}(A)", f"B in hand: {code}")


@table(
    (ALL, PLAY, CALL, "0x3 3@foot_left #touched_ball(A,0)", "B in hand: touched_ball"),
    (
        ALL,
        PLAY,
        CALL,
        "0x3 3@foot_left #touched_ball(A,0,accidental,no_effect)",
        "B in hand: touched_ball",
    ),
    (ALL, PLAY, CALL, "0x3 3@foot_left #touched_ball(A,8)", "B in hand: touched_ball"),
    (ALL, PLAY, CALL, "0x3 3@foot_left #touched_ball(A,8,accidental)", "B in hand: touched_ball"),
    (ALL, PLAY, CALL, "0x3 3@foot_left #touched_ball(A,8,no_effect)", "B in hand: touched_ball"),
    ("lbm", PLAY, CALL, "0x3 3@foot_left #touched_ball(A,8,accidental,no_effect)", "A continues"),
    (
        WPA,
        PLAY,
        CALL,
        "0x3 3@foot_left #touched_ball(A,8,accidental,no_effect)",
        "B in hand: touched_ball",
    ),
    (
        "ten{cue_ball_fouls_only=true}",
        PLAY,
        CALL,
        "0x3 3:left #touched_ball(A,8,accidental,no_effect)",
        "B shoots",
    ),
    (
        "lbm",
        SECOND,
        "none",
        "no_stroke #touched_ball(B,8,accidental,no_effect)",
        "B continues push_out",
    ),
    (
        "lbm",
        PLAY,
        CALL,
        "0x3 3:left #touched_ball(A,8,accidental,no_effect) #touched_ball(A,9)",
        "B in hand: touched_ball",
    ),
    (
        "lbm",
        PLAY,
        CALL,
        "0x3 3@foot_left #touched_ball(A,8,accidental,no_effect) #touched_ball(B,0)",
        "A in hand: touched_ball",
    ),
)
def test_6_6_touched_ball(state: str, call: str, record: str, answer: str) -> None:
    """Cue-ball fouls only (LBM): excused if both accidental and without effect."""
    check(state, call, record, answer)


def test_nothing_struck_and_no_foul_changes_nothing() -> None:
    """An excused touch without a stroke neither costs nor resets anything."""
    state = "lbm B/A 2 1-10 in_hand_anywhere 0-1 - - -"
    ruling = judged(state, "none", "no_stroke #touched_ball(B,8,accidental,no_effect)")
    assert ruling.legal
    assert rules.notation.format_state(ruling.state) == state


@table(
    (ALL, PLAY, CALL, "0x3 3@foot_left #out_of_turn(A)", "B in hand: out_of_turn"),
    # the side that is not at the table shot: the rightful player goes on
    (ALL, PLAY, CALL, "0x3 3@foot_left #out_of_turn(B)", "A in hand: out_of_turn"),
    (
        ALL,
        PLAY,
        CALL,
        "0x4 10@foot_left #out_of_turn(B)",
        "A in hand: out_of_turn, wrong_ball_first +10",
    ),
    (ALL, SECOND, "none", "0x1 1:left #out_of_turn(A)", "B in hand: out_of_turn"),
)
def test_6_13_out_of_turn(state: str, call: str, record: str, answer: str) -> None:
    """Counted on the player who shot; balls stay, the ten is spotted."""
    check(state, call, record, answer)
    ruling = judged(state, call, record)
    offender = ruling.fouls[0].side
    assert ruling.state.fouls.of(offender) == 1
    assert ruling.state.fouls.of(rules.other_side(offender)) == 0
    assert all(foul.side == offender for foul in ruling.fouls)


@table(
    ("ten", PLAY, CALL, "0x3 3@foot_left #template(A)", "B in hand: template"),
    ("wpa09{template_is_foul=true}", PLAY, CALL, "0x3 3:left #template(A)", "B in hand: template"),
)
def test_ten_6_16_template(state: str, call: str, record: str, answer: str) -> None:
    """Only THE_TEN knows it."""
    check(state, call, record, answer)


def test_template_elsewhere_is_refused() -> None:
    """LBM and WPA_2009 have no such foul."""
    for name in ("lbm", "wpa09"):
        refused(f"{name} {PLAY}", CALL, "0x3 3:left #template(A)", "template_not_in_ruleset")


@table(
    (ALL, PLAY, CALL, "0x6 0:left 0@side_left", "B in hand: scratch, wrong_ball_first"),
    (
        ALL,
        PLAY,
        CALL,
        "0x4 8! 0! #double_hit(A)",
        "B in hand: cue_ball_off_table, double_hit, object_ball_off_table, wrong_ball_first",
    ),
    (ALL, PLAY, CALL, "0x4 0:left called:after_next_shot", "B shoots"),
    (ALL, PLAY, CALL, "0x4 3@foot_left called:after_next_shot", "A continues"),
    (ALL, PLAY, CALL, "0x4 6@foot_left called:after_next_shot", "B decides wrongful_pocket"),
    (ALL, PLAY, CALL, "0x4 0:left called:before_next_shot", "B in hand: wrong_ball_first"),
    (ALL, PLAY, CALL, "no_stroke #slow_play(A) called:after_next_shot", "A continues"),
    (ALL, PLAY, CALL, "0x3 3@foot_left 0@head_left called:after_next_shot", "A in hand"),
)
def test_several_fouls_and_late_calls(state: str, call: str, record: str, answer: str) -> None:
    """All are reported, one is enforced; a foul called after the next shot did not happen."""
    check(state, call, record, answer)


def test_one_is_counted_and_the_gravest_enforced() -> None:
    """However many are reported."""
    ruling = judged(f"ten {PLAY}", CALL, "0x4 8! 0! #double_hit(A) #slow_play(A)")
    assert ruling.state.fouls == (1, 0)
    assert ruling.penalised is not None
    assert ruling.penalised.code == codes(ruling)[0] == "cue_ball_off_table"


@table(
    (ALL, PLAY, CALL, "0x3 3@foot_left #touched_ball(B,0)", "A in hand: touched_ball"),
    (ALL, PLAY, CALL, "0x4 4:left #touched_ball(B,0)", "B in hand: touched_ball, wrong_ball_first"),
    (
        "lbm wpa09",
        PLAY,
        "10@foot_left",
        "0x3 10@foot_left #touched_ball(B,0)",
        "A wins by ten_legally_pocketed: touched_ball",
    ),
)
def test_infractions_of_the_other_side(state: str, call: str, record: str, answer: str) -> None:
    """The shooter goes on with ball in hand; his own foul, or his win, comes first."""
    check(state, call, record, answer)


FOUL_ROWS = {
    "scratch": "0x3 0@foot_left",
    "cue_ball_off_table": "0x3 0!",
    "wrong_ball_first": "0x4 4:left",
    "no_contact": "-",
    "no_rail_after_contact": "0x3",
    "object_ball_off_table": "0x3 4!",
    "touched_ball": "0x3 3:left #touched_ball(A,0)",
    "unsportsmanlike": "0x3 3:left #unsportsmanlike(A,standard_foul)",
    **{code: f"0x3 3:left #{code}(A)" for code in DECLARED},
}
WPA_NUMBERS = {
    "scratch": "6.1",
    "cue_ball_off_table": "6.1",
    "wrong_ball_first": "6.2",
    "no_contact": "6.2",
    "no_rail_after_contact": "6.3",
    "no_foot_on_floor": "6.4",
    "object_ball_off_table": "6.5",
    "touched_ball": "6.6",
    "double_hit": "6.7",
    "push_shot": "6.8",
    "balls_still_moving": "6.9",
    "bad_cue_ball_placement": "6.10",
    "cue_stick_on_table": "6.12",
    "out_of_turn": "6.13",
    "slow_play": "6.15",
}


@pytest.mark.parametrize("code", FOUL_ROWS)
def test_each_foul_cites_the_article_of_its_own_ruleset(code: str) -> None:
    """6.x for the two WPA texts (unsportsmanlike 6.16 and 6.17), 4-x for LBM."""
    cited = {}
    for name in rules.RULESETS:
        ruling = judged(f"{name} {PLAY}", CALL, FOUL_ROWS[code])
        assert codes(ruling) == [code]
        cited[name] = ruling.fouls[0].article
    assert cited["wpa09"] == WPA_NUMBERS.get(code, "6.16")
    assert cited["ten"] == WPA_NUMBERS.get(code, "6.17")
    assert cited["lbm"].startswith("4-")
