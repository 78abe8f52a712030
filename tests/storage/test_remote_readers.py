"""Readers of remote objects, compared with those of the same files on this machine."""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
import threading
import time
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from every_reader import every_reader
from object_server import RANGES, object_server
from samples import COUNT
from tfrecord_files import FEATURES

from jaxdali import BackendUnavailable, ConfigError, Loader, SourceDataError, fn, pipeline_def
from jaxdali._dali.readers.indexed import IndexedReader
from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali._dali.readers.shard_order import ShardOrder
from jaxdali._feed import _host
from jaxdali._feed.source.numpy_files import Window
from jaxdali._feed.source.source_kinds import Request
from jaxdali._feed.storage import loop, retries
from jaxdali._feed.storage.urls import joined, joined_all
from jaxdali.source import COCO, Caffe, Caffe2, ImageFolder, NumpyFiles, RecordIO, TFRecords, WebDataset, concat, subset

BATCH = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("objects") / "all of them"


@pytest.fixture(scope="module")
def made(folder):
    return every_reader(folder)


@pytest.fixture(scope="module")
def server(folder, made):
    with object_server(folder, "--latency-ms", "3") as one:
        yield one


def elsewhere(value: Any, folder: pathlib.Path, url: str) -> Any:
    """Returns a reader's arguments with URLs in place of paths."""
    if isinstance(value, dict):
        return {name: elsewhere(one, folder, url) for name, one in value.items()}
    if isinstance(value, list):
        return [elsewhere(one, folder, url) for one in value]
    return f"{url}/{value.relative_to(folder)}" if isinstance(value, pathlib.Path) else value


def data_of(name: str, folder: pathlib.Path, url: str, **cache: Any) -> Any:
    """Returns the source that a reader would use, with URLs."""
    both = [f"{url}/{part}" for part in range(2)]
    if name == "file":
        return LabelledFiles([f"{url}/files/{index:02}.jpg" for index in range(COUNT)], range(COUNT))
    if name == "numpy":
        return NumpyFiles([f"{url}/{index:02}.npy" for index in range(COUNT)], **cache)
    if name == "tfrecord":
        return TFRecords(
            [f"{one}.tfrecord" for one in both], FEATURES, [f"{one}.tfrecord.idx" for one in both], **cache
        )
    if name == "webdataset":
        return WebDataset([f"{one}.tar" for one in both], ["jpg", "id"], dtypes=[None, "i4"], **cache)
    if name == "mxnet":
        return RecordIO([f"{one}.rec" for one in both], [f"{one}.idx" for one in both], **cache)
    if name == "coco":
        return COCO(f"{url}/files", f"{url}/coco.json", **cache)
    if name == "caffe":
        return Caffe([f"{url}/caffe{part}" for part in range(2)], **cache)
    return Caffe2([f"{url}/caffe2{part}" for part in range(2)], additional_inputs=1, **cache)


NAMES = ["file", "coco", "numpy", "tfrecord", "mxnet", "webdataset", "caffe", "caffe2"]


def content_of(row: tuple[Any, ...]) -> list[Any]:
    """Returns copies of a row's contents, because rows may reuse memory."""
    found = []
    for one in row:
        if isinstance(one, _host.FileSample):
            one = np.fromfile(os.fsdecode(one.path), np.uint8)
        found.append((one.dtype, one.shape, one.tobytes()))
    return found


