"""A graph, sorted out: what comes from which source, what the device computes, what is returned as it came."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from ..errors import DecodeError, GraphError
from ..source.held import HeldSource
from ..source.kinds import Source
from ..source.parts import BatchPart
from ..types import NO_TYPE
from ..workers.columns import Column
from .extents import check_canvases, needs_canvas
from .fusion import DECODERS, fuse
from .node import DataNode, Operator, spoken
from .options import PipelineOptions
from .presize import sample_bytes
from .reader_spec import FILE_READER, ReaderSpec
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["CLOCK", "FeedPlan", "Plan", "make_plan", "note_site"]


_SOURCES = ("external_source", FILE_READER)
# The kind of the source of graphs that have none.
CLOCK = "clock"


@dataclasses.dataclass(frozen=True)
class FeedPlan:
    """
    Attributes:
        depth: the source's prefetch_queue_depth; 0: it is not parallel.
        length: samples of an epoch of all sources that make samples; None: they say when it ends.
        sample_bytes: expected; 0: not known.
    """

    source: Source
    columns: list[Column]
    parallel: bool
    depth: int
    length: int | None
    sample_bytes: int


@dataclasses.dataclass(frozen=True)
class Plan:
    """
    Attributes:
        feeds: one a source, parallel ones first; their columns, one behind the other, are numbered.
        column_of: number of the column of each output of a source that is used.
        inputs: columns that the device function takes.
        canvas_inputs: those of them whose images are decoded whole, to a canvas that is chosen for each batch.
        operators: what the device computes, in order.
        outputs: what `run` returns.
    """

    feeds: list[FeedPlan]
    column_of: dict[DataNode, int]
    inputs: list[int]
    canvas_inputs: frozenset[int]
    operators: list[Operator]
    outputs: list[DataNode]

    @property
    def device_outputs(self) -> list[DataNode]:
        """Outputs that are computed; the others are returned as the source made them."""
        return [node for node in self.outputs if node not in self.column_of]

    @property
    def decoders(self) -> dict[int, list[dict[str, Any]]]:
        """Of each column of files, how it is decoded: options of `jaxdali.image.decode`. Of a plan that is not fused."""
        found: dict[int, list[dict[str, Any]]] = {}
        for operator in self.operators:
            if operator.kind in DECODERS:
                column = self.column_of[operator.inputs[0]]
                found.setdefault(column, []).append(operator.settings.decoding.options)
        return found

    @property
    def endless(self) -> bool:
        """All data come from readers: there is no end, and no epoch but an iterator's."""
        return all(feed.source.endless for feed in self.feeds)

    @property
    def samples(self) -> int | None:
        """Of an epoch, where a source declares `__len__` (of several the smallest); None: sources say when it ends."""
        return min((feed.length for feed in self.feeds if feed.length is not None), default=None)

    def fused(self) -> Plan:
        """The same with chains behind a decoder as one operator each."""
        operators = fuse(self.operators, self.outputs)
        return dataclasses.replace(self, operators=operators, canvas_inputs=_canvas_inputs(operators, self.column_of))


def make_plan(graph: Graph, options: PipelineOptions, seed: int, part: BatchPart | None = None) -> Plan:
    """Plans the operators that the outputs need; others are not run, and their sources not called.

    Args:
        part: of larger batches, that the pipeline makes; None: all.

    Raises:
        GraphError: no outputs; files that are used otherwise than by a decoder.
        ConfigError: a canvas is larger than `max_canvas_bytes`.
    """
    if graph.outputs is None:
        raise GraphError("the pipeline has no outputs; return them from its function, or call set_outputs")
    outputs = graph.outputs
    used = _reachable([*outputs, *graph.sinks])
    sources = [op for op in graph.operators if op in used and op.kind in _SOURCES]
    if not sources:
        sources = [_clock(options.batch_size)]
    operators = [op for op in graph.operators if op in used and op.kind not in _SOURCES]
    check_canvases(operators, options.batch_size, options.max_canvas_bytes)
    consumers: dict[DataNode, list[str]] = {}
    for operator in operators:
        for node in operator.dependencies:
            consumers.setdefault(node, []).append(operator.kind)
    for node in outputs:
        consumers.setdefault(node, []).append("return")
    # In the order in which they are asked: parallel ones first, as in DALI.
    sources.sort(key=lambda op: not _is_parallel(op.settings, options))
    if any(getattr(op.settings, "parallel", False) for op in sources) and options.py_num_workers == 0:
        raise GraphError(
            "a source is parallel, but py_num_workers was set to `0`: set it to 1 or more, or pass parallel=False"
        )
    made = [_make_source(operator.settings, options, seed, part) for operator in sources]
    length = min((source.length for source in made if source.length is not None), default=None)
    feeds: list[FeedPlan] = []
    column_of: dict[DataNode, int] = {}
    for operator, source in zip(sources, made, strict=True):
        for node in operator.outputs:
            column_of[node] = len(column_of)
            # Who wants but the files, or but the labels of a reader, has no other way to say so.
            if (
                node not in consumers
                and node not in graph.sinks
                and isinstance(operator.settings, SourceSpec)
                and operator.kind != CLOCK
            ):
                warnings.warn(
                    f"the external_source {operator.name!r}, defined at {operator.site}, produces "
                    f"{len(operator.outputs)} outputs, but the output at the index {node.index} is not used",
                    stacklevel=2,
                )
        spec: SourceSpec | ReaderSpec = operator.settings
        parallel = _is_parallel(spec, options)
        feeds.append(
            FeedPlan(
                source=source,
                columns=_columns(operator, source, consumers, options),
                parallel=parallel,
                depth=(spec.prefetch_queue_depth or 1) if parallel else 0,
                length=None if source.batch_mode or source.endless else length,
                sample_bytes=_sample_bytes(operator, source, options),
            )
        )
    taken = {node for op in operators for node in op.dependencies if node in column_of}
    inputs = sorted(column_of[node] for node in taken)
    return Plan(feeds, column_of, inputs, _canvas_inputs(operators, column_of), operators, outputs)


