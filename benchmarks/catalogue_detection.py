"""Cases of operators on boxes, points and masks."""

from __future__ import annotations

import functools

import numpy as np
from catalogue_case import Case

__all__ = ["DETECTION"]


@functools.cache
def _anchors() -> list[float]:
    """The anchors of SSD300: 8,732 boxes, left, top, right, bottom."""
    found = []
    for cells, count, size in ((38, 4, 0.1), (19, 6, 0.2), (10, 6, 0.37), (5, 6, 0.54), (3, 4, 0.71), (1, 4, 0.88)):
        for cell in range(cells * cells):
            middle = np.array([cell % cells, cell // cells]) / cells + 0.5 / cells
            for ratio in (1, 1.2, 2, 0.5, 3, 1 / 3)[:count]:
                half = size * np.array([ratio**0.5, ratio**-0.5]) / 2
                found.append(np.concatenate([middle - half, middle + half]))
    return np.concatenate(found).clip(0, 1).tolist()


def _boxes() -> dict[str, list[Case]]:
    return {
        "bb_flip": [
            Case(("boxes",), lambda d, x: d.fn.bb_flip(x, ltrb=True)),
            Case(("boxes",), lambda d, x: d.fn.bb_flip(x, ltrb=True, vertical=1), "vertical=1"),
        ],
        "bbox_paste": [
            Case(("boxes",), lambda d, x: d.fn.bbox_paste(x, ratio=2.0, ltrb=True), "ratio=2", apart=1e-5),
            Case(
                ("boxes",),
                lambda d, x: d.fn.bbox_paste(x, ratio=1.5, paste_x=0.2, ltrb=True),
                "paste_x=0.2",
                apart=1e-5,
            ),
        ],
        "bbox_rotate": [
            Case(
                ("boxes",),
                lambda d, x: d.fn.bbox_rotate(x, angle=20.0, input_shape=[300, 200]),
                "angle=20",
                apart=1e-5,
            ),
            Case(
                ("boxes", "labels"),
                lambda d, x, y: d.fn.bbox_rotate(x, y, angle=200.0, input_shape=[300, 200], keep_size=True),
                "with labels, keep_size=True",
                apart=1e-5,
            ),
        ],
        "box_encoder": [
            Case(
                ("boxes", "labels"),
                lambda d, boxes, labels: d.fn.box_encoder(boxes, labels, anchors=_anchors()),
                "8,732 anchors",
                apart=1e-5,
            ),
            Case(
                ("boxes", "labels"),
                lambda d, boxes, labels: d.fn.box_encoder(
                    boxes, labels, anchors=_anchors(), offset=True, stds=[0.1, 0.1, 0.2, 0.2], scale=300.0
                ),
                "8,732 anchors, offset=True",
                apart=1e-4,
            ),
        ],
    }


def _windows() -> dict[str, list[Case]]:
    crop = {"device": "cpu", "thresholds": [0.0, 0.1, 0.5], "num_attempts": 50}
    return {
        "random_bbox_crop": [
            Case(
                ("boxes", "labels"),
                lambda d, boxes, labels: d.fn.random_bbox_crop(
                    boxes, labels, bbox_layout="xyXY", scaling=[0.3, 1.0], aspect_ratio=[0.5, 2.0], **crop
                ),
                "scaling",
                drawn=True,
            ),
            Case(
                ("boxes",),
                lambda d, boxes: d.fn.random_bbox_crop(
                    boxes, bbox_layout="xyXY", crop_shape=[100, 90], input_shape=[200, 300], allow_no_crop=False, **crop
                ),
                "crop_shape",
                drawn=True,
            ),
        ],
        "ssd_random_crop": [
            Case(("images", "boxes", "labels"), lambda d, *x: d.fn.ssd_random_crop(*x), "one attempt", drawn=True),
            Case(
                ("ragged", "boxes", "labels"),
                lambda d, *x: d.fn.ssd_random_crop(*x, num_attempts=50),
                "num_attempts=50",
                drawn=True,
            ),
        ],
        "random_crop_generator": [
            Case(("sizes",), lambda d, x: d.fn.random_crop_generator(x), "a size", drawn=True),
            Case(
                ("sizes",),
                lambda d, x: d.fn.random_crop_generator(x, random_area=[0.5, 1.0]),
                "random_area=[0.5, 1]",
                drawn=True,
            ),
        ],
        "roi_random_crop": [
            Case(
                (),
                lambda d, k: d.fn.roi_random_crop(crop_shape=[100, 90], roi_start=[10 + k, 20], roi_end=[50, 60]),
                "numbers",
                drawn=True,
            ),
            Case(
                ("images",),
                lambda d, x: d.fn.roi_random_crop(x, crop_shape=[12, 13], roi_start=[4, 5], roi_shape=[9, 8]),
                "within an image",
                drawn=True,
            ),
        ],
    }


def _points() -> dict[str, list[Case]]:
    return {
        "coord_flip": [
            Case(("points",), lambda d, x: d.fn.coord_flip(x)),
            Case(("points",), lambda d, x: d.fn.coord_flip(x, flip_y=1, center_x=0.4), "flip_y=1, center_x=0.4"),
        ],
        "coord_transform": [
            Case(
                ("points",), lambda d, x: d.fn.coord_transform(x, M=(0.9, 0.2, -0.2, 0.9), T=(3, 5)), "M, T", apart=1e-5
            ),
            Case(("points", "maps"), lambda d, x, m: d.fn.coord_transform(x, MT=m), "MT is a node", apart=1e-5),
        ],
    }


def _masks() -> dict[str, list[Case]]:
    return {
        "segmentation.random_mask_pixel": [
            Case(
                ("masks",),
                lambda d, x: d.fn.segmentation.random_mask_pixel(x, foreground=1),
                "foreground=1",
                drawn=True,
            ),
            Case(
                ("objects",),
                lambda d, x: d.fn.segmentation.random_mask_pixel(x, value=2, foreground=1),
                "value=2",
                drawn=True,
            ),
        ],
        "segmentation.random_object_bbox": [
            Case(
                ("objects",),
                lambda d, x: d.fn.segmentation.random_object_bbox(x, background=0, foreground_prob=1.0, format="box"),
                "any object",
                drawn=True,
            ),
            Case(
                ("objects",),
                lambda d, x: d.fn.segmentation.random_object_bbox(x, foreground_prob=1.0, k_largest=2, format="box"),
                "k_largest=2",
                drawn=True,
            ),
        ],
        "segmentation.select_masks": [
            Case(
                ("mask_ids", "polygons", "vertices"),
                lambda d, *masks: d.fn.segmentation.select_masks(*masks),
                "two of three",
            ),
            Case(
                ("mask_ids", "polygons", "vertices"),
                lambda d, *masks: d.fn.segmentation.select_masks(*masks, reindex_masks=True),
                "reindex_masks=True",
            ),
        ],
    }


DETECTION = {**_boxes(), **_masks(), **_points(), **_windows()}
