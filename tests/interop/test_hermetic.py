"""pooltool is used without a trace: nothing of the home folder is read or written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.interop.pooltool.library import borrowed_home, load

SCRIPT = """
import os
import numpy as np
import sim
from sim.interop import pooltool

kept, options = dict(os.environ), np.get_printoptions()
layout = sim.Layout(sim.Table.wpa_9ft(), {0: (0.5, 0.6), 1: (0.52, 1.4)})
result = pooltool.simulate(layout, sim.Stroke(2.0, 1.5708))
assert dict(os.environ) == kept, "environment"
assert np.get_printoptions() == options, "print options"
print([(e.kind, round(e.t, 12)) for e in result.events])
"""


def play(home: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    environment |= {"HOME": str(home), "USERPROFILE": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler's cache may lie in the profile")
def test_home_is_neither_read_nor_written(tmp_path: Path) -> None:
    plain, spoiled = tmp_path / "plain", tmp_path / "spoiled"
    settings = spoiled / ".config" / "pooltool" / "physics" / "resolver.yaml"
    plain.mkdir()
    settings.parent.mkdir(parents=True)
    settings.write_text("ball_ball: nonsense\n")
    assert play(plain) == play(spoiled)
    assert list(plain.iterdir()) == []
    assert [p for p in spoiled.rglob("*") if p.is_file()] == [settings]
    assert settings.read_text() == "ball_ball: nonsense\n"


def test_pooltools_settings_lie_in_the_borrowed_home() -> None:
    load()
    import pooltool.config.paths as paths

    with borrowed_home() as home:
        assert Path(home) in paths.CONFIG_DIR.parents
        assert Path.home() == Path(home)
    assert Path.home() != Path(home)


def test_numpys_print_options_are_left_alone() -> None:
    before = np.get_printoptions()
    load()
    assert np.get_printoptions() == before
