"""The game: one table, one match, one mode at a time.

    game = Game(Stage("window"), home())
    while not game.done:
        base.taskMgr.step()
        game.step(dt)

Everything a player does becomes a command of `sim.game`, on the disk before its result is shown.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from panda3d.core import Camera, NodePath

import rules
from sim.game import commands as c
from sim.game.effects import Effect
from sim.game.session import Session
from sim.game.setup import Setup
from sim.game.shotfile import practice_commands, shot_file
from sim.model.errors import TenballError
from sim.model.rack import rack
from sim.model.table import Table
from sim.play.hud import Hud
from sim.play.inputs import Inputs
from sim.play.modes.bar import Bar
from sim.play.modes.base import Mode
from sim.play.modes.router import first_mode, mode_for
from sim.play.modes.ruling import RulingMode
from sim.play.scene import Scene
from sim.play.settings import Settings, load_settings, save_settings
from sim.play.sound import Sounds
from sim.play.stage import Stage
from sim.play.view import View
from sim.play.worker import EngineStart, Worker
from sim.shot.disk import make_folder, write_whole
from sim.shot.files import load_shot

if TYPE_CHECKING:
    from sim.model.layout import Layout

__all__ = ["Game"]

NOTICE_S = 7.0
CLOSING_S = 5.0  # what a stroke being played may take when the window is closed


class Game:
    """The game on a stage.

    Args:
        stage: open; its output is drawn on.
        folder: of matches and settings.
        settings: None: those kept in the folder.

    Attributes:
        session: the match being played; None in the menu.
        mode: what the game is doing.
        aids: of the running match.
        done: whether it asked to be closed.
    """

    def __init__(self, stage: Stage, folder: Path, *, settings: Settings | None = None) -> None:
        self.stage, self.folder = stage, folder
        trouble = ""
        if settings is None:
            try:
                settings = load_settings(folder)
            except TenballError as error:
                settings, trouble = Settings(), f"{error}; the game's own are used"
        self.settings = settings
        self.aids = settings.aids
        self.session: Session | None = None
        self.done = False
        self.worker = Worker()
        self.engine = EngineStart(self.worker)
        self._root = NodePath("game")
        self._eye = self._root.attach_new_node(Camera("game"))
        self._region = stage.output.make_display_region()
        self._region.set_sort(-10)
        self._region.set_camera(self._eye)
        self._scene: Scene | None = None
        self._scene_key: tuple[object, ...] = ()
        table = Table.wpa_9ft()
        self.show_table(table, rack(table).ball_radius)
        self.view = View(self.scene)
        self.hud = Hud(stage.base, settings, self.act)
        self.bar = Bar(self.hud)
        self.sounds = Sounds(stage.base)
        self._apply_sound()
        self.inputs = Inputs(stage.base, self.pointer)
        stage.base.accept("aspectRatioChanged", self.resized)
        self._notice, self._notice_left = "", 0.0
        self._clock: tuple[str, bool] | None = None
        self.mode: Mode = first_mode(self)
        self.mode.enter()
        self.rebind()
        self.view.cut(self.scene, self.mode.look())
        if settings.full_screen:
            stage.fill_screen(True)
        if trouble:
            self.notice(trouble, seconds=20)

    # --- modes ------------------------------------------------------------------------------------

    def go(self, mode: Mode | None) -> None:
        """Leave the running mode for another; None stays."""
        if mode is None or mode is self.mode:
            return
        self.mode.leave()
        self._clock = None
        self.view.let_go()
        self.mode = mode
        mode.enter()
        self.rebind()

    def act(self, do: Callable[[], Any]) -> None:
        """Do what a key or a button asks; what is refused is said in a line and changes nothing."""
        try:
            following = do()
        except (TenballError, rules.RulesError) as error:
            self.notice(str(error))
            return
        self.go(following if isinstance(following, Mode) else None)

    def rebind(self) -> None:
        """Bind the keys of the running mode."""
        self.inputs.bind(
            {
                action: (self.settings.key(action), partial(self.act, do))
                for action, do in self.mode.keys().items()
            }
        )

    def key(self, action: str) -> None:
        """Do what the key of an action does now.

        Raises:
            KeyError: it does nothing in this mode.
        """
        self.act(self.mode.keys()[action])

    def next_mode(self) -> Mode:
        """The mode for what the match waits for."""
        return mode_for(self)

    def menu(self) -> Mode:
        """The first page."""
        return first_mode(self)

    # --- matches ----------------------------------------------------------------------------------

    def matches(self) -> list[Path]:
        """The matches kept, the last one first."""
        folder = self.folder / "matches"
        found = list(folder.glob("*.tenball")) if os.path.isdir(folder) else []
        return sorted(found, key=lambda p: (_written(p), p.name), reverse=True)

    def last_match(self) -> Path | None:
        """The match played last."""
        return next(iter(self.matches()), None)

    def new_match(self, setup: Setup, *, aids: str | None = None) -> Mode:
        """Seat the players in a new file."""
        return self._begin((c.Seat(setup),), practice=setup.practice, aids=aids)

    def practise(self, path: str | os.PathLike[str]) -> Mode:
        """Set a shot file up for practice."""
        return self._begin(practice_commands(load_shot(path)), practice=True, aids=None)

    def _begin(self, opening: tuple[c.Command, ...], *, practice: bool, aids: str | None) -> Mode:
        kind = "practice" if practice else "match"
        stem = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{kind}"
        folder = self.folder / "matches"
        make_folder(folder)
        path, count = folder / f"{stem}.tenball", 1
        while path.exists():
            count += 1
            path = folder / f"{stem}-{count}.tenball"
        session = Session.create(path)
        for command in opening:
            session.send(command)
        self.leave_match()
        self.session = session
        self.aids = aids or self.settings.aids
        return self.next_mode()

    def continue_match(self, path: Path) -> Mode:
        """Go on with a match on the disk."""
        session = Session.resume(path)
        self.leave_match()
        self.session = session
        self.aids = self.settings.aids
        if session.problems:
            self.notice("; ".join(session.problems), seconds=20)
        return self.next_mode()

    def leave_match(self) -> None:
        """Close the file of the match; everything is in it."""
        if self.session is not None:
            self.session.close()
            self.session = None
            self._notice = ""  # it was about that match

    def send(self, command: c.Command) -> tuple[Effect, ...]:
        """Do a command that needs no simulation, here and now."""
        assert self.session is not None
        return self.session.send(command)

    def after(self, command: c.Command, back: Mode | None) -> Mode:
        """Send a command; the mode that shows what it brought."""
        assert self.session is not None
        log = self.session.match.log
        effects = self.send(command)
        match = self.session.match
        if match.log != log and match.log and match.log[-1].facts.ruling is not None:
            return RulingMode(self, effects)
        for effect in effects:
            text = getattr(effect, "text", None)
            if text and match.penalty is None:  # a dialog asks for the penalty
                self.notice(text)
        return self.next_mode()

    def write_shot(self) -> None:
        """Write the last shot as a file for `tenball shot` and notebooks."""
        assert self.session is not None
        match = self.session.match
        text = shot_file(match, len(match.log)).text()
        folder = self.folder / "shots"
        make_folder(folder)
        path = folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-shot-{len(match.log)}.json"
        write_whole(path, text)
        self.notice(f"Written: {path}   (tenball shot {path.name})", seconds=15)

    # --- engine -----------------------------------------------------------------------------------

    def engine_ready(self) -> bool:
        """Whether shots can be played without a wait."""
        return self.engine.ready

    def engine_line(self) -> str:
        """What there is to say about the engine's start; "" when it is ready."""
        return self.engine.line

    # --- showing ----------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The table that is shown."""
        assert self._scene is not None
        return self._scene

    def show_table(self, table: Table, ball_radius: float) -> None:
        """Have this table on the screen; nothing is built if it is there already."""
        key = (table, ball_radius, self.settings.look, self.settings.cloth)
        if key == self._scene_key:
            return
        if self._scene is not None:
            self._scene.close()
        self._scene = Scene(
            self._root,
            self._eye,
            self.stage.output,
            self.stage.base.graphicsEngine,
            table,
            look="simple" if self.settings.look == "simple" else "full",
            cloth=self.settings.cloth,
            ball_radius=ball_radius,
        )
        self._scene_key = key

    def keep_turned(self, balls: tuple[int, ...]) -> None:
        """The balls begin the next shot turned as they are seen now."""
        self.scene.balls.set_placed({b: self.scene.balls.turned(b) for b in balls})

    def notice(self, text: str, *, seconds: float = NOTICE_S) -> None:
        """Say a line that goes away by itself."""
        self._notice, self._notice_left = text, seconds

    @property
    def noticed(self) -> str:
        """The notice that stands there."""
        return self._notice

    def show_clock(self, text: str, *, urgent: bool) -> None:
        """The shot clock, this frame."""
        self._clock = (text, urgent)

    def resized(self) -> None:
        """The window has another shape."""
        self.mode.rebuild()

    def change_settings(self, settings: Settings) -> None:
        """Take other settings and keep them."""
        old, self.settings = self.settings, settings
        save_settings(self.folder, settings)
        self.hud.set(settings)
        self._apply_sound()
        if settings.aids != old.aids:
            self.aids = settings.aids
        if settings.full_screen != old.full_screen:
            self.stage.fill_screen(settings.full_screen)
        if (settings.look, settings.cloth) != (old.look, old.cloth):
            self._repaint()
        self.rebind()

    def _repaint(self) -> None:
        """The same table and balls in another look."""
        table, radius = self.scene.table, self.scene.ball_radius
        layout: Layout | None = None if self.session is None else self.session.match.layout
        self.show_table(table, radius)
        self.scene.show_layout(rack(table, ball_radius=radius) if layout is None else layout)

    def _apply_sound(self) -> None:
        self.sounds.volume = self.settings.volume if self.settings.sound else 0.0

    # --- looking ----------------------------------------------------------------------------------

    @property
    def camera(self) -> str:
        """The name of the camera in use."""
        return self.view.camera

    def use_camera(self, name: str) -> None:
        """Look another way."""
        self.view.use(name)

    def next_camera(self) -> None:
        """The next way of looking."""
        self.view.following()

    # --- pointer ----------------------------------------------------------------------------------

    def pointer(self, what: str, x: float, y: float) -> None:
        """The pointer did something at a place of the picture, -1..1: see Inputs."""
        layer = self.mode.layer
        at = self.hud.place(x, y)
        if what == "press":
            if layer is None or not layer.press(*at):
                self.act(lambda: self.mode.press(x, y))
        elif what == "drag":
            if layer is None or not layer.drag(*at):
                self.act(lambda: self.mode.drag(x, y))
        elif what == "release":
            if layer is None or not layer.release():
                self.act(lambda: self.mode.release(x, y))
        elif what in ("stroke_start", "stroke"):
            self.act(lambda: self.mode.stroke_by_hand(y, begins=what == "stroke_start"))
        else:
            self.view.pointer(self.scene, what, x, y)

    # --- every frame ------------------------------------------------------------------------------

    def step(self, dt: float) -> None:
        """Show what is to be seen `dt` seconds later."""
        self.inputs.step()
        self._notice_left -= dt
        if self._notice_left <= 0:
            self._notice = ""
        self.act(lambda: self.mode.step(dt))
        self.scene.set_pose(self.view.step(self.scene, self.mode.look(), dt))
        self.bar.show(
            self.mode,
            self.mode.match(),
            self._notice,
            self.engine_line(),
            self._clock,
            self.settings,
        )

    def close(self) -> None:
        """Give everything back but the stage; the match is on the disk."""
        self.mode.leave()
        self.bar.close()
        self.inputs.close()
        self.stage.base.ignore("aspectRatioChanged")
        # A stroke that is being played is written down before its file is closed.
        self.worker.close(CLOSING_S if self.engine.started else 0.0)
        self.leave_match()
        if self._scene is not None:
            self._scene.close()
            self._scene = None
        self.stage.output.remove_display_region(self._region)
        self._root.remove_node()


def _written(path: Path) -> int:
    """When a file was written last, ns; the beginning of time for what is none (any more)."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
