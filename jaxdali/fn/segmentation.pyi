from collections.abc import Sequence
from typing import Any, Literal

from ..pipeline import DataNode

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
    """Draws a pixel of each mask, all with the same probability; DALI's operator.

    It returns the pixel's position along each axis, INT64 [axes].

    Args:
        data: any numbers.
        foreground: other than 0: draw a pixel of the foreground, if there is one; 0: draw any pixel. May be a node with
            one value per sample.
        threshold: the foreground is every pixel above this number; by default 0. May be a node with one value per
            sample.
        value: the foreground is every pixel equal to this number, instead of `threshold`. May be a node with one value
            per sample.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

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
    """Draws an object of each mask: first a class, then an object of this class; DALI's operator. An object consists of
    pixels with the same label that are connected along the axes. See `jaxdali.boxes.random_object`.

    Args:
        data: any numbers.
        background: label of the background. By default 0, or if that is one of the classes, the next number below all
            of them. May be a node with one value per sample.
        classes: labels of the objects. By default all but the background, or, with `class_weights`, as many labels as
            there are weights, from 0 on without the background. May be a node with one value per sample.
        class_weights: relative probability of each class, among the classes that occur in the mask. By default all
            classes are equally likely. May be a node with one value per sample.
        foreground_prob: probability of returning an object rather than the whole mask. May be a node with one value per
            sample.
        threshold: smallest extents of an object's box, one per axis or one for all. May be a node with one value per
            sample.
        k_largest: draw only from this many objects of the class, those with the largest boxes.
        ignore_class: draw all objects with the same probability, regardless of their class.
        output_class: also return the label of the object; for the whole mask it is that of the background.
        format: what to return: the start of the box and its extents ("anchor_shape"); its start and its end
            ("start_end"); or start and end in one array ("box").
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        cache_objects: without effect: objects are found on the device, anew in each batch.

    Returns:
        A list of what `format` says, INT32 [axes] each, and the label; a node if that is all in one array.

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
    """Selects the polygons of some masks, in the order of these masks; DALI's operator. See
    `jaxdali.boxes.select_masks`.

    Args:
        mask_ids: the masks to select, integers [number], each once.
        polygons: integers [number, 3]: for each polygon its mask, and where its vertices begin and end.
        vertices: coordinates of the vertices, numbers [number, any].
        reindex_masks: identify masks in the output by their position in `mask_ids`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        The polygons, whose vertices are one behind the other, and these.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a mask is not there or comes twice, or vertices are not there, or polygons that share some have
            more than the input; where the batch is handed out.
    """
    ...
