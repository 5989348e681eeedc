"""A button: Panda3D's own item with one text and shared shapes.

DirectButton would make four copies of everything and a page of forty of them would take longer than
a frame may.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panda3d.core import (
    MouseButton,
    MouseWatcherRegion,
    NodePath,
    PGButton,
    TextNode,
)

from sim.play.shapes import Colour, rounded

__all__ = ["Button"]

CORNER = 0.014
MARGIN = 0.03  # beside the text, on both sides together


class Button:
    """A button whose middle is at (x, z) of its parent.

    Args:
        base: the ShowBase.
        letters: an empty text in the font of the button.
        paints: of the button at rest, pressed and under the pointer.
        size: of the text; it is drawn smaller where it would not fit.
        pressed: called when it is clicked.

    Attributes:
        text: what stands on it; text_width as it is drawn.
        frame: (left, right, bottom, top) round its middle.
    """

    def __init__(
        self,
        base: Any,
        parent: NodePath,
        text: str,
        place: tuple[float, float],
        box: tuple[float, float],
        *,
        paints: tuple[Colour, Colour, Colour],
        text_colour: Colour,
        letters: TextNode,
        size: float,
        pressed: Callable[[], None],
    ) -> None:
        self._base, self.text = base, text
        half_w, half_h = box[0] / 2, box[1] / 2
        self.frame = (-half_w, half_w, -half_h, half_h)
        item = self._item = PGButton(text)
        item.set_frame(*self.frame)
        # What is pressed here is not pressed on the table behind.
        item.set_suppress_flags(
            MouseWatcherRegion.SF_mouse_button | MouseWatcherRegion.SF_mouse_position
        )
        item.add_click_button(MouseButton.one())
        self.node = parent.attach_new_node(item)
        self.node.set_pos(place[0], 0, place[1])
        letters.set_text(text)
        letters.set_text_color(*text_colour)
        letters.set_align(TextNode.A_center)
        size *= min(1.0, (box[0] - MARGIN) / max(size * letters.get_width(), 1e-6))
        self.text_width = float(size * letters.get_width())
        written = NodePath(letters.generate())
        written.set_scale(size)
        written.set_z(-size * 0.34)
        at_rest, down, under = paints
        for state, paint in (
            (PGButton.S_ready, at_rest),
            (PGButton.S_depressed, down),
            (PGButton.S_rollover, under),
        ):
            shown = item.get_state_def(state)
            rounded(*self.frame, CORNER, paint).reparent_to(shown)
            written.copy_to(shown) if state == PGButton.S_depressed else written.instance_to(shown)
        self._event = item.get_click_event(MouseButton.one())
        base.accept(self._event, lambda *_: pressed())

    def get_pos(self, other: NodePath) -> Any:
        """Where its middle is, seen from another node."""
        return self.node.get_pos(other)

    def click(self) -> None:
        """Press it as the pointer does."""
        self._base.messenger.send(self._event, [None])

    def destroy(self) -> None:
        """Take it away."""
        self._base.ignore(self._event)
        self.node.remove_node()
