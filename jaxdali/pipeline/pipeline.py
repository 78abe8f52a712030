"""DALI's `Pipeline`: what users call. What it does, its parts do."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Generic, Self, TypeVar

from ..errors import ConfigError, ConfigTypeError, GraphError
from ..executor.failures import check_on_error
from ..executor.statistics import Statistics
from ..graph.call import DataNode
from ..graph.document import MOST_BYTES
from ..graph.dot import graph_as_dot
from ..graph.scope import Scope
from ..planner.options import PipelineOptions
from ..readers import ReaderMeta
from ..tensors import TensorListCPU, TensorListGPU
from ..types import DALIDataType, PipelineAPIType
from .definition import Definition, Hooks, PipelineState
from .report import slot_sizes, worker_pids
from .serialization import load, load_saved_graph, save
from .session import Session

__all__ = ["Pipeline", "session_of"]

_T = TypeVar("_T")


def session_of(pipeline: Pipeline) -> Session:
    """What runs a pipeline: for iterators, and whoever else is to depend on nothing that a class made of `Pipeline` has."""
    return pipeline._jaxdali_session


def _close_if_begun(session: Session) -> None:
    if session.definition.state is not PipelineState.DEFINED:
        session.close()


class _Told(Generic[_T]):
    """A property that `Pipeline` has and DALI's has not: in a class made of it, an attribute of that name may stand in its
    place.
    """

    def __init__(self, ask: Callable[[Any], _T]):
        self._ask = ask
        self.__doc__ = ask.__doc__

    def __get__(self, pipeline: Any, kind: Any = None) -> _T:
        return self if pipeline is None else self._ask(pipeline)  # type: ignore[return-value]


def _option(name: str, meaning: str) -> property:
    return property(lambda self: getattr(self._jaxdali_session.options, name), doc=meaning)


class Pipeline:
    """A graph of operators that is run batch by batch; DALI's `Pipeline`.

    Usually made by a function under `@pipeline_def`; or derive a class from it that has `define_graph`. In a `with`
    block operators belong to it until it is built; blocks may be nested and repeated. A block that begins when it has its
    outputs closes it at its end, if it was built by then.

    Worker processes end with `close`, with the last reference to the pipeline, with the interpreter, and with this
    process, however it ends.

    Args:
        batch_size, options: see `PipelineOptions`. By position they have DALI's order.
        max_streams, default_cuda_stream_priority: deprecated in DALI, and without effect here as there.

    Raises:
        ConfigError: an argument cannot be honoured.
    """

    # What it is made of. Its methods call these and not each other, so that a class made of it may have any attributes: only
    # these names are taken.
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
        **options: Any,
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
        given = PipelineOptions.from_arguments({**named, **options})
        self._jaxdali_session = Session(Definition(given, Hooks(self, Pipeline)), given)
        self._jaxdali_blocks = []

    def __repr__(self) -> str:
        session = self._jaxdali_session
        state = session.definition.state.value
        return f"Pipeline(batch_size={session.options.batch_size}, seed={session.seed}, {state})"

    # THE GRAPH --------------------------------------------------------------------------------------------------------

    @staticmethod
    def current() -> Any:
        """The pipeline in whose scope operators of this thread are written; None outside of any."""
        return Definition.current()

    @staticmethod
    def push_current(pipeline: Pipeline) -> Any:
        """From here on operators of this thread are in this pipeline's scope, until `pop_current`. Rather use `with`.

        Returns:
            The pipeline in whose scope they were before; None: in none.

        Raises:
            StateError: it is built.
        """
        before = Definition.current()
        pipeline._jaxdali_session.definition.enter()
        return before

    @staticmethod
    def pop_current() -> None:
        """Undoes the last `push_current`.

        Raises:
            GraphError: there is none.
        """
        Definition.exit()

    def definition(self) -> AbstractContextManager[Scope]:
        """A block whose operators are in this pipeline's scope."""
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

    def __exit__(self, *_: Any) -> None:
        self._jaxdali_blocks.pop().close()

    def set_outputs(self, *outputs: Any) -> None:
        """Says what `run` returns: nodes, or lists of them, and constants.

        Args:
            outputs: what holds a node anywhere is flattened. Anything else is a constant, one for all samples: a number,
                an array, a list of numbers, or a `types.Constant`.

        Raises:
            GraphError: no outputs, something that is neither a node nor a constant, or another number of
                them than `output_dtype`, `output_ndim` or `output_layout` have.
        """
        self._jaxdali_session.definition.set_outputs(*outputs)

    def add_sink(self, edge: DataNode) -> None:
        """Has a node computed that is no output: its sources are asked, and its images decoded, although `run` returns
        nothing of it. What is wrong with them is an error as of outputs.

        Raises:
            GraphError: it is no node.
        """
        self._jaxdali_session.definition.add_sink(edge)

    def define_graph(self) -> Any:
        """For classes made of `Pipeline`: draws the graph with `fn` functions and returns the outputs, as a function under
        `@pipeline_def` does. Called once, when the graph is first needed, unless `set_outputs` was.
        """
        raise NotImplementedError

    def iter_setup(self) -> None:
        """For classes made of `Pipeline`: called before the data of an iteration are taken from the sources, so
        `prefetch_queue_depth` times by the first `run`. StopIteration ends the epoch.
        """

    @property
    def num_outputs(self) -> int:
        """How many lists `run` returns.

        Raises:
            GraphError: the outputs are not known yet.
        """
        return self._jaxdali_session.definition.num_outputs

    def output_dtype(self) -> list[DALIDataType | None]:
        """The element type declared for each output; None where none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.dtypes(definition.num_outputs)

    def output_ndim(self) -> list[int | None]:
        """The number of dimensions declared for the samples of each output; None where none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.ndims(definition.num_outputs)

    def output_layout(self) -> list[str | None]:
        """The layout declared for each output; None where none was."""
        definition = self._jaxdali_session.definition
        return definition.declared.layouts(definition.num_outputs)

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        """Of the reader of that name, or of all readers by their names: `epoch_size` (samples of all shards),
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
        """Starts the worker processes of parallel sources and readers, and has them make the first batches, unless batches
        are computed only when they are asked for (`exec_pipelined`, `exec_async`) or a checkpoint says which come first.
        Waits for neither. A second call does nothing.

        With py_start_method="fork" this must come before the first use of JAX in this process.

        Raises:
            GraphError: the graph cannot run.
            StateError: a fork is asked for, but JAX is in use.
        """
        self._jaxdali_session.start()

    def build(self) -> None:
        """Starts the workers, see `start_py_workers`, and prepares the device function. A second call does nothing."""
        self._jaxdali_session.build()

    def close(self) -> None:
        """Ends the workers. Batches that were handed out stay valid. Any thread may call it: whoever is in `run` leaves it
        with a StateError. A second call does nothing, or what an interrupt kept the first one from. In a forked child it
        does nothing.
        """
        self._jaxdali_session.close()

    # BATCHES ----------------------------------------------------------------------------------------------------------

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
            layout: of the samples: what the external source declares; where it declares none, that of the first batch that
                was fed. None: likewise.
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
        self._jaxdali_session.definition.feed(data_node, data, layout, cuda_stream, use_copy_kernel)

    def input_feed_count(self, input_name: str) -> int:
        """How many batches have to be fed to that external source before `run` returns: 1. What is fed beyond is computed
        ahead. Raises as `feed_input`.
        """
        self._jaxdali_session.definition.check_input(input_name)
        return 1

    def run(self, cuda_stream: Any = None, /, **inputs: Any) -> tuple[TensorListCPU | TensorListGPU, ...]:
        """Returns the next batch, one list of samples an output, and has further ones prepared.

        Args:
            cuda_stream: work that is queued in it from now on comes after the outputs on a GPU are computed; a stream as for
                `feed_input`. JAX needs none: it waits by itself.
            inputs: batches to feed before, by the names of their external sources.

        Outputs that come straight from a source are in the slot where they were written; nothing is copied. What operators
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
            self._jaxdali_session.definition.feed(name, data)
        return self._jaxdali_session.run(cuda_stream)

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
        return self._jaxdali_session.arrays(count, on_host, package)

    def enable_api_check(self, enable: bool) -> None:
        """Whether `run`, iterators and `schedule_run` exclude each other, which they do as long as nobody says otherwise."""
        self._jaxdali_session.checks_api = bool(enable)

    def schedule_run(self) -> None:
        """Has one batch more computed, the first call of an epoch `prefetch_queue_depth` of them; does not wait.
        `share_outputs` takes them in order. With exec_pipelined=False or exec_async=False it is one in any case, and it is
        computed when it is taken.

        Raises:
            StateError: the pipeline is closed, or `run` or an iterator is in use.
        """
        self._jaxdali_session.schedule_run()

    def share_outputs(self, cuda_stream: Any = None) -> tuple[Any, ...]:
        """Waits for the oldest batch that was scheduled: one list of samples an output. It stays valid as long as somebody
        holds it.

        Args:
            cuda_stream: see `Pipeline.run`.

        Raises:
            StopIteration: none is left; `schedule_run` first, or `reset` where the epoch is over.
            Exception: as `run`.
        """
        return self._jaxdali_session.share_outputs(cuda_stream)

    def release_outputs(self) -> None:
        """Says that what `share_outputs` gave is not needed any more. Memory is given back when the last reference goes, so
        nothing happens to what is still held.
        """
        self._jaxdali_session.use_api(PipelineAPIType.SCHEDULED)

    def outputs(self, cuda_stream: Any = None) -> tuple[Any, ...]:
        """`release_outputs`, then `share_outputs`."""
        self._jaxdali_session.use_api(PipelineAPIType.SCHEDULED)
        return self._jaxdali_session.share_outputs(cuda_stream)

    def reset(self) -> None:
        """Begins the next epoch: after its end, after an error, or in the middle of one. Before the first run it does
        nothing, nor where there are only readers, which have no epochs; after an error they go on behind it.

        Raises:
            StateError: the pipeline is closed.
        """
        self._jaxdali_session.reset()

    # SAVING -----------------------------------------------------------------------------------------------------------

    def checkpoint(self, filename: str | os.PathLike[str] | None = None) -> bytes:
        """The position behind the last batch that was handed out, for `Pipeline(checkpoint=)`: about a kilobyte. What
        comes after it is the same then, to the bit, what is drawn at random included.

        Args:
            filename: where it is written to as well.

        Raises:
            StateError: the pipeline was made without enable_checkpointing=True, or is closed.
        """
        return _written(self._jaxdali_session.checkpoint(None), filename)

    def serialize(self, define_graph: None = None, filename: str | os.PathLike[str] | None = None) -> bytes:
        """The pipeline as bytes: its graph, its options and its seed, from which `deserialize` makes one that gives the
        same batches, to the bit, what is drawn at random included. Where it stands is not among it, see `checkpoint`; nor
        are the files that readers read, and paths stay as they were given.

        Args:
            define_graph: DALI's deprecated argument; derive a class with `define_graph`.
            filename: where they are written to as well.

        Raises:
            GraphError: the graph has Python in it, which is not saved: an external source with a source (let it be fed, by
                name), or `iter_setup`; or there are no outputs.
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
        """Writes the graph as Graphviz draws it: `dot -Tsvg graph.dot` makes a picture of it.

        Args:
            show_tensors: boxes for what operators return, too.
            show_ids: has no effect; deprecated in DALI.
            use_colors: operators have a colour of their device's.

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
        **options: Any,
    ) -> Self:
        """A pipeline of what `serialize` returned, or wrote to a file; it is built.

        No code comes from the file, and nothing of it is run: it names operators, which check its numbers and texts as
        if they were written. What they do they do, though: a reader reads the files that it names, and batches are as
        large, and workers as many, as it says. Of a file that you do not trust you should run nothing either. A file may
        have 256 MiB, 16 million values, 10,000 calls, and lists that are nested 32 deep.

        Args:
            options: arguments of `Pipeline`, in place of those that were saved.

        Raises:
            ConfigError: both or neither of the two are given; or it is no saved pipeline, or one of another version.
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
        """Draws the saved graph into this pipeline, which has none yet, and builds it. Its options stay its own, also the
        seed where it was given one; else it is the saved one.

        Raises:
            StateError: it is built.
            GraphError: it has a graph.
            ConfigError: what is given is no saved pipeline, or one of another version.
        """
        session = self._jaxdali_session
        if session.definition.is_begun:
            raise GraphError("the pipeline has a graph of its own; make one without, Pipeline(batch_size=...)")
        fields = load(serialized_pipeline)
        if session.options.seed is None and session.restored is None:
            session.seed = fields["seed"]
        session.definition.take_graph(load_saved_graph(fields))
        session.build()

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    batch_size = _option("batch_size", "Samples of a full batch.")
    max_batch_size = _option("batch_size", "`batch_size`.")
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

    stream_policy = _option("stream_policy", "As it was given; streams belong to XLA.")
    concurrency = _option("concurrency", "As it was given; what runs beside what is XLA's.")

    @_Told
    def options(self) -> PipelineOptions:
        """The arguments that it was made with."""
        return self._jaxdali_session.options

    @_Told
    def seed(self) -> int:
        """Of all that it draws at random: the argument, or what the operating system gave."""
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
        """Sources and the device function have queues of their own."""
        return isinstance(self._jaxdali_session.options.prefetch_queue_depth, dict)

    @property
    def exec_dynamic(self) -> bool:
        """Outputs stay valid as long as somebody holds them: always."""
        return True

    @property
    def is_restored_from_checkpoint(self) -> bool:
        """It goes on where another one stood."""
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
        """What becomes of files that cannot be decoded, where their decoder does not say: "raise" or "zeros". A change
        holds for batches that are handed out from then on.
        """
        return self._jaxdali_session.failures.on_error

    @on_error.setter
    def on_error(self, on_error: str) -> None:
        self._jaxdali_session.failures.on_error = check_on_error(on_error)

    def worker_pids(self) -> list[int]:
        """Process ids of the worker processes that live."""
        return worker_pids(self._jaxdali_session.feeds)

    def stats(self) -> Statistics:
        """What was counted since the pipeline was built; of a closed one, until then."""
        return self._jaxdali_session.stats()

    def executor_statistics(self) -> dict[str, dict[str, list[int]]]:
        """Memory of each operator's outputs, in bytes, with `enable_memory_stats=True`; else nothing.

        Behind a key such as `"CPU_name"` are four lists with an entry an output: `real_memory_size` of the last batch's
        samples and `reserved_memory_size` of what they are in; `max_real_memory_size` and `max_reserved_memory_size` of a
        sample, on average, in the batch where that was most. Of sources and readers `max_real_memory_size` is for
        `bytes_per_sample_hint`: slots that begin with so much do not grow for the same data.

        Inside of a compiled program operators have no memory of their own; those that are returned are here. The program
        is `"XLA_program"`, with an entry for each of the shapes that it was called with, and numbers of XLA's, too. What
        a GPU's decode engine has for all pipelines is `"GPU_decode_engine"`; its `max_real_memory_size` is for the
        `bytes_per_sample_hint` of decoders.
        """
        memory, executor = self._jaxdali_session.memory, self._jaxdali_session.executor
        if memory is None:
            return {}
        return memory.collect(None if executor is None else executor.engine_counts)

    def external_source_shm_statistics(self) -> dict[str, list[int]]:
        """Shared memory of parallel sources: bytes of each slot, and of each slot a sample.

        A slot holds one batch of one source, and is listed once. Both lists are empty before the workers start.
        """
        return slot_sizes(self._jaxdali_session.feeds, self._jaxdali_session.options.batch_size)


def _written(record: bytes, filename: str | os.PathLike[str] | None) -> bytes:
    if filename is not None:
        with open(filename, "wb") as file:
            file.write(record)
    return record
