"""The three rulesets. Every variation between texts, and every open reading, is a field here.

Adjudication never asks which ruleset it is given; it asks for a field. In one word a variation is
written `ten{break_order=winner;shot_clock=true}`: `str(ruleset)` writes it, `ruleset(text)` reads it.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from .errors import RulesError
from .rulebook import BOOKS, Rulebook
from .terms import BreakOrder, LastBallMoment, Penalty, StalemateForm

ALL_PENALTIES: Final = tuple(Penalty)


def _about(text: str) -> dict[str, str]:
    """Metadata of a field: what it decides, for `tenball rules --diff`."""
    return {"about": text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A set of rules as plain values. `variation` makes another one with fields changed.

    What each field decides, and its value in each of the three: `tenball rules --switches`.

    >>> WPA_2009.variation(three_point_break_rule=True, break_order="winner")  # doctest: +ELLIPSIS
    Ruleset(name='wpa09', ..., break_order=<BreakOrder.WINNER: 'winner'>, ...)
    >>> str(_)
    'wpa09{three_point_break_rule=true;break_order=winner}'
    >>> ruleset("wpa09{three_point_break_rule=true}").three_point_break_rule
    True
    """

    name: str = field(metadata=_about("short name, and the text whose articles are cited"))

    rear_corner_balls: frozenset[int] = field(
        default=frozenset(), metadata=_about("balls that must stand on the rear corners")
    )
    break_cushion_first_is_foul: bool = field(
        default=False, metadata=_about("on the break, a cushion before the 1 is a foul")
    )
    break_cushions: int = field(
        default=4, metadata=_about("object balls that a dry break must drive to cushions")
    )
    break_ball_continues: bool = field(
        default=True, metadata=_about("a ball other than the ten made on the break continues")
    )
    three_point_break_rule: bool = field(
        default=False, metadata=_about("three-point break rule in force")
    )
    three_point_break_points: int = field(
        default=3, metadata=_about("points that the three-point break asks for")
    )
    object_ball_off_table_is_foul: bool = field(
        default=True, metadata=_about("an object ball driven off the table is a foul")
    )
    cue_ball_fouls_only: bool = field(
        default=False,
        metadata=_about("touching an object ball by accident and without effect is no foul"),
    )
    push_out_needs_acknowledgement: bool = field(
        default=False, metadata=_about("the opponent must acknowledge a push-out")
    )
    uncalled_pocket_gives_option: bool = field(
        default=True, metadata=_about("a ball made with nothing called gives the option")
    )
    early_ten_wins: bool = field(
        default=True, metadata=_about("a called ten wins before it is the last ball")
    )
    ten_last_ball_moment: LastBallMoment = field(
        default=LastBallMoment.SHOT_START,
        metadata=_about("when it is asked whether the ten is the last ball"),
    )
    frozen_ball_may_return: bool = field(
        default=True,
        metadata=_about("a declared frozen ball that leaves its cushion may come back to it"),
    )
    fouls_to_lose: int = field(default=3, metadata=_about("successive fouls that lose the rack"))
    three_foul_warning_required: bool = field(
        default=True, metadata=_about("the third foul counts only after a warning on two")
    )
    template_is_foul: bool = field(
        default=False, metadata=_about("touching a rack template is a foul")
    )
    unsportsmanlike_penalties: tuple[Penalty, ...] = field(
        default=ALL_PENALTIES, metadata=_about("penalties a referee may choose")
    )
    drop_grace_s: float = field(
        default=5.0, metadata=_about("seconds after rest in which a dropping ball still counts")
    )
    break_order: BreakOrder = field(
        default=BreakOrder.ALTERNATE, metadata=_about("who breaks after the first rack")
    )
    stalemate_form: StalemateForm = field(
        default=StalemateForm.ANNOUNCEMENT, metadata=_about("how a stalemate comes about")
    )
    stalemate_turns: int = field(
        default=3, metadata=_about("turns by each player without progress that make a stalemate")
    )
    replay_keeps_fouls: bool = field(
        default=False, metadata=_about("foul counts survive into a replayed rack")
    )
    shot_clock: bool = field(default=False, metadata=_about("shot clock in use"))
    shot_clock_s: float = field(default=35.0, metadata=_about("seconds for a shot"))
    shot_clock_warning_s: float = field(
        default=10.0, metadata=_about("seconds left when the player is warned")
    )
    shot_clock_extension_s: float = field(default=25.0, metadata=_about("seconds of an extension"))
    shot_clock_extensions: int = field(
        default=1, metadata=_about("extensions for each player in a rack")
    )

    def __post_init__(self) -> None:
        if self.name not in BOOKS:
            raise RulesError(f"ruleset: got {self.name!r}, expected one of {', '.join(BOOKS)}")

    def __str__(self) -> str:
        """The short name, with the switches in which this differs from the ruleset of that name."""
        changes = ";".join(f"{name}={self.value_text(name)}" for name, _ in self.switches())
        return f"{self.name}{{{changes}}}" if changes else self.name

    def switches(self) -> tuple[tuple[str, object], ...]:
        """The (field, value) pairs in which this differs from the ruleset of its name."""
        plain = RULESETS[self.name]
        return tuple(
            (name, getattr(self, name))
            for name in SWITCHES
            if getattr(self, name) != getattr(plain, name)
        )

    @property
    def book(self) -> Rulebook:
        """The text: its articles and what a ruling cites for each subject."""
        return BOOKS[self.name]

    def variation(self, **changes: object) -> Ruleset:
        """This ruleset with some fields changed.

        Values may be given as plain data (text, numbers, lists). Raises RulesError for a field
        that does not exist or a value of the wrong kind.
        """
        checked: dict[str, Any] = {name: _coerce(name, value) for name, value in changes.items()}
        return replace(self, **checked)

    def value_text(self, name: str) -> str:
        """The value of a field as text, as `with_switch` reads it."""
        value = getattr(self, name)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (tuple, frozenset)):
            entries = value if isinstance(value, tuple) else sorted(value)
            return "+".join(str(entry) for entry in entries) or "none"
        return str(value)

    def with_switch(self, text: str) -> Ruleset:
        """This ruleset with one switch given as text: `shot_clock=true`.

        A list is joined by `+`, an empty one is `none`. Raises RulesError.
        """
        name, equals, value = text.partition("=")
        if not equals:
            raise RulesError(f"got {text!r:.60}, expected a switch such as shot_clock=true")
        if name not in SWITCHES:
            near = difflib.get_close_matches(name, SWITCHES, 1)
            hint = f", perhaps {near[0]}" if near else ""
            raise RulesError(
                f"switch: got {name!r:.60}, expected one of those that `tenball rules --switches` "
                f"lists{hint}"
            )
        return self.variation(**{name: _parse_value(value, getattr(self, name))})

    def cite(self, subject: str, *, on_break: bool = False) -> str:
        """The article of this ruleset that rules a subject, in its own numbering."""
        return BOOKS[self.name].cite(subject, on_break=on_break)


