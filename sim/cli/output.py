"""What the commands print: events and rulings as text and as data, and the wait to compile."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from sim.model.layout import Layout
    from sim.shot.result import Event, Result

__all__ = [
    "ball_name",
    "engine_ready",
    "event_data",
    "event_lines",
    "json_text",
    "layout_data",
    "layout_lines",
    "result_data",
    "ruling_lines",
]

COMPILING = "compiling the engine, once on this machine ..."
TICK_S = 0.5


@contextmanager
def engine_ready(stream: TextIO | None = None) -> Iterator[None]:
    """Around the first shot: say so if it has to compile the engine first, and for how long.

    On a terminal the elapsed seconds count up; elsewhere one line when it begins, one at its end.
    """
    from sim.physics.kernel import is_cached

    out = sys.stderr if stream is None else stream
    if is_cached():
        yield
        return
    start = time.monotonic()
    done = threading.Event()

    def count() -> None:
        while not done.wait(TICK_S):
            print(f"\r{COMPILING} {time.monotonic() - start:.0f} s", end="", file=out, flush=True)

    terminal = out.isatty()
    print(COMPILING, end="" if terminal else "\n", file=out, flush=True)
    counter = threading.Thread(target=count, daemon=True)
    if terminal:
        counter.start()
    try:
        yield
    except BaseException:  # Ctrl-C too: the counting thread must end before anything is printed
        done.set()
        if terminal:
            counter.join()
            print(file=out)
        raise
    done.set()
    if terminal:
        counter.join()
    begin = "\r" if terminal else ""
    spent = time.monotonic() - start
    blank = " " * (len(COMPILING) - 12) if terminal else ""
    print(f"{begin}compiled the engine in {spent:.1f} s{blank}", file=out, flush=True)


def json_text(data: Mapping[str, Any]) -> str:
    """An object as JSON, a key or a list's item a line; the same bytes for the same data.

    Raises:
        ValueError: a number in it is not finite.
    """

    def one_line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=True, allow_nan=False)

    lines = []
    for key, value in data.items():
        text = one_line(value)
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            text = "[\n" + ",\n".join(f"    {one_line(item)}" for item in value) + "\n  ]"
        lines.append(f"  {one_line(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def ball_name(ball: int) -> str:
    """ "cue ball" or "ball 3"."""
    return "cue ball" if ball == 0 else f"ball {ball}"


# --- events ---------------------------------------------------------------------------------------


def event_lines(result: Result) -> list[str]:
    """The event list as a table: when, what, who, where, how fast before and after."""
    rows = [("t (s)", "what", "who", "where (m)", "speed (m/s)")]
    for event in result.events:
        rows.append(
            (
                f"{event.t:.6f}",
                event.kind,
                _who(event),
                _where(event, result.layout.ball_radius),
                _speeds(event),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [
        "  ".join(
            [row[0].rjust(widths[0]), *(row[i].ljust(widths[i]) for i in (1, 2, 3)), row[4]]
        ).rstrip()
        for row in rows
    ]


def _who(event: Event) -> str:
    if event.other is None:
        return ball_name(event.ball)
    other = ball_name(event.other) if isinstance(event.other, int) else event.other
    return f"{ball_name(event.ball)}, {other}"


def _where(event: Event, radius: float) -> str:
    x, y, z = (float(v) for v in event.position)
    height = f" z={z:.4f}" if abs(z - radius) > 5e-5 else ""
    return f"{x:.4f} {y:.4f}{height}"


def _speeds(event: Event) -> str:
    """Speeds of the ball, then of the other ball: before -> after, or one where it is the same."""
    parts = []
    for ball in event.before:
        before, after = (f"{_speed(side[ball]):.3f}" for side in (event.before, event.after))
        parts.append(before if before == after else f"{before} -> {after}")
    return ", ".join(parts)


def _speed(motion: Any) -> float:
    return math.hypot(*(float(v) for v in motion[0]))


def event_data(event: Event) -> dict[str, Any]:
    """An event as plain data; velocities m/s, spins rad/s, by ball."""

    def side(values: Mapping[int, Any]) -> dict[str, Any]:
        return {
            str(ball): {
                "velocity": [float(v) for v in velocity],
                "spin": [float(v) for v in spin],
            }
            for ball, (velocity, spin) in values.items()
        }

    return {
        "t": float(event.t),
        "kind": event.kind,
        "ball": event.ball,
        "other": event.other,
        "position": [float(v) for v in event.position],
        "before": side(event.before),
        "after": side(event.after),
    }


def result_data(result: Result) -> dict[str, Any]:
    """Events and outcome of a shot as plain data."""
    return {
        "duration": float(result.duration),
        "events": [event_data(event) for event in result.events],
        "final": layout_data(result.final),
        "pocketed": {str(b): result.pocketed[b] for b in sorted(result.pocketed)},
        "off_table": {
            str(b): [float(v) for v in result.off_table[b]] for b in sorted(result.off_table)
        },
    }


# --- layouts --------------------------------------------------------------------------------------


def layout_data(layout: Layout) -> dict[str, list[float]]:
    """{ball: centre} as plain data, m."""
    return {str(ball): [float(v) for v in layout[ball]] for ball in layout.balls}


def layout_lines(layout: Layout) -> list[str]:
    """One line a ball: its name and where it lies."""
    return [
        f"  {ball_name(ball):<8}  {float(layout[ball][0]):.4f} {float(layout[ball][1]):.4f}"
        for ball in layout.balls
    ]


# --- rulings --------------------------------------------------------------------------------------


def ruling_lines(ruling: Mapping[str, Any]) -> list[str]:
    """A ruling (`rules.Ruling.as_dict`) in words: each foul with its article, what comes next."""
    lines = [f"  {'legal' if ruling['legal'] else 'foul'}"]
    for foul in ruling["fouls"]:
        mark = "penalised" if foul["code"] == ruling["penalised"] else "also seen"
        lines.append(
            f"  {foul['code']} by {foul['side']}, article {foul['article']} ({mark}): "
            f"{foul['explanation']}"
        )
    lines.append(f"  article {ruling['article']}: {ruling['explanation']}")
    for key, label in (
        ("pocketed", "pocketed"),
        ("off_table", "off the table"),
        ("spotted", "spotted"),
        ("warning_due", "to be warned of two fouls"),
    ):
        if ruling[key]:
            lines.append(f"  {label}: {', '.join(str(item) for item in ruling[key])}")
    lines.append(_what_next(ruling))
    return lines


def _what_next(ruling: Mapping[str, Any]) -> str:
    if ruling["rack_winner"] is not None:
        return f"  {ruling['rack_winner']} wins the rack: {ruling['win_reason']}"
    cue = {
        "position": "the cue ball in position",
        "in_hand_anywhere": "the cue ball in hand anywhere",
        "in_hand_behind_head_string": "the cue ball in hand behind the head string",
    }.get(ruling["cue_ball"], ruling["cue_ball"])
    decision = ruling["decision"]
    if decision is not None:
        options = " or ".join(decision["options"])
        return (
            f"  {decision['player']} decides, article {decision['article']}: {options} "
            f"({decision['reason']})"
        )
    push_out = ", may push out" if ruling["push_out_next"] is True else ""
    return f"  next: {ruling['next']} with {cue}{push_out}; lowest ball {ruling['lowest_after']}"
