"""From numpy meshes and pictures to Panda3D's nodes and textures."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from panda3d.core import (
    Filename,
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    NodePath,
    SamplerState,
    Shader,
    Texture,
    TexturePool,
)

from sim.model.errors import EngineError
from sim.play import assets
from sim.play.mesh import Mesh

__all__ = ["compile_shader", "flat_texture", "mesh_node", "picture", "ribbon"]

_VERTEX = np.dtype(
    [("position", "f4", 3), ("normal", "f4", 3), ("colour", "u1", 4), ("uv", "f4", 2)]
)


def mesh_node(name: str, mesh: Mesh, colour: ArrayLike | None = None) -> NodePath:
    """A node for a mesh.

    Args:
        colour: vertex colours 0..1, (4,) or (N, 4); without it the shade, as grey.
    """
    vertices = np.zeros(len(mesh.positions), dtype=_VERTEX)
    vertices["position"] = mesh.positions
    vertices["normal"] = mesh.normals
    vertices["uv"] = mesh.uvs
    if colour is None:
        grey = np.clip(np.rint(mesh.shade * 255), 0, 255).astype(np.uint8)
        vertices["colour"] = np.column_stack((grey, grey, grey, np.full_like(grey, 255)))
    else:
        vertices["colour"] = np.rint(np.asarray(colour, dtype=float) * 255).astype(np.uint8)
    form = GeomVertexFormat.get_v3n3c4t2()
    if form.get_array(0).get_stride() != _VERTEX.itemsize:
        raise EngineError("Panda3D's vertex format is not the one this program was written for")
    data = GeomVertexData(name, form, GeomEnums.UH_static)
    data.unclean_set_num_rows(len(vertices))
    # Through handles: a memoryview of these arrays is never quite given back.
    data.modify_array_handle(0).copy_data_from(vertices.tobytes())
    primitive = GeomTriangles(GeomEnums.UH_static)
    primitive.set_index_type(GeomEnums.NT_uint32)
    indices = np.ascontiguousarray(mesh.triangles, dtype=np.uint32)
    array = primitive.modify_vertices()
    array.unclean_set_num_rows(indices.size)
    array.modify_handle().copy_data_from(indices.tobytes())
    geom = Geom(data)
    geom.add_primitive(primitive)
    node = GeomNode(name)
    node.add_geom(geom)
    return NodePath(node)


def picture(name: str, *, repeat: bool = True, anisotropy: int = 1) -> Texture:
    """A texture of assets/textures, with mipmaps."""
    filename = Filename.from_os_specific(str(assets.texture(name)))
    texture = TexturePool.load_texture(filename)
    if texture is None:
        raise EngineError(f"texture {name}: Panda3D could not read {filename}")
    wrap = SamplerState.WM_repeat if repeat else SamplerState.WM_clamp
    texture.set_wrap_u(wrap)
    texture.set_wrap_v(wrap)
    # One mipmap level at a time: half the cost of blending two, which matters without a GPU.
    texture.set_minfilter(SamplerState.FT_linear_mipmap_nearest)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_anisotropic_degree(anisotropy)
    return texture


def flat_texture(name: str, values: NDArray[np.uint8]) -> Texture:
    """A one-channel texture from (H, W) bytes, first row at the bottom."""
    height, width = values.shape
    texture = Texture(name)
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, Texture.F_red)
    texture.set_ram_image(np.ascontiguousarray(values).tobytes())
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_minfilter(SamplerState.FT_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    return texture


@lru_cache(maxsize=64)
def compile_shader(vertex: str, fragment: str, constants: str) -> Shader:
    """A GLSL program of two files of assets/shaders; the same for the same arguments, so that a
    driver compiles it once however many scenes are opened.

    Raises:
        EngineError: Panda3D refused the text.
    """
    shader = Shader.make(
        Shader.SL_GLSL,
        assets.shader_source(vertex, constants),
        assets.shader_source(fragment, constants),
    )
    if shader is None:
        raise EngineError(f"shaders {vertex}, {fragment}: Panda3D could not load them")
    return shader


def ribbon(points: ArrayLike, width: float) -> Mesh:
    """A flat strip of a width along (N, 3) points, facing up; u runs along it in metres."""
    p = np.asarray(points, dtype=float)
    moved = np.concatenate(([True], np.linalg.norm(np.diff(p, axis=0), axis=1) > 1e-6))
    p = p[moved]
    if len(p) < 2:
        p = np.concatenate((p, p + np.array((1e-4, 0.0, 0.0))))
    along = np.gradient(p, axis=0)[:, :2]
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    across = np.column_stack((-along[:, 1], along[:, 0], np.zeros(len(p)))) * (width / 2)
    positions = np.stack((p - across, p + across), axis=1).reshape(-1, 3)
    length = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))))
    uvs = np.column_stack((np.repeat(length, 2), np.tile((0.0, 1.0), len(p))))
    k = np.arange(len(p) - 1, dtype=np.int32)[:, None] * 2
    triangles = np.concatenate((k + np.array((0, 2, 1)), k + np.array((1, 2, 3)))).astype(np.int32)
    return Mesh(
        positions,
        np.broadcast_to((0.0, 0.0, 1.0), positions.shape).copy(),
        uvs,
        np.ones(len(positions)),
        triangles,
    )