FIELD_NAMES: Final = tuple(entry.name for entry in fields(Ruleset))
"""Every field, in order."""

SWITCHES: Final = tuple(name for name in FIELD_NAMES if name != "name")
"""The fields that a case or a match may set."""

_ENUMS: Final[dict[str, type[StrEnum]]] = {
    "ten_last_ball_moment": LastBallMoment,
    "break_order": BreakOrder,
    "stalemate_form": StalemateForm,
}
_SAID_OTHERWISE: Final = {
    # The casebook names the field and its default, and leaves the word for the other reading open.
    "ten_last_ball_moment": {
        "start_of_shot": "shot_start",
        "at_pocketing": "pocketing",
        "moment_of_pocketing": "pocketing",
        "pocketed": "pocketing",
        "pocketing_moment": "pocketing",
        "when_pocketed": "pocketing",
    }
}
_SECONDS: Final = frozenset(
    {"drop_grace_s", "shot_clock_s", "shot_clock_warning_s", "shot_clock_extension_s"}
)
_COUNTS: Final = frozenset(
    {
        "break_cushions",
        "three_point_break_points",
        "fouls_to_lose",
        "stalemate_turns",
        "shot_clock_extensions",
    }
)


def _coerce(name: str, value: object) -> object:
    """A field's value from plain data, or RulesError."""
    if name not in SWITCHES:
        raise RulesError(f"ruleset field: got {name!r}, expected one of {', '.join(SWITCHES)}")
    if name in _ENUMS:
        words = [str(word) for word in _ENUMS[name]]
        if isinstance(value, str):
            value = _SAID_OTHERWISE.get(name, {}).get(value, value)
        if isinstance(value, str) and value in words:
            return _ENUMS[name](value)
        raise RulesError(f"{name}: got {value!r}, expected one of {', '.join(words)}")
    if name in _SECONDS:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9:
            return float(value)
        raise RulesError(f"{name}: got {value!r}, expected seconds, 0 or more")
    if name in _COUNTS:
        low = 0 if name == "shot_clock_extensions" else 1
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= 99:
            if name == "fouls_to_lose" and value > 3:
                raise RulesError(f"{name}: got {value}, expected 1 to 3 (counts run 0..3)")
            return value
        raise RulesError(f"{name}: got {value!r}, expected a whole number from {low} to 99")
    if name == "rear_corner_balls":
        if isinstance(value, (list, tuple, frozenset)) and all(
            isinstance(ball, int) and not isinstance(ball, bool) and 1 <= ball <= 10
            for ball in value
        ):
            return frozenset(value)
        raise RulesError(f"{name}: got {value!r}, expected a list of object balls")
    if name == "unsportsmanlike_penalties":
        words = [str(word) for word in Penalty]
        if (
            isinstance(value, (list, tuple))
            and value
            and all(isinstance(word, str) and word in words for word in value)
        ):
            return tuple(Penalty(word) for word in value)
        raise RulesError(f"{name}: got {value!r}, expected a list of {', '.join(words)}")
    if isinstance(value, bool):
        return value
    raise RulesError(f"{name}: got {value!r}, expected true or false")


