"""A pipeline before it runs: who may draw into it, and what is drawn. Whoever wants its graph asks here."""

from __future__ import annotations

import enum
import weakref
from contextlib import AbstractContextManager
from typing import Any

from ..errors import ConfigError, GraphError, StateError
from ..readers import ReaderMeta
from .constant import output_nodes
from .inputs import feed_input, find_input
from .node import DataNode
from .options import PipelineOptions
from .outputs import Declared
from .reader_spec import ReaderSpec
from .trace import Graph, current_owner, drawing, pop_drawing, push_drawing

__all__ = ["Definition", "Hooks", "PipelineState"]


class PipelineState(enum.Enum):
    """DEFINED -> (start_py_workers) STARTED -> (build) BUILT -> CLOSED."""

    DEFINED = "defined"
    STARTED = "started"
    BUILT = "built"
    CLOSED = "closed"


class Hooks:
    """What a class made of `Pipeline` says: its graph, and what comes before each iteration.

    Args:
        owner: the pipeline. It is not kept alive: its workers end with the last reference to it.
        base: `Pipeline`.

    Attributes:
        draws: it has a `define_graph` of its own.
        sets_up: it has an `iter_setup` of its own.
    """

    def __init__(self, owner: Any, base: Any):
        self.draws = type(owner).define_graph is not base.define_graph
        self.sets_up = type(owner).iter_setup is not base.iter_setup
        self._owner = weakref.ref(owner)

    @property
    def owner(self) -> Any:
        """The pipeline.

        Raises:
            StateError: there are no references to it any more.
        """
        owner = self._owner()
        if owner is None:
            raise StateError("the pipeline is gone; keep a reference to it as long as its batches are wanted")
        return owner


class Definition:
    """The graph of a pipeline, and who draws it.

    Attributes:
        state: of the pipeline; only one that is DEFINED is drawn into.
        declared: what its outputs are to be.
        hooks: of its class.
    """

    def __init__(self, options: PipelineOptions, hooks: Hooks):
        self.state = PipelineState.DEFINED
        self.declared = Declared.of(options)
        self.hooks = hooks
        self._graph = Graph()
        self._batch_size = options.batch_size

    def require(self, call: str, *states: PipelineState) -> None:
        """Raises StateError where the pipeline is in none of these states."""
        if self.state not in states:
            advice = "make a new one" if self.state is PipelineState.CLOSED else "define the graph before it is built"
            raise StateError(f"cannot {call}: the pipeline is {self.state.value}; {advice}")

    # WHO DRAWS --------------------------------------------------------------------------------------------------------

    @staticmethod
    def current() -> Any:
        """The pipeline that this thread draws into; None outside of any."""
        return current_owner()

    def enter(self) -> None:
        """From here on `fn` functions of this thread draw into this pipeline, until `exit`.

        Raises:
            StateError: it is started, built or closed.
        """
        self.require("define the graph", PipelineState.DEFINED)
        push_drawing(self._graph, self.hooks.owner)

    @staticmethod
    def exit() -> None:
        """Undoes the last `enter` of this thread.

        Raises:
            GraphError: there is none.
        """
        pop_drawing()

    def drawing(self) -> AbstractContextManager[Graph]:
        """A block from `enter` to `exit`."""
        self.require("define the graph", PipelineState.DEFINED)
        return drawing(self._graph, self.hooks.owner)

    # WHAT IS DRAWN ----------------------------------------------------------------------------------------------------

    @property
    def is_to_be_drawn(self) -> bool:
        """It has no outputs, and no `define_graph` that will return them."""
        return self._graph.outputs is None and not self.hooks.draws

    @property
    def is_begun(self) -> bool:
        """Something was drawn."""
        return bool(self._graph.operators)

    def graph(self) -> Graph:
        """The graph; drawn now, where a class has `define_graph` and nobody has set its outputs.

        Raises:
            GraphError: `define_graph` returned nothing.
        """
        if self._graph.outputs is None and self.hooks.draws:
            owner = self.hooks.owner
            with self.drawing():
                outputs = owner.define_graph()
            if outputs is None:
                raise GraphError(f"define_graph of {type(owner).__name__} returned nothing; return the outputs")
            self.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
        return self._graph

    def set_outputs(self, *outputs: Any) -> None:
        """See `Pipeline.set_outputs`."""
        self.require("set_outputs", PipelineState.DEFINED)
        with self.drawing():
            nodes = output_nodes(outputs)
        self.declared.check_count(len(nodes))
        self._graph.set_outputs(nodes)

    def add_sink(self, edge: DataNode) -> None:
        """See `Pipeline.add_sink`."""
        self.require("add_sink", PipelineState.DEFINED)
        self._graph.add_sink(edge)

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    @property
    def num_outputs(self) -> int:
        """How many outputs there are.

        Raises:
            GraphError: they are not known yet.
        """
        outputs = self.graph().outputs
        if outputs is None:
            raise GraphError("the pipeline has no outputs yet; call set_outputs")
        return len(outputs)

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        """See `Pipeline.reader_meta`."""
        readers = {op.name: op.settings.meta for op in self.graph().operators if isinstance(op.settings, ReaderSpec)}
        if name is None:
            return readers
        if name not in readers:
            raise ConfigError(
                f"Operator {name!r} not found or does not expose valid metadata; the readers of this pipeline are "
                f"{sorted(readers)}"
            )
        return readers[name]

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
        declares = self.state is PipelineState.DEFINED
        feed_input(self.graph(), node, data, layout, self._batch_size, declares, cuda_stream, use_copy_kernel)

    def check_input(self, name: str) -> None:
        """Raises NoInputError where no external source of that name can be fed."""
        find_input(self.graph(), name)
