"""The files that `benchmarks/readers.py` reads: the same samples in every format, small and large ones."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import pathlib
import struct
import tarfile
import wave

import numpy as np

__all__ = ["SIZES", "Size", "content", "extent", "label", "recordio", "tfrecord", "write_files"]


@dataclasses.dataclass(frozen=True)
class Size:
    """How many samples there are, and how many bytes each has.

    Attributes:
        count: number of samples; a multiple of `batch` and of `shards`.
        size: bytes of the largest sample, the square of an array's extent; the smallest has three quarters of it.
        batch: samples of a batch.
        shards: number of files in formats with several samples per file.
    """

    count: int
    size: int
    batch: int
    shards: int = 4


SIZES = {"small": Size(4096, 4096, 256), "large": Size(128, 1 << 20, 16)}


def extent(size: Size) -> int:
    """Side of the square array of bytes that is the sample in NumPy files."""
    return int(size.size**0.5)


def content(size: Size, index: int) -> bytes:
    """The bytes of a sample, which start with its index; they do not look like a JPEG file."""
    length = size.size - (index * 37) % (size.size // 4)
    return struct.pack("<Q", index) + _pattern(size.size)[index : index + length - 8]


@functools.cache
def _pattern(size: int) -> bytes:
    return np.random.default_rng(1).integers(0, 256, size + (1 << 16), np.uint8).tobytes()


def label(index: int) -> int:
    """The label of a sample."""
    return index % 1000


def _varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _crc(data: bytes) -> bytes:
    from jaxdali._feed import _host

    crc = _host.crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def tfrecord(data: bytes, number: int) -> bytes:
    """A record with an Example: an image and its label."""
    image = _field(1, _field(1, b"image/encoded") + _field(2, _field(1, _field(1, data))))
    numbers = _field(1, _field(1, b"image/class/label") + _field(2, _field(3, _field(1, _varint(number)))))
    example = _field(1, image + numbers)
    length = struct.pack("<Q", len(example))
    return length + _crc(length) + example + _crc(example)


def recordio(data: bytes, number: int) -> bytes:
    """A record of MXNet: an image and its label."""
    record = struct.pack("<IfQQ", 0, float(number), 0, 0) + data
    return struct.pack("<II", 0xCED7230A, len(record)) + record + bytes(-len(record) % 4)


def _datum(data: bytes, number: int) -> bytes:
    return _field(4, data) + b"\x28" + _varint(number) + b"\x38\x01"


def _tensors(data: bytes, number: int) -> bytes:
    image = b"\x08\x01\x10\x04" + _field(6, data)
    return _field(1, image) + _field(1, b"\x08\x01\x10\x02\x20" + _varint(number))


def _write_lmdb(path: pathlib.Path, values: list[bytes]) -> None:
    """Writes with the library that everyone's databases are written with."""
    import lmdb  # pyright: ignore[reportMissingImports]

    with lmdb.open(str(path), map_size=1 << 32) as database, database.begin(write=True) as transaction:
        for key, value in enumerate(values):
            transaction.put(b"%08d" % key, value)


def _write_folder(folder: pathlib.Path, size: Size) -> None:
    (folder / "files").mkdir()
    (folder / "numpy").mkdir()
    images, names = [], []
    for index in range(size.count):
        names.append(f"{index:06d}.jpg")
        (folder / "files" / names[-1]).write_bytes(content(size, index))
        array = np.full((extent(size), extent(size)), index & 255, np.uint8)
        array.reshape(-1)[:8] = np.frombuffer(struct.pack("<Q", index), np.uint8)
        np.save(folder / "numpy" / f"{index:06d}.npy", array)
        images.append({"id": index, "file_name": names[-1], "width": 64, "height": 64})
    _write_sounds(folder, size)
    boxes = [
        {"id": i, "image_id": i, "category_id": label(i), "bbox": [1.0, 2.0, 30.0, 40.0], "iscrowd": 0, "area": 1200.0}
        for i in range(size.count)
    ]
    categories = [{"id": number, "name": str(number)} for number in range(1000)]
    (folder / "coco.json").write_text(json.dumps({"images": images, "annotations": boxes, "categories": categories}))
    (folder / "list.txt").write_text("".join(f"{name} {label(i)}\n" for i, name in enumerate(names)))


def _write_sounds(folder: pathlib.Path, size: Size) -> None:
    """Writes the samples as 16-bit sound, in files named by a manifest."""
    (folder / "sounds").mkdir()
    lines = []
    for index in range(size.count):
        path, data = str(folder / "sounds" / f"{index:06d}.wav"), content(size, index)
        data = data[: len(data) // 2 * 2]
        with wave.open(path, "wb") as file:
            file.setparams((1, 2, 16000, 0, "NONE", ""))
            file.writeframes(data)
        lines.append(json.dumps({"audio_filepath": path, "text": str(index)}) + "\n")
    (folder / "sounds" / "manifest.json").write_text("".join(lines))


def _write_shards(folder: pathlib.Path, size: Size) -> None:
    each = size.count // size.shards
    passed, recordio_lines = 0, []
    for shard in range(size.shards):
        mine = range(shard * each, (shard + 1) * each)
        for ending, write in (("tfrecord", tfrecord), ("rec", recordio)):
            records = [write(content(size, index), label(index)) for index in mine]
            begins = np.cumsum([0, *map(len, records)])[:-1].tolist()
            (folder / f"{shard}.{ending}").write_bytes(b"".join(records))
            if ending == "rec":
                recordio_lines += [f"{key}\t{passed + begin}\n" for key, begin in zip(mine, begins, strict=True)]
                passed += sum(map(len, records))
            else:
                lines = [f"{begin} {len(one)}\n" for begin, one in zip(begins, records, strict=True)]
                (folder / f"{shard}.{ending}.idx").write_text("".join(lines))
        with tarfile.open(folder / f"{shard}.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
            for index in mine:
                for ending, data in (("jpg", content(size, index)), ("cls", struct.pack("<i", label(index)))):
                    member = tarfile.TarInfo(f"{index:06d}.{ending}")
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
    (folder / "rec.idx").write_text("".join(recordio_lines))


def write_files(folder: pathlib.Path, size: Size, databases: bool) -> None:
    """Writes all files, and indices.

    Args:
        databases: also Caffe's, for which `lmdb` must be installed.
    """
    from jaxdali._cli.main import main

    folder.mkdir()
    _write_folder(folder, size)
    _write_shards(folder, size)
    main(["index", *(str(folder / f"{shard}.tar") for shard in range(size.shards))])
    if databases:
        for name, write in (("caffe", _datum), ("caffe2", _tensors)):
            _write_lmdb(folder / name, [write(content(size, index), label(index)) for index in range(size.count)])
