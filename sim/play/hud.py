"""What stands over the picture: panels, lines of text, buttons, sliders, a ball's face.

Places are in units of half the picture's height: the picture is -1 to 1 high and
-aspect to aspect wide. A picture narrower than 16:9 gets the same widgets, all smaller, in a band
16:9 across its middle. A `Layer` belongs to one mode and goes away with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from direct.gui import DirectGuiGlobals as DGG
from direct.gui.DirectEntry import DirectEntry
from panda3d.core import (
    DynamicTextFont,
    Filename,
    LMatrix4f,
    LVecBase4f,
    NodePath,
    SamplerState,
    TextNode,
    TransparencyAttrib,
)

from sim.play import assets
from sim.play.button import Button
from sim.play.letters import drawable
from sim.play.settings import Settings
from sim.play.shapes import Colour, disc, rounded

LETTERS = "".join(map(chr, range(33, 127))) + "\u00b0\u00d7\u2013\u2022\u2190\u2191\u2192\u2193"

NARROWEST = 16 / 9
FONT_PIXELS, FONT_MARGIN = 60, 8  # of a letter, and round it in the font's texture

__all__ = ["COLOURS", "Hud", "Layer", "Line", "colours"]

COLOURS: dict[str, Colour] = {
    "panel": (0.030, 0.032, 0.038, 0.95),
    "bar": (0.030, 0.032, 0.038, 0.92),
    "edge": (0.16, 0.17, 0.19, 1.0),
    "text": (0.94, 0.94, 0.92, 1.0),
    "dim": (0.66, 0.67, 0.69, 1.0),
    "accent": (0.97, 0.76, 0.34, 1.0),
    "good": (0.45, 0.83, 0.48, 1.0),
    "bad": (0.95, 0.42, 0.36, 1.0),
    "button": (0.135, 0.145, 0.165, 1.0),
    "over": (0.22, 0.235, 0.265, 1.0),
    "chosen": (0.42, 0.32, 0.12, 1.0),
}


def colours(palette: str) -> dict[str, Colour]:
    """The colours of a palette; without red and green for the colour-blind one."""
    if palette == "colour-blind":
        return {**COLOURS, "good": (0.35, 0.70, 0.95, 1.0), "bad": (0.95, 0.60, 0.10, 1.0)}
    return dict(COLOURS)


@lru_cache(maxsize=3)
def _font(name: str) -> DynamicTextFont:
    """A font of the game's own: its sharpness can be set only before its first letter."""
    path = Filename.from_os_specific(str(assets.font(f"Inter-{name}")))
    font = DynamicTextFont(path, 0)
    font.set_pixels_per_unit(FONT_PIXELS)
    # Small text is drawn from smaller copies of its letters: from the large ones strokes fall out.
    font.set_page_size(1024, 1024)
    font.set_texture_margin(FONT_MARGIN)
    font.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    # Letters are drawn when first needed, a page of them takes longer than a frame: all of them now.
    for letter in LETTERS:
        font.get_glyph(ord(letter))
    return font


class Hud:
    """Fonts, colours and sizes, from the settings; makes layers.

    Args:
        base: the ShowBase.
        act: called with a button's command when it is pressed.
    """

    def __init__(
        self, base: Any, settings: Settings, act: Callable[[Callable[[], Any]], None]
    ) -> None:
        self.base, self.act = base, act
        self.fonts = {}
        for name in ("Regular", "SemiBold", "Bold"):
            self.fonts[name] = _font(name)
        self.set(settings)

    def set(self, settings: Settings) -> None:
        """Take text size and palette from the settings."""
        self.scale = settings.text_size
        self.colours = colours(settings.palette)

    @property
    def aspect(self) -> float:
        """Width over height of the place for widgets."""
        return max(self._picture, NARROWEST)

    @property
    def _picture(self) -> float:
        return float(self.base.get_aspect_ratio())

    @property
    def fit(self) -> float:
        """The scale of the widgets in aspect2d: less than 1 in a narrow picture."""
        return max(self._picture, 1.0) / self.aspect

    def place(self, x: float, y: float) -> tuple[float, float]:
        """From a place in the picture, -1..1, to the units of the widgets."""
        high = max(1.0, 1 / self._picture) / self.fit
        return x * self.aspect, y * high

    @staticmethod
    def letters(name: str, font: str) -> TextNode:
        """A node for text in a font. Panda3D draws letters off their place by the font's margin."""
        node = TextNode(name)
        node.set_font(_font(font))
        off = FONT_MARGIN / FONT_PIXELS
        node.set_transform(LMatrix4f.translate_mat(-off, 0, off))
        return node

    def layer(self, sort: int = 0) -> Layer:
        """A new empty layer; those of a higher `sort` lie on top."""
        return Layer(self, sort)


