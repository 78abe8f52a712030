"""Whole arrays as a map-style source."""

from __future__ import annotations

import mmap
import operator
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, ConfigTypeError
from .. import _host
from .direct import Direct, Own
from .structure import Structure

__all__ = ["Arrays"]


class Arrays:
    """Rows of arrays of one length: `Arrays(x=X, y=Y)[i]` is `{"x": X[i], "y": Y[i]}`.

    A `np.memmap` stays one: workers open its file, and read only the rows they need.

    Args:
        arrays: NumPy arrays `[n, ...]` of numbers or bools, by their names in a sample.

    Raises:
        ConfigTypeError: an argument is not a NumPy array.
        ConfigError: there is no array, an array has no rows, or their lengths differ.

    Example:
        >>> import numpy as np
        >>> from jaxdali import source
        >>> data = source.Arrays(x=np.array([[1, 2], [3, 4]]), y=np.array([5.0, 6.0]))
        >>> len(data), data[1]
        (2, {'x': array([3, 4]), 'y': np.float64(6.0)})
    """

    def __init__(self, *unnamed: object, **arrays: np.ndarray):
        if unnamed:
            raise ConfigTypeError(
                "Arrays expects each array by its name in a sample, as in Arrays(x=X, y=Y), or Arrays(**arrays) for a dict "
                "of arrays"
            )
        if not arrays:
            raise ConfigError("Arrays expects arrays by name, e.g. Arrays(x=X, y=Y)")
        for name, array in arrays.items():
            if not isinstance(array, np.ndarray):
                raise ConfigTypeError(
                    f"{name} must be a NumPy array, got {type(array).__name__}; np.asarray({name}) makes one"
                )
            if isinstance(array, np.ma.MaskedArray):
                raise ConfigError(
                    f"{name} is a masked array, but batches have no masks: give {name}.filled(0), and also "
                    f"~np.ma.getmaskarray({name}) if you need the mask"
                )
            if array.ndim == 0 or array.dtype.kind not in "buif":
                raise ConfigError(
                    f"{name} must be an array [n, ...] of numbers or bools, got {array.dtype}{list(array.shape)}"
                )
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise ConfigError(
                f"arrays must have the same number of rows, got {', '.join(f'{n} of {k}' for k, n in lengths.items())}"
            )
        self.arrays = arrays
        self._direct: Own[Direct | None] = Own()
        self._length = next(iter(lengths.values()))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> dict[str, np.ndarray]:
        """Returns a row of each array. Views are read-only: changing them would change the data for later epochs.

        Raises:
            IndexError: the index is out of range.
        """
        index = operator.index(index)
        return {name: _read_only(array[index]) for name, array in self.arrays.items()}

    @property
    def row_bytes(self) -> int | None:
        """Bytes per sample; None if some are in a memory-mapped file, and may have to be read."""
        arrays = self.arrays.values()
        if any(map(_is_mapped, arrays)):
            return None
        return sum(array.nbytes // max(self._length, 1) for array in arrays)

    def direct(self, structure: Structure) -> Direct | None:
        """Returns a native function that writes rows into slots, from the arrays that the leaves of `structure` name. None
        if a subclass overrides samples, leaves are converted, or an array's rows are not contiguous.
        """
        if type(self).__getitem__ is not Arrays.__getitem__ or structure.carries:
            return None
        return self._direct.of(lambda: self._make_direct(structure))

    def _make_direct(self, structure: Structure) -> Direct | None:
        try:
            return _host.ArrayRows([self.arrays[name] for (name,) in structure.paths]).write
        except ValueError:  # another byte order, or a type that the ring does not have
            return None

    def __repr__(self) -> str:
        described = (f"{name}={array.dtype}{list(array.shape)}" for name, array in self.arrays.items())
        return f"Arrays({', '.join(described)})"


def _read_only(row: object) -> Any:
    if isinstance(row, np.ndarray):  # a row of a one-dimensional array is a number
        row.flags.writeable = False
    return row


def _is_mapped(array: object) -> bool:
    """Whether an array is memory-mapped, or a view of an array that is."""
    while isinstance(array, np.ndarray):
        if isinstance(array, np.memmap):
            return True
        array = array.base
    return isinstance(array, mmap.mmap)
