"""What is heard: each event of a shot as one sound, as loud as it was fast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.play import assets

if TYPE_CHECKING:
    from sim.shot.result import Event, Result

__all__ = ["Heard", "Sounds", "heard", "loudness"]

# Event kind: (sound, speed at which it is loudest, m/s).
_OF_KIND = {
    "cue_strike": ("tip", 8.0),
    "tip_again": ("tip", 8.0),
    "miscue": ("tip", 6.0),
    "ball_ball": ("ball", 6.0),
    "cushion": ("cushion", 6.0),
    "jaw": ("cushion", 5.0),
    "liner": ("pocket", 4.0),
    "pocketed": ("pocket", 3.0),
    "bed": ("bed", 3.0),
    "rail_top": ("bed", 3.0),
}
VOICES = 6  # of one sound at a time
QUIETEST = 0.02

Heard = tuple[float, str, float]
"""When, s; which sound; how loud, 0 to 1."""


def _speed(event: Event) -> float:
    """How hard it was: the change of velocity of the ball it happened to, m/s."""
    if event.kind == "pocketed":
        velocity = event.before.get(event.ball, ((0.0, 0.0, 0.0), ()))[0]
        return math.hypot(*velocity)
    before, after = event.before.get(event.ball), event.after.get(event.ball)
    if before is None or after is None:
        return 0.0
    return math.dist(before[0], after[0])


def loudness(speed: float, loudest: float) -> float:
    """0 to 1: the ear hears a tenth of the speed as about a third."""
    return min(math.sqrt(max(speed, 0.0) / loudest), 1.0)


def heard(result: Result) -> list[Heard]:
    """Every sound of a shot, in order of time."""
    found = []
    for event in result.events:
        if event.kind in _OF_KIND:
            name, loudest = _OF_KIND[event.kind]
            loud = loudness(_speed(event), loudest)
            if loud >= QUIETEST:
                found.append((float(event.t), name, loud))
    return found


class Sounds:
    """The sound card, or nothing where there is none.

    Args:
        base: the ShowBase, opened with sound or without.
    """

    def __init__(self, base: Any) -> None:
        self.volume = 1.0
        self.played: list[tuple[str, float]] = []
        self._voices: dict[str, list[Any]] = {}
        self._next: dict[str, int] = {}
        managers = getattr(base, "sfxManagerList", None) or []
        self._manager = managers[0] if managers else None

    def play(self, name: str, loud: float) -> None:
        """Make a sound, now."""
        loud *= self.volume
        if loud <= 0:
            return
        self.played = [*self.played[-63:], (name, loud)]
        if self._manager is None:
            return
        voices = self._voices.setdefault(name, [])
        if len(voices) < VOICES:
            voices.append(self._manager.get_sound(str(assets.sound(name))))
        turn = self._next.get(name, 0)
        self._next[name] = (turn + 1) % VOICES
        voice = voices[turn % len(voices)]
        voice.set_volume(loud)
        voice.play()

    def between(self, sounds: list[Heard], begin: float, end: float) -> None:
        """Make the sounds of begin <= t < end; the loudest few where many fall together."""
        due = [(name, loud) for t, name, loud in sounds if begin <= t < end]
        for name, loud in sorted(due, key=lambda s: -s[1])[:8]:
            self.play(name, loud)
