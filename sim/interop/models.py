"""Impacts, model by model: this engine's against pooltool's own functions, on the same seeded motions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sim.interop.pooltool as peer
from sim.model import Layout, Materials, Motion, Table
from sim.physics import arrays as A
from sim.physics.contact.ball_ball import ball_ball_impact
from sim.physics.kernel import python_kernel
from sim.shot.packing import pack_params
from sim.shot.simulator import simulate

__all__ = ["Agreement", "ball_ball", "han2005", "mathavan2010"]


@dataclass(frozen=True)
class Agreement:
    """The greatest differences over `count` impacts: speed m/s, surface speed (R times spin) m/s.

    `apart` lists what differs by more than `limit` and is explained there.
    """

    model: str
    count: int
    speed: float
    spin: float
    limit: float
    apart: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether all that is not explained lies within the limit."""
        return max(self.speed, self.spin) <= self.limit


@cache
def _driver() -> Any:
    @python_kernel
    def impacts(balls: Any, p: Any) -> None:
        for k in range(len(balls)):
            ball_ball_impact(balls[k][0], balls[k][1], p[0])

    return impacts


def _spun(rng: np.random.Generator, speed: float) -> NDArray[np.float64]:
    """Velocity and spin (6,), horizontal: a random mix of rolling, draw and side."""
    v = speed * np.array([math.cos(a := rng.uniform(0, math.tau)), math.sin(a), 0.0])
    return np.concatenate([v, rng.normal(0.0, 60.0, 3)])


