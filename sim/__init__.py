"""tenball: a physics-based 10-ball simulator."""

from sim.model import *  # noqa: F403  # the model's public names are the package's own
from sim.model import __all__ as _model_all

__version__ = "0.1.0"
__all__ = [*_model_all]
