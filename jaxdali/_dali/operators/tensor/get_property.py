"""Returns what is known about samples besides their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import Call, DataNode, Params
from ..argument_kinds import choice
from ..declaration import REQUIRED, Static, declaration_of, operator
from ..operator_inputs import ANY
from ..sources.reader_spec import ReaderSpec
from ..values import BatchValue, Context

__all__ = ["get_property"]


def _origin(node: DataNode) -> DataNode | None:
    """Returns the reader's output from which a node's samples are made, along first inputs; None if there is none.

    Raises:
        GraphError: a sample is made from several samples.
    """
    while node.call.source is None:
        call = node.call
        operator = declaration_of(call)
        if operator.mixes:
            raise GraphError(
                f'fn.get_property(key="source_info"): {operator.display_name}, at {call.site}, mixes the samples of a '
                "batch; get "
                "the property before it, and pass it through the operator, too"
            )
        if operator.joins:
            origins = {_origin(call.inputs[number]) for number in operator.joins}
            if len(origins) > 1:
                raise GraphError(
                    f'fn.get_property(key="source_info"): {operator.display_name}, at {call.site}, gives samples of several '
                    "sources; ask in each of the branches"
                )
            return origins.pop()
        if not call.inputs:
            return None
        node = call.inputs[0]
    return node if isinstance(node.call.source, ReaderSpec) else None


def _told(call: Call) -> DataNode | None:
    return _origin(call.inputs[0]) if call.params["key"] == "source_info" else None


def _check(_display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["key"] == "source_info":
        _origin(inputs[0])


@operator(
    "get_property",
    inputs=[ANY],
    params=[
        Static(
            "key",
            choice("layout", "source_info"),
            REQUIRED,
            '"layout": the layout of the samples. "source_info": the reader\'s name for the data from which the '
            "samples were made, following first inputs. For a file it is the path, relative to the reader's "
            "`file_root` if it has one. For a record it is the file and the position in it. Labels that accompany "
            "files have none, nor do outputs of external sources",
        )
    ],
    check=_check,
    sample_name_of=_told,
)
def get_property(context: Context, value: BatchValue, *, key: str) -> BatchValue:
    """Returns a property of samples as bytes, `uint8[n]`; DALI's `fn.get_property`."""
    import jax.numpy as jnp

    letters = np.frombuffer(value.layout.encode() if key == "layout" else b"", np.uint8)
    return BatchValue(jnp.broadcast_to(letters, (context.samples, len(letters))))
