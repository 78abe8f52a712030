"""fsspec's filesystems, as coroutines on the process's loop."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
from typing import Any
from urllib.parse import quote, unquote
from urllib.request import getproxies

from ..errors import BackendUnavailable, ConfigError
from .retries import WrongLength
from .urls import protocol_of, spoken

__all__ = ["IN_FLIGHT", "Filesystem", "Listing"]

# A process's requests in flight, and aiohttp's connections. A process cannot read more than this many in one round
# trip: with 20 ms it is 5000 a second, more than one CPU reads from a server that answers at once.
IN_FLIGHT = 100

_EXTRA = "pip install 'jaxdali[cloud]'"
_OPTIONS: dict[str, dict[str, Any]] = {
    # The default is ten connections.
    "s3": {"config_kwargs": {"max_pool_connections": IN_FLIGHT}},
    "s3a": {"config_kwargs": {"max_pool_connections": IN_FLIGHT}},
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
                **_OPTIONS.get(protocol, {}),
                **_of_environment(protocol),
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
        self.limit = asyncio.Semaphore(IN_FLIGHT)

    async def bytes_of(self, url: str, start: int, size: int | None) -> bytes:
        """Returns `size` bytes from `start`; None: the whole object.

        Raises:
            WrongLength: more or fewer bytes arrived.
            Exception: whatever the library raises.
        """
        if size == 0:
            return b""
        path = self._fs._strip_protocol(url)
        bounds = {} if size is None else {"start": start, "end": start + size}
        if self._awaited:
            found = await self._fs._cat_file(path, **bounds)
        else:
            found = await asyncio.to_thread(self._fs.cat_file, path, **bounds)
        if size is not None and len(found) != size:
            raise WrongLength(f"asked for {size} bytes, got {len(found)}")
        return found

    async def stat(self, url: str) -> tuple[int, str]:
        """Returns an object's size in bytes and what identifies its version; empty if nothing does."""
        path = self._fs._strip_protocol(url)
        info = await (self._fs._info(path) if self._awaited else asyncio.to_thread(self._fs.info, path))
        if info.get("type") == "directory":
            raise IsADirectoryError(url)
        if info.get("size") is None:
            raise NotImplementedError(f"the server does not say how many bytes {spoken(url)} has")
        told = [info.get(name) for name in ("ETag", "etag", "mtime", "LastModified", "last_modified", "created")]
        return int(info["size"]), str(next((one for one in told if one), ""))

    async def list(self, url: str) -> Listing:
        """Lists what is directly in a folder; for HTTP, what that page links to."""
        path = self._fs._strip_protocol(f"{url.rstrip('/')}/")
        found = await (
            self._fs._ls(path, detail=True) if self._awaited else asyncio.to_thread(self._fs.ls, path, detail=True)
        )
        folders, files = set(), set()
        of_links = protocol_of(url) in ("http", "https")
        for entry in found:
            whole = unquote(entry["name"].partition("#")[0]) if of_links else entry["name"]
            if whole.rstrip("/") == unquote(path.rstrip("/")) or (of_links and "?" in whole):
                continue  # the folder itself, or a link that sorts the page
            name = whole.rstrip("/").rpartition("/")[2]
            if of_links:
                name = re.sub("[%#?]", lambda found: quote(found[0]), name)  # else these characters would end the path
            (folders if entry["type"] == "directory" else files).add(name)
        return Listing(sorted(folders), sorted(files))

    async def close(self) -> None:
        """Closes its connections."""
        session = getattr(self._fs, "_session", None)
        if session is not None and hasattr(session, "close"):
            await session.close()
        # s3fs does not close its client's context itself.
        if (creator := getattr(self._fs, "_s3creator", None)) is not None:
            await creator.__aexit__(None, None, None)


def _of_environment(protocol: str) -> dict[str, Any]:
    """Options that let aiohttp use proxies and .netrc, only if there are any: it looks for them with every request, in
    other threads, which takes a third of its CPU time.
    """
    if protocol not in ("http", "https"):
        return {}
    netrc = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    there = os.path.exists(netrc) or not getproxies().keys().isdisjoint(("http", "https"))
    return {"client_kwargs": {"trust_env": True}} if there else {}
