"""The same data through each system: generators of batches, in order. Closing a generator closes its system.

Every system reads the same objects (`Samples`, `Batches`) in its worker processes.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import multiprocessing
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from dataset import LENGTH, Batches, Dataset, Samples, Source

__all__ = ["Stream", "Task", "open_stream"]

Stream = Generator[tuple[Any, ...], None, None]


@dataclasses.dataclass(frozen=True)
class Task:
    """What a system is asked to do.

    Attributes:
        data: samples to put into batches of `batch`, or whole batches.
        depth: batches ahead of the consumer, if the system has such a setting.
        start: how processes are started, if the system has a choice.
    """

    data: Samples | Batches
    batch: int
    workers: int
    depth: int
    start: str

    @property
    def whole(self) -> bool:
        return isinstance(self.data, Batches)


def _pipeline(dali: Any, task: Task) -> Any:
    """The same graph for both systems: `dali` is nvidia.dali or jaxdali."""
    options = {} if dali.__name__ == "jaxdali" else {"device_id": None}

    @dali.pipeline_def(
        batch_size=task.batch, num_threads=1, py_num_workers=task.workers, py_start_method=task.start, **options
    )
    def graph():
        return tuple(
            dali.fn.external_source(
                Source(task.data),
                num_outputs=task.data.outputs,
                batch=task.whole,
                parallel=True,
                prefetch_queue_depth=task.depth,
            )
        )

    return graph()


def jaxdali(task: Task) -> Stream:
    import jaxdali as system

    pipe = _pipeline(system, task)
    with contextlib.closing(pipe):
        while True:
            yield tuple(output.as_array() for output in pipe.run())


def dali(task: Task) -> Stream:
    import nvidia.dali as system

    pipe = _pipeline(system, task)  # ends its workers when it is freed
    pipe.start_py_workers()
    pipe.build()
    while True:
        yield tuple(output.as_array() for output in pipe.run())


def _stack(samples: list[tuple[np.ndarray, ...]]) -> tuple[Any, ...]:
    import torch

    return tuple(torch.from_numpy(np.stack(column)) for column in zip(*samples, strict=True))


def torch(task: Task) -> Stream:
    import torch.utils.data as data

    loader = data.DataLoader(
        Dataset(task.data),  # type: ignore[arg-type]
        batch_size=None if task.whole else task.batch,
        num_workers=task.workers,
        prefetch_factor=max(task.depth // task.workers, 2),
        multiprocessing_context=task.start,
        collate_fn=None if task.whole else _stack,  # faster here than its own
    )
    for batch in loader:
        yield tuple(tensor.numpy() for tensor in batch)


def grain(task: Task) -> Stream:
    import grain as system
    from absl import flags

    flags.FLAGS.mark_as_parsed()  # Grain reads absl's flags, which only absl.app.run parses
    # Threads in its workers would only cost time here, because samples need no waiting.
    reading = system.ReadOptions(num_threads=0, prefetch_buffer_size=0)
    dataset = system.MapDataset.source(Dataset(task.data))
    batches = dataset if task.whole else dataset.batch(task.batch)
    ahead = max(task.depth // task.workers, 1)
    options = system.MultiprocessingOptions(num_workers=task.workers, per_worker_buffer_size=ahead)
    iterator = iter(batches.to_iter_dataset(reading).mp_prefetch(options))
    with contextlib.closing(iterator):
        yield from iterator


class Stacked:
    """A task for SPDL: one call makes a whole batch, so that its pool is used once per batch."""

    def __init__(self, samples: Samples, batch: int):
        self.samples = samples
        self.batch = batch

    def __call__(self, number: int) -> tuple[np.ndarray, ...]:
        first = number * self.batch
        samples = [self.samples.read(index) for index in range(first, first + self.batch)]
        return tuple(np.stack(column) for column in zip(*samples, strict=True))


def spdl(task: Task) -> Stream:
    context = multiprocessing.get_context(task.start)
    return _spdl(task, concurrent.futures.ProcessPoolExecutor(task.workers, context))


def spdl_threads(task: Task) -> Stream:
    """Threads in the consumer's process: nothing is transported, and all Python code shares one interpreter lock."""
    return _spdl(task, concurrent.futures.ThreadPoolExecutor(task.workers))


def _spdl(task: Task, executor: concurrent.futures.Executor) -> Stream:
    from spdl.pipeline import PipelineBuilder

    make = task.data.read if isinstance(task.data, Batches) else Stacked(task.data, task.batch)
    builder = PipelineBuilder().add_source(range(LENGTH // task.batch))
    # Enough tasks to keep each worker busy while its last batch is handed over.
    builder.pipe(make, executor=executor, concurrency=2 * task.workers, output_order="input")
    pipeline = builder.add_sink(task.depth).build(num_threads=1)
    with executor, pipeline.auto_stop():
        yield from pipeline


def loader(task: Task) -> Stream:
    """`jaxdali.Loader`, which returns `jax.Array`s, and whose workers are always fresh interpreters."""
    import jaxdali as system

    with system.Loader(Dataset(task.data), batch_size=task.batch, workers=task.workers) as batches:
        yield from batches


_HOST: dict[str, Callable[[Task], Stream]] = {
    "jaxdali": jaxdali,
    "Loader": loader,
    "DALI": dali,
    "torch": torch,
    "grain": grain,
    "SPDL": spdl,
    "SPDL threads": spdl_threads,
}


def _iterator(module: Any, iterator: type, task: Task) -> Stream:
    """The `DALIGenericIterator` of jaxdali or DALI."""
    names = [f"output {number}" for number in range(task.data.outputs)]
    pipe = _pipeline(module, task)
    pipe.start_py_workers()
    for batch in iterator(pipe, names):
        yield tuple(batch[name] for name in names)


def _device_put(stream: Stream) -> Stream:
    import jax

    for batch in stream:
        yield tuple(jax.device_put(batch))


def open_stream(system: str, task: Task, to_jax: bool) -> Stream:
    """Batches of NumPy arrays, or of `jax.Array`s on the CPU, by the system's own iterator or else by `jax.device_put`."""
    if not to_jax or system == "Loader":
        return _HOST[system](task)
    if system == "jaxdali":
        import jaxdali as module
        from jaxdali.plugin.jax import DALIGenericIterator
    elif system == "DALI":
        import nvidia.dali as module
        from nvidia.dali.plugin.jax import DALIGenericIterator
    else:
        return _device_put(_HOST[system](task))
    return _iterator(module, DALIGenericIterator, task)
