"""Reading parsed case files: plain data with its key path, so that every fault names its place."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, NoReturn

from .errors import CasebookError
from .terms import CUE_BALL, CUSHIONS, OBJECT_BALLS, POCKETS, SIDES, Side

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of plain data, the case it belongs to and the key path that leads to it.

    Every reading method raises CasebookError, naming both, where the data is something else.
    """

    value: object
    case: str
    path: Path

    def fault(self, expected: str) -> NoReturn:
        """Refuse this value: what was got, what was expected."""
        raise CasebookError(self.case, self.path, f"got {_show(self.value)}, expected {expected}")

    def wrong(self, message: str) -> NoReturn:
        """Refuse this value with a message of its own."""
        raise CasebookError(self.case, self.path, message)

    def under(self, key: str | int, value: object) -> Node:
        """A value one key further down."""
        return Node(value, self.case, (*self.path, key))

    def keys(self, allowed: Collection[str]) -> dict[str, Node]:
        """The entries of a mapping that has no other keys than these."""
        if not isinstance(self.value, dict):
            self.fault(f"a mapping of {', '.join(sorted(allowed))}")
        found: dict[str, Node] = {}
        for key, value in self.value.items():
            if not isinstance(key, str) or key not in allowed:
                name = key if isinstance(key, (str, int)) else str(key)
                self.under(name, value).wrong(
                    f"unknown key {_show(key)}, expected one of {', '.join(sorted(allowed))}"
                )
            found[key] = self.under(key, value)
        return found

    def items(self) -> Iterator[Node]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            self.fault("a list")
        return (self.under(index, value) for index, value in enumerate(self.value))

    def length(self, least: int, most: int, what: str) -> list[Node]:
        """The entries of a list of this length."""
        entries = list(self.items())
        if not least <= len(entries) <= most:
            self.fault(what)
        return entries

    @property
    def is_null(self) -> bool:
        """Whether the value is null."""
        return self.value is None

    def flag(self) -> bool:
        """A boolean."""
        if not isinstance(self.value, bool):
            self.fault("true or false")
        return self.value

    def whole(self, least: int, most: int = 10**6) -> int:
        """A whole number in a range."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fault(f"a whole number from {least} to {most}")
        return value

    def number(self, least: float = -1e6, most: float = 1e6) -> float:
        """A finite number in a range."""
        value = self.value
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not isfinite(value)
            or not least <= value <= most
        ):
            self.fault("a number" if least < 0 else f"a number, {least:g} or more")
        return float(value)

    def text(self) -> str:
        """Text that is not empty."""
        if not isinstance(self.value, str) or not self.value:
            self.fault("text")
        return self.value

    def word(self, vocabulary: Collection[str]) -> str:
        """A word of a closed vocabulary."""
        if not isinstance(self.value, str) or self.value not in vocabulary:
            self.fault(f"one of {', '.join(vocabulary)}")
        return self.value

    def side(self) -> Side:
        """A or B."""
        for side in SIDES:
            if self.value == side:
                return side
        self.fault("A or B")

    def ball(self) -> int:
        """`cue` or 1..10, as a ball number."""
        return CUE_BALL if self.value == "cue" else self.object_ball("cue or a ball 1..10")

    def object_ball(self, expected: str = "an object ball 1..10") -> int:
        """1..10."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or value not in OBJECT_BALLS:
            self.fault(expected)
        return value

    def object_balls(self) -> frozenset[int]:
        """A list of different object balls."""
        found: set[int] = set()
        for entry in self.items():
            ball = entry.object_ball()
            if ball in found:
                entry.wrong(f"ball {ball} is listed twice, expected it once")
            found.add(ball)
        return frozenset(found)

    def pocket(self) -> str:
        """The name of a pocket."""
        return self.word(POCKETS)

    def cushion(self) -> str:
        """The name of a cushion."""
        return self.word(CUSHIONS)

    def count_each(self, most: int = 10**6) -> dict[Side, int]:
        """{A: n, B: n}; a side left out counts zero."""
        entries = self.keys(SIDES)
        return {side: entries[side].whole(0, most) if side in entries else 0 for side in SIDES}


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
