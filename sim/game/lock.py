"""One writer to a match file: a lock on a file beside it, let go by the system at death."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from sim.game.errors import JournalError

__all__ = ["WriterLock"]


class WriterLock:
    """Holds `<file>.lock` from construction until `release`.

    The lock belongs to the process: when that dies, however it dies, the system lets go. The lock
    file itself stays, empty; removing it would race with the next writer.

    Raises:
        JournalError: another writer holds it, or it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        try:
            self._file: IO[bytes] | None = open(self._path, "a+b")  # noqa: SIM115  # held, not scoped
        except OSError as error:
            raise JournalError(f"{self._path}: {error.strerror or error}") from None
        if not _try_lock(self._file):
            self._file.close()
            self._file = None
            raise JournalError(
                f"{path}: got a second writer, expected one: another program has this match open"
            )

    def release(self) -> None:
        """Let go; safe to call twice."""
        if self._file is not None:
            _unlock(self._file)
            self._file.close()
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[bytes]) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def sync_folder(path: Path) -> None:
    """Make a new file's name last, where the system can (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
