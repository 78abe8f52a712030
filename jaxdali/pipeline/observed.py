"""What a pipeline that runs tells of itself."""

from __future__ import annotations

from ..executor.failures import DecodeFailures, check_on_error
from ..executor.prefetch import Executor
from ..executor.statistics import Statistics
from ..workers.feed import Feed
from .feeding import Feeding
from .memory import MemoryStatistics
from .options import PipelineOptions

__all__ = ["Observed"]


def _option(name: str, meaning: str) -> property:
    return property(lambda self: getattr(self.options, name), doc=meaning)


class Observed(Feeding):
    """The part of a `Pipeline` that answers how it was made and how it is doing."""

    batch_size = _option("batch_size", "Samples of a full batch.")
    num_threads = _option("num_threads", "At most so many threads decode a batch on the CPU; None: all of XLA's.")
    device_id = _option("device_id", "Index of its GPU among this process's; None: the CPU.")
    prefetch_queue_depth = _option("prefetch_queue_depth", "Batches that are kept ahead, as it was given.")
    cpu_queue_size = _option(
        "host_depth", "Batches that are taken from the sources before they are asked for, at most."
    )
    gpu_queue_size = _option("device_depth", "Batches whose device function is started at a time.")
    exec_pipelined = _option("exec_pipelined", "Batches are begun before they are asked for.")
    exec_async = _option("exec_async", "Batches are handed out before the device has computed them.")
    py_num_workers = _option("py_num_workers", "Worker processes of parallel sources.")
    py_start_method = _option("py_start_method", "How they are started, as it was given; None: as is safe.")
    set_affinity = _option("set_affinity", "Threads that decode, and workers, are kept on their CPUs.")
    enable_memory_stats = _option("enable_memory_stats", "`executor_statistics` tells something.")

    @property
    def exec_separated(self) -> bool:
        """Sources and the device function have queues of their own."""
        return isinstance(self.options.prefetch_queue_depth, dict)

    @property
    def exec_dynamic(self) -> bool:
        """Outputs stay valid as long as somebody holds them: always."""
        return True

    @property
    def is_restored_from_checkpoint(self) -> bool:
        """It goes on where another one stood."""
        return self.options.checkpoint is not None

    def __init__(self, options: PipelineOptions):
        super().__init__(options)
        self._feeds: list[Feed] = []
        self._executor: Executor | None = None
        self._failures = DecodeFailures(options.on_error)
        self._memory: MemoryStatistics | None = None
        self._final: Statistics | None = None

    def worker_pids(self) -> list[int]:
        """Process ids of the worker processes that live."""
        producers = dict.fromkeys(feed.producer for feed in self._feeds)
        return [pid for producer in producers for pid in producer.pids.values()]

    def stats(self) -> Statistics:
        """What was counted since the pipeline was built; of a closed one, until then."""
        if self._final is not None:
            return self._final
        return Statistics.collect(self._executor, self._failures, (feed.producer for feed in self._feeds))

    def executor_statistics(self) -> dict[str, dict[str, list[int]]]:
        """Memory of each operator's outputs, in bytes, with `enable_memory_stats=True`; else nothing.

        Behind a key such as `"CPU_name"` are four lists with an entry an output: `real_memory_size` of the last batch's
        samples and `reserved_memory_size` of what they lie in; `max_real_memory_size` and `max_reserved_memory_size` of a
        sample, on average, in the batch where that was most. Of sources and readers `max_real_memory_size` is for
        `bytes_per_sample_hint`: slots that begin with so much do not grow for the same data.

        Inside of a compiled program operators have no memory of their own; those that are returned are here. The program
        is `"XLA_program"`, with an entry for each of the shapes that it was called with, and numbers of XLA's, too. What
        a GPU's decode engine has for all pipelines is `"GPU_decode_engine"`; its `max_real_memory_size` is for the
        `bytes_per_sample_hint` of decoders.
        """
        if self._memory is None:
            return {}
        return self._memory.collect(None if self._executor is None else self._executor.engine_counts)

    @property
    def on_error(self) -> str:
        """What becomes of files that cannot be decoded, where their decoder does not say: "raise" or "zeros". A change
        holds for batches that are handed out from then on.
        """
        return self._failures.on_error

    @on_error.setter
    def on_error(self, on_error: str) -> None:
        self._failures.on_error = check_on_error(on_error)

    def external_source_shm_statistics(self) -> dict[str, list[int]]:
        """Shared memory of parallel sources: bytes of each slot, and of each slot a sample.

        A slot holds one batch of one source, and is listed once. Both lists are empty before the workers start.
        """
        capacities = [size for feed in self._feeds if feed.producer.waits for size in feed.ring.capacities()]
        return {
            "capacities": capacities,
            "per_sample_capacities": [size // self.options.batch_size for size in capacities],
        }
