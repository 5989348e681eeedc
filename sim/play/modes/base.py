"""What every mode is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from sim.play.hud import Layer
from sim.play.inputs import ACTIONS, key_name

if TYPE_CHECKING:
    from sim.game.match import Match

    # The game makes the modes and they call it back: a circle of types alone. A protocol would say the
    # game's thirty members a second time.
    from sim.play.app import Game
    from sim.play.camera import Sight

__all__ = ["Keys", "Mode", "words"]

Keys = dict[str, "Callable[[], Mode | None]"]
"""{action: what it does}; the help is drawn from it, in this order."""


class Mode:
    """One thing the game can be doing.

    Whatever a key, a button or a step returns is the mode that follows; None stays. A mode that is
    left and entered again finds itself as it was.
    """

    says: ClassVar[dict[str, str]] = {}
    """{action: what its key does here} where the action's own help would mislead."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layer: Layer | None = None

    # --- coming and going -------------------------------------------------------------------------

    def enter(self) -> None:
        """Show what belongs to this mode."""
        self.layer = self.game.hud.layer()
        self.build(self.layer)

    def leave(self) -> None:
        """Take away what belongs to this mode."""
        if self.layer is not None:
            self.layer.close()
            self.layer = None

    def rebuild(self) -> None:
        """Draw the widgets anew, after the window or the text has changed its size."""
        if self.layer is not None:
            self.layer.close()
            self.layer = self.game.hud.layer()
            self.build(self.layer)

    def build(self, layer: Layer) -> None:
        """Make the widgets."""

    # --- what it does -----------------------------------------------------------------------------

    def keys(self) -> Keys:
        """The keys that work now."""
        return {}

    def key_help(self, action: str) -> str:
        """What the key of an action does here."""
        return self.says.get(action, ACTIONS[action].help)

    def key(self, action: str) -> str:
        """The key of an action as it is written on it."""
        return key_name(self.game.settings.key(action))

    def line(self) -> str:
        """Who acts, what is needed and how."""
        return self.game.session.prompt.text if self.game.session is not None else ""

    def match(self) -> Match | None:
        """The match whose score and balls stand in the bar."""
        return None if self.game.session is None else self.game.session.match

    def step(self, dt: float) -> Mode | None:
        """`dt` seconds pass."""
        return None

    def look(self) -> Sight | None:
        """What the cameras behind a ball look at."""
        return None

    # --- pointer, -1..1 across the picture --------------------------------------------------------

    def press(self, x: float, y: float) -> Mode | None:
        """The pointer went down on the scene."""
        return None

    def drag(self, x: float, y: float) -> Mode | None:
        """The pointer, down, moved."""
        return None

    def release(self, x: float, y: float) -> Mode | None:
        """The pointer went up."""
        return None

    def stroke_by_hand(self, y: float, *, begins: bool) -> Mode | None:
        """The pointer, held down with Shift, is at a height of the picture."""
        return None

    # --- small helps ------------------------------------------------------------------------------

    def side_buttons(
        self, layer: Layer, items: list[tuple[str, str, Callable[[], Mode | None]]]
    ) -> None:
        """A column of small buttons at the right edge, below the bar."""
        right = layer.hud.aspect - 0.03
        height = 0.072
        top = 0.80
        layer.panel(right - 0.32, right, top - len(items) * (height + 0.012) - 0.012, top)
        for k, (name, text, command) in enumerate(items):
            z = top - 0.012 - height / 2 - k * (height + 0.012)
            layer.button(
                name, text, right - 0.16, z, command, width=0.296, height=height, size=0.032
            )


def words(text: object) -> str:
    """A word of the program as people read it."""
    return str(text).replace("_", " ")
