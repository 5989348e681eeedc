"""The casebook: every case of the examples and of our own, and every way a case can be bad."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

import rules
from rules import casebook

DATA = Path(__file__).parent / "data"


def load(name: str) -> Any:
    """A case file as plain data; the command's own reader is tested with the command."""
    from sim.cli.yaml_lines import read_document

    return read_document(DATA / name).data


def every_case() -> list[Any]:
    """Each case of each file under each of its rulesets."""
    found = []
    for name in ("cases.yaml", "more_cases.yaml"):
        for case in casebook.read_file(load(name)):
            for ruleset in case.rulesets:
                found.append(pytest.param(case, ruleset, id=f"{case.id} {ruleset}"))
    return found


@pytest.mark.parametrize(("case", "ruleset"), every_case())
def test_case(case: casebook.Case, ruleset: str) -> None:
    """The ruling is the one that the case expects."""
    verdict = casebook.judge(case, rules.ruleset(ruleset))
    assert verdict.passed, (verdict.mismatches, verdict.ruling)
    assert verdict.ruling


def judged(**case: Any) -> casebook.Verdict:
    """The verdict on one case under The Ten."""
    document = {"cases": [{"id": "X", "title": "", "rulesets": ["ten"], **case}]}
    return casebook.judge(casebook.read_file(document)[0], rules.THE_TEN)


@pytest.mark.parametrize(
    ("expected", "path", "got"),
    [
        ({"legal": False}, "legal", True),
        ({"fouls": ["scratch"]}, "fouls", []),
        ({"inning": "continues"}, "inning", "ends"),
        ({"next": "A"}, "next", "B"),
        ({"next": None}, "next", "B"),
        ({"decision": "B"}, "decision", None),
        ({"cue_ball": "n/a"}, "cue_ball", "position"),
        ({"spotted": [10]}, "spotted", []),
        ({"on_table_after": [10]}, "on_table_after", [9, 10]),
        ({"lowest_after": 10}, "lowest_after", 9),
        ({"push_out_next": True}, "push_out_next", False),
        ({"push_out_next": "depends on choice"}, "push_out_next", False),
        ({"fouls_after": {"A": 1}}, "fouls_after", {"A": 0}),
        ({"warning_due": ["A"]}, "warning_due", []),
        ({"rack_winner": "A"}, "rack_winner", None),
        ({"win_reason": "unsportsmanlike"}, "win_reason", None),
        ({"invalid": "decision_pending"}, "invalid", None),
    ],
    ids=repr,
)
def test_a_wrong_expectation_fails(expected: dict[str, object], path: str, got: object) -> None:
    """Every field is compared: one that differs is reported with what was asked and got."""
    state = {"on_table": [9, 10], "shooter": "A"}
    events = [["cue_contact", 9], ["cushion", 9, "left"]]
    verdict = judged(type="shot", state=state, events=events, expected=expected)
    (mismatch,) = verdict.mismatches
    assert mismatch.path[-1] == path
    assert mismatch.asked == expected[path]
    assert path == "invalid" or mismatch.got == got


@pytest.mark.parametrize(
    "expected",
    [
        {"decision": {"player": "A"}},
        {"decision": {"cause": "push_out"}},
        {"decision": {"options": ["accept"]}},
        {"decision": None},
    ],
    ids=repr,
)
def test_a_wrong_decision_fails(expected: dict[str, object]) -> None:
    """Player, cause and options are each compared."""
    state = {"on_table": [9, 10], "shooter": "A"}
    events = [["cue_contact", 9], ["pocketed", 9, "foot_left"]]
    assert not judged(type="shot", state=state, events=events, expected=expected).passed


def test_refused_but_a_ruling_was_expected() -> None:
    """A refusal that the case does not expect is a mismatch with the reason."""
    verdict = judged(type="shot", declaration={"kind": "push_out"}, expected={"legal": True})
    assert "push-out" in str(verdict.mismatches[0].got)


