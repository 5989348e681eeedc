"""The table's meshes, generated from its spec through the geometry the engine collides with.

Each cushion follows its chain: the row of vertices at nose height lies on the chain itself. Facings
stand up from it to the cushion's sloping top, as rubber does; below, all recede by one draft.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim.model.geometry import Chain, PocketMouth
from sim.model.table import Table
from sim.play.mesh import Mesh, grid, merge, polygon
from sim.play.pocket_mesh import RAIL_DEPTH, pocket_parts
from sim.play.table_frame import (
    NOSE_ROUND,
    arc_points,
    chain_samples,
    cloth_end,
    cushion_slope,
    frame_of,
    hole_arc,
    rail_ends,
    rear_angles,
)

__all__ = ["FLOOR", "TableMeshes", "build_table"]

Array = NDArray[np.float64]

FLOOR = -0.78  # the bed stands 78 cm above the floor (WPA: 74.3 to 78.7 cm)
CLOTH_SCALE = 4.0  # cloth textures per metre
TUCK = 0.006  # how far the cloth goes down between cushion and wood, m


@dataclass(frozen=True)
class TableMeshes:
    """Meshes by material, in the table's frame, metres.

    Attributes:
        bed: the slate's cloth, with its holes and their rounded edges.
        cushions: six, in the order of CUSHIONS.
        noses: for each cushion the (N, 3) vertices of its nose row, as they stand in the mesh.
        rails, castings, liners, sights, body: the wood, the pockets' irons and leather, the
            inlays, apron and legs.
    """

    bed: Mesh
    cushions: tuple[Mesh, ...]
    noses: tuple[Array, ...]
    rails: Mesh
    castings: Mesh
    liners: Mesh
    sights: Mesh
    body: Mesh


def _cushion(table: Table, chain: Chain, ball_radius: float) -> tuple[Mesh, Array]:
    spec, geometry = table.spec, table.geometry
    h, back = spec.cushion_height, cloth_end(table)
    p, n = chain_samples(chain)
    frame = frame_of(chain)
    depth = np.maximum(frame.to(p)[:, 1], 0.0)
    slope = cushion_slope(table)
    lift = slope * depth
    draft = math.tan(table.draft(ball_radius))

    def row(recede: Array | float, z: Array | float) -> Array:
        return np.column_stack((p - n * np.reshape(recede, (-1, 1)), np.broadcast_to(z, len(p))))

    def edge(degrees: float, raise_: Array | float) -> Array:
        a = math.radians(degrees)
        return row(
            np.full(len(p), NOSE_ROUND * (1 - math.cos(a))), h + raise_ + NOSE_ROUND * math.sin(a)
        )

    low = NOSE_ROUND * (1 - math.cos(math.radians(50)))
    rows = np.stack(
        (
            row(low + draft * h, 0.0),
            row(low + draft * h * 0.5, h * 0.5),
            edge(-50, 0.0),
            edge(-25, 0.0),
            row(0.0, h),
            edge(25, lift),
            edge(50, lift),
            edge(82, lift),
        )
    )
    normals = np.column_stack((n, np.zeros(len(n))))
    shade = np.array((0.30, 0.45, 0.70, 0.80, 0.92, 1.0, 1.0, 1.0))[:, None]
    parts = [grid(rows, normals, shade=shade, uv_scale=CLOTH_SCALE)]
    rim = rows[-1]
    ends = [geometry.pockets[_facing_pocket(chain, k)] for k in (0, -1)]
    first = hole_arc(table, ends[0], p[0], frame)
    last = hole_arc(table, ends[1], p[-1], frame)
    # Next to a facing's end the edge's rounding has already taken the hole's first points away.
    first = first[np.linalg.norm(first - p[0], axis=1) > 1.5 * NOSE_ROUND]
    last = last[np.linalg.norm(last - p[-1], axis=1) > 1.5 * NOSE_ROUND]
    outline = np.concatenate((first[::-1], rim[:, :2], last))
    local = frame.to(outline)
    z = h + NOSE_ROUND + slope * np.clip(local[:, 1], 0.0, back)
    z[len(first) : len(first) + len(rim)] = rim[:, 2]
    up = np.array((*(-slope * frame.behind), 1.0))
    parts.append(polygon(outline, z, up / np.linalg.norm(up), uv_scale=CLOTH_SCALE))
    # The wood beside it is rounded: the cloth goes down behind its edge, or one saw through.
    joint = np.array((outline[0], outline[-1]))
    heights = np.array(((z[0], z[-1]), (z[0] - TUCK, z[-1] - TUCK)))
    tuck = np.stack([np.column_stack((joint, row_z)) for row_z in heights])
    strip = grid(tuck, (*frame.behind, 0.0), shade=0.8, uv_scale=CLOTH_SCALE)
    # Lit as the round fold it stands for: in the light of a wall it were a black, jagged line.
    fold = np.array((*(0.4 * frame.behind), 1.0))
    fold = np.broadcast_to(fold / np.linalg.norm(fold), strip.normals.shape)
    parts.append(replace(strip, normals=fold.copy()))
    for k, pocket in ((0, ends[0]), (-1, ends[1])):
        # The undercut ends at the hole: a wedge closes it, seen from the table and from the pocket.
        column = rows[:, k]
        corner = np.broadcast_to(np.array((*p[k], 0.0)), column.shape)
        inward = np.array((*(np.array(pocket.centre) - p[k]), 0.0))
        for hint in (inward, -inward):
            parts.append(grid(np.stack((corner, column)), hint, shade=0.12, uv_scale=CLOTH_SCALE))
        # So does the edge's rounding: from the nose up to the first point of the hole behind it.
        at = len(first) - 1 if k == 0 else len(first) + len(rim)
        tip = np.broadcast_to(np.array((*outline[at], z[at])), rows[4:, k].shape)
        cap = np.stack((tip, rows[4:, k]))
        parts.append(grid(cap, (0.0, 0.0, 1.0), shade=0.8, uv_scale=CLOTH_SCALE))
    return merge(parts), rows[4]


def _facing_pocket(chain: Chain, which: int) -> int:
    return chain.pieces[which].pocket


def _bed(table: Table) -> Mesh:
    spec = table.spec
    edge = spec.slate_edge_radius
    corner, side = table.geometry.pockets[0], table.geometry.pockets[2]
    # Under the cushions the bed ends where wood begins, but its corners must lie inside the holes.
    margin = min(
        cloth_end(table) - 0.001, -corner.centre[0] + 0.9 * (corner.radius + edge) * math.sqrt(0.5)
    )
    margin = min(margin, -side.centre[0] + 0.9 * (side.radius + edge))
    bites: list[Array] = []
    for index in (0, 1, 3, 5, 4, 2):  # anticlockwise from head_left
        pocket = table.geometry.pockets[index]
        bites.append(_bite(table, pocket, pocket.radius + edge, margin))
    parts = [polygon(np.concatenate(bites), 0.0, uv_scale=CLOTH_SCALE)]
    quarter = np.linspace(0, math.pi / 2, 5)
    for pocket in table.geometry.pockets:
        start, end = rear_angles(pocket, np.array(pocket.facing_ends))
        ring = np.linspace(end - 0.05, start + math.tau + 0.05, 49)
        circle = np.column_stack((np.cos(ring), np.sin(ring)))
        rows = np.stack(
            [
                np.column_stack(
                    (
                        np.array(pocket.centre)
                        + (pocket.radius + edge * (1 - math.sin(t))) * circle,
                        np.full(len(ring), -edge * (1 - math.cos(t))),
                    )
                )
                for t in quarter
            ]
        )
        hint = np.column_stack((-circle, np.full(len(ring), 0.5)))
        shade = np.linspace(1.0, 0.45, len(quarter))[:, None]
        parts.append(grid(rows, hint, shade=shade, uv_scale=CLOTH_SCALE))
    return merge(parts)


def _bite(table: Table, pocket: PocketMouth, radius: float, margin: float) -> Array:
    """The part of a hole's circle inside the bed's outline, clockwise about the hole."""
    angle = np.linspace(0, math.tau, 1441)[:-1]
    ring = np.array(pocket.centre) + radius * np.column_stack((np.cos(angle), np.sin(angle)))
    inside = (
        (ring[:, 0] > -margin)
        & (ring[:, 0] < table.width + margin)
        & (ring[:, 1] > -margin)
        & (ring[:, 1] < table.length + margin)
    )
    start = int(np.flatnonzero(inside & ~np.roll(inside, 1))[0])
    count = int(inside.sum())
    arc = np.roll(ring, -start, axis=0)[:count]
    first, last = arc[0], arc[-1]
    thinned = arc[4:-4:16]
    ends = np.clip(np.array((first, last)), -margin, np.array((table.width, table.length)) + margin)
    # Ends sit exactly on the outline, whichever of its sides they are nearest to.
    for e in ends:
        gaps = np.array(
            (
                e[0] + margin,
                table.width + margin - e[0],
                e[1] + margin,
                table.length + margin - e[1],
            )
        )
        side = int(np.argmin(gaps))
        e[side // 2] = -margin if side % 2 == 0 else (table.width, table.length)[side // 2] + margin
    out: Array = np.concatenate((ends[:1], thinned, ends[1:]))[::-1]
    return out


def _rails(table: Table) -> Mesh:
    spec = table.spec
    corner_end, side_end = rail_ends(table)
    back, outer, top = cloth_end(table), spec.rail_width, spec.rail_top
    round_ = min(0.014, (outer - back) / 3)
    turn = np.linspace(0, math.pi / 2, 7)
    profile = [(back, top - 0.0025), (back + 0.0012, top - 0.0005), (back + 0.0025, top)]
    profile += [
        (outer - round_ + round_ * math.sin(t), top - round_ + round_ * math.cos(t)) for t in turn
    ]
    profile += [(outer, 0.0), (outer - 0.002, -RAIL_DEPTH + 0.006), (outer - 0.008, -RAIL_DEPTH)]
    profile += [(outer - 0.035, -RAIL_DEPTH)]
    shade = np.array([0.5, 0.8, 1.0] + [1.0] * 7 + [0.75, 0.5, 0.3, 0.15])
    d, z = np.array(profile).T
    arc = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(d), np.diff(z)))))
    hints = np.column_stack((np.gradient(-z, arc), np.gradient(d, arc)))
    parts = []
    for chain in table.geometry.chains:
        frame = frame_of(chain)
        size = table.width if chain.cushion < 2 else table.length / 2
        far = corner_end if chain.cushion < 2 else side_end
        ends = np.array((corner_end, size - far))
        if chain.cushion >= 2 and chain.cushion in (3, 5):
            ends = np.array((side_end, size - corner_end)) + size
        # Rail ends are plan coordinates along x or y; chains may run either way.
        axis = 0 if chain.cushion < 2 else 1
        a = (ends - frame.origin[axis]) * frame.along[axis]
        a.sort()
        q = np.array([[(along, depth) for along in a] for depth in d])
        plan = frame.back(q.reshape(-1, 2)).reshape(len(d), 2, 2)
        rows = np.concatenate((plan, np.broadcast_to(z[:, None, None], (len(d), 2, 1))), axis=-1)
        hint = np.concatenate(
            (
                hints[:, :1] * -frame.behind[None] * -1,
                hints[:, 1:],
            ),
            axis=1,
        )[:, None, :]
        offset = 0.37 * chain.cushion
        uvs = np.stack(
            np.broadcast_arrays((a[None, :] * 0.55 + offset), arc[:, None] * 2.2 + offset), axis=-1
        )
        parts.append(grid(rows, hint, uvs=uvs, shade=shade[:, None]))
    return merge(parts)


def _sights(table: Table) -> Mesh:
    """Eighteen diamonds, inlaid in the middle of the rails."""
    spec, w, l = table.spec, table.width, table.length
    d = (cloth_end(table) + spec.rail_width) / 2
    places = [((k * w / 4, y), 0) for k in (1, 2, 3) for y in (-d, l + d)]
    places += [((x, k * l / 8), 1) for k in (1, 2, 3, 5, 6, 7) for x in (-d, w + d)]
    parts = []
    for (x, y), axis in places:
        long, short = 0.0140, 0.0080
        dx, dy = (short, long) if axis == 0 else (long, short)
        outline = [(x - dx, y), (x, y - dy), (x + dx, y), (x, y + dy)]
        parts.append(polygon(outline, spec.rail_top + 0.0004))
    return merge(parts)


def _rounded(width: float, length: float, out: float, radius: float) -> Array:
    """A closed rounded rectangle `out` beyond the nose line, anticlockwise."""
    corners = (
        ((width + out - radius, -out + radius), -math.pi / 2),
        ((width + out - radius, length + out - radius), 0.0),
        ((-out + radius, length + out - radius), math.pi / 2),
        ((-out + radius, -out + radius), math.pi),
    )
    path = np.concatenate([arc_points(c, radius, t, t + math.pi / 2) for c, t in corners])
    return np.concatenate((path, path[:1]))


def _body(table: Table) -> Mesh:
    """Apron and legs."""
    spec, w, l = table.spec, table.width, table.length
    out = spec.rail_width
    rows = []
    for inset, z in (
        (0.020, -RAIL_DEPTH + 0.002),
        (0.020, -0.110),
        (0.026, -0.118),
        (0.026, -0.170),
        (0.034, -0.180),
        (0.120, -0.180),
    ):
        path = _rounded(w, l, out - inset, 0.060)
        rows.append(np.column_stack((path, np.full(len(path), z))))
    surface = np.stack(rows)
    middle = np.array((w / 2, l / 2, -0.1))
    hint = surface - middle
    hint[-1, :, 2] -= 3
    length = np.concatenate(
        ([0.0], np.cumsum(np.linalg.norm(np.diff(surface[0, :, :2], axis=0), axis=1)))
    )
    uvs = np.stack(np.broadcast_arrays(length[None, :] * 0.55, surface[:, :1, 2] * 2.2), axis=-1)
    shade = np.array((0.25, 0.6, 0.5, 0.55, 0.4, 0.1))[:, None]
    parts = [grid(surface, hint, uvs=uvs, shade=shade)]
    inset = 0.115
    sides = (-out + inset, w + out - inset), (-out + inset, l + out - inset)
    octagon = np.array(
        [
            (1, 0.72),
            (0.72, 1),
            (-0.72, 1),
            (-1, 0.72),
            (-1, -0.72),
            (-0.72, -1),
            (0.72, -1),
            (1, -0.72),
            (1, 0.72),
        ]
    )
    for x in sides[0]:
        for y in sides[1]:
            profile = [(0.085, -0.175), (0.085, -0.26), (0.072, -0.28), (0.052, FLOOR + 0.03)]
            profile += [(0.060, FLOOR + 0.028), (0.060, FLOOR)]
            leg = np.stack(
                [
                    np.column_stack((np.array((x, y)) + s * octagon, np.full(len(octagon), z)))
                    for s, z in profile
                ]
            )
            hint = np.column_stack((octagon, np.zeros(len(octagon))))
            around = np.arange(len(octagon)) * 0.06
            uvs = np.stack(np.broadcast_arrays(leg[:, :1, 2] * 0.8, around[None, :]), axis=-1)
            shade = np.array((0.2, 0.5, 0.45, 0.35, 0.3, 0.2))[:, None]
            parts.append(grid(leg, hint, uvs=uvs, shade=shade))
    return merge(parts)


@lru_cache(maxsize=4)
def build_table(table: Table, ball_radius: float) -> TableMeshes:
    """Every mesh of a table; the same arrays for the same table, not to be written to.

    Args:
        ball_radius: of the balls played on it: the rubber recedes at least so far that a ball on
            the bed meets the nose.

    Raises:
        TableError: facings that miss their pocket (from the table's own geometry).
    """
    w, l = table.width, table.length
    cushions, noses = zip(
        *(_cushion(table, chain, ball_radius) for chain in table.geometry.chains), strict=True
    )
    corner, corner_liner = pocket_parts(table, table.geometry.pockets[0])
    side, side_liner = pocket_parts(table, table.geometry.pockets[2])

    def six(corner: Mesh, side: Mesh) -> Mesh:
        return merge(
            [
                corner,
                corner.mirrored(width=w),
                corner.mirrored(length=l),
                corner.mirrored(width=w, length=l),
                side,
                side.mirrored(width=w),
            ]
        )

    return TableMeshes(
        bed=_bed(table),
        cushions=cushions,
        noses=noses,
        rails=_rails(table),
        castings=six(corner, side),
        liners=six(corner_liner, side_liner),
        sights=_sights(table),
        body=_body(table),
    )
