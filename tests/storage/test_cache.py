"""The folder that caches parts of objects: what is kept, what is removed, and how several processes share it."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import random

import pytest

from jaxdali import ConfigError
from jaxdali.storage import ByteRange, Cache, make_cache


def byte_range(number: int, size: int | None = 1000) -> ByteRange:
    return ByteRange("s3://bucket/key", 1000 * number, size, "etag")


def files_of(folder: pathlib.Path) -> list[pathlib.Path]:
    return [path for path in folder.glob("*/*") if path.is_file()]


def test_it_keeps_what_was_used_last(tmp_path):
    cache = Cache(str(tmp_path), 40 << 10)
    for number in range(8):
        cache.put(byte_range(number), bytes([number]) * 1000)
        os.utime(cache._path(byte_range(number)), (number, number))
    assert cache.get(byte_range(0)) == bytes(1000)  # marks it as just used
    for number in range(8, 12):
        cache.put(byte_range(number), bytes([number]) * 1000)
    kept = [number for number in range(12) if cache.has(byte_range(number))]
    assert 0 in kept and 1 not in kept and kept[-4:] == [8, 9, 10, 11]
    assert all(cache.get(byte_range(number)) == bytes([number]) * 1000 for number in kept)
    assert sum(4096 for _ in files_of(tmp_path)) <= 40 << 10


def test_pieces_are_told_apart(tmp_path):
    cache = Cache(str(tmp_path), 1 << 20)
    one = byte_range(1)
    cache.put(one, b"a" * 1000)
    for other in (
        one._replace(version="new"),
        one._replace(offset=0),
        one._replace(size=999),
        one._replace(url="s3://b/k"),
    ):
        assert cache.get(other) is None and not cache.has(other)


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_what_is_damaged_is_not_believed(tmp_path, damage):
    cache = Cache(str(tmp_path), 1 << 20)
    cache.put(byte_range(1), b"a" * 1000)
    (path,) = files_of(tmp_path)
    path.write_bytes(path.read_bytes()[:-1] + b"b" if damage is None else damage)
    assert cache.get(byte_range(1)) is None
    cache.put(byte_range(1), b"a" * 1000)
    assert cache.get(byte_range(1)) == b"a" * 1000


def test_what_has_no_room_is_not_kept(tmp_path):
    cache = Cache(str(tmp_path), 1 << 20)
    cache.put(byte_range(1, None), bytes(1 << 20))
    assert not files_of(tmp_path)


def test_a_ledger_that_is_gone_is_counted_anew(tmp_path):
    cache = Cache(str(tmp_path), 40 << 10)
    for number in range(9):
        cache.put(byte_range(number), bytes(1000))
    (tmp_path / ".bytes").unlink()
    for number in range(9, 30):
        cache.put(byte_range(number), bytes(1000))
        assert len(files_of(tmp_path)) <= 10


def _use(folder: str, seed: int) -> int:
    cache, chance, wrong = Cache(folder, 200 << 10), random.Random(seed), 0
    for _ in range(400):
        number = chance.randrange(90)
        expected = number.to_bytes(2, "little") * 500
        found = cache.get(byte_range(number))
        if found is None:
            cache.put(byte_range(number), expected)
        elif found != expected:
            wrong += 1
    return wrong


def test_several_processes_share_its_bytes(tmp_path):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert pool.starmap(_use, [(str(tmp_path), seed) for seed in range(3)]) == [0, 0, 0]
    found = files_of(tmp_path)
    assert 20 <= len(found) <= 50
    assert int((tmp_path / ".bytes").read_text()) == 4096 * len(found)


def test_refused(tmp_path):
    (tmp_path / "file").touch()
    for folder, most, words in [
        (None, 5, "has no effect without cache_dir"),
        (tmp_path, 0, "cache_bytes"),
        (tmp_path / "file" / "a", None, "cannot be made"),
    ]:
        with pytest.raises(ConfigError, match=words):
            make_cache(folder, most)
    assert make_cache(None, None) is None
