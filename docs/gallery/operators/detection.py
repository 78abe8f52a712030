"""Examples of operators on boxes, points, masks and polygons."""

from __future__ import annotations

import numpy as np

from jaxdali import fn
from ..example import Group
from ..kits import MASKS, NOTHING, OBJECTS, POLYGONS
from ..pictures import boxes_on_images

GROUP = Group("Boxes, points and masks", OBJECTS)
_DRAWN = {"drawing": boxes_on_images}


@GROUP("fn.bb_flip", "UINT8 (240, 320, 3) HWC", "FLOAT (2, 4)", **_DRAWN)
def bb_flip(images, boxes):
    """An image and its boxes are mirrored by the same draws."""
    mirror = fn.random.coin_flip(probability=0.9)
    return fn.flip(images, horizontal=mirror), fn.bb_flip(
        boxes, horizontal=mirror, ltrb=True
    )


@GROUP("fn.bbox_paste", "UINT8 (360, 480, 3) HWC", "FLOAT (2, 4)", **_DRAWN)
def bbox_paste(images, boxes):
    """Boxes are moved like the image that is pasted on a larger canvas."""
    where = {"ratio": 1.5, "paste_x": 0.8, "paste_y": 0.3}
    return fn.paste(images, fill_value=128, **where), fn.bbox_paste(
        boxes, ltrb=True, **where
    )


@GROUP("fn.bbox_rotate", "UINT8 (240, 320, 3) HWC", "FLOAT (2, 4)", **_DRAWN)
def bbox_rotate(images, boxes):
    """A box is as large as what was in it needs after the rotation."""
    rotated = fn.rotate(images, angle=15.0, keep_size=True, fill_value=0)
    return rotated, fn.bbox_rotate(
        boxes, angle=15.0, keep_size=True, input_shape=(240, 320), bbox_layout="xyXY"
    )


@GROUP(
    "fn.random_bbox_crop", "UINT8 (*, *, 3) HWC", "INT32 (*,)", "FLOAT (*, 4)", **_DRAWN
)
def random_bbox_crop(images, boxes, labels):
    """A window that keeps at least half of a box; the boxes are those of the window."""
    start, shape, boxes, labels = fn.random_bbox_crop(
        boxes,
        labels,
        thresholds=[0.5],
        threshold_type="overlap",
        scaling=[0.4, 0.8],
        allow_no_crop=False,
        bbox_layout="xyXY",
    )
    return fn.slice(images, start, shape), labels, boxes


@GROUP(
    "fn.ssd_random_crop", "UINT8 (*, *, 3) HWC", "INT32 (*,)", "FLOAT (*, 4)", **_DRAWN
)
def ssd_random_crop(images, boxes, labels):
    """The window as SSD draws it, and what is in it."""
    images, boxes, labels = fn.ssd_random_crop(images, boxes, labels, num_attempts=20)
    return images, labels, boxes


@GROUP("fn.box_encoder", "FLOAT (3, 4)", "INT32 (3,)")
def box_encoder(boxes, labels):
    """Three anchors: those that match no box get the label 0."""
    anchors = [0.0, 0.0, 0.5, 0.5, 0.5, 0.1, 0.75, 0.4, 0.45, 0.65, 0.6, 0.9]
    return fn.box_encoder(boxes, labels, anchors=anchors)


@GROUP("fn.coord_flip", "FLOAT (2, 2)", kit=NOTHING)
def coord_flip():
    """Points of an image that is mirrored: x becomes 1 - x."""
    return fn.coord_flip(np.float32([[0.1, 0.2], [0.5, 0.9]]))


@GROUP("fn.coord_transform", "FLOAT (2, 2)", kit=NOTHING)
def coord_transform():
    """Points are turned by an affine map."""
    turned = fn.transforms.rotation(
        angle=fn.random.uniform(range=(-30, 30)), center=(160, 120)
    )
    return fn.coord_transform(np.float32([[100, 80], [160, 120]]), MT=turned)


@GROUP("fn.random_crop_generator", "INT32 (2,)", "INT32 (2,)")
def random_crop_generator(files):
    """Where a window begins, and its height and width, before anything is decoded."""
    start, shape = fn.random_crop_generator(
        fn.peek_image_shape(files), random_area=[0.1, 0.5]
    )
    return start, shape


@GROUP("fn.roi_random_crop", "INT64 (2,)")
def roi_random_crop(images):
    """Where a window of 100 x 100 pixels begins that contains a region."""
    return fn.roi_random_crop(
        images, crop_shape=[100, 100], roi_start=[60, 200], roi_shape=[40, 40]
    )


@GROUP("fn.segmentation.random_mask_pixel", "INT64 (3,)", kit=MASKS)
def random_mask_pixel(masks):
    """A pixel of an object, as the middle of a window, say."""
    return fn.segmentation.random_mask_pixel(masks, foreground=1)


@GROUP("fn.segmentation.random_object_bbox", "INT32 (6,)", kit=MASKS)
def random_object_bbox(masks):
    """The box of an object that is drawn, its start and its end along each axis."""
    return fn.segmentation.random_object_bbox(masks, foreground_prob=1.0, format="box")


@GROUP("fn.segmentation.select_masks", "INT32 (1, 3)", "FLOAT (*, 2)", kit=POLYGONS)
def select_masks(polygons, vertices):
    """The polygons of the second object, and their vertices."""
    return fn.segmentation.select_masks(
        np.int32([1]), polygons, vertices, reindex_masks=True
    )
