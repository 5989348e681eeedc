"""Where the balls lie for the next stroke: spotted balls, the cue ball in hand, free placing.

The ruling says which balls are spotted; `rules.spotting` says where on the long string; this
module puts them there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import rules
from rules.spotting import Obstacle, spot_along
from sim.model.balls import CUE_BALL
from sim.model.errors import LayoutError
from sim.model.layout import OVERLAP_CLOSED, Layout

__all__ = ["can_place", "default_cue_place", "place_cue", "placement", "spot"]

Zone = rules.CueBall | str | None

_ROOM = 0.01  # the gap to other balls wished for where the cue ball is put by default, m


def placement(source: rules.Ruling | rules.RackState, layout: Layout) -> Layout:
    """The layout of the next stroke.

    Args:
        source: the ruling on the shot that ended in `layout`, or just the state after it.
        layout: as the shot left it.

    Balls that are out of play are taken off, balls the ruling spots go on the long string, and a
    cue ball in hand lies on a legal, free default place from which the player may move it.

    Raises:
        LayoutError: the cue ball is to be played from where it lies, and is not there.
    """
    state = source.state if isinstance(source, rules.Ruling) else source
    spotted = (
        set(source.spotted) if isinstance(source, rules.Ruling) else state.balls - set(layout.balls)
    )
    gone = [b for b in layout.balls if b != CUE_BALL and (b not in state.balls or b in spotted)]
    bare = layout.without(*gone) if state.over or not _in_hand(state) else layout.without(0, *gone)
    if not (_in_hand(state) or state.over or CUE_BALL in bare):
        raise LayoutError("placement: got no cue ball on the table, expected it in position")
    for ball in sorted(spotted & state.balls, reverse=True):
        bare = spot(bare, ball)
    if _in_hand(state) and not state.over:
        return place_cue(bare, default_cue_place(bare, state.cue_ball))
    return bare


def _in_hand(state: rules.RackState) -> bool:
    return state.cue_ball in (
        rules.CueBall.IN_HAND_ANYWHERE,
        rules.CueBall.IN_HAND_BEHIND_HEAD_STRING,
    )


def spot(layout: Layout, ball: int) -> Layout:
    """`layout` with `ball` spotted: touching object balls in the way, clear of the cue ball."""
    table = layout.table
    radius = layout.ball_radius
    middle = table.foot_spot[0]
    others = [
        Obstacle(float(layout[b][1]), float(layout[b][0]) - middle, b == CUE_BALL)
        for b in layout.balls
        if b != ball
    ]
    limit = table.length - table.nose_contact(radius)
    y = spot_along(table.foot_spot[1], limit, 2 * radius, others)
    return layout.with_({ball: (middle, min(y, limit))})


def can_place(layout: Layout, xy: Sequence[float], zone: Zone, ball: int = CUE_BALL) -> str | None:
    """Why `ball` may not be placed at (x, y), in one line, or None if it may.

    Args:
        layout: the balls; `ball` itself is ignored where it lies now.
        xy: metres.
        zone: a `rules.CueBall`: anywhere, or strictly behind the head string; any other refuses.
            None: anywhere, for practice.
        ball: which ball, the cue ball if not said.
    """
    x, y = float(xy[0]), float(xy[1])
    if zone is not None:
        if zone not in (
            rules.CueBall.IN_HAND_ANYWHERE,
            rules.CueBall.IN_HAND_BEHIND_HEAD_STRING,
        ):
            return "the cue ball is not in hand: it is played from where it lies"
        line = layout.table.head_string
        if zone == rules.CueBall.IN_HAND_BEHIND_HEAD_STRING and not y < line:
            return f"behind the head string only: got y = {y:.4g} m, expected less than {line:.4g}"
    try:
        alone = Layout(layout.table, {ball: (x, y)}, ball_radius=layout.ball_radius)
    except LayoutError as error:
        return str(error)
    diameter = 2 * layout.ball_radius
    for other in layout.balls:
        if other == ball:
            continue
        overlap = diameter - math.dist(alone[ball], layout[other])
        if overlap > OVERLAP_CLOSED:
            return f"it would overlap {_name(other)} by {overlap * 1e3:.2g} mm"
    return None


def place_cue(layout: Layout, xy: Sequence[float]) -> Layout:
    """`layout` with the cue ball at (x, y).

    Raises:
        LayoutError: it does not fit there.
    """
    return layout.with_({CUE_BALL: (float(xy[0]), float(xy[1]))})


def default_cue_place(layout: Layout, zone: Zone) -> tuple[float, float]:
    """A legal place for the cue ball in hand, free of other balls, near the head spot.

    Raises:
        LayoutError: no place is left (never on a table with eleven balls).
    """
    bare = layout.without(CUE_BALL) if CUE_BALL in layout else layout
    reach = 2 * layout.ball_radius + _ROOM
    for place in _near_head_spot(layout):
        clear = all(math.dist(place, bare[b][:2]) >= reach for b in bare.balls)
        if clear and can_place(bare, place, zone) is None:
            return place
    raise LayoutError("cue ball in hand: got no free place, expected one")


def _near_head_spot(layout: Layout) -> Iterator[tuple[float, float]]:
    """Places on a grid of two ball radii, from just behind the head spot outwards."""
    table, step = layout.table, 2 * layout.ball_radius
    x0, y0 = table.head_spot[0], table.head_string - 3 * layout.ball_radius
    columns = range(-int(table.width / step), int(table.width / step) + 1)
    rows = range(-int(table.length / step), int(table.length / step) + 1)
    offsets = sorted(
        itertools.product(columns, rows), key=lambda o: (o[0] ** 2 + o[1] ** 2, o[1], o[0])
    )
    for column, row in offsets:
        x, y = x0 + column * step, y0 + row * step
        if 0 < x < table.width and 0 < y < table.length:
            yield x, y


def _name(ball: int) -> str:
    return "the cue ball" if ball == CUE_BALL else f"the {ball}"
