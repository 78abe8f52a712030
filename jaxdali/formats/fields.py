"""Numbers in a file, read so that a file that ends early is told from everything else."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["EndsEarly", "read"]


class EndsEarly(Exception):
    """Something that the file says it has is beyond its end."""


def read(layout: str, content: bytes, at: int) -> tuple[Any, ...]:
    """As `struct.unpack_from`, for any `at` that is not negative.

    Raises:
        EndsEarly: it is not within the content.
    """
    if at > len(content) - struct.calcsize(layout):
        raise EndsEarly
    return struct.unpack_from(layout, content, at)
