"""Reads numbers from a file, and tells a file that ends early from other errors."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["EndsEarly", "read"]


class EndsEarly(Exception):
    """Something that the file announces is beyond its end."""


def read(layout: str, content: bytes, at: int) -> tuple[Any, ...]:
    """Like `struct.unpack_from`, for any `at` that is not negative.

    Raises:
        EndsEarly: the fields extend beyond the content.
    """
    if at > len(content) - struct.calcsize(layout):
        raise EndsEarly
    return struct.unpack_from(layout, content, at)
