"""The engine against the slow integrator of plain_integrator.py, on seeded scenes in three dimensions.

Up to the third contact (ball, nose, jaw, liner, rail, slate's edge, bounce), with the cushion model
mathavan2010. Neither side is ever given anything of the other's but the scene.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from plain_integrator import KINDS, Contact, contacts

import sim

TABLE = sim.Table.wpa_9ft()
MATERIALS = sim.Materials()
R = MATERIALS.ball_radius
FREE = 2 * R + 0.005  # m between centres at the start
PLACE = 1e-4  # m
SPEED = 1e-3  # of the faster of the speeds in the contact
NAMED = {"land": "bed"}  # a bounce that does not rebound
SCENES = 300
FAMILIES = ("bed", "jump", "drop", "pocket", "meet", "cushion")


def place(rng: np.random.Generator, taken: list[tuple[float, ...]]) -> tuple[float, float, float]:
    """Somewhere on the bed, clear of noses and of the others."""
    while True:
        x, y = rng.uniform(0.05, TABLE.width - 0.05), rng.uniform(0.05, TABLE.length - 0.05)
        near = min(math.dist((x, y), pocket.centre) for pocket in TABLE.geometry.pockets)
        if near > 0.13 and all(math.dist((x, y), other[:2]) > FREE for other in taken):
            return x, y, R


def scene(seed: int) -> tuple[sim.Layout, dict[int, sim.Motion]]:
    """Four balls, one or two of them moving; the family of the scene goes round with the seed."""
    rng = np.random.default_rng([7, seed])
    family = FAMILIES[seed % len(FAMILIES)]
    spots: list[tuple[float, float, float]] = []
    for _ in range(4):
        spots.append(place(rng, spots))
    x, y, z = spots[0]
    speed, rise = rng.uniform(0.8, 7.0), 0.0
    tx, ty = spots[1][:2]
    wide = 0.8 * R
    if family == "pocket":
        tx, ty = TABLE.geometry.pockets[int(rng.integers(6))].centre
        wide = 0.06
        if rng.random() < 0.4:
            z, rise = rng.uniform(0.05, 0.25), rng.uniform(-1.0, 1.0)
    elif family == "cushion":
        tx, ty = rng.choice([-0.2, TABLE.width + 0.2]), rng.uniform(0.0, TABLE.length)
        rise = rng.choice([0.0, rng.uniform(0.4, 2.0)])
    elif family == "jump":
        rise = rng.uniform(0.4, 2.5)
    elif family == "drop":
        z, rise = rng.uniform(0.06, 0.5), rng.uniform(-2.0, 1.0)
    tx, ty = tx + rng.uniform(-wide, wide), ty + rng.uniform(-wide, wide)
    away = math.hypot(tx - x, ty - y)
    spots[0] = (x, y, z)
    motions = {
        0: sim.Motion(
            (speed * (tx - x) / away, speed * (ty - y) / away, rise),
            tuple(rng.normal(0.0, 60.0, 3).tolist()),
        )
    }
    if family == "meet":
        # Two balls thrown at one place, a little off, meet in the air or go past.
        t = away / speed * 0.5 + rng.uniform(0.05, 0.2)
        goal = np.array([rng.uniform(0.2, 1.0), rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.35)])
        for ball in (0, 1):
            spots[ball] = (*spots[ball][:2], rng.uniform(0.05, 0.3))
            start = np.array(spots[ball])
            aim = goal + rng.uniform(-0.9 * R, 0.9 * R, 3) - start
            velocity = aim / t + np.array([0.0, 0.0, MATERIALS.g * t / 2])
            velocity *= min(1.0, 15.0 / float(np.linalg.norm(velocity)))
            spin = rng.normal(0.0, 60.0, 3)
            motions[ball] = sim.Motion(tuple(velocity.tolist()), tuple(spin.tolist()))
    return sim.Layout(TABLE, dict(enumerate(spots))), motions


def compare(seed: int) -> tuple[list[str], list[tuple[str, float, float]]]:
    """(what disagrees, in words; kind, distance in m and relative speed error of each contact)."""
    layout, motions = scene(seed)
    slow = contacts(layout, motions, MATERIALS)
    result = sim.simulate(
        layout, motions=motions, materials=MATERIALS, cushion_model="mathavan2010"
    )
    fast = [e for e in result.events if NAMED.get(e.kind, e.kind) in KINDS]
    wrong: list[str] = []
    errors = []
    if len(slow) < 3 and (not slow or slow[-1].after is not None) and len(fast) > len(slow):
        e = fast[len(slow)]
        if e.t < 3.0:
            wrong.append(f"{seed}: the integrator has {len(slow)} contacts, not {e.kind} at {e.t}")
    for k, one in enumerate(slow):
        if k >= len(fast):
            # A contact too slow to rebound is a hold: no contact event there, and none is asked.
            if one.after is not None:
                wrong.append(f"{seed}: the engine lacks {one.kind} at {one.t:.6f}")
            break
        told, place_error, speed_error = difference(one, fast[k])
        if told and one.after is None:
            break
        if told or place_error > PLACE or speed_error > SPEED:
            wrong.append(
                f"{seed}: contact {k} {one.kind} at {one.t:.6f}: {told} {place_error:.3g} m, "
                f"speed {speed_error:.3g}"
            )
            break
        errors.append((one.kind, place_error, speed_error))
    return wrong, errors


def difference(one: Contact, e: sim.Event) -> tuple[str, float, float]:
    """(in words if they are not the same contact, distance m, velocity error over the speed)."""
    if NAMED.get(e.kind, e.kind) != one.kind:
        return f"the engine has {e.kind} at {e.t:.6f};", 0.0, 0.0
    pairs = [(one.ball, 0)]
    balls = {e.ball}
    if one.kind == "ball_ball":
        pairs.append((one.other, 1))
        balls.add(e.other)
    if balls != {ball for ball, _ in pairs}:
        return f"the engine has balls {sorted(balls)} at {e.t:.6f};", 0.0, 0.0
    sides = [(one.before, e.before)]
    if one.after is not None:
        sides.append((one.after, e.after))
    scale = max(float(np.linalg.norm(one.before[side])) for _, side in pairs)
    speed_error = max(
        float(np.linalg.norm(mine[side] - np.array(theirs[ball][0]))) / scale
        for mine, theirs in sides
        for ball, side in pairs
    )
    # The event stands at its own ball's centre, which may be either of the two.
    here = one.places[next(side for ball, side in pairs if ball == e.ball)]
    return "", float(np.linalg.norm(here - np.array(e.position))), speed_error


def test_agrees_with_the_plain_integrator() -> None:
    wrong: list[str] = []
    kinds = set()
    for seed in range(12):
        told, errors = compare(seed)
        wrong += told
        kinds |= {kind for kind, _, _ in errors}
    assert not wrong
    assert {"ball_ball", "cushion", "bed"} <= kinds


@pytest.mark.soak
def test_agrees_with_the_plain_integrator_on_300_scenes() -> None:
    wrong: list[str] = []
    counted: dict[str, int] = {}
    for seed in range(SCENES):
        told, errors = compare(seed)
        wrong += told
        for kind, _, _ in errors:
            counted[kind] = counted.get(kind, 0) + 1
    print(counted)
    assert not wrong
    assert set(counted) == set(KINDS)
