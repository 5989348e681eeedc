"""9.11, 6.14 and LBM 4-9: three fouls; unsportsmanlike conduct; the shot clock."""

from __future__ import annotations

import pytest
from rules_table import ALL, PLAY, WPA, check, judged, refused, table

import rules
from rules.clock import read_clock

CALL = "3@foot_left"
WARNED = "A/A 5 3,4,6,8-10 position 2-0 A - -"
UNWARNED = "A/A 5 3,4,6,8-10 position 2-0 - - -"


@table(
    (ALL, WARNED, CALL, "0x4 4:left", "B wins by three_consecutive_fouls: wrong_ball_first"),
    ("lbm", UNWARNED, CALL, "0x4 4:left", "B wins by three_consecutive_fouls: wrong_ball_first"),
    (WPA, UNWARNED, CALL, "0x4 4:left", "B in hand: wrong_ball_first"),
    (ALL, WARNED, CALL, "0x3 3:left", "B shoots"),
    (
        ALL,
        WARNED,
        "none",
        "no_stroke #slow_play(A)",
        "B wins by three_consecutive_fouls: slow_play",
    ),
    (
        ALL,
        WARNED,
        CALL,
        "0x4 10@foot_left",
        "B wins by three_consecutive_fouls: wrong_ball_first +10",
    ),
    (
        ALL,
        "B/A 2 1-10 position 0-2 B push_out -",
        "push_out",
        "0@foot_left",
        "A wins by three_consecutive_fouls: scratch",
    ),
    # the other side's third foul loses too
    (
        ALL,
        "B/A 5 3,4,6,8-10 position 2-0 A - -",
        CALL,
        "0x3 3:left #touched_ball(A,0)",
        "B wins by three_consecutive_fouls: touched_ball",
    ),
    (
        "ten{fouls_to_lose=2}",
        "A/A 5 10 position 1-0 A - -",
        "none",
        "-",
        "B wins by three_consecutive_fouls: no_contact",
    ),
    (
        "wpa09{three_foul_warning_required=false}",
        UNWARNED,
        CALL,
        "-",
        "B wins by three_consecutive_fouls: no_contact",
    ),
)
def test_three_successive_fouls(state: str, call: str, record: str, answer: str) -> None:
    """The third without a foul-free shot between loses the rack, if warned (LBM: always)."""
    check(state, call, record, answer)


@pytest.mark.parametrize("name", ["wpa09", "ten"])
def test_an_unwarned_third_foul_counts_as_the_second(name: str) -> None:
    """And the warning is due again."""
    ruling = judged(f"{name} {UNWARNED}", CALL, "0x4 4:left")
    assert ruling.state.fouls == (2, 0)
    assert ruling.warning_due == ("A",)
    warned = rules.warn(ruling.state, "A")
    assert warned.warning_due == ()
    second = judged(f"{name} A/A 5 3,4,6,8-10 position 1-0 - - -", CALL, "0x4 4:left")
    assert second.warning_due == ("A",)
    assert judged(f"{name} {PLAY}", CALL, "0x4 4:left").warning_due == ()


def test_no_warning_is_due_under_lbm() -> None:
    """4-9 does not ask for one."""
    assert judged("lbm A/A 5 3,4,6,8-10 position 1-0 - - -", CALL, "-").warning_due == ()


def test_a_warning_counts_only_on_two_and_lapses_with_the_count() -> None:
    """A side on fewer fouls is not warned ahead; a foul-free shot clears count and warning."""
    state = rules.notation.parse_state("ten A/A 5 3,4,6,8-10 position 1-0 - - -")
    assert rules.warn(state, "A") == state
    after = judged(f"ten {WARNED}", CALL, "0x3 3@foot_left").state
    assert (after.fouls, after.warned) == ((0, 0), frozenset())
    # the opponent's shots do not touch the count
    after = judged("ten B/A 5 3,4,6,8-10 position 2-0 A - -", CALL, "0x3 3:left").state
    assert (after.fouls, after.warned) == ((2, 0), {"A"})


def test_counts_start_at_zero_in_a_rack() -> None:
    """Ruling 13: counts are per rack."""
    for ruleset in rules.RULESETS.values():
        assert rules.new_rack(ruleset).fouls == (0, 0)


