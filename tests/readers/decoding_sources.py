"""Sources of files of all formats, some of them cut off, for every way of asking."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
from PIL import Image

from jaxdali import fn, pipeline_def

BATCH, COUNT = 8, 24
FORMATS = ("PNG", "WEBP", "TIFF", "BMP", "JPEG")
LOSSLESS = {"WEBP": {"lossless": True}, "TIFF": {"compression": "tiff_lzw"}}


def image(index: int, kind: str) -> bytes:
    pixels = np.random.default_rng(index).integers(0, 255, (16 + index, 24, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **LOSSLESS.get(kind, {}))
    return file.getvalue()


def folder_of(root: Any, kinds: tuple[str, ...]) -> list[str]:
    """Writes `COUNT` files, of all kinds in turn; every seventh is cut off. Returns their paths."""
    (root / "class").mkdir(parents=True)
    for index in range(COUNT):
        kind = kinds[index % len(kinds)]
        content = image(index, kind)
        (root / "class" / f"{index:02d}.{kind.lower()}").write_bytes(content[:-40] if index % 7 == 5 else content)
    return sorted(str(path) for path in (root / "class").iterdir())


class Files:
    """A source of files by index, for every way of asking."""

    def __init__(self, paths: list[str]):
        self.files = [np.fromfile(path, np.uint8) for path in paths]

    def __len__(self) -> int:
        return COUNT

    def __getitem__(self, index: int) -> dict[str, bytes]:
        return {"image": self.files[index].tobytes()}

    def sample(self, info: Any) -> np.ndarray:
        return self.files[info.idx_in_epoch % len(self.files)]

    def batch(self, iteration: int) -> list[np.ndarray]:
        return [self.files[(iteration * BATCH + row) % COUNT] for row in range(BATCH)]

    def batches(self) -> Any:
        while True:
            yield from (self.batch(iteration) for iteration in range(COUNT // BATCH))


class Stream:
    """The same files, as data without random access."""

    def __init__(self, paths: list[str]):
        self.files = Files(paths)

    def __iter__(self) -> Any:
        return (self.files[index] for index in range(COUNT))


def read(paths: list[str], how: str) -> Any:
    """Returns a node of files."""
    mine = Files(paths)
    sources = {
        "samples": lambda: fn.external_source(mine.sample, batch=False),
        "parallel samples": lambda: fn.external_source(mine.sample, batch=False, parallel=True),
        "batches": lambda: fn.external_source(mine.batch),
        "parallel batches": lambda: fn.external_source(mine.batch, batch=True, parallel=True),
        "generator": lambda: fn.external_source(mine.batches()),
        "after a function": lambda: fn.io.file.read(np.frombuffer(paths[0].encode(), np.uint8)),
    }
    return fn.readers.file(files=paths)[0] if how == "reader" else sources[how]()


def pixels_of(paths: list[str], how: str, threads: int, batches: int = 3, workers: int = 1) -> tuple[list[bytes], Any]:
    @pipeline_def(batch_size=BATCH, num_threads=threads, py_num_workers=workers, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(read(paths, how))

    found = []
    with program() as pipe:
        for _ in range(batches):
            (images,) = pipe.run()
            found += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
        return found, pipe.stats()


def slow_bmp(level: int, height: int = 300) -> bytes:
    """A gray BMP of 1,000 columns with run-length coding, which Pillow decodes in Python: 0.1 s for 300 rows."""
    rows = (bytes([1, level]) * 1000 + b"\0\0") * height + b"\0\1"
    palette = b"".join(bytes([value, value, value, 0]) for value in range(256))
    offset = 14 + 40 + len(palette)
    head = b"BM" + struct.pack("<IHHI", offset + len(rows), 0, 0, offset)
    info = struct.pack("<IiiHHIIiiII", 40, 1000, height, 1, 8, 1, len(rows), 2835, 2835, 256, 0)
    return head + info + palette + rows
