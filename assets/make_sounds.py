"""Make the sounds of the game: `uv run python assets/make_sounds.py`. Seeded; standard library
and numpy.

Each sound is a strike: a few decaying resonances and a burst of shaped noise. Mono, 44.1 kHz, 16
bit.
"""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

OUT = Path(__file__).parent / "sounds"
RATE = 44100
Array = NDArray[np.float64]


def ring(seconds: float, modes: list[tuple[float, float, float]]) -> Array:
    """Sum of (frequency Hz, decay s, level) resonances."""
    t = np.arange(int(seconds * RATE)) / RATE
    out = np.zeros_like(t)
    for k, (frequency, decay, level) in enumerate(modes):
        out += level * np.exp(-t / decay) * np.sin(2 * np.pi * frequency * t + 0.7 * k)
    return out


def noise(seconds: float, decay: float, low: float, high: float, seed: int) -> Array:
    """Noise between two frequencies, Hz, fading with `decay`, s."""
    n = int(seconds * RATE)
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=n))
    f = np.fft.rfftfreq(n, 1 / RATE)
    spectrum *= 1 / (1 + (low / np.maximum(f, 1.0)) ** 4) / (1 + (f / high) ** 4)
    out = np.fft.irfft(spectrum, n)
    out /= np.abs(out).max()
    return out * np.exp(-np.arange(n) / RATE / decay)


def later(sound: Array, seconds: float, total: float) -> Array:
    """The sound delayed, in a space of `total` seconds."""
    out = np.zeros(int(total * RATE))
    start = int(seconds * RATE)
    part = sound[: max(0, len(out) - start)]
    out[start : start + len(part)] = part
    return out


def tip() -> Array:
    """Leather on the ball: a short dull tock with the shaft in it."""
    return ring(0.16, [(820, 0.012, 0.8), (1650, 0.007, 0.4), (310, 0.025, 0.35)]) + 0.35 * noise(
        0.16, 0.004, 400, 4500, 1
    )


def ball() -> Array:
    """Ball on ball: a bright hard click."""
    return ring(
        0.12, [(5300, 0.0045, 0.8), (7900, 0.0028, 0.5), (2450, 0.006, 0.35)]
    ) + 0.5 * noise(0.12, 0.0016, 1800, 12000, 2)


def cushion() -> Array:
    """Rubber and rail: a soft thud."""
    return ring(0.22, [(165, 0.030, 1.0), (290, 0.018, 0.4), (90, 0.045, 0.5)]) + 0.30 * noise(
        0.22, 0.010, 80, 1100, 3
    )


def pocket() -> Array:
    """Leather, then the ball's rattle at the bottom."""
    total = 0.75
    hit = ring(0.25, [(130, 0.045, 1.0), (230, 0.025, 0.5)]) + 0.5 * noise(0.25, 0.016, 90, 1600, 4)
    out = later(hit, 0.0, total)
    for start, level, seed in ((0.12, 0.45, 5), (0.22, 0.30, 6), (0.30, 0.18, 7)):
        knock = ring(0.2, [(420, 0.018, 0.8), (760, 0.010, 0.4)]) + 0.5 * noise(
            0.2, 0.008, 200, 2600, seed
        )
        out += level * later(knock, start, total)
    return out


def bed() -> Array:
    """A ball coming down on the slate."""
    return ring(0.30, [(110, 0.050, 1.0), (205, 0.030, 0.5), (640, 0.010, 0.25)]) + 0.35 * noise(
        0.30, 0.008, 120, 2400, 8
    )


def save(name: str, sound: Array) -> None:
    """Write a WAV file, its first and last moments faded so that nothing clicks."""
    fade = np.ones_like(sound)
    fade[:16] = np.linspace(0, 1, 16)
    fade[-400:] = np.linspace(1, 0, 400)
    sound = sound * fade
    data = np.rint(sound / np.abs(sound).max() * 0.89 * 32767).astype("<i2")
    with wave.open(str(OUT / f"{name}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())


def main() -> None:
    """Write every sound."""
    OUT.mkdir(exist_ok=True)
    for make in (tip, ball, cushion, pocket, bed):
        save(make.__name__, make())


if __name__ == "__main__":
    main()
