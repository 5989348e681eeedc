"""A ball that hangs over a pocket's rounded edge: lower than on the bed, and a legal layout."""

from __future__ import annotations

import pytest

import sim

TABLE = sim.Table.wpa_9ft()
R = sim.Materials().ball_radius
EDGE = TABLE.spec.slate_edge_radius


def spot(over: float) -> tuple[float, float]:
    """A place so far over the edge of the head left pocket, on its axis."""
    mouth = TABLE.geometry.pockets[0]
    far = mouth.radius + EDGE - over
    return mouth.centre[0] + far * mouth.axis[0], mouth.centre[1] + far * mouth.axis[1]


def test_a_result_with_a_hanging_ball_is_a_layout_again() -> None:
    """Found by 2,000 matches: a ball came to rest 1 um lower on the edge, and no ball could be moved."""
    x, y = spot(3e-4)
    height = TABLE.geometry.rest_height(x, y, R, EDGE)
    assert R - 1e-5 < height < R - 1e-6
    layout = sim.Layout(TABLE, {0: (0.6, 0.6), 4: (x, y, height)})
    assert layout.closed == ()
    again = layout.without(0).with_({0: (0.3, 0.3)})
    assert again[4].tolist() == [x, y, height]
    result = sim.simulate(again, sim.Stroke(1.0, 1.0))
    assert result.pocketed.get(4) == "head_left" or result.final[4][2] <= R


@pytest.mark.parametrize("over", [-0.01, 3e-4, 0.004])
def test_lower_than_the_edge_lets_it_is_refused(over: float) -> None:
    x, y = spot(over)
    height = TABLE.geometry.rest_height(x, y, R, EDGE)
    assert height == R if over < 0 else height < R
    with pytest.raises(sim.LayoutError, match="below the bed"):
        sim.Layout(TABLE, {0: (0.6, 0.6), 4: (x, y, height - 1e-4)})
