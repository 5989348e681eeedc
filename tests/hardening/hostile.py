"""Hostile things to hand to a door, and what a door may answer."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RulesError
from sim.model.errors import TenballError

LONGEST = 1200
MEMORY = 300e6  # bytes that reading any one file may take at most
SOAK = 20  # times as many examples behind the marker

RUDE_NUMBERS = (
    0, -1, 1, 7, 10**40, 10**400, -(10**25), 1e308, -1e308, 5e-324, 1e-7, 0.5, True, False, None,
)  # fmt: skip
RUDE_WORDS = ("", "x", "a\nb", "\ud800", "\x00", "\x1b[31m", "é", "x" * 5000, "NaN", "../../etc")
RUDE_VALUES: tuple[Any, ...] = (*RUDE_NUMBERS, *RUDE_WORDS, [], {}, [[]], [1] * 300, {"x": {}})


def refusal(error: BaseException) -> str:
    """The text of a refusal, which is one line and not endless."""
    assert isinstance(error, TenballError | RulesError), repr(error)
    text = str(error)
    assert 0 < len(text) <= LONGEST, text[:200]
    assert "\n" not in text
    return text


def offered(door: Callable[..., Any], *args: Any, **options: Any) -> str:
    """Offer something to a door: "" if it was taken, else the one line it was refused with."""
    try:
        door(*args, **options)
    except (TenballError, RulesError) as error:
        return refusal(error)
    return ""


@contextmanager
def little_memory() -> Iterator[None]:
    """What happens inside takes less than MEMORY."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


def mangled(data: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut, doubled, moved or put in."""
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        a, b = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 2, 20, 500)))
        kind = rng.randrange(6)
        if kind == 0:
            content[a:b] = bytes(rng.randrange(256) for _ in range(b - a))
        elif kind == 1:
            del content[a:]
        elif kind == 2:
            del content[a:b]
        elif kind == 3:
            content[a:a] = content[a:b] * rng.choice((1, 3, 50))
        elif kind == 4:
            content[a:a] = rng.choice(_PIECES)
        else:
            return (
                bytes(content).decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")
            )
    return bytes(content)


_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "utf-7")
_PIECES = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"[" * 4000, b'{"a":' * 4000, b"9" * 5000, b"NaN", b"-Infinity",
    b"1e999", b'"\\ud800"', b"\\", b'"', b"\n", b"\r", b"\t", b"&a ", b"*a", b"<<: *a\n", b"!!int ''",
    b"!!python/object/apply:os.system ['true']", b"!!timestamp noon", b"? ", b": ", b"- ", b"---\n", b"#",
    b"1:" * 3000, b"\x1b[2J", "\u2028".encode(),
)  # fmt: skip


def twisted(value: Any, rng: random.Random) -> Any:
    """Plain data with one value somewhere in it replaced, removed or given another key."""
    data = json.loads(json.dumps(value))
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in list(pairs):
            places.append((node, key))
            if isinstance(child, dict | list):
                walk(child)

    walk(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        holder, key = rng.choice(places)
        kind = rng.randrange(4)
        if kind == 0 and isinstance(holder, dict):
            holder.pop(key, None)
        elif kind == 1 and isinstance(holder, dict):
            holder[rng.choice([w for w in RUDE_WORDS if w != "\ud800"])] = 1
        elif isinstance(holder, dict) or key < len(holder):
            holder[key] = rng.choice(RUDE_VALUES)
    return data


def hostile_names(folder: Path) -> dict[str, Path]:
    """Names that are no file to read: what they are, and where."""
    names = {
        "folder": folder / "a-folder",
        "loop": folder / "loop",
        "nothing": folder / "nothing",
        "long": folder / ("x" * 300),
        "nul": folder / "a\x00b",
        "beneath a file": folder / "plain" / "below",
        "sparse gigabyte": folder / "sparse",
    }
    names["folder"].mkdir()
    (folder / "plain").write_bytes(b"x")
    with open(names["sparse gigabyte"], "wb") as file:
        file.truncate(1 << 30)
    if os.name == "posix":
        names["loop"].symlink_to(names["loop"])
        names |= {
            "pipe": folder / "pipe",
            "endless device": Path("/dev/zero"),
            "terminal": Path("/dev/tty"),
        }
        os.mkfifo(names["pipe"])
    return names


def sizes(small: int) -> Any:
    """Parametrises `count`: a small sample always, a larger one behind the marker."""
    return pytest.mark.parametrize(
        "count", [small, pytest.param(SOAK * small, marks=pytest.mark.soak, id="soak")]
    )
