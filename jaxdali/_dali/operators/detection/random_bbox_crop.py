"""Random windows of images that keep enough of their boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, NUMBERS, Kind, choice, integer
from ..declaration import Input, PerSample, Static, operator
from ..random.draw_arguments import SEED_PARAM
from ..values import BatchValue, Context
from .boxes import boxes_in_images, boxes_of, labels_of, picked_labels

__all__ = ["random_bbox_crop"]


def _numbers(word: str, value: object, counts: Sequence[int]) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    numbers = read if isinstance(read, tuple) else (read,)
    if not all(isinstance(one, float) for one in numbers) or (counts and len(numbers) not in counts) or not numbers:
        said = " or ".join(map(str, counts)) or "some"
        raise ConfigError(f"{word} must be {said} numbers, got {value!r:.80}")
    return numbers


def _ranges(word: str, value: object, counts: Sequence[int]) -> tuple[float, ...]:
    numbers = _numbers(word, value, counts)
    pairs = [*zip(numbers[::2], numbers[1::2], strict=True)]
    if not all(0 <= least <= most < np.inf for least, most in pairs):
        raise ConfigError(f"{word} must be (smallest, largest), from 0 on, got {value!r:.80}")
    return numbers


def _ratios(word: str, value: object) -> tuple[float, ...]:
    numbers = _ranges(word, value, (2, 6))
    if any(least == most == 0 for least, most in zip(numbers[::2], numbers[1::2], strict=True)):
        raise ConfigError(f"{word} must be above 0, got {value!r:.80}")
    return numbers


def _thresholds(word: str, value: object) -> tuple[float, ...]:
    numbers = _numbers(word, value, ())
    if not all(0 <= one <= 1 for one in numbers):
        raise ConfigError(f"{word} must be from 0 to 1, got {value!r:.80}")
    return numbers


def _extents(word: str, value: object) -> tuple[int, ...]:
    numbers = _numbers(word, value, (2, 3))
    if not all(1 <= one < 1 << 24 and one == int(one) for one in numbers):
        raise ConfigError(f"{word} must be whole numbers of pixels, at least 1, got {value!r:.80}")
    return tuple(int(one) for one in numbers)


def _box_layout(word: str, value: object) -> str:
    text = value if isinstance(value, str) else ""
    if not any(sorted(text) == sorted(layout) for layout in ("xyXY", "xyWH", "xyzXYZ", "xyzWHD")):
        raise ConfigError(f'{word} must be "xyXY", "xyWH", "xyzXYZ" or "xyzWHD", in any order, got {value!r:.80}')
    return text


def _shape_layout(word: str, value: object) -> str:
    if not isinstance(value, str) or sorted(value) not in (["H", "W"], ["D", "H", "W"]):
        raise ConfigError(f'{word} must be "WH" or "WHD", in any order, got {value!r:.80}')
    return value


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["crop_shape"] is None:
        return
    if params["input_shape"] is None:
        raise ConfigError(f"{display_name}(crop_shape=) is in the units of input_shape=; give that, too")
    given = [name for name in ("scaling", "aspect_ratio") if params[name] is not None]
    if given:
        raise ConfigError(f"{display_name} got both crop_shape= and {given[0]}=; give one of them")


_SHAPE = Kind("Sequence[int]", _extents, ((4, 3), (5, 6)))
_PART = Kind("float", lambda word, value: _thresholds(word, value)[0], (0.25, 0.75))


@operator(
    "random_bbox_crop",
    inputs=[
        Input("boxes", "boxes as fractions of their image, FLOAT [number, 4]; of volumes [number, 6]", takes="boxes"),
        Input("labels", "labels of the boxes, integers [number], or [number, any]", takes="labels", optional=True),
    ],
    params=[
        Static(
            "thresholds",
            Kind("float | Sequence[float]", _thresholds, ((0.1, 0.5), (0.25,))),
            (0.0,),
            "overlaps of window and boxes, 0 to 1, one of which is drawn and required",
        ),
        Static(
            "threshold_type",
            choice("iou", "overlap"),
            "iou",
            '"iou": intersection over union; "overlap": fraction of the box',
        ),
        Static("all_boxes_above_threshold", FLAG, True, "all boxes must overlap that much; False: at least one"),
        Static("allow_no_crop", FLAG, True, "allow keeping the whole image, with the probability of one threshold"),
        Static(
            "aspect_ratio",
            Kind("Sequence[float]", _ratios, ((0.5, 2.0), (1.0, 1.5))),
            None,
            "(smallest, largest) width / height of windows; for volumes also width / depth and height / depth, or one"
            " range for all. By default 1",
        ),
        Static(
            "scaling",
            Kind("Sequence[float]", lambda word, value: _ranges(word, value, (2,)), ((0.5, 1.0), (0.25, 0.75))),
            None,
            "(smallest, largest) extents of windows, as fractions of the image's. By default 1",
        ),
        Static(
            "bbox_prune_threshold",
            _PART,
            None,
            "keep boxes of which this fraction is in the window, 0 to 1. By default those whose centre is",
        ),
        Static("num_attempts", integer(1, 10_000), 1, "windows to try with one threshold"),
        Static(
            "total_num_attempts",
            Kind("int", lambda word, value: None if value == -1 else integer(1).read(word, value), (20, 30)),
            None,
            "windows to try in all; then the one that overlaps boxes most is taken, or the whole image if no window "
            "has a fitting ratio. -1 or not given: 10000",
        ),
        PerSample(
            "input_shape", None, "extents of the image, to which ratios refer. By default those of a square", _SHAPE
        ),
        PerSample(
            "crop_shape",
            None,
            "extents of windows, which begin at whole pixels; needs `input_shape`, and replaces `scaling`, "
            "`aspect_ratio` and `allow_no_crop`. Windows are then in pixels, not fractions",
            _SHAPE,
        ),
        Static(
            "shape_layout", Kind("str", _shape_layout, ("HW", "WH")), None, 'order of both; by default "WH" or "WHD"'
        ),
        Static(
            "bbox_layout",
            Kind("str", _box_layout, ("xyWH", "yxYX")),
            None,
            'layout of a box: "xyXY", its beginning and end, or "xyWH", its beginning and extents, in any order; for '
            'volumes "xyzXYZ" or "xyzWHD". By default "xyXY", or "xyzXYZ"',
        ),
        Static("ltrb", FLAG, True, 'False: `bbox_layout` is "xyWH"; deprecated in DALI'),
        Static("output_bbox_indices", FLAG, False, "also return the indices of the boxes that are kept"),
        SEED_PARAM,
    ],
    accepted={"quiet": "no warning is given where no window fits"},
    check=_check,
    outputs=lambda params: 3 + params["output_bbox_indices"],
    more_outputs=True,
    returns="Where windows begin, FLOAT [2]; their extents, FLOAT [2]; the boxes in them; labels, if there are any; and the "
    "indices of the boxes that are kept, if asked for.",
    is_random=True,
    raises={"SourceDataError": "a box leaves its image, where the batch is handed out"},
)
def random_bbox_crop(
    context: Context, value: BatchValue, labels: BatchValue | None = None, *, seed: int | None, **params: Any
) -> tuple[BatchValue, ...]:
    """Draws a window of each image that keeps enough of its boxes; DALI's operator, used to train SSD.

    `jaxdali.boxes.random_crop` describes how it is drawn. `fn.slice` cuts it.
    """
    import jax.numpy as jnp

    from jaxdali._device.boxes.crops import crop_boxes, random_crop

    boxes, counts = boxes_of(context, value, (4, 6))
    axes = boxes.shape[2] // 2
    layout = params["bbox_layout"] or ("xyz"[:axes] + ("XYZ" if params["ltrb"] else "WHD")[:axes])
    if len(layout) != 2 * axes:
        raise GraphError(f"bbox_layout={layout!r} of fn.random_bbox_crop is not of boxes of {2 * axes} numbers")
    corners = boxes_in_images(context, _corners(boxes, layout), counts)
    order = [(params["shape_layout"] or "WHD"[:axes]).index(letter) for letter in "WHD"[:axes]]
    whole, crop = (_in_order(params[name], order) for name in ("input_shape", "crop_shape"))
    prune = params["bbox_prune_threshold"]
    start, size = random_crop(
        context.keys(seed),
        corners,
        counts,
        aspect_ratio=params["aspect_ratio"] or (1.0, 1.0),
        scaling=params["scaling"] or (1.0, 1.0),
        prune_threshold=prune,
        input_shape=whole,
        crop_shape=crop,
        **{
            name: params[name]
            for name in (
                *("thresholds", "threshold_type", "all_boxes_above_threshold", "allow_no_crop"),
                *("num_attempts", "total_num_attempts"),
            )
        },
    )
    found, indices, total = crop_boxes(corners, start, size, counts, prune)
    shapes = jnp.stack([total, jnp.full_like(total, 2 * axes)], axis=1)
    if crop is not None:
        start, size = (jnp.round(one * whole) for one in (start, size))
    made = [BatchValue(start), BatchValue(size), BatchValue(_boxes_in(found, layout), shapes)]
    if labels is not None:
        kinds = labels_of(context, labels, boxes, counts)
        made.append(picked_labels(kinds, labels, indices, total))
    if params["output_bbox_indices"]:
        made.append(BatchValue(indices, total[:, None]))
    return tuple(made)


def _in_order(shape: Any, order: Sequence[int]) -> Any:
    """Returns the extents of x, y and z, `[N or 1, D]`; None if they are not given."""
    import jax.numpy as jnp

    if shape is None:
        return None
    rows = jnp.asarray(shape, jnp.float32).reshape(-1, len(order)) if np.ndim(shape) < 2 else shape.astype(jnp.float32)
    return rows[:, jnp.asarray(order)]


def _corners(boxes: Any, layout: str) -> Any:
    """Converts boxes to the form (begin, end), x before y before z."""
    import jax.numpy as jnp

    from jaxdali._device.image.exact_arithmetic import rounded

    axes = len(layout) // 2
    begin = [boxes[..., layout.index(letter)] for letter in "xyz"[:axes]]
    if "X" in layout:
        end = [boxes[..., layout.index(letter)] for letter in "XYZ"[:axes]]
    else:
        sizes = [boxes[..., layout.index(letter)] for letter in "WHD"[:axes]]
        end = [rounded(one + other) for one, other in zip(begin, sizes, strict=True)]
    return jnp.stack([*begin, *end], axis=-1)


def _boxes_in(corners: Any, layout: str) -> Any:
    """Converts boxes back to their layout."""
    import jax.numpy as jnp

    axes = len(layout) // 2
    columns = dict(zip("xyz"[:axes] + "XYZ"[:axes], (corners[..., k] for k in range(2 * axes)), strict=True))
    columns.update(
        {size: columns[end] - columns[begin] for size, begin, end in zip("WHD"[:axes], "xyz", "XYZ", strict=False)}
    )
    return jnp.stack([columns[letter] for letter in layout], axis=-1)
