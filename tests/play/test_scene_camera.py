"""Cameras: where they look, how they move, what a point of the picture means."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.model import Table
from sim.model.errors import InputError
from sim.play.camera import (
    CAMERAS,
    CameraMan,
    Pose,
    Sight,
    camera_pose,
    check_camera,
    overhead,
)
from sim.play.stick_model import stick_line

TABLE = Table.wpa_9ft()
CORNERS = [(x, y, 0.0) for x in (-0.13, 1.40) for y in (-0.13, 2.67)]


@pytest.mark.parametrize("aspect", [16 / 9, 4 / 3, 1.0, 0.6])
@pytest.mark.parametrize("name", ["broadcast", "overhead"])
def test_the_whole_table_is_in_the_picture(name, aspect):
    pose = camera_pose(name, TABLE, aspect)
    for corner in CORNERS:
        place = pose.project(corner, aspect)
        assert place is not None
        assert max(abs(place[0]), abs(place[1])) <= 1.0


def test_overhead_has_the_head_on_the_left_and_is_not_mirrored():
    pose = overhead(TABLE, 16 / 9)
    head, foot = pose.project((0.6, 0, 0), 16 / 9), pose.project((0.6, 2.5, 0), 16 / 9)
    left, right = pose.project((0, 1.2, 0), 16 / 9), pose.project((1.2, 1.2, 0), 16 / 9)
    assert head[0] < foot[0]
    assert left[1] > right[1]


@pytest.mark.parametrize("name", CAMERAS)
def test_a_ray_goes_where_the_point_projects(name):
    pose = camera_pose(name, TABLE, 1.5, seen=Sight((0.4, 0.7, 0.028), 0.9))
    for x, y in ((0.0, 0.0), (0.5, -0.4), (-0.7, -0.6)):
        place = pose.ray(x, y, 1.5).at_height(0.0)
        assert place is not None
        back = pose.project((*place, 0.0), 1.5)
        assert back == pytest.approx((x, y), abs=1e-9)


def test_player_stands_behind_the_ball_and_looks_along_the_stroke():
    for azimuth in (0.0, 1.0, -2.5):
        pose = camera_pose("player", TABLE, 1.5, seen=Sight((0.6, 1.2, 0.0286), azimuth))
        ahead = np.array((math.cos(azimuth), math.sin(azimuth)))
        assert (np.array(pose.eye[:2]) - (0.6, 1.2)) @ ahead < -0.4
        _, forward, _ = pose.axes()
        assert forward[:2] @ ahead / np.hypot(*forward[:2]) == pytest.approx(1.0)


@pytest.mark.parametrize("degrees", range(0, 86))
def test_a_raised_stick_hides_nothing_of_the_players_view(degrees):
    """Found by looking: at 30 degrees the eye was inside the stick, which was not to be seen at all."""
    ball, raised = (0.6, 0.9, 0.0286), math.radians(degrees)
    pose = camera_pose("player", TABLE, 16 / 9, seen=Sight(ball, math.pi / 2, raised))
    tip, forward = stick_line(ball, 0.0286, math.pi / 2, raised, 0.0, 0.0, 0.03)
    along = np.linspace(0.0, 1.47, 200)[:, None]
    stick = np.array(tip) - along * np.array(forward)
    eye = np.array(pose.eye)
    assert np.linalg.norm(stick - eye, axis=1).min() > 0.09
    ways = stick - eye
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    for ahead in (0.3, 0.8, 1.5):
        place = np.array((ball[0], ball[1] + ahead, ball[2]))
        way = (place - eye) / np.linalg.norm(place - eye)
        assert math.degrees(math.acos((ways @ way).max())) > 3.0
        seen = pose.project(tuple(place), 16 / 9)
        assert abs(seen[0]) < 0.5
    # And the tip is in the picture.
    x, y = pose.project(tip, 16 / 9)
    assert abs(x) < 0.6
    assert -0.65 < y < 0.3


def test_an_unknown_camera_is_named():
    for ask in (lambda: camera_pose("drone", TABLE, 1.5), lambda: check_camera("drone")):
        with pytest.raises(InputError, match=r"camera: got 'drone', expected one of broadcast"):
            ask()


def test_the_way_does_not_depend_on_the_frame_rate():
    a, b = camera_pose("player", TABLE, 1.5), camera_pose("overhead", TABLE, 1.5)
    many, few = CameraMan(a), CameraMan(a)
    many.go(b)
    few.go(b)
    for _ in range(60):
        many.step(0.01)
    for _ in range(6):
        few.step(0.10)
    assert many.pose.eye == pytest.approx(few.pose.eye, abs=1e-6)


def test_it_arrives_and_never_passes_under_the_floor():
    for a in CAMERAS:
        for b in CAMERAS:
            man = CameraMan(camera_pose(a, TABLE, 1.5))
            goal = camera_pose(b, TABLE, 1.5)
            man.go(goal)
            for _ in range(400):
                pose = man.step(1 / 60)
                assert pose.eye[2] > 0.0
            assert man.pose == goal


def test_opposite_views_pass_round_the_table_not_through_it():
    man = CameraMan(Pose((0, -3, 1), (0, 0, 0)))
    man.go(Pose((0, 3, -1), (0, 0, 0)))
    for _ in range(100):
        assert np.linalg.norm(man.step(0.02).eye) > 2.9
