"""The shot clock as a pure function of elapsed times (6.15). Off by default."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from .errors import RulesError

if TYPE_CHECKING:
    from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Clock:
    """How the clock stands: seconds allowed and left, whether to warn, whether it ran out."""

    allowed_s: float
    left_s: float
    warn: bool
    expired: bool


def read_clock(
    ruleset: Ruleset,
    elapsed_s: float,
    *,
    extended: bool = False,
    extensions_used_before: int = 0,
) -> Clock | None:
    """The clock `elapsed_s` after the shooter's time began; None if no clock is in use.

    `extended` says that an extension was called on this shot, `extensions_used_before` how many
    the side took on earlier shots of the rack. An expired clock is the infraction slow_play.

    Raises RulesError for a time that is no time, or an extension that is not left.
    """
    if not isfinite(elapsed_s) or elapsed_s < 0:
        raise RulesError(f"shot clock: got {elapsed_s!r} s, expected a time, 0 or more")
    if not ruleset.shot_clock:
        return None
    allowed = ruleset.shot_clock_s
    if extended:
        if extensions_used_before >= ruleset.shot_clock_extensions:
            raise RulesError(
                f"shot clock: got an extension after {extensions_used_before}, "
                f"expected at most {ruleset.shot_clock_extensions} in a rack"
            )
        allowed += ruleset.shot_clock_extension_s
    left = allowed - elapsed_s
    return Clock(allowed, max(left, 0.0), 0 <= left <= ruleset.shot_clock_warning_s, left < 0)
