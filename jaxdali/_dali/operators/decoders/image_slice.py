"""Decodes windows of images, given by where they begin and end."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..declaration import Input
from ..image.slicing import SLICE, cut_slice, read_slice, slice_extents, slice_limits
from ..lazy import Lazy
from ..values import BatchValue, Context, EncodedValue, ImagesValue
from .decoder_inputs import image_decoder, open_files, window_steps

__all__ = ["image_slice"]


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, _device: str | None) -> None:
    named = [
        name for name in ("start", "rel_start", "end", "rel_end", "shape", "rel_shape") if params[name] is not None
    ]
    if len(inputs) == 2 or (len(inputs) == 3 and named):
        got = f"both inputs and {named[0]}=" if named else "an anchor alone"
        raise GraphError(
            f"{display_name} takes its windows as two inputs, anchor and shape, or by arguments; got {got}"
        )


@image_decoder(
    "decoders.image_slice",
    Input("anchor", "where each window begins, one number for each of `axes`", takes="windows", optional=True),
    Input("shape_input", "extents of the window, likewise", takes="windows", optional=True),
    params=SLICE,
    prepare=read_slice,
    check=_check,
    lazy=Lazy(window_steps, slice_extents, slice_limits),
)
def image_slice(
    context: Context,
    files: EncodedValue,
    anchor: BatchValue | None = None,
    shape_input: BatchValue | None = None,
    **params: object,
) -> ImagesValue:
    """Decodes a window of each image; DALI's `fn.decoders.image_slice`. Only the window is decoded.

    What is not given is the image's own edge. Numbers of pixels are rounded, halves upwards. A window that leaves its image
    is a SourceDataError where the batch is handed out. Floats of the inputs are fractions of the image, as
    `normalized_anchor` and `normalized_shape` say.
    """
    inputs = [one.data for one in (anchor, shape_input) if one is not None]
    return cut_slice(context, open_files(context, files), params, inputs)
