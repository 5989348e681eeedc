"""What is drawn on the table for the player: paths, rings, a ghost ball, a lit pocket."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from panda3d.core import NodePath, Shader, TransparencyAttrib

from sim.model.table import POCKETS, Table
from sim.play.mesh import Mesh
from sim.play.upload import mesh_node, ribbon

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Marks"]

Colour = tuple[float, float, float, float]

HEIGHT = 0.0015  # of marks above what they lie on, m


def _ring(
    centre: tuple[float, float], inner: float, outer: float, z: float, segments: int = 48
) -> Mesh:
    t = np.linspace(0, math.tau, segments + 1)
    circle = np.column_stack((np.cos(t), np.sin(t)))
    positions = np.concatenate(
        [
            np.column_stack((np.array(centre) + r * circle, np.full(len(t), z)))
            for r in (inner, outer)
        ]
    )
    k = np.arange(segments, dtype=np.int32)[:, None]
    n = segments + 1
    triangles = np.concatenate((k + np.array((0, n, n + 1)), k + np.array((0, n + 1, 1)))).astype(
        np.int32
    )
    return Mesh(
        positions,
        np.broadcast_to((0.0, 0.0, 1.0), positions.shape).copy(),
        np.zeros((len(positions), 2)),
        np.ones(len(positions)),
        triangles,
    )


class Marks:
    """Named marks under one node. A mark drawn again under its name takes the old one's place.

    Args:
        parent: what they hang under.
        shader: for unlit colours; None in the simple look.
    """

    def __init__(self, parent: NodePath, table: Table, shader: Shader | None) -> None:
        self._table = table
        self.root = parent.attach_new_node("marks")
        if shader is not None:
            self.root.set_shader(shader)
        self.root.set_light_off()
        self.root.set_texture_off()
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_depth_write(False)
        self.root.set_two_sided(True)
        # Before the balls, which are drawn in the same pass from back to front.
        self.root.set_bin("fixed", 10)
        self._nodes: dict[str, NodePath] = {}

    def _put(
        self, name: str, mesh: Mesh, colour: Colour, alpha: NDArray[np.float64] | None = None
    ) -> None:
        self.remove(name)
        rgba = np.ones((len(mesh.positions), 4))
        if alpha is not None:
            rgba[:, 3] = alpha
        node = mesh_node(name, mesh, rgba)
        node.set_color_scale(*colour)
        node.reparent_to(self.root)
        self._nodes[name] = node

    def path(
        self,
        name: str,
        points: ArrayLike,
        colour: Colour,
        *,
        width: float = 0.005,
        dashed: bool = False,
    ) -> None:
        """A line on the bed along (N, 2) or (N, 3) points; heights below the marks' own are
        raised to it.

        Args:
            width: m.
            dashed: 3 cm dashes.
        """
        p = np.asarray(points, dtype=float)
        if p.ndim != 2 or len(p) == 0:
            self.remove(name)
            return
        if p.shape[1] == 2:
            p = np.column_stack((p, np.zeros(len(p))))
        p = p.copy()
        p[:, 2] = np.maximum(p[:, 2], HEIGHT)
        mesh = ribbon(_dashes(p) if dashed else p, width)
        alpha = None
        if dashed:
            alpha = (np.floor(mesh.uvs[:, 0] / 0.03 + 1e-6) % 2 == 0).astype(float)
        self._put(name, mesh, colour, alpha)

    def ring(
        self,
        name: str,
        centre: tuple[float, float],
        radius: float,
        colour: Colour,
        *,
        width: float = 0.006,
        z: float = HEIGHT,
    ) -> None:
        """A ring round a place of the bed; radius of its middle, m."""
        self._put(name, _ring(centre, radius - width / 2, radius + width / 2, z), colour)

    def pocket(self, pocket: str, colour: Colour | None) -> None:
        """Light a pocket's rim, or stop with None."""
        mouth = self._table.geometry.pockets[POCKETS.index(pocket)]
        name = f"pocket {pocket}"
        if colour is None:
            self.remove(name)
            return
        self._put(
            name,
            _ring(
                mouth.centre,
                mouth.radius + 0.001,
                mouth.radius + 0.010,
                self._table.spec.rail_top + 0.004,
            ),
            colour,
        )

    def remove(self, name: str) -> None:
        """Take one mark away; nothing happens when there is none."""
        node = self._nodes.pop(name, None)
        if node is not None:
            node.remove_node()

    def clear(self, prefix: str = "") -> None:
        """Take away every mark whose name begins so."""
        for name in [n for n in self._nodes if n.startswith(prefix)]:
            self.remove(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the marks there are."""
        return tuple(self._nodes)


def _dashes(p: NDArray[np.float64], step: float = 0.015) -> NDArray[np.float64]:
    """The path again with a point at least every `step`, so that dashes have ends."""
    length = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))))
    at = np.union1d(np.arange(0, length[-1], step), length)
    return np.column_stack([np.interp(at, length, p[:, k]) for k in range(3)])
