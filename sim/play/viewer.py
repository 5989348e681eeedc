"""`tenball replay`: a window that plays the shots of a file."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

from panda3d.core import Camera, CardMaker, FontPool, NodePath, TextNode, TransparencyAttrib

from sim.model.errors import FileError
from sim.play import assets
from sim.play.camera import CAMERAS, CameraMan, Pose, orbit
from sim.play.letters import drawable
from sim.play.playback import Playback
from sim.play.render import draw_paths, shot_pose, show_frame
from sim.play.scene import Look, Scene
from sim.play.shots import Shot, load_shots
from sim.play.stage import Stage

__all__ = ["KEYS", "Viewer", "replay_match", "watch"]

SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
BAR = (0.62, 0.012)  # half its length, and half its height, of the picture's height
BAR_Y = -0.86

# (event, what stands in the help, what it does)
KEYS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("space",), "space play", "toggle"),
    (("arrow_left", "arrow_left-repeat"), "\u2190 \u2192 step", "step_back"),
    (("arrow_right", "arrow_right-repeat"), "", "step_on"),
    (("arrow_up",), "\u2191 \u2193 speed", "faster"),
    (("arrow_down",), "", "slower"),
    (("home",), "home start", "restart"),
    (("n",), "N P shot", "next_shot"),
    (("p",), "", "previous_shot"),
    (("c",), "C camera", "next_camera"),
    (("t",), "T paths", "toggle_paths"),
    (("escape",), "esc leave", "leave"),
)


class Viewer:
    """Plays shots on a stage, a step at a time.

    Args:
        stage: open; its output is drawn on.
        shots: of a file.
        first: index of the one to begin with.
        look, cloth: as for Scene.

    Attributes:
        playback: of the shot being shown.
        index: of that shot.
        done: whether the viewer asked to leave.
    """

    def __init__(
        self,
        stage: Stage,
        shots: list[Shot],
        first: int = 0,
        *,
        camera: str = "broadcast",
        look: Look = "full",
        cloth: str = "blue",
    ) -> None:
        self._stage, self._shots = stage, shots
        self._look, self._cloth = look, cloth
        self.camera = camera
        self.paths = False
        self.done = False
        self._free: tuple[float, float, float] | None = None  # azimuth, elevation, distance
        self._drag: tuple[float, float, str] | None = None
        self._root = NodePath("viewer")
        self._camera = self._root.attach_new_node(Camera("viewer"))
        region = stage.output.make_display_region()
        region.set_sort(-10)
        region.set_camera(self._camera)
        self._region = region
        self._hud = _Hud(stage.base.aspect2d)
        self.scene: Scene | None = None
        self.index = first
        self.playback = Playback(shots[first].play())
        self._show_shot()
        self.man = CameraMan(self._wanted())
        for events, _, name in KEYS:
            for event in events:
                stage.base.accept(event, getattr(self, name))
        stage.base.accept("mouse1", self._press)
        stage.base.accept("mouse1-up", self._release)
        stage.base.accept("wheel_up", self._zoom, [0.9])
        stage.base.accept("wheel_down", self._zoom, [1 / 0.9])

    # --- what the keys do -------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; from the end, begin again."""
        if self.playback.over:
            self.playback.seek(self.playback.start)
            self.playback.playing = True
        else:
            self.playback.playing = not self.playback.playing

    def step_back(self) -> None:
        """A fortieth of a second back, and pause."""
        self.playback.playing = False
        self.playback.seek(self.playback.time - 0.025)

    def step_on(self) -> None:
        """A fortieth of a second on, and pause."""
        self.playback.playing = False
        self.playback.seek(self.playback.time + 0.025)

    def _shift(self, by: int) -> None:
        place = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - self.playback.speed))
        self.playback.speed = SPEEDS[min(max(place + by, 0), len(SPEEDS) - 1)]

    def faster(self) -> None:
        """The next speed up."""
        self._shift(1)

    def slower(self) -> None:
        """The next speed down."""
        self._shift(-1)

    def restart(self) -> None:
        """From the start."""
        self.playback.seek(self.playback.start)

    def next_shot(self) -> None:
        """The next shot of the file, if there is one."""
        self._go(self.index + 1)

    def previous_shot(self) -> None:
        """The shot before, if there is one."""
        self._go(self.index - 1)

    def _go(self, index: int) -> None:
        if not 0 <= index < len(self._shots):
            return
        speed = self.playback.speed
        self.index = index
        self.playback = Playback(self._shots[index].play())
        self.playback.speed = speed
        self._show_shot()

    def next_camera(self) -> None:
        """The next way of looking."""
        self._free = None
        self.camera = CAMERAS[(CAMERAS.index(self.camera) + 1) % len(CAMERAS)]

    def toggle_paths(self) -> None:
        """Draw the ways of the balls, or not."""
        self.paths = not self.paths
        self._paths()

    def leave(self) -> None:
        """Ask to be closed."""
        self.done = True

    # --- pointer ----------------------------------------------------------------------------------

    def _pointer(self) -> tuple[float, float] | None:
        watcher = self._stage.base.mouseWatcherNode
        if watcher is None or not watcher.has_mouse():
            return None
        return float(watcher.get_mouse_x()), float(watcher.get_mouse_y())

    def _press(self) -> None:
        place = self._pointer()
        if place is not None:
            self.press(*place)

    def press(self, x: float, y: float) -> None:
        """The pointer goes down at a point of the picture, -1..1: on the bar it scrubs, elsewhere
        it turns."""
        kind = "bar" if abs(y - BAR_Y) < 0.05 and abs(x * self._aspect) < BAR[0] + 0.03 else "turn"
        self._drag = (x, y, kind)
        if kind == "bar":
            self._scrub(x)

    def _release(self) -> None:
        self._drag = None

    def _scrub(self, x: float) -> None:
        share = min(max((x * self._aspect / BAR[0] + 1) / 2, 0.0), 1.0)
        self.playback.seek(self.playback.start + share * (self.playback.end - self.playback.start))

    def drag(self, x: float, y: float) -> None:
        """The pointer, down, has come to a point of the picture."""
        if self._drag is None:
            return
        x0, y0, kind = self._drag
        self._drag = (x, y, kind)
        if kind == "bar":
            self._scrub(x)
        elif (x, y) != (x0, y0):
            azimuth, elevation, distance = self._free_view()
            elevation = min(max(elevation - (y - y0) * 1.2, math.radians(3)), math.radians(88))
            self._free = (azimuth - (x - x0) * 2.4, elevation, distance)

    def _zoom(self, by: float) -> None:
        azimuth, elevation, distance = self._free_view()
        self._free = (azimuth, elevation, min(max(distance * by, 0.5), 4.5))

    def _free_view(self) -> tuple[float, float, float]:
        if self._free is not None:
            return self._free
        pose = self.man.pose
        d = [a - b for a, b in zip(self._middle, pose.eye, strict=True)]
        distance = min(max(math.hypot(*d), 0.5), 4.5)
        flat = math.hypot(d[0], d[1])
        # From straight above, turn as the overhead picture is turned.
        azimuth = math.atan2(d[1], d[0]) if flat > 1e-3 else math.pi / 2
        return azimuth, math.atan2(-d[2], flat), distance

    # --- every frame ------------------------------------------------------------------------------

    @property
    def _aspect(self) -> float:
        return float(self._stage.output.get_x_size() / max(self._stage.output.get_y_size(), 1))

    @property
    def _middle(self) -> tuple[float, float, float]:
        table = self.playback.result.table
        return table.width / 2, table.length / 2, 0.0

    def _wanted(self) -> Pose:
        if self._free is not None:
            return orbit(self._middle, *self._free)
        frame = self.playback.frame()
        return shot_pose(self.camera, self.playback.result, frame.rows, self._aspect)

    def _show_shot(self) -> None:
        result = self.playback.result
        old = self.scene
        if old is None or old.table != result.table or old.ball_radius != result.layout.ball_radius:
            if old is not None:
                old.close()
            self.scene = Scene(
                self._root,
                self._camera,
                self._stage.output,
                self._stage.base.graphicsEngine,
                result.table,
                look=self._look,
                cloth=self._cloth,
                ball_radius=result.layout.ball_radius,
            )
        self._paths()

    def _paths(self) -> None:
        assert self.scene is not None
        self.scene.marks.clear("path ")
        if self.paths:
            draw_paths(self.scene, self.playback.result)

    def step(self, dt: float) -> None:
        """Show what is to be seen `dt` real seconds later."""
        assert self.scene is not None
        if self._drag is not None:
            place = self._pointer()
            if place is not None:
                self.drag(*place)
        elif self.playback.playing:
            self.playback.advance(dt)
        show_frame(self.scene, self.playback, self.playback.frame())
        self.man.go(self._wanted())
        self.scene.set_pose(self.man.step(dt), self._aspect)
        shot = self._shots[self.index]
        p = self.playback
        state = "plays" if p.playing and not p.over else "pauses"
        self._hud.show(
            f"{shot.title}   shot {self.index + 1} of {len(self._shots)}   "
            f"{max(p.time, 0.0):6.2f} of {p.result.duration:.2f} s   \u00d7{p.speed:g} {state}   "
            f"{self.camera if self._free is None else 'free'} camera",
            (p.time - p.start) / max(p.end - p.start, 1e-9),
        )

    def close(self) -> None:
        """Give everything back but the stage."""
        self._stage.base.ignore_all()
        if self.scene is not None:
            self.scene.close()
            self.scene = None
        self._hud.close()
        self._stage.output.remove_display_region(self._region)
        self._root.remove_node()


