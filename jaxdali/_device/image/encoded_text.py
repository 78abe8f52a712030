"""What an `EncodedBatch` looks like to a person: a line of text, and thumbnails in a notebook."""

from __future__ import annotations

import collections
from typing import Any, Protocol

import jax
import jax.core
import numpy as np

from jaxdali._base.batch import ALIGNMENT, Codec, Row, Status
from jaxdali._base.gallery import MOST_SHOWN, Shown, gallery
from jaxdali._base.interruptions import is_interruption
from jaxdali._base.pictures import thumbnail, thumbnail_of_file

__all__ = ["batch_as_html", "batch_as_text", "shape_text", "shown_files"]


class Files(Protocol):
    """An `EncodedBatch`."""

    @property
    def bytes(self) -> Any: ...
    @property
    def rows(self) -> Any: ...
    @property
    def sizes(self) -> Any: ...
    @property
    def sharding(self) -> object: ...


def shape_text(value: Any) -> str:
    """Returns "int32[3, 8]" of an array, or the name of another object's type."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    return type(value).__name__


def batch_as_text(batch: Files) -> str:
    """Returns the repr of a batch: its files, or where they are not known, as in a trace, the shapes of its arrays."""
    sharding = "" if batch.sharding is None else f", sharding={batch.sharding}"
    try:
        if isinstance(batch.rows, jax.Array) and not isinstance(batch.rows, jax.core.Tracer):
            return f"EncodedBatch({_files(np.asarray(batch.rows), np.asarray(batch.sizes))}{sharding})"
    except Exception as error:  # the arrays were donated, or are on other processes
        if is_interruption(error):
            raise
    return f"EncodedBatch(bytes={shape_text(batch.bytes)}, rows={shape_text(batch.rows)}{sharding})"


def _files(rows: np.ndarray, sizes: np.ndarray) -> str:
    count = " x ".join(map(str, rows.shape[:-1]))
    rows, sizes = rows.reshape(-1, rows.shape[-1]), sizes.reshape(-1, 3)
    good = rows[:, Row.STATUS] == Status.OK
    parts = [f"{count} file{'' if count == '1' else 's'}"]
    if good.any():
        jpeg = rows[good, Row.CODEC] == Codec.JPEG
        parts.append(_span(rows[good, Row.SIZE] / 1024, lambda number: f"{number:.3g}", " KiB"))
        parts.append("JPEG" if jpeg.all() else f"{jpeg.sum()} JPEG, {(~jpeg).sum()} decoded")
        areas = sizes[good, 0].astype(np.int64) * sizes[good, 1]
        ends = sizes[good][[areas.argmin(), areas.argmax()], :2].tolist()
        parts.append(" to ".join(dict.fromkeys(f"{height}x{width}" for height, width in ends)) + " pixels")
    bad = collections.Counter(_status(code) for code in rows[~good, Row.STATUS].tolist())
    return ", ".join([*parts, *(f"{number} {name}" for name, number in bad.items())])


def _status(code: int) -> str:
    return Status(code).name if code in Status.__members__.values() else Status.CORRUPT.name


def _span(numbers: np.ndarray, text: Any, unit: str) -> str:
    return " to ".join(dict.fromkeys(map(text, (numbers.min(), numbers.max())))) + unit


def batch_as_html(batch: Files) -> str:
    """Returns thumbnails of a batch's first files."""
    total = int(np.prod(batch.rows.shape[:-1]))
    return gallery(batch_as_text(batch), shown_files(batch, MOST_SHOWN), total)


def shown_files(batch: Files, count: int) -> list[Shown]:
    """Returns thumbnails of a batch's first files.

    Raises:
        Exception: the batch's arrays are not here, as in a trace, or after they were donated.
    """
    rows, sizes = np.asarray(batch.rows), np.asarray(batch.sizes)
    of_part = max(len(rows) // max(batch.bytes.shape[0], 1), 1)
    each = int(np.prod(rows.shape[1:-1]))
    flat, extents = rows.reshape(-1, rows.shape[-1])[:count], sizes.reshape(-1, 3)
    parts: dict[int, np.ndarray] = {}
    found = []
    for index, row in enumerate(flat):
        part = index // each // of_part
        if part not in parts:
            parts[part] = np.asarray(batch.bytes)[part]
        place = str(index) if rows.ndim == 2 else f"{index // each}, {index % each}"
        status = int(row[Row.STATUS])
        if status != Status.OK:
            found.append(Shown(place, instead=_status(status)))
            continue
        start = int(row[Row.OFFSET]) * ALIGNMENT
        data = parts[part][start : start + int(row[Row.SIZE])]
        caption = f"{place}: {extents[index][0]}x{extents[index][1]}"
        found.append(Shown.of(caption, lambda row=row, data=data: _picture(row, data)))
    return found


def _picture(row: np.ndarray, data: np.ndarray) -> bytes:
    if row[Row.CODEC] == Codec.JPEG:
        return thumbnail_of_file(data.tobytes())
    dtype = np.uint8 if row[Row.CODEC] == Codec.RAW else np.uint16
    pixels = data.view(dtype).reshape(row[[Row.HEIGHT, Row.WIDTH, Row.COMPONENTS]])
    return thumbnail(pixels if row[Row.COMPONENTS] != 2 else pixels[..., 0])
