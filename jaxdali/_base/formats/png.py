"""The chunks of a PNG file."""

from __future__ import annotations

from collections.abc import Iterator

from .fields import EndsEarly, read

__all__ = ["chunk_names"]


def chunk_names(content: bytes) -> Iterator[bytes]:
    """Yields the names of the chunks, in order, up to and including IEND.

    Raises:
        EndsEarly: the content ends before IEND does.
    """
    at, name = 8, b""
    while name != b"IEND":
        size, name = read(">I4s", content, at)
        at += 8 + size + 4
        if at > len(content):
            raise EndsEarly
        yield name
