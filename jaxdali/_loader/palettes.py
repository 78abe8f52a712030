"""Detects masks whose class indices would be replaced by colours."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.ring.columns import Column

__all__ = ["warn_of_palettes"]

_PNG = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPE, _INDEXED = 25, 3  # the offset of the color type in the header, and its value for a palette


def warn_of_palettes(columns: Sequence[Column], leaves: Sequence[object]) -> None:
    """Warns if the first sample has a PNG with a palette and another file, as masks come with their images, and
    `indexed` does not name it.
    """
    files = [(column, leaf) for column, leaf in zip(columns, leaves, strict=True) if isinstance(leaf, bytes)]
    for column, file in files if len(files) > 1 else []:
        if file[:8] == _PNG and file[_COLOR_TYPE : _COLOR_TYPE + 1] == bytes([_INDEXED]) and not column.indexed:
            warn_user(
                f"the first {column.name!r} is a PNG with a palette, whose colours are looked up. If you want its "
                f"indices, as for a mask, declare it: Loader(..., indexed=({column.name!r},)); else make it 'RGB'",
                UserWarning,
            )
