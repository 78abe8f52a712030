"""The same stream of samples through each system, on the host: NumPy batches in order.

A stream is a generator of `(data: uint8[batch, ...], labels: int32[batch, 1])`. Sample i is filled with
`(37 * i) % 251` and labelled i; whoever measures checks that.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import multiprocessing
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

WORKERS = 2
# Long enough that no stream ends while it is measured.
LENGTH = 1 << 24


@dataclasses.dataclass(frozen=True)
class Workload:
    """What a sample is.

    Attributes:
        shape: of the data, uint8.
        batch: samples of a batch.
        work_s: Python work that producing a sample takes.
    """

    shape: tuple[int, ...]
    batch: int
    work_s: float = 0.0

    def sample(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        if self.work_s:
            end = time.perf_counter() + self.work_s
            while time.perf_counter() < end:
                pass
        return np.full(self.shape, (37 * index) % 251, np.uint8), np.array([index], np.int32)


class Source:
    """DALI's form: called with a SampleInfo."""

    def __init__(self, workload: Workload):
        self.workload = workload

    def __call__(self, info: Any) -> tuple[np.ndarray, np.ndarray]:
        return self.workload.sample(info.idx_in_epoch)


class Dataset:
    """Map-style form."""

    def __init__(self, workload: Workload):
        self.workload = workload

    def __len__(self) -> int:
        return LENGTH

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        return self.workload.sample(int(index))


def pipeline_of(dali: Any, workload: Workload, start: str) -> Any:
    """One graph for both: `dali` is nvidia.dali or jaxdali."""
    options = {} if dali.__name__ == "jaxdali" else {"device_id": None}

    @dali.pipeline_def(
        batch_size=workload.batch, num_threads=1, py_num_workers=WORKERS, py_start_method=start, **options
    )
    def graph():
        data, labels = dali.fn.external_source(
            Source(workload), num_outputs=2, batch=False, parallel=True, prefetch_queue_depth=2
        )
        return data, labels

    return graph()


def _run(pipe: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    pipe.start_py_workers()
    pipe.build()
    while True:
        data, labels = pipe.run()
        yield data.as_array(), labels.as_array()


def jaxdali(workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    import jaxdali as system

    return _run(pipeline_of(system, workload, start))


def dali(workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    import nvidia.dali as system

    return _run(pipeline_of(system, workload, start))


def torch(workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    import torch.utils.data as data

    loader = data.DataLoader(
        Dataset(workload), batch_size=workload.batch, num_workers=WORKERS, prefetch_factor=2,
        multiprocessing_context=start,
    )  # fmt: skip
    return ((batch.numpy(), labels.numpy()) for batch, labels in loader)


def grain(workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    import grain as system
    from absl import flags

    flags.FLAGS.mark_as_parsed()  # Grain reads absl's flags, which only absl's own main parses
    # Grain starts its workers by spawn, whatever is asked for.
    # Threads inside its workers only cost it time here: samples take no waiting.
    options = system.ReadOptions(num_threads=0, prefetch_buffer_size=0)
    dataset = system.MapDataset.source(Dataset(workload)).batch(workload.batch).to_iter_dataset(options)
    return iter(dataset.mp_prefetch(system.MultiprocessingOptions(num_workers=WORKERS)))


class WholeBatches:
    """SPDL's task: one call makes a whole batch, so that its pool is asked once a batch."""

    def __init__(self, workload: Workload):
        self.workload = workload

    def __call__(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        first = number * self.workload.batch
        samples = [self.workload.sample(first + row) for row in range(self.workload.batch)]
        data, labels = zip(*samples, strict=True)
        return np.stack(data), np.stack(labels)


def spdl(workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    from spdl.pipeline import PipelineBuilder

    context = multiprocessing.get_context(start)
    executor = concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=context)
    builder = PipelineBuilder().add_source(range(LENGTH // workload.batch))
    # As many tasks as keep each worker busy while its last batch is taken over.
    builder.pipe(WholeBatches(workload), executor=executor, concurrency=2 * WORKERS, output_order="input")
    pipeline = builder.add_sink(2).build(num_threads=1)
    with pipeline.auto_stop():
        yield from pipeline


def jaxdali_loader(workload: Workload) -> Iterator[tuple[Any, Any]]:
    """The Loader, which gives `jax.Array`s and whose workers are always fresh interpreters."""
    import jaxdali as system

    with system.Loader(Dataset(workload), batch_size=workload.batch, workers=WORKERS) as loader:
        yield from loader


HOST: dict[str, Callable[[Workload, str], Iterator[tuple[Any, Any]]]] = {
    "jaxdali": jaxdali,
    "DALI": dali,
    "torch": torch,
    "grain": grain,
    "SPDL": spdl,
}


def to_jax(system: str, workload: Workload, start: str) -> Iterator[tuple[Any, Any]]:
    """The same, as `jax.Array` on the CPU: by the system's own iterator, else by `jax.device_put`."""
    import jax

    if system == "Loader":
        yield from jaxdali_loader(workload)
        return
    if system in ("jaxdali", "DALI"):
        if system == "jaxdali":
            import jaxdali as module
            from jaxdali.plugin.jax import DALIGenericIterator
        else:
            import nvidia.dali as module
            from nvidia.dali.plugin.jax import DALIGenericIterator
        pipe = pipeline_of(module, workload, start)
        pipe.start_py_workers()
        for batch in DALIGenericIterator(pipe, ["data", "labels"]):
            yield batch["data"], batch["labels"]
        return
    for batch in HOST[system](workload, start):
        yield tuple(jax.device_put(batch))
