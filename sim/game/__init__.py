"""From a simulated shot to a match: what the referee sees, where balls go, whose turn it is."""

from sim.game.frozen import FROZEN_GAP, cushion_gap, frozen_to_cue, frozen_to_cushion
from sim.game.placement import can_place, default_cue_place, place_cue, placement, spot
from sim.game.witness import LEAVES_GAP, SAME_INSTANT_S, TOUCHING_GAP, witness

__all__ = [
    "FROZEN_GAP",
    "LEAVES_GAP",
    "SAME_INSTANT_S",
    "TOUCHING_GAP",
    "can_place",
    "cushion_gap",
    "default_cue_place",
    "frozen_to_cue",
    "frozen_to_cushion",
    "place_cue",
    "placement",
    "spot",
    "witness",
]
