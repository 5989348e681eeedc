"""Which limit a shot ran into is said."""

from __future__ import annotations

import numpy as np

from sim.physics import arrays as A
from sim.physics.loop import MOST_SEGMENTS
from sim.shot.simulator import EVENT_LIMIT, _reason


def test_a_refused_shot_says_what_there_was_too_much_of():
    told = np.zeros(1, A.SUMMARY)[0]
    told["status"] = A.EVENT_LIMIT
    told["n_segments"] = MOST_SEGMENTS
    assert _reason(told, None) == "the shot had more than 500000 segments of motion"
    told["n_events"] = EVENT_LIMIT
    assert _reason(told, None) == "the shot had more than 100000 events"
