"""Hashes that tell long orders and large arrays apart in milliseconds."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from .sampler import Permutation

__all__ = ["digest_of", "stratified"]

# One position is taken from each of so many equal parts of a long order; a shorter one is looked at as a whole.
_STRATA = 4096
# Arrays up to this size are hashed as a whole; of larger ones up to the second size, 64-bit words are added up.
_WHOLE_BYTES, _SUMMED_BYTES = 1 << 22, 1 << 25
# The key of the positions within their strata. They must never change.
_KEY = 0x6A6178


def stratified(length: int, strata: int = _STRATA) -> np.ndarray:
    """Returns positions 0 to length - 1, `int64[n]`: all of them, or one of each of `strata` parts and both ends. In a
    part it is at a random place, so that no period escapes; always the same.
    """
    if length <= strata + 2:
        return np.arange(length)
    bounds = np.arange(strata + 1) * (length // strata) + np.minimum(np.arange(strata + 1), length % strata)
    places = Permutation(1 << 20, _KEY)(np.arange(strata)) / (1 << 20)
    inside = bounds[:-1] + (places * np.diff(bounds)).astype(np.int64)
    return np.unique(np.concatenate([[0], inside, [length - 1]]))


def digest_of(*values: Any) -> str:
    """Returns a hash of arrays and of values that have an exact `repr`. Of a large array it takes the stratified rows."""
    found = hashlib.blake2b(digest_size=8)
    for value in values:
        if isinstance(value, np.ndarray):
            found.update(f"{value.dtype.str}{value.shape}".encode())
            found.update(_taste(value))
        else:
            found.update(repr(value).encode())
    return found.hexdigest()


def _taste(array: np.ndarray) -> bytes:
    if array.nbytes <= _WHOLE_BYTES:
        return np.ascontiguousarray(array).tobytes()
    some = np.ascontiguousarray(array[stratified(len(array))]).tobytes()
    if array.nbytes > _SUMMED_BYTES or array.itemsize != 8 or not array.flags.c_contiguous:
        return some
    words = array.reshape(-1).view(np.uint64)
    return some + np.add.reduce(words).tobytes() + np.bitwise_xor.reduce(words).tobytes()
