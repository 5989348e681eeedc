"""Plan geometry that cushions, rails and pockets of the mesh share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.model.geometry import Chain, LineNose, PocketMouth
from sim.model.table import Table

__all__ = [
    "NOSE_ROUND",
    "Frame",
    "angle_of",
    "arc_points",
    "chain_samples",
    "cloth_end",
    "cushion_slope",
    "frame_of",
    "hole_arc",
    "rail_ends",
    "rear_angles",
]

Array = NDArray[np.float64]

ARC_STEP = math.radians(6)
NOSE_ROUND = 0.0020  # radius of the rubber's edge, above and below the nose, m


@dataclass(frozen=True)
class Frame:
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


def chain_samples(chain: Chain) -> tuple[Array, Array]:
    """Points along a chain, each once: (N, 2) on it, (N, 2) normals to the balls."""
    points: list[tuple[float, float]] = []
    normals: list[tuple[float, float]] = []
    for k, piece in enumerate(chain.pieces):
        if isinstance(piece, LineNose):
            if piece.pocket < 0:
                continue  # the straight nose ends where its jaws begin
            # A facing's inner end is the jaw's; inner points serve its shading.
            steps = np.linspace(0, 1, 5)
            for s in steps[:-1] if k == 0 else steps[1:]:
                points.append(
                    (
                        piece.start[0] + s * (piece.end[0] - piece.start[0]),
                        piece.start[1] + s * (piece.end[1] - piece.start[1]),
                    )
                )
                normals.append(piece.normal)
        else:
            n = max(3, math.ceil(abs(piece.end_angle - piece.start_angle) / ARC_STEP))
            for i in range(n + 1):
                angle = piece.start_angle + (piece.end_angle - piece.start_angle) * i / n
                points.append(piece.point(angle))
                normals.append((math.cos(angle), math.sin(angle)))
    return np.array(points), np.array(normals)


def _straight(chain: Chain) -> LineNose:
    for piece in chain.pieces:
        if isinstance(piece, LineNose) and piece.pocket < 0:
            return piece
    raise AssertionError("every chain has a straight nose")


def frame_of(chain: Chain) -> Frame:
    nose = _straight(chain)
    start, end = np.array(nose.start), np.array(nose.end)
    return Frame(start, (end - start) / np.linalg.norm(end - start), -np.array(nose.normal))


def arc_points(centre: tuple[float, float], radius: float, start: float, end: float) -> Array:
    n = max(2, math.ceil(abs(end - start) / ARC_STEP))
    angle = np.linspace(start, end, n + 1)
    return np.array(centre) + radius * np.column_stack((np.cos(angle), np.sin(angle)))


def angle_of(p: Array, centre: tuple[float, float]) -> float:
    return math.atan2(p[1] - centre[1], p[0] - centre[0])


def cloth_end(table: Table) -> float:
    """How far behind the nose cloth meets wood: cushion_width, or a facing's end if that is
    deeper."""
    deepest = 0.0
    for pocket in (table.geometry.pockets[0], table.geometry.pockets[2]):
        deepest = max(deepest, *(-min(p[0], p[1]) for p in pocket.facing_ends))
    return max(table.spec.cushion_width, deepest + 0.001)


def cushion_slope(table: Table) -> float:
    """How much a cushion's top rises for each metre behind its nose, up to the rail's top."""
    spec = table.spec
    return (spec.rail_top - spec.cushion_height - NOSE_ROUND) / cloth_end(table)


def hole_arc(table: Table, pocket: PocketMouth, end: Array, frame: Frame) -> Array:
    """Points on the hole from a facing's end to where it is as deep as the cushion, without the
    end."""
    back = cloth_end(table)
    depth = float(frame.to(np.array([pocket.centre]))[0, 1])
    along = float(frame.to(np.array([pocket.centre]))[0, 0])
    here = frame.to(end[None])[0]
    rise = math.sqrt(max(pocket.radius**2 - (back - depth) ** 2, 0.0))
    goal = np.array((along + math.copysign(rise, here[0] - along), back))
    start = math.atan2(here[1] - depth, here[0] - along)
    turn = math.remainder(math.atan2(goal[1] - depth, goal[0] - along) - start, math.tau)
    local = arc_points((along, depth), pocket.radius, start, start + turn)
    return frame.back(local[1:])


def rail_ends(table: Table) -> tuple[float, float]:
    """Where the wood of a rail begins: from the corner's origin, and from the middle of the
    table."""
    corner, side = table.geometry.pockets[0], table.geometry.pockets[2]
    back = cloth_end(table)
    reach = math.sqrt(max(corner.radius**2 - (back + corner.centre[0]) ** 2, 0.0))
    a = max(corner.centre[0] + reach, corner.facing_ends[0][0]) + 0.012
    return a, side.radius + 0.014


def rear_angles(pocket: PocketMouth, points: Array) -> tuple[float, float]:
    """The angles of two points about a hole, ascending through the hole's rear."""
    away = math.atan2(-pocket.axis[1], -pocket.axis[0])
    a, b = (away + math.remainder(angle_of(p, pocket.centre) - away, math.tau) for p in points)
    return min(a, b), max(a, b)
