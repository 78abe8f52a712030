"""HTML for notebooks: a heading, and thumbnails with captions. Bounded in size, and whatever is shown is escaped."""

from __future__ import annotations

import base64
import dataclasses
import html
import struct
from collections.abc import Callable, Sequence

from .interruptions import is_interruption

__all__ = ["MOST_SHOWN", "Shown", "as_html", "gallery"]

# How many thumbnails there are at most.
MOST_SHOWN = 16
_LONGEST_CAPTION = 60
# Pictures whose longer side is smaller, in pixels, are enlarged.
_ENLARGED = 64


@dataclasses.dataclass(frozen=True)
class Shown:
    """A thumbnail.

    Attributes:
        caption: what stands below it.
        png: the picture; empty if there is none.
        instead: what stands in place of the picture.
    """

    caption: str
    png: bytes = b""
    instead: str = ""

    @classmethod
    def of(cls, caption: str, make: Callable[[], bytes]) -> Shown:
        """Returns the thumbnail that `make` makes, or a word in its place."""
        try:
            return cls(caption, make())
        except Exception as error:
            if is_interruption(error):
                raise
            return cls(caption, instead="no image" if type(error).__module__ == "PIL" else str(error) or "no image")


def gallery(title: str, cells: Sequence[Shown], total: int) -> str:
    """Returns a division of HTML.

    Args:
        title: the line above.
        cells: the first ones count, as many as `MOST_SHOWN`.
        total: how many there are; the rest is only counted.
    """
    shown = cells[:MOST_SHOWN]
    rest = f'<div style="align-self:center">and {total - len(shown)} more</div>' if total > len(shown) else ""
    return (
        f'<div><div style="font-family:monospace;white-space:pre-wrap">{html.escape(title)}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:6px;margin:4px 0">{"".join(map(_cell, shown))}{rest}</div></div>'
    )


def _cell(cell: Shown) -> str:
    caption = cell.caption if len(cell.caption) <= _LONGEST_CAPTION else f"...{cell.caption[3 - _LONGEST_CAPTION :]}"
    if cell.png:
        width, height = struct.unpack(">II", cell.png[16:24])  # of a PNG's header
        scale = max(1, _ENLARGED // max(width, height))
        data = base64.b64encode(cell.png).decode()
        picture = (
            f'<img src="data:image/png;base64,{data}" width="{width * scale}" height="{height * scale}" '
            'style="image-rendering:pixelated">'
        )
    else:
        picture = (
            '<div style="width:64px;height:64px;border:1px dashed #888;font-size:11px">'
            f"{html.escape(cell.instead[:_LONGEST_CAPTION])}</div>"
        )
    words = f'<figcaption style="font-size:11px;overflow-wrap:anywhere">{html.escape(caption)}</figcaption>'
    return f'<figure style="margin:0;max-width:140px">{picture}{words}</figure>'


def as_html(make: Callable[[], str], instead: object) -> str:
    """Returns the HTML that `make` makes; if it cannot, the repr of an object: a cell of a notebook shows an object of any
    state, such as a batch that was donated, and never an error.
    """
    try:
        return make()
    except Exception as error:
        if is_interruption(error):
            raise
        try:
            return f"<pre>{html.escape(repr(instead))}</pre>"
        except Exception as other:
            if is_interruption(other):
                raise
            return f"<pre>{html.escape(type(instead).__name__)} object</pre>"
