"""Whole matches by the quick player, every state and every file looked at.

    python -m tests.game.soak_matches RULESET FIRST LAST     # seeds; prints a line of progress

What is asked of each match: no exception, no impossible state, an end, every ruling reproduced from its
record, every shot played again to the same bits, and the file read back to the same match.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import rules
from sim.game import Session, Setup, read_journal, rulings_check
from sim.game import commands as c
from sim.game.effects import Simulate
from sim.game.match import Match, Phase
from sim.game.player import play_turn
from sim.game.session import engine
from sim.model.layout import Layout
from tests.game.quick_player import QuickPlayer, meddle

TIRED = 150  # shots in a rack after which the referee announces a stalemate and both sides agree
GIVES_UP = 5  # replays after which a side concedes: a match has to end
MOST_TURNS = 4000


@dataclass
class Told:
    """What a soak saw."""

    matches: int = 0
    shots: int = 0
    faults: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    fouls: Counter[str] = field(default_factory=Counter)
    meddled: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"{self.matches} matches, {self.shots} shots, {len(self.faults)} faults; ends "
            f"{dict(self.ends)}; fouls {dict(self.fouls)}; meddled {dict(self.meddled)}"
        )


def impossible(match: Match) -> str | None:
    """What cannot be in a state of a match; None if it can."""
    rack, layout = match.rack, match.layout
    if match.phase is not Phase.RACK or rack is None or layout is None:
        return None
    on = set(layout.balls)
    if on - {0} != set(rack.balls):
        return f"balls on the table {sorted(on)}, in the rack's state {sorted(rack.balls)}"
    if 10 not in on:
        return "the rack goes on without the ten"
    if rack.lowest != min(rack.balls):
        return f"lowest {rack.lowest} of {sorted(rack.balls)}"
    if rack.cue_ball is rules.CueBall.POSITION and 0 not in on:
        return "the cue ball is in position, but not on the table"
    # Checked anew: no overlaps, everything on the bed or hanging over a pocket's edge.
    Layout(
        layout.table, {b: tuple(layout[b].tolist()) for b in layout}, ball_radius=layout.ball_radius
    )
    return None


def play_match(ruleset: str, seed: int, folder: Path, told: Told) -> None:
    """One race to 1; what is wrong with it goes into `told.faults`."""
    rng = np.random.default_rng([seed, 7])
    path = folder / f"{ruleset}-{seed}.tenball"
    strengths = rng.uniform(0.3, 1.0, 2).tolist()
    players = (QuickPlayer(strengths[0], 2 * seed), QuickPlayer(strengths[1], 2 * seed + 1))
    name = f"{ruleset} seed {seed}"
    with Session.create(path) as session:
        session.send(c.Seat(Setup(ruleset=ruleset, race_to=1, seed=seed, lag=seed % 4 == 0)))
        for _ in range(MOST_TURNS):
            match = session.match
            if match.phase is Phase.MATCH_OVER:
                break
            rack = match.rack
            if rack is not None and rack.shot_number > TIRED and rack.decision is None:
                _end_it(session, told)
            else:
                done = meddle(session, rng)
                told.meddled.update([done] if done else [])
                if session.match.phase is not Phase.MATCH_OVER:
                    for _command, _effects in play_turn(session, players):
                        pass
            wrong = impossible(session.match)
            if wrong is not None:
                told.faults.append(f"{name}, after shot {len(session.match.log)}: {wrong}")
        match = session.match
    told.matches += 1
    told.shots += len(match.log)
    told.ends[_how_it_ended(match)] += 1
    if match.phase is not Phase.MATCH_OVER:
        told.faults.append(f"{name}: no end after {MOST_TURNS} turns")
    told.faults += [f"{name}: {text}" for text in _again(match, path)]
    for entry in match.log:
        told.fouls.update(f["code"] for f in (entry.facts.ruling or {}).get("fouls", ()))
    path.unlink()


def _end_it(session: Session, told: Told) -> None:
    if session.match.replays >= GIVES_UP:
        session.send(c.Concede("A", "match"))
        return
    session.send(c.AnnounceStalemate())
    for side in rules.SIDES:
        session.send(c.AgreeStalemate(side))
    told.ends["stalemate, racked again"] += 1


def _how_it_ended(match: Match) -> str:
    ruling = (match.log[-1].facts.ruling or {}) if match.log else {}
    return str(ruling.get("win_reason") or "conceded")


def _again(match: Match, path: Path) -> list[str]:
    """What differs when the file is read and its shots are ruled and played again."""
    found = [str(d) for d in rulings_check(match)]
    read = read_journal(path).game.now
    if read != match:
        found.append("the file reads back as another match")
    assert match.setup is not None
    for entry in match.log:
        if entry.stroke is None or len(entry.facts.record.sightings) == 0:
            continue
        question = Simulate(
            match.setup, entry.layout, entry.stroke, entry.stick, entry.rack, entry.declaration
        )
        again, _ = engine(question)
        if again.final != entry.facts.final:
            found.append(f"shot {entry.number} ends elsewhere when played again")
    return found


def soak(ruleset: str, seeds: range, progress: bool = False) -> Told:
    """Matches of these seeds."""
    told = Told()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            known = len(told.faults)
            try:
                play_match(ruleset, seed, Path(folder), told)
            except Exception as error:  # every kind is a fault, and the soak goes on
                told.faults.append(f"{ruleset} seed {seed}: {type(error).__name__}: {error}"[:400])
            if progress and told.faults[known:]:
                print("\n".join(told.faults[known:]), flush=True)
            if progress and (seed - seeds.start) % 20 == 19:
                print(f"{ruleset} {seed + 1}: {time.monotonic() - start:.0f} s; {told}", flush=True)
    return told


if __name__ == "__main__":
    result = soak(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])), progress=True)
    print(result)
    print("\n".join(result.faults))
