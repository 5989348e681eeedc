"""Who plays what on which table: the settings of a match or of practice."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import rules
from sim.game.setup import Setup
from sim.model.materials import FrictionLaw, Materials
from sim.model.table import Table
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode, words
from sim.play.modes.wording import rules_name

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["BALLS", "CLOTH_SPEEDS", "RULES_TEXT", "SetupMode"]

RULES_TEXT = {
    "wpa09": "The world rules: call shot, push-out, option after an uncalled ball.",
    "lbm": "The Montreal league: the opponent acknowledges a push-out.",
    "ten": "The later text: a ten pocketed early is spotted and does not win.",
}
# Within the ranges that Alciatore publishes: rolling 0.005-0.015, sliding 0.15-0.4.
CLOTH_SPEEDS: dict[str, dict[str, Any]] = {
    "tournament": {},
    "club": {"mu_roll": 0.013, "mu_slide": 0.22},
    "napped, slow": {"mu_roll": 0.015, "mu_slide": 0.25},
}
# Restitution within the published 0.92-0.98. No source of ours has measured how friction between balls grows
# as they age: the laws of "played" and "old" are examples, and the page says so.
BALLS: dict[str, dict[str, Any]] = {
    "new, clean": {},
    "played, dusty": {"e_ball": 0.93, "mu_ball": FrictionLaw(0.03, 0.12, 1.0)},
    "old, dull": {"e_ball": 0.92, "mu_ball": FrictionLaw(0.06, 0.12, 1.0)},
}
CUSHIONS_TEXT = {"measured": None, "Mathavan 2010": "mathavan2010", "Han 2005": "han2005"}
TABLES_TEXT = {"9 ft": "wpa_9ft", "8 ft": "wpa_8ft", "7 ft": "wpa_7ft"}
RACES = (1, 2, 3, 5, 7, 9, 11, 13)
BREAKS = ("alternate", "winner", "loser")
NAMES = ("Player 1", "Player 2")
ON_OFF = ("on", "off")


class SetupMode(Mode):
    """Choose, then start."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "accept": "start"}

    def __init__(self, game: Game, *, practice: bool, back: Mode, seed: int | None = None) -> None:
        super().__init__(game)
        self.practice, self.back = practice, back
        self.names = list(NAMES)
        self.seed = secrets.randbits(31) if seed is None else seed
        self.values: dict[str, Any] = {
            "ruleset": "wpa09",
            "race": 1,
            "break": "alternate",
            "lag": "on",
            "table": "9 ft",
            "clock": "off",
            "aids": game.settings.aids,
            "cloth": "tournament",
            "cushions": "measured",
            "balls": "new, clean",
        }

    def _rows(self) -> list[tuple[str, str, Sequence[Any]]]:
        match = [
            ("race", "Racks to win", RACES),
            ("break", "Who breaks next", BREAKS),
            ("lag", "Lag for the break", ON_OFF),
            ("clock", "Shot clock", ON_OFF),
        ]
        both: list[tuple[str, str, Sequence[Any]]] = [
            ("table", "Table", tuple(TABLES_TEXT)),
            ("aids", "Aiming aids", ("all", "line", "none")),
            ("cloth", "Cloth speed", tuple(CLOTH_SPEEDS)),
            ("cushions", "Cushion model", tuple(CUSHIONS_TEXT)),
            ("balls", "Balls", tuple(BALLS)),
        ]
        return both if self.practice else [*match, *both]

    def build(self, layer: Layer) -> None:
        half, top = 1.55, 0.80
        layer.panel(-half, half, -0.82, top)
        title = "Practice" if self.practice else "New match"
        layer.line("title", title, -half + 0.08, top - 0.11, 0.058, font="Bold")
        players = self.names[:1] if self.practice else self.names
        for k, name in enumerate(players):
            z = top - 0.20 - 0.10 * k
            label = "Player" if self.practice else f"Player {k + 1}"
            layer.line(f"label {k}", label, -half + 0.08, z - 0.012, 0.038)
            layer.entry(f"name {k}", name, -half + 0.50, z, width=0.80, default=NAMES[k])
        rows = self._rows()
        for k, (name, text, _) in enumerate(rows):
            z = top - 0.42 - 0.092 * k
            layer.line(f"label {name}", text, -half + 0.08, z - 0.012, 0.038)
            layer.button(
                name, words(self.values[name]), -half + 0.90, z, partial(self.change, name),
                width=0.80,
            )  # fmt: skip
        self._rules(layer, 0.02, half, top)
        layer.button("start", "Start", half - 0.32, -0.73, self.start, width=0.48, chosen=True)
        layer.button("back", "Back", half - 0.84, -0.73, self.done, width=0.48)

    def _rules(self, layer: Layer, left: float, half: float, top: float) -> None:
        """The three rulesets, and how the chosen one differs from the world rules."""
        layer.line("rules", "Rules", left, top - 0.18, 0.042, font="SemiBold", colour="accent")
        width = half - left - 0.06
        for k, name in enumerate(RULES_TEXT):
            layer.button(
                f"rules {name}", rules_name(name), left + (k + 0.5) * width / 3, top - 0.26,
                partial(self.take_rules, name), width=width / 3 - 0.02,
                chosen=self.values["ruleset"] == name,
            )  # fmt: skip
        chosen = self.values["ruleset"]
        about = RULES_TEXT[chosen]
        z = top - 0.37
        line = layer.line("about", about, left, z, 0.034, wrap=width)
        z -= line.height + 0.05
        for k, text in enumerate(rule_lines(chosen)):
            if z < -0.35:
                break
            made = layer.line(
                f"rule {k}", f"\u2022 {text}", left, z, 0.032, wrap=width, colour="dim"
            )
            z -= made.height + 0.018
        values = physics_lines(self.values["cloth"], self.values["balls"])
        layer.line("physics", "\n".join(values), left, -0.47, 0.029, wrap=width, colour="dim")

    def keys(self) -> Keys:
        return {"accept": self.start, "menu": self.done}

    def line(self) -> str:
        return (
            "Anybody: click a name to type another, a value to change it; then Start "
            f"({self.key('accept')})."
        )

    # --- what the buttons do ----------------------------------------------------------------------

    def _typed(self) -> None:
        assert self.layer is not None
        for k in range(2):
            entry = self.layer.entries.get(f"name {k}")
            if entry is not None:
                self.names[k] = str(entry.get()).strip() or NAMES[k]

    def change(self, name: str) -> None:
        """The next value of a row."""
        values = next(list(v) for n, _, v in self._rows() if n == name)
        self.values[name] = values[(values.index(self.values[name]) + 1) % len(values)]
        self._typed()
        self.rebuild()

    def take_rules(self, name: str) -> None:
        """Choose a ruleset."""
        self.values["ruleset"] = name
        self._typed()
        self.rebuild()

    def setup(self) -> Setup:
        """The settings as they stand.

        Raises:
            CommandRefused: a name that cannot be.
        """
        v = self.values
        switches: list[tuple[str, object]] = []
        if not self.practice:
            if v["break"] != str(rules.ruleset(v["ruleset"]).break_order):
                switches.append(("break_order", v["break"]))
            if v["clock"] == "on":
                switches.append(("shot_clock", True))
        return Setup(
            sides=((self.names[0],), ("Opponent" if self.practice else self.names[1],)),
            ruleset=v["ruleset"],
            switches=tuple(switches),
            table=Table.named(TABLES_TEXT[v["table"]]),
            materials=Materials(**CLOTH_SPEEDS[v["cloth"]], **BALLS[v["balls"]]),
            cushion_model=CUSHIONS_TEXT[v["cushions"]],
            race_to=1 if self.practice else v["race"],
            seed=self.seed,
            lag=v["lag"] == "on",
            practice=self.practice,
        )

    def start(self) -> Mode:
        """Seat the players."""
        self._typed()
        return self.game.new_match(self.setup(), aids=self.values["aids"])

    def done(self) -> Mode:
        """Back to the menu."""
        return self.back


