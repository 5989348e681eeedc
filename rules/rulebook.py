"""The three published texts as tables: article numbers and one-line summaries in own words.

Each Rulebook also says which article a ruling cites for each subject ("citations"), in that
text's own numbering. Where a text is silent and a general rule fills the gap, the citation is
the article that lets the general rule in (LBM 4-4.1d: all other rules and fouls apply) or the
general rule itself (1.x, 6.x, 8.x, reg. n), and the summary says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Article:
    """One article of a text: its number there, its heading, and what it says in one line."""

    number: str
    heading: str
    summary: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A text: its articles in order, and which of them a ruling cites for each subject.

    `on_break` replaces a citation when the shot is the break.
    """

    title: str
    articles: tuple[Article, ...]
    citations: Mapping[str, str]
    on_break: Mapping[str, str]

    def cite(self, subject: str, *, on_break: bool = False) -> str:
        """The article that rules `subject`, in this text's own numbering."""
        if on_break and subject in self.on_break:
            return self.on_break[subject]
        return self.citations[subject]

    def article(self, number: str) -> Article | None:
        """The article with this number, None where the text has none."""
        return next((entry for entry in self.articles if entry.number == number), None)


def _articles(*rows: tuple[str, str, str]) -> tuple[Article, ...]:
    return tuple(Article(*row) for row in rows)


# Ligue de Billard de Montreal ---------------------------------------------------------------

_LBM_ARTICLES: Final = _articles(
    ("4-1", "The game", "call shot, ascending order; the ten on a legal shot after the break wins"),
    ("4-2", "Rack", "1 on the foot spot, 10 mid row of three, 2 and 3 on the rear corners"),
    ("4-2a", "Rack", "a triangle with the 1 at its apex, on the foot spot"),
    ("4-2b", "Rack", "rows behind the apex parallel to the foot string"),
    ("4-2c", "Rack", "the 10 in the middle of the row of three"),
    ("4-2d", "Rack", "the 2 and the 3 on the ends of the last row, either way round"),
    ("4-2e", "Rack", "every other ball at random"),
    ("4-3", "Break", "what the break must do"),
    (
        "4-3.1",
        "Break",
        "from behind the head string, no call; 1 first, before any cushion; pocket a ball or "
        "drive four to cushions",
    ),
    ("4-3.2", "Break", "a ball legally pocketed keeps the breaker at the table"),
    ("4-3.3", "Break", "the ten legally pocketed is spotted and the inning continues"),
    ("4-3.4", "Break", "jumped balls stay out, the ten is spotted"),
    ("4-4", "Push-out", "an option on the first shot after a break without a foul"),
    ("4-4.1", "Push-out", "the player of the first shot after the break may push out"),
    ("4-4.1a", "Push-out", "the opponent is told before the shot and acknowledges it"),
    ("4-4.1b", "Push-out", "no ball needs to be contacted"),
    ("4-4.1c", "Push-out", "no cushion needs to be reached (so otherwise one must be)"),
    ("4-4.1d", "Push-out", "all other rules and fouls apply (general rules of the league)"),
    ("4-4.2", "Push-out", "pocketed balls stay down, the ten is spotted"),
    (
        "4-4.3",
        "Push-out",
        "opponent accepts or makes the player shoot again; after a foul, ball in hand",
    ),
    ("4-5", "Continuing play", "contact, spotting, inning and win"),
    ("4-5.1a", "Continuing play", "the lowest ball on the table is contacted first"),
    ("4-5.1b", "Continuing play", "the ten is spotted if illegally pocketed or jumped"),
    ("4-5.1c", "Continuing play", "no other jumped or illegally pocketed ball is spotted"),
    (
        "4-5.2",
        "Continuing play",
        "a called ball keeps the inning; extra balls stay down, an extra ten is spotted",
    ),
    ("4-5.3", "Continuing play", "whoever legally pockets the ten wins"),
    ("4-6", "Reserved", "no rule"),
    ("4-7", "Illegally pocketed", "what counts as illegally pocketed"),
    ("4-7.1a", "Illegally pocketed", "the called ball in another pocket"),
    ("4-7.1b", "Illegally pocketed", "any other ball when the called ball is not made"),
    ("4-7.2", "Illegally pocketed", "the ten is spotted, all others stay down"),
    ("4-8", "Opponent's option", "after an illegally pocketed ball: accept, or shoot again"),
    ("4-9", "Three successive fouls", "three in one game lose it"),
    (
        "4-10",
        "Stalemate",
        "no significant change in three innings each: replay, same player breaks",
    ),
)

