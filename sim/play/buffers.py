"""Offscreen buffers, lent and taken back.

Panda3D 1.10 does not give all of a buffer's memory back when the buffer is removed, so those no
longer needed
wait, inactive, in the engine's own list for the next who wants one of their size.
"""

from __future__ import annotations

from panda3d.core import (
    FrameBufferProperties,
    GraphicsBuffer,
    GraphicsEngine,
    GraphicsOutput,
    GraphicsPipe,
    SamplerState,
    Texture,
    WindowProperties,
)

__all__ = ["borrow", "give_back"]


def borrow(
    engine: GraphicsEngine,
    host: GraphicsOutput,
    name: str,
    size: tuple[int, int],
    *,
    sort: int,
    depth: bool,
    to_ram: bool,
) -> GraphicsBuffer | None:
    """A buffer that draws into its one texture, sharing the host's graphics context.

    Args:
        name: buffers are lent again only under the name they were made with.
        size: pixels.
        sort: its place in the order of drawing.
        depth: whether it has a depth buffer.
        to_ram: whether each frame is copied where `Texture.get_ram_image` finds it.

    Returns:
        The buffer, active, without display regions; None when the driver gives none.
    """
    for k in range(engine.get_num_windows()):
        waiting = engine.get_window(k)
        if (
            waiting.get_name() == name
            and not waiting.is_active()
            and waiting.get_gsg() == host.get_gsg()
            and (waiting.get_x_size(), waiting.get_y_size()) == size
        ):
            waiting.set_active(True)
            return waiting
    want = FrameBufferProperties()
    want.set_rgba_bits(8, 8, 8, 8)
    if depth:
        want.set_depth_bits(24)
    made = engine.make_output(
        host.get_pipe(),
        name,
        sort,
        want,
        WindowProperties.size(*size),
        GraphicsPipe.BF_refuse_window,
        host.get_gsg(),
        host,
    )
    if made is None:
        return None
    texture = Texture(name)
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_minfilter(SamplerState.FT_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    how = GraphicsOutput.RTM_copy_ram if to_ram else GraphicsOutput.RTM_bind_or_copy
    made.add_render_texture(texture, how, GraphicsOutput.RTP_color)
    return made


def give_back(buffer: GraphicsBuffer) -> None:
    """Say that a borrowed buffer is no longer needed."""
    buffer.remove_all_display_regions()
    buffer.set_active(False)
