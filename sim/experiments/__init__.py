"""The laboratory: many shots as data frames, their statistics, pictures, and scale.

    from sim import experiments as lab
    run = lab.sweep(lab.Break(), {"speed": [7, 9, 11]}, n=1000, seed=1)
    run.shots.groupby("speed")["pocketed"].mean()

Needs the `lab` extra (pandas, pyarrow, scipy, matplotlib, tqdm, ipywidgets); dask is used where a
client is passed. Pictures are in `plots`, `animation` and `explorer`, loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    import pandas  # noqa: F401  # asked for here, so that a plain install says what is missing
    import pyarrow  # noqa: F401  # likewise
    import scipy  # noqa: F401  # likewise
    import tqdm  # noqa: F401  # likewise
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"sim.experiments: got no {error.name}, expected the lab extra; "
        'install it with: pip install "tenball[lab]"',
        name=error.name,
    ) from None

from sim.experiments.frames import EVENT_COLUMNS, events_frame
from sim.experiments.parameters import PARAMETERS, ExperimentError
from sim.experiments.plan import Plan
from sim.experiments.rulings import RULING_COLUMNS
from sim.experiments.sampling import Choice, Distribution, Errors, Normal, Uniform
from sim.experiments.scale import WorkersLost
from sim.experiments.situation import Break
from sim.experiments.stats import Mean, Rate, mean, rate, sample, wilson
from sim.experiments.store import describe_file, iter_shots, read_events
from sim.experiments.store import read_shots as read
from sim.experiments.sweeping import Run, SweepInterrupted, sweep

if TYPE_CHECKING:
    from sim.experiments import animation, explorer, plots
    from sim.experiments.animation import animate
    from sim.experiments.budget import error_budget
    from sim.experiments.explorer import explore

# Loaded on first use: they bring matplotlib and the widgets.
_LATER = {
    "animate": "sim.experiments.animation",
    "error_budget": "sim.experiments.budget",
    "explore": "sim.experiments.explorer",
}
_MODULES = ("animation", "explorer", "plots")

__all__ = [
    "Break",
    "Choice",
    "Distribution",
    "EVENT_COLUMNS",
    "Errors",
    "ExperimentError",
    "Mean",
    "Normal",
    "PARAMETERS",
    "Plan",
    "RULING_COLUMNS",
    "Rate",
    "Run",
    "SweepInterrupted",
    "Uniform",
    "WorkersLost",
    "animate",
    "animation",
    "describe_file",
    "error_budget",
    "events_frame",
    "explore",
    "explorer",
    "iter_shots",
    "mean",
    "plots",
    "rate",
    "read",
    "read_events",
    "sample",
    "sweep",
    "wilson",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"sim.experiments.{name}")
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'sim.experiments' has no attribute {name!r}")
