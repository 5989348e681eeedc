"""The lag: each side sets its stroke, then both balls run at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import rules
from sim.game import commands as c
from sim.game.lag import LAG_BALLS, lag_layout
from sim.model.stroke import Stroke
from sim.play.camera import Sight
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.help import HelpMode
from sim.play.modes.pause import PauseMode
from sim.play.modes.watch import PlayingMode
from sim.play.speeds import share_of, speed_of, speed_text, stepped

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["LagMode"]


class LagMode(Mode):
    """One side after the other sets its speed and direction; then both are played."""

    says: ClassVar[dict[str, str]] = {"shoot": "lag"}

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert game.session is not None
        setup = game.session.match.setup
        assert setup is not None
        self.layout = lag_layout(setup)
        self.side: rules.Side = "A"
        self.speed, self.azimuth = 2.0, math.pi / 2
        self.a: Stroke | None = None

    def enter(self) -> None:
        self.game.show_table(self.layout.table, self.layout.ball_radius)
        self.game.scene.show_layout(self.layout)
        self.game.use_camera("player")
        super().enter()
        self._show()

    def leave(self) -> None:
        self.game.scene.hide_stick()
        self.game.scene.marks.clear("aim ")
        super().leave()

    def build(self, layer: Layer) -> None:
        a = layer.hud.aspect
        layer.panel(-a + 0.03, a - 0.03, -0.92, -0.72)
        layer.line("who", "", -a + 0.10, -0.80, 0.040, font="SemiBold", fit=0.80)
        layer.line("speed", "", -a + 0.10, -0.87, 0.034, colour="dim", fit=0.80)
        self._mark = layer.slider("speed", -a + 0.95, -0.82, 2 * a - 1.95, self.take_share)
        layer.button("lag", "Lag", a - 0.28, -0.82, self.lag, width=0.40, chosen=True)
        self._refresh()

    def keys(self) -> Keys:
        return {
            "shoot": self.lag,
            "harder": lambda: self.take(stepped(self.speed, 1)),
            "softer": lambda: self.take(stepped(self.speed, -1)),
            "aim_left": lambda: self.turn(0.1),
            "aim_right": lambda: self.turn(-0.1),
            "aim_left_fine": lambda: self.turn(0.01),
            "aim_right_fine": lambda: self.turn(-0.01),
            "help": lambda: HelpMode(self.game, self),
            "menu": lambda: PauseMode(self.game, self),
        }

    @property
    def name(self) -> str:
        """Who lags."""
        assert self.game.session is not None
        return self.game.session.match.side_name(self.side)

    def line(self) -> str:
        ball = "left" if self.side == "A" else "right"
        return (
            f"{self.name} lags the {ball} ball: to the foot cushion and back, nearest to the head "
            f"cushion wins. {self.key('softer')} {self.key('harder')} or the slider set the speed, "
            f"{self.key('shoot')} lags."
        )

    def look(self) -> Sight | None:
        x, y, z = (float(v) for v in self.layout[LAG_BALLS[self.side]])
        return Sight((x, y, z), self.azimuth)

    # --- what the keys do -------------------------------------------------------------------------

    def take_share(self, share: float) -> None:
        """The slider's mark was moved."""
        self.take(speed_of(share))

    def take(self, speed: float) -> None:
        """Another speed, m/s."""
        self.speed = speed
        self._refresh()

    def turn(self, degrees: float) -> None:
        """Aim a little further to the left."""
        self.azimuth += math.radians(degrees)
        self._refresh()

    def lag(self) -> Mode | None:
        """This side has set its stroke."""
        stroke = Stroke(self.speed, self.azimuth)
        if self.a is None:
            self.a, self.side = stroke, "B"
            self.speed, self.azimuth = 2.0, math.pi / 2
            self._refresh()
            return None
        return PlayingMode(self.game, c.Lag(self.a, stroke))

    # --- showing ----------------------------------------------------------------------------------

    def _refresh(self) -> None:
        if self.layer is None:
            return
        self.layer.lines["who"].set(self.name)
        self.layer.lines["speed"].set(speed_text(self.speed))
        self._mark(share_of(self.speed))
        self._show()

    def _show(self) -> None:
        x, y, z = (float(v) for v in self.layout[LAG_BALLS[self.side]])
        self.game.scene.aim_stick((x, y, z), self.azimuth, math.radians(4))
        way = [(x, y), (x + 0.8 * math.cos(self.azimuth), y + 0.8 * math.sin(self.azimuth))]
        self.game.scene.marks.path("aim cue", way, (1, 1, 1, 0.8), width=0.004)
