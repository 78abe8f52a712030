"""Plans a graph: the columns of its sources, what the device computes, and what is returned unchanged.

`make_plan` takes a `Graph` and the options, and sorts the calls: sources, names of samples that readers tell, what
workers compute where they read (`reading`), and all others. It numbers the columns, source by source, parallel ones
first, and cuts the other calls into subgraphs. Out goes a `Plan`, which is data only: `feed_setup` makes feeds of it,
`device` the stage. It relies on declarations for what a call is, and on subgraphs.py for where a graph is cut.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.cpus import decode_processes
from jaxdali._base.dtypes import NO_TYPE, UINT8
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.source.extra_outputs import ExtendedSource, Extension
from jaxdali._feed.source.gpu_batches import HeldSource
from jaxdali._feed.source.parts import BatchPart
from jaxdali._feed.source.source_kinds import Source
from jaxdali.errors import DecodeError, GraphError
from ..graph.call import Call, DataNode
from ..graph.graph import Graph
from ..operators.declaration import Operator, declaration_of
from ..operators.file_decoding_arguments import Decoding
from ..operators.size_hints import sample_bytes
from ..operators.sources.spec import SourceSpec
from .data_sizes import measure
from .graph_decoding import check_canvases, decoding_of, reads_as_stored, takes_files
from .options import PipelineOptions
from .shared_files import split_files
from .subgraphs import Subgraph, cut

__all__ = ["CLOCK", "FeedPlan", "Plan", "is_read", "make_plan", "note_site"]

# Stands in for a source in graphs that have none.
CLOCK = Operator(name="clock", namespace="")


@dataclasses.dataclass(frozen=True)
class FeedPlan:
    """One source of a plan.

    Attributes:
        call: the call that produces the data.
        depth: the source's prefetch_queue_depth; 0 if it is not parallel.
        length: samples per epoch, over all sources that make samples; None if the sources signal the end themselves.
        sample_bytes: the expected size of a sample; 0 if unknown.
    """

    call: Call
    source: Source
    columns: list[Column]
    parallel: bool
    depth: int
    length: int | None
    sample_bytes: int


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is derived from a graph.

    Attributes:
        feeds: one per source, parallel ones first. The columns of all feeds are numbered consecutively.
        column_of: the column number of each used output of a source, and of each output of a Python function.
        outputs: what `run` returns.
        computed: what is computed from the sources' outputs, in order: `calls` and Python functions.
        subgraphs: these calls, cut where Python functions, or sizes that the host must read, come between programs. Nodes
            that pass the host are numbered after the sources' columns.
        measured: for each call, the nodes that the host must have before the call can be traced.
    """

    feeds: list[FeedPlan]
    column_of: dict[DataNode, int]
    outputs: list[DataNode]
    computed: Sequence[Call] = ()
    subgraphs: Sequence[Subgraph] = ()
    measured: Mapping[Call, Collection[DataNode]] = dataclasses.field(default_factory=dict)

    def cut(self, measured: Mapping[Call, Collection[DataNode]]) -> Plan:
        """Returns the plan with these nodes as `measured`."""
        given = self.given
        sources = {node: number for node, number in self.column_of.items() if number < given}
        functions = [call for call in self.computed if _is_python(call)]
        subgraphs = cut(self.computed, functions, sources, given, self.outputs, measured)
        # Of the nodes that pass the host, only outputs of functions are handed out from there.
        made = enumerate(node for subgraph in subgraphs for node in subgraph.made)
        column_of = {**sources, **{node: given + k for k, node in made if _is_python(node.call)}}
        return dataclasses.replace(self, column_of=column_of, subgraphs=subgraphs, measured=measured)

    @property
    def calls(self) -> list[Call]:
        """What the device computes, in order."""
        return [call for call in self.computed if not _is_python(call)]

    @property
    def given(self) -> int:
        """The number of columns of all feeds."""
        return sum(len(feed.columns) for feed in self.feeds)

    @property
    def on_device(self) -> bool:
        """Whether the device computes anything from what sources give."""
        return bool(self.computed)

    @property
    def device_outputs(self) -> list[DataNode]:
        """The outputs that are computed; others are returned as the source made them."""
        return [node for node in self.outputs if node not in self.column_of]

    @property
    def packs_clips(self) -> bool:
        """Whether clips of videos are packed, for the video engines of a GPU."""
        return any(column.packed is not None for feed in self.feeds for column in feed.columns)

    @property
    def endless(self) -> bool:
        """Whether all data come from readers: then the data have no end, and only iterators have epochs."""
        return all(feed.source.endless for feed in self.feeds)

    @property
    def goes_on(self) -> bool:
        """Whether an epoch that begins before the data have ended continues where the previous one stopped."""
        sources = [feed.source for feed in self.feeds]
        return all(source.endless or source.stateful for source in sources)

    @property
    def samples(self) -> int | None:
        """Samples per epoch if a source declares `__len__` (the smallest of several); None if sources signal the end."""
        return min((feed.length for feed in self.feeds if feed.length is not None), default=None)

    @property
    def decoders(self) -> dict[int, list[Decoding]]:
        """For each column of files, how it is decoded."""
        found: dict[int, list[Decoding]] = {}
        for call in self.calls:
            if (decoding := decoding_of(call)) is not None:
                found.setdefault(self.column_of[call.inputs[0]], []).append(decoding)
        return found


