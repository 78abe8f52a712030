"""What `benchmarks/loader.py` reads: samples in order, and the expected results."""

from __future__ import annotations

import dataclasses
import functools
import io
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

__all__ = ["BUCKETS", "ROWS", "WIDTH", "Arrays", "Row", "Scenes", "Shards", "Stream", "Tokens", "Vectors"]

WIDTH = 2048  # to which tokens are padded
BUCKETS = (512, 1024, 1536, 2048)
_SIDE = 128  # side of photographs and their masks


class Arrays:
    """Images in memory, like CIFAR: `{"x": uint8[32, 32, 3], "y": int32}`."""

    def __init__(self, count: int):
        rng = np.random.default_rng(0)
        self.x = rng.integers(0, 256, (count, 32, 32, 3), np.uint8)
        self.y = rng.integers(0, 10, count).astype(np.int32)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {"x": self.x[index], "y": self.y[index]}


class Vectors:
    """Short rows in memory, of which a batch costs little: `{"x": float32[32], "y": int32}`."""

    def __init__(self, count: int):
        rng = np.random.default_rng(0)
        self.x = rng.random((count, 32), np.float32)
        self.y = rng.integers(0, 10, count).astype(np.int32)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {"x": self.x[index], "y": self.y[index]}


class Tokens:
    """Texts of 128 to 2048 tokens; the first token is the text's number: `{"ids": int32[n]}`."""

    def __init__(self, count: int):
        rng = np.random.default_rng(0)
        self.lengths = rng.integers(128, WIDTH + 1, count)
        self.texts = [rng.integers(1, 32000, length).astype(np.int32) for length in self.lengths]
        for number, text in enumerate(self.texts):
            text[0] = number + 1

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {"ids": self.texts[index]}


class Scenes:
    """A JPEG file and a PNG file of 21 classes for each sample: `{"image": bytes, "mask": bytes}`."""

    def __init__(self, count: int, seed: int = 0):
        from PIL import Image

        rng = np.random.default_rng(seed)
        self.files = []
        for _ in range(count):
            coarse = Image.fromarray(rng.integers(0, 256, (8, 8, 3), np.uint8)).resize((_SIDE, _SIDE))
            classes = Image.fromarray(rng.integers(0, 21, (8, 8), np.uint8)).resize((_SIDE, _SIDE), 0)
            streams = io.BytesIO(), io.BytesIO()
            coarse.save(streams[0], "JPEG", quality=90)
            classes.save(streams[1], "PNG")
            self.files.append({"image": streams[0].getvalue(), "mask": streams[1].getvalue()})

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.files[index]


class Shards:
    """Archives in a folder that lives as long as this object: a JPEG file and its number, as text, for each sample."""

    def __init__(self, count: int):
        self._folder = tempfile.TemporaryDirectory()
        self.paths = []
        for shard, first in enumerate(range(0, count, count // 4)):
            self.paths.append(f"{self._folder.name}/{shard:03}.tar")
            with tarfile.open(self.paths[-1], "w") as archive:
                scenes = Scenes(count // 4, shard)
                for index in range(count // 4):
                    files = {"jpg": scenes[index]["image"], "cls": str(first + index).encode()}
                    for ending, content in files.items():
                        member = tarfile.TarInfo(f"{first + index:06}.{ending}")
                        member.size = len(content)
                        archive.addfile(member, io.BytesIO(content))
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> dict[str, Any]:
        """The expected sample; systems read the archives."""
        shard, number = divmod(index, self._count // 4)
        with tarfile.open(self.paths[shard]) as archive:
            file = archive.extractfile(f"{index:06}.jpg")
            assert file is not None and 0 <= number
            return {"image": file.read(), "label": np.int32(index)}


class Stream:
    """Samples that can only be iterated over."""

    def __init__(self, data: Any):
        self.data = data

    def __iter__(self) -> Iterator[Any]:
        return (self.data[index] for index in range(len(self.data)))


def _scaled(sample: dict[str, Any]) -> dict[str, Any]:
    return {"x": sample["x"].astype(np.float32) / 127.5 - 1, "y": sample["y"]}


def _padded(sample: dict[str, Any]) -> dict[str, Any]:
    ids = sample["ids"]
    return {"ids": np.pad(ids, (0, WIDTH - len(ids))), "length": np.int32(len(ids))}


def _decoded(sample: dict[str, Any]) -> dict[str, Any]:
    from PIL import Image

    return {
        name: np.asarray(Image.open(io.BytesIO(leaf))) if isinstance(leaf, bytes) else leaf
        for name, leaf in sample.items()
    }


def _plain(sample: dict[str, Any]) -> dict[str, Any]:
    return sample


@dataclasses.dataclass(frozen=True)
class Row:
    """One kind of data.

    Attributes:
        data: makes the data.
        batch: samples of a batch; divides the number of samples.
        prepare: processes a sample with NumPy and Pillow: what peers do in their workers, and what is expected.
        tolerance: largest allowed difference from that.
        ordered: samples come in the data's order; else a row's first token says which text it starts with.
    """

    data: Callable[[], Any]
    batch: int
    prepare: Callable[[dict[str, Any]], dict[str, Any]]
    tolerance: float = 0.0
    ordered: bool = True


ROWS = {
    "arrays in memory": Row(functools.partial(Arrays, 16384), 256, _scaled, 1e-6),
    "small batches": Row(functools.partial(Vectors, 65536), 1024, _scaled, 1e-6),
    "padded tokens": Row(functools.partial(Tokens, 2048), 64, _padded),
    "bucketed tokens": Row(functools.partial(Tokens, 2048), 64, _plain, ordered=False),
    "packed tokens": Row(functools.partial(Tokens, 2048), 64, _plain, ordered=False),
    "JPEG and mask": Row(functools.partial(Scenes, 512), 64, _decoded, 2),
    "tar shards": Row(functools.partial(Shards, 512), 64, _decoded, 2),
    "a stream": Row(functools.partial(Arrays, 16384), 256, _scaled, 1e-6),
}
