"""The match file: what was shown is on the disk; damage is said, kept apart and survived."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from game_scripts import fake_play, play_random
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.game import JournalError, Session, Setup, read_journal, rulings_check
from sim.game import commands as c
from sim.game.journal import _crc
from sim.model import Materials, Table, TableSpec


@cache
def example(seed, length):
    """The bytes of a match file and the game in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.tenball"
        with Session.create(path, play=fake_play) as session:
            for _ in play_random(seed, length, session):
                pass
        return path.read_bytes(), session.game


def written(path, seed=5, length=60):
    data, game = example(seed, length)
    path.write_bytes(data)
    return game


def forbidden(question):
    raise AssertionError("nothing may be simulated while a match is read")


def test_resume_gives_the_same_match_without_simulating(tmp_path):
    """Header, commands and facts are enough: the game is equal, past and future included."""
    path = tmp_path / "m.tenball"
    game = written(path)
    with Session.resume(path, play=forbidden) as session:
        assert session.problems == ()
        assert session.game == game
    assert rulings_check(game.now) == ()


def test_settings_come_back_to_the_last_bit(tmp_path):
    """Table, materials, names and switches are part of the file."""
    path = tmp_path / "m.tenball"
    setup = Setup(
        sides=(("Zoë", "B. 漢"), ("Bob",)),
        ruleset="ten",
        switches=(("break_order", "winner"), ("shot_clock", True)),
        table=Table.from_spec(TableSpec(l=2.2, w=1.1)),
        materials=Materials(mu_slide=0.1 + 0.2, mu_ball=0.05),
        cushion_model="mathavan",
        race_to=9,
        seed=12345678901234,
    )
    with Session.create(path, play=fake_play) as session:
        session.send(c.Seat(setup))
    assert read_journal(path).game.now.setup == setup


def test_a_second_writer_is_refused(tmp_path):
    """Two writers on one match: the second gets one line; reading is free."""
    path = tmp_path / "m.tenball"
    with Session.create(path, play=fake_play) as session:
        session.send(c.Seat(Setup()))
        with pytest.raises(JournalError, match="second writer"):
            Session.resume(path)
        assert len(read_journal(path).commands) == 1
    with Session.resume(path, play=fake_play) as again:
        assert again.match.setup == Setup()


def test_a_second_writer_in_another_process_is_refused(tmp_path):
    """The lock holds between processes."""
    path = tmp_path / "m.tenball"
    program = (
        "import sys; from sim.game import Session\n"
        "try: Session.resume(sys.argv[1])\n"
        "except Exception as error: print(type(error).__name__)\n"
    )
    with Session.create(path, play=fake_play) as session:
        session.send(c.Seat(Setup()))
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
        )
    assert done.stdout.strip() == "JournalError"


def test_an_existing_file_is_not_overwritten(tmp_path):
    """A new match needs a new name."""
    path = tmp_path / "m.tenball"
    written(path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="there already"):
        Session.create(path)
    assert path.read_bytes() == before


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_cut_anywhere(tmp_path_factory, seed):
    """Cut at any byte: the whole lines before the cut are kept, the rest is said and backed up."""
    folder = tmp_path_factory.mktemp("cut")
    path = folder / "m.tenball"
    written(path, seed=seed % 3)
    data = path.read_bytes()
    cut = random.Random(seed).randrange(data.index(b"\n") + 1, len(data))
    path.write_bytes(data[:cut])
    whole = data[:cut].count(b"\n") - 1
    if whole == 0 and data[cut - 1 : cut] != b"\n":
        with pytest.raises(JournalError, match="nothing of a match"):
            read_journal(path)
        return
    text = read_journal(path)
    assert len(text.commands) == whole
    assert bool(text.problems) == (data[cut - 1 : cut] != b"\n")
    with Session.resume(path, play=fake_play) as session:
        for _ in play_random(1, 5, session):
            pass
        end = session.game
    assert read_journal(path).game == end
    assert read_journal(path).problems == ()
    backups = list(folder.glob("*.damaged-*"))
    assert [b.read_bytes() for b in backups] == ([data[:cut]] if text.problems else [])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_any_flipped_byte_is_noticed(tmp_path_factory, seed):
    """A changed byte is found, or changes nothing that is read; nothing after it is trusted."""
    path = tmp_path_factory.mktemp("flip") / "m.tenball"
    game = written(path, seed=3, length=25)
    data = bytearray(path.read_bytes())
    rng = random.Random(seed)
    where = rng.randrange(len(data))
    data[where] ^= 1 << rng.randrange(8)
    path.write_bytes(bytes(data))
    try:
        text = read_journal(path)
    except JournalError as error:
        text, reason = None, str(error)
    if text is None:
        assert "\n" not in reason
        return
    assert all("\n" not in problem for problem in text.problems)
    if not text.problems:
        assert text.game == game


