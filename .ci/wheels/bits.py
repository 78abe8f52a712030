"""Prints digests of what an installed jaxdali makes, a line each: the same ones are expected of every machine.

    bits.py FFI_TESTS

FFI_TESTS: `ffi/tests` of the clone, whose files, most of them damaged, are decoded natively; so are some that are whole.
Those also go through a pipeline, with operators that are native code, and a Loader. Both have worker processes.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import pathlib
import platform
import sys
import tarfile

import numpy as np
from PIL import Image

import jaxdali
import jaxdali.fn as fn
import jaxdali.types as types
from jaxdali._feed import _host
from jaxdali.image import EncodedBatch, decode

CANVAS = (128, 128)
MOST_PIXELS = 1 << 20
# Bytes before the file, which choose what fuzzing does with it: as in fuzz_decode.cc, fuzz_png.cc and fuzz_webp.cc.
CONTROLS = {"decode": 16, "png": 8, "webp": 1}
HEIGHT, WIDTH = 61, 83


def show(name: str, *arrays: object) -> None:
    digest = hashlib.sha256()
    for array in map(np.asarray, arrays):
        digest.update(f"{array.dtype} {array.shape}".encode() + array.tobytes())
    print(name, digest.hexdigest()[:32], flush=True)


def kept_inputs(folder: pathlib.Path, target: str) -> dict[str, bytes]:
    with tarfile.open(folder / "corpora.tar.xz") as archive:
        members = [entry for entry in archive if entry.isfile() and entry.name.startswith(f"{target}/")]
        files = {entry.name: archive.extractfile(entry) for entry in members}
        return {name: file.read()[CONTROLS[target] :] for name, file in sorted(files.items()) if file is not None}


def waves(index: int) -> Image.Image:
    # Whole numbers only: sines differ in their last bits.
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    levels = [abs((3 + k) * x + 2 * y + 11 * index * k) % 120 + abs(y * (5 - k) % 110 - 55) * 2 for k in range(3)]
    return Image.fromarray(np.stack(levels, -1).astype(np.uint8))


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def whole_jpegs() -> list[bytes]:
    kinds = itertools.product((0, 1, 2), (False, True), (30, 95))
    files = [
        encoded(waves(index), "JPEG", subsampling=subsampling, progressive=progressive, quality=quality)
        for index, (subsampling, progressive, quality) in enumerate(kinds)
    ]
    return [*files, encoded(waves(0).convert("L"), "JPEG"), encoded(waves(1).convert("CMYK"), "JPEG")]


def whole_others() -> list[bytes]:
    return [encoded(waves(index), kind) for index in range(4) for kind in ("PNG", "WEBP")]


def show_natively(files: dict[str, bytes]) -> None:
    """What workers decode without Pillow: no digest of pixels for what is left to that."""
    for name, file in files.items():
        for indices in (False, True):
            pixels = _host.decode_image(np.frombuffer(file, np.uint8), MOST_PIXELS, indices)
            show(f"{name} {indices}", *([] if pixels is None else [pixels]))


class Files:
    """A source for both front doors."""

    def __init__(self, files: list[bytes]):
        self.files = files

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> dict[str, object]:
        return {"image": self.files[index], "index": np.int32(index)}

    def sample(self, info: types.SampleInfo) -> np.ndarray:
        if info.idx_in_epoch >= len(self.files):
            raise StopIteration
        return np.frombuffer(self.files[info.idx_in_epoch], np.uint8)


@jaxdali.pipeline_def
def operators(source: Files):
    images = fn.decoders.image(fn.external_source(source.sample, batch=False, parallel=True, dtype=types.UINT8))
    images = fn.resize(images, size=(40, 48))
    return (
        images,
        fn.experimental.median_blur(images, window_size=[5, 5]),
        fn.gaussian_blur(images, sigma=1.3),
        fn.water(images, ampl_x=2.0, ampl_y=1.5, freq_x=0.4, freq_y=0.3, phase_x=0.5, interp_type=types.INTERP_LINEAR),
        fn.clahe(images, tiles_x=4, tiles_y=4, clip_limit=2.0),
        fn.rotate(images, angle=20.0, fill_value=0),
    )


def augment(batch, keys):
    flip = jaxdali.random.coin_flip(keys)
    images = jaxdali.image.decode_resample(batch["image"], None, (32, 40), flip=flip, mean=127.5, std=64.0)
    return {"x": images, "y": batch["index"]}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    print("jaxdali", jaxdali.__version__, "on", platform.machine(), file=sys.stderr)
    others = whole_others()
    natively = {f"other/{index}": file for index, file in enumerate(others)}
    show_natively({**natively, **kept_inputs(folder, "png"), **kept_inputs(folder, "webp")})
    files = whole_jpegs()
    inputs = {**{f"whole/{index}": file for index, file in enumerate(files)}, **kept_inputs(folder, "decode")}
    pixels, statuses = decode(EncodedBatch.from_encoded(list(inputs.values())), CANVAS, on_error="zeros")
    for name, image, status in zip(inputs, np.asarray(pixels), np.asarray(statuses), strict=True):
        show(f"{name} {status}", image)
    source = Files(files[:12] + others[:4])
    with operators(source, batch_size=8, num_threads=2, device_id=0, py_num_workers=2, seed=1) as pipe:
        for step in range(2):
            names = ("decoded", "median_blur", "gaussian_blur", "water", "clahe", "rotate")
            for name, output in zip(names, pipe.run(), strict=True):
                show(f"pipeline {step} {name}", output.as_array())
    with jaxdali.Loader(source, augment, batch_size=8, shuffle=True, seed=0, epochs=1, workers=2) as loader:
        for step, batch in enumerate(loader):
            show(f"Loader {step}", batch["x"], batch["y"])


if __name__ == "__main__":
    main()
