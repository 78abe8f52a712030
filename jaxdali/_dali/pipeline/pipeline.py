"""DALI's `Pipeline`: the methods that users call. Its parts do the work."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Generic, Self, TypeVar

from jaxdali._base.dtypes import DALIDataType, PipelineAPIType
from jaxdali._run.executor.decode_failures import check_on_error
from jaxdali._run.executor.statistics import Statistics
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError
from ..graph.call import DataNode
from ..graph.document import MOST_BYTES
from ..graph.dot import graph_as_dot
from ..graph.scope import Scope
from ..planner.options import PipelineOptions
from ..readers.shard_order import ReaderMeta
from ..tensors.tensor_list import TensorListCPU, TensorListGPU
from .definition import Definition, Hooks, PipelineState
from .pipeline_report import slot_sizes, worker_pids
from .pipeline_text import pipeline_as_text
from .serialization import load, load_saved_graph, save
from .session import Session

__all__ = ["Pipeline", "session_of"]

_T = TypeVar("_T")


def session_of(pipeline: Pipeline) -> Session:
    """Returns a pipeline's session. For iterators and other code that must not depend on what a derived class may
    override.
    """
    return pipeline._jaxdali_session


def _close_if_begun(session: Session) -> None:
    if session.definition.state is not PipelineState.DEFINED:
        session.close()


class _Told(Generic[_T]):
    """A property of `Pipeline` that DALI's class lacks: an attribute of a derived class may replace it."""

    def __init__(self, ask: Callable[[Any], _T]):
        self._ask = ask
        self.__doc__ = ask.__doc__

    def __get__(self, pipeline: object, kind: object = None) -> _T:
        return self if pipeline is None else self._ask(pipeline)  # type: ignore[return-value]


def _option(name: str, meaning: str) -> property:
    return property(lambda self: getattr(self._jaxdali_session.options, name), doc=meaning)


