"""Signals, and what is computed from them by a moving window or value by value."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["decibels", "hann_window", "preemphasis", "spectrogram"]


def hann_window(length: int) -> np.ndarray:
    """A Hann window whose zeros lie half a sample outside, like DALI's.

    Args:
        length: in samples.

    Returns:
        `float32[length]`.
    """
    phase = 2 * np.pi / length * (np.arange(length) + 0.5)
    return (0.5 * (1 - np.cos(phase))).astype(np.float32)


@on_any_mesh
def spectrogram(
    signals: jax.Array | np.ndarray,
    lengths: ArrayLike | None = None,
    *,
    window: Sequence[float] | np.ndarray | None = None,
    window_length: int = 512,
    window_step: int = 256,
    nfft: int | None = None,
    power: int = 2,
    center: bool = True,
    reflect: bool = True,
) -> tuple[jax.Array, jax.Array | None]:
    """Returns the spectra of windows of signals, and each signal's number of windows.

    Args:
        signals: `float32[N, T]`.
        lengths: `int32[N]`, 1 to T (without `center`, at least the window's length); None: all are T.
        window: `window_length` weights; None: `hann_window`.
        window_length: samples per window.
        window_step: the distance between windows, in samples.
        nfft: the length of the transform, at least `window_length`, with the window in its middle; None:
            `window_length`.
        power: 2 (power) or 1 (amplitude).
        center: sample `k * window_step` is the middle of window k; False: it is its first sample.
        reflect: beyond its ends a signal is mirrored at its first or last sample; False: it is 0.

    Returns:
        `float32[N, nfft // 2 + 1, frames]`, zeros after the last window of a signal; and `int32[N]`, None without
        `lengths`.

    Raises:
        ConfigError: arguments contradict each other.

    Example:
        >>> import functools, jax, jax.numpy as jnp
        >>> from jaxdali import audio
        >>> how = {"window": [1.0] * 4, "window_length": 4, "window_step": 4, "center": False}
        >>> spectra, counts = jax.jit(functools.partial(audio.spectrogram, **how))(jnp.ones((1, 12)), jnp.array([8]))
        >>> spectra.tolist(), counts.tolist()
        ([[[16.0, 16.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]], [2])
    """
    window = hann_window(window_length) if window is None else np.asarray(window, np.float32)
    nfft = window_length if nfft is None else nfft
    if window.shape != (window_length,) or nfft < window_length or window_step < 1 or power not in (1, 2):
        raise ConfigError(
            f"got a window of {window.shape} weights, window_length={window_length}, nfft={nfft}, "
            f"window_step={window_step} and power={power}; expected window_length weights, nfft of at least "
            "window_length, a step above 0, and power 1 or 2"
        )
    canvas = signals.shape[1]
    if not canvas:
        signals, canvas = jnp.pad(signals, ((0, 0), (0, 1))), 1
    before, outside = (window_length // 2, 0) if center else (0, window_length)
    frames = max((canvas - outside) // window_step + 1, 0)
    places = jnp.arange(frames)[None, :, None] * window_step + jnp.arange(window_length)[None, None] - before
    length = jnp.full((1, 1, 1), canvas) if lengths is None else jnp.asarray(lengths, jnp.int32).reshape(-1, 1, 1)
    found = _taken(signals, places, length, reflect) * window[None, None]
    left = (nfft - window_length) // 2
    found = jnp.pad(found, ((0, 0), (0, 0), (left, nfft - window_length - left)))
    spectra = jnp.fft.rfft(found, axis=-1)
    values = jnp.square(spectra.real) + jnp.square(spectra.imag)
    values = jnp.swapaxes(values if power == 2 else jnp.sqrt(values), 1, 2)
    if lengths is None:
        return values, None
    counts = jnp.maximum((length.reshape(-1) - outside) // window_step + 1, 0)
    return jnp.where(jnp.arange(frames)[None, None] < counts[:, None, None], values, 0), counts


def _taken(signals, places, length, reflect: bool):
    """Returns `float32[N, frames, window]`, the signals at places that may lie outside of them."""
    if reflect:
        period = jnp.maximum(2 * (length - 1), 1)
        turned = jnp.abs(places) % period
        inside = jnp.minimum(turned, period - turned)
        inside = jnp.where(length == 1, 0, inside)
    else:
        inside = jnp.clip(places, 0, length - 1)
    inside = jnp.clip(inside, 0, signals.shape[1] - 1)
    inside = jnp.broadcast_to(inside, (len(signals), *places.shape[1:]))
    found = jax.vmap(lambda signal, index: signal[index])(signals, inside)
    return found if reflect else jnp.where((places >= 0) & (places < length), found, 0)


@on_any_mesh
def decibels(
    data: jax.Array | np.ndarray, multiplier: float = 10.0, reference: float | None = None, cutoff_db: float = -200.0
) -> jax.Array:
    """`multiplier * log10(max(data / reference, 10 ** (cutoff_db / multiplier)))`.

    Args:
        data: `float32[N, ...]`, not negative.
        multiplier: 10 for powers, 20 for amplitudes.
        reference: positive; None: the largest value of each sample, or 1 if that is 0.
        cutoff_db: the smallest result, in decibels.

    Returns:
        `float32[N, ...]`, in decibels of the reference.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import audio
        >>> audio.decibels(jnp.array([[1.0, 10.0, 100.0]])).round(2).tolist()
        [[-20.0, -10.0, 0.0]]
    """
    if reference is None:
        largest = data.max(axis=tuple(range(1, data.ndim)), initial=0, keepdims=True)
        ratio = data / jnp.where(largest > 0, largest, 1)
    else:
        ratio = data / jnp.float32(reference)
    least = np.float32(10.0 ** (cutoff_db / multiplier))
    return jnp.float32(multiplier) * jnp.log10(jnp.maximum(ratio, least))


@on_any_mesh
def preemphasis(
    signals: jax.Array | np.ndarray,
    lengths: ArrayLike | None = None,
    coefficient: ArrayLike = 0.97,
    border: str = "clamp",
) -> jax.Array:
    """Subtracts from each value the one before it, times the coefficient.

    Args:
        signals: `float32[N, T]`.
        lengths: `int32[N]`; None: all are T. A signal becomes 0 after its end.
        coefficient: a number, or `float32[N]`.
        border: what precedes the first value: "zero": 0; "clamp": the value itself; "reflect": the second value, if
            there is one.

    Returns:
        `float32[N, T]`.

    Raises:
        ConfigError: another border.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import audio
        >>> audio.preemphasis(jnp.array([[1.0, 2.0, 4.0]]), coefficient=0.5, border="zero").tolist()
        [[1.0, 1.5, 3.0]]
    """
    if border not in ("zero", "clamp", "reflect"):
        raise ConfigError(f'border must be "zero", "clamp" or "reflect", got {border!r:.80}')
    if not signals.shape[1]:
        return jnp.asarray(signals)
    canvas = signals.shape[1]
    length = jnp.full((1, 1), canvas) if lengths is None else jnp.reshape(jnp.asarray(lengths), (-1, 1))
    before = signals[:, :1]
    if border == "zero":
        before = jnp.zeros_like(before)
    elif border == "reflect" and canvas > 1:
        before = jnp.where(length > 1, signals[:, 1:2], before)
    factor = jnp.reshape(jnp.asarray(coefficient, jnp.float32), (-1, 1))
    first, rest = signals[:, :1] - factor * before, signals[:, 1:] - factor * signals[:, :-1]
    if lengths is not None:
        first = jnp.where(length > 0, first, 0)
        rest = jnp.where(jnp.arange(1, canvas)[None] < length, rest, 0)
    # XLA's CPU code for concatenating two arrays checks at each element which of them it comes from.
    return lax.dynamic_update_slice(jnp.pad(rest, ((0, 0), (1, 0))), first, (0, 0))
