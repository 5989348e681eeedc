"""A match on disk: JSON lines, each on the disk before its result is shown.

    {"tenball_journal": 1, "engine": "0.1.0"}
    {"n": 1, "crc": "5f1d6e0a", "command": {"do": "seat", ...}}
    {"n": 2, "crc": "0b7c9d11", "command": {"do": "choose_breaker", "breaker": "A"}}

`crc` is the CRC-32 of the command's text. A line is either whole and right or it is where reading
stops: what stands before it is kept, what is wrong is said, and the file itself is never changed
without a copy put beside it first.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from io import BytesIO, FileIO
from itertools import islice
from pathlib import Path
from typing import Any

from sim.game.commands import Command
from sim.game.errors import CommandRefused, JournalError
from sim.game.facts import engine_version
from sim.game.forms import command_form, command_of
from sim.game.lock import WriterLock, sync_folder
from sim.game.match import Game
from sim.game.reducer import reduce
from sim.model.errors import FileError
from sim.shot.disk import read_bytes, write_whole
from sim.shot.reading import parse_json

__all__ = ["FORMAT", "Journal", "JournalText", "read_journal"]

FORMAT = 1
MAX_LINE = 1 << 20
MAX_BYTES = 1 << 26  # of a match file: some ten thousand shots


@dataclass(frozen=True)
class JournalText:
    """What could be read of a match file.

    Attributes:
        path: the file.
        engine: version that began it, "" if unknown.
        commands: those that could be read and played, in order.
        game: the match they lead to.
        problems: what is wrong, one line each; empty if all is well.
        good: the bytes of the header and of the lines that were kept, as they stand in the file.
        rewrite: whether the file has to be written anew before it can be continued.
    """

    path: Path
    engine: str
    commands: tuple[Command, ...]
    game: Game
    problems: tuple[str, ...]
    good: bytes
    rewrite: bool


def read_journal(path: str | os.PathLike[str]) -> JournalText:
    """Read a match file as far as it can be read; it is not changed.

    Raises:
        JournalError: it cannot be opened, or holds nothing of a match.
    """
    where = Path(path)
    try:
        data = read_bytes(where, MAX_BYTES)
    except FileError as error:
        raise JournalError(str(error)) from None
    count = data.count(b"\n")
    # One by one: a list of millions of empty lines would fill the memory.
    lines = (line.removesuffix(b"\n") for line in BytesIO(data))
    head = next(lines, b"")
    engine, problems = _header(where, head)
    commands: list[Command] = []
    game = Game()
    kept = [_header_line(engine)] if problems or not count else [head]
    for number, line in enumerate(islice(lines, max(count - 1, 0)), start=2):
        try:
            command = _command(f"{where} line {number}", line, len(commands) + 1)
            game, _ = reduce(game, command)
        except CommandRefused as error:
            problems.append(f"{where} line {number}: got a command the rules refuse ({error})")
            break
        except FileError as error:
            problems.append(str(error))
            break
        commands.append(command)
        kept.append(line)
    else:
        if count and not data.endswith(b"\n"):
            problems.append(f"{where} line {count + 1}: got a line cut short, expected it whole")
    if not commands and problems:
        raise JournalError(f"{problems[0]}; nothing of a match could be read")
    left = count - 1 - len(commands)
    if left > 0:
        problems.append(f"{where}: kept {len(commands)} commands, left out {left} lines after them")
    good = b"".join(line + b"\n" for line in kept)
    return JournalText(where, engine, tuple(commands), game, tuple(problems), good, good != data)


def _header(path: Path, line: bytes) -> tuple[str, list[str]]:
    """(engine version, problems) of the first line."""
    name = f"{path} line 1"
    try:
        top = parse_json(_text(name, line), name, one_line=True)
        version = top.need("tenball_journal").integer()
        engine = top["engine"].string() if "engine" in top else ""
    except FileError as error:
        return "", [f"{error}, in the header of a tenball match"]
    if version == FORMAT:
        return engine, []
    age = "an older" if version < FORMAT else "a newer"
    return engine, [
        f"{name}: got format {version} of {age} version, expected format {FORMAT}; "
        "what reads as this format is kept"
    ]


def _command(name: str, line: bytes, number: int) -> Command:
    node = parse_json(_text(name, line), name, one_line=True)
    node.known(("n", "crc", "command"))
    got = node.need("n").integer()
    if got != number:
        raise node["n"].error(str(got), f"{number}, the next in order")
    child = node.need("command")
    if node.need("crc").string() != _crc(child.value):
        raise node["crc"].error(node["crc"].string(), f"{_crc(child.value)}: the line is damaged")
    return command_of(child)


def _text(name: str, line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise FileError(f"{name}: got {len(line)} bytes, expected at most {MAX_LINE}")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}: got byte 0x{line[error.start]:02x}, expected text in UTF-8"
        ) from None


def _crc(form: Any) -> str:
    # A lone surrogate can stand in JSON but not in UTF-8; it too is to be read without a traceback.
    text = json.dumps(form, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return f"{zlib.crc32(text):08x}"


def _header_line(engine: str) -> bytes:
    return json.dumps({"tenball_journal": FORMAT, "engine": engine or engine_version()}).encode()


def command_line(command: Command, number: int) -> bytes:
    """The line of a command, without its newline."""
    form = command_form(command)
    line = {"n": number, "crc": _crc(form), "command": form}
    return json.dumps(line, ensure_ascii=False).encode()


class Journal:
    """A match file open for writing. Use `create` or `resume`; close it, or use it in a `with`."""

    def __init__(self, path: Path, lock: WriterLock, count: int) -> None:
        self.path = path
        self._lock = lock
        self._count = count
        try:
            # Without a buffer: what could not be written must not come out with the next command.
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115  # for the whole match
            self._size = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            lock.release()
            raise JournalError(f"{path}: {error.strerror or error}") from None

    @classmethod
    def create(cls, path: str | os.PathLike[str]) -> Journal:
        """Begin a match file.

        Raises:
            JournalError: the file is there already, cannot be written, or has another writer.
        """
        where = Path(path)
        lock = _locked(where)
        try:
            _write_new(where, _header_line("") + b"\n")
            sync_folder(where.resolve().parent)
        except FileExistsError:
            lock.release()
            raise JournalError(
                f"{where}: got a file that is there already, expected a new name or to continue it"
            ) from None
        except OSError as error:
            lock.release()
            raise JournalError(f"{where}: {error.strerror or error}") from None
        return cls(where, lock, 0)

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> tuple[Journal, JournalText]:
        """Continue a match file; what is damaged is copied beside it first, then left out.

        Raises:
            JournalError: nothing of a match can be read, or the file has another writer.
        """
        where = Path(path)
        if not os.path.isfile(where):
            raise JournalError(f"{where}: got no such file, expected a match to continue")
        lock = _locked(where)
        try:
            text = read_journal(where)
            if text.rewrite:
                _back_up(where)
                write_whole(where, text.good)
        except FileError:
            lock.release()
            raise
        return cls(where, lock, len(text.commands)), text

    def append(self, command: Command) -> None:
        """Put a command on the disk; it is there when this returns.

        Raises:
            JournalError: it cannot be written.
        """
        line = command_line(command, self._count + 1) + b"\n"
        if self._size + len(line) > MAX_BYTES:
            raise JournalError(
                f"{self.path}: got a match of more than {MAX_BYTES} bytes, expected at most that; "
                "begin a new one"
            )
        try:
            _write_all(self._file, line)
            os.fsync(self._file.fileno())
        except (OSError, ValueError) as error:
            self._take_back()
            reason = getattr(error, "strerror", None) or error
            raise JournalError(f"{self.path}: cannot be written: {reason}") from None
        self._count += 1
        self._size += len(line)

    def _take_back(self) -> None:
        """Leave no half line where the next command would be written after it."""
        try:
            os.ftruncate(self._file.fileno(), self._size)
        except (OSError, ValueError):
            # It cannot be mended now: nothing more is written, and reading stops at the half line.
            self._file.close()

    def close(self) -> None:
        """Close the file and let another writer in; safe to call twice."""
        self._file.close()
        self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(path: Path) -> WriterLock:
    if not path.resolve().parent.is_dir():
        raise JournalError(f"{path}: got no such folder, expected one that is there")
    return WriterLock(path)


def _back_up(path: Path) -> Path:
    """Copy a file beside itself under the first free name; return that."""
    data = read_bytes(path, MAX_BYTES)
    for number in range(1, 1000):
        copy = path.with_name(f"{path.name}.damaged-{number}")
        try:
            _write_new(copy, data)
        except FileExistsError:
            continue
        except OSError as error:
            raise JournalError(f"{copy}: cannot be written: {error.strerror or error}") from None
        return copy
    raise JournalError(f"{path}: got 999 copies beside it, expected room for one more")


def _write_new(path: Path, data: bytes) -> None:
    """Put a new file on the disk; what cannot be written whole is not left behind."""
    with open(path, "xb", buffering=0) as file:
        try:
            _write_all(file, data)
            os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _write_all(file: FileIO, data: bytes) -> None:
    """Write all of it: without a buffer, a full disk may take only the beginning."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
