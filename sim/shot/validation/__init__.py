"""The engine against published numbers: every row of the table that `tenball validate` prints.

All rows are played by `sim.simulate` itself, as a user would. `all_rows()` gives the table,
`scripted_shots()` the shots whose number has a closed form. Limits of measured rows stand in
data/limits.toml, each with its reason; model rows have 0.1 % or the last printed digit.
"""

from __future__ import annotations

from sim.shot.validation.rows import Row

__all__ = ["GROUPS", "Row", "all_rows", "group_rows"]

GROUPS = ("motion", "cue", "bed", "throw", "collisions", "clusters", "cushion", "scripted")


def group_rows(group: str) -> list[Row]:
    """The rows of one group of GROUPS."""
    from importlib import import_module

    rows: list[Row] = import_module(f"sim.shot.validation.{group}").rows()
    return rows


def all_rows() -> list[Row]:
    """Every row, group by group."""
    return [row for group in GROUPS for row in group_rows(group)]
