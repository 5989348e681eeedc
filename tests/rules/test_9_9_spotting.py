"""9.9, LBM 4-5.1 and 4-7.2: what is spotted; 1.4: where."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_table import ALL, PLAY, check, table

import rules
from rules.spotting import CUE_BALL_GAP_M, Obstacle, spot_along

SPOT, LIMIT, D = 1.905, 2.54 - 0.028575, 0.05715


@table(
    (ALL, PLAY, "3@foot_left", "0x3 10! 3@foot_left", "B in hand: object_ball_off_table +10"),
    (ALL, PLAY, "3@foot_left", "0x4 4:left 10@foot_left", "B in hand: wrong_ball_first +10"),
    (
        ALL,
        PLAY,
        "3@foot_left",
        "0x4 4:left 9@foot_left 8!",
        "B in hand: object_ball_off_table, wrong_ball_first",
    ),
    (ALL, PLAY, "10@foot_left", "0x3 10!lamp 10@foot_left", "B in hand: object_ball_off_table +10"),
    (
        "lbm{object_ball_off_table_is_foul=false}",
        PLAY,
        "3@foot_left",
        "0x3 10! 3@foot_left",
        "A continues +10",
    ),
)
def test_only_the_ten_is_spotted(state: str, call: str, record: str, answer: str) -> None:
    """On a foul, uncalled, in the wrong pocket, off the table (ruling 15); nothing else ever."""
    check(state, call, record, answer)


def chain(*places: float) -> list[Obstacle]:
    """Object balls on the string."""
    return [Obstacle(place) for place in places]


@pytest.mark.parametrize(
    ("others", "place"),
    [
        ([], SPOT),
        (chain(SPOT), SPOT + D),
        (chain(SPOT + D), SPOT),
        (chain(SPOT - D), SPOT),
        (chain(SPOT + 0.02), SPOT + 0.02 + D),
        (chain(SPOT - 0.02), SPOT - 0.02 + D),
        (chain(SPOT, SPOT + 1.5 * D), SPOT + 2.5 * D),
        (chain(SPOT, SPOT + 2 * D), SPOT + D),
        (chain(*(SPOT + n * D for n in range(9))), SPOT + 9 * D),
        (chain(*(SPOT + n * D for n in range(10))), SPOT + 10 * D),
        (chain(*(SPOT + n * D for n in range(10)), LIMIT), SPOT - D),
        (chain(SPOT - D, *(SPOT + n * D for n in range(10)), LIMIT), SPOT - 2 * D),
        ([Obstacle(SPOT, is_cue_ball=True)], SPOT + D + CUE_BALL_GAP_M),
        ([Obstacle(SPOT + D, is_cue_ball=True)], SPOT + 2 * D + CUE_BALL_GAP_M),
        ([Obstacle(SPOT, 0.03)], SPOT + (D**2 - 0.03**2) ** 0.5),
        ([Obstacle(SPOT, D)], SPOT),
        ([Obstacle(SPOT, -0.2)], SPOT),
    ],
)
def test_where(others: list[Obstacle], place: float) -> None:
    """As near to the spot as can be behind it, touching object balls, never the cue ball."""
    assert spot_along(SPOT, LIMIT, D, others) == pytest.approx(place, abs=1e-6)


@given(
    st.lists(
        st.builds(
            Obstacle,
            st.floats(0.1, LIMIT),
            st.floats(-0.1, 0.1),
            st.just(False),
        ),
        max_size=9,
    ),
    st.floats(0.1, LIMIT),
)
def test_the_place_is_free_and_the_nearest(balls: list[Obstacle], cue: float) -> None:
    """Nothing overlaps, and no place nearer to the spot on that side of it would do."""
    others = [*balls, Obstacle(cue, 0.0, is_cue_ball=True)]

    def free(place: float) -> bool:
        return all(
            hypot(ball.along - place, ball.aside)
            >= D + (CUE_BALL_GAP_M if ball.is_cue_ball else 0.0) - 2e-6
            for ball in others
        )

    place = spot_along(SPOT, LIMIT, D, others)
    assert free(place)
    assert place <= LIMIT + 1e-6
    steps = [SPOT + (place - SPOT) * n / 200 for n in range(200)]
    assert place == SPOT or not any(free(step) for step in steps if abs(step - place) > 1e-4)
    if place < SPOT:
        behind = [SPOT + (LIMIT - SPOT) * n / 2000 for n in range(2001)]
        assert not any(
            hypot(ball.along - where, ball.aside) >= D + 1e-5
            for where in behind
            for ball in [min(others, key=lambda one: hypot(one.along - where, one.aside))]
            if not ball.is_cue_ball and free(where)
        )


@pytest.mark.parametrize(
    "numbers", [(float("nan"), LIMIT, D), (2.6, LIMIT, D), (SPOT, LIMIT, 0.0), (SPOT, LIMIT, -1.0)]
)
def test_numbers_that_are_no_table(numbers: tuple[float, float, float]) -> None:
    """Bad numbers are refused in one line."""
    with pytest.raises(rules.RulesError, match="spotting: got"):
        spot_along(*numbers, [])
    with pytest.raises(rules.RulesError, match="spotting: got a ball"):
        spot_along(SPOT, LIMIT, D, [Obstacle(float("inf"))])
