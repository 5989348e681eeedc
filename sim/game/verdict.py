"""What rulesets say of one simulated shot that belongs to no match: for experiments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import rules
from sim.game.witness import witness

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["rule_alone"]


def rule_alone(
    result: Result,
    rulesets: Iterable[str],
    *,
    call: tuple[int, str] | str | None = None,
) -> dict[str, rules.Ruling | str]:
    """Rule on a shot by itself, as A's: the break of a new rack, or a shot at an open table.

    Args:
        result: of `sim.simulate`.
        rulesets: short names, `lbm`, `wpa09`, `ten`.
        call: "break"; (ball, pocket); "safety"; "push_out"; None: nothing is called.

    Returns:
        {short name: ruling, or one line on why the law has none}.

    Raises:
        rules.RulesError: an unknown ruleset or pocket, or a layout without object balls.
    """
    books = [rules.ruleset(name) for name in rulesets]
    lying = frozenset(result.layout.balls) - {rules.CUE_BALL}
    found: dict[str, rules.Ruling | str] = {}
    seen: dict[bool, rules.ShotRecord] = {}
    for book in books:
        if call == "break":
            state = rules.new_rack(book, breaker="A")
            declaration = rules.break_shot()
        else:
            state = rules.RackState(
                book,
                breaker="A",
                shooter="A",
                shot_number=2,
                balls=lying,
                cue_ball=rules.CueBall.POSITION,
                push_out_available=call == "push_out",
            )
            declaration = _declaration(call)
        if state.balls != lying:
            found[book.name] = f"a break needs all ten balls; there are {sorted(lying)}"
            continue
        three_points = state.is_break and book.three_point_break_rule
        if three_points not in seen:
            seen[three_points] = witness(result, head_string=three_points)
        try:
            found[book.name] = rules.adjudicate(state, declaration, seen[three_points])
        except rules.RulesError as error:
            found[book.name] = str(error)
    return found


def _declaration(call: tuple[int, str] | str | None) -> rules.Declaration:
    if call is None:
        return rules.no_call()
    if call == "safety":
        return rules.safety()
    if call == "push_out":
        return rules.push_out()
    if isinstance(call, str):
        raise rules.RulesError(
            f"call: got {call!r}, expected (ball, pocket), break, safety, push_out or None"
        )
    return rules.call(*call)
