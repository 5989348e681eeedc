"""Triangle meshes as plain numpy arrays, and the few ways of building them the table needs.

Nothing here knows Panda3D, so that a test can compare the mesh with the engine's geometry.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model.errors import EngineError

__all__ = ["Mesh", "disc", "grid", "lathe", "merge", "offset_path", "polygon", "triangulate"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh.

    Attributes:
        positions, normals: (N, 3), metres and unit vectors, in the table's frame.
        uvs: (N, 2).
        shade: (N,), how much of the surrounding light reaches the vertex, 0..1 (baked occlusion).
        triangles: (M, 3) indices, anticlockwise seen from outside.
    """

    positions: Array
    normals: Array
    uvs: Array
    shade: Array
    triangles: NDArray[np.int32]

    def mirrored(self, width: float | None = None, length: float | None = None) -> Mesh:
        """The mesh reflected about x = width / 2 (if given) and y = length / 2 (if given)."""
        positions, normals, triangles = self.positions.copy(), self.normals.copy(), self.triangles
        for axis, size in ((0, width), (1, length)):
            if size is not None:
                positions[:, axis] = size - positions[:, axis]
                normals[:, axis] = -normals[:, axis]
                triangles = triangles[:, ::-1]
        return Mesh(positions, normals, self.uvs, self.shade, triangles)


def merge(meshes: list[Mesh]) -> Mesh:
    """One mesh of several."""
    counts = np.cumsum([0, *(len(m.positions) for m in meshes)])
    return Mesh(
        np.concatenate([m.positions for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uvs for m in meshes]),
        np.concatenate([m.shade for m in meshes]),
        np.concatenate([m.triangles + c for m, c in zip(meshes, counts, strict=False)]),
    )


