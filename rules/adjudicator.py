"""The law at work: one shot to one ruling, one answer to one new state.

How a ruling comes about, in order:

1. What is not available is refused: a finished rack, an open option, the declaration.
2. The record is weighed (`evidence`), which refuses what cannot have happened.
3. Every foul is found (`fouls`); a foul called after the next shot did not happen.
4. Balls leave the table; the ten comes back unless it has won.
5. With a foul the gravest is enforced; without one the kind of shot says what follows.
"""

from __future__ import annotations

from typing import Final

from .declaration import Declaration
from .errors import DecisionRefused, DeclarationRefused
from .evidence import Evidence, weigh
from .fouls import Shot, check_infractions, heaviest_penalty, seen_fouls
from .outcome import Outcome, follow_foul, follow_legal, follow_nothing
from .record import ShotRecord
from .ruling import Foul, Ruling
from .state import RackState
from .terms import (
    CUE_BALL,
    TEN,
    Choice,
    FoulCode,
    Kind,
    Side,
    WinReason,
    ball_name,
    other_side,
)

# Bound once: in Python 3.11 looking a member up in its class costs ten times the comparison.
_BREAK: Final = Kind.BREAK
_SHOT: Final = Kind.SHOT
_SAFETY: Final = Kind.SAFETY
_PUSH_OUT: Final = Kind.PUSH_OUT
_TEN_POCKETED: Final = WinReason.TEN_LEGALLY_POCKETED

_SHOOTS: Final = {
    # Which answers keep the decider at the table, and which of them leave a push-out open.
    Choice.ACCEPT: (True, False),
    Choice.ACCEPT_WITHOUT_PUSH_OUT: (True, False),
    Choice.HAND_BACK: (False, False),
    Choice.HAND_BACK_PUSH_OUT_ALLOWED: (False, True),
}


def check_declaration(state: RackState, declaration: Declaration) -> None:
    """Raise DeclarationRefused, with the reason, if this declaration is not available now.

    A refusal is no foul. A call on the break is not refused: it is void.
    """
    if state.winner is not None:
        raise DeclarationRefused(
            "rack_over", f"declaration: got one in a rack that {state.winner} has won"
        )
    if state.decision is not None:
        raise DeclarationRefused(
            "decision_pending",
            f"declaration: got one while {state.decision.player} owes an answer, "
            f"expected {' or '.join(state.decision.options)} first",
        )
    kind = declaration.kind
    ruleset = state.ruleset
    if kind is _PUSH_OUT:
        if not state.push_out_available:
            raise DeclarationRefused(
                "push_out_not_available",
                f"push-out: got one on shot {state.shot_number}, expected it only on the first "
                f"shot after a break without a foul ({ruleset.cite('push_out_available')})",
            )
        return
    if kind is _BREAK:
        if not state.is_break:
            raise DeclarationRefused(
                "break_not_available",
                f"break: got one on shot {state.shot_number}, expected it on the first only",
            )
        return
    if kind is _SAFETY:
        if state.is_break:
            raise DeclarationRefused(
                "safety_not_available",
                "safety: got one on the break, expected it after the break "
                f"({ruleset.cite('safety')})",
            )
        if declaration.names_something:
            raise DeclarationRefused(
                "safety_excludes_call",
                "safety: got a call with it, expected a safety or a call, not both "
                f"({ruleset.cite('safety')})",
            )
        return
    if state.is_break:
        return
    if len(declaration.balls) > 1:
        raise DeclarationRefused(
            "one_ball_per_call",
            f"call: got balls {', '.join(map(str, declaration.balls))}, expected one ball "
            f"({ruleset.cite('call')})",
        )
    for ball in declaration.balls:
        if ball not in state.balls:
            raise DeclarationRefused(
                "ball_not_on_table",
                f"call: got {ball_name(ball)}, expected a ball on the table: "
                f"{', '.join(map(str, sorted(state.balls)))}",
            )