def read_as_a_worker_does(data: Any, batches: range, chunks: range, of: int = 1, **order: Any) -> list[Any]:
    """Returns all samples of some chunks of some batches, each of which is cut into `of` chunks."""
    order = ShardOrder(length=len(data), batch_size=BATCH, bounds=data.bounds, **order)
    reader = IndexedReader(data, order, 1, "a reader")
    found = []
    for batch in batches:
        for chunk in chunks:
            first, last = (part * BATCH // of for part in (chunk, chunk + 1))
            found += map(content_of, reader.samples(Request(0, batch, batch * BATCH, first, last)))
    return found


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_of_every_reader_are_those_of_the_files(made, folder, server, workers):
    order = {"random_shuffle": True, "seed": 5}

    @pipeline_def(batch_size=BATCH, py_num_workers=workers)
    def both():
        outputs = []
        for one in made.values():
            for arguments in (one.arguments, elsewhere(one.arguments, folder, server.url)):
                given = getattr(fn.readers, one.reader)(**arguments, **({} if "caffe" in one.reader else order))
                several = isinstance(given, list | tuple)
                outputs += given.values() if isinstance(given, dict) else given if several else [given]
        return tuple(outputs)

    with both() as pipe:
        for _ in range(6):
            outputs = pipe.run()
            at = 0
            for one in made.values():
                count = len(one.data.row(0))
                for mine, theirs in zip(outputs[at : at + count], outputs[at + count : at + 2 * count], strict=True):
                    for sample in range(BATCH):
                        np.testing.assert_array_equal(np.array(mine.at(sample)), np.array(theirs.at(sample)))
                at += 2 * count
            assert at == len(outputs)


@pytest.mark.parametrize("fault", ["reset", "truncated", "unavailable", "short", "whole", "slow"])
def test_faults_lose_and_repeat_nothing(made, folder, fault, monkeypatch):
    monkeypatch.setattr(retries, "_FIRST_PAUSE_S", 0.01)
    with object_server(folder, "--fault", fault, "--every", "3") as server:
        for name in ("file", "tfrecord") if fault == "slow" else NAMES:
            if fault in RANGES and name in ("file", "coco", "numpy"):
                continue  # whole objects are requested
            found = read_as_a_worker_does(data_of(name, folder, server.url), range(5), range(1), random_shuffle=True)
            assert found == read_as_a_worker_does(made[name].data, range(5), range(1), random_shuffle=True), name
        assert server.told()["faulty"] >= 3


def many_files(url: str) -> LabelledFiles:
    """200 files with different names."""
    return LabelledFiles([f"{url}/files/{index % COUNT:02}.jpg?{index}" for index in range(200)], range(200))


def test_a_server_that_is_down_for_five_seconds_is_waited_for(made, folder):
    with object_server(folder, "--down-after", "100", "--down-s", "5") as server:
        found = read_as_a_worker_does(many_files(server.url), range(40), range(1))
        assert server.told()["requests"] >= 200
    expected = [content_of(made["file"].data.row(index))[0] for index in range(COUNT)]
    assert [row[0] for row in found] == [expected[index % COUNT] for index in range(200)]


def test_requests_are_in_flight_together_and_none_is_made_twice(folder, made):
    with object_server(folder, "--latency-ms", "50") as server:
        data = many_files(server.url)
        read_as_a_worker_does(data, range(40), range(1), random_shuffle=True)
        told = server.told()
    assert told["most_at_once"] > 30
    assert 200 <= told["requests"] <= 200 + 256 + BATCH  # the next pass may have started


def test_chunks_of_another_worker_are_read_in_between(folder, made, server):
    for name in ("file", "tfrecord", "webdataset"):
        data, here = data_of(name, folder, server.url), made[name].data
        found = read_as_a_worker_does(data, range(4), range(1, 2), of=2)
        assert found == read_as_a_worker_does(here, range(4), range(1, 2), of=2)
        # The reader takes over one chunk, is set back, and is sent far ahead.
        order = ShardOrder(length=COUNT, batch_size=BATCH, bounds=here.bounds)
        mine, theirs = (IndexedReader(one, order, 1, "a reader") for one in (data, here))
        for batch, start, stop in [
            (4, 2, 5),
            (5, 0, 2),
            (5, 2, 5),
            (6, 2, 5),
            (0, 2, 5),
            (900, 0, 2),
            (1, 0, 5),
            (2, 0, 5),
        ]:
            request = Request(0, batch, batch * BATCH, start, stop)
            assert list(map(content_of, mine.samples(request))) == list(map(content_of, theirs.samples(request)))


def test_records_that_lie_in_a_row_are_one_request(folder, made):
    with object_server(folder) as server:
        data = data_of("tfrecord", folder, server.url)
        before = server.told()["requests"]
        order = ShardOrder(length=COUNT, batch_size=6, bounds=data.bounds)
        list(IndexedReader(data, order, 3, "a reader").samples(Request(0, 0, 0, 0, 6)))
        told = server.told()["requests"] - before
    assert told <= 2 + 256 // 6 * 2


@pytest.mark.parametrize("tag", ["none", "etag"])
def test_what_is_in_the_cache_is_not_asked_for(folder, made, tmp_path, tag):
    """Of whole objects, a new reader asks once whether they are what they were, if their server can say that."""
    cache = {"cache_dir": tmp_path / "cache"}
    for name in (
        ("numpy", "coco", "tfrecord", "webdataset", "mxnet", "caffe") if tag == "etag" else ("numpy", "tfrecord")
    ):
        with object_server(folder, "--tag", tag) as server:
            expected = [content_of(made[name].data.row(index)) for index in range(COUNT)]
            data = data_of(name, folder, server.url, **cache)
            assert [content_of(data.row(index)) for index in range(COUNT)] == expected
            again = data_of(name, folder, server.url, **cache)
            opened = server.told()
            assert [content_of(again.row(index)) for index in range(COUNT)] == expected
            assert read_as_a_worker_does(again, range(3), range(1)) == read_as_a_worker_does(
                made[name].data, range(3), range(1)
            )
            asked = server.told()
            whole = COUNT if tag == "etag" and name in ("numpy", "coco") else 0
            assert asked["requests"] - opened["requests"] == whole, name
            assert asked["bytes"] == opened["bytes"], name


def test_what_is_lost_names_the_object(folder, made, server, monkeypatch):
    monkeypatch.setattr(retries, "TRIES", 2)
    with object_server(folder, "--fault", "unavailable", "--every", "1") as broken:
        data = data_of("file", folder, broken.url)
        with pytest.raises(OSError, match=r"the object could not be read, after 2 tries in .*503") as caught:
            data.row(3)
        assert caught.value.filename == f"{broken.url}/files/03.jpg"
    data = data_of("webdataset", folder, server.url)
    data._files._remote = {file: (there + 10**6, version) for file, (there, version) in data._files._remote.items()}
    data._files._ranges[2] = [10**6 - 4, 10]
    with pytest.raises(SourceDataError, match=r"0\.tar has \d+ bytes, but bytes 999996 to 1000006 were expected"):
        data.row(1)
    with pytest.raises(FileNotFoundError, match=r"no such object: 'http://.*/none\.jpg'"):
        LabelledFiles([f"{server.url}/none.jpg"], [0]).row(0)
    with pytest.raises(FileNotFoundError, match=r"no such object"):
        NumpyFiles([f"{server.url}/none.npy"])[0]
    with pytest.raises(FileNotFoundError, match=r"no such object"):
        TFRecords(f"{server.url}/none.tfrecord", FEATURES)


def test_a_server_that_never_answers_is_left_in_time(folder, made, monkeypatch):
    monkeypatch.setattr(retries, "TRIES", 2)
    monkeypatch.setattr(retries, "TRY_S", 0.3)
    with object_server(folder, "--latency-ms", "60000") as server:
        with pytest.raises(OSError, match=r"after 2 tries in .*no answer in time"):
            data_of("file", folder, server.url).row(0)


def test_folders_are_those_of_the_files(tmp_path):
    for name in ("a/x 1.jpg", "a/y.png", "a/.hidden.jpg", "a/deep/z#.jpg", "b b/w%.jpg", "b b/no.txt", ".c/v.jpg"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    with object_server(tmp_path) as server:
        here, there = ImageFolder(tmp_path), ImageFolder(f"{server.url}/")
        assert there.classes == here.classes == ["a", "b b"]
        assert [unquote(path.removeprefix(server.url)) for path in there.paths] == [
            path.removeprefix(str(tmp_path)) for path in here.paths
        ]
        assert [there[index] for index in range(len(there))] == [here[index] for index in range(len(here))]
        args = (["*.jpg"], None, False)
        labelled = LabelledFiles.from_folder(server.url, *args), LabelledFiles.from_folder(str(tmp_path), *args)
        assert labelled[0].labels.tolist() == labelled[1].labels.tolist()
        assert [content_of(labelled[0].row(index)) for index in range(len(labelled[0]))] == [
            content_of(labelled[1].row(index)) for index in range(len(labelled[1]))
        ]
        with pytest.raises(ConfigError, match=r"no file below .*a ends in"):
            ImageFolder(server.url, extensions=(".gif",))


def test_a_loader_reads_views_of_objects(folder, made):
    with object_server(folder, "--latency-ms", "20") as server:
        files = data_of("numpy", folder, server.url), data_of("tfrecord", folder, server.url)
        even = [subset(one, range(0, COUNT, 2)) for one in (files[0], NumpyFiles(made["numpy"].arguments["files"]))]
        orders = []
        for view in (concat(even[0], even[0]), concat(even[1], even[1])):
            with Loader(view, None, batch_size=4, shuffle=True, seed=3, epochs=2, workers=2) as loader:
                orders.append([np.array(batch).tobytes() for batch in loader])
        assert orders[0] == orders[1] and len(orders[0]) == 6
        assert server.told()["most_at_once"] >= 4


def test_a_password_in_a_url_is_refused():
    with pytest.raises(ConfigError, match="has a password in it; credentials come from the environment"):
        ImageFolder("https://me:secret@example.org/train")
    with pytest.raises(ConfigError, match="not a protocol that fsspec"):
        ImageFolder("nowhere://example.org/train")


def test_readers_of_files_begin_no_thread(tmp_path):
    """Workers could not be forked next to a thread."""
    loop.end()
    before = set(threading.enumerate())
    for one in every_reader(tmp_path / "here").values():
        getattr(fn.readers, one.reader)(**one.arguments)
        one.data.row(0)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("root", ["", "a", "/a/", "s3://bucket/a/", "https://host"])
def test_many_paths_are_joined_as_each_is(root):
    paths = ["b/c.jpg", "/b.jpg", "", "https://other/d.jpg", "file:///e.jpg", pathlib.Path("f.jpg"), "./g"]
    assert joined_all(root, paths) == [joined(root, os.fspath(path)) for path in paths]


def test_file_urls_are_files(made, folder):
    data = TFRecords(f"file://{folder}/0.tfrecord".replace(" ", "%20"), FEATURES)
    assert data.source_info(0).startswith(str(folder)) and data.ahead() is None


def test_what_an_old_index_says_is_checked(folder, server):
    data = data_of("tfrecord", folder, server.url)
    data.records._ranges[0] = [10**9, 10]
    with pytest.raises(SourceDataError, match="the file is cut off, or the index belongs to another file"):
        data.row(0)


def test_what_is_missing_is_named_with_the_extra(monkeypatch):
    from jaxdali._feed.storage.filesystems import Filesystem

    # If gcsfs is installed, another test may have registered it.
    monkeypatch.delitem(importlib.import_module("fsspec.registry")._registry, "gs", raising=False)
    with pytest.raises(
        BackendUnavailable, match=r"gs:// need a package that is not installed .*pip install 'jaxdali\[cloud\]'"
    ):
        monkeypatch.setitem(sys.modules, "gcsfs", None)
        Filesystem("gs")
    with pytest.raises(BackendUnavailable, match=r"https:// need fsspec, which is not installed: .*jaxdali\[cloud\]"):
        monkeypatch.setitem(sys.modules, "fsspec", None)
        Filesystem("https")


def test_a_chunk_that_is_taken_over_is_fetched_at_once(folder, made):
    with object_server(folder, "--latency-ms", "100") as server:
        url = server.url
        data = LabelledFiles([f"{url}/files/00.jpg?{index}" for index in range(4000)], range(4000))
        reader = IndexedReader(data, ShardOrder(length=4000, batch_size=64), 1, "a reader")
        list(reader.samples(Request(0, 0, 0, 0, 32)))
        began = time.monotonic()
        list(reader.samples(Request(0, 1, 64, 32, 64)))
        assert time.monotonic() - began < 2  # one by one, they would take 3.2


def test_of_an_object_with_an_array_the_part_that_is_wanted_is_read(tmp_path):
    arrays = [np.arange(512 * 64, dtype=np.float32).reshape(512, 64) + index for index in range(6)]
    arrays[4] = arrays[4][:300]  # has another shape than the previous one
    for index, array in enumerate(arrays):
        np.save(tmp_path / f"{index}.npy", np.asfortranarray(array) if index == 5 else array)
    (tmp_path / "6.npy").write_bytes(
        b"\x93NUMPY\x01\x00\x46\x00{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }".ljust(80) + b"\1\2\3"
    )
    names = [f"{index}.npy" for index in range(6)]
    with object_server(tmp_path) as server:
        before = server.told()["bytes"]
        window = Window(axes=(0,), start=(200,), shape=(10,))
        data = NumpyFiles([f"{server.url}/{name}" for name in names], window)
        for index, array in enumerate(arrays[:5]):
            np.testing.assert_array_equal(data.row(index)[0], array[200:210])
            np.testing.assert_array_equal(data[index], array[200:210])
        taken = server.told()["bytes"] - before
        assert taken < 10 * 2 * (10 * 64 * 4 + 600), taken  # one whole array has 131072
        np.testing.assert_array_equal(data[5], arrays[5][200:210])
        short = NumpyFiles([f"{server.url}/6.npy"], Window(axes=(0,), start=(1,)))
        assert short[0].tolist() == [2, 3]
        here = NumpyFiles([tmp_path / name for name in names], window)
        for order in ({}, {"random_shuffle": True}):
            mine, theirs = (read_as_a_worker_does(one, range(4), range(2), 2, **order) for one in (data, here))
            assert mine == theirs
        (tmp_path / "7.npy").write_bytes((tmp_path / "0.npy").read_bytes()[: 128 + 205 * 256])
        cut = NumpyFiles([f"{server.url}/7.npy"], window)
        with pytest.raises(SourceDataError, match=r"7\.npy has \d+ bytes, but bytes \d+ to \d+ were expected"):
            cut[0]
