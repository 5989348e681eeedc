"""Who acts, what is needed, and how: one answer for the screen and for the terminal.

Nothing ever waits silently: whatever a match waits for, `prompt` says in one line.
"""

from __future__ import annotations

from dataclasses import dataclass

import rules
from sim.game.match import Match, Phase

__all__ = ["Prompt", "prompt"]

_CAUSES = {
    rules.Cause.PUSH_OUT: "after the push-out",
    rules.Cause.WRONGFUL_POCKET: "after a ball that was not called",
    rules.Cause.SAFETY_POCKET: "after a ball made on a safety",
    rules.Cause.THREE_POINT_BREAK: "after the break",
}
CHOICES = {
    rules.Choice.ACCEPT: "play on",
    rules.Choice.HAND_BACK: "hand back",
    rules.Choice.ACCEPT_WITHOUT_PUSH_OUT: "play on without a push-out",
    rules.Choice.HAND_BACK_PUSH_OUT_ALLOWED: "hand back with the push-out",
}


@dataclass(frozen=True)
class Prompt:
    """What a match waits for.

    Attributes:
        side: who acts; None: anybody (or the referee).
        who: as people say it.
        need: seats, lag, breaker, penalty, choice, acknowledgement, call, break, shot, next_rack,
            or over.
        text: one line: who, what, how.
        may: names of the commands that make sense now (`sim.game.commands`), what is needed first.
        options: the answers offered, where there is something to choose.
    """

    side: rules.Side | None
    who: str
    need: str
    text: str
    may: tuple[str, ...]
    options: tuple[str, ...] = ()


def prompt(match: Match) -> Prompt:
    """Who acts, what is needed and how."""
    if match.phase is Phase.SEATING:
        text = "Seat the players: names, ruleset, table, race."
        return Prompt(None, "anybody", "seats", text, ("Seat",))
    if match.phase is Phase.LAG:
        again = "Lag again" if match.lags else "Lag"
        text = f"{again}: both sides aim and shoot at once, to the foot cushion and back."
        return Prompt(None, "both sides", "lag", text, ("Lag",))
    if match.phase is Phase.CHOOSE_BREAKER:
        side = match.lag_winner
        who = "Anybody" if side is None else match.side_name(side)
        text = f"{who}: choose who breaks first."
        return Prompt(side, who, "breaker", text, ("ChooseBreaker",), rules.SIDES)
    if match.phase is Phase.MATCH_OVER:
        side = match.winner
        assert side is not None  # a match is over by being won
        who = match.side_name(side)
        score = f"{match.score(side)}:{match.score(rules.other_side(side))}"
        text = f"{who} has won the match {score}."
        return Prompt(None, who, "over", text, ("Undo",))
    if match.penalty is not None:
        due = match.penalty
        answers = " or ".join(str(option).replace("_", " ") for option in due.options)
        text = f"Referee: choose the penalty for unsportsmanlike conduct: {answers}."
        return Prompt(None, "referee", "penalty", text, ("Penalise",), due.options)
    if match.phase is Phase.RACK_OVER:
        text = f"Rack over, {match.score('A')}:{match.score('B')}: set up the next rack."
        return Prompt(None, "anybody", "next_rack", text, ("NextRack", "DeclareInfraction"))
    return _in_rack(match)


def _in_rack(match: Match) -> Prompt:
    rack = match.rack
    if rack is None:
        text = "Practice without the ten: aim and shoot, place any ball; nothing is ruled."
        return Prompt("A", match.player("A"), "shot", text, ("Aim", "Shoot", "Place"))
    if rack.decision is not None:
        decision = rack.decision
        who = match.side_name(decision.player)
        choices = " or ".join(CHOICES[option] for option in decision.options)
        text = f"{who} decides {_CAUSES[decision.cause]}: {choices} ({decision.article})."
        offered = tuple(str(option) for option in decision.options)
        return Prompt(decision.player, who, "choice", text, ("Choose",), offered)
    side = rack.next
    assert side is not None  # a rack that is over is not in this phase
    other = rules.other_side(side)
    who = match.player(side)
    if match.acknowledging:
        opponent = match.side_name(other)
        text = f"{opponent}: acknowledge {who}'s push-out, or refuse and it is an ordinary shot."
        return Prompt(other, opponent, "acknowledgement", text, ("Acknowledge",), ("yes", "no"))
    if match.asked:
        text = f"{who}: name your ball and pocket, {match.side_name(other)} asks; or a safety."
        return Prompt(side, who, "call", text, ("Declare",))
    place = _placing(match)
    if rack.is_break:
        text = f"{who} breaks: {place}aim at the rack and shoot. Nothing is called."
        may = ("Aim", "Shoot", *(("Place",) if place else ()), "DeclareInfraction", "Concede")
        return Prompt(side, who, "break", text, may)
    return Prompt(side, who, "shot", _shot_text(match, who, place), _may(match, bool(place)))


def _placing(match: Match) -> str:
    assert match.rack is not None
    if match.rack.cue_ball is rules.CueBall.IN_HAND_ANYWHERE:
        return "move the cue ball anywhere, "
    if match.rack.cue_ball is rules.CueBall.IN_HAND_BEHIND_HEAD_STRING:
        return "move the cue ball behind the head string, "
    return ""


def _shot_text(match: Match, who: str, place: str) -> str:
    rack, made = match.rack, match.declaration
    assert rack is not None
    lowest = f" The {rack.lowest} must be hit first."
    if made is None:
        push = ", or push out" if rack.push_out_available else ""
        act = f"call ball and pocket (or a safety{push}), aim and shoot"
    elif made.kind is rules.Kind.SAFETY:
        act = "a safety is declared, aim and shoot"
    elif made.kind is rules.Kind.PUSH_OUT:
        act = "a push-out is declared, aim and shoot"
        lowest = " No ball and no cushion need be hit."
    elif made.names_something:
        word = "obvious" if made.obvious and not made.explicit else "called"
        pocket = str(made.pocket).replace("_", " ")
        act = f"the {made.ball} into {pocket} is {word}, aim and shoot"
    else:
        act = "nothing is called, aim and shoot"
    return f"{who}: {place}{act}.{lowest}"


def _may(match: Match, in_hand: bool) -> tuple[str, ...]:
    assert match.rack is not None
    names = ["Declare", "Aim", "Shoot"]
    if in_hand:
        names.append("Place")
    made = match.declaration
    if made is None or (made.kind is rules.Kind.SHOT and not made.explicit):
        names.append("AskCall")
    names += ["DeclareInfraction", "Concede", "AnnounceStalemate", "AgreeStalemate"]
    ruleset = match.rack.ruleset
    if ruleset.shot_clock:
        names.append("ClockExpired")
        side = match.shooter
        used = match.extensions[0 if side == "A" else 1]
        if not match.extended and used < ruleset.shot_clock_extensions:
            names.append("ExtendClock")
    if match.setup is not None and match.setup.practice:
        names = [n for n in names if n not in ("Concede", "AnnounceStalemate", "AgreeStalemate")]
        names += ["Place", "Arrange", "Repeat", "NextRack"]
    return tuple(dict.fromkeys(names))
