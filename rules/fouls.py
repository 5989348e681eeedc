"""Every foul once: one predicate, one code, and through the ruleset one article.

FOULS is the whole table, the most serious first: where several are seen, all are reported and
the first is enforced. A predicate answers for the balls (`Shot` -> bool); what a person
declares is the same predicate for every declared code, made by `_declared`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from .errors import InfractionRefused, RefereeDecisionRequired
from .ruling import Foul
from .terms import CUE_BALL, INFRACTION_CODES, FoulCode, Kind, Penalty, Side, ball_name

if TYPE_CHECKING:
    from .evidence import Evidence
    from .record import Infraction
    from .state import RackState


class Shot(NamedTuple):
    """What a predicate is asked about: the state before, how the shot is judged, what happened.

    `kind` is how the shot counts, which need not be what was said: a call on the break is void,
    and a push-out that was not announced is an ordinary shot.
    """

    state: RackState
    kind: Kind
    evidence: Evidence


# Bound once: in Python 3.11 looking a member up in its class costs ten times the comparison.
_PUSH_OUT: Final = Kind.PUSH_OUT
_BREAK: Final = Kind.BREAK

Predicate = Callable[[Shot], bool]


# What the balls show -------------------------------------------------------------------------


def scratch(shot: Shot) -> bool:
    """6.1: the cue ball is pocketed."""
    return CUE_BALL in shot.evidence.pocketed


def cue_ball_off_table(shot: Shot) -> bool:
    """6.1 with 8.5: the cue ball leaves the table."""
    return CUE_BALL in shot.evidence.off_table


def wrong_ball_first(shot: Shot) -> bool:
    """6.2: the first ball contacted is not the lowest; a split hit counts for the shooter."""
    first = shot.evidence.first_contacts
    return (
        bool(first)
        and shot.kind is not _PUSH_OUT
        and shot.state.lowest is not None
        and shot.state.lowest not in first
    )


def no_contact(shot: Shot) -> bool:
    """6.2: the cue ball touches no object ball at all."""
    return shot.evidence.stroke and shot.kind is not _PUSH_OUT and not shot.evidence.first_contacts


def no_rail_after_contact(shot: Shot) -> bool:
    """6.3: after contact nothing is pocketed and nothing reaches a cushion.

    The break has a requirement of its own in its place.
    """
    evidence = shot.evidence
    return (
        bool(evidence.first_contacts)
        and not evidence.rail_after_contact
        and shot.kind is not _PUSH_OUT
        and shot.kind is not _BREAK
    )


def break_requirement(shot: Shot) -> bool:
    """The break neither pockets an object ball nor drives enough of them to cushions."""
    evidence = shot.evidence
    return (
        shot.kind is _BREAK
        and evidence.stroke
        and len(evidence.driven) < shot.state.ruleset.break_cushions
        and not any(ball != CUE_BALL for ball in evidence.pocketed)
    )


def break_cushion_first(shot: Shot) -> bool:
    """LBM 4-3.1: on the break the cue ball meets a cushion before the 1."""
    return (
        shot.kind is _BREAK
        and shot.evidence.cushion_first
        and shot.state.ruleset.break_cushion_first_is_foul
    )


def object_ball_off_table(shot: Shot) -> bool:
    """6.5 with 8.5: an object ball leaves the table (LBM: by the general rules, a switch)."""
    return shot.state.ruleset.object_ball_off_table_is_foul and any(
        ball != CUE_BALL for ball in shot.evidence.off_table
    )


# What a person declares ----------------------------------------------------------------------


def _declared(code: FoulCode) -> Predicate:
    def declared(shot: Shot) -> bool:
        infractions = shot.evidence.infractions
        return bool(infractions) and any(seen.kind is code for seen in infractions)

    declared.__name__ = code.value
    declared.__doc__ = f"The infraction {code.value} was declared."
    return declared


def touched_ball(shot: Shot) -> bool:
    """6.6: a ball was touched; excused under cue-ball-fouls-only (see `excused`)."""
    return any(
        seen.kind is FoulCode.TOUCHED_BALL and not excused(shot.state, seen)
        for seen in shot.evidence.infractions
    )


def excused(state: RackState, touch: Infraction) -> bool:
    """Cue-ball fouls only: an object ball touched by accident and without effect is no foul."""
    return (
        state.ruleset.cue_ball_fouls_only
        and touch.ball != CUE_BALL
        and touch.accidental
        and touch.no_effect
    )


no_foot_on_floor: Final = _declared(FoulCode.NO_FOOT_ON_FLOOR)
double_hit: Final = _declared(FoulCode.DOUBLE_HIT)
push_shot: Final = _declared(FoulCode.PUSH_SHOT)
balls_still_moving: Final = _declared(FoulCode.BALLS_STILL_MOVING)
bad_cue_ball_placement: Final = _declared(FoulCode.BAD_CUE_BALL_PLACEMENT)
cue_stick_on_table: Final = _declared(FoulCode.CUE_STICK_ON_TABLE)
out_of_turn: Final = _declared(FoulCode.OUT_OF_TURN)
slow_play: Final = _declared(FoulCode.SLOW_PLAY)
template: Final = _declared(FoulCode.TEMPLATE)
unsportsmanlike: Final = _declared(FoulCode.UNSPORTSMANLIKE)


@dataclass(frozen=True, slots=True)
class FoulRule:
    """A row of the table: the code, when it happens, and the sentence that explains it.

    `is_declared` says that a person declares it; the others are read from the balls.
    """

    code: FoulCode
    predicate: Predicate
    explanation: str | Callable[[Shot], str]
    is_declared: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_declared", self.code in INFRACTION_CODES)

    def explain(self, shot: Shot) -> str:
        """What happened, as the middle of a sentence."""
        text = self.explanation
        return text if isinstance(text, str) else text(shot)


def _nothing_hit(shot: Shot) -> str:
    return f"the cue ball touched no object ball, {ball_name(shot.state.lowest or 0)} was due"


def _wrong_hit(shot: Shot) -> str:
    first = _listed(shot.evidence.first_contacts)
    return f"the cue ball touched {first} first, {ball_name(shot.state.lowest or 0)} was due"


def _dry_break(shot: Shot) -> str:
    driven, due = len(shot.evidence.driven), shot.state.ruleset.break_cushions
    return f"the break pocketed nothing and drove {driven} object balls to cushions, {due} were due"


def _departed(shot: Shot) -> str:
    return f"{_listed(shot.evidence.off_table - {CUE_BALL})} left the table"


def _touched(shot: Shot) -> str:
    touches = (seen.ball for seen in shot.evidence.infractions if seen.ball is not None)
    return f"{_listed(frozenset(touches))} was touched outside play"


def _listed(balls: frozenset[int]) -> str:
    return " and ".join(ball_name(ball) for ball in sorted(balls))


FOULS: tuple[FoulRule, ...] = (
    FoulRule(FoulCode.UNSPORTSMANLIKE, unsportsmanlike, "unsportsmanlike conduct was declared"),
    FoulRule(FoulCode.OUT_OF_TURN, out_of_turn, "a player shot out of turn"),
    FoulRule(FoulCode.SCRATCH, scratch, "the cue ball was pocketed"),
    FoulRule(FoulCode.CUE_BALL_OFF_TABLE, cue_ball_off_table, "the cue ball left the table"),
    FoulRule(FoulCode.NO_CONTACT, no_contact, _nothing_hit),
    FoulRule(
        FoulCode.WRONG_BALL_FIRST,
        wrong_ball_first,
        _wrong_hit,
    ),
    FoulRule(
        FoulCode.BREAK_CUSHION_FIRST,
        break_cushion_first,
        "on the break the cue ball met a cushion before the 1",
    ),
    FoulRule(
        FoulCode.BREAK_REQUIREMENT,
        break_requirement,
        _dry_break,
    ),
    FoulRule(
        FoulCode.NO_RAIL_AFTER_CONTACT,
        no_rail_after_contact,
        "after contact no ball was pocketed or reached a cushion",
    ),
    FoulRule(
        FoulCode.OBJECT_BALL_OFF_TABLE,
        object_ball_off_table,
        _departed,
    ),
    FoulRule(FoulCode.DOUBLE_HIT, double_hit, "the tip met the cue ball twice"),
    FoulRule(FoulCode.PUSH_SHOT, push_shot, "the tip stayed on the cue ball"),
    FoulRule(FoulCode.TOUCHED_BALL, touched_ball, _touched),
    FoulRule(FoulCode.BALLS_STILL_MOVING, balls_still_moving, "the stroke came while a ball moved"),
    FoulRule(
        FoulCode.BAD_CUE_BALL_PLACEMENT,
        bad_cue_ball_placement,
        "the cue ball was placed where it may not be",
    ),
    FoulRule(FoulCode.NO_FOOT_ON_FLOOR, no_foot_on_floor, "no foot was on the floor"),
    FoulRule(
        FoulCode.CUE_STICK_ON_TABLE,
        cue_stick_on_table,
        "the stick lay on the table unheld to align the shot",
    ),
    FoulRule(FoulCode.TEMPLATE, template, "a ball touched the rack template"),
    FoulRule(FoulCode.SLOW_PLAY, slow_play, "the shot clock was exceeded"),
)
"""Every foul, the most serious first."""


def seen_fouls(shot: Shot, actor: Side) -> tuple[Foul, ...]:
    """Every foul of a shot, the most serious first; what the balls show is the actor's."""
    found: list[Foul] = []
    state, nothing_declared = shot.state, not shot.evidence.infractions
    for rule in FOULS:
        if (nothing_declared and rule.is_declared) or not rule.predicate(shot):
            continue
        article = state.ruleset.cite(rule.code, on_break=shot.kind is _BREAK)
        if not rule.is_declared:
            found.append(Foul(rule.code, article, rule.explain(shot), actor))
            continue
        sides: list[Side] = []
        for seen in shot.evidence.infractions:
            if seen.kind is not rule.code or seen.side in sides:
                continue
            if seen.kind is FoulCode.TOUCHED_BALL and excused(state, seen):
                continue
            sides.append(seen.side)
            found.append(Foul(rule.code, article, rule.explain(shot), seen.side))
    return tuple(found)


