"""The one kernel decorator, and the cache of the one compiled entry.

Kernels call each other only from compiled code, so they carry no Python wrapper (a quarter of the
compilation). `entry` marks what Python calls: compiled once per machine and cached in a folder keyed by a
hash of all kernel sources, because numba's own cache does not see changes in called files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, _CacheLocator

from sim.physics.inner import inner_options

__all__ = [
    "cache_folder",
    "entry",
    "inlined",
    "is_cached",
    "kernel",
    "python_kernel",
    "source_hash",
]

_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}

# For kernels called by kernels only. See sim/physics/inner.py: they become machine code once, inside
# the entry that uses them.
kernel = numba.njit(**_FLAGS, no_cpython_wrapper=True, no_cfunc_wrapper=True, **inner_options())
# For a long function with one caller: compiled as part of it instead of twice.
inlined = numba.njit(**_FLAGS, inline="always")
# For tests that look at one kernel alone.
python_kernel = numba.njit(**_FLAGS)


def source_hash() -> str:
    """Hash of every kernel source and of the compiler's version: the cache's key."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {sys.version_info[:2]}".encode())
    return digest.hexdigest()[:16]


def _candidates() -> list[Path]:
    """Where compiled code may live: an explicit folder, beside the package, the user's cache."""
    if explicit := os.environ.get("TENBALL_CACHE_DIR"):
        return [Path(explicit)]
    places = []
    places.append(Path(__file__).parent / "__pycache__")
    home = _home()
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        places.append(Path(local) / "tenball")
    elif sys.platform == "darwin" and home:
        places.append(home / "Library/Caches/tenball")
    elif base := os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(base) / "tenball")
    elif home:
        places.append(home / ".cache/tenball")
    places.append(
        Path(tempfile.gettempdir()) / f"tenball-{os.getuid() if hasattr(os, 'getuid') else 0}"
    )
    return places


def _home() -> Path | None:
    """The user's folder; None for a user without one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def cache_folder() -> Path | None:
    """The first candidate that can be written (or already holds this build), else None."""
    name = f"kernels-{source_hash()}"
    candidates = _candidates()
    for place in candidates:
        folder = place / name
        if any(folder.glob("*.nbi")):
            return folder
    for place in candidates:
        folder = place / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        return folder
    return None


def is_cached() -> bool:
    """Whether the compiled entry for these sources is on disk (else the first shot compiles)."""
    folder = cache_folder()
    return folder is not None and any(folder.glob("*.nbi"))


class _Locator(_CacheLocator):
    """Tells numba where our folder is and that only our own hash decides freshness."""

    def __init__(self, folder: Path, py_file: str) -> None:
        self._folder = folder
        self._py_file = py_file

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return "0"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        folder = cache_folder()
        return None if folder is None else cls(folder, py_file)


class _Impl(FunctionCache._impl_class):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    _impl_class = _Impl

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full disk costs the next process a compilation, not this one its shot.
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def entry(function: Callable[..., Any]) -> Any:
    """Compile `function` lazily, once per machine; release the GIL while it runs."""
    dispatcher = numba.njit(**_FLAGS)(function)
    if cache_folder() is not None:
        dispatcher._cache = _Cache(function)
    return dispatcher
