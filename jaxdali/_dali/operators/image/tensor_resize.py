"""Resizes arrays of any rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._device.image.size_rules import MODES, ROUNDINGS
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import FLAG, NUMBERS, Kind, choice
from ..declaration import PerSample, Static, operator
from ..operator_inputs import ANY
from ..tensor.sample_axes import AXES, LETTERS, extents_of, picked_axes, shapes_of
from ..values import BatchValue, Context
from .resizing import HINTS, RESIZED, filters_of

__all__ = ["tensor_resize"]


def _numbers(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    read = read if isinstance(read, tuple) else (read,)
    if not all(isinstance(one, float) and abs(one) < 1 << 31 for one in read):
        raise ConfigError(f"{word} must be a number, or one for each axis, below 2**31; got {value!r:.80}")
    return read


def _limits(word: str, value: object) -> tuple[float, ...]:
    read = _numbers(word, value)
    if min(read, default=0) < 0:
        raise ConfigError(f"{word} must not be negative, got {value!r:.80}")
    return read


_ANY = "float | Sequence[float]"
_SIZES = Kind(_ANY, _numbers, (4.0, (4.0, 3.0, 2.0)))
_SCALES = Kind(_ANY, _numbers, (0.5, (2.0, 1.5, 1.0)))
_MAX = Kind(_ANY, _limits, (5.0, (6.0, 5.0, 3.0)))
_ROI = Kind(_ANY, _numbers, (1.0, (2.0, 1.0, 0.0)))
_BEFOREHAND = "shapes of arrays are known before there is data: give numbers"


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if (params["sizes"] is None) == (params["scales"] is None):
        raise ConfigError(
            f"{display_name} takes one of sizes= and scales=, got {'none' if params['sizes'] is None else 'both'}"
        )
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{display_name} got both axes= and axis_names=; give one of them")
    if (params["roi_start"] is None) != (params["roi_end"] is None):
        raise ConfigError(
            f"{display_name}(roi_start=) and {display_name}(roi_end=) belong together; got only one of them"
        )
    if params["scales"] is not None and params["mode"] in ("not_larger", "not_smaller"):
        raise ConfigError(
            f"{display_name}(scales=) does not support mode={params['mode']!r}, which would make all scales equal; give "
            "sizes="
        )


@operator(
    "tensor_resize",
    inputs=[ANY],
    params=[
        PerSample(
            "sizes",
            None,
            "extents of the output, one for each of the axes, or one for all. 0: determined by the other extents and "
            "`mode`; a negative number mirrors. The numbers of a node must be above 0",
            _SIZES,
            bounded=True,
        ),
        PerSample(
            "scales",
            None,
            "scale factors, instead of `sizes`: the extents as fractions of those of the whole sample",
            _SCALES,
            bounded=True,
        ),
        Static(
            "axes",
            AXES,
            None,
            "axes that all of these arguments refer to; negative numbers count from the last axis. By default all axes. "
            "`[]`: none, and samples stay as they are",
            _BEFOREHAND,
        ),
        Static("axis_names", LETTERS, None, "names of these axes in the layout, instead of `axes`"),
        Static(
            "mode",
            choice(*MODES),
            "default",
            '"default": resize to the given sizes; axes without one are scaled by the geometric mean of the other '
            'scales, in which each axis that is not selected counts as 1. "stretch": axes without a size keep their '
            'extents. "not_larger", "not_smaller": scale all axes, including those that are not selected, by one '
            "factor, so that none exceeds, or falls below, its size",
        ),
        Static(
            "max_size",
            _MAX,
            None,
            "largest extents of a result, one for each of the axes, or one for all",
            _BEFOREHAND,
        ),
        PerSample(
            "roi_start",
            None,
            "where the region to resize begins. If it is beyond `roi_end`, the region is mirrored",
            _ROI,
            ragged=True,
        ),
        PerSample("roi_end", None, "where the region ends", _ROI, ragged=True),
        Static("roi_relative", FLAG, False, "whether the region is given in fractions of the extents"),
        Static(
            "size_rounding",
            choice(*ROUNDINGS),
            "round",
            'how extents are rounded to whole numbers; "round" rounds halves upwards',
        ),
        PerSample(
            "alignment",
            0.5,
            "the point of the region that stays fixed when extents are rounded, from 0 (its start) to 1 (its end); "
            "one for each of the axes, or one for all",
            Kind(_ANY, _numbers, (0.0, (1.0, 0.25, 0.5))),
            ragged=True,
        ),
        Static(
            "subpixel_scale",
            FLAG,
            True,
            "when extents are rounded, adjust the region by the same factor, so that the scale stays the same",
        ),
        *RESIZED,
    ],
    accepted=HINTS,
    check=_check,
)
def tensor_resize(
    context: Context, value: BatchValue, *, axes: Any, axis_names: str | None, **params: object
) -> BatchValue:
    """Resizes arrays along any of their axes; DALI's `fn.tensor_resize`, with any number of axes.

    Samples with drawn extents are stored on a canvas. In most modes the sizes determine how large it is; otherwise
    `max_size` must.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.axis_resize import flip_axes, resize_axes
    from jaxdali._device.image.axis_sizes import bound_axes, sizes_of_axes
    from jaxdali._device.image.convert import round_to_dtype

    count, rank = len(value.data), value.data.ndim - 1
    if not rank:
        raise GraphError(f"{context.call.operator.display_name} expects arrays, got one number per sample")
    picked = picked_axes(context, value, axes, axis_names)
    picked = tuple(range(rank)) if picked is None else picked
    wanted, largest = _asked(context, params, picked, rank)
    if not picked:
        target: Any = filters_of(params)["dtype"]
        return value if target is None else BatchValue(round_to_dtype(value.data, target), value.shapes, value.layout)
    canvas, own = value.data.shape[1:], extents_of(value)
    dense = np.broadcast_to(np.asarray(canvas, np.int32), (count, rank))
    found = sizes_of_axes(dense if value.shapes is None else value.shapes, wanted)
    made, region = None, found.region
    if isinstance(found.extents, np.ndarray):
        size: list[int] = found.extents[0].tolist() if count else list(canvas)
        used = [axis for axis in range(rank) if size[axis] != canvas[axis] or _is_part(region, axis, canvas)]
        own = [*size]
    else:
        used = sorted(picked) if params["mode"] in ("default", "stretch") else list(range(rank))
        size = _bounds(context, bound_axes(canvas, largest))
        most = np.asarray([size[axis] for axis in used], np.int32)
        made = jnp.minimum(jnp.asarray(found.extents, jnp.int32)[:, np.asarray(used)], most)
        for column, axis in enumerate(used):
            own[axis] = made[:, column]
    data = value.data
    if found.mirrored is not None:
        data = flip_axes(data, [found.mirrored[:, k] if k in picked else None for k in range(rank)], value.shapes)
    part = None if region is None else region[:, [edge for axis in used for edge in (2 * axis, 2 * axis + 1)]]
    chosen = [size[axis] for axis in used]
    data = resize_axes(data, used, chosen, value.shapes, extents=made, region=part, **filters_of(params))
    return BatchValue(data, shapes_of(own, count), value.layout)


