"""A graph, sorted out: what comes from which source, what the device computes, what is returned as it came."""

from __future__ import annotations

import dataclasses

from ..errors import GraphError
from ..source.kinds import SampleSource
from ..types import NO_TYPE
from ..workers.columns import Column
from .node import DataNode, Operator
from .options import PipelineOptions
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["FeedPlan", "Plan", "make_plan"]


@dataclasses.dataclass(frozen=True)
class FeedPlan:
    """The sources that share a ring."""

    parallel: bool
    sources: list[SampleSource]
    columns: list[Column]
    depth: int  # the largest prefetch_queue_depth of the sources
    sample_bytes: int


@dataclasses.dataclass(frozen=True)
class Plan:
    """
    Attributes:
        feeds: parallel sources first; their columns, one behind the other, are numbered.
        column_of: number of the column of each output of a source that is used.
        inputs: columns that the device function takes.
        operators: what the device computes, in order.
        outputs: what `run` returns.
    """

    feeds: list[FeedPlan]
    column_of: dict[DataNode, int]
    inputs: list[int]
    operators: list[Operator]
    outputs: list[DataNode]

    @property
    def device_outputs(self) -> list[DataNode]:
        """Outputs that are computed; the others are returned as the source made them."""
        return [node for node in self.outputs if node not in self.column_of]


def make_plan(graph: Graph, options: PipelineOptions, seed: int) -> Plan:
    """Plans the operators that the outputs need; others are not run, and their sources not called.

    Args:
        seed: of the random numbers that sources are given.

    Raises:
        GraphError: no source; files that are used otherwise than by a decoder.
    """
    if graph.outputs is None:
        raise GraphError("the pipeline has no outputs; return them from its function, or call set_outputs")
    outputs = graph.outputs
    used = _reachable(outputs)
    sources = [op for op in graph.operators if op in used and op.kind == "external_source"]
    if not sources:
        raise GraphError("the pipeline has no source of data; add an fn.external_source to it")
    operators = [op for op in graph.operators if op in used and op.kind != "external_source"]
    consumers: dict[DataNode, list[str]] = {}
    for operator in operators:
        for node in operator.dependencies:
            consumers.setdefault(node, []).append(operator.kind)
    for node in outputs:
        consumers.setdefault(node, []).append("return")
    feeds: list[FeedPlan] = []
    column_of: dict[DataNode, int] = {}
    for parallel in (True, False):
        group = [op for op in sources if op.settings.parallel is parallel]
        if not group:
            continue
        if parallel and options.py_num_workers == 0:
            raise GraphError(
                "a source is parallel, but py_num_workers was set to `0`: set it to 1 or more, or pass parallel=False"
            )
        for operator in group:
            for node in operator.outputs:
                column_of[node] = len(column_of)
        feeds.append(_plan_feed(group, parallel, consumers, options, seed))
    taken = {node for op in operators for node in op.dependencies if node in column_of}
    inputs = sorted(column_of[node] for node in taken)
    return Plan(feeds, column_of, inputs, operators, outputs)


def _reachable(outputs: list[DataNode]) -> set[Operator]:
    found: set[Operator] = set()
    waiting = list(outputs)
    while waiting:
        operator = waiting.pop().operator
        if operator not in found:
            found.add(operator)
            waiting.extend(operator.dependencies)
    return found


def _plan_feed(
    group: list[Operator], parallel: bool, consumers: dict[DataNode, list[str]], options: PipelineOptions, seed: int
) -> FeedPlan:
    specs: list[SourceSpec] = [op.settings for op in group]
    columns = []
    for operator, spec in zip(group, specs, strict=True):
        for node in operator.outputs:
            uses = consumers.get(node, [])
            encoded = any(kind.startswith("decoders.") for kind in uses)
            others = [kind for kind in uses if not kind.startswith("decoders.")]
            if encoded and others:
                raise GraphError(
                    f"{node!r} is decoded and also used by {', '.join(others)}; files that are no JPEG are decoded where "
                    "they are read, so their bytes do not arrive. Return them as another output of the source."
                )
            dtype = spec.dtype[node.index]
            columns.append(
                Column(
                    name=node.name,
                    encoded=encoded,
                    dtype=None if dtype == NO_TYPE else dtype,
                    ndim=spec.ndim[node.index],
                    layout=spec.layout[node.index] or "",
                    max_image_pixels=options.max_image_pixels,
                )
            )
    return FeedPlan(
        parallel=parallel,
        sources=[spec.make_source(seed) for spec in specs],
        columns=columns,
        depth=max(spec.prefetch_queue_depth or 1 for spec in specs) if parallel else 0,
        sample_bytes=sum(spec.bytes_per_sample_hint or 0 for spec in specs),
    )