def adjudicate(state: RackState, declaration: Declaration, record: ShotRecord) -> Ruling:
    """The ruling on one shot: fouls, spotting, option, who goes on, who has won.

    Raises DeclarationRefused, RecordError, InfractionRefused or RefereeDecisionRequired where
    there can be no ruling; the state is then still the one before.

    >>> from rules import WPA_2009, break_shot, new_rack
    >>> from rules.notation import parse_record
    >>> law = WPA_2009.variation(three_point_break_rule=True)
    >>> record = parse_record("0x1 2:left 5:right 4@foot_left")
    >>> ruling = adjudicate(new_rack(law, breaker="A"), break_shot(), record)
    >>> ruling.explanation
    'The break made 1 of 3 points, so B plays on or hands back to A.'
    """
    check_declaration(state, declaration)
    evidence = weigh(state.balls, state.ruleset, record)
    infractions = evidence.infractions
    if infractions:
        check_infractions(state, infractions, late=evidence.late)
    shot = Shot(state, _kind_as_judged(state, declaration), evidence)
    actor = _who_shot(state, evidence)
    fouls = () if evidence.late else seen_fouls(shot, actor)
    if not evidence.stroke and not fouls:
        return _close(shot, actor, follow_nothing(shot), ())
    own = any(foul.side == actor for foul in fouls)
    legal = None if own or not evidence.stroke else follow_legal(shot, declaration, actor)
    if not fouls or (legal is not None and legal.winner is not None):
        assert legal is not None  # without a foul there was a stroke, and it was judged
        return _close(shot, actor, legal, fouls)
    penalty = heaviest_penalty(infractions)
    return _close(shot, actor, follow_foul(shot, actor, fouls, penalty, own=own), fouls)


def _kind_as_judged(state: RackState, declaration: Declaration) -> Kind:
    if state.is_break:
        return _BREAK
    if declaration.kind is _PUSH_OUT and (
        not declaration.announced
        or (state.ruleset.push_out_needs_acknowledgement and not declaration.acknowledged)
    ):
        return _SHOT
    return declaration.kind


def _who_shot(state: RackState, evidence: Evidence) -> Side:
    if evidence.stroke:
        for seen in evidence.infractions:
            if seen.kind is FoulCode.OUT_OF_TURN:
                return seen.side
    return state.shooter


def _close(shot: Shot, actor: Side, outcome: Outcome, fouls: tuple[Foul, ...]) -> Ruling:
    state, evidence = shot.state, shot.evidence
    pocketed = tuple(ball for ball in evidence.pocketed if ball != CUE_BALL)
    departed = tuple(sorted(ball for ball in evidence.off_table if ball != CUE_BALL))
    balls = state.balls
    spotted: tuple[int, ...] = ()
    if pocketed or departed:
        balls = balls.difference(pocketed, departed)
        if TEN not in balls and outcome.win_reason is not _TEN_POCKETED:
            spotted = (TEN,)
            balls = balls | {TEN}
    over = outcome.winner is not None
    struck = evidence.stroke or (bool(fouls) and outcome.counts_as_turn)
    after = RackState(
        state.ruleset,
        state.breaker,
        outcome.next_shooter,
        state.shot_number + 1 if struck else state.shot_number,
        balls,
        outcome.cue_ball,
        outcome.fouls,
        outcome.warned,
        outcome.push_out,
        outcome.decision,
        outcome.winner,
        outcome.win_reason,
    )
    return Ruling(
        after,
        not fouls,
        fouls,
        outcome.penalised,
        outcome.inning,
        after.next,
        outcome.decision,
        outcome.cue_ball,
        pocketed,
        departed,
        spotted,
        outcome.push_out_next,
        () if over else after.warning_due,
        outcome.winner,
        outcome.win_reason,
        outcome.loses_match,
        outcome.article,
        outcome.explanation,
    )


def decide(state: RackState, side: Side, choice: str) -> RackState:
    """The state after `side` answers the open option with `choice`.

    Raises DecisionRefused if nothing is open, if the option is another player's, or if the
    choice was not offered.

    >>> from rules.notation import parse_state
    >>> state = parse_state("wpa09 A/A 2 1-3,5-10 position 0-0 - - B?three_point_break")
    >>> [str(choice) for choice in state.decision.options]
    ['accept_without_push_out', 'hand_back_push_out_allowed']
    >>> decide(state, "B", "accept_without_push_out").shooter
    'B'
    """
    decision = state.decision
    if decision is None:
        raise DecisionRefused(
            "no_decision_open", f"decision: got {choice!r} by {side}, expected none: none is open"
        )
    if side != decision.player:
        raise DecisionRefused(
            "not_your_decision",
            f"decision: got {choice!r} by {side}, expected an answer by {decision.player}",
        )
    if choice not in decision.options:
        raise DecisionRefused(
            "option_not_offered",
            f"decision: got {choice!r}, expected {' or '.join(decision.options)}",
        )
    stays, push_out = _SHOOTS[Choice(choice)]
    return RackState(
        state.ruleset,
        state.breaker,
        side if stays else other_side(side),
        state.shot_number,
        state.balls,
        state.cue_ball,
        state.fouls,
        state.warned,
        push_out,
    )
