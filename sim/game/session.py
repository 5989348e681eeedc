"""A match being played: the reducer, the engine that answers its questions, the file on disk.

    session = Session.create("friday.tenball")      # or Session() without a file
    session.send(Seat(Setup(...)))
    effects = session.send(Shoot(stroke))           # simulated, ruled, on disk, then shown

Whatever `send` returns is on the disk already.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rules
from sim.game import commands as c
from sim.game.effects import Effect, Rule, Simulate, SimulateLag
from sim.game.errors import CommandRefused
from sim.game.facts import ShotFacts, rule_shot, shot_facts
from sim.game.journal import Journal
from sim.game.lag import play_lag
from sim.game.match import Game, Match
from sim.game.prompt import Prompt, prompt
from sim.game.reducer import reduce

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["Engine", "Session", "engine"]

Engine = Callable[[Simulate | SimulateLag], tuple[Any, Any]]
"""Answers a question with (facts, result); the result is for pictures and may be None."""


def engine(question: Simulate | SimulateLag) -> tuple[Any, Result]:
    """The real engine: simulate, witness, adjudicate, place."""
    from sim.shot.simulator import simulate  # loads the compiler: only when something is played

    if isinstance(question, SimulateLag):
        return play_lag(question.setup, question.a, question.b)
    setup = question.setup
    result = simulate(
        question.layout,
        question.stroke,
        materials=setup.materials,
        cushion_model=setup.cushion_model,
        stick=question.stick,
    )
    return shot_facts(question.rack, question.declaration, result), result


class Session:
    """A match being played, in memory or on disk.

    Attributes:
        game: the match with its past, for undo.
        result: of the last shot or lag played in this session, for its picture; None before.
        problems: what was wrong with the file it was continued from.
    """

    def __init__(self, journal: Journal | None = None, *, play: Engine = engine) -> None:
        self.game = Game()
        self.result: Any = None
        self.problems: tuple[str, ...] = ()
        self._journal = journal
        self._play = play

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, play: Engine = engine) -> Session:
        """A new match on disk.

        Raises:
            JournalError: the file is there already, or cannot be written.
        """
        return cls(Journal.create(path), play=play)

    @classmethod
    def resume(cls, path: str | os.PathLike[str], *, play: Engine = engine) -> Session:
        """Continue a match from its last state; nothing is simulated again.

        Raises:
            JournalError: nothing of a match can be read, or another program has it open.
        """
        journal, text = Journal.resume(path)
        session = cls(journal, play=play)
        session.game, session.problems = text.game, text.problems
        return session

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.game.now

    @property
    def prompt(self) -> Prompt:
        """Who acts, what is needed and how."""
        return prompt(self.match)

    def send(self, command: c.Command) -> tuple[Effect, ...]:
        """Do a command: what follows from it, once it is on the disk.

        Raises:
            CommandRefused: it is not available now.
            JournalError: it cannot be written; the match is as it was.
            StrokeError, EngineError: the stroke cannot be played; the match is as it was.
        """
        game, effects = reduce(self.game, command)
        result = self.result
        for effect in effects:
            if isinstance(effect, Simulate | SimulateLag | Rule):
                facts, result = self._answer(effect)
                command = replace(command, facts=facts)
                game, effects = reduce(self.game, command)
                break
        if self._journal is not None and game is not self.game:
            self._journal.append(command)
        self.game, self.result = game, result
        return effects

    def _answer(self, question: Simulate | SimulateLag | Rule) -> tuple[Any, Any]:
        try:
            if isinstance(question, Rule):
                return ruled_facts(question), self.result
            return self._play(question)
        except rules.RulesError as error:
            raise CommandRefused(getattr(error, "code", "ruling"), str(error)) from None

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def ruled_facts(question: Rule) -> ShotFacts:
    """The facts of a record that is ruled on without anything being played."""
    return rule_shot(
        question.rack,
        question.declaration,
        question.record,
        question.final,
        duration=question.duration,
        engine=question.engine,
    )
