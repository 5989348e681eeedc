"""Pictures as bytes: PNG by hand, animated GIF through Pillow, MP4 through ffmpeg."""

from __future__ import annotations

import io
import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.model.errors import EngineError, InputError
from sim.shot.disk import write_whole

__all__ = ["FORMATS", "Picture", "check_target", "gif_bytes", "halved", "mp4_bytes", "png_bytes"]

FORMATS = (".png", ".gif", ".mp4")
NO_FFMPEG = "but an MP4 needs ffmpeg: install it, or pip install imageio-ffmpeg, or write a .gif"


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """(H, W, 3) bytes as a PNG file."""
    height, width = pixels.shape[:2]
    rows = pixels.astype(np.int16)
    # The difference to the pixel on the left packs far better than the pixel itself.
    left = np.zeros_like(rows)
    left[:, 1:] = rows[:, :-1]
    lines = np.empty((height, 1 + 3 * width), dtype=np.uint8)
    lines[:, 0] = 1
    lines[:, 1:] = (rows - left).astype(np.uint8).reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )


def halved(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each two by two pixels (sides even) made one, as light: with the scene's gamma of 2."""
    squares = pixels.astype(np.float32) ** 2
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    mean = squares.reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    out: NDArray[np.uint8] = np.rint(np.sqrt(mean)).astype(np.uint8)
    return out


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook shows by itself.

    Attributes:
        pixels: (H, W, 3) bytes, first row at the top.
    """

    pixels: NDArray[np.uint8]

    @property
    def size(self) -> tuple[int, int]:
        """(width, height)."""
        return self.pixels.shape[1], self.pixels.shape[0]

    def png(self) -> bytes:
        """The bytes of a PNG file."""
        return png_bytes(self.pixels)

    def _repr_png_(self) -> bytes:
        return self.png()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a PNG file, whole or not at all.

        Raises:
            FileError: it cannot be written.
        """
        write_whole(path, self.png())


def check_target(path: str) -> str:
    """The format of a file by its name, checked before anything is drawn: .png, .gif or .mp4.

    Raises:
        InputError: another ending; a clip whose writer is not installed; a folder that is not
            there.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(f"output: got {path!r}, expected a name ending in {', '.join(FORMATS)}")
    if ending == ".gif" and find_spec("PIL") is None:
        raise InputError(
            f"output: got {path!r}, but a GIF needs Pillow: pip install 'tenball[lab]'"
        )
    if ending == ".mp4" and _ffmpeg() is None:
        raise InputError(f"output: got {path!r}, {NO_FFMPEG}")
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise InputError(f"output: got {path!r}, expected a folder that exists ({folder} does not)")
    return ending


def gif_bytes(frames: Iterator[NDArray[np.uint8]], fps: float) -> bytes:
    """An animated GIF that repeats, one palette for all frames."""
    image: Any = import_module("PIL.Image")
    pictures: list[Any] = []
    palette: Any = None
    for pixels in frames:
        full = image.fromarray(pixels)
        if palette is None:
            palette = full.quantize(colors=255, method=image.Quantize.MEDIANCUT)
        pictures.append(full.quantize(palette=palette, dither=image.Dither.NONE))
    out = io.BytesIO()
    pictures[0].save(
        out,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=max(20, round(1000 / fps)),
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def mp4_bytes(frames: Iterator[NDArray[np.uint8]], fps: float, size: tuple[int, int]) -> bytes:
    """An MP4 film (H.264) through ffmpeg; sides must be even.

    Raises:
        InputError: a side is odd, or there is no ffmpeg.
        EngineError: ffmpeg failed.
    """
    if size[0] % 2 or size[1] % 2:
        raise InputError(f"size: got {size[0]}x{size[1]}, expected even sides for an MP4")
    program = _ffmpeg()
    if program is None:
        raise InputError(NO_FFMPEG)
    with tempfile.TemporaryDirectory() as folder:
        # A file and not a pipe out: the index of an MP4 is written last and belongs in front.
        target = Path(folder) / "clip.mp4"
        command = [program, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        command += ["-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}", "-i", "-", "-an"]
        command += ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]
        command += ["-movflags", "+faststart", str(target)]
        with tempfile.TemporaryFile() as said:
            with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as encoder:
                assert encoder.stdin is not None
                # What ffmpeg refuses it says itself, and closes the pipe.
                with suppress(BrokenPipeError):
                    for pixels in frames:
                        encoder.stdin.write(np.ascontiguousarray(pixels).tobytes())
                with suppress(BrokenPipeError):
                    encoder.stdin.close()
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").split("\n")
        if encoder.returncode:
            raise EngineError(f"MP4: {program} failed: {lines[0] or encoder.returncode}")
        return target.read_bytes()


def _ffmpeg() -> str | None:
    """The encoder: ffmpeg on the path, or the one that imageio-ffmpeg brings."""
    found = shutil.which("ffmpeg")
    if found is None and find_spec("imageio_ffmpeg") is not None:
        brought: Any = import_module("imageio_ffmpeg")
        found = str(brought.get_ffmpeg_exe())
    return found