def check_infractions(
    state: RackState, infractions: tuple[Infraction, ...], *, late: bool = False
) -> None:
    """Refuse what this ruleset does not know, and ask for a penalty that is still missing.

    Raises InfractionRefused for a template where there is no such foul, RefereeDecisionRequired
    for unsportsmanlike conduct without a penalty, with those the referee may choose (not where
    it was called too late to be penalised).
    """
    for seen in infractions:
        if seen.kind is FoulCode.TEMPLATE and not state.ruleset.template_is_foul:
            raise InfractionRefused(
                "template_not_in_ruleset",
                f"infraction: got template, expected a foul that {state.ruleset.book.title} knows",
            )
        if seen.kind is FoulCode.UNSPORTSMANLIKE and not late:
            offered = state.ruleset.unsportsmanlike_penalties
            if seen.penalty is None:
                raise RefereeDecisionRequired(
                    "unsportsmanlike: got no penalty, expected the referee to choose "
                    f"{', '.join(offered)}",
                    tuple(str(word) for word in offered),
                )
            if seen.penalty not in offered:
                raise InfractionRefused(
                    "penalty_not_offered",
                    f"unsportsmanlike: got penalty {seen.penalty}, "
                    f"expected one of {', '.join(offered)}",
                )


def heaviest_penalty(infractions: tuple[Infraction, ...]) -> tuple[Side, Penalty] | None:
    """The gravest penalty for unsportsmanlike conduct and who bears it, None if none is chosen."""
    chosen = [seen for seen in infractions if seen.penalty is not None]
    if not chosen:
        return None
    order = tuple(Penalty)
    gravest = max(chosen, key=lambda seen: order.index(seen.penalty or Penalty.STANDARD_FOUL))
    return gravest.side, gravest.penalty or Penalty.STANDARD_FOUL
