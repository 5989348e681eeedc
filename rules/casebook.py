"""Judging parsed casebook files: every case, once for each ruleset it names.

`read_file` gives the cases of a parsed document; `judge` judges one under one ruleset and says
how the ruling differs from what the case expects. Every fault of a case, however deep, is a
CasebookError that names the case and the key path: there is never a ruling on a bad case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .adjudicator import adjudicate
from .casecheck import SHOT_EXPECTED, Expected, Mismatch
from .caseform import Node
from .caseother import OTHER_TYPES
from .casesequence import judge_sequence
from .caseshot import STATE_KEYS, read_declaration, read_record, read_state
from .casetell import tell_ruling
from .errors import (
    CasebookError,
    DeclarationRefused,
    InfractionRefused,
    RecordError,
    RefereeDecisionRequired,
)
from .ruleset import RULESETS, Ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

COMMENTS: Final = frozenset({"title", "article", "certainty", "alternative", "note", "tags"})
_COMMON: Final = COMMENTS | {"id", "type", "rulesets", "expected"}
_OWN_KEYS: Final[dict[str, frozenset[str]]] = {
    "shot": frozenset({"state", "declaration", "stroke", "events"}),
    "sequence": frozenset({"steps"}),
    "spotting": frozenset({"geometry"}),
    "rack": frozenset({"rack"}),
    "lag": frozenset({"lag"}),
    "match": frozenset({"match"}),
    "stalemate": frozenset({"history"}),
}
TYPES: Final = tuple(_OWN_KEYS)


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a file, with its key path there and the rulesets it is meant for."""

    id: str
    title: str
    type: str
    rulesets: tuple[str, ...]
    node: Node
    entries: dict[str, Node] = field(repr=False)

    @property
    def asks(self) -> bool:
        """Whether nothing is expected, so that the ruling itself is the answer."""
        return "expected" not in self.entries and not any(
            isinstance(step, dict) and "expect" in step for step in self._steps()
        )

    def _steps(self) -> list[object]:
        steps = self.entries["steps"].value if "steps" in self.entries else None
        return steps if isinstance(steps, list) else []


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one case came out under one ruleset: the differences, and the ruling in lines."""

    case: Case
    ruleset: str
    mismatches: tuple[Mismatch, ...]
    ruling: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.mismatches


def case_nodes(document: object) -> tuple[Node, ...]:
    """The cases of a parsed file, not read yet, so that each can fail by itself.

    Raises CasebookError for a document that is no casebook.
    """
    entries = Node(document, "(file)", ()).keys(("meta", "cases"))
    if "cases" not in entries:
        Node(document, "(file)", ()).wrong("got no cases, expected a mapping with a list of cases")
    nodes = []
    for index, node in enumerate(entries["cases"].items()):
        name = f"number {index + 1}"
        if isinstance(node.value, dict) and isinstance(node.value.get("id"), (str, int)):
            name = str(node.value["id"])
        nodes.append(Node(node.value, name, node.path))
    return tuple(nodes)


def read_case(node: Node) -> Case:
    """One case, its common keys checked. Raises CasebookError."""
    if not isinstance(node.value, dict):
        node.fault("a case: a mapping")
    kind = node.value.get("type")
    if "type" not in node.value:
        node.wrong(f"got no type, expected one of {', '.join(TYPES)}")
    known = isinstance(kind, str) and kind in _OWN_KEYS
    own = _OWN_KEYS[str(kind)] if known else frozenset().union(*_OWN_KEYS.values())
    entries = node.keys(_COMMON | own)
    entries["type"].word(TYPES)
    if "id" not in entries or isinstance(entries["id"].value, bool):
        node.wrong("got no id, expected one")
    if not isinstance(entries["id"].value, (str, int)) or not str(entries["id"].value).strip():
        entries["id"].fault("an id")
    if "rulesets" not in entries:
        node.wrong(f"got no rulesets, expected a list of {', '.join(RULESETS)}")
    names: list[str] = []
    for entry in entries["rulesets"].length(1, len(RULESETS), "one to three rulesets"):
        name = entry.word(tuple(RULESETS))
        if name in names:
            entry.wrong(f"got {name} twice, expected it once")
        names.append(name)
    for key in own:
        if key not in entries and key not in ("declaration", "stroke", "events", "state"):
            node.wrong(f"got no {key}, expected it in a case of type {kind}")
    title = entries["title"].value if "title" in entries else ""
    return Case(str(entries["id"].value), str(title), str(kind), tuple(names), node, entries)


def read_file(document: object) -> tuple[Case, ...]:
    """Every case of a parsed file. Raises CasebookError at the first fault or a doubled id."""
    seen: set[str] = set()
    cases = []
    for node in case_nodes(document):
        case = read_case(node)
        if case.id in seen:
            node.under("id", case.id).wrong(f"got id {case.id} twice, expected it once")
        seen.add(case.id)
        cases.append(case)
    return tuple(cases)


def judge(case: Case, ruleset: Ruleset) -> Verdict:
    """Judge a case under one ruleset. Raises CasebookError where the case cannot be judged."""
    mismatches, lines = _JUDGES[case.type](case.node, case.entries, ruleset)
    return Verdict(case, ruleset.name, tuple(mismatches), tuple(lines))


Judged = tuple[list[Mismatch], list[str]]


def judge_shot(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """A case of one shot."""
    expected = None
    if "expected" in entries:
        expected = Expected.read(entries["expected"], SHOT_EXPECTED)
    state_node = entries.get("state", node.under("state", {}))
    parts = state_node.keys(STATE_KEYS)
    state = read_state(ruleset, state_node, parts)
    stroke = entries["stroke"].flag() if "stroke" in entries else True
    events = entries.get("events")
    record = read_record(
        events,
        stroke=stroke,
        frozen_to_rail=parts.get("declared_frozen_to_rail"),
        frozen_to_cue=parts.get("frozen_to_cue_ball"),
    )
    try:
        declaration = read_declaration(entries.get("declaration"), is_break=state.is_break)
        ruling = adjudicate(state, declaration, record)
    except RecordError as error:
        # A fault of no single event is one of what was declared frozen, in the state.
        path = (*node.path, "state") if error.index is None else (*node.path, "events", error.index)
        raise CasebookError(node.case, path, str(error)) from error
    except (DeclarationRefused, InfractionRefused, RefereeDecisionRequired) as error:
        offered = error.options if isinstance(error, RefereeDecisionRequired) else None
        found = [] if expected is None else expected.against_refusal(str(error), offered)
        return found, [f"refused: {error}"]
    found = [] if expected is None else expected.against(ruling.state, ruling)
    return found, tell_ruling(ruling)


_JUDGES: Final[dict[str, Callable[[Node, dict[str, Node], Ruleset], Judged]]] = {
    "shot": judge_shot,
    "sequence": judge_sequence,
    **OTHER_TYPES,
}
