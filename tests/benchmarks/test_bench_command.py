"""`tenball bench`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.cli.main import main


@pytest.fixture(autouse=True)
def _pooltool(require: Callable[[str], None]) -> None:
    require("module:pooltool")


def test_speed_writes_its_table_between_the_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- speed:begin -->\nold\n<!-- speed:end -->\nafter\n")
    asked = ["bench", "speed", "--shots", "2", "--batch", "20", "--no-fresh"]
    assert main([*asked, "--write", str(readme)]) == 0
    table = capsys.readouterr().out.strip()
    assert table.count("| 10-ball break") == 1
    assert readme.read_text() == (
        f"before\n<!-- speed:begin -->\n{table}\n<!-- speed:end -->\nafter\n"
    )


def test_oracle_reports_every_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "oracle.md"
    assert main(["bench", "oracle", "--scenes", "3", "--report", str(report)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("3 of 3 scenes agree (100.00%)")
    assert told.count("impacts, differences up to") == 3
    assert told.strip() in report.read_text()


def test_a_file_without_marks_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("no marks\n")
    asked = ["bench", "speed", "--shots", "1", "--batch", "2", "--no-fresh"]
    assert main([*asked, "--write", str(readme)]) == 2
    assert readme.read_text() == "no marks\n"
    assert "expected <!-- speed:begin --> and" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--shots", "--batch", "--scenes"])
def test_counts_are_at_least_one(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "speed", option, "0"]) == 2
    assert f"{option}: got 0, expected 1 to" in capsys.readouterr().err


@pytest.mark.soak
def test_compile_tells_every_module() -> None:
    """In a process of its own: it compiles all anew (half a minute)."""
    told = subprocess.run(
        [sys.executable, "-m", "sim.cli.main", "bench", "compile"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for module in ("loop", "contact.cushion_models", "contact.held", "detect.surface"):
        assert f"| `sim.physics.{module}` |" in told
    assert "| all, with the first shot and loading |" in told