_LBM_CITATIONS: Final = {
    "scratch": "4-4.1d",
    "cue_ball_off_table": "4-4.1d",
    "wrong_ball_first": "4-5.1a",
    "no_contact": "4-5.1a",
    "no_rail_after_contact": "4-4.1c",
    "break_requirement": "4-3.1",
    "break_cushion_first": "4-3.1",
    "object_ball_off_table": "4-4.1d",
    "no_foot_on_floor": "4-4.1d",
    "touched_ball": "4-4.1d",
    "double_hit": "4-4.1d",
    "push_shot": "4-4.1d",
    "balls_still_moving": "4-4.1d",
    "bad_cue_ball_placement": "4-4.1d",
    "cue_stick_on_table": "4-4.1d",
    "out_of_turn": "4-4.1d",
    "slow_play": "4-4.1d",
    "template": "4-4.1d",
    "unsportsmanlike": "4-4.1d",
    "rack": "4-2",
    "lag": "4-1",
    "break_order": "4-1",
    "break_continues": "4-3.2",
    "break_ends": "4-3.2",
    "ten_on_break": "4-3.3",
    "call_on_break": "4-3.1",
    "three_point_break": "4-3",
    "push_out": "4-4.3",
    "push_out_available": "4-4.1",
    "push_out_ten": "4-4.2",
    "call": "4-5.2",
    "continue": "4-5.2",
    "miss": "4-5.2",
    "wrongful_pocket": "4-8",
    "safety": "4-8",
    "safety_pocket": "4-8",
    "spotting": "4-7.2",
    "early_ten": "4-5.3",
    "win": "4-5.3",
    "three_fouls": "4-9",
    "ball_in_hand": "4-4.3",
    "late_foul": "4-4.1d",
    "no_stroke": "4-4.1d",
    "stalemate": "4-10",
}

# WPA, effective 1 January 2009 ---------------------------------------------------------------

_WPA_FOULS: Final = (
    ("6.1", "Cue ball scratch or off the table", "the cue ball is pocketed or leaves the table"),
    ("6.2", "Wrong ball first", "the lowest ball at the start of the shot is contacted first"),
    ("6.3", "No rail after contact", "after contact a ball is pocketed or reaches a cushion"),
    ("6.4", "No foot on floor", "one foot touches the floor when the tip strikes"),
    ("6.5", "Ball driven off the table", "an object ball off the table; only the ten returns"),
    ("6.6", "Touched ball", "no ball is touched or moved but by play"),
    ("6.7", "Double hit / frozen balls", "the tip meets the cue ball once"),
    ("6.8", "Push shot", "the tip does not stay on the cue ball"),
    ("6.9", "Balls still moving", "no stroke while any ball moves or spins"),
    ("6.10", "Bad cue ball placement", "in hand behind the string means strictly behind it"),
    ("6.12", "Cue stick on the table", "the stick is not laid down unheld to align"),
    ("6.13", "Playing out of turn", "a shot by the player who is not at the table"),
)

_WPA_COMMON: Final = {
    "scratch": "6.1",
    "cue_ball_off_table": "6.1",
    "wrong_ball_first": "6.2",
    "no_contact": "6.2",
    "no_rail_after_contact": "6.3",
    "break_requirement": "9.3",
    "break_cushion_first": "9.3",
    "object_ball_off_table": "6.5",
    "no_foot_on_floor": "6.4",
    "touched_ball": "6.6",
    "double_hit": "6.7",
    "push_shot": "6.8",
    "balls_still_moving": "6.9",
    "bad_cue_ball_placement": "6.10",
    "cue_stick_on_table": "6.12",
    "out_of_turn": "6.13",
    "three_fouls": "6.14",
    "slow_play": "6.15",
    "rack": "9.2",
    "lag": "9.1",
    "break_order": "9.1",
    "break_continues": "9.3",
    "break_ends": "9.3",
    "ten_on_break": "9.9",
    "call_on_break": "9.5",
    "three_point_break": "9.3",
    "push_out": "9.4",
    "push_out_available": "9.4",
    "push_out_ten": "9.4",
    "call": "9.5",
    "continue": "9.8",
    "miss": "9.8",
    "wrongful_pocket": "9.7",
    "safety": "9.6",
    "safety_pocket": "9.6",
    "spotting": "9.9",
    "early_ten": "9.8",
    "win": "9.8",
    "ball_in_hand": "9.10",
    "late_foul": "9.10",
    "no_stroke": "9.10",
    "stalemate": "9.12",
}

