"""Runs one system and row in its own process: `next_call_measure.py ROW SYSTEM CALLS` prints its numbers as JSON."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

SAMPLES = 2  # per batch on each device
SHAPE = (224, 224, 3)
WORK_S = 0.05
WARM_CALLS = 20


class Data:
    """Images, float32, and labels; each image's value is its number. With `encoded`, images are JPEG files."""

    def __init__(self, encoded: bool):
        self.encoded = encoded
        self.files: dict[int, bytes] = {}

    def __len__(self) -> int:
        return 1 << 20

    def __getitem__(self, number: int) -> dict[str, Any]:
        return {"images": self.image(number % 251), "labels": np.int32(number)}

    def image(self, level: int) -> np.ndarray | bytes:
        if not self.encoded:
            return np.full(SHAPE, level, np.float32)
        if level not in self.files:
            from PIL import Image

            file = io.BytesIO()
            Image.fromarray(np.full(SHAPE, level, np.uint8)).save(file, "JPEG")
            self.files[level] = file.getvalue()
        return self.files[level]


def _pipeline(data: Data, computed: bool, shard_id: int = 0, num_shards: int = 1) -> Any:
    from jaxdali import fn, types

    def sample(info: Any) -> tuple[Any, Any]:
        found = data[(info.iteration * num_shards + shard_id) * SAMPLES + info.idx_in_batch]
        images = found["images"]
        return np.frombuffer(images, np.uint8) if data.encoded else images, found["labels"]

    images, labels = fn.external_source(sample, num_outputs=2, batch=False, parallel=True)
    if data.encoded:
        images = fn.cast(fn.resize(fn.decoders.image(images), size=SHAPE[:2]), dtype=types.FLOAT)
    return (images * 2 if computed else images), labels


_OPTIONS = {"py_num_workers": 1, "py_start_method": "spawn", "prefetch_queue_depth": 2, "num_threads": 1}


@contextlib.contextmanager
def _iterator(sharding: Any, devices: int, data: Data, computed: bool) -> Iterator[Any]:
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(output_map=["images", "labels"], size=1 << 20, sharding=sharding)
    def batches(shard_id: int, num_shards: int) -> Any:
        return _pipeline(data, computed, shard_id, num_shards)

    with batches(batch_size=SAMPLES * devices, **_OPTIONS) as iterator:
        yield iterator


@contextlib.contextmanager
def _run(_sharding: Any, _devices: int, data: Data, computed: bool) -> Iterator[Any]:
    from jaxdali import pipeline_def

    with pipeline_def(_pipeline)(data, computed, batch_size=SAMPLES, **_OPTIONS) as pipe:
        yield (dict(zip(("images", "labels"), pipe.run(), strict=True)) for _ in iter(int, 1))


@contextlib.contextmanager
def _loader(sharding: Any, devices: int, data: Data, computed: bool) -> Iterator[Any]:
    import jaxdali

    def augment(batch: Any, keys: Any) -> Any:
        images = batch["images"]
        if data.encoded:
            images = jaxdali.image.decode(images, canvas=SHAPE[:2]).astype(np.float32)
        return {**batch, "images": images * 2 if computed else images}

    function = augment if computed or data.encoded else None
    with jaxdali.Loader(data, function, batch_size=SAMPLES * devices, workers=2, sharding=sharding) as loader:
        yield iter(loader)


@contextlib.contextmanager
def _jax_alone(sharding: Any, devices: int, data: Data, computed: bool) -> Iterator[Any]:
    import jax

    program = jax.jit(lambda batch: {**batch, "images": batch["images"] * (2 if computed else 1)})

    def batches() -> Iterator[Any]:
        for call in itertools.count():
            arrays = {
                name: np.ascontiguousarray(array) for name, array in _expected(call, SAMPLES * devices, 1).items()
            }
            yield None  # nothing up to here is measured
            batch = {
                name: jax.make_array_from_callback(array.shape, sharding, array.__getitem__)
                for name, array in arrays.items()
            }
            yield program(batch) if computed or data.encoded else batch

    yield batches()


SYSTEMS = {"iterator": _iterator, "Loader": _loader, "Pipeline.run": _run, "JAX alone": _jax_alone}


def _expected(call: int, rows: int, factor: int) -> dict[str, np.ndarray]:
    numbers = np.arange(call * rows, (call + 1) * rows, dtype=np.int32)
    levels = (numbers % 251 * factor).astype(np.float32)
    return {"images": np.broadcast_to(levels[:, None, None, None], (rows, *SHAPE)), "labels": numbers}


def _check(batch: dict[str, Any], expected: dict[str, np.ndarray]) -> None:
    for name, found in batch.items():
        found = found.as_cpu().as_array() if hasattr(found, "as_cpu") else found
        np.testing.assert_array_equal(found, expected[name])


def main() -> None:
    row, system, calls = sys.argv[1:]
    devices, computed, encoded = int(row.split()[0]), "computed" in row, "decoded" in row
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    sharding = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    wall, cpu = [], []
    with SYSTEMS[system](sharding, devices, Data(encoded), computed) as batches:
        for call in range(WARM_CALLS + int(calls)):
            if system == "JAX alone":
                next(batches)
            time.sleep(WORK_S)
            wall_before, cpu_before = time.perf_counter(), time.thread_time()
            batch = next(batches)
            cpu.append(time.thread_time() - cpu_before)
            wall.append(time.perf_counter() - wall_before)
            _check(batch, _expected(call, SAMPLES * devices, 2 if computed else 1))
    medians = {"cpu_us": statistics.median(cpu[WARM_CALLS:]), "wall_us": statistics.median(wall[WARM_CALLS:])}
    print(json.dumps({name: 1e6 * value for name, value in medians.items()}), flush=True)


if __name__ == "__main__":
    main()
