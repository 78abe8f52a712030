"""The custom calls as Python functions: shapes in, arrays out. The one place with `ffi_call`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali.errors import ConfigError

from . import load

__all__ = ["DECODE_RESAMPLE_TARGET", "DECODE_TARGET", "decode", "decode_resample"]

DECODE_TARGET = "jaxdali_decode_v1"
DECODE_RESAMPLE_TARGET = "jaxdali_decode_resample_v1"


def decode(
    encoded: jax.Array,
    rows: jax.Array,
    *,
    canvas: tuple[int, int],
    raise_on_error: bool,
    threads: int,
    decoder: int,
    fancy_upsampling: bool,
    affinity: Sequence[Sequence[int]],
) -> tuple[jax.Array, jax.Array]:
    """Binds `jaxdali_decode_v1`: decodes the images of one device's shard.

    Args:
        encoded: `uint8[1, capacity]`, the files; in host memory (on a GPU: memory kind `pinned_host`).
        rows: `int32[N, 8]`, columns as `jaxdali.batch.Row`.
        canvas: height and width of each result.
        raise_on_error: whether a row that is not OK fails the call; the error names the row.
        threads: most threads of the host to use; 0 = as many as XLA's pool has.
        decoder: on a GPU, index in `jaxdali.batch.DECODERS` of who decodes.
        fancy_upsampling: on a GPU, whether chroma is interpolated.
        affinity: of each of those threads the ids of its CPUs while it works, the calling one's first; none: it stays
            where it is.

    Returns:
        pixels: `uint8[N, H, W, 3]`, RGB; zeros outside an image and for rows that are not OK.
        status: `int32[N]`, a `jaxdali.batch.Status` each.
    """
    load.register_targets()
    count = rows.shape[0]
    call = jax.ffi.ffi_call(
        DECODE_TARGET,
        (
            jax.ShapeDtypeStruct((count, *canvas, 3), jnp.uint8),
            jax.ShapeDtypeStruct((count,), jnp.int32),
        ),
        vmap_method=None,  # never reached: `_refuse_vmap` speaks first
    )

    def bind(encoded, rows):
        return call(
            encoded,
            rows,
            raise_on_error=np.bool_(raise_on_error),
            threads=np.int32(threads),
            decoder=np.int32(decoder),
            fancy_upsampling=np.bool_(fancy_upsampling),
            affinity=_flat(affinity),
        )

    return _refuse_vmap(
        bind,
        "jaxdali.image.decode works on a whole batch and cannot be mapped by jax.vmap: decode "
        "before vmap, and map over the pixels.",
    )(encoded, rows)


def decode_resample(
    encoded: jax.Array,
    rows: jax.Array,
    windows: jax.Array,
    flips: jax.Array,
    table: jax.Array,
    *,
    size: tuple[int, int],
    channels_first: bool,
    raise_on_error: bool,
    threads: int,
    decoder: int,
    fancy_upsampling: bool,
    affinity: Sequence[Sequence[int]],
) -> tuple[jax.Array, jax.Array]:
    """Binds `jaxdali_decode_resample_v1`: decodes windows of one device's shard, and resizes them.

    Args:
        encoded: `uint8[1, capacity]`, the files; in host memory, as for `decode`.
        rows: `int32[N, 8]`, columns as `jaxdali.batch.Row`.
        windows: `int32[N, 4]`: top, left, height, width in pixels of the image as it is shown.
        flips: `bool[N]`; whether to mirror the result left to right.
        table: `T[1, 3, 256]`, or `T[N, 3, 256]`; what each level of each channel becomes. `T` has 1,
            2 or 4 bytes.
        size: height and width of each result.
        channels_first: whether channels are an image's first axis, else its last.
        raise_on_error, threads, decoder, fancy_upsampling, affinity: as for `decode`.

    Returns:
        images: `T[N, h, w, 3]`, or `T[N, 3, h, w]`; zeros for rows that are not OK.
        status: `int32[N]`, a `jaxdali.batch.Status` each.
    """
    load.register_targets()
    count = rows.shape[0]
    extents = (3, *size) if channels_first else (*size, 3)
    call = jax.ffi.ffi_call(
        DECODE_RESAMPLE_TARGET,
        (
            jax.ShapeDtypeStruct((count, *extents), table.dtype),
            jax.ShapeDtypeStruct((count,), jnp.int32),
        ),
        vmap_method=None,  # never reached: `_refuse_vmap` speaks first
    )

    def bind(*operands):
        return call(
            *operands,
            raise_on_error=np.bool_(raise_on_error),
            threads=np.int32(threads),
            decoder=np.int32(decoder),
            fancy_upsampling=np.bool_(fancy_upsampling),
            affinity=_flat(affinity),
            channels_first=np.bool_(channels_first),
        )

    return _refuse_vmap(
        bind,
        "jaxdali.image.decode_resample works on a whole batch and cannot be mapped by jax.vmap: call "
        "it before vmap, and map over its result.",
    )(encoded, rows, windows, flips, table)


def _flat(affinity: Sequence[Sequence[int]]) -> np.ndarray:
    """`int32[...]`: of each thread the number of its CPUs, and their ids."""
    return np.array([word for cpus in affinity for word in (len(cpus), *cpus)], np.int32)


def _refuse_vmap(function: Callable, message: str) -> Callable:
    """Makes `jax.vmap` of a function raise one sentence.

    Without a rule, JAX would say that a primitive nobody has heard of lacks one. A custom rule is
    the public way to be asked.
    """
    wrapped = jax.custom_batching.custom_vmap(function)

    @wrapped.def_vmap
    def _rule(axis_size, in_batched, *operands):
        raise ConfigError(message)

    return wrapped
