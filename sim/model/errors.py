"""The tree of errors.

TenballError                what went wrong, in one line: what, got, expected
├── InputError              something a caller or user handed in
│   ├── TableError          a table that cannot be
│   ├── LayoutError         balls where they cannot be
│   ├── StrokeError         a stroke or motion that cannot be
│   ├── MaterialsError      a constant outside its range
│   └── FileError           a file that cannot be read as what it claims to be
└── EngineError             the engine stopped itself
    └── EventLimitError     too many events; carries the shot as JSON
"""

from __future__ import annotations

import copyreg
from typing import Any

__all__ = [
    "EngineError",
    "EventLimitError",
    "FileError",
    "InputError",
    "LayoutError",
    "MaterialsError",
    "StrokeError",
    "TableError",
    "TenballError",
]


class TenballError(Exception):
    """Root of every error of `sim`; its text is one line fit to show to a person."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are restored by calling their class with `args`, the text alone: one that takes
        # more could not leave a process pool.
        state = super().__reduce__()[2:]
        return (copyreg.__newobj__, (type(self), *self.args), *state)  # type: ignore[attr-defined]  # not in the stubs


class InputError(TenballError, ValueError):
    """Something handed in cannot be used."""


class TableError(InputError):
    """A table whose measures cannot be."""


class LayoutError(InputError):
    """Balls where they cannot be."""


class StrokeError(InputError):
    """A stroke or motion that cannot be."""


class MaterialsError(InputError):
    """A constant outside its range."""


class FileError(InputError):
    """A file that cannot be read as what it claims to be."""


class EngineError(TenballError):
    """The engine stopped itself rather than return a wrong answer."""


class EventLimitError(EngineError):
    """A shot had more events than the limit allows.

    Attributes:
        shot: the shot as JSON text, to reproduce it with `tenball shot`.
    """

    def __init__(self, message: str, shot: str) -> None:
        super().__init__(message)
        self.shot = shot
