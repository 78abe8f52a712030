"""Draws one of several elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import NUMBERS, Kind
from ..declaration import Input, PerSample, operator
from ..tensor.sample_axes import extents_of, shapes_of
from ..values import BatchValue, Context
from .draw_arguments import SEED_PARAM, SHAPE_LIKE, SHAPE_PARAM, check_shape_given, row_of_each, shape_of_draw

__all__ = ["choice"]

# The same tolerance as in DALI.
_NEAR_ONE = 1e-4


def _probabilities(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    numbers = read if isinstance(read, tuple) else (read,)
    if not numbers or not all(isinstance(one, float) and 0 <= one <= 1 for one in numbers):
        raise ConfigError(f"{word} must be probabilities from 0 to 1, got {value!r:.80}")
    if abs(sum(numbers) - 1) >= _NEAR_ONE:
        raise ConfigError(f"{word}: the sum of probabilities must be 1, got {sum(numbers):g}")
    return numbers


@operator(
    "random.choice",
    inputs=[
        Input(
            "a",
            "what to choose from: the elements along the first axis. A scalar integer n stands for the numbers from 0"
            " to n - 1",
            takes="count",
        ),
        SHAPE_LIKE,
    ],
    params=[
        PerSample(
            "p",
            None,
            "probability of each element; the sum is 1. By default all elements are equally likely",
            Kind("Sequence[float]", _probabilities, ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5))),
            ragged=True,
        ),
        SHAPE_PARAM,
        SEED_PARAM,
    ],
    check=lambda display_name, inputs, params, _device: check_shape_given(display_name, len(inputs) == 2, params),
    is_random=True,
    raises={
        "SourceDataError": "where the batch is handed out: nothing to choose from, or probabilities of a node do not fit"
    },
)
def choice(
    context: Context, value: BatchValue, like: BatchValue | None = None, *, p: Any, shape: object, seed: Any
) -> BatchValue:
    """Draws one of several elements for each element of the output; DALI's `fn.random.choice`.

    The output has the layout of `a`, without its first letter if there is no shape; none if a shape has several axes.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled
    from jaxdali._device.random.choices import choice as compute

    data = value.data
    scalar = data.ndim == 1
    if scalar and data.dtype.kind not in "iu":
        raise GraphError(f"fn.random.choice takes scalars that are integers, got {data.dtype}")
    own, shapes = shape_of_draw(context, like, shape)
    extents = extents_of(value)
    # Clips the count: no element is below 0, or at 2**31 or above.
    count: Any = jnp.clip(data, 0, np.iinfo(data.dtype).max).astype(jnp.int32) if scalar else extents[0]
    context.require(
        jnp.broadcast_to(jnp.asarray(count) > 0, (len(data),)), "fn.random.choice has nothing to choose from"
    )
    if p is not None:
        p = _checked(context, p, count)
    picked = compute(context.keys(seed), jnp.maximum(count, 1), own, p=p, shapes=shapes)
    if scalar:
        return BatchValue(outside_filled(picked, shapes).astype(data.dtype), shapes, "", value.wide)
    flat = jnp.clip(picked.reshape(len(data), -1), 0, data.shape[1] - 1)
    found = jnp.take_along_axis(data, flat.reshape(*flat.shape, *[1] * (data.ndim - 2)), axis=1)
    found = found.reshape(*picked.shape, *data.shape[2:])
    drawn = list(own) if shapes is None else [shapes[:, axis] for axis in range(len(own))]
    shapes = shapes_of([*drawn, *extents[1:]], len(data))
    return BatchValue(outside_filled(found, shapes), shapes, _layout(value.layout, len(own)), value.wide)


def _layout(layout: str, drawn: int) -> str:
    """Returns the layout of what was chosen from samples of this layout: `drawn` axes in place of the first one."""
    return {0: layout[1:], 1: layout}.get(drawn, "")


def _checked(context: Context, p: Any, count: object) -> Any:
    """Returns probabilities, `[K]` or `[N, K]`, and requires that they are valid."""
    import jax.numpy as jnp

    size: Array = np.shape(p)[-1] if not isinstance(p, BatchValue) else None
    if isinstance(p, BatchValue):
        p, size = row_of_each(p)
        p = jnp.where(jnp.arange(p.shape[1]) < jnp.reshape(size, (-1, 1)), p.astype(jnp.float32), 0)
        fits = (p >= 0).all(axis=1) & (p <= 1).all(axis=1) & (abs(p.sum(axis=1) - 1) < _NEAR_ONE)
        context.require(fits, "probabilities of fn.random.choice are from 0 to 1, and 1 together")
    sizes, counts = (jnp.broadcast_to(jnp.asarray(one), (context.samples,)) for one in (size, count))
    context.require(
        sizes == counts, "fn.random.choice has {0} probabilities, but another number of elements: {1}", [sizes, counts]
    )
    return p
