"""Make the textures of the scene: `uv run python assets/make_textures.py`. Seeded; needs Pillow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from sim.model import BALLS, LOOKS

HERE = Path(__file__).parent
OUT = HERE / "textures"
FONT = HERE / "fonts" / "Inter-Bold.otf"
CELL = 256
# Shared with shaders/ball.frag: the disc that carries the number, and the stripe, on the unit
# sphere.
DISC = 0.50
STRIPE = 0.58
MEASLE = 0.13


def smooth_noise(shape: tuple[int, int], cells: tuple[int, int], seed: int) -> NDArray[np.float64]:
    """Noise in 0..1 that tiles, from `cells` random values per axis."""
    rng = np.random.default_rng(seed)
    grid = rng.random(cells)
    out = np.zeros(shape)
    y = np.linspace(0, cells[0], shape[0], endpoint=False)
    x = np.linspace(0, cells[1], shape[1], endpoint=False)
    y0, x0 = y.astype(int), x.astype(int)
    fy, fx = y - y0, x - x0
    fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None, :]
    y1, x1 = (y0 + 1) % cells[0], (x0 + 1) % cells[1]
    out = (grid[np.ix_(y0, x0)] * (1 - fx) + grid[np.ix_(y0, x1)] * fx) * (1 - fy)
    out += (grid[np.ix_(y1, x0)] * (1 - fx) + grid[np.ix_(y1, x1)] * fx) * fy
    return out


def save(name: str, values: NDArray[np.float64]) -> None:
    """Write values in 0..1 as an 8-bit picture."""
    data = np.clip(np.rint(values * 255), 0, 255).astype(np.uint8)
    Image.fromarray(data).save(OUT / name, optimize=True)


def number_cell(text: str) -> Image.Image:
    """White on black: the number as it stands in its disc, underlined where it could be turned
    round."""
    big = CELL * 4
    cell = Image.new("L", (big, big), 0)
    draw = ImageDraw.Draw(cell)
    size = 0.70 if len(text) == 1 else 0.55
    font = ImageFont.truetype(str(FONT), int(big * size))
    lift = 0.5 if text not in ("6", "9") else 0.46
    draw.text((big / 2, big * lift), text, font=font, fill=255, anchor="mm")
    if text in ("6", "9"):
        draw.rectangle((big * 0.34, big * 0.765, big * 0.66, big * 0.810), fill=255)
    return cell.resize((CELL, CELL), Image.Resampling.LANCZOS)


def numbers() -> None:
    """Atlas of 4 x 4 cells, number k in cell k counted from the top left."""
    atlas = Image.new("L", (CELL * 4, CELL * 4), 0)
    for k in range(1, 11):
        atlas.paste(number_cell(str(k)), ((k % 4) * CELL, (k // 4) * CELL))
    atlas.save(OUT / "numbers.png", optimize=True)


def ball_maps() -> None:
    """Equirectangular maps for the simple look: u once round z, v from the south to the north
    pole."""
    height, width = 256, 512
    v, u = np.mgrid[0:height, 0:width]
    theta = np.pi * (0.5 - (v + 0.5) / height)
    phi = 2 * np.pi * ((u + 0.5) / width - 0.5)
    n = np.stack((np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), np.sin(theta)), axis=-1)
    white = np.array((0.97, 0.95, 0.90))
    for ball in BALLS:
        look = LOOKS[ball]
        colour = np.array([int(look.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        rgb = np.broadcast_to(colour, (*theta.shape, 3)).copy()
        if look.striped:
            rgb[np.abs(n[..., 2]) > STRIPE] = white
        if ball == 0:
            near = np.abs(n).max(axis=-1) > np.cos(MEASLE)
            rgb[near] = (0.75, 0.08, 0.08)
        else:
            cell = np.asarray(number_cell(str(ball)), dtype=float) / 255
            # The number's disc stands on +x and on -x, its head towards +z, not mirrored on either.
            for sign in (1, -1):
                side = n[..., 0] * sign > np.cos(np.arcsin(DISC))
                right, up = n[..., 1] * sign, n[..., 2]
                i = np.clip(((0.5 - up / DISC / 2) * CELL).astype(int), 0, CELL - 1)
                j = np.clip(((0.5 + right / DISC / 2) * CELL).astype(int), 0, CELL - 1)
                ink = cell[i, j][..., None]
                disc = white * (1 - ink) + np.array((0.05, 0.05, 0.06)) * ink
                rgb = np.where(side[..., None], disc, rgb)
        save(f"ball_{ball}.png", rgb)


def cloth() -> None:
    """Grey around 0.5: a fine weave with a little wear; the colour comes from the scene."""
    n = 512
    y, x = np.mgrid[0:n, 0:n]
    weave = np.sin(2 * np.pi * (x + y) * 64 / n) * np.sin(2 * np.pi * (x - y) * 64 / n)
    rng = np.random.default_rng(4)
    fibre = rng.normal(size=(n, n))
    picture = Image.fromarray(((fibre * 20) + 128).clip(0, 255).astype(np.uint8))
    fibre = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.8)), dtype=float) / 128 - 1
    wear = smooth_noise((n, n), (8, 8), 1) + 0.5 * smooth_noise((n, n), (32, 32), 2) - 0.75
    save("cloth.png", 0.5 + 0.035 * weave + 0.30 * fibre + 0.05 * wear)


def grain(shape: tuple[int, int], seed: int, stretch: int) -> NDArray[np.float64]:
    """Wood grain along the second axis, 0..1."""
    height = shape[0]
    broad = smooth_noise(shape, (6, stretch), seed)
    warp = smooth_noise(shape, (4, stretch), seed + 1)
    y = np.linspace(0, 1, height)[:, None]
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y * 9 + 1.6 * warp + 0.8 * broad))
    pores = smooth_noise(shape, (height // 2, stretch * 8), seed + 2)
    fine = smooth_noise(shape, (height // 4, stretch * 3), seed + 3)
    return 0.42 * rings**1.5 + 0.23 * broad + 0.15 * pores + 0.20 * fine


def wood() -> None:
    """Dark polished mahogany for the rails, sRGB."""
    g = grain((256, 1024), 11, 4)[..., None]
    dark, light = np.array((0.150, 0.055, 0.030)), np.array((0.430, 0.190, 0.092))
    save("wood.png", dark * (1 - g) + light * g)


def floor() -> None:
    """Boards of smoked oak, sRGB; tiles."""
    n, boards = 512, 8
    rng = np.random.default_rng(21)
    rows = n // boards
    out = np.zeros((n, n, 3))
    for k in range(boards):
        g = grain((rows, n), 40 + 5 * k, 3)
        g = np.roll(g, int(rng.integers(n)), axis=1)
        tone = 0.80 + 0.35 * rng.random()
        board = (
            np.array((0.20, 0.145, 0.105)) + g[..., None] * np.array((0.20, 0.14, 0.09))
        ) * tone
        board[:2] *= 0.45
        cut = int(rng.integers(n))
        board[:, cut : cut + 2] *= 0.5
        out[k * rows : (k + 1) * rows] = board
    save("floor.png", out)


def wall() -> None:
    """One bay of the room's wall, sRGB: dark panels below, plaster washed by a sconce above;
    tiles."""
    height, width = 512, 384
    v, u = np.mgrid[0:height, 0:width]
    h = 3.2 * (1 - (v + 0.5) / height)  # m above the floor
    x = 2.4 * ((u + 0.5) / width - 0.5)  # m from the bay's middle
    mottle = 0.92 + 0.16 * smooth_noise((height, width), (12, 9), 3)
    light = np.full((height, width), 0.04)
    for side, reach in ((1, 0.95), (-1, 0.70)):
        d = (h - 1.95) * side + 0.10
        spread = 0.10 + 0.42 * np.clip(d, 0, None)
        beam = np.exp(-((x / spread) ** 2)) * np.exp(-np.clip(d, 0, None) / reach * 1.6)
        light += 0.95 * beam * np.clip(d / 0.12, 0, 1) / (1 + 2.2 * np.clip(d, 0, None))
    plaster = np.array((0.075, 0.105, 0.110))
    warm = np.array((1.0, 0.70, 0.38))
    rgb = (plaster * 0.85 + light[..., None] * warm * 0.42) * mottle[..., None]
    sconce = (np.abs(x) < 0.055) & (np.abs(h - 1.95) < 0.11)
    rgb[sconce] = (0.10, 0.075, 0.045)
    g = grain((width, height), 70, 3).T[..., None]
    panel = np.array((0.115, 0.062, 0.038)) + g * np.array((0.105, 0.055, 0.030))
    px = (
        np.abs((x / 0.8 + 10.5) % 1 - 0.5) * 0.8
    )  # three panels a bay: distance from a panel's middle
    frame = np.maximum(px - 0.27, np.abs(h - 0.52) - 0.30)
    groove = np.exp(-((frame / 0.012) ** 2))
    lit = np.exp(-(((frame + 0.022) / 0.010) ** 2)) * 0.35
    panel = panel * (1 - 0.65 * groove + lit)[..., None]
    glow_down = (0.75 + 1.1 * np.exp(-((x / 0.55) ** 2)) * np.clip(h, 0, 1))[..., None]
    rgb = np.where((h < 1.02)[..., None], panel * glow_down, rgb)
    cap = (h >= 1.02) & (h < 1.075)
    rgb[cap] = (np.array((0.23, 0.13, 0.075)) * glow_down)[cap]
    skirt = h < 0.13
    rgb[skirt] = (np.array((0.085, 0.048, 0.030)) * glow_down)[skirt]
    picture = Image.fromarray((rgb * 255).clip(0, 255).astype(np.uint8))
    picture.filter(ImageFilter.GaussianBlur(0.8)).save(OUT / "wall.png", optimize=True)


def soft() -> None:
    """A soft dark spot with alpha: the contact shadow of the simple look."""
    n = 128
    y, x = (np.mgrid[0:n, 0:n] + 0.5) / n * 2 - 1
    alpha = np.clip(1 - np.hypot(x, y), 0, 1) ** 1.4
    save("soft.png", np.dstack((np.zeros((n, n, 3)), alpha * 0.85)))


def main() -> None:
    """Write every texture."""
    OUT.mkdir(exist_ok=True)
    for make in (numbers, ball_maps, cloth, wood, floor, wall, soft):
        make()


if __name__ == "__main__":
    main()
