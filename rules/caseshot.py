"""The state, the declaration and the events of a case, as values of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .declaration import Declaration
from .errors import RecordError, RulesError
from .record import FoulCalled, Infraction, Seen, ShotRecord, Sighting
from .state import Counts, RackState
from .terms import (
    CUE_BALL,
    INFRACTION_CODES,
    OBJECT_BALLS,
    Called,
    CueBall,
    FoulCode,
    Kind,
    Penalty,
    Side,
    Sight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .caseform import Node
    from .ruleset import Ruleset

STATE_KEYS: Final = frozenset(
    {
        "on_table",
        "shooter",
        "breaker",
        "shot_number",
        "is_break",
        "push_out_available",
        "consecutive_fouls",
        "warned_on_two_fouls",
        "cue_ball",
        "declared_frozen_to_rail",
        "frozen_to_cue_ball",
        "config",
        "previous",
    }
)
DECLARATION_KEYS: Final = frozenset(
    {
        "kind",
        "ball",
        "pocket",
        "explicit",
        "obvious",
        "on_request",
        "announced",
        "acknowledged",
    }
)
DEFAULT_SHOT_NUMBER: Final = 5
SAME_INSTANT: Final = "same_instant"
_IN_STATE: Final = tuple(str(word) for word in CueBall if word is not CueBall.NOT_APPLICABLE)

# The shape of each event after its kind: b a ball, o an object ball, c a cushion, p a pocket,
# s seconds, w what.
_SHAPES: Final = {
    Sight.CUE_CONTACT: "o",
    Sight.BALL_BALL: "bb",
    Sight.CUSHION: "bc",
    Sight.LEAVES_RAIL: "bc",
    Sight.JAW: "bp",
    Sight.RAIL_TOP: "bc",
    Sight.ENTERS_POCKET: "bp",
    Sight.LEAVES_POCKET: "bp",
    Sight.POCKETED: "bp",
    Sight.SUPPORTED_OVER_POCKET: "bpb",
    Sight.DROPS_INTO_POCKET: "bps",
    Sight.OFF_TABLE: "b",
    Sight.FOREIGN_OBJECT: "bw",
    Sight.PAST_HEAD_STRING: "b",
}
_EVENT_KINDS: Final = (*(str(word) for word in _SHAPES), "infraction", "foul_called")
_SPELLED: Final = {
    "b": "a ball",
    "o": "an object ball",
    "c": "a cushion",
    "p": "a pocket",
    "s": "seconds",
    "w": "an object",
}


def read_ruleset(ruleset: Ruleset, config: Node | None) -> Ruleset:
    """The ruleset with the fields that `config` sets."""
    if config is None:
        return ruleset
    if not isinstance(config.value, dict):
        config.fault("a mapping of ruleset fields")
    for key, value in config.value.items():
        entry = config.under(str(key), value)
        try:
            ruleset = ruleset.variation(**{str(key): value})
        except RulesError as error:
            entry.wrong(str(error))
    return ruleset


def read_state(ruleset: Ruleset, node: Node, entries: Mapping[str, Node]) -> RackState:
    """The rack that `state` or `start` describes; `node` is where it stands."""
    ruleset = read_ruleset(ruleset, entries.get("config"))
    shooter: Side = entries["shooter"].side() if "shooter" in entries else "A"
    number, is_break = _shot_number(entries)
    breaker: Side = "A"
    if "breaker" in entries:
        breaker = entries["breaker"].side()
    elif is_break:
        breaker = shooter
    balls = entries["on_table"].object_balls() if "on_table" in entries else OBJECT_BALLS
    most = ruleset.fouls_to_lose - 1
    fouls = Counts()
    if "consecutive_fouls" in entries:
        each = entries["consecutive_fouls"].count_each(most)
        fouls = Counts(each["A"], each["B"])
    on_brink: set[Side] = {side for side in ("A", "B") if most > 0 and fouls.of(side) == most}
    # Left out, the warning is taken as given where the shooter himself is on two.
    if "warned_on_two_fouls" not in entries:
        warned = on_brink & {shooter}
    else:
        warned = on_brink if entries["warned_on_two_fouls"].flag() else set()
    cue_ball = CueBall.IN_HAND_BEHIND_HEAD_STRING if is_break else CueBall.POSITION
    if "cue_ball" in entries:
        cue_ball = CueBall(entries["cue_ball"].word(_IN_STATE))
    push_out = entries["push_out_available"].flag() if "push_out_available" in entries else False
    try:
        return RackState(
            ruleset,
            breaker,
            shooter,
            number,
            balls,
            cue_ball,
            fouls,
            frozenset(warned),
            push_out,
        )
    except RulesError as error:
        node.wrong(str(error))


def _shot_number(entries: Mapping[str, Node]) -> tuple[int, bool]:
    said = entries["is_break"].flag() if "is_break" in entries else None
    if "shot_number" not in entries:
        return (1, True) if said else (DEFAULT_SHOT_NUMBER, False)
    number = entries["shot_number"].whole(1)
    if said is not None and said != (number == 1):
        entries["is_break"].wrong(f"got {said} on shot {number}, expected true on shot 1 only")
    return number, number == 1


def read_declaration(node: Node | None, *, is_break: bool) -> Declaration:
    """A declaration; left out, it is the break, or a shot with nothing called."""
    default = Kind.BREAK if is_break else Kind.SHOT
    if node is None:
        return Declaration(default)
    entries = node.keys(DECLARATION_KEYS)
    kind = Kind(entries["kind"].word(tuple(Kind))) if "kind" in entries else default
    balls: tuple[int, ...] = ()
    named = entries.get("ball")
    if named is not None and not named.is_null:
        if isinstance(named.value, list):
            balls = tuple(entry.object_ball() for entry in named.items())
            if not balls:
                named.fault("an object ball, or null for nothing called")
            if len(balls) == 1:
                # A list is never a call of one ball in the format; the refusal is the same.
                balls = (*balls, *balls)
        else:
            balls = (named.object_ball(),)
    pocket = entries.get("pocket")
    flags = {
        key: entries[key].flag() if key in entries else default_flag
        for key, default_flag in (
            ("explicit", False),
            ("obvious", False),
            ("on_request", False),
            ("announced", True),
            ("acknowledged", True),
        )
    }
    return Declaration(
        kind,
        balls,
        None if pocket is None or pocket.is_null else pocket.pocket(),
        **flags,
    )


def read_record(
    events: Node | None,
    *,
    stroke: bool,
    frozen_to_rail: Node | None = None,
    frozen_to_cue: Node | None = None,
) -> ShotRecord:
    """The record that `events` and the declared frozen balls describe."""
    seen = () if events is None else tuple(read_event(event) for event in events.items())
    rails: list[tuple[int, str]] = []
    if frozen_to_rail is not None:
        for entry in frozen_to_rail.items():
            pair = entry.keys(("ball", "rail"))
            if len(pair) != 2:
                entry.fault("both a ball and a rail")
            rails.append((pair["ball"].ball(), pair["rail"].cushion()))
    cue: tuple[int, ...] = ()
    if frozen_to_cue is not None:
        cue = tuple(entry.object_ball() for entry in frozen_to_cue.items())
    return ShotRecord(seen, tuple(rails), cue, stroke)


def read_event(node: Node) -> Seen:
    """One event: a list of its kind and what belongs to it."""
    entries = list(node.items())
    if not entries:
        node.fault("an event: its kind and what belongs to it")
    kind = entries[0].word(_EVENT_KINDS)
    same_instant = len(entries) > 1 and entries[-1].value == SAME_INSTANT
    rest = entries[1:-1] if same_instant else entries[1:]
    if same_instant and node.path[-1] == 0:
        entries[-1].wrong("got same_instant on the first event, expected an event before it")
    if kind == "infraction":
        return _infraction(node, rest)
    if kind == "foul_called":
        if len(rest) != 1:
            node.fault("[foul_called, when]")
        return FoulCalled(Called(rest[0].word(tuple(Called))))
    sight = Sight(kind)
    shape = _SHAPES[sight]
    if len(rest) != len(shape):
        node.fault(f"[{kind}, {', '.join(_SPELLED[letter] for letter in shape)}]")
    balls: list[int] = []
    place: str | None = None
    seconds: float | None = None
    what: str | None = None
    for letter, entry in zip(shape, rest, strict=True):
        if letter == "b":
            balls.append(entry.ball())
        elif letter == "o":
            balls.extend((CUE_BALL, entry.object_ball()))
        elif letter == "c":
            place = entry.cushion()
        elif letter == "p":
            place = entry.pocket()
        elif letter == "s":
            seconds = entry.number(0.0)
        else:
            what = entry.text()
    if sight is Sight.BALL_BALL and CUE_BALL in balls and balls[0] != balls[1]:
        sight, balls = Sight.CUE_CONTACT, sorted(balls)
    try:
        return Sighting(
            sight,
            balls[0],
            balls[1] if len(balls) > 1 else None,
            place,
            seconds,
            what,
            same_instant,
        )
    except RecordError as error:
        node.wrong(str(error))


def _infraction(node: Node, rest: list[Node]) -> Infraction:
    if len(rest) < 2:
        node.fault("[infraction, kind, who, ...]")
    code = FoulCode(rest[0].word(tuple(code for code in FoulCode if code in INFRACTION_CODES)))
    side = rest[1].side()
    details = rest[2:]
    if code is FoulCode.TOUCHED_BALL:
        if not details:
            node.fault("[infraction, touched_ball, who, ball, ...]")
        words = [entry.word(("accidental", "no_effect")) for entry in details[1:]]
        return Infraction(
            code,
            side,
            details[0].ball(),
            accidental="accidental" in words,
            no_effect="no_effect" in words,
        )
    if code is FoulCode.UNSPORTSMANLIKE and len(details) == 1:
        spelled = {f"penalty={word}": word for word in Penalty}
        return Infraction(code, side, penalty=spelled[details[0].word(tuple(spelled))])
    if details:
        details[0].fault(f"nothing more after [infraction, {code}, {side}]")
    return Infraction(code, side)
