"""Boxes as fractions of their image: those at its edges, which rounding may move beyond them, and those outside."""

from __future__ import annotations

import json
import types

import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import Pipeline, SourceDataError, fn
from jaxdali._dali.operators.detection.boxes import boxes_in_images
from jaxdali.types import UINT8

STEP = 2.0**-23
WIDTHS = [*range(1, 40), 333, 480, 500, 612, 640, 1023, 1024, 4095]


def _boxes(width: int) -> list[list[float]]:
    """Boxes that end at the image's right or lower edge, as x, y, width and height in pixels."""
    starts = np.unique(np.concatenate([np.arange(width), np.linspace(0, width, 83, endpoint=False).round(2)]))[:600]
    starts = starts[starts < width]
    return [[float(start), float(start), float(width - start), float(width - start)] for start in starts]


@pytest.fixture(scope="module")
def coco(tmp_path_factory):
    """A folder with one file per width, and its annotations."""
    root = tmp_path_factory.mktemp("coco")
    images, annotations = [], []
    for number, width in enumerate(WIDTHS):
        (root / f"{number}.png").write_bytes(b"not looked at")
        images.append({"id": number, "file_name": f"{number}.png", "width": width, "height": width})
        for box in _boxes(width):
            annotations.append({"id": len(annotations), "image_id": number, "category_id": 1, "bbox": box})
    text = json.dumps({"images": images, "annotations": annotations, "categories": [{"id": 1, "name": "one"}]})
    (root / "annotations.json").write_text(text)
    return root


@pytest.mark.parametrize("ltrb", [False, True])
def test_boxes_that_the_reader_makes_are_in_their_images(coco, ltrb):
    pipe = Pipeline(batch_size=len(WIDTHS), num_threads=1, device_id=None, seed=1)
    with pipe:
        _, boxes, labels = fn.readers.coco(
            file_root=str(coco), annotations_file=str(coco / "annotations.json"), ratio=True, ltrb=ltrb
        )
        layout = "xyXY" if ltrb else "xyWH"
        pipe.set_outputs(boxes, *fn.random_bbox_crop(boxes, labels, bbox_layout=layout, scaling=(0.5, 1.0)))
    with pipe:
        given, _, _, made, _ = pipe.run()
    beyond = 0
    for k in range(len(WIDTHS)):
        ends, found = (
            np.asarray(one.at(k))[:, 2:] + (0 if ltrb else np.asarray(one.at(k))[:, :2]) for one in (given, made)
        )
        beyond += (ends > 1).sum()
        assert ends.max() <= 1 + STEP and found.max() <= 1 + STEP
        if ltrb:
            assert found.max() <= 1
    assert beyond >= (0 if ltrb else 20)  # sums of fractions go beyond 1, sums of pixels hardly ever


def _checked(boxes, counts=None):
    """Returns the boxes in their images, and what is required of each sample."""
    required = []
    context = types.SimpleNamespace(
        call=types.SimpleNamespace(operator=types.SimpleNamespace(display_name="fn.any")),
        require=lambda holds, otherwise, shown: required.append(np.asarray(holds).tolist()),
    )
    made = boxes_in_images(context, jnp.asarray(boxes, jnp.float32), None if counts is None else jnp.asarray(counts))
    return np.asarray(made), required[0]


def test_boxes_inside_keep_every_bit():
    boxes = np.random.default_rng(0).random((50, 7, 6), np.float32)
    boxes[:, 0], boxes[:, 1], boxes[:, 2, ::2] = 0, 1, -0.0
    boxes[:, 3] = np.float32(1e-40)
    made, holds = _checked(boxes)
    assert made.tobytes() == boxes.tobytes() and all(holds)


@pytest.mark.parametrize(
    ("value", "clipped"),
    [
        (1 + STEP, 1.0),
        (1 + 2 * STEP, None),
        (-STEP, 0.0),
        (-2 * STEP, None),
        (np.nan, None),
        (np.inf, None),
        (1.5, None),
    ],
)
@pytest.mark.parametrize("column", range(4))
def test_a_step_of_float32_beyond_an_edge_is_rounding_and_more_is_not(value, clipped, column):
    boxes = np.full((3, 2, 4), 0.5, np.float32)
    boxes[1, 1, column] = value
    made, holds = _checked(boxes)
    assert holds == [True, clipped is not None, True]
    if clipped is not None:
        assert made[1, 1, column] == clipped
    assert _checked(boxes, [2, 1, 2])[1] == [True] * 3  # it is no box, but padding


def _of_boxes(boxes, labels):
    return fn.random_bbox_crop(boxes, labels)


def _of_images(boxes, labels):
    images = fn.constant(idata=[7], shape=(8, 8, 3), dtype=UINT8, layout="HWC")
    return fn.ssd_random_crop(images, boxes, labels)


@pytest.mark.parametrize("operator", [_of_boxes, _of_images])
def test_the_box_that_leaves_its_image_is_named_with_its_numbers(operator):
    boxes = np.full((2, 3, 4), [0.25, 0.25, 0.5, 0.5], np.float32)
    boxes[1, 2] = [0.125, 0.25, 0.5, 1.5]
    pipe = Pipeline(batch_size=2, num_threads=1, device_id=None, seed=1)
    with pipe:
        given = fn.external_source(lambda: boxes), fn.external_source(lambda: np.ones((2, 3), np.int32))
        pipe.set_outputs(*operator(*given))
    words = r"expects boxes in their image, from 0 to 1, and box 2 is from \[0.125, 0.25\] to \[0.5, 1.5\] \[in fn."
    with pipe, pytest.raises(SourceDataError, match=words) as caught:
        pipe.run()
    assert caught.value.origin.sample_index == 1