def _oriented(positions: Array, normals: Array, triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """Triangles wound so that each faces the way its vertices' normals do; empty ones dropped."""
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    kept = np.linalg.norm(face, axis=1) > 1e-12
    triangles, face = triangles[kept], face[kept]
    wrong = np.einsum("ij,ij->i", face, normals[triangles].sum(axis=1)) < 0
    out = triangles.copy()
    out[wrong] = out[wrong][:, ::-1]
    return out


def grid(
    rows: ArrayLike,
    hint: ArrayLike,
    *,
    uvs: ArrayLike | None = None,
    shade: ArrayLike = 1.0,
    uv_scale: float = 1.0,
) -> Mesh:
    """A smooth surface through (R, C, 3) points.

    Args:
        rows: the points.
        hint: broadcastable to (R, C, 3): roughly outward; only its sign counts.
        uvs: (R, C, 2); without it the plan coordinates times uv_scale.
        shade: broadcastable to (R, C).
    """
    p = np.asarray(rows, dtype=float)
    r, c = p.shape[:2]
    hints = np.broadcast_to(np.asarray(hint, dtype=float), p.shape)
    faces = np.zeros((r, c, 3))
    # Each cell's normal from its diagonals, added to its four corners.
    cell = np.cross(p[1:, 1:] - p[:-1, :-1], p[1:, :-1] - p[:-1, 1:])
    size = np.linalg.norm(cell, axis=-1, keepdims=True)
    cell = np.where(size > 1e-15, cell / np.maximum(size, 1e-15), 0.0)
    middle = hints[1:, 1:] + hints[:-1, :-1] + hints[1:, :-1] + hints[:-1, 1:]
    sign = np.where(np.einsum("ijk,ijk->ij", cell, middle) < 0, -1.0, 1.0)[..., None]
    cell = cell * sign
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        faces[i : r - 1 + i, j : c - 1 + j] += cell
    norm = np.linalg.norm(faces, axis=-1, keepdims=True)
    normals = np.where(norm > 1e-12, faces / np.maximum(norm, 1e-12), hints)
    index = np.arange(r * c, dtype=np.int32).reshape(r, c)
    a, b, d, e = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    triangles = np.concatenate(
        (np.stack((a, b, e), axis=-1).reshape(-1, 3), np.stack((a, e, d), axis=-1).reshape(-1, 3))
    )
    uv = p[..., :2] * uv_scale if uvs is None else np.broadcast_to(np.asarray(uvs), (r, c, 2))
    flat = p.reshape(-1, 3)
    flat_normals = normals.reshape(-1, 3)
    return Mesh(
        flat,
        flat_normals,
        np.ascontiguousarray(uv, dtype=float).reshape(-1, 2),
        np.broadcast_to(np.asarray(shade, dtype=float), (r, c)).reshape(-1).copy(),
        _oriented(flat, flat_normals, triangles),
    )


def triangulate(outline: ArrayLike) -> NDArray[np.int32]:
    """Triangles (M, 3) of a simple polygon (N, 2), convex or not, by clipping ears.

    The ear with the largest height over its longest side is taken first, so that slivers are rare.

    Raises:
        EngineError: the triangles do not fill the polygon: its outline crosses itself.
    """
    p = np.asarray(outline, dtype=float)
    area = np.sum(p[:, 0] * np.roll(p[:, 1], -1) - p[:, 1] * np.roll(p[:, 0], -1))
    left = list(range(len(p))) if area > 0 else list(range(len(p)))[::-1]
    out: list[tuple[int, int, int]] = []

    def quality(k: int) -> float:
        """How good an ear the k-th remaining vertex is; negative when it is none."""
        n = len(left)
        i, j, m = left[k - 1], left[k], left[(k + 1) % n]
        a, b, c = p[i], p[j], p[m]
        cross = float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        if cross <= 1e-14:
            return -1.0
        others = p[[v for v in left if v not in (i, j, m)]]
        if len(others):
            inside = np.ones(len(others), dtype=bool)
            for u, v in ((a, b), (b, c), (c, a)):
                side = (v[0] - u[0]) * (others[:, 1] - u[1]) - (v[1] - u[1]) * (others[:, 0] - u[0])
                inside &= side >= -1e-14
            if inside.any():
                return -1.0
        longest = max(
            float(np.sum((a - b) ** 2)), float(np.sum((b - c) ** 2)), float(np.sum((c - a) ** 2))
        )
        return cross / longest

    scores = [quality(k) for k in range(len(left))]
    while len(left) > 3:
        k = int(np.argmax(scores))
        if scores[k] < 0:
            # Vertices that were in the way may have gone since.
            scores = [quality(k) for k in range(len(left))]
            k = int(np.argmax(scores))
            if scores[k] < 0:
                break  # only points in one line remain
        n = len(left)
        out.append((left[k - 1], left[k], left[(k + 1) % n]))
        del left[k], scores[k]
        for neighbour in ((k - 1) % len(left), k % len(left)):
            scores[neighbour] = quality(neighbour)
    if len(left) == 3:
        out.append((left[0], left[1], left[2]))
    triangles = np.array(out, dtype=np.int32)
    a, b, c = (p[triangles[:, k]] for k in range(3))
    filled = np.sum((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    if abs(filled - abs(area)) > 1e-6 * abs(area) + 1e-12:
        raise EngineError(
            f"mesh: triangles fill {filled / 2:.6g} m2 of an outline of {abs(area) / 2:.6g} m2"
        )
    return triangles


def polygon(
    outline: ArrayLike,
    z: ArrayLike,
    normal: ArrayLike = (0.0, 0.0, 1.0),
    *,
    shade: ArrayLike = 1.0,
    uv_scale: float = 1.0,
) -> Mesh:
    """A flat (or gently sloping) polygon (N, 2) at heights z (scalar or (N,))."""
    p = np.asarray(outline, dtype=float)
    height = np.broadcast_to(np.asarray(z, dtype=float), len(p))
    positions = np.column_stack((p, height))
    normals = np.broadcast_to(np.asarray(normal, dtype=float), positions.shape).copy()
    return Mesh(
        positions,
        normals,
        p * uv_scale,
        np.broadcast_to(np.asarray(shade, dtype=float), len(p)).copy(),
        _oriented(positions, normals, triangulate(p)),
    )


def disc(centre: ArrayLike, radius: float, *, up: bool = True, segments: int = 32) -> Mesh:
    """A horizontal disc."""
    c = np.asarray(centre, dtype=float)
    angle = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = c[:2] + radius * np.column_stack((np.cos(angle), np.sin(angle)))
    return polygon(ring, c[2], (0.0, 0.0, 1.0 if up else -1.0))


def lathe(profile: ArrayLike, segments: int = 24, *, shade: ArrayLike = 1.0) -> Mesh:
    """A surface of revolution about z from (P, 2) pairs (radius, z); u goes round, v along."""
    pairs = np.asarray(profile, dtype=float)
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    circle = np.column_stack((np.cos(angle), np.sin(angle), np.zeros_like(angle)))
    rows = pairs[:, None, 0:1] * circle[None] + pairs[:, None, 1:2] * np.array((0.0, 0.0, 1.0))
    uvs = np.stack(np.broadcast_arrays(angle[None, :] / (2 * np.pi), pairs[:, 1:2]), axis=-1)
    step = np.gradient(pairs, axis=0)
    # Outward is to the right of the profile's direction; that serves caps as well as sides.
    out = step[:, None, 1:2] * circle[None] - step[:, None, 0:1] * np.array((0.0, 0.0, 1.0))
    shades = np.broadcast_to(np.asarray(shade, dtype=float).reshape(-1, 1), rows.shape[:2])
    return grid(rows, out, uvs=uvs, shade=shades)


def offset_path(path: ArrayLike, distance: float, *, closed: bool = False) -> Array:
    """A plan path (N, 2) moved to its left by a distance, mitred at its corners."""
    p = np.asarray(path, dtype=float)
    ahead = np.roll(p, -1, axis=0) - p
    if not closed:
        ahead[-1] = ahead[-2]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    behind = np.roll(ahead, 1, axis=0)
    if not closed:
        behind[0] = ahead[0]
    left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    left_behind = np.column_stack((-behind[:, 1], behind[:, 0]))
    mitre = left + left_behind
    mitre /= np.maximum(np.einsum("ij,ij->i", mitre, left)[:, None], 0.3)
    out: Array = p + distance * mitre
    return out
