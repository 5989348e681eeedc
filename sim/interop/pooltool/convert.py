"""Tables, materials, layouts, strokes and motions to and from pooltool's values.

pooltool's frame is this project's: x across the table, y from the head to the foot, metres. Its angles are
degrees and its side offset is positive to the left. It is planar: heights, drafts and rail tops have no
counterpart, and a table made from one of its tables has this project's defaults for them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.interop.pooltool.library import InteropError, load
from sim.model import (
    POCKETS,
    FrictionLaw,
    Layout,
    Materials,
    Motion,
    Stick,
    Stroke,
    Table,
    TableSpec,
)

__all__ = [
    "CUSHION_MODELS",
    "ball_name",
    "from_layout",
    "from_materials",
    "from_stroke",
    "from_table",
    "to_engine",
    "to_layout",
    "to_materials",
    "to_stroke",
    "to_table",
]

CUSHION_MODELS = ("stronge", "mathavan2010", "han2005")
# The same measures under the same names, but for the unit in ours.
_SAME = (
    "l", "w", "cushion_width", "cushion_height",
    "corner_pocket_width", "corner_pocket_depth", "corner_pocket_radius", "corner_jaw_radius",
    "side_pocket_width", "side_pocket_depth", "side_pocket_radius", "side_jaw_radius",
)  # fmt: skip
_ANGLES = (
    ("corner_pocket_angle", "corner_pocket_angle_deg"),
    ("side_pocket_angle", "side_pocket_angle_deg"),
)
POCKET_IDS = dict(zip(("lb", "rb", "lc", "rc", "lt", "rt"), POCKETS, strict=True))
CUSHION_IDS = {
    "18": "head", "9": "foot", "3": "left_head", "6": "left_foot",
    "15": "right_head", "12": "right_foot",
}  # fmt: skip


def ball_name(ball: int) -> str:
    """pooltool's id of a ball: "cue", or its number."""
    return "cue" if ball == 0 else str(ball)


def _ball_number(name: str) -> int:
    if name == "cue":
        return 0
    if name.isdecimal() and 1 <= int(name) <= 10:
        return int(name)
    raise InteropError(f'pooltool ball: got {name!r}, expected "cue" or "1" to "10"')


def from_table(table: Table) -> Any:
    """A pooltool Table of these measures."""
    pt = load()
    spec = table.spec
    measures = {name: getattr(spec, name) for name in _SAME}
    measures |= {theirs: getattr(spec, ours) for theirs, ours in _ANGLES}
    return pt.Table.from_table_specs(pt.objects.PocketTableSpecs(**measures))


def to_table(table: Any) -> Table:
    """The Table of a pooltool pocket table; what pooltool does not know has its default.

    Raises:
        InteropError: not a pocket table.
        TableError: measures that this project's table cannot have.
    """
    load()
    if hasattr(table, "cushion_segments"):
        measures = _measured(table)
    elif hasattr(table, "corner_pocket_width"):
        measures = {name: float(getattr(table, name)) for name in _SAME}
        measures |= {ours: float(getattr(table, theirs)) for theirs, ours in _ANGLES}
    else:
        raise InteropError(
            f"pooltool table: got {type(table).__name__}, expected PocketTableSpecs or a pocket table"
        )
    defaults = TableSpec()
    measures["rail_top"] = max(defaults.rail_top, measures["cushion_height"])
    measures["rail_width"] = max(defaults.rail_width, 1.5 * measures["cushion_width"])
    return Table.from_spec(TableSpec(**measures))


def _measured(table: Any) -> dict[str, float]:
    """The measures behind the geometry of a pooltool Table, which does not keep them (to 1e-12)."""
    try:
        pockets, lines = table.pockets, table.cushion_segments.linear
        arcs = table.cushion_segments.circular
        corner, side = pockets["lb"], pockets["lc"]
        corner_facing, side_facing = lines["2"], lines["4"]
        corner_jaw, side_jaw = float(arcs["2t"].radius), float(arcs["4t"].radius)
    except KeyError as error:
        raise InteropError(
            f"pooltool table: got one without {error.args[0]!r}, expected a table with six pockets"
        ) from None
    cushion = -float(corner_facing.p1[0])
    # The facing of a corner runs at 45 degrees plus its angle.
    dx, dy = (float(v) for v in (corner_facing.p2 - corner_facing.p1)[:2])
    corner_mouth = float(corner_facing.p1[1]) + cushion * dy / dx
    # Where the facing of a side pocket ends on its jaw: radius (1 - sin angle) behind the nose.
    sine = 1.0 + float(side_facing.p2[0]) / side_jaw
    side_mouth = float(table.l) - 2.0 * (float(side_facing.p1[1]) - cushion * sine)
    found = {
        "l": float(table.l),
        "w": float(table.w),
        "cushion_width": cushion,
        "cushion_height": float(side_facing.height),
        "corner_pocket_width": corner_mouth * math.sqrt(2.0),
        "corner_pocket_angle_deg": math.degrees(math.atan2(dy, dx)) - 45.0,
        "corner_pocket_depth": -float(corner.center[0]) * math.sqrt(2.0),
        "corner_pocket_radius": float(corner.radius),
        "corner_jaw_radius": corner_jaw,
        "side_pocket_width": side_mouth,
        "side_pocket_angle_deg": math.degrees(math.asin(sine)),
        "side_pocket_depth": -float(side.center[0]),
        "side_pocket_radius": float(side.radius),
        "side_jaw_radius": side_jaw,
    }
    return {name: round(value, 12) for name, value in found.items()}


