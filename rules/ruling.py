"""What the referee answers: fouls, open decisions, and the ruling on one shot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .terms import Cause, Choice, CueBall, FoulCode, Inning, Side, WinReason

if TYPE_CHECKING:  # the state holds an open decision, so the state module imports this one
    from .ruleset import Ruleset
    from .state import RackState


@dataclass(frozen=True, slots=True)
class Foul:
    """One foul seen: what, by which article of the ruleset in force, why, and by whom."""

    code: FoulCode
    article: str
    explanation: str
    side: Side


@dataclass(frozen=True, slots=True)
class Decision:
    """An open option: who decides, why, between what, and by which article."""

    player: Side
    cause: Cause
    options: tuple[Choice, ...]
    article: str
    reason: str

    @classmethod
    def about(cls, player: Side, cause: Cause, ruleset: Ruleset) -> Decision:
        """The option that a cause gives to a player under a ruleset."""
        subject, options, reason = _OPTIONS[cause]
        return cls(player, cause, options, ruleset.cite(subject), reason)


_OPTIONS: Final = {
    Cause.WRONGFUL_POCKET: (
        "wrongful_pocket",
        (Choice.ACCEPT, Choice.HAND_BACK),
        "a ball was pocketed that was not made as called",
    ),
    Cause.SAFETY_POCKET: (
        "safety_pocket",
        (Choice.ACCEPT, Choice.HAND_BACK),
        "a ball was pocketed on a declared safety",
    ),
    Cause.PUSH_OUT: (
        "push_out",
        (Choice.ACCEPT, Choice.HAND_BACK),
        "the opponent pushed out without a foul",
    ),
    Cause.THREE_POINT_BREAK: (
        "three_point_break",
        (Choice.ACCEPT_WITHOUT_PUSH_OUT, Choice.HAND_BACK_PUSH_OUT_ALLOWED),
        "the break did not make its points",
    ),
}
"""For each cause of an option: the subject whose article is cited, the choices, the reason."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on one shot.

    `fouls` are all that were seen, `penalised` the one that is enforced and counted. `next` is
    who shoots next, None while a decision is open or the rack is over. `push_out_next` is None
    where it depends on the open decision. `warning_due` are the sides on two fouls who must be
    warned when they come to the table. `loses_match` is the side that unsportsmanlike conduct
    cost the match. `state` is the rack after the shot, with any open decision in it.
    """

    state: RackState
    legal: bool
    fouls: tuple[Foul, ...]
    penalised: Foul | None
    inning: Inning
    next: Side | None
    decision: Decision | None
    cue_ball: CueBall
    pocketed: tuple[int, ...]
    off_table: tuple[int, ...]
    spotted: tuple[int, ...]
    push_out_next: bool | None
    warning_due: tuple[Side, ...]
    winner: Side | None
    win_reason: WinReason | None
    loses_match: Side | None
    article: str
    explanation: str

    @property
    def on_table_after(self) -> tuple[int, ...]:
        """The object balls on the table after the shot and after spotting, ascending."""
        return tuple(sorted(self.state.balls))

    @property
    def lowest_after(self) -> int | None:
        """The ball that must be contacted first on the next shot, None if none is left."""
        return min(self.state.balls, default=None)

    def as_dict(self) -> dict[str, object]:
        """The ruling as plain data, under the names of the casebook format."""
        decision = self.decision
        return {
            "legal": self.legal,
            "fouls": [
                {
                    "code": str(foul.code),
                    "article": foul.article,
                    "side": foul.side,
                    "explanation": foul.explanation,
                }
                for foul in self.fouls
            ],
            "penalised": None if self.penalised is None else str(self.penalised.code),
            "inning": str(self.inning),
            "next": self.next,
            "decision": None
            if decision is None
            else {
                "player": decision.player,
                "cause": str(decision.cause),
                "options": [str(option) for option in decision.options],
                "article": decision.article,
                "reason": decision.reason,
            },
            "cue_ball": str(self.cue_ball),
            "pocketed": list(self.pocketed),
            "off_table": list(self.off_table),
            "spotted": list(self.spotted),
            "on_table_after": list(self.on_table_after),
            "lowest_after": self.lowest_after,
            "push_out_next": "depends on choice"
            if self.push_out_next is None
            else self.push_out_next,
            "fouls_after": {"A": self.state.fouls.a, "B": self.state.fouls.b},
            "warning_due": list(self.warning_due),
            "rack_winner": self.winner,
            "win_reason": None if self.win_reason is None else str(self.win_reason),
            "loses_match": self.loses_match,
            "article": self.article,
            "explanation": self.explanation,
        }