def _asked(context: Context, params: Params, picked: Sequence[int], rank: int) -> tuple[Any, Any]:
    """Returns the `AxisSizes` of the arguments, and those with upper limits in place of sizes that are drawn."""
    from jaxdali._device.image.axis_sizes import AxisSizes

    asked: MutableParams = dict.fromkeys(("sizes", "scales", "max_size", "roi_start", "roi_end", "alignment"))
    most = dict(asked)
    for name in asked:
        if params[name] is not None:
            # The value for axes that are not named.
            other = {"max_size": 0.0, "alignment": 0.5}.get(name)
            given, largest = _given(context, name, params[name], len(picked))
            asked[name], most[name] = _placed(given, picked, rank, other), _placed(largest, picked, rank, other)
    pairs = None
    if asked["roi_start"] is not None:
        both = zip(asked["roi_start"], asked["roi_end"], strict=True)
        pairs = [None if low is None else (low, high) for low, high in both]
    wanted = AxisSizes(
        asked["sizes"],
        asked["scales"],
        params["mode"],
        asked["max_size"],
        pairs,
        params["roi_relative"],
        params["size_rounding"],
        None if params["alignment"] == (0.5,) else asked["alignment"],
        params["subpixel_scale"],
    )
    return wanted, wanted._replace(sizes=most["sizes"], scales=most["scales"])


def _bounds(context: Context, found: Sequence[float]) -> list[int]:
    if not all(map(math.isfinite, found)):
        raise GraphError(
            f"the sizes of the results of {context.call.operator.display_name} are not known before there is data: give "
            "sizes= for all axes, or max_size="
        )
    return [int(bound) for bound in found]


def _is_part(region: Any, axis: int, canvas: Sequence[int]) -> bool:
    """Whether the region is less, or more, than the whole axis."""
    if region is None:
        return False
    return bool(np.any(region[:, 2 * axis] != 0) or np.any(region[:, 2 * axis + 1] != canvas[axis]))


def _placed(values: Sequence[object], picked: Sequence[int], rank: int, other: object) -> list[Any]:
    """Distributes numbers of the named axes to all axes of a sample."""
    found = [other] * rank
    for axis, value in zip(picked, values, strict=True):
        found[axis] = value
    return found


def _given(context: Context, name: str, given: Any, count: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """Returns a number or `float32[N]` for each of `count` axes, and their upper limits.

    Raises:
        GraphError: there are more or fewer numbers, or the limit of a size is not known.
    """
    import jax.numpy as jnp

    word = f"{context.call.operator.display_name}({name}=)"
    if not isinstance(given, BatchValue):
        values: Sequence[Any] = given
        largest: Sequence[Any] = given
    else:
        if given.shapes is not None or given.data.dtype.kind not in "iuf":
            raise GraphError(f"{word} as a node expects the same number of extents for every sample")
        flat = given.data.reshape(len(given.data), -1).astype(jnp.float32)
        values = [flat[:, axis] for axis in range(flat.shape[1])]
        largest = [math.inf] * len(values)
        if name in ("sizes", "scales"):
            if given.most is not None:
                largest = np.ravel(given.most).tolist()
                context.require((flat <= np.asarray(largest, np.float32)).all(axis=1), f"{word} exceeds its bound")
            context.require((flat > 0).all(axis=1), f"{word} as a node expects numbers above 0; fn.flip mirrors")
    if len(values) not in (1, count):
        raise GraphError(f"{word} has {len(values)} numbers for {count} axes: give one, or one for each")
    if len(values) == count:
        return values, largest
    return [*values] * count, [*largest] * count
