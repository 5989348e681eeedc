"""A shot drawn from above as SVG text: no plotting library, the same bytes every time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from sim.model.balls import CUE_BALL
from sim.shot.picture import BallPicture, PathPoint, Point, ShotPicture, TablePicture

__all__ = ["draw"]

CLOTH, RUBBER, LINE = "#4f8f86", "#3d766e", "#86b8b0"
WOOD, EDGE, HOLE, SIGHT = "#5a3a26", "#3b2517", "#101312", "#e9dfc7"
PAPER, INK, QUIET, TRAY = "#f4f2ed", "#22282a", "#5c666a", "#cfcabd"
FONT = "DejaVu Sans,Verdana,Segoe UI,Helvetica,Arial,sans-serif"
MARGIN = 0.082  # around the table, where pocketed balls lie, m
IN_AIR = 0.005  # a centre this far above rest is drawn as flight, m


@dataclass(frozen=True)
class _View:
    """From the table's frame to pixels: the foot up (portrait) or to the right (landscape)."""

    table: TablePicture
    scale: float
    landscape: bool

    def xy(self, x: float, y: float) -> Point:
        edge = self.table.rail_width + MARGIN
        if self.landscape:
            return (y + edge) * self.scale, (x + edge) * self.scale
        return (x + edge) * self.scale, (self.table.length + edge - y) * self.scale


def draw(picture: ShotPicture, width: float, landscape: bool) -> str:
    """What `sim.shot.picture.to_svg` says."""
    table = picture.table
    around = 2 * (table.rail_width + MARGIN)
    across, along = table.width + around, table.length + around
    if landscape:
        across, along = along, across
    view = _View(table, width / across, landscape)
    table_height = along * view.scale
    strip = _Strip(picture, view, width, table_height)
    height = table_height + strip.height
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" font-family="{FONT}" '
        'font-weight="bold" text-anchor="middle">',
        f"<title>{escape(_title(picture))}</title>",
        _rect(0, 0, width, height, PAPER),
        # A nested element clips what leaves the table, and needs no id for it.
        f'<svg x="0" y="0" width="{_n(width)}" height="{_n(table_height)}">',
        *_draw_table(view),
        *_draw_starts(picture, view),
        *_draw_paths(picture, view),
        "</svg>",
        *_draw_ghosts(picture, view),
        *_draw_ends(picture, view),
        *_draw_pocketed(picture, view),
        *strip.draw(),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _title(picture: ShotPicture) -> str:
    if picture.duration is None:
        return f"A layout of {len(picture.balls)} balls"
    return f"A shot of {picture.duration:.2f} s with {len(picture.balls)} balls"


# --- the table ------------------------------------------------------------------------------------


def _draw_table(view: _View) -> list[str]:
    table = view.table
    w, l, rail, back = table.width, table.length, table.rail_width, table.cushion_width
    scale = view.scale
    out = [
        _box(view, (-rail, -rail), (w + rail, l + rail), WOOD, radius=0.07, stroke=EDGE),
        _box(view, (-back, -back), (w + back, l + back), CLOTH),
        _segment(view, (0.0, table.head_string), (w, table.head_string), LINE, 0.003),
        *(_dot(view, spot, 0.006, LINE) for spot in table.spots),
    ]
    for name, outline in table.cushions:
        behind = [_behind(table, name, outline[-1]), _behind(table, name, outline[0])]
        out.append(
            f'<path d="{_polyline(view, [*outline, *behind])}Z" fill="{RUBBER}" stroke="{EDGE}" '
            f'stroke-width="{_n(0.002 * scale)}" stroke-linejoin="round"/>'
        )
    for pocket in table.pockets:
        x, y = view.xy(*pocket.centre)
        out.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(pocket.radius * scale)}" fill="{HOLE}"/>'
        )
    out += [_dot(view, sight, 0.008, SIGHT) for sight in table.sights]
    return out


def _behind(table: TablePicture, cushion: str, point: Point) -> Point:
    """The point on the wood's edge straight behind an end of a cushion's nose."""
    x, y = point
    back = table.cushion_width
    if cushion == "head":
        return x, -back
    if cushion == "foot":
        return x, table.length + back
    return (-back if cushion.startswith("left") else table.width + back), y


# --- balls and paths ------------------------------------------------------------------------------


def _draw_starts(picture: ShotPicture, view: _View) -> list[str]:
    r = picture.ball_radius * view.scale
    out = []
    for ball in picture.balls:
        if not ball.moved:
            continue
        x, y = view.xy(*ball.start[:2])
        out.append(
            f'<g opacity="0.8"><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.93)}" '
            f'fill="#ffffff" fill-opacity="0.22" stroke="{ball.colour}" '
            f'stroke-width="{_n(r * 0.14)}"/>'
            f"{_text(x, y, r * 0.95, ball.label, '#0b1f1c')}</g>"
        )
    return out


