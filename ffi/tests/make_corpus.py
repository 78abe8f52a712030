"""Writes the inputs that the fuzz targets begin with: `make_corpus.py FOLDER`, a folder in it for each target."""

from __future__ import annotations

import io
import pathlib
import sys

import numpy as np
from PIL import Image

CONTROLS = 16  # as in fuzz_decode.cc
IMAGES_CONTROLS = 512  # as in fuzz_images.cc


def jpeg(height: int, width: int, mode: str = "RGB", orientation: int | None = None, **options) -> bytes:
    y, x = np.mgrid[:height, :width]
    waves = [127 + 90 * np.sin(x / 5 + k) * np.cos(y / (7 + k)) for k in range(3)]
    image = Image.fromarray(np.stack(waves, -1).astype(np.uint8)).convert(mode)
    if orientation is not None:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
    stream = io.BytesIO()
    image.save(stream, "JPEG", **options)
    return stream.getvalue()


def files():
    for subsampling in range(3):
        yield jpeg(33, 47, subsampling=subsampling, quality=80)
        yield jpeg(16, 16, subsampling=subsampling, progressive=True)
    yield jpeg(20, 30, "L")
    yield jpeg(20, 30, "CMYK")
    yield jpeg(40, 24, restart_marker_blocks=3)
    for orientation in range(2, 9):
        yield jpeg(9, 21, orientation=orientation)
    yield jpeg(1, 1)
    yield jpeg(1, 90)
    yield jpeg(120, 2, subsampling=2)
    whole = jpeg(64, 64, subsampling=2)
    yield whole[: len(whole) // 2]
    yield whole[:-2]
    yield bytes(3 * 8 * 8)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for target in ("decode", "images", "jpeg"):
        (folder / target).mkdir(parents=True, exist_ok=True)
    draws = np.random.default_rng(0)
    sound = jpeg(40, 56, subsampling=2, quality=70, optimize=True)
    for index, file in enumerate(files()):
        (folder / "jpeg" / f"{index:02}").write_bytes(len(file).to_bytes(2, "big") + file + sound)
        for kind, flags in enumerate((0, 0, 1, 16, 128)):
            controls = draws.integers(0, 256, CONTROLS, np.uint8)
            controls[0] = flags
            controls[14] = 64 if kind == 0 else controls[14] & 63
            (folder / "decode" / f"{index:02}_{kind}").write_bytes(controls.tobytes() + file)
            # Below 160, numbers are what fits.
            controls = draws.integers(0, 160 if kind < 4 else 256, IMAGES_CONTROLS, np.uint8)
            controls[0] = kind
            (folder / "images" / f"{index:02}_{kind}").write_bytes(controls.tobytes() + file)
    # Results whose source columns take several rounds to sum up: mutations of small files seldom ask for them.
    wide = jpeg(12, 400, quality=30)
    for index in range(1000):
        controls = draws.integers(0, 160, IMAGES_CONTROLS, np.uint8)
        controls[0] = 1
        (folder / "images" / f"wide_{index:03}").write_bytes(controls.tobytes() + wide)


if __name__ == "__main__":
    main()
