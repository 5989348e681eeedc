"""How fast: the same shots by this engine and by pooltool, interleaved in one run on one core.

Only the call of `simulate` is timed: ours with everything it returns, pooltool's in place on a system made
before, with every model named. Both engines get the same layouts and the same ball speed. The clock is
the thread's processor time where the system tells it finely enough, so that a busy machine (which
interrupts the longer call more often) changes no ratio.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from time import get_clock_info, perf_counter, thread_time
from typing import Any

import numpy as np

import sim.interop.pooltool as peer
from sim.model import (
    PLAYING_STICK,
    EngineError,
    Layout,
    LayoutError,
    Materials,
    Stroke,
    Table,
    rack,
)
from sim.shot.simulator import simulate, simulate_many

__all__ = [
    "Batch",
    "Fresh",
    "Timing",
    "ball_speed",
    "batch",
    "breaks",
    "bytes_a_row",
    "fresh",
    "fresh_peer",
    "interleaved",
    "million",
    "ordinary",
    "per_ball_at_rest",
    "per_event",
]

Shot = tuple[Layout, Stroke]
# Windows counts processor time in steps of 16 ms.
_clock = thread_time if get_clock_info("thread_time").resolution < 1e-6 else perf_counter
BREAK_SPEED = 8.0  # m/s of the stick, about 10.5 of the ball


def breaks(count: int, seed: int = 0) -> list[Shot]:
    """Breaks of different racks, square at the apex."""
    shots = []
    for k in range(count):
        layout = rack(Table.wpa_9ft(), seed=seed + k)
        to = layout[1] - layout[0]
        shots.append((layout, Stroke(BREAK_SPEED, math.atan2(to[1], to[0]))))
    return shots


def ordinary(count: int, seed: int = 0) -> list[Shot]:
    """Strokes of 1 to 4 m/s at one of ten balls spread over the table, some follow or draw."""
    rng = np.random.default_rng([seed, 20])
    table = Table.wpa_9ft()
    shots: list[Shot] = []
    while len(shots) < count:
        places = {
            ball: (
                float(rng.uniform(0.05, table.width - 0.05)),
                float(rng.uniform(0.05, table.length - 0.05)),
            )
            for ball in range(11)
        }
        try:
            layout = Layout(table, places)
        except LayoutError:
            continue
        to = layout[int(rng.integers(1, 11))] - layout[0]
        heading = math.atan2(to[1], to[0]) + float(rng.uniform(-0.02, 0.02))
        stroke = Stroke(
            float(rng.uniform(1.0, 4.0)), heading, vertical=float(rng.uniform(-0.3, 0.3))
        )
        shots.append((layout, stroke))
    return shots


@dataclass(frozen=True)
class Timing:
    """Seconds of each shot; `theirs` is empty where pooltool was not asked."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median of theirs over median of ours."""
        return median(self.theirs) / median(self.ours)


def interleaved(shots: Sequence[Shot], repeats: int = 5) -> Timing:
    """Time each shot by both engines, turn by turn; ours is the median of `repeats` calls."""
    pt = peer.load()
    materials = Materials()
    engine = peer.to_engine(materials)

    def theirs(layout: Layout, stroke: Stroke) -> float:
        system = peer.from_layout(layout, materials, stroke=stroke, stick=PLAYING_STICK)
        _, ball = engine.resolver.stick_ball.solve(system.cue.copy(), system.balls["cue"].copy())
        system.cue.V0 *= ball_speed(layout, stroke) / float(np.hypot(*ball.state.rvw[1][:2]))
        start = _clock()
        pt.simulate(system, engine=engine, inplace=True, max_events=20_000)
        return _clock() - start

    theirs(*shots[0])
    _ours(*shots[0])
    a, b = [], []
    for layout, stroke in shots:
        a.append(median(_ours(layout, stroke) for _ in range(repeats)))
        b.append(theirs(layout, stroke))
    return Timing(tuple(a), tuple(b))


def ball_speed(layout: Layout, stroke: Stroke) -> float:
    """Horizontal speed of the cue ball after the stroke, m/s."""
    events = simulate(layout, stroke, clearance="event").events
    strike = next(e for e in events if e.kind == "cue_strike")
    vx, vy, _ = strike.after[0][0]
    return math.hypot(vx, vy)


def _ours(layout: Layout, stroke: Stroke) -> float:
    start = _clock()
    simulate(layout, stroke, clearance="event")
    return _clock() - start


@dataclass(frozen=True)
class Batch:
    """Seconds a shot in simulate_many, by number of threads."""

    count: int
    seconds: dict[int, float]


def batch(count: int, threads: Sequence[int] = (1, 2), rounds: int = 5) -> Batch:
    """Ordinary shots through `simulate_many`, numbers of threads turn by turn; medians."""
    shots = ordinary(count, seed=1)
    layouts, strokes = [s[0] for s in shots], [s[1] for s in shots]
    simulate_many(layouts, strokes, workers=1)
    spent: dict[int, list[float]] = {n: [] for n in threads}
    for _ in range(rounds):
        for n in threads:
            start = perf_counter()
            simulate_many(layouts, strokes, workers=n)
            spent[n].append((perf_counter() - start) / count)
    return Batch(count, {n: median(times) for n, times in spent.items()})


