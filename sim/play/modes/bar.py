"""What is always on the screen: score, the one line, balls still up, a notice, some keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.game.match import Match
from sim.model.balls import LOOKS
from sim.play.hud import Hud
from sim.play.inputs import ACTIONS, key_name
from sim.play.modes.base import Mode, words

if TYPE_CHECKING:
    from sim.play.hud import Layer
    from sim.play.settings import Settings

__all__ = ["Bar"]

KEYS_SHOWN = ("shoot", "next", "pause", "call", "safety", "push_out", "camera", "referee", "menu",
              "help")  # fmt: skip


class Bar:
    """Drawn anew only when something in it has changed."""

    def __init__(self, hud: Hud) -> None:
        self._hud = hud
        self._layer: Layer | None = None
        self._shown: tuple[object, ...] = ()

    @property
    def text(self) -> str:
        """The line of who acts, what is needed and how, as it stands there."""
        return "" if self._layer is None else self._layer.lines["line"].text

    def shown(self, name: str) -> str:
        """What one of its lines says: line, score, clock, notice, keys; "" when it is not there."""
        line = None if self._layer is None else self._layer.lines.get(name)
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
        shown_keys = mode.keys()
        keys = tuple(a for a in KEYS_SHOWN if a in shown_keys)
        line = mode.line().replace("_", " ")
        balls = () if match is None or match.rack is None else tuple(sorted(match.rack.balls))
        now = (line, self._score(match), balls, notice, engine, clock, keys,
               settings, self._hud.aspect)  # fmt: skip
        if now == self._shown:
            return
        self._shown = now
        if self._layer is not None:
            self._layer.close()
        layer = self._layer = self._hud.layer(10)
        a = self._hud.aspect
        layer.panel(-a, a, 0.825, 1.0, "bar")
        balls_from = a - 0.06 - 0.082 * len(balls)
        layer.line("line", line, -a + 0.05, 0.855, self._size(line, a), font="SemiBold",
                   colour="accent")  # fmt: skip
        layer.line("score", self._score(match), -a + 0.05, 0.932, 0.036)
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
        names = "     ".join(f"{key_name(settings.key(k))}  {ACTIONS[k].help}" for k in keys)
        layer.line("keys", names, 0.0, -0.978, 0.029, align="centre", colour="dim")
        if notice or engine:
            self._notice(layer, notice or engine)

    def _size(self, line: str, a: float) -> float:
        """Of the line: smaller when it is long, so that it always fits on one line."""
        return min(0.041, 2.05 * (2 * a - 0.1) / max(len(line), 1) / self._hud.scale)

    @staticmethod
    def _notice(layer: Layer, text: str) -> None:
        made = layer.line("notice", text, 0.0, 0.0, 0.035, align="centre", wrap=1.7)
        height = made.height
        made.node.set_z(-0.60 + height)
        layer.panel(-0.92, 0.92, -0.615, -0.56 + height)
        made.node.reparent_to(layer.root)

    def _score(self, match: Match | None) -> str:
        if match is None or match.setup is None:
            return "tenball"
        setup = match.setup
        if setup.practice:
            return f"{match.side_name('A')}   practice   {words(setup.ruleset)}"
        text = (
            f"{match.side_name('A')}  {match.score('A')} : {match.score('B')}  "
            f"{match.side_name('B')}   race to {setup.race_to}   {setup.law.name}"
        )
        if match.rack is not None:
            fouls = match.rack.fouls
            text += f"   rack {match.rack_number}   fouls {fouls.a}:{fouls.b}"
        return text

    def close(self) -> None:
        """Take it away."""
        if self._layer is not None:
            self._layer.close()
            self._layer = None
        self._shown = ()
