from collections.abc import Sequence
from typing import Any, Literal

from ...graph.call import DataNode
from .. import Equalize as Equalize
from .. import PeekImageShape as PeekImageShape
from . import decoders as decoders

class Dilate:
    """The largest of the neighbours of each pixel, by channel; DALI's operator on GPUs. See `jaxdali.image.dilate`.

    Arguments as of `jaxdali.fn.experimental.dilate`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
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
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Erode:
    """The least of the neighbours of each pixel, by channel; DALI's operator on GPUs. See `jaxdali.image.erode`.

    Arguments as of `jaxdali.fn.experimental.erode`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
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
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MedianBlur:
    """The middle one of the neighbours of each pixel, by channel; DALI's operator on GPUs.

    Arguments as of `jaxdali.fn.experimental.median_blur`, each here or in the call.
    """
    def __init__(
        self,
        *,
        window_size: int | Sequence[int] | DataNode = ...,
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
        window_size: int | Sequence[int] | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
