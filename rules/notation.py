"""One line of text for a rack state, for a record and for a declaration, both ways.

State, nine words::

    wpa09 B/A 5 3,4,6,8-10 position 0-2 B - -
    |     | | | |          |        |   | | '-- open: -, A?wrongful_pocket or A!conceded
    |     | | | |          |        |   | '-- push_out or -
    |     | | | |          |        |   '-- sides warned on two fouls: A, B, AB or -
    |     | | | |          |        '-- successive fouls of A and of B
    |     | | | |          '-- the cue ball
    |     | | | '-- object balls on the table, or none
    |     | | '-- number of the next stroke, 1 the break
    |     | '-- who broke
    |     '-- who is at the table
    '-- ruleset, with its switches if any differ: ten{break_order=winner;shot_clock=true}

Record, words in order, ``-`` if there is none::

    0x3  3x6          the cue ball touches the 3; the 3 touches the 6
    3:foot  3/foot    the 3 touches the foot cushion; a frozen 3 leaves it
    3=foot  3^foot_left             it runs along the rail top; it touches the pocket's jaws
    3>foot_left  3<foot_left        it goes into the pocket; it comes out
    3@foot_left                     it is pocketed
    3@foot_left*8  3@foot_left+4.5  held up by the 8 only; dropped 4.5 s after rest
    3!  3!lamp  3|    off the table; returned by the lamp; past the head string
    &0x8              ... at the same instant as the word before
    #touched_ball(A,8,accidental)  #unsportsmanlike(A,loss_of_rack)   a declared infraction
    called:after_next_shot          when the fouls were called
    frozen(3:foot)  kissing(3,8)    declared frozen to a cushion; to the cue ball
    no_stroke                       nothing was struck

Declaration, one word::

    3@foot_left  3@foot_left(unspoken,obvious)  none  safety  break
    push_out  push_out(unacknowledged)
"""

from __future__ import annotations

import re
from typing import Final

from .declaration import Declaration
from .errors import DeclarationRefused, NotationError, RulesError
from .notation_record import format_record, parse_record
from .notation_words import NONE, match, one_of, side_of, split_words
from .ruleset import Ruleset, ruleset
from .ruling import Decision
from .state import Counts, RackState
from .terms import Cause, CueBall, Kind, Side, WinReason

__all__ = [
    "format_declaration",
    "format_record",
    "format_state",
    "parse_declaration",
    "parse_record",
    "parse_state",
]

_STATE_WORDS: Final = 9


# State ---------------------------------------------------------------------------------------


def format_state(state: RackState) -> str:
    """A rack state as one line."""
    if state.decision is not None:
        status = f"{state.decision.player}?{state.decision.cause}"
    elif state.winner is not None:
        status = f"{state.winner}!{state.win_reason}"
    else:
        status = NONE
    return " ".join(
        (
            str(state.ruleset),
            f"{state.shooter}/{state.breaker}",
            str(state.shot_number),
            _format_balls(state.balls),
            str(state.cue_ball),
            f"{state.fouls.a}-{state.fouls.b}",
            "".join(sorted(state.warned)) or NONE,
            "push_out" if state.push_out_available else NONE,
            status,
        )
    )


def parse_state(text: str) -> RackState:
    """The rack state of a line. Raises NotationError with the column of the fault."""
    words = list(split_words(text))
    if len(words) != _STATE_WORDS:
        column = words[_STATE_WORDS][0] if len(words) > _STATE_WORDS else len(text) + 1
        raise NotationError(
            f"got {len(words)} words, expected {_STATE_WORDS}: ruleset, shooter/breaker, shot "
            "number, balls, cue ball, fouls, warned, push-out, open",
            column,
        )
    rules, sides, number, balls, cue_ball, fouls, warned, push_out, status = words
    pair = match(r"([AB])/([AB])", sides, "shooter/breaker such as A/B")
    counts = match(r"([0-3])-([0-3])", fouls, "fouls such as 0-2")
    variant = _parse_ruleset(*rules)
    decision, winner, reason = _parse_status(status, variant)
    try:
        return RackState(
            variant,
            side_of(pair[2]),
            side_of(pair[1]),
            int(match(r"[1-9][0-9]{0,5}", number, "a shot number")[0]),
            _parse_balls(*balls),
            CueBall(one_of(cue_ball, CueBall)),
            Counts(int(counts[1]), int(counts[2])),
            frozenset(
                side_of(side)
                for side in match(r"AB|A|B|-", warned, "A, B, AB or -")[0].replace("-", "")
            ),
            match(r"push_out|-", push_out, "push_out or -")[0] == "push_out",
            decision,
            winner,
            reason,
        )
    except NotationError:
        raise
    except RulesError as error:
        raise NotationError(str(error), 1) from error


