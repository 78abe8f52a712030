"""What the first sample says about a Loader's samples: how they are nested, and what their leaves hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.source.collate import as_sample
from jaxdali._feed.source.leaf_codec import Bits, HostValue, Listed, is_bits, is_listed, is_name
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import ConfigError, SampleOrigin, SourceDataError, check_integer
from .palettes import warn_of_palettes

__all__ = ["SampleSpec", "read_sample_spec"]


@dataclasses.dataclass(frozen=True)
class SampleSpec:
    """What all samples have in common: their nesting, and what their leaves hold.

    Attributes:
        structure: the nesting.
        leaves: those of the first sample: arrays and the bytes of files; for leaves of the host what travels in their
            place.
        columns: one per leaf.
    """

    structure: Structure
    leaves: list[bytes | np.ndarray]
    columns: list[Column]

    def sampled_by(self, sampler: object) -> SampleSpec:
        """Marks leaves whose extents are the sampler's own widths: its known lengths determine their width."""
        known = getattr(sampler, "widths", None)
        if known is None or not hasattr(sampler, "lengths"):
            return self
        columns = [dataclasses.replace(column, by_sampler=column.extents == known) for column in self.columns]
        return dataclasses.replace(self, columns=columns)

    @property
    def free(self) -> list[str]:
        """The names of leaves whose width a process chooses by its own samples."""
        return [column.name for column, leaf in zip(self.columns, self.leaves, strict=True) if _is_free(column, leaf)]

    def other_widths(self) -> Iterator[list[bytes | np.ndarray]]:
        """Yields the leaves of samples that have other widths than the first one."""
        pairs = list(zip(self.columns, self.leaves, strict=True))
        most = max((len(column.extents) for column, leaf in pairs if _is_free(column, leaf)), default=0)
        for number in range(max(most, 2)):
            yield [_widened(leaf, column, number) if _is_free(column, leaf) else leaf for column, leaf in pairs]

    @property
    def is_agreed(self) -> bool:
        """Whether all processes pad each batch to the same widths, although each sees only its own samples."""
        return not self.free


def _is_free(column: Column, leaf: Any) -> bool:
    if column.shapes != "ragged" or column.host:
        return False
    return np.ndim(leaf) != 1 or not (column.by_sampler or len(column.extents) == 1)


def _widened(leaf: Any, column: Column, number: int) -> np.ndarray:
    shape = [extent * (number + 2) for extent in leaf.shape]
    if column.extents:
        shape[0] = column.extents[min(number, len(column.extents) - 1)]
    return np.broadcast_to(leaf.dtype.type(0), shape)


def read_sample_spec(
    sample: object, max_image_pixels: int, ragged: object, host: object, indexed: object
) -> SampleSpec:
    """Derives the spec of all samples from the first one.

    Args:
        max_image_pixels, ragged, host, indexed: as for `Loader`.

    Raises:
        ConfigError: `ragged` names something other than an array that could differ in shape, `host` something other
            than a leaf, or `indexed` something other than a file.
        SourceDataError: the sample holds something that is not an array.
    """
    _check_keys(sample)
    structure = Structure(sample)
    carriers = _carriers(structure, structure.flatten(sample), host)
    if structure.empty_lists:
        raise SourceDataError(
            f"the first sample has an empty list in {structure.empty_lists[0]!r}, which does not tell what others hold; "
            "return an array, such as np.empty((0, 4), np.float32)",
            SampleOrigin(output=structure.empty_lists[0], sample_index=0),
        )
    if len(carriers) == structure.leaves and all(isinstance(carrier, HostValue) for carrier in carriers.values()):
        raise SourceDataError(
            f"the first sample, {sample!r:.80}, holds only what stays on the host, and nothing for a device; if a path "
            "stands for a file, return its bytes, open(path, 'rb').read()",
            SampleOrigin(output=structure.names[0] if structure.names else None, sample_index=0),
        )
    hosted = [isinstance(carriers.get(index), HostValue) for index in range(structure.leaves)]
    leaves = [
        carriers[index](leaf) if hosted[index] or is_listed(leaf) else _as_leaf(leaf, structure.names[index])
        for index, leaf in enumerate(structure.flatten(sample))
    ]
    for index, carrier in carriers.items():
        structure.carry(index, carrier)
    declared = _read_ragged(
        ragged, structure, [None if on_host else x for x, on_host in zip(leaves, hosted, strict=True)]
    )
    files = _paths(
        "indexed", indexed, [p for p, leaf in zip(structure.paths, leaves, strict=True) if isinstance(leaf, bytes)]
    )
    columns = [
        Column(
            name=name,
            encoded=isinstance(leaf, bytes),
            from_getitem=True,
            shapes="ragged" if path in declared or on_host else "same",
            extents=declared.get(path, ()),
            ragged_argument=f"ragged={_with_leaf(ragged, path)!r}",
            max_image_pixels=max_image_pixels,
            indexed=path in files,
            host=on_host,
            bits=leaf.dtype.name if is_bits(leaf) else "",
            **({} if isinstance(leaf, bytes) or on_host else _demanded(leaf)),
        )
        for name, path, leaf, on_host in zip(structure.names, structure.paths, leaves, hosted, strict=True)
    ]
    warn_of_palettes(columns, leaves)
    return SampleSpec(structure, leaves, columns)


