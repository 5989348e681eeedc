"""Parquet: written, read, interrupted, resumed, damaged, foreign."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest

import sim
from sim import experiments as lab
from sim.experiments import sweeping
from sim.experiments.sampling import BLOCK

PARAMETERS = {"speed": [1.0, 3.0], "azimuth": lab.Uniform(0.0, 6.28), "e_ball": [0.93, 0.95]}


def played(**options):
    return lab.sweep(
        "ordinary_1", PARAMETERS, n=200, seed=3, progress=False, chunk=BLOCK, **options
    )


@pytest.fixture(scope="module")
def undisturbed():
    return played(events=True)


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_file_reads_back_as_the_frame(tmp_path, undisturbed):
    file = tmp_path / "shots.parquet"
    undisturbed.write(file)
    pd.testing.assert_frame_equal(lab.read(file), undisturbed.shots)
    assert lab.describe_file(file)["plan"]["seed"] == 3
    assert [p.name for p in tmp_path.iterdir()] == ["shots.parquet"]


def test_a_stored_sweep_is_the_sweep(tmp_path, undisturbed):
    run = played(events=True, store=tmp_path / "s")
    pd.testing.assert_frame_equal(run.shots, undisturbed.shots)
    pd.testing.assert_frame_equal(run.events, undisturbed.events)
    pd.testing.assert_frame_equal(lab.read(tmp_path / "s"), undisturbed.shots)
    plain = pd.read_parquet(tmp_path / "s")
    assert plain["duration"].tolist() == undisturbed.shots["duration"].tolist()
    assert sum(map(len, run.chunks())) == 800


def interrupted_after(parts, monkeypatch):
    """Ctrl-C while the part after so many is being kept."""
    keep = sweeping.Run._keep
    kept = []

    def interrupted(self, number, shots, events):
        if len(kept) == parts:
            raise KeyboardInterrupt
        keep(self, number, shots, events)
        kept.append(number)

    monkeypatch.setattr(sweeping.Run, "_keep", interrupted)


def test_an_interrupt_keeps_what_is_done_and_the_same_call_goes_on(
    tmp_path, monkeypatch, undisturbed
):
    with monkeypatch.context() as patch:
        interrupted_after(2, patch)
        with pytest.warns(lab.SweepInterrupted, match=r"interrupted after 512 of 800 shots"):
            run = played(events=True, store=tmp_path / "s", executor=1)
    assert not run.complete
    part = lab.read(tmp_path / "s")
    pd.testing.assert_frame_equal(part, undisturbed.shots.iloc[:512])
    before = files(tmp_path / "s")
    again = played(events=True, store=tmp_path / "s")
    assert again.complete
    pd.testing.assert_frame_equal(again.shots, undisturbed.shots)
    pd.testing.assert_frame_equal(again.events, undisturbed.events)
    after = files(tmp_path / "s")
    assert {name: after[name] for name in before} == before, "what was done is not played again"


def test_an_interrupt_in_memory_keeps_what_is_done(monkeypatch, undisturbed):
    interrupted_after(1, monkeypatch)
    with pytest.warns(lab.SweepInterrupted):
        run = played(executor=1)
    assert not run.complete
    pd.testing.assert_frame_equal(run.shots, undisturbed.shots.iloc[:256])
    assert "not complete" in repr(run)


def test_a_damaged_part_is_set_aside_and_played_again(tmp_path, undisturbed):
    played(store=tmp_path / "s")
    part = tmp_path / "s" / "part-00000001.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(sim.FileError, match=r"part-00000001\.parquet.*expected a Parquet file"):
        lab.read(tmp_path / "s")
    with pytest.warns(UserWarning, match=r"set aside as part-00000001\.parquet\.damaged"):
        run = played(store=tmp_path / "s")
    pd.testing.assert_frame_equal(run.shots, undisturbed.shots)
    aside = tmp_path / "s" / "part-00000001.parquet.damaged"
    assert aside.read_bytes() == whole[: len(whole) // 2]


def test_another_sweep_is_refused_and_left_as_it_is(tmp_path):
    played(store=tmp_path / "s")
    before = files(tmp_path / "s")
    with pytest.raises(sim.FileError, match=r"holds another sweep \(its n"):
        lab.sweep("ordinary_1", PARAMETERS, n=5, seed=3, progress=False, store=tmp_path / "s")
    with pytest.raises(sim.FileError, match=r"holds another sweep \(its seed"):
        lab.sweep("ordinary_1", PARAMETERS, n=200, seed=4, progress=False, store=tmp_path / "s")
    assert files(tmp_path / "s") == before


def test_foreign_files_and_folders_are_refused_and_left_as_they_are(tmp_path):
    foreign = tmp_path / "foreign.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(foreign)
    text = tmp_path / "text.parquet"
    text.write_text("not Parquet", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    with pytest.raises(sim.FileError, match="got a Parquet file of something else"):
        lab.read(foreign)
    with pytest.raises(sim.FileError, match="expected a Parquet file"):
        lab.read(text)
    with pytest.raises(sim.FileError, match="there is no such file"):
        lab.read(tmp_path / "nothing")
    with pytest.raises(sim.FileError, match="got a folder of something else"):
        lab.read(folder)
    for place in (foreign, folder):
        with pytest.raises(sim.FileError):
            played(store=place)
    assert files(tmp_path) == before


def test_a_damaged_manifest_is_refused(tmp_path):
    played(store=tmp_path / "s")
    (tmp_path / "s" / "_sweep.json").write_text('{"format": 1,', encoding="utf-8")
    with pytest.raises(sim.FileError, match=r"_sweep\.json: damaged"):
        played(store=tmp_path / "s")


def test_failed_rows_survive_the_file(tmp_path):
    run = lab.sweep("stop", {"speed": [-1.0, 2.0]}, progress=False, store=tmp_path / "s")
    assert lab.read(tmp_path / "s")["error"].notna().tolist() == [True, False]
    assert len(run.failed) == 1


def test_events_of_a_sweep_without_are_refused(tmp_path):
    lab.sweep("stop", progress=False, store=tmp_path / "s")
    with pytest.raises(sim.FileError, match="expected one made with events=True"):
        lab.read_events(tmp_path / "s")


def test_a_part_of_another_sweep_is_not_mixed_in(tmp_path):
    for seed in (1, 2):
        store = tmp_path / str(seed)
        lab.sweep("ordinary_1", n=300, seed=seed, progress=False, store=store, chunk=256)
    name = "part-00000001.parquet"
    (tmp_path / "1" / name).write_bytes((tmp_path / "2" / name).read_bytes())
    with pytest.raises(sim.FileError, match=f"{name}: belongs to another sweep"):
        lab.read(tmp_path / "1")


FIRST, SECOND = "part-00000000.parquet", "part-00000001.parquet"


@pytest.mark.parametrize(
    ("take", "over"),
    [(FIRST, SECOND), (FIRST, "part-00000099.parquet"), (f"_events/{FIRST}", FIRST),
     (f"_events/{FIRST}", f"_events/{SECOND}"), (FIRST, f"_events/{FIRST}")],
    ids=["twice", "beyond the end", "events as shots", "events twice", "shots as events"],
)  # fmt: skip
def test_a_part_over_another_of_the_same_sweep_is_not_taken_for_it(
    tmp_path, undisturbed, take, over
):
    """Rows came twice, or in another order, and others were missing: without a word."""
    place = tmp_path / "s"
    played(events=True, store=place)
    (place / over).write_bytes((place / take).read_bytes())
    read = lab.read_events if over.startswith("_events") else lab.read
    with pytest.raises(
        sim.FileError, match=r"got another part, expected (the shots|the events|none)"
    ):
        read(place)
    with pytest.warns(UserWarning, match="got another part, .* set aside as part-000000"):
        run = played(events=True, store=place)
    pd.testing.assert_frame_equal(run.shots, undisturbed.shots)
    pd.testing.assert_frame_equal(run.events, undisturbed.events)


def test_nothing_set_aside_before_is_overwritten(tmp_path, undisturbed):
    place = tmp_path / "s"
    played(events=True, store=place)
    (place / (FIRST + ".damaged")).mkdir()
    (place / FIRST).write_bytes(b"x")
    with pytest.warns(UserWarning, match=r"set aside as part-00000000\.parquet\.damaged-2"):
        played(events=True, store=place)
    assert (place / (FIRST + ".damaged-2")).read_bytes() == b"x"
    pd.testing.assert_frame_equal(lab.read(place), undisturbed.shots)


def test_a_folder_of_events_that_is_gone_or_a_file(tmp_path, undisturbed):
    place = tmp_path / "s"
    played(events=True, store=place)
    shutil.rmtree(place / "_events")
    with pytest.warns(UserWarning, match="set aside"):
        run = played(events=True, store=place)
    pd.testing.assert_frame_equal(run.events, undisturbed.events)
    shutil.rmtree(place / "_events")
    (place / "_events").write_text("mine")
    with (
        pytest.warns(UserWarning, match="set aside"),
        pytest.raises(sim.FileError, match="_events: File exists"),
    ):
        played(events=True, store=place)


def test_a_store_whose_tasks_have_another_size_is_refused(tmp_path):
    """Rows are drawn by the block: a task of one row drew others."""
    place = tmp_path / "s"
    played(store=place)
    file = place / "_sweep.json"
    file.write_text(file.read_text().replace(f'"chunk": {BLOCK}', '"chunk": 1'))
    with pytest.raises(sim.FileError, match=f"got 1, expected a multiple of {BLOCK}"):
        played(store=place)
