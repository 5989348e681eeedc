"""How the game looks, sounds and is steered: kept between evenings, never part of a result."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.model.errors import FileError, InputError
from sim.play.inputs import ACTIONS, RETIRED
from sim.play.lighting import CLOTHS
from sim.shot.disk import make_folder, read_text, write_whole
from sim.shot.reading import parse_json

__all__ = ["AIDS", "PALETTES", "TEXT_SIZES", "Settings", "home", "load_settings", "save_settings"]

TEXT_SIZES = (0.85, 1.0, 1.15, 1.3)
AIDS = ("all", "line", "none")
PALETTES = ("standard", "colour-blind")
VOLUMES = (0.25, 0.5, 0.75, 1.0)
LOOKS = ("full", "simple")


@dataclass(frozen=True)
class Settings:
    """The settings of the game.

    Attributes:
        text_size: one of TEXT_SIZES.
        palette: one of PALETTES; `colour-blind` tells good from bad by blue and orange.
        aids: `all` lines, only the cue ball's `line`, or `none`.
        sound: whether there is any; `volume` 0 to 1.
        full_screen: whether the window fills the screen.
        look: `full`, or `simple` for weak machines; `cloth` its colour.
        keys: {action: key} where they differ from the game's own.
    """

    text_size: float = 1.0
    palette: str = "standard"
    aids: str = "all"
    sound: bool = True
    volume: float = 0.75
    full_screen: bool = False
    look: str = "full"
    cloth: str = "blue"
    keys: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(
                    f"settings {name}: got {getattr(self, name)!r:.40}, expected one of "
                    f"{', '.join(map(str, choices))}"
                )
        for action, key in self.keys:
            if action not in ACTIONS or not isinstance(key, str) or not key:
                raise InputError(
                    f"settings keys: got {action!r:.40}: {key!r:.40}, expected one of "
                    f"{', '.join(ACTIONS)}"
                )

    def key(self, action: str) -> str:
        """The key of an action."""
        return dict(self.keys).get(action, ACTIONS[action].key)

    def bound(self, action: str, key: str) -> Settings:
        """With another key for an action; whatever had that key gets the old one."""
        old = self.key(action)
        keys = dict(self.keys)
        for other in ACTIONS:
            if other != action and self.key(other) == key:
                keys[other] = old
        keys[action] = key
        kept = {a: k for a, k in keys.items() if ACTIONS[a].key != k}
        return replace(self, keys=tuple(sorted(kept.items())))


_CHOICES: dict[str, tuple[Any, ...]] = {
    "text_size": TEXT_SIZES,
    "palette": PALETTES,
    "aids": AIDS,
    "sound": (True, False),
    "volume": VOLUMES,
    "full_screen": (False, True),
    "look": LOOKS,
    "cloth": tuple(CLOTHS),
}


def choices(name: str) -> tuple[Any, ...]:
    """What a setting can be."""
    return _CHOICES[name]


def home() -> Path:
    """The folder of matches and settings: TENBALL_HOME, else where this system keeps such.

    Raises:
        FileError: this user has no home.
    """
    try:
        return _home()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        raise FileError(
            "home: got no folder of this user (is HOME set?), expected one, or --home or "
            "TENBALL_HOME"
        ) from None


def _home() -> Path:
    if explicit := os.environ.get("TENBALL_HOME"):
        return Path(explicit)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) / "tenball" if local else Path.home() / "tenball"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/tenball").expanduser()
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "tenball"


def load_settings(folder: Path) -> Settings:
    """The settings kept in a folder; the game's own where there are none.

    Raises:
        FileError: a file of settings that cannot be used.
    """
    path = folder / "settings.json"
    if not path.exists():
        return Settings()
    file = parse_json(read_text(path), str(path))
    file.known([f.name for f in dataclasses.fields(Settings)])
    data = {name: node.value for name, node in file.items()}
    if "keys" in file:
        data["keys"] = tuple(
            sorted((a, key.string()) for a, key in file["keys"].items() if a not in RETIRED)
        )
    with file.model_errors():
        return Settings(**data)


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep the settings.

    Raises:
        FileError: they cannot be written.
    """
    make_folder(folder)
    data = {**dataclasses.asdict(settings), "keys": dict(settings.keys)}
    write_whole(folder / "settings.json", json.dumps(data, indent=2) + "\n")
