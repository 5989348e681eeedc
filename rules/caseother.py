"""Cases that are not shots: spotting, rack, lag, match, stalemate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .casecheck import Mismatch
from .caseshot import read_ruleset
from .errors import RulesError
from .lag import LagShot, lag_winner
from .race import NoProgress, breakers, is_stalemate
from .rack import rack_faults
from .spotting import Obstacle, spot_along
from .terms import CUE_BALL, SIDES, Side

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from .caseform import Node
    from .ruleset import Ruleset

Judged = tuple[list[Mismatch], list[str]]

ORIGIN: Final = "table centre, +x towards the foot, long string y=0"
_LAG_FLAGS: Final = (
    "side_cushion",
    "crosses_long_string",
    "pocketed",
    "off_table",
    "past_head_cushion_nose",
    "object_ball_foul",
    "struck_after_other_reached_foot",
)


def _need(node: Node, entries: dict[str, Node], *keys: str) -> None:
    for key in keys:
        if key not in entries:
            node.wrong(f"got no {key}, expected it")


def _expected(entries: dict[str, Node], allowed: Collection[str]) -> dict[str, Node]:
    return entries["expected"].keys(allowed) if "expected" in entries else {}


def _differs(entry: Node, wanted: object, got: object) -> list[Mismatch]:
    return [] if wanted == got else [Mismatch(entry.path, entry.value, got)]


def judge_spotting(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """Where the ball is spotted: the case's frame has its origin in the centre of the table."""
    geometry = entries["geometry"]
    parts = geometry.keys(
        (
            "origin",
            "length",
            "width",
            "ball_radius",
            "foot_spot",
            "spot_ball",
            "balls",
        )
    )
    _need(geometry, parts, "length", "ball_radius", "foot_spot")
    if "origin" in parts:
        parts["origin"].word((ORIGIN,))
    length = parts["length"].number(0.1, 100.0)
    width = parts["width"].number(0.1, 100.0) if "width" in parts else length
    radius = parts["ball_radius"].number(1e-4, 1.0)
    spot_x, spot_y = (entry.number() for entry in parts["foot_spot"].length(2, 2, "a pair [x, y]"))
    spotted = parts["spot_ball"].object_ball() if "spot_ball" in parts else 10
    others: list[Obstacle] = []
    seen = {spotted}
    for entry in parts["balls"].items() if "balls" in parts else ():
        ball_parts = entry.keys(("ball", "xy", "in_hand"))
        _need(entry, ball_parts, "ball")
        ball = ball_parts["ball"].ball()
        if ball in seen:
            ball_parts["ball"].wrong("got a ball that is placed already, expected it once")
        seen.add(ball)
        in_hand = ball_parts["in_hand"].flag() if "in_hand" in ball_parts else False
        if in_hand and ball != CUE_BALL:
            ball_parts["in_hand"].wrong("got an object ball in hand, expected the cue ball")
        if in_hand and "xy" not in ball_parts:
            continue
        _need(entry, ball_parts, "xy")
        x, y = (part.number() for part in ball_parts["xy"].length(2, 2, "a pair [x, y]"))
        if in_hand:
            continue
        if abs(x) > length / 2 or abs(y) > width / 2:
            ball_parts["xy"].wrong(f"got [{x}, {y}], expected a place on the bed")
        others.append(Obstacle(x, y - spot_y, is_cue_ball=ball == CUE_BALL))
    wanted = _expected(entries, ("x_min", "x_max", "y", "tolerance"))
    tolerance = wanted["tolerance"].number(0.0) if "tolerance" in wanted else 1e-6
    bounds = {key: entry.number() for key, entry in wanted.items()}
    try:
        place = spot_along(spot_x, length / 2 - radius, 2 * radius, others)
    except RulesError as error:
        geometry.wrong(str(error))
    # The bounds themselves are written in decimal, so a rounding below a nanometre is none.
    slack = tolerance + 1e-12
    good = {
        "x_min": place >= bounds.get("x_min", place) - slack,
        "x_max": place <= bounds.get("x_max", place) + slack,
        "y": abs(spot_y - bounds.get("y", spot_y)) <= slack,
    }
    found = [
        Mismatch(entry.path, entry.value, spot_y if key == "y" else place)
        for key, entry in wanted.items()
        if not good.get(key, True)
    ]
    return found, [f"{spotted} is spotted at x {place:.6f}, y {spot_y:.6f}"]


