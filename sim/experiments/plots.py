"""Statistics drawn with matplotlib: on the table, over parameters, over time.

Every function draws on `ax` (a new one without), labels its axes with units and returns the axes.
"""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon, Rectangle

from sim.experiments.frames import events_frame
from sim.experiments.parameters import ExperimentError, check_name
from sim.experiments.stats import wilson
from sim.model import LOOKS, Table
from sim.shot.picture import describe_table
from sim.shot.result import Result

__all__ = ["UNITS", "density", "draw_table", "error_bars", "label", "success_map", "timeline"]

CLOTH, CUSHION, WOOD, HOLE = "#4f8f86", "#3d766e", "#5a3a26", "#101312"
INK, GOOD, MARK = "#22282a", "#14733c", "#d6262b"

UNITS = {
    "speed": "speed of the stick (m/s)",
    "azimuth": "heading (rad)",
    "azimuth_deg": "heading (degrees)",
    "aim": "aim off the full hit (rad)",
    "aim_deg": "aim off the full hit (degrees)",
    "side": "tip offset to the right (ball radii)",
    "vertical": "tip offset upwards (ball radii)",
    "elevation": "elevation of the stick (rad)",
    "elevation_deg": "elevation of the stick (degrees)",
    "rack_gap": "largest gap in the rack (m)",
    "ball_mass": "ball mass (kg)",
    "g": "gravity (m/s²)",
    "spin_decay": "deceleration of side spin (rad/s²)",
    "stick_mass": "mass of the stick (kg)",
    "duration": "duration (s)",
}
"""Labels of parameters."""


def label(name: str) -> str:
    """An axis label with its unit."""
    if name in UNITS:
        return UNITS[name]
    if name.startswith(("ball_", "x_", "y_")) and name != "ball_mass":
        return f"{name.replace('_', ' ')} (m)"
    plain = name.replace("_", " ")
    if name.startswith(("e_", "mu_", "end_")):
        return f"{plain} (no unit)"
    return plain


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    return plt.subplots(figsize=size, layout="constrained")[1]


def draw_table(table: Table | None = None, ax: Axes | None = None, *, plain: bool = False) -> Axes:
    """A table from above, the foot to the right: the axes are y (along) and x (across), m.

    Args:
        table: default the 9 foot one.
        ax: where.
        plain: lines only, for a picture that fills the bed itself.
    """
    shape = describe_table(table or Table.wpa_9ft())
    ax = _axes(ax, (9.0, 5.0))
    wood, rail = shape.rail_width, shape.cushion_width
    if not plain:
        for margin, colour in ((wood, WOOD), (rail, CUSHION), (0.0, CLOTH)):
            box = Rectangle(
                (-margin, -margin),
                shape.length + 2 * margin,
                shape.width + 2 * margin,
                facecolor=colour,
                zorder=0,
            )
            ax.add_patch(box)
    for pocket in shape.pockets:
        hole = Circle(pocket.centre[::-1], pocket.radius, zorder=1)
        hole.set_facecolor("none" if plain else HOLE)
        hole.set_edgecolor(INK)
        ax.add_patch(hole)
    for _, outline in shape.cushions:
        points = [(y, x) for x, y in outline]
        ax.add_patch(Polygon(points, closed=False, fill=False, edgecolor=INK, lw=1.2, zorder=3))
    spots = [spot[::-1] for spot in shape.spots]
    ax.plot(*zip(*spots, strict=True), ".", color=INK, ms=3, zorder=2)
    ax.axvline(shape.head_string, color=INK, lw=0.6, ls=":", zorder=2)
    edge = wood if not plain else rail
    ax.set(
        xlim=(-edge, shape.length + edge),
        ylim=(shape.width + edge, -edge),
        aspect="equal",
        xlabel="y, along the table from the head (m)",
        ylabel="x, across the table (m)",
    )
    return ax


