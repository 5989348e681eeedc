"""The scripted player: what it does next in a match, from the match alone.

    turn = ScriptedPlayer(strength=0.8, seed=7).turn(match)     # the commands of its whole turn

It calls what it means, plays safe when no pot is good enough, pushes out and answers options with
some sense. The same match, strength and seed give the same commands on every run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import rules
from sim.game import commands as c
from sim.game.attack import Idea, best_pot, likely, places_for
from sim.game.defence import best_push_out, best_safety
from sim.game.effects import Effect
from sim.game.lag import lag_layout
from sim.game.match import Game, Match, Phase
from sim.game.placement import can_place
from sim.game.prompt import prompt
from sim.game.session import Session
from sim.game.setup import Setup
from sim.game.thinking import Skill, imagine
from sim.model.layout import Layout
from sim.model.stroke import Stroke

__all__ = ["ScriptedPlayer", "lag_command", "play_turn", "turn_start"]

TAKES = 0.45  # plays on rather than handing back from this chance of a pot
PATIENCE = 24  # shots in a rack after which it begins to prefer pots to safeties
BREAK_SAMPLES = 4

_OWN = ("Place", "Declare")


@dataclass(frozen=True)
class ScriptedPlayer:
    """A player of some strength, 0 (beginner) to 1 (champion); `seed` fixes all its chance."""

    strength: float = 0.8
    seed: int = 0

    @property
    def skill(self) -> Skill:
        """The errors of its stroke."""
        return Skill.of(self.strength)

    def rng(self, match: Match, what: int) -> np.random.Generator:
        """Chance that depends on the seed and on where the match stands, not on what was drawn."""
        stand = [self.seed, len(match.log), match.rack_number, match.replays, match.lags, what]
        return np.random.default_rng(stand)

    def turn(self, match: Match) -> tuple[c.Command, ...]:
        """The commands of a whole turn: place, declare, shoot; or the answer that is waited for.

        `match` is as the turn begins; it must be this player's to act, or nobody's.
        """
        waits = prompt(match)
        if waits.need == "breaker":
            return (c.ChooseBreaker(waits.side or "A"),)
        if waits.need == "acknowledgement":
            return (c.Acknowledge(True),)
        if waits.need == "next_rack":
            return (c.NextRack(),)
        if waits.need == "choice":
            return (self._choice(match),)
        if waits.need == "penalty":
            return (c.Penalise(rules.Penalty(waits.options[0])),)
        if waits.need == "break":
            return self._break(match)
        if waits.need in ("shot", "call"):
            return self._shot(match)
        return ()

    def _choice(self, match: Match) -> c.Command:
        rack, layout = match.rack, match.layout
        assert rack is not None
        assert layout is not None
        assert rack.decision is not None
        decision = rack.decision
        takes = likely(layout, rack, self.skill) >= TAKES
        wanted = decision.options[0] if takes else decision.options[-1]
        return c.Choose(decision.player, str(wanted))

    def _shot(self, match: Match) -> tuple[c.Command, ...]:
        idea = self.think(match)
        commands: list[c.Command] = []
        if idea.cue is not None:
            commands.append(c.Place(idea.cue))
        said = idea.declaration
        if match.asked and said.kind is rules.Kind.SHOT and not said.names_something:
            said = rules.safety()  # the opponent wants an answer, and it means to pot nothing
        if said.kind is not rules.Kind.SHOT or said.names_something:
            commands.append(c.Declare(said))
        return (*commands, c.Shoot(self._as_played(match, idea.stroke)))

    def _as_played(self, match: Match, stroke: Stroke) -> Stroke:
        return self.skill.played(stroke, self.rng(match, 1))[0]

    def think(self, match: Match) -> Idea:
        """The best stroke it can think of, without its error."""
        setup, rack, layout = match.setup, match.rack, match.layout
        assert setup is not None
        assert rack is not None
        assert layout is not None
        rng, skill = self.rng(match, 0), self.skill
        in_hand = rack.cue_ball is not rules.CueBall.POSITION
        places = places_for(layout, rack, rng) if in_hand else ()
        pot = best_pot(setup, rack, layout, skill, rng, places)
        ideas = [] if pot is None else [pot]
        if pot is None or pot.chance < 0.75:
            safety = best_safety(setup, rack, layout, skill, rng)
            # A rack must end: the longer it lasts, the less a safety is worth.
            tired = 0.02 * max(rack.shot_number - PATIENCE, 0)
            ideas.append(Idea(safety.stroke, safety.declaration, safety.worth - tired))
        if rack.push_out_available and max(idea.worth for idea in ideas) < 0.44:
            ideas.append(best_push_out(setup, rack, layout, skill, rng))
        return max(ideas, key=lambda idea: idea.worth)

    def _break(self, match: Match) -> tuple[c.Command, ...]:
        """Places and speeds tried with errors; the break that pockets most without a foul."""
        setup, layout = match.setup, match.layout
        assert setup is not None
        assert layout is not None
        rng, skill = self.rng(match, 0), self.skill
        options = [
            (place, stroke)
            for place in _break_places(layout)
            for stroke in _break_strokes(setup, place, self.strength)
        ]
        strokes = [s for _, stroke in options for s in skill.played(stroke, rng, BREAK_SAMPLES)]
        bare = layout.without(0)
        spots = {place: bare.with_({0: place}) for place, _ in options}
        layouts = [spots[place] for place, _ in options for _ in range(BREAK_SAMPLES)]
        seen = imagine(setup, layouts, strokes, 1)
        down = (seen.shots.pocketed[:, 1:] >= 0).sum(axis=1)
        spread = seen.shots.cushion[:, 1:].sum(axis=1)
        worth = np.where(seen.lawful & ((down > 0) | (spread >= 4)), 1.0 + 0.6 * (down > 0), 0.0)
        best = int(np.argmax(worth.reshape(len(options), BREAK_SAMPLES).mean(axis=1)))
        place, stroke = options[best]
        return (c.Place(place), c.Shoot(self._as_played(match, stroke)))


def _break_places(layout: Layout) -> list[tuple[float, float]]:
    table = layout.table
    y = table.head_string - 0.06
    zone = rules.CueBall.IN_HAND_BEHIND_HEAD_STRING
    across = (0.5, 0.42, 0.58, 0.25, 0.75)
    places = [(share * table.width, y) for share in across]
    return [place for place in places if can_place(layout, place, zone) is None]


def _break_strokes(setup: Setup, place: tuple[float, float], strength: float) -> list[Stroke]:
    foot_x, foot_y = setup.table.foot_spot
    azimuth = math.atan2(foot_y - place[1], foot_x - place[0])
    power = 6.5 + 2.5 * strength
    return [
        Stroke(share * power, azimuth, 0.0, vertical)
        for share in (0.85, 1.0)
        for vertical in (0.0, 0.12)
    ]


def lag_command(players: tuple[ScriptedPlayer, ScriptedPlayer], match: Match) -> c.Lag:
    """Both sides' lags: to the foot cushion and back to the head, with their errors."""
    from sim.game.lag import LAG_BALLS, struck
    from sim.shot.simulator import simulate  # loads the compiler: only when it is needed

    assert match.setup is not None
    setup = match.setup
    layout = lag_layout(setup)
    best, near = 2.0, math.inf
    for speed in np.linspace(1.4, 2.9, 31).tolist():
        motion = struck(setup, layout, LAG_BALLS["A"], Stroke(speed, math.pi / 2))
        result = simulate(
            layout.without(LAG_BALLS["B"]),
            motions={LAG_BALLS["A"]: motion},
            materials=setup.materials,
            cushion_model=setup.cushion_model,
        )
        if LAG_BALLS["A"] in result.final.balls:
            y = float(result.final[LAG_BALLS["A"]][1])
            if y < near:
                best, near = speed, y
    a, b = (
        player.skill.played(Stroke(best, math.pi / 2), player.rng(match, 10 + k))[0]
        for k, player in enumerate(players)
    )
    return c.Lag(a, b)


