"""Erases parts of samples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..argument_kinds import FILL, FLAG, NUMBERS, Kind
from ..declaration import PerSample, Static, operator
from ..operator_inputs import ANY
from ..random.draw_arguments import row_of_each
from ..tensor.sample_axes import column_of
from ..values import BatchValue, Context

__all__ = ["erase"]


def _numbers(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not values or not all(isinstance(entry, float) for entry in values):
        raise ConfigError(f"{word} must be a number, several, or a node with that, got {value!r:.80}")
    return values


def _axes(word: str, value: Any) -> tuple[int, ...]:
    axes = tuple(np.ravel(value).tolist()) if np.asarray(value).dtype.kind in "iu" else ()
    if not axes or len(set(axes)) != len(axes) or min(axes) < 0:
        raise ConfigError(f"{word} must be axes of the samples, from 0 on, got {value!r:.80}")
    return axes


def _names(word: str, value: object) -> str:
    if not isinstance(value, str) or not value or len(set(value)) != len(value):
        raise ConfigError(f'{word} must be names of axes, such as "HW", got {value!r:.80}')
    return value


def _kind(*examples: object) -> Kind:
    return Kind("float | Sequence[float]", _numbers, examples)


@operator(
    "erase",
    inputs=[ANY],
    params=[
        PerSample(
            "anchor",
            None,
            "where each region begins, a number for each axis, region after region",
            _kind((1, 2), (2, 1)),
            ragged=True,
        ),
        PerSample("shape", None, "extents of each region, likewise", _kind((2, 3), (3, 1)), ragged=True),
        PerSample("fill_value", (0.0,), "the level of erased pixels, a number or one per channel", FILL),
        Static(
            "axes", Kind("int | Sequence[int]", _axes, ((0, 1), (1, 0))), None, "the axes that the numbers refer to"
        ),
        Static("axis_names", Kind("str", _names, ("HW", "WH")), "HW", "the same axes by the names of the layout"),
        Static("normalized", FLAG, False, "whether `anchor` and `shape` are fractions of the sample"),
        Static("normalized_anchor", FLAG, False, "whether `anchor` is a fraction of the sample"),
        Static("normalized_shape", FLAG, False, "whether `shape` is a fraction of the sample"),
        Static("centered_anchor", FLAG, False, "whether `anchor` is the centre of a region, not its corner"),
    ],
    keeps_extents=True,
)
def erase(
    context: Context, value: BatchValue, *, axes: object, axis_names: str, fill_value: object, **params: object
) -> BatchValue:
    """Fills regions of each sample with `fill_value`; DALI's operator.

    A region extends from `anchor` to `anchor + shape`, both truncated to whole pixels, and is clipped to the sample.
    Fractions of a fill value are cut off for integers.

    `fn.erase(images, anchor=(10, 20), shape=(50, 60))` makes rows 10 to 59 of columns 20 to 79 black.
    `fn.erase(images, anchor=(0, 0, 0.5, 0.5), shape=(0.25, 0.25, 0.5, 0.5), normalized=True, fill_value=(255, 0, 0))`
    makes two regions red: one in the top left corner, and the quarter at the bottom right.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.exact_arithmetic import product, rounded

    places = _places(value, axes, axis_names)
    given = {name: params[name] for name in ("anchor", "shape") if params[name] is not None}
    if "shape" not in given:
        if given:
            raise GraphError("fn.erase got anchor= but no shape=")
        return value
    parts, there = _parts(context, given, len(places))
    shape, anchor = parts["shape"], parts.get("anchor", jnp.zeros_like(parts["shape"]))
    shapes = jnp.asarray([value.data.shape[1:]]) if value.shapes is None else value.shapes
    extents = jnp.stack([shapes[:, place] for place in places], axis=1)[:, None]
    if params["normalized"] or params["normalized_anchor"]:
        anchor = product(anchor, extents.astype(jnp.float32))
    if params["normalized"] or params["normalized_shape"]:
        shape = product(jnp.asarray(shape), extents.astype(jnp.float32))
    if params["centered_anchor"]:
        anchor = rounded(anchor - product(jnp.asarray(shape), np.float32(0.5)))
    # Truncates to integers; clips before integers would overflow.
    start, end = (jnp.clip(edge, -(1 << 30), 1 << 30).astype(jnp.int32) for edge in (anchor, rounded(anchor + shape)))
    end = end if there is None else jnp.where(there[..., None], end, 0)
    fill = _fill(context, value, fill_value)
    if jnp.issubdtype(value.data.dtype, jnp.integer):
        fill = jnp.trunc(fill)
    data = _filled(value.data, places, start, jnp.minimum(end, extents), round_to_dtype(fill, value.data.dtype))
    return BatchValue(data, value.shapes, value.layout, value.wide)


