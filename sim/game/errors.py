"""What a match refuses.

TenballError
├── InputError
│   ├── CommandRefused     a command that is not available now, or is no command
│   └── FileError
│       └── JournalError   a match file that cannot be read or written, or is in use
"""

from __future__ import annotations

from sim.model.errors import FileError, InputError

__all__ = ["CommandRefused", "JournalError"]


class CommandRefused(InputError):
    """A command that is not available now: what, and what is needed instead, in one line.

    `code` names the reason in one word; a refusal changes nothing and is never a foul.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class JournalError(FileError):
    """A match file that cannot be used, in one line."""
