"""At the table: place what is in hand, call, aim, play."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rules
from rules.clock import read_clock
from sim.game import commands as c
from sim.game.obvious import obvious_call
from sim.game.placement import can_place
from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.stroke import STICKS, Stroke, stick_name
from sim.play.aim import Preview, default_azimuth, draw_preview, preview
from sim.play.camera import Sight
from sim.play.hud import Layer
from sim.play.modes.aim_panel import AimPanel, how
from sim.play.modes.aim_pointer import AimPointer
from sim.play.modes.base import Keys, Mode, words
from sim.play.modes.call import CallMode
from sim.play.modes.help import HelpMode
from sim.play.modes.pause import PauseMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.watch import PlayingMode
from sim.play.modes.wording import where_it_cannot_lie
from sim.play.speeds import FASTEST, SLOWEST, speed_of, stepped

if TYPE_CHECKING:
    from sim.game.match import Match
    from sim.play.app import Game

__all__ = ["AimMode"]

BREAK_SPEED = 7.5
FIRST_SPEED = 2.0
TIP_STEP = 0.05
FARTHEST_TIP = 0.8
KEPT_AFTER = 0.6  # a stroke that has not changed for so long is written down, s


class AimMode(Mode):
    """The player's turn, from the cue ball in hand to the stroke.

    Attributes:
        practice: whether any ball may be placed, and no clock runs.
    """

    practice = False

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        match = self.now
        assert match.layout is not None
        self.layout: Layout = match.layout
        self.stroke = match.aim or self._first_stroke(match)
        self.seen: Preview | None = None
        self.proposed: rules.Declaration | None = None
        self.trouble: str | None = None  # why the ball cannot stay where it is being put
        self._dirty, self._unkept, self._waited = True, False, 0.0
        self.elapsed = 0.0
        self._pointer = AimPointer(self)
        self.panel: AimPanel | None = None

    @staticmethod
    def _first_stroke(match: Match) -> Stroke:
        assert match.layout is not None
        lowest = None if match.rack is None else match.rack.lowest
        fast = match.rack is not None and match.rack.is_break
        return Stroke(BREAK_SPEED if fast else FIRST_SPEED, default_azimuth(match.layout, lowest))

    @property
    def now(self) -> Match:
        """The match as it stands."""
        assert self.game.session is not None
        return self.game.session.match

    @property
    def in_hand(self) -> bool:
        """Whether the cue ball may be placed."""
        rack = self.now.rack
        return rack is not None and rack.cue_ball in (
            rules.CueBall.IN_HAND_ANYWHERE,
            rules.CueBall.IN_HAND_BEHIND_HEAD_STRING,
        )

    def movable(self, ball: int) -> bool:
        """Whether the pointer may drag a ball."""
        return ball == CUE_BALL and self.in_hand

    # --- coming and going -------------------------------------------------------------------------

    def enter(self) -> None:
        match = self.now
        assert match.layout is not None
        self.layout = match.layout
        self.game.show_table(self.layout.table, self.layout.ball_radius)
        self.game.scene.show_layout(self.layout)
        if self.game.camera not in ("player", "overhead"):
            self.game.use_camera("player")
        self._dirty = True
        super().enter()

    def leave(self) -> None:
        super().leave()
        self.panel = None
        scene = self.game.scene
        draw_preview(scene, None, "none")
        scene.marks.clear("place")
        scene.hide_stick()
        for name in [n for n in scene.marks.names if n.startswith("pocket ")]:
            scene.marks.remove(name)

    def build(self, layer: Layer) -> None:
        self.panel = AimPanel(self, layer)
        self.side_buttons(layer, self.items())
        self.refresh()

    def items(self) -> list[tuple[str, str, Any]]:
        """(name, text, command) of the buttons at the side."""
        game = self.game
        return [
            ("camera", "Camera", game.next_camera),
            ("overhead", "From above", self.overhead),
            ("replay", "Replay", lambda: ReplayMode(game, self)),
            ("referee", "Referee", lambda: RefereeMode(game, self)),
            ("help", "Help", lambda: HelpMode(game, self)),
            ("menu", "Menu", lambda: PauseMode(game, self)),
        ]

    def keys(self) -> Keys:
        game = self.game
        keys: Keys = {
            "shoot": self.shoot,
            "aim_left": lambda: self.turn(0.1),
            "aim_right": lambda: self.turn(-0.1),
            "aim_left_fine": lambda: self.turn(0.01),
            "aim_right_fine": lambda: self.turn(-0.01),
            "harder": lambda: self.change(speed=stepped(self.stroke.speed, 1)),
            "softer": lambda: self.change(speed=stepped(self.stroke.speed, -1)),
            "tip_up": lambda: self.move_tip(0, 1),
            "tip_down": lambda: self.move_tip(0, -1),
            "tip_left": lambda: self.move_tip(-1, 0),
            "tip_right": lambda: self.move_tip(1, 0),
            "tip_centre": lambda: self.set_tip(0.0, 0.0),
            "raise_stick": lambda: self.lift(1.0),
            "lower_stick": lambda: self.lift(-1.0),
            "least_elevation": lambda: self.change(elevation=None),
            "stick": self.next_stick,
        }
        rack = self.now.rack
        if rack is not None and not rack.is_break:
            keys |= {"call": self.call, "safety": self.safety, "no_call": self.no_call}
            if rack.push_out_available:
                keys["push_out"] = self.push_out
        keys |= {
            "camera": game.next_camera,
            "overhead": self.overhead,
            "behind": lambda: game.use_camera("player"),
            "replay": lambda: ReplayMode(game, self),
            "referee": lambda: RefereeMode(game, self),
            "copy": game.write_shot,
            "help": lambda: HelpMode(game, self),
            "menu": lambda: PauseMode(game, self),
        }
        return keys

    def line(self) -> str:
        if self.trouble is not None:
            return f"It cannot lie there, {where_it_cannot_lie(self.trouble)}: drag it elsewhere."
        assert self.game.session is not None
        text = self.game.session.prompt.text
        rack = self.now.rack
        if rack is not None and rack.next is not None and rack.fouls.of(rack.next) == 2:
            text += " Warned: on two fouls."
        if self.now.declaration is None and self.proposed is not None:
            text += f" Proposed: the {self.proposed.ball} into {words(self.proposed.pocket)}."
        return f"{text} {how(self)}"

    def look(self) -> Sight | None:
        if CUE_BALL not in self.layout:
            return None
        x, y, z = (float(v) for v in self.layout[CUE_BALL])
        return Sight((x, y, z), self.stroke.azimuth, self.lifted)

    @property
    def lifted(self) -> float:
        """Elevation of the stick as it is drawn, radians."""
        if self.stroke.elevation is not None:
            return self.stroke.elevation
        return math.radians(4) if self.seen is None else self.seen.elevation

    # --- pointer ----------------------------------------------------------------------------------

    def press(self, x: float, y: float) -> Mode | None:
        self._pointer.press(x, y)
        return None

    def drag(self, x: float, y: float) -> Mode | None:
        self._pointer.drag(x, y)
        return None

    def release(self, x: float, y: float) -> Mode | None:
        self._pointer.release()
        return None

    def stroke_by_hand(self, y: float, *, begins: bool) -> Mode | None:
        speed = self._pointer.stroke(y, begins=begins)
        if speed is None:
            return None
        self.change(speed=min(max(speed, SLOWEST), FASTEST))
        return self.shoot()

    def aim_at(self, ball: int) -> None:
        """Aim at the middle of a ball."""
        if ball in self.layout and CUE_BALL in self.layout:
            self.change(azimuth=default_azimuth(self.layout, ball))

    def placed(self) -> None:
        """Nothing is being put anywhere any more: the balls lie as the match has them."""
        self.trouble = None
        self.game.scene.marks.clear("place")
        assert self.now.layout is not None
        self.layout = self.now.layout
        self.game.scene.show_layout(self.layout)
        self._dirty = True

    def put(self, ball: int, place: tuple[float, float]) -> None:
        """Put a ball in hand somewhere; it is sent if it may lie there, else it says why not."""
        match = self.now
        assert match.layout is not None
        zone = None if self.practice or match.rack is None else match.rack.cue_ball
        bare = match.layout
        self.trouble = can_place(bare, place, zone, ball)
        good = self.trouble is None
        if good:
            self.game.send(c.Place(place, ball))
            assert self.now.layout is not None
            self.layout = self.now.layout
            self.game.scene.show_layout(self.layout)
            self._dirty = True
        colour = self.game.hud.colours["good" if good else "bad"]
        self.game.scene.marks.ring("place", place, 1.6 * self.layout.ball_radius, colour)

    # --- the stroke -------------------------------------------------------------------------------

    def change(self, **values: Any) -> None:
        """Another stroke."""
        self.stroke = replace(self.stroke, **values)
        self._dirty, self._unkept, self._waited = True, True, 0.0
        self.refresh()

    def turn(self, degrees: float) -> None:
        """Aim further to the left."""
        self.change(azimuth=self.stroke.azimuth + math.radians(degrees))

    def take_share(self, share: float) -> None:
        """The speed slider was moved."""
        self.change(speed=speed_of(share))

    def move_tip(self, right: int, up: int) -> None:
        """Move the tip by steps."""
        self.set_tip(self.stroke.side + right * TIP_STEP, self.stroke.vertical + up * TIP_STEP)

    def set_tip(self, side: float, vertical: float) -> None:
        """Put the tip somewhere on the ball's face, as far out as a tip can go."""
        far = math.hypot(side, vertical)
        if far > FARTHEST_TIP:
            side, vertical = side * FARTHEST_TIP / far, vertical * FARTHEST_TIP / far
        self.change(side=round(side, 4), vertical=round(vertical, 4))

    def lift(self, degrees: float) -> None:
        """Raise the stick from where it is now."""
        self.set_elevation(math.degrees(self.lifted) + degrees)

    def set_elevation(self, degrees: float) -> None:
        """Hold the stick at an elevation."""
        self.change(elevation=math.radians(min(max(degrees, 0.0), 85.0)))

    def next_stick(self) -> None:
        """Take another stick: playing, break, jump, and round again."""
        names = list(STICKS)
        name = stick_name(self.now.stick)
        at = names.index(name) + 1 if name in names else 0
        self.game.send(c.TakeStick(STICKS[names[at % len(names)]]))
        self._dirty = True
        self.rebuild()

    # --- declaring --------------------------------------------------------------------------------

    def call(self) -> Mode:
        """Call ball and pocket."""
        return CallMode(self.game, self)

    def safety(self) -> Mode | None:
        """Declare a safety."""
        return self._declare(rules.safety())

    def push_out(self) -> Mode | None:
        """Declare a push-out."""
        return self._declare(rules.push_out())

    def no_call(self) -> Mode | None:
        """Take the call back."""
        return self._declare(rules.no_call())

    def _declare(self, declaration: rules.Declaration) -> Mode | None:
        self.game.send(c.Declare(declaration))
        if self.now.acknowledging:
            return self.game.next_mode()
        self._dirty = True
        self.refresh()
        return None

    def shoot(self) -> Mode | None:
        """Play the stroke; the proposed call is made first if none was."""
        if not self.game.engine_ready():
            self.game.notice(self.game.engine_line())
            return None
        if self._dirty:
            self._look_ahead()
        match = self.now
        called = match.declaration is not None
        if match.rack is not None and not match.rack.is_break and not called:
            if self.proposed is None:
                self.game.notice(
                    f"Nothing is called and no call is obvious: call ball and pocket "
                    f"({self.key('call')}), a safety ({self.key('safety')}), or say that nothing "
                    f"is called ({self.key('no_call')})."
                )
                return None
            self.game.send(c.Declare(self.proposed))
        return PlayingMode(self.game, c.Shoot(self.stroke))

    def overhead(self) -> None:
        """From above, and back."""
        self.game.use_camera("player" if self.game.camera == "overhead" else "overhead")

    # --- every frame ------------------------------------------------------------------------------

    def step(self, dt: float) -> Mode | None:
        self.elapsed += dt
        self._waited += dt
        if self._unkept and self._waited > KEPT_AFTER and self._pointer.held is None:
            self._unkept = False
            self.game.send(c.Aim(self.stroke))
        if self._dirty and self.game.engine_ready():
            self._look_ahead()
        return self._clock()

    def _clock(self) -> Mode | None:
        match = self.now
        if match.rack is None or not match.rack.ruleset.shot_clock or self.practice:
            return None
        used = match.extensions[0 if match.shooter == "A" else 1]
        clock = read_clock(
            match.rack.ruleset,
            self.elapsed,
            extended=match.extended,
            extensions_used_before=max(used - 1, 0) if match.extended else used,
        )
        if clock is None:
            return None
        self.game.show_clock(f"{clock.left_s:.0f} s", urgent=clock.warn)
        if clock.expired:
            return RulingMode(self.game, self.game.send(c.ClockExpired()))
        return None

    def _look_ahead(self) -> None:
        """What the stroke would do, and the call that is obvious from it."""
        self._dirty = False
        match = self.now
        setup = match.setup
        if setup is None or CUE_BALL not in self.layout:
            return
        self.seen = preview(setup, self.layout, self.stroke, match.stick)
        draw_preview(self.game.scene, self.seen, self.game.aids)
        self.proposed = None
        if match.rack is not None and match.declaration is None:
            self.proposed = obvious_call(
                self.layout, match.rack, self.stroke,
                materials=setup.materials, cushion_model=setup.cushion_model, stick=match.stick,
            )  # fmt: skip
        self.refresh()

    def refresh(self) -> None:
        """Show stick, numbers and call as they are."""
        scene, match = self.game.scene, self.now
        scene.take_stick(match.stick)
        if CUE_BALL in self.layout and self.layer is not None:
            x, y, z = (float(v) for v in self.layout[CUE_BALL])
            scene.aim_stick(
                (x, y, z), self.stroke.azimuth, self.lifted,
                side=self.stroke.side, vertical=self.stroke.vertical,
                gap=self._pointer.gap,
            )  # fmt: skip
        for name in [n for n in scene.marks.names if n.startswith("pocket ")]:
            scene.marks.remove(name)
        made = match.declaration or self.proposed
        if made is not None and made.names_something and made.pocket is not None:
            scene.marks.pocket(made.pocket, self.game.hud.colours["accent"])
        if self.panel is not None:
            self.panel.refresh()
