"""An interactive explorer: sliders for the stroke, the shot drawn live (ipywidgets)."""

from __future__ import annotations

import math
from typing import Any

import ipywidgets as widgets

from sim.experiments.situation import Break, situation
from sim.model import Layout, Stroke, TenballError
from sim.model.rack import rack
from sim.shot.picture import describe, describe_layout, to_svg
from sim.shot.result import Result
from sim.shot.simulator import simulate

__all__ = ["Explorer", "explore"]


class Explorer:
    """Sliders and the shot they make. Shows itself in a notebook.

    Attributes:
        box: the widget.
        sliders: {name: slider}: speed, aim_deg or azimuth_deg, side, vertical, elevation_deg.
        automatic: checkbox; the least elevation that clears, instead of the slider's.
        result: of the shot shown; None where it could not be played.
    """

    def __init__(self, scene: Any, *, width: int = 720, **options: Any) -> None:
        self._fixed = situation(scene, **options)
        self._width = width
        self._layout = self._first_layout()
        stroke = self._fixed.stroke
        self._base = stroke.azimuth
        if self._fixed.aim_at is not None:
            line = self._layout[self._fixed.aim_at] - self._layout[0]
            self._base = math.atan2(line[1], line[0])
        lift = 0.0 if stroke.elevation is None else math.degrees(stroke.elevation)
        self.sliders = {
            "speed": _slider("speed (m/s)", stroke.speed, 0.1, 13.0, 0.1),
            "aim_deg": _slider("aim (degrees)", 0.0, -30.0, 30.0, 0.05),
            "side": _slider("side (radii)", stroke.side, -0.6, 0.6, 0.01),
            "vertical": _slider("vertical (radii)", stroke.vertical, -0.6, 0.6, 0.01),
            "elevation_deg": _slider("elevation (deg)", lift, 0.0, 85.0, 0.5),
        }
        self.automatic = widgets.Checkbox(
            value=stroke.elevation is None, description="least elevation that clears", indent=False
        )
        self.picture = widgets.HTML()
        self.words = widgets.HTML()
        self.result: Result | None = None
        for control in (*self.sliders.values(), self.automatic):
            control.observe(self._draw, names="value")
        controls = widgets.VBox([*self.sliders.values(), self.automatic, self.words])
        self.box = widgets.VBox([self.picture, controls])
        self._draw()

    def _first_layout(self) -> Layout:
        fixed = self._fixed
        if fixed.rack is None:
            return Layout(fixed.table, dict(fixed.places), ball_radius=fixed.materials.ball_radius)
        given: Break = fixed.rack
        seed = 0 if given.rack_seed is None else given.rack_seed
        return rack(fixed.table, seed, order=given.order, gap=given.gap, cue=given.cue)

    @property
    def stroke(self) -> Stroke:
        """What the sliders say.

        Raises:
            StrokeError: a tip offset beyond the ball.
        """
        value = {name: slider.value for name, slider in self.sliders.items()}
        return Stroke(
            value["speed"],
            self._base + math.radians(value["aim_deg"]),
            value["side"],
            value["vertical"],
            None if self.automatic.value else math.radians(value["elevation_deg"]),
        )

    def _draw(self, _change: Any = None) -> None:
        self.sliders["elevation_deg"].disabled = self.automatic.value
        fixed = self._fixed
        try:
            self.result = simulate(
                self._layout,
                self.stroke,
                materials=fixed.materials,
                stick=fixed.stick,
                cushion_model=fixed.cushion_model,
                clearance=fixed.clearance,
            )
        except TenballError as error:
            # The person at the sliders reads it, and moves on.
            self.result = None
            picture, words = describe_layout(self._layout), str(error)
        else:
            picture, words = describe(self.result), _words(self.result)
        self.picture.value = to_svg(picture, self._width, landscape=True)
        self.words.value = words

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.box._repr_mimebundle_(**options)


def _slider(text: str, value: float, low: float, high: float, step: float) -> Any:
    return widgets.FloatSlider(
        value=value,
        min=min(low, value),
        max=max(high, value),
        step=step,
        description=text,
        readout_format=".2f",
        style={"description_width": "8em"},
        layout={"width": "32em"},
    )


def _words(result: Result) -> str:
    balls = ", ".join(f"{ball} in {pocket}" for ball, pocket in result.pocketed.items())
    gone = ", ".join(map(str, sorted(result.off_table)))
    parts = [f"{result.duration:.2f} s", f"pocketed: {balls or 'none'}"]
    if gone:
        parts.append(f"off the table: {gone}")
    return "; ".join(parts)


def explore(scene: Any, *, width: int = 720, **options: Any) -> Explorer:
    """Sliders for the stroke of a scene; the shot is drawn as they move.

    Args:
        scene: as `sweep`; of a Break, the rack of its seed (0 without one).
        width: of the picture, px.
        options: materials, cushion_model, stick, clearance, aim_at: as `sweep`. The aim's slider turns
            the stroke off its own heading, or off the full hit on `aim_at`.
    """
    return Explorer(scene, width=width, **options)
