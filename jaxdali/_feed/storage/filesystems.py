"""fsspec's filesystems, as coroutines on the process's loop."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import os
from typing import Any
from urllib.request import getproxies

from jaxdali.errors import BackendUnavailable, ConfigError
from .answers import http_answer, http_version, s3_answer, s3_version, unknown_size
from .listings import Echoes, http_page, names_in
from .object_identity import Answer, BadAnswer, Changed, OutOfRange, size_of, version_of
from .retries import Limit

__all__ = ["IN_FLIGHT", "Filesystem", "Listing"]

# A process's requests in flight, and aiohttp's connections. A process cannot read more than this many in one round
# trip: with 20 ms it is 5000 a second, more than one CPU reads from a server that answers at once.
IN_FLIGHT = 100

_EXTRA = "pip install 'jaxdali[cloud]'"
_HTTP, _S3 = ("http", "https"), ("s3", "s3a")
# What tells versions of an object apart, by fsspec's names, best first; and what errors call it.
_TAGS = {
    "generation": "generation ",
    "ETag": "ETag ",
    "etag": "ETag ",
    "mtime": "date ",
    "LastModified": "date ",
    "last_modified": "date ",
    "created": "date ",
}


@dataclasses.dataclass
class Listing:
    """The names directly in a folder, sorted."""

    folders: list[str]
    files: list[str]


class Filesystem:
    """fsspec's filesystem for one protocol. Its library finds credentials in the environment.

    Raises:
        ConfigError: fsspec does not know the protocol.
        BackendUnavailable: a library is missing; the text says what to install.
    """

    def __init__(self, protocol: str):
        try:
            import fsspec
        except ImportError:
            raise BackendUnavailable(f"paths of {protocol}:// need fsspec, which is not installed: {_EXTRA}") from None
        try:
            cls = fsspec.get_filesystem_class(protocol)
            options = {
                **_options(protocol),
                "skip_instance_cache": True,
                "use_listings_cache": False,
            }
            self._awaited = bool(getattr(cls, "async_impl", False))
            self._fs: Any = cls(**options, **({"asynchronous": True} if self._awaited else {}))
        except ImportError as error:
            raise BackendUnavailable(
                f"paths of {protocol}:// need a package that is not installed ({error}): {_EXTRA}"
            ) from None
        except ValueError as error:
            raise ConfigError(f"{protocol}:// is not a protocol that fsspec can use: {error}") from None
        if protocol in _S3:
            self._fs.retries = 1
        self._protocol = protocol
        self._tagging: set[str] = set()
        self._echoes = Echoes()
        self.limit = asyncio.Semaphore(IN_FLIGHT)

    @property
    def shows_versions(self) -> bool:
        """Whether answers say of what version of the object they are."""
        return self._protocol in (*_HTTP, *_S3)

    def is_odd(self, url: str, answer: Answer) -> bool:
        """Whether an answer has neither an ETag nor a date, although its server has given others one: a page that asks to
        log in comes like this.
        """
        host = url.split("/", 3)[2]
        if answer.version is None:
            return False
        if answer.version.endswith(" "):
            return host in self._tagging
        self._tagging.add(host)
        return False

    async def read(self, url: str, start: int, size: int | None, version: str, limit: Limit) -> Answer:
        """Returns `size` bytes from `start`; None: the whole object.

        Args:
            version: what the object was before, as `version_of` says it; empty: not known.
            limit: is told how many bytes come.

        Raises:
            BadAnswer: these are not the bytes that were asked for.
            Changed: the object is of another version.
            OutOfRange: the object ends earlier.
            Exception: whatever the library raises.
        """
        if size == 0:
            return Answer(b"", version)
        if self._protocol in _HTTP:
            return await http_answer(self._fs, url, start, size, version, limit)
        if self._protocol in _S3:
            return await s3_answer(self._fs, url, start, size, version, limit)
        return await self._by_library(url, start, size, version)

    async def _by_library(self, url: str, start: int, size: int | None, version: str) -> Answer:
        """`read` by a library that does not show its answers."""
        path = self._fs._strip_protocol(url)
        bounds: dict[str, Any] = {} if size is None else {"start": start, "end": start + size}
        pinned = version.partition(" generation ")[2]
        try:
            if not pinned:
                found = await self._call("cat_file", path, **bounds)
            elif "generation" in inspect.signature(self._fs.url).parameters:
                found = await self._fs._cat_file(path, **bounds, generation=pinned)
            else:  # gcsfs of 2024
                head = {} if size is None else {"Range": f"bytes={start}-{start + size - 1}"}
                found = (await self._fs._call("GET", f"{self._fs.url(path)}&generation={pinned}", headers=head))[1]
        except FileNotFoundError:
            if pinned and (now := await self.version(url)) != version:
                raise Changed(version, now) from None
            raise
        there = size_of(version) if size is None and version else size
        if there is not None and len(found) != there:
            if size is not None and (size_of(await self.version(url)) or 0) < start + size:
                raise OutOfRange
            raise BadAnswer(f"asked for {there} bytes, got {len(found)}")
        return Answer(found, version if size_of(version) is not None else None)

    async def _call(self, name: str, *given: Any, **named: Any) -> Any:
        if self._awaited:
            return await getattr(self._fs, f"_{name}")(*given, **named)
        return await asyncio.to_thread(getattr(self._fs, name), *given, **named)

    async def version(self, url: str) -> str:
        """Returns an object's version, as of `version_of`; its size may be unknown."""
        if self._protocol in _HTTP:
            return await http_version(self._fs, url)
        if self._protocol in _S3:
            return await s3_version(self._fs, url)
        info = await self._call("info", self._fs._strip_protocol(url))
        if info.get("type") == "directory":
            raise IsADirectoryError(url)
        told = ((name, info.get(name)) for name in _TAGS)
        tag = next((f"{_TAGS[name]}{one}" for name, one in told if one), "")
        return version_of(None if info.get("size") is None else int(info["size"]), tag)

    async def stat(self, url: str) -> tuple[int, str]:
        """Returns an object's size in bytes, and its version."""
        version = await self.version(url)
        if (size := size_of(version)) is None:
            raise unknown_size(url)
        return size, version

    async def list(self, url: str) -> Listing:
        """Lists what is directly in a folder; for HTTP, what that page links to."""
        folder = f"{url.rstrip('/')}/"
        if self._protocol in _HTTP:
            for there in (folder, folder.rstrip("/")):
                page = await http_page(self._fs, there)
                # In another thread: a long page would keep all requests waiting.
                folders, files = await asyncio.to_thread(names_in, page, folder)
                if folders or files:
                    break
        else:
            path = self._fs._strip_protocol(folder)
            folders, files = set(), set()
            for entry in await self._call("ls", path, detail=True):
                if (whole := entry["name"].rstrip("/")) != path.rstrip("/"):  # not the folder itself
                    (folders if entry["type"] == "directory" else files).add(whole.rpartition("/")[2])
        found = Listing(sorted(folders), sorted(files))
        self._echoes.check(folder, found.folders, found.files)
        return found

    async def close(self) -> None:
        """Closes its connections."""
        session = getattr(self._fs, "_session", None)
        if session is not None and hasattr(session, "close"):
            await session.close()
        # s3fs does not close its client's context itself.
        if (creator := getattr(self._fs, "_s3creator", None)) is not None:
            await creator.__aexit__(None, None, None)


def _options(protocol: str) -> dict[str, Any]:
    """Returns a filesystem's arguments."""
    if protocol in _S3:
        # By default there are ten connections. Failed requests are repeated by us, who keep to a limit of time.
        return {"config_kwargs": {"max_pool_connections": IN_FLIGHT, "retries": {"total_max_attempts": 1}}}
    if protocol not in _HTTP:
        return {}
    # aiohttp would unpack an answer before its headers are looked at.
    client: dict[str, Any] = {"auto_decompress": False}
    # Proxies and .netrc only if there are any: it looks for them with every request, in other threads, which takes a third
    # of its CPU time.
    netrc = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    if os.path.exists(netrc) or not getproxies().keys().isdisjoint(_HTTP):
        client["trust_env"] = True
    return {"client_kwargs": client}
