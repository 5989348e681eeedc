"""Every published number of the engine: each row names its source and keeps its limit."""

from __future__ import annotations

import json
from functools import cache

import pytest

from sim.cli.main import main
from sim.cli.validate import GROUPS as COMMAND_GROUPS
from sim.shot.validation import GROUPS, Row, group_rows
from sim.shot.validation.cushion import lengths
from sim.shot.validation.rows import limits

rows = cache(group_rows)

# Each part of validation.md, by the group and the words its source begins with, and its rows.
SOURCES = {
    "TP A.18": ("motion", 9),
    "Coriolis": ("motion", 24),
    "lag": ("motion", 2),
    "TP A.30": ("cue", 8),
    "TP A.31": ("cue", 6),
    "TP B.1,": ("cue", 1),
    "TP B.10": ("bed", 9),
    "TP A.14": ("throw", 60),
    "TP A.27": ("throw", 2),
    "30 degree": ("collisions", 5),
    "head-on": ("collisions", 1),
    "stop shot": ("collisions", 2),
    "Mathavan 2009": ("collisions", 9),
    "TP B.29": ("clusters", 5),
    "Mathavan, Jackson, Parkin 2009": ("cushion", 56),
    "Mathavan, Jackson, Parkin 2010": ("cushion", 44),
    "closed form": ("cushion", 3),
    "Han": ("cushion", 6),
    "WPA table speed": ("cushion", 3),
}


@pytest.mark.parametrize("source", SOURCES)
def test_published_rows(source: str) -> None:
    group, count = SOURCES[source]
    mine = [row for row in rows(group) if row.source.startswith(source)]
    assert len(mine) == count
    assert [row for row in mine if not row.ok] == []


def test_every_row_is_named_above_and_says_why_its_limit() -> None:
    assert COMMAND_GROUPS == GROUPS
    for group in GROUPS[:-1]:
        for row in rows(group):
            assert row.reason
            assert row.limit > 0.0
            assert any(row.source.startswith(s) for s, (g, _) in SOURCES.items() if g == group)


def test_limits_of_measured_rows_have_reasons() -> None:
    def entries(data: dict) -> list[dict]:
        if "limit" in data:
            return [data]
        return [entry for inner in data.values() for entry in entries(inner)]

    found = entries(limits())
    assert len(found) >= 20
    assert all(len(entry["reason"]) > 10 and entry["limit"] > 0 for entry in found)


@pytest.mark.parametrize(("got", "ok"), [(1.0009, True), (1.0021, False), (float("nan"), False)])
def test_a_row_beyond_its_limit_fails(got: float, ok: bool) -> None:
    assert Row("source", "quantity", 1.0, got, 2e-3, "because").ok is ok


def test_table_speed_grows_with_speed() -> None:
    for model in ("measured", "mathavan2010"):  # Han's restitution falls to none at 7 m/s
        runs = [lengths(v, model) for v in (2.0, 4.0, 6.0, 8.0)]
        assert runs == sorted(runs)
    # What a firm stroke runs: measured 3.78, Mathavan 4.67, Han 2.73 table lengths from 6 m/s.
    assert lengths(6.0, "han2005") < lengths(6.0, "measured") < lengths(6.0, "mathavan2010")


def test_command_prints_asked_got_error_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "bed"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[-4:] == ["asked", "got", "error", "limit"]
    assert lines[2].startswith("  bounce 1 leaves at (mph)")
    assert float(lines[2].split()[-4]) == 10.855
    assert lines[-1] == "9 rows, 0 beyond their limit"


def test_command_fails_where_a_row_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = Row("source", "quantity", 1.0, 2.0, 0.5, "because")
    monkeypatch.setattr("sim.shot.validation.bed.rows", lambda: [bad])
    assert main(["validate", "bed", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["failed"] == 1
    assert data["rows"][0]["error"] == 1.0


def test_command_refuses_an_unknown_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "sound"]) == 2
    assert "expected one of motion" in capsys.readouterr().err


def test_a_cushion_model_without_limits_is_named(monkeypatch: pytest.MonkeyPatch, capsys):
    """A model added to the engine ended `tenball validate` in a KeyError."""
    monkeypatch.delitem(limits()["rebound_pool"], "han2005")
    assert main(["validate", "cushion"]) == 2
    said = capsys.readouterr().err
    assert "limits.toml: got no [rebound_pool.han2005], expected one with limit" in said
    assert said.count("\n") == 1
