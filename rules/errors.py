"""The error tree of the rules.

::

    RulesError
    +-- RecordError              a sighting that cannot have happened
    +-- DeclarationRefused       a call, safety, push-out or shot that is not available now
    +-- DecisionRefused          an answer by the wrong player, not offered, or out of order
    +-- InfractionRefused        an infraction that this ruleset does not know
    +-- RefereeDecisionRequired  a person has to choose a penalty first
    +-- NotationError            a one-line text that cannot be read
    +-- CasebookError            a case that cannot be judged

Every message is one line and says what, got and expected. A refusal is never a foul.
"""

from __future__ import annotations

import copyreg
from typing import Any


class RulesError(Exception):
    """Root of everything the rules refuse, in one line: what, got, expected."""

    def __init__(self, message: str) -> None:
        # What was got may be anything, of any length; the line it is shown in may not.
        text = " ".join(message.split())
        super().__init__(text if len(text) <= 600 else f"{text[:400]} ... {text[-190:]}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are restored by calling their class with `args`, the text alone: one that takes
        # more could not leave a process pool.
        state = super().__reduce__()[2:]
        return (copyreg.__newobj__, (type(self), *self.args), *state)  # type: ignore[attr-defined]  # not in the stubs


class RecordError(RulesError):
    """A record that cannot be: a ball that is not there, pocketed twice, an unknown word.

    `index` is the place of the sighting in the record, `field` its place inside the sighting;
    both are None where the record as a whole is at fault.
    """

    def __init__(self, message: str, index: int | None = None, field: int | None = None) -> None:
        super().__init__(message)
        self.index = index
        self.field = field


class DeclarationRefused(RulesError):
    """A declaration that is not available. `code` names the reason in one word."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class DecisionRefused(RulesError):
    """An answer to an option that is refused. `code` names the reason in one word."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InfractionRefused(RulesError):
    """An infraction that the ruleset in force does not know (a template under LBM or WPA)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class RefereeDecisionRequired(RulesError):
    """The referee has to choose the penalty before there is a ruling. `options` are his choices."""

    code = "referee_decision_required"

    def __init__(self, message: str, options: tuple[str, ...]) -> None:
        super().__init__(message)
        self.options = options


class NotationError(RulesError):
    """A one-line text that cannot be read. `column` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")
        self.column = column


class CasebookError(RulesError):
    """A case that cannot be judged. `case` is its id, `path` the keys that lead to the fault."""

    def __init__(self, case: str, path: tuple[str | int, ...], message: str) -> None:
        self.case = case
        self.path = path
        self.reason = message
        super().__init__(f"case {case}: {spell_path(path)}: {message}")


def spell_path(path: tuple[str | int, ...]) -> str:
    """A key path as text: ('events', 2, 1) is ``events[2][1]``."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            word = key if len(key) <= 60 else f"{key[:57]}..."
            text += f".{word}" if text else word
    return text or "(file)"
