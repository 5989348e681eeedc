"""All tests here need pooltool."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture(autouse=True)
def _pooltool(require: Callable[[str], None]) -> None:
    require("module:pooltool")
