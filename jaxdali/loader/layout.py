"""What the samples of a Loader are, as the first of them says: how they are nested, and what their leaves hold."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..source.structure import Structure
from ..workers.columns import Column

__all__ = ["Layout", "read_layout"]


@dataclasses.dataclass(frozen=True)
class Layout:
    """The nesting, and what stands in it.

    Attributes:
        structure: the nesting.
        leaves: of the first sample.
        columns: one a leaf.
    """

    structure: Structure
    leaves: tuple[Any, ...]
    columns: list[Column]


def read_layout(data: Any, max_image_pixels: int) -> Layout:
    """Reads the first sample.

    Args:
        max_image_pixels: as of `Loader`.

    Raises:
        Exception: what `data` raises.
    """
    sample = data[0]
    structure = Structure(sample)
    leaves = structure.flatten(sample)
    columns = [
        Column(name=name, encoded=isinstance(leaf, bytes), max_image_pixels=max_image_pixels)
        for name, leaf in zip(structure.names, leaves, strict=True)
    ]
    return Layout(structure, leaves, columns)
