"""Tasks on whatever runs them: threads here, any concurrent.futures Executor, a dask client.

Every task carries its own seeds, so results do not depend on who runs it, in which order, or how
often.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from importlib import import_module
from typing import Any

from sim.experiments.parameters import ExperimentError
from sim.model import TenballError
from sim.model.checks import brief

__all__ = ["WorkersLost", "run_tasks", "workers"]

Task = tuple[Any, ...]


class WorkersLost(TenballError):
    """The executor's workers died. What was done is kept: see the text for how to go on."""


def workers(executor: Any) -> int:
    """How many tasks an executor of `run_tasks` works on at a time.

    Raises:
        ExperimentError: an executor of another kind.
    """
    if executor is None or (isinstance(executor, int) and not isinstance(executor, bool)):
        if executor is not None and executor < 1:
            raise ExperimentError(f"executor: got {executor} threads, expected at least 1")
        return executor or os.cpu_count() or 1
    if isinstance(executor, Executor):
        return getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    if type(executor).__module__.split(".")[0] == "distributed":
        return max(1, sum(executor.nthreads().values()))
    raise ExperimentError(
        f"executor: got {brief(executor)}, expected a number of threads, a concurrent.futures "
        "Executor or a dask.distributed Client"
    )


def run_tasks(
    function: Callable[..., Any],
    tasks: Iterable[tuple[int, Task]],
    executor: Any = None,
    *,
    name: str = "tenball",
) -> Iterator[tuple[int, Any]]:
    """Run function(*task) for each (number, task) and yield (number, value) as they finish.

    At most a few tasks for each worker are under way at a time, so that memory stays bounded.

    Args:
        function: importable, its arguments and value picklable.
        tasks: numbered.
        executor: None: a thread for each core; a number: so many threads; a concurrent.futures
            Executor; a dask.distributed Client.
        name: prefix of dask's keys, the same for the same work.

    Raises:
        ExperimentError: an executor of another kind.
        WorkersLost: a process pool whose processes died (dask replaces its own).
    """
    many = workers(executor)
    if executor is None or isinstance(executor, int):
        pool = ThreadPoolExecutor(many)
        try:
            yield from _run_futures(function, tasks, pool, many + 1)
        finally:
            # After an interrupt: what has not begun is dropped, what runs is waited for.
            pool.shutdown(wait=True, cancel_futures=True)
    elif isinstance(executor, Executor):
        yield from _run_futures(function, tasks, executor, 2 * many)
    else:
        yield from _run_dask(function, tasks, executor, 2 * many, name)


def _run_futures(
    function: Callable[..., Any],
    tasks: Iterable[tuple[int, Task]],
    pool: Executor,
    window: int,
) -> Iterator[tuple[int, Any]]:
    waiting: dict[Future[Any], int] = {}
    todo = iter(tasks)
    try:
        while True:
            while len(waiting) < window and (task := next(todo, None)) is not None:
                waiting[pool.submit(function, *task[1])] = task[0]
            if not waiting:
                return
            finished = wait(waiting, return_when=FIRST_COMPLETED).done
            for future in sorted(finished, key=waiting.__getitem__):
                number = waiting.pop(future)
                yield number, future.result()
    except BrokenExecutor as error:
        raise WorkersLost(f"the workers died: {error}") from error
    finally:
        for future in waiting:
            future.cancel()


def _run_dask(
    function: Callable[..., Any],
    tasks: Iterable[tuple[int, Task]],
    client: Any,
    window: int,
    name: str,
) -> Iterator[tuple[int, Any]]:
    as_completed: Any = import_module("distributed").as_completed  # it ships no types

    todo = iter(tasks)
    done = as_completed(raise_errors=False)
    numbers: dict[str, int] = {}

    def submit() -> bool:
        task = next(todo, None)
        if task is None:
            return False
        # Known by its work: dask plays it again elsewhere if its worker dies, and hands out one.
        future = client.submit(function, *task[1], key=f"{name}-{task[0]}", pure=True, retries=5)
        numbers[future.key] = task[0]
        done.add(future)
        return True

    for _ in range(window):
        if not submit():
            break
    while numbers:
        future = next(done)
        number = numbers.pop(future.key)
        value = future.result()
        future.release()
        submit()
        yield number, value
