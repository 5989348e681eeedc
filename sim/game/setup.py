"""What is settled before a match: who plays what, on which table, with which constants."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

import rules
from rules.race import Race
from sim.game.errors import CommandRefused
from sim.model.materials import Materials
from sim.model.table import Table

__all__ = ["Setup"]

MAX_NAME = 40
# Control characters, ends of lines, halves of letters: none can stand in a line of text.
_NO_LETTERS = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True)
class Setup:
    """The settings of a match.

    Attributes:
        sides: the players of side A and of side B, in their order at the table; a side is one
            player or a team.
        ruleset: `lbm`, `wpa09` or `ten`; given as a variation, `wpa09{shot_clock=true}`, it is
            taken apart into the name and switches.
        switches: (Ruleset field, value) pairs that differ from the ruleset's own.
        table, materials, cushion_model: as for `sim.simulate`; cushion_model None is its default.
        race_to: racks to win.
        seed: of every rack in the match.
        lag: whether the sides lag for the choice of the breaker; else either side may choose.
        practice: free placing, repeated shots, no score.

    Raises:
        CommandRefused: a ruleset, switch, name or number that cannot be.
    """

    sides: tuple[tuple[str, ...], tuple[str, ...]] = (("A",), ("B",))
    ruleset: str = "wpa09"
    switches: tuple[tuple[str, object], ...] = ()
    table: Table = field(default_factory=Table.wpa_9ft)
    materials: Materials = field(default_factory=Materials)
    cushion_model: str | None = None
    race_to: int = 1
    seed: int = 0
    lag: bool = True
    practice: bool = False

    def __post_init__(self) -> None:
        self._take_ruleset_apart()
        if len(self.sides) != 2 or not all(self.sides):
            raise CommandRefused("seats", "seats: got a side without players, expected two sides")
        for name in (player for side in self.sides for player in side):
            if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
                raise CommandRefused(
                    "seats", f"player: got {name!r:.60}, expected a name of 1 to {MAX_NAME} letters"
                )
            if any(unicodedata.category(c) in _NO_LETTERS for c in name):
                raise CommandRefused("seats", f"player: got {name!r:.60}, expected one line")
        if not 0 <= self.seed < 2**63:
            raise CommandRefused("seed", f"seed: got {self.seed}, expected 0 to 2^63 - 1")
        try:
            Race(self.law, "A", self.race_to)
        except rules.RulesError as error:
            raise CommandRefused("setup", str(error)) from None

    def _take_ruleset_apart(self) -> None:
        try:
            law = rules.ruleset(self.ruleset)
        except rules.RulesError as error:
            raise CommandRefused("setup", str(error)) from None
        plain = {name: _plain(value) for name, value in law.switches()}
        if plain:
            object.__setattr__(self, "ruleset", law.name)
            object.__setattr__(self, "switches", tuple((plain | dict(self.switches)).items()))

    @property
    def law(self) -> rules.Ruleset:
        """The ruleset in force, switches included."""
        return rules.ruleset(self.ruleset).variation(**dict(self.switches))


def _plain(value: object) -> object:
    """A switch's value as it comes back from a journal."""
    return tuple(sorted(value)) if isinstance(value, frozenset) else value
