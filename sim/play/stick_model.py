"""The cue stick: tip, ferrule, maple shaft, joint, dark butt with a wrap."""

from __future__ import annotations

import math

import numpy as np
from panda3d.core import LQuaternionf, NodePath

from sim.model.stroke import Stick
from sim.play.mesh import Mesh, lathe
from sim.play.upload import mesh_node

__all__ = ["StickModel", "stick_line"]

Vector = tuple[float, float, float]

# (share of the length from the tip, linear colour) where each part ends.
_PARTS = (
    (0.006, (0.050, 0.160, 0.300)),  # leather, chalked
    (0.022, (0.720, 0.680, 0.580)),  # ferrule
    (0.480, (0.600, 0.400, 0.180)),  # maple
    (0.492, (0.420, 0.330, 0.160)),  # joint, brass
    (0.640, (0.110, 0.022, 0.012)),  # forearm
    (0.650, (0.600, 0.520, 0.380)),
    (0.830, (0.012, 0.012, 0.014)),  # wrap
    (0.840, (0.600, 0.520, 0.380)),
    (0.985, (0.110, 0.022, 0.012)),  # sleeve
    (1.000, (0.010, 0.010, 0.010)),  # bumper
)


def stick_line(
    centre: Vector,
    radius: float,
    azimuth: float,
    elevation: float,
    side: float,
    vertical: float,
    gap: float,
) -> tuple[Vector, Vector]:
    """(where the tip's front is, unit vector along which the stick points).

    Args:
        centre: of the ball aimed at, m.
        side, vertical: the tip's offset from that ball's centre in radii, as a Stroke has it.
        gap: how far the tip has been drawn back from the ball's skin, m; negative after the impact.
    """
    forward = np.array(
        (
            math.cos(azimuth) * math.cos(elevation),
            math.sin(azimuth) * math.cos(elevation),
            -math.sin(elevation),
        )
    )
    right = np.array((math.sin(azimuth), -math.cos(azimuth), 0.0))
    up = np.cross(right, forward)
    depth = math.sqrt(max(1 - side * side - vertical * vertical, 0.0))
    tip = (
        np.array(centre) + radius * (side * right + vertical * up - depth * forward) - gap * forward
    )
    return (float(tip[0]), float(tip[1]), float(tip[2])), (
        float(forward[0]),
        float(forward[1]),
        float(forward[2]),
    )


def _mesh(stick: Stick) -> tuple[Mesh, np.ndarray]:
    """The mesh along -z from the tip at the origin, and its vertices' colours."""
    profile: list[tuple[float, float]] = [(0.0, 0.0)]
    colours: list[tuple[float, float, float]] = [_PARTS[0][1]]
    start = 0.0
    for stop, colour in _PARTS:
        for share in (start, stop):
            r = stick.tip_radius + (stick.butt_radius - stick.tip_radius) * share
            if share == 0.0:
                profile += [(r * 0.6, -0.0006), (r * 0.92, -0.0020)]
                colours += [colour, colour]
                share = 0.0035 / stick.length
            profile.append((r, -share * stick.length))
            colours.append(colour)
        start = stop
    profile.append((0.0, -stick.length - 0.002))
    colours.append(_PARTS[-1][1])
    # The lathe takes outward to be on the right of the profile: give it from the butt upwards.
    mesh = lathe(profile[::-1], 18)
    rings = np.array(colours[::-1])
    rgba = np.column_stack((np.sqrt(rings), np.ones(len(rings))))
    return mesh, np.repeat(rgba, 19, axis=0)


class StickModel:
    """The stick's node; its tip's front is the node's origin."""

    def __init__(self, parent: NodePath, stick: Stick) -> None:
        self.stick = stick
        mesh, colours = _mesh(stick)
        self.node = mesh_node("stick", mesh, colours)
        self.node.reparent_to(parent)
        self.node.hide()

    def place(self, tip: Vector, forward: Vector) -> Vector:
        """Put the tip's front somewhere, pointing along a unit vector; returns the butt's end."""
        z = np.array((0.0, 0.0, 1.0))
        f = np.array(forward)
        axis = np.cross(z, f)
        sine, cosine = float(np.linalg.norm(axis)), float(z @ f)
        angle = math.atan2(sine, cosine)
        axis = axis / sine if sine > 1e-9 else np.array((1.0, 0.0, 0.0))
        half = math.sin(angle / 2)
        quat = LQuaternionf(math.cos(angle / 2), *(float(v) * half for v in axis))
        self.node.set_pos_quat(tip, quat)
        self.node.show()
        length = self.stick.length
        return (
            tip[0] - forward[0] * length,
            tip[1] - forward[1] * length,
            tip[2] - forward[2] * length,
        )

    def hide(self) -> None:
        """Take the stick out of sight."""
        self.node.hide()
