"""The one way to fonts, textures, sounds and shaders: in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from sim.model.errors import FileError

__all__ = ["folder", "font", "path", "shader_source", "sound", "texture"]


def folder() -> Path:
    """The assets' folder: `_assets` beside this module (a wheel), else `assets` at the top of a
    checkout.

    Raises:
        FileError: neither is there.
    """
    here = Path(__file__).resolve().parent
    for candidate in (here / "_assets", here.parents[1] / "assets"):
        if (candidate / "shaders").is_dir():
            return candidate
    raise FileError(
        f"assets: got none beside {here}, expected a complete installation (reinstall tenball)"
    )


def path(kind: str, name: str) -> Path:
    """The file `name` of a kind: fonts, textures, sounds, shaders.

    Raises:
        FileError: no such asset.
    """
    found = folder() / kind / name
    if not found.is_file():
        raise FileError(f"asset {kind}/{name}: got nothing, expected a file in {folder() / kind}")
    return found


def font(name: str = "Inter-Regular") -> Path:
    """A font: Inter-Regular, Inter-SemiBold or Inter-Bold."""
    return path("fonts", f"{name}.otf")


def texture(name: str) -> Path:
    """A texture by its name without `.png`."""
    return path("textures", f"{name}.png")


def sound(name: str) -> Path:
    """A sound by its name without `.wav`: tip, ball, cushion, pocket, bed."""
    return path("sounds", f"{name}.wav")


def shader_source(name: str, constants: str = "") -> str:
    """GLSL text: version, FRAGMENT or VERTEX by the name's ending, the scene's constants,
    `common.glsl`, then the named file."""
    common = path("shaders", "common.glsl").read_text(encoding="utf-8")
    body = path("shaders", name).read_text(encoding="utf-8")
    stage = "#define FRAGMENT" if name.endswith(".frag") else "#define VERTEX"
    return "\n".join(("#version 330", stage, constants, common, body))
