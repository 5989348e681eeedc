"""YAML and JSON files as plain data, with the line of every value.

Safe and bounded: no tags but YAML's own, no doubled keys, and limits on size, nesting and on what
aliases can grow into. Every fault is a FileError that names the file and the line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import yaml

from sim.model.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Document", "read_document"]

KeyPath = tuple[str | int, ...]

MAX_BYTES: Final = 32 * 2**20
MAX_DEPTH: Final = 50
MAX_VALUES: Final = 2_000_000

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STR: Final = "tag:yaml.org,2002:str"
_KNOWN_TAGS: Final = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge")
)
# YAML 1.1 reads 1e-06 as text for want of a point; JSON and YAML 1.2 read the number.
_POINTLESS_FLOAT: Final = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+")


@dataclass(frozen=True)
class Document:
    """A parsed file: its plain data and the line, from 1, on which each key path stands."""

    name: str
    data: object
    lines: dict[KeyPath, int] = field(repr=False)

    def line_of(self, path: KeyPath) -> int | None:
        """The line of a key path, or of the nearest of its parents that has one."""
        for length in range(len(path), -1, -1):
            line = self.lines.get(path[:length])
            if line is not None:
                return line
        return None


def read_document(path: Path) -> Document:
    """Read a YAML file, or a JSON file if its name ends so. Raises FileError."""
    name = str(path)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FileError(f"{name}: got {size} bytes, expected at most {MAX_BYTES}")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{name}: got byte {error.start} that is no UTF-8 text") from error
    return parse_document(text, name, is_json=path.suffix.lower() == ".json")


def parse_document(text: str, name: str, *, is_json: bool = False) -> Document:
    """Parse text as YAML or JSON. Raises FileError, `name` standing for the file."""
    if is_json:
        data = _parse_json(text, name)
        try:
            # JSON is YAML but for tabs: the same text gives the lines.
            lines = _parse_yaml(text.replace("\t", " "), name).lines
        except FileError:
            lines = {}
        return Document(name, data, lines)
    return _parse_yaml(text, name)


def _parse_json(text: str, name: str) -> object:
    depth = 0
    for mark in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text):
        depth += 1 if mark[0] in "[{" else -1 if mark[0] in "]}" else 0
        if depth > MAX_DEPTH:
            raise FileError(f"{name}: nested more than {MAX_DEPTH} deep")

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                raise FileError(f"{name}: got the key {key!r} twice in one mapping, expected once")
            found[key] = value
        return found

    def no_constant(word: str) -> object:
        raise FileError(f"{name}: got {word}, expected a finite number")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        raise FileError(f"{name}: line {error.lineno}: {error.msg}") from error
    except ValueError as error:  # an integer with thousands of digits
        raise FileError(f"{name}: {error}") from error


def _parse_yaml(text: str, name: str) -> Document:
    try:
        _bound_depth(text, name)
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise FileError(f"{name}: got an empty file, expected cases")
            builder = _Builder(loader, name)
            data = builder.build(node, ())
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise FileError(f"{name}: {where}{error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise FileError(f"{name}: {' '.join(str(error).split())}") from error
    return Document(name, data, builder.lines)


def _bound_depth(text: str, name: str) -> None:
    depth = 0
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=_Loader)
    for event in events:
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
            if depth > MAX_DEPTH:
                line = _line(event.start_mark)
                raise FileError(f"{name}: line {line}: nested more than {MAX_DEPTH} deep")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1


def _line(mark: Any) -> int:
    # The marks of the C and of the Python loader share no type; both count lines from 0.
    return int(mark.line) + 1


class _Builder:
    """Turns composed nodes into plain data, noting the line of each key path."""

    def __init__(self, loader: yaml.SafeLoader, name: str) -> None:
        self.loader = loader
        self.name = name
        self.lines: dict[KeyPath, int] = {}
        self.values = 0

    def build(self, node: yaml.Node, path: KeyPath) -> object:
        """The data of a node; `path` leads to it."""
        line = _line(node.start_mark)
        self.values += 1
        # Aliases can make a small file grow without bound, or contain itself.
        if self.values > MAX_VALUES or len(path) > MAX_DEPTH:
            raise FileError(f"{self.name}: line {line}: grows beyond {MAX_VALUES} values")
        if node.tag not in _KNOWN_TAGS:
            raise FileError(f"{self.name}: line {line}: got tag {node.tag}, expected plain data")
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(entry, (*path, index)) for index, entry in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)  # there is no fourth kind of node
        return self._scalar(node, line)

    def _scalar(self, node: yaml.ScalarNode, line: int) -> object:
        if node.tag == _STR and not node.style and _POINTLESS_FLOAT.fullmatch(node.value):
            return float(node.value)
        try:
            value: object = self.loader.construct_object(node)
        except ValueError as error:
            raise FileError(f"{self.name}: line {line}: {error}") from error
        return value

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[object, object]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            line = _line(key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                raise FileError(f"{self.name}: line {line}: got a key that is no plain word")
            key = (key_node.tag, key_node.value)
            if key in seen:
                raise FileError(
                    f"{self.name}: line {line}: got the key {key_node.value!r} twice in one "
                    "mapping, expected once"
                )
            seen.add(key)
        self.loader.flatten_mapping(node)
        found: dict[object, object] = {}
        for key_node, value_node in node.value:
            name = self._scalar(key_node, _line(key_node.start_mark))
            step = name if isinstance(name, (str, int)) else str(name)
            self.lines[*path, step] = _line(key_node.start_mark)
            found[name] = self.build(value_node, (*path, step))
        return found
