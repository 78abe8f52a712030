"""A server of objects in its own process: a folder's files over HTTP, with ranges, pauses, and deliberate faults.

`python object_server.py FOLDER [--latency-ms 20] [--fault NAME --every N] [--down-after N --down-s S] [--tag etag]`
writes its port. It is a server of S3, too, with FOLDER's folders as buckets.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import email.utils
import gzip
import html
import json
import os
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_RANGE = re.compile(rb"\r\nrange: *bytes=(\d+)-(\d+)", re.IGNORECASE)
# Those of RANGES are seen in answers to requests for a range alone: a whole object might be like this.
FAULTS = (
    *("reset", "truncated", "unavailable", "compressed", "endless", "untold", "empty"),
    *("whole", "short", "elsewhere", "page", "unnamed", "grown", "replaced"),
    "slow",
)
RANGES = ("whole", "short", "elsewhere", "page", "unnamed", "grown", "replaced")


@dataclasses.dataclass
class Server:
    """A running server.

    Attributes:
        url: of its folder.
    """

    url: str

    def told(self) -> dict[str, int]:
        """Counts since its start: "requests", how many of them were "faulty", "most_at_once", and "bytes" of objects."""
        with urllib.request.urlopen(f"{self.url}/.told") as answer:
            return json.load(answer)


@contextlib.contextmanager
def object_server(folder: Any, *arguments: str) -> Iterator[Server]:
    """Serves a folder for the duration of the block."""
    command = [sys.executable, os.path.abspath(__file__), str(folder), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Server(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.terminate()
        process.communicate()


@contextlib.contextmanager
def object_thread(folder: Any, *arguments: str) -> Iterator[Server]:
    """`object_server` in a thread of this process, which starts at once."""
    loop, started = asyncio.new_event_loop(), threading.Event()
    service = _Service(_parser().parse_args([str(folder), *arguments]), started.set)
    task = loop.create_task(service.serve())

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        for connection in list(service.connections):
            connection.transport.abort()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert started.wait(30)
        yield Server(f"http://127.0.0.1:{service.port}")
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()


class _Connection(asyncio.Protocol):
    def __init__(self, service: _Service):
        self.service, self.held = service, b""

    def connection_made(self, transport: Any) -> None:
        self.transport: Any = transport
        self.service.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.service.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self.held += data
        while b"\r\n\r\n" in self.held:
            head, _, self.held = self.held.partition(b"\r\n\r\n")
            self.service.take(self, head)

    def answer(
        self,
        status: str,
        body: bytes,
        kind: str = "application/octet-stream",
        length: int | None = None,
        headers: Sequence[str] = (),
    ) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Accept-Ranges: bytes", *headers]
        if length != -1:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        self.transport.write("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body)


class _Service:
    def __init__(self, arguments: argparse.Namespace, started: Callable[[], object]):
        self.arguments, self.started = arguments, started
        self.folder = os.path.realpath(arguments.folder)
        self.connections: set[_Connection] = set()
        self.files: dict[str, tuple[int, bytes]] = {}
        self.requests = self.faulty = self.most = self.now = self.bytes = 0

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        self.listening = await loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.port = self.listening.sockets[0].getsockname()[1]
        self.started()
        try:
            await asyncio.Event().wait()
        finally:
            self.listening.close()

    def take(self, connection: _Connection, head: bytes) -> None:
        self.requests += 1
        self.now += 1
        self.most = max(self.most, self.now)
        if self.requests == self.arguments.down_after:
            self.falling = asyncio.ensure_future(self.fall())
            return
        if self.arguments.latency_ms:
            asyncio.get_running_loop().call_later(self.arguments.latency_ms / 1000, self.answer, connection, head)
        else:
            self.answer(connection, head)

    async def fall(self) -> None:
        """Stops listening for a while, and aborts all connections."""
        self.listening.close()
        for connection in list(self.connections):
            connection.transport.abort()
        await asyncio.sleep(self.arguments.down_s)
        self.listening = await asyncio.get_running_loop().create_server(
            lambda: _Connection(self), "127.0.0.1", self.port
        )

    def answer(self, connection: _Connection, head: bytes) -> None:
        self.now -= 1
        if connection.transport.is_closing():
            return
        method, target, _ = head.split(b"\r\n", 1)[0].split(b" ")
        name = urllib.parse.unquote(target.decode().partition("?")[0])
        path = os.path.realpath(self.folder + name)
        if name == "/.told":
            self.requests -= 1
            told = {"requests": self.requests, "faulty": self.faulty, "most_at_once": self.most, "bytes": self.bytes}
            connection.answer("200 OK", json.dumps(told).encode(), "application/json")
        elif os.path.isdir(path):
            rows = "".join(f'<a href="{urllib.parse.quote(one)}">{html.escape(one)}</a>' for one in _names(path))
            connection.answer("200 OK", rows.encode(), "text/html")
        elif not path.startswith(self.folder) or not os.path.isfile(path):
            connection.answer("404 Not Found", b"")
        elif method == b"HEAD":
            connection.answer("200 OK", b"", length=os.path.getsize(path), headers=self.tags(path))
        else:
            self.give(connection, head, self.content(path), self.tags(path))

    def tags(self, path: str) -> list[str]:
        """Returns the headers that tell versions of a file apart."""
        status = os.stat(path)
        tags = {
            "etag": f'ETag: "{status.st_mtime_ns:x}-{status.st_size:x}"',
            "date": f"Last-Modified: {email.utils.formatdate(status.st_mtime, usegmt=True)}",
        }
        return [tags[name] for name in self.arguments.tag.split("+") if name in tags]

    def content(self, path: str) -> bytes:
        version = os.stat(path).st_mtime_ns
        if path not in self.files or self.files[path][0] != version:
            with open(path, "rb") as file:
                self.files[path] = version, file.read()
        return self.files[path][1]

    def give(self, connection: _Connection, head: bytes, whole: bytes, tags: list[str]) -> None:
        found = _RANGE.search(head)
        begin, end = (int(found[1]), int(found[2]) + 1) if found else (0, len(whole))
        if begin >= len(whole) and found:
            connection.answer("416 Range Not Satisfiable", b"")
            return
        body, status = whole[begin:end], "206 Partial Content" if found else "200 OK"
        where = [f"Content-Range: bytes {begin}-{begin + len(body) - 1}/{len(whole)}"] if found else []
        fault = self.arguments.fault if self.arguments.every and self.requests % self.arguments.every == 0 else None
        if fault in RANGES and not found and not (fault == "page" and self.arguments.pages):
            fault = None
        self.faulty += fault is not None
        self.bytes += len(body)
        half = body[: len(body) // 2]

        def answer(
            body: bytes, status: str = status, headers: Sequence[str] = (*tags, *where), length: int | None = None
        ):
            connection.answer(status, body, headers=headers, length=length)

        if fault is None:
            answer(body)
        elif fault == "unavailable":
            answer(b"later", "503 Service Unavailable", [])
        elif fault in ("reset", "truncated"):
            answer(half, length=len(body))
            connection.transport.abort() if fault == "reset" else connection.transport.close()
        elif fault == "short":
            answer(half)
        elif fault == "compressed":
            answer(gzip.compress(body), headers=[*tags, *where, "Content-Encoding: gzip"])
        elif fault == "endless":
            chunk = b"%x\r\n%b\r\n" % (1 << 20, bytes(1 << 20))
            answer(chunk * 8, headers=[*tags, *where, "Transfer-Encoding: chunked"], length=-1)
        elif fault == "untold":
            answer(half, headers=[*tags, *where, "Connection: close"], length=-1)
            connection.transport.close()
        elif fault == "replaced":
            answer(bytes(len(body)), headers=['ETag: "other"', "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT", *where])
        elif fault == "empty":
            answer(b"", "204 No Content")
        elif fault == "whole":
            answer(whole, "200 OK", tags)
        elif fault == "elsewhere":
            other = whole[: len(body)] if begin else whole[len(whole) - len(body) :]
            first = 0 if begin else len(whole) - len(body)
            answer(other, headers=[*tags, f"Content-Range: bytes {first}-{first + len(other) - 1}/{len(whole)}"])
        elif fault == "page":
            answer(b"<html>please log in</html>".ljust(len(body))[: len(body)], "200 OK", [])
        elif fault == "unnamed":
            answer(body, headers=tags)
        elif fault == "grown":
            answer(body, headers=[*tags, f"Content-Range: bytes {begin}-{begin + len(body) - 1}/{len(whole) + 9}"])
        elif fault == "slow":
            answer(half, length=len(body))
            asyncio.get_running_loop().call_later(0.5, connection.transport.write, body[len(half) :])


def _names(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(entry.name + "/" * entry.is_dir() for entry in entries)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--pages", action="store_true", help='the fault "page" in place of whole objects, too')
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--tag", default="etag+date", help="what tells versions apart: etag, date, both, or none")
    parser.add_argument("--down-after", type=int, default=0)
    parser.add_argument("--down-s", type=float, default=5)
    return parser


def main() -> None:
    service = _Service(_parser().parse_args(), lambda: print(service.port, flush=True))
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(service.serve())


if __name__ == "__main__":
    main()
