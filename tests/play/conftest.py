"""One offscreen stage for all tests of sim.play: Panda3D allows one ShowBase a process."""

from __future__ import annotations

import os
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
