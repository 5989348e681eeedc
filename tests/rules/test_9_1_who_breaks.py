"""9.1 and 1.2: the lag, the choice of the breaker, break orders, the race, teams (4-1)."""

from __future__ import annotations

import pytest

import rules
from rules.lag import LagShot, lag_winner
from rules.race import Race, breakers

GOOD = LagShot(head_distance=0.10)


@pytest.mark.parametrize(
    ("a", "winner"),
    [
        (LagShot(head_distance=0.05), "A"),
        (LagShot(head_distance=0.15), "B"),
        (LagShot(head_distance=0.1009), None),
        (LagShot(head_distance=0.101), "B"),
        (LagShot(head_distance=0.099), "A"),
        (LagShot(foot_contacts=0, head_distance=0.01), "B"),
        (LagShot(foot_contacts=2, head_distance=0.01), "B"),
        (LagShot(head_contacts=0, head_distance=0.01), "A"),
        (LagShot(head_contacts=2, head_distance=0.01), "A"),
        (LagShot(head_distance=0.01, side_cushion=True), "B"),
        (LagShot(head_distance=0.01, crosses_long_string=True), "B"),
        (LagShot(pocketed=True), "B"),
        (LagShot(off_table=True), "B"),
        (LagShot(head_distance=0.0, past_head_cushion_nose=True), "B"),
        (LagShot(head_distance=0.01, object_ball_foul=True), "B"),
        (LagShot(head_distance=0.01, struck_after_other_reached_foot=True), None),
        (LagShot(pocketed=True, struck_after_other_reached_foot=True), None),
    ],
    ids=repr,
)
def test_lag_of_a_against_a_good_one(a: LagShot, winner: str | None) -> None:
    """Nearest wins; a bad ball cannot; what cannot be decided is lagged again."""
    assert lag_winner(a, GOOD).winner == winner
    mirrored = {"A": "B", "B": "A", None: None}[winner]
    assert lag_winner(GOOD, a).winner == mirrored


def test_two_bad_lags_are_lagged_again() -> None:
    """Both bad: lag again, whatever the distances."""
    result = lag_winner(LagShot(pocketed=True), LagShot(head_distance=0.1, side_cushion=True))
    assert result.lag_again
    assert "Both lags are bad" in result.reason


def test_a_good_lag_needs_its_distance() -> None:
    """Without distances two good lags cannot be compared."""
    for distance in (None, -0.1, float("nan")):
        with pytest.raises(rules.RulesError, match="head distance"):
            lag_winner(LagShot(head_distance=distance), GOOD)


@pytest.mark.parametrize(
    ("order", "expected"),
    [("alternate", "ABAB"), ("winner", "AABB"), ("loser", "ABAA")],
)
def test_break_orders(order: str, expected: str) -> None:
    """Regulations 15 and 16: alternate by default, winner or loser as options."""
    row = breakers(rules.BreakOrder(order), "A", ("A", "B", "B"))
    assert "".join(row) == expected


@pytest.mark.parametrize("name", rules.RULESETS)
def test_breaks_alternate_by_default(name: str) -> None:
    """The standard format of every ruleset alternates, whoever wins the racks."""
    race = Race(rules.ruleset(name), "B", to=3)
    for breaker in "BABAB":
        assert race.breaker == breaker
        assert race.rack().breaker == breaker
        race = race.won_by("A" if race.score("A") < 2 or race.score("B") == 2 else "B")
    assert race.winner == "A"
    assert (race.score("A"), race.score("B")) == (3, 2)
    with pytest.raises(rules.RulesError, match="A has won"):
        race.rack()
    with pytest.raises(rules.RulesError, match="A has won"):
        race.won_by("B")


def test_a_match_may_be_forfeited() -> None:
    """Unsportsmanlike conduct can cost the match."""
    assert Race(rules.THE_TEN, "A", to=5).lost_by("A").winner == "B"


def test_members_of_a_side_play_in_turn() -> None:
    """LBM 4-1: a side may be a team; its members come to the table in their order."""
    race = Race(rules.LBM, "A", members=(("Ann", "Bea"), ("Cy",)))
    assert [race.member("A", inning) for inning in range(3)] == ["Ann", "Bea", "Ann"]
    assert race.member("B", 7) == "Cy"


@pytest.mark.parametrize(
    "bad",
    [
        {"to": 0},
        {"first_breaker": "C"},
        {"members": ((), ("B",))},
        {"rack_winners": ("A", "A")},
        {"rack_winners": ("C",)},
    ],
    ids=repr,
)
def test_a_race_that_cannot_be(bad: dict[str, object]) -> None:
    """A race is refused in one line, with what was got."""
    values: dict[str, object] = {"ruleset": rules.LBM, "first_breaker": "A", **bad}
    with pytest.raises(rules.RulesError, match="race: got"):
        Race(**values)  # type: ignore[arg-type] # the point is a value of the wrong kind
