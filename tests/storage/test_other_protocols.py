"""Objects of S3, from a server that stands in for it, and of an fsspec filesystem that is not asynchronous."""

from __future__ import annotations

import contextlib
import http.server
import importlib.util
import shutil
import socket
import subprocess
import threading
import time
import urllib.request

import fsspec
import pytest
from every_reader import every_reader
from samples import COUNT
from test_remote_readers import NAMES, data_of, read_as_a_worker_does

from jaxdali import SourceDataError
from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali._feed.storage import loop
from jaxdali._feed.storage.remote_objects import fetch, list_folders, stat_objects
from jaxdali.source import ImageFolder


@pytest.fixture
def bucket(monkeypatch):
    """Yields the address of a server for S3."""
    server = shutil.which("moto_server")  # in its own environment: it needs another botocore than s3fs
    if server is None or importlib.util.find_spec("s3fs") is None:
        pytest.skip("moto[server] and s3fs are not installed")
    for name, value in {"ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    command = [server, "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/moto-api").close()
                break
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


def test_every_reader_reads_s3(bucket, tmp_path):
    import botocore.session

    client = botocore.session.get_session().create_client("s3")
    client.create_bucket(Bucket="bucket")
    folder = tmp_path / "all"
    made = every_reader(folder)
    for path in folder.rglob("*"):
        if path.is_file():
            client.put_object(Bucket="bucket", Key=str(path.relative_to(folder)), Body=path.read_bytes())
    for name in NAMES:
        there = data_of(name, folder, "s3://bucket")
        for order in ({}, {"random_shuffle": True}):
            expected = read_as_a_worker_does(made[name].data, range(5), range(1), **order)
            assert read_as_a_worker_does(there, range(5), range(1), **order) == expected, name
    assert len(list_folders(["s3://bucket/files"])[0].files) == COUNT
    with pytest.raises(FileNotFoundError, match="no such object"):
        fetch("s3://bucket/none")
    with pytest.raises(SourceDataError, match=r"0\.tar has \d+ bytes, but bytes 10000000 to 10000005 were expected"):
        fetch("s3://bucket/0.tar", 10**7, 5)


def test_a_filesystem_that_does_not_wait_for_itself_is_read_too(tmp_path):
    memory = fsspec.filesystem("memory")
    for name in ("root/a/x.jpg", "root/a/deep/y.jpg", "root/b/z.jpg"):
        memory.pipe_file(f"/{name}", name.encode())
    try:
        folder = ImageFolder("memory://root")
        assert folder.classes == ["a", "b"]
        assert [folder[index]["image"] for index in range(3)] == [
            b"root/a/x.jpg",
            b"root/a/deep/y.jpg",
            b"root/b/z.jpg",
        ]
        assert [row.tobytes() for row, _ in map(LabelledFiles(folder.paths, [0, 1, 2]).row, range(3))] == [
            b"root/a/x.jpg",
            b"root/a/deep/y.jpg",
            b"root/b/z.jpg",
        ]
        assert fetch("memory://root/b/z.jpg", 5, 4) == b"b/z." and stat_objects(["memory://root/b/z.jpg"])[0][0] == 12
        with pytest.raises(SourceDataError, match="has 12 bytes, but bytes 10 to 15 were expected"):
            fetch("memory://root/b/z.jpg", 10, 5)
    finally:
        memory.rm("/root", recursive=True)


@pytest.mark.parametrize("named", ["netrc", "proxy", ""])
def test_credentials_and_proxies_of_the_environment_are_heard(tmp_path, monkeypatch, named):
    """The server records each request's credentials, and answers for another host as its proxy."""
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            heard.append((self.path, self.headers.get("Authorization")))
            self.send_response(200)
            self.send_header("Content-Length", "3")
            self.end_headers()
            self.wfile.write(b"abc")

        def log_message(self, *_):
            pass

    heard: list[tuple[str, str | None]] = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}"
        if named == "netrc":
            (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
        if named == "proxy":
            monkeypatch.setenv("http_proxy", url)
        loop.end()  # the next request starts another loop, which uses the environment as it is then
        try:
            assert fetch("http://nowhere.invalid/a" if named == "proxy" else f"{url}/a") == b"abc"
        finally:
            loop.end()
            server.shutdown()
    expected = {"netrc": ("/a", "Basic bWU6c2VjcmV0"), "proxy": ("http://nowhere.invalid/a", None), "": ("/a", None)}
    assert heard == [expected[named]]
