"""What each process reads and decodes of a batch where devices hold the same rows."""

from __future__ import annotations

import collections
import functools
import os
from typing import Any

import front_sources
import numpy as np

BATCH, STEPS = 8, 3


def _file(index: int) -> np.ndarray:
    """Returns an image whose number shows in its size: decoders ignore bytes after the end of a JPEG."""
    return np.concatenate([front_sources.file(0), np.zeros(index, np.uint8)])


class _Counts:
    """Counts how often each sample was read, and how often a decoder was called with it."""

    def __init__(self):
        self.read: collections.Counter[int] = collections.Counter()
        self.decoded: collections.Counter[int] = collections.Counter()

    def file(self, index: int) -> np.ndarray:
        self.read[index] += 1
        return _file(index)

    def count_decodes(self) -> None:
        """Starts to count decodes. Must come first in a process: programs that JAX traced before are not counted.

        A callback next to the custom call counts, on every device that makes the call.
        """
        import jax

        from jaxdali._base.batch import Row
        from jaxdali._device.ffi import calls

        originals = {name: getattr(calls, name) for name in ("decode", "images")}

        def note(rows: Any) -> None:
            self.decoded.update((np.asarray(rows)[:, Row.SIZE] - len(_file(0))).tolist())

        def counted(name: str, encoded: Any, rows: Any, *operands: Any, **settings: Any) -> Any:
            if settings.get("source") != 1:  # a canvas is decoded already
                jax.debug.callback(note, rows)
            return originals[name](encoded, rows, *operands, **settings)

        for name in originals:
            setattr(calls, name, functools.partial(counted, name))


def _load(counts: _Counts, sharding: Any) -> list[list[int]]:
    from jaxdali import Loader, image

    class Images:
        def __len__(self) -> int:
            return BATCH * STEPS

        def __getitem__(self, index: int) -> dict[str, Any]:
            return {"image": counts.file(index).tobytes(), "label": np.int32(index)}

    def decoded(batch: Any, keys: Any) -> Any:
        return {"image": image.decode(batch["image"], canvas=(72, 72)), "label": batch["label"]}

    with Loader(Images(), decoded, batch_size=BATCH, epochs=1, workers=0, sharding=sharding) as loader:
        counts.read.clear()  # the Loader looked at the first sample to learn what samples hold
        return [_labels(batch) for batch in loader]


def _iterate(counts: _Counts, sharding: Any) -> list[list[int]]:
    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(size=-1 if sharding is None else BATCH * STEPS, sharding=sharding)
    def images(shard_id: int, num_shards: int) -> Any:
        rows = BATCH // num_shards

        def sample(info: Any) -> Any:
            if info.iteration >= STEPS:
                raise StopIteration
            index = info.iteration * BATCH + shard_id * rows + info.idx_in_batch
            return counts.file(index), np.array([index], np.int32)

        files, labels = fn.external_source(sample, num_outputs=2, batch=False)
        return {"image": fn.decoders.image(files, canvas=(72, 72)), "label": labels}

    with images(batch_size=BATCH) as iterator:
        return [_labels(batch) for _, batch in zip(range(STEPS), iterator, strict=False)]


def _labels(batch: Any) -> list[int]:
    """Returns the labels of the rows that this process's devices hold, once per device."""
    import jax

    jax.block_until_ready(batch)
    return sorted(int(label) for shard in batch["label"].addressable_shards for label in np.ravel(shard.data))


def _count(sharding: Any) -> dict[str, Any]:
    """Runs a Loader and an iterator over all steps, and counts for each sample: `held`, devices of this process that
    have it; `read` and `decoded`, how often that happened.
    """
    import jax

    counts = _Counts()
    counts.count_decodes()
    found = {}
    for front, take in (("Loader", _load), ("iterator", _iterate)):
        counts.read.clear()
        counts.decoded.clear()
        labels = take(counts, sharding)
        jax.effects_barrier()
        held = collections.Counter(label for batch in labels for label in batch)
        counters = {"held": held, "read": counts.read, "decoded": counts.decoded}
        found[front] = {name: sorted(counter.items()) for name, counter in counters.items()}
    return found


def count_alone(devices: int, replicas: int) -> Any:
    """Runs `_count` on `devices` devices of one process."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    import jax
    from distributed_programs import mesh_of
    from jax.sharding import NamedSharding, PartitionSpec

    return _count(NamedSharding(mesh_of(jax, replicas), PartitionSpec("data")))


def count_together(process: int, processes: int, port: int, replicas: int) -> Any:
    """Runs `_count` on two devices of each of several processes."""
    from distributed_programs import join, mesh_of
    from jax.sharding import NamedSharding, PartitionSpec

    jax = join(process, processes, port)
    return _count(NamedSharding(mesh_of(jax, replicas), PartitionSpec("data")))
