"""The names of everything a sweep can vary, and where each belongs."""

from __future__ import annotations

import dataclasses
import difflib
from typing import Literal

from sim.model import BALLS, InputError, Materials, Stick, TableSpec
from sim.model.checks import brief

__all__ = ["ANGLES", "AIM", "PARAMETERS", "ExperimentError", "Group", "check_name"]

Group = Literal["stroke", "aim", "ball", "rack", "table", "materials", "stick", "cushion_model"]


class ExperimentError(InputError):
    """A sweep that cannot be run, or a file of one that cannot be read."""


# Degrees beside radians: {name in degrees: name in radians}.
ANGLES = {"azimuth_deg": "azimuth", "elevation_deg": "elevation", "aim_deg": "aim"}
AIM = "aim"


def _names() -> dict[str, Group]:
    names: dict[str, Group] = {}
    for name in ("speed", "azimuth", "side", "vertical", "elevation"):
        names[name] = "stroke"
    names |= {"azimuth_deg": "stroke", "elevation_deg": "stroke", "aim": "aim", "aim_deg": "aim"}
    names |= {f"ball_{ball}_{axis}": "ball" for ball in BALLS for axis in "xyz"}
    names |= {"rack_seed": "rack", "rack_gap": "rack", "rack_order": "rack"}
    names |= {"table": "table"}
    names |= {f"table_{f.name}": "table" for f in dataclasses.fields(TableSpec)}
    names |= {f.name: "materials" for f in dataclasses.fields(Materials)}
    names |= {f"stick_{f.name}": "stick" for f in dataclasses.fields(Stick)}
    names |= {"cushion_model": "cushion_model"}
    return names


PARAMETERS: dict[str, Group] = _names()
"""{name: what it belongs to}.

Stroke: speed, azimuth, side, vertical, elevation (angles also as `_deg`); aim: radians off the full
hit on the ball that `aim_at` names; ball_3_x: a ball's place, m; rack_seed, rack_gap, rack_order:
of a `Break`; table: its name, table_w and so on: fields of TableSpec; fields of Materials under
their own names; stick_mass and so on; cushion_model.
"""


def check_name(name: object) -> str:
    """A parameter's name, or an error that names the nearest right one.

    Raises:
        ExperimentError: there is no such parameter.
    """
    if isinstance(name, str) and name in PARAMETERS:
        return name
    near = difflib.get_close_matches(str(name), PARAMETERS, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "see sim.experiments.PARAMETERS"
    raise ExperimentError(f"parameter: got {brief(name)}, which there is not; {hint}")