def test_a_case_without_expectations_tells_its_ruling() -> None:
    """A referee can ask: what if?"""
    document = {"cases": [{"id": "W", "type": "shot", "rulesets": ["lbm"], "events": []}]}
    case = casebook.read_file(document)[0]
    assert case.asks
    verdict = casebook.judge(case, rules.LBM)
    assert "no_contact (4-5.1a)" in "\n".join(verdict.ruling)


SHOT: dict[str, Any] = {
    "id": "BAD",
    "title": "",
    "type": "shot",
    "rulesets": ["ten"],
    "state": {"on_table": [3, 4, 10], "shooter": "A"},
    "declaration": {"kind": "shot", "ball": 3, "pocket": "foot_left", "explicit": True},
    "events": [["cue_contact", 3], ["pocketed", 3, "foot_left"]],
    "expected": {"legal": True},
}
SEQUENCE: dict[str, Any] = {
    "id": "BAD",
    "title": "",
    "type": "sequence",
    "rulesets": ["ten"],
    "steps": [
        {"start": {"on_table": [3, 4, 10], "shooter": "A"}},
        {"shot": {"player": "A", "declaration": {"kind": "shot"}, "events": []}},
    ],
}
GEOMETRY = {"length": 2.54, "width": 1.27, "ball_radius": 0.028575, "foot_spot": [0.635, 0.0]}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"colour": 1}, "cases[0].colour"),
        ({"type": "frame"}, "cases[0].type"),
        ({"rulesets": ["bca"]}, "cases[0].rulesets[0]"),
        ({"rulesets": []}, "cases[0].rulesets"),
        ({"rulesets": ["ten", "ten"]}, "cases[0].rulesets[1]"),
        ({"steps": []}, "cases[0].steps"),
        ({"stroke": "no"}, "cases[0].stroke"),
        ({"state": []}, "cases[0].state"),
        ({"state": {"on_table": [3, 3, 10]}}, "cases[0].state.on_table[1]"),
        ({"state": {"on_table": [3, 11]}}, "cases[0].state.on_table[1]"),
        ({"state": {"on_table": [3, True]}}, "cases[0].state.on_table[1]"),
        ({"state": {"on_table": [3, 4]}}, "cases[0].state"),
        ({"state": {"shooter": "C"}}, "cases[0].state.shooter"),
        ({"state": {"shot_number": 0}}, "cases[0].state.shot_number"),
        ({"state": {"shot_number": 1, "is_break": False}}, "cases[0].state.is_break"),
        ({"state": {"is_break": True, "on_table": [3, 10]}}, "cases[0].state"),
        ({"state": {"consecutive_fouls": {"A": 3}}}, "cases[0].state.consecutive_fouls.A"),
        ({"state": {"consecutive_fouls": {"C": 0}}}, "cases[0].state.consecutive_fouls.C"),
        ({"state": {"cue_ball": "n/a"}}, "cases[0].state.cue_ball"),
        ({"state": {"config": {"jump": True}}}, "cases[0].state.config.jump"),
        ({"state": {"config": {"early_ten_wins": 1}}}, "cases[0].state.config.early_ten_wins"),
        ({"state": {"config": {"break_order": "A"}}}, "cases[0].state.config.break_order"),
        ({"state": {"config": {"name": "lbm"}}}, "cases[0].state.config.name"),
        ({"state": {"moon": "full"}}, "cases[0].state.moon"),
        (
            {"state": {"declared_frozen_to_rail": [{"ball": 3}]}},
            "cases[0].state.declared_frozen_to_rail[0]",
        ),
        (
            {"state": {"declared_frozen_to_rail": [{"ball": 3, "rail": "top"}]}},
            "cases[0].state.declared_frozen_to_rail[0].rail",
        ),
        ({"state": {"frozen_to_cue_ball": [7], "on_table": [3, 10]}}, "cases[0].state"),
        (
            {
                "state": {
                    "declared_frozen_to_rail": [{"ball": 7, "rail": "left"}],
                    "on_table": [3, 10],
                }
            },
            "cases[0].state",
        ),
        ({"state": {"frozen_to_cue_ball": ["cue"]}}, "cases[0].state.frozen_to_cue_ball[0]"),
        ({"declaration": {"kind": "masse"}}, "cases[0].declaration.kind"),
        ({"declaration": {"kind": "shot", "ball": "cue"}}, "cases[0].declaration.ball"),
        ({"declaration": {"kind": "shot", "ball": []}}, "cases[0].declaration.ball"),
        ({"declaration": {"kind": "shot", "pocket": "left"}}, "cases[0].declaration.pocket"),
        ({"declaration": {"kind": "shot", "explicit": "yes"}}, "cases[0].declaration.explicit"),
        ({"declaration": {"kind": "shot", "who": "A"}}, "cases[0].declaration.who"),
        ({"events": {}}, "cases[0].events"),
        ({"events": [[]]}, "cases[0].events[0]"),
        ({"events": [["wobbles", 3]]}, "cases[0].events[0][0]"),
        ({"events": [["cue_contact", 11]]}, "cases[0].events[0][1]"),
        ({"events": [["cue_contact", "cue"]]}, "cases[0].events[0][1]"),
        ({"events": [["cue_contact"]]}, "cases[0].events[0]"),
        ({"events": [["cue_contact", 3, 4]]}, "cases[0].events[0]"),
        ({"events": [["cue_contact", 3, "same_instant"]]}, "cases[0].events[0][2]"),
        ({"events": [["cue_contact", 5]]}, "cases[0].events[0]"),
        ({"events": [["ball_ball", 3, 3]]}, "cases[0].events[0]"),
        ({"events": [["ball_ball", "cue", "cue"]]}, "cases[0].events[0]"),
        ({"events": [["cushion", 3, "foot_left"]]}, "cases[0].events[0][2]"),
        ({"events": [["pocketed", 3, "foot"]]}, "cases[0].events[0][2]"),
        (
            {"events": [["pocketed", 3, "foot_left"], ["pocketed", 3, "foot_left"]]},
            "cases[0].events[1]",
        ),
        ({"events": [["off_table", 3], ["cushion", 3, "left"]]}, "cases[0].events[1]"),
        ({"events": [["pocketed", "cue", "foot_left"], ["cue_contact", 3]]}, "cases[0].events[1]"),
        ({"events": [["leaves_pocket", 3, "foot_left"]]}, "cases[0].events[0]"),
        (
            {"events": [["enters_pocket", 3, "foot_left"], ["enters_pocket", 3, "foot_left"]]},
            "cases[0].events[1]",
        ),
        (
            {"events": [["enters_pocket", 3, "foot_left"], ["pocketed", 3, "foot_right"]]},
            "cases[0].events[1]",
        ),
        ({"events": [["supported_over_pocket", 3, "foot_left", 5]]}, "cases[0].events[0]"),
        ({"events": [["supported_over_pocket", 3, "foot_left", 3]]}, "cases[0].events[0]"),
        ({"events": [["drops_into_pocket", 3, "foot_left", -1]]}, "cases[0].events[0][3]"),
        (
            {"events": [["drops_into_pocket", 3, "foot_left", float("nan")]]},
            "cases[0].events[0][3]",
        ),
        ({"events": [["foreign_object", 3]]}, "cases[0].events[0]"),
        ({"events": [["foul_called", "tomorrow"]]}, "cases[0].events[0][1]"),
        ({"events": [["infraction", "scratch", "A"]]}, "cases[0].events[0][1]"),
        ({"events": [["infraction", "slow_play"]]}, "cases[0].events[0]"),
        ({"events": [["infraction", "slow_play", "C"]]}, "cases[0].events[0][2]"),
        ({"events": [["infraction", "slow_play", "A", "accidental"]]}, "cases[0].events[0][3]"),
        ({"events": [["infraction", "touched_ball", "A"]]}, "cases[0].events[0]"),
        ({"events": [["infraction", "touched_ball", "A", 3, "gently"]]}, "cases[0].events[0][4]"),
        (
            {"events": [["infraction", "unsportsmanlike", "A", "penalty=death"]]},
            "cases[0].events[0][3]",
        ),
        ({"stroke": False}, "cases[0].events[0]"),
        ({"expected": {"legal": "yes"}}, "cases[0].expected.legal"),
        ({"expected": {"fouls": ["fluke"]}}, "cases[0].expected.fouls[0]"),
        ({"expected": {"lucky": True}}, "cases[0].expected.lucky"),
        ({"expected": {"invalid": "because"}}, "cases[0].expected.invalid"),
        ({"expected": {"push_out_next": "maybe"}}, "cases[0].expected.push_out_next"),
        ({"expected": {"decision": {"who": "A"}}}, "cases[0].expected.decision.who"),
        ({"expected": None}, "cases[0].expected"),
        ({"id": ""}, "cases[0].id"),
    ],
    ids=repr,
)
def test_bad_shot(changes: dict[str, Any], path: str) -> None:
    """A bad key, word or event names the case and the key path; there is never a ruling."""
    fault_at({**copy.deepcopy(SHOT), **changes}, path)


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([{"shot": {"player": "A"}}], "cases[0].steps[0].shot"),
        ([{"start": {}}, {"start": {}}], "cases[0].steps[1].start"),
        ([{"start": {}}, {"jump": 1}], "cases[0].steps[1].jump"),
        ([{"start": {}}, {"warn": "A", "undo": 1}], "cases[0].steps[1]"),
        ([{"start": {}}, {"expect": {}}], "cases[0].steps[1]"),
        ([{"start": {}}, {"undo": 1}], "cases[0].steps[1].undo"),
        ([{"start": {}}, {"undo": 0}], "cases[0].steps[1].undo"),
        ([{"start": {}}, {"warn": "C"}], "cases[0].steps[1].warn"),
        ([{"start": {}}, {"shot": {"events": []}}], "cases[0].steps[1].shot"),
        (
            [{"start": {}}, {"shot": {"player": "A", "events": [["cushion", 12, "left"]]}}],
            "cases[0].steps[1].shot.events[0][1]",
        ),
        (
            [
                {"start": {"on_table": [10]}},
                {"shot": {"player": "A", "events": [["cue_contact", 1]]}},
            ],
            "cases[0].steps[1].shot.events[0]",
        ),
        (
            [{"start": {}}, {"decision": {"player": "A", "choice": "accept"}}],
            "cases[0].steps[1].decision",
        ),
        ([{"start": {}}, {"decision": {"player": "A"}}], "cases[0].steps[1].decision"),
        (
            [{"start": {}}, {"warn": "A", "expect": {"mood": "good"}}],
            "cases[0].steps[1].expect.mood",
        ),
        ([], "cases[0].steps"),
        (
            [
                {"start": {"consecutive_fouls": {"A": 2}}},
                {"shot": {"player": "A"}},
                {"shot": {"player": "B"}},
            ],
            "cases[0].steps[2].shot",
        ),
    ],
    ids=repr,
)
def test_bad_sequence(steps: list[Any], path: str) -> None:
    """Steps that nobody can take are faults of the case, unless it expects the refusal."""
    fault_at({**SEQUENCE, "steps": steps}, path)