def from_materials(materials: Materials) -> dict[str, float]:
    """The keyword arguments of pooltool's BallParams.

    pooltool knows one restitution of the cushion; without one in the materials it is pooltool's 0.85.

    Raises:
        InteropError: a friction of zero, which pooltool refuses.
    """
    m = materials
    for name in ("mu_slide", "mu_roll", "spin_decay", "mu_cushion"):
        if getattr(m, name) <= 0.0:
            raise InteropError(f"materials {name}: got 0, expected more than 0 for pooltool")
    return {
        "m": m.ball_mass,
        "R": m.ball_radius,
        "u_s": m.mu_slide,
        "u_r": m.mu_roll,
        # Its side spin decays at 5 u_sp g / (2 R), u_sp being this times R.
        "u_sp_proportionality": 0.4 * m.spin_decay / m.g,
        "e_b": m.e_ball,
        "e_c": 0.85 if m.e_cushion is None else m.e_cushion,
        "f_c": m.mu_cushion,
        "g": m.g,
    }


def to_materials(params: Any, friction: Any = None) -> Materials:
    """Materials of a pooltool BallParams; `friction` is its ball-ball friction strategy.

    Without `friction` the law is pooltool's default (Alciatore's fit). What pooltool does not know has its
    default.
    """
    law: FrictionLaw | float = FrictionLaw()
    if friction is not None:
        if hasattr(friction, "c"):
            law = FrictionLaw(friction.a, friction.b, friction.c)
        else:
            law = float(params.u_b)
    return Materials(
        ball_radius=params.R,
        ball_mass=params.m,
        g=params.g,
        mu_slide=params.u_s,
        mu_roll=params.u_r,
        spin_decay=2.5 * params.u_sp_proportionality * params.g,
        e_ball=params.e_b,
        mu_ball=law,
        e_cushion=params.e_c,
        mu_cushion=params.f_c,
    )


def to_engine(materials: Materials, cushion_model: str = "stronge") -> Any:
    """A pooltool PhysicsEngine with every model named, so that no file decides.

    Args:
        materials: for the friction law ball on ball.
        cushion_model: "stronge" (pooltool's own default), "mathavan2010" or "han2005".

    Raises:
        InteropError: unknown cushion model.
    """
    load()
    from pooltool.physics.engine import PhysicsEngine
    from pooltool.physics.resolve.ball_ball.friction import AlciatoreBallBallFriction
    from pooltool.physics.resolve.ball_ball.frictional_inelastic import FrictionalInelastic
    from pooltool.physics.resolve.ball_cushion.han_2005.model import (
        Han2005Circular,
        Han2005Linear,
    )
    from pooltool.physics.resolve.ball_cushion.mathavan_2010.model import (
        Mathavan2010Circular,
        Mathavan2010Linear,
    )
    from pooltool.physics.resolve.ball_cushion.stronge_compliant.model import (
        StrongeCompliantCircular,
        StrongeCompliantLinear,
    )
    from pooltool.physics.resolve.ball_pocket import CanonicalBallPocket
    from pooltool.physics.resolve.resolver import Resolver
    from pooltool.physics.resolve.stick_ball.instantaneous_point import InstantaneousPoint
    from pooltool.physics.resolve.transition import CanonicalTransition

    if cushion_model == "stronge":
        linear: Any = StrongeCompliantLinear(omega_ratio=1.8)
        circular: Any = StrongeCompliantCircular(omega_ratio=1.8)
    elif cushion_model == "mathavan2010":
        linear, circular = Mathavan2010Linear(), Mathavan2010Circular()
    elif cushion_model == "han2005":
        linear, circular = Han2005Linear(), Han2005Circular()
    else:
        raise InteropError(
            f"pooltool cushion model: got {cushion_model!r}, expected one of {list(CUSHION_MODELS)}"
        )
    law = materials.friction_law
    return PhysicsEngine(
        resolver=Resolver(
            ball_ball=FrictionalInelastic(
                friction=AlciatoreBallBallFriction(a=law.a, b=law.b, c=law.c)
            ),
            ball_linear_cushion=linear,
            ball_circular_cushion=circular,
            ball_pocket=CanonicalBallPocket(),
            stick_ball=InstantaneousPoint(english_throttle=1.0, squirt_throttle=1.0),
            transition=CanonicalTransition(),
            version=9,
        )
    )


