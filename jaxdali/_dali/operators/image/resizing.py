"""The common parts of operators that resize: filters, and sizes by DALI's rules."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali._base.dtypes import (
    INTERP_CUBIC,
    INTERP_GAUSSIAN,
    INTERP_LANCZOS3,
    INTERP_LINEAR,
    INTERP_NN,
    INTERP_TRIANGULAR,
    UINT8,
)
from jaxdali.errors import ConfigError, check_shape
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import DTYPE, FILTER, FLAG, NUMBERS, Kind, choice, numpy_dtype
from ..declaration import Chosen, Param, PerSample, Static
from ..image_extents import Bound, Extents, limits_of
from ..values import ImagesValue
from .pixelwise import recipe_dtype

__all__ = [
    "HINTS",
    "RESIZED",
    "SIZED",
    "filters_of",
    "for_volumes",
    "largest_sizes",
    "read_sizes",
    "resize_steps",
    "resized",
    "resized_bounds",
    "unlimited_sizes",
    "whole_pixels",
]

HINTS = {
    "minibatch_size": "the whole batch is one computation",
    "temp_buffer_hint": "XLA knows the exact size of each buffer of its program before that runs",
}

_ENLARGED = "filter of axes that {}; not given: `interp_type`"
RESIZED: tuple[Param, ...] = (
    Chosen(
        "interp_type",
        FILTER,
        INTERP_LINEAR,
        "filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR with "
        "antialiasing",
    ),
    Chosen("min_filter", FILTER, None, _ENLARGED.format("shrink")),
    Chosen("mag_filter", FILTER, None, _ENLARGED.format("grow")),
    Static("antialias", FLAG, True, "widen the filter when shrinking. It has no effect on INTERP_NN"),
    Static("dtype", DTYPE, None, "type of the output; by default that of the input"),
)


def _extent(word: str, value: object) -> float:
    read = NUMBERS.read(word, value)
    if isinstance(read, tuple) and len(read) == 1:
        read = read[0]
    if isinstance(read, tuple):
        raise ConfigError(f"{word} must be a number of pixels, or a node with one per sample; got {value!r:.80}")
    return _finite(word, read)


def _extents(word: str, value: object) -> Any:
    """Reads (y, x) or (z, y, x); a single number becomes (y, x)."""
    read = NUMBERS.read(word, value)
    read = read * 2 if isinstance(read, tuple) and len(read) == 1 else read if isinstance(read, tuple) else (read, read)
    if len(read) not in (2, 3) or any(isinstance(entry, tuple) for entry in read):
        raise ConfigError(
            f"{word} expects (height, width), of volumes (depth, height, width), a number for all, or a node with that; got "
            f"{value!r:.80}"
        )
    return tuple(_finite(word, entry) for entry in read)


def _finite(word: str, value: float) -> float:
    if not abs(value) < 1 << 31:
        raise ConfigError(f"{word} must be a number of pixels below 2**31, got {value!r:.80}")
    return value


def _limit(word: str, value: object) -> Any:
    found = _extents(word, value)
    if min(found) < 0:
        raise ConfigError(f"{word} must not be negative, got {value!r:.80}")
    return found


_EXTENT = Kind("float", _extent, (3.0, 4.5))
_EXTENTS = Kind("float | Sequence[float]", _extents, (4.0, (4.0, 3.0)))
_LIMIT = Kind("float | Sequence[float]", _limit, (5.0, (6.0, 5.0)))

SIZED: tuple[Param, ...] = (
    PerSample(
        "size",
        None,
        "(height, width), for volumes (depth, height, width), or one number for all. 0: determined by the other "
        "extents and `mode`; a negative number mirrors",
        _EXTENTS,
    ),
    PerSample("resize_x", 0.0, "width, instead of `size`. 0 or not given: determined by the height", _EXTENT),
    PerSample("resize_y", 0.0, "height, instead of `size`. 0 or not given: determined by the width", _EXTENT),
    PerSample(
        "resize_z",
        0.0,
        "depth of volumes, instead of `size`. 0 or not given: determined by the other extents. Images have none",
        _EXTENT,
    ),
    PerSample(
        "resize_shorter", 0.0, "length of the shorter axis, instead of `size`; the aspect ratio is kept", _EXTENT
    ),
    PerSample("resize_longer", 0.0, "length of the longer axis, instead of `size`; the aspect ratio is kept", _EXTENT),
    Static(
        "mode",
        choice("default", "stretch", "not_larger", "not_smaller"),
        "default",
        '"default": resize to the given size; an axis without one is scaled like the other axis. "stretch": an axis '
        'without a size keeps its extent. "not_larger", "not_smaller": keep the aspect ratio, and let no axis exceed,'
        " or fall below, the size",
    ),
    Static("max_size", _LIMIT, None, "largest (height, width) of a result, or one number for both"),
    PerSample(
        "roi_start",
        None,
        "(y, x) where the region to resize begins, in pixels. If it is beyond `roi_end`, the region is mirrored",
        _EXTENTS,
    ),
    PerSample("roi_end", None, "(y, x) where the region ends", _EXTENTS),
    Static("roi_relative", FLAG, False, "whether the region is given in fractions of the image"),
    Static(
        "subpixel_scale",
        FLAG,
        True,
        "when a size is rounded to whole pixels, adjust the region by the same factor, so that the scale stays the "
        "same",
    ),
)
_ADVICE = "give max_size=, or sizes whose largest value is known beforehand, such as fn.random.uniform(range=)"
_NAMES = tuple(param.name for param in SIZED)
_EXTENT_NAMES = ("resize_x", "resize_y", "resize_z", "resize_shorter", "resize_longer")
_DALI_FILTERS = {
    INTERP_NN: "nearest",
    INTERP_LINEAR: "linear",
    INTERP_CUBIC: "cubic",
    INTERP_LANCZOS3: "lanczos3",
    INTERP_TRIANGULAR: "triangular",
    INTERP_GAUSSIAN: "gaussian",
}


def read_sizes(params: MutableParams, display_name: str = "fn.resize") -> MutableParams:
    """Checks that the parameters go together, and returns them.

    Raises:
        ConfigError: they contradict each other, or none is given.
    """
    given = [name for name in ("size", *_EXTENT_NAMES) if _is_given(params[name])]
    forms = ["resize_x and resize_y" if name in ("resize_x", "resize_y", "resize_z") else name for name in given]
    if len(set(forms)) != 1:
        got = " and ".join(dict.fromkeys(forms)) or "none"
        raise ConfigError(
            f"{display_name} takes one of size=, resize_x= and resize_y=, resize_shorter=, resize_longer=; got {got}"
        )
    if given[0] in ("resize_shorter", "resize_longer") and params["mode"] != "default":
        raise ConfigError(
            f"{display_name}({given[0]}=) has a mode of its own, got mode={params['mode']!r}; give size= for another"
        )
    if isinstance(params["size"], tuple):
        check_shape(f"{display_name}(size=)", [round(abs(extent)) for extent in params["size"]])
    if (params["roi_start"] is None) != (params["roi_end"] is None):
        raise ConfigError(
            f"{display_name}(roi_start=) and {display_name}(roi_end=) belong together; got only one of them"
        )
    return params


def _is_given(value: object) -> bool:
    return isinstance(value, DataNode) or (value is not None and value != 0)


def resize_steps(params: Params) -> tuple[str, ...] | None:
    """The `Lazy.steps` of an operator that resizes."""
    return ("flip", "resample") if recipe_dtype(params) and not for_volumes(params) else None


def for_volumes(params: Params) -> bool:
    """Whether the arguments are for volumes."""
    depth = params.get("resize_z", 0)
    return (isinstance(depth, DataNode) or depth != 0) or any(
        isinstance(params.get(name), tuple) and len(params[name]) == 3
        for name in ("size", "max_size", "roi_start", "roi_end")
    )


def is_plain(_stage: str, params: Params) -> bool:
    """The `Lazy.one_window` of an operator that resizes: whole windows, to whole pixels, with the triangular filter."""
    filters = filters_of(params)
    linear = {filters["min_filter"], filters["mag_filter"]} <= {"linear", "triangular"}
    if not linear or not params["antialias"] or params["dtype"] not in (None, UINT8):
        return False
    if "mode" not in params:  # the operator draws the window
        return True
    if for_volumes(params):
        return False
    sizes = _sizes(params)
    if sizes.roi_start is not None:
        return False
    size = _fixed_size(sizes)
    return size is not None and size == tuple(_requested(sizes)) and params["max_size"] is None


def filters_of(params: Params) -> MutableParams:
    """Returns the arguments of `Images.resample` that are not sizes."""
    names = {
        name: params["interp_type"] if params[name] is None else params[name] for name in ("min_filter", "mag_filter")
    }
    found = {name: _DALI_FILTERS[value] for name, value in names.items()}
    return {**found, "antialias": params["antialias"], "dtype": numpy_dtype(params["dtype"])}


def _sizes(params: Params) -> Any:
    """Returns the arguments that determine the sizes of results, as `jaxdali._device.image.sizes` takes them."""
    from jaxdali._device.image.sizes import Sizes

    given = {name: params[name] for name in _NAMES if params[name] is not None and name != "resize_z"}
    for name in ("size", "roi_start", "roi_end"):
        value = given.get(name)
        if not isinstance(value, DataNode | tuple | None) and np.ndim(value) == 1:
            given[name] = (value, value)  # one number per sample, for both axes
    for name in given.keys() & set(_EXTENT_NAMES):
        if not isinstance(given[name], DataNode) and np.ndim(given[name]) == 0 and given[name] == 0:
            del given[name]
    if "resize_shorter" in given or "resize_longer" in given:
        del given["mode"]
    return Sizes(**given)


def _fixed_size(sizes: Any) -> tuple[int, int] | None:
    """Returns (height, width) of every result; None if it depends on the image."""
    from jaxdali._device.image.sizes import bound_sizes

    both = all(not isinstance(value, DataNode) and np.ndim(value) == 0 and value != 0 for value in _requested(sizes))
    return _pair(bound_sizes(sizes)) if both and sizes.rule in ("default", "stretch") else None


def _pair(extents: tuple[int, ...] | None) -> tuple[int, int] | None:
    return None if extents is None else (extents[0], extents[1])


def _requested(sizes: Any) -> tuple[Any, Any]:
    if isinstance(sizes.size, tuple) or sizes.size is None:
        return sizes.requested
    return sizes.size, sizes.size  # a node, or its values


def resized(value: ImagesValue, params: Params, cut: Any = None) -> ImagesValue:
    """Resizes images; nodes among the parameters are arrays by now.

    Args:
        cut: `(found, extents before) -> (found, size)`: makes a window of each result, with a `size` if that is known;
            None for whole results.
    """
    from jaxdali._device.image.sizes import sizes_of

    images, sizes = value.images, _sizes(params)
    found, size = sizes_of(images.extents, sizes), _fixed_size(sizes)
    if cut is not None:
        found, size = cut(found, images.extents)
    if found.mirrored is not None:
        images = images.flip(found.mirrored[:, 1], found.mirrored[:, 0])
    return value.then(images.resample(size or found.extents, found.region, **filters_of(params)))


def resized_bounds(params: Params, extents: Extents) -> Extents:
    """Returns the extents of results, for images of these extents."""
    from jaxdali._device.image.sizes import bound_extents, bound_sizes

    if for_volumes(params):  # volumes are computed at once
        return Extents(bound=None, exact=False, resized=True, advice=_ADVICE)
    sizes = _sizes(params)
    region_is_drawn = isinstance(sizes.roi_start, DataNode) or isinstance(sizes.roi_end, DataNode)
    if region_is_drawn:
        sizes = sizes._replace(roi_start=None, roi_end=None)
    if (size := _fixed_size(sizes)) is not None:
        return Extents.of_size(*size)
    # Only what keeps an axis grows with its image: of a narrow part, the longer axis becomes longer than that of the whole.
    bounded = not region_is_drawn and (not extents.loose or sizes.rule == "stretch")
    if bounded and any(isinstance(value, DataNode) and value.measured is not None for value in sizes):
        bound = extents.then(_measured_bound(sizes))
        return Extents(bound=bound, exact=False, loose=True, resized=True, advice=_ADVICE)
    largest = largest_sizes(sizes) if bounded else None
    if largest is None:  # some arguments may still limit the result
        return Extents(
            most=_pair(bound_sizes(largest_sizes(sizes, default=0.0))),
            bound=None,
            exact=False,
            resized=True,
            advice=_ADVICE,
        )
    bound = extents.then(lambda found: bound_extents(found, largest).astype(np.int64))
    drawn = any(isinstance(value, DataNode) for value in sizes)
    return Extents(
        most=_pair(bound_sizes(largest)),
        bound=bound,
        exact=extents.exact and not drawn,
        loose=extents.loose or drawn,
        resized=True,
        advice=_ADVICE,
    )


def unlimited_sizes(params: Params, _inputs: object = ()) -> list[DataNode]:
    """The `Operator.sized` of an operator that resizes."""
    nodes = [value for name in ("size", *_EXTENT_NAMES) if isinstance(value := params[name], DataNode)]
    unknown = [node for node in nodes if not _is_known(limits_of(node))]
    if not unknown or params["max_size"] is not None or for_volumes(params):
        return unknown if params["max_size"] is None else []
    from jaxdali._device.image.sizes import bound_sizes

    sizes = _sizes(params)._replace(roi_start=None, roi_end=None)
    return [] if bound_sizes(largest_sizes(sizes, default=0.0)) is not None else unknown


def _measured_bound(sizes: object) -> Bound:
    from jaxdali._device.image.sizes import bound_extents

    def bound(found: np.ndarray) -> np.ndarray:
        largest = largest_sizes(sizes)
        if largest is None:
            raise ConfigError(
                "sizes given as nodes must be all above 0, or all below 0, unless they are drawn: 0 leaves an axis "
                "open, and mode= of fn.resize handles that alike for all samples"
            )
        return bound_extents(found, largest).astype(np.int64)

    return bound


def _is_known(limits: tuple[float, float] | None) -> bool:
    """Whether the limits exclude 0, which leaves an axis open."""
    return limits is not None and (limits[0] > 0 or limits[1] < 0)


def largest_sizes(sizes: Any, default: float | None = None) -> Any:
    """Replaces nodes by their largest numbers; sizes grow with them.

    Args:
        default: replaces numbers whose limits are not known; with None, the result is None then.
    """
    found = {}
    for name in ("size", *_EXTENT_NAMES):
        value = getattr(sizes, name)
        if isinstance(value, DataNode):
            limits = limits_of(value)
            known = _is_known(limits)
            if not known and default is None:
                return None
            found[name] = max(abs(limits[0]), abs(limits[1])) if known and limits is not None else default
    return sizes._replace(**found)


def whole_pixels(size: tuple[float, float]) -> tuple[int, int]:
    """Rounds (height, width) to whole pixels."""
    height, width = size
    return math.floor(height + 0.5), math.floor(width + 0.5)
