"""Combines affine maps, and applies them to points."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams
from ..argument_kinds import DTYPE, NUMBERS, Kind, numpy_dtype
from ..declaration import Input, PerSample, Static, operator
from ..image.pixelwise import within_extents
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .maps import REVERSE_ORDER, combined, matrix_of

__all__ = ["combine", "coord_transform"]


@operator(
    "transforms.combine",
    inputs=[
        Input("first", "affine maps, `[d, d + 1]`", takes="maps"),
        Input("others", "maps that are applied after the first one, in this order", takes="maps", several=True),
    ],
    params=[REVERSE_ORDER],
    each_frame="**",
)
def combine(context: Context, *maps: BatchValue, reverse_order: bool) -> BatchValue:
    """Combines several affine maps, applied one after the other, into one, `float32[d, d + 1]`; DALI's operator."""
    from jaxdali._device.image import affine

    matrices = [matrix_of(context, one) for one in maps]
    return combined(context, affine.combine(*(matrices[::-1] if reverse_order else matrices)), None, False)


def _matrix(word: str, value: object) -> tuple[float, ...]:
    numbers = np.ravel(np.asarray(NUMBERS.read(word, value))).tolist()
    if not numbers:
        raise ConfigError(f"{word} must be a number, several, or a node with that, got {value!r:.80}")
    return tuple(numbers)


def _kind(*examples: object) -> Kind:
    return Kind("float | Sequence[float] | np.ndarray", _matrix, examples)


def _either(params: MutableParams) -> MutableParams:
    if params["MT"] is not None and (params["M"] is not None or params["T"] is not None):
        raise ConfigError("fn.coord_transform takes MT=, or M= and T=; got both")
    return params


@operator(
    "coord_transform",
    inputs=[ANY],
    params=[
        PerSample(
            "M",
            None,
            "matrix `[m, n]`, or a number by which all coordinates are multiplied",
            _kind(2.0, np.eye(3)[::-1]),
        ),
        PerSample(
            "T",
            None,
            "offset `[m]` added after the matrix, or one number for all coordinates",
            _kind(0.5, (1.0, 2.0, 3.0)),
        ),
        PerSample(
            "MT",
            None,
            "`M` and `T` in one matrix, `[m, n + 1]`; a number is treated as for `M`",
            _kind(np.eye(3, 4) * 2, np.eye(3, 4)),
        ),
        Static("dtype", DTYPE, FLOAT, "type of the output"),
    ],
    prepare=_either,
    each_frame="",
    keeps_extents=True,
)
def coord_transform(context: Context, value: BatchValue, *, dtype: Any, **params: object) -> BatchValue:
    """Transforms points, whose coordinates are along the last axis: `out = M @ in + T`; DALI's operator.

    See `jaxdali.image.affine.transformed`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image import affine
    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.exact_arithmetic import rounded

    count = value.data.shape[-1]
    if value.data.ndim < 3:
        raise GraphError("fn.coord_transform expects samples of two dimensions or more, the last one of coordinates")
    matrix, added = (_rows(context, name, params[name]) for name in ("M", "T"))
    both = _rows(context, "MT", params["MT"])
    if both is not None and both.shape[1] == 1:
        matrix, both = both, None
    if both is not None:
        both = _shaped(both, count + 1, "MT")
        matrix, added = both[..., :count], both[..., count]
    elif matrix is not None and matrix.shape[1] == 1:
        matrix = matrix[..., None] * np.eye(count, dtype=np.float32)
    elif matrix is not None:
        matrix = _shaped(matrix, count, "M")
    points = value.data.astype(jnp.float32)
    front = (-1, *[1] * (points.ndim - 2))
    if matrix is not None:
        points = affine.transformed(points, jnp.reshape(matrix, (*front, *matrix.shape[1:])))
    if added is not None:
        points = rounded(points + jnp.reshape(added, (*front, added.shape[1])))
    return within_extents(value, round_to_dtype(points, numpy_dtype(dtype)))


def _rows(context: Context, name: str, value: Any) -> Any:
    """Returns `float32[N or 1, K]`; None if the argument was not given."""
    if value is None:
        return None
    if isinstance(context.call.params[name], DataNode):
        return value.reshape(len(value), -1).astype(np.float32)
    return np.asarray([value], np.float32)


def _shaped(rows: Any, columns: int, name: str) -> Any:
    """Reshapes rows to `[N or 1, m, columns]`."""
    if rows.shape[1] % columns:
        raise GraphError(f"{name}= of fn.coord_transform expects rows of {columns} numbers, got {rows.shape[1]} in all")
    return rows.reshape(len(rows), -1, columns)
