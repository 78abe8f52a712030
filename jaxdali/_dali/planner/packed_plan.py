"""Plans graphs whose clips of videos the video engines of a GPU decode: there, workers pack them instead.

`make_packed_plan` looks for clips that only programs of the device take, asks what the GPU's engines offer, and makes the
plan, whose sources then give packets (`_feed/records/packed_video.py`). What is handed out straight from a reader passes a
program, so that it is on the GPU like all that the device computes. Without engines it is the plan of `make_plan`.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from jaxdali._base.dtypes import UINT8
from jaxdali._feed.records.packed_video import Offered
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._feed.ring.columns import Column, Packed
from jaxdali._feed.source.extra_outputs import ExtendedSource, Reading
from jaxdali._feed.source.parts import BatchPart
from jaxdali._feed.source.source_kinds import Source
from jaxdali._feed.source.video_decoding import VideoReading
from jaxdali._run.executor.decode_ahead.video_offer import gpu_ordinal, offered_by
from jaxdali.errors import BackendUnavailable
from ..graph.call import Call, DataNode
from ..graph.declarations import operator_named
from ..graph.graph import Graph
from ..operators.declaration import declaration_of
from .options import PipelineOptions
from .plan import FeedPlan, Plan, is_read, make_plan

__all__ = ["make_packed_plan", "require_gpu"]

_PACKED = "packed videos"


def make_packed_plan(graph: Graph, options: PipelineOptions, seed: int, part: BatchPart | None, device: Any) -> Plan:
    """Plans a graph, with clips packed where a GPU's engines decode them.

    Args:
        part: see `make_plan`.
        device: the `jax.Device` for the outputs; None for the one that `device_id` selects.

    Raises:
        GraphError, ConfigError: see `make_plan`.
    """
    clips = [] if isinstance(options.py_num_workers, Ray) else _clips(graph.calls)
    ordinal = gpu_ordinal(options.device_id, device) if clips else None
    if ordinal is None:
        return make_plan(graph, options, seed, part)
    plan = make_plan(_handed_over(graph, clips), options, seed, part)
    offered = {} if options.decode_ahead == 0 else offered_by(ordinal)
    measured = {node for nodes in plan.measured.values() for node in nodes}
    packed = [node for node in clips if node not in measured]
    return _with_packed(plan, packed, offered) if offered and packed else plan


def require_gpu(plan: Plan) -> None:
    """Raises BackendUnavailable if a plan without a GPU was made for one."""
    if plan.packs_clips:
        raise BackendUnavailable(
            "workers pack clips of videos for a GPU's video engines, but JAX was set to use no GPU after the pipeline was "
            "started: set it before, or pass decode_ahead=0"
        )


def _clips(calls: Sequence[Call]) -> list[DataNode]:
    """Returns the nodes of clips that are decoded for a GPU, and that no function on the host takes."""
    found = []
    for call in calls:
        if call.device == "cpu" or not call.outputs:
            continue
        # What packs: see `_with_packed`.
        packs = hasattr(getattr(call.source, "data", None), "packing")
        if packs or (is_read(call) and isinstance(_reading(call), VideoReading)):
            users = [user for user in calls if call.outputs[0] in {*user.dependencies}]
            if all(declaration_of(user).on_host is None for user in users):
                found.append(call.outputs[0])
    return found


def _reading(call: Call) -> Reading:
    reading = declaration_of(call).reading
    assert reading is not None
    return reading(call)


def _handed_over(graph: Graph, clips: Collection[DataNode]) -> Graph:
    """Returns the graph with a call between each of these nodes and the user."""
    made: list[Call] = []
    copies: dict[DataNode, DataNode] = {}
    for node in {*clips}.intersection(graph.outputs):
        call = Call(
            operator=operator_named("copy"),
            params={},
            inputs=(node,),
            device="gpu",
            name=node.name,
            site=node.call.site,
        )
        call.add_outputs(None)
        made.append(call)
        copies[node] = call.outputs[0]
    made.sort(key=lambda call: graph.calls.index(call.inputs[0].call))
    return Graph([*graph.calls, *made], [copies.get(node, node) for node in graph.outputs], graph.sinks)


def _with_packed(plan: Plan, clips: Collection[DataNode], offered: Offered) -> Plan:
    feeds, begin = [], 0
    for feed in plan.feeds:
        mine = {plan.column_of[node] - begin: node for node in clips if _origin(node) is feed.call}
        feeds.append(_packed_feed(feed, mine, offered) if mine else feed)
        begin += len(feed.columns)
    return dataclasses.replace(plan, feeds=feeds)


def _origin(node: DataNode) -> Call:
    return node.call if node.call.source is not None else node.call.inputs[0].call


def _packed_feed(feed: FeedPlan, clips: Mapping[int, DataNode], offered: Offered) -> FeedPlan:
    """Returns a feed that packs the clips of some of its columns."""
    columns = [*feed.columns]
    source: Any = copy.copy(feed.source)
    for number, node in clips.items():
        about, factor = columns[number], None
        if node.call.source is None:
            about = dataclasses.replace(about, reading=_offering(about.reading, offered))
        else:
            data = source.data
            source.data, factor = data.packing(offered), data.factor
        columns[number] = _packed(about, factor)
    source = _packed_readings(source, columns, offered)
    source.decodes = _PACKED
    return dataclasses.replace(feed, source=source, columns=columns)


def _packed_readings(source: Source, columns: Sequence[Column], offered: Offered) -> Source:
    if not isinstance(source, ExtendedSource):
        return source
    # Extensions and the columns that begin their values come in the same order.
    readings = [(column.reading, column.packed) for column in columns if column.reading is not None]
    return source.with_readings(
        {number: reading for number, (reading, packed) in enumerate(readings) if packed is not None}
    )


def _offering(reading: Reading | None, offered: Offered) -> Reading:
    assert isinstance(reading, VideoReading)
    return dataclasses.replace(reading, offered=offered)


def _packed(about: Column, factor: float | None) -> Column:
    # As the ring sees them, they are bytes of any number.
    return dataclasses.replace(about, packed=Packed((), factor), dtype=UINT8, ndim=1)
