"""Pictures and clips of a shot, drawn without a display."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Camera, NodePath

from sim.model.balls import CUE_BALL, LOOKS
from sim.model.checks import number
from sim.model.errors import InputError
from sim.play.buffers import give_back
from sim.play.camera import Pose, Sight, camera_pose, check_camera
from sim.play.picture import Picture, halved
from sim.play.playback import Frame, Playback
from sim.play.scene import Look, Scene, check_looks
from sim.play.size import MAX_SIZE
from sim.play.stage import Stage

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = [
    "Studio",
    "check_request",
    "clip_frames",
    "draw_paths",
    "render_result",
    "shot_pose",
    "show_frame",
]

SMOOTH_UP_TO = 2560  # larger pictures are drawn at their own size, smaller at twice and halved


class Studio:
    """One scene and one buffer to draw it on, for as many pictures as wanted of one table.

    Args:
        stage: an open stage.
        result: whose table, ball radius and stick are drawn.
        size: of the pictures, pixels.
        smooth: draw at twice the size and halve.
    """

    def __init__(
        self,
        stage: Stage,
        result: Result,
        size: tuple[int, int] = (1280, 720),
        *,
        look: Look = "full",
        cloth: str = "blue",
        smooth: bool = True,
    ) -> None:
        for side in size:
            if isinstance(side, bool) or not isinstance(side, int) or not 16 <= side <= MAX_SIZE:
                raise InputError(
                    f"size: got {size!r}, expected two whole numbers from 16 to {MAX_SIZE}"
                )
        self._stage, self.size, self.result = stage, size, result
        self._twice = smooth and max(size) <= SMOOTH_UP_TO
        scale = 2 if self._twice else 1
        self.buffer = stage.buffer((size[0] * scale, size[1] * scale))
        self._root = NodePath("studio")
        self._camera = self._root.attach_new_node(Camera("studio"))
        self.buffer.make_display_region().set_camera(self._camera)
        try:
            self.scene = Scene(
                self._root,
                self._camera,
                self.buffer,
                stage.base.graphicsEngine,
                result.table,
                look=look,
                cloth=cloth,
                ball_radius=result.layout.ball_radius,
            )
        except BaseException:  # Ctrl-C too: the buffer is the driver's, nobody else gives it back
            give_back(self.buffer)
            raise

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.size[0] / self.size[1]

    def draw(self) -> NDArray[np.uint8]:
        """(H, W, 3): the scene as it stands."""
        main = self._stage.output
        was = main.is_active()
        main.set_active(False)
        try:
            self._stage.frame()
        finally:
            main.set_active(was)
        pixels = self._stage.pixels(self.buffer)
        return halved(pixels) if self._twice else pixels

    def close(self) -> None:
        """Give scene and buffer back."""
        self.scene.close()
        give_back(self.buffer)
        self._root.remove_node()


def show_frame(scene: Scene, playback: Playback, frame: Frame) -> None:
    """Put one moment of a shot into a scene."""
    scene.show(frame.rows, playback.result.balls, frame.seen)
    if frame.stick is None:
        scene.hide_stick()
    else:
        s = frame.stick
        scene.take_stick(playback.result.stick)
        scene.aim_stick(
            s.centre, s.azimuth, s.elevation, side=s.side, vertical=s.vertical, gap=s.gap
        )


def draw_paths(scene: Scene, result: Result, until: float | None = None) -> None:
    """Draw the way of every ball that moved, in its colour, as far as it had come at a time."""
    from sim.shot.picture import describe

    for ball in describe(result).balls:
        name = f"path {ball.ball}"
        scene.marks.remove(name)
        points = [p for p in ball.path if until is None or p.t <= until]
        if len(ball.path) < 2 or not points:
            continue
        way = np.array([(p.x, p.y, p.z) for p in points])
        if until is not None and until < ball.path[-1].t:
            row = result.balls.index(ball.ball)
            way = np.concatenate((way, result.states([until])[0, row : row + 1, :3]))
        way[:, 2] -= scene.ball_radius
        colour = LOOKS[ball.ball].colour
        rgb = tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        if ball.ball == 8:
            rgb = (0.02, 0.02, 0.02)
        scene.marks.path(
            name, way, (rgb[0], rgb[1], rgb[2], 0.75), width=0.007, dashed=LOOKS[ball.ball].striped
        )


def shot_pose(name: str, result: Result, rows: NDArray[np.float64] | None, aspect: float) -> Pose:
    """The pose of a camera for a shot: player and follow look at the cue ball.

    Args:
        rows: (B, 13) at the moment shown, for follow; None: the start.
    """
    azimuth = math.pi / 2 if result.stroke is None else result.stroke.azimuth
    ball = CUE_BALL if CUE_BALL in result.balls else result.balls[0]
    x, y, z = (float(v) for v in result.layout[ball])
    if name == "follow" and rows is not None:
        x, y, z = (float(v) for v in rows[result.balls.index(ball), :3])
        z = max(z, scene_floor(result))
    seen = Sight((x, y, z), azimuth, result.elevation or 0.0)
    return camera_pose(name, result.table, aspect, seen=seen)


def scene_floor(result: Result) -> float:
    """The height no followed ball is looked for below, m."""
    return result.layout.ball_radius


@contextmanager
def borrowed_stage(look: str) -> Iterator[Stage]:
    """The process's stage if there is one, else an offscreen one for as long as it is needed."""
    base = getattr(builtins, "base", None)
    if base is not None and getattr(base, "win", None) is not None:
        yield Stage.around(base)
        return
    stage = Stage("offscreen", (64, 64), look=look)
    try:
        yield stage
    finally:
        stage.close()


