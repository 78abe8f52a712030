"""Feeds external sources: finds the source of a node or name, and passes data to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from jaxdali._feed.source.push_source import FedSource
from jaxdali.errors import ConfigError, ConfigTypeError, NoInputError, SourceDataError
from ..graph.call import DataNode
from ..graph.graph import Graph
from ..operators.sources.spec import SourceSpec
from ..tensors.gpu_input import lies_on_gpu

__all__ = ["feed_input", "find_input"]


def find_input(graph: Graph, node: str | DataNode) -> SourceSpec:
    """Returns the external source of a node or a name.

    Raises:
        NoInputError: no external source that can be fed has it.
        ConfigTypeError: it is neither.
    """
    specs = {call.name: call.source for call in graph.calls if isinstance(call.source, SourceSpec)}
    fed = [name for name, spec in specs.items() if isinstance(spec.source, FedSource)]
    own = True
    if isinstance(node, DataNode):
        mine = graph.own(node)
        own, name = mine is not None, (node if mine is None else mine).name
    elif isinstance(node, str):
        name = node
    else:
        raise ConfigTypeError(f"feed_input expects the name of an external source, or its node; got {node!r:.80}")
    if own and name in specs and name not in fed:
        raise NoInputError(f"Cannot use `feed_input` on the external source {name!r}: it has a source of its own")
    if not own and name in specs:
        raise NoInputError(
            f"Could not find the input {node!r}: it belongs to another pipeline; give its name, {name!r}"
        )
    if not own or name not in fed:
        raise NoInputError(f"Could not find an input operator with name {name!r}; those that can be fed are {fed}")
    return specs[name]


def feed_input(
    graph: Graph,
    node: str | DataNode,
    data: object,
    layout: str | None,
    batch_size: int,
    cuda_stream: object = None,
    use_copy_kernel: bool = False,
) -> None:
    """Passes a batch to the external source of a node.

    Args:
        layout: the layout of the samples. If the node declares none, the layout of the first batch becomes the node's.

    Raises:
        NoInputError: there is no such external source that can be fed.
        ConfigError: the layout is not the node's; or a stream is given for data in GPU memory that go to the host.
        SourceDataError: `data` is not a batch.
    """
    spec = find_input(graph, node)
    own = spec.layout_of(0)
    declares = bool(layout) and not own and spec.source.untouched
    if layout is not None and layout != own and not declares:
        raise ConfigError(
            f"feed_input got layout={layout!r}, but the external source has {own!r}, from its layout= or from the "
            "first batch that was fed; give all batches the same layout"
        )
    name = node if isinstance(node, str) else node.name
    if spec.on_gpu:
        with _named(name):
            data = spec.holders[0](data, cuda_stream, use_copy_kernel)
    elif cuda_stream is not None and lies_on_gpu(data):
        raise ConfigError(
            'feed_input got data in GPU memory with a cuda_stream= for an external_source with device="cpu"; declare '
            'it with device="gpu", or copy the data to the host yourself'
        )
    with _named(name):
        spec.source.feed(data, batch_size, layout if declares else "")


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Makes errors about data say that they were fed, and to which input."""
    try:
        yield
    except SourceDataError as error:
        raise SourceDataError(f"feed_input({name!r}, data): {error}") from error
