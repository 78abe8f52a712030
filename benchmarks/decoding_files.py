"""Writes the files of `decoding.py`, and what is expected of each."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import numpy as np
from PIL import Image

__all__ = ["CLIP", "COUNT", "ROWS", "Row", "expected_of", "paths_of", "write_files"]

COUNT, SIZE = 96, (375, 500)
FRAMES, CLIP = 128, 16


@dataclasses.dataclass(frozen=True)
class Row:
    """A kind of file: Pillow's format and options, FFmpeg's codec and extents, or a sound."""

    ending: str
    kind: str
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    clips: bool = False


ROWS = {
    "PNG": Row("png", "PNG"),
    "WebP": Row("webp", "WEBP", {"quality": 90}),
    "TIFF": Row("tif", "TIFF", {"compression": "tiff_lzw"}),
    "BMP": Row("bmp", "BMP"),
    "progressive JPEG": Row("jpg", "JPEG", {"quality": 90, "progressive": True}),
    "JPEG": Row("jpg", "JPEG", {"quality": 90}),
    "FLAC": Row("flac", "sound"),
    "VP9 640x360": Row("webm", "libvpx-vp9", {"size": (360, 640)}, clips=True),
    "VP9 1920x1080": Row("webm", "libvpx-vp9", {"size": (1080, 1920)}, clips=True),
    "H.264 640x360": Row("mp4", "libx264", {"size": (360, 640)}, clips=True),
    "H.264 1920x1080": Row("mp4", "libx264", {"size": (1080, 1920)}, clips=True),
}


def _folder(row: str, folder: str) -> pathlib.Path:
    return pathlib.Path(folder, row.replace(" ", "_"))


def paths_of(row: str, folder: str) -> list[str]:
    """The files of a row, in order."""
    return sorted(map(str, _folder(row, folder).glob(f"*.{ROWS[row].ending}")))


def expected_of(row: str, folder: str) -> np.ndarray:
    """`float64[files]`: of images the mean level, of sounds the number of samples."""
    return np.load(_folder(row, folder) / "expected.npy")


def write_files(row: str, folder: str) -> None:
    """Writes the files of a row."""
    to, what = _folder(row, folder), ROWS[row]
    to.mkdir()
    if what.clips:
        _write_video(to / f"video.{what.ending}", what.kind, *what.options["size"])
        return
    found = []
    for index in range(COUNT):
        draws, path = np.random.default_rng(index), to / f"{index:03}.{what.ending}"
        if what.kind == "sound":
            found.append(_write_sound(path, draws))
        else:
            pixels = _picture(draws)
            Image.fromarray(pixels).save(path, what.kind, **what.options)
            found.append(float(pixels.mean()))
    np.save(to / "expected.npy", np.array(found))


def _picture(draws: np.random.Generator) -> np.ndarray:
    """Waves, edges and some noise around a random colour."""
    y, x = np.mgrid[: SIZE[0], : SIZE[1]].astype(np.float32)
    colour, slope = draws.uniform(70, 190, 3), draws.uniform(0.02, 0.1, (2, 3))
    waves = [25 * np.sin(slope[0, k] * x) * np.cos(slope[1, k] * y) for k in range(3)]
    edges = 20 * ((x // draws.integers(20, 60) + y // draws.integers(20, 60)) % 2)
    noise = draws.normal(0, 2, (*SIZE, 3))
    return (colour + np.stack(waves, -1) + edges[..., None] + noise).clip(0, 255).astype(np.uint8)


def _write_sound(path: pathlib.Path, draws: np.random.Generator) -> float:
    import soundfile

    count = int(draws.integers(80_000, 160_000))
    tone = np.sin(np.arange(count) * draws.uniform(0.01, 0.2)) * 0.5 + draws.normal(0, 0.01, count)
    soundfile.write(path, tone.astype(np.float32), 16_000, format="FLAC", subtype="PCM_16")
    return float(count)


def _write_video(path: pathlib.Path, codec: str, height: int, width: int) -> None:
    """Writes a moving texture; the level of the corner says the number of the frame."""
    import av

    coarse = np.random.default_rng(0).integers(
        0, 256, ((height + FRAMES) // 16, (width + 2 * FRAMES) // 16, 3), np.uint8
    )
    shape = (width + 2 * FRAMES, height + FRAMES)
    texture = np.asarray(Image.fromarray(coarse).resize(shape, Image.Resampling.BICUBIC))
    options = {"deadline": "realtime", "cpu-used": "8"} if "vp9" in codec else {"preset": "veryfast"}
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size = CLIP
        for number in range(FRAMES):
            pixels = texture[number : number + height, 2 * number : 2 * number + width].copy()
            pixels[:64, :64] = 2 * number
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())