def make_plan(graph: Graph, options: PipelineOptions, seed: int, part: BatchPart | None = None) -> Plan:
    """Plans the calls of a graph.

    Args:
        part: the part of larger batches that the pipeline makes; None for whole batches.

    Raises:
        GraphError: a source is parallel, but there are to be no workers.
        ConfigError: a canvas is larger than `max_canvas_bytes`.
    """
    sources = [call for call in graph.calls if call.source is not None] or [_clock(options.batch_size)]
    told = _told(graph.calls)
    read = [call for call in graph.calls if is_read(call)]
    computed = [call for call in graph.calls if call.source is None and call not in told and call not in read]
    shared = split_files(graph)
    check_canvases(computed, options.batch_size, options.max_canvas_bytes)
    consumers: dict[DataNode, list[Call | None]] = {}
    for call in computed:
        for node in call.dependencies:
            consumers.setdefault(node, []).append(call)
    for node in graph.outputs:
        consumers.setdefault(node, []).append(None)
    # In the order in which they are asked: parallel ones first, as in DALI.
    sources.sort(key=lambda call: not call.source.is_parallel(options.worker_count))
    if any(getattr(call.source, "parallel", False) for call in sources) and options.worker_count == 0:
        raise GraphError(
            "a source is parallel, but py_num_workers was set to `0`: set it to 1 or more, or pass parallel=False"
        )
    made: list[Any] = [call.source.make_source(seed, options.batch_size, part) for call in sources]
    length = min((source.length for source in made if source.length is not None), default=None)
    feeds: list[FeedPlan] = []
    column_of: dict[DataNode, int] = {}
    for call, source in zip(sources, made, strict=True):
        mine = [one for one in read if one.inputs[0].call is call]
        for node in call.outputs:
            column_of[node] = len(column_of)
            wanted = {node} & {*consumers, *(one.inputs[0] for one in mine), *graph.sinks} or call.preserve
            if call.source.all_wanted and call.operator is not CLOCK and not wanted:
                _warn_unused(call, node)
        names = {asked: origin for asked, origin in told.items() if origin.call is call}
        if names:
            source.tell([origin.index for origin in names.values()])
            column_of.update({asked.outputs[0]: len(column_of) + k for k, asked in enumerate(names)})
        more = [node for one in mine for node in one.outputs]
        files = shared.get(call, ())
        column_of.update({node: len(column_of) + k for k, node in enumerate([*more, *files])})
        source = _extended(source, mine, consumers, [node.index for node in files]) if mine or files else source
        parallel = call.source.is_parallel(options.worker_count)
        feeds.append(
            FeedPlan(
                call=call,
                source=source,
                columns=[
                    *_columns(call, call.outputs, source, consumers, options),
                    *_more_columns(names, mine, _decoders(call, source, options)),
                    *_columns(call, files, source, consumers, options),
                ],
                parallel=parallel,
                depth=(call.source.prefetch_queue_depth or 1) if parallel else 0,
                length=None if source.batch_mode or source.endless else length,
                sample_bytes=_sample_bytes(call, source, options),
            )
        )
    return Plan(feeds, column_of, graph.outputs, computed).cut(measure(computed))


def _told(calls: Sequence[Call]) -> dict[Call, DataNode]:
    """Returns the calls that give the names of samples, which readers know, each with the reader's output that it
    names.
    """
    found: dict[Call, DataNode] = {}
    for call in calls:
        operator = declaration_of(call)
        origin = operator.sample_name_of(call) if call.source is None and operator.sample_name_of is not None else None
        if origin is not None:
            found[call] = origin
    return found


def _more_columns(names: Iterable[Call], made: Iterable[Call], decoders: int) -> list[Column]:
    """Makes the columns of the sample names that were asked for, and of what is computed where samples are read."""
    columns = [Column(name=asked.outputs[0].name, dtype=UINT8, ndim=1) for asked in names]
    for call in made:
        reading = declaration_of(call).reading
        assert reading is not None
        for node in call.outputs:
            how = reading(call) if node.index == 0 else None
            columns.append(Column(name=node.name, declared_layout=_layout_of(node), decoders=decoders, reading=how))
    return columns


