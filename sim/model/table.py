"""The table: its measures (TableSpec) and the table built from them (Table).

Field names are pooltool's `PocketTableSpecs` where they mean the same (angles carry their unit here);
the others are what three dimensions need. Defaults: WPA equipment specification.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from sim.model.checks import instance, number, word
from sim.model.errors import TableError
from sim.model.geometry import Geometry, build_geometry

__all__ = ["CUSHIONS", "POCKETS", "TABLES", "Table", "TableSpec"]

CUSHIONS = ("head", "foot", "left_head", "left_foot", "right_head", "right_foot")
POCKETS = ("head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right")


@dataclass(frozen=True)
class TableSpec:
    """The measures of a pocket table, metres unless the name says otherwise.

    Attributes:
        l, w: length and width of the bed between the noses; l = 2 w.
        cushion_width: from the nose back to the flat of the rail top.
        cushion_height: of the nose above the bed (0.635 ball diameters).
        corner_pocket_width, side_pocket_width: mouth, between the pocket points.
        corner_pocket_angle_deg, side_pocket_angle_deg: a facing makes 90 + 45 + corner angle, or
            90 + side angle, with the nose (WPA: 142 and 104 degrees, so 7 and 14).
        corner_pocket_depth, side_pocket_depth: the shelf, from the mouth to the slate's edge.
        corner_pocket_radius, side_pocket_radius: of the hole in the slate.
        corner_jaw_radius, side_jaw_radius: of the arc that joins nose and facing.
        back_draft_deg: how far cushions, jaws and facings recede below the nose, from the vertical
            (at least as far as `Table.draft`).
        slate_edge_radius: rounding of the slate at a pocket.
        pocket_drop: depth of the pocket below the bed.
        rail_top: height of the flat rail above the bed.
        rail_width: from the nose to the table's outer edge.
    """

    l: float = 2.540
    w: float = 1.270
    cushion_width: float = 0.0500
    cushion_height: float = 0.635 * 0.05715
    corner_pocket_width: float = 0.1160
    corner_pocket_angle_deg: float = 7.0
    corner_pocket_depth: float = 0.0410
    corner_pocket_radius: float = 0.0620
    corner_jaw_radius: float = 0.0150
    side_pocket_width: float = 0.1286
    side_pocket_angle_deg: float = 14.0
    side_pocket_depth: float = 0.0050
    side_pocket_radius: float = 0.0640
    side_jaw_radius: float = 0.0100
    back_draft_deg: float = 14.0
    slate_edge_radius: float = 0.0050
    pocket_drop: float = 0.1000
    rail_top: float = 0.0430
    rail_width: float = 0.1300

    def __post_init__(self) -> None:
        for f in fields(self):
            value = number(getattr(self, f.name), f"table {f.name}", TableError, above=0.0)
            object.__setattr__(self, f.name, value)
        if abs(self.l - 2 * self.w) > 1e-3 * self.l:
            raise TableError(
                f"table: got length {self.l:g} and width {self.w:g}, expected length = 2 x width"
            )
        limits = (
            ("l", 0.5, 6.0),
            ("cushion_width", 0.02, 0.10),
            ("cushion_height", 0.005, 0.2),
            ("corner_pocket_width", 0.07, 0.25),
            ("side_pocket_width", 0.07, 0.25),
            ("corner_pocket_depth", 0.0, 0.5),
            ("side_pocket_depth", 0.0, 0.5),
            ("corner_pocket_angle_deg", 1.0, 30.0),
            ("side_pocket_angle_deg", 1.0, 40.0),
            ("corner_pocket_radius", 0.04, 0.12),
            ("side_pocket_radius", 0.04, 0.12),
            ("corner_jaw_radius", 0.002, 0.05),
            ("side_jaw_radius", 0.002, 0.03),
            ("back_draft_deg", 5.0, 40.0),
            ("slate_edge_radius", 0.0005, 0.015),
            ("pocket_drop", 0.0, 1.0),
            ("rail_top", 0.0, 0.5),
            ("rail_width", 0.08, 0.4),
        )
        for name, low, high in limits:
            number(getattr(self, name), f"table {name}", TableError, low=low, high=high)
        if self.rail_top < self.cushion_height:
            raise TableError(
                f"table rail_top: got {self.rail_top:g}, expected at least the nose's height "
                f"{self.cushion_height:g}"
            )
        if self.rail_width <= self.cushion_width:
            raise TableError(
                f"table rail_width: got {self.rail_width:g}, expected more than cushion_width "
                f"{self.cushion_width:g}"
            )


@dataclass(frozen=True)
class Table:
    """A table: its spec, a name, and the geometry built from the spec.

    Frame: x across the table 0..width, y along it 0..length with the head cushion at y = 0, z up
    from the cloth; left is x = 0.
    """

    spec: TableSpec
    name: str = field(default="custom", compare=False)

    def __post_init__(self) -> None:
        instance(self.spec, "table spec", TableError, TableSpec)

    @classmethod
    def wpa_9ft(cls) -> Table:
        """The 9 foot table, bed 2.540 x 1.270 m."""
        return TABLES["wpa_9ft"]

    @classmethod
    def wpa_8ft(cls) -> Table:
        """The 8 foot table, bed 2.340 x 1.170 m."""
        return TABLES["wpa_8ft"]

    @classmethod
    def wpa_7ft(cls) -> Table:
        """The 7 foot table, bed 1.981 x 0.9905 m."""
        return TABLES["wpa_7ft"]

    @classmethod
    def named(cls, name: str) -> Table:
        """The table of that name.

        Raises:
            TableError: no such table.
        """
        return TABLES[word(name, "table", TableError, sorted(TABLES))]

    @classmethod
    def from_spec(cls, spec: TableSpec) -> Table:
        """A table with any measures."""
        return cls(spec)

    def __getstate__(self) -> dict[str, Any]:
        # The geometry is built from the spec again: smaller, and never that of another version.
        return {"spec": self.spec, "name": self.name}

    @property
    def width(self) -> float:
        """Between the side noses, m."""
        return self.spec.w

    @property
    def length(self) -> float:
        """Between the head and the foot nose, m."""
        return self.spec.l

    @property
    def head_string(self) -> float:
        """y of the head string, m."""
        return self.spec.l / 4

    @property
    def head_spot(self) -> tuple[float, float]:
        """(x, y), m."""
        return self.spec.w / 2, self.spec.l / 4

    @property
    def foot_spot(self) -> tuple[float, float]:
        """(x, y), m."""
        return self.spec.w / 2, 3 * self.spec.l / 4

    @cached_property
    def geometry(self) -> Geometry:
        """Noses, jaws, facings and pockets in this frame, built once.

        Raises:
            TableError: facings that miss their pocket, or cushions without a straight part.
        """
        return build_geometry(self.spec)

    def nose_contact(self, ball_radius: float) -> float:
        """Horizontal distance from nose to the centre of a ball on the bed that touches it, m.

        Raises:
            TableError: the nose is too high or too low for such a ball.
        """
        rise = self._nose_rise(ball_radius)
        return math.sqrt(ball_radius**2 - rise**2)

    def draft(self, ball_radius: float) -> float:
        """How far the rubber recedes below the nose, from the vertical, radians.

        The spec's back draft, but at least as steep as the line from the nose to the centre of a
        ball on the bed, so that such a ball meets the nose and not the rubber below it.

        Raises:
            TableError: the nose is too high for such a ball or lower than its centre, or the draft so
                large that a ball deep in a pocket would get under the nose.
        """
        height, rise = self.spec.cushion_height, self._nose_rise(ball_radius)
        if rise < 0.0:
            raise TableError(
                f"nose height {height:g} m is below the centre of a ball of radius {ball_radius:g} m; "
                "such balls would climb out"
            )
        given, needed = math.radians(self.spec.back_draft_deg), math.asin(rise / ball_radius) + 1e-3
        # A ball in a pocket touches the rubber with its centre inside the nose, until it is a radius below
        # the bed and has fallen.
        most = math.asin(ball_radius / (height + ball_radius))
        if needed > most:
            raise TableError(
                f"nose height {height:g} m is too high for a ball of radius {ball_radius:g} m; expected "
                f"at most {1.413 * ball_radius:.4g}"
            )
        if given > most:
            raise TableError(
                f"table back_draft_deg: got {self.spec.back_draft_deg:g}, expected at most "
                f"{math.degrees(most):.4g} for balls of radius {ball_radius:g} m"
            )
        return max(given, needed)

    def _nose_rise(self, ball_radius: float) -> float:
        """Of the nose above the centre of a ball on the bed, m."""
        rise = self.spec.cushion_height - ball_radius
        if abs(rise) >= ball_radius:
            raise TableError(
                f"nose height {self.spec.cushion_height:g} does not meet a ball of radius "
                f"{ball_radius:g} on the bed"
            )
        return rise


_9FT = TableSpec()
TABLES: dict[str, Table] = {
    "wpa_9ft": Table(_9FT, "wpa_9ft"),
    "wpa_8ft": Table(replace(_9FT, l=2.340, w=1.170), "wpa_8ft"),
    "wpa_7ft": Table(replace(_9FT, l=1.981, w=0.9905), "wpa_7ft"),
}
