"""The shots of a file: one of a shot file, each of a match journal. Played when asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.game.journal import MAX_BYTES as MAX_JOURNAL
from sim.model.errors import FileError
from sim.shot.disk import read_bytes

if TYPE_CHECKING:
    from sim.shot.result import Result

__all__ = ["Shot", "load_shots"]


@dataclass(frozen=True)
class Shot:
    """A shot that can be played.

    Attributes:
        title: what to call it, one line.
        number: in its file, from 1.
        play: simulates it.
    """

    title: str
    number: int
    play: Callable[[], Result]


def load_shots(path: str | os.PathLike[str]) -> list[Shot]:
    """The shots of a shot file or of a match journal, in order.

    Raises:
        FileError: no such file, neither kind, or a match without a shot.
    """
    name = os.fspath(path)
    head = read_bytes(path, MAX_JOURNAL)[:4096]
    if b"tenball_journal" in head.split(b"\n", 1)[0]:
        return _of_journal(name)
    return [_of_file(name)]


def _of_file(name: str) -> Shot:
    from sim.shot.files import load_shot
    from sim.shot.simulator import simulate

    shot = load_shot(name)
    options = {
        key: getattr(shot, key)
        for key in ("motions", "materials", "cushion_model", "stick")
        if getattr(shot, key) is not None
    }
    return Shot(os.path.basename(name), 1, lambda: simulate(shot.layout, shot.stroke, **options))


def _of_journal(name: str) -> list[Shot]:
    from sim.game.journal import read_journal
    from sim.shot.simulator import simulate

    match = read_journal(name).game.now
    setup = match.setup
    shots: list[Shot] = []
    if setup is not None:
        options: dict[str, Any] = {
            "materials": setup.materials,
            "cushion_model": setup.cushion_model,
        }
        for entry in match.log:
            if entry.stroke is not None:
                shots.append(
                    Shot(
                        f"rack {entry.rack_number}, {entry.player}",
                        entry.number,
                        lambda e=entry: simulate(e.layout, e.stroke, stick=e.stick, **options),  # type: ignore[misc]  # a bound default
                    )
                )
    if not shots:
        raise FileError(f"{name}: got a match without a shot, expected at least one")
    return shots