def per_event(shots: Sequence[Shot]) -> float:
    """Seconds an event: the median over shots of time over number of events."""
    costs = []
    for layout, stroke in shots:
        count = len(simulate(layout, stroke, clearance="event").events)
        costs.append(min(_ours(layout, stroke) for _ in range(3)) / count)
    return median(costs)


def per_ball_at_rest(counts: Sequence[int] = (1, 4, 7, 10)) -> dict[int, float]:
    """Seconds of one shot along the left cushion with so many balls at rest on the right."""
    table = Table.wpa_9ft()
    stroke = Stroke(2.0, math.pi / 2)
    layouts = {
        n: Layout(
            table,
            {0: (0.3, 0.4)} | {k: (0.9 + 0.2 * (k % 2), 0.3 + 0.2 * k) for k in range(1, n + 1)},
        )
        for n in counts
    }
    spent: dict[int, list[float]] = {n: [] for n in counts}
    for _ in range(31):
        for n, layout in layouts.items():
            spent[n].append(_ours(layout, stroke))
    return {n: median(times) for n, times in spent.items()}


@dataclass(frozen=True)
class Fresh:
    """One fresh process; its seconds are processor time, the waiting of an idle machine.

    Attributes:
        imported: s to import the library.
        first: s of the first shot, the compiler's import and all.
        whole: s from starting Python to the shot's result.
        wall: s of the whole process by the clock on the wall.
        peak: bytes of memory at most; 0 where the system does not tell.
    """

    imported: float
    first: float
    whole: float
    wall: float
    peak: int


_OURS = """
import time; a = time.process_time()
import sim
b = time.process_time()
sim.simulate(sim.rack(sim.Table.wpa_9ft(), seed=7), sim.Stroke(8.0, 1.5708), clearance="event")
c = time.process_time()
"""
_THEIRS = """
import time; a = time.process_time()
import pooltool as pt
b = time.process_time()
pt.simulate(pt.System.example(), inplace=True)
c = time.process_time()
"""
_TOLD = """
import json
try:
    # Linux: since this program began; getrusage would tell what it was forked from.
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
except (OSError, StopIteration):
    try:
        import resource, sys
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak *= 1 if sys.platform == "darwin" else 1024
    except ImportError:
        peak = 0
print(json.dumps({"imported": b - a, "first": c - b, "whole": c, "peak": peak}))
"""


def fresh(cold: bool = False) -> Fresh:
    """Start a process, import `sim`, break a rack. `cold`: from a copy that was never compiled."""
    root = Path(__file__).resolve().parents[2]
    if not cold:
        return _process(_OURS, {"PYTHONPATH": str(root)}, cwd=str(root))
    with tempfile.TemporaryDirectory() as folder:
        for package in ("sim", "rules"):
            shutil.copytree(
                root / package,
                Path(folder) / package,
                ignore=shutil.ignore_patterns("__pycache__", "_assets"),
            )
        places = dict.fromkeys(("PYTHONPATH", "TENBALL_CACHE_DIR", "XDG_CACHE_HOME"), folder)
        return _process(_OURS, places | {"TMPDIR": folder, "LOCALAPPDATA": folder}, cwd=folder)


def fresh_peer(cold: bool = False) -> Fresh:
    """The same for pooltool and its example. `cold`: with an empty cache of numba's."""
    peer.load()
    with tempfile.TemporaryDirectory() as folder:
        places = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CONFIG_HOME"), folder)
        if cold:
            places["NUMBA_CACHE_DIR"] = folder
        return _process(_THEIRS, places)


@cache
def _bytecode() -> str:
    """Where fresh processes keep compiled Python, as an installed package would have it."""
    folder = tempfile.mkdtemp(prefix="tenball-bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _process(code: str, environment: dict[str, str], cwd: str | None = None) -> Fresh:
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    inherited["PYTHONPYCACHEPREFIX"] = _bytecode()
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code + _TOLD],
        env={**inherited, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = perf_counter() - start
    if done.returncode:
        raise EngineError(f"fresh process: {done.stderr.strip().splitlines()[-1]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return Fresh(told["imported"], told["first"], told["whole"], wall, int(told["peak"]))


_MILLION = """
import time; a = b = time.process_time()
import numpy as np, sim
from sim.interop.speed import ordinary
layout = ordinary(1)[0][0]
rng = np.random.default_rng(3)
speeds, headings = rng.uniform(1.0, 4.0, COUNT), rng.uniform(0.0, 6.28, COUNT)
strokes = [sim.Stroke(v, h) for v, h in zip(speeds.tolist(), headings.tolist())]
shots = sim.simulate_many(layout, strokes)
assert len(shots) == COUNT and shots.ok.all()
c = time.process_time()
"""


def million(count: int = 1_000_000) -> Fresh:
    """One process that plays `count` shots with simulate_many and keeps all their columns."""
    root = str(Path(__file__).resolve().parents[2])
    return _process(_MILLION.replace("COUNT", str(count)), {"PYTHONPATH": root}, cwd=root)


def bytes_a_row(count: int = 64) -> float:
    """Memory of one row of `Shots`, bytes."""
    shots = ordinary(count)
    columns = vars(simulate_many([s[0] for s in shots], [s[1] for s in shots]))
    return sum(c.nbytes for c in columns.values() if isinstance(c, np.ndarray)) / count
