from collections.abc import Sequence
from typing import Any, Literal

from ..graph.call import DataNode

class Image:
    """Decodes images to RGB, `uint8[H, W, 3]`, layout "HWC"; DALI's `fn.decoders.image`.

    Arguments as of `jaxdali.fn.decoders.image`, each here or in the call.
    """
    def __init__(
        self,
        *,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...

class ImageRandomCrop:
    """Decodes a random window of each image to RGB; DALI's `fn.decoders.image_random_crop`.

    Arguments as of `jaxdali.fn.decoders.image_random_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...
