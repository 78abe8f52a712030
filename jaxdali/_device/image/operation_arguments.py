"""What the operations of `Images` check of their arguments: sizes, dtypes, and numbers per sample."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali.errors import ConfigError
from .convert import check_dtype
from .exact_arithmetic import to_float32
from .image_arguments import check_number, is_host
from .pixel_program import PIXEL_DTYPES

__all__ = ["instruction_number", "is_size", "per_sample_flag", "pixel_dtype"]


def is_size(value: object) -> bool:
    """Whether a size is known while tracing, for both axes: (height, width) as positive integers."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(isinstance(extent, int | np.integer) and extent > 0 for extent in value)


def check_whole(given: object) -> object:
    """Returns a size. Raises ConfigError if it is known while tracing, and has a fraction: it would count as unknown."""
    parts = given if isinstance(given, tuple | list) else (given,)
    fractions = [part for part in parts if isinstance(part, float | np.floating)]
    known = [float(part) for part in parts if isinstance(part, int | float | np.number)]
    if fractions and len(known) == len(parts):
        whole = tuple(round(part) for part in known)
        raise ConfigError(
            f"size is {given!r}; expected (height, width) as integers, such as {whole}: {fractions[0]!r} is a float. "
            "For sizes that differ between images give arrays [N]"
        )
    return given


def pixel_dtype(dtype: DTypeLike) -> np.dtype:
    """Returns `dtype` as one that pixels can have. Raises ConfigError if recipes cannot produce it."""
    target = check_dtype(dtype)
    if target not in PIXEL_DTYPES:
        raise ConfigError(f"dtype is {target}; expected one of {', '.join(known.name for known in PIXEL_DTYPES)}.")
    return target


def instruction_number(name: str, value: ArrayLike, samples: int) -> jax.Array | np.ndarray:
    """Returns a number, or one per sample, as float32 shaped for instructions. Raises ConfigError if it is neither."""
    _check_per_sample(name, value, samples)
    return to_float32(value).reshape(-1, 1)


def per_sample_flag(name: str, value: ArrayLike, samples: int) -> jax.Array | np.ndarray | None:
    """Whether a number, or that of each sample, is not 0; None: all are 0. Raises ConfigError if it is neither."""
    _check_per_sample(name, value, samples)
    if is_host(value):
        return (np.asarray(value) != 0).astype(np.int32) if np.any(value) else None
    return (jnp.asarray(value) != 0).astype(jnp.int32)


def _check_per_sample(name: str, value: ArrayLike, samples: int) -> None:
    check_number(value, name)
    if np.shape(value) not in ((), (samples,)):
        raise ConfigError(
            f"{name} has shape {np.shape(value)} for {samples} images; expected a scalar or one value per sample, [N]."
        )
