"""Masks whose classes would be taken for colours."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ..ring.columns import Column

__all__ = ["warn_of_palettes"]

_PNG = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPE, _INDEXED = 25, 3  # where the header says it, and what it says


def warn_of_palettes(columns: Sequence[Column], leaves: Sequence[object]) -> None:
    """Warns of a PNG with a palette beside another file in the first sample, as masks are beside their images, where nobody
    said `indexed`. For the Loader's constructor, whose caller it is shown to.
    """
    files = [(column, leaf) for column, leaf in zip(columns, leaves, strict=True) if isinstance(leaf, bytes)]
    for column, file in files if len(files) > 1 else []:
        if file[:8] == _PNG and file[_COLOR_TYPE : _COLOR_TYPE + 1] == bytes([_INDEXED]) and not column.indexed:
            warnings.warn(
                f"the first {column.name!r} is a PNG with a palette, whose colours are looked up. If its indices are "
                f"wanted, as those of a mask, declare it: Loader(..., indexed=({column.name!r},)); else make it 'RGB'",
                stacklevel=5,
            )
