"""One line of text for a record, both ways; `notation` explains the words."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from .errors import NotationError, RecordError
from .notation_words import NONE, one_of, side_of, split_words
from .record import FoulCalled, Infraction, Seen, ShotRecord, Sighting
from .terms import BALLS, CUE_BALL, Called, FoulCode, Penalty, Sight

_MARKS: Final = {
    Sight.CUSHION: ":",
    Sight.LEAVES_RAIL: "/",
    Sight.RAIL_TOP: "=",
    Sight.JAW: "^",
    Sight.ENTERS_POCKET: ">",
    Sight.LEAVES_POCKET: "<",
    Sight.POCKETED: "@",
}
_SIGHTS: Final = {mark: sight for sight, mark in _MARKS.items()}
_BALL: Final = r"([0-9]{1,2})"
_PLACED: Final = re.compile(_BALL + r"([:/=^><@])(\w+)")
_HELD: Final = re.compile(_BALL + r"@(\w+)\*" + _BALL)
_DROPPED: Final = re.compile(_BALL + r"@(\w+)\+([0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)")
_CONTACT: Final = re.compile(_BALL + "x" + _BALL)
_DEPARTED: Final = re.compile(_BALL + r"!(\S*)")
_PAST: Final = re.compile(_BALL + r"\|")
_INFRACTION: Final = re.compile(r"#(\w+)\(([AB])((?:,\w+)*)\)")


def format_record(record: ShotRecord) -> str:
    """A record as one line."""
    words: list[str] = []
    if not record.stroke:
        words.append("no_stroke")
    if record.frozen_to_cushion:
        pairs = ",".join(f"{ball}:{place}" for ball, place in record.frozen_to_cushion)
        words.append(f"frozen({pairs})")
    if record.frozen_to_cue:
        words.append(f"kissing({','.join(map(str, record.frozen_to_cue))})")
    words += [_format_seen(seen) for seen in record.sightings]
    return " ".join(words) or NONE


def _format_seen(seen: Seen) -> str:
    if isinstance(seen, FoulCalled):
        return f"called:{seen.when}"
    if isinstance(seen, Infraction):
        details: list[str] = [seen.side]
        if seen.ball is not None:
            details.append(str(seen.ball))
        if seen.accidental:
            details.append("accidental")
        if seen.no_effect:
            details.append("no_effect")
        if seen.penalty is not None:
            details.append(seen.penalty)
        return f"#{seen.kind}({','.join(details)})"
    kind = seen.kind
    if kind in _MARKS:
        text = f"{seen.ball}{_MARKS[kind]}{seen.place}"
    elif kind is Sight.CUE_CONTACT or kind is Sight.BALL_BALL:
        text = f"{seen.ball}x{seen.other}"
    elif kind is Sight.SUPPORTED_OVER_POCKET:
        text = f"{seen.ball}@{seen.place}*{seen.other}"
    elif kind is Sight.DROPS_INTO_POCKET:
        text = f"{seen.ball}@{seen.place}+{seen.seconds}"
    elif kind is Sight.PAST_HEAD_STRING:
        text = f"{seen.ball}|"
    else:
        text = f"{seen.ball}!{quote(seen.what or '', safe='')}"
    return f"&{text}" if seen.same_instant else text


def parse_record(text: str) -> ShotRecord:
    """The record of a line. Raises NotationError with the column of the fault."""
    seen: list[Seen] = []
    frozen: list[tuple[int, str]] = []
    kissing: list[int] = []
    stroke = True
    words = list(split_words(text))
    if not words:
        raise NotationError("got nothing, expected a record, or - for an empty one", 1)
    if [word for _, word in words] == [NONE]:
        return ShotRecord()
    for column, word in words:
        if word == "no_stroke":
            stroke = False
        elif (group := re.fullmatch(r"frozen\((.+)\)", word)) is not None:
            for part in group[1].split(","):
                pair = re.fullmatch(_BALL + r":(\w+)", part)
                if pair is None:
                    raise NotationError(f"got {part!r}, expected a pair such as 3:foot", column)
                frozen.append((int(pair[1]), pair[2]))
        elif (group := re.fullmatch(r"kissing\(([0-9]+(?:,[0-9]+)*)\)", word)) is not None:
            kissing += map(int, group[1].split(","))
        else:
            try:
                seen.append(_parse_seen(column, word))
            except RecordError as error:
                raise NotationError(str(error), column) from error
    try:
        return ShotRecord(tuple(seen), tuple(frozen), tuple(kissing), stroke)
    except RecordError as error:
        raise NotationError(str(error), 1) from error


def _parse_seen(column: int, word: str) -> Seen:
    if word.startswith("called:"):
        return FoulCalled(Called(one_of((column + 7, word[7:]), Called)))
    if word.startswith("#"):
        return _parse_infraction(column, word)
    same = word.startswith("&")
    text = word[1:] if same else word
    if (found := _PLACED.fullmatch(text)) is not None:
        return Sighting(_SIGHTS[found[2]], int(found[1]), place=found[3], same_instant=same)
    if (found := _CONTACT.fullmatch(text)) is not None:
        balls = sorted((int(found[1]), int(found[2])), key=lambda ball: ball != CUE_BALL)
        sight = Sight.CUE_CONTACT if balls[0] == CUE_BALL else Sight.BALL_BALL
        return Sighting(sight, balls[0], balls[1], same_instant=same)
    if (found := _HELD.fullmatch(text)) is not None:
        sight = Sight.SUPPORTED_OVER_POCKET
        return Sighting(sight, int(found[1]), int(found[3]), found[2], same_instant=same)
    if (found := _DROPPED.fullmatch(text)) is not None:
        seconds = float(found[3])
        sight = Sight.DROPS_INTO_POCKET
        return Sighting(sight, int(found[1]), None, found[2], seconds, same_instant=same)
    if (found := _PAST.fullmatch(text)) is not None:
        return Sighting(Sight.PAST_HEAD_STRING, int(found[1]), same_instant=same)
    if (found := _DEPARTED.fullmatch(text)) is not None:
        what = unquote(found[2]) or None
        sight = Sight.FOREIGN_OBJECT if what else Sight.OFF_TABLE
        return Sighting(sight, int(found[1]), what=what, same_instant=same)
    raise NotationError(
        f"got {word!r}, expected a sighting such as 0x3, 3:foot or 3@foot_left", column
    )


def _parse_infraction(column: int, word: str) -> Infraction:
    found = _INFRACTION.fullmatch(word)
    if found is None:
        raise NotationError(f"got {word!r}, expected one such as #double_hit(A)", column)
    code = FoulCode(one_of((column + 1, found[1]), FoulCode))
    ball: int | None = None
    penalty: Penalty | None = None
    mitigation = set()
    for detail in found[3].split(",")[1:]:
        if detail.isdecimal() and int(detail) in BALLS:
            ball = int(detail)
        elif detail in ("accidental", "no_effect"):
            mitigation.add(detail)
        else:
            penalty = Penalty(one_of((column, detail), Penalty))
    return Infraction(
        code,
        side_of(found[2]),
        ball,
        "accidental" in mitigation,
        "no_effect" in mitigation,
        penalty,
    )
