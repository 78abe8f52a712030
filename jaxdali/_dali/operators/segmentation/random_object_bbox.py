"""Draws random objects of masks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, NUMBER, NUMBERS, Kind, choice, integer
from ..declaration import PerSample, Static, operator
from ..operator_inputs import ANY
from ..random.draw_arguments import SEED_PARAM, row_of_each, single
from ..tensor.sample_axes import INTEGERS
from ..values import BatchValue, Context

__all__ = ["random_object_bbox"]


def _several(word: str, value: object) -> tuple[int, ...]:
    numbers = INTEGERS.read(word, value)
    if not numbers:
        raise ConfigError(f"{word} must be integers, got {value!r:.80}")
    return numbers


def _one(word: str, value: object) -> int:
    return integer(-(1 << 31), (1 << 31) - 1).read(word, value)


def _weights(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    numbers = read if isinstance(read, tuple) else (read,)
    if not numbers or not all(isinstance(one, float) and 0 <= one < np.inf for one in numbers):
        raise ConfigError(f"{word} must be numbers from 0 on, got {value!r:.80}")
    return numbers


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    classes, weights = params["classes"], params["class_weights"]
    if params["ignore_class"] and (classes is not None or weights is not None or params["output_class"]):
        raise ConfigError(
            f"{display_name}(ignore_class=True) takes no classes=, class_weights= or output_class=; leave out one or the "
            "other"
        )
    if isinstance(classes, tuple):
        if isinstance(weights, tuple) and len(weights) != len(classes):
            raise ConfigError(
                f"{display_name} got {len(classes)} classes and {len(weights)} class_weights; give the same number of both"
            )
        if params["background"] in classes:
            raise ConfigError(f"{display_name}: background={params['background']} is one of classes=; give another one")


def _count(params: Params) -> int:
    return (1 if params["format"] == "box" else 2) + params["output_class"]


@operator(
    "segmentation.random_object_bbox",
    inputs=[ANY],
    params=[
        PerSample(
            "background",
            None,
            "label of the background. By default 0, or if that is one of the classes, the next number below all of them",
            Kind("int", _one, (7, 9)),
        ),
        PerSample(
            "classes",
            None,
            "labels of the objects. By default all but the background, or, with `class_weights`, as many labels as "
            "there are weights, from 0 on without the background",
            Kind("int | Sequence[int]", _several, ((20, 60), (90,))),
            ragged=True,
        ),
        PerSample(
            "class_weights",
            None,
            "relative probability of each class, among the classes that occur in the mask. By default all classes are"
            " equally likely",
            Kind("float | Sequence[float]", _weights, ((1.0, 3.0), (2.0,))),
            ragged=True,
        ),
        PerSample("foreground_prob", 1.0, "probability of returning an object rather than the whole mask", NUMBER),
        PerSample(
            "threshold",
            None,
            "smallest extents of an object's box, one per axis or one for all",
            Kind("int | Sequence[int]", _several, (1, 2)),
        ),
        Static(
            "k_largest", integer(1), None, "draw only from this many objects of the class, those with the largest boxes"
        ),
        Static("ignore_class", FLAG, False, "draw all objects with the same probability, regardless of their class"),
        Static(
            "output_class",
            FLAG,
            False,
            "also return the label of the object; for the whole mask it is that of the background",
        ),
        Static(
            "format",
            choice("anchor_shape", "start_end", "box"),
            "anchor_shape",
            'what to return: the start of the box and its extents ("anchor_shape"); its start and its end '
            '("start_end"); or start and end in one array ("box")',
        ),
        SEED_PARAM,
    ],
    accepted={"cache_objects": "objects are found on the device, anew in each batch"},
    check=_check,
    is_random=True,
    outputs=lambda params: None if (count := _count(params)) == 1 else count,
    returns="A list of what `format` says, INT32 [axes] each, and the label; a node if that is all in one array.",
)
def random_object_bbox(
    context: Context, mask: BatchValue, *, seed: int | None, **params: Any
) -> tuple[BatchValue, ...]:
    """Draws an object of each mask: first a class, then an object of this class; DALI's operator. An object consists of
    pixels with the same label that are connected along the axes. See `jaxdali.boxes.random_object`.
    """
    import jax.numpy as jnp

    from jaxdali._device.boxes.object_boxes import random_object

    if mask.data.dtype.kind not in "biu":
        raise GraphError(
            f"fn.segmentation.random_object_bbox expects labels, which are integers, got {mask.data.dtype}"
        )
    threshold = _given(context, "threshold", params["threshold"])
    axes, extents = mask.data.ndim - 1, 1 if threshold is None or not threshold.ndim else threshold.shape[-1]
    if extents not in (1, axes):
        raise GraphError(
            f"threshold= of fn.segmentation.random_object_bbox has {extents} extents for masks of {axes} axes; give one for "
            "each, or one for all"
        )
    background = _given(context, "background", params["background"])
    classes, weights = _classes(context, params["classes"], params["class_weights"])
    if background is None:
        background = 0
        if classes is not None:
            background = _no_class(jnp.asarray(classes, jnp.int32))
    elif classes is not None:
        other = (jnp.asarray(classes) != jnp.asarray(background).reshape(-1, 1)).all(axis=-1)
        context.require(
            jnp.broadcast_to(other, (context.samples,)),
            "the background of fn.segmentation.random_object_bbox is one of its classes",
        )
    start, end, label = random_object(
        context.keys(seed),
        mask.data,
        mask.shapes,
        background=background,
        classes=classes,
        class_weights=weights,
        foreground_prob=single(context, "foreground_prob", params["foreground_prob"]),
        threshold=threshold,
        k_largest=params["k_largest"],
        ignore_class=params["ignore_class"],
    )
    label = BatchValue(label)
    if params["format"] == "box":
        found = [BatchValue(jnp.concatenate([start, end], axis=1))]
    else:
        found = [BatchValue(start), BatchValue(end if params["format"] == "start_end" else end - start)]
    return (*found, label) if params["output_class"] else tuple(found)


def _no_class(classes: Array) -> Array:
    """Returns a number that is none of the classes `int32[C]` or `[N, C]`: 0, else the next one below the lowest. Below the
    least number of 32 bits is the largest one.
    """
    import jax.numpy as jnp

    below = classes.min(axis=-1, keepdims=True) - 1 - jnp.arange(classes.shape[-1], dtype=jnp.int32)
    free = (below[..., None] != classes[..., None, :]).all(axis=-1)
    first = jnp.take_along_axis(below, jnp.argmax(free, axis=-1, keepdims=True), axis=-1)[..., 0]
    return jnp.where((classes == 0).any(axis=-1), first, 0)


def _given(context: Context, name: str, value: Any) -> Any:
    """Returns an argument as an array; the values of a node are `[N, K]`, or `[N]` for the background."""
    if value is None or not isinstance(context.call.params[name], DataNode):
        return None if value is None else np.asarray(value)
    return value.astype(np.int32).reshape(len(value), *[] if name == "background" else [math.prod(value.shape[1:])])


def _classes(context: Context, classes: object, weights: object) -> tuple[Array | None, Array | None]:
    """Returns the classes and their weights, `[K]` or `[N, K]`, or None. Samples with fewer than K classes have their first
    class again, with the weight 0.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    given = {"classes": classes, "class_weights": weights}
    counts, arrays = {}, {}
    for name, value in given.items():
        if isinstance(value, BatchValue):
            arrays[name], counts[name] = row_of_each(value)
        elif value is not None:
            arrays[name] = np.asarray(value)
            counts[name] = len(arrays[name])
    if len(counts) == 2:
        same = jnp.asarray(counts["classes"] == counts["class_weights"])
        context.require(
            jnp.broadcast_to(same, (context.samples,)), "classes and class_weights differ in the number of classes"
        )
    ragged = [count for count in counts.values() if not isinstance(count, int)]
    if not ragged:
        return arrays.get("classes"), arrays.get("class_weights")
    size = max(array.shape[-1] for array in arrays.values())
    there = jnp.arange(size) < ragged[0][:, None]
    wide: dict[str, Array] = {
        name: on_canvas(jnp.broadcast_to(array, (context.samples, array.shape[-1])), (size,))
        for name, array in arrays.items()
    }
    labels = wide.get("classes")
    labels = None if labels is None else jnp.where(there, labels, labels[:, :1])
    return labels, jnp.where(there, wide.get("class_weights", jnp.float32(1)), 0)
