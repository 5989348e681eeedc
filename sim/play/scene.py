"""The scene: a table with balls and a stick in a dim room, seen by one camera.

A Scene is handed the node, the camera and the output it may use, and a table; it holds no game
state and
reads nothing but what it is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from panda3d.core import (
    AmbientLight,
    GraphicsEngine,
    GraphicsOutput,
    LMatrix4f,
    LVecBase4f,
    NodePath,
    PerspectiveLens,
    PointLight,
    Texture,
    TransparencyAttrib,
)

from sim.model.balls import BALLS
from sim.model.errors import InputError
from sim.model.layout import Layout
from sim.model.materials import Materials
from sim.model.stroke import PLAYING_STICK, Stick
from sim.model.table import POCKETS, Table
from sim.play.ball_models import BallModels
from sim.play.camera import Pose, Ray, broadcast
from sim.play.lighting import CLOTHS, Lamps, shader_constants
from sim.play.marks import Colour, Marks
from sim.play.mesh import Mesh, merge
from sim.play.room import floor_mesh, lamp_meshes, show_lamps, wall_mesh
from sim.play.shadows import ShadowMap
from sim.play.stick_model import StickModel, Vector, stick_line
from sim.play.table_mesh import build_table
from sim.play.upload import compile_shader, mesh_node, picture

__all__ = ["LOOKS", "Look", "Scene", "check_looks"]

Look = Literal["full", "simple"]
LOOKS: tuple[Look, ...] = ("full", "simple")


@dataclass(frozen=True)
class _Polish:
    """How a material looks: rgb times the texture and how much it mirrors seen straight on; how blurred the
    lamps are in it, metres at the lamp, and how bright."""

    tint: tuple[float, float, float, float]
    blur: float
    shine: float = 7.0


# Wood is lacquered, but the sights in it must be read through the lamps' reflection.
_WOOD = _Polish((1.0, 1.0, 1.0, 0.040), 0.09, 2.6)
_BODY = _Polish((2.2, 2.0, 1.9, 0.030), 0.08)
_CASTING = _Polish((0.055, 0.043, 0.032, 0.170), 0.42, 3.2)
_LINER = _Polish((0.018, 0.015, 0.014, 0.010), 0.30)
_SIGHT = _Polish((0.800, 0.740, 0.620, 0.050), 0.06, 2.6)
_SHADE = _Polish((0.010, 0.040, 0.028, 0.040), 0.05)


def check_looks(look: str, cloth: str) -> None:
    """Raise InputError unless there are such a look and such a cloth."""
    if look not in LOOKS:
        raise InputError(f"look: got {look!r}, expected one of {', '.join(LOOKS)}")
    if cloth not in CLOTHS:
        raise InputError(f"cloth: got {cloth!r}, expected one of {', '.join(CLOTHS)}")


class Scene:
    """A table to look at.

    Args:
        root: the node everything hangs under.
        camera: the camera's node; its lens is replaced.
        output: a window or buffer: shares its graphics context, gives the aspect.
        engine: what renders.
        table: whose meshes are built.
        look: `full` (shaders) or `simple` (fixed function, for weak machines).
        cloth: one of CLOTHS.
        ball_radius: m.

    Raises:
        InputError: an unknown look or cloth.
    """

    def __init__(
        self,
        root: NodePath,
        camera: NodePath,
        output: GraphicsOutput,
        engine: GraphicsEngine,
        table: Table,
        *,
        look: Look = "full",
        cloth: str = "blue",
        ball_radius: float = Materials.ball_radius,
    ) -> None:
        check_looks(look, cloth)
        self.table, self.look, self.ball_radius = table, look, ball_radius
        self.root = root.attach_new_node("scene")
        self.camera, self.output = camera, output
        self._lens = PerspectiveLens()
        self._lens.set_near_far(0.04, 25.0)
        camera.node().set_lens(self._lens)
        self.lamps = Lamps.over(table)
        self._places: dict[int, Vector] = {}
        self._shadows: ShadowMap | None = None
        self._white = Texture("white")
        self._white.setup_2d_texture(1, 1, Texture.T_unsigned_byte, Texture.F_rgb)
        self._white.set_clear_color((1, 1, 1, 1))
        if look == "full":
            constants = shader_constants(table, self.lamps, CLOTHS[cloth], ball_radius)
            self._shadows = ShadowMap(engine, output, table, constants)
            self.root.set_shader_input("shadow_map", self._shadows.texture)
            plain = compile_shader("plain.vert", "plain.frag", constants)
            self.balls = BallModels(
                self.root,
                ball_radius,
                constants=constants,
                shadow=self._shadows.texture,
                places=self._shadows.balls,
            )
        else:
            constants, plain = "", None
            self.balls = BallModels(self.root, ball_radius)
        self.stick = StickModel(self.root, PLAYING_STICK)
        self.marks = Marks(self.root, table, plain)
        self._ghost = self._make_ghost(plain)
        self._lamp_node = self._furnish(constants, plain, CLOTHS[cloth])
        if look == "simple":
            self._light()
        self.pose = broadcast(table, self.aspect)
        self.set_pose(self.pose)

    # --- building ---------------------------------------------------------------------------------

    def _furnish(self, constants: str, plain: Any, cloth: tuple[float, float, float]) -> NodePath:
        """Table, floor, walls and lamps."""
        meshes = build_table(self.table, self.ball_radius)
        full = self.look == "full"

        def add(
            name: str,
            mesh: Mesh,
            texture: Texture,
            program: str,
            material: _Polish | None = None,
        ) -> NodePath:
            node = mesh_node(name, mesh)
            node.reparent_to(self.root)
            node.set_texture(texture)
            if full:
                node.set_shader(shaders[program])
            if material is not None:
                self._polish(node, material)
            return node

        shaders = {}
        if full:
            for program in ("bed", "cloth", "gloss", "room"):
                shaders[program] = compile_shader("surface.vert", f"{program}.frag", constants)
        weave = picture("cloth")
        wood = picture("wood")
        bed = add("bed", meshes.bed, weave, "bed")
        cushions = add("cushions", merge(list(meshes.cushions)), weave, "cloth")
        if not full:
            for node in (bed, cushions):
                node.set_color_scale(*(min(1.0, 2.0 * c) for c in cloth), 1)
        add("rails", meshes.rails, wood, "gloss", _WOOD)
        add("castings", meshes.castings, self._white, "gloss", _CASTING)
        add("liners", meshes.liners, self._white, "gloss", _LINER)
        add("sights", meshes.sights, self._white, "gloss", _SIGHT)
        add("body", meshes.body, wood, "gloss", _BODY)
        floor = add("floor", floor_mesh(self.table), picture("floor"), "room")
        walls = add("walls", wall_mesh(self.table), picture("wall"), "room")
        floor.set_shader_input("glow", 0.0)
        walls.set_shader_input("glow", 1.0)
        self._stick_shader = compile_shader("stick.vert", "stick.frag", constants) if full else None
        self._dress_stick()
        shades, bright = lamp_meshes(self.lamps)
        lamp = self.root.attach_new_node("lamps")
        shade = add("shades", shades, self._white, "gloss", _SHADE)
        shade.set_two_sided(True)
        shade.reparent_to(lamp)
        opening = mesh_node("openings", bright, (1.0, 0.96, 0.86, 1.0))
        opening.set_texture(self._white)
        opening.set_light_off()
        if plain is not None:
            opening.set_shader(plain)
        opening.reparent_to(lamp)
        return lamp

    def _polish(self, node: NodePath, material: _Polish) -> None:
        if self.look == "full":
            node.set_shader_input("tint", LVecBase4f(*material.tint))
            node.set_shader_input("blur", material.blur)
            node.set_shader_input("shine", material.shine)
        else:
            node.set_color_scale(*(math.sqrt(c) for c in material.tint[:3]), 1)

    def _light(self) -> None:
        """Panda3D's own lights, for the simple look."""
        self.root.set_shader_off()
        room = AmbientLight("room")
        room.set_color((0.34, 0.33, 0.34, 1))
        self.root.set_light(self.root.attach_new_node(room))
        for place in self.lamps.places:
            light = PointLight("lamp")
            light.set_color((*(0.36 * c for c in self.lamps.colour), 1))
            node = self.root.attach_new_node(light)
            node.set_pos(*place)
            self.root.set_light(node)

    def _make_ghost(self, plain: Any) -> NodePath:
        from sim.play.ball_models import sphere

        ghost = mesh_node("ghost", sphere(self.ball_radius, 12, 24), (1.0, 1.0, 1.0, 1.0))
        if plain is not None:
            ghost.set_shader(plain)
        ghost.set_light_off()
        ghost.set_transparency(TransparencyAttrib.M_alpha)
        ghost.set_depth_write(False)
        ghost.set_color_scale(1, 1, 1, 0.28)
        ghost.reparent_to(self.root)
        ghost.hide()
        return ghost

    # --- showing ----------------------------------------------------------------------------------

    def show(
        self, rows: ArrayLike, balls: tuple[int, ...], present: ArrayLike | None = None
    ) -> None:
        """Show balls as a Result has them at one time.

        Args:
            rows: (B, 13), or (B, 7) with position and quaternion alone: a Result's states at one
                time.
            balls: the id of each row.
            present: (B,) which rows are to be seen; without it all.
        """
        table = np.asarray(rows, dtype=float)[:, :7].tolist()
        seen = [True] * len(balls) if present is None else np.asarray(present, dtype=bool).tolist()
        places: dict[int, Vector] = {}
        for ball, row, visible in zip(balls, table, seen, strict=True):
            if visible:
                self.balls.show(ball, *row)
                places[ball] = (row[0], row[1], row[2])
        for ball in BALLS:
            if ball in places:
                if self._shadows is not None:
                    self._shadows.set_ball(ball, *places[ball], self.ball_radius)
            else:
                self.balls.hide(ball)
                if self._shadows is not None:
                    self._shadows.set_ball(ball, 0.0, 0.0, 0.0, 0.0)
        self._places = places

    def show_layout(self, layout: Layout) -> None:
        """Show the balls of a layout, at rest and not turned."""
        balls = layout.balls
        rows = np.zeros((len(balls), 7))
        rows[:, 3] = 1.0
        for k, ball in enumerate(balls):
            rows[k, :3] = layout[ball]
        self.show(rows, balls)

    def take_stick(self, stick: Stick) -> None:
        """Draw this stick from now on; nothing is built if it is the one drawn."""
        if stick == self.stick.stick:
            return
        self.hide_stick()
        self.stick.node.remove_node()
        self.stick = StickModel(self.root, stick)
        self._dress_stick()

    def _dress_stick(self) -> None:
        self.stick.node.set_texture(self._white)
        if self._stick_shader is not None:
            self.stick.node.set_shader(self._stick_shader)

    def set_stick(self, tip: Vector, forward: Vector) -> None:
        """Show the stick with its tip's front at a point, pointing along a unit vector."""
        butt = self.stick.place(tip, forward)
        if self._shadows is not None:
            stick = self.stick.stick
            self._shadows.set_stick(tip, butt, (stick.tip_radius, stick.butt_radius))

    def aim_stick(
        self,
        centre: Vector,
        azimuth: float,
        elevation: float,
        *,
        side: float = 0.0,
        vertical: float = 0.0,
        gap: float = 0.03,
    ) -> None:
        """Show the stick as a stroke would hold it, drawn back by `gap` m from the ball at
        `centre`."""
        self.set_stick(
            *stick_line(centre, self.ball_radius, azimuth, elevation, side, vertical, gap)
        )

    def hide_stick(self) -> None:
        """Take the stick out of sight."""
        self.stick.hide()
        if self._shadows is not None:
            self._shadows.hide_stick()

    def show_ghost(self, place: Vector | None, colour: Colour = (1.0, 1.0, 1.0, 0.28)) -> None:
        """Show a see-through ball at a point, or none."""
        if place is None:
            self._ghost.hide()
            return
        self._ghost.set_pos(*place)
        self._ghost.set_color_scale(*colour)
        self._ghost.show()

    # --- looking ----------------------------------------------------------------------------------

    @property
    def aspect(self) -> float:
        """Width over height of the output."""
        return float(self.output.get_x_size() / max(self.output.get_y_size(), 1))

    def set_pose(self, pose: Pose, aspect: float | None = None) -> None:
        """Look from a pose."""
        ratio = self.aspect if aspect is None else aspect
        right, forward, up = (v.tolist() for v in pose.axes())
        self.camera.set_mat(
            self.root.get_parent(), LMatrix4f(*right, 0, *forward, 0, *up, 0, *pose.eye, 1)
        )
        across = 2 * math.atan(math.tan(pose.fov / 2) * ratio)
        self._lens.set_fov(math.degrees(across), math.degrees(pose.fov))
        show_lamps(self._lamp_node, self.lamps, pose.eye[2])
        self.pose = pose

    def ray(self, x: float, y: float) -> Ray:
        """The ray through a point of the picture, -1..1 from left to right and bottom to top."""
        return self.pose.ray(x, y, self.aspect)

    def pick_ball(self, x: float, y: float, slack: float = 1.0) -> int | None:
        """The ball seen at a point of the picture, or None.

        Args:
            slack: times the radius within which a miss still counts.
        """
        ray = self.ray(x, y)
        best: tuple[float, int] | None = None
        for ball, place in self._places.items():
            miss, along = ray.distance_to(place)
            if along > 0 and miss <= self.ball_radius * slack and (best is None or along < best[0]):
                best = (along, ball)
        return None if best is None else best[1]

    def pick_bed(self, x: float, y: float, height: float = 0.0) -> tuple[float, float] | None:
        """The (x, y) on the plane at a height under a point of the picture, m, or None above it."""
        return self.ray(x, y).at_height(height)

    def pick_pocket(self, x: float, y: float, slack: float = 1.5) -> str | None:
        """The pocket at a point of the picture, or None; `slack` times its radius counts."""
        place = self.pick_bed(x, y)
        if place is None:
            return None
        for mouth in self.table.geometry.pockets:
            if math.dist(place, mouth.centre) <= mouth.radius * slack:
                return POCKETS[mouth.pocket]
        return None

    def close(self) -> None:
        """Give everything back."""
        if self._shadows is not None:
            self._shadows.close()
            self._shadows = None
        # A light under the node it lights keeps that node alive: untie them first.
        self.root.clear_light()
        self.root.clear_shader_input("shadow_map")
        for node in self.root.find_all_matches("**/+GeomNode"):
            node.node().remove_all_geoms()
        self.root.remove_node()
