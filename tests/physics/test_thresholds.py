"""The table of thresholds in sim/physics/README.md is that of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sim.physics
from sim.physics import arrays, handle_held
from sim.physics.contact import held

README = Path(sim.physics.__file__).with_name("README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([A-Z_]+) \| ([\d.e-]+) \S+ \| ", README, re.MULTILINE)


def test_all_thresholds_are_there() -> None:
    assert {name for name, _ in ROWS} >= {
        *("REST_SPEED", "HOP_SPEED", "TIE", "TOUCH", "STILL", "PRESS", "HELD_GAP", "HELD_REACH"),
        *(name for name in vars(handle_held) if name.startswith("HELD_") and name.isupper()
          and isinstance(getattr(handle_held, name), float) and name != "HELD_TRAVEL"),
    }  # fmt: skip


@pytest.mark.parametrize(("name", "value"), ROWS)
def test_threshold_is_that_of_the_code(name: str, value: str) -> None:
    places = [
        getattr(module, name) for module in (arrays, held, handle_held) if hasattr(module, name)
    ]
    assert places
    assert all(place == pytest.approx(float(value), rel=1e-12) for place in places)
