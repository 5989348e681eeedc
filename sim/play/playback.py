"""A finished shot in time: where balls and stick are at any moment, forwards, backwards, fast or
slow.

Reads a Result and nothing else; no Panda3D here. Time 0 is the impact of the tip; before it the
stick swings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.model.balls import CUE_BALL
from sim.model.table import POCKETS

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["Frame", "Playback", "StickPlace", "swing_gap"]

ADDRESS = 0.030  # from tip to ball before the swing, m
LEAD = 1.0  # how long before the impact a shot begins to be shown, s
STICK_SEEN = 0.75  # how long after it the stick stays in sight, s
DROP_SEEN = 0.30  # how long a ball is seen to fall into its pocket, s
PAUSE_AFTER = 0.6  # how long the end is shown, s


@dataclass(frozen=True)
class StickPlace:
    """How the stick is held, for `Scene.aim_stick`."""

    centre: tuple[float, float, float]
    azimuth: float
    elevation: float
    side: float
    vertical: float
    gap: float


@dataclass(frozen=True)
class Frame:
    """One moment.

    Attributes:
        rows: (B, 13), as a Result's states at one time.
        seen: (B,) which balls are to be seen.
        stick: or None when it is away.
    """

    rows: NDArray[np.float64]
    seen: NDArray[np.bool_]
    stick: StickPlace | None


def swing_gap(t: float, speed: float, follow_through: float) -> float:
    """From tip to ball at a time, m: back, forth through the ball at `speed`, m/s, and a little
    on."""
    back = min(0.22, 0.05 + 0.02 * speed)
    forth = max(0.20, 1.6 * back / speed)
    pull = 0.45
    if t >= 0:
        return -follow_through * (1 - math.exp(-speed * t / max(follow_through, 1e-3)))
    if t >= -forth:
        # A power that leaves the rear at rest and arrives with the stroke's own speed.
        share = 1 + t / forth
        return float(back * (1 - share ** (speed * forth / back)))
    if t >= -forth - pull:
        share = (t + forth + pull) / pull
        return ADDRESS + (back - ADDRESS) * share * share * (3 - 2 * share)
    return ADDRESS


class Playback:
    """Plays a Result.

    Attributes:
        time: now, s; from `start` to `end`.
        speed: of time; 1 is real, negative runs backwards.
        playing: whether `advance` moves.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        self.start = -LEAD if result.stroke is not None else 0.0
        self.end = result.duration + PAUSE_AFTER
        self.time = self.start
        self.speed = 1.0
        self.playing = True
        self._dropped = {
            event.ball: (float(event.t), POCKETS.index(str(event.other)))
            for event in result.events
            if event.kind == "pocketed"
        }

    @property
    def over(self) -> bool:
        """Whether the end is reached."""
        return self.time >= self.end

    def advance(self, dt: float) -> None:
        """Let `dt` real seconds pass."""
        if self.playing:
            self.seek(self.time + dt * self.speed)

    def seek(self, time: float) -> None:
        """Go to a time, kept between start and end."""
        self.time = min(max(time, self.start), self.end)

    def frame(self, time: float | None = None) -> Frame:
        """The moment at a time, or now."""
        t = self.time if time is None else time
        when = np.array([min(max(t, 0.0), self.result.duration)])
        rows = self.result.states(when)[0]
        seen = self.result.present(when)[0]
        for ball, (since, pocket) in self._dropped.items():
            if since <= t < since + DROP_SEEN:
                row = self.result.balls.index(ball)
                rows[row] = self._falling(rows[row], t - since, pocket)
                seen[row] = True
        return Frame(rows, seen, self._stick(t))

    def _falling(self, row: NDArray[np.float64], dt: float, pocket: int) -> NDArray[np.float64]:
        """A ball's row `dt` after the engine let it go: it falls on inside its pocket."""
        table, radius = self.result.table, self.result.layout.ball_radius
        mouth = table.geometry.pockets[pocket]
        out = row.copy()
        out[:2] += row[7:9] * dt * 0.5
        off = out[:2] - np.array(mouth.centre)
        reach = max(mouth.radius - radius, 0.0)
        far = float(np.hypot(*off))
        if far > reach:
            out[:2] = np.array(mouth.centre) + off * (reach / far)
        fall = min(row[9], 0.0) * dt - 0.5 * self.result.materials.g * dt * dt
        out[2] = max(row[2] + fall, -table.spec.pocket_drop + radius)
        return out

    def _stick(self, t: float) -> StickPlace | None:
        stroke = self.result.stroke
        if stroke is None or t > STICK_SEEN:
            return None
        x, y, z = (float(v) for v in self.result.layout[CUE_BALL])
        elevation = self.result.elevation
        return StickPlace(
            (x, y, z),
            stroke.azimuth,
            0.0 if elevation is None else elevation,
            stroke.side,
            stroke.vertical,
            swing_gap(t, stroke.speed, self.result.stick.follow_through),
        )
