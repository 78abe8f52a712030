"""Packs sequences into rows of one length, with little padding, as language models are trained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jaxdali._base.source_infos import SampleInfo
from jaxdali.errors import ConfigError, SourceDataError, check_integer
from .access import Identities, View, read_sample, varies
from .digests import digest_of
from .sampler import Permutation
from .views import check_sources

__all__ = ["pack"]

_PLAIN = "ids"
_ADDED = ("segment_ids", "positions")


class Pack(View):
    """A view in which each sample consists of consecutive pieces (sample, first token, number of tokens) of others."""

    def __init__(self, data: object, length: int, pieces: np.ndarray, ends: np.ndarray):
        self._data, self._length = data, length
        self._pieces, self._ends = pieces, ends

    def __len__(self) -> int:
        return len(self._ends)

    def identity(self, identities: Identities) -> dict[str, Any]:
        pieces = digest_of(self._length, self._pieces, self._ends)
        return {"type": "pack", "samples": len(self), "pieces": pieces, "of": identities([self._data])}

    @property
    def varies(self) -> bool:
        return varies(self._data)

    def locate(self, index: int, epoch: int) -> tuple[object, int]:
        """Returns the first of the samples that it is made of."""
        return self._data, int(self._own(index)[0, 0])

    def _own(self, index: int) -> np.ndarray:
        return self._pieces[self._ends[index - 1] if index else 0 : self._ends[index]]

    def read(self, index: int, info: SampleInfo) -> dict[str, np.ndarray]:
        row: dict[str, np.ndarray] = {}
        segments, positions = np.zeros((2, self._length), np.int32)
        at = 0
        for number, (sample, first, size) in enumerate(self._own(index).tolist(), 1):
            leaves = _leaves(read_sample(self._data, sample, info), sample)
            if number == 1:
                row = {name: np.zeros(self._length, leaf.dtype) for name, leaf in leaves.items()}
            if set(leaves) != set(row):
                raise SourceDataError(
                    f"sample {sample} has {list(leaves)}, another one {list(row)}; all samples must have the same leaves"
                )
            for name, leaf in leaves.items():
                # Only a piece as long as a row may be followed by more tokens of its sample.
                if len(leaf) < first + size or (len(leaf) > first + size and size < self._length):
                    raise SourceDataError(
                        f"sample {sample} has {len(leaf)} tokens in {name!r}, but had {first + size} when it was packed; "
                        "pack the data again, or pass the lengths= that they have now"
                    )
                row[name][at : at + size] = leaf[first : first + size]
            segments[at : at + size] = number
            positions[at : at + size] = np.arange(size)
            at += size
        return {**row, "segment_ids": segments, "positions": positions}


def pack(
    data: Any, length: int, *, lengths: Iterable[int] | None = None, split: bool = False, seed: int | None = None
) -> View:
    """Rows of `length` tokens, each made of whole samples one after the other, by first fit: a sample goes to the first
    row that has room for it. Which samples share a row is decided here, once. The rows are data like any other, which a
    Loader shuffles, resumes and shards.

    Args:
        data: a source with `__len__` and `__getitem__`. A sample is a one-dimensional array, or a dict of such arrays
            of one length.
        length: tokens per row.
        lengths: tokens of each sample, integers `[len(data)]`. None: all samples are read once, in this process, to
            find them.
        split: cut samples that are longer than a row into pieces of that length and a rest. False: they are an error.
        seed: that of the random order in which samples are placed; None: in their own order.

    Returns:
        Data whose samples are dicts. Each array of a sample (`"ids"` if a sample is an array) becomes the packed one,
        `[length]`, with zeros after the last sample. Two are added: `"segment_ids"`, `int32[length]`, which sample of
        the row a token belongs to, from 1, and 0 after the last one; and `"positions"`, `int32[length]`, the token's
        position in its sample or piece, from 0.

    Raises:
        ConfigError: a sample is empty or too long, `lengths` does not have one number per sample, or `data` is not such
            a source.
        SourceDataError: a sample has another form.

    Example:
        >>> import numpy as np
        >>> from jaxdali import source
        >>> for name, values in source.pack([np.array([7, 8]), np.array([9])], length=4)[0].items():
        ...     print(name, values)
        ids [7 8 9 0]
        segment_ids [1 1 2 0]
        positions [0 1 0 0]
    """
    (data,) = check_sources("pack", (data,))
    length = check_integer("length", length, 1)
    if lengths is None:
        sizes = [_size(data[index], index) for index in range(len(data))]
    else:
        sizes = list(lengths)
        if len(sizes) != len(data):
            raise ConfigError(f"pack: lengths must be one per sample, {len(data)}, got {len(sizes)}")
    counts = np.asarray(sizes)
    if counts.size == 0 or counts.dtype.kind not in "iu" or counts.ndim != 1 or counts.min() < 1:
        raise ConfigError(f"pack expects samples of at least one token, got {counts.dtype} lengths {sizes[:4]!r}")
    if not split and counts.max() > length:
        raise ConfigError(
            f"pack: sample {int(counts.argmax())} has {counts.max()} tokens, more than the {length} of a row; make rows "
            "longer, or pass split=True to cut it"
        )
    order = np.arange(len(counts))
    if seed is not None:
        order = Permutation(len(counts), check_integer("seed", seed, 0, (1 << 64) - 1))(order)
    pieces = [
        (sample, first, min(length, size - first))
        for sample, size in zip(order.tolist(), counts[order].tolist(), strict=True)
        for first in range(0, size, length)
    ]
    rows = _first_fit([size for _, _, size in pieces], length)
    by_row = np.argsort(rows, kind="stable")
    ends = np.cumsum(np.bincount(rows))
    return Pack(data, length, np.asarray(pieces, np.int64)[by_row], ends)


def _first_fit(sizes: Sequence[int], room: int) -> np.ndarray:
    """Returns the row of each piece, `int64[n]`. A tree, whose nodes have the largest room below them, finds it."""
    leaves = 1 << max(len(sizes) - 1, 0).bit_length()
    largest = [room] * (2 * leaves)
    rows = np.empty(len(sizes), np.int64)
    for index, size in enumerate(sizes):
        node = 1
        while node < leaves:
            node *= 2
            node += largest[node] < size
        rows[index] = node - leaves
        largest[node] -= size
        while node > 1:
            node //= 2
            largest[node] = max(largest[2 * node], largest[2 * node + 1])
    return rows


def _size(sample: object, index: int) -> int:
    return len(next(iter(_leaves(sample, index).values())))


def _leaves(sample: object, index: int) -> dict[str, np.ndarray]:
    leaves = sample if isinstance(sample, dict) else {_PLAIN: sample}
    arrays = {name: np.asarray(leaf) for name, leaf in leaves.items()}
    alike = len({array.shape for array in arrays.values()}) == 1
    if not alike or any(array.ndim != 1 for array in arrays.values()) or any(name in arrays for name in _ADDED):
        raise SourceDataError(
            "pack expects samples that are one-dimensional arrays, or dicts of such arrays of one length, without "
            "segment_ids and positions, which it adds; "
            f"sample {index} is { ({name: array.shape for name, array in arrays.items()}) }; convert them with source.map"
        )
    return arrays
