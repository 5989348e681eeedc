"""How fast the scene is drawn: `python -m tests.benchmarks.scene_speed [--look simple]`.

A break rolls at 1280 x 720 without a display, seen from each camera. Printed are frames a second,
and how much of a frame is our own Python (looking up the states, moving balls, stick and camera).
The aim on two cores without a GPU is 25 frames a second and 4 ms. Steady frames are meant: a driver
that draws in software compiles its shaders in the first frames of each view, so that every camera
looks along the shot before it is measured. CPU ms is the processor time of a frame over all threads,
which other programs do not change: on an idle machine of two cores a frame takes about half of it.
Without a window frames queue up in the driver's threads, so that the worst frame is one that waited
for several: the rate over many counts.
"""

from __future__ import annotations

import argparse
import math
from statistics import median
from time import perf_counter, process_time

import sim
from sim.model import BREAK_STICK, Table
from sim.play.camera import CAMERAS
from sim.play.playback import Playback
from sim.play.render import shot_pose, show_frame
from sim.play.scene import LOOKS, Scene
from sim.play.stage import Stage

SIZE = (1280, 720)
AIM_FPS, AIM_MS = 25.0, 4.0
WARM_UP = 12  # frames all along the shot


def main() -> int:
    """Print the figures; 1 when an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--look", choices=LOOKS, default="full")
    parser.add_argument("--seconds", type=float, default=4.0, help="of the shot, per camera")
    options = parser.parse_args()
    table = Table.wpa_9ft()
    layout = sim.rack(table, seed=7)
    to_apex = layout[1] - layout[0]
    stroke = sim.Stroke(9.0, math.atan2(to_apex[1], to_apex[0]))
    result = sim.simulate(layout, stroke, stick=BREAK_STICK)
    playback = Playback(result)
    stage = Stage("offscreen", SIZE, look=options.look)
    base = stage.base
    scene = Scene(
        base.render, base.cam, stage.output, base.graphicsEngine, table, look=options.look
    )
    print(f"{stage.renderer}, {SIZE[0]}x{SIZE[1]}, look {options.look}; steady frames, every camera "
          "warmed up")  # fmt: skip
    print(f"{'camera':<10}  {'frames/s':>8}  {'median ms':>9}  {'worst ms':>8}  "
          f"{'Python ms':>9}  {'CPU ms':>7}")  # fmt: skip
    missed = False
    for camera in CAMERAS:
        whole: list[float] = []
        ours: list[float] = []
        for k in range(WARM_UP):
            playback.seek(-0.1 + (options.seconds + 0.1) * k / (WARM_UP - 1))
            frame = playback.frame()
            show_frame(scene, playback, frame)
            scene.set_pose(shot_pose(camera, result, frame.rows, SIZE[0] / SIZE[1]))
            stage.frame()
        playback.seek(-0.1)
        cpu = process_time()
        while playback.time < min(options.seconds, result.duration):
            start = perf_counter()
            frame = playback.frame()
            show_frame(scene, playback, frame)
            scene.set_pose(shot_pose(camera, result, frame.rows, SIZE[0] / SIZE[1]))
            ours.append(perf_counter() - start)
            stage.frame()
            whole.append(perf_counter() - start)
            playback.advance(1 / 30)
        cpu = (process_time() - cpu) / len(whole)
        rate, python = len(whole) / sum(whole), median(ours) * 1e3
        missed |= rate < AIM_FPS or python > AIM_MS
        print(f"{camera:<10}  {rate:8.1f}  {median(whole) * 1e3:9.1f}  {max(whole) * 1e3:8.1f}  "
              f"{python:9.2f}  {cpu * 1e3:7.1f}")  # fmt: skip
    scene.close()
    stage.close()
    print(f"aim: at least {AIM_FPS:g} frames/s and at most {AIM_MS:g} ms: "
          f"{'missed' if missed else 'met'}")  # fmt: skip
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
