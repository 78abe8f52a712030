"""Computes new shapes of samples, which keep their number of elements."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import NUMBERS, Kind
from ..declaration import Input, Param, PerSample, Static
from ..extent_bounds import extents_in
from ..image_extents import constant_value
from ..values import BatchValue, Context
from .sample_axes import INTEGERS, LAYOUT, column_of, extents_of, shapes_of

__all__ = ["NEW_SHAPE", "SHAPE_INPUT", "check_new_shape", "new_shape", "reshaped_value", "with_shape_input"]

SHAPE_INPUT = Input(
    "shape_input", "the new shape as numbers, instead of `shape`", takes="windows", optional=True, bounded=True
)


def _shape(word: str, value: object) -> tuple[int, ...]:
    extents = INTEGERS.read(word, value)
    if 0 in extents or sum(extent < 0 for extent in extents) > 1:
        raise ConfigError(f"{word} must be extents above 0, one of them -1 at most, got {value!r:.80}")
    return tuple(-1 if extent < 0 else extent for extent in extents)


def _relative(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    factors = read if isinstance(read, tuple) else (read,)
    if any(isinstance(one, tuple) or not math.isfinite(one) or not one for one in factors):
        raise ConfigError(f"{word} must be factors other than 0, got {value!r:.80}")
    if sum(one < 0 for one in factors) > 1:
        raise ConfigError(f"{word} must have one negative factor at most, got {value!r:.80}")
    return tuple(-1.0 if one < 0 else one for one in factors)


_BEFOREHAND = "shapes of arrays are known before there is data: give numbers, or rel_shape= or src_dims="
NEW_SHAPE: tuple[Param, ...] = (
    Static(
        "layout",
        LAYOUT,
        None,
        'layout of the output; "": none. By default that of the input, if it has the same number of axes',
    ),
    PerSample(
        "shape",
        None,
        "shape of each sample; -1: the extent is inferred",
        Kind("int | Sequence[int]", _shape, (-1, (-1, 1))),
        bounded=True,
    ),
    PerSample(
        "rel_shape",
        None,
        "factors of the input's extents, instead of `shape`, in order or as given by `src_dims`. The products are "
        "rounded, halves upwards. A negative factor: the extent is inferred. There may be one factor more than the "
        "input has axes; it comes last and is negative",
        Kind("float | Sequence[float]", _relative, ((1.0, -1.0), (1.0, 1.0, -1.0))),
        bounded=True,
    ),
    Static(
        "src_dims",
        Kind("int | Sequence[int]", INTEGERS.read, ((0, 1, 2), (1, 0, 2))),
        None,
        "for each axis of the output, the axis of the input from which it takes its extent; -1: a new axis with the "
        "extent 1",
        instead=_BEFOREHAND,
    ),
)


def check_new_shape(display_name: str, inputs: Sequence[DataNode], params: Params, also: Sequence[str] = ()) -> None:
    """Raises ConfigError if arguments contradict each other or an input, or no shape is given."""
    shape, relative, dims = params["shape"], params["rel_shape"], params["src_dims"]
    if len(inputs) > 1:
        if shape is not None or relative is not None:
            raise ConfigError(f"{display_name} got shapes both as an input and as an argument; give one of them")
        if inputs[1].call.operator.name == "constant":
            _shape(f"{display_name}(shape_input)", inputs[1].call.params["value"])
        return
    if shape is not None and relative is not None:
        raise ConfigError(f"{display_name} got both shape= and rel_shape=; give one of them")
    if dims is not None and isinstance(relative, tuple) and len(dims) != len(relative):
        raise ConfigError(f"{display_name}: rel_shape= has {len(relative)} factors, but src_dims= {len(dims)} axes")
    if all(params[name] is None for name in ("layout", "shape", "rel_shape", "src_dims", *also)):
        raise ConfigError(
            f"{display_name} got neither a new shape nor a layout; give {', '.join(also)} shape= or layout="
        )


def with_shape_input(context: Context, given: BatchValue | None, params: MutableParams) -> MutableParams:
    """Returns the arguments with the shape that the second input has, if there is one. Of constants these are the numbers,
    so that it is known which extent is inferred.
    """
    nodes = {name: context.call.params[name] for name in ("shape", "rel_shape")}
    if given is not None:
        nodes, params = {"shape": context.call.inputs[1]}, {**params, "shape": given}
    for name, node in nodes.items():
        numbers = constant_value(node) if isinstance(node, DataNode) else None
        if numbers is None or numbers.dtype.kind not in ("iu" if name == "shape" else "iuf") or (numbers < 0).sum() > 1:
            continue
        params = {**params, name: tuple(-1 if one < 0 else one for one in numbers.ravel().tolist())}
    return params


def new_shape(context: Context, value: BatchValue, params: Params, factor: tuple[int, int] = (1, 1)) -> Any:
    """Returns the new shape of samples, for each axis an integer or `int32[N]`; and limits on its extents.

    Args:
        factor: a fraction, by which the number of elements changes.

    Raises:
        GraphError: the shape does not fit samples of the input.
    """
    own, canvas = extents_of(value), list(value.data.shape[1:])
    shape, relative, dims = params["shape"], params["rel_shape"], params["src_dims"]
    word, rank = context.call.operator.display_name, len(own)
    if isinstance(shape, BatchValue):
        return _shape_of_nodes(context, own, canvas, shape, factor)
    if isinstance(relative, BatchValue):
        return _scaled_by_nodes(context, own, canvas, relative, dims, factor)
    if shape is not None:
        extents, most, consumed = list(shape), list(shape), []
    else:
        dims, factors = _sources(word, rank, relative, dims)
        pairs = list(zip(dims, factors, strict=True))
        extents = [-1 if one < 0 else _scaled(1 if axis < 0 else own[axis], one) for axis, one in pairs]
        most = [-1 if one < 0 else _scaled(1 if axis < 0 else canvas[axis], one) for axis, one in pairs]
        consumed = [axis for axis, one in pairs if one == 1 and axis >= 0]
    if -1 in [extent for extent in extents if isinstance(extent, int)]:
        place = next(k for k, extent in enumerate(extents) if isinstance(extent, int) and extent == -1)
        extents[place], most[place] = _rest(context, own, canvas, extents, consumed, place, factor)
    return extents, most


def _shape_of_nodes(
    context: Context, own: list[object], canvas: list[int], shape: BatchValue, factor: tuple[int, int]
) -> Any:
    """Returns extents that a node gives; one of them may be below 0."""
    import jax.numpy as jnp

    word = context.call.operator.display_name
    given, most = extents_in(context, "shape", shape, "give numbers, or rel_shape= or src_dims=")
    if any(one.dtype.kind == "f" for one in given):
        raise GraphError(f"shape of {word} as a node expects integers; fn.cast them")
    extents = [one.astype(jnp.int32) for one in given]
    return _completed(context, own, canvas, extents, most, factor)


def _scaled_by_nodes(
    context: Context,
    own: list[object],
    canvas: list[int],
    relative: BatchValue,
    dims: Sequence[int] | None,
    factor: tuple[int, int],
) -> Any:
    """Returns extents multiplied by factors that a node gives; one of the factors may be below 0."""
    import jax.numpy as jnp

    word = context.call.operator.display_name
    given, _ = extents_in(context, "rel_shape", relative, "give numbers, or shape= or src_dims=")
    assert relative.most is not None
    largest = np.ravel(relative.most).tolist()
    axes, _ = _sources(
        word, len(own), [1.0] * len(given) if len(given) <= len(own) else [*[1.0] * len(own), -1.0], dims
    )
    if len(axes) != len(given):
        raise GraphError(f"rel_shape of {word} has {len(given)} factors, but src_dims= {len(axes)} axes")
    extents, most = [], []
    for one, above, axis in zip(given, largest, axes, strict=True):
        base = 1 if axis < 0 else own[axis]
        product = jnp.floor(jnp.asarray(base, jnp.float32) * one.astype(jnp.float32) + np.float32(0.5)).astype(
            jnp.int32
        )
        extents.append(jnp.where(one < 0, -1, product))
        most.append(max(int(np.floor((1 if axis < 0 else canvas[axis]) * above + 1)), 0))
    return _completed(context, own, canvas, extents, most, factor)


def _completed(
    context: Context, own: list[object], canvas: list[int], extents: list[Any], most: list[int], factor: tuple[int, int]
) -> Any:
    """Returns the extents, with the one below 0 computed from the others, and their limits."""
    import jax.numpy as jnp

    word = context.call.operator.display_name
    below = sum((one < 0).astype(jnp.int32) for one in extents)
    context.require(below <= 1, f"the shape of {word} has more than one extent below 0")
    whole = math.prod(canvas) * factor[0] // factor[1]
    numbers = functools.reduce(jnp.multiply, [jnp.asarray(one, jnp.int32) for one in own], jnp.ones((), jnp.int32))
    others = functools.reduce(jnp.multiply, [jnp.where(one < 0, 1, one) for one in extents])
    context.require((below == 0) | (others > 0), _cannot_infer(word))
    rest = numbers * factor[0] // factor[1] // jnp.maximum(others, 1)
    # No extent exceeds the number of elements, if there are any. Which extent is below 0 is not known.
    bounded = [whole if above <= 0 else min(above, whole or above) for above in most]
    found = [jnp.where(one < 0, rest, one) for one in extents]
    for one, above in zip(found, bounded, strict=True):
        context.require(one <= above, f"an extent of {word} exceeds its bound")
    return [jnp.clip(one, 0, above) for one, above in zip(found, bounded, strict=True)], bounded


def _sources(
    word: str, rank: int, relative: Sequence[float] | None, dims: Sequence[int] | None
) -> tuple[Sequence[int], Sequence[float]]:
    """Returns for each new axis the old axis from which its extent comes, or -1; and the factor."""
    if dims is None:
        count = rank if relative is None else len(relative)
        if relative is not None and (count > rank + 1 or (count == rank + 1 and relative[-1] > 0)):
            raise GraphError(f"rel_shape of {word} has {count} factors for samples of {rank} dimensions")
        dims = [*range(min(count, rank)), *[-1] * (count - rank)]
    if any(not -1 <= axis < rank for axis in dims):
        raise GraphError(f"src_dims={list(dims)} of {word}: samples have {rank} dimensions, 0 to {rank - 1}")
    return dims, (1.0,) * len(dims) if relative is None else relative


def _scaled(extent: Any, factor: float) -> Any:
    import jax.numpy as jnp

    if factor == 1:
        return extent
    if isinstance(extent, int):
        return int(np.floor(np.float32(extent) * np.float32(factor) + np.float32(0.5)))
    return jnp.floor(extent.astype(jnp.float32) * np.float32(factor) + np.float32(0.5)).astype(jnp.int32)


def _cannot_infer(word: str) -> str:
    return f"the extent of {word} that is below 0 cannot be inferred, because another one is 0; give it"


def _rest(
    context: Context,
    own: list[Any],
    canvas: list[int],
    extents: list[Any],
    consumed: list[int],
    place: int,
    factor: tuple[int, int],
) -> tuple[Any, int]:
    """Returns the extent that is computed from the others, and its limit."""
    import jax.numpy as jnp

    others = [extent for k, extent in enumerate(extents) if k != place]
    volume: Any = math.prod(own) if all(isinstance(one, int) for one in own) else None
    fixed = math.prod(one for one in others if isinstance(one, int))
    if not fixed:
        raise GraphError(_cannot_infer(context.call.operator.display_name))
    once = len(set(consumed)) == len(consumed)
    left = [extent for axis, extent in enumerate(canvas) if not (once and axis in consumed)]
    above = math.prod(canvas) // max(fixed, 1) if not consumed or not once else math.prod(left)
    most = above * factor[0] // factor[1]
    if volume is not None and all(isinstance(one, int) for one in others):
        return volume * factor[0] // factor[1] // max(fixed, 1), volume * factor[0] // factor[1] // max(fixed, 1)
    numbers = jnp.prod(
        jnp.stack([jnp.asarray(one, jnp.int32) + jnp.zeros((), jnp.int32) for one in own], axis=-1), axis=-1
    )
    divisor = jnp.ones((), jnp.int32)
    for one in others:
        divisor = divisor * one
    context.require(
        jnp.broadcast_to(divisor > 0, (context.samples,)), _cannot_infer(context.call.operator.display_name)
    )
    return numbers * factor[0] // factor[1] // jnp.maximum(divisor, 1), most


def reshaped_value(
    context: Context, value: BatchValue, params: Params, extents: list[Any], most: list[int]
) -> BatchValue:
    """Reshapes samples; requires that the number of elements stays the same."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import reshape_ragged

    word, samples = context.call.operator.display_name, len(value.data)
    layout = value.layout if len(extents) == value.data.ndim - 1 else ""
    if params["layout"] is not None:
        layout = params["layout"]
        if layout and len(layout) != len(extents):
            raise GraphError(f"layout {layout!r} of {word} does not have one letter for each of {len(extents)} axes")
    own = extents_of(value)
    plain = all(isinstance(one, int) for one in (*own, *extents))
    same = len(own) == len(extents) and all(one is other for one, other in zip(own, extents, strict=True))
    if not same:
        said = f"the new shape of {word} must have as many numbers as the sample"
        if plain and math.prod(own) != math.prod(extents):
            raise GraphError(f"{said}: {math.prod(own)}, shape {own}; the new one is {extents}, {math.prod(extents)}")
        if not plain:
            volumes = []
            for each in (own, extents):
                volume: Any = jnp.ones(samples, jnp.int32)
                for one in each:
                    volume = volume * column_of(one, samples)
                volumes.append(volume)
            context.require(volumes[0] == volumes[1], said)
        value = BatchValue(
            reshape_ragged(value.data, value.shapes, most, shapes_of(extents, samples)),
            shapes_of(extents, samples),
            layout,
            value.wide,
        )
    return BatchValue(value.data, value.shapes, layout, value.wide)
