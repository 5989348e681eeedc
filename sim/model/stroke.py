"""What sets a shot going: a stroke of the stick, or a given motion."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sim.model.checks import number, vector
from sim.model.errors import StrokeError

__all__ = [
    "BREAK_STICK",
    "JUMP_STICK",
    "PLAYING_STICK",
    "STICKS",
    "Motion",
    "Stick",
    "Stroke",
    "stick_name",
]

MAX_SPEED = 15.0
MAX_BALL_SPEED = 20.0


@dataclass(frozen=True)
class Stroke:
    """One stroke of the cue stick.

    Attributes:
        speed: the stick's speed at impact, m/s, 0 < speed <= 15.
        azimuth: heading of the stick's horizontal projection, radians from +x towards +y.
        side: tip offset from the centre in ball radii, right positive as the player sees it.
        vertical: the same, up positive (follow); side² + vertical² < 1.
        elevation: of the butt, radians, 0 to pi/2; None: the least that clears cushions and balls.
    """

    speed: float
    azimuth: float
    side: float = 0.0
    vertical: float = 0.0
    elevation: float | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        speed = number(self.speed, "stroke speed (m/s)", StrokeError, above=0.0, high=MAX_SPEED)
        set_(self, "speed", speed)
        set_(self, "azimuth", number(self.azimuth, "stroke azimuth (radians)", StrokeError))
        set_(self, "side", number(self.side, "stroke side (ball radii)", StrokeError))
        set_(self, "vertical", number(self.vertical, "stroke vertical (ball radii)", StrokeError))
        offset = math.hypot(self.side, self.vertical)
        if offset >= 1.0:
            raise StrokeError(
                f"stroke tip offset: got {offset:.4g} ball radii from the centre, expected less than 1"
            )
        if self.elevation is not None:
            elevation = number(
                self.elevation, "stroke elevation (radians)", StrokeError, low=0.0, high=math.pi / 2
            )
            set_(self, "elevation", elevation)


@dataclass(frozen=True)
class Motion:
    """A given velocity (m/s) and spin (rad/s) of a ball, for experiments without a stick."""

    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        velocity = vector(self.velocity, "motion velocity (m/s)", StrokeError)
        spin = vector(self.spin, "motion spin (rad/s)", StrokeError)
        object.__setattr__(self, "velocity", velocity)
        object.__setattr__(self, "spin", spin)
        speed = math.hypot(*velocity)
        if speed > MAX_BALL_SPEED:
            raise StrokeError(
                f"motion speed: got {speed:g} m/s, expected at most {MAX_BALL_SPEED:g}"
            )
        rate = math.hypot(*spin)
        if rate > 3000.0:
            raise StrokeError(f"motion spin: got {rate:g} rad/s, expected at most 3000")


@dataclass(frozen=True)
class Stick:
    """A cue stick.

    Attributes:
        mass: kg (19 oz = 0.539 kg).
        length: m.
        tip_radius, butt_radius: m; the shaft is taken as a cone between them.
        e_tip: restitution of its tip; None: the materials' e_tip.
        end_mass_ratio: ball mass over effective end mass; None: the materials'.
        follow_through: how far the tip travels on after the impact, m ...
        follow_time: ... and for how long at most, s: a soft stroke has a short follow-through.
        contact_time: how long the tip stays on the ball, s (leather about 1 to 2 ms).
    """

    mass: float = 0.539
    length: float = 1.47
    tip_radius: float = 0.0065
    butt_radius: float = 0.0145
    e_tip: float | None = None
    end_mass_ratio: float | None = None
    follow_through: float = 0.15
    follow_time: float = 0.1
    contact_time: float = 0.001

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        for name, low, high in (
            ("mass", 0.05, 5.0),
            ("length", 0.3, 3.0),
            ("tip_radius", 0.001, 0.02),
            ("butt_radius", 0.001, 0.05),
            ("follow_through", 0.0, 1.0),
            ("follow_time", 0.0, 1.0),
            ("contact_time", 0.0, 0.01),
        ):
            value = number(getattr(self, name), f"stick {name}", StrokeError, low=low, high=high)
            set_(self, name, value)
        if self.e_tip is not None:
            set_(self, "e_tip", number(self.e_tip, "stick e_tip", StrokeError, low=0.0, high=1.0))
        if self.end_mass_ratio is not None:
            ratio = number(self.end_mass_ratio, "stick end_mass_ratio", StrokeError, low=1.0)
            set_(self, "end_mass_ratio", ratio)


PLAYING_STICK = Stick()
# 9 oz, short, hard tip.
JUMP_STICK = Stick(mass=0.255, length=1.02, e_tip=0.84, contact_time=0.0008, follow_through=0.08)
# Phenolic tip.
BREAK_STICK = Stick(mass=0.539, e_tip=0.84, contact_time=0.0008)

STICKS = {"playing": PLAYING_STICK, "break": BREAK_STICK, "jump": JUMP_STICK}
"""The sticks that have a name, in files, commands and games."""


def stick_name(stick: Stick) -> str:
    """The name of a stick in `STICKS`; "custom" for one that is not there."""
    return next((name for name, known in STICKS.items() if known == stick), "custom")
