"""The mesh against the engine's geometry: the nose you see is the nose you hit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sim.model import CUSHIONS, POCKETS, Materials, Table, TableSpec
from sim.model.errors import EngineError
from sim.play.mesh import grid, lathe, triangulate
from sim.play.table_frame import NOSE_ROUND, chain_samples, cloth_end, frame_of
from sim.play.table_mesh import build_table
from sim.shot.packing import pack_params

BALL = Materials.ball_radius
TABLES = {
    "9ft": Table.wpa_9ft(),
    "7ft": Table.wpa_7ft(),
    "tight": Table.from_spec(
        replace(TableSpec(), corner_pocket_width=0.108, corner_jaw_radius=0.008)
    ),
}


@pytest.fixture(scope="module", params=TABLES)
def built(request):
    table = TABLES[request.param]
    return table, build_table(table, BALL)


def test_every_nose_vertex_lies_on_the_engines_nose(built):
    table, meshes = built
    assert len(meshes.noses) == len(CUSHIONS)
    for mesh, nose in zip(meshes.cushions, meshes.noses, strict=True):
        assert len(nose) > 20
        for x, y, z in nose:
            assert abs(table.geometry.nose_distance(x, y)) < 1e-4
            assert abs(z - table.spec.cushion_height) < 1e-4
        # They are vertices of the mesh that is drawn, not of a copy.
        drawn = {tuple(p) for p in mesh.positions.tolist()}
        assert {tuple(p) for p in nose.tolist()} <= drawn


def test_the_nose_row_reaches_along_the_whole_chain(built):
    table, meshes = built
    for chain, nose in zip(table.geometry.chains, meshes.noses, strict=True):
        ends = {mouth.facing_ends for mouth in table.geometry.pockets}
        points = [p for pair in ends for p in pair]
        for end in (nose[0], nose[-1]):
            assert min(math.dist(end[:2], p) for p in points) < 1e-4
        # No vertex of the rubber stands in front of the nose, towards the balls.
        mesh = meshes.cushions[chain.cushion]
        for x, y, _ in mesh.positions[::7]:
            assert table.geometry.nose_distance(x, y) < 1e-4


def test_the_rubber_below_the_nose_recedes_as_the_engines(built):
    """One draft along the whole wire: two of them left a visible step below every jaw."""
    table, meshes = built
    row = pack_params(table, Materials(), None)[0]
    slope = float(row["draft_s"] / row["draft_c"])
    h = table.spec.cushion_height
    for chain in table.geometry.chains:
        p, n = chain_samples(chain)
        assert np.hypot(*np.diff(p, axis=0).T).min() > 1e-6  # no point twice, no wedge between
        drawn = {tuple(q) for q in np.round(meshes.cushions[chain.cushion].positions, 7).tolist()}
        for x, y in p - n * (slope * h + NOSE_ROUND * (1 - math.cos(math.radians(50)))):
            assert (round(float(x), 7), round(float(y), 7), 0.0) in drawn


def test_no_cloth_over_a_hole(built):
    table, meshes = built
    bed = meshes.bed
    flat = np.all(np.abs(bed.positions[bed.triangles][:, :, 2]) < 1e-9, axis=1)
    triangles = bed.positions[bed.triangles[flat]][:, :, :2]
    rng = np.random.default_rng(3)
    weights = rng.dirichlet((1, 1, 1), size=(len(triangles), 5))
    points = np.einsum("nkw,nwd->nkd", weights, triangles).reshape(-1, 2)
    for mouth in table.geometry.pockets:
        assert np.hypot(*(points - mouth.centre).T).min() > mouth.radius - 1e-4
    u, v = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum()
    assert area > table.width * table.length


def test_one_does_not_look_down_between_cushion_and_wood(built):
    table, meshes = built
    back, top = cloth_end(table), table.spec.rail_top
    wood = meshes.rails.positions
    for chain, mesh in zip(table.geometry.chains, meshes.cushions, strict=True):
        frame = frame_of(chain)
        cloth = mesh.positions
        at_back = np.abs(frame.to(cloth[:, :2])[:, 1] - back) < 1e-6
        behind = frame.to(wood[:, :2])[:, 1]
        inner_edge = wood[(np.abs(behind - back) < 1e-6) & (wood[:, 2] > 0.0), 2]
        assert cloth[at_back, 2].max() == pytest.approx(top, abs=1e-6)
        assert cloth[at_back, 2].min() < inner_edge.min() - 0.001


def test_a_pockets_bottom_is_closed_all_round(built):
    table, meshes = built
    liners = meshes.liners.positions
    low = -table.spec.pocket_drop
    for mouth in table.geometry.pockets:
        away = np.hypot(*(liners[:, :2] - np.array(mouth.centre)).T)
        floor = away[(np.abs(liners[:, 2] - low) < 1e-9) & (away < 2 * mouth.radius)]
        # Wall and floor are polygons of different corners: only a wider floor leaves no slit.
        assert floor.max() * np.cos(np.pi / 32) > mouth.radius + 1e-4


def test_the_liner_meets_the_sloping_cushion(built):
    table, meshes = built
    for mouth in table.geometry.pockets:
        c = np.array(mouth.centre)
        ends = {p for mesh in meshes.cushions for p in map(tuple, mesh.positions.round(9).tolist())}
        on_hole = np.array([p for p in ends if abs(math.dist(p[:2], c) - mouth.radius) < 1e-7])
        tops = on_hole[on_hole[:, 2] > table.spec.cushion_height + NOSE_ROUND]
        assert len(tops) >= 2
        liners = meshes.liners.positions
        for x, y, z in tops:
            near = liners[np.hypot(*(liners[:, :2] - (x, y)).T) < 0.004]
            assert near[:, 2].max() > z - 0.001


def test_pockets_have_depth_and_the_bed_is_flat_between(built):
    table, meshes = built
    assert meshes.liners.positions[:, 2].min() == pytest.approx(-table.spec.pocket_drop)
    for mouth in table.geometry.pockets:
        near = np.hypot(*(meshes.liners.positions[:, :2] - mouth.centre).T) < mouth.radius + 1e-6
        assert near.sum() > 100, POCKETS[mouth.pocket]


def test_meshes_are_finite_unit_normalled_and_wound_outwards(built):
    _, meshes = built
    for mesh in (
        meshes.bed,
        *meshes.cushions,
        meshes.rails,
        meshes.castings,
        meshes.liners,
        meshes.sights,
        meshes.body,
    ):
        assert np.isfinite(mesh.positions).all()
        assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
        a, b, c = (mesh.positions[mesh.triangles[:, k]] for k in range(3))
        face = np.cross(b - a, c - a)
        towards = np.einsum("ij,ij->i", face, mesh.normals[mesh.triangles].sum(axis=1))
        assert (towards >= 0).all()


def test_the_table_is_symmetric(built):
    table, meshes = built
    for mesh in (meshes.castings, meshes.liners, meshes.sights):
        for axis, size in ((0, table.width), (1, table.length)):
            mirrored = mesh.positions.copy()
            mirrored[:, axis] = size - mirrored[:, axis]
            here = {tuple(p) for p in np.round(mesh.positions, 6) + 0.0}
            missing = [p for p in np.round(mirrored, 6) + 0.0 if tuple(p) not in here]
            assert len(missing) <= 0.05 * len(mirrored)  # side pockets stand on their axis


def test_triangles_fill_a_polygon_with_bites():
    angle = np.linspace(0, math.pi, 9)
    bite = np.column_stack((0.5 + 0.2 * np.cos(angle), 0.2 * np.sin(angle)))
    outline = np.concatenate(([(0, 0)], bite[::-1], [(1, 0), (1, 1), (0, 1)]))
    triangles = triangulate(outline)
    assert len(triangles) == len(outline) - 2


def test_an_outline_that_crosses_itself_is_refused():
    with pytest.raises(EngineError, match="triangles fill"):
        triangulate([(0, 0), (1, 0), (1, 1), (0.5, -1), (0, 1)])


def test_a_lathe_faces_outwards():
    mesh = lathe([(0.5, 0.0), (0.5, 1.0)], 16)
    outward = mesh.positions * (1, 1, 0)
    assert (np.einsum("ij,ij->i", outward, mesh.normals) > 0).all()


def test_a_grid_follows_its_hint():
    rows = [[(0, 0, 0), (1, 0, 0)], [(0, 1, 0), (1, 1, 0)]]
    assert (grid(rows, (0, 0, -1)).normals[:, 2] == -1).all()
    assert (grid(rows, (0, 0, 1)).normals[:, 2] == 1).all()
