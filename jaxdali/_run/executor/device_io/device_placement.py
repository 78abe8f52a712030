"""Where a device function runs: on one device, or on several, each with its own rows of every batch."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding

from jaxdali._base.aliases import Device, PyTree
from jaxdali._device.ffi.compat import calls_precede_dispatch
from jaxdali._device.random.keys import to_words
from jaxdali._feed.ring.host_batch import HostColumn
from .freed_memory import keep_freed_memory
from .packed import Packed
from .packets import Packets, Sent
from .transfer import (
    Padded,
    dense_rows,
    host_bytes,
    host_to_device_guard,
    lock_pages,
    padded_rows,
    put_arrays,
    put_column,
    small_rows,
    without_settings,
)

__all__ = ["DevicePlacement", "OneDevice", "SeveralDevices"]


# Slots whose arrays are kept: more than rings have.
_MOST_SLOTS = 256


class DevicePlacement(Protocol):
    """Places operands on devices, and compiles programs for them."""

    @property
    def devices(self) -> Sequence[Device]:
        """The devices, at least one."""
        ...

    @property
    def is_host(self) -> bool:
        """Whether they compute in the host's memory."""
        ...

    def column(self, column: HostColumn) -> Padded | jax.Array | np.ndarray:
        """Returns a column of arrays, dense or padded, as an operand of the compiled program."""
        ...

    def result(self, column: HostColumn) -> Padded | jax.Array:
        """Returns a column of arrays that is handed out unchanged."""
        ...

    def bytes_of(self, column: HostColumn) -> jax.Array:
        """Returns the slot of a column of encoded images, see `EncodedBatch.bytes`."""
        ...

    def put(self, rows: object) -> Any:
        """Puts a nested structure of NumPy arrays, each with one entry per sample."""
        ...

    @property
    def packs(self) -> bool:
        """Whether `send` puts all small arrays as one, so that few should be put otherwise."""
        ...

    def send(self, rows: object, small: PyTree, again: bool) -> Sent:
        """Begins to put operands of the compiled program, `rows` like `put`, or leaves them NumPy arrays. `small` are
        arrays with an entry per sample, too; the program gets them by `unpacked`.

        Args:
            again: whether what is sent will be given back, so that the memory on the devices is used again.
        """
        ...

    def origin(self, seed: int, epoch: int) -> tuple[Any, Any]:
        """Returns the words `uint32[2]` of the seed and of the epoch as operands of the compiled program. They are put only
        when they change, because a transfer costs the host more than the data it moves.
        """
        ...

    def number(self, number: int) -> Any:
        """Returns a number, modulo 2**32, as an operand of the compiled program: uint32, the same on all devices."""
        ...

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        """Compiles a program of (values, origin, small, canvases), of which the last is static."""
        ...

    def call(self, program: Callable[..., Any], *operands: object) -> Any:
        """Calls a compiled program."""
        ...

    def context(self) -> contextlib.AbstractContextManager[object]:
        """The JAX settings needed where the compiled program is called by somebody else."""
        ...


class _Placement:
    """Puts small arrays, and calls compiled programs under the JAX settings that they need.

    Args:
        devices: at least one.
        cut: sharding of arrays with a row per sample.
        origin: puts the words of seed and epoch.
    """

    def __init__(self, devices: Sequence[Device], cut: Sharding, origin: _Origin):
        self.devices = tuple(devices)
        self.is_host = self.devices[0].platform == "cpu"
        self._cut = cut
        self._packets = None if self.is_host else Packets(cut)
        self._origin = origin
        if self.is_host:
            keep_freed_memory()

    @property
    def packs(self) -> bool:
        return not self.is_host or len(self.devices) > 1

    def put(self, rows: object) -> Any:
        return put_arrays(rows, self._cut)

    def send(self, rows: object, small: PyTree, again: bool) -> Sent:
        if not self.packs:
            return Sent((rows, small))
        arrays = rows, Packed.of(small)
        return Sent(self.put(arrays)) if self._packets is None or not again else self._packets.send(arrays)

    def origin(self, seed: int, epoch: int) -> tuple[Any, Any]:
        return self._origin.put(seed, epoch)

    def call(self, program: Callable[..., Any], *operands: object) -> Any:
        if (settings := self._settings()) is None:
            return program(*operands)
        with settings:
            return program(*operands)

    def context(self) -> contextlib.AbstractContextManager[object]:
        return self._settings() or contextlib.nullcontext()

    def _settings(self) -> contextlib.AbstractContextManager[object] | None:
        """Returns what is to be set; None: nothing."""
        raise NotImplementedError