@table(
    (
        ALL,
        PLAY,
        CALL,
        "0x3 3@foot_left #unsportsmanlike(A,standard_foul)",
        "B in hand: unsportsmanlike",
    ),
    (
        ALL,
        PLAY,
        "none",
        "no_stroke #unsportsmanlike(A,standard_foul)",
        "B in hand: unsportsmanlike",
    ),
    (
        ALL,
        PLAY,
        "none",
        "no_stroke #unsportsmanlike(A,loss_of_rack)",
        "B wins by unsportsmanlike: unsportsmanlike",
    ),
    (
        ALL,
        PLAY,
        "none",
        "no_stroke #unsportsmanlike(B,loss_of_rack)",
        "A wins by unsportsmanlike: unsportsmanlike",
    ),
    (
        ALL,
        PLAY,
        CALL,
        "0x4 4:left #unsportsmanlike(B,loss_of_match)",
        "A wins by unsportsmanlike: unsportsmanlike, wrong_ball_first",
    ),
    (
        ALL,
        WARNED,
        "none",
        "no_stroke #unsportsmanlike(A,standard_foul)",
        "B wins by three_consecutive_fouls: unsportsmanlike",
    ),
    (
        ALL,
        UNWARNED,
        "none",
        "no_stroke #unsportsmanlike(A,loss_of_rack)",
        "B wins by unsportsmanlike: unsportsmanlike",
    ),
    (
        ALL,
        PLAY,
        "none",
        "no_stroke #unsportsmanlike(A,standard_foul) #unsportsmanlike(A,loss_of_rack)",
        "B wins by unsportsmanlike: unsportsmanlike",
    ),
)
def test_unsportsmanlike_conduct(state: str, call: str, record: str, answer: str) -> None:
    """The referee chooses: a standard foul, the rack, or the match."""
    check(state, call, record, answer)
    lost = judged(state, call, record).loses_match
    assert lost == ("B" if "loss_of_match" in record else None)


@pytest.mark.parametrize("name", rules.RULESETS)
def test_the_referee_has_to_choose(name: str) -> None:
    """Without a penalty there is no ruling, and the choices are named."""
    with pytest.raises(rules.RefereeDecisionRequired) as asked:
        judged(f"{name} {PLAY}", CALL, "0x3 3:left #unsportsmanlike(A)")
    assert asked.value.options == ("standard_foul", "loss_of_rack", "loss_of_match")
    late = "0x3 3:left #unsportsmanlike(A) called:after_next_shot"
    check(f"{name} {PLAY}", CALL, late, "B shoots")
    narrow = f"{name}{{unsportsmanlike_penalties=standard_foul}} {PLAY}"
    refused(narrow, CALL, "0x3 3:left #unsportsmanlike(A,loss_of_rack)", "penalty_not_offered")


@pytest.mark.parametrize("name", rules.RULESETS)
def test_shot_clock(name: str) -> None:
    """6.15: 35 s, a warning at 10 s, one extension of 25 s in a rack; off by default."""
    plain = rules.ruleset(name)
    assert read_clock(plain, 1000.0) is None
    timed = plain.variation(shot_clock=True)

    def read(elapsed: float, extended: bool = False) -> tuple[float, bool, bool]:
        clock = read_clock(timed, elapsed, extended=extended)
        assert clock is not None
        return clock.left_s, clock.warn, clock.expired

    assert read(0.0) == (35.0, False, False)
    assert read(24.9)[1:] == (False, False)
    assert read(25.0) == (10.0, True, False)
    assert read(35.0) == (0.0, True, False)
    assert read(35.1) == (0.0, False, True)
    assert read(49.0, True) == (11.0, False, False)
    assert read(60.1, True) == (0.0, False, True)
    assert read_clock(timed, 1.0, extended=True, extensions_used_before=0) is not None
    with pytest.raises(rules.RulesError, match="extension"):
        read_clock(timed, 1.0, extended=True, extensions_used_before=1)
    with pytest.raises(rules.RulesError, match="shot clock"):
        read_clock(timed, -1.0)
