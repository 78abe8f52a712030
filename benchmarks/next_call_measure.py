"""One system, one row, in a process of its own: `next_call_measure.py ROW SYSTEM CALLS` prints its numbers as JSON."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

SAMPLES = 16  # of a batch on each device
SHAPE = (32, 32, 3)
WORK_S = 0.02
WARM_CALLS = 20


class Data:
    """Images and labels by their number; every image tells it."""

    def __len__(self) -> int:
        return 1 << 20

    def __getitem__(self, number: int) -> dict[str, Any]:
        return {"images": np.full(SHAPE, number % 251, np.uint8), "labels": np.int32(number)}


@contextlib.contextmanager
def _iterator(sharding: Any, devices: int, computed: bool) -> Iterator[Any]:
    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    data = Data()

    def sample(shard_id: int, num_shards: int) -> Any:
        def of(info: Any) -> tuple[Any, Any]:
            found = data[(info.iteration * num_shards + shard_id) * SAMPLES + info.idx_in_batch]
            return found["images"], found["labels"]

        return of

    @data_iterator(output_map=["images", "labels"], size=1 << 20, sharding=sharding)
    def batches(shard_id: int, num_shards: int) -> Any:
        images, labels = fn.external_source(sample(shard_id, num_shards), num_outputs=2, batch=False, parallel=True)
        return (images * 2 if computed else images), labels

    options = {"py_num_workers": 1, "py_start_method": "spawn", "prefetch_queue_depth": 2}
    with batches(batch_size=SAMPLES * devices, num_threads=1, **options) as iterator:
        yield iterator


@contextlib.contextmanager
def _loader(sharding: Any, devices: int, computed: bool) -> Iterator[Any]:
    import jaxdali

    def double(batch: Any, keys: Any) -> Any:
        return {**batch, "images": batch["images"].astype(np.int32) * 2}

    augment = double if computed else None
    with jaxdali.Loader(Data(), augment, batch_size=SAMPLES * devices, workers=2, sharding=sharding) as loader:
        yield iter(loader)


def _check(batch: dict[str, Any], call: int, rows: int, factor: int) -> None:
    numbers = np.arange(call * rows, (call + 1) * rows)
    images = np.broadcast_to((numbers % 251 * factor)[:, None, None, None], (rows, *SHAPE))
    np.testing.assert_array_equal(batch["labels"], numbers)
    np.testing.assert_array_equal(batch["images"], images)


def main() -> None:
    row, system, calls = sys.argv[1:]
    devices, computed = int(row.split()[0]), "computed" in row
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    sharding = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    wall, cpu = [], []
    with {"iterator": _iterator, "Loader": _loader}[system](sharding, devices, computed) as batches:
        for call in range(WARM_CALLS + int(calls)):
            time.sleep(WORK_S)
            wall_before, cpu_before = time.perf_counter(), time.thread_time()
            batch = next(batches)
            cpu.append(time.thread_time() - cpu_before)
            wall.append(time.perf_counter() - wall_before)
            _check(batch, call, SAMPLES * devices, 2 if computed else 1)
    medians = {"cpu_us": statistics.median(cpu[WARM_CALLS:]), "wall_us": statistics.median(wall[WARM_CALLS:])}
    print(json.dumps({name: 1e6 * value for name, value in medians.items()}), flush=True)


if __name__ == "__main__":
    main()
