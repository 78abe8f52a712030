"""A running pipeline: its feeds, its executor, and its lock. Iterators use this rather than `Pipeline`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

from jaxdali._base.dtypes import PipelineAPIType
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.source.parts import BatchPart
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.exclusive_use import ExclusiveUse
from jaxdali._run.executor.host_stage import HostStage
from jaxdali._run.executor.metrics import Metrics
from jaxdali._run.executor.prefetch import Executor
from jaxdali._run.executor.statistics import Statistics
from jaxdali._run.executor.step import Step
from jaxdali.errors import ConfigError, StateError
from ..graph.graph_identity import Identity
from ..planner.feed_setup import count_steps_ahead, make_feeds
from ..planner.options import PipelineOptions
from ..planner.packed_plan import make_packed_plan
from ..planner.plan import Plan, note_site
from .checkpoint import Checkpoint, identity_of, resume, take, warn_of_forgetful
from .definition import Definition, PipelineState
from .outputs import Packing
from .pipeline_report import MemoryStatistics

__all__ = ["Session"]


@dataclasses.dataclass
class _Schedule:
    """State of batches that are requested in two steps: scheduled, then taken.

    Attributes:
        waiting: batches that were scheduled and not taken yet.
        begun: whether anything was scheduled in this epoch.
    """

    waiting: int = 0
    begun: bool = False

    def forget(self) -> None:
        """Drops what was scheduled, because another epoch begins."""
        self.waiting = 0
        self.begun = False


class Session:
    """The life of a pipeline, from its definition to its end, and its batches in between.

    The only methods of a class derived from `Pipeline` that are called are `define_graph` and `iter_setup`.

    Attributes:
        definition: what is run.
        seed: that of all random draws.
        restored: the checkpoint that it continues from; None if there is none.
        part: the part of larger batches that it makes; None if it makes whole ones.
        failures: what to do about files that cannot be decoded.
        checks_api: taking batches in different ways is an error.
        exclusive: allows one thread at a time.
        feeds, executor, program, memory: exist while it runs.
        metrics: makes the pipeline's metrics.
    """

    def __init__(self, definition: Definition, options: PipelineOptions):
        self.definition = definition
        self.options = options
        self.restored = None if options.checkpoint is None else Checkpoint.load(options.checkpoint)
        self.seed = _choose_seed(options.seed, self.restored)
        self.part: BatchPart | None = None
        self.failures = DecodeFailures(options.on_error)
        self.checks_api = True
        self.exclusive = ExclusiveUse("pipeline")
        self.feeds: list[Feed] = []
        self.executor: Executor | None = None
        self.program: Any = None
        self.memory: MemoryStatistics | None = None
        # The jax.Device of the mesh for its arrays; None for the one that device_id selects.
        self._mesh_device: Any = None
        self._plan: Plan | None = None
        self._host: HostStage | None = None
        self._identity: Identity | None = None
        self._packing: Packing | None = None
        self._epoch = 0 if self.restored is None else self.restored.epoch  # used while there is no executor
        self._final: Statistics | None = None
        self.metrics = Metrics()
        self._api: PipelineAPIType | None = None
        self._schedule = _Schedule()

    # LIFE -------------------------------------------------------------------------------------------------------------

    def make_part(self, part: BatchPart, device: Any) -> None:
        """Makes this session produce one part of larger batches, before it starts.

        Args:
            part: which part; random draws follow from a sample's index in the whole batch.
            device: the `jax.Device` for its arrays, instead of the one that `device_id` selects.
        """
        self.definition.require("make a part of larger batches", PipelineState.DEFINED)
        self.part, self._mesh_device = part, device

    def start(self) -> None:
        """See `Pipeline.start_py_workers`."""
        if self.definition.state is not PipelineState.DEFINED:
            self.definition.require("start workers", PipelineState.STARTED, PipelineState.BUILT)
            return
        self.exclusive.run_exclusively(self._start, self._end)

    def _start(self) -> None:
        self.options.require_batch_size()
        self.exclusive.bind_process()
        self._plan = make_packed_plan(self.definition.graph(), self.options, self.seed, self.part, self._mesh_device)
        self.feeds = make_feeds(self._plan, self.options)
        for feed in self.feeds:
            feed.producer.start()
        self.exclusive.bind_process()  # again, to be registered after the workers' own atexit function
        self._host = HostStage(self.feeds, self.options.batch_size, numbers=self.part and self.part.samples)
        if self.options.computes_ahead and self.restored is None:
            # Workers read the first batches while jax is loaded and programs are traced.
            self._host.ask_workers(self.options.host_depth)
        self.definition.state = PipelineState.STARTED

    def build(self) -> None:
        """See `Pipeline.build`."""
        if self.definition.state is PipelineState.BUILT:
            return
        self.definition.require("build or run", PipelineState.DEFINED, PipelineState.STARTED)
        self.exclusive.run_exclusively(self._build, self._end)

    def _build(self) -> None:
        if self.definition.state is PipelineState.DEFINED:
            self._start()
        assert self._plan is not None and self._host is not None
        dispatcher = None
        if self._plan.on_device:
            from ..planner.unknown_extents import cut_where_unknown  # loads jax, which a fork must not inherit in use

            self._plan = cut_where_unknown(self._plan, self.options)
        ahead = count_steps_ahead(self._plan, self.options)
        if self._plan.on_device:
            from ..planner.device import make_device_stage  # loads jax, which a fork must not inherit in use

            self.program, dispatcher = make_device_stage(
                self._plan, self.options, self.seed, self.failures, ahead > 0, self._mesh_device
            )
        if self.options.enable_memory_stats:
            self.memory = MemoryStatistics(self._plan, self.feeds, dispatcher and dispatcher.memory)
        on_batch, waits = self.memory and self.memory.add, not self.options.exec_async
        self._packing = Packing(self._plan, self.program, self.definition.declared, on_batch, waits)
        # Steps taken from the sources ahead, in order: those that are dispatched (device_depth); those for which the user
        # gave the sources a longer queue (host_depth counts both); those whose images an engine decodes meanwhile.
        depth, waiting = self.options.device_depth, self.options.host_depth - self.options.device_depth
        decodes = dispatcher is not None and (dispatcher.decodes_ahead or self._plan.packs_clips)
        decoding = ahead if decodes else 0
        self.executor = Executor(self._host, dispatcher, depth, waiting + decoding)
        self.definition.state = PipelineState.BUILT
        if self.restored is not None:
            try:
                graph = self.definition.graph()
                resume(self.restored, self._known(), graph, self.options, self._plan, self.feeds, self.executor)
            except BaseException:
                self.close()
                raise
        elif self.options.enable_checkpointing:
            warn_of_forgetful(self._plan)

    def close(self) -> None:
        """See `Pipeline.close`."""
        if self.exclusive.elsewhere:
            return
        if self.definition.state is not PipelineState.CLOSED:
            self._final = self.stats()
            self.metrics.close(self)
        self.definition.state = PipelineState.CLOSED
        self.exclusive.close(self._stop, self._end)

    def _stop(self) -> None:
        for feed in self.feeds:
            feed.stop()

    def _end(self) -> None:
        """Ends what runs, once no thread is in it; called again after an interrupt."""
        if self.executor is not None:
            self.executor.close()
            self._epoch = self.executor.epoch
        for feed in self.feeds:
            feed.close()
        self.executor = self._host = None
        self.feeds = []

    # BATCHES ----------------------------------------------------------------------------------------------------------

    def use_api(self, api: PipelineAPIType) -> None:
        """Records in which way batches are taken from now on.

        Raises:
            StateError: they were taken in another way before, and the check is enabled.
        """
        if not self.checks_api:
            return
        if self._api is None:
            self._api = api
        if self._api is not api:
            raise StateError(
                f"Mixing pipeline API type. Currently used: {self._api}, but trying to use {api}. Use one of them, "
                "or call enable_api_check(False): each of them takes the next batch"
            )

    def run(self, cuda_stream: Any) -> tuple[Any, ...]:
        """See `Pipeline.run`."""
        self.build()
        self.use_api(PipelineAPIType.BASIC)
        return self.exclusive.run_exclusively(lambda: self._next_lists(cuda_stream), self._end)

    def arrays(self, count: int | None, on_host: bool, package: Callable[[list[Any]], Any] | None) -> Any:
        """See `Pipeline.run_arrays`."""
        self.build()
        return self.exclusive.run_exclusively(lambda: self._next_arrays(count, on_host, package), self._end)

    def schedule_run(self) -> None:
        """See `Pipeline.schedule_run`."""
        self.build()
        self.use_api(PipelineAPIType.SCHEDULED)
        self.exclusive.run_exclusively(self._schedule_one, self._end)

    def _schedule_one(self) -> None:
        assert self.executor is not None
        if not self.executor.ended:
            self.executor.ask()
        if self.executor.ended:
            return
        self._schedule.waiting += 1 if self._schedule.begun else self.options.host_depth
        self._schedule.begun = True

    def share_outputs(self, cuda_stream: Any) -> tuple[Any, ...]:
        """See `Pipeline.share_outputs`."""
        self.build()
        self.use_api(PipelineAPIType.SCHEDULED)
        return self.exclusive.run_exclusively(lambda: self._share(cuda_stream), self._end)

    def _share(self, cuda_stream: Any) -> tuple[Any, ...]:
        schedule = self._schedule
        if schedule.waiting == 0:
            raise StopIteration
        try:
            found = self._next_lists(cuda_stream)
        except StopIteration:
            schedule.waiting = 0
            raise
        except Exception:
            # No call: what was raised was counted, and an interrupt would lose it.
            if self.executor is not None and not self.executor.interrupted:
                schedule.waiting -= 1
            raise
        # There is no call between counting the batch as handed out and here, so that an interrupt cannot lose it.
        schedule.waiting -= 1
        return found

    def _next_lists(self, cuda_stream: Any) -> tuple[Any, ...]:
        assert self._packing is not None
        return self._next(self._packing.lists(cuda_stream))

    def _next_arrays(self, count: int | None, on_host: bool, package: Callable[[list[Any]], Any] | None) -> Any:
        assert self._packing is not None
        pack = self._packing.arrays(count, on_host, self._device)
        return self._next(pack if package is None else lambda ready: package(pack(ready)))

    def _next(self, package: Callable[[Step], Any]) -> Any:
        assert self.executor is not None and self._plan is not None
        plan, executor, hooks = self._plan, self.executor, self.definition.hooks
        set_up = hooks.owner.iter_setup if hooks.sets_up else None
        return executor.next(package, set_up, lambda error: note_site(error, plan, executor.failed_feed))

    def reset(self, goes_on: bool = False) -> None:
        """See `Pipeline.reset`.

        Args:
            goes_on: all stateful sources continue where they stand, unless they are at their end.
        """
        if self.definition.state is PipelineState.CLOSED:
            raise StateError("cannot reset: the pipeline is closed; make a new one")
        if self.restored is not None:
            self.build()
        self.exclusive.run_exclusively(lambda: self._reset(goes_on), self._end)

    def _reset(self, goes_on: bool) -> None:
        if self.executor is None or not (self.executor.started or self.executor.position):
            return
        assert self._plan is not None
        if self._plan.endless and not self.executor.ended:
            return
        self._schedule.forget()
        # The epoch counts once the restart is done: an interrupted one is repeated for the same epoch.
        self.executor.restart(self.executor.epoch + 1, goes_on=goes_on)

    def checkpoint(self, iterator: dict[str, Any] | None) -> bytes:
        """See `Pipeline.checkpoint`.

        Args:
            iterator: what an iterator needs to remember; it finds it in `restored`.
        """
        if not self.options.enable_checkpointing:
            raise StateError(
                "The `enable_checkpointing` was not specified when creating the pipeline: pass enable_checkpointing=True"
            )
        self.build()
        return self.exclusive.run_exclusively(lambda: self._record(iterator), self._end)

    def _record(self, iterator: dict[str, Any] | None) -> bytes:
        assert self.executor is not None
        assert self._plan is not None
        return take(self.seed, self._known(), self._plan, self.executor, iterator).dump()

    def _known(self) -> Identity:
        # Kept: a built graph does not change, and a checkpoint may be taken after every batch.
        if self._identity is None:
            self._identity = identity_of(self.definition.graph(), self.options)
        return self._identity

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan that is run. Builds the pipeline."""
        self.build()
        assert self._plan is not None
        return self._plan

    @property
    def device(self) -> Any:
        """See `Pipeline.device`."""
        self.build()
        return self._device()

    def _device(self) -> Any:
        assert self._plan is not None
        from ..planner.device import output_device

        return output_device(self._plan, self.options, self._mesh_device)

    @property
    def epoch(self) -> int:
        """See `Pipeline.epoch_idx`."""
        return self._epoch if self.executor is None else self.executor.epoch

    def stats(self) -> Statistics:
        """See `Pipeline.stats`."""
        if self._final is not None:
            return self._final
        return Statistics.collect(self.executor, self.failures, self.feeds, "py_num_workers")


def _choose_seed(given: int | None, restored: Checkpoint | None) -> int:
    if restored is None:
        return given if given is not None else int.from_bytes(os.urandom(8), "little")
    if given not in (None, restored.seed):
        raise ConfigError(f"the checkpoint is from a pipeline with seed={restored.seed}, but seed={given} is given")
    return restored.seed
