"""pooltool 0.6.0 both ways: tables, layouts, strokes, results; its engine; its viewer.

    from sim.interop import pooltool
    pooltool.simulate(layout, stroke)      # the same shot by pooltool's engine, as a sim.Result
    pooltool.from_layout(layout, materials, stroke=stroke)   # a pooltool System to go on with
    pooltool.show(result)                  # in pooltool's viewer

`from_x` makes pooltool's value of ours, `to_x` makes ours of pooltool's. pooltool itself is imported with
the first call, without reading or writing the home folder (see library.py).
"""

from __future__ import annotations

from sim.interop.pooltool.convert import (
    CUSHION_MODELS,
    from_layout,
    from_materials,
    from_stroke,
    from_table,
    to_engine,
    to_layout,
    to_materials,
    to_stroke,
    to_table,
)
from sim.interop.pooltool.library import InteropError, MissingPooltoolError, load
from sim.interop.pooltool.play import show, simulate
from sim.interop.pooltool.results import from_result, to_result

__all__ = [
    "CUSHION_MODELS",
    "InteropError",
    "MissingPooltoolError",
    "from_layout",
    "from_materials",
    "from_result",
    "from_stroke",
    "from_table",
    "load",
    "show",
    "simulate",
    "to_engine",
    "to_layout",
    "to_materials",
    "to_result",
    "to_stroke",
    "to_table",
]
