"""Where a device function runs: on one device, or on several, of which each has its rows of every batch."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

from ...aliases import Device
from ...random.keys import to_words
from ...ring.host_batch import HostColumn
from .freed_memory import keep_freed_memory
from .transfer import (
    Padded,
    allows_transfers,
    dense_rows,
    host_bytes,
    mesh_of,
    padded_rows,
    put_arrays,
    put_column,
    small_rows,
)

__all__ = ["DevicePlacement", "OneDevice", "SeveralDevices"]


class DevicePlacement(Protocol):
    """Puts operands, and compiles programs for them."""

    @property
    def devices(self) -> Sequence[Device]:
        """At least one."""
        ...

    @property
    def is_host(self) -> bool:
        """What they compute is in the host's memory."""
        ...

    def column(self, column: HostColumn) -> Padded | jax.Array | np.ndarray:
        """A column of arrays, dense or padded: an operand of the compiled program."""
        ...

    def result(self, column: HostColumn) -> Padded | jax.Array:
        """A column of arrays that is handed out as it is."""
        ...

    def bytes_of(self, column: HostColumn) -> jax.Array:
        """The slot of a column of encoded images, see `EncodedBatch.bytes`."""
        ...

    def put(self, rows: object) -> Any:
        """NumPy's arrays with an entry per sample, any nesting of them."""
        ...

    def operands(self, rows: object, seed: int, epoch: int) -> tuple[Any, tuple[Any, Any]]:
        """The same for the compiled program, which may take them as they are; and the words `uint32[2]` of the seed and of
        the epoch, put once and once an epoch, for each transfer costs the host more than what it moves.
        """
        ...

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        """A program of (values, origin, indices, canvases), the last one static."""
        ...

    def context(self) -> contextlib.AbstractContextManager[object]:
        """JAX as it is to be where the compiled program is called."""
        ...


class OneDevice:
    """One device of this process."""

    def __init__(self, device: Device):
        self.devices = (device,)
        self._device = device
        self._sharding = SingleDeviceSharding(device)
        self.is_host = device.platform == "cpu"
        # That of the seed stays a `jax.Array` on the device: by it results are where they are to be.
        self._origin = _Origin(self.put, self.put if not self.is_host else lambda words: words)
        self._mesh = mesh_of(device)
        self._guard: str | None = None  # the user's `transfer_guard`, where `context` lifts it
        if self.is_host:
            keep_freed_memory()

    def column(self, column: HostColumn) -> Padded | jax.Array | np.ndarray:
        # The call of a program takes NumPy's arrays for less than half of what it costs to make JAX's of them first. Large
        # ones are in slots, which JAX would keep until its next call. It compiles anew for the other kind, so which one
        # it is follows from the shape.
        if self.is_host and not column.is_held and column.padded:
            return Padded(padded_rows(column))
        rows = small_rows(column) if self.is_host else None
        return put_column(column, self._device) if rows is None else rows

    def result(self, column: HostColumn) -> Padded | jax.Array:
        return put_column(column, self._device)

    def bytes_of(self, column: HostColumn) -> jax.Array:
        return host_bytes(column, self._device)

    def put(self, rows: object) -> jax.Array:
        return put_arrays(rows, self._sharding)

    def operands(self, rows: object, seed: int, epoch: int) -> tuple[Any, tuple[Any, Any]]:
        return rows if self.is_host else self.put(rows), self._origin.put(seed, epoch)

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        def device_function(*operands: object) -> Any:
            # Of what is traced here some is the user's.
            with jax.transfer_guard_host_to_device(self._guard):
                return program(*operands)

        return jax.jit(device_function, static_argnums=3)

    @contextlib.contextmanager
    def context(self) -> Any:
        # For the rows alone, which are NumPy's.
        settings: Any = jax.config  # whose attributes type checkers do not know
        self._guard = settings.jax_transfer_guard_host_to_device
        # `only_device`, without its generator.
        with jax.default_device(self._device), jax.set_mesh(self._mesh), jax.disable_jit(False), allows_transfers():
            yield


class SeveralDevices:
    """Devices of this process that share each batch, in equal parts and in their order. One program, compiled and dispatched
    once, runs on each of them as if its part were all; what it returns has the rows of all of them.

    Args:
        results: of the arrays that are handed out, a sharding that cuts rows like that, too; None: one of ours.
    """

    def __init__(self, devices: Sequence[Device], results: NamedSharding | None = None):
        self.devices = tuple(devices)
        self.is_host = self.devices[0].platform == "cpu"
        if self.is_host:
            keep_freed_memory()
        self._mesh = Mesh(np.array(self.devices), ("part",))
        self._cut = NamedSharding(self._mesh, PartitionSpec("part"))
        self._results = results or self._cut
        same = NamedSharding(self._mesh, PartitionSpec())
        put_everywhere = functools.partial(put_arrays, sharding=same)
        self._origin = _Origin(put_everywhere, put_everywhere)

    def column(self, column: HostColumn) -> Padded | jax.Array:
        return _put_rows(column, self._cut)

    def result(self, column: HostColumn) -> Padded | jax.Array:
        return _put_rows(column, self._results)

    def bytes_of(self, column: HostColumn) -> jax.Array:
        memory = "device" if self.is_host else "pinned_host"
        # All of them look at the same slot.
        same = [host_bytes(column, device) for device in self.devices]
        shape = (len(same), *same[0].shape[1:])
        return jax.make_array_from_single_device_arrays(shape, self._cut.with_memory_kind(memory), same)

    def put(self, rows: object) -> Any:
        return put_arrays(rows, self._cut)

    def operands(self, rows: object, seed: int, epoch: int) -> tuple[Any, tuple[Any, Any]]:
        return self.put(rows), self._origin.put(seed, epoch)

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        cut, same = PartitionSpec("part"), PartitionSpec()

        def on_each(values: object, origin: jax.Array, indices: jax.Array, canvases: object) -> Any:
            # Nothing is exchanged, so there is nothing to check about what devices have in common.
            return jax.shard_map(
                lambda values, origin, indices: program(values, origin, indices, canvases),
                mesh=self._mesh,
                in_specs=(cut, same, cut),
                out_specs=cut,
                check_vma=False,
            )(values, origin, indices)

        return jax.jit(on_each, static_argnums=3, out_shardings=(self._results, None, None))

    @contextlib.contextmanager
    def context(self) -> Any:
        with jax.default_device(self.devices[0]), jax.set_mesh(self._mesh), jax.disable_jit(False):
            yield


def _put_rows(column: HostColumn, sharding: NamedSharding) -> Padded | jax.Array:
    if column.padded:
        return Padded(put_arrays(padded_rows(column), sharding))
    return put_arrays(dense_rows(column), sharding)


class _Origin:
    """The words of the seed and the epoch where they are needed: the same arrays for all batches of an epoch, as a transfer
    costs more. They are data, so that no seed is a program of its own.
    """

    def __init__(self, put_seed: Callable[[np.ndarray], Any], put_epoch: Callable[[np.ndarray], Any]):
        self._puts = put_seed, put_epoch
        self._known: tuple[Any, Any] = None, None
        self._words: tuple[Any, Any] = None, None

    def put(self, seed: int, epoch: int) -> tuple[Any, Any]:
        if self._known != (seed, epoch):
            self._words = tuple(
                words if number == known else put(to_words(number))
                for put, number, known, words in zip(self._puts, (seed, epoch), self._known, self._words, strict=True)
            )
            self._known = seed, epoch
        return self._words
