"""The map of shadows: what each point of the bed sees of each lamp, drawn anew each frame.

Seen from above the whole table fits into one small picture: red, green and blue hold how much of
the three
lamps is seen past balls and stick, alpha how open the point is to the room. Spheres and a stick
under
round lamps have shadows that can be worked out exactly, so edges are soft without taking many
samples.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Camera,
    ColorBlendAttrib,
    GraphicsEngine,
    GraphicsOutput,
    LVecBase4f,
    NodePath,
    OmniBoundingVolume,
    OrthographicLens,
    PTA_LVecBase4f,
    TransparencyAttrib,
)

from sim.model.balls import BALLS
from sim.model.errors import EngineError
from sim.model.table import Table
from sim.play.buffers import borrow, give_back
from sim.play.lighting import MAP_MARGIN
from sim.play.mesh import Mesh
from sim.play.table_frame import chain_samples
from sim.play.upload import compile_shader, flat_texture, mesh_node

__all__ = ["ShadowMap"]

MAP_SIZE = (448, 896)


def _quads(count: int) -> Mesh:
    """`count` unit quads, corners -1 or 1 in x and y, their number in z."""
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    positions = np.concatenate(
        [np.column_stack((corners, np.full(4, float(k)))) for k in range(count)]
    )
    base = np.arange(count, dtype=np.int32)[:, None] * 4
    triangles = np.concatenate((base + np.array((0, 1, 2)), base + np.array((0, 2, 3)))).astype(
        np.int32
    )
    n = len(positions)
    return Mesh(
        positions,
        np.broadcast_to((0.0, 0.0, 1.0), positions.shape).copy(),
        np.zeros((n, 2)),
        np.ones(n),
        triangles,
    )


def still_shade(table: Table, shape: tuple[int, int] = (256, 128)) -> NDArray[np.uint8]:
    """How open the bed is to the room past the cushions, (rows along y, columns along x),
    0..255."""
    rows, columns = shape
    x = -MAP_MARGIN + (np.arange(columns) + 0.5) / columns * (table.width + 2 * MAP_MARGIN)
    y = -MAP_MARGIN + (np.arange(rows) + 0.5) / rows * (table.length + 2 * MAP_MARGIN)
    p = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    half = np.array((table.width / 2, table.length / 2))
    # How deep inside the noses' rectangle; far from them all is open.
    depth = (half - np.abs(p - half)).min(axis=1)
    shade = np.where(depth > 0, 1.0, 0.40)
    band = (depth > 0) & (depth < 0.12)
    near = p[band]
    nearest = np.full(len(near), 1.0)
    for chain in table.geometry.chains:
        samples, _ = chain_samples(chain)
        for a, b in pairwise(samples):
            d = b - a
            t = np.clip((near - a) @ d / max(d @ d, 1e-12), 0, 1)
            nearest = np.minimum(nearest, np.hypot(*(near - a - t[:, None] * d).T))
    shade[band] = 1 - 0.60 * np.exp(-nearest / 0.022)
    out: NDArray[np.uint8] = np.rint(shade.reshape(rows, columns) * 255).astype(np.uint8)
    return out


class ShadowMap:
    """Owns the buffer, its texture, and the uniforms that say where balls and stick are.

    Args:
        engine: what renders.
        host: a window or buffer whose graphics context the map shares.
        constants: the scene's GLSL constants.

    Raises:
        EngineError: no buffer could be made.
    """

    def __init__(
        self, engine: GraphicsEngine, host: GraphicsOutput, table: Table, constants: str
    ) -> None:
        self.balls = PTA_LVecBase4f.empty_array(len(BALLS))
        buffer = borrow(engine, host, "shadow map", MAP_SIZE, sort=-50, depth=False, to_ram=False)
        if buffer is None:
            raise EngineError("the graphics driver gave no buffer for shadows; try --look simple")
        self._buffer = buffer
        self.texture = buffer.get_texture()
        buffer.set_clear_color_active(False)
        buffer.set_clear_depth_active(False)
        self._root = NodePath("shadow map")
        self._root.set_depth_test(False)
        self._root.set_depth_write(False)
        self._root.set_two_sided(True)
        camera = Camera("shadow map", OrthographicLens())
        self._camera = self._root.attach_new_node(camera)
        region = buffer.make_display_region()
        region.set_camera(self._camera)
        base = self._part("still", 1, "map_base", constants, sort=0)
        base.set_shader_input("still", flat_texture("still", still_shade(table)))
        balls = self._part("balls", len(BALLS), "shadow", constants, sort=1)
        balls.set_shader_input("balls", self.balls)
        self._stick = self._stick_part(constants)
        self._stick.hide()
        for part in (balls, self._stick):
            part.set_transparency(TransparencyAttrib.M_none)
            part.set_attrib(
                ColorBlendAttrib.make(
                    ColorBlendAttrib.M_add,
                    ColorBlendAttrib.O_fbuffer_color,
                    ColorBlendAttrib.O_zero,
                )
            )

    def _part(self, name: str, count: int, program: str, constants: str, *, sort: int) -> NodePath:
        part = mesh_node(name, _quads(count))
        part.reparent_to(self._root)
        part.set_shader(compile_shader(f"{program}.vert", f"{program}.frag", constants))
        self._never_cull(part)
        part.set_bin("fixed", sort)
        return part

    def _stick_part(self, constants: str) -> NodePath:
        quads = _quads(3)
        positions = quads.positions.copy()
        positions[:, 1] = positions[:, 1] * 0.5 + 0.5
        mesh = Mesh(positions, quads.normals, quads.uvs, quads.shade, quads.triangles)
        part = mesh_node("stick", mesh)
        part.reparent_to(self._root)
        part.set_shader(compile_shader("stick_shadow.vert", "stick_shadow.frag", constants))
        self._never_cull(part)
        part.set_bin("fixed", 2)
        return part

    @staticmethod
    def _never_cull(part: NodePath) -> None:
        # Vertex shaders place these quads themselves: their stored positions say nothing.
        part.node().set_bounds(OmniBoundingVolume())
        part.node().set_final(True)

    def set_ball(self, ball: int, x: float, y: float, z: float, radius: float) -> None:
        """Place a ball's shadow; radius 0 takes it away."""
        self.balls[ball] = LVecBase4f(x, y, z, radius)

    def set_stick(
        self,
        tip: tuple[float, float, float],
        butt: tuple[float, float, float],
        radii: tuple[float, float],
    ) -> None:
        """Place the stick's shadow."""
        self._stick.show()
        self._stick.set_shader_input("tip", LVecBase4f(*tip, radii[0]))
        self._stick.set_shader_input("butt", LVecBase4f(*butt, radii[1]))

    def hide_stick(self) -> None:
        """Take the stick's shadow away."""
        self._stick.hide()

    def close(self) -> None:
        """Give buffer, texture and nodes back."""
        give_back(self._buffer)
        self._root.remove_node()
