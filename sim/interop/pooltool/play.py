"""Shots played by pooltool's engine, and pooltool's viewer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.interop.pooltool.convert import from_layout, to_engine
from sim.interop.pooltool.library import InteropError, borrowed_home, load
from sim.interop.pooltool.results import from_result, to_result
from sim.model import (
    PLAYING_STICK,
    EngineError,
    Layout,
    Materials,
    Motion,
    Stick,
    Stroke,
)
from sim.shot.result import Result

__all__ = ["show", "simulate"]

EVENT_LIMIT = 20_000  # pooltool's balls that press on each other never finish


def simulate(
    layout: Layout,
    stroke: Stroke | None = None,
    *,
    motions: Mapping[int, Motion] | None = None,
    materials: Materials | None = None,
    cushion_model: str = "stronge",
    stick: Stick = PLAYING_STICK,
    until: float | None = None,
) -> Result:
    """Play one shot with pooltool's engine instead of this project's; the answer as a `sim.Result`.

    The result is pooltool's word in this project's types: planar, its own pockets and cushions, its cue
    (no miscue, no clearance, no second tip contact; elevation None is level). Give `motions` to
    compare engines without their sticks.

    Args:
        layout, stroke, motions, stick: as `sim.simulate`.
        materials: the constants pooltool knows are taken from it; None: `sim.Materials()`.
        cushion_model: "stronge" (pooltool's default), "mathavan2010" or "han2005", all pooltool's.
        until: s; the shot is left there, at the first event after it. None: played to its end.

    Raises:
        InteropError: what a planar engine cannot play; neither or both of stroke and motions.
        MissingPooltoolError: pooltool 0.6.0 is not installed.
        EngineError: pooltool failed, or did not finish within 20,000 events.
    """
    if (stroke is None) == (motions is None):
        given = "neither" if stroke is None else "both"
        raise InteropError(f"simulate: got {given} of stroke and motions, expected exactly one")
    materials = Materials() if materials is None else materials
    system = from_layout(layout, materials, stroke=stroke, motions=motions, stick=stick)
    run(system, to_engine(materials, cushion_model), until)
    return to_result(
        system,
        layout,
        materials,
        stroke=stroke,
        motions=motions,
        stick=stick,
        cushion_model=cushion_model,
    )


def run(system: Any, engine: Any, until: float | None = None) -> None:
    """pooltool's own simulate on a System, in place, to its end or to the first event after `until`.

    Raises:
        EngineError: it failed, or did not finish within 20,000 events.
    """
    pt = load()
    try:
        pt.simulate(system, engine=engine, inplace=True, t_final=until, max_events=EVENT_LIMIT)
    except Exception as error:  # whatever pooltool raises (asserts, divisions) is its failure
        raise EngineError(f"pooltool: {type(error).__name__}: {error}") from error
    if len(system.events) > EVENT_LIMIT:
        raise EngineError(f"pooltool: more than {EVENT_LIMIT} events")


def show(shot: Result | Any, title: str = "") -> None:
    """Play a shot in pooltool's viewer, over and over: a Result, or a pooltool System.

    Needs a display (seen to run with Panda3D 1.10.16 under Xvfb, software OpenGL, though pooltool asks for a
    development build of 1.11; the window holds still while it is not in the foreground). Returns when
    Escape is pressed. pooltool takes one viewer a process.
    """
    pt = load()
    with borrowed_home():
        pt.show(from_result(shot) if isinstance(shot, Result) else shot, title=title)
