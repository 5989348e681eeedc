"""The irons and liners of the pockets."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sim.model.geometry import PocketMouth
from sim.model.table import Table
from sim.play.mesh import Mesh, disc, grid, merge, offset_path, polygon
from sim.play.table_frame import (
    NOSE_ROUND,
    Frame,
    angle_of,
    arc_points,
    cloth_end,
    cushion_slope,
    frame_of,
    hole_arc,
    rail_ends,
    rear_angles,
)

__all__ = ["pocket_parts"]

Array = NDArray[np.float64]

RAIL_DEPTH = 0.050  # of the rail's side below the bed
CASTING_RISE = 0.0015  # castings stand a little above the rail
SUNK = 0.0003  # what lies under the edge of a cushion's top


def pocket_parts(table: Table, pocket: PocketMouth) -> tuple[Mesh, Mesh]:
    """(casting, liner) of head_left or side_left; the others are their reflections."""
    spec = table.spec
    corner = pocket.pocket == 0
    corner_end, side_end = rail_ends(table)
    back, outer, top = cloth_end(table), spec.rail_width + 0.0012, spec.rail_top + CASTING_RISE
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
        hole_arc(table, pocket, ends[0], frame_of(first)),
        hole_arc(table, pocket, ends[1], frame_of(second)),
    ]
    q0, q1 = arcs[0][-1], arcs[1][-1]
    away = math.atan2(-pocket.axis[1], -pocket.axis[0])
    t0 = away + math.remainder(angle_of(q0, c) - away, math.tau)
    t1 = away + math.remainder(angle_of(q1, c) - away, math.tau)
    inner = arc_points(c, radius + rim, t0, t1)
    if corner:
        r = 0.075
        m = -outer + r
        outside = np.concatenate(
            (
                [[corner_end, -outer]],
                arc_points((m, m), r, -math.pi / 2, -math.pi),
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
                arc_points(c, bulge, math.pi + swing, math.pi - swing),
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
    # The rim's ends lie a little behind the cushions' backs: without these one looks down between.
    low = spec.rail_top - SUNK
    for corners in ((inner[0], joint0[0], q0), (inner[-1], joint1[0], q1)):
        parts.append(polygon(np.array(corners), low, shade=0.8, uv_scale=3.0))
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
    frames = (frame_of(first), frame_of(second))
    liner = _liner(table, pocket, arcs, ends, frames, inner_top=top - rim)
    return casting, liner


def _liner(
    table: Table,
    pocket: PocketMouth,
    arcs: list[Array],
    ends: Array,
    frames: tuple[Frame, Frame],
    *,
    inner_top: float,
) -> Mesh:
    spec, c, radius = table.spec, np.array(pocket.centre), pocket.radius
    ts = rear_angles(pocket, ends)
    qs = rear_angles(pocket, np.array([arc[-1] for arc in arcs]))
    # Two columns where the cushion's top ends and the casting begins: the liner's top steps there.
    spans = ((ts[0], qs[0], 5), (qs[0], qs[1], 41), (qs[1], ts[1], 5))
    pieces = [np.linspace(start, stop, count) for start, stop, count in spans]
    angles = np.concatenate(pieces)
    cushioned = np.repeat((True, False, True), [count for *_, count in spans])
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    # Between a facing's end and the casting the liner meets the cushion's sloping top.
    flat = c + radius * circle
    near = [np.hypot(*(flat - arc[-1]).T) for arc in arcs]
    behind = [np.clip(frame.to(flat)[:, 1], 0.0, cloth_end(table)) for frame in frames]
    depth = np.where(near[0] < near[1], behind[0], behind[1])
    under = spec.cushion_height + NOSE_ROUND + cushion_slope(table) * depth
    tops = np.where(cushioned, under, inner_top)
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
    # Wider than the wall, whose corners are others than its own: no crack between them.
    bottom = disc((*c, low), 1.02 * radius)
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