class _Hud:
    """One line of state, one of keys, and the bar of time, on a panel at the foot of the
    picture."""

    def __init__(self, parent: NodePath) -> None:
        self.root = parent.attach_new_node("hud")
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        panel = CardMaker("panel")
        panel.set_frame(-0.95, 0.95, -0.985, -0.73)
        back = self.root.attach_new_node(panel.generate())
        back.set_color(0.02, 0.02, 0.025, 0.72)
        track = CardMaker("track")
        track.set_frame(-BAR[0], BAR[0], BAR_Y - BAR[1], BAR_Y + BAR[1])
        self.root.attach_new_node(track.generate()).set_color(0.30, 0.31, 0.33, 1)
        fill = CardMaker("fill")
        fill.set_frame(0, 2 * BAR[0], BAR_Y - BAR[1], BAR_Y + BAR[1])
        self._fill = self.root.attach_new_node(fill.generate())
        self._fill.set_color(0.95, 0.72, 0.30, 1)
        self._fill.set_x(-BAR[0])
        font = FontPool.load_font(str(assets.font("Inter-Regular")))
        font.set_pixels_per_unit(48)
        self._text = self._line(font, 0.040, -0.795, (0.94, 0.94, 0.92, 1))
        keys = self._line(font, 0.032, -0.945, (0.70, 0.71, 0.72, 1))
        keys.set_text("    ".join(text for _, text, _ in KEYS if text))

    def _line(self, font: Any, size: float, y: float, colour: tuple[float, ...]) -> TextNode:
        text = TextNode("line")
        text.set_font(font)
        text.set_align(TextNode.A_center)
        text.set_text_color(*colour)
        node = self.root.attach_new_node(text)
        node.set_scale(size)
        node.set_pos(0, 0, y)
        return text

    def show(self, text: str, share: float) -> None:
        """Say how far it is."""
        text = drawable(text)
        if self._text.get_text() != text:
            self._text.set_text(text)
        self._fill.set_sx(max(min(share, 1.0), 1e-4))

    def close(self) -> None:
        """Take it away."""
        self.root.remove_node()


