"""Settings of all tests: repeatable hypothesis runs, no silent skips where CI promises a part."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable

import pytest
from hypothesis import settings

CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")

# The same examples every time; HYPOTHESIS_PROFILE=explore looks further on a developer's machine.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("repeatable" if CI else os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


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
