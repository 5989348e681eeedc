"""Files read with a limit, whatever they are, and written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from sim.model.errors import FileError, TenballError

__all__ = ["MAX_BYTES", "decoded", "make_folder", "read_bytes", "read_text", "write_whole"]

MAX_BYTES = 1 << 20


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """The bytes of a plain file of at most `limit` bytes; nothing beyond that is ever held.

    Pipes and devices are refused: a pipe may never be written to, and some devices have no end.

    Raises:
        FileError: no such file, no plain file, not readable, too long.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"{name}: got a pipe or a device, expected a plain file")
            data = file.read(limit + 1)
    except IsADirectoryError:
        raise FileError(f"{name}: got a folder, expected a plain file") from None
    except OSError as error:
        raise FileError(f"{name}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        if isinstance(error, TenballError):
            raise
        raise FileError(f"{name!r}: {error}") from None
    if len(data) > limit:
        raise FileError(f"{name}: got more than {limit} bytes, expected at most that")
    return data


def _at_once(path: str, flags: int) -> int:
    # Opening a pipe waits until somebody writes to it, unless asked not to.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def decoded(data: bytes, name: str) -> str:
    """UTF-8 bytes as text (a byte order mark is dropped); `name` stands for them in errors.

    Raises:
        FileError: they are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}: got byte 0x{data[error.start]:02x} at offset {error.start}, "
            "expected text in UTF-8"
        ) from None


def read_text(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """The text of a plain UTF-8 file of at most `limit` bytes.

    Raises:
        FileError: as read_bytes; not UTF-8.
    """
    return decoded(read_bytes(path, limit), os.fspath(path))


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those above it, where they are not there yet.

    Raises:
        FileError: it cannot be made, or something else has its name.
    """
    name = os.fspath(path)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise FileError(f"{name}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise FileError(f"{name!r}: {error}") from None


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file so that it is either the old one or the new one, never half of it.

    The data go to a file beside it, are flushed to the disk, and take its place in one step. What
    is not a plain file (a pipe, a terminal) is written to directly. Text becomes UTF-8 with plain
    newlines.

    Raises:
        FileError: it cannot be written; then nothing has changed.
    """
    name = os.fspath(path)
    content = data.encode("utf-8") if isinstance(data, str) else data
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            with open(target, "wb") as file:
                file.write(content)
            return
        if target.is_dir():
            raise FileError(f"{name}: got a folder, expected the name of a file to write")
        beside = target.with_name(f".tenball-{secrets.token_hex(8)}.tmp")
        try:
            with open(beside, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, target)
        except BaseException:  # Ctrl-C too: nothing half-written stays behind
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(f"{name}: cannot be written: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name, or not a name at all
        if isinstance(error, TenballError):
            raise
        raise FileError(f"{name!r}: cannot be written: {error}") from None