@pytest.mark.parametrize(
    ("case", "path"),
    [
        ({"type": "rack", "rack": {}}, "cases[0].rack"),
        (
            {"type": "rack", "rack": {"rows_from_apex": [[11]]}},
            "cases[0].rack.rows_from_apex[0][0]",
        ),
        ({"type": "rack"}, "cases[0]"),
        ({"type": "lag", "lag": {"A": {}}}, "cases[0].lag"),
        ({"type": "lag", "lag": {"A": {}, "B": {}}}, "cases[0].lag"),
        ({"type": "lag", "lag": {"A": {"spin": 1}, "B": {}}}, "cases[0].lag.A.spin"),
        (
            {"type": "lag", "lag": {"A": {"foot_contacts": -1}, "B": {}}},
            "cases[0].lag.A.foot_contacts",
        ),
        ({"type": "match", "match": {}}, "cases[0].match"),
        ({"type": "match", "match": {"lag_winner": "A"}}, "cases[0].match"),
        (
            {"type": "match", "match": {"first_breaker": "A", "choice": "B"}},
            "cases[0].match.choice",
        ),
        (
            {"type": "match", "match": {"first_breaker": "A", "rack_winners": ["C"]}},
            "cases[0].match.rack_winners[0]",
        ),
        (
            {"type": "match", "match": {"first_breaker": "A", "config": {"break_order": "x"}}},
            "cases[0].match.config.break_order",
        ),
        (
            {"type": "stalemate", "history": {"unchanged_innings": {"A": -1}}},
            "cases[0].history.unchanged_innings.A",
        ),
        ({"type": "stalemate", "history": {"announced": "yes"}}, "cases[0].history.announced"),
        ({"type": "spotting", "geometry": {}}, "cases[0].geometry"),
        (
            {"type": "spotting", "geometry": {**GEOMETRY, "origin": "head spot"}},
            "cases[0].geometry.origin",
        ),
        (
            {"type": "spotting", "geometry": {**GEOMETRY, "foot_spot": [0.6]}},
            "cases[0].geometry.foot_spot",
        ),
        (
            {"type": "spotting", "geometry": {**GEOMETRY, "foot_spot": [1.3, 0.0]}},
            "cases[0].geometry",
        ),
        (
            {"type": "spotting", "geometry": {**GEOMETRY, "balls": [{"ball": 1, "xy": [9, 0]}]}},
            "cases[0].geometry.balls[0].xy",
        ),
        (
            {"type": "spotting", "geometry": {**GEOMETRY, "balls": [{"ball": 10, "xy": [0, 0]}]}},
            "cases[0].geometry.balls[0].ball",
        ),
        (
            {
                "type": "spotting",
                "geometry": {**GEOMETRY, "balls": [{"ball": 1, "xy": [0, 0], "in_hand": True}]},
            },
            "cases[0].geometry.balls[0].in_hand",
        ),
    ],
    ids=repr,
)
def test_bad_other(case: dict[str, Any], path: str) -> None:
    """The other types name the case and the key path too."""
    fault_at({"id": "BAD", "title": "", "rulesets": ["ten"], **case}, path)


