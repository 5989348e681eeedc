"""From the program's own words to those of the people at the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sim.play.modes.base import words

if TYPE_CHECKING:
    from sim.game.match import Match

__all__ = ["by_name", "counted", "event_words", "rules_name", "spoken", "where_it_cannot_lie"]

RULES_NAMES = {"wpa09": "WPA 2009", "lbm": "LBM", "ten": "The Ten"}
CONDUCT = {
    "template": "rack template touched",
    "unsportsmanlike": "unsportsmanlike conduct",
    "no_foot_on_floor": "no foot on the floor",
    "cue_stick_on_table": "stick laid on the table",
    "bad_cue_ball_placement": "cue ball placed wrongly",
    "touched_ball": "ball touched",
}
_EVENTS = {
    "cue_strike": "struck by the tip",
    "tip_again": "struck again by the tip",
    "stick_touch": "touched by the stick",
    "ball_ball": "meets",
    "pocket_edge": "edge",
    "pocket_exit": "comes out",
    "off_table": "leaves the table",
}


def rules_name(name: str) -> str:
    """A ruleset as people call it."""
    return RULES_NAMES.get(name, words(name))


def spoken(word: object) -> str:
    """A foul, a penalty or a reason as people say it."""
    return CONDUCT.get(str(word), words(word))


def counted(count: int, thing: str) -> str:
    """A number of things: 1 shot, 2 shots."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def event_words(kind: str) -> str:
    """What happens in an event, as a verb."""
    return _EVENTS.get(kind, words(kind))


def by_name(match: Match, text: str) -> str:
    """A sentence of the rules about A and B, with the names of the sides."""
    return re.sub(r"\b[AB]\b", lambda found: match.side_name(found[0]), text)  # type: ignore[arg-type]  # the pattern finds A or B


def where_it_cannot_lie(trouble: str) -> str:
    """Why a ball cannot lie somewhere, without coordinates."""
    text = re.split(r": got|;", trouble)[0]
    text = re.sub(r"is [\d.]+ mm from a nose", "touches a cushion", text)
    text = re.sub(r" at \(.*?\)", "", text)
    text = re.sub(r"^ball 0\b", "the cue ball", text)
    return words(re.sub(r"^ball (?=\d)", "the ", text))
