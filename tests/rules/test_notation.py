"""One line of text for a state, a record, a declaration: both ways, and faults by column."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_racks import a_state

import rules
from rules.notation import (
    format_declaration,
    format_record,
    format_state,
    parse_declaration,
    parse_record,
    parse_state,
)


@pytest.mark.parametrize(
    "line",
    [
        "lbm A/A 1 1-10 in_hand_behind_head_string 0-0 - - -",
        "wpa09 B/A 2 1-10 position 0-0 - push_out -",
        "ten A/B 17 3,4,6,8-10 in_hand_anywhere 2-1 AB - -",
        "ten A/A 5 9,10 position 0-0 - - B?wrongful_pocket",
        "lbm B/A 9 none n/a 0-3 - - A!ten_legally_pocketed",
        "ten{cue_ball_fouls_only=true;break_order=winner} A/A 5 10 position 0-0 - - -",
        "lbm{rear_corner_balls=none;drop_grace_s=4.5} A/A 5 10 position 0-0 - - -",
        "wpa09{unsportsmanlike_penalties=standard_foul+loss_of_rack} A/A 5 10 position 0-0 - - -",
    ],
)
def test_states(line: str) -> None:
    """A line is its own normal form."""
    assert format_state(parse_state(line)) == line


@given(st.randoms(use_true_random=False))
def test_any_state_survives(rng: Random) -> None:
    """Parsing what was printed gives the same state."""
    state = a_state(rng)
    assert parse_state(format_state(state)) == state


@pytest.mark.parametrize(
    "line",
    [
        "-",
        "no_stroke #slow_play(A)",
        "frozen(3:foot,0:left_head) kissing(3,8) 0x3 &0x8 3x6 3:foot 3/foot 3=foot 3^foot_left",
        "3>foot_left 3<foot_left 3@foot_left 4@foot_left*8 6@side_left+4.5 8! 9!lamp%20shade 9|",
        "#touched_ball(A,8,accidental,no_effect) #touched_ball(B,0) called:after_next_shot",
        "#unsportsmanlike(B,loss_of_match) #unsportsmanlike(A) called:before_next_shot",
    ],
)
def test_records(line: str) -> None:
    """A line is its own normal form."""
    assert format_record(parse_record(line)) == line


@pytest.mark.parametrize(
    "word",
    [
        "3@foot_left",
        "10@head_right(unspoken,obvious)",
        "3@foot_left(on_request)",
        "3+4@foot_left",
        "3@-",
        "-@foot_left",
        "none",
        "none(spoken)",
        "safety",
        "safety:3@foot_left",
        "break",
        "break:10@side_left(obvious)",
        "push_out",
        "push_out(unannounced,unacknowledged)",
    ],
)
def test_declarations(word: str) -> None:
    """A word is its own normal form."""
    assert format_declaration(parse_declaration(word)) == word


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("", 1, "got 0 words"),
        ("lbm A/A 5 10", 13, "got 4 words"),
        ("lbm A/A 5 10 position 0-0 - - - x", 33, "got 10 words"),
        ("bca A/A 5 10 position 0-0 - - -", 1, "expected one of lbm, wpa09, ten"),
        ("lbm{} A/A 5 10 position 0-0 - - -", 5, "switch"),
        ("lbm{foo=1} A/A 5 10 position 0-0 - - -", 5, "switch"),
        ("lbm{shot_clock=true;drop_grace_s=x} A/A 5 10 position 0-0 - - -", 21, "drop_grace_s"),
        ("lbm A-A 5 10 position 0-0 - - -", 5, "shooter/breaker"),
        ("lbm A/A 0 10 position 0-0 - - -", 9, "shot number"),
        ("lbm A/A 5 10,3 position 0-0 - - -", 11, "ascending"),
        ("lbm A/A 5 3-11 position 0-0 - - -", 11, "ascending"),
        ("lbm A/A 5 10 pocket 0-0 - - -", 14, "in_hand_anywhere"),
        ("lbm A/A 5 10 position 0-4 - - -", 23, "fouls"),
        ("lbm A/A 5 10 position 0-3 - - -", 1, "foul counts"),
        ("lbm A/A 5 10 position 0-0 BA - -", 27, "AB"),
        ("lbm A/A 5 10 position 0-0 - push -", 29, "push_out"),
        ("lbm A/A 5 10 position 0-0 - - A", 31, "A?cause"),
        ("lbm A/A 5 10 position 0-0 - - A?luck", 33, "wrongful_pocket"),
        ("lbm A/A 5 3 position 0-0 - - -", 1, "no ten"),
        ("lbm A/A 1 10 position 0-0 - - -", 1, "all ten"),
        ("lbm A/A 1 1-10 position 0-0 - push_out -", 1, "push-out on the break"),
        ("lbm A/A 5 10 n/a 0-0 - push_out A!conceded", 1, "finished rack"),
    ],
)
def test_bad_states(line: str, column: int, says: str) -> None:
    """Faults name the column."""
    with pytest.raises(rules.NotationError, match=says) as fault:
        parse_state(line)
    assert fault.value.column == column
    assert str(fault.value).startswith(f"column {column}: ")


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("", 1),
        ("0x3 3@foot", 5),
        ("0x3  3:pocket", 6),
        ("0x11", 1),
        ("3x3", 1),
        ("0x3 11:foot", 5),
        ("3@foot_left+-1", 1),
        ("3@foot_left*3", 1),
        ("#fluke(A)", 2),
        ("#scratch(A)", 1),
        ("#slow_play(C)", 1),
        ("#slow_play(A,accidental)", 1),
        ("#slow_play(A,loss_of_rack)", 1),
        ("#touched_ball(A)", 1),
        ("called:late", 8),
        ("frozen(3-foot)", 1),
        ("0x3 - 3:foot", 5),
        ("kissing(0)", 1),
        ("frozen(11:foot)", 1),
        ("?", 1),
    ],
)
def test_bad_records(line: str, column: int) -> None:
    """Faults name the column."""
    with pytest.raises(rules.NotationError) as fault:
        parse_record(line)
    assert fault.value.column == column


@pytest.mark.parametrize(
    "word",
    ["", "3", "@foot_left", "11@foot_left", "3@foot", "3@foot_left(loud)", "a b", ":", "shot"],
)
def test_bad_declarations(word: str) -> None:
    """Anything else is refused."""
    with pytest.raises(rules.NotationError):
        parse_declaration(word)