class Line:
    """A line, or a few, of text."""

    def __init__(self, node: NodePath, text: TextNode, fit: float | None = None) -> None:
        self.node, self._text, self._fit = node, text, fit
        self._size = float(node.get_sx())
        self._shrink()

    def _shrink(self) -> None:
        """Make long text smaller, never larger than it was asked for."""
        if self._fit is not None:
            wide = float(self._text.get_width()) * self._size
            self.node.set_scale(self._size * min(1.0, self._fit / max(wide, 1e-6)))

    def set(self, text: str, colour: Colour | None = None) -> None:
        """Say something else."""
        text = drawable(text)
        if self._text.get_text() != text:
            self._text.set_text(text)
            self._shrink()
        if colour is not None and self._text.get_text_color() != LVecBase4f(*colour):
            self._text.set_text_color(*colour)

    @property
    def text(self) -> str:
        """What it says."""
        return str(self._text.get_text())

    @property
    def height(self) -> float:
        """Of what it says now."""
        return float(self._text.get_height() * self.node.get_sz())

    @property
    def box(self) -> tuple[float, float, float, float]:
        """(left, right, bottom, top) of what it says now."""
        t, size, (x, _, z) = self._text, self.node.get_sx(), self.node.get_pos()
        return (x + size * t.get_left(), x + size * t.get_right(),
                z + size * t.get_bottom(), z + size * t.get_top())  # fmt: skip


class _Dial:
    """Something the pointer can be pressed on and dragged over."""

    def __init__(
        self, box: tuple[float, float, float, float], told: Callable[[float, float], None]
    ) -> None:
        self.box, self.told = box, told

    def has(self, x: float, z: float) -> bool:
        left, right, bottom, top = self.box
        return left <= x <= right and bottom <= z <= top


