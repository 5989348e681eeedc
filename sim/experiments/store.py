"""Frames on disk as Parquet: one file, or a folder of parts that a sweep fills and resumes.

    breaks.parquet/
        _sweep.json                 the plan, in plain words
        part-00000000.parquet       rows of one task
        _events/part-00000000.parquet

A part is written under another name and then renamed, so it is whole or not there. Nothing that was
not written by the same sweep is ever touched. `pandas.read_parquet("breaks.parquet")` reads the
shots too.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sim.experiments.frames import _KINDS, _OTHERS, _POCKETS
from sim.experiments.plan import Plan
from sim.experiments.sampling import BLOCK
from sim.model import FileError
from sim.shot.disk import make_folder, read_text
from sim.shot.reading import parse_json, shown

__all__ = ["Store", "describe_file", "iter_shots", "read_events", "read_shots", "write_frame"]

_KEY = b"tenball"
_FORMAT = 1
# A file says how large it is once read; one of a few kilobytes may say anything.
_MOST_ROWS, _MOST_COLUMNS = 10_000_000, 500
_MANIFEST = 1 << 26  # bytes; a grid of a million values is written out
_PART = re.compile(r"part-(\d{8})\.parquet")


def write_frame(frame: pd.DataFrame, path: str | os.PathLike[str], plan: Plan) -> None:
    """Write a frame as one Parquet file, whole or not at all, with its plan in the metadata.

    Raises:
        FileError: it cannot be written.
    """
    target = Path(path)
    about = {
        "format": _FORMAT, "fingerprint": plan.fingerprint, "columns": _columns(frame),
        "plan": plan.describe(),
    }  # fmt: skip
    table = pa.Table.from_pandas(frame, preserve_index=False)
    text = json.dumps(about, default=repr)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), _KEY: text})
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)
        os.replace(temporary, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise FileError(f"{target}: cannot be written: {error}") from None


def describe_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a stored sweep says of itself: format, fingerprint, plan.

    Raises:
        FileError: not Parquet, damaged, or not written by sim.experiments.
    """
    file = Path(path)
    if _is_folder(file):
        return Store.manifest(file)
    try:
        metadata = pq.read_metadata(file).metadata or {}
    except (OSError, pa.ArrowException) as error:
        raise FileError(f"{file}: got {_one_line(error)}, expected a Parquet file") from None
    try:
        about = parse_json(metadata[_KEY].decode(), str(file))
        written = about.need("format").integer()
        about.need("fingerprint").string()
    except (KeyError, ValueError):
        raise FileError(
            f"{file}: got a Parquet file of something else, expected one of sim.experiments"
        ) from None
    if written != _FORMAT:
        raise about["format"].error(str(written), f"{_FORMAT}")
    return dict(about.value)


def _is_folder(path: Path) -> bool:
    """Whether it is a folder; else it is a plain file.

    Raises:
        FileError: it is neither: not there, a pipe (which may never end), a name that cannot be.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file or folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"{str(path)[:300]!r}: {reason}") from None
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise FileError(f"{path}: got a pipe or a device, expected a file or folder")
    return stat.S_ISDIR(mode)


def _one_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _columns(frame: pd.DataFrame) -> dict[str, str]:
    """Names and types: the part of a file that its checksums do not cover."""
    return {str(name): str(dtype) for name, dtype in frame.dtypes.items()}


def _read(file: Path, fingerprint: str | None = None) -> pd.DataFrame:
    """The frame of one file; with a fingerprint, of that sweep only."""
    about = describe_file(file)
    if fingerprint is not None and about["fingerprint"] != fingerprint:
        raise FileError(f"{file}: belongs to another sweep")
    told = pq.read_metadata(file)
    if told.num_rows > _MOST_ROWS or told.num_columns > _MOST_COLUMNS:
        raise FileError(
            f"{file}: got {told.num_rows} rows of {told.num_columns} columns, expected at most "
            f"{_MOST_ROWS} of {_MOST_COLUMNS}; a larger sweep belongs in a folder (`store=`)"
        )
    try:
        frame = pq.read_table(file, page_checksum_verification=True).to_pandas()
    except (OSError, ValueError, OverflowError, MemoryError, pa.ArrowException) as error:
        raise FileError(f"{file}: damaged: {_one_line(error)}") from None
    if _columns(frame) != about.get("columns"):
        raise FileError(f"{file}: damaged: its columns are not those it was written with")
    # A file holds only the categories that occur in it.
    for name in frame.columns:
        if name.startswith("pocket_"):
            frame[name] = frame[name].astype(_POCKETS)
        elif name == "kind":
            frame[name] = frame[name].astype(_KINDS)
        elif name == "other":
            frame[name] = frame[name].astype(_OTHERS)
    return frame


def _read_part(
    file: Path, number: int, about: dict[str, Any], *, events: bool = False
) -> pd.DataFrame:
    """The frame of one part of a store: of this sweep, of this task, shots or events as asked.

    Raises:
        FileError: it is damaged or something else; a part of the same sweep copied over another is.
    """
    frame = _read(file, about["fingerprint"])
    first = number * about["chunk"]
    last = min(first + about["chunk"], about["total"])
    if "shot" in frame and ("kind" in frame) == events:
        rows = frame["shot"].to_numpy()
        if events and np.all((first <= rows) & (rows < last)):
            return frame
        if not events and np.array_equal(rows, np.arange(first, last)):
            return frame
    wanted = f"the {'events' if events else 'shots'} of rows {first} to {last - 1}"
    raise FileError(
        f"{file}: got another part, expected {wanted if first < last else 'none of this number'}"
    )


def read_shots(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The shots of a stored sweep: a file written by `Run.write`, or a store's folder.

    Raises:
        FileError: not there, damaged, or not written by sim.experiments.
    """
    frames = list(iter_shots(path))
    if not frames:
        raise FileError(f"{path}: the sweep has no finished part yet")
    return pd.concat(frames, ignore_index=True)


