"""Where the custom calls that read files run: on each device, for its own part of a batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxdali._base.batch import DECODERS
from jaxdali.errors import ConfigError, check_integer
from .encoded import EncodedBatch

__all__ = [
    "CALL_SETTINGS",
    "as_files",
    "check_affinity",
    "check_batch",
    "check_decoder",
    "effective_sharding",
    "map_over_batch",
]

# Arguments of the calls besides their operands and the shapes of their results.
CALL_SETTINGS = ("raise_on_error", "threads", "decoder", "fancy_upsampling", "affinity")


# The largest CPU id in Linux's cpu_set_t.
_LARGEST_CPU = 1023


def check_batch(who: str, batch) -> None:
    """Raises ConfigError if `batch` is not an EncodedBatch, or if `jax.vmap` has removed one of its axes."""
    if not isinstance(batch, EncodedBatch):
        advice = (
            "If it came from a Loader, data[i] holds the file as an array: return `bytes` instead, such as "
            "file.read() or array.tobytes(), from which a Loader makes EncodedBatches"
            if _may_be_files(batch)
            else "Make one with jaxdali.EncodedBatch.from_encoded([file_bytes, ...]), or let a Loader give you one: the "
            "leaves of its samples that are `bytes` are files"
        )
        raise ConfigError(f"{who} expects an EncodedBatch, got {_described(batch)}. {advice}.")
    if any(np.ndim(array) != 2 for array in (batch.bytes, batch.rows, batch.sizes)):
        raise ConfigError(
            f"jaxdali.image.{who} works on a whole batch and cannot be mapped by jax.vmap: call it before vmap, and map "
            "over what it returns."
        )


def as_files(who: str, batch: Any) -> EncodedBatch:
    """Returns a batch, or a list of T batches of N as one of `[N, T]`.

    Raises:
        ConfigError: it is neither, or the batches cannot be stacked.
    """
    if isinstance(batch, list | tuple) and batch and all(isinstance(one, EncodedBatch) for one in batch):
        return EncodedBatch.stack(batch)
    if isinstance(batch, EncodedBatch) and np.ndim(batch.rows) == np.ndim(batch.sizes) == 3:
        return batch
    check_batch(who, batch)
    return batch  # type: ignore[return-value]  # as was checked


def _may_be_files(value) -> bool:
    """Whether it is an array of bytes, or the pair that a Loader makes of such arrays if their lengths differ."""
    first = value[0] if isinstance(value, tuple | list) and value else value
    return getattr(first, "dtype", None) == np.uint8 and np.ndim(first) in (1, 2)


def _described(value) -> str:
    return f"{value.dtype}{list(np.shape(value))}" if hasattr(value, "dtype") else type(value).__name__


def check_decoder(decoder) -> int:
    """Returns the number of a decoder.

    Raises:
        ConfigError: there is no decoder of that name.
    """
    if decoder not in DECODERS:
        raise ConfigError(f"decoder must be one of {', '.join(DECODERS)}, got {decoder!r}")
    return DECODERS.index(decoder)


def map_over_batch(call: Callable, sharding: NamedSharding | None, parted: Sequence[bool]) -> Callable:
    """Makes each device run `call` on its own part of the operands. Returns `call` itself without a sharding.

    Left to itself, the compiler would gather a sharded batch on every device.

    Args:
        call: its results are sharded along the batch.
        sharding: as `effective_sharding` returns it.
        parted: for each operand, whether it is along the batch; every device gets the others whole.
    """
    if sharding is None:
        return call
    along_batch = P(_batch_axes(sharding))
    return jax.shard_map(
        call,
        mesh=sharding.mesh,
        in_specs=tuple(along_batch if along else P() for along in parted),
        out_specs=along_batch,
    )


def check_affinity(affinity) -> tuple[tuple[int, ...], ...]:
    """Returns the CPUs of threads in a form that can be a static argument of `jit`.

    Raises:
        ConfigError: they are not ids of CPUs.
    """
    try:
        return tuple(
            tuple(check_integer("a CPU of affinity", cpu, 0, _LARGEST_CPU) for cpu in cpus) for cpus in affinity
        )
    except TypeError:
        raise ConfigError(f"affinity must be a sequence of CPUs for each thread, got {affinity!r}") from None


def effective_sharding(who: str, batch: EncodedBatch) -> NamedSharding | None:
    """Returns the sharding to map the call over; None if the batch is on one device.

    Inside a user's own `shard_map` over the batch's axes, the batch is one device's part already.
    """
    sharding, parts = None, 1
    if isinstance(batch.sharding, NamedSharding) and batch.sharding.mesh.size > 1:
        axes = _batch_axes(batch.sharding)
        manual = jax.sharding.get_abstract_mesh().manual_axes
        if not manual:
            sharding = batch.sharding
            parts = math.prod(sharding.mesh.shape[axis] for axis in axes)
        elif not set(axes) <= set(manual):
            raise ConfigError(
                f"{who} runs inside a shard_map over the axes {tuple(manual)}, but the batch is "
                f"sharded along {axes}; map over {axes} too, or call it outside the shard_map."
            )
    if batch.bytes.shape[0] != parts or batch.rows.shape[0] % parts:
        raise ConfigError(
            f"batch.bytes has {batch.bytes.shape[0]} rows and batch.rows {batch.rows.shape[0]}; "
            f"expected bytes[{parts}, capacity], one row for each part of the batch, and a "
            f"multiple of {parts} rows, because batch.sharding is {batch.sharding}."
        )
    return sharding


def _batch_axes(sharding: NamedSharding) -> tuple[str, ...]:
    """The mesh axes along which the batch is sharded."""
    first = sharding.spec[0] if len(sharding.spec) else None
    if first is None:
        return ()
    return (first,) if isinstance(first, str) else tuple(first)