def density(
    frame: pd.DataFrame,
    ball: int = 0,
    table: Table | None = None,
    ax: Axes | None = None,
    *,
    cell: float = 0.05,
) -> Axes:
    """Where a ball ends up: shots per thousand on each square of the bed.

    Args:
        frame: of a sweep; rows where the ball is not on the table any more are counted but not drawn.
        ball: id.
        table: that it was played on.
        ax: where.
        cell: side of a square, m.

    Raises:
        ExperimentError: the frame has no such ball.
    """
    if f"x_{ball}" not in frame:
        raise ExperimentError(f"density: got a frame without ball {ball}")
    table = table or Table.wpa_9ft()
    ax = draw_table(table, ax, plain=True)
    played = frame[frame["ok"]]
    x, y = played[f"x_{ball}"].to_numpy(), played[f"y_{ball}"].to_numpy()
    here = ~np.isnan(x)
    edges = [
        np.linspace(0.0, size, max(1, round(size / cell)) + 1)
        for size in (table.length, table.width)
    ]
    counts, _, _ = np.histogram2d(y[here], x[here], bins=edges)
    share = 1000.0 * counts.T / max(len(played), 1)
    mesh = ax.pcolormesh(*edges, share, cmap="viridis", zorder=0)
    bar = ax.figure.colorbar(mesh, ax=ax, shrink=0.75, pad=0.02)
    bar.set_label(f"shots per 1000 on {100 * cell:.0f} × {100 * cell:.0f} cm")
    return ax


def success_map(
    frame: pd.DataFrame,
    x: str,
    y: str,
    success: Any,
    ax: Axes | None = None,
    *,
    bins: int = 25,
    contours: tuple[float, ...] = (0.5,),
) -> Axes:
    """The share of successes over two parameters.

    Args:
        frame: of a sweep.
        x, y: columns; up to `bins` different values are shown as they are, more are binned.
        success: a boolean column, as long as the frame.
        ax: where.
        bins: along each axis.
        contours: shares at which a line is drawn (on the colour bar too), where the map is large enough.

    Raises:
        ExperimentError: columns that are not in the frame.
    """
    for name in (x, y):
        if name not in frame:
            raise ExperimentError(f"success_map: got {check_name(name)}, which was not varied")
    ax = _axes(ax, (6.5, 4.8))
    good = np.asarray(success, dtype=float)
    ex, ey = (_edges(frame[name].to_numpy(dtype=float), bins) for name in (x, y))
    at_x, at_y = frame[x].to_numpy(dtype=float), frame[y].to_numpy(dtype=float)
    total, _, _ = np.histogram2d(at_x, at_y, bins=[ex, ey])
    made, _, _ = np.histogram2d(at_x, at_y, bins=[ex, ey], weights=good)
    with np.errstate(invalid="ignore"):
        share = 100.0 * made.T / total.T  # NaN, and left blank, where there was no shot
    mesh = ax.pcolormesh(ex, ey, share, cmap="viridis", vmin=0.0, vmax=100.0)
    bar = ax.figure.colorbar(mesh, ax=ax)
    bar.set_label("share of successes (%)")
    middles = (ex[1:] + ex[:-1]) / 2, (ey[1:] + ey[:-1]) / 2
    if contours and min(share.shape) > 3 and not np.isnan(share).any():
        levels = [100.0 * c for c in contours]
        drawn = ax.contour(*middles, share, levels=levels, colors="white", linewidths=1.2)
        # Told on the colour bar: labels along ragged contours cover each other.
        bar.add_lines(drawn)
    ax.set(xlabel=label(x), ylabel=label(y))
    return ax


def _edges(values: Any, bins: int) -> Any:
    """Edges of cells around the values of a grid, or of bins over a range."""
    distinct = np.unique(values)
    if len(distinct) > bins:
        return np.linspace(distinct[0], distinct[-1], bins + 1)
    if len(distinct) == 1:
        return np.array([distinct[0] - 0.5, distinct[0] + 0.5])
    middle = (distinct[1:] + distinct[:-1]) / 2
    first, last = 2 * distinct[0] - middle[0], 2 * distinct[-1] - middle[-1]
    return np.concatenate([[first], middle, [last]])


