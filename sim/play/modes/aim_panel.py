"""The controls of a stroke at the foot of the picture: tip, elevation, speed, call, shoot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import rules
from sim.model.stroke import Stick, stick_name
from sim.play.hud import Layer
from sim.play.modes.base import words
from sim.play.modes.wording import rules_name
from sim.play.speeds import share_of, speed_text

if TYPE_CHECKING:
    from sim.play.modes.aim import AimMode

__all__ = ["AimPanel", "how"]

MOST_ELEVATION = 85.0  # degrees


class AimPanel:
    """Widgets on the mode's layer, and what they show."""

    def __init__(self, mode: AimMode, layer: Layer) -> None:
        self._mode, self._layer = mode, layer
        a = layer.hud.aspect
        left, width = -a + 0.03, 2 * a - 0.06
        bottom, top = -0.92, -0.635

        def at(share: float) -> float:
            return left + share * width

        layer.panel(left, left + width, bottom, top)
        self._tip = layer.face("face", left + 0.15, -0.76, 0.105, mode.set_tip)
        layer.line("tip", "", left + 0.15, -0.903, 0.028, align="centre", fit=0.28)
        x = left + 0.33
        layer.line("elevation", "", x, -0.72, 0.034)
        self._lift = layer.slider(
            "elevation", x, -0.79, at(0.28) - x, lambda s: mode.set_elevation(s * MOST_ELEVATION)
        )
        layer.line("elevation why", "", x, -0.88, 0.031, colour="dim", fit=at(0.30) - x)
        x = at(0.31)
        layer.line("speed", "", x, -0.72, 0.036, font="SemiBold")
        self._speed = layer.slider("speed", x, -0.79, at(0.57) - x, mode.take_share)
        layer.line("azimuth", "", x, -0.88, 0.031, colour="dim")
        layer.button(
            "stick", f"{stick_words(mode.now.stick)} ({mode.key('stick')})", at(0.57) - 0.17, -0.868,
            mode.next_stick, width=0.34, height=0.064, size=0.029,
        )  # fmt: skip
        x = at(0.60)
        layer.line("call", "", x, -0.705, 0.036, font="SemiBold", fit=at(0.87) - x)
        rack = mode.now.rack
        if rack is not None:
            early = rack.ruleset.early_ten_wins
            text = "a called ten wins at once" if early else "the ten wins only as the last ball"
            if rack.is_break:
                text = "a ten made on the break does not win"
            layer.line("ten", f"{rules_name(rack.ruleset.name)}: {text}", x, -0.765, 0.031,
                       colour="dim", fit=at(0.87) - x)  # fmt: skip
        if rack is not None and not rack.is_break:
            items = [("call", "Call", mode.call), ("safety", "Safety", mode.safety)]
            if rack.push_out_available:
                items.append(("push_out", "Push-out", mode.push_out))
            items.append(("no_call", "No call", mode.no_call))
            each = (at(0.87) - x) / len(items)
            for k, (name, text, command) in enumerate(items):
                layer.button(
                    name, f"{text} ({mode.key(name)})", x + (k + 0.5) * each, -0.85, command, width=each - 0.015,
                    height=0.078, size=0.029,
                )  # fmt: skip
        layer.button(
            "shoot", "Shoot", left + width - 0.19, -0.78, mode.shoot, width=0.32, height=0.16,
            size=0.046, chosen=True,
        )  # fmt: skip

    def refresh(self) -> None:
        """Show the stroke and the call as they are."""
        mode, lines = self._mode, self._layer.lines
        stroke, seen = mode.stroke, mode.seen
        colours = self._layer.hud.colours
        self._tip(stroke.side, stroke.vertical)
        lines["tip"].set(tip_text(stroke.side, stroke.vertical))
        held = stroke.elevation
        shown = math.degrees(mode.lifted)
        lines["elevation"].set(f"Elevation {shown:.1f}\u00b0")
        self._lift(shown / MOST_ELEVATION)
        if seen is not None and seen.touches:
            lines["elevation why"].set(
                f"the stick touches: raise it ({mode.key('raise_stick')})", colours["bad"]
            )
        elif seen is not None and seen.miscue:
            lines["elevation why"].set("so far out the tip slips", colours["bad"])
        elif held is None:
            lines["elevation why"].set("as low as it clears", colours["dim"])
        else:
            lines["elevation why"].set(
                f"as you hold it; {mode.key('least_elevation')}: the least", colours["dim"]
            )
        lines["speed"].set(speed_text(stroke.speed))
        self._speed(share_of(stroke.speed))
        lines["azimuth"].set(f"aim {math.degrees(stroke.azimuth) % 360:.2f}\u00b0")
        lines["call"].set(self.call_text(), colours["accent" if mode.now.declaration else "text"])

    def call_text(self) -> str:
        """What is declared or proposed."""
        mode = self._mode
        match, made = mode.now, mode.now.declaration
        if match.rack is None:
            return "Nothing is ruled without the ten"
        if match.rack.is_break:
            return "The break: nothing is called"
        if made is None:
            if mode.proposed is not None:
                return f"Proposed: the {mode.proposed.ball} into {words(mode.proposed.pocket)}"
            return "Nothing is called yet"
        if made.kind is rules.Kind.SHOT:
            if not made.names_something:
                return "Nothing is called"
            how = "Obvious" if made.obvious and not made.explicit else "Called"
            return f"{how}: the {made.ball} into {words(made.pocket)}"
        return {"safety": "Safety", "push_out": "Push-out"}.get(
            str(made.kind), words(made.kind).capitalize()
        )


def how(mode: AimMode) -> str:
    """By which keys and drags the stroke is called, aimed and played."""
    match, key = mode.now, mode.key
    ways = []
    if match.rack is not None and not match.rack.is_break and match.declaration is None:
        ways.append(f"{key('call')} calls")
    ways.append(f"{key('aim_left')} {key('aim_right')} or a drag aims")
    ways.append(f"{key('shoot')} shoots")
    return f"{', '.join(ways)}."


def stick_words(stick: Stick) -> str:
    """A stick as players say it."""
    name = stick_name(stick)
    return "Special stick" if name == "custom" else f"{name.capitalize()} stick"


def tip_text(side: float, vertical: float) -> str:
    """Where the tip meets the ball, in ball radii."""
    parts = [
        f"{abs(value):.2f} {words[value < 0]}"
        for value, words in ((side, ("right", "left")), (vertical, ("up", "down")))
        if value
    ]
    return ", ".join(parts) or "the centre"
