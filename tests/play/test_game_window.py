"""The game in a real window under Xvfb, driven by xdotool, waiting on state and never on sleeps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import json, os, sys
from pathlib import Path
from panda3d.core import load_prc_file_data
load_prc_file_data("", "undecorated 1\\nwin-origin 0 0")
from sim.play.run import frame_lines, play

folder = Path(sys.argv[1])
seen = [0]

def tell(game):
    seen[0] += 1
    layer, aspect = game.mode.layer, game.hud.aspect
    places = {}
    for name, button in (layer.buttons if layer else {}).items():
        x, _, z = button.get_pos(game.stage.base.aspect2d)
        places[name] = ((x / aspect + 1) / 2, (1 - z) / 2)
    for ball in (game.session.match.layout.balls if game.session and game.session.match.layout else ()):
        at = game.scene.pose.project(tuple(game.session.match.layout[ball]), game.scene.aspect)
        if at:
            places[f"ball {ball} on the table"] = ((at[0] + 1) / 2, (1 - at[1]) / 2)
    for mouth, name in zip(game.scene.table.geometry.pockets, __import__("rules").POCKETS):
        at = game.scene.pose.project((*mouth.centre, 0.0), game.scene.aspect)
        if at:
            places[f"mouth {name}"] = ((at[0] + 1) / 2, (1 - at[1]) / 2)
    match = game.session.match if game.session else None
    state = {
        "mode": type(game.mode).__name__, "line": game.bar.text, "notice": game.noticed,
        "ready": game.engine_ready(), "places": places, "frames": seen[0],
        "aim": getattr(getattr(game.mode, "stroke", None), "azimuth", None),
        "shots": len(match.log) if match else 0,
        "declared": str(match.declaration) if match else "",
        "winner": match.winner if match else None,
        "still": max(abs(a - b) for a, b in zip(game.view.man.pose.eye, game.view.man.wanted.eye)) < 1e-3,
    }
    beside = folder / "state.tmp"
    beside.write_text(json.dumps(state))
    os.replace(beside, folder / "state.json")

frames = play(folder, size=(960, 540), each_frame=tell)
(folder / "timing.txt").write_text(chr(10).join(frame_lines(frames)))
"""

SIZE = (960, 540)


class Window:
    """The game's process, and hands on its keyboard and mouse."""

    def __init__(self, folder: Path, display: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, "DISPLAY": display, "ALSOFT_DRIVERS": "null"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder)], env=self.environment
        )

    def state(self) -> dict:
        path = self.folder / "state.json"
        return json.loads(path.read_text()) if path.exists() else {"mode": "", "frames": 0}

    def wait(self, met, what: str, seconds: float = 120) -> dict:
        """Wait until the game's state is as wanted."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            state = self.state()
            if state["mode"] and met(state):
                return state
            assert self.process.poll() is None, f"the game ended before {what}"
            time.sleep(0.02)
        pytest.fail(f"waited for {what}, got {self.state()}")

    def mode(self, *names: str) -> dict:
        return self.wait(lambda s: s["mode"] in names and s["ready"], f"mode {names}")

    def frames(self, count: int) -> None:
        """Let the game draw some frames."""
        begin = self.state()["frames"]
        self.wait(lambda s: s["frames"] >= begin + count, f"{count} frames")

    def do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self.environment, check=True)

    def click(self, name: str) -> None:
        """Press a button, held over some frames."""
        flat = not name.startswith(("mouth ", "ball "))  # buttons do not move with the view
        state = self.wait(lambda s: name in s["places"] and (flat or s["still"]), name)
        x, y = state["places"][name]
        self.do("mousemove", str(round(x * SIZE[0])), str(round(y * SIZE[1])))
        self.frames(2)
        self.do("mousedown", "1")
        self.frames(2)
        self.do("mouseup", "1")
        self.frames(2)

    def key(self, name: str) -> None:
        self.do("keydown", name)
        self.frames(2)
        self.do("keyup", name)
        self.frames(1)


@pytest.fixture
def window(tmp_path, require, display):
    require("program:xdotool")
    made = Window(tmp_path, display)
    yield made
    made.process.kill()
    made.process.wait()


@pytest.mark.soak
def test_a_race_to_one_in_a_window(window):
    window.mode("MenuMode")
    window.click("new")
    window.mode("SetupMode")
    window.click("start")
    window.mode("LagMode")
    for _ in range(3):
        window.key("Up")
    window.click("lag")
    window.key("space")
    window.mode("WatchMode")
    window.key("space")
    state = window.mode("ChoiceMode", "LagMode")
    assert state["mode"] == "ChoiceMode", "two equal lags would have to be lagged again"
    window.click("breaker A")
    window.mode("AimMode")
    window.key("space")
    window.mode("WatchMode", "RulingMode")
    window.key("space")
    window.mode("RulingMode")
    window.click("next")
    state = window.mode("AimMode", "ChoiceMode")
    while state["mode"] == "ChoiceMode":
        window.click(next(n for n in state["places"] if "accept" in n))
        state = window.mode("AimMode", "ChoiceMode")
    assert state["shots"] == 1
    before = state["aim"]
    window.key("Left")
    window.wait(lambda s: s["aim"] != before, "the aim to turn")
    window.click("call")
    window.mode("CallMode")
    window.click("mouth foot_right")
    window.mode("AimMode")
    window.wait(lambda s: "foot_right" in s["declared"], "the call")
    window.key("space")
    window.mode("WatchMode", "RulingMode")
    window.wait(lambda s: s["shots"] == 2, "the second shot")
    window.key("space")
    window.mode("RulingMode")
    window.key("g")
    window.mode("RefereeMode")
    window.click("code cue_stick_on_table")
    window.click("declare")
    window.mode("RulingMode")
    window.key("space")
    window.mode("AimMode", "ChoiceMode")
    window.key("g")
    window.mode("RefereeMode")
    window.click("resign B")
    state = window.mode("SheetMode", "RulingMode")
    assert state["winner"] == "A"
    window.click("back")
    window.mode("MenuMode", "SheetMode", "AimMode")
    if window.state()["mode"] != "MenuMode":
        pytest.fail(f"after the match, the menu: got {window.state()['mode']}")
    window.do("mousemove", "5", "5")
    x, y = window.state()["places"]["quit"]
    window.do("mousemove", str(round(x * SIZE[0])), str(round(y * SIZE[1])))
    window.frames(2)
    window.do("mousedown", "1")
    window.frames(2)
    window.do("mouseup", "1")
    assert window.process.wait(60) == 0
    print("\n" + (window.folder / "timing.txt").read_text())
