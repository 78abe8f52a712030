"""Maps that shear."""

from __future__ import annotations

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import MutableParams
from ..argument_kinds import NUMBERS, Kind
from ..declaration import PerSample, operator
from ..values import BatchValue, Context
from .maps import MAPS, REVERSE_ORDER, VECTOR, combined, length_of, vector

__all__ = ["shear"]


def _factors(word: str, value: object) -> tuple[float, ...]:
    numbers = np.ravel(np.asarray(NUMBERS.read(word, value))).tolist()
    if len(numbers) not in (2, 6):
        raise ConfigError(f"{word} must be two numbers, of two dimensions, or six, of three; got {value!r:.80}")
    return tuple(numbers)


_FACTORS = Kind("Sequence[float]", _factors, ((0.5, 0.25), (1.0, 0.5)))


def _one(params: MutableParams) -> MutableParams:
    if (params["shear"] is None) == (params["angles"] is None):
        got = "neither" if params["shear"] is None else "both"
        raise ConfigError(f"fn.transforms.shear takes shear= or angles=, got {got}")
    return params


@operator(
    "transforms.shear",
    inputs=[MAPS],
    params=[
        PerSample(
            "shear", None, "shear factors: x by y and y by x; for three dimensions xy, xz, yx, yz, zx, zy", _FACTORS
        ),
        PerSample(
            "angles",
            None,
            "shear angles in degrees, instead of `shear`, in the same order; the factors are their tangents",
            _FACTORS,
        ),
        PerSample("center", None, "the point that stays fixed, (x, y) or (x, y, z); by default the origin", VECTOR),
        REVERSE_ORDER,
    ],
    prepare=_one,
    each_frame="**",
)
def shear(context: Context, maps: BatchValue | None = None, *, reverse_order: bool, **params: object) -> BatchValue:
    """Makes maps that shear, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.shear`."""
    from jaxdali._device.image import affine

    name = "shear" if params["angles"] is None else "angles"
    count = length_of(context, params, name)
    if count not in (2, 6):
        raise GraphError(f"{name}= of fn.transforms.shear expects 2 or 6 numbers per sample, got {count}")
    factors = vector(context, params, name, count)
    center = vector(context, params, "center", 2 if count == 2 else 3)
    make = affine.shear if name == "shear" else affine.shear_of_angles
    return combined(context, make(factors, center), maps, reverse_order)
