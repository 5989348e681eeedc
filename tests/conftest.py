"""Settings of all tests: repeatable hypothesis runs, two workers, no silent skips where CI promises a part."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")

# The same examples every time; HYPOTHESIS_PROFILE=explore looks further on a developer's machine.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("repeatable" if CI else os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if sys.dont_write_bytecode:
    # A user's wish; but these tests start hundreds of processes, which all would translate every library
    # again. So bytecode lies in a folder of its own, and nothing is written beside any source.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix


# --- workers (pytest-xdist; `-n auto` in pyproject.toml) ---

WORKERS = 2  # at most; some tests start processes of their own
# What compiles pooltool stays in one worker: never two long compilations side by side.
COMPILE_POOLTOOL = ("tests/benchmarks/", "tests/interop/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many workers `-n auto` means: none for one file, nor where output or a debugger is wanted."""
    option = config.option
    here = option.capture == "no" or option.collectonly or option.usepdb or option.trace
    files = {argument.split("::")[0] for argument in config.args}
    if here or (len(files) == 1 and os.path.isfile(*files)):
        return 0
    return min(WORKERS, os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """The engine is compiled once, here, before there are workers that would all compile it."""
    from sim.physics.kernel import is_cached

    if is_cached():
        return
    import sim

    terminal = config.pluginmanager.getplugin("terminalreporter")
    terminal.write_line("compiling the engine, once on this machine ...", flush=True)
    start = time.monotonic()
    sim.simulate(sim.rack(sim.Table.wpa_9ft(), seed=1), sim.Stroke(1.0, 1.5))
    terminal.write_line(f"the engine is compiled: {time.monotonic() - start:.0f} s", flush=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """By file, as `--dist loadfile`: fixtures of a module are made once."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(COMPILE_POOLTOOL):
                return "pooltool"
            return super()._split_scope(nodeid)

    return Scheduling(config, log)


# --- optional parts ---


def _found(component: str) -> bool:
    """Whether a component is here: `module:NAME`, or `program:NAME` on the path."""
    kind, _, name = component.partition(":")
    if kind == "module":
        return importlib.util.find_spec(name) is not None
    if kind == "program":
        return shutil.which(name) is not None
    raise ValueError(f"component: got {component!r}, expected module:NAME or program:NAME")


def missing(component: str) -> None:
    """Skip this test because a component is not here, or fail where CI=true promises it."""
    reason = f"{component} is not here"
    if CI:
        pytest.fail(f"{reason}, and CI=true promises it", pytrace=False)
    pytest.skip(reason)


def require(component: str) -> None:
    """Skip (in CI: fail) unless `module:NAME` or `program:NAME` is here.

    Tests get it as a fixture, `def test_x(require): require("module:pooltool")`.
    """
    if not _found(component):
        missing(component)


@pytest.fixture(name="require", scope="session")
def _require() -> Callable[[str], None]:
    return require
