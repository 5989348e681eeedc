"""YAML and JSON files as plain data, with the line of every value.

Safe and bounded: no tags but YAML's own, no doubled keys, and limits on size, nesting and on what
aliases can grow into. Every fault is a FileError that names the file and the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import yaml

from sim.model.checks import brief
from sim.model.errors import FileError
from sim.shot.disk import read_text
from sim.shot.reading import MAX_DIGITS, plain_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Document", "read_document"]

KeyPath = tuple[str | int, ...]
Pairs = dict[tuple[str, str], tuple[yaml.ScalarNode, yaml.Node]]

MAX_BYTES: Final = 16 * 2**20
MAX_DEPTH: Final = 50
MAX_VALUES: Final = 300_000

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STR: Final = "tag:yaml.org,2002:str"
_KNOWN_TAGS: Final = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge")
)
_NUMBERS: Final = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_MERGE: Final = "tag:yaml.org,2002:merge"
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
    text = read_text(path, MAX_BYTES)
    return parse_document(text, str(path), is_json=path.suffix.lower() == ".json")


def parse_document(text: str, name: str, *, is_json: bool = False) -> Document:
    """Parse text as YAML or JSON. Raises FileError, `name` standing for the file."""
    if is_json:
        data = plain_json(text, name, depth=MAX_DEPTH)
        try:
            # JSON is YAML but for tabs: the same text gives the lines.
            lines = _parse_yaml(text.replace("\t", " "), name).lines
        except FileError:
            lines = {}
        return Document(name, data, lines)
    return _parse_yaml(text, name)


def _parse_yaml(text: str, name: str) -> Document:
    try:
        _bound(text, name)
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


def _bound(text: str, name: str) -> None:
    """Refuse deep nesting and endless lists before anything of them is kept."""
    depth = count = 0
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=_Loader)
    for event in events:
        if isinstance(event, yaml.NodeEvent):
            count += 1
            if count > 2 * MAX_VALUES:  # a value and its key
                line = _line(event.start_mark)
                raise FileError(
                    f"{name}: line {line}: got more than {MAX_VALUES} values, expected fewer"
                )
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
        self.merged: dict[int, Pairs | None] = {}

    def build(self, node: yaml.Node, path: KeyPath) -> object:
        """The data of a node; `path` leads to it."""
        line = _line(node.start_mark)
        self._grow(1 if len(path) <= MAX_DEPTH else MAX_VALUES, line)
        if node.tag not in _KNOWN_TAGS:
            raise FileError(f"{self.name}: line {line}: got tag {node.tag}, expected plain data")
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(entry, (*path, index)) for index, entry in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)  # there is no fourth kind of node
        return self._scalar(node, line)

    def _grow(self, values: int, line: int) -> None:
        """Aliases can make a small file grow without bound, or contain itself."""
        self.values += values
        if self.values > MAX_VALUES:
            raise FileError(f"{self.name}: line {line}: grows beyond {MAX_VALUES} values")

    def _scalar(self, node: yaml.ScalarNode, line: int) -> object:
        if node.tag == _STR and not node.style and _POINTLESS_FLOAT.fullmatch(node.value):
            return float(node.value)
        if node.tag in _NUMBERS and len(node.value) > MAX_DIGITS:
            raise FileError(
                f"{self.name}: line {line}: got a number of {len(node.value)} characters, expected "
                f"at most {MAX_DIGITS}"
            )
        try:
            value: object = self.loader.construct_object(node)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            # The loader trusts a tag that stands in the file: `!!int ""`, `!!timestamp noon`.
            raise FileError(
                f"{self.name}: line {line}: got {brief(node.value)}, expected a value of the kind "
                f"{node.tag.rpartition(':')[2]}"
            ) from None
        return value

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[object, object]:
        found: dict[object, object] = {}
        for key_node, value_node in self._pairs(node).values():
            name = self._scalar(key_node, _line(key_node.start_mark))
            step = name if isinstance(name, (str, int)) else str(name)
            self.lines[*path, step] = _line(key_node.start_mark)
            found[name] = self.build(value_node, (*path, step))
        return found

    def _pairs(self, node: yaml.MappingNode) -> Pairs:
        """The keys and values of a mapping, those it merges (`<<`) before its own.

        PyYAML's own merging copies every pair of every alias: three lines of aliases fill the
        memory.
        """
        line = _line(node.start_mark)
        if id(node) in self.merged:
            done = self.merged[id(node)]
            if done is None:
                raise FileError(f"{self.name}: line {line}: got a mapping that merges itself")
            return done
        self.merged[id(node)] = None
        own: Pairs = {}
        merges: list[yaml.Node] = []
        for key_node, value_node in node.value:
            place = _line(key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                raise FileError(f"{self.name}: line {place}: got a key that is no plain word")
            key = (key_node.tag, key_node.value)
            if key in own or (key_node.tag == _MERGE and merges):
                raise FileError(
                    f"{self.name}: line {place}: got the key {brief(key_node.value)} twice in one "
                    "mapping, expected once"
                )
            if key_node.tag == _MERGE:
                several = isinstance(value_node, yaml.SequenceNode)
                merges = list(value_node.value) if several else [value_node]
            else:
                own[key] = (key_node, value_node)
        pairs: Pairs = {}
        for other in reversed(merges):  # the first of several wins
            if not isinstance(other, yaml.MappingNode):
                place = _line(other.start_mark)
                raise FileError(f"{self.name}: line {place}: got no mapping to merge, expected one")
            merged = self._pairs(other)
            self._grow(len(merged), line)
            pairs |= merged
        pairs |= own
        self.merged[id(node)] = pairs
        return pairs
