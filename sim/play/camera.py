"""Where the eye is: five ways of looking, and smooth passage from one to another. No Panda3D
here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.model.errors import InputError
from sim.model.table import Table

__all__ = [
    "CAMERAS",
    "CameraMan",
    "Pose",
    "Ray",
    "Sight",
    "camera_pose",
    "check_camera",
    "orbit",
    "overhead",
    "player",
]

Vector = tuple[float, float, float]
Array = NDArray[np.float64]

# The player's eye is 30 degrees above the ball. A stick raised less than the first is well below it; from
# the second on it is passed by, this far (m) to its right.
BELOW_THE_EYE, BESIDE_IT = math.radians(14), math.radians(24)
ASIDE = 0.16

CAMERAS = ("broadcast", "player", "overhead", "orbit", "follow")


class Sight(NamedTuple):
    """What the cameras behind a ball look at.

    Attributes:
        centre: of the ball, m.
        azimuth: of the stroke, radians.
        elevation: of the stick, radians.
    """

    centre: Vector
    azimuth: float
    elevation: float = 0.0


@dataclass(frozen=True)
class Ray:
    """A ray of sight: origin and unit direction, in the table's frame."""

    origin: Vector
    direction: Vector

    def at_height(self, z: float) -> tuple[float, float] | None:
        """Where it crosses the plane at a height, or None when it never does."""
        if abs(self.direction[2]) < 1e-9:
            return None
        t = (z - self.origin[2]) / self.direction[2]
        if t <= 0:
            return None
        return self.origin[0] + t * self.direction[0], self.origin[1] + t * self.direction[1]

    def distance_to(self, centre: Vector) -> tuple[float, float]:
        """(how near it passes a point, how far along itself), m."""
        o = np.array(centre) - np.array(self.origin)
        along = float(o @ np.array(self.direction))
        return float(np.linalg.norm(o - along * np.array(self.direction))), along


@dataclass(frozen=True)
class Pose:
    """An eye: where it is, what it looks at, which way is up on the picture, how wide it sees.

    Attributes:
        eye, target: m, in the table's frame.
        up: need not be square to the line of sight, only not along it.
        fov: vertical angle of view, radians.
    """

    eye: Vector
    target: Vector
    up: Vector = (0.0, 0.0, 1.0)
    fov: float = math.radians(36)

    def axes(self) -> tuple[Array, Array, Array]:
        """Unit vectors right, forward and up of the picture."""
        forward = np.array(self.target) - np.array(self.eye)
        forward /= max(float(np.linalg.norm(forward)), 1e-9)
        right = np.cross(forward, np.array(self.up))
        right /= max(float(np.linalg.norm(right)), 1e-9)
        return right, forward, np.cross(right, forward)

    def ray(self, x: float, y: float, aspect: float) -> Ray:
        """The ray through a point of the picture.

        Args:
            x, y: -1..1 from left to right and from bottom to top.
            aspect: width over height.
        """
        right, forward, up = self.axes()
        half = math.tan(self.fov / 2)
        d = forward + right * (x * half * aspect) + up * (y * half)
        d /= np.linalg.norm(d)
        return Ray(self.eye, (float(d[0]), float(d[1]), float(d[2])))

    def project(self, point: Vector, aspect: float) -> tuple[float, float] | None:
        """Where a point stands on the picture, -1..1 each way, or None behind the eye."""
        right, forward, up = self.axes()
        d = np.array(point) - np.array(self.eye)
        depth = float(d @ forward)
        if depth <= 1e-6:
            return None
        half = math.tan(self.fov / 2)
        return float(d @ right) / (depth * half * aspect), float(d @ up) / (depth * half)


def _vector(v: Array) -> Vector:
    return float(v[0]), float(v[1]), float(v[2])


def orbit(
    target: Vector, azimuth: float, elevation: float, distance: float, fov: float = math.radians(36)
) -> Pose:
    """An eye `distance` from the target, looking along `azimuth` and down by `elevation`,
    radians."""
    elevation = min(max(elevation, math.radians(1)), math.radians(89))
    eye = np.array(target) - distance * np.array(
        (
            math.cos(azimuth) * math.cos(elevation),
            math.sin(azimuth) * math.cos(elevation),
            -math.sin(elevation),
        )
    )
    return Pose(_vector(eye), target, fov=fov)


def player(
    centre: Vector,
    azimuth: float,
    stick: float = 0.0,
    *,
    distance: float = 0.62,
    elevation: float = math.radians(17),
) -> Pose:
    """Behind the stick: over the ball at `centre` along `azimuth`, as a player stands.

    Beside a stick that is raised by `stick` radians: at 30 degrees the eye would be inside it.
    """
    ahead = np.array((math.cos(azimuth), math.sin(azimuth), 0.0))
    right = np.array((ahead[1], -ahead[0], 0.0))
    step = min(max((stick - BELOW_THE_EYE) / (BESIDE_IT - BELOW_THE_EYE), 0.0), 1.0)
    target = np.array(centre) + 0.42 * ahead
    target[2] = centre[2]
    eye = np.array(centre) - distance * ahead + ASIDE * step * step * (3 - 2 * step) * right
    eye[2] = centre[2] + 0.04 + (distance + 0.42) * math.tan(elevation)
    return Pose(_vector(eye), _vector(target), fov=math.radians(46))


