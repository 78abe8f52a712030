from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from jaxdali._base.types import DALIDataType, DALIImageType
from jaxdali._dali.graph.call import DataNode

class Audio:
    """Decodes files of sound: WAV, FLAC, Ogg (Vorbis, Opus) and what else libsndfile reads; DALI's

    Arguments as of `jaxdali.fn.decoders.audio`, each here or in the call.
    """
    def __init__(
        self,
        *,
        downmix: bool = ...,
        dtype: DALIDataType = ...,
        sample_rate: float = ...,
        quality: float = ...,
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
        downmix: bool = ...,
        dtype: DALIDataType = ...,
        sample_rate: float = ...,
        quality: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class Image:
    """Decodes images, `dtype[H, W, 3]` (GRAY: `[H, W, 1]`, ANY_DATA: 1 to 4), layout "HWC"; DALI's `fn.decoders.image`.

    Arguments as of `jaxdali.fn.decoders.image`, each here or in the call.
    """
    def __init__(
        self,
        *,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
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
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...

class ImageCrop:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,

    Arguments as of `jaxdali.fn.decoders.image_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
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
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...

class ImageRandomCrop:
    """Decodes a random window of each image; DALI's `fn.decoders.image_random_crop`.

    Arguments as of `jaxdali.fn.decoders.image_random_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
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
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...

class ImageSlice:
    """Decodes a window of each image; DALI's `fn.decoders.image_slice`. Only the window is decoded.

    Arguments as of `jaxdali.fn.decoders.image_slice`, each here or in the call.
    """
    def __init__(
        self,
        *,
        start: float | Sequence[float] | DataNode | None = ...,
        rel_start: float | Sequence[float] | DataNode | None = ...,
        end: float | Sequence[float] | DataNode | None = ...,
        rel_end: float | Sequence[float] | DataNode | None = ...,
        shape: float | Sequence[float] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        axes: int | Sequence[int] | DataNode = ...,
        axis_names: str | None = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
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
        anchor: DataNode | None = None,
        shape_input: DataNode | None = None,
        *,
        start: float | Sequence[float] | DataNode | None = ...,
        rel_start: float | Sequence[float] | DataNode | None = ...,
        end: float | Sequence[float] | DataNode | None = ...,
        rel_end: float | Sequence[float] | DataNode | None = ...,
        shape: float | Sequence[float] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        axes: int | Sequence[int] | DataNode = ...,
        axis_names: str | None = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        output_type: DALIImageType = ...,
        dtype: DALIDataType = ...,
        canvas: Sequence[int] | None = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        adjust_orientation: bool = ...,
        decoder: Literal["hardware", "gpu", "hybrid", "cpu", "cuda"] = ...,
        jpeg_fancy_upsampling: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...

class Numpy:
    """The arrays of NumPy's files that are there as bytes; DALI's `fn.decoders.numpy`.

    Arguments as of `jaxdali.fn.decoders.numpy`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType | None = ...,
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
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Video:
    """Decodes files of video: all frames, those of `frames`, or those from `start_frame` to `end_frame`, or

    Arguments as of `jaxdali.fn.decoders.video`, each here or in the call.
    """
    def __init__(
        self,
        *,
        frames: Sequence[int] | DataNode | None = ...,
        start_frame: int | DataNode | None = ...,
        end_frame: int | DataNode | None = ...,
        sequence_length: int | DataNode | None = ...,
        stride: int | DataNode | None = ...,
        pad_mode: str = ...,
        fill_value: float | Sequence[float] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        encoded: DataNode,
        *,
        frames: Sequence[int] | DataNode | None = ...,
        start_frame: int | DataNode | None = ...,
        end_frame: int | DataNode | None = ...,
        sequence_length: int | DataNode | None = ...,
        stride: int | DataNode | None = ...,
        pad_mode: str = ...,
        fill_value: float | Sequence[float] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
