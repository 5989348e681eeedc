"""The scene drawn offscreen: what must be seen, memory, pictures on disk, errors in one line."""

from __future__ import annotations

import gc
import io
import os
import struct
import zlib

import numpy as np
import pytest
from panda3d.core import Camera, NodePath

import sim
from sim.cli.main import main
from sim.model import BALLS, BREAK_STICK, LOOKS, Layout, Table
from sim.model.errors import FileError, InputError
from sim.play import assets
from sim.play.camera import Pose, camera_pose, orbit
from sim.play.picture import Picture, gif_bytes, png_bytes
from sim.play.render import Studio, render_result
from sim.play.scene import Scene
from sim.play.shots import load_shots
from sim.play.size import parse_size
from sim.play.table_frame import cloth_end
from sim.play.viewer import Viewer

TABLE = Table.wpa_9ft()
SHOT = """{"tenball_shot": 1, "table": "wpa_9ft",
 "layout": {"0": [0.635, 0.635], "1": [0.635, 1.905], "9": [0.2, 2.3]},
 "stroke": {"speed": 4.0, "azimuth": 1.52, "side": 0.3}}"""


@pytest.fixture(scope="module")
def result():
    layout = Layout(TABLE, {0: (0.635, 0.635), 1: (0.635, 1.5), 9: (0.3, 2.2), 10: (1.0, 1.9)})
    return sim.simulate(layout, sim.Stroke(4.0, np.pi / 2, side=0.2))


@pytest.fixture
def shot_file(tmp_path):
    path = tmp_path / "shot.json"
    path.write_text(SHOT, encoding="utf-8")
    return str(path)


@pytest.fixture
def studio(stage, result):
    made = Studio(stage, result, (320, 180), smooth=False)
    yield made
    made.close()


def _at(studio, point):
    x, y = studio.scene.pose.project(point, studio.aspect)
    return round((x + 1) / 2 * 319), round((1 - y) / 2 * 179)


