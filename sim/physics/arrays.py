"""The arrays the kernels work on: one record per ball, nose piece, pocket, event, segment.

The frame inside is centred on the table (x, y from -half to +half), so that mirrored shots are
mirrored to the last bits. Lengths m, times s, angles rad.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "BALL",
    "EVENT",
    "NOSE",
    "PARAMS",
    "POCKET",
    "SEGMENT",
    "STROKE",
    "SUMMARY",
]

_f, _i = np.float64, np.int64


def _codes(n: int) -> tuple[Any, ...]:
    """0..n-1 as typed integers: numba would compile a function once for each plain int it is given."""
    return tuple(np.int64(k) for k in range(n))


# --- a ball's state ------------------------------------------------------------------------------
RESTING, SPINNING, ROLLING, SLIDING, AIRBORNE, HELD, POCKETED, OFF_TABLE = _codes(8)

BALL = np.dtype(
    [
        ("x", _f), ("y", _f), ("z", _f),  # centre at time t
        ("vx", _f), ("vy", _f), ("vz", _f),
        ("wx", _f), ("wy", _f), ("wz", _f),  # spin, right-handed, same axes
        ("ax", _f), ("ay", _f), ("az", _f),  # acceleration until the segment's end
        ("bx", _f), ("by", _f), ("bz", _f),  # angular acceleration until the segment's end
        ("t", _f),  # when this segment began
        ("end", _f),  # when its own transition comes (inf: never)
        ("floor", _f),  # height of the surface below: the bed is 0
        ("lo_x", _f), ("lo_y", _f), ("lo_z", _f),  # box swept by the centre until `end`
        ("hi_x", _f), ("hi_y", _f), ("hi_z", _f),
        ("hit_t", _f),  # next contact with the table (inf: none)
        ("state", _i),
        ("hit_kind", _i), ("hit_index", _i),  # what `hit_t` is: a kind of event, and a nose or pocket
        ("id", _i),  # 0 for the cue ball, only to be told from the others; never an order
        ("leans", _i),  # 1: at rest, but only because something other than the bed bears it
        ("pocket", _i),  # the pocket it is over (its centre is past the slate's edge) or in; -1
    ]
)  # fmt: skip

# --- a piece of nose -----------------------------------------------------------------------------
# LINE: straight. ARC: rubber inside the circle (jaws; radius 0 where a facing ends). LINER: rubber outside
# it. Together they are one closed wire around the table and its pockets.
LINE, ARC, LINER_ARC = _codes(3)

NOSE = np.dtype(
    [
        ("kind", _i),
        ("cushion", _i),  # index into CUSHIONS
        ("pocket", _i),  # jaw or facing of that pocket; -1 for a straight nose
        ("x", _f), ("y", _f),  # LINE: start; ARC: centre
        ("tx", _f), ("ty", _f),  # LINE: unit vector along; ARC: unit vector to the arc's middle
        ("nx", _f), ("ny", _f),  # LINE: unit normal, towards the balls
        ("length", _f),  # LINE: length
        ("r", _f),  # ARC: radius
        ("cos_half", _f),  # ARC: cosine of half its span
        ("lo_x", _f), ("lo_y", _f), ("hi_x", _f), ("hi_y", _f),  # box of the piece
    ]
)  # fmt: skip

# --- a pocket ------------------------------------------------------------------------------------
POCKET = np.dtype(
    [
        ("x", _f), ("y", _f), ("r", _f),  # the hole
        ("ax", _f), ("ay", _f),  # unit vector from the hole into the table
        ("cos_open", _f), ("sin_open", _f),  # half the angle between the facings' ends, from the hole
    ]
)  # fmt: skip

# --- constants of one shot -----------------------------------------------------------------------
PARAMS = np.dtype(
    [
        ("R", _f), ("m", _f), ("g", _f),
        ("mu_slide", _f), ("mu_roll", _f), ("spin_decay", _f),
        ("e_ball", _f), ("mu_a", _f), ("mu_b", _f), ("mu_c", _f),
        ("e_bed", _f), ("mu_bed", _f),
        ("e_cushion", _f),  # negative: the model's own law
        ("mu_cushion", _f),
        ("cushion_model", _i),  # index into CUSHION_MODELS
        ("e_liner", _f), ("mu_liner", _f),
        ("e_rail", _f), ("mu_rail", _f), ("mu_roll_rail", _f),
        ("half_w", _f), ("half_l", _f),
        ("nose", _f),  # height of the nose
        ("reach", _f),  # plan distance nose to centre of a touching ball on the bed
        ("safe_x", _f), ("safe_y", _f),  # a ball on the bed with its centre inside touches nothing
        ("rail_top", _f), ("rail_width", _f), ("cushion_width", _f),
        ("slope_c", _f), ("slope_s", _f),  # of the cushion's top
        ("draft_c", _f), ("draft_s", _f),  # of the rubber below the wire
        ("edge_r", _f),  # rounding of the slate's edge
        ("t_max", _f),  # time limit of the shot
    ]
)  # fmt: skip

# --- a stroke, with its stick ---------------------------------------------------------------------
STROKE = np.dtype(
    [
        ("row", _i),  # of the ball it strikes; -1: no stroke, balls start with given motions
        ("speed", _f), ("azimuth", _f), ("side", _f), ("vertical", _f),
        ("elevation", _f),  # negative: the least that clears
        ("touch_allowed", _i),  # 1: a stick that does not clear is an event, 0: it is refused
        ("mass", _f), ("length", _f), ("tip_r", _f), ("butt_r", _f),
        ("e_tip", _f), ("mu_tip", _f), ("end_ratio", _f),
        ("follow", _f), ("follow_time", _f), ("contact_time", _f),
    ]
)  # fmt: skip

# --- what is told of a shot without writing it down -------------------------------------------------
SUMMARY = np.dtype(
    [
        ("status", _i), ("n_events", _i), ("n_segments", _i),
        ("duration", _f),
        ("elevation", _f), ("least_elevation", _f),
        ("stick_flags", _i),  # bits: 1 miscue, 2 tip again, 4 push, 8 stick touch
        ("first_contact", _i),  # row of the first ball the struck ball met; -1
        ("cushion_mask", _i),  # bit per row: touched a cushion or jaw
        ("cushion_after_mask", _i),  # the same, after the first contact of the struck ball
        ("cue_top", _f),  # greatest height of the struck ball's centre at its events
    ]
)  # fmt: skip

# --- what is written down ------------------------------------------------------------------------
EVENT = np.dtype(
    [
        ("t", _f),
        ("kind", _i),
        ("ball", _i),  # row
        ("other", _i),  # row of a ball, index of a cushion or pocket, or -1
        ("x", _f), ("y", _f), ("z", _f),
        ("before", _f, (2, 6)),  # velocity and spin of ball, then of other
        ("after", _f, (2, 6)),
    ]
)  # fmt: skip

SEGMENT = np.dtype(
    [
        ("t", _f), ("end", _f),
        ("ball", _i), ("state", _i),
        ("x", _f), ("y", _f), ("z", _f),
        ("vx", _f), ("vy", _f), ("vz", _f),
        ("wx", _f), ("wy", _f), ("wz", _f),
        ("ax", _f), ("ay", _f), ("az", _f),
        ("bx", _f), ("by", _f), ("bz", _f),
    ]
)  # fmt: skip

# --- kinds of event, in the order that breaks ties ------------------------------------------------
KINDS = (
    "cue_strike", "tip_again", "push", "miscue", "stick_touch",
    "ball_ball", "cushion", "jaw", "bed", "rail_top", "liner", "pocket_edge",
    "pocketed", "pocket_exit", "off_table",
    "slide_to_roll", "roll_to_spin", "roll_to_rest", "spin_to_rest",
    "takeoff", "land", "hold", "release",
)  # fmt: skip
(
    CUE_STRIKE, TIP_AGAIN, PUSH, MISCUE, STICK_TOUCH,
    BALL_BALL, CUSHION, JAW, BED, RAIL_TOP, LINER, POCKET_EDGE,
    IN_POCKET, POCKET_EXIT, LEFT_TABLE,
    SLIDE_TO_ROLL, ROLL_TO_SPIN, ROLL_TO_REST, SPIN_TO_REST,
    TAKEOFF, LAND, HOLD, RELEASE,
) = _codes(len(KINDS))  # fmt: skip

# --- how a run of the loop ended -------------------------------------------------------------------
DONE, TIME_LIMIT, EVENT_LIMIT, NOT_A_NUMBER, NO_ROOM, STICK_BLOCKED = _codes(6)

NONE: Any = np.int64(-1)  # no other ball, cushion or pocket
# As arguments: a literal 0 or 1 would be a type of its own, and the kernel compiled once for each.
ZERO: Any = np.int64(0)
ONE: Any = np.int64(1)

# --- thresholds -----------------------------------------------------------------------------------
REST_SPEED = 5e-3  # m/s of approach below which an impact has no restitution (engine.md 5)
HOP_SPEED = 0.06  # m/s upward below which a ball stays on the bed (a hop of 0.18 mm; engine.md 2)
TIE = 1e-9  # s; events closer than this are simultaneous
# A pair or a nose counts as touching within this gap, m. Not a round figure: a layout with gaps of exactly
# one picometre must not touch in one mirror image and not in the other.
TOUCH = 1.3e-12
# An approach slower than this is none: 0.1 nm in a second, m/s.
STILL = 1e-10
# A pressing acceleration below this is none: half a nanometre in a second, m/s².
PRESS = 1e-9
# Persistent contacts are kept at HELD_GAP, and end beyond HELD_REACH, m.
HELD_GAP = 1e-7
HELD_REACH = 1e-6
