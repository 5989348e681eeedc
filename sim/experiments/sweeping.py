"""`sweep`: many shots over a grid, over distributions, or both."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import pandas as pd
from tqdm.auto import tqdm

from sim.experiments.frames import play_frames
from sim.experiments.parameters import ExperimentError
from sim.experiments.plan import Judging, Plan, make_plan
from sim.experiments.playing import drawn_rows, shot_of
from sim.experiments.rulings import check_rulesets
from sim.experiments.sampling import BLOCK, Errors
from sim.experiments.scale import WorkersLost, run_tasks, workers
from sim.experiments.situation import Break, situation
from sim.experiments.store import Store, iter_shots, read_events, read_shots, write_frame
from sim.model import Layout, Materials, Stick, Stroke
from sim.model.balls import ball_id
from sim.model.checks import brief, is_several, whole
from sim.shot.result import Result
from sim.shot.simulator import simulate

__all__ = ["Run", "SweepInterrupted", "sweep"]

_CHUNK = 16 * BLOCK  # rows of a task
_TASKS = 16  # at least so many tasks for each of several workers, if a task is a block at least
_SLOW_CHUNK = BLOCK  # the same where events are kept or rulings made


class SweepInterrupted(UserWarning):
    """A sweep was interrupted; the run holds what was done."""


class Run:
    """What a sweep did.

    Attributes:
        plan: what was asked.
        store: the folder it was written to, None if it is in memory.
        complete: False after an interrupt.
    """

    def __init__(self, plan: Plan, store: Store | None, chunk: int) -> None:
        self.plan = plan
        self.store = store
        self.complete = False
        self._chunk = chunk
        self._parts: dict[int, tuple[pd.DataFrame, pd.DataFrame | None]] = {}

    def _keep(self, number: int, shots: pd.DataFrame, events: pd.DataFrame | None) -> None:
        if self.store is not None:
            self.store.write(number, shots, events)
        else:
            self._parts[number] = (shots, events)

    @cached_property
    def _frame(self) -> pd.DataFrame:
        if self.store is not None:
            return read_shots(self.store.path)
        if not self._parts:
            raise ExperimentError("the sweep has no finished part: it was interrupted at once")
        return pd.concat([self._parts[k][0] for k in sorted(self._parts)], ignore_index=True)

    @property
    def shots(self) -> pd.DataFrame:
        """The shots, a row each. Of a stored sweep all parts are read: see `chunks` for many.

        Columns: `shot`, the stroke as meant (m/s, radians, ball radii), what was varied, what was
        drawn as error (`aim_error`, ...), `seed`, `engine`, `ok`, `error`; then what happened:
        `pocketed`, `off_table`, `to_cushion` (numbers of balls), `scratch`, `first_contact` (a
        ball, -1 none), `duration` (s), `n_events`, the stick's events; and of each ball b
        `pocket_b` (a pocket's name or missing), `off_b`, `cushion_b`, `cushion_after_b` (cushions
        reached, after the first contact), `x_b`, `y_b` (where it rests, m).
        """
        return self._frame

    @cached_property
    def _event_frame(self) -> pd.DataFrame:
        if not self.plan.judging.events:
            raise ExperimentError("events: got a sweep without, expected sweep(..., events=True)")
        if self.store is not None:
            return read_events(self.store.path)
        return pd.concat([self._parts[k][1] for k in sorted(self._parts)], ignore_index=True)

    @property
    def events(self) -> pd.DataFrame:
        """The events, a row each, with the row number of their shot.

        Raises:
            ExperimentError: the sweep was not asked to keep them.
        """
        return self._event_frame

    @property
    def failed(self) -> pd.DataFrame:
        """The rows that could not be played, with their reasons in `error`."""
        return self.shots[~self.shots["ok"]]

    def chunks(self) -> Iterator[pd.DataFrame]:
        """The shots in pieces, in order: bounded memory for a stored sweep."""
        if self.store is not None:
            yield from iter_shots(self.store.path)
        else:
            for number in sorted(self._parts):
                yield self._parts[number][0]

    def __len__(self) -> int:
        return self.plan.total

    def shot(self, row: int) -> tuple[Layout, Stroke, dict[str, Any]]:
        """(layout, stroke, keywords of `sim.simulate`) of one row, errors of execution included.

        Raises:
            ExperimentError: no such row, or one that could not be played.
        """
        if not 0 <= row < self.plan.total:
            raise ExperimentError(f"shot: got {row}, expected 0 to {self.plan.total - 1}")
        first = row // BLOCK * BLOCK
        return shot_of(
            drawn_rows(self.plan, first, min(first + BLOCK, self.plan.total)), row - first
        )

    def result(self, row: int) -> Result:
        """One row played again: events, paths, picture."""
        layout, stroke, keywords = self.shot(row)
        return simulate(layout, stroke, clearance=self.plan.situation.clearance, **keywords)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the shots as one Parquet file, its plan inside (see `sim.experiments.read`)."""
        write_frame(self.shots, path, self.plan)

    def __repr__(self) -> str:
        where = "in memory" if self.store is None else f"in {self.store.path}"
        state = "" if self.complete else ", not complete"
        return f"Run({self.plan.total:,} shots, {self.plan.points} points, {where}{state})"


