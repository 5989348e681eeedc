"""The table's meshes, generated from its spec through the geometry the engine collides with.

Each cushion follows its chain: the row of vertices at nose height lies on the chain itself. Facings
stand up from it to the cushion's sloping top, as rubber does; below, all recede by their draft.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.model.geometry import ArcNose, Chain, LineNose, PocketMouth
from sim.model.table import Table
from sim.play.mesh import Mesh, disc, grid, merge, offset_path, polygon

__all__ = ["FLOOR", "TableMeshes", "build_table", "chain_samples"]

Array = NDArray[np.float64]

FLOOR = -0.78  # the bed stands 78 cm above the floor (WPA: 74.3 to 78.7 cm)
NOSE_ROUND = 0.0020  # radius of the rubber's edge, above and below the nose
CLOTH_SCALE = 4.0  # cloth textures per metre
ARC_STEP = math.radians(6)
RAIL_DEPTH = 0.050  # of the rail's side below the bed
CASTING_RISE = 0.0015  # castings stand a little above the rail


@dataclass(frozen=True)
class TableMeshes:
    """Meshes by material, in the table's frame, metres.

    Attributes:
        bed: the slate's cloth, with its holes and their rounded edges.
        cushions: six, in the order of CUSHIONS.
        noses: for each cushion the (N, 3) vertices of its nose row, as they stand in the mesh.
        rails, castings, liners, sights, body: the wood, the pockets' irons and leather, the inlays, apron and legs.
    """

    bed: Mesh
    cushions: tuple[Mesh, ...]
    noses: tuple[Array, ...]
    rails: Mesh
    castings: Mesh
    liners: Mesh
    sights: Mesh
    body: Mesh


@dataclass(frozen=True)
class _Frame:
    """Along and behind: plan coordinates of one cushion's straight nose."""

    origin: Array
    along: Array
    behind: Array

    def to(self, p: Array) -> Array:
        """(N, 2) plan points as (along, behind)."""
        d = p - self.origin
        return np.column_stack((d @ self.along, d @ self.behind))

    def back(self, q: Array) -> Array:
        """(N, 2) (along, behind) as plan points."""
        return self.origin + q[:, :1] * self.along + q[:, 1:] * self.behind


def chain_samples(chain: Chain) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Points along a chain: (N, 2) on it, (N, 2) normals to the balls, (N,) whether jaw or facing.

    Where a jaw meets the straight nose the point comes twice: there the draft below changes at once.
    """
    points: list[tuple[float, float]] = []
    normals: list[tuple[float, float]] = []
    jaw: list[bool] = []
    for k, piece in enumerate(_in_order(chain)):
        if isinstance(piece, LineNose):
            # A facing's inner end is the jaw's; inner points serve its shading.
            steps = np.linspace(0, 1, 5 if piece.pocket >= 0 else 2)
            if piece.pocket >= 0:
                steps = steps[:-1] if k == 0 else steps[1:]
            for s in steps:
                points.append(
                    (
                        piece.start[0] + s * (piece.end[0] - piece.start[0]),
                        piece.start[1] + s * (piece.end[1] - piece.start[1]),
                    )
                )
                normals.append(piece.normal)
                jaw.append(piece.pocket >= 0)
        else:
            n = max(3, math.ceil(abs(piece.end_angle - piece.start_angle) / ARC_STEP))
            for i in range(n + 1):
                angle = piece.start_angle + (piece.end_angle - piece.start_angle) * i / n
                points.append(piece.point(angle))
                normals.append((math.cos(angle), math.sin(angle)))
                jaw.append(True)
    return np.array(points), np.array(normals), np.array(jaw)


def _in_order(chain: Chain) -> list[LineNose | ArcNose]:
    """The pieces, each turned to begin where the one before it ends (a geometry may hold them either way)."""
    out: list[LineNose | ArcNose] = []
    for k, piece in enumerate(chain.pieces):
        start, end = _piece_ends(piece)
        if k == 0:
            following = _piece_ends(chain.pieces[1])
            turned = min(math.dist(start, q) for q in following) < min(
                math.dist(end, q) for q in following
            )
        else:
            before = _piece_ends(out[-1])[1]
            turned = math.dist(before, end) < math.dist(before, start)
        if not turned:
            out.append(piece)
        elif isinstance(piece, LineNose):
            out.append(LineNose(piece.end, piece.start, piece.normal, piece.pocket))
        else:
            out.append(
                ArcNose(
                    piece.centre, piece.radius, piece.end_angle, piece.start_angle, piece.pocket
                )
            )
    return out


def _piece_ends(piece: LineNose | ArcNose) -> tuple[tuple[float, float], tuple[float, float]]:
    if isinstance(piece, LineNose):
        return piece.start, piece.end
    return piece.point(piece.start_angle), piece.point(piece.end_angle)


def _straight(chain: Chain) -> LineNose:
    for piece in chain.pieces:
        if isinstance(piece, LineNose) and piece.pocket < 0:
            return piece
    raise AssertionError("every chain has a straight nose")


def _frame(chain: Chain) -> _Frame:
    nose = _straight(chain)
    start, end = np.array(nose.start), np.array(nose.end)
    return _Frame(start, (end - start) / np.linalg.norm(end - start), -np.array(nose.normal))


def _arc(centre: tuple[float, float], radius: float, start: float, end: float) -> Array:
    n = max(2, math.ceil(abs(end - start) / ARC_STEP))
    angle = np.linspace(start, end, n + 1)
    return np.array(centre) + radius * np.column_stack((np.cos(angle), np.sin(angle)))


def _angle(p: Array, centre: tuple[float, float]) -> float:
    return math.atan2(p[1] - centre[1], p[0] - centre[0])


def _back(table: Table) -> float:
    """How far behind the nose cloth meets wood: cushion_width, or a facing's end if that is deeper."""
    deepest = 0.0
    for pocket in (table.geometry.pockets[0], table.geometry.pockets[2]):
        deepest = max(deepest, *(-min(p[0], p[1]) for p in pocket.facing_ends))
    return max(table.spec.cushion_width, deepest + 0.001)


