"""The nose wire: one smooth chain a cushion, packed so that the table's mirror images stay exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from sim.model import POCKETS, TableSpec
from sim.model.geometry import ArcNose, LineNose
from sim.physics import arrays as A
from sim.shot.packing import pack_table

TABLES = {
    "9 ft": sim.Table.wpa_9ft(),
    "7 ft": sim.Table.wpa_7ft(),
    "wide": sim.Table.from_spec(TableSpec(l=6.0, w=3.0)),
}


@pytest.fixture(params=TABLES, ids=TABLES)
def table(request: pytest.FixtureRequest) -> sim.Table:
    return TABLES[request.param]


def test_each_piece_starts_where_the_one_before_ends(table: sim.Table) -> None:
    # The second halves of the head and foot chains once ran back to the middle.
    for chain in table.geometry.chains:
        assert [type(piece) for piece in chain.pieces] == [
            LineNose, ArcNose, LineNose, ArcNose, LineNose,
        ]  # fmt: skip
        for before, piece in zip(chain.pieces, chain.pieces[1:], strict=False):
            assert math.dist(before.ends[1], piece.ends[0]) < 1e-12


def test_chains_run_from_the_pocket_their_docstring_names(table: sim.Table) -> None:
    passed = [
        (POCKETS[c.pieces[0].pocket], POCKETS[c.pieces[-1].pocket]) for c in table.geometry.chains
    ]
    assert passed == [
        ("head_left", "head_right"), ("foot_left", "foot_right"),
        ("head_left", "side_left"), ("foot_left", "side_left"),
        ("head_right", "side_right"), ("foot_right", "side_right"),
    ]  # fmt: skip
    for chain in table.geometry.chains:
        for piece, end in ((chain.pieces[0], 0), (chain.pieces[-1], 1)):
            mouth = table.geometry.pockets[piece.pocket]
            assert piece.ends[end] in mouth.facing_ends


def test_a_turned_piece_is_the_same_piece(table: sim.Table) -> None:
    for chain in table.geometry.chains:
        for piece in chain.pieces:
            assert piece.turned().ends == piece.ends[::-1]
            assert piece.turned().turned() == piece


@pytest.mark.parametrize("axis", ["x", "y"])
def test_packed_pieces_begin_as_their_mirror_images_do(table: sim.Table, axis: str) -> None:
    lines = [row for row in pack_table(table)[0] if row["kind"] == A.LINE]
    names = ("x", "y", "tx", "ty", "nx", "ny", "length")
    rows = np.array([[row[name] for name in names] for row in lines])
    mirrored = rows * [-1.0 if name.endswith(axis) else 1.0 for name in names]
    apart = np.abs(rows[:, None, :] - mirrored).max(axis=2).min(axis=0)
    # A straight nose across the mirror's line is its own image, begun at the other end.
    own = 2 if axis == "x" else 0
    assert (apart > 1e-9).sum() == own
    assert all(rows[k, 6] > 0.5 for k in np.flatnonzero(apart > 1e-9))
