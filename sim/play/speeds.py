"""The speed slider: fine where strokes are soft."""

from __future__ import annotations

__all__ = ["FASTEST", "SLOWEST", "share_of", "speed_of", "speed_text", "stepped"]

SLOWEST, FASTEST = 0.1, 12.0  # m/s of the stick
MPH = 0.44704  # m/s


def speed_of(share: float) -> float:
    """The speed at a share 0..1 of the slider, m/s: half the slider is below 2.2 m/s."""
    return SLOWEST + (FASTEST - SLOWEST) * min(max(share, 0.0), 1.0) ** 2.5


def share_of(speed: float) -> float:
    """Where on the slider a speed stands, 0..1."""
    return min(max((speed - SLOWEST) / (FASTEST - SLOWEST), 0.0), 1.0) ** 0.4


def stepped(speed: float, steps: int) -> float:
    """A speed some key presses further: 2 % each, at least 1 cm/s."""
    for _ in range(abs(steps)):
        change = max(0.02 * speed, 0.01)
        speed += change if steps > 0 else -change
    return min(max(speed, SLOWEST), FASTEST)


def speed_text(speed: float) -> str:
    """In m/s and mph."""
    return f"{speed:.2f} m/s   {speed / MPH:.1f} mph"
