"""One shot: `simulate`, results, pictures, shot files (`sim.shot.files`), named shots (`scenes`)."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("files", "scenes"):  # loaded on first use: most of the package needs neither
        from importlib import import_module

        return import_module(f"sim.shot.{name}")
    raise AttributeError(f"module 'sim.shot' has no attribute {name!r}")