class Layer:
    """The widgets of one mode, by name.

    Attributes:
        buttons, entries, lines: what can be pressed, typed in and read, by name.
        panels: (left, right, bottom, top) of the backing panels.
    """

    def __init__(self, hud: Hud, sort: int = 0) -> None:
        self.hud = hud
        self.root = hud.base.aspect2d.attach_new_node("layer", sort)
        self.root.set_scale(hud.fit)
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.buttons: dict[str, Button] = {}
        self.entries: dict[str, DirectEntry] = {}
        self.lines: dict[str, Line] = {}
        self.dials: dict[str, _Dial] = {}
        self.panels: list[tuple[float, float, float, float]] = []
        self._held: _Dial | None = None

    # --- drawing ----------------------------------------------------------------------------------

    def panel(
        self, left: float, right: float, bottom: float, top: float, colour: str = "panel"
    ) -> NodePath:
        """A backing panel; the pointer does not reach through it."""
        self.panels.append((left, right, bottom, top))
        node = rounded(left, right, bottom, top, 0.022, self.hud.colours[colour])
        node.reparent_to(self.root)
        return node

    def line(
        self,
        name: str,
        text: str,
        x: float,
        z: float,
        size: float = 0.040,
        *,
        colour: str = "text",
        font: str = "Regular",
        align: str = "left",
        wrap: float | None = None,
        fit: float | None = None,
    ) -> Line:
        """Text whose first base line starts at (x, z). Text wider than `wrap` takes more lines;
        wider than `fit` it is drawn smaller."""
        size *= self.hud.scale
        node = self.hud.letters(name, font)
        node.set_text_color(*self.hud.colours[colour])
        node.set_align(
            {"left": TextNode.A_left, "right": TextNode.A_right, "centre": TextNode.A_center}[align]
        )
        if wrap is not None:
            node.set_wordwrap(wrap / size)
        node.set_text(drawable(text))
        path = self.root.attach_new_node(node)
        path.set_scale(size)
        path.set_pos(x, 0, z)
        made = Line(path, node, fit)
        self.lines[name] = made
        return made

    def button(
        self,
        name: str,
        text: str,
        x: float,
        z: float,
        command: Callable[[], Any],
        *,
        width: float = 0.5,
        height: float = 0.075,
        size: float = 0.036,
        chosen: bool = False,
    ) -> None:
        """A button whose middle is at (x, z). `command` may return the mode that follows."""
        paint = self.hud.colours
        back = paint["chosen" if chosen else "button"]
        self.buttons[name] = Button(
            self.hud.base, self.root, drawable(text), (x, z), (width, height),
            paints=(back, paint["accent"], paint["over"]), text_colour=paint["text"],
            letters=self.hud.letters("text", "SemiBold"), size=size * self.hud.scale,
            pressed=lambda: self.hud.act(command),
        )  # fmt: skip

    def entry(
        self, name: str, text: str, x: float, z: float, *, width: float = 0.6, default: str = ""
    ) -> None:
        """A field to type one line in, its left end at x.

        `default` makes room when the field is clicked, and comes back if nothing is typed.
        """

        def make_room() -> None:
            if made.get() == default:
                made.set("")

        def fill() -> None:
            if not made.get().strip():
                made.set(default)

        size = 0.040 * self.hud.scale
        made = DirectEntry(
            parent=self.root,
            pos=(x, 0, z - 0.012),
            scale=size,
            width=width / size,
            initialText=drawable(text),
            numLines=1,
            overflow=1,
            suppressKeys=1,
            relief=DGG.FLAT,
            frameColor=self.hud.colours["button"],
            frameSize=(-0.35, width / size + 0.35, -0.42, 1.08),
            text_fg=self.hud.colours["text"],
            entryFont=self.hud.fonts["Regular"],
            rolloverSound=None,
            clickSound=None,
            focusInCommand=make_room,
            focusOutCommand=fill,
        )
        self.entries[name] = made

    def slider(
        self, name: str, x: float, z: float, width: float, told: Callable[[float], None]
    ) -> Callable[[float], None]:
        """A slider from x to x + width; `told` gets 0..1. Returns what sets its mark."""
        track = rounded(x, x + width, z - 0.010, z + 0.010, 0.010, self.hud.colours["edge"])
        track.reparent_to(self.root)
        fill = rounded(0, 1, -0.010, 0.010, 0.004, self.hud.colours["accent"])
        fill.set_pos(x, 0, z)
        fill.reparent_to(self.root)
        knob = disc(0.024, self.hud.colours["text"])
        knob.reparent_to(self.root)

        def show(share: float) -> None:
            share = min(max(share, 0.0), 1.0)
            fill.set_sx(max(share * width, 1e-4))
            knob.set_pos(x + share * width, 0, z)

        show(0.0)
        self.dials[name] = _Dial(
            (x - 0.02, x + width + 0.02, z - 0.04, z + 0.04),
            lambda px, _: told(min(max((px - x) / width, 0.0), 1.0)),
        )
        return show

    def face(
        self, name: str, x: float, z: float, radius: float, told: Callable[[float, float], None]
    ) -> Callable[[float, float], None]:
        """The cue ball's face round (x, z): `told` gets the tip's place in ball radii. Returns
        what sets its mark."""
        for size, colour in (
            (1.0, (0.93, 0.91, 0.84, 1)),
            (0.5, (0.87, 0.85, 0.78, 1)),
            (0.47, (0.93, 0.91, 0.84, 1)),
        ):
            flat = disc(radius * size, colour)
            flat.set_pos(x, 0, z)
            flat.reparent_to(self.root)
        thin = 0.008 * radius
        for wide, high in ((radius, thin), (thin, radius)):
            cross = rounded(-wide, wide, -high, high, 0.0001, (0.70, 0.68, 0.62, 1))
            cross.set_pos(x, 0, z)
            cross.reparent_to(self.root)
        tip = disc(radius * 0.2, (0.10, 0.30, 0.60, 0.92))
        tip.reparent_to(self.root)

        def show(side: float, vertical: float) -> None:
            tip.set_pos(x + side * radius, 0, z + vertical * radius)

        show(0.0, 0.0)
        self.dials[name] = _Dial(
            (x - radius, x + radius, z - radius, z + radius),
            lambda px, pz: told((px - x) / radius, (pz - z) / radius),
        )
        return show

    def ball(self, ball: int, x: float, z: float, radius: float, colour: Colour) -> None:
        """A small ball with its number."""
        flat = disc(radius, colour)
        flat.set_pos(x, 0, z)
        flat.reparent_to(self.root)
        spot = disc(radius * 0.64, (0.96, 0.95, 0.90, 1))
        spot.set_pos(x, 0, z)
        spot.reparent_to(self.root)
        size = radius * 0.95 / self.hud.scale
        line = self.line(
            f"ball {ball}", str(ball), x, z - radius * 0.33, size, align="centre", font="Bold"
        )
        line.set(str(ball), (0.05, 0.05, 0.05, 1))

    # --- pointer ----------------------------------------------------------------------------------

    def press(self, x: float, z: float) -> bool:
        """The pointer goes down at a place; whether the layer has something there."""
        for dial in self.dials.values():
            if dial.has(x, z):
                self._held = dial
                dial.told(x, z)
                return True
        return any(a <= x <= b and c <= z <= d for a, b, c, d in self.panels)

    def drag(self, x: float, z: float) -> bool:
        """The pointer, down, comes to a place; whether the layer holds it."""
        if self._held is None:
            return False
        self._held.told(x, z)
        return True

    def release(self) -> bool:
        """The pointer goes up; whether the layer held it."""
        held, self._held = self._held is not None, None
        return held

    def click(self, name: str) -> None:
        """Press a button by its name, as the pointer does.

        Raises:
            KeyError: there is no such button.
        """
        self.buttons[name].click()

    def close(self) -> None:
        """Take everything away."""
        for widget in (*self.buttons.values(), *self.entries.values()):
            widget.destroy()
        self.buttons, self.entries, self.lines, self.dials = {}, {}, {}, {}
        self.panels, self._held = [], None
        self.root.remove_node()
