"""What a pipeline that runs tells of itself."""

from __future__ import annotations

from ..executor.failures import DecodeFailures, check_on_error
from ..executor.prefetch import Executor
from ..executor.statistics import Statistics
from ..workers.feed import Feed
from .memory import MemoryStatistics
from .options import PipelineOptions
from .schedule import Scheduled

__all__ = ["Observed"]


class Observed(Scheduled):
    """The part of a `Pipeline` that answers how it is doing."""

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
