"""States at any time, from the segments the engine wrote down.

Position and velocity are the segment's own quadratics, so they are exact. Orientation is integrated over
each segment with the fourth-order Magnus expansion, in as many steps as the spin's turning needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model import StrokeError
from sim.physics import arrays as A

__all__ = ["Path", "present", "states"]

# Error allowed per second of a segment's rotation, rad.
_TOLERANCE = 3e-8


class Path:
    """The segments of a shot, sorted by ball and time, with the orientation at each one's beginning."""

    def __init__(
        self, segments: NDArray[Any], events: NDArray[Any], n: int, duration: float
    ) -> None:
        self.duration = duration
        self.rows: list[NDArray[Any]] = []
        self.gone = np.full(n, np.inf)
        for e in events[np.isin(events["kind"], (A.IN_POCKET, A.LEFT_TABLE))]:
            self.gone[int(e["ball"])] = float(e["t"])
        for ball in range(n):
            self.rows.append(segments[segments["ball"] == ball])
        self._turned: dict[tuple[int, float], list[NDArray[np.float64]]] = {}

    def orientations(self, ball: int, decay: float) -> NDArray[np.float64]:
        """(S, 4) quaternions at the beginning of each segment of a ball; the first is the identity."""
        key = (ball, decay)
        if key not in self._turned:
            rows = self.rows[ball]
            spans = np.diff(rows["t"])
            q = np.empty((len(rows), 4))
            q[0] = (1.0, 0.0, 0.0, 0.0)
            turns = _rotation(rows[:-1], spans, decay) if len(rows) > 1 else np.empty((0, 4))
            for k, turn in enumerate(turns):
                q[k + 1] = _product(turn, q[k])
                q[k + 1] /= np.linalg.norm(q[k + 1])
            self._turned[key] = [q]
        return self._turned[key][0]


def _checked(times: ArrayLike) -> NDArray[np.float64]:
    try:
        t = np.atleast_1d(np.asarray(times, dtype=np.float64))
    except (TypeError, ValueError):
        raise StrokeError(f"times: got {times!r}, expected numbers (seconds)") from None
    if t.ndim != 1 or not np.all(np.isfinite(t)):
        raise StrokeError("times: expected a one-dimensional list of finite numbers (seconds)")
    return t


def present(path: Path, times: ArrayLike) -> NDArray[np.bool_]:
    """(T, n) whether each row's ball is on the table."""
    return _checked(times)[:, None] < path.gone[None, :]


def states(path: Path, times: ArrayLike, decay: float) -> NDArray[np.float64]:
    """(T, n, 13) in the engine's frame and row order."""
    t = np.clip(_checked(times), 0.0, path.duration)
    out = np.empty((len(t), len(path.rows), 13))
    for ball, rows in enumerate(path.rows):
        index = np.clip(np.searchsorted(rows["t"], t, side="right") - 1, 0, len(rows) - 1)
        s = rows[index]
        h = np.minimum(t, path.gone[ball]) - s["t"]
        h = np.maximum(h, 0.0)
        still = np.isin(s["state"], (A.RESTING, A.POCKETED, A.OFF_TABLE))
        h = np.where(still, 0.0, h)
        for axis, name in enumerate("xyz"):
            v, a = s[f"v{name}"], s[f"a{name}"]
            out[:, ball, axis] = s[name] + h * (v + 0.5 * h * a)
            out[:, ball, 7 + axis] = v + h * a
        spin = _spin(s, h, decay)
        out[:, ball, 10:13] = spin
        begin = path.orientations(ball, decay)[index]
        out[:, ball, 3:7] = _product(_rotation(s, h, decay), begin)
    norm = np.linalg.norm(out[:, :, 3:7], axis=2, keepdims=True)
    out[:, :, 3:7] /= norm
    return out


def _side_spin(s: Any, h: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    """wz after h: decaying to zero on the cloth, constant in the air, linear while held."""
    wz = s["wz"]
    on_cloth = np.isin(s["state"], (A.SPINNING, A.ROLLING, A.SLIDING))
    left = np.maximum(np.abs(wz) - decay * h, 0.0)
    return np.where(on_cloth, np.copysign(left, wz), wz + h * s["bz"])


def _spin(s: Any, h: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    return np.stack([s["wx"] + h * s["bx"], s["wy"] + h * s["by"], _side_spin(s, h, decay)], axis=1)


def _rotation(s: Any, h: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    """(N, 4) quaternions of the rotation over the first h seconds of each segment."""
    h = np.asarray(h, dtype=np.float64)
    w0, w1 = _spin(s, np.zeros_like(h), decay), _spin(s, h, decay)
    rate = np.maximum(np.linalg.norm(w0, axis=1), np.linalg.norm(w1, axis=1))
    # Only what turns the axis makes an error: a change of spin along the axis commutes.
    decays = np.where(np.isin(s["state"], (A.SPINNING, A.ROLLING, A.SLIDING)), -decay, s["bz"])
    change = np.stack([s["bx"], s["by"], np.copysign(decays, -w0[:, 2] * decays)], axis=1)
    turning = np.maximum(
        np.linalg.norm(np.cross(w0, change), axis=1), np.linalg.norm(np.cross(w1, change), axis=1)
    )
    # Fourth order: the error per second of steps d is about turning rate^2 d^4 / 720.
    step = (720.0 * _TOLERANCE / np.maximum(turning * rate**2, 1e-9)) ** 0.25
    count = np.clip(np.ceil(h / np.maximum(step, 1e-6)), 1, 20000).astype(int)
    q = np.zeros((len(h), 4))
    q[:, 0] = 1.0
    for k in range(int(count.max(initial=0))):
        live = np.flatnonzero(count > k)
        part = s[live] if np.ndim(s) else s
        d = h[live] / count[live]
        q[live] = _product(_magnus(part, k * d, d, decay), q[live])
    return q


def _magnus(s: Any, a: NDArray[np.float64], d: NDArray[np.float64], decay: float) -> Any:
    """Rotation over [a, a + d] from the spin at the two Gauss points (fourth order)."""
    g = 0.5 / np.sqrt(3.0)
    w1 = _spin(s, a + d * (0.5 - g), decay)
    w2 = _spin(s, a + d * (0.5 + g), decay)
    # dq/dt = w q / 2 in the fixed frame.
    turn = 0.5 * d[:, None] * (w1 + w2) + (np.sqrt(3.0) / 12.0) * d[:, None] ** 2 * np.cross(w2, w1)
    angle = np.linalg.norm(turn, axis=1)
    half = 0.5 * angle
    q = np.empty((len(d), 4))
    q[:, 0] = np.cos(half)
    q[:, 1:] = turn * (0.5 * np.sinc(half / np.pi))[:, None]
    return q


def _product(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hamilton product of quaternions (..., 4)."""
    pw, px, py, pz = np.moveaxis(p, -1, 0)
    qw, qx, qy, qz = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            pw * qw - px * qx - py * qy - pz * qz,
            pw * qx + px * qw + py * qz - pz * qy,
            pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw,
        ],
        axis=-1,
    )