def iter_shots(path: str | os.PathLike[str]) -> Iterator[pd.DataFrame]:
    """The shots of a stored sweep part by part, in order: for more than fits in memory."""
    target = Path(path)
    if _is_folder(target):
        about = Store.manifest(target)
        for number, part in _parts(target).items():
            yield _read_part(part, number, about)
    else:
        yield _read(target)


def read_events(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The events of a stored sweep.

    Raises:
        FileError: as `read_shots`; a sweep that kept no events.
    """
    folder = Path(path) / "_events"
    about = Store.manifest(Path(path))
    frames = [_read_part(part, k, about, events=True) for k, part in _parts(folder).items()]
    if not frames:
        raise FileError(f"{path}: got a sweep without events, expected one made with events=True")
    return pd.concat(frames, ignore_index=True)


def _parts(folder: Path) -> dict[int, Path]:
    found = {}
    for path in sorted(folder.glob("part-*.parquet")):
        if match := _PART.fullmatch(path.name):
            found[int(match[1])] = path
    return found


class Store:
    """A folder that one sweep fills.

    Raises:
        FileError: the path holds anything but this very sweep.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, chunk: int) -> None:
        self.path = Path(path)
        self.plan = plan
        if self.path.is_file():
            raise FileError(
                f"{self.path}: got a file, expected a folder of a sweep or nothing there"
            )
        if self.path.is_dir() and any(self.path.iterdir()):
            about = self.manifest(self.path)
            if about.get("fingerprint") != plan.fingerprint:
                raise FileError(
                    f"{self.path}: holds another sweep{_difference(about, plan)}; expected this "
                    "one or nothing there (it is left as it is)"
                )
            self.chunk = int(about["chunk"])
            return
        self.chunk = chunk
        try:
            (self.path / "_events").mkdir(parents=True, exist_ok=True)
            about = {
                "format": _FORMAT, "fingerprint": plan.fingerprint, "chunk": chunk,
                "total": plan.total, "engine": _engine(), "plan": plan.describe(),
            }  # fmt: skip
            text = json.dumps(about, indent=1, default=repr)
            temporary = self.path / "._sweep.tmp"
            temporary.write_text(text + "\n", encoding="utf-8")
            os.replace(temporary, self.path / "_sweep.json")
        except OSError as error:
            raise FileError(f"{self.path}: cannot be written: {error}") from None

    @staticmethod
    def manifest(folder: Path) -> dict[str, Any]:
        """What a store's folder says of itself.

        Raises:
            FileError: it is no store, or its manifest is damaged.
        """
        if not _is_folder(folder) or not (folder / "_sweep.json").exists():
            raise FileError(f"{folder}: got a folder of something else, expected a sweep")
        try:
            about = parse_json(read_text(folder / "_sweep.json", _MANIFEST), "manifest")
            if about.need("format").integer() != _FORMAT:
                raise about["format"].error(shown(about["format"].value), f"{_FORMAT}")
            about.need("fingerprint").string()
            chunk, total = about.need("chunk").integer(), about.need("total").integer()
            if chunk < 1 or chunk % BLOCK:
                raise about["chunk"].error(shown(about["chunk"].value), f"a multiple of {BLOCK}")
            if total < 1:
                raise about["total"].error(shown(about["total"].value), "at least 1")
        except FileError as error:
            raise FileError(f"{folder}/_sweep.json: damaged: {error}") from None
        return dict(about.value)

    def part(self, number: int) -> Path:
        """Where the shots of a task lie."""
        return self.path / f"part-{number:08d}.parquet"

    def write(self, number: int, shots: pd.DataFrame, events: pd.DataFrame | None) -> None:
        """Keep a finished task; its shots are written last, as they mark it finished."""
        if events is not None:
            make_folder(self.path / "_events")
            write_frame(events, self.path / "_events" / self.part(number).name, self.plan)
        write_frame(shots, self.part(number), self.plan)

    def done(self) -> set[int]:
        """Finished tasks. A damaged part is set aside under another name, and played again."""
        finished = set()
        about = {
            "fingerprint": self.plan.fingerprint, "chunk": self.chunk, "total": self.plan.total,
        }  # fmt: skip
        for number, path in _parts(self.path).items():
            try:
                _read_part(path, number, about)
                if self.plan.judging.events:
                    _read_part(self.path / "_events" / path.name, number, about, events=True)
            except FileError as error:
                aside = _set_aside(path)
                warnings.warn(f"{error}; set aside as {aside.name}, played again", stacklevel=4)
                continue
            finished.add(number)
        return finished


def _set_aside(path: Path) -> Path:
    """Give a damaged part a name that nothing has yet; the name."""
    aside, count = path.with_name(path.name + ".damaged"), 1
    while os.path.lexists(aside):
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{count}")
    try:
        os.replace(path, aside)
    except OSError as error:
        raise FileError(f"{path}: damaged, cannot be set aside: {error}") from None
    return aside


def _difference(about: dict[str, Any], plan: Plan) -> str:
    """What makes another sweep another, as far as its manifest tells."""
    if about.get("engine") != _engine():
        return f" (of engine {about.get('engine')}; this is {_engine()})"
    told = json.loads(json.dumps(plan.describe(), default=repr))
    kept = about.get("plan")
    if not isinstance(kept, dict):
        return ""
    parts = [name for name in told if kept.get(name) != told[name]]
    return f" (its {', '.join(parts)} differ)" if parts else ""


def _engine() -> str:
    from sim import __version__

    return __version__