def _hole_arc(table: Table, pocket: PocketMouth, end: Array, frame: _Frame) -> Array:
    """Points on the hole from a facing's end to where it is as deep as the cushion, without the end."""
    back = _back(table)
    depth = float(frame.to(np.array([pocket.centre]))[0, 1])
    along = float(frame.to(np.array([pocket.centre]))[0, 0])
    here = frame.to(end[None])[0]
    rise = math.sqrt(max(pocket.radius**2 - (back - depth) ** 2, 0.0))
    goal = np.array((along + math.copysign(rise, here[0] - along), back))
    start = math.atan2(here[1] - depth, here[0] - along)
    turn = math.remainder(math.atan2(goal[1] - depth, goal[0] - along) - start, math.tau)
    local = _arc((along, depth), pocket.radius, start, start + turn)
    return frame.back(local[1:])


def _cushion(table: Table, chain: Chain) -> tuple[Mesh, Array]:
    spec, geometry = table.spec, table.geometry
    h, back = spec.cushion_height, _back(table)
    p, n, jaw = chain_samples(chain)
    frame = _frame(chain)
    depth = np.maximum(frame.to(p)[:, 1], 0.0)
    slope = (spec.rail_top - h - NOSE_ROUND) / back
    lift = slope * depth
    draft = np.tan(np.radians(np.where(jaw, spec.back_draft_deg, spec.nose_draft_deg)))

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
    parts = []
    # Three surfaces: jaw, straight, jaw; between them a wedge, for the jaws recede less.
    steps = np.flatnonzero(jaw[1:] != jaw[:-1]) + 1
    for span in np.split(np.arange(len(p)), steps):
        parts.append(grid(rows[:, span], normals[span], shade=shade, uv_scale=CLOTH_SCALE))
    for k in steps:
        towards_straight = frame.along if jaw[k - 1] else -frame.along
        hint = np.array((*towards_straight, 0.0))
        parts.append(grid(rows[:5, k - 1 : k + 1], hint, shade=shade[:5], uv_scale=CLOTH_SCALE))
    rim = rows[-1]
    ends = [geometry.pockets[_facing_pocket(chain, k)] for k in (0, -1)]
    first = _hole_arc(table, ends[0], p[0], frame)
    last = _hole_arc(table, ends[1], p[-1], frame)
    single = np.concatenate(([True], np.linalg.norm(np.diff(rim[:, :2], axis=0), axis=1) > 1e-9))
    rim = rim[single]
    # Next to a facing's end the edge's rounding has already taken the hole's first points away.
    first = first[np.linalg.norm(first - p[0], axis=1) > 1.5 * NOSE_ROUND]
    last = last[np.linalg.norm(last - p[-1], axis=1) > 1.5 * NOSE_ROUND]
    outline = np.concatenate((first[::-1], rim[:, :2], last))
    local = frame.to(outline)
    z = h + NOSE_ROUND + slope * np.clip(local[:, 1], 0.0, back)
    z[len(first) : len(first) + len(rim)] = rim[:, 2]
    up = np.array((*(-slope * frame.behind), 1.0))
    parts.append(polygon(outline, z, up / np.linalg.norm(up), uv_scale=CLOTH_SCALE))
    for k, pocket in ((0, ends[0]), (-1, ends[1])):
        # Close the wedge between the receding facing and the hole.
        column = rows[:, k]
        corner = np.broadcast_to(np.array((*p[k], 0.0)), column.shape)
        inward = np.array((*(np.array(pocket.centre) - p[k]), 0.0))
        parts.append(grid(np.stack((corner, column)), inward, shade=0.35, uv_scale=CLOTH_SCALE))
    return merge(parts), rows[4]


