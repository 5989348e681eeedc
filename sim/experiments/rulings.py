"""What each ruleset says of a shot, as columns; the law is asked through `sim.game`."""

from __future__ import annotations

from typing import Any

from sim.experiments.parameters import ExperimentError
from sim.experiments.plan import Judging
from sim.game.setup import Setup
from sim.game.verdict import rule_alone
from sim.model import TenballError
from sim.shot.result import Result

__all__ = ["RULING_COLUMNS", "check_rulesets", "ruling_columns"]

RULING_COLUMNS = {
    "_legal": "boolean",
    "_foul": "string",
    "_next": "string",
    "_decision": "string",
    "_wins": "boolean",
}
"""Endings of the columns of each ruleset, and their types.

legal: no foul; foul: the gravest; next: who shoots next (shooter, opponent; missing while somebody
has to choose or the rack is over); decision: what is to be chosen about; wins: the shooter has won.
Missing where no ruling was asked for.
"""


def check_rulesets(names: tuple[str, ...]) -> None:
    """Refuse unknown rulesets before anything is played.

    Raises:
        ExperimentError: there is no such ruleset.
    """
    for name in names:
        try:
            Setup(ruleset=name)
        except TenballError as error:
            raise ExperimentError(str(error)) from None


def ruling_columns(result: Result | None, judging: Judging) -> dict[str, Any]:
    """One row's ruling columns; all missing without a result."""
    row: dict[str, Any] = {
        f"{name}{end}": None for name in judging.rulesets for end in RULING_COLUMNS
    }
    if result is None:
        return row
    for name, ruling in rule_alone(result, judging.rulesets, call=judging.call).items():
        if isinstance(ruling, str):
            continue
        row[f"{name}_legal"] = bool(ruling.legal)
        row[f"{name}_foul"] = str(ruling.fouls[0].code) if ruling.fouls else None
        if ruling.next is not None:
            row[f"{name}_next"] = "shooter" if ruling.next == "A" else "opponent"
        if ruling.decision is not None:
            row[f"{name}_decision"] = str(ruling.decision.cause)
        row[f"{name}_wins"] = ruling.winner == "A"
    return row
