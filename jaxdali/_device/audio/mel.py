"""Linear maps of spectra: bands of the mel scale, and cosine transforms."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["FORMULAS", "cosine_matrix", "mel_matrix", "transform"]

FORMULAS = ("slaney", "htk")
# Slaney's scale is linear up to this frequency, where it is 15; from there 27 steps cover a factor of 6.4.
_LINEAR_TO, _MELS, _STEP = 1000.0, 15.0, np.log(6.4) / 27
# Rows of a matrix that are multiplied at once; each has zeros where only the others have columns.
_ROWS = 8
# Number of float32s in the widest vectors of CPUs.
_VECTOR = 16


def mel_matrix(
    bins: int,
    filters: int = 128,
    sample_rate: float = 44100.0,
    freq_low: float = 0.0,
    freq_high: float | None = None,
    formula: str = "slaney",
    normalize: bool = True,
) -> np.ndarray:
    """Triangles over the bins of a spectrum, evenly spaced on the mel scale: a matrix for `transform`.

    Args:
        bins: at least 2, from 0 Hz to half of the sample rate.
        filters: the number of triangles.
        sample_rate: that of the signals, in Hz.
        freq_low: where the first triangle begins, in Hz.
        freq_high: where the last one ends, in Hz; None: half the sample rate.
        formula: "slaney" or "htk".
        normalize: give each triangle an area of 1; False: a height of 1.

    Returns:
        `float32[filters, bins]`.

    Raises:
        ConfigError: an argument is out of range.

    Example:
        >>> from jaxdali import audio
        >>> audio.mel_matrix(bins=5, filters=1, sample_rate=2000.0, normalize=False)
        array([[0. , 0.5, 1. , 0.5, 0. ]], dtype=float32)
    """
    high = sample_rate / 2 if freq_high is None else freq_high
    if formula not in FORMULAS or not 0 <= freq_low < high <= sample_rate / 2 or bins < 2 or filters < 1:
        raise ConfigError(
            f"got {bins} bins, {filters} filters from {freq_low:g} to {high:g} Hz at {sample_rate:g} Hz, formula "
            f"{formula!r}; expected at least 2 bins and 1 filter, frequencies that rise from 0 to half of the sample "
            f"rate, and one of {', '.join(FORMULAS)}"
        )
    ends = _hertz(np.linspace(_mels(freq_low, formula), _mels(high, formula), filters + 2), formula)
    begin, middle, end = (ends[k : filters + k, None] for k in range(3))
    bin_hertz = np.arange(bins) * sample_rate / (2 * (bins - 1))
    rise, fall = (bin_hertz - begin) / (middle - begin), (end - bin_hertz) / (end - middle)
    found = np.maximum(np.minimum(rise, fall), 0)
    return (found * (2 / (end - begin) if normalize else 1)).astype(np.float32)


def _mels(hertz: float, formula: str) -> float:
    if formula == "htk":
        return 2595 * float(np.log10(1 + hertz / 700))
    if hertz < _LINEAR_TO:
        return hertz * _MELS / _LINEAR_TO
    return _MELS + float(np.log(hertz / _LINEAR_TO)) / _STEP


def _hertz(mels: np.ndarray, formula: str) -> np.ndarray:
    if formula == "htk":
        return 700 * (10 ** (mels / 2595) - 1)
    return np.where(mels < _MELS, mels * _LINEAR_TO / _MELS, _LINEAR_TO * np.exp((mels - _MELS) * _STEP))


def cosine_matrix(size: int, count: int, kind: int = 2, normalize: bool = False, lifter: float = 0.0) -> np.ndarray:
    """`float32[min(count, size), size]`: the first rows of a discrete cosine transform.

    Args:
        size: the numbers that are transformed.
        count: the rows that are wanted; there are no more than `size`.
        kind: 1 to 4; 1 needs a size of at least 2.
        normalize: make the rows orthonormal; not for kind 1.
        lifter: above 0: row k is multiplied by `1 + lifter / 2 * sin(pi * (k + 1) / lifter)`.

    Raises:
        ConfigError: arguments contradict each other.
    """
    if kind not in (1, 2, 3, 4) or (kind == 1 and (normalize or size < 2)) or size < 1 or count < 1:
        raise ConfigError(
            f"got a cosine transform of type {kind} of {size} numbers, {count} of them requested, "
            f"normalize={normalize}; expected a type from 1 to 4, and for type 1 at least two numbers and "
            "normalize=False"
        )
    row, column = np.arange(size)[:, None], np.arange(size)
    angle = {
        1: row * column / max(size - 1, 1),
        2: row * (column + 0.5) / size,
        3: (row + 0.5) * column / size,
        4: (row + 0.5) * (column + 0.5) / size,
    }[kind]
    found = np.cos(np.pi * angle)
    if kind in (1, 3):
        found[:, 0] /= 2
    if kind == 1:
        found[:, -1] /= 2
    if normalize:
        found *= np.sqrt(2 / size)
        if kind == 2:
            found[0] /= np.sqrt(2)
        if kind == 3:
            found[:, 0] *= np.sqrt(2)
    if lifter:
        found *= 1 + lifter / 2 * np.sin(np.pi * (row + 1) / lifter)
    return found[:count].astype(np.float32)


@on_any_mesh
def transform(data: jax.Array | np.ndarray, matrix: np.ndarray, axis: int) -> jax.Array:
    """Multiplies the values along an axis of `data` by a matrix. Zeros along the axis stay zeros.

    Args:
        data: `float32[N, ...]`, such as spectra `[N, bins, frames]`.
        matrix: `float32[new, old]`, such as that of `mel_matrix` or `cosine_matrix`, with a column for each value along
            the axis.
        axis: of `data`, whose axis 0 is that of the samples; negative ones count from the last.

    Returns:
        `float32[N, ...]`, with `new` values along the axis.

    Example:
        >>> import jax.numpy as jnp, numpy as np
        >>> from jaxdali import audio
        >>> spectra = jnp.array([[[1.0], [2.0], [3.0]]])
        >>> audio.transform(spectra, np.array([[1, 1, 1], [0, 0, 2]], np.float32), axis=1).tolist()
        [[[6.0], [6.0]]]
    """
    axis %= data.ndim
    old, new = data.shape, len(matrix)
    rows = data.reshape(math.prod(old[:axis]), old[axis], math.prod(old[axis + 1 :]))
    parts = _parts(matrix)

    def together(rows: jax.Array) -> jax.Array:
        found = [jnp.einsum("fo,not->nft", part, rows[:, begin:end], precision="highest") for begin, end, part in parts]
        return jnp.concatenate(found, axis=1)

    def one_by_one(rows: jax.Array) -> jax.Array:
        # On a CPU, one sample at a time keeps its spectrum in the cache and needs no transposed products. Columns after
        # the last whole vector would be summed in another order. The padding avoids such columns, so that a sample's
        # sums do not depend on how wide the other samples are.
        wide = jnp.pad(rows, ((0, 0), (0, 0), (0, -rows.shape[2] % _VECTOR)))

        def one(row: jax.Array) -> jax.Array:
            return jnp.concatenate([jnp.dot(part, row[begin:end], precision="highest") for begin, end, part in parts])

        return lax.map(one, wide)[:, :, : rows.shape[2]]

    found = lax.platform_dependent(rows, cpu=one_by_one, default=together)
    return found.reshape(*old[:axis], new, *old[axis + 1 :])


def _parts(matrix: np.ndarray) -> list[tuple[int, int, np.ndarray]]:
    """Splits the matrix into consecutive rows, each part with only the columns that are not all zeros, because a band
    covers only a few bins.
    """
    found = []
    for first in range(0, len(matrix), _ROWS):
        rows = matrix[first : first + _ROWS]
        columns = np.flatnonzero(rows.any(axis=0))
        begin, end = (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, 0)
        found.append((begin, end, rows[:, begin:end]))
    sizes = sum(rows.size for _, _, rows in found)
    return found if 2 * sizes < matrix.size else [(0, matrix.shape[1], matrix)]
