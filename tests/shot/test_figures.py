"""`tenball validate --plots`: the table's published points and the engine's curve in one plot."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sim.cli.main import main
from sim.shot.validation import Row, cushion, group_rows
from sim.shot.validation.figures import FIGURES, Figure, Panel, draw


@pytest.fixture(autouse=True)
def _matplotlib(require):
    require("module:matplotlib")


rows = cache(group_rows)


@cache
def panels(figure: Figure) -> list[Panel]:
    return figure.panels(rows(figure.group))


def shown(figure: Figure) -> list[Row]:
    """The rows whose points this figure has."""
    if figure.name == "cushion_angles":
        return [
            row
            for row in cushion.curve_points()
            if row.point is not None and re.match(r"rebound angle, .*topspin 1.0", row.point.curve)
        ]
    found = [row for row in rows(figure.group) if row.point is not None]
    if figure.name == "cushion_rebound":
        found = [row for row in found if row.source == cushion.MATHAVAN_2009]
    return found


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_published_point_is_drawn_once_and_the_curve_is_the_tables(figure: Figure) -> None:
    drawn = [
        (float(x), float(y))
        for p in panels(figure)
        for s in p.points
        for x, y in zip(s.x, s.y, strict=True)
    ]
    published = shown(figure)
    assert len(drawn) == len(published) >= 3
    if figure.name == "slate_bounces":  # drawn where the hops end, not by their number
        hops = np.cumsum([row.asked for row in published])
        assert drawn == [(pytest.approx(hop), 0.0) for hop in hops]
        return
    for row in published:
        assert row.point is not None
        assert (row.point.x, row.asked) in drawn
        high = max(line.y.max() for panel in panels(figure) for line in panel.lines)
        off = min(
            abs(np.interp(row.point.x, line.x, line.y) - row.got)
            for panel in panels(figure)
            for line in panel.lines
        )
        assert off < 0.01 * high, row.quantity


def test_the_hops_end_where_our_ball_lands() -> None:
    (panel,) = panels(next(f for f in FIGURES if f.name == "slate_bounces"))
    (path,), (ends,) = panel.lines, panel.points
    for x in ends.x:
        near = np.abs(path.x - x) < 0.03
        assert path.y[near].min() < 0.02 * path.y.max()


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_axes_have_units_and_the_legend_names_source_and_engine(figure: Figure) -> None:
    drawing = draw(panels(figure))
    sources = {row.source.split()[0] for row in shown(figure)} | {"Mathavan"}
    for axes in drawing.axes:
        for text in (axes.get_xlabel(), axes.get_ylabel()):
            assert re.search(r"\(.+\)$", text), text
        words = [text.get_text() for text in axes.get_legend().get_texts()]
        assert any("tenball" in w for w in words)
        assert any(w.startswith(tuple(sources)) for w in words)


def test_the_command_writes_the_plots_of_its_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "plots"
    assert main(["validate", "bed", "cue", "--plots", str(folder)]) == 0
    assert sorted(p.name for p in folder.iterdir()) == ["slate_bounces.png", "squirt.png"]
    for path in folder.iterdir():
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG")
        assert 10_000 < len(data) < 200_000
    assert capsys.readouterr().err.count("plot: ") == 2


def test_a_folder_that_cannot_be_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        assert main(["validate", "bed", "--plots", str(folder)]) == 2
        streams = capsys.readouterr()
        assert streams.out == ""
        assert len(streams.err.splitlines()) == 1
        assert str(folder) in streams.err


def test_without_matplotlib_one_line_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["validate", "bed", "--plots", str(tmp_path / "plots")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "expected the lab extra" in line
    assert not (tmp_path / "plots").exists()
