"""Stored sweeps with hostile bytes, and files that say they are larger than any memory."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import hostile_names, mangled, sizes

from sim import experiments as lab
from sim.experiments import store
from sim.model import FileError


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pd.DataFrame]:
    path = tmp_path_factory.mktemp("lab") / "shots.parquet"
    run = lab.sweep("ordinary_1", {"speed": [1.0, 3.0]}, n=30, seed=3, progress=False)
    run.write(path)
    return path, run.shots


@sizes(150)
def test_a_damaged_file_is_refused_or_is_the_frame(
    count: int, kept: tuple[Path, pd.DataFrame], tmp_path: Path
) -> None:
    """Never another frame: pages carry checksums. Never anything but FileError, in one line."""
    good, frame = kept
    data = good.read_bytes()
    refused = []
    for seed in range(count):
        bad = tmp_path / "bad.parquet"
        bad.write_bytes(mangled(data, random.Random(seed)))
        try:
            found = lab.read(bad)
        except FileError as error:
            refused.append(str(error))
        else:
            pd.testing.assert_frame_equal(found, frame)
    assert len(refused) > count // 2
    assert all("\n" not in text and len(text) < 1000 for text in refused)


def test_names_that_are_no_file(tmp_path: Path) -> None:
    for what, name in hostile_names(tmp_path).items():
        with pytest.raises(FileError) as caught:
            lab.read(name)
        assert "\n" not in str(caught.value), what


def test_a_small_file_of_very_many_rows_is_refused(
    kept: tuple[Path, pd.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A constant column of a thousand million rows is some kilobytes; here ten are too many."""
    monkeypatch.setattr(store, "_MOST_ROWS", 10)
    with pytest.raises(FileError, match=r"got 60 rows of .* expected at most 10 of 500"):
        lab.read(kept[0])
    monkeypatch.setattr(store, "_MOST_ROWS", 100)
    wide = tmp_path / "wide.parquet"
    about = pq.read_schema(kept[0]).metadata
    pq.write_table(
        pa.table({f"c{k}": [0] for k in range(501)}).replace_schema_metadata(about), wide
    )
    with pytest.raises(FileError, match=r"got 1 rows of 501 columns"):
        lab.read(wide)
