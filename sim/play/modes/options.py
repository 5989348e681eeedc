"""Settings: text size, palette, aids, sound, look, keys."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from sim.play.hud import Layer
from sim.play.inputs import ACTIONS, key_name
from sim.play.modes.base import Keys, Mode
from sim.play.settings import choices

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["KeysMode", "OptionsMode"]

ROWS = (
    ("text_size", "Text size"),
    ("palette", "Colours"),
    ("aids", "Aiming aids"),
    ("sound", "Sound"),
    ("volume", "Volume"),
    ("full_screen", "Full screen"),
    ("cloth", "Cloth"),
    ("look", "Look"),
)


def shown(value: object) -> str:
    """A setting as people read it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{100 * value:.0f} %"
    return str(value)


class OptionsMode(Mode):
    """One row a setting; a press takes the next value."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "accept": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back

    def build(self, layer: Layer) -> None:
        top, half = 0.74, 0.80
        layer.panel(-half, half, top - 0.36 - 0.095 * len(ROWS), top)
        layer.line("title", "Settings", -half + 0.08, top - 0.11, 0.058, font="Bold")
        for k, (name, text) in enumerate(ROWS):
            z = top - 0.21 - 0.095 * k
            value = getattr(self.game.settings, name)
            layer.line(f"label {name}", text, -half + 0.08, z - 0.012, 0.040)
            layer.button(name, shown(value), half - 0.38, z, partial(self.change, name), width=0.60)
        z = top - 0.26 - 0.095 * len(ROWS)
        layer.button("keys", "Keys ...", -half + 0.38, z, self.bindings, width=0.60)
        layer.button("back", "Back", half - 0.38, z, self.done, width=0.60)

    def keys(self) -> Keys:
        return {"menu": self.done, "accept": self.done}

    def line(self) -> str:
        return f"Anybody: click a value to change it, {self.key('menu')} when done."

    def change(self, name: str) -> None:
        """The next value of a setting."""
        values = choices(name)
        value = getattr(self.game.settings, name)
        following = values[(values.index(value) + 1) % len(values)]
        self.game.change_settings(replace(self.game.settings, **{name: following}))
        self.rebuild()

    def bindings(self) -> Mode:
        """Change keys."""
        return KeysMode(self.game, self)

    def done(self) -> Mode:
        """Back to where it was called."""
        return self.back


class KeysMode(Mode):
    """Every action with its key; press one, then the key it shall have."""

    says: ClassVar[dict[str, str]] = {"menu": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back
        self.waiting: str | None = None

    def build(self, layer: Layer) -> None:
        top, half = 0.80, 1.62
        names = list(ACTIONS)
        per = -(-len(names) // 3)
        layer.panel(-half, half, top - 0.24 - 0.088 * per, top)
        layer.line("title", "Keys", -half + 0.06, top - 0.09, 0.052, font="Bold")
        layer.button("back", "Back", half - 0.24, top - 0.075, self.done, width=0.36)
        layer.button("reset", "The game's own", half - 0.66, top - 0.075, self.reset, width=0.44)
        for k, action in enumerate(names):
            x = -half + 0.06 + (k // per) * (2 * half - 0.06) / 3
            z = top - 0.20 - 0.088 * (k % per)
            layer.line(f"label {action}", ACTIONS[action].help, x, z - 0.011, 0.030)
            key = key_name(self.game.settings.key(action))
            waits = self.waiting == action
            layer.button(
                f"key {action}",
                "press a key" if waits else key,
                x + 0.82,
                z,
                partial(self.ask, action),
                width=0.36,
                height=0.070,
                size=0.028,
                chosen=waits,
            )

    def keys(self) -> Keys:
        return {} if self.waiting else {"menu": self.done}

    def line(self) -> str:
        if self.waiting is not None:
            return f"Anybody: press the new key for \u201c{ACTIONS[self.waiting].help}\u201d; Esc keeps the old."
        return f"Anybody: click a key, then press the new one; {self.key('menu')} when done."

    def ask(self, action: str) -> None:
        """Wait for the key of an action."""
        self.waiting = action
        self.game.inputs.ask(self.got)
        self.game.rebind()
        self.rebuild()

    def got(self, key: str) -> None:
        """The key that was pressed."""
        action, self.waiting = self.waiting, None
        if action is not None and key != "escape":
            self.game.change_settings(self.game.settings.bound(action, key))
        self.game.rebind()
        self.rebuild()

    def reset(self) -> None:
        """All keys as the game has them."""
        self.game.change_settings(replace(self.game.settings, keys=()))
        self.rebuild()

    def leave(self) -> None:
        self.waiting = None
        self.game.inputs.ask(None)
        super().leave()

    def done(self) -> Mode:
        """Back to the settings."""
        return self.back
