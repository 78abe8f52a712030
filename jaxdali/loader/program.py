"""The user's function as a device program. This file loads jax."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import jax
import numpy as np

from .._ffi.compat import local_gpus
from ..batch import ROW_FIELDS
from ..errors import ConfigError
from ..executor.canvas import Canvas
from ..executor.failures import Decoded
from ..executor.transfer import only_device
from ..image import EncodedBatch
from ..random import sample_keys
from ..source.collate import as_sample
from ..source.structure import Structure

__all__ = ["LoaderProgram", "pick_device"]

# The capacity of a ring's smallest slot (ffi/host/ring.cc); element_spec shows it for files.
_SLOT_BYTES = 1 << 20


def pick_device(device: Any) -> Any:
    """The device that batches appear on.

    Raises:
        ConfigError: it is no CPU device or GPU of this process.
    """
    devices = [*local_gpus(), *jax.local_devices(backend="cpu")]
    if device is None:
        return devices[0]
    if device not in devices:
        raise ConfigError(f"device must be one of {devices}, got {device!r}; move the batch with jax.device_put")
    return device


class LoaderProgram:
    """A `DeviceProgram` that calls `augment`."""

    def __init__(self, augment: Callable[[Any, Any], Any] | None, structure: Structure, columns: int, seed: int):
        self.inputs: Sequence[int] = range(columns)
        self.canvas_inputs: Collection[int] = ()  # the user's function says how large its canvases are
        self._augment = augment
        self._structure = structure
        self._seed = seed

    def __call__(
        self, values: list[Any], epoch: jax.Array, indices: jax.Array, canvases: tuple[Canvas | None, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, jax.Array]]:
        batch = self._structure.unflatten(values)
        if self._augment is None:
            return batch, {}, {}
        return self._augment(batch, sample_keys(self._seed, 0, epoch, indices)), {}, {}

    def element_spec(self, leaves: Sequence[Any], batch_size: int, device: Any) -> Any:
        """What `augment` returns for a batch of samples like this one; traced, nothing is computed."""
        values = [_leaf_spec(leaf, batch_size) for leaf in leaves]
        epoch = jax.ShapeDtypeStruct((2,), np.uint32)
        indices = jax.ShapeDtypeStruct((batch_size, 2), np.uint32)
        canvases = (None,) * len(values)
        with only_device(device):
            return jax.eval_shape(
                lambda values, epoch, indices: self(values, epoch, indices, canvases)[0], values, epoch, indices
            )


def _leaf_spec(leaf: Any, batch_size: int) -> Any:
    if isinstance(leaf, bytes):
        return EncodedBatch(
            bytes=jax.ShapeDtypeStruct((1, _SLOT_BYTES), np.uint8),
            rows=jax.ShapeDtypeStruct((batch_size, ROW_FIELDS), np.int32),
            sizes=jax.ShapeDtypeStruct((batch_size, 3), np.int32),
        )
    array = as_sample(leaf)
    return jax.ShapeDtypeStruct((batch_size, *array.shape), jax.dtypes.canonicalize_dtype(array.dtype))
