"""Draws random windows of images with their boxes, as for the training of SSD."""

from __future__ import annotations

from typing import Any

from ..argument_kinds import integer
from ..declaration import Input, Static, operator
from ..image.warping import images_in
from ..random.draw_arguments import SEED_PARAM
from ..values import BatchValue, Context
from .boxes import BOXES, boxes_in_images, boxes_of, labels_of, picked_labels

__all__ = ["ssd_random_crop"]

# The overlap of a window with each box, drawn from these; or the whole image is kept.
_THRESHOLDS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
_SCALING, _RATIOS = (0.3, 1.0), (0.5, 2.0)


@operator(
    "ssd_random_crop",
    inputs=[
        Input("images", 'images, layout "HWC"', takes="images"),
        BOXES,
        Input("labels", "label of each box, integers [number] or [number, 1]", takes="labels"),
    ],
    params=[
        Static("num_attempts", integer(1, 1000), 1, "windows to draw before another overlap, or none, is tried"),
        SEED_PARAM,
    ],
    outputs=lambda _params: 3,
    returns="The windows of the images, the boxes in them, and their labels.",
    is_random=True,
    raises={"SourceDataError": "a box leaves its image, where the batch is handed out"},
)
def ssd_random_crop(
    context: Context, value: BatchValue, boxes: BatchValue, labels: BatchValue, *, num_attempts: int, seed: int | None
) -> tuple[BatchValue, ...]:
    """Draws a window of each image that keeps enough of its boxes, and cuts it; DALI's operator, which is deprecated there.

    `fn.random_bbox_crop` draws windows by rules of your own, and `fn.slice` cuts them: they decode no more than the window.
    """
    import jax.numpy as jnp

    from jaxdali._device.boxes.crops import crop_boxes, random_crop
    from jaxdali._device.image.exact_arithmetic import product, rounded
    from jaxdali._device.image.geometry import crop_windows

    value = images_in(context, value)
    corners, counts = boxes_of(context, boxes)
    corners = boxes_in_images(context, corners, counts)
    start, size = random_crop(
        context.keys(seed),
        corners,
        counts,
        thresholds=_THRESHOLDS,
        aspect_ratio=_RATIOS,
        scaling=_SCALING,
        num_attempts=num_attempts,
    )
    found, indices, total = crop_boxes(corners, start, size, counts)
    samples, *canvas, channels = value.data.shape
    whole = jnp.asarray([canvas], jnp.int32) if value.shapes is None else value.shapes[:, :2]
    # Rows before columns.
    edges = [
        product(edge[:, ::-1], whole.astype(jnp.float32)).astype(jnp.int32) for edge in (start, rounded(start + size))
    ]
    begin = jnp.clip(edges[0], 0, jnp.maximum(whole - 1, 0))
    extents = jnp.clip(edges[1] - begin, jnp.minimum(whole, 1), whole - begin)
    windows = jnp.concatenate([begin, extents], axis=1)
    own: Any = jnp.full((samples, 1), channels, jnp.int32) if value.shapes is None else value.shapes[:, 2:]
    images = BatchValue(
        crop_windows(value.data, windows, value.shapes), jnp.concatenate([extents, own], axis=1), value.layout
    )
    kinds = labels_of(context, labels, corners, counts)
    return (
        images,
        BatchValue(found, jnp.stack([total, jnp.full_like(total, 4)], axis=1)),
        picked_labels(kinds, labels, indices, total),
    )
