"""Objects of Google's storage, from a server like its JSON API; gcsfs finds it by STORAGE_EMULATOR_HOST."""

from __future__ import annotations

import http.server
import importlib.util
import io
import json
import pathlib
import re
import threading
import urllib.parse

import numpy as np
import pytest
from every_reader import every_reader
from samples import COUNT
from test_remote_readers import NAMES, data_of, read_as_a_worker_does

from jaxdali import SourceDataError
from jaxdali._feed.records.record_files import Records
from jaxdali._feed.storage import loop
from jaxdali._feed.storage.cache import make_cache
from jaxdali._feed.storage.remote_objects import fetch, list_folders, stat_objects
from jaxdali.source import ImageFolder, NumpyFiles

OBJECTS = "/storage/v1/b/bucket/o"


class _Objects(http.server.BaseHTTPRequestHandler):
    """Serves the files of `folder` as the objects of one bucket."""

    protocol_version = "HTTP/1.1"
    folder: pathlib.Path
    # Every so many requests for content get 503; 0: none.
    every = 0
    asked = 0

    def do_GET(self):
        path, _, query = self.path.partition("?")
        given = dict(urllib.parse.parse_qsl(query))
        if path.rstrip("/") == OBJECTS:
            self.tell(200, self.listed(given))
            return
        found = re.fullmatch(rf"(?:/download)?{OBJECTS}/(.+)", path)
        file = self.folder / urllib.parse.unquote(found[1]) if found else None
        if file is None or not file.is_file():
            self.tell(404, {"error": {"code": 404, "message": "No such object"}})
        elif given.get("generation", self.generation(file)) != self.generation(file):
            self.tell(404, {"error": {"code": 404, "message": "No such object"}})
        elif given.get("alt") == "media" or path.startswith("/download"):
            self.give(file.read_bytes())
        else:
            self.tell(200, self.described(file))

    def listed(self, given):
        prefix, ending = given.get("prefix", ""), given.get("delimiter")
        items, folders = [], set()
        for file in sorted(self.folder.rglob("*")):
            name = str(file.relative_to(self.folder))
            if not file.is_file() or not name.startswith(prefix):
                continue
            rest = name[len(prefix) :]
            if ending and ending in rest:
                folders.add(prefix + rest.partition(ending)[0] + ending)
            else:
                items.append(self.described(file))
        return {"kind": "storage#objects", "items": items, "prefixes": sorted(folders)}

    def generation(self, file):
        return str(file.stat().st_mtime_ns)

    def described(self, file):
        name, size = str(file.relative_to(self.folder)), file.stat().st_size
        told = {"size": str(size), "etag": "an-etag", "generation": self.generation(file)}
        return {"kind": "storage#object", "name": name, "bucket": "bucket", **told}

    def give(self, content):
        cls = type(self)
        cls.asked += 1
        if cls.every and cls.asked % cls.every == 0:
            self.tell(503, {"error": {"code": 503, "message": "later"}})
            return
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        begin, end = (int(asked[1]), int(asked[2] or len(content) - 1) + 1) if asked else (0, len(content))
        if asked and begin >= len(content):
            self.tell(416, {"error": {"code": 416, "message": "Requested range not satisfiable"}})
            return
        self.send(206 if asked else 200, content[begin:end], "application/octet-stream")

    def tell(self, status, value):
        self.send(status, json.dumps(value).encode(), "application/json")

    def send(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """Yields the folder with the objects of gs://bucket, and the class that serves them."""
    if importlib.util.find_spec("gcsfs") is None:
        pytest.skip("gcsfs is not installed")

    class Answers(_Objects):
        folder = tmp_path

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("NO_GCE_CHECK", "true")
        threading.Thread(target=server.serve_forever).start()
        loop.end()  # the next request starts another loop, which uses the environment as it is then
        try:
            yield Answers
        finally:
            loop.end()
            server.shutdown()


def test_every_reader_reads_gs(bucket):
    made = every_reader(bucket.folder)
    for name in NAMES:
        there = data_of(name, bucket.folder, "gs://bucket")
        for order in ({}, {"random_shuffle": True}):
            expected = read_as_a_worker_does(made[name].data, range(5), range(1), **order)
            assert read_as_a_worker_does(there, range(5), range(1), **order) == expected, name
    assert len(list_folders(["gs://bucket/files"])[0].files) == COUNT


def test_objects_and_folders_of_gs(bucket):
    for name in ("root/a/x.jpg", "root/a/deep/y.jpg", "root/b/z 1.jpg"):
        (bucket.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (bucket.folder / name).write_bytes(name.encode())
    folder = ImageFolder("gs://bucket/root")
    assert folder.classes == ["a", "b"]
    assert [folder[k]["image"] for k in range(3)] == [b"root/a/x.jpg", b"root/a/deep/y.jpg", b"root/b/z 1.jpg"]
    assert fetch("gs://bucket/root/a/x.jpg", 5, 3) == b"a/x"
    generation = (bucket.folder / "root/a/x.jpg").stat().st_mtime_ns
    assert stat_objects(["gs://bucket/root/a/x.jpg"]) == [(12, f"12 generation {generation}")]
    with pytest.raises(FileNotFoundError, match="no such object"):
        fetch("gs://bucket/none")
    with pytest.raises(SourceDataError, match=r"x\.jpg has 12 bytes, but bytes 10 to 15 were expected"):
        fetch("gs://bucket/root/a/x.jpg", 10, 5)


def test_an_index_and_a_cache_are_of_one_version_of_an_object_of_gs(bucket, tmp_path):
    content = bytes(range(256)) * 8
    (bucket.folder / "x").write_bytes(content)
    (bucket.folder / "y.npy").write_bytes(npy(0))
    cache = tmp_path / "cache"

    def records():
        return Records(["gs://bucket/x"], [np.array([[0, 1024], [1024, 1024]])], make_cache(cache, None))

    old = records()
    assert old.read(0) == content[:1024]
    assert NumpyFiles(["gs://bucket/y.npy"], cache_dir=cache)[0].tolist() == [0]
    (bucket.folder / "x").write_bytes(content[::-1])
    (bucket.folder / "y.npy").write_bytes(npy(1))
    with pytest.raises(SourceDataError, match=r"gs://bucket/x was replaced while .*: it had 2048 bytes and generation"):
        old.read(1)
    assert [records().read(index) for index in range(2)] == [content[::-1][:1024], content[::-1][1024:]]
    for _ in range(2):
        assert NumpyFiles(["gs://bucket/y.npy"], cache_dir=cache)[0].tolist() == [1]
    (bucket.folder / "x").unlink()
    with pytest.raises(FileNotFoundError, match="no such object"):
        old.read(1)


def npy(value):
    file = io.BytesIO()
    np.save(file, np.array([value]))
    return file.getvalue()


def test_what_a_server_of_gs_refuses_for_a_while_is_asked_for_again(bucket):
    (bucket.folder / "x").write_bytes(bytes(range(100)))
    bucket.every = 3
    assert [fetch("gs://bucket/x", k, 10) for k in range(12)] == [bytes(range(k, k + 10)) for k in range(12)]
    assert bucket.asked > 12
