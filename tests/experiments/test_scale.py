"""The same sweep on other executors, and with a worker killed on the way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pandas as pd
import pytest

from sim import experiments as lab
from sim.experiments.sampling import BLOCK
from sim.experiments.scale import run_tasks

SCENE, PARAMETERS = lab.Break(), {"speed": [7.0, 9.0], "aim": lab.Normal(0.0, 0.01)}
OPTIONS = {"n": 512, "seed": 8, "progress": False, "chunk": BLOCK}


@pytest.fixture(scope="module")
def undisturbed():
    return lab.sweep(SCENE, PARAMETERS, **OPTIONS).shots


def die_once(marker, number):
    """A task whose first worker dies under it."""
    if not os.path.exists(marker):
        with open(marker, "w", encoding="utf-8"):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    return number


class Dying(ProcessPoolExecutor):
    """A pool whose processes die after two tasks."""

    def submit(self, function, /, *args, **options):
        self.count = getattr(self, "count", 0) + 1
        if self.count > 2:
            raise BrokenProcessPool("a process was terminated abruptly")
        return super().submit(function, *args, **options)


def test_a_broken_pool_keeps_what_is_done_and_the_same_call_goes_on(tmp_path, undisturbed):
    """Half of the frame is played in another process, the rest in threads here."""
    store = tmp_path / "s"
    with (
        Dying(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        pytest.raises(lab.WorkersLost, match=r"\d+ of 1,024 shots; call it again"),
    ):
        lab.sweep(SCENE, PARAMETERS, executor=pool, store=store, **OPTIONS)
    run = lab.sweep(SCENE, PARAMETERS, store=store, **OPTIONS)
    pd.testing.assert_frame_equal(run.shots, undisturbed)


def test_few_tasks_are_under_way_at_a_time():
    drawn = []

    def tasks():
        for number in range(200):
            drawn.append(number)
            yield number, (number,)

    for done, (number, value) in enumerate(run_tasks(abs, tasks(), 2)):
        assert number == value
        assert len(drawn) <= done + 4


@pytest.fixture(scope="module")
def cluster(require):
    require("module:distributed")
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_killed_dask_worker_loses_nothing_and_counts_nothing_twice(
    cluster, tmp_path, undisturbed
):
    """One of two processes is killed after the first part has come back."""
    from sim.experiments import sweeping

    pids = list(cluster.run(os.getpid).values())
    assert len(pids) == 2
    kept = []
    keep = sweeping.Run._keep

    def kill_then_keep(self, number, shots, events):
        if not kept:
            os.kill(pids[0], signal.SIGTERM)
        kept.append(number)
        keep(self, number, shots, events)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeping.Run, "_keep", kill_then_keep)
        run = lab.sweep(SCENE, PARAMETERS, executor=cluster, store=tmp_path / "s", **OPTIONS)
    assert run.complete
    assert sorted(kept) == list(range(4)), "each part once"
    pd.testing.assert_frame_equal(run.shots, undisturbed)
    now = set(cluster.run(os.getpid).values())
    assert pids[0] not in now


def test_a_task_whose_worker_dies_under_it_is_played_elsewhere(cluster, tmp_path):
    tasks = [(k, (str(tmp_path / "died"), k)) for k in range(6)]
    done = list(run_tasks(die_once, tasks, cluster, name="die"))
    assert sorted(done) == [(k, k) for k in range(6)]
    assert (tmp_path / "died").exists()
