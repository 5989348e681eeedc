"""A shot that moves, as one SVG without a script: it plays in a notebook and on a web page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.experiments.parameters import ExperimentError
from sim.model import LOOKS
from sim.model.checks import brief
from sim.shot.picture import ShotPicture, describe_table, to_svg
from sim.shot.result import Result
from sim.shot.svg import MARGIN

__all__ = ["Animation", "animate"]

_FRAME = 1 / 50  # s between looks at the shot
_FLAT = 7e-4  # m a ball may be drawn from where it is
_PAUSE = 1.2  # s of rest before it begins again


@dataclass(frozen=True)
class Animation:
    """An animated SVG; shows itself in a notebook."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def animate(result: Result, width: int = 720, pace: float = 1.0) -> Animation:
    """A shot from above, moving.

    Args:
        result: of `sim.simulate`.
        width: px.
        pace: 1 is real time, 0.25 a quarter of it.

    Raises:
        ExperimentError: a pace that is not positive.
    """
    if not pace > 0:
        raise ExperimentError(f"pace: got {brief(pace)}, expected more than 0")
    table = describe_table(result.table)
    bare = to_svg(
        ShotPicture(table, result.layout.ball_radius, (), (), None), width, landscape=True
    )
    edge = table.rail_width + MARGIN
    scale = width / (table.length + 2 * edge)
    times = _times(result)
    places = result.states(times)[:, :, :2]
    last = float(times[-1]) + _PAUSE * pace
    there = result.present(times)
    balls: list[str] = []
    for row, ball in enumerate(result.balls):
        xy = (places[:, row, ::-1] + edge) * scale
        balls += _ball(
            ball, result.layout.ball_radius * scale, times, xy, there[:, row], last, pace
        )
    head, tail = bare.rstrip().rsplit("</svg>", 1)
    return Animation("\n".join([head, *balls, "</svg>" + tail]) + "\n")


def _times(result: Result) -> NDArray[np.float64]:
    even = np.arange(0.0, result.duration, _FRAME)
    return np.unique(np.concatenate([even, [e.t for e in result.events], [result.duration]]))


def _ball(
    ball: int,
    radius: float,
    times: NDArray[np.float64],
    xy: NDArray[np.float64],
    there: NDArray[np.bool_],
    last: float,
    pace: float,
) -> Iterator[str]:
    look = LOOKS[ball]
    start = xy[0]
    yield f'<g transform="translate({start[0]:.1f},{start[1]:.1f})">'
    base = LOOKS[0].colour if look.striped else look.colour
    yield f'<circle r="{radius:.2f}" fill="{base}" stroke="#22282a" stroke-width="0.6"/>'
    if look.striped:
        yield (
            f'<rect x="{-0.87 * radius:.2f}" y="{-0.5 * radius:.2f}" width="{1.74 * radius:.2f}" '
            f'height="{radius:.2f}" fill="{look.colour}"/>'
        )
    if ball:
        size = 1.15 * radius
        ink = "#ffffff" if ball in (2, 3, 4, 6, 7, 8, 10) else "#22282a"
        yield f'<text y="{0.36 * size:.2f}" font-size="{size:.2f}" fill="{ink}">{ball}</text>'
    kept = _turns(times, xy, _FLAT / 0.028575 * radius)
    if len(kept) > 1:
        keys = ";".join(f"{t / last:.5f}" for t in (*times[kept], last))
        values = ";".join(f"{x:.1f},{y:.1f}" for x, y in (*xy[kept], xy[kept[-1]]))
        yield (
            f'<animateTransform attributeName="transform" type="translate" values="{values}" '
            f'keyTimes="{keys}" dur="{last / pace:.3f}s" repeatCount="indefinite"/>'
        )
    gone = np.flatnonzero(~there)
    if len(gone) and times[gone[0]] > 0.0:
        at = times[gone[0]] / last
        yield (
            f'<animate attributeName="opacity" values="1;0" keyTimes="0;{at:.5f}" '
            f'calcMode="discrete" dur="{last / pace:.3f}s" repeatCount="indefinite"/>'
        )
    yield "</g>"


def _turns(times: NDArray[np.float64], xy: NDArray[np.float64], within: float) -> list[int]:
    """Indices between which straight, even motion stays `within` px of the true one."""
    if np.abs(xy - xy[0]).max() < within:
        return [0]
    kept = {0, len(times) - 1}
    spans = [(0, len(times) - 1)]
    while spans:
        a, b = spans.pop()
        if b - a < 2:
            continue
        part = (times[a : b + 1] - times[a]) / (times[b] - times[a])
        straight = xy[a] + part[:, None] * (xy[b] - xy[a])
        off = np.hypot(*(xy[a : b + 1] - straight).T)
        worst = int(off.argmax())
        if off[worst] > within:
            kept.add(a + worst)
            spans += [(a, a + worst), (a + worst, b)]
    return sorted(kept)