class OneDevice(_Placement):
    """One device of this process."""

    def __init__(self, device: Device):
        sharding = SingleDeviceSharding(device)
        put_seed = functools.partial(put_arrays, sharding=sharding)
        # The seed's words stay a `jax.Array` on the device: they make jit put its results on that device.
        put_epoch = put_seed if device.platform != "cpu" else lambda words: words
        super().__init__((device,), sharding, _Origin(put_seed, put_epoch))
        self._device = device
        self._guard: str | None = None  # the user's `transfer_guard`, where `_settings` lifts it

    def column(self, column: HostColumn) -> Padded | jax.Array | np.ndarray:
        # Passing NumPy arrays to a program costs less than half of making JAX arrays of them first. But large ones are
        # in slots, which JAX would hold until its next call. Switching between the two kinds compiles again, so the
        # choice depends on the shape only.
        if self.is_host and not column.is_held and column.padded:
            return Padded(padded_rows(column))
        rows = small_rows(column) if self.is_host else None
        return put_column(column, self._device) if rows is None else rows

    def result(self, column: HostColumn) -> Padded | jax.Array:
        return put_column(column, self._device)

    def bytes_of(self, column: HostColumn) -> jax.Array:
        return host_bytes(column, self._device)

    def number(self, number: int) -> Any:
        word = _word(number)
        return word if self.is_host else self.put(word)

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        def device_function(*operands: object) -> Any:
            # The user's own functions may be traced here, so the user's transfer guard applies.
            with jax.transfer_guard_host_to_device(self._guard):
                return program(*operands)

        return jax.jit(device_function, static_argnums=3)

    def _settings(self) -> contextlib.AbstractContextManager[object] | None:
        # Lifts the transfer guard, only for the rows, which are NumPy arrays.
        self._guard = host_to_device_guard()
        return without_settings(self._device, self._guard)


class SeveralDevices(_Placement):
    """Devices of this process that share each batch, in equal parts and in order. One program, compiled and dispatched
    once, runs on each of them as if its part were the whole batch; the results have the rows of all parts.

    Args:
        results: sharding of the arrays that are handed out, which must cut rows in the same way; None: one of ours.
    """

    _cut: NamedSharding

    def __init__(self, devices: Sequence[Device], results: NamedSharding | None = None):
        self._mesh = Mesh(np.array(devices), ("part",))
        cut, same = (NamedSharding(self._mesh, PartitionSpec(*axes)) for axes in (("part",), ()))
        self._put_everywhere = functools.partial(put_arrays, sharding=same)
        super().__init__(devices, cut, _Origin(self._put_everywhere, self._put_everywhere))
        self._results = results or cut
        self._reads_at_once = calls_precede_dispatch(self.devices[0])
        self._slots: dict[tuple[int, int], jax.Array] = {}  # by address and capacity

    def column(self, column: HostColumn) -> Padded | jax.Array:
        return _put_rows(column, self._cut)

    def result(self, column: HostColumn) -> Padded | jax.Array:
        return _put_rows(column, self._results)

    def bytes_of(self, column: HostColumn) -> jax.Array:
        if not self._reads_at_once or not lock_pages(column.lease):
            return self._bytes_of(column, holds=True)
        # While a program is dispatched, the step has the slot, and then its calls have read the files. So the array need
        # not hold it, and is made once: that takes a tenth of the time of a batch.
        place = column.lease.address, column.lease.capacity
        if (known := self._slots.get(place)) is None:
            if len(self._slots) >= _MOST_SLOTS:
                self._slots.clear()
            known = self._slots[place] = self._bytes_of(column, holds=False)
        return known

    def _bytes_of(self, column: HostColumn, holds: bool) -> jax.Array:
        memory = "device" if self.is_host else "pinned_host"
        # All devices read the same slot.
        same = [host_bytes(column, device, holds) for device in self.devices]
        shape = (len(same), *same[0].shape[1:])
        return jax.make_array_from_single_device_arrays(shape, self._cut.with_memory_kind(memory), same)

    def number(self, number: int) -> Any:
        return self._put_everywhere(_word(number))

    def compile(self, program: Callable[..., object]) -> Callable[..., Any]:
        cut, same = PartitionSpec("part"), PartitionSpec()

        def on_each(values: object, origin: jax.Array, small: object, canvases: object) -> Any:
            # The devices exchange nothing, so there is no replication to check.
            return jax.shard_map(
                lambda values, origin, small: program(values, origin, small, canvases),
                mesh=self._mesh,
                in_specs=(cut, same, cut),
                out_specs=cut,
                check_vma=False,
            )(values, origin, small)

        return jax.jit(on_each, static_argnums=3, out_shardings=(self._results, None, None))

    def _settings(self) -> contextlib.AbstractContextManager[object] | None:
        return without_settings(self.devices[0], None)


def _put_rows(column: HostColumn, sharding: NamedSharding) -> Padded | jax.Array:
    if column.clips is not None:
        return column.clips.array(sharding)
    if column.padded:
        return Padded(put_arrays(padded_rows(column), sharding))
    return put_arrays(dense_rows(column), sharding)


def _word(number: int) -> np.ndarray:
    return np.array(number & 0xFFFFFFFF, np.uint32)


class _Origin:
    """Puts the words of the seed and the epoch where they are needed. All batches of an epoch use the same arrays,
    because a transfer costs more than the data. They are data, not constants, so that a new seed does not compile a new
    program.
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
