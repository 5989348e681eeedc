"""Any shot of the match again: slow, paused, scrubbed, from any camera."""

from __future__ import annotations

import math
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, ClassVar

from sim.model.balls import CUE_BALL
from sim.model.errors import TenballError
from sim.play.camera import Sight
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.help import HelpMode
from sim.play.playback import Playback
from sim.play.render import show_frame
from sim.play.sound import Heard, heard

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["ReplayMode"]

PACES = (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)


class ReplayMode(Mode):
    """The shots of the match, the last one first."""

    says: ClassVar[dict[str, str]] = {"menu": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        assert game.session is not None
        self.back = back
        self.after = game.session.match
        self.shots = [e for e in self.after.log if e.stroke is not None]
        self.index = len(self.shots) - 1
        self.playback: Playback | None = None
        self.sounds: list[Heard] = []
        self._future: Future[Any] | None = None
        self._pace = 1.0
        self._camera = game.camera

    def enter(self) -> None:
        super().enter()
        self.game.use_camera("broadcast")
        if self.playback is None:
            self._load()

    def leave(self) -> None:
        super().leave()
        self.game.scene.hide_stick()
        if self.after.layout is not None:
            self.game.scene.show_layout(self.after.layout)
        self.game.use_camera(self._camera)

    def _load(self) -> None:
        """Play the shot anew in the worker; what is stored of it stays as it is."""
        if not self.shots:
            return
        entry, setup = self.shots[self.index], self.after.setup
        assert setup is not None

        def play() -> Any:
            from sim.shot.simulator import simulate

            return simulate(
                entry.layout,
                entry.stroke,
                materials=setup.materials,
                cushion_model=setup.cushion_model,
                stick=entry.stick,
            )

        self.playback = None
        self._future = self.game.worker.submit(play)

    def build(self, layer: Layer) -> None:
        a = layer.hud.aspect
        layer.panel(-a + 0.03, a - 0.03, -0.92, -0.70)
        layer.line("state", "", 0.0, -0.77, 0.036, align="centre")
        self._mark = layer.slider("time", -a + 0.62, -0.845, 2 * a - 1.24, self.scrub)
        for name, text, x, command in (
            ("previous", "\u2190 Shot", -a + 0.20, self.previous),
            ("play", "Play", -a + 0.45, self.toggle),
            ("following", "Shot \u2192", a - 0.45, self.following),
            ("back", "Back", a - 0.20, self.done),
        ):
            layer.button(name, text, x, -0.845, command, width=0.23, height=0.08, size=0.032)

    def keys(self) -> Keys:
        return {
            "pause": self.toggle,
            "slower": lambda: self.pace(-1),
            "faster": lambda: self.pace(1),
            "step_back": lambda: self.jump(-0.025),
            "step_on": lambda: self.jump(0.025),
            "previous_shot": self.previous,
            "next_shot": self.following,
            "camera": self.game.next_camera,
            "overhead": lambda: self.game.use_camera("overhead"),
            "help": lambda: HelpMode(self.game, self),
            "menu": self.done,
        }

    def line(self) -> str:
        if not self.shots:
            return (
                f"Replay: nothing has been played in this match yet; {self.key('menu')} goes back."
            )
        pairs = (("step_back", "step_on", "step"), ("slower", "faster", "change the pace"),
                 ("previous_shot", "next_shot", "change the shot"))  # fmt: skip
        ways = ", ".join(f"{self.key(a)} {self.key(b)} {what}" for a, b, what in pairs)
        return f"Replay: {self.key('pause')} plays, {ways}, {self.key('menu')} goes back."

    def look(self) -> Sight | None:
        if self.playback is None:
            return None
        result = self.playback.result
        row = self.playback.frame().rows[result.balls.index(CUE_BALL)]
        azimuth = math.pi / 2 if result.stroke is None else result.stroke.azimuth
        return Sight(
            (float(row[0]), float(row[1]), result.layout.ball_radius),
            azimuth,
            result.elevation or 0.0,
        )

    def step(self, dt: float) -> Mode | None:
        if self._future is not None and self._future.done():
            future, self._future = self._future, None
            try:
                self.playback = Playback(future.result())
            except TenballError as error:
                self.game.notice(str(error))
                return self.back
            self.playback.speed = self._pace
            self.sounds = heard(self.playback.result)
        p = self.playback
        if p is None or self.layer is None:
            return None
        before = p.time
        p.advance(dt)
        self.game.sounds.between(self.sounds, before, p.time)
        show_frame(self.game.scene, p, p.frame())
        entry = self.shots[self.index]
        state = "playing" if p.playing and not p.over else "paused"
        self.layer.lines["state"].set(
            f"Shot {entry.number} of {len(self.after.log)}, rack {entry.rack_number}, "
            f"{entry.player}   {max(p.time, 0.0):.2f} of {p.result.duration:.2f} s   "
            f"\u00d7{p.speed:g}, {state}"
        )
        self._mark((p.time - p.start) / max(p.end - p.start, 1e-9))
        return None

    # --- what the keys do -------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; from the end, begin again."""
        p = self.playback
        if p is None:
            return
        if p.over:
            p.seek(p.start)
            p.playing = True
        else:
            p.playing = not p.playing

    def pace(self, by: int) -> None:
        """The next pace up or down."""
        place = min(range(len(PACES)), key=lambda k: abs(PACES[k] - self._pace))
        self._pace = PACES[min(max(place + by, 0), len(PACES) - 1)]
        if self.playback is not None:
            self.playback.speed = self._pace

    def jump(self, seconds: float) -> None:
        """A moment on or back, and pause."""
        if self.playback is not None:
            self.playback.playing = False
            self.playback.seek(self.playback.time + seconds)

    def scrub(self, share: float) -> None:
        """The mark of time was moved."""
        p = self.playback
        if p is not None:
            p.playing = False
            p.seek(p.start + share * (p.end - p.start))

    def previous(self) -> None:
        """The shot before."""
        if self.index > 0:
            self.index -= 1
            self._load()

    def following(self) -> None:
        """The next shot."""
        if self.index + 1 < len(self.shots):
            self.index += 1
            self._load()

    def done(self) -> Mode:
        """Back to where it was called."""
        return self.back
