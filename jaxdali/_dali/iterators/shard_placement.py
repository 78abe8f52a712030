"""Decides which pipeline makes which part of a sharded batch. This file loads jax."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._base.aliases import Device
from jaxdali._base.patience import Patience
from jaxdali._run.multihost.assemble import LocalShards, ShardedBatch
from jaxdali.errors import ConfigError

__all__ = ["Placement", "device_id_of", "place_pipelines", "shardings_of"]


def shardings_of(sharding: object, names: Sequence[str]) -> dict[str, jax.sharding.Sharding]:
    """Returns the sharding of each output.

    Args:
        sharding: one for all, or a mapping with one for each name.

    Raises:
        ConfigError: it is something else, or has other names.
    """
    several: dict[str, Any] = dict(sharding) if isinstance(sharding, Mapping) else dict.fromkeys(names, sharding)
    if set(several) != set(names):
        raise ConfigError(f"sharding= has entries for {sorted(several)}, but the outputs are {sorted(names)}")
    for name, one in several.items():
        if not isinstance(one, jax.sharding.Sharding):
            raise ConfigError(f"the sharding of {name!r} must be a jax.sharding.Sharding, got {one!r}")
    return several


def place_pipelines(
    sharding: object, names: Sequence[str], devices: Sequence[object]
) -> tuple[dict[str, ShardedBatch], int]:
    """Returns, for each output, what makes a sharded array from the arrays of the pipelines on these devices; and the
    number of parts in all processes.

    Raises:
        ConfigError: this process does not have one pipeline per part of the batch.
    """
    shardings = shardings_of(sharding, names)
    shards = LocalShards(list(shardings.values()))
    if len(shards.devices) != len(devices):
        raise ConfigError(
            f"the sharding cuts the batch into {shards.count} parts, {len(shards.devices)} of them on this process, but "
            f"there are {len(devices)} pipelines: make one for each part, with shard_id= and num_shards={shards.count}, on "
            "a device that holds it; devices that hold the same rows share a pipeline"
        )
    part_of = {device: part for part, holders in shards.devices.items() for device in holders}
    parts = [part_of.get(device) for device in devices]
    if None in parts or len(set(parts)) != len(parts):
        parts = list(shards.devices)  # the parts in their order
    placed = {name: ShardedBatch(one, parts, shards.count) for name, one in shardings.items()}  # type: ignore[arg-type]
    return placed, shards.count


@dataclasses.dataclass(frozen=True)
class Placement:
    """The pipelines that this process needs.

    Attributes:
        count: the number of parts of the global batch, in all processes.
        parts: those of this process: the number of the part, and the device that its pipeline computes on.
        alone: no other process has a part.
    """

    count: int
    parts: list[tuple[int, Any]]
    alone: bool = True

    def draw_seed(self) -> int:
        """Returns a seed from the operating system, the same in all processes that have a part."""
        words = np.frombuffer(os.urandom(8), np.uint32)
        if not self.alone:
            from jax.experimental import multihost_utils

            with Patience(lambda: "the other processes, each of which must make the same iterator").beside():
                words = np.asarray(multihost_utils.broadcast_one_to_all(words))
        return int.from_bytes(words.astype(np.uint32).tobytes(), "little")

    @classmethod
    def of(cls, sharding: object, devices: Sequence[object] | None) -> Placement:
        """Places pipelines for a sharding, a mapping of shardings, or a list of devices.

        Raises:
            ConfigError: it is neither, or devices of other processes.
        """
        if devices is None:
            names = list(sharding) if isinstance(sharding, Mapping) else [""]
            shards = LocalShards(list(shardings_of(sharding, names).values()))
            parts = [(part, holders[0]) for part, holders in shards.devices.items()]
            return cls(shards.count, parts, shards.alone)
        if not devices or len(set(devices)) != len(devices):
            raise ConfigError(f"devices= expects distinct jax.Devices, got {list(devices)!r}")
        if jax.process_count() > 1:
            raise ConfigError("devices= is for one process; with several use sharding=, a NamedSharding of all devices")
        return cls(len(devices), list(enumerate(devices)))


def device_id_of(device: Device) -> int | None:
    """Returns the `device_id` of a pipeline on a device: its index among this process's GPUs; None for a CPU device, as
    in DALI.
    """
    return None if device.platform == "cpu" else jax.local_devices(backend=device.platform).index(device)
