"""The size of a picture or a window."""

from __future__ import annotations

from sim.model.errors import InputError

__all__ = ["MAX_SIZE", "parse_size"]

MAX_SIZE = 4096


def parse_size(text: str) -> tuple[int, int]:
    """`1280x720` as (1280, 720).

    Raises:
        InputError: anything else, or a side outside 16..4096.
    """
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() for p in parts):
        raise InputError(f"size: got {text!r}, expected WIDTHxHEIGHT such as 1280x720")
    width, height = int(parts[0]), int(parts[1])
    if not (16 <= width <= MAX_SIZE and 16 <= height <= MAX_SIZE):
        raise InputError(f"size: got {text!r}, expected sides from 16 to {MAX_SIZE} pixels")
    return width, height
