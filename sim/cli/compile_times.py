"""What the one compilation of the engine is spent on, module by module."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from time import process_time
from typing import Any

__all__ = ["compile_lines", "compile_times"]


def compile_times() -> tuple[float, dict[str, tuple[float, int]]]:
    """Compile everything anew: (seconds in all, {module: (seconds of its own, compilations)}).

    Processor seconds. To be called before anything else has loaded the engine in this process.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENBALL_CACHE_DIR"] = folder  # empty: nothing is found there
        from numba.core import event

        own: dict[str, float] = defaultdict(float)
        count: dict[str, int] = defaultdict(int)
        running: list[list[float]] = []  # begun, spent in compilations inside

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                running.append([process_time(), 0.0])

            def on_end(self, event: Any) -> None:
                begun, inside = running.pop()
                spent = process_time() - begun
                module = event.data["dispatcher"].py_func.__module__
                own[module] += spent - inside
                count[module] += 1
                if running:
                    running[-1][1] += spent

        listener = Listener()
        event.register("numba:compile", listener)
        try:
            import sim

            begun = process_time()
            sim.simulate(sim.rack(sim.Table.wpa_9ft()), sim.Stroke(8.0, 1.57), clearance="event")
            total = process_time() - begun
        finally:
            event.unregister("numba:compile", listener)
            del os.environ["TENBALL_CACHE_DIR"]
    return total, {module: (own[module], count[module]) for module in own}


def compile_lines() -> list[str]:
    """The table as text, the costliest module first."""
    total, modules = compile_times()
    lines = ["| module | kernels | processor s |", "|---|---|---|"]
    for module, (seconds, kernels) in sorted(modules.items(), key=lambda item: -item[1][0]):
        lines.append(f"| `{module}` | {kernels} | {seconds:.1f} |")
    kernels = sum(k for _, k in modules.values())
    lines.append(f"| all, with the first shot and loading | {kernels} | {total:.1f} |")
    return lines