def _check_keys(sample: object) -> None:
    """Raises SourceDataError if the keys of a dict cannot be sorted, which JAX requires."""
    if isinstance(sample, list | tuple):
        for value in sample:
            _check_keys(value)
    if not isinstance(sample, dict):
        return
    try:
        sorted(sample)
    except TypeError:
        raise SourceDataError(
            f"a sample has the keys {', '.join(map(repr, sample))}, of several types, which JAX does not take in a dict; "
            "return a dict with strings as keys"
        ) from None
    for value in sample.values():
        _check_keys(value)


def _demanded(leaf: np.ndarray) -> dict[str, Any]:
    """Returns what all samples must share with an array of the first, so that batches match `Loader.element_spec`."""
    known = {} if is_bits(leaf) else {"dtype": from_numpy_type(leaf.dtype)}
    return known | {"ndim": leaf.ndim, "sample_shape": leaf.shape}


def _carriers(structure: Structure, leaves: Sequence[Any], host: Any) -> dict[int, Any]:
    """Returns, by index, the carriers for leaves that the ring does not take as they are."""
    declared = _paths("host", host, structure.paths)
    carriers: dict[int, Any] = {}
    for index, (path, name, leaf) in enumerate(zip(structure.paths, structure.names, leaves, strict=True)):
        if path in declared or is_name(leaf):
            carriers[index] = HostValue(name, path in declared)
        elif is_bits(leaf):
            carriers[index] = Bits(name, leaf.dtype.name)
        elif is_listed(leaf):
            carriers[index] = Listed.like(name, leaf)
    return carriers


def _paths(argument: str, given: object, known: Sequence[tuple[object, ...]]) -> list[tuple[Any, ...]]:
    """Returns the paths of the leaves that an argument names. Raises ConfigError for one that it may not name."""
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise ConfigError(f"{argument} must be a tuple or list of leaves, e.g. {argument}=('id',), got {given!r}")
    paths = [leaf if isinstance(leaf, tuple) else (leaf,) for leaf in given]
    for path in paths:
        if path not in known:
            what = "file" if argument == "indexed" else "leaf"
            raise ConfigError(
                f"{argument} names {_shortest(path)!r}, but samples have no such {what}; "
                f"they have: {', '.join(repr(_shortest(path)) for path in known) or 'none'}"
            )
    return paths


def _as_leaf(leaf: object, name: str) -> Any:
    if isinstance(leaf, bytes):
        return leaf
    if is_bits(leaf):
        return np.asarray(leaf)
    try:
        return as_sample(leaf, from_getitem=True)
    except SourceDataError as error:
        raise SourceDataError(str(error), SampleOrigin(output=name, sample_index=0)) from None


def _read_ragged(
    ragged: object, structure: Structure, leaves: Sequence[object]
) -> dict[tuple[Any, ...], tuple[int, ...]]:
    """Reads which leaves a user declared ragged: returns their paths, and the extents that each is padded to."""
    if isinstance(ragged, str | bytes) or not isinstance(ragged, Collection):
        raise ConfigError(
            "ragged must be a tuple or list of leaves, e.g. ragged=('ids',), or a dict of leaves and what they are padded "
            f"to, e.g. ragged={{'ids': 512}}, got {ragged!r}"
        )
    declared = {}
    for given in ragged:
        path = given if isinstance(given, tuple) else (given,)
        if path not in structure.paths:
            if (count := structure.listed(path)) is not None:
                raise ConfigError(
                    f"ragged names {given!r}, which is nested, with {count} leaves, and not an array; have samples "
                    "hold a flat list of the numbers, or an array made with np.asarray"
                )
            named = zip(structure.paths, leaves, strict=True)
            arrays = ", ".join(repr(_shortest(path)) for path, leaf in named if _may_differ(leaf))
            raise ConfigError(
                f"ragged names {given!r}, but samples have no such leaf; those whose shapes could differ are: "
                f"{arrays or 'none'}"
            )
        leaf = leaves[structure.paths.index(path)]
        if not _may_differ(leaf):
            what = "has no axes"
            if not isinstance(leaf, np.ndarray):
                what = "stays on the host" if leaf is None else "is an image file, which comes in an EncodedBatch"
            raise ConfigError(f"ragged names {given!r}, whose shape cannot differ: it {what}; leave it out")
        declared[path] = _read_extents(given, ragged[given]) if isinstance(ragged, Mapping) else ()
    return declared


def _read_extents(leaf: object, given: object) -> tuple[int, ...]:
    """Raises ConfigError if the extents are not integers, or not ascending."""
    if given is None:
        return ()
    extents = given if isinstance(given, tuple | list) else (given,)
    checked = tuple(check_integer(f"ragged[{leaf!r}]", extent, 1) for extent in extents)
    if not checked or list(checked) != sorted(set(checked)):
        raise ConfigError(f"ragged[{leaf!r}] must be an integer, or several in ascending order, got {given!r}")
    return checked


def _with_leaf(ragged: Any, path: tuple[object, ...]) -> Any:
    """Returns `ragged` as the user would write it with one more leaf."""
    leaf = _shortest(path)
    return {**ragged, leaf: None} if isinstance(ragged, Mapping) else (*ragged, leaf)


def _shortest(path: tuple[object, ...]) -> Any:
    return path[0] if len(path) == 1 else path


def _may_differ(leaf: object) -> bool:
    return isinstance(leaf, np.ndarray) and leaf.ndim > 0