def watch(
    shots: list[Shot],
    first: int = 0,
    *,
    camera: str = "broadcast",
    size: tuple[int, int] = (1280, 720),
    look: Look = "full",
    cloth: str = "blue",
    opened: Callable[[Viewer], None] | None = None,
) -> None:
    """Open a window and play shots in it until it is closed.

    Args:
        opened: called with the viewer when the window is there (for tests).

    Raises:
        StageError: no display.
    """
    stage = Stage("window", size, look=look, title="tenball replay")
    try:
        viewer = Viewer(stage, shots, first, camera=camera, look=look, cloth=cloth)
        base = stage.base
        # Closing the window ends the watching, not the process.
        base.exitFunc = None
        base.set_background_color(0.016, 0.014, 0.013, 1)
        if opened is not None:
            opened(viewer)
        while not viewer.done and stage.open:
            base.taskMgr.step()
            viewer.step(min(max(base.clock.get_dt(), 0.0), 0.1))
        viewer.close()
    except SystemExit:
        pass  # Panda3D's way of saying that the window was closed
    finally:
        stage.close()


def replay_match(path: str | os.PathLike[str], shot: int | None = None, **options: Any) -> int:
    """Watch the shots of a file, a match or a shot file, in a window.

    Args:
        shot: number of the one to begin with; None: the first.
        options: camera, size, look, cloth, as for `watch`.

    Returns:
        0, when the window has been closed.

    Raises:
        FileError: no such file or shot.
        StageError: no display.
    """
    shots = load_shots(path)
    numbers = [s.number for s in shots]
    if shot is not None and shot not in numbers:
        raise FileError(
            f"{os.fspath(path)}: got shot {shot}, expected one of {', '.join(map(str, numbers))}"
        )
    watch(shots, 0 if shot is None else numbers.index(shot), **options)
    return 0
