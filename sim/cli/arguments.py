"""Types for argparse whose errors say what was got and what was expected."""

from __future__ import annotations

import argparse

from sim.model.checks import brief

__all__ = ["RULESET_HELP", "number", "whole"]

RULESET_HELP = (
    "lbm, wpa09 (default) or ten; with switches in quotes 'wpa09{three_point_break_rule=true}', "
    "which `tenball rules --switches` lists"
)


def number(text: str) -> float:
    """A number; whether it is finite and in range is for the model to say."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"got {brief(text)}, expected a number") from None


def whole(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"got {brief(text)}, expected a whole number") from None
