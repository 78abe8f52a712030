"""Decodes NumPy's files that are given as bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._feed.records.foreign import said
from jaxdali.errors import SourceDataError
from ...graph.call import Call
from ...graph.declarations import declare
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import Input, Operator, Static

__all__ = ["numpy_decoder"]


def _decode(call: Call, inputs: Sequence[Sequence[np.ndarray]], samples: int) -> list[list[np.ndarray]]:
    target = numpy_dtype(call.params["dtype"])
    found = [_array(call, number, inputs[0][number], target) for number in range(samples)]
    for number, array in enumerate(found):
        if (array.dtype, array.ndim) != (found[0].dtype, found[0].ndim):
            raise SourceDataError(
                f"{call.description}, expects arrays of one type and number of axes: the first is {found[0].dtype} with "
                f"{found[0].ndim}, sample {number} is {array.dtype} with {array.ndim}; dtype= makes one type of them"
            )
    return [found]


def _array(call: Call, number: int, content: np.ndarray, target: np.dtype | None) -> np.ndarray:
    """Returns the array of a sample.

    Raises:
        SourceDataError: it is not a NumPy file, is truncated, or holds something other than numbers and bools.
    """
    where = f"sample {number} of {call.description},"
    if content.dtype != np.uint8 or content.ndim != 1:
        raise SourceDataError(
            f"{where} is {content.dtype}{list(content.shape)}; expected the bytes of a file, uint8[n]"
        )
    stream = io.BytesIO(content.tobytes())
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(stream)
    except Exception as error:  # Python's parser and tokenizer, and NumPy's of types, raise nearly every kind
        if raised_by_handler(error):
            raise
        raise SourceDataError(f"{where} is not a .npy file: {said(error)}") from None
    if any(extent < 0 for extent in shape):
        raise SourceDataError(f"{where} says that it has the shape {list(shape)!r:.80}; it is damaged")
    if dtype.kind not in "buif" or dtype.itemsize > 8:
        raise SourceDataError(f"{where} holds {dtype}; expected bool, integers, or floats of 16 to 64 bits")
    count, there = math.prod(shape), len(content) - stream.tell()
    if count * dtype.itemsize != there:
        raise SourceDataError(
            f"{where} says that it holds {dtype}{list(shape)}, {count * dtype.itemsize} bytes, and has {there}; it is cut "
            "off, or damaged"
        )
    array = content[stream.tell() :].view(dtype).reshape(shape[:: -1 if fortran else 1])
    array = np.ascontiguousarray(array.T if fortran else array, dtype.newbyteorder("=")).reshape(shape)
    return array if target is None else _converted(array, target)


def _converted(array: np.ndarray, target: np.dtype) -> np.ndarray:
    """Converts floats to the nearest integer, halves away from zero; saturates what is out of range."""
    if target.kind == "f" or array.dtype == target:
        return array.astype(target)
    if array.dtype.kind == "f":
        wide = array.astype(np.float64)
        array = np.trunc(wide + np.copysign(0.5, wide))
        array = np.where(np.abs(wide) >= 1 << 52, wide, np.nan_to_num(array, nan=0.0, posinf=np.inf, neginf=-np.inf))
    if target.kind == "b":
        return array != 0
    limits, kept = np.iinfo(target), np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
    if array.dtype.kind == "b":
        return array.astype(target)
    if kept is None:
        # The limits of 64-bit types are not exact as floats.
        inside = np.clip(array, float(limits.min), np.nextafter(float(limits.max) + 1, 0))
        found = inside.astype(target)
        return np.where(array >= float(limits.max), target.type(limits.max), found)
    return np.clip(array, max(limits.min, kept.min), min(limits.max, kept.max)).astype(target)


numpy_decoder = declare(
    Operator(
        name="decoders.numpy",
        doc="""Decodes NumPy's files that are there as bytes; DALI's `fn.decoders.numpy`.

    Files are read when the batch is computed, one after the other, on the thread that takes batches. Samples may differ in
    shape. Where the files are on disk `fn.readers.numpy` has workers read them.
    """,
        inputs=[Input("data", "the bytes of a .npy file, `uint8[n]`", takes="npy")],
        params=[
            Static(
                "dtype",
                DTYPE,
                None,
                "that of the output; integers are rounded half away from zero and saturated. None: that of the files,"
                " which all files of a batch must then share",
            )
        ],
        devices=("cpu",),
        raises={
            "SourceDataError": "a sample is no such file, or those of a batch differ in type or number of axes; when the "
            "batch is handed out"
        },
        on_host=_decode,
        layouts=lambda _params: [""],
    )
)