def _parse_value(text: str, like: object) -> object:
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(like, (tuple, frozenset)):
        entries = [] if text == "none" else text.split("+")
        if isinstance(like, tuple):
            return entries
        return [int(entry) if entry.isdecimal() else entry for entry in entries]
    if isinstance(like, int):
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text
    if isinstance(like, float):
        return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", text) else text
    return text


LBM: Final = Ruleset(
    name="lbm",
    rear_corner_balls=frozenset({2, 3}),
    break_cushion_first_is_foul=True,
    cue_ball_fouls_only=True,
    push_out_needs_acknowledgement=True,
    three_foul_warning_required=False,
    stalemate_form=StalemateForm.INNINGS,
)
"""Ligue de Billard de Montreal, 10-Ball, articles 4-1 to 4-10."""

WPA_2009: Final = Ruleset(name="wpa09")
"""WPA ten ball, effective 1 January 2009."""

THE_TEN: Final = Ruleset(
    name="ten",
    early_ten_wins=False,
    template_is_foul=True,
)
"""The Ten, after a later WPA text."""

RULESETS: Final = {entry.name: entry for entry in (LBM, WPA_2009, THE_TEN)}


def ruleset(text: str) -> Ruleset:
    """The ruleset with this short name, or a variation of it: `wpa09{shot_clock=true}`.

    Raises RulesError for any other name, and for switches that are not there.
    """
    found = re.fullmatch(r"(\w+)(?:\{([^{}]*)\})?", text) if isinstance(text, str) else None
    if found is None or found[1] not in RULESETS:
        raise RulesError(f"ruleset: got {text!r:.60}, expected one of {', '.join(RULESETS)}")
    rules = RULESETS[found[1]]
    for change in [] if found[2] is None else found[2].split(";"):
        rules = rules.with_switch(change)
    return rules


def differences(one: Ruleset, two: Ruleset) -> tuple[tuple[str, str, object, object], ...]:
    """The fields in which two rulesets differ: (field, what it decides, one's, two's)."""
    rows = []
    for entry in fields(Ruleset):
        if entry.name == "name":
            continue
        first, second = getattr(one, entry.name), getattr(two, entry.name)
        if first != second:
            rows.append((entry.name, str(entry.metadata["about"]), first, second))
    return tuple(rows)
