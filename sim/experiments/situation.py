"""What a sweep plays: a scene as plain numbers that travel to other processes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from sim.experiments.parameters import ExperimentError
from sim.model import (
    BREAK_STICK,
    PLAYING_STICK,
    Layout,
    Materials,
    MaterialsError,
    Stick,
    Stroke,
    Table,
)
from sim.model.checks import brief, instance, is_several, whole, word
from sim.model.rack import rack_order
from sim.shot.packing import CUSHION_MODELS, pack_params
from sim.shot.scenes import Scene, scene

__all__ = ["Break", "Situation", "situation"]


@dataclass(frozen=True)
class Break:
    """A break: every shot of a sweep has a rack of its own, unless `rack_seed` is varied or fixed.

    Attributes:
        table: the table.
        order: of the rack, as `sim.rack`.
        gap: the largest gap between neighbours, m.
        cue: (x, y) of the cue ball, m; None: where `sim.rack` puts it.
        speed, side, vertical: of the stroke; it is aimed full at the one, `aim` turns it away.
        stick: the cue stick.
        rack_seed: one rack for all shots; None: a fresh one for each, drawn from the sweep's seed.
    """

    table: Table = field(default_factory=Table.wpa_9ft)
    order: str | tuple[int, ...] = "wpa"
    gap: float = 1e-4
    cue: tuple[float, float] | None = None
    speed: float = 9.0
    side: float = 0.0
    vertical: float = 0.0
    stick: Stick = BREAK_STICK
    rack_seed: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.order, str):
            if not is_several(self.order):
                raise ExperimentError(f"Break order: got {brief(self.order)}, expected ten balls")
            object.__setattr__(self, "order", tuple(islice(self.order, 11)))
        rack_order(self.order, 0)


@dataclass(frozen=True)
class Situation:
    """The fixed side of a sweep.

    Attributes:
        table, materials, stick, cushion_model, clearance: as `sim.simulate`.
        places: (ball, (x, y, z)) pairs; empty for a break.
        rack: the break, None for a fixed layout.
        stroke: before anything is varied.
        aim_at: the ball that `aim` is counted from; None: the stroke's own azimuth.
    """

    table: Table
    materials: Materials
    stick: Stick
    cushion_model: str | None
    clearance: str
    places: tuple[tuple[int, tuple[float, float, float]], ...]
    rack: Break | None
    stroke: Stroke
    aim_at: int | None

    @property
    def balls(self) -> tuple[int, ...]:
        """Ids that the scene has."""
        return tuple(range(11)) if self.rack else tuple(ball for ball, _ in self.places)

    def constants(self) -> dict[str, Any]:
        """Every constant by its parameter's name, as plain data."""
        given: dict[str, Any] = {
            name: getattr(self.stroke, name)
            for name in ("speed", "azimuth", "side", "vertical", "elevation")
        }
        if self.aim_at is not None:
            del given["azimuth"]
            given["aim_at"] = self.aim_at
        given |= {
            f"ball_{b}_{axis}": v
            for b, xyz in self.places
            for axis, v in zip("xyz", xyz, strict=True)
        }
        if self.rack is not None:
            given["rack_gap"], given["rack_order"] = self.rack.gap, self.rack.order
            given["rack_seed"] = self.rack.rack_seed
            if self.rack.cue is not None:
                given["ball_0_x"], given["ball_0_y"] = self.rack.cue
        given["table"] = self.table.name
        given |= {f"table_{k}": v for k, v in dataclasses.asdict(self.table.spec).items()}
        given |= dataclasses.asdict(self.materials)
        given |= {f"stick_{k}": v for k, v in dataclasses.asdict(self.stick).items()}
        given["cushion_model"], given["clearance"] = self.cushion_model, self.clearance
        return given


def situation(
    what: Any,
    *,
    materials: Materials | None = None,
    cushion_model: str | None = None,
    stick: Stick | None = None,
    clearance: str = "event",
    aim_at: int | None = None,
) -> Situation:
    """The fixed side of a sweep from a Scene, its name, a Break, or (layout, stroke).

    Raises:
        ExperimentError: anything else; a scene set going by motions; `aim_at` of a ball not there.
        MaterialsError: constants that do not fit, an unknown cushion model.
    """
    word(clearance, "clearance", ExperimentError, ("refuse", "event"))
    if materials is not None:
        instance(materials, "materials", ExperimentError, Materials)
    if stick is not None:
        instance(stick, "stick", ExperimentError, Stick)
    if cushion_model is not None:
        word(cushion_model, "cushion model", MaterialsError, CUSHION_MODELS)
    if aim_at is not None:
        expected = "the number of an object ball, 1 to 10"
        aim_at = whole(aim_at, "aim_at", ExperimentError, expected, low=1, high=10)
    if isinstance(what, Break):
        if aim_at not in (None, 1):
            raise ExperimentError(f"aim_at: got {aim_at}, expected 1 on a break")
        stroke = Stroke(what.speed, math.pi / 2, what.side, what.vertical)
        pack_params(what.table, materials or Materials(), cushion_model)
        return Situation(
            table=what.table,
            materials=materials or Materials(),
            stick=stick or what.stick,
            cushion_model=cushion_model,
            clearance=clearance,
            places=(),
            rack=what,
            stroke=stroke,
            aim_at=1,
        )
    if isinstance(what, str):
        what = scene(what)
    given_stick = stick
    if isinstance(what, Scene):
        given_stick = stick or what.stick
        layout, shot = what.layout, what.stroke
    elif isinstance(what, Sequence) and len(what) == 2:
        layout, shot = what
    else:
        layout, shot = what, None
    if not isinstance(layout, Layout) or not isinstance(shot, Stroke):
        raise ExperimentError(
            f"scene: got {brief(what)}, expected a Scene with a stroke, a scene's name, a Break, or "
            "(layout, stroke)"
        )
    if materials is not None and materials.ball_radius != layout.ball_radius:
        raise ExperimentError(
            f"materials: got ball_radius {materials.ball_radius:g}, expected the layout's "
            f"{layout.ball_radius:g}"
        )
    if aim_at is not None and aim_at not in layout:
        raise ExperimentError(
            f"aim_at: got {brief(aim_at)}, expected an object ball of the layout, {list(layout.balls)}"
        )
    materials = materials or Materials(ball_radius=layout.ball_radius)
    pack_params(layout.table, materials, cushion_model)
    return Situation(
        table=layout.table,
        materials=materials,
        stick=given_stick or PLAYING_STICK,
        cushion_model=cushion_model,
        clearance=clearance,
        places=tuple((b, tuple(np.asarray(layout[b]).tolist())) for b in layout.balls),
        rack=None,
        stroke=shot,
        aim_at=aim_at,
    )
