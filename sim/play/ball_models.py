"""The balls: one node each, drawn as exact spheres by a shader, or as textured meshes in the
simple look."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from panda3d.core import (
    BoundingSphere,
    LQuaternionf,
    NodePath,
    PTA_LVecBase4f,
    SamplerState,
    Texture,
    TransparencyAttrib,
)

from sim.model.balls import BALLS
from sim.play.mesh import Mesh, polygon
from sim.play.upload import compile_shader, mesh_node, picture

__all__ = ["BallModels", "placed_quaternion", "sphere"]


def sphere(radius: float, rings: int = 16, segments: int = 32) -> Mesh:
    """A sphere about the origin; u goes once round z from -x, v from the south to the north
    pole."""
    theta = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    phi = np.linspace(-math.pi, math.pi, segments + 1)
    t, f = np.meshgrid(theta, phi, indexing="ij")
    n = np.stack((np.cos(t) * np.cos(f), np.cos(t) * np.sin(f), np.sin(t)), axis=-1)
    uvs = np.stack((f / math.tau + 0.5, t / math.pi + 0.5), axis=-1)
    index = np.arange(n[..., 0].size, dtype=np.int32).reshape(rings + 1, segments + 1)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    triangles = np.concatenate(
        (np.stack((a, b, c), axis=-1).reshape(-1, 3), np.stack((a, c, d), axis=-1).reshape(-1, 3))
    )
    flat = n.reshape(-1, 3)
    return Mesh(flat * radius, flat, uvs.reshape(-1, 2), np.ones(len(flat)), triangles)


def placed_quaternion(ball: int) -> LQuaternionf:
    """How a ball lies when it is put down: its number up, towards the head, a little askew.

    The engine gives every ball's turning since the shot began; this is where it begins.
    """
    rng = np.random.default_rng(1000 + ball)
    tilt = math.radians(float(rng.uniform(30, 58)))  # of the number from straight up, to the head
    yaw = math.radians(float(rng.uniform(-35, 35)))
    roll = math.radians(float(rng.uniform(-22, 22)))
    # Columns: where the ball's own x (its number), y (right of it) and z (above it) point.
    number = np.array(
        (math.sin(tilt) * math.sin(yaw), -math.sin(tilt) * math.cos(yaw), math.cos(tilt))
    )
    right = np.array((math.cos(yaw), math.sin(yaw), 0.0))
    up = np.cross(number, right)
    right, up = (
        right * math.cos(roll) + up * math.sin(roll),
        up * math.cos(roll) - right * math.sin(roll),
    )
    m = np.column_stack((number, right, up))
    w = math.sqrt(max(1 + m[0, 0] + m[1, 1] + m[2, 2], 1e-12)) / 2
    if w > 1e-3:
        x, y, z = (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1])
        q = np.array((w, x / (4 * w), y / (4 * w), z / (4 * w)))
    else:
        q = np.array((0.0, 1.0, 0.0, 0.0))
    return LQuaternionf(*(q / np.linalg.norm(q)))


class BallModels:
    """One node per ball id, hidden until shown.

    Args:
        parent: what the nodes hang under.
        radius: of every ball, m.
        constants: GLSL constants for the full look, None for the simple one.
        shadow: texture of the map of shadows (full look).
        places: the array of (x, y, z, radius) by ball id that shaders read (full look).
    """

    def __init__(
        self,
        parent: NodePath,
        radius: float,
        *,
        constants: str | None = None,
        shadow: Texture | None = None,
        places: PTA_LVecBase4f | None = None,
    ) -> None:
        self.radius = radius
        self.root = parent.attach_new_node("balls")
        self.nodes: dict[int, NodePath] = {}
        self._placed = {ball: placed_quaternion(ball) for ball in BALLS}
        self._spots: dict[int, NodePath] = {}
        if constants is None:
            self._simple()
        else:
            self._full(constants, shadow, places)
        for node in self.nodes.values():
            node.hide()
            node.set_tag("kind", "ball")

    def _full(self, constants: str, shadow: Texture | None, places: PTA_LVecBase4f | None) -> None:
        shader = compile_shader("ball.vert", "ball.frag", constants)
        numbers = picture("numbers", repeat=False)
        numbers.set_minfilter(SamplerState.FT_linear_mipmap_linear)
        square = polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)], 0.0)
        self.root.set_shader(shader)
        self.root.set_shader_input("numbers", numbers)
        self.root.set_shader_input("shadow_map", shadow)
        self.root.set_shader_input("balls", places)
        self.root.set_shader_input("fade", 1.0)
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_depth_write(True)
        self.root.set_two_sided(True)
        for ball in BALLS:
            node = mesh_node(f"ball {ball}", square)
            node.set_shader_input("ball", ball)
            node.node().set_bounds(BoundingSphere((0, 0, 0), 3 * self.radius))
            node.node().set_final(True)
            node.reparent_to(self.root)
            self.nodes[ball] = node

    def _simple(self) -> None:
        body = sphere(self.radius)
        spot = polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)], 0.0)
        spot = Mesh(
            spot.positions * (2.1 * self.radius, 2.1 * self.radius, 1.0),
            spot.normals,
            spot.positions[:, :2] * 0.5 + 0.5,
            spot.shade,
            spot.triangles,
        )
        soft = picture("soft", repeat=False)
        for ball in BALLS:
            node = mesh_node(f"ball {ball}", body)
            node.set_texture(picture(f"ball_{ball}", repeat=False))
            node.reparent_to(self.root)
            self.nodes[ball] = node
            shade = mesh_node(f"contact {ball}", spot)
            shade.set_texture(soft)
            shade.set_transparency(TransparencyAttrib.M_alpha)
            shade.set_light_off()
            shade.set_depth_write(False)
            shade.set_depth_offset(1)
            shade.set_z(0.0006)
            shade.reparent_to(self.root)
            shade.hide()
            self._spots[ball] = shade

    def show(
        self, ball: int, x: float, y: float, z: float, w: float, i: float, j: float, k: float
    ) -> None:
        """Put a ball at (x, y, z), m, turned by the quaternion (w, i, j, k) since the shot
        began."""
        node = self.nodes[ball]
        # Panda multiplies row vectors: the turning put down comes first.
        node.set_pos_quat((x, y, z), self._placed[ball] * LQuaternionf(w, i, j, k))
        node.show()
        if self._spots:
            spot = self._spots[ball]
            spot.set_pos(x, y, 0.0006)
            spot.show()
            spot.set_alpha_scale(max(0.0, min(1.0, 1 - (abs(z - self.radius)) / 0.1)))

    def hide(self, ball: int) -> None:
        """Take a ball out of sight."""
        self.nodes[ball].hide()
        if self._spots:
            self._spots[ball].hide()

    def set_placed(self, turned: Mapping[int, LQuaternionf]) -> None:
        """Begin the next shot with the balls turned as the last one left them."""
        self._placed.update(turned)

    def turned(self, ball: int) -> LQuaternionf:
        """How a ball is turned now."""
        return LQuaternionf(self.nodes[ball].get_quat())
