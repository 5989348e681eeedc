"""Comparing what a case expects with what was ruled. Only the fields it gives are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .terms import CUE_BALL, SIDES, Cause, Choice, CueBall, FoulCode, Inning, Penalty, WinReason

if TYPE_CHECKING:
    from .caseform import Node, Path
    from .ruling import Decision, Ruling
    from .state import RackState

REFUSALS: Final = (
    "push_out_not_available",
    "safety_not_available",
    "one_ball_per_call",
    "safety_excludes_call",
    "referee_decision_required",
    "not_your_decision",
    "option_not_offered",
    "decision_pending",
)
"""The words a case may use for a refusal; any refusal satisfies any of them."""

SHOT_EXPECTED: Final = frozenset(
    {
        "legal",
        "fouls",
        "fouls_optional",
        "inning",
        "next",
        "decision",
        "cue_ball",
        "spotted",
        "on_table_after",
        "lowest_after",
        "push_out_next",
        "fouls_after",
        "warning_due",
        "rack_winner",
        "win_reason",
        "invalid",
        "options",
    }
)
SEQUENCE_EXPECTED: Final = SHOT_EXPECTED | {"push_out_available", "on_table"}
_NO_CONTACT_NAMES: Final = frozenset(
    {FoulCode.NO_CONTACT, FoulCode.NO_RAIL_AFTER_CONTACT, FoulCode.WRONG_BALL_FIRST}
)
_WIN_REASONS: Final = tuple(str(word) for word in WinReason if word is not WinReason.CONCEDED)
DEPENDS: Final = "depends on choice"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A field that differs: where it stands, what the case asked for, what was ruled."""

    path: Path
    asked: object
    got: object


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected fields of a case or step, read once and compared later."""

    node: Node
    entries: dict[str, Node]

    @classmethod
    def read(cls, node: Node, allowed: frozenset[str]) -> Expected:
        """Read and check every field: unknown keys and words are refused before judging."""
        expected = cls(node, node.keys(allowed))
        for key, entry in expected.entries.items():
            expected.wanted(key, entry)
        return expected

    def wanted(self, key: str, entry: Node) -> object:
        """The value a field asks for, in the form in which rulings state it."""
        if key in ("legal", "push_out_available"):
            return entry.flag()
        if key in ("fouls", "fouls_optional"):
            return {FoulCode(code.word(tuple(FoulCode))) for code in entry.items()}
        if key == "inning":
            return entry.word(tuple(Inning))
        if key in ("next", "rack_winner"):
            return None if entry.is_null else entry.side()
        if key == "decision":
            return _decision(entry)
        if key == "cue_ball":
            return entry.word(tuple(CueBall))
        if key in ("spotted", "on_table_after", "on_table"):
            return sorted(entry.object_balls())
        if key == "lowest_after":
            return None if entry.is_null else entry.object_ball()
        if key == "push_out_next":
            return DEPENDS if entry.value == DEPENDS else entry.flag()
        if key == "fouls_after":
            return {side: count.whole(0, 3) for side, count in entry.keys(SIDES).items()}
        if key == "warning_due":
            return sorted(side.side() for side in entry.items())
        if key == "win_reason":
            return None if entry.is_null else entry.word(_WIN_REASONS)
        if key == "options":
            return {option.word(tuple(Penalty)) for option in entry.items()}
        return None if entry.is_null else entry.word(REFUSALS)

    @property
    def refusal(self) -> bool:
        """Whether a refusal is expected instead of a ruling."""
        return "invalid" in self.entries and not self.entries["invalid"].is_null

    def against_refusal(self, code: str, offered: tuple[str, ...] | None) -> list[Mismatch]:
        """Compare with a refusal: any reason will do; the referee's choices must agree."""
        if not self.refusal:
            return [Mismatch(self.node.path, "a ruling", f"refused: {code}")]
        if "options" in self.entries:
            entry = self.entries["options"]
            wanted = self.wanted("options", entry)
            if wanted != set(offered or ()):
                return [Mismatch(entry.path, entry.value, list(offered or ()))]
        return []

    def against(self, state: RackState, ruling: Ruling | None) -> list[Mismatch]:
        """Compare with a state and the ruling that led to it."""
        if self.refusal:
            entry = self.entries["invalid"]
            told = "accepted" if ruling is None else f"accepted: {ruling.explanation}"
            return [Mismatch(entry.path, entry.value, told)]
        found: list[Mismatch] = []
        for key, entry in self.entries.items():
            if key in ("fouls_optional", "invalid", "options"):
                continue
            if key == "warning_due" and not state.ruleset.three_foul_warning_required:
                continue
            wanted = self.wanted(key, entry)
            if key == "fouls":
                if ruling is None or not self._fouls_agree(ruling):
                    codes = [] if ruling is None else [str(foul.code) for foul in ruling.fouls]
                    found.append(Mismatch(entry.path, entry.value, codes))
            elif key == "decision":
                if not _decision_agrees(wanted, state.decision):
                    found.append(Mismatch(entry.path, entry.value, _spell(state.decision)))
            else:
                got = _actual(key, state, ruling)
                if key == "fouls_after" and isinstance(wanted, dict) and isinstance(got, dict):
                    got = {side: got[side] for side in wanted}
                if wanted != got:
                    found.append(Mismatch(entry.path, entry.value, got))
        return found

    def _fouls_agree(self, ruling: Ruling) -> bool:
        """Foul codes as sets, with the equivalences of a shot that touches nothing."""
        wanted = self._codes("fouls")
        optional = self._codes("fouls_optional")
        got = {foul.code for foul in ruling.fouls}
        if FoulCode.NO_CONTACT in got:
            if wanted & _NO_CONTACT_NAMES:
                wanted = (wanted - _NO_CONTACT_NAMES) | {FoulCode.NO_CONTACT}
            if optional & _NO_CONTACT_NAMES:
                optional |= {FoulCode.NO_CONTACT}
            if FoulCode.BREAK_REQUIREMENT in got:
                # A break that touches nothing: one of the two codes is enough.
                pair = {FoulCode.NO_CONTACT, FoulCode.BREAK_REQUIREMENT}
                if wanted & pair:
                    optional |= pair
        return wanted <= got and got <= wanted | optional

    def _codes(self, key: str) -> set[FoulCode]:
        if key not in self.entries:
            return set()
        return {FoulCode(code.word(tuple(FoulCode))) for code in self.entries[key].items()}


