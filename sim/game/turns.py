"""How a match goes on after a ruling: warnings, innings, racks, the race. Pure functions."""

from __future__ import annotations

from dataclasses import replace

import rules
from rules.race import NoProgress, Race, is_stalemate
from sim.game.effects import Effect, MatchOver, Notice, Racked, RackOver
from sim.game.errors import CommandRefused
from sim.game.match import Match, Phase
from sim.game.placement import placement
from sim.game.setup import Setup
from sim.model.layout import Layout
from sim.model.rack import rack as racked
from sim.model.stroke import PLAYING_STICK

__all__ = ["begin_rack", "conceded", "count_still", "end_rack", "replay_rack", "settle", "stale"]

Step = tuple[Match, tuple[Effect, ...]]


def racked_layout(setup: Setup, number: int, replays: int) -> Layout:
    """The balls of rack `number`: order and gaps follow from the match's seed alone."""
    order = "lbm" if setup.law.rear_corner_balls else "wpa"
    seed = (setup.seed * 1_000_003 + number * 101 + replays) % 2**63
    return racked(setup.table, seed=seed, order=order, ball_radius=setup.materials.ball_radius)


def begin_rack(match: Match, race: Race, *, replayed: rules.RackState | None = None) -> Step:
    """Rack the balls for the next rack of the race, or for one that is replayed."""
    assert match.setup is not None
    state = race.rack() if replayed is None else replayed
    number = match.rack_number + (replayed is None)
    replays = 0 if replayed is None else match.replays + 1
    layout = placement(state, racked_layout(match.setup, number, replays))
    fresh = match.having(
        phase=Phase.RACK,
        race=race,
        rack=state,
        rack_number=number,
        replays=replays,
        layout=layout,
        turn=None,
        turn_over=True,
        still=(0, 0),
        announced=None,
        agreed=frozenset(),
        extensions=(0, 0),
        before_last=None,
    )
    after, effects = settle(clear_shot(fresh))
    return after, (Racked(number, state.breaker), *effects)


def clear_shot(match: Match) -> Match:
    """Nothing declared, aimed or asked: ready for another stroke."""
    practice = match.setup is not None and match.setup.practice
    return match.having(
        declaration=None, aim=None, asked=False, acknowledging=False, extended=False, penalty=None,
        stick=match.stick if practice else PLAYING_STICK,
    )  # fmt: skip


def settle(match: Match) -> Step:
    """Whatever follows from the state of the rack by itself: its end, a warning, an inning."""
    rack = match.rack
    if rack is None or match.phase is not Phase.RACK:
        return match, ()
    if rack.winner is not None:
        return end_rack(match)
    side = rack.next
    if side is None:
        return match, ()
    effects: list[Effect] = []
    if side in rack.warning_due:
        # The referee of this game never forgets the warning that 6.14 asks for.
        rack = rules.warn(rack, side)
        name = match.side_name(side)
        effects.append(Notice(f"{name} is warned: {rack.fouls.of(side)} fouls in succession."))
        match = match.having(rack=rack)
    if match.turn_over or match.turn != side:
        a, b = match.innings
        innings = (a + 1, b) if side == "A" else (a, b + 1)
        match = match.having(turn=side, innings=innings, turn_over=False)
    return match, tuple(effects)


def end_rack(match: Match) -> Step:
    """The rack is won: score it."""
    rack, race = match.rack, match.race
    assert rack is not None
    assert rack.winner is not None
    reason = str(rack.win_reason or "")
    over = RackOver(rack.winner, reason)
    if match.setup is not None and match.setup.practice:
        return match.having(phase=Phase.RACK_OVER), (over,)
    assert race is not None
    if race.winner is None:
        race = race.won_by(rack.winner)
    phase = Phase.RACK_OVER if race.winner is None else Phase.MATCH_OVER
    after = match.having(race=race, phase=phase)
    if race.winner is None:
        return after, (over,)
    return after, (over, MatchOver(race.winner))


def conceded(match: Match, side: rules.Side, what: str) -> Step:
    """`side` gives up the rack or the match."""
    rack, race = match.rack, match.race
    if race is None or match.phase in (Phase.MATCH_OVER, Phase.SEATING):
        raise CommandRefused("no_rack", "concession: got one outside a match, expected one in it")
    if what == "match":
        race = race.lost_by(side)
        after = clear_shot(match).having(race=race, phase=Phase.MATCH_OVER, before_last=None)
        return after, (MatchOver(rules.other_side(side)),)
    if match.phase is not Phase.RACK or rack is None:
        raise CommandRefused("no_rack", "concession: got one between racks, expected one in a rack")
    after = clear_shot(match).having(rack=rules.concede(rack, side), before_last=None)
    return settle(after)


def count_still(match: Match, side: rules.Side, *, ended: bool, progress: bool) -> Match:
    """Count innings without progress, for the stalemate."""
    if progress:
        return match.having(
            still=(0, 0), announced=None if match.announced is None else (0, 0), agreed=frozenset()
        )
    if not ended:
        return match
    still = _one_more(match.still, side)
    announced = None if match.announced is None else _one_more(match.announced, side)
    return match.having(still=still, announced=announced)


def _one_more(counts: tuple[int, int], side: rules.Side) -> tuple[int, int]:
    a, b = counts
    return (a + 1, b) if side == "A" else (a, b + 1)


def stale(match: Match, *, judged: bool = False) -> bool:
    """Whether the rack is a stalemate by the rules, as things stand."""
    assert match.rack is not None
    turns = match.announced or (0, 0)
    seen = NoProgress(
        {"A": match.still[0], "B": match.still[1]},
        {"A": turns[0], "B": turns[1]},
        judged=judged or None,
        announced=match.announced is not None or len(match.agreed) == 2,
        both_agree=len(match.agreed) == 2,
    )
    return is_stalemate(match.rack.ruleset, seen)


def replay_rack(match: Match) -> Step:
    """The rack is played again; the same side breaks."""
    assert match.rack is not None
    assert match.race is not None
    state = rules.replay(replace(match.rack, decision=None))
    after, effects = begin_rack(match, match.race, replayed=state)
    return after, (Notice("Stalemate: the rack is played again, the same side breaks."), *effects)
