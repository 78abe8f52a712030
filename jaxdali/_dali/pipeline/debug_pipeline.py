"""A pipeline in debug mode: calls its function for every batch, and computes each operator as it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, cast

from jaxdali._base.dtypes import PipelineAPIType
from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.feed import Feed
from jaxdali.errors import ConfigError, ConfigIndexError, NoInputError, StateError
from ..eager.eager_values import DataNodeDebug
from ..eager.run import EagerRun
from ..graph.call import DataNode
from ..graph.graph import Graph
from ..graph.scope import Entered, Scope
from ..operators.constant import output_nodes
from ..planner.options import PipelineOptions
from ..planner.plan import Plan
from ..readers.shard_order import ReaderMeta
from ..tensors.tensor_list import TensorListCPU, TensorListGPU
from .definition import Definition, Hooks, PipelineState, find_readers
from .pipeline import Pipeline
from .pipeline_inputs import feed_input, find_input
from .session import Session

__all__ = ["DebuggedSession", "debugged"]


class _Definition(Definition):
    """A definition about which nothing is known before the first run."""

    run: EagerRun

    def __init__(self, options: PipelineOptions, hooks: Hooks):
        super().__init__(options, hooks)
        self.count: int | None = None
        # Takes the first batch early, where that is allowed.
        self.look: Callable[[], None] = lambda: None
        # Batches that were fed before their source was written.
        self._waiting: dict[str, list[tuple[Any, ...]]] = {}
        self._batch = options.batch_size

    @property
    def has_outputs(self) -> bool:
        return True

    @property
    def num_outputs(self) -> int:
        if self.count is None:
            raise StateError("in debug mode the number of outputs is known only after the first run")
        return self.count

    def graph(self) -> NoReturn:
        raise StateError("a pipeline in debug mode has no graph to save or draw; make it without debug=True")

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        self.look()
        calls = [call for source in self.run.sources.values() for call in source.graph.calls]
        if not calls:
            raise StateError("in debug mode readers are known only after the first run")
        return find_readers(calls, name)

    def feed(
        self,
        node: str | DataNode,
        data: object,
        layout: str | None = None,
        cuda_stream: object = None,
        use_copy_kernel: bool = False,
    ) -> None:
        if self.state is PipelineState.CLOSED:
            raise StateError("cannot feed_input: the pipeline is closed; make a new one")
        name = node if isinstance(node, str) else node.name
        fed = (data, layout, self._batch, cuda_stream, use_copy_kernel)
        for source in self.run.sources.values():
            if source.graph.calls[0].name == name:
                feed_input(source.graph, name, *fed)
                return
        if self.count is not None:
            raise NoInputError(f"Could not find an input operator with name {name!r}")
        self._waiting.setdefault(name, []).append(fed)

    def _begun(self, graph: Graph) -> None:
        """Called when a source is first written: feeds it what was fed to its name before."""
        name = graph.calls[0].label
        for fed in self._waiting.pop(name, []):
            feed_input(graph, name, *fed)

    def check_input(self, name: str) -> None:
        for source in self.run.sources.values():
            if source.graph.calls[0].name == name:
                find_input(source.graph, name)
                return
        raise NoInputError(
            f"Could not find an input operator with name {name!r}; in debug mode they are known after a run"
        )


class DebuggedSession(Session):
    """The life of a pipeline in debug mode.

    Args:
        draw: the user's function, with its arguments.
        converts: the function may branch on nodes.
    """

    definition: _Definition

    def __init__(self, options: PipelineOptions, hooks: Hooks, draw: Callable[[], object], converts: bool):
        if options.enable_checkpointing or options.checkpoint is not None:
            raise ConfigError(
                "a pipeline in debug mode has no checkpoints; leave enable_checkpointing= and checkpoint= out"
            )
        definition = _Definition(options, hooks)
        super().__init__(definition, options)
        self._run = definition.run = EagerRun(options, self.seed, self.failures, definition._begun)
        self._hooks = hooks
        self._draw = draw
        self._converts = converts
        self._ended = False
        # The first batch, or its error, if an iterator needed it early; it waits to be handed out.
        self._first: tuple[Any, ...] | Exception | None = None
        self._looked = False
        self.feeds: list[Feed] = []  # of the sources that were written
        definition.look = self._look

    def start(self) -> None:
        """Does nothing: there are no workers."""
        self.definition.require("start workers", PipelineState.DEFINED, PipelineState.BUILT)

    def build(self) -> None:
        """Only changes the state: nothing is known before the first batch."""
        self.definition.require("build or run", PipelineState.DEFINED, PipelineState.BUILT)
        self.definition.state = PipelineState.BUILT

    def run(self, cuda_stream: object) -> tuple[Any, ...]:
        self.build()
        self.use_api(PipelineAPIType.BASIC)
        return self.exclusive.run_exclusively(self._next_batch, self._end)

    def arrays(self, count: int | None, on_host: bool, package: Callable[[list[Any]], Any] | None) -> Any:
        self.build()
        return self.exclusive.run_exclusively(lambda: self._next_arrays(count, package), self._end)

    def _next_arrays(self, count: int | None, package: Callable[[list[object]], object] | None) -> Any:
        lists = self._next_batch()
        self._first = lists  # until it is packed: an interrupt must not lose it
        try:
            packed = self._packed(lists, count, package)
        except Exception as error:
            if not is_interruption(error):
                self._first = None
            raise
        self._first = None
        return packed

    def _packed(
        self, lists: tuple[Any, ...], count: int | None, package: Callable[[list[object]], object] | None
    ) -> object:
        if count is not None and len(lists) < count:
            raise ConfigIndexError(f"{count} outputs were asked for, but the pipeline has {len(lists)}")
        from ..planner.device import output_device  # loads jax

        device = output_device(self._sources(), self.options, None)
        arrays = [_array_of(index, samples, device) for index, samples in enumerate(lists[:count])]
        return arrays if package is None else package(arrays)

    def _next_batch(self) -> tuple[Any, ...]:
        self._looked = True
        found = self._first
        if found is None:
            return self._iterate()
        self._first = None
        if isinstance(found, Exception):
            raise found
        return found

    def _look(self) -> None:
        """Takes the first batch early if an iterator uses the pipeline: sources are known once they were written."""
        if self._api is PipelineAPIType.ITERATOR and not self._looked:
            self._looked = True
            self.build()
            try:
                self._first = self.exclusive.run_exclusively(self._iterate, self._end)
            except StopIteration:
                pass  # raised again when the first batch is asked for
            except Exception as error:
                if is_interruption(error):
                    self._looked = False
                    raise
                # Drops the traceback, which would keep this frame alive.
                self._first = error.with_traceback(None)

    def _iterate(self) -> tuple[Any, ...]:
        if self._ended:
            raise StopIteration
        scope = Scope(self._hooks)
        scope.converts = self._converts
        try:
            with Entered(scope):
                self._run.begin(scope)
                outputs = self._draw()
                self.feeds = [feed for source in self._run.sources.values() for feed in source.ring_feeds]
                found = () if outputs is None else self._lists(outputs if isinstance(outputs, tuple) else (outputs,))
        except BaseException as error:
            self._run.fail(error)
            self._ended = isinstance(error, StopIteration)
            raise
        try:
            self.definition.declared.check_count(len(found))
            for index, samples in enumerate(found):
                self.definition.declared.check(index, samples._backing.dtype, samples.ndim(), samples.layout())
        except Exception as error:
            if not is_interruption(error):
                self._run.end()
            raise
        self.definition.count = len(found)
        # No call behind it: after an interrupt the iteration is done again, or the caller has the batch.
        self._run.end()
        return found

    def _lists(self, outputs: tuple[object, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for value in outputs:
            if isinstance(value, TensorListCPU | TensorListGPU):
                found.append(value)
            else:
                found += [cast(DataNodeDebug, node).get() for node in output_nodes((value,))]
        return tuple(found)

    def reset(self, goes_on: bool = False) -> None:
        if self.definition.state is PipelineState.CLOSED:
            raise StateError("cannot reset: the pipeline is closed; make a new one")
        if self._run.iteration == (self._first is not None) and not self._ended:
            return
        if self._run.endless and not self._ended:
            return
        self._run.restart(goes_on)
        self._ended, self._first = False, None

    def _end(self) -> None:
        self._run.close()

    @property
    def epoch(self) -> int:
        return self._run.epoch

    @property
    def plan(self) -> Plan:
        """The plan of the sources only; what is computed is not known."""
        self._look()
        return self._sources()

    def _sources(self) -> Plan:
        return Plan([feed for source in self._run.sources.values() for feed in source.feeds], {}, [])

    # WHAT IT DOES NOT DO ----------------------------------------------------------------------------------------------

    def schedule_run(self) -> NoReturn:
        _only_run("schedule_run")

    def share_outputs(self, cuda_stream: object) -> NoReturn:
        _only_run("share_outputs")

    def make_part(self, part: object, device: object) -> NoReturn:
        _only_run("a part of larger batches, as with sharding= or devices=")

    def checkpoint(self, iterator: object) -> NoReturn:
        _only_run("a checkpoint")

    @property
    def device(self) -> NoReturn:
        _only_run("several devices, as with sharding= or pmap_compatible=")


def _only_run(what: str) -> NoReturn:
    raise StateError(
        f"{what}: not supported in debug mode, which is for looking at batches one by one; call Pipeline.run, or leave "
        "debug=True out"
    )


def _array_of(index: int, samples: TensorListCPU | TensorListGPU, device: object) -> Any:
    """Returns a batch as one array on a device.

    Raises:
        ConfigError: its samples differ in shape.
    """
    import jax

    shapes = samples.shape()
    if len(set(shapes)) > 1:
        raise ConfigError(
            f"output {index} must be representable as a tensor, but its samples differ in shape ({shapes[0]}, "
            f"{next(shape for shape in shapes if shape != shapes[0])}, ...). Resize them in the pipeline; in debug mode "
            "images of several sizes have no canvas for all batches, and Pipeline.run gives them as they are"
        )
    if isinstance(samples, TensorListGPU) and len(samples.device_arrays) == 1:
        return samples.device_arrays[0]
    return jax.device_put(samples.as_cpu().as_array(), device)


def debugged(pipeline: Pipeline, draw: Callable[[], object], converts: bool) -> Pipeline:
    """Puts a pipeline without calls into debug mode: it calls a function for each batch.

    Args:
        draw: returns the outputs.
        converts: the function may branch on nodes.
    """
    options = pipeline._jaxdali_session.options
    pipeline._jaxdali_session = DebuggedSession(options, Hooks(pipeline, Pipeline), draw, converts)
    return pipeline
