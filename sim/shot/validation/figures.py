"""Published points and the engine's curve in one plot, for rows of the table that form a curve.

The points are the rows' own (what is asked, at `Row.point`); a curve is the same experiment at many
places. Drawn with matplotlib (the `lab` extra), which is imported when a figure is drawn.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model.errors import InputError
from sim.shot.packing import CUSHION_MODELS
from sim.shot.validation import bed, collisions, cue, cushion, throw
from sim.shot.validation.motion import A18, slide
from sim.shot.validation.play import FOOT, R, after_nose, moving
from sim.shot.validation.rows import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["FIGURES", "Figure", "Panel", "draw", "png", "require_matplotlib"]

BLUE, ORANGE, RED, GREEN, INK = "#1f4fbf", "#f07f1a", "#d6262b", "#14733c", "#22282a"
DOTS_PER_INCH = 100


@dataclass(frozen=True)
class Series:
    """Points or a line: x and y as drawn, its words in the legend ("" for none)."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    words: str
    colour: str
    style: str


@dataclass
class Panel:
    """One pair of axes."""

    title: str
    xlabel: str
    ylabel: str
    lines: list[Series] = field(default_factory=list)
    points: list[Series] = field(default_factory=list)

    def line(self, x: ArrayLike, y: ArrayLike, words: str, colour: str, style: str = "-") -> None:
        """A curve of the engine."""
        self.lines.append(Series(np.asarray(x, float), np.asarray(y, float), words, colour, style))

    def curve(self, f: Callable[[float], float], x: ArrayLike, words: str, colour: str) -> None:
        """The engine at many places."""
        places = np.asarray(x, float)
        self.line(places, [f(float(place)) for place in places], words, colour)

    def published(self, rows: Iterable[Row], words: str, colour: str = INK) -> None:
        """What the rows ask for, at their places."""
        at = [(row.point.x, row.asked) for row in rows if row.point is not None]
        x, y = np.array(sorted(at)).T
        self.points.append(Series(x, y, words, colour, "o"))


@dataclass(frozen=True)
class Figure:
    """A file's worth: the group whose rows it shows, and what makes its panels of them."""

    name: str
    group: str
    panels: Callable[[Sequence[Row]], list[Panel]]


def _of(rows: Iterable[Row], curve: str) -> list[Row]:
    return [row for row in rows if row.point is not None and row.point.curve == curve]


def _slides(rows: Sequence[Row]) -> list[Panel]:
    panel = Panel("how far a ball slides", "speed at the start (mph)", "slides for (ft)")
    panel.curve(lambda mph: slide(mph)[0], np.linspace(0.5, 14, 40), "tenball", BLUE)
    panel.published(_of(rows, "slide"), A18)
    return [panel]


def _squirt(rows: Sequence[Row]) -> list[Panel]:
    panel = Panel("squirt", "tip offset to the side (ball radii)", "squirt (degrees)")
    panel.curve(cue.squirt, np.linspace(0.0, 0.5, 41), "tenball, playing stick", BLUE)
    panel.published(_of(rows, "squirt"), f"{cue.A31}, closed form")
    panel.published(_of(rows, "squirt, measured"), cue.B1, RED)
    return [panel]


def _bounces(rows: Sequence[Row]) -> list[Panel]:
    result = bed.driven_down()
    landings = [e for e in result.events if e.kind in ("bed", "land")][:4]
    times = np.linspace(landings[0].t, landings[3].t, 400)
    path = result.states(times)[:, 0]
    panel = Panel(
        "a ball driven into the slate hops on",
        "distance from its first impact (ft)",
        "height above the bed (mm)",
    )
    along, up = (path[:, 1] - landings[0].position[1]) / FOOT, 1e3 * (path[:, 2] - R)
    panel.line(along, up, "tenball", BLUE)
    hops = np.cumsum([row.asked for row in sorted(_of(rows, "hop"), key=_place)])
    panel.points.append(Series(hops, np.zeros(len(hops)), f"{bed.B10}: it lands", INK, "o"))
    return [panel]


def _place(row: Row) -> float:
    assert row.point is not None
    return row.point.x


def _throw(rows: Sequence[Row]) -> list[Panel]:
    panels = []
    for shot, top in (("stun", 0.0), ("natural roll", 1.0)):
        panel = Panel(shot, "cut angle (degrees)", "throw (degrees)")
        for speed, colour in zip(throw.SPEEDS.values(), (BLUE, ORANGE, RED), strict=True):

            def thrown(cut: float, speed: float = speed, top: float = top) -> float:
                return abs(throw.throw(speed, cut, top))

            panel.curve(thrown, np.linspace(0.5, 80, 160), f"tenball, {speed} m/s", colour)
            panel.published(_of(rows, f"{shot}, {speed} m/s"), "", colour)
        panel.points.append(Series(np.array([]), np.array([]), throw.A14, INK, "o"))
        panels.append(panel)
    return panels


