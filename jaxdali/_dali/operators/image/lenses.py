"""Shows images as through a glass ball or under water, and jitters their pixels."""

from __future__ import annotations

from typing import Any

from jaxdali._base.dtypes import INTERP_NN
from jaxdali.errors import ConfigError
from ..argument_kinds import NUMBER, Kind, integer
from ..c_conversion import stored
from ..declaration import PerSample, Static, operator
from ..operator_inputs import IMAGES, assuming
from ..random.draw_arguments import SEED_PARAM
from ..values import BatchValue, Context
from .warping import FILTER_OF_TWO, FILTERS, images_in

__all__ = ["jitter", "sphere", "water"]

_FILL = Static("fill_value", NUMBER, 0.0, "level outside of the images, converted to their type as in C")
_MASK = PerSample("mask", 1, "0 leaves the image as it is")
_NEAREST = Static("interp_type", FILTER_OF_TWO, INTERP_NN, "INTERP_NN or INTERP_LINEAR")
_RECORD: dict[str, Any] = {"inputs": [assuming(IMAGES, "HWC")], "keeps_extents": True}


def _degree(word: str, value: object) -> int:
    found = integer(0, 1 << 15).read(word, value)
    if found == 0:
        raise ConfigError(f"{word} must be above 0, got {value!r}; leave the operator out")
    return found


_DEGREE = Kind("int", _degree, (4, 7))


@operator("sphere", params=[_MASK, _FILL, _NEAREST], **_RECORD)
def sphere(context: Context, value: BatchValue, *, mask: object, fill_value: float, interp_type: Any) -> BatchValue:
    """Shows images as they look through a glass ball; DALI's `fn.sphere`. See `jaxdali.image.sphere`."""
    from jaxdali._device.image.lens_maps import sphere as compute

    value = images_in(context, value)
    fill = float(stored(fill_value, value.data.dtype))
    return _masked(context, value, mask, compute(value.data, value.shapes, fill=fill, filter=FILTERS[interp_type]))


@operator(
    "water",
    params=[
        _MASK,
        Static("ampl_x", NUMBER, 10.0, "amplitude of the wave along x, in pixels"),
        Static("ampl_y", NUMBER, 10.0, "amplitude of the wave along y, in pixels"),
        Static("freq_x", NUMBER, 0.04908738521234052, "frequency of the wave along x, in radians per row"),
        Static("freq_y", NUMBER, 0.04908738521234052, "frequency of the wave along y, in radians per column"),
        Static("phase_x", NUMBER, 0.0, "phase of the wave along x, in radians"),
        Static("phase_y", NUMBER, 0.0, "phase of the wave along y, in radians"),
        _FILL,
        _NEAREST,
    ],
    **_RECORD,
)
def water(
    context: Context, value: BatchValue, *, mask: object, fill_value: float, interp_type: Any, **waves: float
) -> BatchValue:
    """Shows images as they look under water; DALI's `fn.water`. See `jaxdali.image.water`."""
    from jaxdali._device.image.lens_maps import water as compute

    value = images_in(context, value)
    found = compute(
        value.data,
        value.shapes,
        amplitude=(waves["ampl_x"], waves["ampl_y"]),
        frequency=(waves["freq_x"], waves["freq_y"]),
        phase=(waves["phase_x"], waves["phase_y"]),
        fill=float(stored(fill_value, value.data.dtype)),
        filter=FILTERS[interp_type],
    )
    return _masked(context, value, mask, found)


@operator(
    "jitter",
    params=[
        Static(
            "nDegree",
            _DEGREE,
            2,
            "extent, in pixels, of the neighbourhood that pixels come from: at most half of it away along each axis",
        ),
        _MASK,
        _FILL,
        SEED_PARAM,
    ],
    accepted={"interp_type": "pixels move by whole pixels, between which nothing is interpolated"},
    is_random=True,
    **_RECORD,
)
def jitter(
    context: Context, value: BatchValue, *, nDegree: int, mask: object, fill_value: float, seed: int | None
) -> BatchValue:
    """Takes each pixel from a random position nearby; DALI's `fn.jitter`."""
    import jax.numpy as jnp

    from jaxdali._device.image.lens_maps import shaken
    from jaxdali._device.random.draws import uniform

    value = images_in(context, value)
    most, shapes = nDegree // 2, value.shapes
    if shapes is not None:
        shapes = jnp.concatenate([shapes[:, :2], jnp.full_like(shapes[:, :1], 2)], axis=1)
    steps = tuple(range(-most, most + 1))
    moves = uniform(context.keys(seed), values=steps, shape=(*value.data.shape[1:3], 2), shapes=shapes)
    fill = float(stored(fill_value, value.data.dtype))
    return _masked(context, value, mask, shaken(value.data, moves, value.shapes, fill=fill))


def _masked(context: Context, value: BatchValue, mask: object, found: Any) -> BatchValue:
    """Takes the changed images where the mask is not 0, else the originals."""
    import jax.numpy as jnp

    from ..random.draw_arguments import single

    flags = jnp.asarray(single(context, "mask", mask)).reshape(-1, 1, 1, 1) != 0
    return BatchValue(jnp.where(flags, found, value.data), value.shapes, value.layout)
