"""A shot in time: the swing, the shot, the drop, the end."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from sim.model import PLAYING_STICK, Layout, Materials, Stroke, Table
from sim.play.playback import Playback, swing_gap

TABLE = Table.wpa_9ft()


class Rolling:
    """A result made by hand: the cue ball runs into foot_left, ball 1 lies still."""

    def __init__(self) -> None:
        self.layout = Layout(TABLE, {0: (0.30, 2.0), 1: (0.9, 0.5)})
        self.table, self.balls, self.duration = TABLE, (0, 1), 2.0
        self.stroke = Stroke(1.0, math.pi * 0.75)
        self.elevation, self.stick, self.materials = 0.05, PLAYING_STICK, Materials()
        self.events = (SimpleNamespace(kind="pocketed", ball=0, other="foot_left", t=1.0),)

    def states(self, times):
        out = np.zeros((len(times), 2, 13))
        out[:, :, 3] = 1.0
        for k, t in enumerate(np.asarray(times)):
            s = min(t, 1.0)
            out[k, 0, :3] = (0.30 - 0.325 * s, 2.0 + 0.565 * s, 0.0286 - 0.05 * s)
            out[k, 0, 7:10] = (-0.325, 0.565, -0.3)
            out[k, 1, :3] = (0.9, 0.5, 0.0286)
        return out

    def present(self, times):
        return np.array([[t < 1.0, True] for t in times])


@pytest.mark.parametrize("speed", [0.05, 0.5, 2.0, 9.0, 15.0])
def test_the_tip_meets_the_ball_at_time_zero_with_the_strokes_speed(speed):
    assert swing_gap(-1e-9, speed, 0.15) == pytest.approx(0.0, abs=1e-6)
    for side in (-1, 1):
        dt = 1e-6
        rate = abs(swing_gap(side * dt, speed, 0.15)) / dt
        assert rate == pytest.approx(speed, rel=2e-3)
    gaps = [swing_gap(t, speed, 0.15) for t in np.linspace(-12, 2, 500)]
    assert max(gaps) < 0.3
    assert min(gaps) >= -0.15


def test_a_pocketed_ball_falls_on_inside_its_pocket_and_then_is_gone():
    playback = Playback(Rolling())
    mouth = TABLE.geometry.pockets[4]
    last = playback.frame(1.0).rows[0, 2]
    for t in np.linspace(1.0, 1.29, 20):
        frame = playback.frame(t)
        assert frame.seen[0]
        x, y, z = frame.rows[0, :3]
        assert math.dist((x, y), mouth.centre) <= mouth.radius - 0.028
        assert z <= last + 1e-12
        assert z >= -TABLE.spec.pocket_drop
        last = z
    assert not playback.frame(1.5).seen[0]
    assert playback.frame(1.5).seen[1]


def test_time_runs_stops_turns_and_stays_within_the_shot():
    playback = Playback(Rolling())
    assert playback.time == playback.start < 0
    playback.advance(0.4)
    assert playback.time == pytest.approx(playback.start + 0.4)
    playback.playing = False
    playback.advance(5)
    assert playback.time == pytest.approx(playback.start + 0.4)
    playback.playing, playback.speed = True, -2.0
    playback.advance(5)
    assert playback.time == playback.start
    playback.speed = 0.1
    playback.advance(100)
    assert playback.over


def test_the_stick_is_seen_before_and_just_after_the_impact():
    playback = Playback(Rolling())
    before = playback.frame(-0.5).stick
    assert before is not None
    assert before.gap > 0
    assert before.elevation == 0.05
    after = playback.frame(0.3).stick
    assert after is not None
    assert after.gap < 0
    assert playback.frame(1.9).stick is None
