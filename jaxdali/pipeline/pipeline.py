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
from .inputs import feed_input, find_input
from .memory import MemoryStatistics
from .node import DataNode
from .options import PipelineOptions
from .outputs import check_outputs, ordered, output_lists, wait_for
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
        self._program: Any = None
        # What makes arrays of a batch, by what `run_arrays` was asked for.
        self._arrays: dict[tuple[int | None, bool], Callable[[Ready], list[Any]]] = {}
        self._epoch = 0 if self._restored is None else self._restored.epoch
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
        self._plan = make_plan(self._draw(), self.options, self.seed, self.part)
        self._feeds = make_feeds(self._plan, self.options)
        self._endless = all(feed.job.source.endless for feed in self._feeds)
        for feed in self._feeds:
            feed.producer.start()
        self._state = PipelineState.STARTED

    def build(self) -> None:
        """Starts the workers and prepares the device function; asks for no data. A second call does nothing."""
        if self._state is PipelineState.BUILT:
            return
        self._require("build or run", PipelineState.DEFINED, PipelineState.STARTED)
        self.start_py_workers()
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
        """Ends the workers. Batches that were handed out stay valid. A second call does nothing."""
        if self._state is PipelineState.CLOSED:
            return
        self._final = self.stats()
        self._state = PipelineState.CLOSED
        if self._executor is not None:
            self._executor.close()
        for feed in self._feeds:
            feed.close()
        self._executor = None
        self._feeds = []

    # RUNNING ----------------------------------------------------------------------------------------------------------

    def feed_input(
        self,
        data_node: str | DataNode,
        data: Any,
        layout: str | None = None,
        cuda_stream: Any = None,
        use_copy_kernel: bool = False,
    ) -> None:
        """Hands a batch to an external source that has no source: for the next `run` that nothing was fed for yet. Any
        thread may do so.

        Args:
            data_node: the node, or its name.
            data: an array `[n, ...]` or a list of samples, as a source of whole batches returns them. For an external source
                with device="gpu" also in GPU memory: of CuPy or torch, a `jax.Array`, a TensorListGPU, or anything with
                `__dlpack__` or `__cuda_array_interface__`.
            layout: of the samples: what the external source declares. Where it declares none, that of the first batch, which
                has to be fed before `build`. None: likewise.
            cuda_stream: of data in GPU memory the stream whose work up to now has made them: a handle (0: the default
                stream; -1: one of the pipeline's own, and the call waits), a stream of CuPy or torch, or an object with
                `__cuda_stream__`. They may be changed again by later work in it. None: what the external source was given,
                else the current stream of CuPy or torch; data of others are waited for.
            use_copy_kernel: an array in GPU memory is copied by a kernel.

        Raises:
            NoInputError: there is no such node, or it has a source.
            ConfigError: another layout than the node's, or no stream.
            SourceDataError: `data` is no batch.
        """
        if self._state is PipelineState.CLOSED:
            raise StateError("cannot feed_input: the pipeline is closed; make a new one")
        declares, size = self._state is PipelineState.DEFINED, self.options.batch_size
        feed_input(self._draw(), data_node, data, layout, size, declares, cuda_stream, use_copy_kernel)

    def input_feed_count(self, input_name: str) -> int:
        """How many batches have to be fed to that external source before `run` returns: 1. What is fed beyond is computed
        ahead. Raises as `feed_input`.
        """
        find_input(self._draw(), input_name)
        return 1

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
            StateError: the pipeline is closed, or an iterator or `schedule_run` is in use; or nothing was fed, and the next
                call may follow when something was.
        """
        for name, data in inputs.items():
            self.feed_input(name, data)
        self.build()
        self.use_api(PipelineAPIType.BASIC)
        return ordered(self._next_lists(), cuda_stream)

    def _ask(self) -> bool:
        assert self._executor is not None
        if not self._executor.ended:
            self._executor.ask()
        return not self._executor.ended

    def _next_lists(self) -> tuple[TensorListCPU | TensorListGPU, ...]:
        assert self._executor is not None and self._plan is not None
        plan, program, look, waits = self._plan, self._program, self._looker(), not self.options.exec_async

        def lists(ready: Ready) -> tuple[TensorListCPU | TensorListGPU, ...]:
            if waits and ready.device is not None:
                wait_for(ready.device.outputs)
            look(ready)
            return output_lists(plan, program, ready)

        return self._next(lists)

    def _next(self, package: Callable[[Ready], Any]) -> Any:
        assert self._executor is not None and self._plan is not None
        try:
            return self._executor.next(package, self._setup())
        except (Exception, SystemExit) as error:
            note_site(error, self._plan, self._executor.failed_feed)
            raise

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

    def run_arrays(self, count: int | None = None, *, on_host: bool = False) -> list[Any]:
        """The next batch as `jax.Array`s on the pipeline's device, `[N, ...]`, the first `count` outputs. Images on the
        `canvas=` of their decoder are pairs, with their shapes.

        Args:
            on_host: on a CPU, outputs that come straight from sources are NumPy's arrays, read-only views of their slots.

        Raises:
            ConfigError: an output holds samples of different shapes, or there are fewer outputs.
            Exception: as `run`.
        """
        self.build()
        if self._arrays.keys() != {(count, on_host)}:
            # Once for all batches.
            self._arrays = {(count, on_host): self._packer(count, on_host)}
        return self._next(self._arrays[count, on_host])

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
        if self._executor is None or not (self._executor.started or self._executor.position):
            return
        if self._endless and not self._executor.ended:
            return
        self._epoch += 1
        self._executor.restart(self._epoch)
        self._forget_schedule()

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
        assert self._executor is not None
        position = take(self.seed, self._graph, self.options, self._epoch, self._feeds, self._executor, iterator)
        record = position.dump()
        if filename is not None:
            with open(filename, "wb") as file:
                file.write(record)
        return record

    @property
    def iterator_state(self) -> dict[str, Any] | None:
        """What an iterator put into the checkpoint that this pipeline was made from."""
        return None if self._restored is None else self._restored.iterator

    @property
    def epoch_idx(self) -> int:
        """Index of the epoch that `run` is in: the number of resets that began another one."""
        return self._epoch

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
