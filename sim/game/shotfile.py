"""A shot out of a match as a shot file, and a shot file into practice."""

from __future__ import annotations

import rules
from rules.notation import format_state, parse_state
from sim.game import commands as c
from sim.game.facts import positions_of
from sim.game.match import Match, ShotEntry
from sim.game.setup import Setup
from sim.model.errors import FileError
from sim.model.materials import Materials
from sim.shot.files import Call, ShotFile

__all__ = ["practice_commands", "shot_file"]


def shot_file(match: Match, number: int) -> ShotFile:
    """Shot `number` of a match (from 1) as it was played, to be read by `tenball shot`.

    Raises:
        FileError: there is no such shot, or nothing was struck.
    """
    if not 1 <= number <= len(match.log):
        raise no_such_shot(number, len(match.log))
    entry = match.log[number - 1]
    if entry.stroke is None or match.setup is None:
        raise FileError(f"shot {number}: got an infraction without a stroke, expected a stroke")
    return ShotFile(
        layout=entry.layout,
        stroke=entry.stroke,
        materials=match.setup.materials,
        cushion_model=match.setup.cushion_model,
        stick=entry.stick,
        call=_call(entry),
        ruleset=None if entry.rack is None else str(entry.rack.ruleset),
        state=None if entry.rack is None else format_state(entry.rack),
    )


def no_such_shot(number: int, shots: int) -> FileError:
    """The refusal of a shot that a match of so many shots does not have."""
    room = f"1 to {shots}" if shots else "a match with a shot in it"
    return FileError(f"shot: got {number}, expected {room}")


def _call(entry: ShotEntry) -> Call | None:
    made = entry.declaration
    if made.kind is not rules.Kind.SHOT:
        return Call(str(made.kind))
    return Call("shot", made.ball, made.pocket) if made.counts else None


def _law(shot: ShotFile) -> str | None:
    """The ruleset a shot is played under, by name or variation, as `tenball shot` takes it.

    Version 0.1 named the plain ruleset even of a match under a variation, which stood in the state alone.
    """
    if shot.state is None:
        return shot.ruleset
    try:
        law = parse_state(shot.state).ruleset
    except rules.RulesError as error:
        raise FileError(f"state: {error}") from None
    return str(law) if shot.ruleset in (None, law.name) else shot.ruleset


def practice_commands(shot: ShotFile, *, player: str = "A") -> tuple[c.Command, ...]:
    """The commands that set a shot file up for practice: seats, balls, call, stick, aim.

    Raises:
        FileError: the shot starts from motions, not from a stroke; its state cannot be read.
    """
    if shot.stroke is None:
        raise FileError("practice: got a shot that starts from motions, expected a stroke")
    setup = Setup(
        sides=((player,), ("Opponent",)),
        ruleset=_law(shot) or "wpa09",
        table=shot.layout.table,
        cushion_model=shot.cushion_model,
        practice=True,
        materials=shot.materials or Materials(ball_radius=shot.layout.ball_radius),
    )
    commands: list[c.Command] = [c.Seat(setup), c.Arrange(positions_of(shot.layout))]
    if shot.call is not None and 10 in shot.layout:
        if shot.call.kind == "safety":
            commands.append(c.Declare(rules.safety()))
        elif shot.call.ball is not None and shot.call.pocket is not None:
            commands.append(c.Declare(rules.call(shot.call.ball, shot.call.pocket)))
    if shot.stick is not None:
        commands.append(c.TakeStick(shot.stick))
    return (*commands, c.Aim(shot.stroke))
