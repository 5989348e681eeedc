"""Layouts and strokes that are hard on an engine: frozen, nearly frozen, in jaws, on lips, at full speed."""

from __future__ import annotations

import math

import numpy as np
from invariants import random_stroke

import sim
from sim.model.geometry import PocketMouth

R = sim.Materials().ball_radius
GAPS = (0.0, 0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)

Place = tuple[float, float]


def hard_layout(rng: np.random.Generator, table: sim.Table) -> sim.Layout:
    """The cue ball and up to ten others, most of them against something."""
    wanted = int(rng.integers(2, 12))
    places: dict[int, Place] = {}
    layout: sim.Layout | None = None
    ways = (_at_a_ball, _at_two_balls, _at_a_cushion, _in_a_mouth, _anywhere)
    weights = np.array(rng.choice([[5, 3, 1, 1, 1], [1, 1, 4, 2, 1], [1, 1, 1, 6, 1]]), float)
    for ball in [0, *rng.permutation(np.arange(1, 11)).tolist()][:wanted]:
        # The cue ball has to be there; another may find no place.
        for _ in range(1000 if ball == 0 else 40):
            place = ways[int(rng.choice(5, p=weights / weights.sum()))](
                rng, table, list(places.values())
            )
            if place is None or any(math.dist(place, p) < 2 * R - 1e-7 for p in places.values()):
                continue
            try:
                layout = sim.Layout(table, {**places, ball: place})
            except sim.LayoutError:
                continue
            places[ball] = place
            break
    assert layout is not None
    return layout


def hard_stroke(rng: np.random.Generator, layout: sim.Layout) -> sim.Stroke:
    """Any stroke a person can make, full speed and straight at something more often than not."""
    stroke = random_stroke(rng)
    speed, azimuth, elevation = stroke.speed, stroke.azimuth, stroke.elevation
    if rng.random() < 0.3:
        speed = float(rng.uniform(12.0, 15.0))
        elevation = float(rng.uniform(0.0, 1.5)) if rng.random() < 0.5 else None
    if rng.random() < 0.4:
        # At a ball, or square into the nearer side.
        x, y = layout[0][:2].tolist()
        ball = layout.balls[int(rng.integers(len(layout.balls)))]
        tx, ty = layout[ball][:2].tolist()
        if ball == 0:
            tx, ty = (-1.0 if x < layout.table.width / 2 else 9.0), y
        azimuth = math.atan2(ty - y, tx - x)
    return sim.Stroke(speed, azimuth, stroke.side, stroke.vertical, elevation)


def _gap(rng: np.random.Generator) -> float:
    return float(GAPS[int(rng.integers(len(GAPS)))])


def _anywhere(rng: np.random.Generator, table: sim.Table, others: list[Place]) -> Place | None:
    return rng.uniform(R, table.width - R), rng.uniform(R, table.length - R)


def _at_a_ball(rng: np.random.Generator, table: sim.Table, others: list[Place]) -> Place | None:
    if not others:
        return None
    x, y = others[int(rng.integers(len(others)))]
    d = 2 * R + _gap(rng)
    # A third of them square to the table, as in a line or a rack.
    turn = rng.uniform(0.0, math.tau)
    if rng.random() < 0.35:
        turn = math.pi / 6 * int(rng.integers(12))
    return x + d * math.cos(turn), y + d * math.sin(turn)


def _at_two_balls(rng: np.random.Generator, table: sim.Table, others: list[Place]) -> Place | None:
    if len(others) < 2:
        return None
    one, two = (others[k] for k in rng.choice(len(others), 2, replace=False))
    a, b, apart = 2 * R + _gap(rng), 2 * R + _gap(rng), math.dist(one, two)
    if apart >= a + b:
        return None
    along = (a * a - b * b + apart * apart) / (2 * apart)
    off = math.sqrt(max(a * a - along * along, 0.0)) * (1 if rng.random() < 0.5 else -1)
    ux, uy = (two[0] - one[0]) / apart, (two[1] - one[1]) / apart
    return one[0] + along * ux - off * uy, one[1] + along * uy + off * ux


def _at_a_cushion(rng: np.random.Generator, table: sim.Table, others: list[Place]) -> Place | None:
    reach = table.nose_contact(R) + _gap(rng)
    x, y = rng.uniform(R, table.width - R), rng.uniform(R, table.length - R)
    if rng.random() < 0.5:
        return (reach if rng.random() < 0.5 else table.width - reach), y
    return x, (reach if rng.random() < 0.5 else table.length - reach)


def _in_a_mouth(rng: np.random.Generator, table: sim.Table, others: list[Place]) -> Place | None:
    """Between the points of a pocket, on its shelf or at the slate's very edge."""
    pockets: tuple[PocketMouth, ...] = table.geometry.pockets
    mouth = pockets[int(rng.integers(len(pockets)))]
    (ax, ay), (bx, by) = mouth.points
    mx, my = (ax + bx) / 2, (ay + by) / 2
    hx, hy = mouth.centre
    if rng.random() < 0.4:
        # On the edge: its centre as far from the hole's as the slate reaches, or just more.
        ring = (
            mouth.radius + _gap(rng) + (table.spec.slate_edge_radius if rng.random() < 0.5 else 0.0)
        )
        turn = math.atan2(my - hy, mx - hx) + rng.uniform(-0.8, 0.8)
        return hx + ring * math.cos(turn), hy + ring * math.sin(turn)
    share = rng.uniform(-0.2, 1.2)
    into = rng.uniform(-0.8, 0.6)
    return (
        ax + share * (bx - ax) + into * (hx - mx),
        ay + share * (by - ay) + into * (hy - my),
    )