def _facing_pocket(chain: Chain, which: int) -> int:
    return chain.pieces[which].pocket


def _bed(table: Table) -> Mesh:
    spec = table.spec
    edge = spec.slate_edge_radius
    corner, side = table.geometry.pockets[0], table.geometry.pockets[2]
    # Under the cushions the bed ends where wood begins, but its corners must lie inside the holes.
    margin = min(
        _back(table) - 0.001, -corner.centre[0] + 0.9 * (corner.radius + edge) * math.sqrt(0.5)
    )
    margin = min(margin, -side.centre[0] + 0.9 * (side.radius + edge))
    bites: list[Array] = []
    for index in (0, 1, 3, 5, 4, 2):  # anticlockwise from head_left
        pocket = table.geometry.pockets[index]
        bites.append(_bite(table, pocket, pocket.radius + edge, margin))
    parts = [polygon(np.concatenate(bites), 0.0, uv_scale=CLOTH_SCALE)]
    quarter = np.linspace(0, math.pi / 2, 5)
    for pocket in table.geometry.pockets:
        start, end = _rear_angles(pocket, np.array(pocket.facing_ends))
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


def _rear_angles(pocket: PocketMouth, points: Array) -> tuple[float, float]:
    """The angles of two points about a hole, ascending through the hole's rear."""
    away = math.atan2(-pocket.axis[1], -pocket.axis[0])
    a, b = (away + math.remainder(_angle(p, pocket.centre) - away, math.tau) for p in points)
    return min(a, b), max(a, b)


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
    return np.concatenate((ends[:1], thinned, ends[1:]))[::-1]


def _rail_ends(table: Table) -> tuple[float, float]:
    """Where the wood of a rail begins: from the corner's origin, and from the middle of the table."""
    corner, side = table.geometry.pockets[0], table.geometry.pockets[2]
    back = _back(table)
    reach = math.sqrt(max(corner.radius**2 - (back + corner.centre[0]) ** 2, 0.0))
    a = max(corner.centre[0] + reach, corner.facing_ends[0][0]) + 0.012
    return a, side.radius + 0.014


def _rails(table: Table) -> Mesh:
    spec = table.spec
    corner_end, side_end = _rail_ends(table)
    back, outer, top = _back(table), spec.rail_width, spec.rail_top
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
        frame = _frame(chain)
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


