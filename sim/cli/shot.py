"""`tenball break` and `tenball shot`: play one shot, print what happened and what the law says."""

from __future__ import annotations

import argparse
import io
import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import rules
from rules import notation
from sim.cli.arguments import RULESET_HELP, number, whole
from sim.cli.output import (
    engine_ready,
    event_lines,
    json_text,
    layout_data,
    layout_lines,
    result_data,
    ruling_lines,
)
from sim.model.checks import word
from sim.model.errors import FileError, MaterialsError
from sim.model.rack import ORDERS, rack
from sim.model.stroke import STICKS, Stroke
from sim.model.table import TABLES, Table
from sim.shot.disk import MAX_BYTES, decoded, write_whole
from sim.shot.files import Call, ShotFile, load_shot, parse_shot

if TYPE_CHECKING:
    from sim.game.facts import ShotFacts
    from sim.shot.result import Result

__all__ = ["add_parser", "break_defaults", "run_break", "run_shot"]

DEFAULT_RULESET = "wpa09"
CUSHION_HELP = "measured, mathavan2010 or han2005"  # said here: help loads no compiler


def add_parser(subparsers: Any) -> None:
    """Add the parsers of `break` and `shot`."""
    parser = subparsers.add_parser(
        "break",
        help="break a rack: events, ruling, the state after, a picture",
        description="Break a rack of ten balls: print every event, the ruling with its articles, "
        "and the state after. The same options give the same bytes.",
    )
    _add_break_options(parser)
    _add_outputs(parser)
    parser.set_defaults(run=run_break)
    parser = subparsers.add_parser(
        "shot",
        help="play the shot of a file: events, ruling, the state after, a picture",
        description="Play the shot of a file (JSON): print every event, the ruling with its "
        "articles, and the state after. The keys of the file: tenball_shot (1), table, layout "
        "{ball: [x, y]}, stroke {speed, azimuth, side, vertical, elevation} or motions, and as "
        "wanted materials, cushion_model, stick, call ({ball, pocket}, none, safety, push_out or "
        "break; without one nothing is called), ruleset, state. `tenball break --json` prints "
        "such a shot under the key shot.",
    )
    parser.add_argument("file", help="the shot file; - reads standard input")
    parser.add_argument(
        "--ruleset",
        help="rule under this one (as for `tenball break`) whatever the file says; a file that "
        "names none is played without a ruling",
    )
    parser.add_argument(
        "--cushion-model", metavar="MODEL",
        help=f"play with this one whatever the file says: {CUSHION_HELP}",
    )  # fmt: skip
    _add_outputs(parser)
    parser.set_defaults(run=run_shot)


def _add_break_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--seed", type=whole, default=0, help="of the balls' order and gaps (default 0)")
    add("--speed", type=number, default=9.0, help="of the stick, m/s (default 9)")
    add("--ruleset", default=DEFAULT_RULESET, help=RULESET_HELP)
    add("--table", default="wpa_9ft", help=f"one of {', '.join(TABLES)} (default wpa_9ft)")
    add("--order", help=f"of the rack, one of {', '.join(ORDERS)} (default: the ruleset's)")
    add("--gap", type=number, default=1e-4, help="largest gap in the rack, m (default 0.0001)")
    add("--cue", type=number, nargs=2, metavar=("X", "Y"), help="place of the cue ball, m")
    heading = parser.add_mutually_exclusive_group()
    heading.add_argument(
        "--azimuth", type=number, help="of the stick, rad (default: full at the 1)"
    )
    heading.add_argument("--azimuth-deg", type=number, help="the same in degrees")
    lift = parser.add_mutually_exclusive_group()
    lift.add_argument(
        "--elevation", type=number, help="of the butt, rad (default: the least that clears)"
    )
    lift.add_argument("--elevation-deg", type=number, help="the same in degrees")
    add("--side", type=number, default=0.0, help="tip offset to the right, ball radii (default 0)")
    add("--vertical", type=number, default=0.0, help="tip offset upwards, ball radii (default 0)")
    add("--stick", default="break", help=f"one of {', '.join(STICKS)} (default break)")
    add("--cushion-model", metavar="MODEL", help=f"{CUSHION_HELP} (default measured)")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print everything as data instead")
    parser.add_argument("--picture", metavar="FILE", help="write a picture of the shot as SVG")