def note_site(error: BaseException, plan: Plan, feed: int | None) -> None:
    """Adds a note to an error: where its source was written, or of files that cannot be decoded, their decoder.

    Args:
        feed: index of the source that failed; None: none did.
    """
    concerned: list[Operator] = []
    if feed is not None:
        column = plan.feeds[feed].columns[0].name
        concerned = [node.operator for node in plan.column_of if node.name == column]
    elif isinstance(error, DecodeError):
        decoders = [operator for operator in plan.operators if operator.kind in DECODERS]
        concerned = [operator for operator in decoders if operator.inputs[0].name == error.output]
    for operator in concerned:
        note = f"in {spoken(operator.kind)} ({operator.name}), defined at {operator.site}"
        # An error that is raised again has it already.
        if operator.site and note not in getattr(error, "__notes__", ()):
            error.add_note(note)


def _clock(samples: int) -> Operator:
    """A source for graphs that have none, of draws and constants: full batches of nothing, without end."""

    def full(_iteration: int) -> np.ndarray:
        return np.zeros((samples, 1), np.uint8)

    nothing = (None,)
    spec = SourceSpec(
        source=full, num_outputs=None, batch=True, parallel=False, dtype=nothing, ndim=nothing, layout=nothing
    )
    operator = Operator(CLOCK, "__Clock", "cpu", (), {}, None, settings=spec)
    operator.node()
    return operator


def _sample_bytes(operator: Operator, source: Source, options: PipelineOptions) -> int:
    if operator.kind == CLOCK or isinstance(source, HeldSource):
        return 0  # no samples of a user's lie in its slots
    return sample_bytes(operator.settings.bytes_per_sample_hint, options.bytes_per_sample, len(operator.outputs))


def _is_parallel(spec: SourceSpec | ReaderSpec, options: PipelineOptions) -> bool:
    """Whether worker processes run it. Readers are run by those that there are."""
    return spec.parallel if isinstance(spec, SourceSpec) else options.py_num_workers > 0


def _make_source(spec: SourceSpec | ReaderSpec, options: PipelineOptions, seed: int, part: BatchPart | None) -> Source:
    if isinstance(spec, ReaderSpec):
        return spec.make_source(seed, options.batch_size)
    return spec.make_source(seed, part)


def _canvas_inputs(operators: list[Operator], column_of: dict[DataNode, int]) -> frozenset[int]:
    return frozenset(column_of[operator.inputs[0]] for operator in operators if needs_canvas(operator))


def _reachable(outputs: list[DataNode]) -> set[Operator]:
    found: set[Operator] = set()
    waiting = list(outputs)
    while waiting:
        operator = waiting.pop().operator
        if operator not in found:
            found.add(operator)
            waiting.extend(operator.dependencies)
    return found


def _columns(
    operator: Operator, source: Source, consumers: dict[DataNode, list[str]], options: PipelineOptions
) -> list[Column]:
    columns = []
    spec: SourceSpec | ReaderSpec = operator.settings
    shelves = source.shelves if isinstance(source, HeldSource) else None
    for node in operator.outputs:
        uses = consumers.get(node, [])
        encoded = any(kind.startswith("decoders.") for kind in uses)
        others = [kind for kind in uses if not kind.startswith("decoders.")]
        if encoded and others:
            raise GraphError(
                f"{node!r}, defined at {operator.site}, is decoded and also used by {', '.join(others)}; files that "
                "are no JPEG are decoded where they are read, so their bytes do not arrive. Return them as another output "
                "of the source."
            )
        # What a reader gives is known to be right, and what is on a shelf was looked at before.
        checked = spec if isinstance(spec, SourceSpec) and shelves is None else None
        dtype = None if checked is None else checked.dtype[node.index]
        columns.append(
            Column(
                name=node.name,
                encoded=encoded,
                dtype=None if dtype == NO_TYPE else dtype,
                ndim=None if checked is None else checked.ndim[node.index],
                layout=spec.layout_of(node.index) if isinstance(spec, SourceSpec) else "",
                max_image_pixels=options.max_image_pixels,
                shelf=None if shelves is None else shelves[node.index],
            )
        )
    return columns
