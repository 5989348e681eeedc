"""`simulate(max_events=...)`: the beginning of a shot, without waiting for its end."""

from __future__ import annotations

import numpy as np
import pytest

import sim

LAYOUT = sim.rack(sim.Table.wpa_9ft(), 3)
STROKE = sim.Stroke(8.0, np.pi / 2)


def test_a_stopped_shot_is_the_beginning_of_the_whole_one() -> None:
    whole = sim.simulate(LAYOUT, STROKE)
    part = sim.simulate(LAYOUT, STROKE, max_events=50)
    assert (whole.status, part.status) == ("done", "stopped")
    # The event at which it stops is handled whole: a cluster is one.
    assert 50 <= len(part.events) < 120
    assert part.events == whole.events[: len(part.events)]
    assert part.duration == part.events[-1].t < whole.duration
    times = np.linspace(0.0, part.duration, 9)
    assert np.array_equal(part.states(times), whole.states(times))
    moving = [ball for ball in part.final if not np.array_equal(part.final[ball], LAYOUT[ball])]
    assert moving
    for ball in part.final:
        last = part.states([part.duration])[0, part.balls.index(ball), :3]
        assert np.abs(last - part.final[ball]).max() < 1e-12


@pytest.mark.parametrize("bad", [0, -1, 1.5, 100_001, "ten"])
def test_a_bad_limit_is_refused_in_one_line(bad: object) -> None:
    with pytest.raises(
        sim.StrokeError, match=r"max_events: got .*, expected an integer 1 to 100000"
    ):
        sim.simulate(LAYOUT, STROKE, max_events=bad)  # type: ignore[arg-type]  # on purpose
