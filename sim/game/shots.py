"""Commands that end in a ruling: shots, declared infractions, penalties, answers to options."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import rules
from sim.game.commands import Choose, ClockExpired, DeclareInfraction, Penalise, Shoot
from sim.game.effects import Effect, Notice, Rule, Ruled, Simulate
from sim.game.errors import CommandRefused
from sim.game.facts import ShotFacts
from sim.game.match import Match, PenaltyDue, Phase, ShotEntry
from sim.game.turns import clear_shot, count_still, replay_rack, settle, stale

__all__ = ["choose", "declare_infraction", "expire_clock", "penalise", "shoot"]

Step = tuple[Match, tuple[Effect, ...]]


def shoot(match: Match, command: Shoot) -> Step:
    """Play a stroke: first a question to the engine, then the facts it brought."""
    ready_to_shoot(match)
    assert match.setup is not None
    assert match.layout is not None
    stroke = command.stroke or match.aim
    if stroke is None:
        raise CommandRefused("no_stroke", "shot: got no stroke, expected one aimed or given")
    declaration = _declared(match)
    if command.facts is None:
        asked = Simulate(match.setup, match.layout, stroke, match.stick, match.rack, declaration)
        return match, (asked,)
    return _apply(match, declaration, command, command.facts)


def ready_to_shoot(match: Match) -> None:
    """Refuse a stroke while anything else is due first."""
    if match.phase is not Phase.RACK or match.layout is None:
        raise CommandRefused("no_rack", f"shot: got one {match.phase.where}, expected a rack")
    if match.penalty is not None:
        raise CommandRefused("penalty_due", "shot: got one while the referee owes a penalty")
    if match.rack is not None and match.rack.decision is not None:
        decision = match.rack.decision
        raise CommandRefused(
            "decision_pending",
            f"shot: got one while {decision.player} owes an answer, "
            f"expected {' or '.join(decision.options)} first",
        )
    if match.asked:
        raise CommandRefused(
            "call_asked", "shot: got one while the opponent asks for the call, expected a call"
        )
    if match.acknowledging:
        raise CommandRefused(
            "acknowledge", "shot: got one before the opponent acknowledged or refused the push-out"
        )
    if 0 not in match.layout:
        raise CommandRefused("no_cue_ball", "shot: got no cue ball on the table, expected one")


def _declared(match: Match) -> rules.Declaration:
    if match.rack is not None and match.rack.is_break:
        return rules.break_shot()
    return match.declaration or rules.no_call()


def _apply(
    match: Match, declaration: rules.Declaration, command: Shoot | None, facts: ShotFacts
) -> Step:
    """The match after the facts of a shot. They are taken as they are: they are the truth."""
    assert match.setup is not None
    assert match.layout is not None
    _coherent(match, facts)
    side = match.turn or match.shooter or "A"
    stroke = None if command is None else command.stroke or match.aim
    entry = ShotEntry(
        len(match.log) + 1,
        match.rack_number,
        side,
        match.player(side),
        match.innings[0 if side == "A" else 1],
        declaration,
        stroke,
        match.rack,
        match.layout,
        facts,
        match.stick,
    )
    layout = facts.layout(match.setup.table, match.setup.materials.ball_radius)
    after = clear_shot(match).having(
        rack=facts.rack,
        layout=layout,
        log=(*match.log, entry),
        before_last=match.having(before_last=None),
    )
    told: tuple[Effect, ...] = (Ruled(facts.ruling),)
    if facts.ruling is None:
        return after, told
    ended = facts.ruling["inning"] == rules.Inning.ENDS
    loser = facts.ruling["loses_match"]
    if loser is not None and after.race is not None and not match.setup.practice:
        after = after.having(race=after.race.lost_by(loser))
    if ended:
        after = after.having(turn_over=True)
    down = set(facts.pocketed) - {0} - set(facts.ruling["spotted"])
    after = count_still(after, side, ended=ended, progress=bool(down))
    after, effects = settle(after)
    if after.phase is Phase.RACK and after.announced is not None and stale(after):
        after, more = replay_rack(after)
        effects = (*effects, *more)
    return after, (*told, *effects)


def _coherent(match: Match, facts: ShotFacts) -> None:
    """Refuse facts that cannot belong to this shot."""
    placed = {ball for ball, _ in facts.placed}
    if match.rack is None:
        if facts.rack is not None:
            raise CommandRefused("facts", "shot: got a ruling where nothing is ruled")
        return
    if facts.rack is None or facts.ruling is None:
        raise CommandRefused("facts", "shot: got facts without a ruling, expected one")
    expected = set(facts.rack.balls) | ({0} if not facts.rack.over else placed & {0})
    if placed != expected:
        raise CommandRefused(
            "facts", f"shot: got balls {sorted(placed)} placed, expected {sorted(expected)}"
        )
    if not facts.rack.balls <= match.rack.balls:
        raise CommandRefused("facts", "shot: got balls that were not on the table before")


def declare_infraction(match: Match, command: DeclareInfraction) -> Step:
    """What people saw: on the shot just played, or with nothing struck."""
    if match.penalty is not None:
        raise CommandRefused("penalty_due", "infraction: got one while the referee owes a penalty")
    return _infraction(match, command.infraction, command.on, command.facts)


def _infraction(
    match: Match,
    infraction: rules.Infraction,
    on: Literal["last", "now"],
    facts: ShotFacts | None,
) -> Step:
    question = _question(match, infraction, on)
    if facts is None:
        try:
            # Only to learn whether it can be ruled on: a refusal, or a penalty to be chosen.
            rules.adjudicate(question.rack, question.declaration, question.record)
        except rules.RefereeDecisionRequired as missing:
            due = PenaltyDue(infraction, on == "last", missing.options)
            return match.having(penalty=due), (Notice(str(missing)),)
        except rules.RulesError as error:
            raise CommandRefused(getattr(error, "code", "infraction"), str(error)) from None
        return match, (question,)
    if on == "now":
        return _apply(match, question.declaration, None, facts)
    before = match.before_last
    assert before is not None  # _question refuses it otherwise
    last = match.log[-1]
    command = None if last.stroke is None else Shoot(last.stroke, facts)
    return _apply(before, last.declaration, command, facts)


def _question(match: Match, infraction: rules.Infraction, on: Literal["last", "now"]) -> Rule:
    """The record to be ruled on, with the infraction in it."""
    setup = match.setup
    if setup is None:
        raise CommandRefused("no_rack", "infraction: got one before anybody is seated")
    if on == "last":
        if match.before_last is None or match.before_last.rack is None or not match.log:
            raise CommandRefused(
                "too_late",
                "infraction: got one on the last shot, expected it before the next shot or rack; "
                "it did not happen",
            )
        last = match.log[-1]
        record = replace(last.facts.record, sightings=(*last.facts.record.sightings, infraction))
        final = last.facts.final_layout(setup.table, setup.materials.ball_radius)
        return Rule(
            match.before_last.rack,
            last.declaration,
            record,
            final,
            last.facts.duration,
            last.facts.engine,
        )
    if match.phase is not Phase.RACK or match.rack is None or match.layout is None:
        raise CommandRefused("no_rack", "infraction: got one outside a rack, expected one in it")
    if match.rack.decision is not None:
        raise CommandRefused(
            "decision_pending", "infraction: got one while an option is open, expected its answer"
        )
    record = rules.ShotRecord((infraction,), stroke=False)
    return Rule(
        match.rack,
        rules.break_shot() if match.rack.is_break else rules.no_call(),
        record,
        match.layout,
    )


def penalise(match: Match, command: Penalise) -> Step:
    """The referee chooses the penalty for unsportsmanlike conduct."""
    due = match.penalty
    if due is None:
        raise CommandRefused("no_penalty_due", "penalty: got one, expected none: none is due")
    if command.penalty not in due.options:
        raise CommandRefused(
            "penalty_not_offered",
            f"penalty: got {command.penalty}, expected one of {', '.join(due.options)}",
        )
    chosen = replace(due.infraction, penalty=command.penalty)
    after, effects = _infraction(
        match.having(penalty=None), chosen, "last" if due.on_last else "now", command.facts
    )
    if command.facts is None:
        return match, effects
    return after, effects


def expire_clock(match: Match, command: ClockExpired) -> Step:
    """The shot clock ran out: slow play by the shooter (6.15)."""
    side = match.shooter
    if side is None or match.rack is None or not match.rack.ruleset.shot_clock:
        raise CommandRefused("no_clock", "shot clock: got its end, expected a clock that runs")
    slow = rules.Infraction(rules.FoulCode.SLOW_PLAY, side)
    return _infraction(match, slow, "now", command.facts)


def choose(match: Match, command: Choose) -> Step:
    """Answer the open option."""
    if match.phase is not Phase.RACK or match.rack is None:
        raise CommandRefused("no_decision_open", "choice: got one outside a rack, expected none")
    if match.penalty is not None:
        raise CommandRefused("penalty_due", "choice: got one while the referee owes a penalty")
    try:
        rack = rules.decide(match.rack, command.side, command.choice)
    except rules.DecisionRefused as error:
        raise CommandRefused(error.code, str(error)) from None
    return settle(match.having(rack=rack))
