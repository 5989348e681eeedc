"""Every door that reads a file: hostile names, hostile bytes, hostile data under good syntax."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from hostile import hostile_names, little_memory, mangled, offered, refusal, sizes, twisted

import sim
from sim.cli.bench import _parts
from sim.cli.yaml_lines import parse_document, read_document
from sim.game import Session, Setup, read_journal
from sim.game import commands as c
from sim.game.forms import command_form
from sim.game.journal import Journal, command_line
from sim.model.errors import FileError
from sim.play.settings import Settings, load_settings, save_settings
from sim.play.shots import load_shots
from sim.shot.files import load_shot, parse_shot

CASES = Path(__file__).parents[1] / "rules" / "data" / "more_cases.yaml"
SHOT = {
    "tenball_shot": 1,
    "table": {"w": 1.27, "corner_pocket_width": 0.12},
    "layout": {"0": [0.3, 0.4], "1": [0.635, 1.905], "10": [0.7, 1.1, 0.2]},
    "stroke": {"speed": 4.0, "azimuth": 1.5708, "side": 0.1, "vertical": 0.0, "elevation": None},
    "materials": {"mu_slide": 0.21, "mu_ball": {"a": 0.01, "b": 0.1, "c": 1.0}, "e_cushion": None},
    "stick": {"mass": 0.5, "e_tip": None},
    "call": {"ball": 1, "pocket": "foot_left"},
    "ruleset": "wpa09",
    "state": "a line",
    "cushion_model": "measured",
}


def settings_in(path: Path) -> Any:
    return load_settings(path.parent)


DOORS = {
    "shot": load_shot,
    "journal": read_journal,
    "continued": Session.resume,
    "shots": load_shots,
    "casebook": read_document,
    "readme": _parts,
}


@pytest.mark.parametrize("door", DOORS)
def test_names_that_are_no_file_are_refused_at_once(door, tmp_path):
    """Also a pipe that nobody writes to, and what has no end."""
    for what, path in hostile_names(tmp_path).items():
        with little_memory():
            text = offered(DOORS[door], path)
        assert text, f"{what} was taken"
        assert "Traceback" not in text


@pytest.mark.parametrize("kind", ["folder", "pipe", "sparse gigabyte", "endless device"])
def test_settings_that_are_no_file(kind, tmp_path):
    (tmp_path / "there").mkdir()
    names = hostile_names(tmp_path / "there")
    (tmp_path / "settings.json").symlink_to(names[kind])
    with little_memory():
        assert "settings.json: got" in offered(load_settings, tmp_path)


def test_a_journal_of_empty_lines_without_end(tmp_path):
    path = tmp_path / "m.tenball"
    path.write_bytes(b'{"tenball_journal": 1, "engine": ""}\n' + b"\n" * 20_000_000)
    with little_memory():
        assert "line 2" in offered(read_journal, path)


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 100_000, b"{" + b'"a":1,' * 150_000 + b'"b":1}',
     b'{"' + b"k" * 900_000 + b'": 1}', b'{"tenball_shot": "' + b"k" * 900_000 + b'"}',
     '{"tenball_shot": 1}'.encode("utf-16"), b'{"a": "\xe9"}', b'{"a": "\\ud800"}', b"\x00" * 1000,
     b"", b"\xef\xbb\xbf", b"null", b'{"tenball_journal": 1}\n{"n": 1, "crc": "\\ud800", "command": "\\udfff"}\n'],
    ids=range(14),
)  # fmt: skip
@pytest.mark.parametrize("door", DOORS)
def test_contents_that_are_none(door, content, tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with little_memory():
        # A casebook is only read here, not judged: other JSON is nothing wrong to this door.
        assert offered(DOORS[door], path) or door == "casebook"
    assert path.read_bytes() == content
    assert {p.name for p in tmp_path.iterdir()} <= {"a.json", "a.json.lock"}


# --- shot files and settings ---


@sizes(150)
def test_mangled_shot_files(count, tmp_path):
    good = json.dumps(SHOT, indent=1).encode()
    assert offered(parse_shot, good.decode()) == ""
    path = tmp_path / "shot.json"
    for seed in range(count):
        rng = random.Random(seed)
        data = mangled(good, rng) if seed % 2 else json.dumps(twisted(SHOT, rng)).encode()
        path.write_bytes(data)
        offered(load_shot, path)


@sizes(150)
def test_mangled_settings(count, tmp_path):
    save_settings(tmp_path, Settings())
    path = tmp_path / "settings.json"
    good = {**json.loads(path.read_text()), "keys": {"shoot": "x"}}
    for seed in range(count):
        rng = random.Random(seed)
        text = json.dumps(good).encode()
        path.write_bytes(
            mangled(text, rng) if seed % 2 else json.dumps(twisted(good, rng)).encode()
        )
        offered(load_settings, tmp_path)


# --- journals ---

COMMANDS = (
    c.Seat(Setup(sides=(("Ann",), ("Bob", "Cy")), switches=(("break_order", "winner"),))),
    c.Lag(sim.Stroke(2.0, 1.5), sim.Stroke(2.1, 1.5)),
    c.ChooseBreaker("A"),
    c.Place((0.6, 0.5), 0),
    c.Aim(sim.Stroke(3.0, 1.0)),
    c.Choose("A", "accept"),
    c.Undo(1),
    c.Redo(1),
    c.Concede("A", "rack"),
    c.Arrange(((0, (0.5, 0.5, 0.028575)), (10, (0.7, 0.7, 0.028575)))),
)


def signed(form: Any, number: int) -> bytes:
    """A line whose checksum is right, whatever it says."""
    text = json.dumps(form, ensure_ascii=False).encode("utf-8", "surrogatepass")
    crc = f"{zlib.crc32(text):08x}"
    return json.dumps({"n": number, "crc": crc, "command": form}).encode() + b"\n"


@sizes(150)
def test_journals_of_signed_nonsense(count, tmp_path):
    """The checksum keeps damage out, not malice: each command is still read with suspicion."""
    head = b'{"tenball_journal": 1, "engine": "0.1.0"}\n'
    path = tmp_path / "m.tenball"
    for seed in range(count):
        rng = random.Random(seed)
        seat = command_form(c.Seat(Setup(lag=False, practice=seed % 3 == 0)))
        forms = [seat] if seed % 2 else []
        forms.append(twisted(command_form(rng.choice(COMMANDS)), rng))
        path.write_bytes(head + b"".join(signed(f, n) for n, f in enumerate(forms, 1)))
        offered(read_journal, path)
        try:
            kept = read_journal(path)
        except FileError as error:
            refusal(error)
            continue
        assert all("\n" not in problem and len(problem) < 1200 for problem in kept.problems)


def test_half_a_letter_in_a_signed_command_is_no_traceback(tmp_path):
    """json reads a lone surrogate; it could not be encoded for the checksum."""
    path = tmp_path / "m.tenball"
    path.write_bytes(
        b'{"tenball_journal": 1}\n' + b'{"n": 1, "crc": "0", "command": {"do": "\\ud800"}}\n'
    )
    assert "the line is damaged" in offered(read_journal, path)


@pytest.mark.parametrize("name", ["\ud800", "a\x1bb", "a\u2028b", "\x7f"])
def test_a_name_that_is_no_line_of_text_is_refused(name):
    assert offered(Setup, sides=((name,), ("B",))).startswith("player: got")


def test_a_journal_stops_growing_before_it_could_not_be_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr("sim.game.journal.MAX_BYTES", 2000)
    path = tmp_path / "m.tenball"
    with Journal.create(path) as journal:
        for command in COMMANDS * 20:
            text = offered(journal.append, command)
            if text:
                break
        assert text.endswith("begin a new one")
    assert len(path.read_bytes()) <= 2000


# --- casebooks ---


@sizes(60)
def test_mangled_casebooks(count, tmp_path):
    """Read and judged; nothing in them is run."""
    import rules
    from rules import casebook

    good = CASES.read_bytes()
    for seed in range(count):
        rng = random.Random(seed)
        text = mangled(good, rng).decode("utf-8", "replace")
        try:
            data = parse_document(text, "cases.yaml").data
        except FileError as error:
            refusal(error)
            continue
        for node in _nodes(casebook, data):
            try:
                case = casebook.read_case(node)
                for name in case.rulesets:
                    casebook.judge(case, rules.ruleset(name))
            except rules.CasebookError as error:
                refusal(error)


def _nodes(casebook: Any, data: Any) -> Any:
    try:
        return casebook.case_nodes(data)
    except Exception as error:
        refusal(error)
        return []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('a: !!int ""', "got '', expected a value of the kind int"),
        ('a: !!float ""', "expected a value of the kind float"),
        ("a: !!bool foo", "got 'foo', expected a value of the kind bool"),
        ("a: !!timestamp noon", "expected a value of the kind timestamp"),
        ("a: 2001-99-99", "expected a value of the kind timestamp"),
        ("a: " + ":".join(["59"] * 200_000), "got a number of 599999 characters"),
        ("a: 1:" + ":".join(["1"] * 200) + ".5", "got a number of 403 characters"),
        ("a: &a {<<: *a}", "a mapping that merges itself"),
        ("{<<: 3}", "got no mapping to merge"),
        ("? [a]\n: b", "got a key that is no plain word"),
    ],
)  # fmt: skip
def test_tags_numbers_and_merges_that_the_loader_trusts(text, says):
    """PyYAML raised IndexError, KeyError, AttributeError or OverflowError, or took minutes."""
    with little_memory():
        message = offered(parse_document, text, "a.yaml")
    assert message.startswith("a.yaml: line 1: ")
    assert says in message


def test_lists_without_end_are_refused_before_they_are_kept(monkeypatch):
    monkeypatch.setattr("sim.cli.yaml_lines.MAX_VALUES", 1000)
    with little_memory():
        message = offered(parse_document, "[" + "a," * 1_000_000 + "]", "a.yaml")
    assert message == "a.yaml: line 1: got more than 1000 values, expected fewer"


def test_merges_of_merges_of_merges_fill_no_memory():
    """Three lines of a thousand aliases each; PyYAML's merging copies a thousand million pairs."""
    wide = ", ".join(["*{}"] * 1000)
    text = "".join(
        f"{new}: &{new} {{<<: [{wide.replace('{}', old)}], k{new}: 1}}\n"
        for old, new in zip("abc", "bcd", strict=True)
    )
    with little_memory():
        document = parse_document("a: &a {x: 1, y: 2}\n" + text, "a.yaml")
    assert document.data["d"] == {"x": 1, "y": 2, "kb": 1, "kc": 1, "kd": 1}


def test_the_first_of_several_merges_wins_and_own_keys_win_over_all():
    text = "a: &a {x: 1, y: 1, z: 1}\nb: &b {x: 2, w: 2}\nc: {<<: [*b, *a], z: 3}\n"
    assert parse_document(text, "a.yaml").data["c"] == {"x": 2, "w": 2, "y": 1, "z": 3}


def test_command_lines_are_plain(tmp_path):
    """What is written can be read: every line of every command, signed as it should be."""
    for number, command in enumerate(COMMANDS, 1):
        assert command_line(command, number) + b"\n" == signed_utf8(command_form(command), number)


def signed_utf8(form: Any, number: int) -> bytes:
    line = json.loads(signed(form, number))
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
