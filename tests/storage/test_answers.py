"""Answers that are not what was asked for, and objects that are replaced, over HTTP and as S3."""

from __future__ import annotations

import importlib.util
import os
import pathlib

import numpy as np
import pytest
from object_server import FAULTS, RANGES, object_thread

from jaxdali import SourceDataError
from jaxdali._feed.records.record_files import Records
from jaxdali._feed.source.numpy_files import Window
from jaxdali._feed.storage import loop, retries
from jaxdali._feed.storage.cache import Cache, make_cache
from jaxdali._feed.storage.remote_file import RemoteFile
from jaxdali._feed.storage.remote_objects import fetch
from jaxdali.source import NumpyFiles

CONTENT = bytes(range(256)) * 400
# Answers of which nothing shows that they are wrong, without a version to compare: not RANGES of whole objects.
ALWAYS = [
    *(pytest.param(fault, size, id=f"{fault}-{'whole' if size is None else 'range'}")
      for fault in FAULTS if fault not in ("slow", "reset", "truncated", "unavailable")
      for size in ((1000,) if fault in RANGES else (1000, None))),
]  # fmt: skip


@pytest.fixture(params=["http", "s3"] if importlib.util.find_spec("s3fs") else ["http"])
def protocol(request, monkeypatch):
    """Returns what makes the URL of an object out of a server and its name."""
    monkeypatch.setattr(retries, "_FIRST_PAUSE_S", 0.01)
    if request.param == "http":
        yield lambda server, name: f"{server.url}/bucket/{name}"
        return
    for name, value in {"ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    loop.end()  # the next request starts another loop, which uses the environment as it is then

    def url(server, name):
        if os.environ.get("AWS_ENDPOINT_URL") != server.url:
            monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
            loop.end()
        return f"s3://bucket/{name}"

    yield url
    loop.end()


@pytest.fixture
def bucket(tmp_path):
    folder = tmp_path / "bucket"
    folder.mkdir()
    (folder / "x").write_bytes(CONTENT)
    return folder


def records(url: str, cache_dir: pathlib.Path | None = None) -> Records:
    """Returns 100 records of 1024 bytes."""
    ranges = np.stack([np.arange(0, len(CONTENT), 1024), np.full(100, 1024)], axis=1)
    return Records([url], [ranges], make_cache(cache_dir, None))


def replace(path: pathlib.Path, content: bytes, days: int) -> None:
    path.write_bytes(content)
    os.utime(path, (days * 86400, days * 86400))


@pytest.mark.parametrize("fault", [one for one in FAULTS if one not in ("slow", "unavailable")])
def test_what_does_not_fit_is_fetched_again(bucket, protocol, fault):
    with object_thread(bucket.parent, "--fault", fault, "--every", "3") as server:
        data = records(protocol(server, "x"))
        for index in range(0, 100, 9):
            assert data.read(index) == CONTENT[1024 * index :][:1024]
            assert fault in RANGES or fetch(data.paths[0]) == CONTENT
        assert server.told()["faulty"] >= 3


@pytest.mark.parametrize("fault, size", ALWAYS)
def test_what_never_fits_names_the_object(bucket, protocol, monkeypatch, fault, size):
    monkeypatch.setattr(retries, "TRIES", 3)
    with object_thread(bucket.parent, "--fault", fault, "--every", "1") as server:
        url = protocol(server, "x")
        remote = RemoteFile(url)
        assert remote.size == len(CONTENT)
        with pytest.raises((SourceDataError, OSError), match=r"after 3 tries") as caught:
            remote.read(size, 5000) if size else fetch(url)
        assert url in str(caught.value)
        if url.startswith("http") and fault != "untold":
            assert isinstance(caught.value, SourceDataError)


@pytest.mark.parametrize("tag", ["etag", "date", "etag+date"])
def test_an_index_and_a_cache_are_of_one_version_of_an_object(bucket, protocol, tmp_path, tag):
    cache = tmp_path / "cache"
    replace(bucket / "x", CONTENT, 1)
    with object_thread(bucket.parent, "--tag", tag) as server:
        url = protocol(server, "x")
        old = records(url, cache)
        assert old.read(0) == CONTENT[:1024]
        replace(bucket / "x", CONTENT[::-1], 2)
        with pytest.raises(SourceDataError, match=r"x was replaced while .*: it had 102400 bytes and .*, and now"):
            old.read(1)
        new = records(url, cache)
        assert [new.read(index) for index in (0, 1)] == [CONTENT[::-1][:1024], CONTENT[::-1][1024:2048]]
        replace(bucket / "x", CONTENT, 1)
        before = server.told()["bytes"]
        again = records(url, cache)
        assert [again.read(index) for index in (0, 1)] == [CONTENT[:1024], CONTENT[1024:2048]]
        assert server.told()["bytes"] == before + 1024  # the first one was in the cache


def test_an_object_that_is_cut_off_or_gone_is_told_apart(bucket, protocol):
    with object_thread(bucket.parent, "--tag", "none") as server:
        data = records(protocol(server, "x"))
        (bucket / "x").write_bytes(CONTENT[:5000])
        for index in (1, 4, 50):  # it has all of these bytes, some, and none
            with pytest.raises(SourceDataError, match=r"it had 102400 bytes and neither .* now has 5000 bytes"):
                data.read(index)
        (bucket / "x").unlink()
        with pytest.raises(FileNotFoundError, match="no such object"):
            data.read(1)


@pytest.mark.parametrize("tag", ["etag", "date"])
def test_a_cache_has_whole_objects_of_one_version(tmp_path, protocol, tag):
    (bucket := tmp_path / "bucket").mkdir()
    np.save(bucket / "x.npy", np.arange(1000))
    os.utime(bucket / "x.npy", (86400, 86400))
    with object_thread(tmp_path, "--tag", tag) as server:
        url = protocol(server, "x.npy")
        for _ in range(2):
            assert NumpyFiles([url], cache_dir=tmp_path / "cache")[0].sum() == 499500
        data = NumpyFiles([url], cache_dir=tmp_path / "cache")
        np.save(bucket / "x.npy", np.arange(1000)[::-1] + 1)
        assert data[0].sum() == 500500
        before = server.told()
        assert NumpyFiles([url], cache_dir=tmp_path / "cache")[0].sum() == 500500
        after = server.told()
        assert (after["bytes"], after["requests"]) == (before["bytes"], before["requests"] + 1)


def test_what_another_process_removes_meanwhile_is_fetched(bucket, tmp_path, monkeypatch):
    """Between the answer that an entry is still of its object's version and the reading of it."""
    np.save(bucket / "x.npy", np.arange(1000))
    confirm = Cache.confirm

    def removed(self, byte_range, version):
        confirm(self, byte_range, version)
        os.unlink(self._path(byte_range))

    with object_thread(bucket) as server:
        first, second = (NumpyFiles([f"{server.url}/x.npy"], cache_dir=tmp_path / "cache") for _ in range(2))
        assert first[0].sum() == 499500
        monkeypatch.setattr(Cache, "confirm", removed)
        third = NumpyFiles([f"{server.url}/x.npy"], cache_dir=tmp_path / "cache")
        before = server.told()["bytes"]
        assert third[0].sum() == 499500 and server.told()["bytes"] == 2 * before
        assert second[0].sum() == 499500 and server.told()["bytes"] == 2 * before  # confirmed since it was made


@pytest.mark.parametrize("fault", ["untold", "page"])
def test_nothing_is_kept_that_was_not_confirmed(bucket, tmp_path, monkeypatch, fault):
    """A page of the object's length that asks to log in, and an answer that is cut off, are no object."""
    monkeypatch.setattr(retries, "TRIES", 2)
    np.save(bucket / "x.npy", np.arange(1000))
    urls, cache = [], tmp_path / "cache"
    with object_thread(bucket, "--fault", fault, "--every", "1", "--pages") as server:
        urls.append(f"{server.url}/x.npy")
        with pytest.raises(SourceDataError, match=r"x\.npy: the object could not be read, after 2 tries"):
            NumpyFiles(urls, cache_dir=cache)[0]
    assert not [*cache.glob("*/*")]


def test_pages_without_a_tag_are_not_taken_for_objects_of_a_server_that_gives_them(bucket, monkeypatch):
    monkeypatch.setattr(retries, "_FIRST_PAUSE_S", 0.01)
    with object_thread(bucket, "--fault", "page", "--every", "3", "--pages") as server:
        assert [fetch(f"{server.url}/x") for _ in range(8)] == [CONTENT] * 8
        assert server.told()["faulty"] >= 2


def test_two_parts_of_an_object_are_of_one_version(bucket, monkeypatch):
    window = Window(axes=(0,), start=(200,), shape=(10,))
    for first in (0, 7, 9):
        np.save(bucket / f"{first}.npy", np.arange(first, 1000 + first))
    with object_thread(bucket) as server:
        data = NumpyFiles([f"{server.url}/0.npy"], window)
        assert data[0].tolist() == [*range(200, 210)]
        os.replace(bucket / "7.npy", bucket / "0.npy")
        assert data[0].tolist() == [*range(207, 217)]
        fetched = data._whole.fetch

        def replacing(byte_range):
            if byte_range.offset:
                os.replace(bucket / "9.npy", bucket / "0.npy")
            return fetched(byte_range)

        monkeypatch.setattr(data._whole, "fetch", replacing)
        with pytest.raises(SourceDataError, match=r"0\.npy was replaced while it was in use"):
            data[0]


def test_an_object_is_not_larger_than_memory(bucket, monkeypatch):
    from jaxdali._feed.storage import answers

    monkeypatch.setattr(answers, "_SURELY_THERE", 1000)
    monkeypatch.setattr(answers, "_memory", lambda: 3000)
    with object_thread(bucket) as server:
        with pytest.raises(OSError, match="TooLarge: 102400 bytes come, and this machine has 3000"):
            fetch(f"{server.url}/x")
        with pytest.raises(OSError, match="could not be read, at once: TooLarge: 4000 bytes come"):
            fetch(f"{server.url}/x", 7, 4000)
        assert fetch(f"{server.url}/x", 7, 2000) == CONTENT[7:2007]