def overhead(table: Table, aspect: float) -> Pose:
    """Straight from above, head on the left, the whole table in the picture."""
    fov = math.radians(26)
    half = math.tan(fov / 2)
    out = table.spec.rail_width + 0.06
    need_height = (table.width / 2 + out) / half
    need_width = (table.length / 2 + out) / (half * aspect)
    height = max(need_height, need_width)
    middle = (table.width / 2, table.length / 2, 0.0)
    return Pose((middle[0], middle[1], height), middle, up=(-1.0, 0.0, 0.0), fov=fov)


@lru_cache(maxsize=32)
def broadcast(table: Table, aspect: float) -> Pose:
    """From behind the head rail and above, as on television: the whole table in the picture, the
    foot far."""
    out = table.spec.rail_width + 0.05
    corners = [(x, y, 0.0) for x in (-out, table.width + out) for y in (-out, table.length + out)]
    elevation, fov = math.radians(43), math.radians(34)
    low, high = 1.0, 12.0
    for _ in range(18):
        distance = (low + high) / 2
        # Look at the point that puts the near and the far rail equally far from the picture's
        # edges.
        near_y, far_y = 0.0, table.length
        for _ in range(18):
            pose = orbit(
                (table.width / 2, (near_y + far_y) / 2, 0.0),
                math.pi / 2, elevation, distance, fov,
            )  # fmt: skip
            places = [pose.project(c, aspect) or (9.0, -9.0) for c in corners]
            if min(p[1] for p in places) + max(p[1] for p in places) < 0:
                far_y = (near_y + far_y) / 2
            else:
                near_y = (near_y + far_y) / 2
        if max(abs(v) for p in places for v in p) > 0.96:
            low = distance
        else:
            high = distance
    return pose


def camera_pose(
    name: str,
    table: Table,
    aspect: float,
    *,
    seen: Sight | None = None,
) -> Pose:
    """The pose of a camera by its name.

    Args:
        name: one of CAMERAS.
        aspect: width over height of the picture.
        seen: what player and follow look at; without it the middle of the table, along it.

    Raises:
        InputError: no such camera.
    """
    middle = (table.width / 2, table.length / 2, 0.0)
    at, azimuth, stick = seen or Sight(middle, math.pi / 2)
    if name == "broadcast":
        return broadcast(table, aspect)
    if name == "overhead":
        return overhead(table, aspect)
    if name == "player":
        return player(at, azimuth, stick)
    if name == "orbit":
        return orbit(middle, math.radians(52), math.radians(27), 2.75 * table.length / 2.54)
    if name == "follow":
        # A little from the side: what the ball runs into is not hidden behind it.
        return orbit(at, azimuth - 0.42, math.radians(18), 0.95, math.radians(40))
    raise _no_camera(name)


def check_camera(name: str) -> None:
    """Raise InputError unless there is a camera of that name."""
    if name not in CAMERAS:
        raise _no_camera(name)


def _no_camera(name: str) -> InputError:
    return InputError(f"camera: got {name!r}, expected one of {', '.join(CAMERAS)}")


class CameraMan:
    """Takes the eye to where it is wanted without a jerk, however frames fall.

    Args:
        pose: where to begin.
        seconds: after which about nine tenths of a way are done.
    """

    def __init__(self, pose: Pose, seconds: float = 0.45) -> None:
        self.pose = pose
        self.wanted = pose
        self.seconds = seconds

    def cut(self, pose: Pose) -> None:
        """Be there at once."""
        self.pose = self.wanted = pose

    def go(self, pose: Pose) -> None:
        """Want to be there."""
        self.wanted = pose

    def step(self, dt: float) -> Pose:
        """The pose `dt` seconds later; the same whether taken in one step or in many."""
        if self.seconds <= 0:
            self.pose = self.wanted
            return self.pose
        share = 1 - math.exp(-2.3 * max(dt, 0.0) / self.seconds)
        a, b = self.pose, self.wanted
        target = _mix(a.target, b.target, share)
        # The eye swings round its target rather than cutting through the table.
        eye = np.array(target) + _swing(_from(a), _from(b), share)
        up = _swing(np.array(a.up), np.array(b.up), share)
        up /= max(float(np.linalg.norm(up)), 1e-9)
        fov = a.fov + (b.fov - a.fov) * share
        self.pose = Pose(_vector(eye), target, _vector(up), fov)
        gap = max(
            float(np.linalg.norm(np.array(self.pose.eye) - np.array(b.eye))),
            float(np.linalg.norm(up - np.array(b.up))),
            float(np.linalg.norm(np.array(target) - np.array(b.target))),
        )
        if gap < 1e-5:
            self.pose = replace(b)
        return self.pose


def _from(pose: Pose) -> Array:
    out: Array = np.array(pose.eye) - np.array(pose.target)
    return out


def _mix(a: Vector, b: Vector, share: float) -> Vector:
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
    )


def _swing(a: Array, b: Array, share: float) -> Array:
    """From a towards b along the arc between them, lengths mixed; straight where they are
    opposite."""
    la, lb = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if la < 1e-9 or lb < 1e-9:
        return a + (b - a) * share
    ua, ub = a / la, b / lb
    angle = math.acos(min(1.0, max(-1.0, float(ua @ ub))))
    length = la + (lb - la) * share
    if angle < 1e-6:
        return ub * length
    if angle > math.pi - 1e-3:
        side = np.cross(ua, (0.0, 0.0, 1.0))
        if float(np.linalg.norm(side)) < 1e-6:
            side = np.array((1.0, 0.0, 0.0))
        side /= np.linalg.norm(side)
        turn = math.pi * share
        return length * (ua * math.cos(turn) + side * math.sin(turn))
    s = math.sin(angle)
    out = (math.sin((1 - share) * angle) * ua + math.sin(share * angle) * ub) / s
    return np.asarray(out * length)
