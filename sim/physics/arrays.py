"""The arrays the kernels work on: one record per ball, nose piece, pocket, event, segment.

The frame inside is centred on the table (x, y from -half to +half), so that mirrored shots are
mirrored to the last bits. Lengths m, times s, angles rad.
"""

from __future__ import annotations

import numpy as np

__all__ = [
    "BALL",
    "EVENT",
    "NOSE",
    "PARAMS",
    "POCKET",
    "SEGMENT",
]

_f, _i = np.float64, np.int64

# --- a ball's state ------------------------------------------------------------------------------
RESTING, SPINNING, ROLLING, SLIDING, AIRBORNE, HELD, POCKETED, OFF_TABLE = range(8)

BALL = np.dtype(
    [
        ("x", _f), ("y", _f), ("z", _f),  # centre at time t
        ("vx", _f), ("vy", _f), ("vz", _f),
        ("wx", _f), ("wy", _f), ("wz", _f),  # spin, right-handed, same axes
        ("ax", _f), ("ay", _f), ("az", _f),  # acceleration until the segment's end
        ("bx", _f), ("by", _f),  # angular acceleration (horizontal) until the segment's end
        ("t", _f),  # when this segment began
        ("end", _f),  # when its own transition comes (inf: never)
        ("floor", _f),  # height of the surface below: 0 the bed, rail_top the rail
        ("lo_x", _f), ("lo_y", _f), ("lo_z", _f),  # box swept by the centre until `end`
        ("hi_x", _f), ("hi_y", _f), ("hi_z", _f),
        ("hit_t", _f),  # next contact with the table (inf: none)
        ("pair_t", _f),  # next contact with another ball
        ("state", _i),
        ("hit_kind", _i), ("hit_index", _i),  # what `hit_t` is
        ("pair", _i),  # with which ball
        ("id", _i),  # 0 for the cue ball, only to be told from the others; never an order
        ("contacts", _i),  # persistent contacts it is in
        ("pocket", _i),  # the pocket whose mouth it is in, or which it dropped into; -1
    ]
)  # fmt: skip

# --- a piece of nose -----------------------------------------------------------------------------
LINE, ARC = 0, 1

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
        ("tan_draft", _f),  # how far the rubber recedes below the wire
        ("lo_x", _f), ("lo_y", _f), ("hi_x", _f), ("hi_y", _f),  # box of the piece
    ]
)  # fmt: skip

# --- a pocket ------------------------------------------------------------------------------------
POCKET = np.dtype(
    [
        ("x", _f), ("y", _f), ("r", _f),  # the hole
        ("ax", _f), ("ay", _f),  # unit vector from the hole into the table
        ("cos_open", _f),  # cosine of half the angle between the facings' ends, seen from the hole
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
        ("rail_top", _f), ("rail_width", _f), ("cushion_width", _f),
        ("slope_c", _f), ("slope_s", _f),  # of the cushion's top
        ("edge_r", _f),  # rounding of the slate's edge
        ("t_max", _f),  # time limit of the shot
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
        ("bx", _f), ("by", _f),
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
) = range(len(KINDS))  # fmt: skip

# --- how a run of the loop ended -------------------------------------------------------------------
DONE, TIME_LIMIT, EVENT_LIMIT, NOT_A_NUMBER, NO_ROOM = range(5)