def from_stroke(stroke: Stroke, stick: Stick, materials: Materials) -> Any:
    """A pooltool Cue.

    Its tip is elastic, so its speed is set for the same ball speed on a centre hit: V (1 + e) / 2. An
    elevation of None is level here: pooltool's stick passes through cushions.
    """
    pt = load()
    e = materials.e_tip if stick.e_tip is None else stick.e_tip
    ratio = materials.end_mass_ratio if stick.end_mass_ratio is None else stick.end_mass_ratio
    specs = pt.objects.CueSpecs(
        M=stick.mass,
        length=stick.length,
        shaft_radius_at_tip=stick.tip_radius,
        shaft_radius_at_butt=stick.butt_radius,
        end_mass=materials.ball_mass / ratio,
    )
    return pt.Cue(
        V0=stroke.speed * (1 + e) / 2,
        phi=math.degrees(stroke.azimuth) % 360.0,
        theta=math.degrees(stroke.elevation or 0.0),
        a=-stroke.side,
        b=stroke.vertical,
        cue_ball_id="cue",
        specs=specs,
    )


def to_stroke(cue: Any, e_tip: float = Materials.e_tip) -> Stroke:
    """The stroke of a pooltool Cue; `e_tip` as in `from_stroke`, whose inverse this is.

    Raises:
        InteropError: a stick that strikes another ball than the cue ball.
        StrokeError: as Stroke.
    """
    if cue.cue_ball_id != "cue":
        raise InteropError(f'pooltool cue: got ball {cue.cue_ball_id!r}, expected "cue"')
    return Stroke(
        speed=cue.V0 * 2 / (1 + e_tip),
        azimuth=math.radians(cue.phi),
        side=-cue.a,
        vertical=cue.b,
        elevation=math.radians(cue.theta),
    )


def from_layout(
    layout: Layout,
    materials: Materials,
    *,
    stroke: Stroke | None = None,
    motions: Mapping[int, Motion] | None = None,
    stick: Stick | None = None,
) -> Any:
    """A pooltool System: the balls, the table, and the stick or the given motions.

    Raises:
        InteropError: balls off the bed or with a vertical motion (pooltool is planar); frictions of 0.
    """
    pt = load()
    if layout.ball_radius != materials.ball_radius:
        raise InteropError(
            f"ball radius: got {materials.ball_radius:g} in the materials, expected the layout's "
            f"{layout.ball_radius:g}"
        )
    params = from_materials(materials)
    balls = {}
    for ball in layout.balls:
        x, y, z = (float(v) for v in layout[ball])
        if abs(z - layout.ball_radius) > 1e-9:
            raise InteropError(f"ball {ball} z: got {z:g}, expected a ball on the bed for pooltool")
        balls[ball_name(ball)] = pt.Ball.create(ball_name(ball), xy=(x, y), **params)
    for ball, motion in (motions or {}).items():
        if ball not in layout:
            raise InteropError(f"motions: ball {ball!r} is not in the layout")
        if motion.velocity[2] != 0.0:
            raise InteropError(
                f"motion of ball {ball}: got {motion.velocity[2]:g} m/s upward, expected 0 for "
                f"pooltool"
            )
        state = balls[ball_name(ball)].state
        state.rvw[1] = motion.velocity
        state.rvw[2] = motion.spin
        state.s = _phase(motion, materials)
    if stroke is None:
        cue = pt.Cue(V0=0.0, cue_ball_id=next(iter(balls), "cue"))
    elif 0 not in layout:
        raise InteropError("stroke: the layout has no cue ball (id 0)")
    else:
        cue = from_stroke(stroke, stick or Stick(), materials)
    system = pt.System(cue=cue, table=from_table(layout.table), balls=balls)
    # Without a set its viewer shows eleven blank balls.
    system.set_ballset(pt.objects.BallSet("pooltool_pocket"))
    return system


def _phase(motion: Motion, materials: Materials) -> int:
    """pooltool's number of a state: 0 at rest, 1 spinning, 2 sliding, 3 rolling."""
    vx, vy, _ = motion.velocity
    wx, wy, wz = motion.spin
    r = materials.ball_radius
    if math.hypot(vx - r * wy, vy + r * wx) > 1e-10:
        return 2
    if math.hypot(vx, vy) > 1e-10:
        return 3
    return 1 if wz != 0.0 else 0


def to_layout(system: Any, *, table: Table | None = None) -> Layout:
    """Where the balls of a pooltool System are now; pocketed balls are left out.

    Args:
        system: the System.
        table: the table they lie on; None: made from the system's.

    Raises:
        InteropError: balls of other names or of different sizes.
        LayoutError: as Layout. pooltool leaves balls up to R - 27.5 mm nearer a nose than they can be
            here; those are moved out to contact.
    """
    table = to_table(system.table) if table is None else table
    sizes = {float(ball.params.R) for ball in system.balls.values()}
    if len(sizes) > 1:
        raise InteropError(f"pooltool balls: got radii {sorted(sizes)}, expected one")
    radius = sizes.pop() if sizes else Materials.ball_radius
    positions = {}
    for name, ball in system.balls.items():
        if ball.state.s != 4:
            positions[_ball_number(name)] = tuple(np.asarray(ball.state.rvw[0], float)[:2])
    return Layout(table, positions, ball_radius=radius)
