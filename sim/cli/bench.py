"""`tenball bench`: speed beside pooltool, the guard of that ratio, pooltool as an oracle; the game."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from sim.cli.arguments import whole
from sim.cli.output import engine_ready
from sim.model.checks import brief
from sim.model.errors import FileError, InputError
from sim.play.size import parse_size
from sim.shot.disk import read_text, write_whole

if TYPE_CHECKING:
    from sim.interop.speed import Timing

__all__ = ["add_parser", "run"]

BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"
GUARD = 75.0  # times pooltool on a break: below it something is broken
ASKED = 150.0
MOST = 10_000_000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `bench`."""
    parser = subparsers.add_parser(
        "bench",
        help="how fast, beside pooltool; pooltool as an oracle; the game",
        description=(
            "speed: one table, both engines on the same shots in one run. guard: exit status 1 if a "
            f"break is less than {GUARD:.0f} times as fast as pooltool's. oracle: seeded planar scenes "
            "and impacts by both engines; every disagreement is explained in a file. play: how long the "
            "aim's preview takes, then the frames of a scripted match, in a window where there is a "
            "display. compile: the engine compiled anew, module by module."
        ),
    )
    parser.add_argument(
        "what", choices=("speed", "guard", "oracle", "play", "compile"), nargs="?", default="speed"
    )
    parser.add_argument("--shots", type=whole, default=30, help="breaks and ordinary shots to time")
    parser.add_argument("--batch", type=whole, default=2000, help="shots of a batch")
    parser.add_argument(
        "--no-fresh", action="store_true", help="leave out fresh processes and cold compilation"
    )
    parser.add_argument(
        "--million", action="store_true", help="play a million shots too (minutes), for the memory"
    )
    parser.add_argument(
        "--write", metavar="README", help="put the table between the marks of this file"
    )
    parser.add_argument("--scenes", type=whole, default=500, help="scenes of the oracle")
    parser.add_argument("--first", type=whole, default=0, help="seed of the first scene")
    parser.add_argument(
        "--report", metavar="FILE", default="oracle.md", help="where the oracle writes what differs"
    )
    parser.add_argument("--size", default="1280x720", help="of the game's window, WIDTHxHEIGHT")
    parser.add_argument("--strokes", type=whole, default=8, help="strokes of the scripted match")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Do what was asked for; the exit status."""
    for name in ("shots", "batch", "scenes", "strokes"):
        if not 1 <= getattr(options, name) <= MOST:
            got = brief(getattr(options, name))
            raise InputError(f"--{name}: got {got}, expected 1 to {MOST}")
    size = parse_size(options.size)
    if options.what == "compile":
        from sim.cli.compile_times import compile_lines

        print("\n".join(compile_lines()))
        return 0
    with engine_ready():
        _first_shot()
    if options.what == "play":
        return _play(options, size)
    if options.what == "oracle":
        return _oracle(options)
    if options.what == "guard":
        return _guard(options)
    return _speed(options)


def _first_shot() -> None:
    import sim

    sim.simulate(sim.rack(sim.Table.wpa_9ft()), sim.Stroke(8.0, 1.57), clearance="event")


def _play(options: argparse.Namespace, size: tuple[int, int]) -> int:
    from sim.play.run import frame_lines
    from sim.play.stage import no_display
    from sim.play.timing import frame_times, preview_times

    for name, times in preview_times().items():
        whole_time, busy = zip(*times, strict=True)
        print(
            f"preview, {name}: {len(times)} strokes, median {_ms(median(whole_time))}, slowest "
            f"{_ms(max(whole_time))}; of the processor {_ms(median(busy))} and {_ms(max(busy))} "
            "(aim: at most 5 ms)"
        )
    window = not no_display()
    where = "in a window" if window else "offscreen"
    print(f"frames of a scripted match of {options.strokes} strokes, {options.size}, {where}:")
    with tempfile.TemporaryDirectory() as folder:
        frames = frame_times(Path(folder), shots=options.strokes, size=size, window=window)
    print("\n".join(frame_lines(frames)))
    return 0


def _guard(options: argparse.Namespace) -> int:
    from sim.interop import speed

    timing = speed.interleaved(speed.breaks(options.shots), repeats=5)
    print(f"break: {timing.ratio:.0f} x pooltool (at least {GUARD:.0f} x)")
    return 0 if timing.ratio >= GUARD else 1


Line = tuple[str, str, str, str]


def _speed(options: argparse.Namespace) -> int:
    if options.write:
        _parts(Path(options.write))  # refused before minutes of measuring, not after
    text = _markdown(_lines(options))
    print(text)
    if options.write:
        before, after = _parts(Path(options.write))
        whole_text = f"{before}{BEGIN}\n{text}\n{END}{after}"
        write_whole(options.write, whole_text)
    return 0


def _lines(options: argparse.Namespace) -> list[Line]:
    from sim.interop import speed

    say = _teller()
    say("breaks")
    breaks = speed.breaks(options.shots)
    lines = [_timed("10-ball break, stick 8 m/s", speed.interleaved(breaks))]
    say("ordinary shots")
    shots = speed.ordinary(options.shots)
    lines.append(_timed("ordinary shot, 10 balls spread", speed.interleaved(shots)))
    say("batch")
    many = speed.batch(options.batch)
    one, two = many.seconds[1], many.seconds[2]
    lines += [
        ("simulate_many, 1 thread, a shot", _ms(one), "", ""),
        ("simulate_many, 2 threads, a shot", _ms(two), "", f"{one / two:.2f} x one thread"),
    ]
    say("scaling")
    event = speed.per_event(speed.ordinary(4 * options.shots, seed=2))
    in_break = speed.per_event(breaks)
    rest = speed.per_ball_at_rest()
    growth = ", ".join(f"{n}: {t * 1e6:.0f}" for n, t in rest.items())
    lines += [
        ("an event", f"{event * 1e6:.1f} µs", "", f"in a break {in_break * 1e6:.1f} µs"),
        ("balls at rest (number: µs)", growth, "", "the same shot past them"),
    ]
    if not options.no_fresh:
        lines += _fresh_lines(say)
    row = speed.bytes_a_row()
    lines.append(("columns of a million shots", f"{row * 1e6 / 2**20:.0f} MiB", "", "computed"))
    if options.million:
        say("a million shots")
        done = speed.million()
        lines.append(
            (
                "a million ordinary shots",
                f"{done.first:.0f} s",
                "",
                f"peak {done.peak / 2**20:.0f} MiB",
            )
        )
    return lines


def _timed(name: str, timing: Timing) -> Line:
    ratio = f"**{timing.ratio:.0f} x**" if timing.ratio >= ASKED else f"{timing.ratio:.0f} x"
    return name, _ms(median(timing.ours)), _ms(median(timing.theirs)), ratio


def _fresh_lines(say: Callable[[str], None]) -> list[Line]:
    from sim.interop import speed

    say("fresh processes")
    speed.fresh(), speed.fresh_peer()  # Python's own bytecode is written once
    ours, theirs = [], []
    for _ in range(3):
        ours.append(speed.fresh())
        theirs.append(speed.fresh_peer())

    def both(name: str, field: str) -> Line:
        a = median(getattr(f, field) for f in ours)
        b = median(getattr(f, field) for f in theirs)
        return name, f"{a:.2f} s", f"{b:.2f} s", f"{b / a:.1f} x"

    lines = [
        both("import", "imported"),
        both("fresh process, warm cache, to its first result", "whole"),
    ]
    say("cold compilation of both, a minute or more")
    cold, cold_peer = speed.fresh(cold=True), speed.fresh_peer(cold=True)
    lines.append(
        (
            "first shot ever on a machine (compiles)",
            f"{cold.first:.1f} s",
            f"{cold_peer.first:.1f} s",
            f"{cold_peer.first / cold.first:.1f} x",
        )
    )
    peak, peak_peer = (median(f.peak for f in group) / 2**20 for group in (ours, theirs))
    lines.append(
        (
            "memory after the first shot",
            f"{peak:.0f} MiB",
            f"{peak_peer:.0f} MiB",
            f"{peak_peer / peak:.1f} x",
        )
    )
    return lines


def _teller() -> Callable[[str], None]:
    """Says what is being measured, on standard error, so that the table stays alone."""

    def say(text: str) -> None:
        print(f"measuring: {text} ...", file=sys.stderr, flush=True)

    return say


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms" if seconds < 0.01 else f"{seconds * 1e3:.1f} ms"


def _markdown(lines: list[Line]) -> str:
    import numba
    import numpy

    rows = ["| | tenball | pooltool 0.6.0 | ratio |", "|---|---|---|---|"]
    rows += [f"| {name} | {ours} | {theirs} | {note} |" for name, ours, theirs, note in lines]
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    rows += [
        "",
        "Medians of one interleaved run on one core, processor time of the whole call of `simulate` (pooltool: its",
        "`simulate` in place, models explicit, the same layouts and ball speed), all physics on. Published for",
        "orientation, not measured here: FastFiz (C++, planar) 0.70-0.87 ms a break, 0.24 ms a shot.",
        f"Measured with `tenball bench speed` on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores{load},",
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, numba {numba.__version__}.",
    ]
    return "\n".join(rows)


def _parts(path: Path) -> tuple[str, str]:
    """A file's text before and after the table.

    Raises:
        FileError: the file cannot be read or has no marks.
    """
    text = read_text(path)
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise FileError(f"{path}: got no marks, expected {BEGIN} and {END} once each")
    before, rest = text.split(BEGIN)
    return before, rest.split(END)[1]


def _oracle(options: argparse.Namespace) -> int:
    from sim.interop import models, oracle
    from sim.interop.explain import explain

    say = _teller()
    found = []
    for k in range(options.scenes):
        if k % 500 == 0:
            say(f"scenes {k} to {min(k + 500, options.scenes)}")
        found.append(oracle.compare(oracle.scene(options.first + k)))
    agreed = [c for c in found if c.agrees]
    apart = [c for c in found if not c.agrees]
    rows = [
        f"{len(agreed)} of {len(found)} scenes agree ({len(agreed) / len(found):.2%}): the same events, "
        f"times to {oracle.TIME:g} s,",
        f"positions to {oracle.PLACE:g} m, headings to {oracle.ANGLE:g} degrees, up to the first contact "
        "with cushion, jaw or pocket.",
        f"{sum(c.impacts for c in found)} impacts ball on ball in {sum(c.events for c in found)} events.",
    ]
    if agreed:
        rows.append(
            f"Greatest differences among them: {max(c.time for c in agreed):.2g} s, "
            f"{max(c.place for c in agreed):.2g} m, {max(c.angle for c in agreed):.2g} degrees."
        )
    rows.append("")
    for c in apart:
        rows.append(f"- seed {c.seed}: {c.fault}. {explain(oracle.scene(c.seed), c)}.")
    say("impacts, model by model")
    for agreement in (models.ball_ball(), models.han2005(), models.mathavan2010()):
        rows.append(
            f"- {agreement.model}: {agreement.count} impacts, differences up to {agreement.speed:.2g} m/s "
            f"and {agreement.spin:.2g} m/s of surface speed (limit {agreement.limit:g})"
        )
        rows += [f"  - {line}" for line in agreement.apart]
    text = "\n".join(rows)
    write_whole(options.report, f"# pooltool as an oracle\n\n{text}\n")
    print(text)
    return 0 if len(agreed) >= 0.99 * len(found) else 1