def _deflection(rows: Sequence[Row]) -> list[Panel]:
    panel = Panel(
        "30 degree rule: a rolling cue ball is turned",
        "how full the hit is (part of a ball; 1 is head on)",
        "cue ball turned by (degrees)",
    )

    def turned(full: float) -> float:
        return collisions.deflection(math.degrees(math.asin(1.0 - full)))

    panel.curve(turned, np.linspace(0.03, 0.97, 95), "tenball, e 1, mu 0", BLUE)
    panel.published(_of(rows, "deflection"), collisions.RULE)
    return [panel]


def _rebounds(rows: Sequence[Row]) -> list[Panel]:
    panels = []
    speeds = np.linspace(0.28, 3.5, 60)
    geometries: tuple[tuple[str, dict[str, float]], ...] = (
        ("snooker", cushion.SNOOKER),
        ("pool", {}),
    )
    for name, setup in geometries:
        panel = Panel(
            f"rolling square into a {name} table's nose",
            "speed before (m/s)",
            "speed after (m/s)",
        )
        for model, colour in zip(
            CUSHION_MODELS, cycle((GREEN, BLUE, RED, ORANGE, INK)), strict=False
        ):

            def after(v: float, model: str = model, setup: dict[str, Any] = setup) -> float:
                return -float(after_nose(moving(v), model=model, **setup)[1])

            panel.curve(after, speeds, f"tenball, {model}", colour)
        panel.published(_of(rows, f"rebound, {name}"), "Mathavan et al. 2009, fit of measured")
        panels.append(panel)
    return panels


def _angles(_rows: Sequence[Row]) -> list[Panel]:
    """The table holds the worst point of each curve; here are all of them."""
    rows = cushion.curve_points()
    panels = []
    for v0 in (1.0, 2.0):
        panel = Panel(
            f"rolling at {v0:g} m/s into a snooker nose, by mathavan2010",
            "angle to the cushion before (degrees)",
            "angle to the cushion after (degrees)",
        )
        for side, colour in zip((-2, -1, 0, 1, 2), (RED, ORANGE, INK, GREEN, BLUE), strict=True):
            found = _of(rows, f"rebound angle, {v0} m/s, topspin 1.0, sidespin {float(side)}")

            def after(angle: float, v0: float = v0, side: int = side) -> float:
                return cushion.snooker_rebound(v0, angle, 1.0, side)[1]

            panel.curve(after, np.linspace(5, 85, 60), f"tenball, side spin {side} v/R", colour)
            panel.published(found, "", colour)
        panel.points.append(Series(np.array([]), np.array([]), "Mathavan et al. 2010", INK, "o"))
        panels.append(panel)
    return panels


FIGURES = (
    Figure("slide", "motion", _slides),
    Figure("squirt", "cue", _squirt),
    Figure("slate_bounces", "bed", _bounces),
    Figure("throw", "throw", _throw),
    Figure("thirty_degree_rule", "collisions", _deflection),
    Figure("cushion_rebound", "cushion", _rebounds),
    Figure("cushion_angles", "cushion", _angles),
)


def require_matplotlib() -> None:
    """Whether figures can be drawn here.

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401  # asked for before the minute of play, not after it
    except ModuleNotFoundError:
        raise InputError(
            "plots: got no matplotlib, expected the lab extra; install it with: "
            'pip install "tenball[lab]"'
        ) from None


def draw(panels: Sequence[Panel]) -> Drawing:
    """The panels side by side: engine as lines, published as open circles."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(1.2 + 4.4 * len(panels), 3.8), layout="constrained")
    for panel, axes in zip(panels, drawing.subplots(1, len(panels), squeeze=False)[0], strict=True):
        for s in panel.lines:
            axes.plot(s.x, s.y, s.style, color=s.colour, label=s.words, lw=1.6)
        for s in panel.points:
            axes.plot(
                s.x, s.y, s.style, color=s.colour, label=s.words or None,
                markerfacecolor="none", ms=6, mew=1.3, zorder=4,
            )  # fmt: skip
        axes.set(xlabel=panel.xlabel, ylabel=panel.ylabel)
        axes.set_title(panel.title, fontsize=10)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return drawing


def png(drawing: Drawing) -> bytes:
    """The drawing as a PNG file, without the version and date that would make each one differ."""
    buffer = io.BytesIO()
    drawing.savefig(buffer, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return buffer.getvalue()
