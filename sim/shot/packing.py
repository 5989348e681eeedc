"""Values to arrays and back: the only place where dtypes, shapes and the inner frame meet the model.

Inside, the frame is centred on the table, and balls stand in canonical order: by distance from the centre,
then by |x|, |y|, x, y. So neither ball numbers nor a reflection of the table change the order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model import Layout, Materials, MaterialsError, Motion, Stick, Stroke, StrokeError, Table
from sim.model.checks import brief, instance, word
from sim.model.geometry import ArcNose, LineNose
from sim.physics import arrays as A
from sim.physics.contact.cluster import CLUSTER, CLUSTER_ROWS, MAX_TOUCHES
from sim.physics.contact.cushion import CUSHION_MODELS
from sim.physics.contact.held import CONTACT, MAX_CONTACTS

__all__ = [
    "CUSHION_MODELS",
    "Scratch",
    "check_radius",
    "canonical_order",
    "pack_balls",
    "pack_params",
    "pack_stroke",
    "pack_table",
    "packed_layout",
    "setting",
    "stroke_record",
]

MAX_BALLS = 11
ROOM = 512  # events written down at first; a shot with more is played again with room for all
_STROKE_FIELDS = A.STROKE.names or ()
NO_STROKE = (-1, *[0.0] * (len(_STROKE_FIELDS) - 1))
TIME_LIMIT = 120.0  # s of play after which a shot that cannot end is stopped, with its status


@lru_cache(maxsize=32)
def pack_table(table: Table) -> tuple[NDArray[Any], NDArray[Any]]:
    """(NOSE array, POCKET array) of a table in the centred frame."""
    cx, cy = table.width / 2, table.length / 2
    rows: list[dict[str, float]] = []
    pieces = [
        (chain.cushion, _mirrored_alike(piece, cy))
        for chain in table.geometry.chains
        for piece in chain.pieces
    ]
    for cushion, piece in pieces:
        row: dict[str, float] = {"cushion": cushion, "pocket": piece.pocket}
        if isinstance(piece, LineNose):
            length = piece.length
            tx = (piece.end[0] - piece.start[0]) / length
            ty = (piece.end[1] - piece.start[1]) / length
            row |= {"kind": A.LINE, "x": piece.start[0] - cx, "y": piece.start[1] - cy}
            row |= {"tx": tx, "ty": ty, "nx": piece.normal[0], "ny": piece.normal[1]}
            row |= {"length": length}
            row |= _box(piece.start, piece.end, cx, cy)
        else:
            middle = (piece.start_angle + piece.end_angle) / 2
            row |= {"kind": A.ARC, "x": piece.centre[0] - cx, "y": piece.centre[1] - cy}
            row |= {"tx": math.cos(middle), "ty": math.sin(middle), "r": piece.radius}
            row |= {"cos_half": math.cos(abs(piece.end_angle - piece.start_angle) / 2)}
            row |= _box(*_arc_points(piece), cx, cy)
        rows.append(row)
    for pocket in table.geometry.pockets:
        for end in pocket.facing_ends:
            # Where a facing ends at the hole there is an upright edge: an arc of radius 0.
            cushion = next(
                c
                for c, piece in pieces
                if isinstance(piece, LineNose) and end in (piece.start, piece.end)
            )
            row = {"kind": A.ARC, "cushion": cushion, "pocket": pocket.pocket, "cos_half": -1.0}
            row |= {"x": end[0] - cx, "y": end[1] - cy, "tx": 1.0}
            row |= _box(end, end, cx, cy)
            rows.append(row)
        ex, ey = (
            pocket.facing_ends[0][0] - pocket.centre[0],
            pocket.facing_ends[0][1] - pocket.centre[1],
        )
        opening = (ex * pocket.axis[0] + ey * pocket.axis[1]) / pocket.radius
        row = {"kind": A.LINER_ARC, "cushion": -1, "pocket": pocket.pocket}
        row |= {"x": pocket.centre[0] - cx, "y": pocket.centre[1] - cy, "r": pocket.radius}
        row |= {"tx": -pocket.axis[0], "ty": -pocket.axis[1], "cos_half": -opening}
        r = pocket.radius
        low = (pocket.centre[0] - r, pocket.centre[1] - r)
        row |= _box(low, (pocket.centre[0] + r, pocket.centre[1] + r), cx, cy)
        rows.append(row)
    noses = np.zeros(len(rows), A.NOSE)
    for k, row in enumerate(rows):
        for name, value in row.items():
            noses[k][name] = value
    pockets = np.zeros(len(table.geometry.pockets), A.POCKET)
    for k, pocket in enumerate(table.geometry.pockets):
        end = pocket.facing_ends[0]
        ex, ey = end[0] - pocket.centre[0], end[1] - pocket.centre[1]
        ax, ay = pocket.axis
        pockets[k] = (
            pocket.centre[0] - cx,
            pocket.centre[1] - cy,
            pocket.radius,
            ax,
            ay,
            (ex * ax + ey * ay) / pocket.radius,
            abs(ax * ey - ay * ex) / pocket.radius,
        )
    noses.setflags(write=False)
    pockets.setflags(write=False)
    return noses, pockets


def _mirrored_alike(piece: LineNose | ArcNose, cy: float) -> LineNose | ArcNose:
    """The piece, begun at its end farther along the table from the middle.

    A chain runs one way only, so its halves are no mirror images; pieces turned like this are, and so
    the engine meets both in the same way.
    """
    start, end = piece.ends
    return piece.turned() if abs(start[1] - cy) < abs(end[1] - cy) else piece


def _arc_points(piece: ArcNose) -> tuple[tuple[float, float], tuple[float, float]]:
    angles = np.linspace(piece.start_angle, piece.end_angle, 65)
    xs = piece.centre[0] + piece.radius * np.cos(angles)
    ys = piece.centre[1] + piece.radius * np.sin(angles)
    pad = piece.radius * 1e-3
    return (float(xs.min()) - pad, float(ys.min()) - pad), (
        float(xs.max()) + pad,
        float(ys.max()) + pad,
    )


def _box(a: tuple[float, float], b: tuple[float, float], cx: float, cy: float) -> dict[str, float]:
    return {
        "lo_x": min(a[0], b[0]) - cx,
        "lo_y": min(a[1], b[1]) - cy,
        "hi_x": max(a[0], b[0]) - cx,
        "hi_y": max(a[1], b[1]) - cy,
    }


@lru_cache(maxsize=256)
def pack_params(table: Table, materials: Materials, cushion_model: str | None) -> NDArray[Any]:
    """PARAMS array of one record.

    Raises:
        MaterialsError: unknown cushion model, or a ball that the nose does not meet.
    """
    if cushion_model is None:
        model = 0
    else:
        word(cushion_model, "cushion model", MaterialsError, CUSHION_MODELS)
        model = CUSHION_MODELS.index(cushion_model)
    spec = table.spec
    p = np.zeros(1, A.PARAMS)
    row = p[0]
    m = materials
    reach = table.nose_contact(m.ball_radius)
    law = m.friction_law
    for name, value in (
        ("R", m.ball_radius),
        ("m", m.ball_mass),
        ("g", m.g),
        ("mu_slide", m.mu_slide),
        ("mu_roll", m.mu_roll),
        ("spin_decay", m.spin_decay),
        ("e_ball", m.e_ball),
        ("mu_a", law.a),
        ("mu_b", law.b),
        ("mu_c", law.c),
        ("e_bed", m.e_bed),
        ("mu_bed", m.mu_bed),
        ("e_cushion", -1.0 if m.e_cushion is None else m.e_cushion),
        ("mu_cushion", m.mu_cushion),
        ("cushion_model", model),
        ("e_liner", m.e_liner),
        ("mu_liner", m.mu_liner),
        ("e_rail", m.e_rail_top),
        ("mu_rail", m.mu_rail_top),
        ("mu_roll_rail", m.mu_roll_rail_top),
        ("half_w", spec.w / 2),
        ("half_l", spec.l / 2),
        ("nose", spec.cushion_height),
        ("reach", reach),
        ("rail_top", spec.rail_top),
        ("rail_width", spec.rail_width),
        ("cushion_width", spec.cushion_width),
        ("edge_r", spec.slate_edge_radius),
        ("t_max", TIME_LIMIT),
    ):
        row[name] = value
    slope = table.geometry.slope
    row["slope_c"], row["slope_s"] = math.cos(slope), math.sin(slope)
    draft = table.draft(m.ball_radius)
    row["draft_c"], row["draft_s"] = math.cos(draft), math.sin(draft)
    safe_x, safe_y = spec.w / 2 - reach, spec.l / 2 - reach
    for pocket in table.geometry.pockets:
        ring = pocket.radius + spec.slate_edge_radius
        # The ring's deepest reach into the rectangle, along x and y.
        in_x = spec.w / 2 - abs(pocket.centre[0] - spec.w / 2) + ring
        in_y = spec.l / 2 - abs(pocket.centre[1] - spec.l / 2) + ring
        corner_free = math.hypot(
            max(spec.w / 2 - safe_x - (in_x - ring), 0.0),
            max(spec.l / 2 - safe_y - (in_y - ring), 0.0),
        )
        if pocket.axis[1] == 0.0:
            safe_x = min(safe_x, spec.w / 2 - in_x)
        elif corner_free < ring:
            safe_x = min(safe_x, spec.w / 2 - in_x)
            safe_y = min(safe_y, spec.l / 2 - in_y)
    row["safe_x"], row["safe_y"] = safe_x - 1e-6, safe_y - 1e-6
    p.setflags(write=False)
    return p


def setting(
    table: Table, materials: Materials, cushion_model: str | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """(NOSE, POCKET, PARAMS) arrays, found by identity: hashing fifty numbers takes longer.

    Raises:
        MaterialsError: as pack_params.
    """
    instance(materials, "materials", MaterialsError, Materials)
    if not (cushion_model is None or isinstance(cushion_model, str)):
        word(cushion_model, "cushion model", MaterialsError, CUSHION_MODELS)
    key = id(table), id(materials), cushion_model
    known = _settings.get(key)
    if known is None:
        if len(_settings) >= _SETTINGS:
            _settings.clear()
        # The objects are kept too, so that their ids stay theirs.
        known = (
            *pack_table(table),
            pack_params(table, materials, cushion_model),
            (table, materials),
        )
        _settings[key] = known
    return known[:3]


_SETTINGS = 64
_settings: dict[
    tuple[int, int, str | None],
    tuple[NDArray[Any], NDArray[Any], NDArray[Any], tuple[Table, Materials]],
] = {}


def canonical_order(layout: Layout) -> list[int]:
    """Ids in canonical order, so that results do not depend on numbers or reflections."""
    return list(packed_layout(layout)[0])


def packed_layout(layout: Layout) -> tuple[list[int], bytes]:
    """(ids in canonical order, their BALL rows at rest as bytes) of a layout; made once and kept with it.

    Bytes, because NumPy copies records field by field.
    """
    known: tuple[list[int], bytes] | None = layout._packed
    if known is not None:
        return known
    cx, cy = layout.table.width / 2, layout.table.length / 2
    keys = []
    for ball in layout:
        x, y, z = layout[ball].tolist()
        x -= cx
        y -= cy
        # Rounded: a reflected place differs in its last bits.
        r, ax, ay = round(math.hypot(x, y), 9), round(abs(x), 9), round(abs(y), 9)
        keys.append((r, ax, ay, x, y, z, ball))
    keys.sort()
    order = [key[6] for key in keys]
    rows = np.zeros(len(order), A.BALL)
    if order:
        rows["x"], rows["y"], rows["z"], rows["id"] = list(zip(*keys, strict=True))[3:]
    rows["pocket"] = -1
    made = order, rows.tobytes()
    object.__setattr__(layout, "_packed", made)
    return made


def pack_balls(
    layout: Layout, motions: Mapping[int, Motion] | None, materials: Materials
) -> NDArray[Any]:
    """A new BALL array of a layout's balls, in canonical order, with these motions.

    Raises:
        MaterialsError: ball radius of layout and materials differ.
        StrokeError: motions of balls that are not there.
    """
    check_radius(layout, materials)
    order, packed = packed_layout(layout)
    rows: NDArray[Any] = np.frombuffer(bytearray(packed), A.BALL)
    if motions:
        for ball, motion in motions.items():
            # 1.0 and True are equal to 1, but no shot file could name them.
            if isinstance(ball, bool) or not hasattr(ball, "__index__") or ball not in layout:
                raise StrokeError(
                    f"motions: ball {brief(ball)} is not in the layout; present: {list(layout.balls)}"
                )
            if not isinstance(motion, Motion):
                raise StrokeError(
                    f"motions: got {brief(motion)} for ball {ball}, expected a Motion"
                )
            b = rows[order.index(ball)]
            b["vx"], b["vy"], b["vz"] = motion.velocity
            b["wx"], b["wy"], b["wz"] = motion.spin
    return rows


def check_radius(layout: Layout, materials: Materials) -> None:
    """Whether layout and materials speak of the same balls.

    Raises:
        MaterialsError: they do not.
    """
    if layout.ball_radius != materials.ball_radius:
        raise MaterialsError(
            f"ball radius: got {materials.ball_radius:g} in the materials, expected the layout's "
            f"{layout.ball_radius:g}"
        )


def stroke_record(
    stroke: Stroke | None,
    stick: Stick,
    materials: Materials,
    order: list[int],
    touch_allowed: bool,
) -> tuple[float, ...]:
    """The values of one STROKE record in the order of its fields; row -1 without a stroke.

    Raises:
        StrokeError: a stroke without a cue ball.
    """
    if stroke is None:
        return NO_STROKE
    if 0 not in order:
        raise StrokeError("stroke: got a layout without the cue ball, expected ball 0 in it")
    ratio = stick.end_mass_ratio
    return (
        order.index(0),
        stroke.speed, stroke.azimuth, stroke.side, stroke.vertical,
        -1.0 if stroke.elevation is None else stroke.elevation,
        touch_allowed,
        stick.mass, stick.length, stick.tip_radius, stick.butt_radius,
        materials.e_tip if stick.e_tip is None else stick.e_tip,
        materials.mu_tip,
        materials.end_mass_ratio if ratio is None else ratio,
        stick.follow_through, stick.follow_time, stick.contact_time,
    )  # fmt: skip


def pack_stroke(
    stroke: Stroke | None,
    stick: Stick,
    materials: Materials,
    order: list[int],
    touch_allowed: bool,
    row: Any,
) -> None:
    """Fill one STROKE record; row -1 without a stroke.

    Raises:
        StrokeError: a stroke without a cue ball.
    """
    values = stroke_record(stroke, stick, materials, order, touch_allowed)
    for name, value in zip(_STROKE_FIELDS, values, strict=True):
        row[name] = value


_LINE = 256  # bytes: two lines of the widest caches, fetched together


class Scratch:
    """The work arrays of one thread: `arrays` in the order the entry takes them.

    `events` and `segments` are zero outside a run: whoever used rows clears them.
    """

    def __init__(self) -> None:
        self.arrays = (
            _alone((MAX_BALLS, MAX_BALLS), np.float64),
            _alone(MAX_BALLS, np.int64),
            _alone(CLUSTER_ROWS, CLUSTER),
            _alone((MAX_TOUCHES, 2), np.int64),
            _alone((MAX_BALLS, 6), np.float64),
            _alone(MAX_BALLS, np.int64),
            _alone(MAX_CONTACTS, CONTACT),
            _alone(9, np.float64),
        )
        self.arrays[0].fill(np.inf)
        self.events = np.zeros(ROOM, A.EVENT)
        self.segments = np.zeros(2 * ROOM, A.SEGMENT)

    def taken(self, told: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Copies of the events and segments just written; the rows are zero again."""
        return _taken(self.events, told["n_events"]), _taken(self.segments, told["n_segments"])


def _alone(shape: int | tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeros that share no line of the processor's cache with anything else.

    Small arrays of two threads may lie side by side, and then each write of one slows the other: half of
    what a second core gives was lost to it.
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 2 * _LINE, np.uint8)
    start = _LINE - raw.ctypes.data % _LINE
    return raw[start : start + size].view(dtype).reshape(shape)


def _taken(rows: NDArray[Any], count: int) -> NDArray[Any]:
    size = min(int(count), len(rows)) * rows.itemsize
    raw = memoryview(rows.view(np.uint8))  # type: ignore[arg-type]  # an array is a buffer
    copy: NDArray[Any] = np.frombuffer(bytearray(raw[:size]), rows.dtype)
    raw[:size] = bytes(size)
    return copy
