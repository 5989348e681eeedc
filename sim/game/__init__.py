"""From a simulated shot to a match: what the referee sees, where balls go, whose turn it is.

    Result --witness--> ShotRecord --rules.adjudicate--> Ruling --placement--> next Layout

A match is a list of commands (`sim.game.commands`); `reduce` applies one, `Session` also asks the
engine and keeps the list on disk; `prompt` says who acts, what is needed and how.
"""

from sim.game import commands, effects
from sim.game.commands import Command
from sim.game.effects import Effect
from sim.game.errors import CommandRefused, JournalError
from sim.game.facts import LagFacts, ShotFacts, rule_shot, shot_facts
from sim.game.forms import command_form, command_of
from sim.game.frozen import FROZEN_GAP, cushion_gap, frozen_to_cue, frozen_to_cushion
from sim.game.journal import Journal, JournalText, read_journal
from sim.game.lag import judge_lag, lag_layout, play_lag
from sim.game.match import EMPTY, Game, Match, Phase, ShotEntry
from sim.game.obvious import obvious_call
from sim.game.placement import can_place, default_cue_place, place_cue, placement, spot
from sim.game.player import ScriptedPlayer, lag_command, play_turn, turn_start
from sim.game.prompt import Prompt, prompt
from sim.game.reducer import reduce
from sim.game.replay import Difference, replay_check, rulings_check, verdicts
from sim.game.session import Session, engine
from sim.game.setup import Setup
from sim.game.sheet import Sheet, format_sheet, match_sheet, sheet_csv
from sim.game.shotfile import practice_commands, shot_file
from sim.game.witness import LEAVES_GAP, SAME_INSTANT_S, TOUCHING_GAP, witness

__all__ = [
    "EMPTY",
    "FROZEN_GAP",
    "LEAVES_GAP",
    "SAME_INSTANT_S",
    "TOUCHING_GAP",
    "Command",
    "CommandRefused",
    "Difference",
    "Effect",
    "Game",
    "Journal",
    "JournalError",
    "JournalText",
    "LagFacts",
    "Match",
    "Phase",
    "Prompt",
    "ScriptedPlayer",
    "Session",
    "Setup",
    "Sheet",
    "ShotEntry",
    "ShotFacts",
    "can_place",
    "command_form",
    "command_of",
    "commands",
    "cushion_gap",
    "default_cue_place",
    "effects",
    "engine",
    "format_sheet",
    "frozen_to_cue",
    "frozen_to_cushion",
    "judge_lag",
    "lag_command",
    "lag_layout",
    "match_sheet",
    "obvious_call",
    "place_cue",
    "placement",
    "play_lag",
    "play_turn",
    "practice_commands",
    "prompt",
    "read_journal",
    "reduce",
    "replay_check",
    "rule_shot",
    "rulings_check",
    "sheet_csv",
    "shot_facts",
    "shot_file",
    "spot",
    "turn_start",
    "verdicts",
    "witness",
]
