from collections.abc import Sequence
from typing import Any, Literal

from ..graph.call import DataNode

def random_mask_pixel(
    data: DataNode,
    *,
    foreground: int | DataNode = ...,
    threshold: float | DataNode | None = ...,
    value: int | DataNode | None = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws a pixel of each mask, all as likely: its place along each axis, INT64 [axes]; DALI's operator.

    Args:
        data: any numbers.
        foreground: other than 0: a pixel of the foreground, if there is one; 0: any pixel. May be a node, with a value
            a sample.
        threshold: the foreground is what is above it. Not given: 0. May be a node, with a value a sample.
        value: the foreground is what equals it, in place of `threshold`. May be a node, with a value a sample.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def random_object_bbox(
    data: DataNode,
    *,
    background: int | DataNode | None = ...,
    classes: int | Sequence[int] | DataNode | None = ...,
    class_weights: float | Sequence[float] | DataNode | None = ...,
    foreground_prob: float | DataNode = ...,
    threshold: int | Sequence[int] | DataNode | None = ...,
    k_largest: int | None = ...,
    ignore_class: bool = ...,
    output_class: bool = ...,
    format: Literal["anchor_shape", "start_end", "box"] = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> list[DataNode]:
    """Draws an object of each mask: first its class, then one of that; DALI's operator. Objects are pixels of one label that
    touch along an axis. See `jaxdali.boxes.random_object`.

    Args:
        data: any numbers.
        background: the label that is no object. Not given: 0, or -1 where 0 is a class. May be a node, with a value a
            sample.
        classes: labels of objects. Not given: all but the background, or from 1 on, as many as `class_weights`. May be
            a node, with a value a sample.
        class_weights: how likely each class is, in proportion, of those that are there. Not given: all are alike. May
            be a node, with a value a sample.
        foreground_prob: probability that it is an object, and not all of the mask. May be a node, with a value a
            sample.
        threshold: extents that an object's box has at least, one an axis or one for all. May be a node, with a value a
            sample.
        k_largest: only so many objects of the class, the ones with the largest boxes.
        ignore_class: all objects are as likely, whatever their class.
        output_class: also returns the object's label; of all of the mask the background.
        format: what is returned: where the box begins and its extents; where it begins and ends ("start_end"); or both
            one behind the other ("box").
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        cache_objects: without effect: objects are found on the device, anew in each batch.

    Returns:
        A list of what `format` says, INT32 [axes] each, and the label.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def select_masks(
    mask_ids: DataNode,
    polygons: DataNode,
    vertices: DataNode,
    *,
    reindex_masks: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> list[DataNode]:
    """The polygons of some masks, in the order of these; DALI's operator. See `jaxdali.boxes.select_masks`.

    Args:
        mask_ids: masks, integers [number], each once.
        polygons: integers [number, 3]: the mask of each, and where its vertices begin and end.
        vertices: numbers [number, any].
        reindex_masks: masks are told by their place in `mask_ids`.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        The polygons, whose vertices are one behind the other, and these.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a mask is not there or comes twice, or vertices are not there, or polygons that share some have
            more than the input; where the batch is handed out.
    """
    ...