def turn_start(game: Game) -> tuple[Match, int]:
    """(the match as the running turn began, how many of the turn's own commands were sent since).

    A turn that was broken off, by a kill for example, is thought of again from its beginning, so
    that it goes on as it would have.
    """
    at, sent = game.at, 0
    while at > 0 and _same_turn(game.states[at - 1], game.states[at]):
        sent += game.kinds[at] in _OWN
        at -= 1
    return game.states[at], sent


def _same_turn(before: Match, after: Match) -> bool:
    """Whether nothing was played, ruled, chosen or racked between two states, whatever else was said."""
    return (
        before.phase is after.phase
        and before.rack == after.rack
        and before.penalty == after.penalty
        and len(before.log) == len(after.log)
        and (before.rack_number, before.replays) == (after.rack_number, after.replays)
    )


def play_turn(
    session: Session, players: tuple[ScriptedPlayer, ScriptedPlayer]
) -> Iterator[tuple[c.Command, tuple[Effect, ...]]]:
    """Send what the side to act would do; yields each command with its effects, once done.

    Stops where the other side has to answer (a push-out to be acknowledged) or the turn is over.
    """
    if session.match.phase is Phase.LAG:
        command: c.Command = lag_command(players, session.match)
        yield command, session.send(command)
        return
    waits = session.prompt
    player = players[1 if waits.side == "B" else 0]
    if waits.need == "acknowledgement":
        commands = player.turn(session.match)
    else:
        start, sent = turn_start(session.game)
        # Asked for the call within the turn: it thinks the same, and answers.
        commands = player.turn(replace(start, asked=session.match.asked))[sent:]
    for command in commands:
        yield command, session.send(command)
        if session.prompt.need == "acknowledgement":
            return