def _pocket_parts(table: Table, pocket: PocketMouth) -> tuple[Mesh, Mesh]:
    """(casting, liner) of head_left or side_left; the others are their reflections."""
    spec = table.spec
    corner = pocket.pocket == 0
    corner_end, side_end = _rail_ends(table)
    back, outer, top = _back(table), spec.rail_width + 0.0012, spec.rail_top + CASTING_RISE
    c, radius, rim = pocket.centre, pocket.radius, 0.006
    chains = table.geometry.chains
    # Going round the hole from the first facing's end, away from the table, to the second's.
    if corner:
        first, second = chains[0], chains[2]
        ends = np.array(pocket.facing_ends)
    else:
        first, second = chains[2], chains[3]
        ends = np.array(pocket.facing_ends)
    arcs = [
        _hole_arc(table, pocket, ends[0], _frame(first)),
        _hole_arc(table, pocket, ends[1], _frame(second)),
    ]
    q0, q1 = arcs[0][-1], arcs[1][-1]
    away = math.atan2(-pocket.axis[1], -pocket.axis[0])
    t0 = away + math.remainder(_angle(q0, c) - away, math.tau)
    t1 = away + math.remainder(_angle(q1, c) - away, math.tau)
    inner = _arc(c, radius + rim, t0, t1)
    if corner:
        r = 0.075
        m = -outer + r
        outside = np.concatenate(
            (
                [[corner_end, -outer]],
                _arc((m, m), r, -math.pi / 2, -math.pi),
                [[-outer, corner_end]],
            )
        )
        joint0 = np.array([[corner_end, -back]])
        joint1 = np.array([[-back, corner_end]])
        bottom = -RAIL_DEPTH - 0.004
    else:
        y = c[1]
        bulge = radius + 0.019
        reach = math.sqrt(max(bulge**2 - (outer + c[0]) ** 2, 0.0))
        half = max(side_end, reach + 0.004)
        swing = math.asin(min(1.0, reach / bulge))
        outside = np.concatenate(
            (
                [[-outer, y - half]],
                _arc(c, bulge, math.pi + swing, math.pi - swing),
                [[-outer, y + half]],
            )
        )
        joint0 = np.array([[-back, y - side_end]])
        joint1 = np.array([[-back, y + side_end]])
        bottom = -spec.pocket_drop - 0.012
    # The outside path runs with the casting on its right; its bevel is moved inwards.
    bevel = 0.004
    inset = offset_path(outside, -bevel)
    if np.linalg.norm(inset.mean(axis=0) - np.array(c)) > np.linalg.norm(
        outside.mean(axis=0) - np.array(c)
    ):
        inset = offset_path(outside, bevel)
    inset[0], inset[-1] = outside[0], outside[-1]
    for k in (0, -1):
        inset[k] += (
            np.clip(np.array(c) - outside[k], -1, 1)
            * (np.array((0.0, 1.0)) if corner and k == 0 else np.array((1.0, 0.0)))
            * (bevel / max(1e-9, abs((np.array(c) - outside[k])[1 if corner and k == 0 else 0])))
        )
    cap = np.concatenate((inner, joint1, inset[::-1], joint0))
    parts = [polygon(cap, top, shade=1.0, uv_scale=3.0)]
    hint = np.column_stack((outside - np.array(c), np.full(len(outside), 0.0)))
    walls = [(inset, top, 1.0)]
    for t in (0.35, 0.75):
        mixed = inset + (outside - inset) * math.sin(t * math.pi / 2)
        walls.append((mixed, top - bevel * (1 - math.cos(t * math.pi / 2)), 1.0))
    walls += [(outside, top - bevel, 1.0), (outside, bottom, 0.45)]
    rows = np.stack([np.column_stack((path, np.full(len(path), z))) for path, z, _ in walls])
    parts.append(grid(rows, hint, shade=np.array([s for *_, s in walls])[:, None]))
    parts.append(
        polygon(
            np.concatenate((inner, joint1, outside[::-1], joint0)), bottom, (0, 0, -1), shade=0.1
        )
    )
    # Its sides against the rails and the cushions, a millimetre or two of which is seen.
    for path, centre in (((joint0[0], outside[0]), c), ((outside[-1], joint1[0]), c)):
        pair = np.array(path)
        rows = np.stack([np.column_stack((pair, np.full(2, z))) for z in (top, bottom)])
        side = np.column_stack((pair - np.array(centre), np.zeros(2)))
        parts.append(grid(rows, side, shade=np.array((0.8, 0.3))[:, None]))
    for start, stop in ((inner[0], joint0[0]), (inner[-1], joint1[0])):
        pair = np.array((start, stop))
        rows = np.stack([np.column_stack((pair, np.full(2, z))) for z in (top, top - 0.010)])
        parts.append(grid(rows, (*pocket.axis, 0.0), shade=0.8))
    turn = np.linspace(0, math.pi / 2, 5)
    angles = np.linspace(t0, t1, len(inner))
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    rows = np.stack(
        [
            np.column_stack(
                (
                    np.array(c) + (radius + rim * (1 - math.sin(t))) * circle,
                    np.full(len(circle), top - rim * (1 - math.cos(t))),
                )
            )
            for t in turn
        ]
    )
    parts.append(
        grid(
            rows,
            np.column_stack((-circle, np.ones(len(circle)))),
            shade=np.linspace(1, 0.55, 5)[:, None],
        )
    )
    casting = merge(parts)
    liner = _liner(table, pocket, arcs, ends, inner_top=top - rim)
    return casting, liner