def check_request(
    *,
    camera: str = "broadcast",
    look: str = "full",
    cloth: str = "blue",
    at: float | None = None,
    start: float | None = None,
    end: float | None = None,
    fps: float = 25.0,
) -> None:
    """Raise InputError for what no picture and no clip can be drawn with, before anything is
    played."""
    check_camera(camera)
    check_looks(look, cloth)
    for name, value in (("at (s)", at), ("from (s)", start), ("to (s)", end)):
        if value is not None:
            number(value, name, InputError)
    number(fps, "fps", InputError, low=1.0, high=60.0)
    if start is not None and end is not None and end < start:
        raise InputError(f"clip: got from {start:g} to {end:g} s, expected an end after its start")


def render_result(
    result: Result,
    *,
    at: float | None = None,
    camera: str = "broadcast",
    size: tuple[int, int] = (1280, 720),
    paths: bool = False,
    look: Look = "full",
    cloth: str = "blue",
) -> Picture:
    """A picture of a shot, without a display.

    Args:
        result: what `simulate` returned.
        at: seconds after the impact; None: the end. Before 0 the stick is seen to swing.
        camera: one of broadcast, player, overhead, orbit, follow.
        size: width and height, pixels.
        paths: draw the ways of the balls up to then.
        look: full or simple.
        cloth: blue, green, red or grey.

    Raises:
        InputError: an unknown camera, look or cloth, a size or time that cannot be.
        StageError: no graphics driver.
    """
    check_request(camera=camera, look=look, cloth=cloth, at=at)
    playback = Playback(result)
    time = result.duration if at is None else float(at)
    with borrowed_stage(look) as stage:
        studio = Studio(stage, result, size, look=look, cloth=cloth)
        try:
            frame = playback.frame(time)
            show_frame(studio.scene, playback, frame)
            if paths:
                draw_paths(studio.scene, result, None if at is None else time)
            studio.scene.set_pose(shot_pose(camera, result, frame.rows, studio.aspect))
            return Picture(studio.draw())
        finally:
            studio.close()


def clip_frames(
    result: Result,
    *,
    start: float | None = None,
    end: float | None = None,
    fps: float = 25.0,
    camera: str = "broadcast",
    size: tuple[int, int] = (640, 360),
    paths: bool = False,
    look: Look = "full",
    cloth: str = "blue",
) -> Iterator[NDArray[np.uint8]]:
    """The pictures of a clip, one after the other, (H, W, 3) each.

    Args:
        start, end: seconds after the impact; None: with the swing, and until all is at rest.
        fps: pictures a second, 1 to 60.

    Raises:
        InputError: as render_result; a clip that ends before it starts.
    """
    check_request(camera=camera, look=look, cloth=cloth, start=start, end=end, fps=fps)
    rate = float(fps)
    playback = Playback(result)
    first = playback.start if start is None else float(start)
    last = playback.end if end is None else float(end)
    if last < first:
        raise InputError(f"clip: got from {first:g} to {last:g} s, expected an end after its start")

    def frames() -> Iterator[NDArray[np.uint8]]:
        with borrowed_stage(look) as stage:
            studio = Studio(stage, result, size, look=look, cloth=cloth)
            try:
                for k in range(math.floor((last - first) * rate + 1e-9) + 1):
                    time = first + k / rate
                    frame = playback.frame(time)
                    show_frame(studio.scene, playback, frame)
                    if paths:
                        draw_paths(studio.scene, result, time)
                    studio.scene.set_pose(shot_pose(camera, result, frame.rows, studio.aspect))
                    yield studio.draw()
            finally:
                studio.close()

    return frames()