def _parse_status(
    word: tuple[int, str], rules: Ruleset
) -> tuple[Decision | None, Side | None, WinReason | None]:
    column, text = word
    if text == NONE:
        return None, None, None
    found = re.fullmatch(r"([AB])([?!])(\w+)", text)
    if found is None:
        raise NotationError(f"got {text!r}, expected -, A?cause or A!reason", column)
    side, rest = side_of(found[1]), (column + 2, found[3])
    if found[2] == "?":
        return Decision.about(side, Cause(one_of(rest, Cause)), rules), None, None
    return None, side, WinReason(one_of(rest, WinReason))


def _parse_ruleset(column: int, text: str) -> Ruleset:
    found = re.fullmatch(r"(\w+)(?:\{([^{}]*)\})?", text)
    if found is None:
        raise NotationError(f"got {text!r}, expected a ruleset such as lbm", column)
    try:
        rules = ruleset(found[1])
    except RulesError as error:
        raise NotationError(str(error), column) from error
    if found[2] is None:
        return rules
    at = column + found.start(2)
    for change in found[2].split(";"):
        try:
            rules = rules.with_switch(change)
        except RulesError as error:
            raise NotationError(str(error), at) from error
        at += len(change) + 1
    return rules


def _format_balls(balls: frozenset[int]) -> str:
    runs: list[list[int]] = []
    for ball in sorted(balls):
        if runs and ball == runs[-1][-1] + 1:
            runs[-1].append(ball)
        else:
            runs.append([ball])
    parts = []
    for run in runs:
        parts += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(ball) for ball in run]
    return ",".join(parts) or "none"


def _parse_balls(column: int, text: str) -> frozenset[int]:
    if text == "none":
        return frozenset()
    found: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        low = int(ends[1]) if ends else 0
        high = int(ends[2] or low) if ends else 0
        if not 1 <= low <= high <= 10 or (found and low <= found[-1]):
            raise NotationError(
                f"got balls {text!r}, expected ascending object balls such as 3,4,6,8-10", column
            )
        found += range(low, high + 1)
    return frozenset(found)


# Declaration ---------------------------------------------------------------------------------


def format_declaration(declaration: Declaration) -> str:
    """A declaration as one word."""
    named = declaration.names_something
    flags = []
    if declaration.explicit != named:
        flags.append("unspoken" if named else "spoken")
    if declaration.obvious:
        flags.append("obvious")
    if declaration.on_request:
        flags.append("on_request")
    if not declaration.announced:
        flags.append("unannounced")
    if not declaration.acknowledged:
        flags.append("unacknowledged")
    text = "none" if declaration.kind is Kind.SHOT else str(declaration.kind)
    if named:
        balls = "+".join(map(str, declaration.balls)) or NONE
        call = f"{balls}@{declaration.pocket or NONE}"
        text = call if declaration.kind is Kind.SHOT else f"{text}:{call}"
    return f"{text}({','.join(flags)})" if flags else text


def parse_declaration(text: str) -> Declaration:
    """The declaration of a word. Raises NotationError with the column of the fault."""
    words = list(split_words(text))
    column = words[0][0] if words else 1
    found = None
    if len(words) == 1:
        found = re.fullmatch(
            r"(?:(none|break|safety|push_out)?:?)??(?:([0-9]+(?:\+[0-9]+)*|-)@(\w+|-))?"
            r"(?:\(([\w,]+)\))?",
            words[0][1],
        )
    if found is None or (found[1] is None and found[2] is None):
        raise NotationError(
            f"got {text!r}, expected one such as 3@foot_left, none, safety, push_out or break",
            column,
        )
    kind = Kind.SHOT if found[1] in (None, "none") else Kind(found[1])
    named = found[2] is not None and (found[2], found[3]) != (NONE, NONE)
    flags = set(found[4].split(",")) if found[4] else set()
    known = {"unspoken", "spoken", "obvious", "on_request", "unannounced", "unacknowledged"}
    if not flags <= known:
        raise NotationError(
            f"got {', '.join(sorted(flags - known))}, expected {', '.join(sorted(known))}",
            column + found.start(4),
        )
    balls: tuple[int, ...] = ()
    if named and found[2] != NONE:
        balls = tuple(map(int, found[2].split("+")))
    try:
        return Declaration(
            kind,
            balls,
            found[3] if named and found[3] != NONE else None,
            "spoken" in flags or (named and "unspoken" not in flags),
            "obvious" in flags,
            "on_request" in flags,
            "unannounced" not in flags,
            "unacknowledged" not in flags,
        )
    except DeclarationRefused as error:
        raise NotationError(str(error), column) from error
