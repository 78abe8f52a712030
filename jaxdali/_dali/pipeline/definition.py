"""A pipeline before it runs: its scope, its outputs, and the graph that is found from them on demand."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from jaxdali.errors import ConfigError, ConfigTypeError, GraphNotImplementedError, GraphTypeError, StateError
from ..graph.call import Call, DataNode
from ..graph.graph import Graph, find_graph
from ..graph.scope import Entered, Scope, current_scope, pop_scope, push_scope
from ..operators.constant import output_nodes
from ..operators.sources.reader_spec import ReaderSpec
from ..planner.options import PipelineOptions
from ..readers.shard_order import ReaderMeta
from .outputs import Declared
from .pipeline_inputs import feed_input, find_input

__all__ = ["Definition", "Hooks", "PipelineState", "find_readers", "known_graph"]


class PipelineState(enum.Enum):
    """DEFINED -> (start_py_workers) STARTED -> (build) BUILT -> CLOSED."""

    DEFINED = "defined"
    STARTED = "started"
    BUILT = "built"
    CLOSED = "closed"


class Hooks:
    """What a class derived from `Pipeline` overrides: its graph, and what it does before each iteration.

    Args:
        owner: the pipeline. It is not kept alive, because its workers end with the last reference to it.
        base: `Pipeline`.

    Attributes:
        overrides_define_graph: the class overrides `define_graph`.
        sets_up: the class overrides `iter_setup`.
    """

    def __init__(self, owner: Any, base: Any):
        self.overrides_define_graph = type(owner).define_graph is not base.define_graph
        self.sets_up = type(owner).iter_setup is not base.iter_setup
        self._owner = weakref.ref(owner)

    @property
    def owner(self) -> Any:
        """The pipeline.

        Raises:
            StateError: it was garbage-collected.
        """
        owner = self._owner()
        if owner is None:
            raise StateError(
                "the pipeline has been garbage-collected; keep a reference to it for as long as you use its batches"
            )
        return owner


class Definition:
    """What a pipeline is to compute.

    Attributes:
        state: that of the pipeline; it can only be changed while DEFINED.
        declared: what its outputs must be.
        batch_size: samples of a full batch that is fed.
        hooks: those of its class.
    """

    def __init__(self, options: PipelineOptions, hooks: Hooks):
        self.state = PipelineState.DEFINED
        self.declared = Declared.of(options)
        self.hooks = hooks
        # `hooks` does not keep the pipeline alive.
        self._scope = Scope(hooks)
        self._outputs: list[DataNode] = []
        self._sinks: list[DataNode] = []
        self._graph: Graph | None = None
        self._sources: dict[Any, Any] = {}
        self._seen = 0  # number of calls in the scope when the graph was found
        self.batch_size = options.batch_size

    def require(self, call: str, *states: PipelineState) -> None:
        """Raises StateError if the pipeline is in none of these states."""
        if self.state not in states:
            advice = "make a new one" if self.state is PipelineState.CLOSED else "define the graph before it is built"
            raise StateError(f"cannot {call}: the pipeline is {self.state.value}; {advice}")

    # ITS SCOPE --------------------------------------------------------------------------------------------------------

    @staticmethod
    def current() -> Any:
        """Returns the pipeline whose scope this thread is in, or None outside of any."""
        scope = current_scope()
        return None if scope is None else scope.owner.owner

    def enter(self) -> None:
        """Makes operators that this thread writes belong to this pipeline's scope, until `exit`.

        Raises:
            StateError: the pipeline is started, built or closed.
        """
        self.require("define the graph", PipelineState.DEFINED)
        push_scope(self._scope)

    @staticmethod
    def exit() -> None:
        """Undoes the last `enter` of this thread.

        Raises:
            GraphError: there was none.
        """
        pop_scope()

    def entered(self) -> AbstractContextManager[Scope]:
        """Returns a block from `enter` to `exit`."""
        self.require("define the graph", PipelineState.DEFINED)
        return Entered(self._scope)

    # ITS GRAPH --------------------------------------------------------------------------------------------------------

    @property
    def has_outputs(self) -> bool:
        """Whether outputs were set, or `define_graph` will return them."""
        return bool(self._outputs) or self.hooks.overrides_define_graph

    @property
    def is_begun(self) -> bool:
        """Whether operators were written in its scope, or outputs were set."""
        return bool(self._scope.calls or self._outputs)

    def graph(self) -> Graph:
        """Returns the graph, which is found from the outputs when it is first needed. Calls `define_graph` before, if
        the class overrides it and no outputs were set.

        Raises:
            GraphNotImplementedError: there are no outputs, or `define_graph` returned nothing.
            GraphError: see `find_graph`.
        """
        outputs = self._outputs if self._graph is not None else self._defined_outputs()
        # Calls that were written since the graph was found count, as if it had not been asked for before.
        if self._graph is None or (self.state is PipelineState.DEFINED and len(self._scope.calls) > self._seen):
            self._graph = find_graph(outputs, self._sinks, self._scope, self._sources)
            self._seen = len(self._scope.calls)
        return self._graph

    def take_graph(self, graph: Graph) -> None:
        """Makes the pipeline compute a graph that was found before."""
        self.declared.check_count(len(graph.outputs))
        self._outputs, self._graph, self._seen = graph.outputs, graph, len(self._scope.calls)

    def _defined_outputs(self) -> list[DataNode]:
        if not self._outputs and self.hooks.overrides_define_graph:
            owner = self.hooks.owner
            before = len(self._scope.calls), self._scope.random_calls
            try:
                with self.entered():
                    outputs = owner.define_graph()
            except BaseException:
                # A second call of `define_graph` then makes the same draws.
                del self._scope.calls[before[0] :]
                self._scope.random_calls = before[1]
                raise
            if outputs is None:
                raise GraphNotImplementedError(
                    f"define_graph of {type(owner).__name__} returned nothing; return the outputs"
                )
            self.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
        if not self._outputs:
            raise GraphNotImplementedError(
                "the pipeline has no outputs; return them from its function, or call set_outputs"
            )
        return self._outputs

    def set_outputs(self, *outputs: Any) -> None:
        """See `Pipeline.set_outputs`."""
        self._change("set_outputs")
        self._scope.check_branches()
        with self.entered():
            nodes = output_nodes(outputs)
        if not nodes:
            raise GraphNotImplementedError("the pipeline has no outputs; return at least one DataNode")
        self.declared.check_count(len(nodes))
        self._outputs = nodes

    def add_sink(self, edge: Any) -> None:
        """See `Pipeline.add_sink`."""
        self._change("add_sink")
        if not isinstance(edge, DataNode):
            raise GraphTypeError(f"add_sink expected a DataNode, got {edge!r:.80}")
        self._sinks.append(edge)

    def _change(self, call: str) -> None:
        """Discards the graph, so that it is found anew.

        Raises:
            StateError: the pipeline is built.
        """
        self.require(call, PipelineState.DEFINED)
        self._graph = None

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    @property
    def num_outputs(self) -> int:
        """The number of outputs.

        Raises:
            GraphError: the outputs are not known yet.
        """
        return len(self._defined_outputs())

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        """See `Pipeline.reader_meta`."""
        return find_readers(self.graph().calls, name)

    # WHAT IT IS FED ---------------------------------------------------------------------------------------------------

    def feed(
        self,
        node: str | DataNode,
        data: Any,
        layout: str | None = None,
        cuda_stream: Any = None,
        use_copy_kernel: bool = False,
    ) -> None:
        """See `Pipeline.feed_input`."""
        if self.state is PipelineState.CLOSED:
            raise StateError("cannot feed_input: the pipeline is closed; make a new one")
        feed_input(self.graph(), node, data, layout, self.batch_size, cuda_stream, use_copy_kernel)

    def check_input(self, name: str) -> None:
        """Raises NoInputError if no external source of that name can be fed."""
        find_input(self.graph(), name)


def known_graph(definition: Definition) -> tuple[list[Call], list[DataNode]]:
    """Returns the calls and outputs of a pipeline's graph, or those that were written so far, without finding any."""
    graph = definition._graph
    if graph is None:
        return [*definition._scope.calls], [*definition._outputs]
    return graph.calls, graph.outputs


def find_readers(calls: Iterable[Call], name: str | None) -> ReaderMeta | dict[str, ReaderMeta]:
    """Returns the metadata of the reader with that name, or of all readers by name. Raises ConfigError if there is no
    such reader.
    """
    readers = {call.label: call.source.meta for call in calls if isinstance(call.source, ReaderSpec)}
    if name is None:
        return readers
    if name not in readers:
        kind = ConfigError if isinstance(name, str) else ConfigTypeError
        raise kind(
            f"Operator {name!r} not found or does not expose valid metadata; the readers of this pipeline are "
            f"{sorted(readers)}"
        )
    return readers[name]