def break_defaults(**changes: Any) -> argparse.Namespace:
    """The options of `tenball break` as if nothing had been given but `changes`."""
    parser = argparse.ArgumentParser()
    _add_break_options(parser)
    _add_outputs(parser)
    namespace = parser.parse_args([])
    vars(namespace).update(changes)
    return namespace


@dataclass(frozen=True)
class _Played:
    """A shot and everything there is to say about it."""

    shot: ShotFile
    result: Result
    state: rules.RackState | None
    declaration: rules.Declaration | None
    facts: ShotFacts | None


def run_break(options: argparse.Namespace) -> int:
    """`tenball break`."""
    ruleset = rules.ruleset(options.ruleset)
    table = Table.named(options.table)
    order = options.order or ("lbm" if ruleset.rear_corner_balls else "wpa")
    cue = None if options.cue is None else tuple(options.cue)
    layout = rack(table, options.seed, order=order, gap=options.gap, cue=cue)
    azimuth = options.azimuth
    if options.azimuth_deg is not None:
        azimuth = math.radians(options.azimuth_deg)
    if azimuth is None:
        to_apex = layout[1] - layout[0]
        azimuth = math.atan2(to_apex[1], to_apex[0])
    elevation = options.elevation
    if options.elevation_deg is not None:
        elevation = math.radians(options.elevation_deg)
    if options.stick not in STICKS:
        raise FileError(f"stick: got {options.stick!r}, expected one of {', '.join(STICKS)}")
    shot = ShotFile(
        layout=layout,
        stroke=Stroke(options.speed, azimuth, options.side, options.vertical, elevation),
        cushion_model=options.cushion_model,
        stick=STICKS[options.stick],
        call=Call("break"),
        ruleset=str(ruleset),
    )
    _report(_play(shot), options)
    return 0


def run_shot(options: argparse.Namespace) -> int:
    """`tenball shot`."""
    if options.file == "-":
        shot = parse_shot(_standard_input(), name="standard input")
    else:
        shot = load_shot(options.file)
    if options.ruleset is not None:
        shot = _under(shot, rules.ruleset(options.ruleset))
    if options.cushion_model is not None:
        shot = replace(shot, cushion_model=options.cushion_model)
    _report(_play(shot), options)
    return 0


def _standard_input() -> str:
    if isinstance(sys.stdin, io.TextIOWrapper):
        return decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    return sys.stdin.read(MAX_BYTES + 1)


def _under(shot: ShotFile, law: rules.Ruleset) -> ShotFile:
    """The shot under another ruleset, the state in the file included."""
    state = shot.state
    if state is not None:
        state = notation.format_state(replace(_read_state(state), ruleset=law))
    return replace(shot, ruleset=str(law), state=state)


def _read_state(text: str) -> rules.RackState:
    try:
        return notation.parse_state(text)
    except rules.RulesError as error:
        raise FileError(f"state: {error}") from None


# --- playing --------------------------------------------------------------------------------------


def _play(shot: ShotFile) -> _Played:
    """Simulate and rule. What the law refuses is refused before the stroke is played."""
    state = _state_before(shot)
    declaration = None
    if state is not None:
        declaration = _declaration(shot.call, state)
        rules.check_declaration(state, declaration)
    from sim.shot.packing import CUSHION_MODELS
    from sim.shot.simulator import simulate

    if shot.cushion_model is not None:  # before half a minute of compiling, too
        word(shot.cushion_model, "cushion model", MaterialsError, CUSHION_MODELS)
    keywords = {
        name: getattr(shot, name)
        for name in ("motions", "materials", "cushion_model", "stick")
        if getattr(shot, name) is not None
    }
    with engine_ready():
        result = simulate(shot.layout, shot.stroke, **keywords)
    if state is None or declaration is None:
        return _Played(shot, result, None, None, None)
    from sim.game.facts import shot_facts

    return _Played(shot, result, state, declaration, shot_facts(state, declaration, result))


