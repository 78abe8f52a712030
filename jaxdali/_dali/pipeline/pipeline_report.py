"""Reports the workers and the memory of a running pipeline, in DALI's terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.slot_use import OutputUse
from jaxdali._run.executor.step import Step
from ..graph.call import DataNode
from ..planner.plan import CLOCK, Plan

__all__ = ["MemoryStatistics", "slot_sizes", "worker_pids"]

PROGRAM, ENGINE = "XLA_program", "GPU_decode_engine"


class MemoryStatistics:
    """Memory of operators' outputs, updated with every batch.

    Args:
        feeds: those of the plan; their memory is measured.
        program: a `ProgramMemory`; None if the device computes nothing.
    """

    def __init__(self, plan: Plan, feeds: Sequence[Feed], program: Any):
        self._program = program
        self._outputs = plan.device_outputs
        self._computed = {node: OutputUse() for node in self._outputs}
        self._entries: dict[str, list[OutputUse]] = {}
        nodes = iter(plan.column_of)
        for feed in feeds:
            assert feed.use is not None
            first, *_ = (next(nodes) for _ in feed.columns)
            if first.call.operator is not CLOCK:
                self._entries[_key(first)] = feed.use.outputs
        for node, use in self._computed.items():
            outputs = self._entries.setdefault(_key(node), [OutputUse() for _ in node.call.outputs])
            outputs[node.index] = use

    def add(self, ready: Step) -> None:
        """Records a batch that is handed out."""
        if ready.outputs is None:
            return
        import jax  # already loaded by what made the batch

        # An output that is handed out twice counts once.
        for node, (data, shapes) in dict(zip(self._outputs, ready.outputs, strict=True)).items():
            real = data.nbytes
            if shapes is not None:
                extents = jax.device_get(shapes).astype(np.int64)
                rest = int(np.prod(data.shape[1 + extents.shape[1] :], dtype=np.int64))
                real = int(extents.prod(axis=1).sum()) * rest * data.dtype.itemsize
            self._computed[node].add(real, data.nbytes, len(data))

    def collect(self, engine: dict[str, int] | None) -> dict[str, dict[str, list[int]]]:
        """See `Pipeline.executor_statistics`.

        Args:
            engine: the counters of a GPU's decode engine; None if there is no engine.
        """
        found = {key: _lists(uses) for key, uses in self._entries.items()}
        if self._program is not None:
            found[PROGRAM] = self._program.sizes()
        if engine is not None:
            found[ENGINE] = _lists([_of_engine(engine)])
        return found


def worker_pids(feeds: Sequence[Feed]) -> list[int]:
    """See `Pipeline.worker_pids`."""
    producers = dict.fromkeys(producer for feed in feeds for producer in feed.producers)
    return [pid for producer in producers for pid in producer.pids.values()]


def slot_sizes(feeds: Sequence[Feed], batch_size: int) -> dict[str, list[int]]:
    """See `Pipeline.external_source_shm_statistics`."""
    capacities = [size for feed in feeds if feed.producer.waits for size in feed.ring.capacities()]
    return {"capacities": capacities, "per_sample_capacities": [size // batch_size for size in capacities]}


def _key(node: DataNode) -> str:
    return f"{node.device.upper()}_{node.call.name}"


def _of_engine(counts: dict[str, int]) -> OutputUse:
    """Returns the memory that the engine's images need and the memory that it has. The value per image suits
    `bytes_per_sample_hint` of a decoder.
    """
    images, each = counts["waiting"] + counts["decoded"], counts["most_per_image"]
    reserved = counts["allocated"]
    return OutputUse(
        real=images * each, most_real=each, reserved=reserved, most_reserved=reserved // images if images else reserved
    )


def _lists(uses: Iterable[OutputUse]) -> dict[str, list[int]]:
    uses = list(uses)
    return {
        "real_memory_size": [use.real for use in uses],
        "max_real_memory_size": [use.most_real for use in uses],
        "reserved_memory_size": [use.reserved for use in uses],
        "max_reserved_memory_size": [use.most_reserved for use in uses],
    }
