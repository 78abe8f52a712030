"""Finds the non-silent part of signals."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["nonsilent_region"]

# Number of values that are summed by a matrix product: XLA's running sums take many times as long on CPUs.
_CHUNK = 32


@on_any_mesh
def nonsilent_region(
    signals: Array,
    lengths: ArrayLike | None = None,
    *,
    cutoff_db: float = -60.0,
    window_length: int = 2048,
    reference_power: float | None = None,
) -> tuple[jax.Array, jax.Array]:
    """From the first to the last window of a signal whose power is not below a cutoff; DALI's `fn.nonsilent_region`.

    Args:
        signals: `float32[N, T]`.
        lengths: `int32[N]`; None: all are T.
        cutoff_db: in decibels of the reference.
        window_length: samples per window. Before its first sample a signal is 0.
        reference_power: positive; None: the largest power of any window of the signal. In a signal of zeros everything
            counts.

    Returns:
        `int32[N]`, the first sample of the first such window; and `int32[N]`, the number of samples from there to the
        end of the last one, 0 if there is no such window.

    Raises:
        ConfigError: a window, or a reference, is not positive.
    """
    if window_length < 1 or (reference_power is not None and reference_power <= 0):
        raise ConfigError(
            f"window_length={window_length} and reference_power={reference_power}; expected a window of at least 1 "
            "sample, and a power above 0"
        )
    count, canvas = signals.shape
    if not canvas:
        nothing = jnp.zeros(count, jnp.int32)
        return nothing, nothing
    powers = _window_sums(jnp.square(signals), min(window_length, canvas)) / np.float32(window_length)
    length = jnp.full((count, 1, 1), canvas) if lengths is None else jnp.reshape(jnp.asarray(lengths), (-1, 1, 1))
    _, blocks, window = powers.shape
    places = np.arange(blocks * window, dtype=np.int32).reshape(1, blocks, window)
    powers = jnp.where(places < length, powers, -1)
    # Only one block at either end is searched for loud windows; searching all takes as long as the sums.
    largest = powers.max(axis=2)
    reference = largest.max(axis=1) if reference_power is None else jnp.full(count, reference_power, jnp.float32)
    cutoff = jnp.maximum(reference * np.float32(10 ** (cutoff_db / 10)), 0)[:, None]
    loud = largest >= cutoff
    first = _first_in(powers, cutoff, loud.argmax(axis=1))
    back = _first_in(powers[:, ::-1, ::-1], cutoff, loud[:, ::-1].argmax(axis=1))
    last = blocks * window - 1 - back
    found = loud.any(axis=1)
    begin = jnp.where(found, jnp.maximum(first - (window_length - 1), 0), 0)
    return begin.astype(jnp.int32), jnp.where(found, last + 1 - begin, 0).astype(jnp.int32)


def _first_in(powers, cutoff, block):
    """The first position in a block, `int[N]`, whose power is not below the cutoff, `float32[N, 1]`."""
    own = jnp.take_along_axis(powers, block[:, None, None], axis=1)[:, 0]
    return block * powers.shape[2] + (own >= cutoff).argmax(axis=1)


def _window_sums(values, window: int):
    """Sums of each value and the `window - 1` before it: `[N, blocks, window]`, zeros after the last value.

    A window ends in one block of `window` values and begins in the previous one. It is a suffix of that block and a
    prefix of this one, which are summed separately. So a quiet window keeps all its digits, however loud its neighbours
    are.
    """
    count, canvas = values.shape
    blocks = -(-canvas // window)
    cut = jnp.pad(values, ((0, 0), (0, blocks * window - canvas))).reshape(count, blocks, window)
    # From the previous block: the sum after the same position.
    before = jnp.pad(_running_sums(cut, behind=True), ((0, 0), (1, 0), (0, 1)))[:, :blocks, 1:]
    return _running_sums(cut) + before


def _running_sums(values, *, behind: bool = False):
    """Along the last axis, sums of each value and all those before it, or after it."""
    extent = values.shape[-1]
    chunk = min(_CHUNK, extent)
    chunks = -(-extent // chunk)
    others = ((0, 0),) * (values.ndim - 1)
    cut = jnp.pad(values, (*others, (0, chunks * chunk - extent))).reshape(*values.shape[:-1], chunks, chunk)
    ones = np.ones((chunk, chunk), np.float32)
    sums = jnp.matmul(cut, np.tril(ones) if behind else np.triu(ones), precision="highest")
    if chunks > 1:
        whole = _running_sums(sums[..., 0 if behind else -1], behind=behind)
        whole = jnp.pad(whole[..., 1:] if behind else whole[..., :-1], (*others, (0, 1) if behind else (1, 0)))
        sums = sums + whole[..., None]
    return sums.reshape(*values.shape[:-1], chunks * chunk)[..., :extent]
