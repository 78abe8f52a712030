"""Converts classes to vectors, and looks numbers up in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..argument_kinds import DTYPE, NUMBER, NUMBERS, Kind, integer, numpy_dtype
from ..c_conversion import stored
from ..declaration import Old, Static, operator
from ..int64_values import narrow_integers, require_held
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import AXIS, INTEGERS, LETTER, extents_of, shapes_of

__all__ = ["lookup_table", "one_hot"]


@operator(
    "one_hot",
    inputs=[ANY],
    params=[
        Static("num_classes", integer(0, (1 << 31) - 1), 0, "extent of the new axis"),
        Static(
            "axis",
            AXIS,
            None,
            "position of the new axis in the output; -1 or not given: after the others. If it is not given, samples "
            "with a single number are treated as scalars, regardless of their dimensions",
        ),
        Static(
            "axis_name",
            LETTER,
            None,
            "name of the new axis in the layout; if it is not given, the output has no layout",
        ),
        Static("dtype", DTYPE, FLOAT, "type of the output"),
        Static(
            "on_value",
            NUMBER,
            1.0,
            "value at the position of the class. For integer types, fractions are cut off and numbers wrap around",
        ),
        Static("off_value", NUMBER, 0.0, "value at all other positions, converted in the same way"),
    ],
)
def one_hot(
    context: Context,
    value: BatchValue,
    *,
    num_classes: int,
    axis: int | None,
    axis_name: str | None,
    dtype: Any,
    on_value: float,
    off_value: float,
) -> BatchValue:
    """Converts each number to a vector with a different value at the position of its class; DALI's `fn.one_hot`.

    A number that is not a class gives a vector without this value. The fraction of floats is cut off.
    """
    import jax
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    data, extents = value.data, extents_of(value)
    if axis is None and all(extent == 1 for extent in data.shape[1:]):
        data, extents = data.reshape(len(data)), []
    rank = len(extents)
    if axis is not None and not -1 <= axis <= rank:
        raise GraphError(f"axis={axis} of fn.one_hot is out of range: -1 to {rank}")
    place = rank if axis in (None, -1) else axis
    if axis_name is not None and rank and not value.layout:
        raise GraphError("axis_name of fn.one_hot needs an input with a layout")
    target: Any = np.dtype(jax.dtypes.canonicalize_dtype(numpy_dtype(dtype)))
    classes = _indices(data, num_classes)
    places = jnp.arange(num_classes, dtype=jnp.int32).reshape(num_classes, *[1] * (rank - place))
    hit = jnp.expand_dims(classes, place + 1) == places
    found = jnp.where(hit, stored(on_value, target), stored(off_value, target))
    extents.insert(place, num_classes)
    shapes = shapes_of(extents, len(data))
    layout = (
        "" if axis_name is None else f"{value.layout[:place]}{axis_name}{value.layout[place:]}" if rank else axis_name
    )
    wide: Any = numpy_dtype(dtype) if target != numpy_dtype(dtype) and target.kind in "iu" else None
    return BatchValue(outside_filled(found, shapes), shapes, layout, wide)


_LARGEST_KEY = (1 << 16) - 1


def _keys(word: str, value: object) -> tuple[int, ...]:
    keys = INTEGERS.read(word, value)
    if any(not 0 <= key <= _LARGEST_KEY for key in keys):
        raise ConfigError(f"{word} must be integers from 0 to {_LARGEST_KEY}, got {value!r:.80}")
    return keys


def _values(word: str, value: Any) -> tuple[float, ...]:
    read = NUMBERS.read(word, value if np.size(value) else ())
    values = read if isinstance(read, tuple) else (read,)
    if any(isinstance(one, tuple) for one in values):
        raise ConfigError(f"{word} must be numbers, got {value!r:.80}")
    return values


def _check(display_name: str, _inputs: Sequence[DataNode], params: Any, _device: object) -> None:
    if len(params["keys"]) != len(params["values"]):
        raise ConfigError(
            f"{display_name} got {len(params['keys'])} keys and {len(params['values'])} values; give the same number of both"
        )


@operator(
    "lookup_table",
    inputs=[ANY],
    params=[
        Static(
            "keys",
            Kind("int | Sequence[int]", _keys, ((1, 2), (5, 3))),
            (),
            "numbers to replace, from 0 to 65535; if a key occurs more than once, the last one counts",
        ),
        Static(
            "values",
            Kind("float | Sequence[float]", _values, ((1.0, 2.5), (3.0, 4.0))),
            (),
            "replacement for each of the keys",
        ),
        Static("default_value", NUMBER, 0.0, "replacement for all other numbers"),
        Static("dtype", DTYPE, FLOAT, "type of the output"),
    ],
    old={"output_dtype": Old(now="dtype")},
    check=_check,
    keeps_extents=True,
)
def lookup_table(
    context: Context, value: BatchValue, *, keys: Any, values: Any, default_value: float, dtype: Any
) -> BatchValue:
    """Replaces integers according to a table; DALI's `fn.lookup_table`. Values are rounded half away from zero."""
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.numeric.ragged import outside_filled

    data = value.data
    if data.dtype.kind not in "iu":
        raise GraphError(f"fn.lookup_table expects integers, got {data.dtype}; use fn.cast")
    count = max(keys, default=-1) + 1
    table = np.full(count + 1, default_value, np.float32)
    table[list(keys)] = values
    target: Any = numpy_dtype(dtype)
    narrow = narrow_integers(target)
    if narrow is not None:
        require_held(context, jnp.broadcast_to(jnp.asarray(table), (len(data), len(table))), narrow)
    places = _indices(data, count)
    found = round_to_dtype(table, target if narrow is None else narrow)[jnp.where(places < 0, count, places)]
    wide = None if narrow is None else target
    return BatchValue(outside_filled(found, value.shapes), value.shapes, value.layout, wide)


def _indices(data: Any, count: int) -> Any:
    """Returns numbers as `int32`: truncated, with -1 for those below 0, and `count` for `count` and above."""
    import jax.numpy as jnp

    if data.dtype == bool:
        return data.astype(jnp.int32)
    if data.dtype.kind in "iu":
        limits = np.iinfo(data.dtype)
        return jnp.clip(data, max(-1, int(limits.min)), min(count, int(limits.max))).astype(jnp.int32)
    whole = jnp.trunc(data.astype(jnp.float32))
    return jnp.where(whole >= count, count, jnp.where(whole >= 0, whole, -1)).astype(jnp.int32)
