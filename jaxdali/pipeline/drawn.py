"""A pipeline before it runs: its graph, who may draw into it, and what the graph tells."""

from __future__ import annotations

import enum
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Self

from ..errors import ConfigError, GraphError, StateError
from ..executor.turn import Turn
from ..readers import ReaderMeta
from ..types import DALIDataType
from .constant import output_nodes
from .declared import Declared
from .options import PipelineOptions
from .reader_spec import ReaderSpec
from .trace import Graph, current_owner, drawing, pop_drawing, push_drawing

__all__ = ["Drawn", "PipelineState"]


class PipelineState(enum.Enum):
    """DEFINED -> (start_py_workers) STARTED -> (build) BUILT -> CLOSED."""

    DEFINED = "defined"
    STARTED = "started"
    BUILT = "built"
    CLOSED = "closed"


class Drawn:
    """The part of a `Pipeline` that draws its graph."""

    def __init__(self, options: PipelineOptions):
        self.options = options
        self._declared = Declared.of(options)
        self._state = PipelineState.DEFINED
        self._graph = Graph()
        self._contexts = ExitStack()
        self._turn = Turn("pipeline")

    def close(self) -> None:
        """Ends what runs; `Pipeline.close`."""
        raise NotImplementedError

    def _end(self) -> None:
        """Ends what runs, where nobody is in; after an interrupt it is called again."""
        raise NotImplementedError

    def _require(self, call: str, *states: PipelineState) -> None:
        if self._state not in states:
            advice = "make a new one" if self._state is PipelineState.CLOSED else "define the graph before it is built"
            raise StateError(f"cannot {call}: the pipeline is {self._state.value}; {advice}")

    # WHO DRAWS --------------------------------------------------------------------------------------------------------

    @staticmethod
    def current() -> Any:
        """The pipeline that `fn` functions of this thread draw into; None outside of any."""
        return current_owner()

    @staticmethod
    def push_current(pipeline: Drawn) -> None:
        """From here on `fn` functions of this thread draw into this pipeline, until `pop_current`. Rather use `with`.

        Raises:
            StateError: it is built.
        """
        pipeline._require("define the graph", PipelineState.DEFINED)
        push_drawing(pipeline._graph, pipeline)

    @staticmethod
    def pop_current() -> None:
        """Undoes the last `push_current`.

        Raises:
            GraphError: there is none.
        """
        pop_drawing()

    def definition(self) -> AbstractContextManager[Graph]:
        """A block in which `fn` functions draw into this pipeline."""
        self._require("define the graph", PipelineState.DEFINED)
        return drawing(self._graph, self)

    def __enter__(self) -> Self:
        if self._graph.outputs is None and not self._draws_itself():
            self._contexts.enter_context(self.definition())
        else:
            self._contexts.callback(self.close)
        return self

    def __exit__(self, *_: Any) -> None:
        self._contexts.close()

    # WHAT IS DRAWN ----------------------------------------------------------------------------------------------------

    def set_outputs(self, *outputs: Any) -> None:
        """Says what `run` returns: nodes, or lists of them, and constants.

        Args:
            outputs: what holds a node anywhere is flattened. Anything else is a constant, one for all samples: a number,
                an array, a list of numbers, or a `types.Constant`.

        Raises:
            GraphError: no outputs, something that is neither a node of this pipeline nor a constant, or another number of
                them than `output_dtype`, `output_ndim` or `output_layout` have.
        """
        self._require("set_outputs", PipelineState.DEFINED)
        with self.definition():
            nodes = output_nodes(outputs)
        self._declared.check_count(len(nodes))
        self._graph.set_outputs(nodes)

    def define_graph(self) -> Any:
        """For classes made of `Pipeline`: draws the graph with `fn` functions and returns the outputs, as a function under
        `@pipeline_def` does. Called once, when the graph is first needed, unless `set_outputs` was.
        """
        raise NotImplementedError

    def iter_setup(self) -> None:
        """For classes made of `Pipeline`: called before the data of an iteration are taken from the sources, so
        `prefetch_queue_depth` times by the first `run`. StopIteration ends the epoch.
        """

    def _draws_itself(self) -> bool:
        return type(self).define_graph is not Drawn.define_graph

    def _draw(self) -> Graph:
        """The graph, drawn."""
        if self._graph.outputs is None and self._draws_itself():
            with self.definition():
                outputs = self.define_graph()
            if outputs is None:
                raise GraphError(f"define_graph of {type(self).__name__} returned nothing; return the outputs")
            self.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
        return self._graph

    # WHAT IT TELLS ----------------------------------------------------------------------------------------------------

    @property
    def max_batch_size(self) -> int:
        """Samples of a full batch."""
        return self.options.batch_size

    @property
    def num_outputs(self) -> int:
        """How many lists `run` returns.

        Raises:
            GraphError: the outputs are not known yet.
        """
        outputs = self._draw().outputs
        if outputs is None:
            raise GraphError("the pipeline has no outputs yet; call set_outputs")
        return len(outputs)

    def output_dtype(self) -> list[DALIDataType | None]:
        """The element type declared for each output; None where none was."""
        return self._declared.dtypes(self.num_outputs)

    def output_ndim(self) -> list[int | None]:
        """The number of dimensions declared for the samples of each output; None where none was."""
        return self._declared.ndims(self.num_outputs)

    def output_layout(self) -> list[str | None]:
        """The layout declared for each output; None where none was."""
        return self._declared.layouts(self.num_outputs)

    def reader_meta(self, name: str | None = None) -> ReaderMeta | dict[str, ReaderMeta]:
        """Of the reader of that name, or of all readers by their names: `epoch_size` (samples of all shards),
        `epoch_size_padded` (the same with `pad_last_batch`, where each shard counts as much as the largest),
        `number_of_shards`, `shard_id`, `pad_last_batch` and `stick_to_shard` (0 or 1).

        Raises:
            ConfigError: there is no such reader.
        """
        readers = {op.name: op.settings.meta for op in self._draw().operators if isinstance(op.settings, ReaderSpec)}
        if name is None:
            return readers
        if name not in readers:
            raise ConfigError(
                f"Operator {name!r} not found or does not expose valid metadata; the readers of this pipeline are "
                f"{sorted(readers)}"
            )
        return readers[name]

    def epoch_size(self, name: str | None = None) -> int | dict[str, int]:
        """`epoch_size_padded` of the reader of that name, or of all readers by their names.

        Raises:
            ConfigError: there is no such reader.
        """
        metas: Any = self.reader_meta(name)
        if name is not None:
            return metas["epoch_size_padded"]
        return {reader: meta["epoch_size_padded"] for reader, meta in metas.items()}
