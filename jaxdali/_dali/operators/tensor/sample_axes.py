"""Axes of samples: how arguments name them, and their extents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError, GraphIndexError
from ..argument_kinds import Kind, whole
from ..values import BatchValue, Context

__all__ = [
    "AXES",
    "AXIS",
    "LAYOUT",
    "LETTER",
    "LETTERS",
    "SOME_LETTERS",
    "axes_of_samples",
    "column_of",
    "extents_of",
    "numbers_of_axes",
    "picked_axes",
    "shapes_of",
    "single_axis",
]


def _integers(word: str, value: object) -> tuple[int, ...]:
    value = whole(value)
    array = np.asarray(value) if not isinstance(value, list | tuple) or value else np.zeros(0, np.int32)
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise ConfigTypeError(f"{word} must be an integer, or several, got {value!r:.80}")
    return tuple(np.ravel(array).tolist())


def _axes(word: str, value: object) -> tuple[int, ...]:
    axes = _integers(word, value)
    if len(set(axes)) < len(axes):
        raise ConfigError(f"{word} names an axis twice, got {value!r:.80}")
    return axes


def _text(word: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigTypeError(f"{word} must be text, a letter for each axis, got {value!r:.80}")
    return str(value)


def _letters(word: str, value: Any) -> str:
    if len(set(_text(word, value))) < len(value):
        raise ConfigError(f"{word} must be letters of a layout, each once, got {value!r:.80}")
    return str(value)


def _some_letters(word: str, value: object) -> str:
    if not _letters(word, value):
        raise ConfigError(f"{word} must be letters of a layout, at least one, got {value!r:.80}")
    return str(value)


def _letter(word: str, value: object) -> str:
    if len(_text(word, value)) != 1:
        raise ConfigError(f"{word} must be one letter, got {value!r:.80}")
    return str(value)


def _axis(word: str, value: int) -> int:
    axes = _integers(word, value)
    if len(axes) != 1 or np.ndim(value):
        raise ConfigError(f"{word} must be one axis, got {value!r:.80}")
    return axes[0]


AXES = Kind("int | Sequence[int]", _axes, (0, (0, 1)))
AXIS = Kind("int", _axis, (0, 1))
LAYOUT = Kind("str", _text, ("ABC", "XYZ"))
LETTERS = Kind("str", _letters, ("H", "WH"))
SOME_LETTERS = Kind("str", _some_letters, ("H", "WH"))
LETTER = Kind("str", _letter, ("H", "W"))
INTEGERS = Kind("int | Sequence[int]", _integers, (0, (0, 1)))


def picked_axes(
    context: Context, value: BatchValue, axes: Sequence[int] | None, names: str | None, negative: bool = True
) -> tuple[int, ...] | None:
    """Returns axes, given by number or by letter, as indices from 0; None if neither was given.

    Raises:
        GraphIndexError: an axis does not exist.
        GraphError: an axis is named twice, or its name is not in the layout.
    """
    word, rank = context.call.operator.display_name, value.data.ndim - 1
    if names is not None:
        missing = [name for name in names if name not in value.layout]
        if missing:
            raise GraphError(f"{word} names the axis {missing[0]!r}, but its input has the layout {value.layout!r}")
        return tuple(value.layout.index(name) for name in names)
    if axes is None:
        return None
    wrong = [axis for axis in axes if not (-rank if negative else 0) <= axis < rank]
    if wrong:
        raise GraphIndexError(f"axis {wrong[0]} of {word} is out of range for samples of {rank} dimensions")
    found = tuple(axis % rank for axis in axes)
    if len(set(found)) < len(found):
        raise GraphError(f"{word} names an axis twice: {list(axes)} of samples of {rank} dimensions")
    return found


def axes_of_samples(context: Context, value: BatchValue, axes: BatchValue) -> tuple[Array, int | Array]:
    """Returns axes that a node gives, `int32[N, axes]`, as indices from 0, and how many a sample has: an integer if it is
    the same for all samples, else `int32[N]`. A sample with fewer axes has -1 in place of the rest; one with none has all
    axes, as in DALI.

    Raises:
        GraphError: they are not integers.
    """
    import jax.numpy as jnp

    word, rank = context.call.operator.display_name, value.data.ndim - 1
    if axes.data.dtype.kind not in "iu":
        raise GraphError(f"{word}(axes=) as a node expects integers, got {axes.data.dtype}")
    found = axes.data.reshape(len(axes.data), math.prod(axes.data.shape[1:])).astype(jnp.int32)
    there: Any = True if axes.shapes is None else jnp.arange(found.shape[1]) < axes.shapes.prod(axis=1)[:, None]
    inside = (found >= -rank) & (found < rank) | ~jnp.asarray(there)
    context.require(inside.all(axis=1), f"an axis of {word} is out of range for samples of {rank} dimensions")
    found = jnp.where(there & inside, jnp.where(found < 0, found + rank, found), -1)
    earlier = jnp.arange(found.shape[1])[:, None] > jnp.arange(found.shape[1])
    twice = (found[:, :, None] == found[:, None, :]) & (found[:, :, None] >= 0) & earlier
    context.require(~twice.any(axis=(1, 2)), f"{word} names an axis twice")
    found = found[:, :rank]
    if axes.shapes is None and found.shape[1]:
        return found, found.shape[1]
    found = jnp.pad(found, ((0, 0), (0, rank - found.shape[1])), constant_values=-1)
    none = True if axes.shapes is None else axes.shapes.prod(axis=1)[:, None] == 0
    found = jnp.where(none, jnp.arange(rank), found)
    return found, (found >= 0).sum(axis=1)


def numbers_of_axes(context: Context, name: str, given: Any, counts: int | Array, most: int) -> Any:
    """Returns an argument's numbers for the axes of samples: a tuple, or those of a node, `[N, axes]`. There are as many
    as there can be axes, or one for all of them, which is only allowed where all samples have one.

    Args:
        name: that of the argument.
        given: its numbers, or the value of a node, whose samples may differ in their number.
        counts: how many axes each sample has: an integer, or `int32[N]`.
        most: the largest of these.

    Raises:
        GraphError: there are neither as many numbers as axes, nor one; or there are some for each frame.
    """
    import jax.numpy as jnp

    word, written = context.call.operator.display_name, not isinstance(given, BatchValue)
    if not written and given.layout.startswith("F") and given.data.ndim > 1 and given.data.shape[1] != 1:
        raise GraphError(f"{name}= of {word} has one entry per frame, but it takes one value per sequence only")
    data = given if written else given.data.reshape(len(given.data), math.prod(given.data.shape[1:]))
    own = len(given) if written else data.shape[1] if given.shapes is None else given.shapes.prod(axis=1)
    if isinstance(own, int) and (own == 1 or (isinstance(counts, int) and own == counts)):
        return data
    if isinstance(own, int) and (own == 0 or own > most or isinstance(counts, int)):
        axes = counts if isinstance(counts, int) else f"at most {most}"
        raise GraphError(f"{name}= of {word} has {own} numbers for {axes} axes; give one, or one for each")
    own, counts = (column_of(one, context.samples) for one in (own, counts))
    context.require(
        own == counts,
        f"{name}= of {word} has {{0}} numbers for {{1}} axes; give one, or one for each",
        [own, counts],
    )
    if written:
        return (*data, *data[:1] * most)[:most]
    # The first number stands for those that a sample does not have.
    data = jnp.where(jnp.arange(data.shape[1]) < own[:, None], data, data[:, :1])[:, :most]
    return jnp.concatenate([data, jnp.repeat(data[:, :1], most - data.shape[1], axis=1)], axis=1)


def single_axis(context: Context, axis: int, name: str | None, value: BatchValue) -> int:
    """Returns one axis of the input, as an index from 0. Raises as `picked_axes`."""
    found = picked_axes(context, value, (axis,), name)
    assert found is not None
    return found[0]


def extents_of(value: BatchValue) -> list[Any]:
    """Returns the extent of each axis: an integer if it is the same for all samples, else `int32[N]`."""
    if value.shapes is None:
        return list(value.data.shape[1:])
    return [value.shapes[:, axis] for axis in range(value.data.ndim - 1)]


def shapes_of(extents: Sequence[object], samples: int) -> Any:
    """Returns `int32[N, ndim]` of such extents; None if all of them are integers."""
    import jax.numpy as jnp

    if all(isinstance(extent, int) for extent in extents):
        return None
    return jnp.stack([column_of(extent, samples) for extent in extents], axis=1)


def column_of(extent: object, samples: int) -> Any:
    """Returns `int32[N]` of one such extent."""
    import jax.numpy as jnp

    return jnp.broadcast_to(jnp.asarray(extent, jnp.int32), (samples,))
