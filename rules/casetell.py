"""A ruling in lines, for a referee who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .notation import format_state

if TYPE_CHECKING:
    from .ruling import Ruling


def tell_ruling(ruling: Ruling) -> list[str]:
    """What was ruled, a line for each thing worth saying."""
    lines = [f"{ruling.article}: {ruling.explanation}"]
    lines += [
        f"foul by {foul.side}: {foul.code} ({foul.article}): {foul.explanation}"
        for foul in ruling.fouls
    ]
    if ruling.decision is not None:
        options = " or ".join(ruling.decision.options)
        lines.append(
            f"{ruling.decision.player} decides ({ruling.decision.article}): {options}; "
            f"{ruling.decision.reason}"
        )
    if ruling.winner is not None:
        lines.append(f"rack won by {ruling.winner}: {ruling.win_reason}")
    if ruling.loses_match is not None:
        lines.append(f"match lost by {ruling.loses_match}")
    lines.append(
        f"inning {ruling.inning}, next {ruling.next or 'nobody yet'}, "
        f"cue ball {ruling.cue_ball}, spotted {_balls(ruling.spotted)}, "
        f"on the table {_balls(ruling.on_table_after)}"
    )
    if ruling.warning_due:
        lines.append(f"warning due: {', '.join(ruling.warning_due)}")
    lines.append(f"state {format_state(ruling.state)}")
    return lines


def _balls(balls: tuple[int, ...]) -> str:
    return ", ".join(map(str, balls)) if balls else "none"
