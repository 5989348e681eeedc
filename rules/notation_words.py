"""The words of a line, each with its column, and how to refuse one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

    from .terms import Side

NONE: Final = "-"


def split_words(text: str) -> Iterator[tuple[int, str]]:
    """Each word and its column, counted from 1."""
    if not isinstance(text, str):
        raise NotationError(f"got {text!r}, expected a text", 1)
    return ((found.start() + 1, found[0]) for found in re.finditer(r"\S+", text))


def match(pattern: str, word: tuple[int, str], expected: str) -> re.Match[str]:
    """The match of a whole word. Raises NotationError, saying what was expected."""
    found = re.fullmatch(pattern, word[1])
    if found is None:
        raise NotationError(f"got {word[1]!r}, expected {expected}", word[0])
    return found


def one_of(word: tuple[int, str], vocabulary: type[StrEnum]) -> str:
    """A word of a vocabulary. Raises NotationError for any other."""
    names = [str(name) for name in vocabulary]
    if word[1] not in names:
        raise NotationError(f"got {word[1]!r}, expected one of {', '.join(names)}", word[0])
    return word[1]


def side_of(text: str) -> Side:
    """The side that a matched letter names."""
    return "A" if text == "A" else "B"
