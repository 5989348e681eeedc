"""One thread beside the one that draws: it plays shots, and compiles the engine."""

from __future__ import annotations

import gc
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

__all__ = ["EngineStart", "Worker"]


class Worker:
    """Does one thing after another in a thread of its own, which never keeps the program alive."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = (
            queue.SimpleQueue()
        )
        self._thread = threading.Thread(target=self._run, name="tenball worker", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], Any]) -> Future[Any]:
        """Do `job` when what was asked before is done; the future has its result or its error."""
        future: Future[Any] = Future()
        self._jobs.put((future, job))
        return future

    def _run(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(job())
            except BaseException as error:  # handed to whoever waits, whatever it is
                future.set_exception(error)

    def close(self, wait: float = 0.0) -> None:
        """Stop after the jobs asked for so far, and wait for them so many seconds at most."""
        self._jobs.put(None)
        self._thread.join(wait)


class EngineStart:
    """The engine's first call: it compiles on a fresh machine, and loads on any other.

    Attributes:
        compiles: whether nothing compiled was found on the disk; None until that is known.
    """

    def __init__(self, worker: Worker) -> None:
        self.compiles: bool | None = None
        self._began = time.monotonic()
        self._future = worker.submit(self._start)

    def _start(self) -> None:
        from sim.model.layout import Layout
        from sim.model.stroke import Stroke
        from sim.model.table import Table
        from sim.physics.kernel import is_cached
        from sim.shot.simulator import simulate

        self.compiles = not is_cached()
        simulate(Layout(Table.wpa_9ft(), {0: (0.6, 0.6)}), Stroke(0.5, 0.0))
        # What is loaded by now stays: a garbage collection that walks through the compiler's hundred
        # thousand objects again and again would show as a frame of 0.1 s.
        gc.collect()
        gc.freeze()

    @property
    def ready(self) -> bool:
        """Whether shots can be played without a wait.

        Raises:
            Exception: whatever stopped the engine from starting.
        """
        if not self._future.done():
            return False
        self._future.result()
        return True

    @property
    def started(self) -> bool:
        """Whether it is done, well or not."""
        return self._future.done()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the engine is ready."""
        self._future.result(timeout)

    @property
    def line(self) -> str:
        """What there is to say about it, one line; "" when it is ready."""
        if self.ready:
            return ""
        spent = time.monotonic() - self._began
        if self.compiles:
            return f"Compiling the engine, once on this machine (about a minute): {spent:.0f} s"
        return "The engine is being loaded ..."
