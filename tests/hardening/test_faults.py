"""The world's faults: each is one clear line, and nothing that was shown is lost."""

from __future__ import annotations

import builtins
import errno
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile import offered

import sim
from sim.cli.main import main
from sim.game import JournalError, Session, Setup, read_journal
from sim.game import commands as c
from sim.game.journal import Journal
from sim.shot.disk import write_whole

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="limits, devices and users of a POSIX system")
SEAT = c.Seat(Setup(lag=False))


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """No process of these tests is the first that compiles the engine."""
    sim.simulate(sim.Layout(sim.Table.wpa_9ft(), {0: (0.6, 0.6)}), sim.Stroke(1.0, 1.0))


def child(code: str, *, env: dict[str, str] | None = None, cwd: Path = ROOT) -> tuple[int, str]:
    """(exit status, standard error) of Python in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}, timeout=300,
    )  # fmt: skip
    return done.returncode, done.stderr


def one_line(error: str) -> str:
    assert len(error.strip().splitlines()) == 1, error
    assert error.startswith("tenball: ")
    return error.strip()


# --- disk full ---

FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
from sim.cli.main import main
sys.exit(main({arguments}))
"""


@posix
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    """A file may grow to 100 bytes only: the write fails in its middle, as on a full disk."""
    picture = tmp_path / "old.svg"
    picture.write_text("the old one")
    arguments = ["break", "--seed", "1", "--speed", "1", "--picture", str(picture)]
    status, error = child(FULL.format(limit=100, arguments=arguments))
    assert status == 2
    assert one_line(error).endswith("old.svg: cannot be written: File too large")
    assert picture.read_text() == "the old one"
    assert os.listdir(tmp_path) == ["old.svg"]


@posix
@pytest.mark.parametrize("arguments", [["rules"], ["break", "--json"]])
def test_output_to_a_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sim.cli.main", *arguments], stdout=full, check=False, cwd=ROOT,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode == 2
    assert one_line(done.stderr) == "tenball: output: No space left on device"


class FullDisk:
    """A file of which only so many bytes more find room."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, data):
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = self.file.write(bytes(data[: self.room]))
        self.room -= taken
        return taken

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.parametrize("room", [0, 1, 30, 60])
def test_a_command_that_finds_no_room_leaves_no_half_line(tmp_path, room):
    """The rest of a half-written command came out before the next one, with the same number."""
    path = tmp_path / "m.tenball"
    with Session.create(path) as session:
        session.send(SEAT)
        before = path.read_bytes()
        journal = session._journal
        plain = journal._file
        journal._file = FullDisk(plain, room)
        text = offered(session.send, c.ChooseBreaker("A"))
        assert text == f"{path}: cannot be written: No space left on device"
        assert path.read_bytes() == before
        journal._file = plain
        session.send(c.ChooseBreaker("B"))
    kept = read_journal(path)
    assert kept.problems == ()
    assert kept.commands == (SEAT, c.ChooseBreaker("B"))


def test_where_a_half_line_cannot_be_taken_back_nothing_more_is_written(tmp_path, monkeypatch):
    path = tmp_path / "m.tenball"

    def no(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Session.create(path) as session:
        session.send(SEAT)
        session._journal._file = FullDisk(session._journal._file, 30)
        monkeypatch.setattr("os.ftruncate", no)
        assert "cannot be written" in offered(session.send, c.ChooseBreaker("A"))
        assert "cannot be written" in offered(session.send, c.ChooseBreaker("B"))
    kept = read_journal(path)
    assert kept.commands == (SEAT,)
    assert "a line cut short" in kept.problems[0]


@posix
def test_a_match_that_finds_no_room_can_be_begun_again(tmp_path):
    """An empty file was left behind, which then was "there already"."""
    path = tmp_path / "m.tenball"
    status, error = child(FULL.format(limit=10, arguments=["demo", "--journal", str(path)]))
    assert status == 2
    assert one_line(error) == f"tenball: {path}: File too large"
    assert not path.exists()
    Session.create(path).close()


@posix
def test_a_sweep_that_finds_no_room(tmp_path):
    code = f"""
import resource
from sim.experiments import sweep
import sim
layout = sim.Layout(sim.Table.wpa_9ft(), {{0: (0.6, 0.6)}})
run = sweep((layout, sim.Stroke(1.0, 1.0)), {{"speed": [1.0, 2.0]}})
resource.setrlimit(resource.RLIMIT_FSIZE, (500, resource.RLIM_INFINITY))
try:
    run.write({str(tmp_path / "a.parquet")!r})
except sim.FileError as error:
    print(error)
    raise SystemExit(7)
"""
    status, error = child(code)
    assert status == 7, error
    assert os.listdir(tmp_path) == []


# --- folders that may not be written ---


def test_a_file_where_a_folder_should_be(tmp_path, capsys):
    (tmp_path / "plain").write_bytes(b"")
    inside = str(tmp_path / "plain" / "x")
    for arguments in (
        ["break", "--speed", "1", "--picture", inside],
        ["demo", "--journal", inside],
        ["match", "--journal", inside],
        ["sheet", inside],
        ["shot", inside],
        ["referee", inside],
    ):
        assert main(arguments) == 2
        assert inside in one_line(capsys.readouterr().err)


@posix
@pytest.mark.parametrize("how", ["break", "demo"])
def test_a_folder_that_may_only_be_read(tmp_path, how, monkeypatch):
    """Refused by the system; as root through the call that makes the file."""
    path = tmp_path / "x"
    real = os.open

    def closed(name, *rest, **more):
        if str(name).startswith(str(tmp_path)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(name))
        return real(name, *rest, **more)

    def closed_file(name, mode="r", *rest, **more):
        if str(name).startswith(str(tmp_path)) and mode[0] in "xaw":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(name))
        return open(name, mode, *rest, **more)

    monkeypatch.setattr(builtins, "open", closed_file)
    monkeypatch.setattr(os, "open", closed)
    if how == "break":
        text = offered(write_whole, path, "text")
    else:
        text = offered(Session.create, path)
    assert text.endswith("Permission denied")
    assert not path.exists()


# --- no home, no cache ---


@posix
def test_no_home_is_said(tmp_path):
    """A user without an entry and without HOME, as in many containers."""
    code = """