def ball_ball(count: int = 2000, seed: int = 1) -> Agreement:
    """TP A.14's friction and restitution, our kernel against pooltool's `_resolve_ball_ball`.

    Two differences are known and taken out: pooltool drops the vertical velocity that friction gives;
    and it takes e times the approach for the normal impulse (over the reduced mass), where momentum
    gives (1 + e)/2 times 2, so its friction is too small by 2e/(1 + e), 2.6 % at e = 0.95.
    """
    peer.load()
    from pooltool.physics.resolve.ball_ball.frictional_inelastic import _resolve_ball_ball

    rng = np.random.default_rng(seed)
    materials = Materials()
    r, law = materials.ball_radius, materials.friction_law
    balls = np.zeros((count, 2), A.BALL)
    before = np.zeros((count, 2, 3, 3))
    names = (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz"))
    for k in range(count):
        angle = rng.uniform(0, math.tau)
        n = np.array([math.cos(angle), math.sin(angle), 0.0])
        one, two = _spun(rng, rng.uniform(0.5, 8.0)), _spun(rng, rng.choice([0.0, 1.0]))
        closing = (one[:3] - two[:3]) @ n
        if closing < 0.0:
            one[:3] -= 2 * closing * n
        if abs(closing) < 2 * A.REST_SPEED:
            one[:3] += 0.1 * n
        before[k, 0] = np.stack([[0.0, 0.0, r], one[:3], one[3:]])
        before[k, 1] = np.stack([2 * r * n + [0.0, 0.0, r], two[:3], two[3:]])
    for i in range(3):
        for j in range(3):
            balls[names[i][j]] = before[:, :, i, j]
    _driver()(balls, pack_params(Table.wpa_9ft(), materials, None))
    speed = spin = 0.0
    for k in range(count):
        slip = _slip(before[k], r)
        e = materials.e_ball
        mu = (law.a + law.b * math.exp(-law.c * slip)) * (1 + e) / (2 * e)
        theirs = _resolve_ball_ball(before[k, 0].copy(), before[k, 1].copy(), r, mu, e)
        for side in range(2):
            ours = np.array([[balls[n_][k, side] for n_ in row] for row in names[1:]])
            speed = max(speed, float(np.abs(ours[0, :2] - theirs[side][1, :2]).max()))
            spin = max(spin, r * float(np.abs(ours[1] - theirs[side][2]).max()))
    return Agreement("ball on ball, TP A.14", count, speed, spin, 1e-12)


def _slip(pair: NDArray[np.float64], r: float) -> float:
    """Speed of one ball's surface over the other's."""
    n = (pair[1, 0] - pair[0, 0]) / (2 * r)
    u = pair[0, 1] - pair[1, 1]
    t = u - (u @ n) * n + np.cross(r * (pair[0, 2] + pair[1, 2]), n)
    return float(np.linalg.norm(t))


@dataclass(frozen=True)
class _Bounce:
    """One cushion impact as this engine played it."""

    normal: NDArray[np.float64]  # horizontal, towards the cushion
    before: NDArray[np.float64]  # (2, 3) velocity, spin
    after: NDArray[np.float64]


def _bounces(count: int, seed: int, model: str, materials: Materials) -> list[_Bounce]:
    """Seeded impacts with the foot cushion: the `before` and `after` of events of whole shots."""
    rng = np.random.default_rng(seed)
    table = Table.wpa_9ft()
    layout = Layout(table, {0: (table.width / 2, table.length - 0.04)})
    r = materials.ball_radius
    out: list[_Bounce] = []
    while len(out) < count:
        angle = math.pi / 2 + rng.uniform(-1.2, 1.2)
        speed = rng.uniform(0.3, 2.4) / math.sin(angle)
        vx, vy = speed * math.cos(angle), speed * math.sin(angle)
        roll = rng.uniform(-1.0, 1.5)
        motion = Motion((vx, vy, 0.0), (-roll * vy / r, roll * vx / r, rng.normal(0.0, 40.0)))
        result = simulate(layout, motions={0: motion}, materials=materials, cushion_model=model)
        hit = next((e for e in result.events if e.kind == "cushion"), None)
        if hit is None or hit.other != "foot":
            continue
        before, after = np.array(hit.before[0]), np.array(hit.after[0])
        out.append(_Bounce(np.array([0.0, 1.0, 0.0]), before, after))
    return out


def _worst(
    model: str, pairs: list[tuple[_Bounce, NDArray[np.float64]]], r: float, limit: float
) -> Agreement:
    """`pairs`: a bounce, and pooltool's (2, 3) velocity and spin after it."""
    speed = spin = 0.0
    apart = []
    for bounce, theirs in pairs:
        dv = float(np.abs(bounce.after[0, :2] - theirs[0, :2]).max())
        dw = r * float(np.abs(bounce.after[1] - theirs[1]).max())
        if max(dv, dw) > limit and (why := _lifted(bounce)):
            apart.append(f"{why}: {_words(bounce)} differs by {max(dv, dw):.3g} m/s")
            continue
        speed, spin = max(speed, dv), max(spin, dw)
    return Agreement(model, len(pairs), speed, spin, limit, tuple(apart))


def _lifted(bounce: _Bounce) -> str:
    """Why this bounce may differ, if the nose lifted the ball; else nothing."""
    if bounce.after[0, 2] > 0.0:
        return "the nose lifts the ball (here it leaves the bed; pooltool's bed would pull it down)"
    return ""


def _words(bounce: _Bounce) -> str:
    v, w = bounce.before
    return f"v ({v[0]:.4f}, {v[1]:.4f}) m/s, spin ({w[0]:.2f}, {w[1]:.2f}, {w[2]:.2f}) rad/s"


def han2005(count: int = 300, seed: int = 2) -> Agreement:
    """Han's cushion with a given restitution, against pooltool's `han2005` with our friction's value."""
    peer.load()
    from pooltool.physics.resolve.ball_cushion.han_2005.model import han2005 as theirs

    materials = Materials(e_cushion=0.85)
    r = materials.ball_radius
    height = Table.wpa_9ft().spec.cushion_height
    pairs = []
    for b in _bounces(count, seed, "han2005", materials):
        into = float(b.before[0] @ b.normal)
        along = math.sqrt(max(float(b.before[0] @ b.before[0]) - into**2, 0.0))
        mu = 0.471 - 0.241 * math.atan2(along, into)
        rvw = np.vstack([np.zeros((1, 3)), b.before])
        after = theirs(rvw, b.normal, r, materials.ball_mass, height, 0.85, mu)
        pairs.append((b, after[1:]))
    return _worst("cushion, Han 2005", pairs, r, 1e-12)


def mathavan2010(count: int = 100, seed: int = 3) -> Agreement:
    """Mathavan's cushion against pooltool's `solve`, whose fixed steps (here 1/20,000) set the limit."""
    peer.load()
    from pooltool.physics.resolve.ball_cushion.mathavan_2010.model import solve

    materials = Materials(e_cushion=0.9)
    m = materials
    r = m.ball_radius
    height = Table.wpa_9ft().spec.cushion_height
    pairs = []
    for b in _bounces(count, seed, "mathavan2010", m):
        # Its frame: x along the cushion, y into it, which is the foot cushion's here.
        (vx, vy, _), (wx, wy, wz) = b.before.tolist()
        got = solve(
            m.ball_mass, r, height, 0.9, m.mu_slide, m.mu_cushion, vx, vy, wx, wy, wz, 20_000, 1e-9
        )
        pairs.append((b, np.array([[got[0], got[1], 0.0], got[2:]])))
    return _worst("cushion, Mathavan 2010", pairs, r, 5e-4)
