"""What a shot did: events, paths, and where everything ended; and the columns of many shots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.model import CUSHIONS, POCKETS, Layout, Materials, Motion, Stick, Stroke, Table
from sim.physics import arrays as A
from sim.shot.paths import Path

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Event", "Result", "Shots"]

Vector = tuple[float, float, float]
Moving = tuple[Vector, Vector]

_STATUS = {A.DONE: "done", A.TIME_LIMIT: "time_limit", A.EVENT_LIMIT: "stopped"}
_PAIR_KINDS = (A.BALL_BALL, A.PUSH)
_CUSHION_KINDS = (A.CUSHION,)
_POCKET_KINDS = (A.JAW, A.LINER, A.POCKET_EDGE, A.IN_POCKET, A.POCKET_EXIT)


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        t: seconds after the stroke.
        kind: see sim/physics/README.md, "Events".
        ball: id of the ball it happened to.
        other: another ball's id, a cushion's or pocket's name, or None.
        position: centre of `ball`, m.
        before, after: {ball: (velocity m/s, spin rad/s)} for each ball in it.
    """

    t: float
    kind: str
    ball: int
    other: int | str | None
    position: Vector
    before: Mapping[int, Moving]
    after: Mapping[int, Moving]


class Result:
    """One finished shot. Made by `simulate`; every array it gives is a fresh copy.

    Attributes:
        layout: where the balls were.
        stroke, motions, stick, materials, cushion_model: what was played.
        status: "done", "time_limit" (a shot that cannot end, with friction switched off) or "stopped"
            (by `max_events`; the result is that of the shot so far).
        elevation: of the stick as played, radians (None without a stroke).
        balls: ids, ascending: the rows of `states`.
        duration: seconds until everything had come to rest.
    """

    def __init__(
        self,
        *,
        layout: Layout,
        stroke: Stroke | None,
        motions: Mapping[int, Motion] | None,
        stick: Stick,
        materials: Materials,
        cushion_model: str,
        order: list[int],
        rows: NDArray[Any],
        events: NDArray[Any],
        segments: NDArray[Any],
        summary: Any,
    ) -> None:
        self.layout = layout
        self.stroke = stroke
        self.motions = dict(motions) if motions else {}
        self.stick = stick
        self.materials = materials
        self.cushion_model = cushion_model
        self.balls: tuple[int, ...] = tuple(sorted(order))
        self.duration = float(summary["duration"])
        self.status = _STATUS[int(summary["status"])]
        self.elevation = None if stroke is None else float(summary["elevation"])
        self._order = order
        self._rows = rows
        self._events = events
        self._segments = segments
        self._shift = np.array([layout.table.width / 2, layout.table.length / 2, 0.0])

    @property
    def table(self) -> Table:
        """The table it was played on."""
        return self.layout.table

    def __repr__(self) -> str:
        return (
            f"Result({len(self.balls)} balls, {len(self._events)} events, {self.duration:.3f} s, "
            f"pocketed {self.pocketed}, off the table {sorted(self.off_table)})"
        )

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order of time."""
        return tuple(self._event(e) for e in self._events)

    def _event(self, e: Any) -> Event:
        kind = int(e["kind"])
        ball = self._order[int(e["ball"])]
        index = int(e["other"])
        other: int | str | None = None
        if index >= 0:
            if kind in _PAIR_KINDS:
                other = self._order[index]
            elif kind in _CUSHION_KINDS or kind == A.RAIL_TOP:
                other = CUSHIONS[index]
            elif kind in _POCKET_KINDS:
                other = POCKETS[index]
        who = (ball, other) if isinstance(other, int) else (ball,)
        before, after = e["before"].tolist(), e["after"].tolist()
        place = self._shift + np.array([e["x"], e["y"], e["z"]])
        return Event(
            t=float(e["t"]),
            kind=A.KINDS[kind],
            ball=ball,
            other=other,
            position=(float(place[0]), float(place[1]), float(place[2])),
            before={b: (tuple(m[:3]), tuple(m[3:])) for b, m in zip(who, before, strict=False)},
            after={b: (tuple(m[:3]), tuple(m[3:])) for b, m in zip(who, after, strict=False)},
        )

    def _end_place(self, row: int) -> Vector:
        r = self._rows[row]
        place = self._shift + np.array([r["x"], r["y"], r["z"]])
        return float(place[0]), float(place[1]), float(place[2])

    @cached_property
    def pocketed(self) -> dict[int, str]:
        """{ball: pocket} of the balls that dropped, in the order they did."""
        drops = self._events[self._events["kind"] == A.IN_POCKET]
        return {self._order[int(e["ball"])]: POCKETS[int(e["other"])] for e in drops}

    @cached_property
    def off_table(self) -> dict[int, Vector]:
        """{ball: where} of the balls that left the table or came to rest on its rail."""
        gone = {}
        spec = self.table.spec
        for row, ball in enumerate(self._order):
            r = self._rows[row]
            place = self._end_place(row)
            resting_high = (
                r["state"] == A.RESTING
                and place[2] > self.materials.ball_radius + 1e-3
                and not (0.0 < place[0] < spec.w and 0.0 < place[1] < spec.l)
                and self.table.geometry.nose_distance(place[0], place[1]) < 0.0
            )
            if r["state"] == A.OFF_TABLE or resting_high:
                gone[ball] = place
        return gone

    @cached_property
    def final(self) -> Layout:
        """The balls still on the table, where they came to rest."""
        positions = {
            ball: self._end_place(row)
            for row, ball in enumerate(self._order)
            if self._rows[row]["state"] != A.POCKETED and ball not in self.off_table
        }
        return Layout.unchecked(self.table, positions, self.materials.ball_radius)

    def states(self, times: ArrayLike) -> NDArray[np.float64]:
        """The balls at any times.

        Args:
            times: seconds, shape (T,); before 0 gives the start, after the end the end.

        Returns:
            (T, B, 13), rows as `balls`: position 3 (m), orientation quaternion 4 (w, x, y, z; the identity
            at the start), velocity 3 (m/s), spin 3 (rad/s). A pocketed or departed ball keeps its last
            state. Orientation is exact to 1e-6 rad.

        Raises:
            StrokeError: times that are not finite numbers.
        """
        rows = [self._order.index(ball) for ball in self.balls]
        out = self._path.states(times)[:, rows]
        out[:, :, :3] += self._shift
        return out

    @cached_property
    def _path(self) -> Path:
        return Path(
            self._segments,
            self._events,
            len(self._order),
            self.duration,
            self.materials.spin_decay,
        )

    def present(self, times: ArrayLike) -> NDArray[np.bool_]:
        """(T, B): which balls are on the table (neither pocketed nor departed) at these times."""
        rows = [self._order.index(ball) for ball in self.balls]
        return self._path.present(times)[:, rows]

    def svg(self, width: int = 600) -> str:
        """The shot from above, as SVG text."""
        from sim.shot.picture import describe, to_svg

        return to_svg(describe(self), width=width)

    def _repr_html_(self) -> str:
        return self.svg()

    def render(self, **options: Any) -> Any:
        """The shot as a 3D picture (see sim.play.render.render_result; needs EGL or a display)."""
        from importlib import import_module

        # By name: the picture of a shot may be asked for here, but this layer knows no window.
        return import_module("sim.play.render").render_result(self, **options)


@dataclass(frozen=True)
class Shots:
    """Columns of many shots, N rows; ball columns run over ids 0..10.

    Attributes:
        pocketed: (N, 11) int8, index into POCKETS; -1 not pocketed; -2 not in the layout.
        off_table: (N, 11) bool.
        final: (N, 11, 3) m; NaN for balls not on the table at the end.
        first_contact: (N,) int8, id of the first ball the cue ball met; -1 none.
        cushion, cushion_after: (N, 11) bool, touched a cushion or jaw at all / after first contact.
        duration: (N,) s.  n_events: (N,).  elevation: (N,) radians, NaN without a stroke.
        miscue, tip_again, push, stick_touch: (N,) bool.
        cue_top: (N,) greatest height of the cue ball's centre at its events, m.
        ok: (N,) bool; False where the shot could not be played, with the reason in `errors`.
        time_limit: (N,) bool.
        errors: {row: one line}.
    """

    pocketed: NDArray[np.int8]
    off_table: NDArray[np.bool_]
    final: NDArray[np.float64]
    first_contact: NDArray[np.int8]
    cushion: NDArray[np.bool_]
    cushion_after: NDArray[np.bool_]
    duration: NDArray[np.float64]
    n_events: NDArray[np.int32]
    elevation: NDArray[np.float64]
    miscue: NDArray[np.bool_]
    tip_again: NDArray[np.bool_]
    push: NDArray[np.bool_]
    stick_touch: NDArray[np.bool_]
    cue_top: NDArray[np.float64]
    ok: NDArray[np.bool_]
    time_limit: NDArray[np.bool_]
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.ok)

    def to_frame(self) -> pd.DataFrame:
        """A tidy data frame, one row a shot (needs pandas, the `lab` extra)."""
        import pandas as pd

        columns: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "ok", "time_limit", "first_contact", "duration", "n_events", "elevation",
                "miscue", "tip_again", "push", "stick_touch", "cue_top",
            )
        }  # fmt: skip
        names = np.array([*POCKETS, None], dtype=object)
        for ball in range(11):
            if np.all(self.pocketed[:, ball] == -2):
                continue
            code = self.pocketed[:, ball].astype(int)
            columns[f"pocket_{ball}"] = names[np.where(code < 0, len(POCKETS), code)]
            columns[f"off_{ball}"] = self.off_table[:, ball]
            columns[f"cushion_{ball}"] = self.cushion[:, ball]
            columns[f"x_{ball}"] = self.final[:, ball, 0]
            columns[f"y_{ball}"] = self.final[:, ball, 1]
        columns["error"] = pd.Series(
            [self.errors.get(row) for row in range(len(self))], dtype=object
        )
        return pd.DataFrame(columns)