# Kinds worth a mark: (marker, colour, words).
_MARKS = {
    "ball_ball": ("o", "#d6262b", "ball on ball"),
    "cushion": ("|", "#14733c", "cushion"),
    "jaw": ("x", "#14733c", "jaw or facing"),
    "bed": ("v", "#f07f1a", "bounce on the bed"),
    "takeoff": ("^", "#f07f1a", "takes off"),
    "slide_to_roll": (".", "#5b2a86", "begins to roll"),
    "pocketed": ("s", "#17181a", "pocketed"),
    "off_table": ("D", "#d6262b", "off the table"),
}


def timeline(events: Result | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The events of one shot over time, a line a ball.

    Args:
        events: a Result, or the rows of one shot of an events frame.
        ax: where.

    Raises:
        ExperimentError: no events, or those of several shots.
    """
    frame = events_frame(events) if isinstance(events, Result) else events
    if frame.empty or frame["shot"].nunique() > 1:
        raise ExperimentError(
            f"timeline: got events of {frame['shot'].nunique()} shots, expected those of one"
        )
    both = frame[frame["kind"] == "ball_ball"].copy()
    both["ball"] = both["other"].astype(str).astype(int)
    frame = pd.concat([frame, both])
    balls = sorted(frame["ball"].unique())
    rows = {ball: row for row, ball in enumerate(balls)}
    ax = _axes(ax, (9.0, 0.8 + 0.32 * len(balls)))
    for ball in balls:
        own = frame.loc[frame["ball"] == ball, "t"]
        ax.plot([own.min(), own.max()], [rows[ball]] * 2, color="#b8b8b0", lw=1.5, zorder=1)
    for kind, (marker, colour, words) in _MARKS.items():
        some = frame[frame["kind"] == kind]
        if len(some):
            at = [rows[ball] for ball in some["ball"]]
            ax.scatter(some["t"], at, marker=marker, color=colour, s=36, label=words, zorder=2)
    names = ["cue ball" if ball == 0 else f"ball {LOOKS[ball].name}" for ball in balls]
    ax.set(xlabel="time after the stroke (s)", ylabel="ball", yticks=range(len(balls)))
    ax.set_yticklabels(names)
    ax.set_ylim(len(balls) - 0.5, -0.5)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
    return ax


def error_bars(
    groups: Any, success: Any, ax: Axes | None = None, *, xlabel: str = "", color: str = GOOD
) -> Axes:
    """Shares with 95 % intervals (Wilson) over a column of groups, in percent.

    Args:
        groups: a column; each of its values is a point.
        success: a boolean column, as long.
        ax: where.
        xlabel: with its unit.
        color: of the points.
    """
    ax = _axes(ax, (6.5, 4.0))
    counted = pd.DataFrame({"g": np.asarray(groups), "s": np.asarray(success, dtype=bool)})
    told = counted.groupby("g")["s"].agg(["sum", "count"])
    spans = [wilson(int(k), int(n)) for k, n in told.to_numpy()]
    value = 100.0 * (told["sum"] / told["count"]).to_numpy()
    low, high = (100.0 * np.array([span[side] for span in spans]) for side in (0, 1))
    ax.errorbar(
        told.index, value, yerr=[value - low, high - value], fmt="o-", ms=4, capsize=3, color=color
    )
    ax.set(xlabel=xlabel, ylabel="share of shots (%)")
    # A second series on the same axes may reach higher than the first.
    top = max(1.05 * float(high.max()), ax.get_ylim()[1] if len(ax.containers) > 1 else 1.0)
    ax.set_ylim(0.0, top)
    ax.grid(alpha=0.3)
    return ax
