"""Three lamps over the table, and the constants the shaders are compiled with."""

from __future__ import annotations

from dataclasses import dataclass

from sim.model.balls import BALLS, LOOKS
from sim.model.table import Table

__all__ = ["CLOTHS", "MAP_MARGIN", "Lamps", "linear", "shader_constants"]

Colour = tuple[float, float, float]

# sRGB; the first is the default.
CLOTHS: dict[str, Colour] = {
    "blue": (0.045, 0.295, 0.575),
    "green": (0.035, 0.400, 0.220),
    "red": (0.520, 0.070, 0.100),
    "grey": (0.330, 0.350, 0.370),
}
MAP_MARGIN = 0.22  # the map of shadows reaches this far beyond the noses, m


def linear(colour: Colour) -> Colour:
    """An sRGB colour as light, with the shaders' gamma of 2."""
    return colour[0] ** 2, colour[1] ** 2, colour[2] ** 2


@dataclass(frozen=True)
class Lamps:
    """Three round shades in a row over the long string.

    Attributes:
        places: (x, y, z) of the middle of each opening, m.
        radius: of an opening, m.
        colour: of the light, linear.
        power: irradiance on the bed one metre straight below, in the shaders' unit.
    """

    places: tuple[tuple[float, float, float], ...]
    radius: float = 0.155
    colour: Colour = (1.0, 0.865, 0.690)
    power: float = 1.55

    @classmethod
    def over(cls, table: Table) -> Lamps:
        """The lamps of a table: 1.02 m (40 inches, the least the WPA allows) above its bed."""
        gap = 0.31 * table.length
        return cls(
            tuple((table.width / 2, table.length / 2 + k * gap, 1.02) for k in (-1, 0, 1)),
            power=1.55,
        )


def _vec(values: tuple[float, ...]) -> str:
    return f"vec{len(values)}({', '.join(f'{v:.7g}' for v in values)})"


def shader_constants(table: Table, lamps: Lamps, cloth: Colour, ball_radius: float) -> str:
    """GLSL constants of one scene: compiled in, they cost nothing a frame."""
    spec = table.spec
    balls = [tuple(int(LOOKS[b].colour[i : i + 2], 16) / 255 for i in (1, 3, 5)) for b in BALLS]
    lines = [
        f"const vec2 TABLE = {_vec((table.width, table.length))};",
        f"const float NOSE = {spec.cushion_height:.7g};",
        f"const float RAIL_TOP = {spec.rail_top:.7g};",
        f"const float RAIL_WIDTH = {spec.rail_width:.7g};",
        f"const float RADIUS = {ball_radius:.7g};",
        f"const vec2 MAP_ORIGIN = {_vec((-MAP_MARGIN, -MAP_MARGIN))};",
        "const vec2 MAP_SCALE = "
        f"{_vec((1 / (table.width + 2 * MAP_MARGIN), 1 / (table.length + 2 * MAP_MARGIN)))};",
        f"const vec3 CLOTH = {_vec(linear(cloth))};",
        f"const vec2 HEAD_SPOT = {_vec(table.head_spot)};",
        f"const vec2 FOOT_SPOT = {_vec(table.foot_spot)};",
        f"const float LAMP_RADIUS = {lamps.radius:.7g};",
        f"const vec3 LAMP_LIGHT = {_vec(tuple(c * lamps.power for c in lamps.colour))};",
        f"const vec3 LAMP[3] = vec3[3]({', '.join(_vec(p) for p in lamps.places)});",
        f"const int BALLS = {len(balls)};",
        f"const vec3 BALL_COLOUR[{len(balls)}] = vec3[{len(balls)}]("
        + ", ".join(_vec(tuple(c * c for c in b)) for b in balls)
        + ");",
        f"const bool STRIPED[{len(balls)}] = bool[{len(balls)}]("
        + ", ".join(str(LOOKS[b].striped).lower() for b in BALLS)
        + ");",
    ]
    return "\n".join(lines)