def _draw_paths(picture: ShotPicture, view: _View) -> list[str]:
    width = max(1.4, 0.0045 * view.scale)
    out = []
    # The cue ball's path last: it is the one looked for first.
    for ball in sorted(picture.balls, key=lambda b: (b.ball == CUE_BALL, b.ball)):
        if not ball.moved:
            continue
        casing = "#ffffff" if _dark(ball.colour) else "#12302c"
        out.append(f'<g fill="none" stroke-linejoin="round"><title>{ball.name}</title>')
        for flying, run in _runs(ball.path, picture.ball_radius):
            d = _polyline(view, [(p.x, p.y) for p in run])
            dots = f' stroke-dasharray="{_n(width)} {_n(2.2 * width)}"' if flying else ""
            out.append(
                f'<path d="{d}" stroke="{casing}" stroke-opacity="0.4" '
                f'stroke-width="{_n(width * 1.8)}"{dots}/>'
                f'<path d="{d}" stroke="{_path_colour(ball)}" stroke-width="{_n(width)}"{dots}/>'
            )
            if ball.striped and not flying:
                out.append(
                    f'<path d="{d}" stroke="#ffffff" stroke-width="{_n(width)}" '
                    f'stroke-dasharray="{_n(2.5 * width)} {_n(5 * width)}"/>'
                )
        out.append("</g>")
    return out


def _runs(path: Sequence[PathPoint], ball_radius: float) -> Iterable[tuple[bool, list[PathPoint]]]:
    """The path cut into runs on a surface and in the air, each starting where the last ended."""
    run = [path[0]]
    flying = False
    for before, point in pairwise(path):
        high = max(before.z, point.z) > ball_radius + IN_AIR
        if high != flying and len(run) > 1:
            yield flying, run
            run = [before]
        flying = high
        run.append(point)
    yield flying, run


def _path_colour(ball: BallPicture) -> str:
    return "#ffffff" if ball.ball == CUE_BALL else ball.colour


def _draw_ghosts(picture: ShotPicture, view: _View) -> list[str]:
    r = picture.ball_radius * view.scale
    out = []
    for ghost in picture.ghosts:
        x, y = view.xy(*ghost.at[:2])
        colour = "#ffffff" if ghost.ball == CUE_BALL else "#12302c"
        out.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.95)}" fill="none" stroke="{colour}" '
            f'stroke-width="{_n(r * 0.13)}" stroke-dasharray="{_n(r * 0.35)} {_n(r * 0.25)}"/>'
        )
    return out


def _draw_ends(picture: ShotPicture, view: _View) -> list[str]:
    r = picture.ball_radius * view.scale
    return [
        _draw_ball(ball, *view.xy(*ball.end[:2]), r)
        for ball in sorted(picture.balls, key=lambda b: b.end[2])
        if ball.fate == "table" or (ball.fate == "off_table" and _on_rails(picture, ball))
    ]


def _on_rails(picture: ShotPicture, ball: BallPicture) -> bool:
    table, (x, y, z) = picture.table, ball.end
    rail = table.rail_width
    return -rail < x < table.width + rail and -rail < y < table.length + rail and z > 0


def _draw_ball(ball: BallPicture, x: float, y: float, r: float) -> str:
    """A solid ball with its number on it, and its fate to read under the pointer."""
    fate = {"table": "on the table", "off_table": "off the table"}.get(
        ball.fate, f"pocketed, {ball.place}"
    )
    parts = [f"<g><title>{ball.name}: {fate}</title>"]
    body = "#fbf8ee" if ball.striped else ball.colour
    edge = f'stroke="#0c1413" stroke-width="{_n(r * 0.09)}"'
    parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.96)}" fill="{body}" {edge}/>')
    if ball.striped:
        half = r * 0.62
        reach = math.sqrt((r * 0.92) ** 2 - half**2)
        radius = _n(r * 0.92)
        parts.append(
            f'<path d="M{_n(x - reach)} {_n(y - half)}H{_n(x + reach)}'
            f"A{radius} {radius} 0 0 1 {_n(x + reach)} {_n(y + half)}H{_n(x - reach)}"
            f'A{radius} {radius} 0 0 1 {_n(x - reach)} {_n(y - half)}Z" fill="{ball.colour}"/>'
        )
    if ball.label:
        parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.6)}" fill="#fbf8ee"/>'
            + _text(x, y, r * (0.98 if len(ball.label) == 1 else 0.86), ball.label, "#0c1413")
        )
    parts.append("</g>")
    return "".join(parts)


