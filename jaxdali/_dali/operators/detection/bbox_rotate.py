"""Rotates the boxes of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import EXTENTS, FLAG, NUMBER, NUMBERS, Kind, choice
from ..declaration import REQUIRED, Input, PerSample, Static, operator
from ..values import BatchValue, Context
from .boxes import boxes_of, labels_of, picked_labels

__all__ = ["bbox_rotate"]


def _shape(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    if not isinstance(read, tuple) or not 2 <= len(read) <= 3 or not all(isinstance(one, float) for one in read):
        raise ConfigError(f"{word} must be the shape of an image, 2 or 3 numbers, got {value!r:.80}")
    return read


def _layout(word: str, value: object) -> str:
    if not isinstance(value, str) or not set("HW") <= set(value) or len(set(value)) < len(value):
        raise ConfigError(f'{word} must name H and W, such as "HW" or "HWC", got {value!r:.80}')
    return value


def _threshold(word: str, value: object) -> float:
    number = NUMBER.read(word, value)
    if not 0 <= number < 1:
        raise ConfigError(f"{word} must be at least 0 and below 1, got {value!r:.80}")
    return number


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["keep_size"] and params["size"] is not None:
        raise ConfigError(f"{display_name} takes keep_size= or size=, not both")


@operator(
    "bbox_rotate",
    inputs=[
        Input("bboxes", "boxes, FLOAT [number, 4]", takes="boxes"),
        Input("labels", "label of each box, integers [number] or [number, 1]", takes="labels", optional=True),
    ],
    params=[
        PerSample("angle", REQUIRED, "rotation of the image, in degrees, counter-clockwise"),
        PerSample(
            "input_shape",
            REQUIRED,
            "shape of the image before its rotation",
            Kind("Sequence[int]", _shape, ((8, 9), (9, 8, 3))),
        ),
        Static("shape_layout", Kind("str", _layout, ("HW", "WH")), "HW", "layout of `input_shape`"),
        Static(
            "bbox_layout",
            choice("xyXY", "xyWH"),
            "xyXY",
            "boxes are left, top, right, bottom; or left, top, width, height",
        ),
        Static("bbox_normalized", FLAG, True, "boxes are fractions of their image; False: pixels"),
        Static("keep_size", FLAG, False, "as in `fn.rotate`"),
        PerSample("size", None, "(height, width) as in `fn.rotate`; fractions are cut off", EXTENTS),
        Static(
            "mode",
            choice("expand", "fixed", "halfway"),
            "expand",
            '"expand": boxes contain all of what was in them; "fixed": they keep their height and width, exchanged by'
            ' a quarter turn; "halfway": the mean of both',
        ),
        Static(
            "remove_threshold",
            Kind("float", _threshold, (0.25, 0.5)),
            0.1,
            "leave out boxes of which a smaller fraction is in the rotated image",
        ),
    ],
    check=_check,
    outputs=lambda _params: 1,
    more_outputs=True,
    returns="The boxes; in a list with their labels, if there are any.",
)
def bbox_rotate(
    context: Context, value: BatchValue, labels: BatchValue | None = None, *, angle: object, **params: Any
) -> tuple[BatchValue, ...]:
    """Rotates boxes like the images of `fn.rotate`; DALI's operator. See `jaxdali.boxes.rotate_boxes`."""
    import jax.numpy as jnp

    from jaxdali._device.boxes.rotations import rotate_boxes
    from jaxdali._device.image.exact_arithmetic import product, quotient, rounded
    from ..random.draw_arguments import single

    boxes, counts = boxes_of(context, value)
    extents = _extents(context, params)
    before = jnp.tile(extents.astype(jnp.float32)[:, None, ::-1], (1, 1, 2))
    corners = boxes if params["bbox_normalized"] else quotient(boxes, jnp.maximum(before, 1))
    if params["bbox_layout"] == "xyWH":
        corners = jnp.concatenate([corners[..., :2], rounded(corners[..., :2] + corners[..., 2:])], axis=-1)
    canvas = None if params["size"] is None else _size(context, params["size"])
    found, indices, total = rotate_boxes(
        corners,
        single(context, "angle", angle),
        extents,
        counts,
        canvas=canvas,
        **{name: params[name] for name in ("keep_size", "mode", "remove_threshold")},
    )
    if params["bbox_layout"] == "xyWH":
        found = jnp.concatenate([found[..., :2], found[..., 2:] - found[..., :2]], axis=-1)
    if not params["bbox_normalized"]:
        found = product(found, jnp.tile(_canvas(angle, extents, canvas, params)[:, None, ::-1], (1, 1, 2)))
    shapes = jnp.stack([total, jnp.full_like(total, 4)], axis=1)
    made = [BatchValue(found, shapes)]
    if labels is not None:
        made.append(picked_labels(labels_of(context, labels, boxes, counts), labels, indices, total))
    return tuple(made)


def _size(context: Context, size: object) -> Any:
    """Returns `float32[N or 1, 2]`, height and width of the rotated images, as given."""
    import jax.numpy as jnp

    found = jnp.floor(jnp.asarray(size, jnp.float32))
    if not 1 <= found.ndim <= 2 or found.shape[-1] != 2:
        raise GraphError(f"size of fn.bbox_rotate is 2 numbers, got {list(found.shape[1:])}")
    found = found.reshape(-1, 2)
    holds = jnp.broadcast_to((found >= 1).all(axis=1), (context.samples,))
    context.require(holds, "size of fn.bbox_rotate must be extents of at least 1")
    return jnp.maximum(found, 1)


def _extents(context: Context, params: Params) -> Any:
    """Returns `int32[N or 1, 2]`, height and width of the images."""
    import jax.numpy as jnp

    shape, layout = params["input_shape"], params["shape_layout"]
    rows = jnp.asarray([shape], jnp.float32) if isinstance(shape, tuple) else shape
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise GraphError(f"input_shape of fn.bbox_rotate is 2 or 3 numbers, got {list(rows.shape[1:])}")
    places = [layout.index(letter) for letter in "HW"]
    if max(places) >= rows.shape[1]:
        raise GraphError(f"input_shape of fn.bbox_rotate has {rows.shape[1]} numbers, and shape_layout={layout!r}")
    found = rows[:, jnp.asarray(places)].astype(jnp.int32)
    holds = jnp.broadcast_to((found >= 1).all(axis=1), (context.samples,))
    context.require(holds, "input_shape of fn.bbox_rotate must be extents of at least 1")
    return jnp.maximum(found, 1)


def _canvas(angle: object, extents: Any, canvas: Any, params: Params) -> Any:
    """Returns `float32[N or 1, 2]`, height and width of the rotated images."""
    import jax.numpy as jnp

    from jaxdali._device.image.warp import rotated_extents

    if canvas is not None:
        return canvas
    if params["keep_size"]:
        return extents.astype(jnp.float32)
    return rotated_extents(jnp.asarray(angle, jnp.float32), extents).astype(jnp.float32)
