"""Windows that are given by where they begin and end, or by their size, in pixels or in fractions of each image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import FLAG, NUMBERS, Kind
from ..declaration import Param, PerSample, Static
from ..image_extents import Extents, constant_value, limits_of
from ..values import Context, ImagesValue

__all__ = ["SLICE", "cut_slice", "read_slice", "slice_extents", "slice_limits"]


def _numbers(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if len(values) > 2 or not all(isinstance(entry, float) and abs(entry) < 1 << 30 for entry in values):
        raise ConfigError(f"{word} must be a number for each of `axes`, or a node with that, got {value!r:.80}")
    return values


def _axes(word: str, value: Any) -> tuple[int, ...]:
    values = tuple(np.ravel(value).tolist()) if np.asarray(value).dtype.kind in "iu" else ()
    axes = tuple(axis + 2 if axis < 0 else axis for axis in values)
    if not axes or len(set(axes)) != len(axes) or not set(axes) <= {0, 1}:
        raise ConfigError(f"{word} must be 0 or -2 (height), 1 or -1 (width) or both, got {value!r:.80}")
    return axes


def _axis_names(word: str, value: object) -> str:
    if not isinstance(value, str) or not value or len(set(value)) != len(value) or not set(value) <= set("HW"):
        raise ConfigError(f'{word} must be made of "H" and "W", got {value!r:.80}')
    return value


_PIXELS = Kind("float | Sequence[float]", _numbers, (2, (1, 2)))
_FRACTIONS = Kind("float | Sequence[float]", _numbers, (0.25, (0.5, 0.25)))
SLICE: tuple[Param, ...] = (
    PerSample(
        "start",
        None,
        "where the window begins, in pixels; one number for each of `axes`, or one for all. `[]`: as if not given",
        _PIXELS,
    ),
    PerSample("rel_start", None, "where the window begins, in fractions of the image", _FRACTIONS),
    PerSample("end", None, "where the window ends, in pixels", _PIXELS),
    PerSample("rel_end", None, "where the window ends, in fractions of the image", _FRACTIONS),
    PerSample("shape", None, "size of the window, in pixels", _PIXELS),
    PerSample("rel_shape", None, "size of the window, in fractions of the image", _FRACTIONS),
    PerSample(
        "axes",
        (1, 0),
        "axes that the numbers refer to: 0 is the height, 1 the width",
        Kind("int | Sequence[int]", _axes, (0, (0, 1))),
    ),
    Static(
        "axis_names", Kind("str", _axis_names, ("H", "HW")), None, 'names of these axes, "H" and "W", instead of `axes`'
    ),
    Static("normalized_anchor", FLAG, True, "whether floats in the input `anchor` are fractions of the image"),
    Static("normalized_shape", FLAG, True, "whether floats in the input `shape` are fractions of the image"),
)
_BEGINS, _ENDS = ("start", "rel_start"), ("end", "rel_end", "shape", "rel_shape")


def read_slice(params: MutableParams) -> MutableParams:
    """Returns the parameters, with `axis_names` converted to `axes`.

    Raises:
        ConfigError: they contradict each other.
    """
    for names in (_BEGINS, _ENDS):
        given = [name for name in names if params[name] is not None]
        if len(given) > 1:
            raise ConfigError(f"got both {given[0]}= and {given[1]}=; give one of them")
    if params["axis_names"] is not None:
        params = {**params, "axes": tuple("HW".index(name) for name in params["axis_names"]), "axis_names": None}
    nothing = [name for name in (*_BEGINS, *_ENDS) if isinstance(params[name], tuple) and not params[name]]
    params = {**params, **dict.fromkeys(nothing)}  # no numbers say nothing
    for name in (*_BEGINS, *_ENDS):
        value, axes = params[name], params["axes"]
        if isinstance(value, tuple) and isinstance(axes, tuple) and len(value) not in (1, len(axes)):
            raise ConfigError(f"{name}={value} has {len(value)} numbers for {len(axes)} axes")
    return params


def _fixed(params: Params) -> tuple[int, int] | None:
    """Returns (height, width) of every window; None if windows may differ."""
    shape, start = params["shape"], params["start"]
    whole = not isinstance(start, DataNode) and (start is None or all(entry == int(entry) for entry in start))
    known = isinstance(shape, tuple) and bool(shape) and isinstance(params["axes"], tuple)
    if params["rel_start"] is not None or not known or not whole or len(params["axes"]) < 2:
        return None
    found = dict(zip(params["axes"], shape * 2 if len(shape) == 1 else shape, strict=False))
    height, width = (int(np.floor(found[axis] + 0.5)) for axis in (0, 1))
    return (height, width) if height > 0 and width > 0 else None


def slice_extents(params: Params, extents: Extents) -> Extents:
    """Returns the extents of windows, for images of these extents."""
    size = _fixed(params)
    return extents.within() if size is None else Extents.of_size(*size)


def slice_limits(params: Params, nodes: Sequence[DataNode]) -> tuple[int | None, int | None]:
    """Returns limits (height, width) on windows whose extents are given in pixels; None for an unknown limit.

    Args:
        nodes: the inputs anchor and shape; empty if the parameters are used.
    """
    if not isinstance(params["axes"], tuple):
        return None, None
    shape = nodes[1] if nodes else params["shape"]
    numbers = _most_numbers(shape, fractions=bool(nodes) and params["normalized_shape"])
    found: list[int | None] = [None, None]
    for index, axis in enumerate(params["axes"] if numbers else ()):
        number = numbers[min(index, len(numbers) - 1)]
        # Because both edges are rounded.
        found[axis] = max(int(np.floor(number + 0.5)) + 1, 1)
    return found[0], found[1]


def _most_numbers(shape: Any, fractions: bool) -> Sequence[float]:
    """Returns the largest extent in pixels, for each axis or for all; empty if unknown.

    Args:
        fractions: floats are fractions.
    """
    if not isinstance(shape, DataNode):
        return shape or ()
    value = constant_value(shape)
    if value is not None:
        return () if fractions and value.dtype.kind == "f" else np.ravel(value).astype(float).tolist()
    limits = None if fractions or shape.measured is not None else limits_of(shape)
    return () if limits is None or not np.isfinite(limits[1]) or limits[1] >= 1 << 30 else (limits[1],)


def cut_slice(
    context: Context,
    value: ImagesValue,
    params: Params,
    inputs: Sequence[Any] = (),
    written: Params | None = None,
) -> ImagesValue:
    """Cuts the windows of images.

    Args:
        inputs: replace the parameters: anchor and shape of the windows, `[N, axes]`.
        written: the parameters with their nodes; None for those of the call.
    """
    import jax.numpy as jnp

    images = value.images
    extents = jnp.asarray(images.extents)
    given = {name: params[name] for name in (*_BEGINS, *_ENDS) if params[name] is not None and np.size(params[name])}
    if inputs:
        anchor, shape = inputs
        relative = [
            params[name] and jnp.issubdtype(one.dtype, jnp.floating)
            for name, one in zip(("normalized_anchor", "normalized_shape"), (anchor, shape), strict=True)
        ]
        given = {("rel_start" if relative[0] else "start"): anchor, ("rel_shape" if relative[1] else "shape"): shape}
    starts, ends = [extents[:, 0] * 0, extents[:, 1] * 0], [extents[:, 0], extents[:, 1]]
    for index, places in enumerate(_places(context, params["axes"], given)):
        one = {name: _column(entry, index, extents) for name, entry in given.items()}
        for axis, chosen in places.items():
            start, end = _edges(one, extents[:, axis])
            starts[axis], ends[axis] = jnp.where(chosen, start, starts[axis]), jnp.where(chosen, end, ends[axis])
    windows = jnp.stack([*starts, ends[0] - starts[0], ends[1] - starts[1]], axis=1)
    fits = ((windows[:, :2] >= 0) & (windows[:, 2:] > 0) & (windows[:, :2] + windows[:, 2:] <= extents)).all(axis=1)
    context.require(
        fits,
        f"Slice can't be placed out of bounds with current policy: a window of {context.call.operator.display_name} is not "
        "within its image, or is empty",
    )
    # A window that does not fit is reported; it becomes one pixel, so that the image itself does not fail.
    windows = jnp.where(fits[:, None], windows, jnp.asarray([0, 0, 1, 1], jnp.int32))
    return value.then(images.cut(windows, None if inputs else _fixed(written or context.call.params)))


def _places(context: Context, axes: Any, given: Params) -> list[dict[int, Any]]:
    """Returns to which axes each of the numbers refers: for each of these axes whether it does, for all samples or
    `bool[N]`.

    Raises:
        GraphError: axes of a node are not one or two integers, or an argument has another number of entries.
    """
    if isinstance(axes, tuple):
        return [{axis: True} for axis in axes]
    word = context.call.operator.display_name
    if axes.dtype.kind not in "iu" or axes.ndim > 2 or (axes.ndim == 2 and not 1 <= axes.shape[1] <= 2):
        raise GraphError(
            f"axes= of {word} as a node expects one or two integers per sample, got {axes.dtype} of shape {axes.shape[1:]}"
        )
    axes = axes.reshape(len(axes), -1)
    context.require(
        ((axes >= -2) & (axes <= 1)).all(axis=1) & (axes[:, 0] % 2 != axes[:, -1] % 2 if axes.shape[1] == 2 else True),
        f"axes of {word} must be 0 or -2 (height), 1 or -1 (width) or both",
    )
    for name, numbers in given.items():
        count = len(numbers) if isinstance(numbers, tuple) else 1 if numbers.ndim == 1 else numbers.shape[1]
        if count not in (1, axes.shape[1]):
            raise GraphError(
                f"{name}= of {word} has {count} numbers for {axes.shape[1]} axes; give one, or one for each"
            )
    return [{axis: axes[:, index] % 2 == axis for axis in (0, 1)} for index in range(axes.shape[1])]


def _column(value: Any, index: int, extents: Any) -> Any:
    """Returns the numbers for one axis, `float32[N]`."""
    import jax.numpy as jnp

    if isinstance(value, tuple):
        return jnp.full(len(extents), value[min(index, len(value) - 1)], jnp.float32)
    return (value if value.ndim == 1 else value[:, min(index, value.shape[1] - 1)]).astype(jnp.float32)


def _edges(given: Params, extent: Any) -> tuple[Any, Any]:
    """Returns where the window begins and ends along an axis, `int32[N]`; halves of pixels are rounded up."""
    import jax.numpy as jnp

    def whole(name: str, more: object = 0.0) -> Any:
        number = given[name] + more
        scaled = number * extent.astype(jnp.float32) if name.startswith("rel_") else number
        return jnp.floor(scaled + 0.5).astype(jnp.int32)

    start = whole("rel_start") if "rel_start" in given else whole("start") if "start" in given else extent * 0
    if "rel_end" in given:
        return start, whole("rel_end")
    if "end" in given:
        return start, whole("end")
    if "rel_shape" in given:
        return start, whole("rel_shape", given["rel_start"]) if "rel_start" in given else start + whole("rel_shape")
    if "shape" in given:
        return start, whole("shape", given["start"]) if "start" in given else start + whole("shape")
    return start, extent
