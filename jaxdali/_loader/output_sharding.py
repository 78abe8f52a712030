"""Where the leaves of a Loader's batches are placed. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding, Sharding

from jaxdali._base.aliases import Device, PyTree
from jaxdali._device.ffi import unsupported_platforms
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._device.image.encoded import EncodedBatch
from jaxdali._run.executor.device_io.device_placement import DevicePlacement, OneDevice, SeveralDevices
from jaxdali._run.multihost.assemble import LocalShards, ShardedBatch, misfit, of_rows
from jaxdali.errors import ConfigError, SourceDataError

__all__ = ["OutputSharding"]


def _pick_device(device: Any) -> Device:
    """Returns the device that batches appear on.

    Raises:
        ConfigError: it is not a device of this process that is on JAX's default platform, a GPU or a CPU.
    """
    # JAX's default platform may be the CPU or a GPU, or another one, such as a TPU.
    devices = [*local_gpus(), *jax.local_devices(), *jax.local_devices(backend="cpu")]
    if device is None:
        return devices[0]
    if device not in devices:
        shown = ", ".join(map(str, dict.fromkeys(devices)))
        raise ConfigError(
            f"device must be a jax.Device, such as jax.devices()[0], one of {shown}; got {device!r}. For another one, "
            "move the batch with jax.device_put"
        )
    return device


def _computing(device: Device) -> Device:
    """Returns the device, or a CPU if our custom calls do not exist on it."""
    return device if unsupported_platforms.has_calls(device) else jax.local_devices(backend="cpu")[0]


class OutputSharding:
    """A batch on one device, or cut into parts for several.

    Args:
        sharding: one `jax.sharding.Sharding`, or a pytree of them that is a prefix of the Loader's batches; None:
            everything is on `device`.
        device: as for `Loader`.

    Attributes:
        count: number of parts that the global batch is cut into.
        parts: numbers of the parts of this process, ascending.
        alone: no other process has a part of the batch.
        agreed: shapes that differ from step to step are the same in all processes.
        device: where batches are if there is no sharding.
        placement: where this process computes its parts: one device per part, whose replicas get copies. If devices
            lack our custom calls, as TPUs do, one CPU computes all parts, and the results are then put on the devices.

    Raises:
        ConfigError: `sharding` holds something else, or a device is given as well; or the device is not of this
            process.
    """

    def __init__(self, sharding: object, device: object):
        if sharding is not None and device is not None:
            raise ConfigError("device= and sharding= exclude each other: a sharding names its devices")
        picked = _pick_device(device)
        self.sharding = sharding
        self.count, self.parts = 1, (0,)
        self.device = picked
        self.placement: DevicePlacement = OneDevice(_computing(picked))
        self._elsewhere = not unsupported_platforms.has_calls(picked)
        self.alone, self.agreed = True, True
        # For each tree structure that was handed out, the assemblers of its leaves.
        self._assemblers: dict[Any, list[ShardedBatch]] = {}
        self._spec: list[jax.ShapeDtypeStruct] = []
        # The sharding of all leaves, if computed results have it already.
        self._same: NamedSharding | None = None
        if sharding is None:
            return
        leaves = jax.tree.leaves(sharding)
        wrong = next((leaf for leaf in leaves if not isinstance(leaf, jax.sharding.Sharding)), None)
        if wrong is not None or not leaves:
            raise ConfigError(
                "sharding= expects a jax.sharding.Sharding, such as NamedSharding(mesh, PartitionSpec('data')), or a pytree "
                f"of them; got {wrong or sharding!r}"
            )
        shards = LocalShards(leaves)
        self.count, self.parts, self.alone = shards.count, tuple(shards.devices), shards.alone
        holders = [holders[0] for holders in shards.devices.values()]
        self._elsewhere = not all(map(unsupported_platforms.has_calls, holders))
        if self._elsewhere:
            self.placement = OneDevice(_computing(holders[0]))
            return
        self._same = _same_parts(leaves, shards, holders)
        self.placement = SeveralDevices(holders, self._same)

    @property
    def devices(self) -> Sequence[Device]:
        """The devices that compute."""
        return self.placement.devices

    def global_spec(self, spec: object, rows: int) -> PyTree:
        """Returns the spec of global batches, from the spec of one part, which has `rows` samples.

        Raises:
            ConfigError: `sharding` is not a prefix of it, or a leaf cannot be cut.
        """
        encoded = any(isinstance(leaf, EncodedBatch) for leaf in jax.tree.leaves(spec, is_leaf=_is_encoded))
        if self.sharding is None:
            if encoded and self._elsewhere:
                raise ConfigError(
                    f"the batch holds encoded images, which {self.device} cannot decode: decode them in augment, which runs "
                    "on the CPU"
                )
            return spec
        if encoded:
            raise ConfigError(
                "sharding= is for arrays, but the batch holds encoded images: decode them in augment, which runs on every "
                "device"
            )
        try:
            shardings = jax.tree.leaves(jax.tree.broadcast(self.sharding, spec))
        except ValueError as error:
            raise ConfigError(f"sharding= does not fit what the Loader gives: {error}") from error
        paths, tree = jax.tree_util.tree_flatten_with_path(spec)
        global_leaves = []
        for (path, leaf), sharding in zip(paths, shardings, strict=True):
            name = jax.tree_util.keystr(path) or "the batch"
            if not leaf.shape:
                raise ConfigError(
                    f"{name} has no first axis to shard; with sharding= augment must return arrays [batch, ...]"
                )
            if leaf.shape[0] != rows:
                raise ConfigError(
                    f"{name} has {leaf.shape[0]} rows for {rows} samples of a device; with sharding= their order in the "
                    f"global array would depend on the number of devices: return [{rows}, {leaf.shape[0] // rows}, ...], or "
                    "several arrays"
                )
            shape = (leaf.shape[0] * self.count, *leaf.shape[1:])
            try:
                sharding.shard_shape(shape)
                global_leaves.append(jax.ShapeDtypeStruct(shape, leaf.dtype, sharding=sharding))
            except (ValueError, IndexError) as error:  # IndexError: the sharding has more axes than the array
                raise ConfigError(misfit(name, shape, sharding, error)) from error
        self._spec = global_leaves
        return tree.unflatten(global_leaves)

    def put_mask(self, mask: np.ndarray) -> jax.Array:
        """Returns the mask `bool[batch_size]`, cut as finely as any leaf of the batch along its first axis.

        Raises:
            ConfigError: the sharding does not fit an array with one axis.
        """
        if self.sharding is None:
            return jax.device_put(mask, self.device)
        rows = of_rows(jax.tree.leaves(self.sharding))
        try:
            placed = rows.addressable_devices_indices_map(mask.shape)
        except (ValueError, IndexError) as error:
            raise ConfigError(
                f"{misfit('the mask', mask.shape, rows, error)}; or have augment take and return it"
            ) from error
        # Explicit transfers: a user's transfer_guard is meant for implicit ones.
        pieces = [jax.device_put(mask[index], device) for device, index in placed.items()]
        return jax.make_array_from_single_device_arrays(mask.shape, rows, pieces)

    def assemble(self, outputs: object) -> PyTree:
        """Returns global arrays made from what the devices of this process computed."""
        if self.sharding is None:
            return jax.device_put(outputs, self.device) if self._elsewhere else outputs
        if self._same is not None:
            return outputs
        leaves, tree = jax.tree.flatten(outputs)
        if tree not in self._assemblers:
            shardings = jax.tree.leaves(jax.tree.broadcast(self.sharding, outputs))
            self._assemblers[tree] = [ShardedBatch(sharding, self.parts, self.count) for sharding in shardings]
        arrays = []
        for leaf, assemble in zip(leaves, self._assemblers[tree], strict=True):
            arrays.append(assemble(self._parts_of(leaf), "batch"))
        if not self.agreed and [array.shape for array in arrays] != [leaf.shape for leaf in self._spec]:
            raise SourceDataError(
                f"got arrays of shapes {[array.shape for array in arrays]}, but the first sample says "
                f"{[leaf.shape for leaf in self._spec]}: each process would have another global array. Have augment "
                "give all batches one shape, or pad ragged leaves to one width, as in ragged={'ids': 512}"
            )
        return tree.unflatten(arrays)

    def _parts_of(self, leaf: jax.Array) -> list[Any]:
        """Returns the parts of a computed leaf, in order."""
        if self._elsewhere:
            return np.split(jax.device_get(leaf), len(self.parts))
        # `addressable_shards` would cost several times as much.
        parts = [leaf.addressable_data(index) for index in range(len(self.devices))]
        part_on = {device: part for part in parts for device in part.devices()}
        return [part_on[device] for device in self.devices]


def _same_parts(leaves: Sequence[Sharding], shards: LocalShards, devices: Sequence[object]) -> NamedSharding | None:
    """Returns the sharding that all leaves have, if each of its devices has one part, and all devices are this
    process's, in the order in which compiled programs take them; else None.
    """
    sharding = leaves[0]
    if not isinstance(sharding, NamedSharding) or any(leaf != sharding for leaf in leaves):
        return None
    order = getattr(sharding.mesh.devices, "flat", ())
    whole = shards.alone and len(devices) == len(sharding.device_set)
    return sharding if whole and list(order) == list(devices) else None


def _is_encoded(value: object) -> bool:
    return isinstance(value, EncodedBatch)