def _draw_pocketed(picture: ShotPicture, view: _View) -> list[str]:
    """Pocketed balls on a tray beside their pocket, in the order they dropped."""
    table, radius = picture.table, picture.ball_radius
    out = []
    for pocket in table.pockets:
        balls = sorted(
            (b for b in picture.balls if b.fate == "pocketed" and b.place == pocket.name),
            key=lambda b: (b.path[-1].t, b.ball),
        )
        if not balls:
            continue
        step, reach = 2.15 * radius, table.rail_width + MARGIN / 2
        left = pocket.name.endswith("left")
        if pocket.name.startswith("side"):
            x = -reach if left else table.width + reach
            y = table.length / 2 + step * (len(balls) - 1) / 2
            places = [(x, y - i * step) for i in range(len(balls))]
        else:
            y = table.length + reach if pocket.name.startswith("foot") else -reach
            start, way = (-0.06, 1) if left else (table.width + 0.06, -1)
            places = [(start + way * i * step, y) for i in range(len(balls))]
        pad = radius * 1.22
        low = (min(p[0] for p in places) - pad, min(p[1] for p in places) - pad)
        high = (max(p[0] for p in places) + pad, max(p[1] for p in places) + pad)
        out.append(_box(view, low, high, TRAY, radius=pad))
        out += [
            _draw_ball(ball, *view.xy(*place), radius * view.scale)
            for ball, place in zip(balls, places, strict=True)
        ]
    return out


# --- the strip below ------------------------------------------------------------------------------


class _Strip:
    """The line below the table: what the marks mean, how long it took, who left the table."""

    def __init__(self, picture: ShotPicture, view: _View, width: float, top: float) -> None:
        self._picture = picture
        self._r = picture.ball_radius * view.scale
        self._width, self._top = width, top
        self._size = max(11.0, min(14.0, width / 46))
        self._line = max(2.4 * self._r, 1.9 * self._size)
        self._left = [b for b in picture.balls if b.fate == "off_table"]
        self.height = 0.0
        if picture.duration is not None:
            self.height = self._line * (2 if self._left else 1) + 0.3 * self._size

    def draw(self) -> list[str]:
        if self._picture.duration is None:
            return []
        r, y = min(self._r, 0.7 * self._size), self._top + self._line / 2
        x = 1.2 * self._size
        out = []
        marks: tuple[tuple[str, Callable[[float], str]], ...] = (
            ("start", lambda cx: _mark(cx, y, r, "none", "")),
            ("first contact", lambda cx: _mark(cx, y, r, "none", f"{_n(r * 0.5)} {_n(r * 0.35)}")),
            ("end", lambda cx: _mark(cx, y, r, QUIET, "")),
        )
        for label, mark in marks:
            out.append(mark(x + r))
            x += 2 * r + 0.45 * self._size
            out.append(_text(x, y, self._size, label, QUIET, anchor="start"))
            x += (0.62 * len(label) + 1.2) * self._size
        done = f"{self._picture.duration:.2f} s"
        out.append(_text(self._width - 1.2 * self._size, y, self._size, done, INK, anchor="end"))
        if self._left:
            y += self._line
            label = "off the table"
            out.append(_text(1.2 * self._size, y, self._size, label, INK, anchor="start"))
            x = (1.8 + 0.66 * len(label)) * self._size + self._r
            for ball in self._left:
                out.append(_draw_ball(ball, x, y, self._r))
                x += 2.3 * self._r
        return out


def _mark(x: float, y: float, r: float, fill: str, dashes: str) -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.85)}" fill="{fill}" stroke="{QUIET}" '
        f'stroke-width="{_n(r * 0.18)}"{dash}/>'
    )


# --- small pieces ---------------------------------------------------------------------------------


def _n(value: float) -> str:
    """A number with at most two decimals, and no negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _rect(x: float, y: float, w: float, h: float, fill: str) -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" fill="{fill}"/>'


def _box(
    view: _View, low: Point, high: Point, fill: str, radius: float = 0.0, stroke: str = ""
) -> str:
    (x0, y0), (x1, y1) = view.xy(*low), view.xy(*high)
    x, y, w, h = min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)
    line = f' stroke="{stroke}" stroke-width="{_n(0.006 * view.scale)}"' if stroke else ""
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" '
        f'rx="{_n(radius * view.scale)}" fill="{fill}"{line}/>'
    )


def _dot(view: _View, at: Point, radius: float, fill: str) -> str:
    x, y = view.xy(*at)
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius * view.scale)}" fill="{fill}"/>'


def _segment(view: _View, a: Point, b: Point, colour: str, width: float) -> str:
    return (
        f'<path d="{_polyline(view, [a, b])}" stroke="{colour}" '
        f'stroke-width="{_n(width * view.scale)}"/>'
    )


def _polyline(view: _View, points: Sequence[Point]) -> str:
    places: list[str] = []
    for point in points:
        x, y = view.xy(*point)
        place = f"{_n(x)} {_n(y)}"
        if not places or places[-1] != place:
            places.append(place)
    return "M" + "L".join(places)


def _text(
    x: float, y: float, size: float, text: str, colour: str, *, anchor: str = "middle"
) -> str:
    """Text centred on y; baselines are set by hand because viewers differ on dominant-baseline."""
    if not text:
        return ""
    side = "" if anchor == "middle" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}" font-size="{_n(size)}" fill="{colour}"{side}>'
        f"{escape(text)}</text>"
    )


def _dark(colour: str) -> bool:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 110
