"""The reducer: (state, command) -> (state, effects). Pure: no clock, no chance, no file.

    Game --reduce(command)--> Game + effects

A command that is not available raises CommandRefused and changes nothing. Commands with facts
(shots, lags, infractions) are first sent without: the effect that comes back says what to simulate
or rule; `sim.game.session` does that and sends them again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import rules
from rules.race import Race
from sim.game import commands as c
from sim.game.effects import Effect, LagJudged, Notice, SimulateLag
from sim.game.errors import CommandRefused
from sim.game.match import EMPTY, Game, Match, Phase
from sim.game.placement import can_place
from sim.game.shots import choose, declare_infraction, expire_clock, penalise, shoot
from sim.game.turns import begin_rack, conceded, replay_rack, settle, stale
from sim.model.errors import LayoutError
from sim.model.layout import Layout

__all__ = ["reduce", "step"]

Step = tuple[Match, tuple[Effect, ...]]

_MERGED = (c.Aim, c.Place, c.TakeStick)  # a run of these is one step of undo


def reduce(game: Game, command: c.Command) -> tuple[Game, tuple[Effect, ...]]:
    """The game after a command, and what follows from it.

    Raises:
        CommandRefused: the command is not available now; the game is as it was.
    """
    if isinstance(command, c.Undo | c.Redo):
        return _travel(game, command), ()
    after, effects = step(game.now, command)
    if after is game.now:
        return game, effects
    kind = type(command).__name__
    merge = isinstance(command, _MERGED) and game.at > 0 and game.kinds[game.at] == kind
    kept = game.at if merge else game.at + 1
    return (
        Game((*game.states[:kept], after), (*game.kinds[:kept], kind), kept),
        effects,
    )


def step(match: Match, command: c.Command) -> Step:
    """One command on a match, undo aside.

    Raises:
        CommandRefused: it is not available now.
    """
    try:
        handler = _HANDLERS[type(command)]
    except KeyError:
        raise CommandRefused("unknown", f"command: got {command!r:.60}, expected one") from None
    if match.setup is None and not isinstance(command, c.Seat):
        raise CommandRefused("seating", "command: got one before anybody is seated, expected seats")
    return handler(match, command)


def _travel(game: Game, command: c.Undo | c.Redo) -> Game:
    back = isinstance(command, c.Undo)
    room = game.can_undo if back else game.can_redo
    word = "undo" if back else "redo"
    if not 1 <= command.steps <= room:
        raise CommandRefused(
            f"no_{word}",
            f"{word}: got {command.steps} steps, expected 1 to {room}"
            if room
            else f"{word}: got one, expected none: there is nothing to {word}",
        )
    return replace(game, at=game.at - command.steps if back else game.at + command.steps)


def _seat(match: Match, command: c.Seat) -> Step:
    if match.phase is not Phase.SEATING:
        raise CommandRefused("seated", "seats: got them during a match, expected a new match")
    setup = command.setup
    if setup.practice:
        race = Race(setup.law, "A", setup.race_to, members=setup.sides)
        return begin_rack(EMPTY.having(setup=setup), race)
    phase = Phase.LAG if setup.lag else Phase.CHOOSE_BREAKER
    return EMPTY.having(setup=setup, phase=phase), ()


def _lag(match: Match, command: c.Lag) -> Step:
    if match.phase is not Phase.LAG:
        raise CommandRefused(
            "no_lag", f"lag: got one {match.phase.where}, expected it only at the start"
        )
    assert match.setup is not None
    facts = command.facts
    if facts is None:
        return match, (SimulateLag(match.setup, command.a, command.b),)
    told = LagJudged(facts.winner, facts.reason)
    lags = match.lags + 1
    if facts.winner is None:
        return match.having(lags=lags), (told,)
    phase = Phase.CHOOSE_BREAKER
    return match.having(lags=lags, lag_winner=facts.winner, phase=phase), (told,)


def _choose_breaker(match: Match, command: c.ChooseBreaker) -> Step:
    if match.phase is not Phase.CHOOSE_BREAKER:
        due = "the lag first" if match.phase is Phase.LAG else "it only before the first rack"
        raise CommandRefused("no_choice", f"breaker: got one, expected {due}")
    assert match.setup is not None
    if command.breaker not in rules.SIDES:
        raise CommandRefused("breaker", f"breaker: got {command.breaker!r}, expected A or B")
    race = Race(match.setup.law, command.breaker, match.setup.race_to, members=match.setup.sides)
    return begin_rack(match, race)


def _place(match: Match, command: c.Place) -> Step:
    layout = _open_layout(match, "placing")
    assert match.setup is not None
    zone = None if match.rack is None else match.rack.cue_ball
    if match.setup.practice:
        zone = None
    elif command.ball != 0:
        raise CommandRefused(
            "not_in_hand", f"placing: got ball {command.ball}, expected only the cue ball in hand"
        )
    elif match.rack is not None and match.rack.decision is not None:
        raise CommandRefused("decision_pending", "placing: got it while an option is open")
    if (
        match.setup.practice
        and match.rack is not None
        and command.ball not in {0, *match.rack.balls}
    ):
        return _arrange(match, layout, {command.ball: command.xy})
    reason = can_place(layout, command.xy, zone, command.ball)
    if reason is not None:
        raise CommandRefused("place", f"placing: {reason}")
    return match.having(layout=layout.with_({command.ball: command.xy})), ()


def _arranged(match: Match, command: c.Arrange) -> Step:
    layout = _practice_layout(match)
    bare = layout.without(*layout.balls)
    return _arrange(match, bare, dict(command.positions))


def _arrange(match: Match, layout: Layout, balls: dict[int, Any]) -> Step:
    """Practice: balls put anywhere; an ordinary shot of the same side follows."""
    assert match.setup is not None
    try:
        after = layout.with_(balls)
    except LayoutError as error:
        raise CommandRefused("place", f"placing: {error}") from None
    up = frozenset(after.balls) - {0}
    rack = None
    if 10 in up:
        side = match.rack.shooter if match.rack is not None else "A"
        rack = rules.RackState(match.setup.law, side, side, 2, up, rules.CueBall.POSITION)
    fresh = match.having(
        phase=Phase.RACK, layout=after, rack=rack, declaration=None, aim=None, asked=False,
        acknowledging=False, penalty=None, before_last=None, turn_over=True,
    )  # fmt: skip
    return settle(fresh)


def _practice_layout(match: Match) -> Layout:
    if match.setup is None or not match.setup.practice or match.layout is None:
        raise CommandRefused("not_practice", "practice: got it in a match, expected it in practice")
    return match.layout


def _repeat(match: Match, command: c.Repeat) -> Step:
    _practice_layout(match)
    if not match.log:
        raise CommandRefused("no_shot", "repeat: got it before any shot, expected a shot first")
    last = match.log[-1]
    fresh = match.having(
        phase=Phase.RACK, layout=last.layout, rack=last.rack, declaration=last.declaration,
        aim=last.stroke, stick=last.stick, asked=False, acknowledging=False, penalty=None, before_last=None,
        turn_over=True,
    )  # fmt: skip
    if fresh.rack is not None and fresh.rack.is_break:
        fresh = fresh.having(declaration=None)
    return settle(fresh)


def _declare(match: Match, command: c.Declare) -> Step:
    _open_layout(match, "declaration")
    declaration = command.declaration
    if match.rack is None:
        raise CommandRefused("not_ruled", "declaration: got one where no ten is on the table")
    if match.asked and declaration.names_something:
        declaration = replace(declaration, on_request=True)
    waits = (
        declaration.kind is rules.Kind.PUSH_OUT
        and match.rack.ruleset.push_out_needs_acknowledgement
        and declaration.announced
    )
    if waits:
        declaration = replace(declaration, acknowledged=False)
    try:
        rules.check_declaration(match.rack, declaration)
    except rules.DeclarationRefused as error:
        raise CommandRefused(error.code, str(error)) from None
    asked = match.asked and not (declaration.counts or declaration.kind is not rules.Kind.SHOT)
    return match.having(declaration=declaration, acknowledging=waits, asked=asked), ()


def _ask_call(match: Match, command: c.AskCall) -> Step:
    _open_layout(match, "question")
    rack, made = match.rack, match.declaration
    if rack is None or rack.next is None or rack.is_break:
        raise CommandRefused("no_call_due", "question: got one where no call is due, expected none")
    if made is not None and (made.kind is not rules.Kind.SHOT or (made.explicit and made.counts)):
        raise CommandRefused("declared", "question: got one, but the shot has been declared aloud")
    return match.having(asked=True), ()


def _acknowledge(match: Match, command: c.Acknowledge) -> Step:
    if not match.acknowledging or match.declaration is None:
        raise CommandRefused("no_push_out", "acknowledgement: got one, expected a push-out first")
    made = replace(match.declaration, acknowledged=command.accepted)
    text = "acknowledged" if command.accepted else "not acknowledged: it will be an ordinary shot"
    return match.having(declaration=made, acknowledging=False), (Notice(f"Push-out {text}."),)


def _aim(match: Match, command: c.Aim) -> Step:
    _open_layout(match, "aim")
    if match.shooter is None:
        raise CommandRefused("nobody_shoots", "aim: got one while nobody may shoot")
    return match.having(aim=command.stroke), ()


def _take_stick(match: Match, command: c.TakeStick) -> Step:
    _open_layout(match, "stick")
    if match.shooter is None:
        raise CommandRefused("nobody_shoots", "stick: got one while nobody may shoot")
    return match.having(stick=command.stick), ()


def _announce(match: Match, command: c.AnnounceStalemate) -> Step:
    _open_layout(match, "stalemate")
    if match.rack is None or match.setup is None or match.setup.practice:
        raise CommandRefused("no_rack", "stalemate: got one in practice, expected none")
    if match.rack.ruleset.stalemate_form is rules.StalemateForm.INNINGS:
        if not stale(match, judged=True):
            raise _progress(match)
        return replay_rack(match)
    if match.announced is not None:
        raise CommandRefused("announced", "stalemate: got it announced twice, expected once")
    return match.having(announced=(0, 0)), (Notice("The referee announces a stalemate."),)


def _agree(match: Match, command: c.AgreeStalemate) -> Step:
    _open_layout(match, "stalemate")
    if match.rack is None or match.setup is None or match.setup.practice:
        raise CommandRefused("no_rack", "stalemate: got one in practice, expected none")
    if command.side in match.agreed:
        raise CommandRefused("agreed", f"stalemate: got {command.side} again, expected the other")
    after = match.having(agreed=match.agreed | {command.side})
    if len(after.agreed) < 2:
        return after, (Notice(f"{match.side_name(command.side)} agrees to a stalemate."),)
    if not stale(after, judged=True):
        raise _progress(match)
    return replay_rack(after)


def _progress(match: Match) -> CommandRefused:
    assert match.rack is not None
    return CommandRefused(
        "progress",
        f"stalemate: got {match.still[0]} and {match.still[1]} innings without progress, expected "
        f"{match.rack.ruleset.stalemate_turns} of each side "
        f"({match.rack.ruleset.cite('stalemate')})",
    )


def _concede(match: Match, command: c.Concede) -> Step:
    if match.setup is not None and match.setup.practice:
        raise CommandRefused("practice", "concession: got one in practice, expected a match")
    return conceded(match, command.side, command.what)


def _extend(match: Match, command: c.ExtendClock) -> Step:
    _open_layout(match, "extension")
    side, rack = match.shooter, match.rack
    if side is None or rack is None or not rack.ruleset.shot_clock:
        raise CommandRefused("no_clock", "extension: got one, expected a shot clock that runs")
    used = match.extensions[0 if side == "A" else 1]
    if match.extended or used >= rack.ruleset.shot_clock_extensions:
        raise CommandRefused(
            "no_extension",
            f"extension: got one after {used}, expected at most "
            f"{rack.ruleset.shot_clock_extensions} in a rack",
        )
    a, b = match.extensions
    extensions = (a + 1, b) if side == "A" else (a, b + 1)
    return match.having(extended=True, extensions=extensions), ()


def _next_rack(match: Match, command: c.NextRack) -> Step:
    assert match.setup is not None
    if match.setup.practice and match.race is not None:
        return begin_rack(match, match.race)
    if match.phase is not Phase.RACK_OVER or match.race is None:
        raise CommandRefused(
            "rack_open", f"next rack: got it {match.phase.where}, expected a rack that is over"
        )
    return begin_rack(match, match.race)


def _open_layout(match: Match, what: str) -> Layout:
    if match.phase is not Phase.RACK or match.layout is None:
        raise CommandRefused("no_rack", f"{what}: got it {match.phase.where}, expected a rack")
    if match.penalty is not None:
        raise CommandRefused("penalty_due", f"{what}: got it while the referee owes a penalty")
    return match.layout


_HANDLERS: dict[type, Callable[[Match, Any], Step]] = {
    c.Seat: _seat,
    c.Lag: _lag,
    c.ChooseBreaker: _choose_breaker,
    c.Place: _place,
    c.Arrange: _arranged,
    c.Repeat: _repeat,
    c.Declare: _declare,
    c.AskCall: _ask_call,
    c.Acknowledge: _acknowledge,
    c.Aim: _aim,
    c.TakeStick: _take_stick,
    c.Shoot: shoot,
    c.Choose: choose,
    c.DeclareInfraction: declare_infraction,
    c.Penalise: penalise,
    c.AnnounceStalemate: _announce,
    c.AgreeStalemate: _agree,
    c.Concede: _concede,
    c.ExtendClock: _extend,
    c.ClockExpired: expire_clock,
    c.NextRack: _next_rack,
}
