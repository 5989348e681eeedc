"""The one ShowBase of a process and the surface it draws on: a window, or pictures without a
display.

Nothing else opens a window or sets Panda3D's configuration. A Stage is passed to whoever needs it.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from panda3d.core import WindowProperties, load_prc_file_data

from sim.model.errors import EngineError
from sim.play.buffers import borrow

__all__ = ["Mode", "Stage", "StageError", "no_display"]

Mode = Literal["offscreen", "window"]


class StageError(EngineError):
    """This machine gave nothing to draw on."""


def _configuration(mode: Mode, size: tuple[int, int], look: str, title: str, sound: bool) -> str:
    lines = [
        f"win-size {size[0]} {size[1]}",
        f"window-title {title}",
        "background-color 0.016 0.014 0.013 1",
        "textures-power-2 none",
        "sync-video true",
        # Windows: pixels of the screen itself, not a small picture that the system enlarges.
        "dpi-aware true",
        "framebuffer-srgb false",
        "notify-level-device fatal",
        "print-pipe-types false",
        "audio-library-name p3openal_audio" if sound else "audio-library-name null",
    ]
    if mode == "offscreen":
        lines += ["window-type offscreen", "notify-level-egldisplay error"]
        if sys.platform.startswith("linux"):
            # EGL needs neither a display nor a window manager.
            lines.append("load-display p3headlessgl")
    if sys.platform == "darwin" and look == "full":
        lines.append("gl-version 3 2")
    return "\n".join(lines)


class Stage:
    """A ShowBase with its main output. One per process: close it before opening another.

    Args:
        mode: `offscreen` draws without a display; `window` opens one.
        size: of the output, pixels.
        look: `full` or `simple`; on macOS shaders need another kind of context.
        sound: whether Panda3D may open the sound card.

    Attributes:
        base: the ShowBase.
        output: the window or buffer.

    Raises:
        StageError: no display, no graphics driver, or a stage is open already.
    """

    def __init__(
        self,
        mode: Mode = "offscreen",
        size: tuple[int, int] = (1280, 720),
        *,
        look: str = "full",
        title: str = "tenball",
        sound: bool = False,
    ) -> None:
        if mode == "window" and no_display():
            raise StageError(
                "window: got no display (neither DISPLAY nor WAYLAND_DISPLAY is set), "
                "expected one; `tenball render` makes pictures without"
            )
        load_prc_file_data("tenball", _configuration(mode, size, look, title, sound))
        from direct.showbase.ShowBase import ShowBase  # it reads the configuration when imported

        try:
            self.base: Any = ShowBase(windowType="offscreen" if mode == "offscreen" else None)
        except Exception as error:  # ShowBase raises bare Exception when no output can be opened
            need = (
                "a graphics driver (Debian: apt-get install libegl1 libegl-mesa0 "
                "libgl1-mesa-dri libgl1)"
                if mode == "offscreen"
                else "a display that OpenGL can draw on"
            )
            raise StageError(f"{mode} output: got none ({error}), expected {need}") from error
        self.output: Any = self.base.win
        self.base.disable_mouse()
        self.mode = mode
        self._size = size

    @classmethod
    def around(cls, base: Any) -> Stage:
        """A stage for a ShowBase that somebody else opened and will close."""
        stage = cls.__new__(cls)
        stage.base, stage.output = base, base.win
        stage._size = (base.win.get_x_size(), base.win.get_y_size())
        stage.mode = "offscreen" if base.windowType == "offscreen" else "window"
        return stage

    @property
    def renderer(self) -> str:
        """The graphics driver's name."""
        return str(self.output.get_gsg().get_driver_renderer())

    @property
    def open(self) -> bool:
        """Whether there is still something to draw on: a window can be closed by its user."""
        if self.mode == "offscreen":
            return True
        return not self.output.is_closed() and bool(self.output.get_properties().open)

    @property
    def software(self) -> bool:
        """Whether pictures are drawn by the processor."""
        return any(name in self.renderer.lower() for name in ("llvmpipe", "softpipe", "swrast"))

    def fill_screen(self, full: bool) -> None:
        """Let the window fill the screen, at the screen's own resolution, or be as it was before."""
        if self.mode != "window":
            return
        pipe = self.base.pipe
        size = (pipe.get_display_width(), pipe.get_display_height()) if full else self._size
        if full:
            self._size = (self.output.get_x_size(), self.output.get_y_size())
        wanted = WindowProperties()
        wanted.set_fullscreen(full)
        if min(size) > 0:  # zero where the system does not tell
            wanted.set_size(*size)
        self.output.request_properties(wanted)

    def buffer(self, size: tuple[int, int]) -> Any:
        """A further output of any size whose frames `pixels` reads, opaque. Give it back with
        `sim.play.buffers.give_back`.

        Raises:
            StageError: the driver gave none.
        """
        engine = self.base.graphicsEngine
        made = borrow(engine, self.output, "picture", size, sort=10, depth=True, to_ram=True)
        if made is None:
            raise StageError(f"picture of {size[0]}x{size[1]}: the graphics driver gave no buffer")
        made.set_clear_color_active(True)
        made.set_clear_color((0.016, 0.014, 0.013, 1.0))
        return made

    def frame(self) -> None:
        """Draw one frame of every output."""
        self.base.graphicsEngine.render_frame()

    def pixels(self, buffer: Any) -> NDArray[np.uint8]:
        """(height, width, 3) bytes of the buffer's last frame, first row at the top."""
        texture = buffer.get_texture()
        data = texture.get_ram_image_as("RGB")
        if not data:
            raise StageError("picture: the graphics driver gave no pixels back")
        shape = (texture.get_y_size(), texture.get_x_size(), 3)
        return np.frombuffer(bytes(data), dtype=np.uint8).reshape(shape)[::-1]

    def close(self) -> None:
        """Give everything back; another stage may then be opened."""
        self.base.destroy()


def no_display() -> bool:
    """Whether this is a system with X or Wayland and neither is there."""
    return sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
