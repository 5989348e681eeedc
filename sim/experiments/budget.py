"""Which error spoils a shot: the same shot with every error, with one alone, with none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sim.experiments.parameters import ExperimentError
from sim.experiments.sampling import Errors
from sim.experiments.stats import rate
from sim.experiments.sweeping import sweep

__all__ = ["Budget", "error_budget"]


@dataclass(frozen=True)
class Budget:
    """Shares of success by what goes wrong.

    Attributes:
        frame: a row for `none`, `aim`, `speed`, `tip` and `all`: value, low, high (95 %), n.
        errors: the player's errors.
    """

    frame: pd.DataFrame
    errors: Errors

    def plot(self, ax: Any = None) -> Any:
        """Bars of the share missed, with intervals; returns the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
        missed = 100.0 * (1.0 - self.frame["value"])
        over = 100.0 * np.abs(self.frame[["high", "low"]].sub(self.frame["value"], axis=0)).T
        names = {
            "none": "no error",
            "aim": f"aim alone\n({np.rad2deg(self.errors.aim):.2g} degrees)",
            "speed": f"speed alone\n({100 * self.errors.speed:.2g} %)",
            "tip": f"tip alone\n({self.errors.tip:.2g} radii)",
            "all": "all together",
        }
        colours = ["#9aa3a3", "#d6262b", "#f07f1a", "#1f4fbf", "#22282a"]
        bars = ax.bar([names[k] for k in self.frame.index], missed, color=colours)
        ax.errorbar(range(len(missed)), missed, yerr=over.to_numpy(), fmt="none", color="black")
        ax.bar_label(bars, fmt="%.1f %%", padding=4)
        ax.set(ylabel="shots missed (%)", xlabel="what goes wrong (standard deviation)")
        ax.set_ylim(0, 1.15 * float(missed.max()) + 1)
        return ax


def error_budget(
    scene: Any,
    errors: Errors,
    success: Callable[[pd.DataFrame], Any],
    n: int = 2000,
    seed: int = 0,
    parameters: Mapping[Any, Any] | None = None,
    **options: Any,
) -> Budget:
    """How often a shot succeeds with each error alone, and with all of them.

    Args:
        scene, parameters, options: as `sweep`.
        errors: of the player.
        success: from the frame of shots to a boolean column.
        n: shots for each row.
        seed: as `sweep`; every row draws the same numbers.

    Raises:
        ExperimentError: errors that are all zero, or a `success` that is no column of the frame's length.
    """
    if errors == Errors():
        raise ExperimentError("error_budget: got errors that are all zero, expected at least one")
    kinds = {"none": Errors(), "aim": errors.only("aim"), "speed": errors.only("speed")}
    kinds |= {"tip": errors.only("tip"), "all": errors}
    rows = {}
    for name, kind in kinds.items():
        frame = sweep(
            scene, parameters, n, seed, options.get("progress", False), errors=kind,
            **{k: v for k, v in options.items() if k != "progress"},
        ).shots  # fmt: skip
        good = success(frame)
        if np.shape(good) != (len(frame),):
            raise ExperimentError(
                f"success: got shape {np.shape(good)}, expected a value for each of {len(frame)} rows"
            )
        told = rate(pd.Series(np.asarray(good, dtype=bool)))
        rows[name] = {"value": told.value, "low": told.low, "high": told.high, "n": told.n}
    return Budget(pd.DataFrame.from_dict(rows, orient="index"), errors)
