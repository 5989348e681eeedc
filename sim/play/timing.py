"""How long the aim's preview and the game's frames take: a scripted visit to every page.

`tenball bench play` prints it. The script presses keys and buttons as a player does; thinking about
the next stroke is not counted, everything that a press sets off is.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.game import ScriptedPlayer
from sim.game import commands as c
from sim.game.setup import Setup
from sim.model.layout import Layout
from sim.model.rack import rack
from sim.model.stroke import Stroke
from sim.model.table import Table
from sim.play.aim import preview
from sim.play.modes.aim import AimMode
from sim.play.modes.choice import ChoiceMode
from sim.play.modes.lag import LagMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.sheet import SheetMode
from sim.play.modes.watch import WatchMode
from sim.play.run import Frame, play

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["Evening", "frame_times", "preview_times"]

SPREAD = {
    0: (0.40, 0.70), 1: (0.90, 1.80), 2: (0.25, 1.40), 3: (1.02, 0.55), 4: (0.63, 2.10),
    5: (0.33, 2.25), 6: (1.10, 1.25), 7: (0.62, 1.35), 8: (0.20, 0.35), 9: (0.85, 1.05),
    10: (1.05, 2.30),
}  # fmt: skip
PAGES = ("help", "replay", "referee", "menu", "overhead", "camera", "behind", "call")
SETTLED = 3  # frames between two presses: a hand is not faster


def preview_times(azimuths: int = 36) -> dict[str, list[tuple[float, float]]]:
    """{position: (time, processor time) that the preview of a stroke took, s} all round from the cue ball, with side
    spin; at the full rack half of the strokes are aimed into it."""
    table = Table.wpa_9ft()
    racked = rack(table, seed=7)
    x, y = (float(v) for v in (racked[1] - racked[0])[:2])
    at_rack = math.atan2(y, x)
    times: dict[str, list[tuple[float, float]]] = {}
    for name, layout in (("full rack", racked), ("ordinary", Layout(table, SPREAD))):
        preview(Setup(), layout, Stroke(2.0, 0.0))
        taken = times.setdefault(name, [])
        for k in range(azimuths):
            azimuth = math.tau * k / azimuths
            if name == "full rack" and k % 2:
                azimuth = at_rack + math.radians(0.1 * (k - azimuths / 2))
            stroke = Stroke(7.5 if name == "full rack" else 3.0, azimuth, side=0.3)
            begin, busy = time.perf_counter(), time.thread_time()
            preview(Setup(), layout, stroke)
            taken.append((time.perf_counter() - begin, time.thread_time() - busy))
    return times


class Evening:
    """Plays a match in a game, a press every few frames, until `shots` strokes have been played.

    Attributes:
        pages: every mode that was seen.
    """

    def __init__(self, shots: int, seed: int = 3) -> None:
        self._shots = shots
        self._players = tuple(ScriptedPlayer(0.9, seed + k) for k in (0, 1))
        self._todo: deque[Callable[[], Any]] = deque()
        self._visits = deque(PAGES)
        self._wait = 0
        self.pages: set[str] = set()

    def open(self, game: Game) -> None:
        """Begin: presses happen inside frames."""
        game.stage.base.taskMgr.add(lambda task: self._press(task), "evening", sort=-20)
        game.go(game.new_match(Setup(sides=(("Ada",), ("Ben",)), race_to=3, seed=3)))

    def _press(self, task: Any) -> Any:
        self._wait -= 1
        if self._todo and self._wait <= 0:
            self._wait = SETTLED
            self._todo.popleft()()
        return task.cont

    def think(self, game: Game) -> None:
        """Outside the frames: what will be pressed next."""
        mode = game.mode
        self.pages.add(type(mode).__name__)
        if self._todo or not game.engine_ready() or game.session is None:
            return
        match = game.session.match
        key = game.key
        enough = len(match.log) >= self._shots and isinstance(mode, AimMode)
        if enough or isinstance(mode, SheetMode):
            game.done = True
        elif isinstance(mode, LagMode):
            # Two equal lags would be lagged again.
            self._todo += [partial(key, "harder")] * (1 if mode.side == "A" else 3)
            self._todo.append(partial(key, "shoot"))
        elif isinstance(mode, WatchMode):
            if mode.playback.speed < 2:
                self._todo += [lambda: key("faster"), lambda: key("faster")]
        elif isinstance(mode, RulingMode):
            self._todo += [lambda: key("events"), lambda: key("events"), lambda: key("next")]
        elif isinstance(mode, ChoiceMode):
            layer = mode.layer
            assert layer is not None
            self._todo.append(lambda: layer.click(next(iter(layer.buttons))))
        elif isinstance(mode, AimMode):
            self._turn(game, mode)

    def _turn(self, game: Game, mode: AimMode) -> None:
        """One page is looked at, then the stroke is aimed bit by bit and played."""
        match, key = mode.now, game.key
        keys = mode.keys()
        for _ in range(len(self._visits)):
            page = self._visits.popleft()
            if page not in keys:
                self._visits.append(page)
                continue
            self._todo.append(partial(key, page))
            if page in ("help", "replay", "referee", "menu", "call"):
                self._todo += [lambda: None] * 5
                self._todo.append(lambda: key("menu"))
            return
        assert match.rack is not None
        stroke = match.aim or mode.stroke
        for command in self._players["AB".index(match.shooter or "A")].turn(match):
            if isinstance(command, c.Place):
                self._todo.append(partial(mode.put, 0, command.xy))
            elif isinstance(command, c.Declare):
                self._todo.append(partial(game.send, command))
            elif isinstance(command, c.Shoot) and command.stroke is not None:
                stroke = command.stroke
        for k in (4, 3, 2, 1, 0):
            aimed = replace(stroke, azimuth=stroke.azimuth + math.radians(0.5 * k))
            self._todo.append(
                partial(
                    mode.change, azimuth=aimed.azimuth, speed=aimed.speed, side=aimed.side,
                    vertical=aimed.vertical, elevation=aimed.elevation,
                )
            )  # fmt: skip
        if match.declaration is None and not match.rack.is_break:
            self._todo.append(lambda: mode.proposed or mode.now.declaration or key("no_call"))
        self._todo.append(lambda: key("shoot"))


def frame_times(
    folder: Path, *, shots: int = 8, size: tuple[int, int], window: bool
) -> list[Frame]:
    """The frames of a scripted match of some shots, drawn in real time.

    Args:
        folder: for the match, thrown away by the caller.
        window: in a window on the display, else offscreen.

    Raises:
        StageError: nothing to draw on.
    """
    os.environ.setdefault("ALSOFT_DRIVERS", "null")  # a machine without a sound card is no trouble
    evening = Evening(shots)
    return play(
        folder,
        size=size,
        mode="window" if window else "offscreen",
        opened=evening.open,
        each_frame=evening.think,
    )
