"""Shot files: what is written loads as it was; what is wrong is refused in one line."""

from __future__ import annotations

import itertools
import json
import math
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from sim.shot import disk
from sim.shot.files import Call, ShotFile, dump_shot, load_shot, parse_shot, save_shot

GOOD = {
    "tenball_shot": 1,
    "table": "wpa_9ft",
    "layout": {"0": [0.635, 0.635], "1": [0.635, 1.905]},
    "stroke": {"speed": 4.0, "azimuth": 1.5708},
}


def shot_text(**changes: object) -> str:
    return json.dumps({key: value for key, value in {**GOOD, **changes}.items() if value != "-"})


def refused(text: str) -> str:
    with pytest.raises(sim.FileError) as caught:
        parse_shot(text, "a.json")
    message = str(caught.value)
    assert message.startswith("a.json: ")
    assert "\n" not in message
    return message


def test_smallest_file():
    shot = parse_shot(shot_text())
    assert shot.layout == sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 0.635), 1: (0.635, 1.905)})
    assert shot.stroke == sim.Stroke(4.0, 1.5708)
    assert (shot.motions, shot.materials, shot.call, shot.ruleset, shot.closed) == (
        None, None, None, None, (),
    )  # fmt: skip


FULL = ShotFile(
    layout=sim.Layout(
        sim.Table.from_spec(sim.TableSpec(corner_pocket_width=0.12)),
        {0: (0.3, 1 / 3), 4: (0.5, 2.0, 0.2), 10: (0.7, 1.1)},
    ),
    stroke=sim.Stroke(3.3, -0.1, 0.2, -0.3, 0.7),
    materials=sim.Materials(mu_slide=0.21, mu_ball=0.06, e_cushion=0.8),
    cushion_model="stronge",
    stick=sim.JUMP_STICK,
    call=Call("shot", 4, "side_left"),
    ruleset="ten",
    state="a line of notation",
)


@pytest.mark.parametrize(
    "shot",
    [
        FULL,
        ShotFile(sim.rack(sim.Table.wpa_7ft(), seed=3), stroke=sim.Stroke(9.0, 1.5)),
        ShotFile(
            sim.rack(sim.Table.wpa_8ft(), seed=None),
            motions={0: sim.Motion((0.0, 2.0, 0.0), (-70.0, 0.0, 1 / 3))},
            call=Call("break"),
            stick=sim.Stick(mass=0.5),
        ),
    ],
)
def test_written_and_read_back_to_the_bit(shot: ShotFile):
    text = shot.text()
    back = parse_shot(text)
    assert back == shot
    assert back.layout.table.name in ("wpa_7ft", "wpa_8ft", "custom")
    assert back.text() == text


def test_nothing_called_is_none_as_in_a_declaration():
    """`none`, as rules/README and a printed declaration say it; files said `shot`."""
    found = [parse_shot(shot_text(call=word)).call for word in ("none", "shot")]
    assert found == [Call("shot"), Call("shot")]
    assert '"call": "none"' in parse_shot(shot_text(call="shot")).text()


def test_text_of_what_simulate_takes():
    keywords = {
        name: getattr(FULL, name)
        for name in ("materials", "cushion_model", "stick", "call", "ruleset", "state")
    }
    assert parse_shot(dump_shot(FULL.layout, FULL.stroke, **keywords)) == FULL
    motions = {0: sim.Motion((1.0, 0.0, 0.0))}
    assert parse_shot(dump_shot(FULL.layout, motions=motions)).motions == motions


def test_ball_radius_of_the_materials_is_the_layout_s():
    radius = 0.0261937
    layout = sim.Layout(sim.Table.wpa_7ft(), {1: (0.4, 0.4)}, ball_radius=radius)
    shot = ShotFile(layout, motions={1: sim.Motion((1.0, 0.0, 0.0))})
    back = parse_shot(shot.text(digits=7))
    assert back.layout == layout
    assert back.materials == sim.Materials(ball_radius=radius)


def test_height_rounded_off_the_bed_is_closed_and_reported():
    materials = {"ball_radius": 0.0261937}
    shot = parse_shot(shot_text(materials=materials, layout={"1": [0.5, 0.5, 0.026194]}))
    assert shot.layout[1][2] == 0.0261937
    assert shot.closed == ("ball 1 was 3e-07 m off the bed's height",)


