"""The folder that caches parts of objects: what is kept, what is removed, and how several processes share it."""

from __future__ import annotations

import contextlib
import dataclasses
import multiprocessing
import os
import pathlib
import random
import resource
import stat
import tempfile
import time
from collections.abc import Iterator

import pytest

from jaxdali import ConfigError
from jaxdali._feed.storage.cache import ByteRange, Cache, _told, make_cache


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


@contextlib.contextmanager
def no_room(size: int) -> Iterator[None]:
    """Lets this process write files of `size` bytes at most, for the duration of the block."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_no_litter_and_one_line_in_the_log(tmp_path, caplog):
    cache = make_cache(tmp_path, None)
    cache.put(byte_range(0, 100_000), bytes(100_000))
    with no_room(50_000):
        for number in range(1, 30):
            cache.put(byte_range(number, 100_000), bytes(100_000))
            _told.clear()  # as another process of the same folder
    assert len(caplog.records) == 1 and "stores nothing more" in caplog.text and "reading goes on" in caplog.text
    assert [path.name for path in tmp_path.glob("*/part-*")] == []
    assert int((tmp_path / ".bytes").read_text()) == 102400
    assert cache.get(byte_range(0, 100_000)) == bytes(100_000) and cache.get(byte_range(1, 100_000)) is None
    cache.put(byte_range(1, 100_000), b"a" * 100_000)  # there is room again
    assert cache.get(byte_range(1, 100_000)) == b"a" * 100_000


def test_a_ledger_that_cannot_be_written_leaves_no_litter(tmp_path, caplog):
    cache = make_cache(tmp_path, None)
    (tmp_path / ".bytes").mkdir()
    for number in range(3):
        cache.put(byte_range(number), bytes(1000))
    assert len(caplog.records) == 1 and not files_of(tmp_path)


@pytest.mark.parametrize("kind", ["link to itself", "folder", "fifo", "sparse", "old"])
def test_what_lies_in_place_of_an_entry_is_replaced(tmp_path, kind):
    cache = Cache(str(tmp_path), 40 << 10)
    cache.put(byte_range(1), b"a" * 1000)
    (path,) = files_of(tmp_path)
    if kind == "sparse":
        os.truncate(path, 1 << 40)
    elif kind == "old":
        path.write_bytes(b"jaxdali1" + path.read_bytes()[8:])
    else:
        path.unlink()
        {"link to itself": lambda: path.symlink_to(path), "folder": path.mkdir, "fifo": lambda: os.mkfifo(path)}[kind]()
    assert cache.get(byte_range(1)) is None
    cache.put(byte_range(1), b"b" * 1000)
    assert cache.get(byte_range(1)) == (None if kind == "folder" else b"b" * 1000)
    for name in ("loop", "folder"):
        (path.parent / name).mkdir() if name == "folder" else (path.parent / name).symlink_to(path.parent / name)
    for number in range(2, 30):  # makes room
        cache.put(byte_range(number), b"b" * 1000)
        assert cache.get(byte_range(number)) == b"b" * 1000


def test_a_link_leads_to_no_file_of_somebody_elses(tmp_path, caplog):
    (tmp_path / "cache").mkdir()
    cache, mine = Cache(str(tmp_path / "cache"), 1 << 20), tmp_path / "mine"
    one = byte_range(1)._replace(version="")
    cache.put(one, b"a" * 1000, "version")
    (path,) = files_of(tmp_path / "cache")
    mine.write_bytes(before := path.read_bytes())
    path.unlink()
    path.symlink_to(mine)
    assert cache.get(one) is None and not cache.has(one) and not cache.doubted(one)
    cache.confirm(one, "version")
    assert mine.read_bytes() == before
    for name in (".bytes", ".told"):
        (tmp_path / "cache" / name).unlink(missing_ok=True)
        (tmp_path / "cache" / name).symlink_to(mine)
    _told.clear()
    cache.put(byte_range(2), b"b" * 1000)
    assert "stores nothing more" in caplog.text and mine.read_bytes() == before
    (tmp_path / "cache" / ".bytes").unlink()
    cache.put(one, b"c" * 1000)
    assert cache.get(one) == b"c" * 1000 and not path.is_symlink() and mine.read_bytes() == before
    _told.clear()
    with no_room(500):
        cache.put(byte_range(3), bytes(1000))
    assert mine.read_bytes() == before, "what tells of it is a link, too"


def test_only_files_of_the_cache_make_room(tmp_path):
    """The folder may have had files before, and whoever shares it may link to others."""
    folder, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    mine = [
        folder / "photos" / "1.jpg",
        folder / "00" / "notes.txt",
        folder / "0a" / "sub" / "x",
        elsewhere / ("0" * 38),
    ]
    for path in mine:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(5000))
        os.utime(path, (0, 0))
    (folder / "0b").symlink_to(elsewhere)
    cache = Cache(str(folder), 40 << 10)
    for number in range(30):
        cache.put(byte_range(number), bytes(1000))
    assert all(path.is_file() for path in mine)
    assert len([path for path in files_of(folder) if len(path.name) == 38 and not path.parent.is_symlink()]) <= 10


@pytest.mark.parametrize("umask", [0o077, 0o022, 0])
@pytest.mark.parametrize("mode", [0o2777, 0o1777, 0o770, 0o755, 0o700])
def test_what_is_in_a_cache_has_the_permissions_of_its_folder(tmp_path, mode, umask):
    (folder := tmp_path / "cache").mkdir()
    folder.chmod(mode)
    before = os.umask(umask)
    try:
        make_cache(folder, None).put(byte_range(1), bytes(1000))
    finally:
        os.umask(before)
    (entry,) = files_of(folder)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (entry, folder / ".bytes")] == [mode & 0o666] * 2
    assert stat.S_IMODE(entry.parent.stat().st_mode) == mode & 0o2777


@contextlib.contextmanager
def another_user() -> Iterator[None]:
    """Makes this process another user's, if it is root's, for the duration of the block."""
    root = os.geteuid() == 0
    if root:
        os.setegid(65534)
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
            os.setegid(0)


def test_a_cache_of_several_users_works_or_is_refused():
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        make_cache(name, None).put(byte_range(1), bytes(1000))
        with another_user():
            cache = make_cache(name, 1 << 20)
            assert cache.get(byte_range(1)) == bytes(1000)
            for number in range(300):
                cache.put(byte_range(number), bytes(1000))  # makes room, too: removes what is not its own
        (part,) = files_of(pathlib.Path(name))[:1]
        part.parent.chmod(0o500)
        with (
            another_user(),
            pytest.raises(ConfigError, match=r"is in use by user \d+, and '..' in it is not for user"),
        ):
            make_cache(name, None)
        part.parent.chmod(0o777)
        os.chmod(name, 0o500)
        with another_user(), pytest.raises(ConfigError, match="is not writable; give another folder"):
            make_cache(name, None)
        os.chmod(name, 0o700)


def test_versions_are_confirmed_once_by_all_that_share_a_source(tmp_path):
    whole = byte_range(1, None)._replace(version="")
    old, new = Cache(str(tmp_path), 1 << 20), Cache(str(tmp_path), 1 << 20, time.time() + 100)
    old.put(whole, b"abc", '3 ETag "1"')
    assert (old.has(whole), old.doubted(whole)) == (True, "")
    assert (new.has(whole), new.doubted(whole), new.entry(whole)) == (False, '3 ETag "1"', None)
    new.confirm(whole, '3 ETag "2"')
    assert new.doubted(whole)
    later = dataclasses.replace(new, since=0.5)
    assert later.has(whole) and later.entry(whole) == (b"abc", '3 ETag "1"')
    old.put(whole, b"defg", "4 ")
    assert new.has(whole) and new.get(whole) == b"defg"  # its server tells no versions apart
    assert int((tmp_path / ".bytes").read_text()) == 4096


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
