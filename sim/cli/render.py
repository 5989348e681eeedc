"""`tenball render`: a shot drawn in 3D, as a picture or a clip, without a display."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sim.cli.arguments import number, whole
from sim.cli.output import engine_ready
from sim.model.errors import FileError, InputError

if TYPE_CHECKING:
    from sim.play.shots import Shot

__all__ = ["add_parser", "run", "run_render"]

# Written out so that `--help` does not load the graphics; sim.play says what is wrong with others.
_CAMERAS = "broadcast, player, overhead, orbit, follow"
_CLOTHS = "blue, green, red, grey"


def add_parser(subparsers: Any) -> None:
    """Add the parser of `render`."""
    parser = subparsers.add_parser(
        "render",
        help="draw a shot in 3D: a picture or a clip, without a display",
        description="Play the shot of a file and draw it in 3D, without a display: a picture "
        "(.png) at one moment, or a clip (.gif, .mp4). FILE is a shot file (see tenball shot) or a "
        "match (then --shot says which).",
    )
    add = parser.add_argument
    add("file", help="a shot file or a match")
    add("-o", "--output", required=True, metavar="FILE", help="ends in .png, .gif or .mp4")
    add("--shot", type=whole, help="number of the shot in a match (default: the last)")
    add("--at", type=number, help="the picture's moment, s after the impact (default: the end)")
    add("--from", dest="start", type=number, help="a clip's start, s (default: with the swing)")
    add("--to", dest="end", type=number, help="a clip's end, s (default: when all is at rest)")
    add("--fps", type=number, default=25.0, help="a clip's pictures a second (default 25)")
    add("--camera", default="broadcast", help=f"one of {_CAMERAS} (default broadcast)")
    add("--size", help="WIDTHxHEIGHT (default 1280x720, clips 640x360)")
    add("--paths", action="store_true", help="draw the ways of the balls")
    add("--look", default="full", help="full, or simple for weak machines (default full)")
    add("--cloth", default="blue", help=f"one of {_CLOTHS} (default blue)")
    parser.set_defaults(run=run_render)


def _pick(shots: list[Shot], wanted: int | None) -> Shot:
    """The shot with a number, or the last."""
    if wanted is None:
        return shots[-1]
    numbers = [shot.number for shot in shots]
    if wanted not in numbers:
        some = ", ".join(map(str, numbers[:20])) + (" ..." if len(numbers) > 20 else "")
        raise FileError(f"shot: got {wanted}, expected one of {some}")
    return shots[numbers.index(wanted)]


def run_render(options: argparse.Namespace) -> int:
    """`tenball render`."""
    from sim.play.picture import check_target, gif_bytes, mp4_bytes
    from sim.play.shots import load_shots
    from sim.play.size import parse_size
    from sim.shot.disk import write_whole

    ending = check_target(options.output)
    default = "1280x720" if ending == ".png" else "640x360"
    size = parse_size(default if options.size is None else options.size)
    if ending == ".png" and (options.start is not None or options.end is not None):
        raise InputError("--from, --to: got them for a picture, expected --at (or a .gif)")
    if ending != ".png" and options.at is not None:
        raise InputError("--at: got it for a clip, expected --from and --to (or a .png)")
    from sim.play.render import check_request, clip_frames, render_result

    check_request(
        camera=options.camera,
        look=options.look,
        cloth=options.cloth,
        at=options.at,
        start=options.start,
        end=options.end,
        fps=options.fps,
    )
    shot = _pick(load_shots(options.file), options.shot)
    with engine_ready():
        result = shot.play()
    looks = {
        "camera": options.camera,
        "size": size,
        "paths": options.paths,
        "look": options.look,
        "cloth": options.cloth,
    }
    if ending == ".png":
        data = render_result(result, at=options.at, **looks).png()
    else:
        frames = clip_frames(result, start=options.start, end=options.end, fps=options.fps, **looks)
        data = (
            gif_bytes(frames, options.fps)
            if ending == ".gif"
            else mp4_bytes(frames, options.fps, size)
        )
    write_whole(options.output, data)
    print(options.output)
    return 0


run = run_render
