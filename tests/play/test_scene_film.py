"""`tenball render` of a match and as a film; `tenball replay` in a window."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import pytest

from sim.cli.main import main
from sim.game import Session
from sim.game import commands as c
from sim.game.setup import Setup
from sim.model.stroke import Stroke

SHOT = """{"tenball_shot": 1, "table": "wpa_9ft",
 "layout": {"0": [0.635, 0.635], "1": [0.635, 1.905]}, "stroke": {"speed": 3.0, "azimuth": 1.52}}"""
CLIP = ["--from", "0", "--to", "0.4", "--fps", "10", "--size", "96x54"]


@pytest.fixture
def match_file(tmp_path):
    """Practice with two shots."""
    path = tmp_path / "friday.tenball"
    with Session.create(path) as session:
        session.send(c.Seat(Setup(practice=True, lag=False)))
        session.send(
            c.Arrange(
                ((0, (0.6, 0.6, 0.028575)), (1, (0.6, 1.6, 0.028575)), (10, (1, 2, 0.028575)))
            )
        )
        for speed in (1.0, 2.0):
            session.send(c.Shoot(Stroke(speed, math.pi / 2)))
    return str(path)


def test_any_shot_of_a_match_is_drawn(stage, match_file, tmp_path, capsys):
    pictures = []
    for shot in (["--shot", "1"], ["--shot", "2"], []):
        out = tmp_path / "a.png"
        assert main(["render", match_file, "-o", str(out), "--size", "96x54", *shot]) == 0
        pictures.append(out.read_bytes())
    assert pictures[0] != pictures[1]
    assert pictures[1] == pictures[2]  # the last, if nothing is said
    capsys.readouterr()
    assert main(["render", match_file, "-o", str(tmp_path / "b.png"), "--shot", "3"]) == 2
    assert "shot: got 3, expected one of 1, 2" in capsys.readouterr().err


def test_a_film_is_made_by_ffmpeg(stage, match_file, tmp_path, require):
    require("program:ffmpeg")
    require("program:ffprobe")
    out = tmp_path / "a.mp4"
    assert main(["render", match_file, "-o", str(out), *CLIP]) == 0
    asked = "stream=width,height,nb_frames,r_frame_rate,codec_name"
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", asked, "-of", "json", str(out)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    stream = json.loads(told.stdout)["streams"][0]
    assert (stream["width"], stream["height"], stream["r_frame_rate"]) == (96, 54, "10/1")
    assert stream["codec_name"] == "h264"
    assert int(stream["nb_frames"]) in (4, 5)


def test_a_film_without_ffmpeg_is_one_line(stage, match_file, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sim.play.picture._ffmpeg", lambda: None)
    assert main(["render", match_file, "-o", str(tmp_path / "a.mp4")]) == 2
    error = capsys.readouterr().err
    assert "an MP4 needs ffmpeg" in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("program", "says"),
    [("#!/bin/sh\necho no such codec >&2\nexit 3\n", "no such codec")],
)
@pytest.mark.skipif(os.name == "nt", reason="the fake encoder is a shell script")
def test_what_ffmpeg_refuses_is_one_line(
    program, says, stage, match_file, tmp_path, monkeypatch, capsys
):
    fake = tmp_path / "fake"
    fake.write_text(program, encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setattr("sim.play.picture._ffmpeg", lambda: str(fake))
    assert main(["render", match_file, "-o", str(tmp_path / "a.mp4"), *CLIP]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.strip().splitlines()) == 1
    assert not (tmp_path / "a.mp4").exists()


def test_sides_of_a_film_are_even(stage, match_file, tmp_path, require, capsys):
    require("program:ffmpeg")
    args = ["--size", "97x54", "--to", "0.1"]
    assert main(["render", match_file, "-o", str(tmp_path / "a.mp4"), *args]) == 2
    assert "got 97x54, expected even sides" in capsys.readouterr().err


VIEW = """
import sys
from sim.play.shots import load_shots
from sim.play.viewer import watch

def opened(viewer):
    seen = []
    def look(task):
        seen.append(viewer.playback.time)
        if len(seen) == 5:
            viewer.next_shot()
        if len(seen) == 10:
            print(viewer.index, len(viewer._shots), seen[4] > seen[0])
            viewer.leave()
        return task.cont
    viewer._stage.base.taskMgr.add(look, "look")

watch(load_shots(sys.argv[1]), size=(320, 180), opened=opened)
"""


@pytest.mark.parametrize(("kind", "says"), [("match", "1 2 True"), ("shot", "0 1 True")])
def test_replay_in_a_window(kind, says, match_file, tmp_path, display):
    path = match_file
    if kind == "shot":
        path = str(tmp_path / "shot.json")
        (tmp_path / "shot.json").write_text(SHOT, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", VIEW, path], env={**os.environ, "DISPLAY": display},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == says


FULL = """
from sim.play.stage import Stage
stage = Stage("window", (320, 180))
for full in (True, False):
    stage.fill_screen(full)
    for _ in range(20):
        stage.base.taskMgr.step()
    print(stage.output.get_x_size(), stage.output.get_y_size())
"""


def test_full_screen_is_the_screens_own_resolution_and_the_window_comes_back(display):
    run = subprocess.run(
        [sys.executable, "-c", FULL], env={**os.environ, "DISPLAY": display},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-2:] == ["960 540", "320 180"]
