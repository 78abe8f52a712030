"""Encodes boxes as training targets of a detector with anchors."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import FLAG, NUMBER, NUMBERS, Kind
from ..declaration import REQUIRED, Input, Static, operator
from ..values import BatchValue, Context
from .boxes import BOXES, boxes_of, labels_of

__all__ = ["box_encoder"]


def _four(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    if not isinstance(read, tuple) or len(read) != 4 or not all(isinstance(one, float) for one in read):
        raise ConfigError(f"{word} must be four numbers, of x, y, width and height; got {value!r:.80}")
    return read


def _deviations(word: str, value: object) -> tuple[float, ...]:
    read = _four(word, value)
    if 0 in read:
        raise ConfigError(f"{word} must not be 0, got {value!r:.80}")
    return read


def _anchors(word: str, value: Any) -> tuple[float, ...]:
    numbers = np.ravel(np.asarray(NUMBERS.read(word, value if np.size(value) else ()))).tolist()
    if not numbers or len(numbers) % 4:
        raise ConfigError(f"{word} must be four numbers per anchor, got {len(numbers)} in {value!r:.80}")
    return tuple(numbers)


def _fraction(word: str, value: object) -> float:
    number = NUMBER.read(word, value)
    if not 0 <= number <= 1:
        raise ConfigError(f"{word} must be from 0 to 1, got {value!r:.80}")
    return number


_ANCHORS = ((0.0, 0.0, 0.5, 0.5), (0.0, 0.0, 1.0, 0.5, 0.25, 0.25, 0.75, 1.0))


@operator(
    "box_encoder",
    inputs=[BOXES, Input("labels", "labels of the boxes, integers [number], or [number, 1]", takes="labels")],
    params=[
        Static(
            "anchors",
            Kind("Sequence[float] | np.ndarray", _anchors, _ANCHORS),
            REQUIRED,
            "left, top, right and bottom of each anchor, in one list",
        ),
        Static(
            "criteria",
            Kind("float", _fraction, (0.25, 0.75)),
            0.5,
            "an anchor gets a box if it overlaps it by more than this",
        ),
        Static("offset", FLAG, False, "encode boxes relative to their anchors"),
        Static(
            "means",
            Kind("Sequence[float]", _four, ((0.5, 0.0, 0.25, 0.0), (1.0, 0.0, 0.0, 0.0))),
            (0.0, 0.0, 0.0, 0.0),
            "means of x, y, width and height, subtracted with `offset`",
        ),
        Static(
            "stds",
            Kind("Sequence[float]", _deviations, ((0.5, 0.25, 0.25, 1.0), (2.0, 1.0, 1.0, 1.0))),
            (1.0, 1.0, 1.0, 1.0),
            "standard deviations to divide by with `offset`, likewise",
        ),
        Static("scale", NUMBER, 1.0, "factor applied to boxes and anchors first, with `offset`"),
    ],
    outputs=lambda _params: 2,
    returns="Of each anchor the middle (x, y), width and height of its box, FLOAT [anchors, 4]; and its label, [anchors].",
)
def box_encoder(
    context: Context, value: BatchValue, labels: BatchValue, *, anchors: object, **options: Any
) -> tuple[BatchValue, BatchValue]:
    """Matches boxes with anchors, as SSD does; DALI's operator. See `jaxdali.boxes.encode_boxes`."""
    from jaxdali._device.boxes.encode import encode_boxes

    boxes, counts = boxes_of(context, value)
    kinds = labels_of(context, labels, boxes, counts)
    if kinds.ndim == 3:
        if kinds.shape[2] != 1:
            raise GraphError(f"fn.box_encoder expects one label per box, got samples of {labels.data.shape[1:]}")
        kinds = kinds[..., 0]
    table = np.asarray(anchors, np.float32).reshape(-1, 4)
    coded, found = encode_boxes(boxes, kinds, table, counts, **options)
    return BatchValue(coded), BatchValue(found, wide=labels.wide)
