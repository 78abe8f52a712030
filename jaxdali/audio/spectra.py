"""Spectra of whole axes."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ..errors import ConfigError

__all__ = ["power_spectrum"]


def power_spectrum(values, axis: int = -1, *, nfft: int | None = None, power: int = 2) -> jax.Array:
    """The spectrum along an axis; DALI's `fn.power_spectrum`.

    Args:
        values: `float32[N, ...]`, N samples.
        axis: of a sample, below 0 counted from the last one.
        nfft: of the transform: what is longer is cut off, what is shorter filled up with zeros; None: the axis' extent.
        power: 2 (power) or 1 (amplitude).

    Returns:
        `float32[N, ...]`, with nfft // 2 + 1 numbers along the axis.

    Raises:
        ConfigError: there is no such axis, or another power, or nfft is not above 0.
    """
    rank = values.ndim - 1
    if not -rank <= axis < rank or power not in (1, 2) or (nfft is not None and nfft < 1):
        raise ConfigError(
            f"axis={axis}, nfft={nfft} and power={power} for samples of {rank} dimensions; expected an axis of them, nfft "
            "above 0, and power 1 or 2"
        )
    spectra = jnp.fft.rfft(values, nfft, axis=axis % rank + 1)
    found = jnp.square(spectra.real) + jnp.square(spectra.imag)
    return found if power == 2 else jnp.sqrt(found)
