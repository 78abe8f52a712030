"""Returns the shapes of samples."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from jaxdali._base.dtypes import INT64
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import Old, Static, operator
from ..int64_values import wide_type
from ..operator_inputs import ANY
from ..values import BatchValue, Context

__all__ = ["shape"]


@operator(
    "shape",
    namespace="",
    display="shape()",
    inputs=[dataclasses.replace(ANY, computed=False)],
    params=[Static("dtype", DTYPE, INT64, "type of the output")],
    old={"type": Old(now="dtype")},
)
def shape(context: Context, value: BatchValue, *, dtype: Any) -> BatchValue:
    """Returns the shape of each sample, `[ndim]`."""
    import jax
    import jax.numpy as jnp

    shapes = jnp.asarray(value.data.shape[1:], jnp.int32) if value.shapes is None else value.shapes
    shapes = jnp.broadcast_to(shapes, (context.samples, value.data.ndim - 1))
    target: Any = numpy_dtype(dtype)
    made = BatchValue(shapes.astype(jax.dtypes.canonicalize_dtype(target)), wide=wide_type(target))
    return made.bounded(np.asarray(value.data.shape[1:], np.float64))