def _layout_of(node: DataNode) -> str:
    """Returns the declared layout of an output that is computed where samples are read."""
    operator = declaration_of(node.call)
    return "" if operator.layouts is None else operator.layouts(node.call.params)[node.index]


def is_read(call: Call) -> bool:
    """Whether a call is computed where its samples are read."""
    operator = declaration_of(call)
    # Workers know no nodes, so arguments that are nodes rule this out.
    plain = operator.reading is not None and len(call.operands) == len(call.inputs)
    return plain and call.inputs[0].call.source is not None


def _extended(
    source: Source, calls: Sequence[Call], consumers: Mapping[DataNode, object], repeated: Sequence[int]
) -> Source:
    """Returns a source that also computes these calls where it reads its samples, and gives some outputs once more."""
    found = []
    for call in calls:
        reading = declaration_of(call).reading
        assert reading is not None
        found.append(Extension(call.inputs[0].index, reading(call), len(call.outputs)))
    # `consumers` has the nodes that are also used otherwise.
    taken = {call.inputs[0] for call in calls}
    return ExtendedSource(source, found, sorted(node.index for node in taken if node not in consumers), repeated)


def _is_python(call: Call) -> bool:
    operator = declaration_of(call)
    return operator.on_host is not None


def note_site(error: BaseException, plan: Plan, feed: int | None) -> None:
    """Adds a note to an error: where the failed source was written, or the decoder of files that cannot be decoded.

    Args:
        feed: index of the source that failed; None if none did.
    """
    concerned: list[Call] = []
    if feed is not None:
        concerned = [plan.feeds[feed].call]
    elif isinstance(error, DecodeError):
        decoders = [call for call in plan.calls if decoding_of(call) is not None]
        concerned = [call for call in decoders if call.inputs[0].name == error.output]
    for call in concerned:
        note = f"in {call.description}"
        # An error that is raised again has the note already.
        if call.site and note not in getattr(error, "__notes__", ()):
            error.add_note(note)


def _warn_unused(call: Call, node: DataNode) -> None:
    warnings.warn(
        f"the external_source {call.name!r}, defined at {call.site}, produces {len(call.outputs)} outputs, but the output "
        f"at the index {node.index} is not used",
        stacklevel=3,
    )


def _clock(samples: int) -> Call:
    """Makes a source for graphs that have none because they only draw numbers and constants: full batches of nothing,
    without end.
    """

    def full(_iteration: int) -> np.ndarray:
        return np.zeros((samples, 1), np.uint8)

    nothing = (None,)
    spec = SourceSpec(
        source=full, num_outputs=None, batch=True, parallel=False, dtype=nothing, ndim=nothing, layout=nothing
    )
    call = Call(operator=CLOCK, params={}, name="__Clock", source=spec)
    call.add_outputs(None)
    return call


def _sample_bytes(call: Call, source: Source, options: PipelineOptions) -> int:
    if call.operator is CLOCK or isinstance(source, HeldSource):
        return 0  # its slots hold no user data
    return sample_bytes(call.source.bytes_per_sample_hint, options.bytes_per_sample, len(call.outputs))


def _decoders(call: Call, source: Source, options: PipelineOptions) -> int:
    """Returns how many processes decode the files that a source has stored; 1: those that run it."""
    wanted = decode_processes(options.num_threads)
    workers = options.worker_count if call.source.is_parallel(options.worker_count) else 1
    return 1 if source.spreads or wanted <= workers or not options.worker_count else wanted


def _columns(
    call: Call,
    outputs: Sequence[DataNode],
    source: Source,
    consumers: dict[DataNode, list[Call | None]],
    options: PipelineOptions,
) -> list[Column]:
    columns, decoders = [], _decoders(call, source, options)
    threads = 1 if options.worker_count else decode_processes(options.num_threads)
    held_batches = source.held_batches if isinstance(source, HeldSource) else None
    for node in outputs:
        uses = consumers.get(node, [])
        encoded = any(user is not None and takes_files(user) and user.inputs[0] is node for user in uses)
        dtype, ndim, layout = call.source.declared(node.index)
        # Held batches were checked when they were taken from the source.
        held = held_batches is not None
        columns.append(
            Column(
                name=node.name,
                encoded=encoded,
                dtype=None if held or dtype == NO_TYPE else dtype,
                ndim=None if held else ndim,
                declared_layout=layout,
                fed=call.source.fed,
                max_image_pixels=options.max_image_pixels,
                decoders=decoders,
                threads=threads if encoded else 1,
                as_stored=encoded and reads_as_stored(node, [user for user in uses if user is not None]),
                held_batches=None if held_batches is None else held_batches[node.index],
            )
        )
    return columns
