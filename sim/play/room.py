"""What stands round the table: floor, walls and the lamps' shades."""

from __future__ import annotations

import numpy as np
from panda3d.core import NodePath

from sim.model.table import Table
from sim.play.lighting import Lamps
from sim.play.mesh import Mesh, disc, grid, lathe, merge
from sim.play.table_mesh import FLOOR

__all__ = ["floor_mesh", "lamp_meshes", "moved", "show_lamps", "wall_mesh"]

REACH = 3.6  # from the table's edge to the walls, m
HEIGHT = 3.2


def _bounds(table: Table) -> tuple[float, float, float, float]:
    return -REACH, table.width + REACH, -REACH, table.length + REACH


def floor_mesh(table: Table) -> Mesh:
    """The floor, one quad; a texture is 1.6 m wide."""
    x0, x1, y0, y1 = _bounds(table)
    rows = np.array([[(x0, y0, FLOOR), (x1, y0, FLOOR)], [(x0, y1, FLOOR), (x1, y1, FLOOR)]])
    return grid(rows, (0.0, 0.0, 1.0), uv_scale=1 / 1.6)


def wall_mesh(table: Table) -> Mesh:
    """Four walls facing in; a texture is 2.4 m wide and as high as the wall."""
    x0, x1, y0, y1 = _bounds(table)
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    parts = []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        rows = np.array([[(*a, FLOOR), (*b, FLOOR)], [(*a, FLOOR + HEIGHT), (*b, FLOOR + HEIGHT)]])
        bays = max(1, round(float(np.linalg.norm(b - a)) / 2.4))
        uvs = np.array([[(0, 0), (bays, 0)], [(0, 1), (bays, 1)]], dtype=float)
        middle = np.array((table.width / 2, table.length / 2, FLOOR + HEIGHT / 2))
        parts.append(grid(rows, middle - rows.mean(axis=(0, 1)), uvs=uvs))
    return merge(parts)


def moved(mesh: Mesh, by: tuple[float, float, float]) -> Mesh:
    """The mesh shifted."""
    return Mesh(mesh.positions + np.array(by), mesh.normals, mesh.uvs, mesh.shade, mesh.triangles)


def lamp_meshes(lamps: Lamps) -> tuple[Mesh, Mesh]:
    """(the shades and the bar they hang on, their bright openings)."""
    r = lamps.radius
    outer = [
        (r + 0.035, -0.012),
        (r + 0.035, 0.0),
        (r * 0.72, 0.085),
        (0.045, 0.150),
        (0.030, 0.230),
    ]
    outer += [(0.0, 0.231)]
    shades, bright = [], []
    for place in lamps.places:
        shades.append(moved(lathe(outer, 32), place))
        rim = [(r, 0.0), (r + 0.035, -0.012)]
        shades.append(moved(lathe(rim, 32), place))
        bright.append(disc(place, r, up=False))
    first, last = lamps.places[0], lamps.places[-1]
    bar = lathe([(0.012, 0.0), (0.012, last[1] - first[1] + 0.5)], 10)
    p = bar.positions
    turned = np.column_stack((p[:, 0], p[:, 2], -p[:, 1]))
    n = bar.normals
    normals = np.column_stack((n[:, 0], n[:, 2], -n[:, 1]))
    bar = Mesh(turned, normals, bar.uvs, bar.shade, bar.triangles)
    shades.append(moved(bar, (first[0], first[1] - 0.25, first[2] + 0.235)))
    return merge(shades), merge(bright)


def show_lamps(node: NodePath, lamps: Lamps, eye_height: float) -> None:
    """Hide the lamps from an eye that would look at the table through them."""
    if eye_height > lamps.places[0][2] - 0.12:
        node.hide()
    else:
        node.show()