@given(angle=st.floats(0, math.tau), x=st.floats(0.45, 0.8), y=st.floats(0.7, 1.6))
def test_touching_balls_survive_six_decimals(angle: float, x: float, y: float):
    """A zero-gap rack at any angle, rounded as files are, loads without an overlap."""
    diameter, cosine, sine = 0.05715, math.cos(angle), math.sin(angle)
    balls = itertools.count(1)
    positions = {}
    for row in range(4):
        for column in range(row + 1):
            u, v = (column - row / 2) * diameter, row * diameter * math.sqrt(0.75)
            positions[next(balls)] = (x + u * cosine - v * sine, y + u * sine + v * cosine)
    layout = sim.Layout(sim.Table.wpa_9ft(), positions)
    shot = ShotFile(layout, motions={1: sim.Motion((1.0, 0.0, 0.0))})
    back = parse_shot(shot.text(digits=6))
    for a, b in itertools.combinations(layout.balls, 2):
        assert np.linalg.norm(back.layout[a] - back.layout[b]) > diameter - 1e-9
    pairs = [note.partition(" by ")[0] for note in back.closed]
    assert len(pairs) == len(set(pairs))


def test_overlap_over_the_tolerance_is_refused():
    message = refused(shot_text(layout={"0": [0.5, 0.5], "3": [0.5, 0.557145]}))
    assert "layout: balls 0 and 3 overlap by 0.005 mm" in message
    closed = parse_shot(shot_text(layout={"0": [0.5, 0.5], "3": [0.5, 0.5571485]})).closed
    assert closed == ("balls 0 and 3 overlapped by 1.5e-06 m",)


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"tabel": "wpa_9ft"}, ["tabel: got an unknown key", "did you mean table?"]),
        ({"tenball_shot": 2}, ["tenball_shot: got 2", "version 1"]),
        ({"tenball_shot": "-"}, ["no key 'tenball_shot'"]),
        ({"layout": "-"}, ["no key 'layout'"]),
        ({"stroke": "-"}, ["got neither, expected either a stroke or motions"]),
        ({"motions": {"1": {}}}, ["got both, expected either a stroke or motions"]),
        ({"stroke": "-", "motions": {}}, ["motions: got no ball"]),
        ({"stroke": "-", "motions": {"7": {}}}, ["motions.7: got an unknown key"]),
        ({"stroke": "-", "motions": {"1": {"velocity": [99, 0, 0]}}}, ["motions.1: ", "99 m/s"]),
        ({"table": "snooker"}, ['table: got "snooker"', "wpa_9ft"]),
        ({"table": "wpa_9f"}, ["did you mean wpa_9ft?"]),
        ({"table": {"w": 1.0}}, ["table: table: got length 2.54 and width 1"]),
        ({"table": {"corner_pocket_radius": 0.04}}, ["table: ", "facings do not meet the hole"]),
        ({"layout": {"11": [0.5, 0.5]}}, ["layout.11: got an unknown key"]),
        ({"layout": {"01": [0.5, 0.5]}}, ["layout.01: got an unknown key"]),
        ({"layout": {"1": [0.5]}}, ["layout.1: got 1 values", "2 or 3 numbers"]),
        ({"layout": {"1": ["x", 0.5]}}, ['layout.1[0]: got "x", expected a number']),
        ({"layout": {"1": [True, 0.5]}}, ["layout.1[0]: got true, expected a number"]),
        ({"layout": {"1": [5.0, 0.5]}}, ["layout: ball 1 at (5, 0.5) is off the table"]),
        ({"layout": [1, 2]}, ["layout: got a list of 2, expected an object"]),
        ({"stroke": {"speed": -1, "azimuth": 0}}, ["stroke: ", "got -1, expected more than 0"]),
        ({"stroke": {"speed": 1}}, ["stroke: got no key 'azimuth'"]),
        ({"stroke": {"speed": 1, "azimuth": 0, "side": 1}}, ["got 1 ball radii"]),
        ({"stroke": {"speed": None, "azimuth": 0}}, ["stroke.speed: got null, expected a number"]),
        ({"materials": {"mu_slid": 0.2}}, ["did you mean mu_slide?"]),
        ({"materials": {"mu_ball": {"a": -1}}}, ["materials.mu_ball: ", "got -1"]),
        ({"stick": "brake"}, ["did you mean break?"]),
        ({"stick": {"mass": 50}}, ["stick: ", "got 50"]),
        ({"call": {"ball": 11, "pocket": "foot_left"}}, ["call.ball: got 11"]),
        ({"call": {"ball": 1.0, "pocket": "foot_left"}}, ["call.ball: got 1.0", "whole number"]),
        ({"call": {"ball": 1, "pocket": "foot_lft"}}, ["did you mean foot_left?"]),
        ({"call": {"ball": 1}}, ["call: got no key 'pocket'"]),
        ({"call": "bank"}, ['call: got "bank"', "one of none, safety, push_out, break"]),
        ({"ruleset": 9}, ["ruleset: got 9, expected a text"]),
        ({"state": "\ud800" * 99, "ruleset": ["\n"]}, ["ruleset: got a list of 1"]),
        ({"a\nb": 1}, [r'"a\nb": got an unknown key']),
    ],
)
def test_wrong_values_are_refused_by_key(changes: dict[str, object], parts: list[str]):
    message = refused(shot_text(**changes))
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "line 1 column 1: got malformed JSON"),
        ('{"tenball_shot": 1,\n "layout" 3}', "line 2 column 11: got malformed JSON"),
        ("[]", "got a list of 0, expected an object {...} at the top"),
        ('{"a": NaN}', "got NaN, expected a finite number"),
        ('{"a": -Infinity}', "got -Infinity, expected a finite number"),
        ('{"layout": {"1": [1, 2], "1": [1, 2]}}', 'got the key "1" twice'),
        ("[" * 100_000, "nested more than 32 deep"),
        ('{"a":' * 40 + "1" + "}" * 40, "nested more than 32 deep"),
        ('{"a": ' + "9" * 5000 + "}", "a number of 5000 digits"),
        (shot_text().replace("4.0", "1e999"), "stroke.speed: got a number too large to hold"),
        ('"' + "x" * (1 << 20) + '"', "expected at most 1048576"),
    ],
)
def test_malformed_text_is_refused(text: str, part: str):
    assert part in refused(text)


