"""`show`: what is in a batch, for a notebook: thumbnails of images, and the first numbers of everything else."""

from __future__ import annotations

import dataclasses
import html
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._base.gallery import MOST_SHOWN, Shown, gallery
from jaxdali._base.interruptions import is_interruption
from jaxdali._base.public_names import public_name
from jaxdali.errors import ConfigError, ConfigTypeError
from .tensors.sample_pictures import are_pictures, sample_cells
from .tensors.tensor_list import TensorListCPU, TensorListGPU

if TYPE_CHECKING:
    import jax
else:
    from jaxdali._run.lazy_jax import jax

__all__ = ["BatchView", "picture_cells", "show"]

_VALUES = 300  # characters of a leaf's values
# Larger arrays are not read whole, only the rows that are shown.
_MOST_BYTES = 1 << 26


class BatchView:
    """What `jaxdali.show` found in a batch: a notebook displays it, and `print` describes it."""

    def __init__(self, lines: Sequence[str], parts: Sequence[str]):
        self._lines, self._parts = lines, parts

    def __repr__(self) -> str:
        return "\n".join(self._lines)

    def _repr_html_(self) -> str:
        return "".join(self._parts)

    def save(self, filename: str | os.PathLike[str]) -> None:
        """Writes what a notebook shows as a page, for a browser.

        Args:
            filename: a path, such as "batch.html"; a file there is replaced.

        Raises:
            OSError: it cannot be written.
        """
        page = f'<!DOCTYPE html><meta charset="utf-8"><title>batch</title>{self._repr_html_()}\n'
        with open(filename, "w", encoding="utf-8") as file:
            file.write(page)


@dataclasses.dataclass(frozen=True)
class _Leaf:
    """One leaf of a batch, as far as it is shown.

    Attributes:
        name: its path in the batch, such as "['image']".
        text: its type and shape.
        rows: how many there are; 0: it has no rows, or cannot be read.
        at: gives a row, as an array; only of the first ones.
        cells: makes thumbnails, given captions; None if it is no picture.
    """

    name: str
    text: str
    rows: int = 0
    at: Callable[[int], np.ndarray] | None = None
    cells: Callable[[Sequence[str]], list[Shown]] | None = None

    @property
    def label(self) -> str:
        return f"{self.name}: {self.text}" if self.name else self.text

    def value(self, row: int) -> str | None:
        """Returns a row that is a single number or string, as text."""
        if self.at is None or self.cells is not None or row >= self.rows:
            return None
        value = self.at(row)
        return _short(value.item()) if value.ndim == 0 else None


def show(batch: PyTree, *, count: int = MOST_SHOWN) -> BatchView:
    """Shows what is in a batch: images as thumbnails, with the labels of their rows below, and the first values of
    everything else. It reads what it shows at once, and nothing of it afterwards.

    Args:
        batch: what a Loader, a pipeline or an iterator gave: any nesting of arrays `[N, ...]`, `TensorList`s and
            `EncodedBatch`es. An array is taken to be images by its shape: `[N, H, W, C]`, `[N, C, H, W]` or `[N, H, W]`,
            where C is 1, 3 or 4; of clips the middle frame is shown. Levels of uint8 are shown as they are; other numbers
            from the smallest (black) to the largest (white) of each image.
        count: the number of rows that are shown, at most 16.

    Returns:
        An object that a notebook displays, which `print` describes, and whose `save("batch.html")` writes a page.

    Raises:
        ConfigTypeError: this is no batch, but a Loader, for example.

    Example:
        >>> import jaxdali, numpy as np
        >>> jaxdali.show({"image": np.zeros((4, 8, 8, 3), np.uint8), "label": np.arange(4)})
        ['image']: uint8[4, 8, 8, 3], from 0 to 0
        ['label']: int64[4], from 0 to 3: 0 1 2 3
    """
    count = max(1, min(int(count), MOST_SHOWN))
    if jax.tree_util.all_leaves([batch]) and not _is_leaf(batch) and not isinstance(batch, int | float | str | bytes):
        if not hasattr(batch, "shape"):
            raise ConfigTypeError(
                f"show expects a batch, got a {public_name(type(batch))}: of a Loader it is next(iter(loader)), of a "
                "pipeline pipe.run(), of an iterator next(iterator)"
            )
    leaves = _leaves(batch, count)
    captions = [_caption(leaves, row) for row in range(count)]
    lines, parts = [], []
    for leaf in leaves:
        if leaf.cells is not None:
            lines.append(leaf.label)
            parts.append(gallery(leaf.label, leaf.cells(captions[: leaf.rows]), leaf.rows))
        else:
            lines.append(f"{leaf.label}{_values(leaf, count)}")
            parts.append(f'<div style="font-family:monospace">{html.escape(lines[-1])}</div>')
    return BatchView(lines or ["a batch without leaves"], parts or ["a batch without leaves"])


