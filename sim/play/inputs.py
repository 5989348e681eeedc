"""Keys and pointer: what the game can be told to do, by which key, and where the pointer is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["ACTIONS", "RETIRED", "Action", "Inputs", "key_name"]


@dataclass(frozen=True)
class Action:
    """Something a key does: Panda3D's name of the key, and what stands in the help."""

    key: str
    help: str
    repeats: bool = False


ACTIONS: dict[str, Action] = {
    "aim_left": Action("arrow_left", "aim left 0.1\u00b0", True),
    "aim_right": Action("arrow_right", "aim right 0.1\u00b0", True),
    "aim_left_fine": Action("shift-arrow_left", "aim left 0.01\u00b0", True),
    "aim_right_fine": Action("shift-arrow_right", "aim right 0.01\u00b0", True),
    "harder": Action("arrow_up", "faster stroke", True),
    "softer": Action("arrow_down", "slower stroke", True),
    "tip_up": Action("w", "tip up (follow)", True),
    "tip_down": Action("s", "tip down (draw)", True),
    "tip_left": Action("a", "tip left", True),
    "tip_right": Action("d", "tip right", True),
    "tip_centre": Action("x", "tip to the centre"),
    "raise_stick": Action("e", "raise the stick 1\u00b0", True),
    "lower_stick": Action("q", "lower the stick 1\u00b0", True),
    "least_elevation": Action("l", "least elevation that clears"),
    "stick": Action("i", "another stick"),
    "shoot": Action("space", "play the stroke"),
    "next": Action("space", "go on after a shot"),
    "accept": Action("enter", "confirm"),
    "call": Action("c", "call ball and pocket"),
    "safety": Action("f", "declare a safety"),
    "push_out": Action("p", "declare a push-out"),
    "no_call": Action("n", "call nothing"),
    "camera": Action("v", "next camera"),
    "overhead": Action("o", "from straight above"),
    "behind": Action("b", "behind the stick"),
    "help": Action("h", "keys that work now"),
    "replay": Action("r", "replay"),
    "referee": Action("g", "referee"),
    "sheet": Action("tab", "match sheet"),
    "events": Action("t", "list of events"),
    "menu": Action("escape", "menu, or back"),
    "undo": Action("z", "undo"),
    "redo": Action("y", "redo"),
    "repeat": Action("u", "repeat the shot"),
    "verdicts": Action("j", "what each ruleset would rule"),
    "copy": Action("k", "write this shot as a file"),
    "pause": Action("space", "play, pause"),
    "slower": Action("arrow_down", "slower"),
    "faster": Action("arrow_up", "faster"),
    "step_back": Action("arrow_left", "a moment back", True),
    "step_on": Action("arrow_right", "a moment on", True),
    "previous_shot": Action("page_up", "shot before"),
    "next_shot": Action("page_down", "next shot"),
}

RETIRED = frozenset({"place"})
"""Actions of older versions, whose keys may still stand in a file of settings."""

_NAMES = {
    "arrow_left": "\u2190", "arrow_right": "\u2192", "arrow_up": "\u2191", "arrow_down": "\u2193",
    "escape": "Esc", "space": "Space", "enter": "Enter", "tab": "Tab", "page_up": "PgUp",
    "page_down": "PgDn", "shift": "Shift", "control": "Ctrl", "alt": "Alt",
}  # fmt: skip


def key_name(key: str) -> str:
    """A key as it is written on it."""
    return "+".join(_NAMES.get(part, part.upper()) for part in key.split("-"))


class Inputs:
    """Binds the keys of the running mode; hands on the pointer's presses, drags and releases.

    Args:
        base: the ShowBase.
        pointer: called with (what, x, y): press, drag, release, turn_start, turn, stroke_start,
            stroke (with Shift held), or zoom with the
            factor in x; -1..1 across the picture.
    """

    def __init__(self, base: Any, pointer: Callable[[str, float, float], None]) -> None:
        self._base, self._pointer = base, pointer
        self._bound: list[str] = []
        self._held: str | None = None
        base.accept("mouse1", self._down, ["press"])
        base.accept("mouse1-up", self._up)
        base.accept("shift-mouse1", self._down, ["stroke_start"])
        base.accept("mouse3", self._down, ["turn_start"])
        base.accept("mouse3-up", self._up)
        base.accept("wheel_up", lambda: pointer("zoom", 0.9, 0.0))
        base.accept("wheel_down", lambda: pointer("zoom", 1 / 0.9, 0.0))

    def bind(self, keys: Mapping[str, tuple[str, Callable[[], None]]]) -> None:
        """Bind {action: (key, what it does)} in the place of what was bound before."""
        self.clear()
        for action, (key, do) in keys.items():
            events = [key, f"{key}-repeat"] if ACTIONS[action].repeats else [key]
            for event in events:
                self._base.accept(event, do)
                self._bound.append(event)

    def clear(self) -> None:
        """Bind no key."""
        for event in self._bound:
            self._base.ignore(event)
        self._bound = []

    def place(self) -> tuple[float, float] | None:
        """Where the pointer is, -1..1, or None when it is not in the window."""
        watcher = self._base.mouseWatcherNode
        if watcher is None or not watcher.has_mouse():
            return None
        return float(watcher.get_mouse_x()), float(watcher.get_mouse_y())

    def _down(self, what: str) -> None:
        place = self.place()
        if place is not None:
            self._held = {"press": "drag", "stroke_start": "stroke"}.get(what, "turn")
            self._pointer(what, *place)

    def _up(self) -> None:
        if self._held in ("drag", "stroke"):
            self._pointer("release", *(self.place() or (0.0, 0.0)))
        self._held = None

    def step(self) -> None:
        """Once a frame: tell of a drag that goes on."""
        if self._held is not None and (place := self.place()) is not None:
            self._pointer(self._held, *place)

    def ask(self, told: Callable[[str], None] | None) -> None:
        """Tell the next key that goes down, whichever it is; None: no longer."""
        throwers = getattr(self._base, "buttonThrowers", None) or []
        for thrower in throwers[:1]:
            thrower.node().set_button_down_event("tenball-any-key" if told else "")
        self._base.ignore("tenball-any-key")
        if told is not None:
            self._base.accept_once("tenball-any-key", self._told, [told])

    def _told(self, told: Callable[[str], None], key: str) -> None:
        self.ask(None)
        told(key)

    def close(self) -> None:
        """Listen to nothing any more."""
        self.ask(None)
        self.clear()
        for event in ("mouse1", "shift-mouse1", "mouse3", "wheel_up", "wheel_down"):
            self._base.ignore(event)
        for event in ("mouse1-up", "mouse3-up"):
            self._base.ignore(event)
