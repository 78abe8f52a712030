"""A server of objects in its own process: a folder's files over HTTP, with ranges, pauses, and deliberate faults.

`python object_server.py FOLDER [--latency-ms 20] [--fault NAME --every N] [--down-after N --down-s S]` writes its port.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import html
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

_RANGE = re.compile(rb"\r\nrange: *bytes=(\d+)-(\d+)", re.IGNORECASE)
FAULTS = ("reset", "truncated", "unavailable", "short", "whole", "slow")


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
        self, status: str, body: bytes, kind: str = "application/octet-stream", length: int | None = None
    ) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body) if length is None else length}\r\n"
        self.transport.write(head.encode() + b"Accept-Ranges: bytes\r\n\r\n" + body)


class _Service:
    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.folder = os.path.realpath(arguments.folder)
        self.connections: set[_Connection] = set()
        self.files: dict[str, bytes] = {}
        self.requests = self.faulty = self.most = self.now = self.bytes = 0

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        self.listening = await loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.port = self.listening.sockets[0].getsockname()[1]
        print(self.port, flush=True)
        await asyncio.Event().wait()

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
            connection.answer("200 OK", b"", length=os.path.getsize(path))
        else:
            self.give(connection, head, self.content(path))

    def content(self, path: str) -> bytes:
        if path not in self.files:
            with open(path, "rb") as file:
                self.files[path] = file.read()
        return self.files[path]

    def give(self, connection: _Connection, head: bytes, whole: bytes) -> None:
        found = _RANGE.search(head)
        begin, end = (int(found[1]), int(found[2]) + 1) if found else (0, len(whole))
        if begin >= len(whole) and found:
            connection.answer("416 Range Not Satisfiable", b"")
            return
        body, status = whole[begin:end], "206 Partial Content" if found else "200 OK"
        fault = self.arguments.fault if self.arguments.every and self.requests % self.arguments.every == 0 else None
        self.faulty += fault is not None
        self.bytes += len(body)
        if fault == "unavailable":
            connection.answer("503 Service Unavailable", b"later")
        elif fault == "reset":
            connection.answer(status, body[: len(body) // 2], length=len(body))
            connection.transport.abort()
        elif fault == "truncated":
            connection.answer(status, body[: len(body) // 2], length=len(body))
            connection.transport.close()
        elif fault == "short" and found:
            connection.answer(status, body[: len(body) // 2])
        elif fault == "whole":
            connection.answer("200 OK", whole)
        elif fault == "slow":
            connection.answer(status, body[: len(body) // 2], length=len(body))
            asyncio.get_running_loop().call_later(0.5, connection.transport.write, body[len(body) // 2 :])
        else:
            connection.answer(status, body)


def _names(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(entry.name + "/" * entry.is_dir() for entry in entries)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--down-after", type=int, default=0)
    parser.add_argument("--down-s", type=float, default=5)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_Service(parser.parse_args()).serve())


if __name__ == "__main__":
    main()
