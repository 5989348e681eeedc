"""What follows from a shot: who goes on, from where, with what option, and who has won.

One function for each way a shot can go: with a foul, without one (break, push-out, safety, shot),
or with no stroke at all. Each cites the article that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from .ruling import Decision, Foul
from .state import Counts
from .terms import (
    CUE_BALL,
    TEN,
    Cause,
    CueBall,
    FoulCode,
    Inning,
    Kind,
    LastBallMoment,
    Penalty,
    Side,
    WinReason,
    ball_name,
    other_side,
)

if TYPE_CHECKING:
    from .declaration import Declaration
    from .fouls import Shot
    from .state import RackState


# Bound once: in Python 3.11 looking a member up in its class costs ten times the comparison.
_BREAK: Final = Kind.BREAK
_PUSH_OUT: Final = Kind.PUSH_OUT
_SAFETY: Final = Kind.SAFETY
_SHOT: Final = Kind.SHOT
_CONTINUES: Final = Inning.CONTINUES
_ENDS: Final = Inning.ENDS
_POSITION: Final = CueBall.POSITION
_IN_HAND_ANYWHERE: Final = CueBall.IN_HAND_ANYWHERE
_NOT_APPLICABLE: Final = CueBall.NOT_APPLICABLE


class Outcome(NamedTuple):
    """The consequences of a shot. `counts_as_turn`: the next stroke has the next number."""

    next_shooter: Side
    inning: Inning
    cue_ball: CueBall
    fouls: Counts
    warned: frozenset[Side]
    article: str
    explanation: str
    push_out: bool = False
    push_out_next: bool | None = False
    decision: Decision | None = None
    penalised: Foul | None = None
    winner: Side | None = None
    win_reason: WinReason | None = None
    loses_match: Side | None = None
    counts_as_turn: bool = True


def follow_nothing(shot: Shot) -> Outcome:
    """Nothing was struck and no foul stands: everything is as it was."""
    state = shot.state
    return Outcome(
        state.shooter,
        _CONTINUES,
        state.cue_ball,
        state.fouls,
        state.warned,
        state.ruleset.cite("no_stroke"),
        f"Nothing was struck and no foul stands, so {state.shooter} goes on as before.",
        push_out=state.push_out_available,
        push_out_next=state.push_out_available,
        counts_as_turn=False,
    )


# Without a foul ------------------------------------------------------------------------------


def follow_legal(shot: Shot, declaration: Declaration, actor: Side) -> Outcome:
    """The consequences of a stroke without a foul by the side that shot."""
    if shot.kind is _BREAK:
        return _after_break(shot, actor)
    if shot.kind is _PUSH_OUT:
        return _after_push_out(shot, actor)
    if shot.kind is _SAFETY:
        return _after_safety(shot, actor)
    return _after_shot(shot, declaration, actor)


def _after_break(shot: Shot, actor: Side) -> Outcome:
    ruleset, made = shot.state.ruleset, _made(shot)
    if ruleset.three_point_break_rule:
        points = len({*made, *(shot.evidence.up_table - shot.evidence.off_table)})
        if points < ruleset.three_point_break_points:
            why = f"The break made {points} of {ruleset.three_point_break_points} points"
            return _option(shot, actor, Cause.THREE_POINT_BREAK, why)
    if TEN in made:
        why = f"The ten was made on the break: it is spotted and {actor} continues."
        return _continues(shot, actor, "ten_on_break", why, push_out=True)
    if made and ruleset.break_ball_continues:
        why = f"{_names(made)} fell on a legal break, so {actor} continues and may push out."
        return _continues(shot, actor, "break_continues", why, push_out=True)
    why = f"The break is legal and made nothing, so {other_side(actor)} shoots and may push out."
    if made:
        why = f"The break is legal and {other_side(actor)} shoots and may push out."
    return _ends(shot, actor, "break_ends", why, push_out=True)


def _after_push_out(shot: Shot, actor: Side) -> Outcome:
    why = f"{actor} pushed out without a foul"
    return _option(shot, actor, Cause.PUSH_OUT, why)


def _after_safety(shot: Shot, actor: Side) -> Outcome:
    made = _made(shot)
    if made:
        why = f"{_names(made)} fell on a declared safety"
        return _option(shot, actor, Cause.SAFETY_POCKET, why)
    why = f"The safety was legal, so {other_side(actor)} shoots from the position."
    return _ends(shot, actor, "safety", why)


def _after_shot(shot: Shot, declaration: Declaration, actor: Side) -> Outcome:
    ruleset, made = shot.state.ruleset, _made(shot)
    called = declaration.ball if declaration.kind is _SHOT and declaration.counts else None
    if called is not None and shot.evidence.pocketed.get(called) == declaration.pocket:
        if called != TEN:
            why = f"{_names((called,))} fell as called, so {actor} continues."
            return _continues(shot, actor, "continue", why)
        if ruleset.early_ten_wins or _ten_was_last(shot):
            return Outcome(
                actor,
                _ENDS,
                _NOT_APPLICABLE,
                shot.state.fouls.having(actor, 0),
                frozenset(),
                ruleset.cite("win"),
                f"The ten fell as called on a legal shot, so {actor} wins the rack.",
                winner=actor,
                win_reason=WinReason.TEN_LEGALLY_POCKETED,
            )
        why = f"The ten fell as called but too early: it is spotted and {actor} continues."
        return _continues(shot, actor, "early_ten", why)
    if made and (called is not None or ruleset.uncalled_pocket_gives_option):
        if called is None:
            why = f"{_names(made)} fell with nothing called"
        elif called in made:
            why = f"The called ball, {ball_name(called)}, fell in another pocket"
        else:
            why = f"{_names(made)} fell and the called ball, {ball_name(called)}, did not"
        return _option(shot, actor, Cause.WRONGFUL_POCKET, why)
    why = f"No called ball was made, so {other_side(actor)} shoots from the position."
    return _ends(shot, actor, "miss", why)


def _ten_was_last(shot: Shot) -> bool:
    if shot.state.ruleset.ten_last_ball_moment is LastBallMoment.POCKETING:
        return shot.evidence.alone
    return len(shot.state.balls) == 1


def _made(shot: Shot) -> tuple[int, ...]:
    return tuple(ball for ball in shot.evidence.pocketed if ball != CUE_BALL)


def _names(balls: tuple[int, ...]) -> str:
    text = " and ".join(ball_name(ball) for ball in sorted(balls))
    return text[0].upper() + text[1:]


def _where(shot: Shot) -> CueBall:
    """The cue ball after a legal shot; in hand only if a foul that took it came too late."""
    evidence = shot.evidence
    if CUE_BALL in evidence.pocketed or CUE_BALL in evidence.off_table:
        return _IN_HAND_ANYWHERE
    return _POSITION


def _cleared(state: RackState, actor: Side) -> tuple[Counts, frozenset[Side]]:
    """The counts after a foul-free stroke by `actor`: his own goes back to zero."""
    if state.fouls.of(actor) == 0:
        return state.fouls, state.warned
    return state.fouls.having(actor, 0), state.warned - {actor}


def _continues(
    shot: Shot, actor: Side, subject: str, why: str, *, push_out: bool = False
) -> Outcome:
    fouls, warned = _cleared(shot.state, actor)
    article = shot.state.ruleset.cite(subject, on_break=shot.state.is_break)
    return Outcome(
        actor,
        _CONTINUES,
        _where(shot),
        fouls,
        warned,
        article,
        why,
        push_out=push_out,
        push_out_next=push_out,
    )


def _ends(shot: Shot, actor: Side, subject: str, why: str, *, push_out: bool = False) -> Outcome:
    fouls, warned = _cleared(shot.state, actor)
    article = shot.state.ruleset.cite(subject, on_break=shot.state.is_break)
    return Outcome(
        other_side(actor),
        _ENDS,
        _where(shot),
        fouls,
        warned,
        article,
        why,
        push_out=push_out,
        push_out_next=push_out,
    )


def _option(shot: Shot, actor: Side, cause: Cause, why: str) -> Outcome:
    fouls, warned = _cleared(shot.state, actor)
    decider = other_side(actor)
    decision = Decision.about(decider, cause, shot.state.ruleset)
    return Outcome(
        actor,
        _ENDS,
        _where(shot),
        fouls,
        warned,
        decision.article,
        f"{why}, so {decider} plays on or hands back to {actor}.",
        push_out_next=None if cause is Cause.THREE_POINT_BREAK else False,
        decision=decision,
    )


# With a foul ---------------------------------------------------------------------------------


def follow_foul(
    shot: Shot,
    actor: Side,
    fouls: tuple[Foul, ...],
    penalty: tuple[Side, Penalty] | None,
    *,
    own: bool,
) -> Outcome:
    """The consequences of the gravest foul; it alone is enforced and counted.

    `own` says whether the side that shot committed one; its fouls come before its opponent's
    unless the referee made unsportsmanlike conduct cost the rack or the match.
    """
    state = shot.state
    ruleset = state.ruleset
    penalised = next((foul for foul in fouls if foul.side == actor), fouls[0])
    forfeits = penalty is not None and penalty[1] is not Penalty.STANDARD_FOUL
    if penalty is not None and forfeits:
        penalised = next(
            foul
            for foul in fouls
            if foul.code is FoulCode.UNSPORTSMANLIKE and foul.side == penalty[0]
        )
    offender = penalised.side
    victim = other_side(offender)
    counts, warned = state.fouls, state.warned
    if shot.evidence.stroke and not own:
        counts, warned = _cleared(state, actor)
    limit = ruleset.fouls_to_lose
    count = counts.of(offender) + 1
    if (
        count >= limit
        and not forfeits
        and ruleset.three_foul_warning_required
        and offender not in warned
    ):
        count = limit - 1
    counts = counts.having(offender, min(count, limit))
    if forfeits or count >= limit:
        reason = WinReason.UNSPORTSMANLIKE if forfeits else WinReason.THREE_CONSECUTIVE_FOULS
        article = penalised.article if forfeits else ruleset.cite("three_fouls")
        match_lost = penalty is not None and penalty[1] is Penalty.LOSS_OF_MATCH
        what = "the match" if forfeits and match_lost else "the rack"
        cause = penalised.explanation if forfeits else f"that was foul {count} in succession"
        return Outcome(
            offender,
            _ENDS,
            _NOT_APPLICABLE,
            counts,
            warned,
            article,
            f"Foul by {offender}: {cause}, so {victim} wins {what}.",
            penalised=penalised,
            winner=victim,
            win_reason=reason,
            loses_match=offender if match_lost else None,
        )
    # A foul of the player who is not at the table leaves the turn, and what it allows, alone
    # unless balls were played.
    undisturbed = not shot.evidence.stroke and offender != state.shooter
    kept_push_out = state.push_out_available and undisturbed
    still_break = state.is_break and undisturbed
    return Outcome(
        victim,
        _CONTINUES if victim == state.shooter else _ENDS,
        state.cue_ball if still_break else _IN_HAND_ANYWHERE,
        counts,
        warned,
        penalised.article,
        f"Foul by {offender}: {penalised.explanation}, so {victim} has ball in hand.",
        push_out=kept_push_out,
        push_out_next=kept_push_out,
        penalised=penalised,
        counts_as_turn=not undisturbed,
    )
