"""Random racks from a `random.Random`: records that can be, infractions, declarations good and bad.

Hypothesis drives the same functions through `st.randoms`, the soak run through plain seeds.
"""

from __future__ import annotations

from random import Random
from typing import Any

import rules
from rules.ruleset import SWITCHES
from rules.terms import INFRACTION_CODES, Penalty

INFRACTIONS = sorted(INFRACTION_CODES)
BOOLEANS = [name for name in SWITCHES if isinstance(getattr(rules.LBM, name), bool)]


def a_ruleset(rng: Random) -> rules.Ruleset:
    """One of the three, half the time with a switch or two turned."""
    plain = rng.choice(list(rules.RULESETS.values()))
    if rng.random() < 0.5:
        return plain
    changes: dict[str, object] = {
        name: not getattr(plain, name) for name in rng.sample(BOOLEANS, rng.randint(1, 2))
    }
    if rng.random() < 0.2:
        changes["fouls_to_lose"] = rng.randint(1, 3)
    if rng.random() < 0.2:
        changes["ten_last_ball_moment"] = "pocketing"
    return plain.variation(**changes)


def a_declaration(rng: Random, state: rules.RackState) -> rules.Declaration:
    """Mostly what may be declared, sometimes what has to be refused."""
    kinds = list(state.may_declare) if rng.random() < 0.9 else list(rules.Kind)
    kind = rng.choice(kinds)
    balls: tuple[int, ...] = ()
    if kind is rules.Kind.SHOT and rng.random() < 0.9:
        balls = (min(state.balls),) if rng.random() < 0.5 else (rng.choice(sorted(state.balls)),)
    if rng.random() < 0.05:
        balls = rng.choice([(rng.randint(1, 10),), (3, 4), (10,)])
    pocket = rng.choice(rules.POCKETS) if balls and rng.random() < 0.95 else None
    flags = [rng.random() < chance for chance in (0.8, 0.2, 0.1, 0.9, 0.9)]
    return rules.Declaration(kind, balls, pocket, *flags)


def an_infraction(rng: Random) -> rules.Infraction:
    """Any infraction, also such as a ruleset refuses or a referee has to decide."""
    code, side = rng.choice(INFRACTIONS), rng.choice(rules.SIDES)
    if code is rules.FoulCode.TOUCHED_BALL:
        return rules.Infraction(
            code, side, rng.randint(0, 10), rng.random() < 0.5, rng.random() < 0.5
        )
    if code is rules.FoulCode.UNSPORTSMANLIKE:
        # Losing the rack at once is the dull end of a random rack: keep it rare.
        heavy = [Penalty.LOSS_OF_RACK, Penalty.LOSS_OF_MATCH] if rng.random() < 0.1 else []
        penalty = rng.choice([None, Penalty.STANDARD_FOUL, *heavy])
        return rules.Infraction(code, side, penalty=penalty)
    return rules.Infraction(code, side)


def a_record(rng: Random, state: rules.RackState) -> rules.ShotRecord:
    """A record of this rack; one in twenty cannot have happened."""
    up = sorted(state.balls)
    if rng.random() < 0.05:
        seen = tuple(an_infraction(rng) for _ in range(rng.randint(0, 2)))
        return rules.ShotRecord(seen, stroke=False)
    maker = _Maker(rng, up)
    if rng.random() < 0.9:
        maker.seen.append(rules.cue_contact(up[0] if rng.random() < 0.75 else rng.choice(up)))
    steps = rng.randint(0, 9) if not state.is_break else rng.randint(0, 14)
    for _ in range(steps):
        maker.add()
    if rng.random() < 0.08:
        maker.seen.insert(rng.choice([0, len(maker.seen)]), an_infraction(rng))
    if rng.random() < 0.03:
        maker.seen.append(rules.FoulCalled(rng.choice(list(rules.Called))))
    if rng.random() < 0.05:
        maker.seen.append(rules.cushion(rng.randint(0, 10), "head"))
    frozen = ((rng.choice([0, *up]), rng.choice(rules.CUSHIONS)),) if rng.random() < 0.1 else ()
    kissing = (rng.choice(up),) if rng.random() < 0.1 else ()
    return rules.ShotRecord(tuple(maker.seen), frozen, kissing)


