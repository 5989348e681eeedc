"""The obvious call: proposed before the stroke, never inferred after it (1.6, ruling 18).

Banks, kicks, combinations and caroms are not obvious. What is: the cue ball goes straight to the
lowest ball, and that goes straight towards one pocket with nothing in its way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import rules
from sim.game.pots import Pot, direct_pots
from sim.model.balls import CUE_BALL
from sim.model.layout import Layout
from sim.model.materials import Materials
from sim.model.stroke import PLAYING_STICK, Stick, Stroke

if TYPE_CHECKING:
    from sim.shot.result import Event

__all__ = ["obvious_call"]

HALF_WINDOW = math.radians(6.0)
"""A ball that leaves within this angle of a pocket's middle is obviously meant for it."""

CLEARLY_EASIEST = 1.6
"""Without a stroke: the easiest pot is obvious if it allows so many times the next one's error."""


def obvious_call(
    layout: Layout,
    state: rules.RackState,
    stroke: Stroke | None = None,
    *,
    materials: Materials | None = None,
    cushion_model: str | None = None,
    stick: Stick = PLAYING_STICK,
) -> rules.Declaration | None:
    """The call that is obvious as the stroke is aimed; None if none is.

    Args:
        layout: before the stroke.
        state: of the rack; its lowest ball is the one meant.
        stroke: as aimed. None: what is obvious from the layout alone, the one clearly easiest pot.
        materials, cushion_model, stick: as for `sim.simulate`.

    Returns:
        a declaration with `obvious` set and `explicit` not; None on the break, while an option is
        open, and where nothing is obvious.
    """
    lowest = state.lowest
    if state.is_break or state.next is None or lowest is None or lowest not in layout:
        return None
    if CUE_BALL not in layout:
        return None
    pots = direct_pots(layout, lowest)
    if not pots:
        return None
    if stroke is None:
        second = pots[1].tolerance if len(pots) > 1 else 0.0
        pot = pots[0] if pots[0].tolerance >= CLEARLY_EASIEST * second else None
    else:
        heading = _heading_of(
            layout, lowest, stroke, materials or Materials(), cushion_model, stick
        )
        pot = None if heading is None else _meant(layout, pots, heading)
    if pot is None:
        return None
    return rules.call(pot.ball, pot.pocket, explicit=False, obvious=True)


def _meant(layout: Layout, pots: list[Pot], heading: float) -> Pot | None:
    """The pot whose line the ball leaves on, as nearly as HALF_WINDOW."""
    x, y = float(layout[pots[0].ball][0]), float(layout[pots[0].ball][1])

    def off(pot: Pot) -> float:
        line = math.atan2(y - pot.ghost[1], x - pot.ghost[0])
        return abs(math.remainder(heading - line, math.tau))

    best = min(pots, key=off)
    return best if off(best) <= HALF_WINDOW else None


def _heading_of(
    layout: Layout,
    lowest: int,
    stroke: Stroke,
    materials: Materials,
    cushion_model: str | None,
    stick: Stick,
) -> float | None:
    """Heading of the lowest ball after the cue ball met it straight; None if it does not.

    Only the two balls are played, so that nothing of what else the shot may bring is known.
    """
    from sim.shot.simulator import simulate  # loads the compiler: only when something is played

    pair = {b: tuple(map(float, layout[b])) for b in (CUE_BALL, lowest)}
    two = Layout.unchecked(layout.table, pair, layout.ball_radius)
    result = simulate(
        two,
        stroke,
        materials=materials,
        cushion_model=cushion_model,
        stick=stick,
        clearance="event",
    )
    contact = _straight_contact(result.events)
    if contact is None:
        return None
    (vx, vy, _), _ = contact.after[lowest]
    return math.atan2(vy, vx) if math.hypot(vx, vy) > 1e-3 else None


def _straight_contact(events: tuple[Event, ...]) -> Event | None:
    """The cue ball's contact with the other ball, if it came before any cushion or rail."""
    for event in events:
        if event.kind == "ball_ball":
            return event
        if event.kind in ("cushion", "jaw", "rail_top", "pocket_edge"):
            return None
    return None