import os
os.environ.pop("HOME", None); os.environ.pop("TENBALL_HOME", None); os.environ.pop("XDG_DATA_HOME", None)
import pwd
def nobody(*_): raise KeyError("getpwuid(): uid not found")
pwd.getpwuid = nobody
import sys
from sim.play.settings import home
try:
    print(home())
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""
    status, error = child(code)
    assert (status, error.strip()) == (
        1,
        "FileError: home: got no folder of this user (is HOME set?), expected one, or --home or "
        "TENBALL_HOME",
    )


def test_a_home_that_cannot_be_written_is_said(tmp_path):
    from sim.play.settings import Settings, save_settings

    (tmp_path / "plain").write_bytes(b"")
    text = offered(save_settings, tmp_path / "plain" / "home", Settings())
    assert text.endswith("plain/home: Not a directory")


def test_where_nothing_can_be_cached_the_engine_is_compiled_in_memory(tmp_path, monkeypatch):
    """No folder is left to choose: the cache is None, and no shot needs one."""
    from sim.physics import kernel

    (tmp_path / "plain").write_bytes(b"")
    monkeypatch.setenv("TENBALL_CACHE_DIR", str(tmp_path / "plain" / "cache"))
    assert kernel.cache_folder() is None
    assert not kernel.is_cached()
    double = kernel.entry(lambda x: 2 * x)
    assert double(21) == 42
    assert os.listdir(tmp_path) == ["plain"]


def test_a_full_disk_while_the_compiled_engine_is_kept_costs_no_shot(tmp_path, monkeypatch):
    """The first shot on a machine was lost with the disk: it is played, and compiled again next time."""
    from numba.core.caching import IndexDataCacheFile

    from sim.physics import kernel

    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("TENBALL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(IndexDataCacheFile, "_save_index", full)
    double = kernel.entry(lambda x: 2 * x)
    assert double(21) == 42
    assert not kernel.is_cached()


def test_a_user_without_a_home_has_a_cache(tmp_path, monkeypatch):
    """A user without HOME or an entry once had a traceback instead of a shot."""
    from pathlib import Path

    from sim.physics import kernel

    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TENBALL_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert kernel.cache_folder() is not None


# --- no display, no driver, no sound ---


def test_no_display_is_said(monkeypatch, capsys, tmp_path):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert main(["play", "--home", str(tmp_path)]) == 2
    assert "window: got no display" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("offscreen", "offscreen output: got none (Could not open window.), expected a graphics driver"),
        ("window", "window output: got none (Could not open window.), expected a display that OpenGL"),
    ],
)  # fmt: skip
def test_no_graphics_driver_is_said(mode, says, monkeypatch):
    from sim.play.stage import Stage

    def none(*_, **__):
        raise Exception("Could not open window.")

    monkeypatch.setattr("direct.showbase.ShowBase.ShowBase", none)
    monkeypatch.setattr("sim.play.stage.no_display", lambda: False)
    assert offered(Stage, mode).startswith(says)


def test_without_a_sound_card_the_game_is_silent():
    from sim.play.sound import Sounds

    class Base:
        sfxManagerList = ()

    sounds = Sounds(Base())
    sounds.play("ball", 0.5)
    assert sounds.played == [("ball", 0.5)]


# --- the clock ---


def test_a_clock_that_jumps_changes_nothing(monkeypatch, capsys):
    """Back by years and on by years between any two looks at it."""
    assert main(["break", "--seed", "3", "--json"]) == 0
    plain = capsys.readouterr().out
    rng = random.Random(1)
    monkeypatch.setattr(time, "time", lambda: rng.uniform(-1e9, 4e9))
    assert main(["break", "--seed", "3", "--json"]) == 0
    assert capsys.readouterr().out == plain


def test_nothing_measures_time_by_the_clock_on_the_wall():
    """Only the clocks that never jump: time.monotonic, time.perf_counter."""
    wall = re.compile(
        r"time\.time\(|datetime\.|time\.localtime|get_real_time|from time import time"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("sim", "rules")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if wall.search(line)
    ]
    assert found == []


# --- two at one match ---


def test_a_second_program_at_one_match_is_refused_and_changes_nothing(tmp_path, capsys):
    path = tmp_path / "m.tenball"
    with Session.create(path) as session:
        session.send(SEAT)
        before = path.read_bytes()
        for arguments in (["match", "--journal", str(path)], ["demo", "--journal", str(path)]):
            assert main(arguments) == 2
            assert "another program has this match open" in one_line(capsys.readouterr().err)
        assert path.read_bytes() == before
        assert main(["sheet", str(path)]) == 0  # to read it is not to write it
    with pytest.raises(JournalError, match="there already"):
        Journal.create(path)
    assert sim.__version__