def _books(rulings: Any) -> tuple[str, ...]:
    """Names of rulesets, each of which there is."""
    if isinstance(rulings, str):
        rulings = (rulings,)
    if not is_several(rulings):
        raise ExperimentError(f"rulings: got {brief(rulings)}, expected names of rulesets")
    found = []
    for name in rulings:
        check_rulesets((name,))
        found.append(name)
        if len(found) > 100:
            raise ExperimentError("rulings: got more than 100, expected names of rulesets")
    return tuple(found)


def sweep(
    scene: Any,
    parameters: Mapping[Any, Any] | None = None,
    n: int = 1,
    seed: int = 0,
    progress: bool = True,
    *,
    errors: Errors | None = None,
    sampling: str = "random",
    aim_at: int | None = None,
    materials: Materials | None = None,
    cushion_model: str | None = None,
    stick: Stick | None = None,
    clearance: str = "event",
    events: bool = False,
    rulings: Sequence[str] = (),
    rulings_every: int = 1,
    call: tuple[int, str] | str | None = None,
    constants: bool = False,
    executor: Any = None,
    store: str | os.PathLike[str] | None = None,
    chunk: int | None = None,
) -> Run:
    """Play a scene over a grid of parameters, over distributions, or both.

        run = sweep(Break(), {"speed": [7, 9, 11], "aim": Normal(0, 0.01)}, n=1000, seed=1)
        run.shots.groupby("speed")["pocketed"].mean()  # balls a break
        for speed, shots in run.shots.groupby("speed"):
            print(speed, rate(shots["pocketed"] > 0))  # at least one, with its 95 % interval

    >>> import sim
    >>> layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.635, 0.8), 1: (0.635, 1.4)})
    >>> scene = layout, sim.Stroke(speed=1.5, azimuth=1.5708)
    >>> person = Errors(aim=0.01, speed=0.05)
    >>> run = sweep(scene, {"aim_deg": [0, 2]}, n=5, aim_at=1, errors=person, progress=False)
    >>> run.shots.groupby("aim_deg")["first_contact"].max().to_dict()
    {0: 1, 2: 1}

    Args:
        scene: a `sim.shot.scenes.Scene` or its name, a `Break`, or (layout, stroke).
        parameters: {name: values, or a distribution}; every combination of the values is a point of
            the grid, distributions are drawn for each shot. A tuple of names with a list of tuples
            changes several together. Names: `PARAMETERS`.
        n: shots at each point.
        seed: of everything drawn. The same seed gives the same frame, whatever the executor.
        progress: whether a bar is shown (tqdm).
        errors: of execution, drawn for each shot and added to the stroke; in columns of their own.
        sampling: "random", or "sobol" for an evenly spread sample of the distributions and errors.
        aim_at: the ball that the stroke is aimed at, full, in every row; `aim` turns it away.
        materials, cushion_model, stick, clearance: as `sim.simulate`.
        events: whether the second frame, of events, is kept (slower).
        rulings: rulesets whose rulings become columns (slower; see RULING_COLUMNS).
        rulings_every: a ruling for every so many rows only.
        call: what the rulings take as called: (ball, pocket), "safety", "push_out", None: nothing.
            A Break is always ruled as one.
        constants: whether what does not vary stands in columns too (table, materials, stick).
        executor: None: the machine's cores; a number of threads; a concurrent.futures Executor; a
            dask.distributed Client.
        store: a folder for Parquet parts: rows are written as they are played and not kept in
            memory. A sweep that was interrupted goes on where it stopped.
        chunk: rows of a task (a multiple of 256); it changes no result.

    Returns:
        a Run: `.shots` and `.events` are its frames, `.result(row)` a single shot. A row that
        cannot be played has ok False and its reason in `error`. After an interrupt (Ctrl-C) the run
        holds what was done, and a SweepInterrupted warning says so.

    Raises:
        ExperimentError: unknown parameters (with the nearest right one), empty grids and the like.
        FileError: the store holds something else, which is left as it is.
        WorkersLost: the executor's processes died; the store keeps what was done.
    """
    books = _books(rulings)
    most = 2**63 - 1
    expected = f"a whole number 1 to {most}"
    rulings_every = whole(
        rulings_every, "rulings_every", ExperimentError, expected, low=1, high=most
    )
    if not (call is None or isinstance(call, str)):
        if not isinstance(call, Sequence) or len(call) != 2 or not isinstance(call[1], str):
            raise ExperimentError(f"call: got {brief(call)}, expected (ball, pocket) or a word")
        call = (ball_id(call[0]), call[1])
    judging = Judging(
        events=bool(events),
        rulesets=books,
        rulings_every=rulings_every,
        call="break" if isinstance(scene, Break) else call,
    )
    plan = make_plan(
        situation(
            scene,
            materials=materials,
            cushion_model=cushion_model,
            stick=stick,
            clearance=clearance,
            aim_at=aim_at,
        ),
        parameters,
        n=n,
        seed=seed,
        errors=errors,
        sampling=sampling,
        judging=judging,
        constants=constants,
    )
    if chunk is None:
        chunk = _SLOW_CHUNK if judging.events or books else _CHUNK
        # Few tasks leave workers idle at the end: two workers and five tasks are three rounds.
        many = workers(executor)
        tasks = _TASKS * many if many > 1 else 1
        chunk = min(chunk, max(plan.total // tasks // BLOCK, 1) * BLOCK)
    if isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1 or chunk % BLOCK:
        raise ExperimentError(f"chunk: got {brief(chunk)}, expected a multiple of {BLOCK}")
    place = None if store is None else Store(store, plan, chunk)
    run = Run(plan, place, chunk if place is None else place.chunk)
    _fill(run, executor, progress)
    return run


def _fill(run: Run, executor: Any, progress: bool) -> None:
    """Play every task that is not done yet."""
    plan, chunk = run.plan, run._chunk
    done = set() if run.store is None else run.store.done()
    spans = [(k, a) for k, a in enumerate(range(0, plan.total, chunk)) if k not in done]
    tasks = ((k, (plan, a, min(a + chunk, plan.total))) for k, a in spans)
    kept = plan.total - sum(min(chunk, plan.total - a) for _, a in spans)
    bar = tqdm(
        total=plan.total,
        initial=kept,
        unit="shot",
        unit_scale=True,
        disable=not progress,
    )
    with bar:
        try:
            for number, (shots, events) in run_tasks(
                play_frames, tasks, executor, name=f"tenball-{plan.fingerprint}"
            ):
                run._keep(number, shots, events)
                kept += len(shots)
                bar.update(len(shots))
        except KeyboardInterrupt:
            then = "" if run.store is None else " (the same call goes on where it stopped)"
            warnings.warn(
                SweepInterrupted(f"interrupted after {kept:,} of {plan.total:,} shots{then}"),
                stacklevel=3,
            )
            return
        except WorkersLost as error:
            where = (
                "run it with a store to keep what is done"
                if run.store is None
                else f"{run.store.path} keeps {kept:,} of {plan.total:,} shots; call it again"
            )
            raise WorkersLost(f"{error}; {where}") from error
    run.complete = True
