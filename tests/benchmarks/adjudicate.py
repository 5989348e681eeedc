"""How long adjudicating one shot takes: `python -m tests.benchmarks.adjudicate`.

The law has to be quick enough to follow every simulated shot: at most 50 microseconds. Each kind
of shot is timed in many short runs; the quickest and the median are reported, and the quickest,
which a busy machine disturbs least, is held against the limit.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

import rules
from rules.notation import parse_declaration, parse_record, parse_state

LIMIT_US = 50.0
RUNS, SHOTS = 400, 40

CASES = {
    "called ball made": (
        "wpa09 A/A 5 3,4,6,8-10 position 0-0 - - -",
        "3@foot_left",
        "0x3 0:left 3@foot_left 0x8 8:foot 0:right",
    ),
    "miss with a foul": (
        "lbm A/B 5 3,4,6,8-10 position 1-2 B - -",
        "3@foot_left",
        "0:left 0x4 4:foot 4x6 6:left 0:right 0@side_left",
    ),
    "safety of twenty sightings": (
        "ten A/B 5 3,4,6,8-10 position 0-0 - - -",
        "safety",
        "0x3 3:foot 3:left 3x6 6:right 0:head 0x8 8x9 9:left 9:foot 8:right "
        "6:head 0:left 3:head 3x4 4:left 4:foot 0:foot 0x10 10:right",
    ),
    "break of thirty-five sightings": (
        "wpa09 A/A 1 1-10 in_hand_behind_head_string 0-0 - - -",
        "break",
        "0x1 1x2 &1x3 2x4 &2x5 &3x5 &3x6 4x7 &4x8 &5x8 &5x9 &6x9 &6x10 7:left 10:right 8:foot "
        "9:foot 1:right 2:left 3:right 7:foot 10:foot 4:left 6:right 0:left 0:foot 7@foot_left "
        "8x9 9:left 5:right 2:foot 3:foot 2x3 3:head 4:head",
    ),
}


def measure() -> dict[str, tuple[float, float]]:
    """Microseconds for adjudicating one shot of each kind: quickest and median of short runs."""
    found = {}
    for name, (state_text, call_text, record_text) in CASES.items():
        state, call = parse_state(state_text), parse_declaration(call_text)
        record = parse_record(record_text)
        times = []
        for _ in range(RUNS):
            start = perf_counter()
            for _ in range(SHOTS):
                rules.adjudicate(state, call, record)
            times.append((perf_counter() - start) / SHOTS * 1e6)
        found[name] = (min(times), median(times))
    return found


def main() -> int:
    """Print the figures; exit status 1 if one is above the limit."""
    figures = measure()
    for name, (quickest, middle) in figures.items():
        print(f"{quickest:6.1f} us (median {middle:.1f})  {name}")
    print(f"limit {LIMIT_US:.0f} us")
    return 0 if max(quickest for quickest, _ in figures.values()) <= LIMIT_US else 1


if __name__ == "__main__":
    raise SystemExit(main())
