"""Assembles global arrays from what each pipeline of this process computed. This file loads jax."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec, Sharding

from jaxdali._base.aliases import Device
from jaxdali.errors import ConfigError
from ..executor.device_io.transfer import Padded, cut, only_device

__all__ = ["LocalShards", "ShardedBatch", "StackedBatch", "misfit", "of_rows"]


def _row_slices(sharding: Sharding) -> tuple[int, dict[Any, slice]]:
    """Returns how many parts a sharding cuts the first axis into, and which of as many rows each local device holds."""
    rank = max(len(sharding.spec), 1) if isinstance(sharding, NamedSharding) else 1
    devices = len(sharding.device_set)
    count = devices // sharding.shard_shape((devices,) * rank)[0]
    placed = sharding.addressable_devices_indices_map((count, *(devices for _ in range(rank - 1))))
    return count, {device: index[0] if index else slice(None) for device, index in placed.items()}


def of_rows(shardings: Iterable[Sharding]) -> Sharding:
    """Returns a sharding for arrays that have none: that which cuts the first axis finest, without its other axes. If
    it is not a NamedSharding, returns it unchanged.
    """
    finest = max(shardings, key=lambda sharding: _row_slices(sharding)[0])
    if isinstance(finest, NamedSharding):
        return NamedSharding(finest.mesh, PartitionSpec(*finest.spec[:1]), memory_kind=finest.memory_kind)
    return finest


def misfit(name: str, shape: tuple[int, ...], sharding: Sharding, error: Exception) -> str:
    """Returns the text of the error for an array that a sharding cannot cut."""
    why = str(error)
    if isinstance(sharding, NamedSharding) and len(sharding.spec) > len(shape):
        why = f"its PartitionSpec names {len(sharding.spec)} axes, and the array has {len(shape)}"
    return (
        f"{name} of shape {shape} does not fit its sharding {sharding}: {why}. Give a pytree of shardings, one for each "
        "array, or one that cuts the first axis only, PartitionSpec('data')"
    )


class LocalShards:
    """The rows of the global batch that the devices of this process hold.

    Attributes:
        count: number of parts of the global batch, over all processes; part g is rows `g * n` to `(g + 1) * n`.
        devices: those of this process, by the part they hold, in the order of the parts; replicas hold the same part.
        alone: no other process has any of the devices.

    Raises:
        ConfigError: a sharding uses memory other than that of devices, or only devices of other processes.
    """

    def __init__(self, shardings: Sequence[Sharding]):
        for sharding in shardings:
            if sharding.memory_kind not in (None, "device"):
                raise ConfigError(
                    f"the sharding {sharding} has a memory kind that devices do not compute in; use "
                    "memory_kind='device'"
                )
        self.count, rows = max(map(_row_slices, shardings), key=lambda sliced: sliced[0])
        if not rows:
            raise ConfigError(
                f"this process has no device of the sharding {shardings[0]}, so there is nothing for it to feed"
            )
        devices: dict[int, list[Any]] = {}
        for device in sorted(rows, key=lambda device: device.id):
            devices.setdefault(rows[device].start or 0, []).append(device)
        self.devices = dict(sorted(devices.items()))
        self.alone = all(sharding.is_fully_addressable for sharding in shardings)


# A device, the pipelines whose rows it holds, and its slices of the other axes; None if it holds them whole.
_Piece = tuple[Any, list[int], tuple[slice, ...] | None]


class StackedBatch:
    """Arrays with an extra leading axis that has one entry per pipeline, as `jax.pmap` takes them.

    Args:
        devices: those of the pipelines. If they are distinct, each entry stays on its own device.
        stacks: if false, the pipelines' rows are concatenated along the first axis instead.
    """

    def __init__(self, devices: Sequence[Device], stacks: bool):
        self._devices = list(devices)
        self._stacks = stacks
        distinct = len(set(devices)) == len(devices)
        self.sharding = (
            NamedSharding(Mesh(np.array(self._devices), ("device",)), PartitionSpec("device")) if distinct else None
        )

    def __call__(self, parts: Sequence[Any], name: str) -> Any:
        """Assembles one output from all pipelines' parts: arrays on the host or their devices, or pairs."""
        if isinstance(parts[0], Padded):
            return Padded(self(pieces, name) for pieces in zip(*parts, strict=True))
        _check_shapes(parts, name)
        if self.sharding is not None and _on_host(parts):
            rows = 1 if self._stacks else len(parts[0])
            placed = {at * rows: part[None] if self._stacks else part for at, part in enumerate(parts)}
            return _put_rows(self.sharding, rows * len(parts), placed)
        values = []
        for part, device in zip(parts, self._devices, strict=True):
            with only_device(device):
                values.append(jax.device_put(part[None] if self._stacks else part, device))
        if self.sharding is None:
            with only_device(self._devices[0]):
                return jnp.concatenate(values)
        shape = (sum(len(value) for value in values), *values[0].shape[1:])
        return jax.make_array_from_single_device_arrays(shape, self.sharding, values)