def fault_at(case: dict[str, Any], path: str) -> None:
    """Judging this case must fail at this key path."""
    with pytest.raises(rules.CasebookError) as fault:
        judge_all({"cases": [case]})
    assert rules.errors.spell_path(fault.value.path) == path, str(fault.value)
    assert str(case["id"]) in fault.value.case or not case["id"]
    assert "\n" not in str(fault.value)


def judge_all(document: object) -> None:
    """Judge every case of a document."""
    for case in casebook.read_file(document):
        for name in case.rulesets:
            casebook.judge(case, rules.ruleset(name))


@pytest.mark.parametrize(
    "document", [None, [], {"cases": {}}, {"meta": {}}, {"cases": [1]}, {"all": []}]
)
def test_no_casebook(document: object) -> None:
    """A document that is no casebook is refused."""
    with pytest.raises(rules.CasebookError):
        judge_all(document)


def test_ids_are_unique() -> None:
    """Two cases with one id cannot be told apart in a report."""
    with pytest.raises(rules.CasebookError, match="twice"):
        judge_all({"cases": [SHOT, SHOT]})


def test_the_copy_is_plain_yaml() -> None:
    """The examples parse alike with any YAML reader."""
    with (DATA / "cases.yaml").open(encoding="utf-8") as file:
        assert yaml.safe_load(file) == load("cases.yaml")
