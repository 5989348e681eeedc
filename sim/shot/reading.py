"""JSON from outside, read with suspicion: every value knows its place, every error is one line."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from sim.model.errors import FileError, TenballError

__all__ = ["MAX_DIGITS", "Node", "parse_json", "plain_json", "shown"]

MAX_DEPTH = 32
MAX_DIGITS = 40


@dataclass(frozen=True)
class Node:
    """One value of the file: the file's name, the keys that lead to it, and what stands there."""

    file: str
    path: tuple[str | int, ...]
    value: Any

    def error(self, got: str, expected: str) -> FileError:
        """The error to raise: file, key path, what was got, what was expected."""
        where = f"{self.file}: {spell(self.path)}" if self.path else self.file
        return FileError(f"{where}: got {got}, expected {expected}")

    def error_one_of(self, words: Collection[str]) -> FileError:
        """The error for a word that is none of these, with the nearest one."""
        hint = nearest(self.value, words)
        return self.error(shown(self.value), f"one of {', '.join(words)}{hint}")

    @contextmanager
    def model_errors(self) -> Iterator[None]:
        """Errors of the model's own checks come out as errors of this place in the file."""
        try:
            yield
        except TenballError as error:
            where = f"{self.file}: {spell(self.path)}" if self.path else self.file
            raise FileError(f"{where}: {error}") from None

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.error(shown(self.value), "an object {...}")
        return self.value

    def known(self, keys: Collection[str]) -> None:
        """Refuse keys that are not among these, naming the nearest one."""
        for key in self._object():
            if key not in keys:
                child = Node(self.file, (*self.path, key), None)
                hint = nearest(key, keys)
                raise child.error("an unknown key", f"one of {', '.join(keys)}{hint}")

    def need(self, key: str) -> Node:
        """The value of a key that must be there."""
        if key not in self._object():
            raise self.error(f"no key {key!r}", "one")
        return self[key]

    def __contains__(self, key: str) -> bool:
        return key in self._object()

    def __getitem__(self, key: str) -> Node:
        return Node(self.file, (*self.path, key), self._object()[key])

    def items(self) -> Iterator[tuple[str, Node]]:
        """(key, value) in the file's order."""
        return ((key, self[key]) for key in self._object())

    def number(self) -> float:
        """A finite number."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.error(shown(value), "a number")
        if not math.isfinite(value):
            raise self.error("a number too large to hold", "a finite number")
        return float(value)

    def numbers(self, least: int, most: int) -> list[float]:
        """A list of numbers of such a length."""
        several = f"{least}" if least == most else f"{least} or {most}"
        if not isinstance(self.value, list):
            raise self.error(shown(self.value), f"a list of {several} numbers")
        if not least <= len(self.value) <= most:
            raise self.error(f"{len(self.value)} values", f"a list of {several} numbers")
        return [
            Node(self.file, (*self.path, i), item).number() for i, item in enumerate(self.value)
        ]

    def integer(self) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error(shown(self.value), "a whole number")
        return self.value

    def string(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.error(shown(self.value), "a text in quotes")
        return self.value


def spell(path: tuple[str | int, ...]) -> str:
    """Keys as text: ("layout", "3", 0) is layout.3[0]."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            word = key.isascii() and key.replace("_", "").isalnum() and len(key) <= 60
            plain = key if word else shown(key)
            text += f".{plain}" if text else plain
    return text


def shown(value: Any) -> str:
    """A value as it would stand in the file, cut to fit a line."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(word: Any, words: Collection[str]) -> str:
    """A hint at the word that was probably meant, or nothing."""
    close = difflib.get_close_matches(str(word)[:60], words, 1) if isinstance(word, str) else []
    return f" (did you mean {close[0]}?)" if close else ""


def parse_json(text: str, name: str, *, one_line: bool = False) -> Node:
    """Read strict JSON with an object at the top; see `plain_json`.

    Raises:
        FileError: anything else, with line and column where there is one.
    """
    node = Node(name, (), plain_json(text, name, one_line=one_line))
    if not isinstance(node.value, dict):
        raise node.error(shown(node.value), "an object {...} at the top")
    return node


def plain_json(text: str, name: str, *, depth: int = MAX_DEPTH, one_line: bool = False) -> Any:
    """The data of strict JSON: no key twice, no NaN, no endless number, nesting bounded.

    `one_line`: the text is one line of a file, and `name` says which; errors name the column only.

    Raises:
        FileError: anything else, with line and column where there is one.
    """

    def refuse(message: str) -> NoReturn:
        raise FileError(f"{name}: {message}")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                refuse(f"got the key {shown(key)} twice in one object, expected it once")
            found[key] = value
        return found

    def whole(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            refuse(f"got a number of {len(digits)} digits, expected at most {MAX_DIGITS}")
        return int(digits)

    def constant(word: str) -> NoReturn:
        refuse(f"got {word}, expected a finite number")

    _check_depth(text, name, depth)
    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=whole, parse_constant=constant)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if one_line else f"line {error.lineno} column {error.colno}"
        message = error.msg[:1].lower() + error.msg[1:]
        raise FileError(f"{name}: {where}: got malformed JSON ({message})") from None


def _check_depth(text: str, name: str, most: int) -> None:
    """Refuse deep nesting before the parser recurses into it."""
    depth, quoted, escaped = 0, False, False
    for character in text:
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            if depth > most:
                raise FileError(
                    f"{name}: got brackets nested more than {most} deep, expected fewer"
                )
        elif character in "]}":
            depth -= 1
