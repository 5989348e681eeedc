"""The path of every ball of a shot, asked at any times."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model import StrokeError
from sim.model.checks import brief
from sim.physics import arrays as A
from sim.physics.sample import sample

__all__ = ["Path"]


class Path:
    """The segments of a shot sorted by ball and time, in the engine's frame and row order."""

    def __init__(
        self,
        segments: NDArray[Any],
        events: NDArray[Any],
        n: int,
        duration: float,
        spin_decay: float,
    ) -> None:
        self.duration = duration
        self.spin_decay = spin_decay
        # Stable: segments of one ball keep their order in time.
        order = np.argsort(segments["ball"], kind="stable")
        self.segments = segments[order]
        self.first = np.searchsorted(self.segments["ball"], np.arange(n + 1)).astype(np.int64)
        self.gone = np.full(n, np.inf)
        for e in events[np.isin(events["kind"], (A.IN_POCKET, A.LEFT_TABLE))]:
            self.gone[int(e["ball"])] = float(e["t"])

    def states(self, times: ArrayLike) -> NDArray[np.float64]:
        """(T, n, 13): see Result.states."""
        asked = _checked(times)
        t = np.clip(asked, 0.0, self.duration)
        order = np.argsort(t, kind="stable")
        out = np.empty((len(t), len(self.gone), 13))
        sample(self.segments, self.first, t[order], self.gone, self.spin_decay, np.empty(4), out)
        back = np.empty_like(out)
        back[order] = out
        return back

    def present(self, times: ArrayLike) -> NDArray[np.bool_]:
        """(T, n) whether each row's ball is on the table."""
        return _checked(times)[:, None] < self.gone[None, :]


def _checked(times: ArrayLike) -> NDArray[np.float64]:
    try:
        given = np.asarray(times)
        if given.size and given.dtype.kind not in "iufO":  # words, dates and truths are no times
            raise TypeError
        t = np.atleast_1d(given.astype(np.float64))
    except Exception:  # no numbers, too large, or whatever a foreign array does
        raise StrokeError(f"times: got {brief(times)}, expected numbers (seconds)") from None
    if t.ndim != 1 or not np.all(np.isfinite(t)):
        raise StrokeError("times: expected a one-dimensional list of finite numbers (seconds)")
    return t
