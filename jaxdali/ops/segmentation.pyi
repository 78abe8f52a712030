from collections.abc import Sequence
from typing import Any, Literal

from ..graph.call import DataNode

class RandomMaskPixel:
    """Draws a pixel of each mask, all as likely: its place along each axis, INT64 [axes]; DALI's operator.

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
    """Draws an object of each mask: first its class, then one of that; DALI's operator. Objects are pixels of one label that

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
    """The polygons of some masks, in the order of these; DALI's operator. See `jaxdali.boxes.select_masks`.

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
