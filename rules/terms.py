"""The glossary: balls, pockets, cushions, sides, and every closed vocabulary of the rules.

Balls are ints, 0 the cue ball and 1..10 the object balls. Pockets and cushions are strings.
Everything else with a fixed list of words is a StrEnum, equal to its own word.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final, Literal

Side = Literal["A", "B"]
"""A side at the table: a player, or a team of ordered members."""

SIDES: Final[tuple[Side, Side]] = ("A", "B")
CUE_BALL: Final = 0
LEAD_BALL: Final = 1
TEN: Final = 10
OBJECT_BALLS: Final = frozenset(range(1, 11))
BALLS: Final = frozenset(range(11))

POCKETS: Final = (
    "head_left",
    "head_right",
    "side_left",
    "side_right",
    "foot_left",
    "foot_right",
)

CUSHION_SIDES: Final = {
    "head": "head",
    "foot": "foot",
    "left": "left",
    "right": "right",
    "left_head": "left",
    "left_foot": "left",
    "right_head": "right",
    "right_foot": "right",
}
"""Each cushion name and the side of the table it is on; a side's own name means all of it."""

CUSHIONS: Final = tuple(CUSHION_SIDES)


def other_side(side: Side) -> Side:
    """The opponent of `side`."""
    return "B" if side == "A" else "A"


def same_cushion(one: str, two: str) -> bool:
    """Whether two cushion names can mean the same cushion.

    ``left_head`` and ``left_foot`` are two cushions; ``left`` alone means either of them.
    """
    if one == two:
        return True
    side = CUSHION_SIDES[one]
    return side == CUSHION_SIDES[two] and side in (one, two)


def ball_name(ball: int) -> str:
    """How a sentence names a ball: ``the cue ball``, ``the 7``."""
    return "the cue ball" if ball == CUE_BALL else f"the {ball}"


class CueBall(StrEnum):
    """Where the next player finds the cue ball (1.5)."""

    POSITION = "position"
    IN_HAND_ANYWHERE = "in_hand_anywhere"
    IN_HAND_BEHIND_HEAD_STRING = "in_hand_behind_head_string"
    NOT_APPLICABLE = "n/a"


class Inning(StrEnum):
    """Whether the side at the table stays there."""

    CONTINUES = "continues"
    ENDS = "ends"


class Kind(StrEnum):
    """What a player can declare before a stroke."""

    BREAK = "break"
    SHOT = "shot"
    SAFETY = "safety"
    PUSH_OUT = "push_out"


class Sight(StrEnum):
    """What a referee can see a ball do, in the words of the casebook."""

    CUE_CONTACT = "cue_contact"
    BALL_BALL = "ball_ball"
    CUSHION = "cushion"
    LEAVES_RAIL = "leaves_rail"
    JAW = "jaw"
    RAIL_TOP = "rail_top"
    ENTERS_POCKET = "enters_pocket"
    LEAVES_POCKET = "leaves_pocket"
    POCKETED = "pocketed"
    SUPPORTED_OVER_POCKET = "supported_over_pocket"
    DROPS_INTO_POCKET = "drops_into_pocket"
    OFF_TABLE = "off_table"
    FOREIGN_OBJECT = "foreign_object"
    PAST_HEAD_STRING = "past_head_string"


class FoulCode(StrEnum):
    """Every foul: what the balls show first, then what only a person can see."""

    SCRATCH = "scratch"
    CUE_BALL_OFF_TABLE = "cue_ball_off_table"
    WRONG_BALL_FIRST = "wrong_ball_first"
    NO_CONTACT = "no_contact"
    NO_RAIL_AFTER_CONTACT = "no_rail_after_contact"
    BREAK_REQUIREMENT = "break_requirement"
    BREAK_CUSHION_FIRST = "break_cushion_first"
    OBJECT_BALL_OFF_TABLE = "object_ball_off_table"
    NO_FOOT_ON_FLOOR = "no_foot_on_floor"
    TOUCHED_BALL = "touched_ball"
    DOUBLE_HIT = "double_hit"
    PUSH_SHOT = "push_shot"
    BALLS_STILL_MOVING = "balls_still_moving"
    BAD_CUE_BALL_PLACEMENT = "bad_cue_ball_placement"
    CUE_STICK_ON_TABLE = "cue_stick_on_table"
    OUT_OF_TURN = "out_of_turn"
    SLOW_PLAY = "slow_play"
    TEMPLATE = "template"
    UNSPORTSMANLIKE = "unsportsmanlike"


INFRACTION_CODES: Final = frozenset(tuple(FoulCode)[8:])
"""The fouls that a person declares; the others are read from the balls."""


class Penalty(StrEnum):
    """What a referee may impose for unsportsmanlike conduct."""

    STANDARD_FOUL = "standard_foul"
    LOSS_OF_RACK = "loss_of_rack"
    LOSS_OF_MATCH = "loss_of_match"


class Called(StrEnum):
    """When a foul was called: one that is called after the next shot did not happen."""

    BEFORE_NEXT_SHOT = "before_next_shot"
    AFTER_NEXT_SHOT = "after_next_shot"


class Cause(StrEnum):
    """Why a player has an option."""

    WRONGFUL_POCKET = "wrongful_pocket"
    SAFETY_POCKET = "safety_pocket"
    PUSH_OUT = "push_out"
    THREE_POINT_BREAK = "three_point_break"


class Choice(StrEnum):
    """What an option can be answered with."""

    ACCEPT = "accept"
    HAND_BACK = "hand_back"
    ACCEPT_WITHOUT_PUSH_OUT = "accept_without_push_out"
    HAND_BACK_PUSH_OUT_ALLOWED = "hand_back_push_out_allowed"


class WinReason(StrEnum):
    """Why a rack is over."""

    TEN_LEGALLY_POCKETED = "ten_legally_pocketed"
    THREE_CONSECUTIVE_FOULS = "three_consecutive_fouls"
    UNSPORTSMANLIKE = "unsportsmanlike"
    CONCEDED = "conceded"


class BreakOrder(StrEnum):
    """Who breaks the racks after the first (regulations 15 and 16)."""

    ALTERNATE = "alternate"
    WINNER = "winner"
    LOSER = "loser"


class LastBallMoment(StrEnum):
    """When it is asked whether the ten is the last ball."""

    SHOT_START = "shot_start"
    POCKETING = "pocketing"


class StalemateForm(StrEnum):
    """How a stalemate comes about: counted innings (LBM 4-10) or announcement (WPA 1.12)."""

    INNINGS = "innings"
    ANNOUNCEMENT = "announcement"


def known(value: object, among: Collection[object]) -> bool:
    """Whether value is one of these; what cannot even be compared with them is not."""
    try:
        return bool(value in among)
    except (TypeError, ValueError):
        return False