def judge_rack(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """Whether a rack is legal."""
    parts = entries["rack"].keys(("rows_from_apex", "apex_on_foot_spot"))
    _need(entries["rack"], parts, "rows_from_apex")
    rows = [[entry.ball() for entry in row.items()] for row in parts["rows_from_apex"].items()]
    on_spot = parts["apex_on_foot_spot"].flag() if "apex_on_foot_spot" in parts else True
    faults = rack_faults(ruleset, rows, apex_on_foot_spot=on_spot)
    found: list[Mismatch] = []
    for entry in _expected(entries, ("valid",)).values():
        found += _differs(entry, entry.flag(), not faults)
    return found, [f"the rack is wrong: {fault}" for fault in faults] or ["the rack is legal"]


def judge_lag(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """Who won the lag, or lag again."""
    lags = entries["lag"].keys(SIDES)
    _need(entries["lag"], lags, *SIDES)
    shots = [_lag_shot(lags[side]) for side in SIDES]
    try:
        result = lag_winner(*shots)
    except RulesError as error:
        entries["lag"].wrong(str(error))
    found: list[Mismatch] = []
    for key, entry in _expected(entries, ("winner", "relag", "chooses_breaker")).items():
        if key == "relag":
            found += _differs(entry, entry.flag(), result.lag_again)
        else:
            found += _differs(entry, None if entry.is_null else entry.side(), result.winner)
    who = "lag again" if result.winner is None else f"{result.winner} chooses who breaks"
    return found, [f"{result.reason} So: {who}."]


def _lag_shot(node: Node) -> LagShot:
    parts = node.keys(("foot_contacts", "head_contacts", "head_distance", *_LAG_FLAGS))
    distance = parts.get("head_distance")
    return LagShot(
        parts["foot_contacts"].whole(0, 99) if "foot_contacts" in parts else 1,
        parts["head_contacts"].whole(0, 99) if "head_contacts" in parts else 1,
        None if distance is None or distance.is_null else distance.number(0.0),
        **{key: parts[key].flag() for key in _LAG_FLAGS if key in parts},
    )


def judge_match(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """Who breaks each rack."""
    match = entries["match"]
    parts = match.keys(("first_breaker", "lag_winner", "choice", "config", "rack_winners"))
    ruleset = read_ruleset(ruleset, parts.get("config"))
    if ("first_breaker" in parts) == ("lag_winner" in parts):
        match.fault("either first_breaker or lag_winner with choice")
    if "first_breaker" in parts:
        if "choice" in parts:
            parts["choice"].fault("no choice beside first_breaker")
        first = parts["first_breaker"].side()
    else:
        parts["lag_winner"].side()
        _need(match, parts, "choice")
        first = parts["choice"].side()
    winners: list[Side] = []
    if "rack_winners" in parts:
        winners = [entry.side() for entry in parts["rack_winners"].items()]
    row = breakers(ruleset.break_order, first, tuple(winners))
    found: list[Mismatch] = []
    for entry in _expected(entries, ("breakers",)).values():
        found += _differs(entry, [side.side() for side in entry.items()], list(row))
    return found, [f"breakers, one for each rack and the next: {', '.join(row)}"]


def judge_stalemate(node: Node, entries: dict[str, Node], ruleset: Ruleset) -> Judged:
    """Whether the rack is replayed, by whom broken, and with which counts."""
    parts = entries["history"].keys(
        (
            "breaker",
            "unchanged_innings",
            "referee_judges_no_progress",
            "announced",
            "turns_since_announcement",
            "progress",
            "both_agree",
            "consecutive_fouls",
        )
    )
    breaker: Side = parts["breaker"].side() if "breaker" in parts else "A"
    none: dict[Side, int] = {"A": 0, "B": 0}

    def flag(key: str) -> bool:
        return parts[key].flag() if key in parts else False

    def counts(key: str, most: int = 10**6) -> dict[Side, int]:
        return parts[key].count_each(most) if key in parts else none

    judged = flag("referee_judges_no_progress")
    fouls = counts("consecutive_fouls", ruleset.fouls_to_lose - 1)
    stalemate = is_stalemate(
        ruleset,
        NoProgress(
            counts("unchanged_innings"),
            counts("turns_since_announcement"),
            judged if "referee_judges_no_progress" in parts else None,
            announced=flag("announced"),
            progress=flag("progress"),
            both_agree=flag("both_agree"),
        ),
    )
    after = none if stalemate and not ruleset.replay_keeps_fouls else fouls
    allowed = ("stalemate", "replay", "breaker", "consecutive_fouls")
    found: list[Mismatch] = []
    for key, entry in _expected(entries, allowed).items():
        if key == "breaker":
            if stalemate or not entry.is_null:
                found += _differs(entry, None if entry.is_null else entry.side(), breaker)
        elif key == "consecutive_fouls":
            found += _differs(entry, entry.count_each(3), after)
        else:
            found += _differs(entry, entry.flag(), stalemate)
    told = f"stalemate: the rack is replayed, {breaker} breaks" if stalemate else "no stalemate"
    return found, [told]


OTHER_TYPES: Final[dict[str, Callable[[Node, dict[str, Node], Ruleset], Judged]]] = {
    "spotting": judge_spotting,
    "rack": judge_rack,
    "lag": judge_lag,
    "match": judge_match,
    "stalemate": judge_stalemate,
}