_WPA_2009_ARTICLES: Final = _articles(
    ("9", "The game", "call shot, ascending order; a ten on the break is spotted, play continues"),
    ("9.1", "Determining the break", "the lag winner chooses; breaks alternate (regulation 15)"),
    ("9.2", "Rack", "1 on the foot spot, 10 in the middle, the rest without pattern"),
    ("9.3", "Legal break shot", "behind the head string; pocket a ball or drive four to cushions"),
    ("9.4", "Push out", "second shot, announced; 6.2 and 6.3 rest; the other player chooses"),
    ("9.5", "Call shots", "ball and pocket, unless obvious; details do not matter"),
    ("9.6", "Safety", "after the break, ends the inning; a pocketed ball gives the option"),
    ("9.7", "Wrongfully pocketed", "inning over; incoming player plays on or hands back"),
    ("9.8", "Continuing play", "a called ball keeps the table; the called ten wins on any shot"),
    ("9.9", "Spotting", "only the ten is spotted: foul, push out, break, uncalled, wrong pocket"),
    ("9.10", "Standard fouls", "thirteen fouls; ball in hand anywhere for the opponent"),
    *_WPA_FOULS,
    ("6.14", "Three consecutive fouls", "three running, warned on two, lose the rack"),
    ("6.15", "Slow play", "the shot clock is exceeded"),
    ("6.16", "Unsportsmanlike conduct", "the referee chooses a fitting penalty"),
    ("9.11", "Serious fouls", "three consecutive fouls and unsportsmanlike conduct"),
    ("9.12", "Stalemate", "the rack is replayed; the original breaker breaks again"),
)

# "The Ten", after a later WPA text -----------------------------------------------------------

_TEN_ARTICLES: Final = _articles(
    ("9", "The game", "call shot, ascending order; a ten on the break is spotted, play continues"),
    ("9.1", "Determining the break", "the lag winner chooses; breaks alternate (regulation 16)"),
    ("9.2", "Rack", "1 on the foot spot, 10 in the middle, the rest at random (regulation 4)"),
    (
        "9.3",
        "Legal break",
        "behind the head string; pocket a ball or drive four to cushions (regulation 18)",
    ),
    ("9.4", "Push-out", "second shot, announced; 6.2 and 6.3 rest; the incoming player chooses"),
    ("9.5", "Called shots", "ball and pocket, unless obvious; details do not matter"),
    ("9.6", "Safety", "after the break, ends the inning; a pocketed ball gives the option"),
    ("9.7", "Wrongly pocketed", "inning over; incoming player plays on or hands back"),
    ("9.8", "Continuing", "a called ball keeps the table; an early called ten is spotted"),
    ("9.9", "Spotting", "only the ten is spotted: foul, push-out, wrong pocket, off the table"),
    ("9.10", "Standard fouls", "fourteen fouls; ball in hand anywhere for the opponent"),
    *_WPA_FOULS,
    ("6.14", "Three consecutive fouls", "three running, warned on two, lose the rack"),
    ("6.15", "Slow play", "the shot clock is exceeded"),
    ("6.16", "Template", "a ball touches a rack template that was not cleared away"),
    ("6.17", "Unsportsmanlike conduct", "the referee chooses a fitting penalty"),
    ("9.11", "Serious fouls", "three consecutive fouls and unsportsmanlike conduct"),
    ("9.12", "Stalemate", "the rack is replayed; whoever broke it breaks again"),
)


LBM_BOOK: Final = Rulebook(
    "Ligue de Billard de Montreal, 10-Ball",
    _LBM_ARTICLES,
    MappingProxyType(_LBM_CITATIONS),
    MappingProxyType({"wrong_ball_first": "4-3.1", "no_contact": "4-3.1"}),
)

WPA_2009_BOOK: Final = Rulebook(
    "WPA ten ball, effective 1 January 2009",
    _WPA_2009_ARTICLES,
    MappingProxyType(_WPA_COMMON | {"template": "9.10", "unsportsmanlike": "6.16"}),
    MappingProxyType({}),
)

THE_TEN_BOOK: Final = Rulebook(
    "The Ten",
    _TEN_ARTICLES,
    MappingProxyType(_WPA_COMMON | {"template": "6.16", "unsportsmanlike": "6.17"}),
    MappingProxyType({"ten_on_break": "9"}),
)

BOOKS: Final[Mapping[str, Rulebook]] = MappingProxyType(
    {"lbm": LBM_BOOK, "wpa09": WPA_2009_BOOK, "ten": THE_TEN_BOOK}
)
"""The texts by the short names of their rulesets."""
