"""The nose wire and the pockets of a table, built once from its spec as plain values.

Each of the six cushions is one smooth chain: facing, jaw arc, straight nose, jaw arc, facing. A facing runs
back until it meets the circle of its pocket. Everything here is in plan (x, y); the third
dimension is constant along a chain: nose height, draft below, sloped top above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.model.errors import TableError

if TYPE_CHECKING:
    from sim.model.table import TableSpec

__all__ = ["ArcNose", "Chain", "Geometry", "LineNose", "PocketMouth", "build_geometry"]

Point = tuple[float, float]


@dataclass(frozen=True)
class LineNose:
    """A straight piece from `start` to `end`; `normal` points to where balls are."""

    start: Point
    end: Point
    normal: Point
    pocket: int  # index of the pocket whose facing this is, -1 for a straight nose

    @property
    def length(self) -> float:
        """Metres."""
        return math.dist(self.start, self.end)

    @property
    def ends(self) -> tuple[Point, Point]:
        """Where it starts and ends."""
        return self.start, self.end

    def turned(self) -> LineNose:
        """The same piece, run the other way."""
        return LineNose(self.end, self.start, self.normal, self.pocket)


@dataclass(frozen=True)
class ArcNose:
    """A jaw: an arc of `radius` about `centre`, from `start_angle` straight to `end_angle`.

    Angles in radians from +x towards +y; either may be the greater. The rubber is inside the circle;
    balls are outside.
    """

    centre: Point
    radius: float
    start_angle: float
    end_angle: float
    pocket: int

    def point(self, angle: float) -> Point:
        """The point of the arc at an angle, radians."""
        return (
            self.centre[0] + self.radius * math.cos(angle),
            self.centre[1] + self.radius * math.sin(angle),
        )

    @property
    def ends(self) -> tuple[Point, Point]:
        """Where it starts and ends."""
        return self.point(self.start_angle), self.point(self.end_angle)

    def turned(self) -> ArcNose:
        """The same piece, run the other way."""
        return ArcNose(self.centre, self.radius, self.end_angle, self.start_angle, self.pocket)


@dataclass(frozen=True)
class Chain:
    """One cushion (index into CUSHIONS): facing, jaw, nose, jaw, facing, in order along it.

    Each piece starts where the one before it ends. Head and foot run from left to right, the others
    from their corner pocket to the side pocket.
    """

    cushion: int
    pieces: tuple[LineNose | ArcNose, ...]


@dataclass(frozen=True)
class PocketMouth:
    """One pocket (index into POCKETS): hole, and the two points where its facings meet the hole.

    `axis` is the unit vector from the hole's centre into the table; `points` are the two virtual
    corners between which the mouth's width is measured.
    """

    pocket: int
    centre: Point
    radius: float
    axis: Point
    facing_ends: tuple[Point, Point]
    points: tuple[Point, Point]


@dataclass(frozen=True)
class Geometry:
    """All chains (in the order of CUSHIONS) and pockets (in the order of POCKETS)."""

    chains: tuple[Chain, ...]
    pockets: tuple[PocketMouth, ...]
    slope: float  # of the cushion's top, radians above the horizontal

    def nose_distance(self, x: float, y: float) -> float:
        """Signed plan distance from (x, y) to the nearest nose, jaw or facing, m.

        Positive where balls are, negative over the rubber and the rails.
        """
        best = math.inf
        signed = math.inf
        for chain in self.chains:
            for piece in chain.pieces:
                distance, side = _piece_distance(piece, x, y)
                if distance < best:
                    best, signed = distance, math.copysign(distance, side)
        return signed

    def hole_at(self, x: float, y: float) -> int:
        """Index of the pocket whose hole contains (x, y), or -1."""
        for pocket in self.pockets:
            if math.dist((x, y), pocket.centre) < pocket.radius:
                return pocket.pocket
        return -1

    def rest_height(self, x: float, y: float, ball_radius: float, edge_radius: float) -> float:
        """Height of the centre of a ball that stands at (x, y): lower where it hangs over a rounded edge, m."""
        for pocket in self.pockets:
            over = pocket.radius + edge_radius - math.dist((x, y), pocket.centre)
            if 0.0 < over < ball_radius + edge_radius:
                return math.sqrt((ball_radius + edge_radius) ** 2 - over**2) - edge_radius
        return ball_radius


def _piece_distance(piece: LineNose | ArcNose, x: float, y: float) -> tuple[float, float]:
    """(distance, signed side) from a point to one piece."""
    if isinstance(piece, LineNose):
        dx, dy = piece.end[0] - piece.start[0], piece.end[1] - piece.start[1]
        length = math.hypot(dx, dy)
        along = ((x - piece.start[0]) * dx + (y - piece.start[1]) * dy) / length
        across = (x - piece.start[0]) * piece.normal[0] + (y - piece.start[1]) * piece.normal[1]
        beyond = max(0.0, -along, along - length)
        return math.hypot(across, beyond), across
    rx, ry = x - piece.centre[0], y - piece.centre[1]
    rho = math.hypot(rx, ry)
    middle = (piece.start_angle + piece.end_angle) / 2
    half = abs(piece.end_angle - piece.start_angle) / 2
    off = math.remainder(math.atan2(ry, rx) - middle, math.tau)
    if abs(off) <= half:
        return abs(rho - piece.radius), rho - piece.radius
    return min(math.dist((x, y), end) for end in piece.ends), rho - piece.radius


def build_geometry(spec: TableSpec) -> Geometry:
    """Build chains and pockets from the spec.

    One corner chain half and one side chain half are worked out in the head-left quarter; the other
    quarters are reflections, so the table is symmetric about its centre lines (to rounding).
    """
    corner, side = _quarter_pockets(spec)
    head = _head_half(spec, corner)
    left = _left_head(spec, corner, side)
    straight = head[-1]
    assert isinstance(straight, LineNose)
    mirrored_end = (spec.w - straight.start[0], straight.start[1])
    joined = LineNose(straight.start, mirrored_end, straight.normal, -1)
    right = (_reflect(p, spec, True, False).turned() for p in reversed(head[:-1]))
    head_full = (*head[:-1], joined, *right)

    def flip(
        pieces: tuple[LineNose | ArcNose, ...], fx: bool, fy: bool
    ) -> tuple[LineNose | ArcNose, ...]:
        return tuple(_reflect(p, spec, fx, fy) for p in pieces)

    chains = (
        Chain(0, head_full),
        Chain(1, flip(head_full, False, True)),
        Chain(2, left),
        Chain(3, flip(left, False, True)),
        Chain(4, flip(left, True, False)),
        Chain(5, flip(left, True, True)),
    )
    pockets = tuple(
        _reflect_pocket(base, index, spec, fx, fy)
        for index, (base, fx, fy) in enumerate(
            (
                (corner, False, False),
                (corner, True, False),
                (side, False, False),
                (side, True, False),
                (corner, False, True),
                (corner, True, True),
            )
        )
    )
    slope = math.atan2(spec.rail_top - spec.cushion_height, spec.cushion_width)
    return Geometry(chains, pockets, slope)


def _quarter_pockets(spec: TableSpec) -> tuple[PocketMouth, PocketMouth]:
    """The head-left corner pocket and the left side pocket."""
    s = math.sqrt(0.5)
    reach = spec.corner_pocket_width * s  # from the virtual corner to each pocket point
    back = spec.corner_pocket_radius + spec.corner_pocket_depth - spec.corner_pocket_width / 2
    centre = (-back * s, -back * s)
    ca = math.radians(spec.corner_pocket_angle_deg + 45)
    end = _ray_meets_circle(
        (reach, 0.0), (-math.sin(ca), -math.cos(ca)), centre, spec.corner_pocket_radius, "corner"
    )
    corner = PocketMouth(
        0,
        centre,
        spec.corner_pocket_radius,
        (s, s),
        (end, (end[1], end[0])),
        ((reach, 0.0), (0.0, reach)),
    )
    side_back = spec.side_pocket_radius + spec.side_pocket_depth
    middle = spec.l / 2
    centre = (-side_back, middle)
    sa = math.radians(spec.side_pocket_angle_deg)
    point = (0.0, middle - spec.side_pocket_width / 2)
    end = _ray_meets_circle(
        point, (-math.cos(sa), math.sin(sa)), centre, spec.side_pocket_radius, "side"
    )
    side = PocketMouth(
        2,
        centre,
        spec.side_pocket_radius,
        (1.0, 0.0),
        (end, (end[0], spec.l - end[1])),
        (point, (0.0, middle + spec.side_pocket_width / 2)),
    )
    return corner, side


def _ray_meets_circle(
    origin: Point, direction: Point, centre: Point, radius: float, which: str
) -> Point:
    ox, oy = origin[0] - centre[0], origin[1] - centre[1]
    b = ox * direction[0] + oy * direction[1]
    c = ox * ox + oy * oy - radius * radius
    disc = b * b - c
    if c <= 0.0 or disc <= 0.0 or b >= 0.0:
        raise TableError(
            f"table {which} pocket: its facings do not meet the hole; make the hole wider than the "
            "mouth's throat or move it (radius, depth, angle)"
        )
    t = -b - math.sqrt(disc)
    return origin[0] + t * direction[0], origin[1] + t * direction[1]


def _head_half(spec: TableSpec, corner: PocketMouth) -> tuple[LineNose | ArcNose, ...]:
    """Facing, jaw and left half of the head cushion."""
    ca = math.radians(spec.corner_pocket_angle_deg + 45)
    return _half_chain(
        corner.points[0],
        (1.0, 0.0),
        (-math.sin(ca), -math.cos(ca)),
        corner.facing_ends[0],
        spec.corner_jaw_radius,
        (spec.w / 2, 0.0),
        0,
    )


def _left_head(
    spec: TableSpec, corner: PocketMouth, side: PocketMouth
) -> tuple[LineNose | ArcNose, ...]:
    """The whole left_head cushion, from the corner pocket to the side pocket."""
    ca = math.radians(spec.corner_pocket_angle_deg + 45)
    sa = math.radians(spec.side_pocket_angle_deg)
    middle = (0.0, spec.l / 4)
    first = _half_chain(
        corner.points[1],
        (0.0, 1.0),
        (-math.cos(ca), -math.sin(ca)),
        corner.facing_ends[1],
        spec.corner_jaw_radius,
        middle,
        0,
    )
    second = _half_chain(
        side.points[0],
        (0.0, -1.0),
        (-math.cos(sa), math.sin(sa)),
        side.facing_ends[0],
        spec.side_jaw_radius,
        middle,
        2,
    )
    a, b = first[-1], second[-1]
    assert isinstance(a, LineNose)
    assert isinstance(b, LineNose)
    joined = LineNose(a.start, b.start, (1.0, 0.0), -1)
    return (*first[:-1], joined, *(p.turned() for p in reversed(second[:-1])))


def _half_chain(
    point: Point,
    along: Point,
    facing: Point,
    facing_end: Point,
    radius: float,
    middle: Point,
    pocket: int,
) -> tuple[LineNose | ArcNose, ...]:
    """Facing, jaw and straight nose from a pocket point towards the cushion's middle.

    `along` points from the pocket point along the nose, `facing` along the facing into the pocket.
    """
    cosine = along[0] * facing[0] + along[1] * facing[1]
    opening = math.acos(cosine)  # the angle the rubber fills at the pocket point
    tangent = radius / math.tan(opening / 2)
    nose_start = (point[0] + tangent * along[0], point[1] + tangent * along[1])
    facing_start = (point[0] + tangent * facing[0], point[1] + tangent * facing[1])
    room = math.dist(point, facing_end)
    if tangent >= room or tangent >= math.dist(point, middle):
        raise TableError(
            f"table jaw radius: got {radius:g}, expected one that leaves some facing and nose"
        )
    # The rubber lies between nose and facing: the jaw's centre is on their bisector.
    bx, by = along[0] + facing[0], along[1] + facing[1]
    norm = math.hypot(bx, by)
    away = radius / math.sin(opening / 2)
    centre = (point[0] + away * bx / norm, point[1] + away * by / norm)
    start = math.atan2(facing_start[1] - centre[1], facing_start[0] - centre[0])
    end = start + math.remainder(
        math.atan2(nose_start[1] - centre[1], nose_start[0] - centre[0]) - start, math.tau
    )
    nose_normal = ((nose_start[0] - centre[0]) / radius, (nose_start[1] - centre[1]) / radius)
    # Normals of axis-parallel noses are exact, so that mirrored shots stay mirrored.
    nose_normal = (float(round(nose_normal[0])), float(round(nose_normal[1])))
    facing_normal = (
        (facing_start[0] - centre[0]) / radius,
        (facing_start[1] - centre[1]) / radius,
    )
    return (
        LineNose(facing_end, facing_start, facing_normal, pocket),
        ArcNose(centre, radius, start, end, pocket),
        LineNose(nose_start, middle, nose_normal, -1),
    )


def _reflect(piece: LineNose | ArcNose, spec: TableSpec, fx: bool, fy: bool) -> LineNose | ArcNose:
    def point(p: Point) -> Point:
        return (spec.w - p[0] if fx else p[0]), (spec.l - p[1] if fy else p[1])

    def angle(a: float) -> float:
        if fx:
            a = math.pi - a
        return -a if fy else a

    pocket = piece.pocket
    if pocket >= 0:
        if fx:
            pocket ^= 1  # left and right are neighbours in POCKETS
        if fy and pocket not in (2, 3):
            pocket = (pocket + 4) % 8  # 0, 1 (head) <-> 4, 5 (foot)
    if isinstance(piece, LineNose):
        normal = (
            (-piece.normal[0] if fx else piece.normal[0]),
            (-piece.normal[1] if fy else piece.normal[1]),
        )
        return LineNose(point(piece.start), point(piece.end), normal, pocket)
    return ArcNose(
        point(piece.centre), piece.radius, angle(piece.start_angle), angle(piece.end_angle), pocket
    )


def _reflect_pocket(
    base: PocketMouth, index: int, spec: TableSpec, fx: bool, fy: bool
) -> PocketMouth:
    def point(p: Point) -> Point:
        return (spec.w - p[0] if fx else p[0]), (spec.l - p[1] if fy else p[1])

    axis = (-base.axis[0] if fx else base.axis[0]), (-base.axis[1] if fy else base.axis[1])
    ends, points = base.facing_ends, base.points
    return PocketMouth(
        index,
        point(base.centre),
        base.radius,
        axis,
        (point(ends[0]), point(ends[1])),
        (point(points[0]), point(points[1])),
    )
