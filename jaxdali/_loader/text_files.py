"""Detects text that would be read as image files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxdali._base.formats.format_names import recognise
from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.ring.columns import Column

__all__ = ["warn_of_texts"]

# How much of a file is looked at; its last character may be cut.
_HEAD = 256


def warn_of_texts(columns: Sequence[Column], leaves: Sequence[object]) -> None:
    """Warns if the first sample has bytes that are no image, but text, as `txt` and `cls` of WebDatasets are."""
    for column, leaf in zip(columns, leaves, strict=True):
        if isinstance(leaf, bytes) and _is_text(leaf):
            warn_user(
                f"the first {column.name!r}, {leaf!r:.60}, is text, but bytes of a sample are read as an image file. "
                "Return a string, value.decode(), or a number, int(value), by source.map(data, function) or "
                f"WebDataset(dtypes=). To get the bytes as they are, declare them: Loader(..., host=({column.name!r},))",
                UserWarning,
            )


def _is_text(content: bytes) -> bool:
    if not content or recognise(np.frombuffer(content, np.uint8)) is not None:
        return False
    try:
        text = content[:_HEAD].decode()
    except UnicodeDecodeError as error:
        if len(content) <= _HEAD or error.start < _HEAD - 3:
            return False
        text = content[: error.start].decode()
    return all(letter.isprintable() or letter.isspace() for letter in text)
