"""How the game looks at the table: a named camera, or the free view that the pointer turns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.play.camera import CameraMan, Pose, Sight, Vector, camera_pose, orbit

if TYPE_CHECKING:
    from sim.play.scene import Scene

__all__ = ["View"]

CAMERAS = ("player", "overhead", "broadcast", "orbit", "follow")
NEAREST, FARTHEST = 0.5, 4.5  # of the free view from the table's middle, m
FARTHER, RAISED = 1.38, 0.11  # how much room the panels take of the picture's height


class View:
    """Where the picture is seen from, a smooth step at a time.

    Attributes:
        camera: name of the camera in use, also while the free view is on.
        held: whether the view is kept still, because something is being dragged.
        man: who moves it.
    """

    def __init__(self, scene: Scene) -> None:
        self.camera = "orbit"
        self.held = False
        self.man = CameraMan(scene.pose)
        self._free: tuple[float, float, float] | None = None  # azimuth, elevation, distance
        self._turning: tuple[float, float] | None = None

    def use(self, name: str) -> None:
        """Look another way."""
        self.camera, self._free = name, None

    def following(self) -> None:
        """The next way of looking."""
        at = CAMERAS.index(self.camera) if self.camera in CAMERAS else 0
        self.use(CAMERAS[(at + 1) % len(CAMERAS)])

    def let_go(self) -> None:
        """Nothing is turned or dragged any more."""
        self._turning, self.held = None, False

    def turn_by(self, scene: Scene, angle: float) -> None:
        """Let the free view go round, radians."""
        azimuth, elevation, distance = self._free_view(scene)
        self._free = (azimuth + angle, elevation, distance)

    def pointer(self, scene: Scene, what: str, x: float, y: float) -> None:
        """turn_start and turn at a place of the picture, -1..1, or zoom by a factor x."""
        if what == "turn_start":
            self._turning = (x, y)
        elif what == "turn" and self._turning is not None:
            x0, y0 = self._turning
            self._turning = (x, y)
            if (x, y) != (x0, y0):
                azimuth, elevation, distance = self._free_view(scene)
                elevation = min(max(elevation - (y - y0) * 1.2, math.radians(3)), math.radians(88))
                self._free = (azimuth - (x - x0) * 2.4, elevation, distance)
        elif what == "zoom":
            azimuth, elevation, distance = self._free_view(scene)
            self._free = (azimuth, elevation, min(max(distance * x, NEAREST), FARTHEST))

    def cut(self, scene: Scene, seen: Sight | None) -> None:
        """Be there at once."""
        self.man.cut(self._wanted(scene, seen))

    def step(self, scene: Scene, seen: Sight | None, dt: float) -> Pose:
        """Where it is `dt` seconds later.

        Args:
            seen: what the cameras behind a ball look at; None: nothing.
        """
        if not self.held:
            self.man.go(self._wanted(scene, seen))
        return self.man.step(dt)

    def _free_view(self, scene: Scene) -> tuple[float, float, float]:
        if self._free is not None:
            return self._free
        d = [p - q for p, q in zip(_middle(scene), self.man.wanted.eye, strict=True)]
        flat = math.hypot(d[0], d[1])
        azimuth = math.atan2(d[1], d[0]) if flat > 1e-3 else math.pi / 2
        return azimuth, math.atan2(-d[2], flat), min(max(math.hypot(*d), 0.6), FARTHEST)

    def _wanted(self, scene: Scene, seen: Sight | None) -> Pose:
        if self._free is not None:
            return orbit(_middle(scene), *self._free)
        name = self.camera
        if seen is None:
            name = "broadcast" if name in ("player", "follow") else name
            pose = camera_pose(name, scene.table, scene.aspect)
        else:
            pose = camera_pose(name, scene.table, scene.aspect, seen=seen)
        return _between_panels(pose) if name in ("overhead", "broadcast") else pose


def _middle(scene: Scene) -> Vector:
    return scene.table.width / 2, scene.table.length / 2, 0.0


def _between_panels(pose: Pose) -> Pose:
    """From farther off and a little lower, so that nothing of the table is behind the panels."""
    _, _, up = pose.axes()
    away = [e - t for e, t in zip(pose.eye, pose.target, strict=True)]
    distance = FARTHER * math.hypot(*away)
    down = RAISED * distance * math.tan(pose.fov / 2)
    target = tuple(t - down * float(u) for t, u in zip(pose.target, up, strict=True))
    eye = tuple(t + FARTHER * d for t, d in zip(target, away, strict=True))
    return Pose((eye[0], eye[1], eye[2]), (target[0], target[1], target[2]), pose.up, pose.fov)
