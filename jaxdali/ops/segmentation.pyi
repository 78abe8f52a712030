from collections.abc import Sequence
from typing import Any, Literal

from jaxdali._dali.graph.call import DataNode

class RandomMaskPixel:
    """Draws a pixel of each mask, all with the same probability, and returns its position along each axis, INT64

    Arguments as of `jaxdali.fn.segmentation.random_mask_pixel`, each here or in the call.
    """
    def __init__(
        self,
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
    ) -> None: ...
    def __call__(
        self,
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
    ) -> DataNode: ...

class RandomObjectBBox:
    """Draws an object of each mask: first a class, then an object of this class; DALI's operator. An object consists of

    Arguments as of `jaxdali.fn.segmentation.random_object_bbox`, each here or in the call.
    """
    def __init__(
        self,
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
    ) -> None: ...
    def __call__(
        self,
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
    ) -> list[DataNode]: ...

class SelectMasks:
    """Selects the polygons of some masks, in the order of these masks; DALI's operator. See

    Arguments as of `jaxdali.fn.segmentation.select_masks`, each here or in the call.
    """
    def __init__(
        self,
        *,
        reindex_masks: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
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
    ) -> list[DataNode]: ...