def picture_cells(batch: PyTree, count: int) -> list[Shown]:
    """Returns thumbnails of the first rows of the first leaf of a batch that has images.

    Raises:
        ConfigError: no leaf has.
    """
    leaves = _leaves(batch, count)
    found = next((leaf for leaf in leaves if leaf.cells is not None), None)
    if found is None or found.cells is None:
        raise ConfigError(
            f"nothing in a batch looks like images, uint8 or float [N, H, W, C] with 1, 3 or 4 channels, or files of "
            f"images: it has {'; '.join(leaf.label for leaf in leaves) or 'no leaves'}"
        )
    return found.cells([_caption(leaves, row) for row in range(min(count, found.rows))])


def _leaves(batch: PyTree, count: int) -> list[_Leaf]:
    flat, _ = jax.tree_util.tree_flatten_with_path(batch, is_leaf=_is_leaf)
    return [_read(jax.tree_util.keystr(path), leaf, count) for path, leaf in flat]


def _is_leaf(value: object) -> bool:
    from jaxdali._device.image.encoded import EncodedBatch

    return isinstance(value, EncodedBatch | TensorListCPU | TensorListGPU) or _is_ragged(value)


def _is_ragged(value: object) -> bool:
    """Whether this is a pair of a padded array and the shapes of its rows."""
    if not (type(value) is tuple and len(value) == 2 and all(hasattr(part, "ndim") for part in value)):
        return False
    data, shapes = value
    known = shapes.ndim == 2 and shapes.shape[0] == (data.shape or (0,))[0]
    return known and np.dtype(shapes.dtype).kind == "i" and 0 < shapes.shape[1] < data.ndim


def _read(name: str, leaf: Any, count: int) -> _Leaf:
    from jaxdali._device.image.encoded_text import shape_text

    try:
        return _readable(name, leaf, count)
    except Exception as error:  # it was donated, is on other processes, or a function is being traced
        if is_interruption(error):
            raise
        return _Leaf(name, f"{shape_text(leaf)}, which cannot be read here ({type(error).__name__})")


def _readable(name: str, leaf: Any, count: int) -> _Leaf:
    from jaxdali._device.image.encoded import EncodedBatch
    from jaxdali._device.image.encoded_text import shape_text, shown_files

    if isinstance(leaf, EncodedBatch):
        found = shown_files(leaf, count)
        rows = int(np.prod(leaf.rows.shape[:-1]))
        alone = leaf.rows.ndim == 2  # else captions are of other rows

        def named(captions: Sequence[str]) -> list[Shown]:
            pairs = zip(found, captions, strict=False)
            return [dataclasses.replace(cell, caption=text) if alone else cell for cell, text in pairs]

        return _Leaf(name, repr(leaf), rows, None, named)
    if isinstance(leaf, TensorListCPU | TensorListGPU):
        return _of_rows(name, repr(leaf), len(leaf), leaf.as_cpu().at)
    if _is_ragged(leaf):
        data, shapes = leaf
        first, extents = _first_rows(data, count), np.asarray(shapes)

        def cut(row: int) -> np.ndarray:
            return first[row][tuple(map(slice, extents[row]))]

        return _of_rows(name, f"{shape_text(data)} and the shapes of its rows", len(extents), cut)
    if not hasattr(leaf, "shape"):
        return _Leaf(name, _short(leaf))
    if not leaf.shape:
        return _Leaf(name, f"{shape_text(leaf)}: {_short(np.asarray(leaf).item())}")
    first = _first_rows(leaf, count)
    numbers = first.astype(np.float64) if first.dtype.kind not in "OSUcb" and first.size else None
    span = "" if numbers is None else f", from {_short(numbers.min())} to {_short(numbers.max())}"
    return _of_rows(name, f"{shape_text(leaf)}{span}", leaf.shape[0], lambda row: np.asarray(first[row]))


def _first_rows(array: Any, count: int) -> np.ndarray:
    if not getattr(array, "is_fully_addressable", True):
        array = array.addressable_shards[0].data
    return np.asarray(array)[:count] if array.nbytes <= _MOST_BYTES else np.asarray(array[:count])


def _of_rows(name: str, text: str, rows: int, at: Callable[[int], np.ndarray]) -> _Leaf:
    pictures = rows > 0 and are_pictures(np.asarray(at(0)))
    return _Leaf(name, text, rows, at, (lambda captions: sample_cells(at, captions)) if pictures else None)


def _caption(leaves: Sequence[_Leaf], row: int) -> str:
    values = [f"{leaf.name.strip(chr(39) + '[]')} {value}" for leaf in leaves if (value := leaf.value(row)) is not None]
    return ", ".join([str(row), *values])


def _values(leaf: _Leaf, count: int) -> str:
    if leaf.at is None or not leaf.rows:
        return ""
    shown = [leaf.at(row) for row in range(min(count, leaf.rows))]
    text = " ".join(" ".join(np.array2string(value, threshold=8, edgeitems=3).split()) for value in shown)
    more = " ..." if leaf.rows > len(shown) or len(text) > _VALUES else ""
    return f": {text[:_VALUES]}{more}"


def _short(value: object) -> str:
    text = f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
    return text if len(text) <= _VALUES else f"{text[:_VALUES]}..."
