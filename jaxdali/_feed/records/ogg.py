"""Looks at the pages of Ogg files (RFC 3533)."""

from __future__ import annotations

__all__ = ["chained_at"]

_MAGIC = b"OggS"
# In a page: where its flags are, the flag of a stream's first page, and the number of segments, whose sizes follow.
_FLAGS, _BEGINS, _COUNT = 5, 2, 26


def chained_at(content: bytes | memoryview) -> int | None:
    """Returns where another Ogg stream begins behind the first one, as in files that were joined; None if none does, or the
    file is not Ogg's.

    Streams side by side, such as a sound and a video, all begin before any of them goes on.
    """
    view = memoryview(content).cast("B")
    offset, goes_on = 0, False
    while bytes(view[offset : offset + len(_MAGIC)]) == _MAGIC and offset + _COUNT < len(view):
        begins = view[offset + _FLAGS] & _BEGINS
        if begins and goes_on:
            return offset
        goes_on = not begins
        sizes = offset + _COUNT + 1
        bodies = sizes + view[offset + _COUNT]
        offset = bodies + sum(view[sizes:bodies])
    return None
