"""Packs sequences into rows of one length, with little padding, as language models are trained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jaxdali._base.source_infos import SampleInfo
from jaxdali.errors import ConfigError, SourceDataError, check_integer
from .access import Identities, View, read_sample, varies
from .digests import digest_of
from .first_fit import first_fit, first_fit_of_all
from .sampler import Permutation
from .views import check_sources

__all__ = ["pack"]

_PLAIN = "ids"
_ADDED = ("segment_ids", "positions")


class Pack(View):
    """A view in which each sample consists of consecutive pieces of others.

    Args:
        rooms: tokens per row of each sequence.
        names: of the sequences; None: there is one, which all arrays of a sample share.
        pieces: `int64[n, 2 + sequences]`: sample, first token, and the number of tokens of each sequence.
        ends: of the rows, in `pieces`.
    """

    def __init__(
        self, data: object, rooms: tuple[int, ...], names: tuple[str, ...] | None, pieces: np.ndarray, ends: np.ndarray
    ):
        self._data, self._rooms, self._names = data, rooms, names
        self._pieces, self._ends = pieces, ends

    def __len__(self) -> int:
        return len(self._ends)

    def identity(self, identities: Identities) -> dict[str, Any]:
        rooms = self._rooms[0] if self._names is None else (self._names, self._rooms)
        pieces = digest_of(rooms, self._pieces, self._ends)
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
        segments, positions = ([np.zeros(room, np.int32) for room in self._rooms] for _ in _ADDED)
        at = [0] * len(self._rooms)
        for number, (sample, first, *sizes) in enumerate(self._own(index).tolist(), 1):
            leaves = _leaves(read_sample(self._data, sample, info), sample, self._names)
            if number > 1 and set(leaves) != set(row):
                raise SourceDataError(
                    f"sample {sample} has {list(leaves)}, another one {list(row)}; all samples must have the same leaves"
                )
            for name, leaf in leaves.items():
                k = self._sequence(name)
                self._check_length(sample, name, len(leaf), first + sizes[k], sizes[k] < self._rooms[k])
                if not at[k]:  # there is nothing yet, and an empty list may have any type
                    row[name] = np.zeros((self._rooms[k], *leaf.shape[1:]), leaf.dtype)
                elif len(leaf):
                    _check_alike(sample, name, leaf, row[name][: at[k]])
                row[name][at[k] : at[k] + sizes[k]] = leaf[first : first + sizes[k]]
            for k, size in enumerate(sizes):
                segments[k][at[k] : at[k] + size] = number
                positions[k][at[k] : at[k] + size] = np.arange(size)
                at[k] += size
        for name, values in zip(_ADDED, (segments, positions), strict=True):
            of_sequences = zip(self._names or ("",), values, strict=True)
            row |= {f"{sequence}_{name}" if self._names else name: value for sequence, value in of_sequences}
        return row

    def _sequence(self, name: str) -> int:
        return 0 if self._names is None else self._names.index(name)

    def _check_length(self, sample: int, name: str, tokens: int, end: int, is_whole: bool) -> None:
        # Only a piece as long as a row may be followed by more tokens of its sample.
        if tokens < end or (tokens > end and is_whole):
            raise SourceDataError(
                f"sample {sample} has {tokens} tokens in {name!r}, but had {end} when it was packed; pack the data again, "
                "or pass the lengths= that they have now"
            )


def pack(
    data: Any,
    length: int | Mapping[str, int],
    *,
    lengths: Iterable[int] | Mapping[str, Iterable[int]] | None = None,
    split: bool = False,
    truncate: bool = False,
    seed: int | None = None,
) -> View:
    """Rows of `length` tokens, each made of whole samples one after the other, by first fit: a sample goes to the first
    row that has room for it. Which samples share a row is decided here, once. The rows are data like any other, which a
    Loader shuffles, resumes and shards.

    A sample may have several sequences of different lengths, such as inputs and targets, or nodes and edges: give a dict
    of their lengths, `{"inputs": 512, "targets": 128}`. A sample goes to the first row that has room for all of them.

    Args:
        data: a source with `__len__` and `__getitem__`. A sample is an array whose first axis is tokens, or a dict of such
            arrays: of one length, or those that `length` names.
        length: tokens per row; or a dict of them, for each array of a sample.
        lengths: tokens of each sample, integers `[len(data)]`; or a dict of them. None: all samples are read once, in
            this process, to find them.
        split: cut samples that are longer than a row into pieces of that length and a rest. Not for several sequences,
            whose pieces would not belong together.
        truncate: cut samples that are longer than a row to its length, and drop the rest. Without `split` or `truncate`
            they are an error.
        seed: that of the random order in which samples are placed; None: in their own order.

    Returns:
        Data whose samples are dicts. Each array of a sample (`"ids"` if a sample is an array) becomes the packed one,
        `[length, ...]`, with zeros after the last sample. Two are added: `"segment_ids"`, `int32[length]`, which sample of
        the row a token belongs to, from 1, and 0 after the last one; and `"positions"`, `int32[length]`, the token's
        position in its sample or piece, from 0. With several sequences each has its own, such as `"inputs_segment_ids"`
        and `"inputs_positions"`; a sample has the same number in all.

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
        >>> pairs = [{"inputs": np.array([7, 8]), "targets": np.array([1])}]
        >>> pairs += [{"inputs": np.array([9]), "targets": np.array([2])}]
        >>> for name, values in source.pack(pairs, {"inputs": 4, "targets": 2})[0].items():
        ...     print(name, values)
        inputs [7 8 9 0]
        targets [1 2]
        inputs_segment_ids [1 1 2 0]
        targets_segment_ids [1 2]
        inputs_positions [0 1 0 0]
        targets_positions [0 0]
    """
    (data,) = check_sources("pack", (data,))
    names, rooms = _rooms(length)
    if split and (truncate or names):
        raise ConfigError(
            "pack: split=True is for one sequence, which it cuts into pieces; with several, pass truncate=True"
            if names
            else "pack: split=True keeps what truncate=True drops: pass one of them"
        )
    counts = _counts(data, names, lengths)
    longest = counts.max(axis=0)
    if not (split or truncate) and (longest > rooms).any():
        k = int((longest > rooms).argmax())
        said = "truncate=True to cut it" if names else "split=True to cut it, or truncate=True to drop what is too much"
        raise ConfigError(
            f"pack: sample {int(counts[:, k].argmax())} has {longest[k]} tokens{f' in {names[k]!r}' if names else ''}, more "
            f"than the {rooms[k]} of a row; make rows longer, or pass {said}"
        )
    if truncate:
        counts = np.minimum(counts, rooms)
    order = np.arange(len(counts))
    if seed is not None:
        order = Permutation(len(counts), check_integer("seed", seed, 0, (1 << 64) - 1))(order)
    if split:
        room = rooms[0]
        pieces = [
            (sample, first, min(room, size - first))
            for sample, (size,) in zip(order.tolist(), counts[order].tolist(), strict=True)
            for first in range(0, size, room)
        ]
    else:
        pieces = [(sample, 0, *sizes) for sample, sizes in zip(order.tolist(), counts[order].tolist(), strict=True)]
    sizes = [piece[2:] for piece in pieces]
    fit = first_fit([size for (size,) in sizes], rooms[0]) if len(rooms) == 1 else first_fit_of_all(sizes, rooms)
    by_row = np.argsort(fit, kind="stable")
    ends = np.cumsum(np.bincount(fit))
    return Pack(data, rooms, names, np.asarray(pieces, np.int64)[by_row], ends)


def _rooms(length: Any) -> tuple[tuple[str, ...] | None, tuple[int, ...]]:
    """Returns the names of the sequences, if they have some, and the tokens per row of each."""
    if not isinstance(length, Mapping):
        return None, (check_integer("length", length, 1),)
    if not length:
        raise ConfigError("pack: length is an empty dict; expected the tokens per row of each array of a sample")
    return tuple(length), tuple(check_integer(f"length[{name!r}]", room, 1) for name, room in length.items())


def _counts(data: Any, names: tuple[str, ...] | None, lengths: Any) -> np.ndarray:
    """Returns the tokens of each sample, `int64[samples, sequences]`."""
    if lengths is None:
        sizes = [_sizes(data[index], index, names) for index in range(len(data))]
        columns: list[Any] = list(zip(*sizes, strict=True)) or [[]]
    elif names is not None:
        if not isinstance(lengths, Mapping) or set(lengths) != set(names):
            raise ConfigError(
                f"pack: lengths must be a dict of those of {', '.join(map(repr, names))}, got {lengths!r:.80}"
            )
        columns = [list(lengths[name]) for name in names]
    else:
        columns = [list(lengths)]
    for column in columns:
        if len(column) != len(data):
            raise ConfigError(f"pack: lengths must be one per sample, {len(data)}, got {len(column)}")
        found = np.asarray(column)
        if found.size == 0 or found.dtype.kind not in "iu" or found.ndim != 1 or found.min() < 0:
            raise ConfigError(f"pack expects samples of at least one token, got {found.dtype} lengths {column[:4]!r}")
    counts = np.stack([np.asarray(column, np.int64) for column in columns], axis=1)
    if not counts.any(axis=1).all():
        raise ConfigError(
            f"pack expects samples of at least one token, and sample {counts.any(axis=1).argmin()} has none"
        )
    return counts


def _sizes(sample: object, index: int, names: tuple[str, ...] | None) -> list[int]:
    leaves = _leaves(sample, index, names)
    return [len(next(iter(leaves.values())))] if names is None else [len(leaves[name]) for name in names]


def _leaves(sample: object, index: int, names: tuple[str, ...] | None) -> dict[str, np.ndarray]:
    leaves = sample if isinstance(sample, dict) else {_PLAIN: sample}
    arrays = {name: _array(leaf) for name, leaf in leaves.items()}
    if names is not None:
        if arrays.keys() == set(names) and all(array.ndim for array in arrays.values()):
            return arrays
        wanted = (
            f"dicts of the arrays {', '.join(map(repr, names))}, which length= names (a number, such as a label, is an "
            "array of one);"
        )
    else:
        alike = len({array.shape[:1] for array in arrays.values()}) == 1
        if alike and all(array.ndim and name not in _ADDED for name, array in arrays.items()):
            return arrays
        wanted = (
            "arrays of one axis or more, or dicts of such arrays of one length (for several lengths, give a dict of those "
            "of rows), without segment_ids and positions, which it adds;"
        )
    found = {
        name: array.shape if array.dtype != object else type(leaves[name]).__name__ for name, array in arrays.items()
    }
    raise SourceDataError(
        f"pack expects samples that are {wanted} sample {index} is {found}; convert them with source.map"
    )


def _array(leaf: object) -> np.ndarray:
    """Returns `leaf` as an array; what is no array, such as a tuple of arrays, as one of no axis."""
    if not (isinstance(leaf, tuple) and any(isinstance(part, dict | list | tuple) or np.ndim(part) for part in leaf)):
        try:
            return np.asarray(leaf)
        except ValueError:  # lists of different lengths
            pass
    nothing = np.empty((), object)
    nothing[()] = leaf
    return nothing


def _check_alike(sample: int, name: str, leaf: np.ndarray, others: np.ndarray) -> None:
    """Raises SourceDataError unless `leaf` has the type and further axes of its row, to which NumPy would cast it."""
    if (leaf.dtype, leaf.shape[1:]) != (others.dtype, others.shape[1:]):
        raise SourceDataError(
            f"sample {sample} has {leaf.dtype}{list(leaf.shape)} in {name!r}, and those before it in its row have "
            f"{others.dtype}{list(others.shape)}; return one type and one shape after the first axis in every sample, "
            f"e.g. np.asarray(value, np.{others.dtype.name})"
        )
