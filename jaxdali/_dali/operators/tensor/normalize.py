"""Normalizes numbers to mean 0 and deviation 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, FLAG, NUMBER, NUMBERS, integer, numpy_dtype
from ..declaration import PerSample, Static, operator
from ..int64_values import narrow_integers, require_held
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import AXES, LETTERS, extents_of, picked_axes

__all__ = ["normalize"]


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{display_name} got both axes= and axis_names=; give one of them")
    if params["axes"] == ():
        raise ConfigError(f"{display_name}(axes=) expects at least one axis")
    given = [params["mean"], params["stddev"]]
    if params["batch"] and any(one is not None and not isinstance(one, float) for one in given):
        raise ConfigError(
            f"{display_name}(batch=True) takes numbers only as mean= and stddev=; leave them out, or batch="
        )
    named = params["axes"] is not None or params["axis_names"] is not None
    if named and all(isinstance(one, float) for one in given):
        raise ConfigError(
            f"{display_name}: axes= have no meaning where both mean= and stddev= are numbers; leave them out"
        )


@operator(
    "normalize",
    inputs=[ANY],
    params=[
        Static(
            "axes",
            AXES,
            None,
            "axes along which the mean and the standard deviation are computed, counted from 0. By default those "
            "along which `mean` or `stddev` has the extent 1, or all",
        ),
        Static("axis_names", LETTERS, None, "names of these axes in the layout, instead of `axes`"),
        PerSample(
            "mean",
            None,
            "mean to subtract: a number, or an array that is broadcast. By default the mean of the sample",
            NUMBERS,
            ragged=True,
        ),
        PerSample(
            "stddev",
            None,
            "standard deviation to divide by: a number, or an array that is broadcast. By default that of the "
            "sample; where it is 0, the results are 0",
            NUMBERS,
            ragged=True,
        ),
        Static(
            "batch",
            FLAG,
            False,
            "compute the mean and the standard deviation over all samples of the batch; in a branch, over those that take "
            "it",
        ),
        Static(
            "ddof",
            integer(0),
            0,
            "delta degrees of freedom: the sum of squares is divided by the number of elements minus this number",
        ),
        Static("epsilon", NUMBER, 0.0, "number added to the square of the standard deviation"),
        Static("scale", NUMBER, 1.0, "factor by which results are multiplied"),
        Static("shift", NUMBER, 0.0, "number added to the scaled results"),
        Static("dtype", DTYPE, FLOAT, "type of the output. Integers are rounded half away from zero and saturated"),
    ],
    check=_check,
    of_batch=True,
    keeps_extents=True,
)
def normalize(context: Context, value: BatchValue, *, dtype: Any, **params: Any) -> BatchValue:
    """Subtracts the mean and divides by the standard deviation; DALI's `fn.normalize`."""
    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.numeric import moments as statistics

    center, deviation = (_beside(context, value, name, params[name]) for name in ("mean", "stddev"))
    picked = picked_axes(context, value, params["axes"], params["axis_names"], negative=False)
    if picked is None:
        shapes = [one.shape[1:] for one in (center, deviation) if one is not None and one.size != len(one)]
        rank = value.data.ndim - 1
        picked = tuple(axis for axis in range(rank) if all(shape[axis] == 1 for shape in shapes))
    options = {name: params[name] for name in ("batch", "ddof", "epsilon", "scale", "shift")}
    options["taken"] = context.taken() if params["batch"] else None
    found = statistics.normalize(value.data, value.shapes, picked, center=center, deviation=deviation, **options)
    target: Any = numpy_dtype(dtype)
    narrow = narrow_integers(target)
    if narrow is not None:
        require_held(context, found, narrow)
    return BatchValue(round_to_dtype(found, narrow or target), value.shapes, value.layout, target if narrow else None)


def _beside(context: Context, value: BatchValue, name: str, given: object) -> Any:
    """Returns `float32[N or 1, ...]` with the rank of the data, on its canvas; None if not given."""
    import jax.numpy as jnp

    if given is None:
        return None
    rank = value.data.ndim - 1
    if isinstance(given, BatchValue) and given.shapes is not None and given.data.ndim == value.data.ndim:
        return _along(context, value, name, given)
    array = given.data if isinstance(given, BatchValue) else np.asarray(given, np.float32)[None]
    array = jnp.asarray(array, jnp.float32)
    if array.ndim == 1 or array[0].size == 1:
        return array.reshape(len(array), *[1] * rank)
    canvas = value.data.shape[1:]
    fits = array.ndim == value.data.ndim and all(
        have in (1, extent) for have, extent in zip(array.shape[1:], canvas, strict=True)
    )
    if not fits:
        raise GraphError(
            f"{name} of fn.normalize has the shape {array.shape[1:]}, which does not match samples {canvas}"
        )
    return array


def _along(context: Context, value: BatchValue, name: str, given: BatchValue) -> Any:
    """Aligns samples that may differ in shape; along each axis their extent must be that of the data, or 1."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    canvas = value.data.shape[1:]
    wanted = []
    for axis, (have, own) in enumerate(zip(given.data.shape[1:], extents_of(value), strict=True)):
        # An extent that is always 1 is broadcast; one that only happens to be 1 must match.
        wanted.append(1 if have == 1 else canvas[axis])
        if have != 1:
            context.require(
                given.shapes[:, axis] == own,
                f"{name} of fn.normalize must have the extent 1 or that of its sample along axis {axis}",
            )
    return on_canvas(jnp.asarray(given.data, jnp.float32), wanted)
