"""Text that can be drawn, whatever it was made of."""

from __future__ import annotations

__all__ = ["drawable"]


def drawable(text: str) -> str:
    """The text with a mark for each letter that no font has and no encoding knows.

    A file's name need not be UTF-8: Python keeps such bytes as halves of a letter, and Panda3D ends the
    whole program when it is to draw one.
    """
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
