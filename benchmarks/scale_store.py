"""A store of objects that has none: it computes what is asked for, pauses first, and counts requests and bytes.

simulated://bucket/tfrecord/SHARDS-RECORDS/00001.tfrecord and .idx: shards of equal records, and their indices
simulated://bucket/wds/SHARDS-RECORDS/00001.tar and .idx: archives, of which only the indices can be read
simulated://bucket/folder/CLASSES-IMAGES/class0001/image_000000001.jpg: images by class, which can only be listed
"""

from __future__ import annotations

import asyncio
import collections
import functools
import re
from typing import Any

import fsspec
import fsspec.asyn
import numpy as np

from jaxdali._feed import _host

__all__ = ["COUNTS", "LATENCY", "Counts", "folder", "tfrecords", "wds"]

_PROTOCOL = "simulated"
_SHARD = re.compile(r"bucket/(tfrecord|wds)/(\d+)-(\d+)/(\d+)\.(tfrecord|tar|idx)")
_FOLDER = re.compile(r"bucket/folder/(\d+)-(\d+)(?:/(class\d+))?/?")
_TAR_SAMPLE = 4096  # bytes of a sample of two files in an archive: heads and contents, in blocks of 512


class Counts:
    """What was asked of the store.

    Attributes:
        requests: how many, by what was asked: "info", "read", "list".
        bytes: of the answers.
        now, most_at_once: how many requests of each kind are in flight, and were together.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forgets all."""
        self.requests: collections.Counter[str] = collections.Counter()
        self.now: collections.Counter[str] = collections.Counter()
        self.most_at_once: collections.Counter[str] = collections.Counter()
        self.bytes = 0


class Latency:
    """How long the store pauses before an answer, in seconds."""

    seconds = 0.0


COUNTS, LATENCY = Counts(), Latency()


def tfrecords(shards: int, records: int) -> tuple[list[str], list[str]]:
    """Returns the URLs of as many shards with so many records each, and those of their indices."""
    return _names("tfrecord", "tfrecord", shards, records)


def wds(shards: int, samples: int) -> tuple[list[str], list[str]]:
    """Returns the same of archives."""
    return _names("wds", "tar", shards, samples)


def folder(classes: int, images: int) -> str:
    """Returns the URL of a folder with so many sub-folders, and so many images in each."""
    return f"{_PROTOCOL}://bucket/folder/{classes}-{images}"


def _names(kind: str, ending: str, shards: int, records: int) -> tuple[list[str], list[str]]:
    begin = f"{_PROTOCOL}://bucket/{kind}/{shards}-{records}"
    names = [f"{begin}/{number:06}" for number in range(shards)]
    return [f"{name}.{ending}" for name in names], [f"{name}.idx" for name in names]


@functools.cache
def record() -> bytes:
    """Returns a record of a TFRecord file: an Example with one number, `n`."""
    example = bytes.fromhex("0a0c0a0a0a016e12051a030a0100")
    framed = len(example).to_bytes(8, "little")
    return framed + _masked(framed) + example + _masked(example)


def _masked(data: bytes) -> bytes:
    crc = _host.crc32c(data)
    return (((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF).to_bytes(4, "little")


@functools.lru_cache(maxsize=2)
def _index(kind: str, records: int) -> bytes:
    if kind == "tfrecord":
        size = len(record())
        return _host.number_lines(np.arange(records) * size, np.full(records, size), " ")
    lines = [
        f"jpg {512 + at} 2000 {number:09}.jpg cls {3072 + at} 2 {number:09}.cls\n"
        for number, at in enumerate(range(0, records * _TAR_SAMPLE, _TAR_SAMPLE))
    ]
    return f"v1.2 {records}\n{''.join(lines)}".encode()


def _below(url: str) -> str:
    return url.removeprefix(f"{_PROTOCOL}://")


def _size(path: str) -> int:
    found = _SHARD.fullmatch(path)
    if found is None:
        raise FileNotFoundError(path)
    kind, records, ending = found[1], int(found[3]), found[5]
    if ending == "idx":
        return len(_index(kind, records))
    return records * (len(record()) if ending == "tfrecord" else _TAR_SAMPLE)


def _content(path: str, start: int, end: int) -> bytes:
    found = _SHARD.fullmatch(path)
    assert found is not None, path
    if found[5] == "idx":
        return _index(found[1], int(found[3]))[start:end]
    assert found[5] == "tfrecord" and start % len(record()) == 0, "only indices and whole records can be read"
    return record() * ((end - start) // len(record()))


class _Filesystem(fsspec.asyn.AsyncFileSystem):
    """What fsspec knows of it."""

    protocol = _PROTOCOL

    async def _info(self, path: str, **options: Any) -> dict[str, Any]:
        await self._asked("info", 0)
        return {"name": path, "size": _size(_below(path)), "type": "file", "ETag": "one"}

    async def _cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        path = _below(path)
        size = _size(path)
        found = _content(path, start or 0, size if end is None else min(end, size))
        await self._asked("read", len(found))
        return found

    async def _ls(self, path: str, detail: bool = True, **options: Any) -> list[dict[str, Any]]:
        path = _below(path).rstrip("/")
        found = _FOLDER.fullmatch(path)
        if found is None:
            raise FileNotFoundError(path)
        count, kind = (int(found[2]), "file") if found[3] else (int(found[1]), "directory")
        name = f"image_{found[3]}_{{:09}}.jpg" if found[3] else "class{:05}"
        entries = [{"name": f"{path}/{name.format(number)}", "type": kind, "size": 1} for number in range(count)]
        for _ in range(0, max(count, 1), 1000):  # as many as a page of S3's listings has
            await self._asked("list", 0)
        return entries

    async def _asked(self, what: str, size: int) -> None:
        COUNTS.requests[what] += 1
        COUNTS.bytes += size
        COUNTS.now[what] += 1
        COUNTS.most_at_once[what] = max(COUNTS.most_at_once[what], COUNTS.now[what])
        await asyncio.sleep(LATENCY.seconds)
        COUNTS.now[what] -= 1


fsspec.register_implementation(_PROTOCOL, _Filesystem)
