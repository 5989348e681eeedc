"""One offscreen stage for all tests of sim.play: Panda3D allows one ShowBase a process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest
from game_hands import SILENT

from sim.play.app import Game
from sim.play.stage import Stage, StageError


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """An offscreen stage of 320 x 180; without a graphics driver a skip, and in CI a failure."""
    try:
        opened = Stage("offscreen", (320, 180))
    except StageError as error:
        if os.environ.get("CI", "").lower() in ("1", "true", "yes"):
            pytest.fail(f"{error}; CI=true promises it", pytrace=False)
        pytest.skip(str(error))
    yield opened
    opened.close()


@pytest.fixture
def game(stage, tmp_path):
    made = Game(stage, tmp_path, settings=SILENT)
    made.engine.wait(600)
    yield made
    made.close()


@pytest.fixture
def display(require) -> Iterator[str]:
    """The name of an X display of 960 x 540 that nobody sees."""
    require("program:Xvfb")
    number, ready = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(ready), "-screen", "0", "960x540x24", "+extension", "GLX"],
        pass_fds=[ready],
        stderr=subprocess.DEVNULL,
    )
    os.close(ready)
    with os.fdopen(number) as told:
        name = f":{told.readline().strip()}"
    yield name
    server.terminate()
    server.wait()
