"""Run every notebook on its small sample and check how it is committed: `python -m tests.notebooks`.

    python -m tests.notebooks            all of them, two at a time
    python -m tests.notebooks 02 05      some

Each runs in its own kernel and empty folder with TENBALL_SAMPLE=small (the sizes stand in the notebooks,
`lab.sample(full, small)`); nothing is written back. Exit status 1 if a cell fails or a committed notebook
breaks a rule below.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).parents[1] / "notebooks"
LARGEST = 2**20  # bytes of a committed notebook
TIMEOUT_S = 600  # for one cell: a machine that has to compile the engine first
INTERVAL = re.compile(r"\(95 % CI [^)]*n = [\d,]+\)")


def faults(path: Path) -> list[str]:
    """What is wrong with a notebook as committed."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    found = []
    if len(text.encode()) >= LARGEST:
        found.append(f"got {len(text.encode())} bytes, expected less than {LARGEST}")
    first, last = notebook.cells[0], notebook.cells[-1]
    if (
        first.cell_type != "markdown"
        or "**Question.**" not in first.source
        or "?" not in first.source
    ):
        found.append("expected a question in the first cell")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.execution_count is None for cell in code):
        found.append("got cells that were not run, expected outputs of a full run")
    elif [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        found.append("got cells that were run out of order")
    outputs = [output for cell in code for output in cell.outputs]
    if any(o.output_type == "error" or o.get("name") == "stderr" for o in outputs):
        found.append("got an error or a warning among the outputs")
    kinds = {kind for o in outputs for kind in o.get("data", {})}
    if not kinds & {"image/png", "image/svg+xml"}:
        found.append("expected a figure")
    answers = [o.data.get("text/markdown", "") for o in last.get("outputs", []) if "data" in o]
    if not any(a.startswith("**Answer.**") and INTERVAL.search(a) for a in answers):
        found.append("expected an answer with sample size and confidence interval at the end")
    if re.search(r"/(work|home|root|tmp)/|[A-Z]:\\\\Users", text):
        found.append("got the path of a machine")
    return found


def run(path: Path) -> tuple[str, float, str | None]:
    """(name, seconds, what failed) of a run on the small sample."""
    notebook = nbformat.read(path, as_version=4)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT_S,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute()
        except CellExecutionError as error:
            return path.stem, time.perf_counter() - began, str(error)
    return path.stem, time.perf_counter() - began, None


def main(wanted: list[str]) -> int:
    """Check and run the notebooks whose names begin with one of `wanted` (all without)."""
    os.environ["TENBALL_SAMPLE"] = "small"
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    paths = sorted(FOLDER.glob("*.ipynb"))
    if wanted:
        paths = [p for p in paths if p.stem.startswith(tuple(wanted))]
    if not paths:
        print(f"notebooks: got none named {wanted}, expected some of {FOLDER}", file=sys.stderr)
        return 2
    bad = 0
    for path in paths:
        for fault in faults(path):
            bad += 1
            print(f"{path.name}: {fault}")
    began = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        # The last ones wait for pooltool's compiler and for processes: begun last, they would end alone.
        for name, seconds, failure in pool.map(run, reversed(paths)):
            print(f"{seconds:6.1f} s  {name}" + ("" if failure is None else f"\n{failure}"))
            bad += failure is not None
    used = os.times()
    print(
        f"{time.perf_counter() - began:6.1f} s  all; "
        f"{used.children_user + used.children_system:.0f} s of processor time"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
