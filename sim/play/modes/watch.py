"""A stroke is played in the worker, then watched."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import rules
from sim.game import commands as c
from sim.game.effects import Effect, LagJudged, Ruled
from sim.model.balls import CUE_BALL
from sim.model.errors import TenballError
from sim.play.camera import Sight
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.help import HelpMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.wording import by_name
from sim.play.playback import Playback
from sim.play.render import show_frame
from sim.play.sound import heard

if TYPE_CHECKING:
    from sim.game.match import Match
    from sim.play.app import Game

__all__ = ["PlayingMode", "WatchMode"]


class PlayingMode(Mode):
    """The engine plays the stroke and the ruling is written down; nothing blocks meanwhile."""

    def __init__(self, game: Game, command: c.Shoot | c.Lag) -> None:
        super().__init__(game)
        assert game.session is not None
        session = game.session
        self.before = session.match
        self._future = game.worker.submit(lambda: session.send(command))

    def match(self) -> Match:
        """As it was before the stroke."""
        return self.before

    def line(self) -> str:
        return self.game.engine_line() or "The stroke is being played ..."

    def step(self, dt: float) -> Mode | None:
        if not self._future.done():
            return None
        try:
            effects = self._future.result()
        except (TenballError, rules.RulesError) as error:
            self.game.notice(str(error))
            return self.game.next_mode()
        return WatchMode(self.game, effects, self.before)


class WatchMode(Mode):
    """The shot as it runs; at its end the ruling."""

    def __init__(self, game: Game, effects: tuple[Effect, ...], before: Match) -> None:
        super().__init__(game)
        assert game.session is not None
        self.effects, self.before = effects, before
        self.result: Any = game.session.result
        self.playback = Playback(self.result)
        self.sounds = heard(self.result)
        self._then: Callable[[], Mode] = self._after

    def enter(self) -> None:
        super().enter()
        self.game.show_table(self.result.table, self.result.layout.ball_radius)
        if self.game.camera == "player":
            self.game.use_camera("follow" if self.result.stroke is not None else "broadcast")

    def build(self, layer: Layer) -> None:
        layer.line("pace", "", 0.0, -0.86, 0.036, align="centre", colour="dim")

    def keys(self) -> Keys:
        return {
            "next": self.skip,
            "faster": lambda: self.pace(2.0),
            "slower": lambda: self.pace(0.5),
            "camera": self.game.next_camera,
            "overhead": lambda: self.game.use_camera("overhead"),
            "help": lambda: HelpMode(self.game, self),
        }

    def line(self) -> str:
        entry = self._entry()
        who = "Both sides lag" if entry is None else f"{entry.player} has played"
        pace = f"{self.key('slower')} {self.key('faster')}"
        return f"{who}: watch. {self.key('next')} goes to the end, {pace} change the pace."

    def match(self) -> Match:
        """As it was: score and balls do not tell how the shot will end."""
        return self.before

    def _entry(self) -> Any:
        assert self.game.session is not None
        log = self.game.session.match.log
        return log[-1] if log and self.result.stroke is not None else None

    def look(self) -> Sight | None:
        if CUE_BALL not in self.result.balls:
            return None
        row = self.playback.frame().rows[self.result.balls.index(CUE_BALL)]
        azimuth = math.pi / 2 if self.result.stroke is None else self.result.stroke.azimuth
        return Sight(
            (float(row[0]), float(row[1]), self.result.layout.ball_radius),
            azimuth,
            self.result.elevation or 0.0,
        )

    def step(self, dt: float) -> Mode | None:
        before = self.playback.time
        self.playback.advance(dt)
        self.game.sounds.between(self.sounds, before, self.playback.time)
        show_frame(self.game.scene, self.playback, self.playback.frame())
        if self.playback.over:
            return self.finish()
        return None

    def skip(self) -> Mode:
        """To the end at once."""
        self.playback.seek(self.playback.end)
        show_frame(self.game.scene, self.playback, self.playback.frame())
        return self.finish()

    def pace(self, by: float) -> None:
        """Faster or slower."""
        self.playback.speed = min(max(self.playback.speed * by, 0.0625), 8.0)

    def finish(self) -> Mode:
        """The balls stay turned as they are; what follows from the shot is shown."""
        self.game.keep_turned(self.result.balls)
        self.game.scene.hide_stick()
        return self._then()

    def _after(self) -> Mode:
        for effect in self.effects:
            if isinstance(effect, LagJudged):
                assert self.game.session is not None
                match = self.game.session.match
                who = "Nobody" if effect.winner is None else match.side_name(effect.winner)
                reason = by_name(match, effect.reason)
                self.game.notice(f"{who} wins the lag: {reason}", seconds=12)
                return self.game.next_mode()
        if any(isinstance(e, Ruled) and e.ruling is not None for e in self.effects):
            return RulingMode(self.game, self.effects)
        return self.game.next_mode()