def _liner(
    table: Table, pocket: PocketMouth, arcs: list[Array], ends: Array, *, inner_top: float
) -> Mesh:
    spec, c, radius = table.spec, np.array(pocket.centre), pocket.radius
    ts = _rear_angles(pocket, ends)
    qs = _rear_angles(pocket, np.array([arc[-1] for arc in arcs]))
    angles = np.linspace(ts[0], ts[1], 49)
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    # Between a facing's end and the casting the liner stops under the cushion's top.
    tops = np.where(
        (angles < qs[0]) | (angles > qs[1]), spec.cushion_height + NOSE_ROUND, inner_top
    )
    steps = np.linspace(0, 1, 8)
    low = -spec.pocket_drop
    rows = np.stack(
        [np.column_stack((c + radius * circle, tops + (low - tops) * s)) for s in steps]
    )
    inward = np.column_stack((-circle, np.zeros(len(circle))))
    depth = np.clip((rows[..., 2] - low) / (0.02 - low), 0, 1)
    parts = [grid(rows, inward, shade=0.05 + 0.75 * depth**1.5)]
    front = np.linspace(ts[1], ts[0] + math.tau, 33)
    circle = np.column_stack((np.cos(front), np.sin(front)))
    zs = -spec.slate_edge_radius + (low + spec.slate_edge_radius) * steps
    rows = np.stack([np.column_stack((c + radius * circle, np.full(len(front), z))) for z in zs])
    inward = np.column_stack((-circle, np.zeros(len(circle))))
    parts.append(grid(rows, inward, shade=(0.05 + 0.45 * (1 - steps) ** 1.5)[:, None]))
    bottom = disc((*c, low), radius)
    parts.append(
        Mesh(
            bottom.positions,
            bottom.normals,
            bottom.uvs,
            np.full(len(bottom.shade), 0.05),
            bottom.triangles,
        )
    )
    return merge(parts)


def _sights(table: Table) -> Mesh:
    """Eighteen diamonds, inlaid in the middle of the rails."""
    spec, w, l = table.spec, table.width, table.length
    d = (_back(table) + spec.rail_width) / 2
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
    path = np.concatenate([_arc(c, radius, t, t + math.pi / 2) for c, t in corners])
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
            profile = ((0.085, -0.175), (0.085, -0.26), (0.072, -0.28), (0.052, FLOOR + 0.03))
            profile += ((0.060, FLOOR + 0.028), (0.060, FLOOR))
            rows = np.stack(
                [
                    np.column_stack((np.array((x, y)) + s * octagon, np.full(len(octagon), z)))
                    for s, z in profile
                ]
            )
            hint = np.column_stack((octagon, np.zeros(len(octagon))))
            around = np.arange(len(octagon)) * 0.06
            uvs = np.stack(np.broadcast_arrays(rows[:, :1, 2] * 0.8, around[None, :]), axis=-1)
            shade = np.array((0.2, 0.5, 0.45, 0.35, 0.3, 0.2))[:, None]
            parts.append(grid(rows, hint, uvs=uvs, shade=shade))
    return merge(parts)


def build_table(table: Table) -> TableMeshes:
    """Every mesh of a table.

    Raises:
        TableError: facings that miss their pocket (from the table's own geometry).
    """
    w, l = table.width, table.length
    cushions, noses = zip(*(_cushion(table, chain) for chain in table.geometry.chains), strict=True)
    corner, corner_liner = _pocket_parts(table, table.geometry.pockets[0])
    side, side_liner = _pocket_parts(table, table.geometry.pockets[2])

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
