"""pooltool, loaded without a trace: its settings come from here, never from the home folder.

On import pooltool makes `~/.config/pooltool`, reads its physics from there, and changes NumPy's print options.
Here it is imported on first use with a home folder of its own, and NumPy is put back as it was.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from sim.model import InputError, TenballError

__all__ = ["InteropError", "MissingPooltoolError", "borrowed_home", "load"]

# What names a home folder on Linux, macOS and Windows, or a place below it.
_HOME_NAMES = (
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)
VERSION = "0.6.0"
_lock = threading.RLock()


class InteropError(InputError):
    """A value that has no counterpart in pooltool, or of pooltool's that has none here."""


class MissingPooltoolError(TenballError, ImportError):
    """pooltool is not installed."""


@cache
def _home() -> str:
    """A home folder that lives as long as this process (pooltool's viewer looks there again)."""
    folder = tempfile.mkdtemp(prefix="tenball-pooltool-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextmanager
def borrowed_home() -> Iterator[str]:
    """The environment's home folder is a temporary one inside this block."""
    with _lock:
        kept = {name: os.environ.get(name) for name in _HOME_NAMES}
        home = _home()
        for name in _HOME_NAMES:
            os.environ[name] = home
        try:
            yield home
        finally:
            for name, value in kept.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


@cache
def load() -> Any:
    """The module `pooltool`.

    Raises:
        MissingPooltoolError: not installed (it is in the extra `pooltool`), or another version.
    """
    options = np.get_printoptions()
    with borrowed_home(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies' own deprecations, not ours to mend
        try:
            module = importlib.import_module("pooltool")
        except ImportError as error:
            raise MissingPooltoolError(
                f"pooltool: {error}; expected pooltool-billiards {VERSION} "
                f'(pip install "tenball[pooltool]")'
            ) from error
        finally:
            np.set_printoptions(**options)
    if module.__version__ != VERSION:
        raise MissingPooltoolError(
            f"pooltool: got version {module.__version__}, expected {VERSION}"
        )
    return module
