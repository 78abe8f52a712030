"""What the samples of a Loader are, as the first of them says: how they are nested, and what their leaves hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ConfigError, SampleOrigin, SourceDataError, check_integer
from ..source.access import read_sample
from ..source.collate import as_sample
from ..source.structure import Structure
from ..types import sample_info_type
from ..workers.columns import Column

__all__ = ["Layout", "read_layout"]


@dataclasses.dataclass(frozen=True)
class Layout:
    """The nesting, and what stands in it.

    Attributes:
        structure: the nesting.
        leaves: of the first sample: arrays, and the bytes of files.
        columns: one a leaf.
    """

    structure: Structure
    leaves: list[bytes | np.ndarray]
    columns: list[Column]


def read_layout(data: Any, seed: int, max_image_pixels: int, ragged: Any) -> Layout:
    """Reads the first sample.

    Args:
        seed, max_image_pixels, ragged: as of `Loader`.

    Raises:
        ConfigError: `ragged` names no array of the sample that could differ in shape.
        SourceDataError: the sample holds what is no array.
        Exception: what `data` raises.
    """
    sample = read_sample(data, 0, sample_info_type(seed)(0, 0, 0, 0))
    structure = Structure(sample)
    leaves = [
        leaf if isinstance(leaf, bytes) else _as_array(leaf, name)
        for leaf, name in zip(structure.flatten(sample), structure.names, strict=True)
    ]
    declared = _read_ragged(ragged, structure, leaves)
    columns = [
        Column(
            name=name,
            encoded=isinstance(leaf, bytes),
            from_getitem=True,
            shapes="ragged" if path in declared else "same",
            extents=declared.get(path, ()),
            ragged_argument=f"ragged={_with_leaf(ragged, path)!r}",
            max_image_pixels=max_image_pixels,
        )
        for name, path, leaf in zip(structure.names, structure.paths, leaves, strict=True)
    ]
    return Layout(structure, leaves, columns)


def _as_array(leaf: Any, name: str) -> np.ndarray:
    try:
        return as_sample(leaf, from_getitem=True)
    except SourceDataError as error:
        raise SourceDataError(str(error), SampleOrigin(output=name, sample_index=0)) from None


def _read_ragged(ragged: Any, structure: Structure, leaves: Sequence[Any]) -> dict[tuple[Any, ...], tuple[int, ...]]:
    """What a user declared ragged: the paths of the leaves, and what each is padded to."""
    if isinstance(ragged, str | bytes) or not isinstance(ragged, Collection):
        raise ConfigError(
            "ragged must be a tuple or list of leaves, e.g. ragged=('ids',), or a dict of leaves and what they are padded "
            f"to, e.g. ragged={{'ids': 512}}, got {ragged!r}"
        )
    declared = {}
    for given in ragged:
        path = given if isinstance(given, tuple) else (given,)
        if path not in structure.paths:
            named = zip(structure.paths, leaves, strict=True)
            arrays = ", ".join(repr(_shortest(path)) for path, leaf in named if _may_differ(leaf))
            raise ConfigError(
                f"ragged names {given!r}, but samples have no such leaf; those whose shapes could differ are: "
                f"{arrays or 'none'}"
            )
        leaf = leaves[structure.paths.index(path)]
        if not _may_differ(leaf):
            what = "is an image file, which comes in an EncodedBatch" if isinstance(leaf, bytes) else "has no axes"
            raise ConfigError(f"ragged names {given!r}, whose shape cannot differ: it {what}; leave it out")
        declared[path] = _read_extents(given, ragged[given]) if isinstance(ragged, Mapping) else ()
    return declared


def _read_extents(leaf: Any, given: Any) -> tuple[int, ...]:
    """Raises ConfigError where they are no integers, or do not ascend."""
    if given is None:
        return ()
    extents = given if isinstance(given, tuple | list) else (given,)
    checked = tuple(check_integer(f"ragged[{leaf!r}]", extent, 1) for extent in extents)
    if not checked or list(checked) != sorted(set(checked)):
        raise ConfigError(f"ragged[{leaf!r}] must be an integer, or several that ascend, got {given!r}")
    return checked


def _with_leaf(ragged: Any, path: tuple[Any, ...]) -> Any:
    """How somebody would declare one leaf more."""
    leaf = _shortest(path)
    return {**ragged, leaf: None} if isinstance(ragged, Mapping) else (*ragged, leaf)


def _shortest(path: tuple[Any, ...]) -> Any:
    return path[0] if len(path) == 1 else path


def _may_differ(leaf: Any) -> bool:
    return not isinstance(leaf, bytes) and leaf.ndim > 0