class ShardedBatch:
    """Arrays with a given sharding: each device of this process gets its rows, and its part of the other axes.

    Data that several devices hold is computed once, by one pipeline, and copied from device to device.

    Args:
        sharding: of the output. It may cut the first axis into fewer parts than there are pipelines.
        parts: for each pipeline, the number of the part of the global batch that it makes.
        count: number of all parts.
    """

    def __init__(self, sharding: Sharding, parts: Sequence[int], count: int):
        self.sharding = sharding
        self._at = {part: position for position, part in enumerate(parts)}
        self._count = count
        # By the shape of the global array: what each device gets.
        self._pieces: dict[tuple[int, ...], list[_Piece]] = {}
        self._whole: set[tuple[int, ...]] = set()  # shapes whose parts each go to one device, one part each
        self._of_shapes: ShardedBatch | None = None

    @classmethod
    def of_masks(cls, outputs: Sequence[ShardedBatch]) -> ShardedBatch:
        """Makes one for the mask of a batch: cut like the output whose first axis is cut finest."""
        return cls(of_rows([output.sharding for output in outputs]), list(outputs[0]._at), outputs[0]._count)

    def __call__(self, parts: Sequence[Any], name: str) -> Any:
        """Assembles one output from all pipelines' parts: arrays on the host or on devices, or pairs of images and
        their shapes. Only the rows of the shapes are cut.

        Raises:
            ConfigError: the array cannot be cut like that.
        """
        if isinstance(parts[0], Padded):
            if self._of_shapes is None:
                self._of_shapes = ShardedBatch(of_rows([self.sharding]), list(self._at), self._count)
            images, shapes = zip(*parts, strict=True)
            return Padded((self(images, name), self._of_shapes(shapes, name)))
        _check_shapes(parts, name)
        shape = (len(parts[0]) * self._count, *parts[0].shape[1:])
        if shape not in self._pieces:
            self._pieces[shape] = list(self._cut(shape, name))
            self._note_if_whole(shape)
        if shape in self._whole and _on_host(parts):
            rows = len(parts[0])
            return _put_rows(self.sharding, shape[0], {number * rows: parts[at] for number, at in self._at.items()})
        pieces = self._pieces[shape]
        # Put on one device each; other devices that hold the same part get a copy from that device.
        holders = {at: device for device, positions, _ in reversed(pieces) for at in positions}
        held = {at: _on_device(parts[at], device) for at, device in holders.items()}
        values = [self._on(device, [held[at] for at in positions], others) for device, positions, others in pieces]
        return jax.make_array_from_single_device_arrays(shape, self.sharding, values)

    def _note_if_whole(self, shape: tuple[int, ...]) -> None:
        pieces = self._pieces[shape]
        taken = [at for _, positions, _ in pieces for at in positions]
        if len(set(taken)) == len(taken) == len(pieces) and all(others is None for *_, others in pieces):
            self._whole.add(shape)

    def _cut(self, shape: tuple[int, ...], name: str) -> Iterator[_Piece]:
        rows = shape[0] // self._count
        try:
            placed = self.sharding.addressable_devices_indices_map(shape)
        except (ValueError, IndexError) as error:  # IndexError: the sharding has more axes than the array
            raise ConfigError(misfit(f"output {name!r}", shape, self.sharding, error)) from error
        for device, index in placed.items():
            assert index is not None
            first, stop, _ = (index[0] if index else slice(None)).indices(shape[0])
            positions = [self._position(part, name) for part in range(first // rows, -(-stop // rows))]
            if first % rows or stop % rows or not positions:
                raise ConfigError(
                    f"output {name!r}: the device {device} holds rows {first} to {stop} of {shape[0]}, but each pipeline "
                    f"makes {rows}; give the pipelines a batch_size that divides evenly"
                )
            others = tuple(index[1:])
            some = any(part.indices(extent)[:2] != (0, extent) for part, extent in zip(others, shape[1:], strict=False))
            yield device, positions, (slice(None), *others) if some else None

    def _position(self, number: int, name: str) -> int:
        if number not in self._at:
            raise ConfigError(
                f"output {name!r}: its sharding needs rows on this process that other processes make; cut its first axis as "
                "finely as that of the other outputs"
            )
        return self._at[number]

    @staticmethod
    def _on(device: object, parts: Sequence[jax.Array], others: tuple[slice, ...] | None) -> jax.Array:
        pieces = []
        for part in parts:
            if others is not None:
                bounds = [where.indices(extent)[:2] for where, extent in zip(others, part.shape, strict=False)]
                bounds += [(0, extent) for extent in part.shape[len(bounds) :]]
                starts, stops = zip(*bounds, strict=True)
                part = cut(part, starts, stops)
            pieces.append(part if part.devices() == {device} else jax.device_put(part, device))
        if len(pieces) == 1:
            return pieces[0]
        with only_device(device):
            return jnp.concatenate(pieces)


def _on_host(parts: Sequence[object]) -> bool:
    """Whether all parts are on the host, as they are if they come straight from sources."""
    return all(isinstance(part, np.ndarray) for part in parts)


def _on_device(part: Any, device: Device) -> jax.Array:
    return jax.device_put(part, device) if isinstance(part, np.ndarray) else part


def _put_rows(sharding: Sharding, rows: int, parts: Mapping[int, np.ndarray]) -> jax.Array:
    """Makes a global array of `rows` rows from one part per device of this process, keyed by the parts' first rows.

    Does it in one call, because one call per device costs several times as much.
    """
    shape = (rows, *next(iter(parts.values())).shape[1:])

    def part_at(index: tuple[slice, ...] | None) -> np.ndarray:
        assert index is not None
        return parts[index[0].start or 0]

    # This transfer is intended: a user's transfer_guard is meant for implicit ones.
    with jax.transfer_guard_host_to_device("allow"):
        return jax.make_array_from_callback(shape, sharding, part_at)


def _check_shapes(parts: Sequence[jax.Array], name: str) -> None:
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise ConfigError(f"output {name!r}: Shards shapes have to be the same, got {sorted(shapes)}")
