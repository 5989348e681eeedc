"""What is always on the screen: score, the one line, balls still up, a notice, some keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.game.match import Match
from sim.model.balls import LOOKS
from sim.play.hud import Hud
from sim.play.modes.base import Mode
from sim.play.modes.wording import rules_name

if TYPE_CHECKING:
    from sim.play.hud import Layer
    from sim.play.settings import Settings

__all__ = ["Bar"]

KEYS_SHOWN = ("shoot", "next", "pause", "accept", "aim", "speed", "pace", "call", "safety",
              "push_out", "no_call", "camera", "referee", "menu", "help")  # fmt: skip
PAIRS = {
    "aim": ("aim_left", "aim_right"), "speed": ("softer", "harder"), "pace": ("slower", "faster"),
}  # fmt: skip
"""Shown as one: {what two keys change: their actions}."""
SHORT = {
    "shoot": "shoot", "next": "go on", "call": "call", "safety": "safety", "push_out": "push-out",
    "no_call": "no call", "camera": "camera", "help": "help",
}  # fmt: skip


class Bar:
    """Drawn anew only when something in it has changed."""

    def __init__(self, hud: Hud) -> None:
        self._hud = hud
        self.layer: Layer | None = None
        self._shown: tuple[object, ...] = ()

    @property
    def text(self) -> str:
        """The line of who acts, what is needed and how, as it stands there."""
        return "" if self.layer is None else self.layer.lines["line"].text

    def shown(self, name: str) -> str:
        """What one of its lines says: line, score, clock, notice, keys; "" when it is not there."""
        line = None if self.layer is None else self.layer.lines.get(name)
        return "" if line is None else line.text

    def show(
        self,
        mode: Mode,
        match: Match | None,
        notice: str,
        engine: str,
        clock: tuple[str, bool] | None,
        settings: Settings,
    ) -> None:
        """Show the state of things."""
        keys = self._keys(mode)
        line = mode.line()
        balls = () if match is None or match.rack is None else tuple(sorted(match.rack.balls))
        now = (line, self._score(match), balls, notice, engine, clock, keys,
               settings, self._hud.aspect)  # fmt: skip
        if now == self._shown:
            return
        self._shown = now
        if self.layer is not None:
            self.layer.close()
        layer = self.layer = self._hud.layer(10)
        a = self._hud.aspect
        layer.panel(-a, a, 0.825, 1.0, "bar")
        balls_from = a - 0.06 - 0.082 * len(balls)
        layer.line("line", line, -a + 0.05, 0.855, 0.041, font="SemiBold", colour="accent",
                   fit=2 * a - 0.10)  # fmt: skip
        layer.line("score", self._score(match), -a + 0.05, 0.932, 0.036,
                   fit=balls_from - 0.24 + a)  # fmt: skip
        for k, ball in enumerate(balls):
            text = LOOKS[ball].colour
            r, g, b = (int(text[j : j + 2], 16) / 255 for j in (1, 3, 5))
            x = balls_from + 0.06 + 0.082 * k
            if k == 0:
                layer.ball(0, x, 0.945, 0.042, layer.hud.colours["accent"])
            layer.ball(ball, x, 0.945, 0.034, (r, g, b, 1))
        if clock is not None:
            layer.line("clock", clock[0], balls_from - 0.04, 0.932, 0.044, align="right",
                       font="Bold", colour="bad" if clock[1] else "text")  # fmt: skip
        layer.panel(-a, a, -1.0, -0.935, "bar")
        layer.line("keys", keys, 0.0, -0.979, 0.032, align="centre", fit=2 * a - 0.10)
        if notice or engine:
            self._notice(layer, notice or engine)

    @staticmethod
    def _keys(mode: Mode) -> str:
        """The keys that are wanted most, and what they do here."""
        working, shown = mode.keys(), []
        if "next" in working:
            working.pop("accept", None)  # the same, twice
        for name in KEYS_SHOWN:
            actions = PAIRS.get(name, (name,))
            if all(a in working for a in actions):
                said = (
                    mode.says.get(name)
                    or SHORT.get(name)
                    or (name if name in PAIRS else mode.key_help(name))
                )
                shown.append(f"{' '.join(map(mode.key, actions))}  {said}")
        return "      ".join(shown)

    @staticmethod
    def _notice(layer: Layer, text: str) -> None:
        made = layer.line("notice", text, 0.0, 0.0, 0.035, align="centre", wrap=1.7)
        made.node.set_z(-0.595 - made.box[2])
        layer.panel(-0.92, 0.92, -0.615, made.box[3] + 0.02)
        made.node.reparent_to(layer.root)

    def _score(self, match: Match | None) -> str:
        if match is None or match.setup is None:
            return "tenball"
        setup = match.setup
        if setup.practice:
            return f"{match.side_name('A')}   practice   {rules_name(setup.ruleset)}"
        text = (
            f"{match.side_name('A')}  {match.score('A')} : {match.score('B')}  "
            f"{match.side_name('B')}   race to {setup.race_to}   {rules_name(setup.ruleset)}"
        )
        if match.rack is not None:
            fouls = match.rack.fouls
            text += f"   rack {match.rack_number}   fouls in a row {fouls.a} : {fouls.b}"
        return text

    def close(self) -> None:
        """Take it away."""
        if self.layer is not None:
            self.layer.close()
            self.layer = None
        self._shown = ()
