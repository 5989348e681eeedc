"""Every physical constant of balls, cloth, cushions, tip, liner and rail top, by name."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from sim.model.checks import brief, number
from sim.model.errors import MaterialsError

__all__ = ["FrictionLaw", "Materials"]


@dataclass(frozen=True)
class FrictionLaw:
    """Ball-ball friction over slip speed: mu(v) = a + b exp(-c v), v in m/s.

    Default: Alciatore's fit to Marlow's data (TP A.14). A constant is FrictionLaw(mu, 0, 0).
    """

    a: float = 0.009951
    b: float = 0.108
    c: float = 1.088

    def __post_init__(self) -> None:
        for name in ("a", "b", "c"):
            value = number(getattr(self, name), f"mu_ball.{name}", MaterialsError, low=0.0)
            object.__setattr__(self, name, value)


# name: (low, high) of what the engine accepts; far wider than any real table.
_RANGES: dict[str, tuple[float, float]] = {
    "ball_radius": (0.005, 0.1),
    "ball_mass": (0.01, 2.0),
    "g": (0.1, 50.0),
    "mu_slide": (0.0, 2.0),
    "mu_roll": (0.0, 1.0),
    "spin_decay": (0.0, 1000.0),
    "e_ball": (0.0, 1.0),
    "e_bed": (0.0, 0.99),
    "mu_bed": (0.0, 2.0),
    "mu_cushion": (0.0, 2.0),
    "e_tip": (0.0, 1.0),
    "mu_tip": (0.0, 2.0),
    "end_mass_ratio": (1.0, 1e6),
    "e_liner": (0.0, 0.99),
    "mu_liner": (0.0, 2.0),
    "e_rail_top": (0.0, 0.99),
    "mu_rail_top": (0.0, 2.0),
    "mu_roll_rail_top": (0.0, 1.0),
}


@dataclass(frozen=True)
class Materials:
    """The constants of a table, its balls and the tip (SI units; sources in sim/physics/README.md).

    Attributes:
        ball_radius: m.
        ball_mass: kg; the moment of inertia is 2/5 m R².
        g: m/s².
        mu_slide: friction of a sliding ball on the cloth.
        mu_roll: rolling resistance, deceleration mu_roll g.
        spin_decay: deceleration of side spin on the cloth, rad/s².
        e_ball: restitution ball on ball.
        mu_ball: FrictionLaw of ball on ball, or a number for a constant.
        e_bed: restitution of a bounce on the bed.
        mu_bed: friction of a bounce on the bed.
        e_cushion: restitution given to the cushion model: None for the model's own law,
            or a number.
        mu_cushion: friction of ball on cushion.
        e_tip, mu_tip: restitution and friction of the cue tip.
        end_mass_ratio: ball mass over the stick's effective end mass (squirt).
        e_liner, mu_liner: the pocket's liner.
        e_rail_top, mu_rail_top, mu_roll_rail_top: the rail's top.
    """

    ball_radius: float = 0.028575
    ball_mass: float = 0.170097
    g: float = 9.81
    mu_slide: float = 0.2
    mu_roll: float = 0.01
    spin_decay: float = 10.0
    e_ball: float = 0.95
    mu_ball: FrictionLaw | float = FrictionLaw()
    e_bed: float = 0.6
    mu_bed: float = 0.2
    e_cushion: float | None = None
    mu_cushion: float = 0.14
    e_tip: float = 0.73
    mu_tip: float = 0.6
    end_mass_ratio: float = 20.0
    e_liner: float = 0.25
    mu_liner: float = 0.3
    e_rail_top: float = 0.5
    mu_rail_top: float = 0.25
    mu_roll_rail_top: float = 0.01

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = number(getattr(self, name), name, MaterialsError, low=low, high=high)
            object.__setattr__(self, name, value)
        if not isinstance(self.mu_ball, FrictionLaw):
            constant = number(self.mu_ball, "mu_ball", MaterialsError, low=0.0, high=2.0)
            object.__setattr__(self, "mu_ball", FrictionLaw(constant, 0.0, 0.0))
        if self.e_cushion is not None:
            e = number(self.e_cushion, "e_cushion", MaterialsError, low=0.0, high=1.0)
            object.__setattr__(self, "e_cushion", e)

    @property
    def friction_law(self) -> FrictionLaw:
        """mu_ball as a law, whichever way it was given."""
        assert isinstance(self.mu_ball, FrictionLaw)
        return self.mu_ball

    def with_(self, **changes: object) -> Materials:
        """A new Materials with some fields changed.

        Raises:
            MaterialsError: unknown field or a value outside its range.
        """
        names = {f.name for f in dataclasses.fields(self)}
        for name in changes:
            if name not in names:
                raise MaterialsError(
                    f"materials: got unknown field {brief(name)}, expected one of {sorted(names)}"
                )
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]  # names checked above