def _state_before(shot: ShotFile) -> rules.RackState | None:
    """The rack before the shot: as the file says, else what its call and its balls imply."""
    lying = frozenset(shot.layout.balls) - {rules.CUE_BALL}
    if shot.state is not None:
        state = _read_state(shot.state)
        if shot.ruleset not in (None, state.ruleset.name):
            state = replace(state, ruleset=rules.ruleset(shot.ruleset or ""))
    elif shot.ruleset is None:
        return None
    elif shot.call is not None and shot.call.kind == "break":
        state = rules.new_rack(rules.ruleset(shot.ruleset), breaker="A")
    else:
        state = rules.RackState(
            rules.ruleset(shot.ruleset),
            breaker="A",
            shooter="A",
            shot_number=2,
            balls=lying,
            cue_ball=rules.CueBall.POSITION,
            push_out_available=shot.call is not None and shot.call.kind == "push_out",
        )
    if state.balls != lying:
        source = "the break" if state.is_break else "the state"
        raise FileError(
            f"layout: got the balls {sorted(lying)}, expected those of {source}, "
            f"{sorted(state.balls)}"
        )
    return state


def _declaration(call: Call | None, state: rules.RackState) -> rules.Declaration:
    if call is None:
        return rules.break_shot() if state.is_break else rules.no_call()
    if call.kind == "shot":
        if call.ball is None or call.pocket is None:
            return rules.no_call()
        return rules.call(call.ball, call.pocket)
    plain = {"safety": rules.safety, "push_out": rules.push_out, "break": rules.break_shot}
    return plain[call.kind]()


# --- telling --------------------------------------------------------------------------------------


def _report(played: _Played, options: argparse.Namespace) -> None:
    """Write the picture, then print: a picture that cannot be written leaves nothing behind."""
    text = json_text(_data(played)) if options.json else "\n".join(_lines(played)) + "\n"
    if options.picture:
        from sim.shot.picture import describe, to_svg

        write_whole(options.picture, to_svg(describe(played.result)))
        if not options.json:
            text += f"picture: {options.picture}\n"
    sys.stdout.write(text)


def _data(played: _Played) -> dict[str, Any]:
    """Everything as data. `state`, `declaration` and `record` are `rules.notation`, to be judged
    again; `shot` is a shot file, to be played again."""
    import json

    data: dict[str, Any] = {
        "shot": json.loads(played.shot.text()),
        "closed": list(played.shot.closed),
        **result_data(played.result),
    }
    if played.facts is not None and played.state is not None and played.declaration is not None:
        layout = played.facts.layout(played.shot.layout.table, played.shot.layout.ball_radius)
        data |= {
            "state": notation.format_state(played.state),
            "declaration": notation.format_declaration(played.declaration),
            "record": notation.format_record(played.facts.record),
            "ruling": played.facts.ruling,
            "state_after": None
            if played.facts.rack is None
            else notation.format_state(played.facts.rack),
            "layout_after": layout_data(layout),
        }
    return data


def _lines(played: _Played) -> list[str]:
    result, facts = played.result, played.facts
    lines = [*(f"closed on loading: {note}" for note in played.shot.closed)]
    lines += [_stroke_line(result, played.shot.cushion_model), "", *event_lines(result), ""]
    lines += [f"at rest after {result.duration:.3f} s", *layout_lines(result.final)]
    lines += [f"  ball {b}: pocketed, {p}" for b, p in sorted(result.pocketed.items())]
    lines += [f"  ball {b}: off the table" for b in sorted(result.off_table)]
    lines.append("")
    if facts is None or facts.ruling is None or played.state is None or played.declaration is None:
        lines.append("no ruling: no ruleset is named")
        return lines
    lines += [
        f"ruling under {played.state.ruleset}",
        *ruling_lines(facts.ruling),
        "",
        f"state before: {notation.format_state(played.state)}",
        f"declaration:  {notation.format_declaration(played.declaration)}",
        f"record:       {notation.format_record(facts.record)}",
    ]
    if facts.rack is not None:
        lines.append(f"state after:  {notation.format_state(facts.rack)}")
    after = facts.layout(played.shot.layout.table, played.shot.layout.ball_radius)
    lines += ["balls for the next stroke", *layout_lines(after)]
    return lines


def _stroke_line(result: Result, cushion_model: str | None) -> str:
    stroke = result.stroke
    cushions = "" if cushion_model is None else f", cushion model {cushion_model}"
    if stroke is None:
        return f"{result.table.name}, balls set going as given{cushions}"
    lift = "the least that clears" if stroke.elevation is None else f"{stroke.elevation:.4f} rad"
    return (
        f"{result.table.name}, stick at {stroke.speed:g} m/s, azimuth {stroke.azimuth:.4f} rad, "
        f"elevation {lift}, tip {stroke.side:g} right {stroke.vertical:g} up{cushions}"
    )
