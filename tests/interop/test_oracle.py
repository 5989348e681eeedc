"""Planar scenes and impacts agree with pooltool 0.6.0, models alike."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sim.interop import models, oracle
from sim.interop.explain import explain, growth


def test_a_hundred_scenes_agree() -> None:
    found = [oracle.compare(oracle.scene(seed)) for seed in range(100)]
    assert sum(c.impacts for c in found) > 60
    assert [c for c in found if not c.agrees] == []


@pytest.mark.soak
def test_five_thousand_scenes_agree() -> None:
    found = [oracle.compare(oracle.scene(seed)) for seed in range(5000)]
    apart = [c for c in found if not c.agrees]
    assert len(apart) <= 50
    for c in apart:
        assert not explain(oracle.scene(c.seed), c).startswith("not explained"), c


def test_another_model_is_seen() -> None:
    """The comparison is not blind: restitution off by a millionth part shows."""
    scenes = [oracle.scene(seed) for seed in range(12)]
    hit = next(s for s in scenes if oracle.compare(s).impacts)
    ours = oracle.simulate(hit.layout, motions=hit.motions, materials=hit.materials)
    other = hit.materials.with_(e_ball=hit.materials.e_ball - 1e-4)
    theirs = oracle.peer.simulate(hit.layout, motions=hit.motions, materials=other)
    assert oracle._compared(hit.seed, ours, theirs).fault


def test_pooltools_spacer_is_why_it_is_shrunk() -> None:
    """With its own spacer of 1 µm pooltool's lines of centres turn: fewer scenes agree."""
    found = [oracle.compare(oracle.scene(seed), 1e-6) for seed in range(12)]
    assert any(not c.agrees for c in found if c.impacts)
    import pooltool.constants as constants

    assert constants.MIN_DIST == 1e-6


def test_an_unlike_scene_is_explained_by_what_happened_in_it() -> None:
    """A frozen pair hit straight: contacts overlap in time here, pooltool plays one after the other."""
    base = oracle.scene(0)
    r = base.materials.ball_radius
    apart = 2 * r + 1e-5
    second = (0.6 + apart * math.sin(0.3), 1.0 + apart * math.cos(0.3))
    layout = oracle.Layout(base.layout.table, {0: (0.6, 0.6), 1: (0.6, 1.0), 2: second})
    motions = {0: oracle.Motion((0.0, 2.0, 0.0), (-2.0 / r, 0.0, 0.0))}
    given = replace(base, layout=layout, motions=motions)
    found = oracle.compare(given)
    assert not found.agrees
    assert "one contact time" in explain(given, found)


def test_growth_of_a_free_ball_is_one() -> None:
    base = oracle.scene(0)
    layout = oracle.Layout(base.layout.table, {0: (0.6, 0.6)})
    given = replace(base, layout=layout, motions={0: oracle.Motion((0.0, 1.0, 0.0))})
    assert growth(given, 0.5) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("model", [models.ball_ball, models.han2005, models.mathavan2010])
def test_impacts_agree_model_by_model(model: object) -> None:
    count = {models.ball_ball: 500, models.han2005: 60, models.mathavan2010: 25}[model]  # type: ignore[index]  # the parameters above
    found = model(count)  # type: ignore[operator]  # the parameters above
    assert found.agrees, found
    assert len(found.apart) <= count // 20
    assert math.isfinite(found.spin)
