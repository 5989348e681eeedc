"""The match sheet: racks, innings, fouls, break statistics, potting percentages."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import rules
from sim.game.match import Match, ShotEntry

__all__ = ["RackLine", "SideLine", "Sheet", "format_sheet", "match_sheet", "sheet_csv"]


@dataclass(frozen=True)
class RackLine:
    """One rack: who broke it, how many shots it took, who won it and how (None: still open)."""

    number: int
    breaker: rules.Side
    shots: int
    winner: rules.Side | None
    reason: str


@dataclass(frozen=True)
class SideLine:
    """One side's figures.

    `calls` are shots with a call that counts, `made` those on which the called ball fell legally;
    `balls` are object balls that stayed down on its legal shots, breaks included. `break_balls`
    fell on its legal breaks; `dry_breaks` were legal and made none. `best_run` is the most called
    balls made in one inning.
    """

    side: rules.Side
    players: tuple[str, ...]
    racks: int
    innings: int
    shots: int
    calls: int
    made: int
    balls: int
    fouls: int
    safeties: int
    push_outs: int
    breaks: int
    break_fouls: int
    dry_breaks: int
    break_balls: int
    best_run: int

    @property
    def potting(self) -> float | None:
        """Called balls made, of calls, 0 to 1; None without a call."""
        return self.made / self.calls if self.calls else None


@dataclass(frozen=True)
class Sheet:
    """The sheet of a match."""

    ruleset: str
    race_to: int
    racks: tuple[RackLine, ...]
    sides: tuple[SideLine, SideLine]
    winner: rules.Side | None


def match_sheet(match: Match) -> Sheet:
    """The sheet of a match as it stands."""
    a, b = (_side_line(match, side) for side in rules.SIDES)
    numbers = sorted({entry.rack_number for entry in match.log})
    racks = tuple(_rack_line(match, number) for number in numbers)
    setup = match.setup
    name, race_to = ("", 0) if setup is None else (setup.ruleset, setup.race_to)
    return Sheet(name, race_to, racks, (a, b), match.winner)


def _rack_line(match: Match, number: int) -> RackLine:
    shots = [e for e in match.log if e.rack_number == number]
    first = shots[0].rack
    breaker: rules.Side = "A" if first is None else first.breaker
    ruling = shots[-1].facts.ruling or {}
    winner, reason = ruling.get("rack_winner"), str(ruling.get("win_reason") or "")
    winners = () if match.race is None else match.race.rack_winners
    if winner is None and len(winners) >= number:
        winner, reason = winners[number - 1], "conceded"
    return RackLine(number, breaker, sum(_struck(e) for e in shots), winner, reason)


def _struck(entry: ShotEntry) -> bool:
    return entry.stroke is not None


def _side_line(match: Match, side: rules.Side) -> SideLine:
    mine = [e for e in match.log if e.side == side and _struck(e)]
    breaks = [e for e in mine if e.rack is not None and e.rack.is_break]
    shots = [e for e in mine if e not in breaks]
    calls = [e for e in shots if e.declaration.counts and e.declaration.kind is rules.Kind.SHOT]
    legal_breaks = [e for e in breaks if not e.facts.fouls]
    return SideLine(
        side,
        (side,) if match.setup is None else match.setup.sides[side == "B"],
        match.score(side),
        match.innings[0 if side == "A" else 1],
        len(mine),
        len(calls),
        sum(_made(e) for e in calls),
        sum(len(_down(e)) for e in mine if not e.facts.fouls),
        _fouls(match, side),
        sum(e.declaration.kind is rules.Kind.SAFETY for e in shots),
        sum(e.declaration.kind is rules.Kind.PUSH_OUT for e in shots),
        len(breaks),
        len(breaks) - len(legal_breaks),
        sum(not _down(e) for e in legal_breaks),
        sum(len(_down(e)) for e in legal_breaks),
        _best_run(calls),
    )


def _made(entry: ShotEntry) -> bool:
    """Whether the called ball fell, legally, in the called pocket."""
    if entry.facts.fouls or entry.facts.ruling is None:
        return False
    return any(
        isinstance(seen, rules.Sighting)
        and seen.kind is rules.Sight.POCKETED
        and seen.ball == entry.declaration.ball
        and seen.place == entry.declaration.pocket
        for seen in entry.facts.record.sightings
    )


def _down(entry: ShotEntry) -> tuple[int, ...]:
    ruling = entry.facts.ruling or {}
    back = set(ruling.get("spotted", ()))
    return tuple(b for b in entry.facts.pocketed if b != 0 and b not in back)


def _fouls(match: Match, side: rules.Side) -> int:
    """Shots on which a foul of this side was enforced."""
    count = 0
    for entry in match.log:
        ruling = entry.facts.ruling or {}
        enforced = ruling.get("penalised")
        fouls = ruling.get("fouls", ())
        count += any(f["code"] == enforced and f["side"] == side for f in fouls)
    return count


def _best_run(calls: list[ShotEntry]) -> int:
    best, run, key = 0, 0, None
    for entry in calls:
        here = (entry.rack_number, entry.inning)
        run = run + 1 if here == key and _made(entry) else int(_made(entry))
        key = here
        best = max(best, run)
    return best


_ROWS = (
    ("racks", "racks won"),
    ("innings", "innings"),
    ("shots", "shots"),
    ("calls", "called shots"),
    ("made", "called balls made"),
    ("potting", "potting"),
    ("best_run", "best run"),
    ("balls", "balls down"),
    ("fouls", "fouls"),
    ("safeties", "safeties"),
    ("push_outs", "push-outs"),
    ("breaks", "breaks"),
    ("break_fouls", "fouls on the break"),
    ("dry_breaks", "dry breaks"),
    ("break_balls", "balls on the break"),
)


def _cell(line: SideLine, field: str) -> str:
    value = getattr(line, field)
    if field == "potting":
        return "-" if value is None else f"{100 * value:.0f} %"
    return str(value)


def format_sheet(sheet: Sheet) -> str:
    """The sheet as text."""
    names = [" & ".join(line.players) for line in sheet.sides]
    width = max(8, *(len(name) for name in names)) + 2
    lines = [f"Match sheet: {sheet.ruleset}, race to {sheet.race_to}", ""]
    lines.append(f"{'':20}" + "".join(f"{name:>{width}}" for name in names))
    lines += [
        f"{label:20}" + "".join(f"{_cell(line, field):>{width}}" for line in sheet.sides)
        for field, label in _ROWS
    ]
    lines += ["", "rack  breaks  shots  won by"]
    for rack in sheet.racks:
        side = {"A": names[0], "B": names[1]}
        won = "open" if rack.winner is None else f"{side[rack.winner]} ({_words(rack.reason)})"
        lines.append(f"{rack.number:4}  {side[rack.breaker]:6}  {rack.shots:5}  {won}")
    if sheet.winner is not None:
        lines += ["", f"{names[sheet.winner == 'B']} won the match."]
    return "\n".join(lines) + "\n"


def _words(reason: str) -> str:
    return reason.replace("_", " ")


def sheet_csv(match: Match) -> str:
    """Every shot as a row of comma-separated values, with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("shot", "rack", "side", "player", "inning", "kind", "ball", "pocket", "speed_m_s",
         "pocketed", "fouls", "penalised", "spotted", "inning_after", "rack_winner")
    )  # fmt: skip
    for e in match.log:
        ruling = e.facts.ruling or {}
        kind = "infraction" if e.stroke is None else str(e.declaration.kind)
        writer.writerow(
            (
                e.number,
                e.rack_number,
                e.side,
                e.player,
                e.inning,
                kind,
                e.declaration.ball or "",
                e.declaration.pocket or "",
                "" if e.stroke is None else e.stroke.speed,
                " ".join(map(str, e.facts.pocketed)),
                " ".join(e.facts.fouls),
                ruling.get("penalised") or "",
                " ".join(map(str, ruling.get("spotted", ()))),
                ruling.get("inning", ""),
                ruling.get("rack_winner") or "",
            )
        )
    return out.getvalue()