def _decision(entry: Node) -> object:
    """None, the player, or the given parts of a decision as a dictionary."""
    if entry.is_null:
        return None
    if isinstance(entry.value, str):
        return {"player": entry.side()}
    parts = entry.keys(("player", "cause", "options"))
    wanted: dict[str, object] = {}
    if "player" in parts:
        wanted["player"] = parts["player"].side()
    if "cause" in parts:
        wanted["cause"] = parts["cause"].word(tuple(Cause))
    if "options" in parts:
        wanted["options"] = {option.word(tuple(Choice)) for option in parts["options"].items()}
    return wanted


def _decision_agrees(wanted: object, got: Decision | None) -> bool:
    if got is None or not isinstance(wanted, dict):
        return wanted is None and got is None
    actual = {"player": got.player, "cause": got.cause, "options": set(got.options)}
    return all(actual[key] == value for key, value in wanted.items())


def _spell(decision: Decision | None) -> object:
    if decision is None:
        return None
    options = [str(option) for option in decision.options]
    return {"player": decision.player, "cause": str(decision.cause), "options": options}


def _actual(key: str, state: RackState, ruling: Ruling | None) -> object:
    """What was ruled, in the form of the format."""
    if key == "next":
        return state.next
    if key == "cue_ball":
        return str(state.cue_ball)
    if key in ("on_table_after", "on_table"):
        return sorted(state.balls)
    if key == "lowest_after":
        return state.lowest
    if key == "push_out_available":
        return state.push_out_available
    if key == "push_out_next":
        if state.decision is not None and state.decision.cause is Cause.THREE_POINT_BREAK:
            return DEPENDS
        return state.push_out_available
    if key == "fouls_after":
        return {"A": state.fouls.a, "B": state.fouls.b}
    if key == "warning_due":
        return sorted(state.warning_due)
    if key == "rack_winner":
        return state.winner
    if key == "win_reason":
        return None if state.win_reason is None else str(state.win_reason)
    if ruling is None:
        return None
    if key == "legal":
        return ruling.legal
    if key == "inning":
        return str(ruling.inning)
    return sorted(ball for ball in ruling.spotted if ball != CUE_BALL)
