"""Finds links in pages of HTML, in time and memory that grow with the page alone."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from .object_identity import packing_of

__all__ = ["MOST_BYTES", "Echoes", "http_page", "names_in"]

# Of one page; a link takes 50 bytes or so.
MOST_BYTES = 1 << 26

# How many folders one within another list the same before that is no coincidence, with files in them and without: folders
# named by the digits of a hash look alike, too. And how many folders are remembered.
_ALIKE, _ALIKE_EMPTY, _REMEMBERED = 4, 7, 1 << 16

# Each character is looked at a fixed number of times: a tag ends where the next one begins, and no part of a pattern can
# begin where another one might go on.
_TAG = re.compile(r"<a\s([^<>]*)", re.IGNORECASE)
_HREF = re.compile(r"""(?:^|\s)href=["']([^"']+)""", re.IGNORECASE)
_QUOTED = re.compile("[%#?]")
_OTHERS = {"data", "file", "javascript", "mailto", "tel"}
_ANYWHERE = re.compile(r"https?://[-a-zA-Z0-9@:%_+.~#?&/=]+")


def links_in(page: str) -> Iterator[str]:
    """Yields what a page links to, and URLs in its text."""
    for tag in _TAG.finditer(page):
        if found := _HREF.search(tag[1]):
            yield found[1]
    for found in _ANYWHERE.finditer(page):
        yield found[0]


def names_in(page: str, url: str) -> tuple[set[str], set[str]]:
    """Returns the names of the folders and of the files directly in a folder, of which `page` is the page at `url`, as
    parts of a URL: "%", "#" and "?" are quoted. Links to anything else are left out.
    """
    parts = urlsplit(url)
    host, here = f"//{parts.netloc}/", unquote(parts.path).strip("/")
    folders: set[str] = set()
    files: set[str] = set()
    for link in links_in(page):
        if (name := _name_of(link, host, here)) is not None:
            (folders if link.partition("#")[0].endswith("/") else files).add(name)
    return folders, files


def _name_of(link: str, host: str, here: str) -> str | None:
    """Returns the name of what a link in the page of `here` leads to; None if that is not directly in there."""
    link = link.partition("#")[0]
    if "?" in link:
        return None  # sorts the page
    if ":" in link:
        scheme, _, rest = link.partition(":")
        if rest.startswith("//") or scheme.lower() in _OTHERS:
            link = rest if scheme.lower() in ("http", "https") else "//"
    whole = unquote(link) if "%" in link else link
    if link.startswith("//"):
        if not link.startswith(host):
            return None
        whole = unquote(link[len(host) - 1 :])
    if whole.startswith("/"):
        above, _, name = whole.rstrip("/").rpartition("/")
        if above.strip("/") != here:
            return None
    else:
        name = whole.removeprefix("./").rstrip("/")
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        return None
    return _QUOTED.sub(lambda found: quote(found[0]), name) if _QUOTED.search(name) else name


async def http_page(fs: Any, url: str) -> str:
    """Returns the page of a folder; an empty one if what is there is not HTML.

    Raises:
        NotImplementedError: it is longer than `MOST_BYTES`, or compressed.
        Exception: whatever aiohttp raises.
    """
    session = await fs.set_session()
    async with session.get(fs.encode_url(url), headers={"Accept-Encoding": "identity"}, **fs.kwargs) as answer:
        if answer.status == 404:
            raise FileNotFoundError(url)
        answer.raise_for_status()
        kind = answer.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if kind != "text/html":
            return ""
        if packing := packing_of(answer.headers):
            raise NotImplementedError(f"the page is compressed with {packing!r}, although it was asked for as it is")
        blocks, count = [], 0
        while block := await answer.content.readany():
            count += len(block)
            if count > MOST_BYTES:
                raise NotImplementedError(
                    f"the page of the folder has more than {MOST_BYTES} bytes; list its files yourself"
                )
            blocks.append(block)
        return b"".join(blocks).decode("utf-8", "ignore")


class Echoes:
    """Notices a folder that leads to itself, as by a symbolic link: with two such links in it, there would be thousands of
    folders ten levels below.
    """

    def __init__(self) -> None:
        self._listed: OrderedDict[str, bytes] = OrderedDict()

    def check(self, url: str, folders: Sequence[str], files: Sequence[str]) -> None:
        """Raises NotImplementedError if what a folder lists is what the folders above it list."""
        url, above = url.rstrip("/"), 1
        names = "\0".join((*folders, "/", *files)).encode(errors="surrogateescape")
        self._listed[url] = mine = hashlib.blake2b(names, digest_size=16).digest()
        if len(self._listed) > _REMEMBERED:
            self._listed.popitem(last=False)
        if not folders:
            return
        parent = url.rpartition("/")[0]
        while self._listed.get(parent) == mine:
            parent, above = parent.rpartition("/")[0], above + 1
        if above >= (_ALIKE if files else _ALIKE_EMPTY):
            raise NotImplementedError(
                f"it lists the same as the {above - 1} folders above it, so it seems to lead to itself"
            )
