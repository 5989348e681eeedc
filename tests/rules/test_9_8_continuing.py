"""9.8, LBM 4-5.2 and 4-5.3: continuing play and the win."""

from __future__ import annotations

import pytest
from rules_table import ALL, LAST, PLAY, check, judged, table

import rules

NINE_TEN = "A/A 8 9,10 position 0-0 - - -"
LATE = "ten{ten_last_ball_moment=pocketing}"


@table(
    (ALL, PLAY, "3@foot_left", "0x3 3@foot_left 6@side_left", "A continues"),
    (ALL, PLAY, "3@foot_left", "0x3 3@foot_left 10@side_left", "A continues +10"),
    (ALL, PLAY, "3@foot_left", "0x3 3:foot", "B shoots"),
    (ALL, PLAY, "3@foot_left", "0x3 3>foot_left 3<foot_left 0:left", "B shoots"),
    # 6.2: the lowest ball is the one at the start of the shot
    (ALL, PLAY, "3@foot_left", "0x3 3@foot_left 0x4", "A continues"),
)
def test_inning(state: str, call: str, record: str, answer: str) -> None:
    """A called ball keeps the table; extra balls stay down and an extra ten comes back."""
    check(state, call, record, answer)


@table(
    (ALL, LAST, "10@side_left", "0x10 10@side_left", "A wins by ten_legally_pocketed"),
    (
        ALL,
        LAST,
        "10@side_left(unspoken,obvious)",
        "0x10 10@side_left",
        "A wins by ten_legally_pocketed",
    ),
    (ALL, LAST, "none", "0x10 10@side_left", "B decides wrongful_pocket +10"),
    (ALL, LAST, "10@side_left", "0x10 10@side_left 0@side_right", "B in hand: scratch +10"),
    (ALL, LAST, "10@side_left", "0x10 10:foot", "B shoots"),
    ("lbm wpa09", PLAY, "10@side_left", "0x3 3x10 10@side_left", "A wins by ten_legally_pocketed"),
    ("ten", PLAY, "10@side_left", "0x3 3x10 10@side_left", "A continues +10"),
    (ALL, PLAY, "10@side_left", "0x3 3x10 10@foot_left", "B decides wrongful_pocket +10"),
    (ALL, PLAY, "10@side_left", "0x6 6x10 10@side_left", "B in hand: wrong_ball_first +10"),
    (ALL, PLAY, "10@side_left", "0x3 10@side_left 6!", "B in hand: object_ball_off_table +10"),
)
def test_the_ten(state: str, call: str, record: str, answer: str) -> None:
    """The called ten wins: early under LBM and WPA, under THE_TEN only as the last ball."""
    check(state, call, record, answer)


@table(
    (
        "lbm{early_ten_wins=false} wpa09{early_ten_wins=false}",
        NINE_TEN,
        "10@side_left",
        "0x9 9@foot_left 10@side_left",
        "A continues +10",
    ),
    ("ten", NINE_TEN, "10@side_left", "0x9 9x10 9@foot_left 10@side_left", "A continues +10"),
    (
        "lbm wpa09",
        NINE_TEN,
        "10@side_left",
        "0x9 9@foot_left 10@side_left",
        "A wins by ten_legally_pocketed",
    ),
    (
        LATE,
        NINE_TEN,
        "10@side_left",
        "0x9 9@foot_left 10@side_left",
        "A wins by ten_legally_pocketed",
    ),
    (LATE, NINE_TEN, "10@side_left", "0x9 10@side_left 9@foot_left", "A continues +10"),
    (
        LATE,
        NINE_TEN,
        "10@side_left",
        "0x9 10@side_left &9@foot_left",
        "A wins by ten_legally_pocketed",
    ),
    (LATE, NINE_TEN, "10@side_left", "0x9 10@side_left", "A continues +10"),
    (LATE, LAST, "10@side_left", "0x10 10@side_left", "A wins by ten_legally_pocketed"),
)
def test_when_the_ten_is_the_last_ball(state: str, call: str, record: str, answer: str) -> None:
    """Ruling 8: asked at the start of the shot; at the pocketing by a switch."""
    check(state, call, record, answer)


@pytest.mark.parametrize("word", ["pocketing", "at_pocketing", "moment_of_pocketing"])
def test_words_for_the_moment(word: str) -> None:
    """The other reading may be named in more than one way."""
    assert rules.THE_TEN.variation(ten_last_ball_moment=word).ten_last_ball_moment == "pocketing"


def test_a_finished_rack_is_finished() -> None:
    """Nobody acts after the win, and nothing more is accepted."""
    state = judged(f"lbm {LAST}", "10@side_left", "0x10 10@side_left").state
    assert (state.actor, state.winner, state.balls) == (None, "A", frozenset())
    for attempt in (rules.no_call(), rules.safety(), rules.push_out()):
        with pytest.raises(rules.DeclarationRefused) as refusal:
            rules.check_declaration(state, attempt)
        assert refusal.value.code == "rack_over"


def test_a_rack_can_be_conceded() -> None:
    """The opponent wins."""
    state = rules.concede(rules.new_rack(rules.LBM), "A")
    assert (state.winner, state.win_reason) == ("B", "conceded")
