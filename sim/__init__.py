"""tenball: a physics-based 10-ball simulator.

    >>> import sim
    >>> layout = sim.rack(sim.Table.wpa_9ft(), seed=7)
    >>> result = sim.simulate(layout, sim.Stroke(speed=8.0, azimuth=1.586), stick=sim.BREAK_STICK)
    >>> result.status, result.events[0].kind, sorted(result.final.balls + tuple(result.pocketed))[:2]
    ('done', 'cue_strike', [0, 1])

Where to look next: `help(sim.simulate)`, `help(sim.Stroke)`, `help(sim.Result)`;
`sim.simulate_many` for a batch, `sim.experiments` for sweeps with statistics, `sim.shot.files` for
shots as JSON, `sim.game` for referee and matches, `sim.game.pots.direct_pots` for the aim of a cut,
`rules` for the law. `import sim` is enough for each of them but `rules`.

Frame: x across the table, y along it from the head cushion, z up from the cloth; metres, seconds,
radians. `import sim` loads neither Panda3D nor pooltool nor pandas; the engine's compiler is loaded
with the first shot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.model import *  # noqa: F403  # the model's public names are the package's own
from sim.model import __all__ as _model_all

if TYPE_CHECKING:
    from sim.shot.result import Event, Result, Shots
    from sim.shot.simulator import simulate, simulate_many

__version__ = "0.1.0"

# Loaded on first use (PEP 562): they bring the compiler, which a table or a layout does not need.
_LATER = {
    "simulate": "sim.shot.simulator",
    "simulate_many": "sim.shot.simulator",
    "Result": "sim.shot.result",
    "Shots": "sim.shot.result",
    "Event": "sim.shot.result",
}

# Packages loaded on first use; the laboratory brings pandas.
_PACKAGES = ("experiments", "game", "shot")

__all__ = [  # noqa: PLE0604  # _model_all is a list of strings
    *_model_all,
    "Event",
    "Result",
    "Shots",
    "simulate",
    "simulate_many",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        value = getattr(import_module(_LATER[name]), name)
        globals()[name] = value
        return value
    if name in _PACKAGES:
        from importlib import import_module

        return import_module(f"sim.{name}")
    raise AttributeError(f"module 'sim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_PACKAGES})