def _filled(data: Any, axes: tuple[int, ...], start: Any, end: Any, fill: Any) -> Any:
    """Returns `data` with `fill`, which broadcasts against it, in the parts between `int32[N or 1, parts, axes]`."""
    import jax.numpy as jnp

    # Merges the last of the axes with all axes behind it: compilers for CPUs do badly with loops over three channels.
    last = max(axes)
    behind = math.prod(data.shape[last + 2 :])
    joined = (*data.shape[: last + 1], data.shape[last + 1] * behind)
    times = np.asarray([behind if axis == last else 1 for axis in axes], np.int32)
    most = np.asarray([data.shape[axis + 1] for axis in axes], np.int32)
    edges = [jnp.clip(edge, 0, most) * times for edge in (start, end)]
    if math.prod(fill.shape[last + 1 :]) > 1:
        fill = jnp.broadcast_to(fill, (*fill.shape[: last + 1], *data.shape[last + 1 :]))
    fill = fill.reshape(*fill.shape[: last + 1], -1)
    return jnp.where(_inside(joined, axes, *edges), fill, data.reshape(joined)).reshape(data.shape)


def _inside(shape: tuple[int, ...], axes: tuple[int, ...], start: Any, end: Any) -> Any:
    """Returns which numbers of samples `[N, ...]` are in one of the parts between `int32[N or 1, parts, axes]`."""
    import jax.numpy as jnp

    from jaxdali._device.image.barrier import materialize

    # Stored as bytes: one operation then combines 32 of them, and compares only eight numbers.
    along = []
    for column, axis in enumerate(axes):
        place = jnp.arange(shape[axis + 1], dtype=jnp.int32)
        low, high = (edge[:, :, column, None] for edge in (start, end))
        along.append(materialize((place >= low) & (place < high)))
    erased: Any = jnp.zeros((), bool)
    for part in range(start.shape[1]):
        inside: Any = True
        for axis, flags in zip(axes, along, strict=True):
            room = [1] * len(shape)
            room[0], room[axis + 1] = len(flags), shape[axis + 1]
            inside &= flags[:, part].reshape(room)
        erased |= inside
    return erased


def _places(value: BatchValue, axes: Any, names: str) -> tuple[int, ...]:
    """Returns the axes of a sample that the numbers refer to."""
    if axes is None:
        layout = value.layout or "HW"
        axes = tuple(layout.find(name) for name in names)
    if not all(0 <= axis < value.data.ndim - 1 for axis in axes):
        raise GraphError(
            f'fn.erase got axes that samples of layout "{value.layout}" and {value.data.ndim - 1} dimensions do not '
            f'have: axes={axes}, axis_names="{names}"'
        )
    return axes


def _parts(context: Context, given: dict[str, Any], axes: int) -> tuple[dict[str, Any], Any]:
    """Returns the arguments as `float32[N or 1, parts, axes]`, and which of the parts a sample has, `bool[N, parts]`; None
    if each sample has all of them.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    rows, counts = {}, {}
    for name, one in given.items():
        of_node = isinstance(one, BatchValue)
        rows[name], counts[name] = row_of_each(one) if of_node else (np.asarray([one], np.float32), len(one))
    if all(isinstance(count, int) for count in counts.values()):
        if len({*counts.values()}) > 1 or counts["shape"] % axes:
            found = " and ".join(f"{count} of {name}=" for name, count in counts.items())
            raise GraphError(
                f"fn.erase expects {axes} number(s) per part, and as many of anchor= as of shape=; got {found}"
            )
    columns = [column_of(counts.get(name, counts["shape"]), context.samples) for name in ("anchor", "shape")]
    context.require(
        (columns[0] == columns[1]) & (columns[1] % axes == 0),
        f"fn.erase expects {axes} number(s) per part, and as many of anchor= as of shape=, got {{0}} and {{1}}",
        [column[:, None] for column in columns],
    )
    size = max(row.shape[1] for row in rows.values()) // axes
    wide = {
        name: on_canvas(jnp.asarray(row, jnp.float32), (size * axes,)).reshape(len(row), size, axes)
        for name, row in rows.items()
    }
    ragged = [count for count in counts.values() if not isinstance(count, int)]
    return wide, jnp.arange(size) < ragged[0][:, None] // axes if ragged else None


def _fill(context: Context, value: BatchValue, fill: Any) -> Any:
    """Returns `float32` that broadcasts to the samples."""
    import jax.numpy as jnp

    data, channel = value.data, value.layout.find("C") if "C" in value.layout else value.data.ndim - 2
    if isinstance(context.call.params["fill_value"], DataNode):
        rows = fill.reshape(len(fill), -1).astype(jnp.float32)
    else:
        rows = jnp.asarray([fill], jnp.float32)
    if rows.shape[1] not in (1, data.shape[1 + channel]):
        raise GraphError(
            f"fill_value= of fn.erase has {rows.shape[1]} numbers for {data.shape[1 + channel]} channels; expected 1, or "
            "one per channel"
        )
    shape = [1] * data.ndim
    shape[0], shape[1 + channel] = rows.shape
    return rows.reshape(shape)
