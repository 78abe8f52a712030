"""Draws random pixels of masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError
from ...graph.call import DataNode, Params
from ..argument_kinds import NUMBER, Kind
from ..declaration import PerSample, operator
from ..operator_inputs import ANY
from ..random.draw_arguments import SEED_PARAM, single
from ..values import BatchValue, Context

__all__ = ["random_mask_pixel"]


def _integer(word: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ConfigError(f"{word} must be an integer, got {value!r:.80}")
    return int(value)


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["value"] is not None and params["threshold"] is not None:
        raise ConfigError(f"{display_name} got both value= and threshold=; give one of them")


_INTEGER = Kind("int", _integer, (1, 2))


@operator(
    "segmentation.random_mask_pixel",
    inputs=[ANY],
    params=[
        PerSample(
            "foreground",
            0,
            "other than 0: draw a pixel of the foreground, if there is one; 0: draw any pixel",
            _INTEGER,
        ),
        PerSample("threshold", None, "the foreground is every pixel above this number; by default 0", NUMBER),
        PerSample(
            "value", None, "the foreground is every pixel equal to this number, instead of `threshold`", _INTEGER
        ),
        SEED_PARAM,
    ],
    check=_check,
    is_random=True,
)
def random_mask_pixel(
    context: Context, mask: BatchValue, *, foreground: object, threshold: object, value: object, seed: int | None
) -> BatchValue:
    """Draws a pixel of each mask, all with the same probability; DALI's operator.

    It returns the pixel's position along each axis, INT64 [axes].
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import inside
    from jaxdali._device.random.mask_pixels import pixel

    data, beside = mask.data, (-1, *[1] * (mask.data.ndim - 1))

    def along(name: str, given: object, dtype: Any) -> Any:
        return jnp.reshape(jnp.asarray(single(context, name, given)).astype(dtype), beside)

    if value is None:
        held = data.astype(jnp.float32) > along("threshold", 0.0 if threshold is None else threshold, jnp.float32)
    elif data.dtype.kind == "f":
        held = data == along("value", value, data.dtype)
    else:
        held = data.astype(jnp.int32) == along("value", value, jnp.int32)
    held = held & (along("foreground", foreground, jnp.float32) != 0)
    extents = mask.shapes
    if extents is None:
        extents = np.asarray([data.shape[1:]], np.int32)
    else:
        held = held & inside(data, extents)
    return BatchValue(pixel(context.keys(seed), held, extents), wide=np.dtype(np.int64))