def test_a_picture_shows_blue_cloth_dark_room_and_every_ball_in_its_colour(studio):
    balls = {b: (0.20 + 0.085 * b, 1.27) for b in BALLS}
    studio.scene.show_layout(Layout(TABLE, balls))
    studio.scene.hide_stick()
    studio.scene.set_pose(orbit((0.635, 1.27, 0.0), np.pi / 2, 1.2, 1.1), studio.aspect)
    pixels = studio.draw().astype(float)
    i, j = _at(studio, (0.635, 1.45, 0.0))
    r, g, b = pixels[j - 2 : j + 3, i - 2 : i + 3].mean(axis=(0, 1))
    assert b > 1.3 * g > 2 * r
    for ball, (x, y) in balls.items():
        i, j = _at(studio, (x, y, 0.0286))
        patch = pixels[j - 6 : j + 7, i - 6 : i + 7].reshape(-1, 3)
        want = np.array([int(LOOKS[ball].colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=float)
        hue = want / np.linalg.norm(want)
        nearest = (patch @ hue / np.maximum(np.linalg.norm(patch, axis=1), 1)).max()
        assert nearest > 0.93, ball


def test_there_is_a_contact_shadow_under_a_ball_and_none_without_it(studio):
    scene = studio.scene
    scene.hide_stick()
    scene.set_pose(camera_pose("overhead", TABLE, studio.aspect), studio.aspect)
    scene.show_layout(Layout(TABLE, {0: (0.635, 0.5)}))
    bare = studio.draw().astype(float)
    scene.show_layout(Layout(TABLE, {0: (0.635, 0.5), 1: (0.635, 1.27)}))
    with_ball = studio.draw().astype(float)
    ring = [_at(studio, (0.635 + 0.036 * c, 1.27 + 0.036 * s, 0.0)) for c, s in
            ((1, 0), (-1, 0), (0, 1), (0, -1))]  # fmt: skip
    dark = np.mean([with_ball[j, i].sum() / bare[j, i].sum() for i, j in ring])
    assert dark < 0.85
    i, j = _at(studio, (0.25, 0.8, 0.0))
    assert with_ball[j, i].sum() == pytest.approx(bare[j, i].sum(), rel=0.02)


def test_a_ball_in_a_pocket_is_hidden_by_the_cloth_from_the_side(studio):
    scene = studio.scene
    mouth = TABLE.geometry.pockets[4]
    rows = np.zeros((1, 13))
    rows[0, 3] = 1
    scene.hide_stick()
    scene.set_pose(orbit((0.1, 2.4, 0.0), np.radians(135), np.radians(12), 0.8), studio.aspect)
    rows[0, :3] = (*mouth.centre, -0.07)
    scene.show(rows, (3,))
    below = studio.draw().astype(int)
    scene.show(rows, (3,), [False])
    gone = studio.draw().astype(int)
    assert np.abs(below - gone).sum(axis=2).max() < 60


def test_a_ball_that_sinks_into_a_pocket_leaves_the_light(studio):
    scene = studio.scene
    mouth = TABLE.geometry.pockets[2]
    rows = np.zeros((1, 13))
    rows[0, 3] = 1
    scene.hide_stick()

    def brightest(height):
        rows[0, :3] = (*mouth.centre, height)
        scene.set_pose(orbit((*mouth.centre, height), 0.0, np.radians(80), 0.4), studio.aspect)
        scene.show(rows, (0,))
        return studio.draw()[70:110, 140:180].mean()

    at_the_edge, half_way, deep = brightest(0.0286), brightest(-0.02), brightest(-0.06)
    assert deep < half_way < at_the_edge
    assert deep < 0.75 * at_the_edge


def test_a_sight_is_told_from_the_lamps_mirrored_in_the_wood(studio):
    scene = studio.scene
    scene.hide_stick()
    scene.show_layout(Layout(TABLE, {0: (0.635, 1.27)}))
    # Behind the head rail, where the middle lamps stand mirrored over its middle sight.
    scene.set_pose(camera_pose("broadcast", TABLE, studio.aspect), studio.aspect)
    depth = (cloth_end(TABLE) + TABLE.spec.rail_width) / 2
    sight = np.array((TABLE.width / 2, -depth))
    close = Pose(scene.pose.eye, (*sight, TABLE.spec.rail_top), fov=np.radians(8))
    scene.set_pose(close, studio.aspect)
    pixels = studio.draw().astype(float).mean(axis=2)
    i, j = _at(studio, (*sight, TABLE.spec.rail_top))
    inlay = pixels[j - 1 : j + 2, i - 1 : i + 2].mean()
    wood = np.delete(pixels[j - 8 : j + 18, i - 80 : i + 80], range(70, 90), axis=1)
    assert wood.max() > 90, "the lamps are not mirrored here: this test looks elsewhere"
    assert inlay > 1.6 * wood.max()


def test_balls_turn_with_their_quaternion(studio):
    scene = studio.scene
    rows = np.zeros((1, 13))
    rows[0, :4] = (0.635, 1.27, 0.0286, 1.0)
    scene.hide_stick()
    scene.set_pose(orbit((0.635, 1.27, 0.03), np.pi / 2, 0.6, 0.25), studio.aspect)
    scene.show(rows, (9,))
    first = studio.draw().astype(int)
    half = np.radians(70) / 2
    rows[0, 3:7] = (np.cos(half), np.sin(half), 0, 0)
    scene.show(rows, (9,))
    turned = studio.draw().astype(int)
    assert (np.abs(first - turned).sum(axis=2) > 60).mean() > 0.02
    quat = scene.balls.turned(9)
    # A whole turn later it looks as it did.
    rows[0, 3:7] = (1, 0, 0, 0)
    scene.show(rows, (9,))
    assert np.abs(studio.draw().astype(int) - first).max() == 0
    assert abs(quat.get_r()) <= 1


def test_the_stick_and_its_shadow_are_seen_and_hidden(studio):
    scene = studio.scene
    scene.show_layout(Layout(TABLE, {0: (0.635, 1.0)}))
    scene.set_pose(camera_pose("overhead", TABLE, studio.aspect), studio.aspect)
    scene.hide_stick()
    without = studio.draw().astype(int)
    scene.aim_stick((0.635, 1.0, 0.0286), np.pi / 2, 0.2)
    with_stick = studio.draw().astype(int)
    assert (np.abs(with_stick - without).sum(axis=2) > 40).sum() > 100
    scene.hide_stick()
    assert (studio.draw().astype(int) == without).all()


def test_picking(studio):
    scene = studio.scene
    scene.show_layout(Layout(TABLE, {0: (0.635, 1.0), 5: (0.635, 1.3)}))
    scene.set_pose(camera_pose("overhead", TABLE, scene.aspect))
    for ball, y in ((0, 1.0), (5, 1.3)):
        at = scene.pose.project((0.635, y, 0.0286), scene.aspect)
        assert scene.pick_ball(*at) == ball
    at = scene.pose.project((0.3, 0.7, 0.0), scene.aspect)
    assert scene.pick_ball(*at) is None
    assert scene.pick_bed(*at) == pytest.approx((0.3, 0.7))
    at = scene.pose.project((*TABLE.geometry.pockets[3].centre, 0.0), scene.aspect)
    assert scene.pick_pocket(*at) == "side_right"
    assert scene.pick_pocket(0.0, 0.0) is None


def test_marks_replace_and_clear(studio):
    marks = studio.scene.marks
    marks.path("aim", [(0.2, 0.2), (0.6, 0.9)], (1, 1, 1, 1))
    marks.path("aim", [(0.2, 0.2), (0.6, 0.8)], (1, 1, 1, 1), dashed=True)
    marks.ring("near", (0.5, 0.5), 0.04, (1, 1, 0, 1))
    marks.pocket("foot_left", (0, 1, 0, 1))
    studio.scene.show_ghost((0.5, 1.0, 0.0286))
    studio.draw()
    assert set(marks.names) == {"aim", "near", "pocket foot_left"}
    marks.pocket("foot_left", None)
    marks.path("aim", [], (1, 1, 1, 1))
    marks.clear()
    assert marks.names == ()


def _memory_mb() -> float | None:
    """What this process holds in memory, MB; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return None


def test_fifty_scenes_leave_memory_flat(stage):
    engine = stage.base.graphicsEngine
    layouts = [sim.rack(table, seed=1) for table in (TABLE, Table.wpa_7ft())]

    def once(k):
        root = NodePath("root")
        camera = root.attach_new_node(Camera("camera"))
        region = stage.output.make_display_region()
        region.set_camera(camera)
        layout, look = layouts[k % 2], ("simple", "full", "full")[k % 3]
        scene = Scene(root, camera, stage.output, engine, layout.table, look=look)
        scene.show_layout(layout)
        stage.frame()
        scene.close()
        stage.output.remove_display_region(region)
        root.remove_node()

    for k in range(12):
        once(k)
    gc.collect()
    outputs, objects, before = engine.get_num_windows(), len(gc.get_objects()), _memory_mb()
    for k in range(50):
        once(k)
    gc.collect()
    assert engine.get_num_windows() == outputs
    assert len(gc.get_objects()) - objects < 500
    after = _memory_mb()
    if before is not None and after is not None:
        # One leaked scene is more than 1 MB: fifty would be more than fifty.
        assert after - before < 25


def test_the_simple_look_needs_no_shader(stage, result):
    studio = Studio(stage, result, (320, 180), look="simple", smooth=False)
    try:
        studio.scene.show_layout(result.layout)
        pixels = studio.draw().astype(float)
    finally:
        studio.close()
    r, g, b = pixels[100:120, 150:170].mean(axis=(0, 1))
    assert b > g > r
    assert pixels.std() > 20


def test_render_result_is_a_png_a_notebook_can_show(stage, result):
    picture = render_result(result, at=0.2, camera="orbit", size=(96, 64), paths=True)
    data = picture._repr_png_()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (96, 64) == picture.size
    assert render_result(result, at=0.2, camera="orbit", size=(96, 64), paths=True).png() == data


def test_png_bytes_read_back(require):
    require("module:PIL")
    from PIL import Image

    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3)).astype(np.uint8)
    back = np.asarray(Image.open(io.BytesIO(png_bytes(pixels))))
    assert (back == pixels).all()
    assert zlib.crc32(b"IEND") == int.from_bytes(png_bytes(pixels)[-4:], "big")


def test_a_gif_has_its_frames(require):
    require("module:PIL")
    from PIL import Image

    shades = np.linspace(0, 255, 30).astype(np.uint8)[None, :, None].repeat(20, 0).repeat(3, 2)
    frames = (np.roll(shades, 3 * k, axis=1) for k in range(5))
    clip = Image.open(io.BytesIO(gif_bytes(frames, 20.0)))
    assert (clip.n_frames, clip.size, clip.info["duration"]) == (5, (30, 20), 50)


def test_a_picture_is_written_whole_or_not_at_all(tmp_path):
    picture = Picture(np.zeros((4, 4, 3), dtype=np.uint8))
    target = tmp_path / "a.png"
    picture.save(target)
    assert target.read_bytes() == picture.png()
    with pytest.raises(FileError):
        picture.save(tmp_path / "no" / "a.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.png"]


def test_the_command_draws_a_picture_and_a_clip(stage, shot_file, tmp_path, capsys):
    out = tmp_path / "a.png"
    assert main(["render", shot_file, "-o", str(out), "--at", "0.3", "--size", "96x54"]) == 0
    assert out.read_bytes()[:4] == b"\x89PNG"
    clip = tmp_path / "a.gif"
    args = ["--from", "0", "--to", "0.2", "--fps", "10", "--size", "64x36", "--camera", "follow"]
    assert main(["render", shot_file, "-o", str(clip), *args, "--paths"]) == 0
    assert clip.read_bytes()[:4] == b"GIF8"
    assert capsys.readouterr().out.split() == [str(out), str(clip)]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--camera", "drone"], "camera: got 'drone', expected one of broadcast"),
        (["--size", "huge"], "size: got 'huge', expected WIDTHxHEIGHT"),
        (["--size", "9x9"], "size: got '9x9', expected sides from 16"),
        (["--at", "nan"], "at (s): got nan"),
        (["--cloth", "pink"], "cloth: got 'pink', expected one of blue"),
        (["--look", "best"], "look: got 'best', expected one of full"),
        (["--shot", "4"], "shot: got 4, expected one of 1"),
        (["--from", "1"], "--from, --to: got them for a picture"),
        (["-o", "DIR/a.bmp"], "expected a name ending in .png, .gif, .mp4"),
        (["-o", "DIR/no/a.png"], "expected a folder that exists"),
        (["-o", "DIR/a.gif", "--at", "1"], "--at: got it for a clip"),
        (["-o", "DIR/a.gif", "--from", "2", "--to", "1"], "expected an end after its start"),
        (["-o", "DIR/a.gif", "--fps", "1000"], "fps: got 1000"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_no_file(
    args, says, stage, shot_file, tmp_path, capsys
):
    args = [a.replace("DIR", str(tmp_path)) for a in args]
    assert main(["render", shot_file, "-o", str(tmp_path / "a.png"), *args]) == 2
    error = capsys.readouterr().err
    assert says in error
    # Refused before the shot is played: nothing is said about compiling the engine.
    assert len(error.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["shot.json"]


def test_a_missing_file_is_one_line(tmp_path, capsys):
    assert main(["render", str(tmp_path / "no.json"), "-o", str(tmp_path / "a.png")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_a_display_replay_says_so(shot_file, monkeypatch):
    from sim.play.stage import StageError
    from sim.play.viewer import replay_match

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(StageError, match="got no display"):
        replay_match(shot_file)
    with pytest.raises(FileError, match="got shot 3, expected one of 1"):
        replay_match(shot_file, shot=3)


def test_the_viewer_plays_pauses_scrubs_and_changes_cameras(stage, shot_file):
    viewer = Viewer(stage, load_shots(shot_file) * 2)
    try:
        start = viewer.playback.time
        for _ in range(5):
            viewer.step(0.1)
        assert viewer.playback.time == pytest.approx(start + 0.5)
        viewer.toggle()
        viewer.step(0.1)
        assert viewer.playback.time == pytest.approx(start + 0.5)
        viewer.press(0.0, -0.86)
        middle = (viewer.playback.start + viewer.playback.end) / 2
        assert viewer.playback.time == pytest.approx(middle)
        viewer.drag(9.0, -0.86)
        assert viewer.playback.over
        viewer._release()
        viewer.press(0.0, 0.2)
        before = viewer.man.wanted
        viewer.drag(0.3, 0.1)
        viewer.step(0.1)
        assert viewer.man.wanted != before
        viewer.next_camera()
        assert viewer.camera == "player"
        viewer.slower()
        assert viewer.playback.speed == 0.5
        viewer.next_shot()
        assert viewer.index == 1
        assert viewer.playback.speed == 0.5
        viewer.next_shot()
        assert viewer.index == 1
        viewer.toggle_paths()
        viewer.step(0.1)
        assert any(n.startswith("path ") for n in viewer.scene.marks.names)
        stage.frame()
    finally:
        viewer.close()


def test_every_asset_is_found_and_small():
    folder = assets.folder()
    for name in ("Inter-Regular", "Inter-SemiBold", "Inter-Bold"):
        assert assets.font(name).is_file()
    for name in ("tip", "ball", "cushion", "pocket", "bed"):
        assert assets.sound(name).read_bytes()[:4] == b"RIFF"
    for name in ("numbers", "cloth", "wood", "floor", "wall", "soft"):
        assert assets.texture(name).is_file()
    assert (folder / "fonts" / "OFL.txt").read_text(encoding="utf-8").count("SIL OPEN FONT") == 1
    for path in folder.rglob("*"):
        if path.is_file():
            assert path.stat().st_size < 2 * 1024 * 1024, path
    with pytest.raises(FileError, match="asset sounds/gong"):
        assets.sound("gong")


def test_assets_are_found_in_a_wheel(tmp_path, monkeypatch):
    package = tmp_path / "sim" / "play"
    (package / "_assets" / "shaders").mkdir(parents=True)
    monkeypatch.setattr(assets, "__file__", str(package / "assets.py"))
    assert assets.folder() == package / "_assets"
    monkeypatch.setattr(assets, "__file__", str(tmp_path / "x" / "y" / "assets.py"))
    with pytest.raises(FileError, match="reinstall"):
        assets.folder()


def test_parse_size():
    assert parse_size("1280x720") == (1280, 720)
    for bad in ("1280", "0x0", "-5x9", "1e3x9", "99999x9", "\u0661x\u0662"):
        with pytest.raises(InputError):
            parse_size(bad)


def test_break_stick_is_drawn_as_long_as_it_is(stage, result):
    assert BREAK_STICK.length == pytest.approx(1.47)
    root = NodePath("root")
    camera = root.attach_new_node(Camera("camera"))
    scene = Scene(root, camera, stage.output, stage.base.graphicsEngine, TABLE)
    scene.take_stick(BREAK_STICK)
    scene.set_stick((0.5, 1.0, 0.03), (0.0, 1.0, 0.0))
    low, high = scene.stick.node.get_tight_bounds(root)
    assert high.y - low.y == pytest.approx(BREAK_STICK.length, abs=0.01)
    assert high.y == pytest.approx(1.0, abs=1e-4)
    scene.close()
