"""Cases of type sequence: shots, decisions, warnings and undo on one rack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .adjudicator import adjudicate, check_declaration, decide
from .casecheck import SEQUENCE_EXPECTED, Expected, Mismatch
from .caseshot import STATE_KEYS, read_declaration, read_record, read_state
from .casetell import tell_ruling
from .errors import (
    CasebookError,
    DecisionRefused,
    DeclarationRefused,
    InfractionRefused,
    RecordError,
    RefereeDecisionRequired,
    RulesError,
)
from .record import Infraction, ShotRecord
from .state import RackState, warn
from .terms import FoulCode, Side

if TYPE_CHECKING:
    from .caseform import Node
    from .ruleset import Ruleset
    from .ruling import Ruling

_VERBS: Final = ("shot", "declare", "decision", "warn", "undo")
_STEP_COMMENTS: Final = ("note", "title")
_SHOT_KEYS: Final = (
    "player",
    "declaration",
    "events",
    "stroke",
    "declared_frozen_to_rail",
    "frozen_to_cue_ball",
)

_Moment = tuple[RackState, "Ruling | None"]


def judge_sequence(
    node: Node, entries: dict[str, Node], ruleset: Ruleset
) -> tuple[list[Mismatch], list[str]]:
    """Play the steps in order, comparing after each that expects something."""
    steps = entries["steps"].length(1, 10_000, "steps, the first of them start")
    final = None
    if "expected" in entries:
        final = Expected.read(entries["expected"], SEQUENCE_EXPECTED)
    play = _Play(steps[0], ruleset)
    for step in steps[1:]:
        play.step(step)
    if final is not None:
        play.mismatches += final.against(*play.now)
    return play.mismatches, play.lines


class _Play:
    """One run through the steps: where it has been, so that undo can take it back."""

    def __init__(self, first: Node, ruleset: Ruleset) -> None:
        entries = first.keys(("start", "expect", *_STEP_COMMENTS))
        if "start" not in entries:
            first.wrong("got no start, expected it as the first step")
        start = entries["start"]
        state = read_state(ruleset, start, start.keys(STATE_KEYS))
        self.past: list[_Moment] = [(state, None)]
        self.mismatches: list[Mismatch] = []
        self.lines: list[str] = []
        if "expect" in entries:
            self._compare(Expected.read(entries["expect"], SEQUENCE_EXPECTED))

    @property
    def now(self) -> _Moment:
        return self.past[-1]

    def step(self, node: Node) -> None:
        """One step: exactly one verb, and what is expected after it."""
        entries = node.keys((*_VERBS, "expect", *_STEP_COMMENTS))
        verbs = [verb for verb in _VERBS if verb in entries]
        if len(verbs) != 1:
            node.fault(f"exactly one of {', '.join(_VERBS)}")
        expected = None
        if "expect" in entries:
            expected = Expected.read(entries["expect"], SEQUENCE_EXPECTED)
        verb = verbs[0]
        try:
            self._do(verb, entries[verb])
        except (
            DeclarationRefused,
            DecisionRefused,
            InfractionRefused,
            RefereeDecisionRequired,
        ) as error:
            self._refused(entries[verb], expected, error)
            return
        if expected is not None:
            self._compare(expected)

    def _do(self, verb: str, node: Node) -> None:
        if verb == "shot":
            self._shot(node)
        elif verb == "declare":
            self._declare(node)
        elif verb == "decision":
            self._decision(node)
        elif verb == "warn":
            self._warn(node)
        else:
            self._undo(node)

    def _shot(self, node: Node) -> None:
        entries = node.keys(_SHOT_KEYS)
        player = _player(node, entries)
        state = self.now[0]
        declaration = read_declaration(entries.get("declaration"), is_break=state.is_break)
        record = read_record(
            entries.get("events"),
            stroke=entries["stroke"].flag() if "stroke" in entries else True,
            frozen_to_rail=entries.get("declared_frozen_to_rail"),
            frozen_to_cue=entries.get("frozen_to_cue_ball"),
        )
        if player != state.next and state.next is not None and record.stroke:
            record = _out_of_turn(record, player)
        try:
            ruling = adjudicate(state, declaration, record)
        except RecordError as error:
            path = node.path if error.index is None else (*node.path, "events", error.index)
            raise CasebookError(node.case, path, str(error)) from error
        self.past.append((ruling.state, ruling))
        self.lines += tell_ruling(ruling)

    def _declare(self, node: Node) -> None:
        entries = node.keys(("player", "declaration"))
        player = _player(node, entries)
        state = self.now[0]
        declaration = read_declaration(entries.get("declaration"), is_break=state.is_break)
        check_declaration(state, declaration)
        if player != state.next:
            raise DeclarationRefused(
                "not_your_turn", f"declaration: got one by {player}, expected one by {state.next}"
            )
        self.lines.append(f"{player} may declare {declaration.kind}")

    def _decision(self, node: Node) -> None:
        entries = node.keys(("player", "choice"))
        player = _player(node, entries)
        if "choice" not in entries:
            node.wrong("got no choice, expected one")
        state = decide(self.now[0], player, entries["choice"].text())
        self.past.append((state, self.now[1]))
        self.lines.append(f"{player} chose {entries['choice'].value}: {state.next} shoots")

    def _warn(self, node: Node) -> None:
        side = node.side()
        try:
            state = warn(self.now[0], side)
        except RulesError as error:
            node.wrong(str(error))
        self.past.append((state, self.now[1]))
        self.lines.append(f"{side} is warned")

    def _undo(self, node: Node) -> None:
        steps = node.whole(1)
        if steps >= len(self.past):
            node.fault(f"at most the {len(self.past) - 1} steps taken")
        del self.past[-steps:]
        self.lines.append(f"{steps} taken back: {self.now[0].actor or 'nobody'} to act")

    def _compare(self, expected: Expected) -> None:
        self.mismatches += expected.against(*self.now)

    def _refused(self, node: Node, expected: Expected | None, error: RulesError) -> None:
        self.lines.append(f"refused: {error}")
        if expected is None or not expected.refusal:
            _impossible(node, error)
        if expected is None:
            self.mismatches.append(Mismatch(node.path, "accepted", f"refused: {error}"))
            return
        offered = error.options if isinstance(error, RefereeDecisionRequired) else None
        self.mismatches += expected.against_refusal(str(error), offered)


def _impossible(node: Node, error: RulesError) -> None:
    """A step that nobody can take, and that the case does not expect to be refused."""
    code = getattr(error, "code", "")
    if code in ("no_decision_open", "rack_over"):
        node.wrong(str(error))


def _player(node: Node, entries: dict[str, Node]) -> Side:
    if "player" not in entries:
        node.wrong("got no player, expected A or B")
    return entries["player"].side()


def _out_of_turn(record: ShotRecord, player: Side) -> ShotRecord:
    """The record of a stroke by a player who was not at the table (6.13)."""
    if any(
        isinstance(seen, Infraction) and seen.kind is FoulCode.OUT_OF_TURN
        for seen in record.sightings
    ):
        return record
    return ShotRecord(
        (*record.sightings, Infraction(FoulCode.OUT_OF_TURN, player)),
        record.frozen_to_cushion,
        record.frozen_to_cue,
        record.stroke,
    )
