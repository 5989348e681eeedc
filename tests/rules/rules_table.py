"""Tables of shots in the one-line notation, and a one-line answer to compare with.

A row is: rulesets, state without its ruleset, declaration, record, answer. The answer is what a
referee would say, in this order::

    A continues | B shoots | B in hand | B decides CAUSE | A wins by REASON
    ": code, code"  the fouls        " +10"  the ten is spotted
    " push_out"     one may be declared on the next shot
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import rules
from rules.notation import parse_declaration, parse_record, parse_state

ALL = "lbm wpa09 ten"
WPA = "wpa09 ten"

BREAK = "A/A 1 1-10 in_hand_behind_head_string 0-0 - - -"
SECOND = "B/A 2 1-10 position 0-0 - push_out -"
PLAY = "A/A 5 3,4,6,8-10 position 0-0 - - -"
LAST = "A/A 9 10 position 0-0 - - -"

FOUR = "0x1 1x2 2x5 3x10 2:left 5:right 7:foot 9:left"
"""A break that contacts the 1 and drives exactly four balls to cushions."""

Row = tuple[str, str, str, str, str]


def table(*rows: Row) -> pytest.MarkDecorator:
    """One test for each row and ruleset, with `ruling` and `answer` as its arguments."""
    params = []
    for names, state, call, record, answer in rows:
        for name in names.split():
            # A mixed list of switches belongs to the ruleset: "ten{shot_clock=true}".
            marks = f"{name} {call}: {record} -> {answer}"
            params.append(pytest.param(f"{name} {state}", call, record, answer, id=marks))
    return pytest.mark.parametrize(("state", "call", "record", "answer"), params)


def judged(state: str, call: str, record: str) -> rules.Ruling:
    """The ruling on a shot in the one-line notation."""
    return rules.adjudicate(parse_state(state), parse_declaration(call), parse_record(record))


def spoken(ruling: rules.Ruling) -> str:
    """A ruling as the answer of a row."""
    if ruling.winner is not None:
        text = f"{ruling.winner} wins by {ruling.win_reason}"
    elif ruling.decision is not None:
        text = f"{ruling.decision.player} decides {ruling.decision.cause}"
    elif ruling.cue_ball is rules.CueBall.IN_HAND_ANYWHERE:
        text = f"{ruling.next} in hand"
    elif ruling.inning is rules.Inning.CONTINUES:
        text = f"{ruling.next} continues"
    else:
        text = f"{ruling.next} shoots"
    if ruling.fouls:
        text += f": {', '.join(sorted(foul.code for foul in ruling.fouls))}"
    if ruling.spotted:
        text += f" +{','.join(map(str, ruling.spotted))}"
    if ruling.push_out_next:
        text += " push_out"
    return text


def check(state: str, call: str, record: str, answer: str) -> None:
    """Judge a row and compare; the ruling must agree with its own state."""
    ruling = judged(state, call, record)
    assert spoken(ruling) == answer, ruling.explanation
    assert ruling.explanation.endswith(".")
    assert ruling.next == ruling.state.next
    cited = {ruling.article, *(foul.article for foul in ruling.fouls)}
    known = {article.number for article in ruling.state.ruleset.book.articles}
    assert cited <= known, cited - known


def refused(state: str, call: str, record: str, code: str) -> None:
    """Judge a row that has to be refused, and compare the reason."""
    refusals = (
        rules.DeclarationRefused,
        rules.InfractionRefused,
        rules.RefereeDecisionRequired,
    )
    with pytest.raises(refusals) as caught:
        judged(state, call, record)
    assert caught.value.code == code


def codes(ruling: rules.Ruling) -> Sequence[str]:
    """The foul codes of a ruling, the gravest first."""
    return [str(foul.code) for foul in ruling.fouls]