def test_another_version_is_said_and_read(tmp_path):
    """An older format: what is wrong, what reads is kept, and the original stays as a copy."""
    path = tmp_path / "m.tenball"
    game = written(path)
    data = path.read_bytes().replace(b'"tenball_journal": 1', b'"tenball_journal": 0', 1)
    path.write_bytes(data)
    text = read_journal(path)
    assert "older version" in text.problems[0]
    assert text.game == game
    with Session.resume(path, play=fake_play) as session:
        assert session.game == game
    assert (tmp_path / "m.tenball.damaged-1").read_bytes() == data
    assert read_journal(path).problems == ()


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00\xff\n", b"[]\n", b'{"a": 1}\n'])
def test_what_is_no_match_file(tmp_path, content):
    """One line says that nothing of a match could be read; the file stays as it was."""
    path = tmp_path / "m.tenball"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="nothing of a match") as refusal:
        read_journal(path)
    assert str(refusal.value).count("line ") == 1
    with pytest.raises(JournalError):
        Session.resume(path)
    assert path.read_bytes() == content
    with pytest.raises(JournalError, match="no such file"):
        Session.resume(tmp_path / "none")


def test_a_command_that_the_rules_refuse_is_where_reading_stops(tmp_path):
    """A line that is whole and lawful JSON but cannot be played is reported by its number."""
    path = tmp_path / "m.tenball"
    with Session.create(path, play=fake_play) as session:
        session.send(c.Seat(Setup()))
        session._journal.append(c.NextRack())
    text = read_journal(path)
    assert len(text.commands) == 1
    assert "line 3" in text.problems[0]


def test_each_command_is_on_the_disk_before_it_is_shown(tmp_path):
    """When `send` returns, the line stands whole in the file."""
    path = tmp_path / "m.tenball"
    with Session.create(path, play=fake_play) as session:
        count = 1
        for _, refused in play_random(8, 30, session):
            count += refused is None
            lines = path.read_bytes()
            assert lines.endswith(b"\n")
            assert lines.count(b"\n") == count
            json.loads(lines.splitlines()[-1])


def test_a_match_on_a_table_of_an_older_version_is_refused_in_a_line_and_left_alone(tmp_path):
    """A measure that tables no longer have: what, got, expected; no list of thirty keys."""
    path = tmp_path / "m.tenball"
    written(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    seat = json.loads(lines[1])
    seat["command"]["setup"]["table"]["spec"]["nose_draft_deg"] = 25.0
    seat["crc"] = _crc(seat["command"])
    data = "\n".join([lines[0], json.dumps(seat), *lines[2:], ""]).encode()
    path.write_bytes(data)
    for read in (read_journal, Session.resume):
        with pytest.raises(JournalError) as refused:
            read(path)
        said = str(refused.value)
        assert "nose_draft_deg: got a measure of an older version's tables, expected" in said
        assert "left as it is" in said
        assert len(said) < 300
        assert "\n" not in said
    assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir() if "damaged" in p.name] == []
