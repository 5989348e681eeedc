"""The game killed at any moment: what was shown is in the file."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys

import pytest

from sim.game import Session, read_journal

PROGRAM = """
import hashlib, json, sys, time
from pathlib import Path
from sim.game.setup import Setup
from sim.play.app import Game
from sim.play.modes.aim import AimMode
from sim.play.modes.choice import ChoiceMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.watch import PlayingMode, WatchMode
from sim.play.settings import Settings
from sim.play.stage import Stage

game = Game(Stage("offscreen", (64, 36)), Path(sys.argv[1]), settings=Settings(look="simple"))
game.engine.wait()
game.go(game.new_match(Setup(lag=False, race_to=5, seed=int(sys.argv[2]))))
for frame in range(100000):
    mode, session = game.mode, game.session
    shown = hashlib.sha256(repr(session.match).encode()).hexdigest()
    print(json.dumps({"at": session.game.at, "shots": len(session.match.log), "shown": shown}),
          flush=True)
    if isinstance(mode, ChoiceMode):
        mode.layer.click(next(iter(mode.layer.buttons)))
    elif isinstance(mode, AimMode):
        if session.match.declaration is None and not session.match.rack.is_break:
            game.key("safety")
        else:
            mode.change(speed=1.0 + frame % 7, azimuth=0.37 * frame)
            game.key("shoot")
    elif isinstance(mode, (WatchMode, RulingMode)):
        game.key("next")
    game.step(0.2)
"""


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_a_killed_game_has_lost_nothing_that_was_shown(tmp_path, stage, seed):
    chance = random.Random(seed)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(seed)]
    last: dict = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(chance.randint(3, 120)):
            line = process.stdout.readline()
            if not line.endswith("}\n"):
                break
            last = json.loads(line)
        process.kill()
        # What it said before it died was shown as well.
        for line in process.stdout.read().splitlines():
            if line.endswith("}"):
                last = json.loads(line)
    assert last["at"] >= 1
    path = next((tmp_path / "matches").glob("*.tenball"))
    text = read_journal(path)
    digests = [hashlib.sha256(repr(s).encode()).hexdigest() for s in text.game.states]
    assert last["shown"] in digests
    with Session.resume(path) as session:
        assert session.game == text.game
        assert len(session.match.log) >= last["shots"]
