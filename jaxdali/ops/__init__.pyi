from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from jaxdali._base.types import DALIDataType, DALIImageType, DALIInterpType
from jaxdali._dali.graph.call import DataNode
from jaxdali._dali.operators.compose import Compose as Compose
from . import decoders as decoders
from . import experimental as experimental
from . import io as io
from . import noise as noise
from . import random as random
from . import readers as readers
from . import reductions as reductions
from . import segmentation as segmentation
from . import transforms as transforms

class AudioResample:
    """Signals at another rate, by a sinc in a Hann window; DALI's `fn.audio_resample`.

    Arguments as of `jaxdali.fn.audio_resample`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType | None = ...,
        in_rate: float | DataNode | None = ...,
        out_rate: float | DataNode | None = ...,
        scale: float | DataNode | None = ...,
        out_length: int | DataNode | None = ...,
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
        dtype: DALIDataType | None = ...,
        in_rate: float | DataNode | None = ...,
        out_rate: float | DataNode | None = ...,
        scale: float | DataNode | None = ...,
        out_length: int | DataNode | None = ...,
        quality: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class BatchPermutation:
    """Draws a permutation of the batch for `fn.permute_batch`: for each sample the index of a sample; DALI's operator.

    Arguments as of `jaxdali.fn.batch_permutation`, each here or in the call.
    """
    def __init__(
        self,
        *,
        allow_repetitions: bool = ...,
        no_fixed_points: bool = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        allow_repetitions: bool = ...,
        no_fixed_points: bool = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class BbFlip:
    """Mirrors boxes like their images; DALI's `fn.bb_flip`.

    Arguments as of `jaxdali.fn.bb_flip`, each here or in the call.
    """
    def __init__(
        self,
        *,
        horizontal: float | np.ndarray | DataNode = ...,
        vertical: float | np.ndarray | DataNode = ...,
        ltrb: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        boxes: DataNode,
        *,
        horizontal: float | np.ndarray | DataNode = ...,
        vertical: float | np.ndarray | DataNode = ...,
        ltrb: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class BBoxPaste:
    """Moves the boxes of images that are pasted on a larger canvas; DALI's `fn.bbox_paste`.

    Arguments as of `jaxdali.fn.bbox_paste`, each here or in the call.
    """
    def __init__(
        self,
        *,
        ratio: float | np.ndarray | DataNode = ...,
        paste_x: float | np.ndarray | DataNode = ...,
        paste_y: float | np.ndarray | DataNode = ...,
        ltrb: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        boxes: DataNode,
        *,
        ratio: float | np.ndarray | DataNode = ...,
        paste_x: float | np.ndarray | DataNode = ...,
        paste_y: float | np.ndarray | DataNode = ...,
        ltrb: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class BBoxRotate:
    """Rotates boxes like the images of `fn.rotate`; DALI's operator. See `jaxdali.boxes.rotate_boxes`.

    Arguments as of `jaxdali.fn.bbox_rotate`, each here or in the call.
    """
    def __init__(
        self,
        *,
        angle: float | np.ndarray | DataNode = ...,
        input_shape: Sequence[int] | DataNode = ...,
        shape_layout: str = ...,
        bbox_layout: Literal["xyXY", "xyWH"] = ...,
        bbox_normalized: bool = ...,
        keep_size: bool = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        mode: Literal["expand", "fixed", "halfway"] = ...,
        remove_threshold: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        bboxes: DataNode,
        labels: DataNode | None = None,
        *,
        angle: float | np.ndarray | DataNode = ...,
        input_shape: Sequence[int] | DataNode = ...,
        shape_layout: str = ...,
        bbox_layout: Literal["xyXY", "xyWH"] = ...,
        bbox_normalized: bool = ...,
        keep_size: bool = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        mode: Literal["expand", "fixed", "halfway"] = ...,
        remove_threshold: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class BoxEncoder:
    """Matches boxes with anchors, as SSD does; DALI's operator. See `jaxdali.boxes.encode_boxes`.

    Arguments as of `jaxdali.fn.box_encoder`, each here or in the call.
    """
    def __init__(
        self,
        *,
        anchors: Sequence[float] | np.ndarray = ...,
        criteria: float = ...,
        offset: bool = ...,
        means: Sequence[float] = ...,
        stds: Sequence[float] = ...,
        scale: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        boxes: DataNode,
        labels: DataNode,
        *,
        anchors: Sequence[float] | np.ndarray = ...,
        criteria: float = ...,
        offset: bool = ...,
        means: Sequence[float] = ...,
        stds: Sequence[float] = ...,
        scale: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class Brightness:
    """`out = brightness_shift * R + brightness * in`, see `fn.brightness_contrast`; DALI's operator of the same name.

    Arguments as of `jaxdali.fn.brightness`, each here or in the call.
    """
    def __init__(
        self,
        *,
        brightness: float | np.ndarray | DataNode = ...,
        brightness_shift: float | np.ndarray | DataNode = ...,
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
        brightness: float | np.ndarray | DataNode = ...,
        brightness_shift: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class BrightnessContrast:
    """`out = brightness_shift * R + brightness * (c + contrast * (in - c))`; DALI's operator of the same name.

    Arguments as of `jaxdali.fn.brightness_contrast`, each here or in the call.
    """
    def __init__(
        self,
        *,
        brightness: float | np.ndarray | DataNode = ...,
        brightness_shift: float | np.ndarray | DataNode = ...,
        contrast: float | np.ndarray | DataNode = ...,
        contrast_center: float | np.ndarray | DataNode | None = ...,
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
        brightness: float | np.ndarray | DataNode = ...,
        brightness_shift: float | np.ndarray | DataNode = ...,
        contrast: float | np.ndarray | DataNode = ...,
        contrast_center: float | np.ndarray | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Cast:
    """Converts numbers to another type; DALI's `fn.cast`.

    Arguments as of `jaxdali.fn.cast`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType = ...,
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
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class CastLike:
    """Converts the first input to the type of the second input; DALI's `fn.cast_like`. Numbers are rounded as in

    Arguments as of `jaxdali.fn.cast_like`, each here or in the call.
    """
    def __init__(
        self,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        like: DataNode,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Cat:
    """Concatenates the samples of its inputs along an axis; DALI's `fn.cat`.

    Arguments as of `jaxdali.fn.cat`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axis: int = ...,
        axis_name: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *inputs: DataNode,
        axis: int = ...,
        axis_name: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Clahe:
    """Equalizes the levels of each tile of UINT8 images, as OpenCV's CLAHE; DALI's operator.

    Arguments as of `jaxdali.fn.clahe`, each here or in the call.
    """
    def __init__(
        self,
        *,
        tiles_x: int = ...,
        tiles_y: int = ...,
        clip_limit: float = ...,
        luma_only: bool = ...,
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
        tiles_x: int = ...,
        tiles_y: int = ...,
        clip_limit: float = ...,
        luma_only: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ColorSpaceConversion:
    """Converts UINT8 images, channels last, from one colour space to another; DALI's operator.

    Arguments as of `jaxdali.fn.color_space_conversion`, each here or in the call.
    """
    def __init__(
        self,
        *,
        image_type: DALIImageType = ...,
        output_type: DALIImageType = ...,
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
        image_type: DALIImageType = ...,
        output_type: DALIImageType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ColorTwist:
    """Changes hue, saturation, contrast and brightness of images of three channels, the last axis; DALI's operator.

    Arguments as of `jaxdali.fn.color_twist`, each here or in the call.
    """
    def __init__(
        self,
        *,
        brightness: float | np.ndarray | DataNode = ...,
        contrast: float | np.ndarray | DataNode = ...,
        hue: float | np.ndarray | DataNode = ...,
        saturation: float | np.ndarray | DataNode = ...,
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
        brightness: float | np.ndarray | DataNode = ...,
        contrast: float | np.ndarray | DataNode = ...,
        hue: float | np.ndarray | DataNode = ...,
        saturation: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Constant:
    """The same numbers for every sample; DALI's `fn.constant`. `types.Constant` is another way to write it.

    Arguments as of `jaxdali.fn.constant`, each here or in the call.
    """
    def __init__(
        self,
        *,
        fdata: float | Sequence[float] | None = ...,
        idata: int | Sequence[int] | None = ...,
        shape: int | Sequence[int] | None = ...,
        dtype: DALIDataType | None = ...,
        layout: str = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        fdata: float | Sequence[float] | None = ...,
        idata: int | Sequence[int] | None = ...,
        shape: int | Sequence[int] | None = ...,
        dtype: DALIDataType | None = ...,
        layout: str = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Contrast:
    """`out = c + contrast * (in - c)`, see `fn.brightness_contrast`; DALI's operator of the same name.

    Arguments as of `jaxdali.fn.contrast`, each here or in the call.
    """
    def __init__(
        self,
        *,
        contrast: float | np.ndarray | DataNode = ...,
        contrast_center: float | np.ndarray | DataNode | None = ...,
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
        contrast: float | np.ndarray | DataNode = ...,
        contrast_center: float | np.ndarray | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class CoordFlip:
    """Mirrors the coordinates of points; DALI's `fn.coord_flip`.

    Arguments as of `jaxdali.fn.coord_flip`, each here or in the call.
    """
    def __init__(
        self,
        *,
        layout: str = ...,
        flip_x: float | np.ndarray | DataNode = ...,
        flip_y: float | np.ndarray | DataNode = ...,
        flip_z: float | np.ndarray | DataNode = ...,
        center_x: float | np.ndarray | DataNode = ...,
        center_y: float | np.ndarray | DataNode = ...,
        center_z: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        points: DataNode,
        *,
        layout: str = ...,
        flip_x: float | np.ndarray | DataNode = ...,
        flip_y: float | np.ndarray | DataNode = ...,
        flip_z: float | np.ndarray | DataNode = ...,
        center_x: float | np.ndarray | DataNode = ...,
        center_y: float | np.ndarray | DataNode = ...,
        center_z: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class CoordTransform:
    """Transforms points, whose coordinates are along the last axis: `out = M @ in + T`; DALI's operator.

    Arguments as of `jaxdali.fn.coord_transform`, each here or in the call.
    """
    def __init__(
        self,
        *,
        M: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        T: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        MT: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        dtype: DALIDataType = ...,
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
        M: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        T: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        MT: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Copy:
    """Returns its input; DALI's `fn.copy`. Arrays are immutable, so nothing is copied.

    Arguments as of `jaxdali.fn.copy`, each here or in the call.
    """
    def __init__(
        self,
        *,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Crop:
    """Cuts a window out of every image, volume or sequence; DALI's `fn.crop`. If its size is a node, results differ in

    Arguments as of `jaxdali.fn.crop`, each here or in the call.
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
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
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
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class CropMirrorNormalize:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Arguments as of `jaxdali.fn.crop_mirror_normalize`, each here or in the call.
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
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        mean: float | Sequence[float] | np.ndarray | DataNode = ...,
        std: float | Sequence[float] | np.ndarray | DataNode = ...,
        scale: float = ...,
        shift: float = ...,
        dtype: DALIDataType = ...,
        output_layout: Literal["CHW", "HWC", "FCHW", "FHWC", "CDHW", "DHWC", "FCDHW", "FDHWC"] = ...,
        pad_output: bool = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
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
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        mean: float | Sequence[float] | np.ndarray | DataNode = ...,
        std: float | Sequence[float] | np.ndarray | DataNode = ...,
        scale: float = ...,
        shift: float = ...,
        dtype: DALIDataType = ...,
        output_layout: Literal["CHW", "HWC", "FCHW", "FHWC", "CDHW", "DHWC", "FCDHW", "FDHWC"] = ...,
        pad_output: bool = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Debayer:
    """Makes RGB images from Bayer mosaics, as OpenCV does; DALI's `fn.debayer`, with its CPU algorithms on all devices.

    Arguments as of `jaxdali.fn.debayer`, each here or in the call.
    """
    def __init__(
        self,
        *,
        blue_position: int | Sequence[int] | DataNode = ...,
        algorithm: Literal["bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv"] = ...,
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
        blue_position: int | Sequence[int] | DataNode = ...,
        algorithm: Literal["bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ElementExtract:
    """Extracts elements of sequences, each as a separate output; DALI's `fn.element_extract`.

    Arguments as of `jaxdali.fn.element_extract`, each here or in the call.
    """
    def __init__(
        self,
        *,
        element_map: int | Sequence[int] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        input: DataNode,
        *,
        element_map: int | Sequence[int] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class Equalize:
    """Equalizes the levels of each channel of UINT8 images, as OpenCV's equalizeHist; DALI's operator.

    Arguments as of `jaxdali.fn.equalize`, each here or in the call.
    """
    def __init__(
        self,
        *,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Erase:
    """Fills regions of each sample with `fill_value`; DALI's operator.

    Arguments as of `jaxdali.fn.erase`, each here or in the call.
    """
    def __init__(
        self,
        *,
        anchor: float | Sequence[float] | DataNode | None = ...,
        shape: float | Sequence[float] | DataNode | None = ...,
        fill_value: float | Sequence[float] | DataNode = ...,
        axes: int | Sequence[int] | None = ...,
        axis_names: str = ...,
        normalized: bool = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        centered_anchor: bool = ...,
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
        anchor: float | Sequence[float] | DataNode | None = ...,
        shape: float | Sequence[float] | DataNode | None = ...,
        fill_value: float | Sequence[float] | DataNode = ...,
        axes: int | Sequence[int] | None = ...,
        axis_names: str = ...,
        normalized: bool = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        centered_anchor: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ExpandDims:
    """Adds axes with the extent 1; DALI's `fn.expand_dims`.

    Arguments as of `jaxdali.fn.expand_dims`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] = ...,
        new_axis_names: str = ...,
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
        axes: int | Sequence[int] = ...,
        new_axis_names: str = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ExternalSource:
    """Reads data from Python; DALI's `fn.external_source`.

    Arguments as of `jaxdali.fn.external_source`, each here or in the call.
    """
    def __init__(
        self,
        source: Callable[..., Any] | Iterable[Any] = ...,
        num_outputs: int | None = ...,
        *,
        cycle: Literal["no", "quiet", "raise"] | bool | None = ...,
        layout: str | Sequence[str | None] | None = ...,
        dtype: DALIDataType | Sequence[DALIDataType | None] | None = ...,
        ndim: int | Sequence[int | None] | None = ...,
        batch: bool | None = ...,
        batch_info: bool | None = ...,
        repeat_last: bool | None = ...,
        blocking: bool | None = ...,
        parallel: bool | None = ...,
        no_copy: bool | None = ...,
        prefetch_queue_depth: int | None = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        cuda_stream: Any = ...,
        use_copy_kernel: bool | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        source: Callable[..., Any] | Iterable[Any] = ...,
        cycle: Literal["no", "quiet", "raise"] | bool | None = ...,
        layout: str | Sequence[str | None] | None = ...,
        dtype: DALIDataType | Sequence[DALIDataType | None] | None = ...,
        ndim: int | Sequence[int | None] | None = ...,
        batch: bool | None = ...,
        batch_info: bool | None = ...,
        repeat_last: bool | None = ...,
        blocking: bool | None = ...,
        parallel: bool | None = ...,
        no_copy: bool | None = ...,
        prefetch_queue_depth: int | None = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        cuda_stream: Any = ...,
        use_copy_kernel: bool | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> Any: ...

class Filter:
    """Weighted sums of each pixel's neighbours; kernels are not mirrored; DALI's `fn.filter`.

    Arguments as of `jaxdali.fn.filter`, each here or in the call.
    """
    def __init__(
        self,
        *,
        anchor: int | Sequence[int] | DataNode = ...,
        border: str = ...,
        dtype: DALIDataType | None = ...,
        mode: str = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        filter: DataNode,
        fill_value: DataNode | None = None,
        *,
        anchor: int | Sequence[int] | DataNode = ...,
        border: str = ...,
        dtype: DALIDataType | None = ...,
        mode: str = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Flip:
    """Mirrors images and volumes left to right (`horizontal`), top to bottom (`vertical`), front to back (`depthwise`), or

    Arguments as of `jaxdali.fn.flip`, each here or in the call.
    """
    def __init__(
        self,
        *,
        horizontal: float | np.ndarray | DataNode = ...,
        vertical: float | np.ndarray | DataNode = ...,
        depthwise: float | np.ndarray | DataNode = ...,
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
        horizontal: float | np.ndarray | DataNode = ...,
        vertical: float | np.ndarray | DataNode = ...,
        depthwise: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Full:
    """Fills arrays with a number, or with an array that is broadcast by NumPy's rules; DALI's `fn.full`. Without a

    Arguments as of `jaxdali.fn.full`, each here or in the call.
    """
    def __init__(
        self,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        fill_value: DataNode,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class FullLike:
    """Fills arrays as `fn.full` does, with the shapes and the type of another node's samples; DALI's `fn.full_like`.

    Arguments as of `jaxdali.fn.full_like`, each here or in the call.
    """
    def __init__(
        self,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data_like: DataNode,
        fill_value: DataNode,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class GaussianBlur:
    """Blurs images, volumes and arrays of one axis with Gaussian windows; DALI's `fn.gaussian_blur`.

    Arguments as of `jaxdali.fn.gaussian_blur`, each here or in the call.
    """
    def __init__(
        self,
        *,
        sigma: float | Sequence[float] | DataNode = ...,
        window_size: int | Sequence[int] | DataNode = ...,
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
        sigma: float | Sequence[float] | DataNode = ...,
        window_size: int | Sequence[int] | DataNode = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class GetProperty:
    """Returns a property of samples as bytes, `uint8[n]`; DALI's `fn.get_property`.

    Arguments as of `jaxdali.fn.get_property`, each here or in the call.
    """
    def __init__(
        self,
        *,
        key: Literal["layout", "source_info"] = ...,
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
        key: Literal["layout", "source_info"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class GridMask:
    """Sets the squares of a grid to 0; DALI's operator. Samples have H and W in their layout, or no layout.

    Arguments as of `jaxdali.fn.grid_mask`, each here or in the call.
    """
    def __init__(
        self,
        *,
        ratio: float | DataNode = ...,
        angle: float | DataNode = ...,
        shift_x: float | DataNode = ...,
        shift_y: float | DataNode = ...,
        tile: int | DataNode = ...,
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
        ratio: float | DataNode = ...,
        angle: float | DataNode = ...,
        shift_x: float | DataNode = ...,
        shift_y: float | DataNode = ...,
        tile: int | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Hsv:
    """Rotates hues and scales saturation and value of images of three channels, the last axis; DALI's operator.

    Arguments as of `jaxdali.fn.hsv`, each here or in the call.
    """
    def __init__(
        self,
        *,
        hue: float | np.ndarray | DataNode = ...,
        saturation: float | np.ndarray | DataNode = ...,
        value: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType = ...,
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
        hue: float | np.ndarray | DataNode = ...,
        saturation: float | np.ndarray | DataNode = ...,
        value: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Hue:
    """Rotates hues of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Arguments as of `jaxdali.fn.hue`, each here or in the call.
    """
    def __init__(
        self,
        *,
        hue: float | np.ndarray | DataNode = ...,
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
        hue: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Jitter:
    """Takes each pixel from a random position nearby; DALI's `fn.jitter`.

    Arguments as of `jaxdali.fn.jitter`, each here or in the call.
    """
    def __init__(
        self,
        *,
        nDegree: int = ...,
        mask: float | np.ndarray | DataNode = ...,
        fill_value: float = ...,
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
        nDegree: int = ...,
        mask: float | np.ndarray | DataNode = ...,
        fill_value: float = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class JpegCompressionDistortion:
    """UINT8 RGB images as they look after being saved as JPEG and read again; DALI's operator.

    Arguments as of `jaxdali.fn.jpeg_compression_distortion`, each here or in the call.
    """
    def __init__(
        self,
        *,
        quality: float | np.ndarray | DataNode = ...,
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
        quality: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Laplacian:
    """The sum of the second derivatives along each axis of images, volumes and arrays of one axis; DALI's `fn.laplacian`.

    Arguments as of `jaxdali.fn.laplacian`, each here or in the call.
    """
    def __init__(
        self,
        *,
        window_size: int | Sequence[int] | DataNode = ...,
        smoothing_size: int | Sequence[int] | DataNode | None = ...,
        scale: float | Sequence[float] | DataNode = ...,
        normalized_kernel: bool = ...,
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
        window_size: int | Sequence[int] | DataNode = ...,
        smoothing_size: int | Sequence[int] | DataNode | None = ...,
        scale: float | Sequence[float] | DataNode = ...,
        normalized_kernel: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class LookupTable:
    """Replaces integers according to a table; DALI's `fn.lookup_table`. Values are rounded half away from zero.

    Arguments as of `jaxdali.fn.lookup_table`, each here or in the call.
    """
    def __init__(
        self,
        *,
        keys: int | Sequence[int] = ...,
        values: float | Sequence[float] = ...,
        default_value: float = ...,
        dtype: DALIDataType = ...,
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
        keys: int | Sequence[int] = ...,
        values: float | Sequence[float] = ...,
        default_value: float = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MelFilterBank:
    """Sums up spectra in bands that are evenly spaced on the mel scale; DALI's `fn.mel_filter_bank`.

    Arguments as of `jaxdali.fn.mel_filter_bank`, each here or in the call.
    """
    def __init__(
        self,
        *,
        nfilter: int = ...,
        sample_rate: float = ...,
        freq_low: float = ...,
        freq_high: float = ...,
        mel_formula: Literal["slaney", "htk"] = ...,
        normalize: bool = ...,
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
        nfilter: int = ...,
        sample_rate: float = ...,
        freq_low: float = ...,
        freq_high: float = ...,
        mel_formula: Literal["slaney", "htk"] = ...,
        normalize: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MFCC:
    """The first coefficients of the cosine transform of mel spectra in decibels; DALI's `fn.mfcc`.

    Arguments as of `jaxdali.fn.mfcc`, each here or in the call.
    """
    def __init__(
        self,
        *,
        n_mfcc: int = ...,
        axis: int = ...,
        dct_type: int = ...,
        normalize: bool = ...,
        lifter: float = ...,
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
        n_mfcc: int = ...,
        axis: int = ...,
        dct_type: int = ...,
        normalize: bool = ...,
        lifter: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MultiPaste:
    """Pastes regions of several images on each canvas, later ones over earlier ones; DALI's operator, used for mosaics.

    Arguments as of `jaxdali.fn.multi_paste`, each here or in the call.
    """
    def __init__(
        self,
        *,
        in_ids: int | Sequence[int] | DataNode | None = ...,
        in_anchors: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        in_anchors_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        shapes: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        shapes_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        out_anchors: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        out_anchors_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        output_size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *inputs: DataNode,
        in_ids: int | Sequence[int] | DataNode | None = ...,
        in_anchors: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        in_anchors_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        shapes: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        shapes_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        out_anchors: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        out_anchors_rel: Sequence[Sequence[float]] | np.ndarray | DataNode | None = ...,
        output_size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class NonsilentRegion:
    """Finds where a signal is not silent; DALI's `fn.nonsilent_region`.

    Arguments as of `jaxdali.fn.nonsilent_region`, each here or in the call.
    """
    def __init__(
        self,
        *,
        cutoff_db: float = ...,
        window_length: int = ...,
        reference_power: float = ...,
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
        cutoff_db: float = ...,
        window_length: int = ...,
        reference_power: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class Normalize:
    """Subtracts the mean and divides by the standard deviation; DALI's `fn.normalize`.

    Arguments as of `jaxdali.fn.normalize`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        mean: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        stddev: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        batch: bool = ...,
        ddof: int = ...,
        epsilon: float = ...,
        scale: float = ...,
        shift: float = ...,
        dtype: DALIDataType = ...,
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
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        mean: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        stddev: float | Sequence[float] | np.ndarray | DataNode | None = ...,
        batch: bool = ...,
        ddof: int = ...,
        epsilon: float = ...,
        scale: float = ...,
        shift: float = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class OneHot:
    """Converts each number to a vector with a different value at the position of its class; DALI's `fn.one_hot`.

    Arguments as of `jaxdali.fn.one_hot`, each here or in the call.
    """
    def __init__(
        self,
        *,
        num_classes: int = ...,
        axis: int | None = ...,
        axis_name: str | None = ...,
        dtype: DALIDataType = ...,
        on_value: float = ...,
        off_value: float = ...,
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
        num_classes: int = ...,
        axis: int | None = ...,
        axis_name: str | None = ...,
        dtype: DALIDataType = ...,
        on_value: float = ...,
        off_value: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Ones:
    """Creates arrays of ones; DALI's `fn.ones`.

    Arguments as of `jaxdali.fn.ones`, each here or in the call.
    """
    def __init__(
        self,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class OnesLike:
    """Creates arrays of ones with the shapes of another node's samples; DALI's `fn.ones_like`.

    Arguments as of `jaxdali.fn.ones_like`, each here or in the call.
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
        data_like: DataNode,
        *,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Pad:
    """Pads samples at the end of their axes; DALI's `fn.pad`.

    Arguments as of `jaxdali.fn.pad`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | DataNode | None = ...,
        axis_names: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        align: int | Sequence[int] | DataNode | None = ...,
        fill_value: float | np.ndarray | DataNode = ...,
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
        axes: int | Sequence[int] | DataNode | None = ...,
        axis_names: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        align: int | Sequence[int] | DataNode | None = ...,
        fill_value: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Paste:
    """Pastes each image on a canvas that is larger by `ratio`; DALI's operator. Fractions of a pixel are cut off.

    Arguments as of `jaxdali.fn.paste`, each here or in the call.
    """
    def __init__(
        self,
        *,
        ratio: float | DataNode = ...,
        fill_value: float | Sequence[float] = ...,
        min_canvas_size: float | DataNode = ...,
        paste_x: float | np.ndarray | DataNode = ...,
        paste_y: float | np.ndarray | DataNode = ...,
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
        ratio: float | DataNode = ...,
        fill_value: float | Sequence[float] = ...,
        min_canvas_size: float | DataNode = ...,
        paste_x: float | np.ndarray | DataNode = ...,
        paste_y: float | np.ndarray | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PeekImageShape:
    """The shapes of images, (height, width, channels), from their headers; DALI's operator. It decodes nothing.

    Arguments as of `jaxdali.fn.peek_image_shape`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType = ...,
        adjust_orientation: bool = ...,
        image_type: DALIImageType = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
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
        dtype: DALIDataType = ...,
        adjust_orientation: bool = ...,
        image_type: DALIImageType = ...,
        on_error: Literal["raise", "zeros"] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PerFrame:
    """Marks the first axis of samples as frames; DALI's operator.

    Arguments as of `jaxdali.fn.per_frame`, each here or in the call.
    """
    def __init__(
        self,
        *,
        replace: bool = ...,
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
        replace: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PermuteBatch:
    """Returns the samples of the batch in a different order; DALI's `fn.permute_batch`.

    Arguments as of `jaxdali.fn.permute_batch`, each here or in the call.
    """
    def __init__(
        self,
        *,
        indices: int | Sequence[int] | DataNode = ...,
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
        indices: int | Sequence[int] | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PowerSpectrum:
    """The spectrum of signals along an axis; DALI's `fn.power_spectrum`.

    Arguments as of `jaxdali.fn.power_spectrum`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axis: int = ...,
        nfft: int | None = ...,
        power: int = ...,
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
        axis: int = ...,
        nfft: int | None = ...,
        power: int = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PreemphasisFilter:
    """Subtracts from each number of a signal the previous one times `preemph_coeff`; DALI's `fn.preemphasis_filter`.

    Arguments as of `jaxdali.fn.preemphasis_filter`, each here or in the call.
    """
    def __init__(
        self,
        *,
        preemph_coeff: float | np.ndarray | DataNode = ...,
        border: Literal["zero", "clamp", "reflect"] = ...,
        dtype: DALIDataType = ...,
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
        preemph_coeff: float | np.ndarray | DataNode = ...,
        border: Literal["zero", "clamp", "reflect"] = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class PythonFunction:
    """Calls a Python function with NumPy arrays; DALI's `fn.python_function`.

    Arguments as of `jaxdali.fn.python_function`, each here or in the call.
    """
    def __init__(
        self,
        function: Callable[..., Any] = ...,
        num_outputs: int = ...,
        *,
        batch_processing: bool = ...,
        output_layouts: str | Sequence[str] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *data: DataNode,
        batch_processing: bool = ...,
        output_layouts: str | Sequence[str] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> Any: ...

class RandomBBoxCrop:
    """Draws a window of each image that keeps enough of its boxes; DALI's operator, used to train SSD.

    Arguments as of `jaxdali.fn.random_bbox_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        thresholds: float | Sequence[float] = ...,
        threshold_type: Literal["iou", "overlap"] = ...,
        all_boxes_above_threshold: bool = ...,
        allow_no_crop: bool = ...,
        aspect_ratio: Sequence[float] | None = ...,
        scaling: Sequence[float] | None = ...,
        bbox_prune_threshold: float | None = ...,
        num_attempts: int = ...,
        total_num_attempts: int | None = ...,
        input_shape: Sequence[int] | DataNode | None = ...,
        crop_shape: Sequence[int] | DataNode | None = ...,
        shape_layout: str | None = ...,
        bbox_layout: str | None = ...,
        ltrb: bool = ...,
        output_bbox_indices: bool = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        boxes: DataNode,
        labels: DataNode | None = None,
        *,
        thresholds: float | Sequence[float] = ...,
        threshold_type: Literal["iou", "overlap"] = ...,
        all_boxes_above_threshold: bool = ...,
        allow_no_crop: bool = ...,
        aspect_ratio: Sequence[float] | None = ...,
        scaling: Sequence[float] | None = ...,
        bbox_prune_threshold: float | None = ...,
        num_attempts: int = ...,
        total_num_attempts: int | None = ...,
        input_shape: Sequence[int] | DataNode | None = ...,
        crop_shape: Sequence[int] | DataNode | None = ...,
        shape_layout: str | None = ...,
        bbox_layout: str | None = ...,
        ltrb: bool = ...,
        output_bbox_indices: bool = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class RandomCropGenerator:
    """Draws a window of each image, as `fn.random_resized_crop` does; DALI's operator. `fn.slice` or

    Arguments as of `jaxdali.fn.random_crop_generator`, each here or in the call.
    """
    def __init__(
        self,
        *,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        shapes: DataNode,
        *,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class RandomResizedCrop:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Arguments as of `jaxdali.fn.random_resized_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        size: float | Sequence[float] = ...,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
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
        size: float | Sequence[float] = ...,
        random_area: Sequence[float] = ...,
        random_aspect_ratio: Sequence[float] = ...,
        num_attempts: int = ...,
        seed: int | None = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Reinterpret:
    """Reads the bytes of samples as another type, and can change their shape or layout; DALI's `fn.reinterpret`.

    Arguments as of `jaxdali.fn.reinterpret`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType | None = ...,
        layout: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        src_dims: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        shape_input: DataNode | None = None,
        *,
        dtype: DALIDataType | None = ...,
        layout: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        src_dims: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Reshape:
    """Changes the shape of samples, their layout, or both; DALI's `fn.reshape`. The order of their numbers stays the

    Arguments as of `jaxdali.fn.reshape`, each here or in the call.
    """
    def __init__(
        self,
        *,
        layout: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        src_dims: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        shape_input: DataNode | None = None,
        *,
        layout: str | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        src_dims: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Resize:
    """Resizes every image or volume; DALI's `fn.resize`.

    Arguments as of `jaxdali.fn.resize`, each here or in the call.
    """
    def __init__(
        self,
        *,
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        save_attrs: bool = ...,
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
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        save_attrs: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> Any: ...

class ResizeCropMirror:
    """Resizes every image or volume, cuts a window out of the result, and mirrors it; DALI's operator.

    Arguments as of `jaxdali.fn.resize_crop_mirror`, each here or in the call.
    """
    def __init__(
        self,
        *,
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
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
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ROIRandomCrop:
    """Draws where a window begins that contains a region, or lies within it if the region is larger: INT64 [axes];

    Arguments as of `jaxdali.fn.roi_random_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        crop_shape: int | Sequence[int] | DataNode = ...,
        roi_start: int | Sequence[int] | DataNode = ...,
        roi_end: int | Sequence[int] | DataNode | None = ...,
        roi_shape: int | Sequence[int] | DataNode | None = ...,
        in_shape: int | Sequence[int] | DataNode | None = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode | None = None,
        *,
        crop_shape: int | Sequence[int] | DataNode = ...,
        roi_start: int | Sequence[int] | DataNode = ...,
        roi_end: int | Sequence[int] | DataNode | None = ...,
        roi_shape: int | Sequence[int] | DataNode | None = ...,
        in_shape: int | Sequence[int] | DataNode | None = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Rotate:
    """Rotates images around their centre, and volumes around an axis through their centre; DALI's `fn.rotate`.

    Arguments as of `jaxdali.fn.rotate`, each here or in the call.
    """
    def __init__(
        self,
        *,
        angle: float | np.ndarray | DataNode = ...,
        fill_value: float | None = ...,
        interp_type: DALIInterpType = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        axis: Sequence[float] | DataNode | None = ...,
        keep_size: bool = ...,
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
        angle: float | np.ndarray | DataNode = ...,
        fill_value: float | None = ...,
        interp_type: DALIInterpType = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        axis: Sequence[float] | DataNode | None = ...,
        keep_size: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Saturation:
    """Scales the saturation of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Arguments as of `jaxdali.fn.saturation`, each here or in the call.
    """
    def __init__(
        self,
        *,
        saturation: float | np.ndarray | DataNode = ...,
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
        saturation: float | np.ndarray | DataNode = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class SequenceRearrange:
    """Rearranges the frames of each sequence; DALI's operator.

    Arguments as of `jaxdali.fn.sequence_rearrange`, each here or in the call.
    """
    def __init__(
        self,
        *,
        new_order: int | Sequence[int] | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        input: DataNode,
        *,
        new_order: int | Sequence[int] | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Slice:
    """Cuts a window out of every sample; DALI's `fn.slice`. An edge that is not given is that of the sample.

    Arguments as of `jaxdali.fn.slice`, each here or in the call.
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
        axes: int | Sequence[int] | DataNode | None = ...,
        axis_names: str | None = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
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
        anchor: DataNode | None = None,
        shape_input: DataNode | None = None,
        *,
        start: float | Sequence[float] | DataNode | None = ...,
        rel_start: float | Sequence[float] | DataNode | None = ...,
        end: float | Sequence[float] | DataNode | None = ...,
        rel_end: float | Sequence[float] | DataNode | None = ...,
        shape: float | Sequence[float] | DataNode | None = ...,
        rel_shape: float | Sequence[float] | DataNode | None = ...,
        axes: int | Sequence[int] | DataNode | None = ...,
        axis_names: str | None = ...,
        normalized_anchor: bool = ...,
        normalized_shape: bool = ...,
        out_of_bounds_policy: str = ...,
        fill_values: float | Sequence[float] = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Spectrogram:
    """The spectra of a signal's windows; DALI's `fn.spectrogram`.

    Arguments as of `jaxdali.fn.spectrogram`, each here or in the call.
    """
    def __init__(
        self,
        *,
        window_length: int = ...,
        window_step: int = ...,
        nfft: int | None = ...,
        window_fn: Sequence[float] | None = ...,
        power: int = ...,
        center_windows: bool = ...,
        reflect_padding: bool = ...,
        layout: Literal["ft", "tf"] = ...,
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
        window_length: int = ...,
        window_step: int = ...,
        nfft: int | None = ...,
        window_fn: Sequence[float] | None = ...,
        power: int = ...,
        center_windows: bool = ...,
        reflect_padding: bool = ...,
        layout: Literal["ft", "tf"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Sphere:
    """Images as they look through a glass ball; DALI's `fn.sphere`. See `jaxdali.image.sphere`.

    Arguments as of `jaxdali.fn.sphere`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask: float | np.ndarray | DataNode = ...,
        fill_value: float = ...,
        interp_type: DALIInterpType = ...,
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
        mask: float | np.ndarray | DataNode = ...,
        fill_value: float = ...,
        interp_type: DALIInterpType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Squeeze:
    """Removes axes with the extent 1, or any axes of samples that have no numbers with or without them; DALI's

    Arguments as of `jaxdali.fn.squeeze`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
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
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class SSDRandomCrop:
    """Draws a window of each image that keeps enough of its boxes, and cuts it; DALI's operator, which is deprecated there.

    Arguments as of `jaxdali.fn.ssd_random_crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        num_attempts: int = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        images: DataNode,
        boxes: DataNode,
        labels: DataNode,
        *,
        num_attempts: int = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> list[DataNode]: ...

class Stack:
    """Stacks the samples of its inputs, which have the same shape, along a new axis; DALI's `fn.stack`.

    Arguments as of `jaxdali.fn.stack`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axis: int = ...,
        axis_name: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *inputs: DataNode,
        axis: int = ...,
        axis_name: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class TensorResize:
    """Resizes arrays along any of their axes; DALI's `fn.tensor_resize`, with any number of axes.

    Arguments as of `jaxdali.fn.tensor_resize`, each here or in the call.
    """
    def __init__(
        self,
        *,
        sizes: float | Sequence[float] | DataNode | None = ...,
        scales: float | Sequence[float] | DataNode | None = ...,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        size_rounding: Literal["round", "truncate", "ceil"] = ...,
        alignment: float | Sequence[float] | DataNode = ...,
        subpixel_scale: bool = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
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
        sizes: float | Sequence[float] | DataNode | None = ...,
        scales: float | Sequence[float] | DataNode | None = ...,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        size_rounding: Literal["round", "truncate", "ceil"] = ...,
        alignment: float | Sequence[float] | DataNode = ...,
        subpixel_scale: bool = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ToDecibels:
    """`multiplier * log10(data / reference)`, but at least `cutoff_db`; DALI's `fn.to_decibels`.

    Arguments as of `jaxdali.fn.to_decibels`, each here or in the call.
    """
    def __init__(
        self,
        *,
        multiplier: float = ...,
        reference: float = ...,
        cutoff_db: float = ...,
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
        multiplier: float = ...,
        reference: float = ...,
        cutoff_db: float = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Transpose:
    """Reorders the axes of samples; DALI's `fn.transpose`.

    Arguments as of `jaxdali.fn.transpose`, each here or in the call.
    """
    def __init__(
        self,
        *,
        perm: int | Sequence[int] | None = ...,
        transpose_layout: bool = ...,
        output_layout: str | None = ...,
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
        perm: int | Sequence[int] | None = ...,
        transpose_layout: bool = ...,
        output_layout: str | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class WarpAffine:
    """Moves pixels by an affine map; DALI's `fn.warp_affine`.

    Arguments as of `jaxdali.fn.warp_affine`, each here or in the call.
    """
    def __init__(
        self,
        *,
        matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
        fill_value: float | None = ...,
        interp_type: DALIInterpType = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        inverse_map: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        maps: DataNode | None = None,
        *,
        matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
        fill_value: float | None = ...,
        interp_type: DALIInterpType = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        dtype: DALIDataType | None = ...,
        inverse_map: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Water:
    """Images as they look under water; DALI's `fn.water`. See `jaxdali.image.water`.

    Arguments as of `jaxdali.fn.water`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask: float | np.ndarray | DataNode = ...,
        ampl_x: float = ...,
        ampl_y: float = ...,
        freq_x: float = ...,
        freq_y: float = ...,
        phase_x: float = ...,
        phase_y: float = ...,
        fill_value: float = ...,
        interp_type: DALIInterpType = ...,
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
        mask: float | np.ndarray | DataNode = ...,
        ampl_x: float = ...,
        ampl_y: float = ...,
        freq_x: float = ...,
        freq_y: float = ...,
        phase_x: float = ...,
        phase_y: float = ...,
        fill_value: float = ...,
        interp_type: DALIInterpType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Zeros:
    """Creates arrays of zeros; DALI's `fn.zeros`.

    Arguments as of `jaxdali.fn.zeros`, each here or in the call.
    """
    def __init__(
        self,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        shape: int | Sequence[int] | DataNode | None = ...,
        layout: str | None = ...,
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class ZerosLike:
    """Creates arrays of zeros with the shapes of another node's samples; DALI's `fn.zeros_like`.

    Arguments as of `jaxdali.fn.zeros_like`, each here or in the call.
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
        data_like: DataNode,
        *,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class FastResizeCropMirror:
    """Resizes every image or volume, cuts a window out of the result, and mirrors it; DALI's operator.

    Arguments as of `jaxdali.fn.fast_resize_crop_mirror`, each here or in the call.
    """
    def __init__(
        self,
        *,
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
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
        size: float | Sequence[float] | DataNode | None = ...,
        resize_x: float | DataNode = ...,
        resize_y: float | DataNode = ...,
        resize_z: float | DataNode = ...,
        resize_shorter: float | DataNode = ...,
        resize_longer: float | DataNode = ...,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] = ...,
        max_size: float | Sequence[float] | None = ...,
        roi_start: float | Sequence[float] | DataNode | None = ...,
        roi_end: float | Sequence[float] | DataNode | None = ...,
        roi_relative: bool = ...,
        subpixel_scale: bool = ...,
        crop: float | Sequence[float] | DataNode | None = ...,
        crop_h: float | DataNode | None = ...,
        crop_w: float | DataNode | None = ...,
        crop_pos_x: float | np.ndarray | DataNode = ...,
        crop_pos_y: float | np.ndarray | DataNode = ...,
        rounding: Literal["round", "truncate"] = ...,
        crop_d: float | DataNode = ...,
        crop_pos_z: float | np.ndarray | DataNode = ...,
        mirror: float | np.ndarray | DataNode = ...,
        interp_type: DALIInterpType | DataNode = ...,
        min_filter: DALIInterpType | DataNode | None = ...,
        mag_filter: DALIInterpType | DataNode | None = ...,
        antialias: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Shapes:
    """Returns the shape of each sample, `[ndim]`.

    Arguments as of `jaxdali.fn.shapes`, each here or in the call.
    """
    def __init__(
        self,
        *,
        dtype: DALIDataType = ...,
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
        dtype: DALIDataType = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

AudioDecoder = decoders.Audio
Caffe2Reader = readers.Caffe2
CaffeReader = readers.Caffe
COCOReader = readers.COCO
CoinFlip = random.CoinFlip
FileReader = readers.File
ImageDecoder = decoders.Image
ImageDecoderCrop = decoders.ImageCrop
ImageDecoderRandomCrop = decoders.ImageRandomCrop
ImageDecoderSlice = decoders.ImageSlice
MXNetReader = readers.MXNet
NemoAsrReader = readers.NemoAsr
NormalDistribution = random.Normal
NumpyReader = readers.Numpy
SequenceReader = readers.Sequence
TransformTranslation = transforms.Translation
TFRecordReader = readers.TFRecord
Uniform = random.Uniform
VideoReader = readers.Video
VideoReaderResize = readers.VideoResize
