"""What the first sample says about a Loader's samples: how they are nested, and what their leaves hold."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali._feed._host import FileSample
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.source.collate import as_sample
from jaxdali._feed.source.file_reading import read_file
from jaxdali._feed.source.leaf_codec import Bits, FileValue, HostValue, Listed, is_bits, is_file, is_listed, is_name
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import SampleOrigin, SourceDataError
from .absent_files import is_absent, raise_unknown
from .leaf_arguments import LeafArguments
from .palettes import warn_of_palettes
from .text_files import warn_of_texts

__all__ = ["SampleSpec", "read_sample_spec"]


@dataclasses.dataclass(frozen=True)
class SampleSpec:
    """What all samples have in common: their nesting, and what their leaves hold.

    Attributes:
        structure: the nesting.
        leaves: those of the first sample: arrays and the bytes of files; for leaves of the host what travels in their
            place.
        columns: one per leaf.
        optional: those of files that were declared to be missing in some samples.
    """

    structure: Structure
    leaves: list[bytes | np.ndarray]
    columns: list[Column]
    optional: frozenset[int] = frozenset()

    def sampled_by(self, sampler: object) -> SampleSpec:
        """Marks leaves whose extents are the sampler's own widths: its known lengths determine their width."""
        known = getattr(sampler, "widths", None)
        if known is None or not hasattr(sampler, "lengths"):
            return self
        columns = [dataclasses.replace(column, by_sampler=column.extents == known) for column in self.columns]
        return dataclasses.replace(self, columns=columns)

    @property
    def stacked(self) -> dict[int, int]:
        """The first column of each list of files, and how many they are: they may be read as one batch of `[N, T]`."""
        return {
            files.start: len(files)
            for files in self.structure.lists()
            if all(self.columns[index].encoded for index in files)
        }

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


def read_sample_spec(sample: object, max_image_pixels: int, arguments: LeafArguments) -> SampleSpec:
    """Derives the spec of all samples from the first one.

    Args:
        max_image_pixels: as for `Loader`.

    Raises:
        ConfigError: an argument names something that it cannot apply to.
        SourceDataError: the sample holds something that is not an array.
    """
    _check_keys(sample)
    structure = arguments.structure_of(sample)
    _check_nesting(structure)
    carriers, leaves = _read_leaves(structure, sample, arguments)
    if leaves and all(isinstance(carriers.get(index), HostValue) for index in range(len(leaves))):
        raise SourceDataError(
            f"the first sample, {sample!r:.80}, holds only what stays on the host, and nothing for a device; if a path "
            "stands for a file, return its bytes, open(path, 'rb').read()",
            SampleOrigin(output=structure.names[0], sample_index=0),
        )
    for index, carrier in carriers.items():
        structure.carry(index, carrier)
    hosted = [isinstance(carriers.get(index), HostValue) for index in range(len(leaves))]
    declared = arguments.extents(structure, [None if on_host else x for x, on_host in zip(leaves, hosted, strict=True)])
    files = [path for path, leaf in zip(structure.paths, leaves, strict=True) if isinstance(leaf, bytes)]
    indexed = arguments.files("indexed", structure, files)
    optional = arguments.files("optional", structure, files)
    columns = [
        Column(
            name=name,
            encoded=isinstance(leaf, bytes),
            from_getitem=True,
            shapes="ragged" if path in declared or on_host else "same",
            extents=declared.get(path, ()),
            ragged_argument=f"ragged={arguments.with_ragged(path)!r}",
            max_image_pixels=max_image_pixels,
            indexed=path in indexed,
            host=on_host,
            bits=leaf.dtype.name if is_bits(leaf) else "",
            **({} if isinstance(leaf, bytes) or on_host else _demanded(leaf)),
        )
        for name, path, leaf, on_host in zip(structure.names, structure.paths, leaves, hosted, strict=True)
    ]
    warn_of_palettes(columns, leaves)
    warn_of_texts(columns, leaves)
    return SampleSpec(structure, leaves, columns, frozenset(map(structure.paths.index, optional)))


def _check_nesting(structure: Structure) -> None:
    if structure.empty_lists:
        raise SourceDataError(
            f"the first sample has an empty list in {structure.empty_lists[0]!r}, which does not tell what others hold; "
            "return an array, such as np.empty((0, 4), np.float32)",
            SampleOrigin(output=structure.empty_lists[0], sample_index=0),
        )


def _read_leaves(structure: Structure, sample: object, arguments: LeafArguments) -> tuple[dict[int, Any], list[Any]]:
    """Returns the carriers of leaves that the ring does not take as they are, by their index, and all leaves as
    `SampleSpec` has them.
    """
    hosted = arguments.hosted(structure)
    carriers: dict[int, Any] = {}
    leaves: list[Any] = []
    for index, (path, name, leaf) in enumerate(
        zip(structure.paths, structure.names, structure.flatten(sample), strict=True)
    ):
        if path in hosted or is_name(leaf):
            carriers[index] = HostValue(name, path in hosted)
            leaves.append(carriers[index](leaf))
        elif is_file(leaf) or leaf is None:
            if is_file(leaf):
                carriers[index] = FileValue(name)
            if is_absent(leaf) and path not in arguments.files("optional", structure, structure.paths):
                raise_unknown(structure, index)
            leaves.append(_content(leaf, FileValue(name)))
        elif is_listed(leaf):
            carriers[index] = Listed.like(name, leaf)
            leaves.append(carriers[index](leaf))
        else:
            if is_bits(leaf):
                carriers[index] = Bits(name, leaf.dtype.name)
            leaves.append(_as_leaf(leaf, name))
    return carriers, leaves


def _content(leaf: object, found: FileValue) -> bytes:
    """Returns the bytes of the first sample's file; none if it has no file."""
    content = found(leaf)
    if isinstance(content, FileSample):
        return read_file(os.fsdecode(content.path))
    return content if isinstance(content, bytes) else b""


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


def _as_leaf(leaf: object, name: str) -> Any:
    if isinstance(leaf, bytes):
        return leaf
    if is_bits(leaf):
        return np.asarray(leaf)
    try:
        return as_sample(leaf, from_getitem=True)
    except SourceDataError as error:
        raise SourceDataError(str(error), SampleOrigin(output=name, sample_index=0)) from None
