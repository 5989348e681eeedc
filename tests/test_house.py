"""The house's own rules: imports run downward, `import sim` is light, the command stands alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from sim.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
HEAVY = ("panda3d", "direct", "pooltool", "pandas", "matplotlib", "pyarrow", "scipy")


def run(*command: object, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


# --- import contracts -----------------------------------------------------------------------------

# Contract: an import that breaks it and no other, as (file, line added).
VIOLATIONS = {
    "Imports run downward only": ("sim/model/stroke.py", "import sim.shot"),
    "The law knows no simulator": ("rules/terms.py", "import numpy"),
    "Only the game, the play and the command know the law": ("sim/shot/files.py", "import rules"),
    "Only sim.play imports Panda3D": ("sim/shot/files.py", "import panda3d"),
    "Values know no compiler": ("sim/model/stroke.py", "import numba"),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of both packages and of the project's settings."""
    for package in ("sim", "rules"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(tree: Path) -> set[str]:
    """The contracts that import-linter finds broken in a tree."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = run(linter, "--no-cache", cwd=tree, PYTHONPATH=str(tree), NO_COLOR="1")
    found = {name for name in VIOLATIONS if f"{name} BROKEN" in done.stdout}
    kept = {name for name in VIOLATIONS if f"{name} KEPT" in done.stdout}
    assert found | kept == set(VIOLATIONS), done.stdout + done.stderr
    assert done.returncode == (1 if found else 0), done.stdout
    return found


def test_every_contract_is_kept(tree: Path):
    assert broken_contracts(tree) == set()


def test_every_contract_is_tried():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    table = lines.index("[[tool.importlinter.contracts]]")
    names = {
        line.split('"')[1] for line in lines[table:] if line.startswith("name = ") and '"' in line
    }
    assert names == set(VIOLATIONS)


@pytest.mark.parametrize("name", VIOLATIONS)
def test_contract_fails_on_a_violation(tree: Path, name: str):
    file, line = VIOLATIONS[name]
    path = tree / file
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    assert broken_contracts(tree) == {name}


# --- light imports --------------------------------------------------------------------------------


def loaded_by(code: str) -> set[str]:
    """The top-level modules a fresh interpreter has loaded after running some code."""
    tail = "import sys; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    done = run(sys.executable, "-c", f"{code}\n{tail}")
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))


@pytest.mark.parametrize(
    "code",
    [
        "import sim",
        "import sim.cli.main",
        "import sim.cli.main, sim.cli.shot, sim.game",
        "import sim.shot.files, sim.shot.picture, sim.shot.svg, sim.shot.scenes",
    ],
)
def test_imports_are_light(code: str):
    assert loaded_by(code).isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "name",
    ["experiments.sweep", "shot.files.load_shot", "shot.scenes.Scene", "game.pots.direct_pots"],
)
def test_import_sim_is_enough(name: str):
    """What `help(sim)` names is found by its name, whatever was loaded before."""
    done = run(sys.executable, "-c", f"import sim; sim.{name}")
    assert done.returncode == 0, done.stderr


def test_the_law_imports_the_standard_library_only():
    alone = loaded_by("import rules")
    bare = loaded_by("")
    assert alone - bare - set(sys.stdlib_module_names) == {"rules"}


def test_help_starts_without_the_compiler():
    code = "from sim.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert "numba" not in loaded_by(code)


# --- the command ----------------------------------------------------------------------------------


def test_every_command_module_is_registered():
    modules = {
        path.stem
        for path in (ROOT / "sim" / "cli").glob("*.py")
        if "def add_parser(" in path.read_text(encoding="utf-8")
    }
    assert modules == set(COMMANDS)


@pytest.mark.soak
def test_plain_install_breaks_a_rack(tmp_path: Path):
    """`pip install .` in a bare environment gives a command that works, without pooltool."""
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
    )
    installed = run(programs / "python", "-m", "pip", "install", "--quiet", source)
    assert installed.returncode == 0, installed.stderr
    done = run(
        programs / "tenball", "break", "--seed", "7", "--picture", "b.svg", cwd=tmp_path,
        TENBALL_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH="",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "ruling under wpa09" in done.stdout
    assert (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<svg")
    missing = run(programs / "python", "-c", "import pooltool", cwd=tmp_path)
    assert "ModuleNotFoundError" in missing.stderr
