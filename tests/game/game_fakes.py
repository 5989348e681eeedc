"""Hand-made results: events as the engine would write them, and balls that go where told."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sim.model import Layout, Table

TABLE = Table.wpa_9ft()


@dataclass(frozen=True)
class FakeEvent:
    """An event of design.md, with rest before and after unless given."""

    t: float
    kind: str
    ball: int
    other: int | str | None = None
    position: tuple[float, float, float] = (0.5, 1.0, 0.028575)
    before: dict = field(default_factory=dict)
    after: dict = field(default_factory=dict)


class FakeResult:
    """A result whose balls move along straight lines through given (t, x, y) points."""

    def __init__(self, layout, events, *, final=None, paths=None, duration=5.0):
        self.layout = layout
        self.table = layout.table
        self.events = tuple(events)
        self.pocketed = {e.ball: e.other for e in events if e.kind == "pocketed"}
        self.off_table = {e.ball: e.position for e in events if e.kind == "off_table"}
        gone = [*self.pocketed, *self.off_table]
        self.final = layout.without(*gone) if final is None else final
        self.balls = layout.balls
        self.duration = duration
        self.stroke = self.elevation = None
        self._paths = paths or {}

    def states(self, times):
        """(T, B, 13) with only positions filled."""
        times = np.asarray(times, dtype=float)
        out = np.zeros((times.size, len(self.balls), 13))
        for row, ball in enumerate(self.balls):
            x, y, z = self.layout[ball]
            points = self._paths.get(ball, [(0.0, x, y)])
            t, xs, ys = zip(*points, strict=True)
            out[:, row, 0] = np.interp(times, t, xs)
            out[:, row, 1] = np.interp(times, t, ys)
            out[:, row, 2] = z
        return out


def layout_of(**balls):
    """layout_of(b0=(x, y), b3=(x, y)) on the 9 foot table."""
    return Layout(TABLE, {int(name[1:]): place for name, place in balls.items()})
