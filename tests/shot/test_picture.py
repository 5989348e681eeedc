"""The picture of a shot: what the description says is true, and the drawing shows all of it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import sim
from sim.shot.picture import FLATNESS, describe, describe_layout, describe_table, to_svg

R = 0.028575
SVG = "{http://www.w3.org/2000/svg}"
TABLE = sim.Table.wpa_9ft()


def event(t: float, kind: str, ball: int, other: object = None) -> SimpleNamespace:
    return SimpleNamespace(t=t, kind=kind, ball=ball, other=other)


@dataclass
class Parabolas:
    """A hand-made result: each ball runs along pieces (t, position, velocity, acceleration)."""

    layout: sim.Layout
    pieces: dict[int, list[tuple[float, tuple, tuple, tuple]]]
    events: tuple[SimpleNamespace, ...]
    duration: float = 2.0
    pocketed: dict[int, str] = field(default_factory=dict)
    off_table: dict[int, tuple] = field(default_factory=dict)

    @property
    def table(self) -> sim.Table:
        return self.layout.table

    @property
    def balls(self) -> tuple[int, ...]:
        return self.layout.balls

    def where(self, ball: int, t: float) -> np.ndarray:
        if ball not in self.pieces:
            return self.layout[ball]
        began, p, v, a = [piece for piece in self.pieces[ball] if piece[0] <= t][-1]
        s = t - began
        return np.array(p) + s * np.array(v) + s * s / 2 * np.array(a)

    def states(self, times: np.ndarray) -> np.ndarray:
        assert np.all(np.diff(times) > 0)
        out = np.zeros((len(times), len(self.balls), 13))
        for i, t in enumerate(times):
            for row, ball in enumerate(self.balls):
                out[i, row, :3] = self.where(ball, t)
        return out


def curved_shot() -> Parabolas:
    """The cue ball curves into the 3, which flies off over the 9 and drops into a corner; the 10
    leaves the table; the 9 stays."""
    layout = sim.Layout(
        TABLE, {0: (0.3, 0.4), 3: (0.8, 1.2), 9: (0.9, 1.6), 10: (0.2, 2.0), 8: (1.0, 2.0)}
    )
    return Parabolas(
        layout,
        {
            0: [
                (0.0, (0.3, 0.4, R), (1.0, 0.2, 0.0), (-1.08, 1.4, 0.0)),
                (1.0, (0.76, 1.3, R), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ],
            3: [
                (0.0, (0.8, 1.2, R), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
                (1.0, (0.8, 1.2, R), (0.47, 1.38, 3.0), (0.0, 0.0, -6.0)),
            ],
            10: [
                (0.0, (0.2, 2.0, R), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
                (1.2, (0.2, 2.0, R), (-1.0, 0.1, 0.5), (0.0, 0.0, 0.0)),
            ],
        },
        (
            event(0.0, "cue_strike", 0),
            event(1.0, "ball_ball", 3, 0),
            event(1.2, "ball_ball", 3, 10),
            event(1.8, "off_table", 10),
            event(1.95, "pocketed", 3, "foot_right"),
        ),
        pocketed={3: "foot_right"},
        off_table={10: (-0.5, 2.1, -0.3)},
    )


def test_paths_follow_the_true_motion():
    shot = curved_shot()
    for ball in describe(shot).balls:
        for a, b in pairwise(ball.path):
            assert a.t < b.t
            for share in (0.25, 0.5, 0.75):
                true = shot.where(ball.ball, a.t + share * (b.t - a.t))
                chord = np.array([b.x - a.x, b.y - a.y, b.z - a.z])
                from_a = true - (a.x, a.y, a.z)
                off = np.linalg.norm(np.cross(from_a, chord)) / np.linalg.norm(chord)
                assert off < FLATNESS


def test_fates():
    balls = {ball.ball: ball for ball in describe(curved_shot()).balls}
    assert {b: (p.fate, p.place, p.moved) for b, p in balls.items()} == {
        0: ("table", None, True),
        3: ("pocketed", "foot_right", True),
        8: ("table", None, False),
        9: ("table", None, False),
        10: ("off_table", None, True),
    }
    assert balls[3].path[-1].t == 1.95
    assert balls[10].path[-1].t == 1.8
    assert balls[0].start == (0.3, 0.4, R)
    assert (balls[9].label, balls[0].label, balls[9].striped) == ("9", "", True)


def test_ghosts_are_both_balls_of_the_cue_ball_s_first_contact():
    shot = curved_shot()
    ghosts = describe(shot).ghosts
    assert [(g.ball, g.other, g.t) for g in ghosts] == [(0, 3, 1.0), (3, 0, 1.0)]
    assert ghosts[0].at == tuple(shot.where(0, 1.0))
    without = Parabolas(shot.layout, {}, (event(0.5, "ball_ball", 3, 9),))
    assert describe(without).ghosts == ()


@pytest.mark.parametrize("table", [sim.Table.wpa_9ft(), sim.Table.wpa_7ft()])
def test_outlines_run_in_order_along_the_noses(table: sim.Table):
    picture = describe_table(table)
    assert [name for name, _ in picture.cushions] == list(sim.CUSHIONS)
    for _, outline in picture.cushions:
        steps = [math.dist(a, b) for a, b in pairwise(outline)]
        longest = max(steps)
        # One long straight nose, two facings, two jaws in short steps, and no way back.
        assert sum(steps) < longest + 0.3
        for a, b in pairwise(outline):
            middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            assert abs(table.geometry.nose_distance(*middle)) < 2e-4
    assert len(set(picture.sights)) == 18
    for x, y in picture.sights:
        beyond = max(-x, x - table.width, -y, y - table.length)
        assert table.spec.cushion_width < beyond < table.spec.rail_width


def circles_of(svg: str) -> list[tuple[float, float, float]]:
    """Centres and radii of the solid balls in a drawing, by their titles."""
    found = []
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        title = group.find(f"{SVG}title")
        circle = group.find(f"{SVG}circle")
        if title is not None and circle is not None:
            found.append(tuple(float(circle.get(k, "0")) for k in ("cx", "cy", "r")))
    return found


def rack_with_everything_pocketed_in(pocket: str) -> Parabolas:
    layout = sim.rack(TABLE, seed=1)
    away = {b: [(0.0, tuple(layout[b]), (0.1, 0.1, 0.0), (0.0, 0.0, 0.0))] for b in range(1, 11)}
    drops = tuple(event(1.0 + b / 100, "pocketed", b, pocket) for b in range(1, 11))
    return Parabolas(layout, away, drops, pocketed=dict.fromkeys(range(1, 11), pocket))


@pytest.mark.parametrize("landscape", [False, True])
@pytest.mark.parametrize("pocket", sim.POCKETS)
def test_ten_balls_beside_one_pocket_do_not_overlap(pocket: str, landscape: bool):
    svg = to_svg(describe(rack_with_everything_pocketed_in(pocket)), 600, landscape=landscape)
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    balls = circles_of(svg)
    assert len(balls) == 11
    for i, (x, y, r) in enumerate(balls):
        assert r < x < width - r
        assert r < y < height - r
        assert all(math.dist((x, y), other[:2]) > 2 * r for other in balls[i + 1 :])


def test_drawing_shows_every_ball_and_path():
    svg = to_svg(describe(curved_shot()))
    titles = [title.text for title in ElementTree.fromstring(svg).iter(f"{SVG}title")]
    for expected in (
        "cue ball: on the table",
        "ball 3: pocketed, foot_right",
        "ball 8: on the table",
        "ball 9: on the table",
        "ball 10: off the table",
    ):
        assert titles.count(expected) == 1
    assert titles.count("cue ball") == titles.count("ball 3") == titles.count("ball 10") == 1
    assert "off the table</text>" in svg
    assert "2.00 s" in svg


def test_numbers_are_legible_at_600_px():
    svg = to_svg(describe_layout(sim.rack(TABLE, seed=3)), 600)
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert len(sizes) == 10
    assert min(sizes) >= 8


def test_flight_is_dotted_and_stripes_are_dashed():
    svg = to_svg(describe(curved_shot()))
    groups = {
        group.findtext(f"{SVG}title"): [p.get("stroke-dasharray") for p in group]
        for group in ElementTree.fromstring(svg).iter(f"{SVG}g")
        if group.get("fill") == "none"
    }
    assert not any(groups["cue ball"][1:])
    assert any(groups["ball 3"][1:])


def test_layout_alone_has_no_legend_and_no_paths():
    svg = to_svg(describe_layout(sim.Layout(TABLE, {0: (0.5, 0.5), 10: (0.5, 1.5)})))
    assert "first contact" not in svg
    assert len(circles_of(svg)) == 2


def test_same_picture_same_bytes_and_no_ids():
    one, two = (to_svg(describe(curved_shot())) for _ in range(2))
    assert one == two
    assert " id=" not in one
    assert "nan" not in one
    assert "-0 " not in one


def test_width_is_the_width_asked_for():
    for width in (300, 600, 1200):
        root = ElementTree.fromstring(to_svg(describe(curved_shot()), width))
        assert float(root.get("width", "0")) == width