def physics_lines(cloth: str, balls: str) -> list[str]:
    """What a cloth and balls are to the engine, and how well that is known."""
    m = Materials(**CLOTH_SPEEDS[cloth], **BALLS[balls])
    law = "measured" if not BALLS[balls] else "only an example: aged balls are not measured"
    return [
        f"Cloth: friction {m.mu_roll:.3f} rolling, {m.mu_slide:.2f} sliding; published "
        "0.005\u20130.015, 0.15\u20130.40",
        f"Balls: restitution {m.e_ball:.2f} (published 0.92\u20130.98), friction {_at_1(m):.2f} at "
        f"1 m/s of slip ({law})",
    ]


def _at_1(materials: Materials) -> float:
    law = materials.mu_ball
    return law.a + law.b * math.exp(-law.c) if isinstance(law, FrictionLaw) else float(law)


def rule_lines(name: str) -> list[str]:
    """How a ruleset differs from the world rules, a line each; what the world rules say first."""
    if name == "wpa09":
        return [
            "every shot is called; an uncalled ball gives the opponent the option",
            "after a legal break the shooter may push out",
            "a ten called and made legally wins at any time",
            "three fouls in succession lose the rack, after a warning",
        ]
    return [
        f"{about}: {words(mine)} (WPA 2009: {words(theirs)})"
        for field, about, mine, theirs in _differences(name)
        if field != "rear_corner_balls"
    ]


def _differences(name: str) -> list[tuple[str, str, str, str]]:
    rows = rules.differences(rules.ruleset(name), rules.WPA_2009)
    return [(f, about, _word(a), _word(b)) for f, about, a, b in rows]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
