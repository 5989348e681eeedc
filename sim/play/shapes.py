"""Flat shapes that panels, buttons and dials are made of, in the plane of the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from panda3d.core import NodePath

from sim.play.mesh import Mesh
from sim.play.upload import mesh_node

__all__ = ["Colour", "disc", "rounded"]

Colour = tuple[float, float, float, float]


def _outline(left: float, right: float, bottom: float, top: float, radius: float) -> Mesh:
    """A rectangle with round corners in the plane of the picture."""
    radius = min(radius, (right - left) / 2, (top - bottom) / 2)
    angles = np.linspace(0, math.pi / 2, 6)
    points = []
    corners = ((right, top, 0), (left, top, 1), (left, bottom, 2), (right, bottom, 3))
    for x, z, quarter in corners:
        cx = x - radius if x == right else x + radius
        cz = z - radius if z == top else z + radius
        for angle in angles + quarter * math.pi / 2:
            points.append((cx + radius * math.cos(angle), 0.0, cz + radius * math.sin(angle)))
    return _fan(points)


def _fan(points: Sequence[tuple[float, float, float]]) -> Mesh:
    p = np.array(points)
    k = np.arange(1, len(p) - 1, dtype=np.int32)
    triangles = np.column_stack((np.zeros_like(k), k, k + 1)).astype(np.int32)
    normals = np.tile((0.0, -1.0, 0.0), (len(p), 1))
    return Mesh(p, normals, np.zeros((len(p), 2)), np.ones(len(p)), triangles)


# A page has a hundred shapes of a few sizes: each is made once, and a frame stays short.
@lru_cache(maxsize=256)
def _rounded_shape(width: float, height: float, radius: float) -> NodePath:
    return mesh_node("shape", _outline(0.0, width, 0.0, height, radius))


@lru_cache(maxsize=1)
def _disc_shape() -> NodePath:
    t = np.linspace(0, math.tau, 49)[:-1]
    return mesh_node("disc", _fan([(math.cos(a), 0.0, math.sin(a)) for a in t]))


def rounded(
    left: float, right: float, bottom: float, top: float, radius: float, colour: Colour
) -> NodePath:
    """A rectangle with round corners."""
    shape = _rounded_shape(round(right - left, 6), round(top - bottom, 6), radius)
    return _painted(shape.copy_to(NodePath()), colour, (left, bottom, 1.0))


def disc(radius: float, colour: Colour) -> NodePath:
    """A full circle round the origin."""
    return _painted(_disc_shape().copy_to(NodePath()), colour, (0.0, 0.0, radius))


def _painted(shape: NodePath, colour: Colour, place: tuple[float, float, float]) -> NodePath:
    """The shape below a node of its own, whose place is left to whoever asked for it."""
    x, z, scale = place
    node = NodePath("shape")
    shape.reparent_to(node)
    shape.set_pos(x, 0, z)
    shape.set_scale(scale)
    node.set_color(*colour)
    node.set_two_sided(True)
    return node
