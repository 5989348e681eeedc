"""Frozen values: what a table, a layout, a stroke and their constants are. No compiler here."""

from sim.model.balls import BALLS, CUE_BALL, LOOKS, OBJECT_BALLS, TEN
from sim.model.errors import (
    EngineError,
    EventLimitError,
    FileError,
    InputError,
    LayoutError,
    MaterialsError,
    StrokeError,
    TableError,
    TenballError,
)
from sim.model.layout import Layout
from sim.model.materials import FrictionLaw, Materials
from sim.model.rack import rack, rack_order
from sim.model.stroke import BREAK_STICK, JUMP_STICK, PLAYING_STICK, Motion, Stick, Stroke
from sim.model.table import CUSHIONS, POCKETS, TABLES, Table, TableSpec

__all__ = [
    "Table",
    "TableSpec",
    "TABLES",
    "CUSHIONS",
    "POCKETS",
    "Layout",
    "rack",
    "rack_order",
    "Stroke",
    "Motion",
    "Stick",
    "PLAYING_STICK",
    "BREAK_STICK",
    "JUMP_STICK",
    "Materials",
    "FrictionLaw",
    "BALLS",
    "CUE_BALL",
    "OBJECT_BALLS",
    "TEN",
    "LOOKS",
    "TenballError",
    "InputError",
    "TableError",
    "LayoutError",
    "StrokeError",
    "MaterialsError",
    "FileError",
    "EngineError",
    "EventLimitError",
]
