"""Cuts windows out of arrays, given by where they begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import DTYPE, FILL, FLAG, NUMBERS, Kind, choice, numpy_dtype
from ..c_conversion import stored
from ..declaration import Input, Old, PerSample, Static, operator
from ..image.pixelwise import recipe_dtype
from ..image.slicing import cut_slice, slice_extents, slice_limits
from ..image_extents import Extents, limits_of
from ..lazy import Lazy
from ..values import BatchValue, Context, ImagesValue
from .edges import BEGINS, ENDS, Edges
from .sample_axes import AXES, LETTERS, axes_of_samples, extents_of, numbers_of_axes, picked_axes, shapes_of

__all__ = ["slice"]


def _numbers(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not all(isinstance(entry, float) and abs(entry) < 1 << 30 for entry in values):
        raise ConfigError(f"{word} must be a number for each of `axes`, or a node with that, got {value!r:.80}")
    return values


_PLACES = Kind("float | Sequence[float]", _numbers, (2, (1, 2)))
_FRACTIONS = Kind("float | Sequence[float]", _numbers, (0.25, (0.5, 0.25)))


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    named = [name for name in (*BEGINS, *ENDS) if params[name] is not None]
    for names in (BEGINS, ENDS):
        given = [name for name in names if name in named]
        if len(given) > 1:
            raise ConfigError(f"{display_name} got both {given[0]}= and {given[1]}=; give one of them")
    if len(inputs) == 2 or bool(named) == (len(inputs) == 3):
        got = f"{len(inputs)} input(s)" + (f" and {', '.join(named)}" if named else "")
        raise ConfigError(
            f"{display_name} takes windows as arguments, or as two more inputs, anchor and shape; got {got}"
        )
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{display_name} got both axes= and axis_names=; give one of them")


def _of_images(params: Params) -> MutableParams | None:
    """Returns the parameters if only axes 0 and 1 of images are cut; None if others are."""
    if isinstance(params["axes"], DataNode | BatchValue):
        return None
    if params["axes"] is None:
        names = "WH" if params["axis_names"] is None else params["axis_names"]
        axes = tuple("HWC".index(name) for name in names) if set(names) <= set("HWC") else (-1,)
    else:
        axes = tuple(axis + 3 if axis < 0 else axis for axis in params["axes"])
    # No axes means all of them.
    return {**params, "axes": axes, "axis_names": None} if axes and set(axes) <= {0, 1} else None


def _steps(params: Params) -> Sequence[str] | None:
    plain = params["out_of_bounds_policy"] == "error" and recipe_dtype(params) and params["dtype"] is None
    return ("cut",) if plain and _of_images(params) is not None else None


def _extents(params: Params, extents: Extents) -> Extents:
    images = _of_images(params)
    if images is None:
        return extents
    return (
        slice_extents(images, extents)
        if params["out_of_bounds_policy"] == "error"
        else Extents(bound=None, exact=False)
    )


def _limits(params: Params, nodes: Sequence[DataNode]) -> tuple[int | None, int | None]:
    images = _of_images(params)
    if images is None or params["out_of_bounds_policy"] != "error":
        return None, None
    return slice_limits(images, nodes)


def _unlimited(params: Params, inputs: Sequence[DataNode]) -> list[DataNode]:
    """The `Operator.sized`: windows that are padded keep the requested size."""
    if params["out_of_bounds_policy"] not in ("pad", "constant"):
        return []
    shapes = [params[name] for name in ("shape", "rel_shape")] if len(inputs) < 3 else [inputs[2]]
    given = [one for one in shapes if one is not None] or [params[name] for name in (*BEGINS, *ENDS)]
    return [one for one in given if isinstance(one, DataNode) and limits_of(one) is None]


@operator(
    "slice",
    inputs=[
        Input("data", "any numbers"),
        Input("anchor", "where each window begins, one number for each of `axes`", takes="windows", optional=True),
        Input("shape_input", "size of each window, one number for each of `axes`", takes="windows", optional=True),
    ],
    params=[
        PerSample(
            "start", None, "where the window begins, one number for each of the axes, or one for all", _PLACES, True
        ),
        PerSample("rel_start", None, "where the window begins, in fractions of the sample's extents", _FRACTIONS, True),
        PerSample("end", None, "where the window ends", _PLACES, True),
        PerSample("rel_end", None, "where the window ends, in fractions of the sample's extents", _FRACTIONS, True),
        PerSample("shape", None, "size of the window", _PLACES, True),
        PerSample("rel_shape", None, "size of the window, in fractions of the sample's extents", _FRACTIONS, True),
        PerSample(
            "axes",
            None,
            "axes that the numbers refer to; negative ones count from the last axis. `[]`: all axes",
            AXES,
            ragged=True,
        ),
        Static("axis_names", LETTERS, None, 'names of these axes in the layout. If neither is given: "WH"'),
        Static("normalized_anchor", FLAG, True, "whether floats in the input `anchor` are fractions of the sample"),
        Static("normalized_shape", FLAG, True, "whether floats in the input `shape_input` are fractions of the sample"),
        Static(
            "out_of_bounds_policy",
            choice("error", "pad", "constant", "trim_to_shape", any_case=True),
            "error",
            'what happens if a window exceeds its sample. "error": a SourceDataError when the batch is handed out; '
            '"pad" or "constant": the outside is filled with `fill_values`; "trim_to_shape": the window is cut to the'
            " sample",
        ),
        Static(
            "fill_values",
            FILL,
            (0.0,),
            "value outside of a sample: one number, or one per channel. For integer types, fractions are cut off and "
            "numbers wrap around",
        ),
        Static(
            "dtype",
            DTYPE,
            None,
            "type of the output; by default that of the input. For integer types, fractions are cut off",
        ),
    ],
    old={"output_dtype": Old(now="dtype"), "image_type": Old()},
    check=_check,
    lazy=Lazy(_steps, _extents, _limits),
    sized=_unlimited,
)
def slice(
    context: Context,
    value: BatchValue | ImagesValue,
    anchor: BatchValue | None = None,
    shape_input: BatchValue | None = None,
    **params: Any,
) -> BatchValue | ImagesValue:
    """Cuts a window out of every sample; DALI's `fn.slice`. An edge that is not given is that of the sample.

    Positions are rounded half away from zero. A padded sample is as large as its window. If the window's size is a node
    without limits known in advance, its numbers are copied to the host first.
    """
    inputs = [one for one in (("anchor", anchor), ("shape", shape_input)) if one[1] is not None]
    if isinstance(value, ImagesValue):
        images, written = _of_images(params), _of_images(context.call.params)
        assert images is not None
        count = len(images["axes"])
        return cut_slice(context, value, *_numbers_of_axes(context, images, inputs, count, count), written)
    return _cut(context, value, params, inputs)


def _numbers_of_axes(
    context: Context, params: Params, inputs: Sequence[tuple[str, object]], counts: int | Array, most: int
) -> tuple[MutableParams, list[Any]]:
    """Returns the parameters and the inputs with their numbers for axes, as `numbers_of_axes`."""
    given = {name: params[name] for name in (*BEGINS, *ENDS) if params[name] is not None}
    named = {name: one for name, one in given.items() if one != ()}  # no numbers say nothing
    params = {**params, **dict.fromkeys(given.keys() - named.keys())}
    read = {name: numbers_of_axes(context, name, one, counts, most) for name, one in named.items()}
    return {**params, **read}, [numbers_of_axes(context, name, one, counts, most) for name, one in inputs]


def _cut(context: Context, value: BatchValue, params: Params, inputs: Sequence[tuple[str, object]]) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.numeric.array_windows import window

    extents, policy = extents_of(value), params["out_of_bounds_policy"]
    rows, axes = None, tuple(range(len(extents)))
    if isinstance(params["axes"], BatchValue):
        rows, counts = axes_of_samples(context, value, params["axes"])
    else:
        axes = _axes(context, value, params)
        counts = len(axes)
    count = len(axes) if rows is None else rows.shape[1]
    edges = Edges.of(context, *_numbers_of_axes(context, params, inputs, counts, count))
    starts: list[Any] = [0] * len(extents)
    sizes, canvas = list(extents), list(value.data.shape[1:])
    for index, axis in enumerate(axes):
        start, end = _ends(edges, index, extents[axis], None if rows is None else rows == axis)
        most = canvas[axis]
        if policy == "trim_to_shape":
            start, end = (_held(edge, extents[axis]) for edge in (start, end))
        elif policy == "error":
            fits = (jnp.asarray(start) >= 0) & (jnp.asarray(end) <= extents[axis]) & (jnp.asarray(end) >= start)
            context.require(
                jnp.broadcast_to(fits, (context.samples,)),
                "Slice can't be placed out of bounds with current policy: a window of fn.slice leaves its sample",
            )
        size = end - start if policy == "trim_to_shape" or rows is not None else edges.size(index, start, end)
        if isinstance(size, int):
            size = most = max(size, 0)
        elif policy in ("pad", "constant"):
            places = [index] if rows is None else range(rows.shape[1])
            limits = [edges.most(place, most) for place in places]
            size, most = jnp.maximum(size, 0), max(limits if rows is None else [most, *limits])
        else:
            size = jnp.clip(size, 0, most)
        starts[axis], sizes[axis], canvas[axis] = start, size, most
    fill = _fill(value, params, len(extents)) if policy in ("pad", "constant") else None
    data = window(value.data, value.shapes, starts, sizes, canvas, fill)
    target = numpy_dtype(params["dtype"])
    if target is not None and target != data.dtype:
        data = round_to_dtype(jnp.trunc(data) if data.dtype.kind == "f" and target.kind in "iu" else data, target)
    found = BatchValue(data, shapes_of(sizes, len(data)), value.layout, value.wide if target is None else None)
    if value.most is None or fill is not None or target is not None:
        return found
    return found.bounded(np.full(data.shape[1:], value.most.max()))


def _ends(edges: Edges, index: int, extent: object, chosen: Array | None) -> tuple[Any, Any]:
    """Returns where windows begin and end along an axis.

    Args:
        chosen: `bool[N, windows]`, for each sample which of its numbers refer to this axis, at most one; None: those at
            `index` do.
    """
    import jax.numpy as jnp

    if chosen is None:
        return edges.along(index, extent)
    start, end = jnp.zeros(len(chosen), jnp.int32), jnp.broadcast_to(jnp.asarray(extent), (len(chosen),))
    for place in range(chosen.shape[1]):
        first, last = edges.along(place, extent)
        start, end = (jnp.where(chosen[:, place], new, old) for new, old in ((first, start), (last, end)))
    return start, end


def _held(edge: Any, extent: Any) -> Any:
    import jax.numpy as jnp

    if isinstance(edge, int) and isinstance(extent, int):
        return min(max(edge, 0), extent)
    return jnp.clip(edge, 0, extent)


def _axes(context: Context, value: BatchValue, params: Params) -> tuple[int, ...]:
    names = params["axis_names"]
    if params["axes"] is None and names is None:
        usual = {2: "HW", 3: "HWC", 4: "DHWC"}.get(value.data.ndim - 1, "")
        layout = value.layout or usual
        if not set("WH") <= set(layout):
            raise GraphError(
                "fn.slice cuts the axes W and H unless axes= or axis_names= says otherwise; its input has the layout "
                f"{layout!r} and {value.data.ndim - 1} dimensions"
            )
        return layout.index("W"), layout.index("H")
    found = picked_axes(context, value, params["axes"], names)
    # As in DALI, no axes means all of them.
    return found or tuple(range(value.data.ndim - 1))


def _fill(value: BatchValue, params: Params, rank: int) -> Any:
    """Returns the value outside of samples, in a shape that broadcasts to a row."""
    fill = np.asarray(params["fill_values"])
    numbers = stored(fill, value.data.dtype)
    if len(fill) == 1:
        return numbers[0]
    channels = value.layout.index("C") if "C" in value.layout else rank - 1
    if rank and len(fill) != value.data.shape[1 + channels]:
        raise GraphError(
            f"fill_values= of fn.slice has {len(fill)} numbers for {value.data.shape[1 + channels]} channels; give one, or "
            "one for each"
        )
    return numbers.reshape([-1 if axis == channels else 1 for axis in range(rank)])
