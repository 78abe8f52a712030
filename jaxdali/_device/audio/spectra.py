"""Spectra along whole axes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["power_spectrum"]


@on_any_mesh
def power_spectrum(
    values: jax.Array | np.ndarray, axis: int = -1, *, nfft: int | None = None, power: int = 2
) -> jax.Array:
    """The spectrum along an axis; DALI's `fn.power_spectrum`.

    Args:
        values: `float32[N, ...]`, N samples.
        axis: of a sample; negative ones count from the last.
        nfft: length of the transform: longer axes are truncated, shorter ones padded with zeros; None: its length.
        power: 2 (power) or 1 (amplitude).

    Returns:
        `float32[N, ...]`, with nfft // 2 + 1 numbers along the axis.

    Raises:
        ConfigError: there is no such axis, another power, or nfft is not positive.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import audio
        >>> audio.power_spectrum(jnp.array([[1.0, 1.0, 1.0, 1.0], [2.0, 0.0, 0.0, 0.0]])).tolist()
        [[16.0, 0.0, 0.0], [4.0, 4.0, 4.0]]
    """
    rank = values.ndim - 1
    if not -rank <= axis < rank or power not in (1, 2) or (nfft is not None and nfft < 1):
        raise ConfigError(
            f"axis={axis}, nfft={nfft} and power={power} for samples of {rank} dimensions; expected one of their axes, "
            "nfft above 0, and power 1 or 2"
        )
    spectra = jnp.fft.rfft(values, nfft, axis=axis % rank + 1)
    found = jnp.square(spectra.real) + jnp.square(spectra.imag)
    return found if power == 2 else jnp.sqrt(found)
