"""The game in a window, until it is closed; how long its frames took."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sim.play.app import Game
from sim.play.stage import Mode, Stage

__all__ = ["LONG", "Frame", "frame_lines", "long_lived", "play"]

LONG = 0.1  # a frame longer than this is felt, s
OPENING = "opening"  # the mode of the first picture


@dataclass(frozen=True)
class Frame:
    """One frame.

    Attributes:
        seconds: how long it took.
        busy: processor time of the thread that draws, s; total: of all threads, those that draw
            pixels in software and the engine's included. Other programs do not change them.
        mode: what the game was doing.
    """

    seconds: float
    busy: float
    total: float
    mode: str


@contextmanager
def long_lived() -> Iterator[Callable[[], None]]:
    """Gives what is called when everything is there that lives as long as the game.

    To look through all of it, the compiler included, takes Python's garbage collector longer than a
    frame may: from then on it is left out.
    """
    try:
        yield gc.freeze
    finally:
        gc.unfreeze()


def play(
    folder: Path,
    *,
    size: tuple[int, int] = (1280, 720),
    shot: str | None = None,
    journal: str | None = None,
    look: str | None = None,
    mode: Mode = "window",
    opened: Callable[[Game], None] | None = None,
    each_frame: Callable[[Game], None] | None = None,
) -> list[Frame]:
    """Open a window and play until it is closed.

    Args:
        folder: of matches and settings.
        shot: a shot file to practise; journal: a match to continue.
        mode: `offscreen` draws without a display, for measuring.
        opened, each_frame: called with the game; their time is no part of a frame.

    Returns:
        The frames drawn while the engine was ready, after the first picture, whose mode is OPENING: with it
        textures and shaders go to the driver.

    Raises:
        StageError: no display.
    """
    stage = Stage(mode, size, title="tenball", sound=mode == "window", look=look or "full")
    game: Game | None = None
    frames: list[Frame] = []
    try:
        base = stage.base
        base.exitFunc = None  # closing the window ends the game, not the process
        game = Game(stage, folder)
        if shot is not None:
            game.go(game.practise(shot))
        elif journal is not None:
            game.go(game.continue_match(Path(journal)))
        if opened is not None:
            opened(game)
        with long_lived() as keep:
            keep()
            first, starting = True, not game.engine_ready()
            while not game.done and stage.open:
                begin = _clocks()
                ready, name = game.engine_ready(), type(game.mode).__name__
                if ready and starting:
                    starting = False
                    keep()
                base.taskMgr.step()
                game.step(min(max(base.clock.get_dt(), 0.0), 0.1))
                if ready or first:
                    spent, busy, total = (b - a for a, b in zip(begin, _clocks(), strict=True))
                    frames.append(Frame(spent, busy, total, OPENING if first else name))
                first = False
                if each_frame is not None:
                    each_frame(game)
    except SystemExit:
        pass  # Panda3D's way of saying that the window was closed
    finally:
        if game is not None:
            game.close()
        stage.close()
    return frames


def _clocks() -> tuple[float, float, float]:
    return time.perf_counter(), time.thread_time(), time.process_time()


def frame_lines(frames: list[Frame]) -> list[str]:
    """What there is to say about the frames of a game, a line each."""
    opening = [f"first picture: {1e3 * f.seconds:.0f} ms" for f in frames if f.mode == OPENING]
    frames = [f for f in frames if f.mode != OPENING]
    if not frames:
        return [*opening, "no frame was drawn with the engine ready"]
    ordered = sorted(frames, key=lambda f: f.seconds)
    slow = [f for f in frames if f.seconds > LONG]
    worst = ordered[-1]
    lines = [
        *opening,
        f"{len(frames)} frames: median {1e3 * median(f.seconds for f in frames):.1f} ms, "
        f"slowest {1e3 * worst.seconds:.1f} ms ({worst.mode}), {len(slow)} over 100 ms",
    ]
    if slow:
        where = sorted({f.mode for f in slow})
        lines.append(
            "over 100 ms: " + ", ".join(f"{sum(f.mode == m for f in slow)} in {m}" for m in where)
        )
    for what, times in (
        ("the drawing thread", [f.busy for f in frames]),
        ("all threads", [f.total for f in frames]),
    ):
        lines.append(
            f"processor time of {what}: median {1e3 * median(times):.1f} ms, "
            f"slowest {1e3 * max(times):.1f} ms, {sum(t > LONG for t in times)} over 100 ms"
        )
    return lines
