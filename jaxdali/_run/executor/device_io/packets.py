"""Memory on GPUs for the small arrays of a batch, which later batches use again.

To put an array costs JAX memory, events and an object for each GPU, which are the larger the busier CUDA is: two arrays
took two GPUs a sixth of the consumer's time. A packet's arrays are made once. Whoever sends one waits for it before
the program is dispatched, and gives it back when the program has run; one that is not given back is never written again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.sharding import Sharding

from jaxdali._base.aliases import PyTree
from jaxdali._device.ffi.cuda import cuda_module
from .transfer import put_arrays

__all__ = ["Packet", "Packets", "Sent"]

# As much as the copies need.
_ALIGNMENT = 256


class Packet:
    """Arrays on GPUs and the host's memory that they are filled from.

    Args:
        like: NumPy arrays of the same shapes and types.
        sharding: cuts them by rows, or not at all.

    Attributes:
        arrays: of the given sharding.
        addresses: for each of them, by device.
    """

    def __init__(self, like: Sequence[np.ndarray], sharding: Sharding):
        self.arrays = jax.block_until_ready(put_arrays([np.zeros_like(array) for array in like], sharding))
        self.addresses = [_addresses_of(array) for array in self.arrays]
        parts, starts, end = [], [], 0
        for array, addresses in zip(self.arrays, self.addresses, strict=True):
            starts.append(end)
            for shard, address in zip(array.addressable_shards, addresses, strict=True):
                first = shard.index[0].start or 0
                start = end + first * (array.nbytes // len(array))
                parts.append((shard.device.local_hardware_id, address, start, shard.data.nbytes))
            end += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
        self._upload = cuda_module().upload(self.arrays, parts)
        memory = self._upload.memory()
        self._sources = [
            memory[start:][: array.nbytes].view(array.dtype).reshape(array.shape)
            for start, array in zip(starts, like, strict=True)
        ]

    def send(self, arrays: Sequence[np.ndarray]) -> None:
        """Begins to fill the arrays."""
        for source, array in zip(self._sources, arrays, strict=True):
            source[...] = array
        self._upload.start()

    def wait(self) -> None:
        """Waits until they are filled."""
        self._upload.wait()


class Sent(NamedTuple):
    """Small arrays on their way to where a program needs them.

    Attributes:
        operands: the tree of them.
        packet: what they are in; None: they are put as JAX puts arrays, or are the host's own.
        owner: whose packet it is.
    """

    operands: Any
    packet: Packet | None = None
    owner: Packets | None = None

    def arrived(self) -> Any:
        """Returns the operands, which a program may be dispatched with."""
        if self.packet is not None:
            self.packet.wait()
        return self.operands

    def addresses(self, operand: jax.Array) -> list[int]:
        """Returns where on each device an operand is."""
        if self.packet is not None:
            for array, known in zip(self.packet.arrays, self.packet.addresses, strict=True):
                if array is operand:
                    return known
        return _addresses_of(operand)

    def give_back(self) -> None:
        """Says that the program has run, and nobody else has the operands."""
        if self.packet is not None and self.owner is not None:
            self.owner.take_back(self.packet)


class Packets:
    """The packets of one sharding. As many are made as are in use at a time, for each set of shapes and types."""

    def __init__(self, sharding: Sharding):
        self._sharding = sharding
        self._unused: dict[Any, list[Packet]] = {}

    def send(self, arrays: PyTree) -> Sent:
        """Sends NumPy arrays in any nesting."""
        leaves, tree = jax.tree.flatten(arrays)
        unused = self._unused.get(_kind(leaves))
        packet = unused.pop() if unused else Packet(leaves, self._sharding)
        packet.send(leaves)
        return Sent(jax.tree.unflatten(tree, packet.arrays), packet, self)

    def take_back(self, packet: Packet) -> None:
        """Takes one that will be used again."""
        self._unused.setdefault(_kind(packet.arrays), []).append(packet)


def _kind(arrays: Sequence[Any]) -> Any:
    return tuple((array.shape, array.dtype) for array in arrays)


def _addresses_of(array: jax.Array) -> list[int]:
    """Returns where on each device a part of an array is, in the order of the devices."""
    return [array.addressable_data(k).unsafe_buffer_pointer() for k in range(len(array.sharding.device_set))]