class Pipeline:
    """A graph of operators that is run batch by batch; DALI's `Pipeline`.

    It is usually made by a function under `@pipeline_def`; or derive a class from it that has `define_graph`. In a
    `with` block, operators belong to the pipeline until it is built; blocks may be nested and repeated. A block that
    begins when the pipeline already has its outputs closes it at its end, if it was built by then.

    Worker processes end with `close`, with the last reference to the pipeline, with the interpreter, and with this
    process, however it ends.

    Args:
        batch_size, options: see `PipelineOptions`. Positional arguments have DALI's order.
        max_streams, default_cuda_stream_priority: deprecated in DALI, and without effect here as there.

    Raises:
        ConfigError: an argument cannot be honoured.
    """

    # The only attribute names that are taken. Methods call these objects and not each other, so that a derived class
    # may use any other name.
    _jaxdali_session: Session
    _jaxdali_blocks: list[ExitStack]

    def __init__(
        self,
        batch_size: int | None = None,
        num_threads: int | None = None,
        device_id: int | None = None,
        seed: int | None = None,
        exec_pipelined: bool = True,
        prefetch_queue_depth: int | dict[str, int] = 2,
        exec_async: bool = True,
        bytes_per_sample: int = 0,
        set_affinity: bool = False,
        max_streams: int | None = None,
        default_cuda_stream_priority: int | None = None,
        **options: object,
    ):
        named = {
            "batch_size": batch_size,
            "num_threads": num_threads,
            "device_id": device_id,
            "seed": seed,
            "exec_pipelined": exec_pipelined,
            "prefetch_queue_depth": prefetch_queue_depth,
            "exec_async": exec_async,
            "bytes_per_sample": bytes_per_sample,
            "set_affinity": set_affinity,
            "max_streams": max_streams,
            "default_cuda_stream_priority": default_cuda_stream_priority,
        }
        given = PipelineOptions.from_arguments({**named, **options}, may_load=True)
        self._jaxdali_session = Session(Definition(given, Hooks(self, Pipeline)), given)
        self._jaxdali_blocks = []

    def __repr__(self) -> str:
        session = self._jaxdali_session
        return pipeline_as_text(type(self).__name__, session.seed, session.definition)

    # THE GRAPH --------------------------------------------------------------------------------------------------------

    @staticmethod
    def current() -> Any:
        """Returns the pipeline to which this thread's operators belong, or None outside of any."""
        return Definition.current()

    @staticmethod
    def push_current(pipeline: Pipeline) -> Any:
        """Makes this thread's operators belong to this pipeline, until `pop_current`. Prefer `with`.

        Returns:
            The pipeline to which they belonged before, or None.

        Raises:
            StateError: the pipeline is built.
        """
        before = Definition.current()
        pipeline._jaxdali_session.definition.enter()
        return before

    @staticmethod
    def pop_current() -> None:
        """Undoes the last `push_current`.

        Raises:
            GraphError: there was none.
        """
        Definition.exit()

    def definition(self) -> AbstractContextManager[Scope]:
        """A block whose operators belong to this pipeline."""
        return self._jaxdali_session.definition.entered()

    def __enter__(self) -> Self:
        definition = self._jaxdali_session.definition
        leave = ExitStack()
        if definition.has_outputs:
            leave.callback(_close_if_begun, self._jaxdali_session)
        if definition.state is PipelineState.DEFINED:
            leave.enter_context(definition.entered())
        self._jaxdali_blocks.append(leave)
        return self

    def __exit__(self, *error: Any) -> None:
        self._jaxdali_blocks.pop().__exit__(*error)

    def set_outputs(self, *outputs: object) -> None:
        """Sets what `run` returns: nodes, or lists of them, and constants.

        Args:
            outputs: any nesting that contains a node is flattened. Anything else is a constant, the same for all
                samples: a number, an array, a list of numbers, or a `types.Constant`.

        Raises:
            GraphError: there are no outputs, one is neither a node nor a constant, or their number differs from that of
                `output_dtype`, `output_ndim` or `output_layout`.
        """
        self._jaxdali_session.definition.set_outputs(*outputs)

    def add_sink(self, edge: DataNode) -> None:
        """Computes a node that is not an output: its sources are asked, and its images decoded, although `run` does not
        return them. Errors in them are those of outputs.

        Raises:
            GraphError: it is not a node.
        """
        self._jaxdali_session.definition.add_sink(edge)

    def define_graph(self) -> Any:
        """For classes derived from `Pipeline`: builds the graph with `fn` functions and returns the outputs, like a
        function under `@pipeline_def`. It is called once, when the graph is first needed, unless `set_outputs` was
        called.
        """
        raise NotImplementedError

    def iter_setup(self) -> None:
        """For classes derived from `Pipeline`: called before the data of an iteration are taken from the sources, so
        `prefetch_queue_depth` times by the first `run`. StopIteration ends the epoch.
        """

    @property
    def num_outputs(self) -> int:
        """The number of outputs that `run` returns.

        Raises:
            GraphError: the outputs are not known yet.
        """
        return self._jaxdali_session.definition.num_outputs

    def output_dtype(self) -> list[DALIDataType | None]:
        """The element type declared for each output; None if none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.dtypes(definition.num_outputs)

    def output_ndim(self) -> list[int | None]:
        """The number of dimensions declared for the samples of each output; None if none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.ndims(definition.num_outputs)

    def output_layout(self) -> list[str | None]:
        """The layout declared for each output; None if none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.layouts(definition.num_outputs)

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        """For the reader of that name, or for all readers by their names: `epoch_size` (samples of all shards),
        `epoch_size_padded` (the same with `pad_last_batch`, where each shard counts as much as the largest),
        `number_of_shards`, `shard_id`, `pad_last_batch` and `stick_to_shard` (0 or 1).

        Raises:
            ConfigError: there is no such reader.
        """
        return self._jaxdali_session.definition.reader_meta(name)

    def epoch_size(self, name: str | None = None) -> int | dict[str, int]:
        """`epoch_size_padded` of the reader of that name, or of all readers by their names.

        Raises:
            ConfigError: there is no such reader.
        """
        metas: Any = self._jaxdali_session.definition.reader_meta(name)
        if name is not None:
            return metas["epoch_size_padded"]
        return {reader: meta["epoch_size_padded"] for reader, meta in metas.items()}

    # LIFE -------------------------------------------------------------------------------------------------------------

    def start_py_workers(self) -> None:
        """Starts the worker processes of parallel sources and readers, and lets them make the first batches, unless
        batches are computed only on demand (`exec_pipelined`, `exec_async`) or a checkpoint says which come first. It
        waits for neither. A second call does nothing.

        With py_start_method="fork" this must come before the first use of JAX in this process.

        Raises:
            GraphError: the graph cannot run.
            StateError: a fork was requested, but JAX is in use.
        """
        self._jaxdali_session.start()

    def build(self) -> None:
        """Starts the workers, see `start_py_workers`, and prepares the device function. A second call does nothing."""
        self._jaxdali_session.build()

    def close(self) -> None:
        """Ends the workers. Batches that were returned stay valid. Any thread may call it: a thread that is in `run`
        leaves it with a StateError. A second call does nothing, or completes a first one that was interrupted. In a
        forked child it does nothing.
        """
        self._jaxdali_session.close()

    # BATCHES ----------------------------------------------------------------------------------------------------------

    def feed_input(
        self,
        data_node: str | DataNode,
        data: object,
        layout: str | None = None,
        cuda_stream: object = None,
        use_copy_kernel: bool = False,
    ) -> None:
        """Passes a batch to an external source that has no source: for the next `run` that has no data yet. Any thread
        may call it.

        Args:
            data_node: the node, or its name.
            data: an array `[n, ...]` or a list of samples, as a source of whole batches returns them. For an external
                source with device="gpu" also in GPU memory: of CuPy or torch, a `jax.Array`, a TensorListGPU, or
                anything with `__dlpack__` or `__cuda_array_interface__`.
            layout: that of the samples, which must be the one that the external source declares, or else that of the
                first batch fed to it. None for that layout.
            cuda_stream: for data in GPU memory, the stream whose work so far has made them: a handle (0: the default
                stream; -1: one of the pipeline's own, and the call waits), a stream of CuPy or torch, or an object with
                `__cuda_stream__`. Later work in it may change the data again. None for the stream given to the external
                source, else for the current stream of CuPy or torch; for other data the call waits.
            use_copy_kernel: copy an array in GPU memory with a kernel.

        Raises:
            NoInputError: there is no such node, or it has a source.
            ConfigError: another layout than the node's, or not a stream.
            SourceDataError: `data` is not a batch.
        """
        self._jaxdali_session.definition.feed(data_node, data, layout, cuda_stream, use_copy_kernel)

    def input_feed_count(self, input_name: str) -> int:
        """The number of batches to feed to that external source before `run` returns: 1. More batches are computed
        ahead. Raises as `feed_input`.
        """
        self._jaxdali_session.definition.check_input(input_name)
        return 1

    def run(self, cuda_stream: object = None, /, **inputs: object) -> tuple[TensorListCPU | TensorListGPU, ...]:
        """Returns the next batch, one list of samples per output, and starts preparing further ones.

        Args:
            cuda_stream: work queued in it from now on runs after the outputs on a GPU are computed; a stream as for
                `feed_input`. JAX needs none: it waits by itself.
            inputs: batches to feed first, by the names of their external sources.

        Outputs that come directly from a source lie in the slot where they were written; nothing is copied. What operators
        with device="gpu" or "mixed" computed on a GPU stays there: a TensorListGPU.

        Raises:
            StopIteration: the epoch is over; `reset` begins the next one.
            SourceError: the source raised, or returned something that is not a sample; names the sample and the worker.
            WorkerError: a worker died.
            DecodeError: an image of this batch is bad, and `on_error` is "raise"; the next call gives the next batch.
            OutputError: an output is not what `output_dtype`, `output_ndim` or `output_layout` say; likewise.
            StateError: the pipeline is closed, or an iterator or `schedule_run` is in use; or another thread is using
                it, or this process is a fork of the one that built it; or there are no data yet: feed some and call
                again. Nothing is lost.
        """
        for name, data in inputs.items():
            self._jaxdali_session.definition.feed(name, data)
        return self._jaxdali_session.run(cuda_stream)

    def run_arrays(
        self,
        count: int | None = None,
        *,
        on_host: bool = False,
        package: Callable[[list[object]], object] | None = None,
    ) -> Any:
        """Returns the next batch as `jax.Array`s on the pipeline's device, `[N, ...]`, for the first `count` outputs.
        Images on the `canvas=` of their decoder are pairs, with their shapes.

        Args:
            on_host: on a CPU, outputs that come directly from sources are NumPy arrays, read-only views of their slots.
            package: makes the returned value from the arrays, before the batch counts as returned.

        Raises:
            ConfigError: an output holds samples of different shapes, or there are fewer outputs.
            Exception: as `run`.
        """
        return self._jaxdali_session.arrays(count, on_host, package)

    def enable_api_check(self, enable: bool) -> None:
        """Sets whether `run`, iterators and `schedule_run` exclude each other, which is the default."""
        self._jaxdali_session.checks_api = bool(enable)

    def schedule_run(self) -> None:
        """Starts computing one more batch, or in the first call of an epoch `prefetch_queue_depth` of them, without
        waiting. `share_outputs` returns them in order. With exec_pipelined=False or exec_async=False it is always one,
        computed when it is taken.

        Raises:
            StateError: the pipeline is closed, or `run` or an iterator is in use.
        """
        self._jaxdali_session.schedule_run()

    def share_outputs(self, cuda_stream: object = None) -> tuple[Any, ...]:
        """Waits for the oldest scheduled batch, and returns one list of samples per output. It stays valid as long as
        there is a reference to it.

        Args:
            cuda_stream: see `Pipeline.run`.

        Raises:
            StopIteration: none is left; call `schedule_run` first, or `reset` if the epoch is over.
            Exception: as `run`.
        """
        return self._jaxdali_session.share_outputs(cuda_stream)

    def release_outputs(self) -> None:
        """Declares that the result of `share_outputs` is no longer needed. Memory is freed with the last reference, so
        batches that are still referenced stay valid.
        """
        self._jaxdali_session.use_api(PipelineAPIType.SCHEDULED)

    def outputs(self, cuda_stream: object = None) -> tuple[Any, ...]:
        """Calls `release_outputs`, then `share_outputs`."""
        self._jaxdali_session.use_api(PipelineAPIType.SCHEDULED)
        return self._jaxdali_session.share_outputs(cuda_stream)

    def reset(self) -> None:
        """Begins the next epoch: after its end, after an error, or in the middle of one. It does nothing before the
        first run, nor if there are only readers, which have no epochs; after an error they continue behind it.

        Raises:
            StateError: the pipeline is closed.
        """
        self._jaxdali_session.reset()

    # SAVING -----------------------------------------------------------------------------------------------------------

    def checkpoint(self, filename: str | os.PathLike[str] | None = None) -> bytes:
        """Returns the position after the last returned batch, for `Pipeline(checkpoint=)`: about a kilobyte. The
        batches that follow are then the same, to the bit, including random draws.

        Args:
            filename: a file to write it to as well.

        Raises:
            StateError: the pipeline was made without enable_checkpointing=True, or is closed.
        """
        return _written(self._jaxdali_session.checkpoint(None), filename)

    def serialize(self, define_graph: None = None, filename: str | os.PathLike[str] | None = None) -> bytes:
        """Returns the pipeline as bytes: its graph, its options and its seed. `deserialize` makes a pipeline from them
        that gives the same batches, to the bit, including random draws. The bytes contain neither its position, see
        `checkpoint`, nor the files that readers read; paths stay as they were given.

        Args:
            define_graph: DALI's deprecated argument; derive a class with `define_graph`.
            filename: a file to write them to as well.

        Raises:
            GraphError: the graph contains Python code, which is not saved: an external source with a source (feed it
                instead, by its name), or `iter_setup`; or there are no outputs.
            ConfigTypeError: `define_graph` is given.
        """
        if define_graph is not None:
            hint = "did you mean filename=?" if isinstance(define_graph, str) else "derive a class with define_graph"
            raise ConfigTypeError(f"Provided `define_graph` argument is not callable here: {hint}")
        return _written(save(self._jaxdali_session), filename)

    def save_graph_to_dot_file(
        self,
        filename: str | os.PathLike[str],
        *,
        show_tensors: bool = False,
        show_ids: bool | None = None,
        use_colors: bool = False,
    ) -> None:
        """Writes the graph for Graphviz: `dot -Tsvg graph.dot` draws it.

        Args:
            show_tensors: draw boxes for outputs of operators, too.
            show_ids: has no effect; deprecated in DALI.
            use_colors: colour operators by their device.

        Raises:
            GraphError: there are no outputs.
        """
        if show_ids is not None:
            warnings.warn("show_ids= has no effect any more; leave it out", DeprecationWarning, stacklevel=2)
        graph = self._jaxdali_session.definition.graph()
        _written(graph_as_dot(graph, show_tensors, use_colors).encode(), filename)

    @classmethod
    def deserialize(
        cls,
        serialized_pipeline: bytes | str | None = None,
        filename: str | os.PathLike[str] | None = None,
        **options: object,
    ) -> Self:
        """Makes a pipeline, already built, from what `serialize` returned, or wrote to a file.

        The file contains no code, and nothing in it is executed: it names operators, which check their arguments as if
        they were written in a program. But operators act on their arguments: a reader reads the files that it is told
        to, and the file determines the size of batches and the number of workers. So do not run a file that you do not
        trust. A file may have 256 MiB, 16 million values, 10,000 calls, and lists nested 32 deep.

        Args:
            options: arguments of `Pipeline` that replace those that were saved.

        Raises:
            ConfigError: both or neither of the two are given; or it is not a saved pipeline, or one of another version.
            OSError: the file, or one that a reader lists, cannot be read.
        """
        if (serialized_pipeline is None) == (filename is None):
            raise ConfigError(
                "serialized_pipeline and filename arguments are mutually exclusive. Precisely one of them should be defined."
            )
        if filename is not None:
            with open(filename, "rb") as file:
                serialized_pipeline = file.read(MOST_BYTES + 1)
        fields = load(serialized_pipeline)
        pipeline = cls(**{**fields["options"], "seed": fields["seed"], **options})
        pipeline._jaxdali_session.definition.take_graph(load_saved_graph(fields))
        pipeline._jaxdali_session.build()
        return pipeline

    def deserialize_and_build(self, serialized_pipeline: bytes | str) -> None:
        """Loads the saved graph into this pipeline, which must not have one, and builds it. It keeps its own options, but
        `batch_size`, `num_threads`, `device_id` and `seed` are the saved ones if they were not given.

        Raises:
            StateError: it is built.
            GraphError: it has a graph.
            ConfigError: the argument is not a saved pipeline, or one of another version.
        """
        session = self._jaxdali_session
        if session.definition.is_begun:
            raise GraphError("the pipeline has a graph already; make one without, Pipeline()")
        fields = load(serialized_pipeline)
        session.definition.require("load a saved pipeline", PipelineState.DEFINED)
        session.options = session.options.loaded(PipelineOptions.from_arguments(fields["options"]))
        session.definition.batch_size = session.options.batch_size
        if session.options.seed is None and session.restored is None:
            session.seed = fields["seed"]
        session.definition.take_graph(load_saved_graph(fields))
        session.build()

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    batch_size = property(
        lambda self: self._jaxdali_session.options.batch_size or None,
        doc="Samples of a full batch; None before `deserialize_and_build`, if none was given.",
    )
    max_batch_size = property(lambda self: self._jaxdali_session.options.batch_size or None, doc="`batch_size`.")
    num_threads = _option("num_threads", "At most so many threads decode on the CPU; None: all of XLA's.")
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

    stream_policy = _option("stream_policy", "As it was given; streams belong to XLA.")
    concurrency = _option("concurrency", "As it was given; what runs beside what is XLA's.")

    @_Told
    def options(self) -> PipelineOptions:
        """The arguments that the pipeline was made with."""
        return self._jaxdali_session.options

    @_Told
    def seed(self) -> int:
        """The seed of all its random draws: the argument, or a number from the operating system."""
        return self._jaxdali_session.seed

    @_Told
    def device(self) -> Any:
        """The `jax.Device` on which `run_arrays` gives its arrays. Builds the pipeline.

        Raises:
            ConfigError: there is no device with the pipeline's `device_id`.
        """
        return self._jaxdali_session.device

    @property
    def exec_separated(self) -> bool:
        """Whether sources and the device function have separate queues."""
        return isinstance(self._jaxdali_session.options.prefetch_queue_depth, dict)

    @property
    def exec_dynamic(self) -> bool:
        """Whether outputs stay valid as long as there is a reference to them: always."""
        return True

    @property
    def is_restored_from_checkpoint(self) -> bool:
        """Whether it continues where another pipeline was."""
        return self._jaxdali_session.restored is not None

    @property
    def max_streams(self) -> int:
        """-1, whatever was given: streams belong to XLA."""
        return -1

    @property
    def default_cuda_stream_priority(self) -> int:
        """0, whatever was given: streams belong to XLA."""
        return 0

    @_Told
    def epoch_idx(self) -> int:
        """Index of the epoch that `run` is in: the number of resets that began another one."""
        return self._jaxdali_session.epoch

    @property
    def on_error(self) -> str:
        """How to treat files that cannot be decoded, unless their decoder says: "raise" or "zeros". A change applies to
        batches returned from then on.
        """
        return self._jaxdali_session.failures.on_error

    @on_error.setter
    def on_error(self, on_error: str) -> None:
        self._jaxdali_session.failures.on_error = check_on_error(on_error)

    def worker_pids(self) -> list[int]:
        """Process ids of the worker processes that are alive."""
        return worker_pids(self._jaxdali_session.feeds)

    def stats(self) -> Statistics:
        """Statistics since the pipeline was built, or of a closed one, until it was closed."""
        return self._jaxdali_session.stats()

    def metrics(self) -> dict[str, float]:
        """Scalars for TensorBoard and the like: samples per second, waits by stage, failed images, workers, the depth of the
        queue. The page on metrics lists them, with programs that write them. A call takes microseconds; any thread may call.

        Returns:
            A number for each of the same names: for what happened since the last call, or since the first batch was
            requested. Once the pipeline is closed, the next call gives what was left, and later ones zeros.
        """
        return self._jaxdali_session.metrics.read(self._jaxdali_session)

    def executor_statistics(self) -> dict[str, dict[str, list[int]]]:
        """Memory of each operator's outputs, in bytes, with `enable_memory_stats=True`; otherwise empty.

        For a key such as `"CPU_name"` there are four lists with one entry per output: `real_memory_size` of the last
        batch's samples and `reserved_memory_size` of the memory they lie in; `max_real_memory_size` and
        `max_reserved_memory_size` of a sample, on average, in the batch where that was largest. Pass
        `max_real_memory_size` of sources and readers as their `bytes_per_sample_hint`: slots that begin with so much do
        not grow for the same data.

        Inside a compiled program operators have no memory of their own; only those whose outputs are returned appear.
        The program is `"XLA_program"`, with an entry for each combination of shapes it was called with, and XLA's own
        numbers, too. The memory of a GPU's decode engine, for all pipelines, is `"GPU_decode_engine"`; pass its
        `max_real_memory_size` as the `bytes_per_sample_hint` of decoders.
        """
        memory, executor = self._jaxdali_session.memory, self._jaxdali_session.executor
        if memory is None:
            return {}
        return memory.collect(None if executor is None else executor.engine_counts)

    def external_source_shm_statistics(self) -> dict[str, list[int]]:
        """Shared memory of parallel sources: bytes of each slot, and of each slot per sample.

        A slot holds one batch of one source, and is listed once. Both lists are empty before the workers start.
        """
        return slot_sizes(self._jaxdali_session.feeds, self._jaxdali_session.options.batch_size)


def _written(record: bytes, filename: str | os.PathLike[str] | None) -> bytes:
    if filename is not None:
        with open(filename, "wb") as file:
            file.write(record)
    return record