def test_brackets_in_text_are_not_nesting():
    assert parse_shot(shot_text(state='[{"\\' * 50)).state == '[{"\\' * 50


@given(st.binary(max_size=60), st.integers(0, len(shot_text())))
def test_any_damage_is_a_file_error_or_harmless(damage: bytes, at: int):
    text = shot_text()
    broken = (text[:at].encode() + damage + text[at:].encode()).decode("utf-8", "replace")
    try:
        parse_shot(broken)
    except sim.FileError as error:
        message = str(error)
    else:
        message = ""
    assert "\n" not in message


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"\xff\xfe{\x00}\x00", "got byte 0xff at offset 0, expected text in UTF-8"),
        (b'{"table": "\xe9"}', "got byte 0xe9 at offset 11"),
        (b" " * ((1 << 20) + 1), "got more than 1048576 bytes"),
    ],
)
def test_files_that_are_not_short_utf8_text(tmp_path: Path, data: bytes, part: str):
    path = tmp_path / "s.json"
    path.write_bytes(data)
    with pytest.raises(sim.FileError, match=r"s\.json: ") as caught:
        load_shot(path)
    assert part in str(caught.value)


def test_byte_order_mark_is_dropped(tmp_path: Path):
    path = tmp_path / "s.json"
    path.write_bytes(b"\xef\xbb\xbf" + shot_text().encode())
    assert load_shot(path).stroke == sim.Stroke(4.0, 1.5708)


@pytest.mark.parametrize("name", ["missing.json", ".", "nul\0"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str):
    with pytest.raises(sim.FileError) as caught:
        load_shot(f"{tmp_path}/{name}")
    assert "\n" not in str(caught.value)


def test_save_and_load(tmp_path: Path):
    path = tmp_path / "shot.json"
    path.write_text("old")
    save_shot(path, FULL)
    assert load_shot(path) == FULL
    assert os.listdir(tmp_path) == ["shot.json"]


def test_a_failed_write_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "shot.json"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync", full)
    with pytest.raises(sim.FileError, match="No space left on device"):
        save_shot(path, FULL)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["shot.json"]


def test_writing_into_nothing_is_refused(tmp_path: Path):
    with pytest.raises(sim.FileError, match="cannot be written"):
        save_shot(tmp_path / "no" / "shot.json", FULL)
    with pytest.raises(sim.FileError, match="got a folder"):
        save_shot(tmp_path, FULL)
    assert os.listdir(tmp_path) == []


def test_fewer_than_six_digits_are_refused():
    with pytest.raises(sim.FileError, match="got 5"):
        FULL.text(digits=5)
