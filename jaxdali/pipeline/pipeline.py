"""The pipeline itself: a thin life around a plan, its feeds and the executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ConfigError, StateError
from ..executor.host_stage import HostStage
from ..executor.prefetch import Executor, Ready
from ..source.parts import BatchPart
from ..tensors import TensorListCPU, TensorListGPU
from ..types import PipelineAPIType
from .checkpoint import Checkpoint, resume, take
from .drawn import Drawn, PipelineState
from .extents import check_dense
from .feeds import count_steps_ahead, make_feeds
from .memory import MemoryStatistics
from .node import DataNode
from .options import PipelineOptions
from .outputs import check_outputs, order_behind, output_lists, wait_for
from .plan import Plan, make_plan
from .saved import Saved
from .sites import note_site

__all__ = ["Pipeline"]


class Pipeline(Saved):
    """A graph of operators that is run batch by batch; DALI's `Pipeline`.

    Usually made by a function under `@pipeline_def`; or derive a class from it that has `define_graph`. As a context manager
    it draws its graph if it has none yet (`with pipe: ...; pipe.set_outputs(...)`), else it is closed at the end of the
    block.

    Worker processes end with `close`, with the last reference to the pipeline, with the interpreter, and with this
    process, however it ends.

    Args:
        batch_size, num_threads, device_id, seed, options: see `PipelineOptions`; DALI's other arguments are refused by
            name, with the alternative.

    Raises:
        ConfigError: an argument cannot be honoured.
    """

    def __init__(
        self,
        batch_size: int | None = None,
        num_threads: int | None = None,
        device_id: int | None = None,
        seed: int | None = None,
        **options: Any,
    ):
        named = {"batch_size": batch_size, "num_threads": num_threads, "device_id": device_id, "seed": seed}
        super().__init__(PipelineOptions.from_arguments({**named, **options}))
        self._restored = None if self.options.checkpoint is None else Checkpoint.load(self.options.checkpoint)
        self.seed = self._choose_seed()
        self._plan: Plan | None = None
        self._endless = False
        self._epoch = 0 if self._restored is None else self._restored.epoch  # while there is no executor
        self._program: Any = None
        # What makes arrays of a batch, by what `run_arrays` was asked for.
        self._arrays: dict[tuple[int | None, bool], Callable[[Ready], list[Any]]] = {}
        # Which part of a larger batch it makes, where it does: what is drawn for a sample follows from its place in that.
        self.part: BatchPart | None = None
        # The jax.Device of the mesh that its arrays are for, in place of the one that device_id counts to.
        self.place: Any = None

    def _choose_seed(self) -> int:
        given, restored = self.options.seed, self._restored
        if restored is None:
            return given if given is not None else int.from_bytes(os.urandom(8), "little")
        if given not in (None, restored.seed):
            raise ConfigError(f"the checkpoint is of a pipeline with seed={restored.seed}, but seed={given} is given")
        return restored.seed

    def __repr__(self) -> str:
        return f"Pipeline(batch_size={self.options.batch_size}, seed={self.seed}, {self._state.value})"

    # LIFE -------------------------------------------------------------------------------------------------------------

    def add_sink(self, edge: DataNode) -> None:
        """Has a node computed that is no output: its sources are asked, and its images decoded, although `run` returns
        nothing of it. What is wrong with them is an error as of outputs.

        Raises:
            GraphError: it is no node of this pipeline.
        """
        self._require("add_sink", PipelineState.DEFINED)
        self._graph.add_sink(edge)

    def start_py_workers(self) -> None:
        """Starts the worker processes of parallel sources; does not wait for them. A second call does nothing.

        With py_start_method="fork" this must come before the first use of JAX in this process.

        Raises:
            GraphError: the graph cannot run.
            StateError: a fork is asked for, but JAX is in use.
        """
        if self._state is not PipelineState.DEFINED:
            self._require("start workers", PipelineState.STARTED, PipelineState.BUILT)
            return
        self._turn.take(self._start, self._end)

    def _start(self) -> None:
        self._turn.settle()
        self._plan = make_plan(self._draw(), self.options, self.seed, self.part)
        self._feeds = make_feeds(self._plan, self.options)
        self._endless = all(feed.job.source.endless for feed in self._feeds)
        for feed in self._feeds:
            feed.producer.start()
        self._turn.settle()  # behind what the workers do at exit
        self._state = PipelineState.STARTED

    def build(self) -> None:
        """Starts the workers and prepares the device function; asks for no data. A second call does nothing."""
        if self._state is PipelineState.BUILT:
            return
        self._require("build or run", PipelineState.DEFINED, PipelineState.STARTED)
        self._turn.take(self._build, self._end)

    def _build(self) -> None:
        if self._state is PipelineState.DEFINED:
            self._start()
        assert self._plan is not None
        dispatcher = None
        ahead = count_steps_ahead(self._plan, self.options)
        if self._plan.operators:
            from .device import make_device_stage  # loads jax, which a fork must not inherit in use

            self._program, dispatcher = make_device_stage(
                self._plan, self.options, self.seed, self._failures, ahead > 0, self.place
            )
        if self.options.enable_memory_stats:
            self._memory = MemoryStatistics(self._plan, self._feeds, dispatcher and dispatcher.memory)
        self._executor = Executor(
            HostStage(self._feeds, self.options.batch_size, number=self.part and self.part.sample),
            dispatcher,
            self.options.device_depth,
            self.options.host_depth
            - self.options.device_depth
            + (ahead if dispatcher is not None and dispatcher.decodes_ahead else 0),
        )
        self._state = PipelineState.BUILT
        if self._restored is not None:
            try:
                resume(self._restored, self._graph, self.options, self._plan, self._feeds, self._executor)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends the workers. Batches that were handed out stay valid. Any thread may call it: whoever is in `run` leaves it
        with a StateError. A second call does nothing, or what an interrupt kept the first one from. In a forked child it
        does nothing.
        """
        if self._turn.elsewhere:
            return
        if self._state is not PipelineState.CLOSED:
            self._final = self.stats()
        self._state = PipelineState.CLOSED
        self._turn.close(self._stop, self._end)

    def _stop(self) -> None:
        for feed in self._feeds:
            feed.stop()

    def _end(self) -> None:
        if self._executor is not None:
            self._executor.close()
            self._epoch = self._executor.epoch
        for feed in self._feeds:
            feed.close()
        self._executor = None
        self._feeds = []

    # RUNNING ----------------------------------------------------------------------------------------------------------

    def run(self, cuda_stream: Any = None, /, **inputs: Any) -> tuple[TensorListCPU | TensorListGPU, ...]:
        """Returns the next batch, one list of samples an output, and has further ones prepared.

        Args:
            cuda_stream: work that is queued in it from now on comes after the outputs on a GPU are computed; a stream as for
                `feed_input`. JAX needs none: it waits by itself.
            inputs: batches to feed before, by the names of their external sources.

        Outputs that come straight from a source lie in the slot where they were written; nothing is copied. What operators
        with device="gpu" or "mixed" computed on a GPU stays there: a TensorListGPU.

        Raises:
            StopIteration: the epoch is over; `reset` begins the next one.
            SourceError: the source raised, or returned what is no sample; names the sample and the worker.
            WorkerError: a worker died.
            DecodeError: an image of this batch is bad, and `on_error` is "raise"; the next call gives the next batch.
            OutputError: an output is not what `output_dtype`, `output_ndim` or `output_layout` say; likewise.
            StateError: the pipeline is closed, or an iterator or `schedule_run` is in use; or another thread is in it, or
                this process is a fork of the one that built it; or nothing was fed, and the next call may follow when
                something was. Nothing is lost.
        """
        for name, data in inputs.items():
            self.feed_input(name, data)
        self.build()
        self.use_api(PipelineAPIType.BASIC)
        return self._turn.take(lambda: self._next_lists(cuda_stream), self._end)

    def _ask(self) -> bool:
        assert self._executor is not None
        if not self._executor.ended:
            self._executor.ask()
        return not self._executor.ended

    def _next_lists(self, cuda_stream: Any) -> tuple[TensorListCPU | TensorListGPU, ...]:
        assert self._executor is not None and self._plan is not None
        plan, program, look, waits = self._plan, self._program, self._looker(), not self.options.exec_async

        def lists(ready: Ready) -> tuple[TensorListCPU | TensorListGPU, ...]:
            if waits and ready.device is not None:
                wait_for(ready.device.outputs)
            look(ready)
            made = output_lists(plan, program, ready)
            order_behind(made, cuda_stream)
            return made

        return self._next(lists)

    def _next(self, package: Callable[[Ready], Any]) -> Any:
        assert self._executor is not None and self._plan is not None
        plan, executor = self._plan, self._executor
        return executor.next(package, self._setup(), lambda error: note_site(error, plan, executor.failed_feed))

    def _looker(self) -> Callable[[Ready], None]:
        """Looks at what is handed out."""
        assert self._plan is not None
        plan, program, declared, memory = self._plan, self._program, self._declared, self._memory

        def look(ready: Ready) -> None:
            check_outputs(plan, program, ready, declared)
            if memory is not None:
                memory.note(ready)

        return look

    def _setup(self) -> Callable[[], None] | None:
        """What a class made of this one does before each iteration."""
        return None if type(self).iter_setup is Drawn.iter_setup else self.iter_setup

    def run_arrays(
        self, count: int | None = None, *, on_host: bool = False, package: Callable[[list[Any]], Any] | None = None
    ) -> Any:
        """The next batch as `jax.Array`s on the pipeline's device, `[N, ...]`, the first `count` outputs. Images on the
        `canvas=` of their decoder are pairs, with their shapes.

        Args:
            on_host: on a CPU, outputs that come straight from sources are NumPy's arrays, read-only views of their slots.
            package: makes of the arrays what is returned, before the batch counts as handed out.

        Raises:
            ConfigError: an output holds samples of different shapes, or there are fewer outputs.
            Exception: as `run`.
        """
        self.build()
        return self._turn.take(lambda: self._next_arrays(count, on_host, package), self._end)

    def _next_arrays(self, count: int | None, on_host: bool, package: Callable[[list[Any]], Any] | None) -> Any:
        if self._arrays.keys() != {(count, on_host)}:
            # Once for all batches.
            self._arrays = {(count, on_host): self._packer(count, on_host)}
        pack = self._arrays[count, on_host]
        return self._next(pack if package is None else lambda ready: package(pack(ready)))

    def _packer(self, count: int | None, on_host: bool) -> Callable[[Ready], list[Any]]:
        assert self._plan is not None
        nodes = self._plan.outputs[:count]
        if count is not None and len(nodes) < count:
            raise ConfigError(f"{count} outputs are asked for, but the pipeline has {len(nodes)}")
        from .device import output_arrays

        plan, look, device, waits = self._plan, self._looker(), self.device, not self.options.exec_async

        def arrays(ready: Ready) -> list[Any]:
            look(ready)
            found = output_arrays(plan, nodes, ready, device, on_host=on_host)
            if waits:
                wait_for(found)
            return found

        return arrays

    def reset(self) -> None:
        """Begins the next epoch: after its end, after an error, or in the middle of one. Before the first run it does
        nothing, nor where there are only readers, which have no epochs; after an error they go on behind it.

        Raises:
            StateError: the pipeline is closed.
        """
        if self._state is PipelineState.CLOSED:
            raise StateError("cannot reset: the pipeline is closed; make a new one")
        if self._restored is not None:
            self.build()
        self._turn.take(self._reset, self._end)

    def _reset(self) -> None:
        if self._executor is None or not (self._executor.started or self._executor.position):
            return
        if self._endless and not self._executor.ended:
            return
        self._forget_schedule()
        # It counts when it is done: one that was interrupted is done again, for the same epoch.
        self._executor.restart(self._executor.epoch + 1)

    def checkpoint(self, filename: str | os.PathLike[str] | None = None) -> bytes:
        """The position behind the last batch that was handed out, for `Pipeline(checkpoint=)`: about a kilobyte. What
        comes after it is the same then, to the bit, what is drawn at random included.

        Args:
            filename: where it is written to as well.

        Raises:
            StateError: the pipeline was made without enable_checkpointing=True, or is closed.
        """
        return self.checkpoint_with(None, filename)

    def checkpoint_with(self, iterator: dict[str, Any] | None, filename: str | os.PathLike[str] | None = None) -> bytes:
        """As `checkpoint`, with what an iterator has to remember, which finds it in `iterator_state`."""
        if not self.options.enable_checkpointing:
            raise StateError(
                "The `enable_checkpointing` was not specified when creating the pipeline: pass enable_checkpointing=True"
            )
        self.build()
        record = self._turn.take(lambda: self._record(iterator), self._end)
        if filename is not None:
            with open(filename, "wb") as file:
                file.write(record)
        return record

    def _record(self, iterator: dict[str, Any] | None) -> bytes:
        assert self._executor is not None
        executor = self._executor
        return take(self.seed, self._graph, self.options, executor.epoch, self._feeds, executor, iterator).dump()

    @property
    def iterator_state(self) -> dict[str, Any] | None:
        """What an iterator put into the checkpoint that this pipeline was made from."""
        return None if self._restored is None else self._restored.iterator

    @property
    def epoch_idx(self) -> int:
        """Index of the epoch that `run` is in: the number of resets that began another one."""
        return self._epoch if self._executor is None else self._executor.epoch

    @property
    def samples_per_epoch(self) -> int | None:
        """Samples of an epoch, where a source declares `__len__` (of several the smallest); None: sources say when it
        ends. Builds the pipeline.
        """
        self.build()
        assert self._plan is not None
        return min((feed.length for feed in self._plan.feeds if feed.length is not None), default=None)

    @property
    def device(self) -> Any:
        """The `jax.Device` on which `run_arrays` gives its arrays. Builds the pipeline.

        Raises:
            ConfigError: there is no device with the pipeline's `device_id`.
        """
        self.build()
        assert self._plan is not None
        from .device import output_device

        return output_device(self._plan, self.options, self.place)

    def check_dense(self, names: Sequence[str]) -> None:
        """Raises ConfigError where the shape of one of the first outputs, which these are the names of, varies."""
        self.build()
        assert self._plan is not None
        check_dense(self._plan.outputs, names)

    @property
    def endless(self) -> bool:
        """All data come from readers: there is no end, and no epoch but the iterator's. Builds the pipeline."""
        self.build()
        return self._endless