class _Maker:
    """Adds sightings that can follow one another."""

    def __init__(self, rng: Random, up: list[int]) -> None:
        self.rng = rng
        self.present = [0, *up]
        self.seen: list[rules.Sighting | rules.Infraction | rules.FoulCalled] = []

    def add(self) -> None:
        """One more sighting (two for a ball that comes out of a pocket), if a ball is left."""
        rng, chance = self.rng, self.rng.random()
        if len(self.present) < 2:
            return
        ball = rng.choice(self.present)
        other = rng.choice([one for one in self.present if one != ball])
        cushion, pocket = rng.choice(rules.CUSHIONS), rng.choice(rules.POCKETS)
        together = bool(self.seen) and rng.random() < 0.1
        if chance < 0.25:
            self.seen.append(rules.ball_ball(ball, other, same_instant=together))
        elif chance < 0.6:
            self.seen.append(rules.cushion(ball, cushion, same_instant=together))
        elif chance < 0.8:
            # Balls fall often, or no rack would end; the cue ball less so.
            ball = max(self.present) if rng.random() < 0.2 else ball
            if ball or rng.random() < 0.3:
                self.seen.append(rules.pocketed(ball, pocket, same_instant=together))
                self.present.remove(ball)
        elif chance < 0.82:
            self.seen.append(rules.off_table(ball))
            self.present.remove(ball)
        elif chance < 0.84:
            self.seen.append(rules.foreign_object(ball, rng.choice(["lamp", "a hand", "é%,("])))
        elif chance < 0.87:
            seconds = rng.choice([0.0, 4.9, 5.0, 5.1])
            self.seen.append(rules.drops_into_pocket(ball, pocket, seconds))
            if seconds <= 5.0:
                self.present.remove(ball)
        elif chance < 0.89:
            self.seen.append(rules.enters_pocket(ball, pocket))
            if rng.random() < 0.8:
                self.seen.append(rules.leaves_pocket(ball, pocket))
            else:
                self.present.remove(ball)
        elif chance < 0.91:
            self.seen.append(rules.supported_over_pocket(ball, pocket, other))
            self.present.remove(ball)
        elif chance < 0.94:
            self.seen.append(rules.past_head_string(ball))
        elif chance < 0.96:
            self.seen.append(rules.leaves_rail(ball, cushion))
        elif chance < 0.98:
            self.seen.append(rules.jaw(ball, pocket))
        else:
            self.seen.append(rules.rail_top(ball, cushion))


def a_state(rng: Random) -> rules.RackState:
    """Any state that can be, for the notation."""
    ruleset = a_ruleset(rng)
    most = ruleset.fouls_to_lose - 1
    number = rng.choice([1, 2, rng.randint(3, 40)])
    balls = rules.OBJECT_BALLS
    if number > 1:
        balls = frozenset(rng.sample(range(1, 10), rng.randint(0, 9))) | {10}
    ending = rng.choice(["open", "option", "won"])
    values: dict[str, Any] = {
        "ruleset": ruleset,
        "breaker": rng.choice(rules.SIDES),
        "shooter": rng.choice(rules.SIDES),
        "shot_number": number,
        "balls": balls,
        "cue_ball": rng.choice(list(rules.CueBall)[:3]),
        "fouls": rules.Counts(rng.randint(0, most), rng.randint(0, most)),
        "warned": frozenset(rng.sample(rules.SIDES, rng.randint(0, 2))),
    }
    if ending == "won":
        values |= {
            "balls": balls - {10},
            "cue_ball": rules.CueBall.NOT_APPLICABLE,
            "winner": rng.choice(rules.SIDES),
            "win_reason": rng.choice(list(rules.WinReason)),
        }
    elif ending == "option":
        cause = rng.choice(list(rules.Cause))
        values["decision"] = rules.Decision.about(rng.choice(rules.SIDES), cause, ruleset)
    else:
        values["push_out_available"] = number > 1 and rng.random() < 0.5
    return rules.RackState(**values)
