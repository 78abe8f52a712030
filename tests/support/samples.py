"""What `tests/support/<format>_files.py` says about the source and the reader of its format."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

COUNT = 12
# A sample that is larger than a single read.
LARGE = 7
HALVES = (range(COUNT // 2), range(COUNT // 2, COUNT))
SMALL = (6, 5)


@dataclasses.dataclass(frozen=True)
class Samples:
    """The samples that every source and reader is tested with, in files of one format.

    Attributes:
        write: writes `COUNT` samples below a folder; returns the reader's arguments and the source.
        reader: name in fn.readers; None if only the source reads them.
        native: whether samples are written without Python.
    """

    write: Callable[[pathlib.Path], tuple[dict[str, Any], Any]]
    reader: str | None = None
    native: bool = False


@dataclasses.dataclass(frozen=True)
class Arguments:
    """What a reader is called with.

    Attributes:
        base: what it must be given.
        values: for each argument of its own, values that are given one after the other, with what they need.
    """

    base: dict[str, Any]
    values: dict[str, list[dict[str, Any]]]


def content(index: int) -> bytes:
    """The contents of a sample; not a JPEG file."""
    size = (1 << 18) + 5 if index == LARGE else 100 + 60 * index
    return bytes([index]) + np.random.default_rng(index).bytes(size)


def both(folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """The paths of two files, each with half of the samples: `{}` in their name is 0 and 1."""
    return [folder / name.format(part) for part in range(2)]
