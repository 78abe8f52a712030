from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np

from ..pipeline import DataNode
from ..types import DALIDataType, DALIImageType, DALIInterpType
from . import decoders as decoders
from . import experimental as experimental
from . import io as io
from . import noise as noise
from . import random as random
from . import readers as readers
from . import reductions as reductions
from . import segmentation as segmentation
from . import transforms as transforms

def audio_resample(
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
) -> DataNode:
    """Resamples signals to another rate, by a sinc in a Hann window; DALI's `fn.audio_resample`.

    How long a signal becomes may depend on data, so it is computed on the host, between two programs of the device: every
    batch comes to the host there. Rates that are known beforehand belong in `fn.decoders.audio(sample_rate=)`, whose workers
    do it.

    Args:
        data: signals, `[samples]` or `[samples, channels]`: FLOAT, or integers of up to 32 bits.
        dtype: that of the output: integers of up to 32 bits or FLOAT; by default the input's. 1 in FLOAT corresponds to
            the largest number of an integer type, and -1 to the smallest of an unsigned one.
        in_rate: sample rate of the input, in any unit; goes with `out_rate`. May be a node with one value per sample.
        out_rate: sample rate of the output, in the same unit. May be a node with one value per sample.
        scale: the ratio of the rates, instead of them. May be a node with one value per sample.
        out_length: samples of the output, instead of a rate. May be a node with one value per sample.
        quality: quality of resampling: 0 is a sinc of 3 lobes on either side, 50 of 16, 100 of 64.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node: of n samples `ceil(n * out_rate / in_rate)`, `ceil(n * scale)`, or `out_length`. Beyond its ends a
        signal is 0; what becomes an integer without sign is resampled as one.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a rate is not above 0; when the batch is handed out.
    """
    ...

def batch_permutation(
    *,
    allow_repetitions: bool = ...,
    no_fixed_points: bool = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws a permutation of the batch for `fn.permute_batch`: for each sample the index of a sample; DALI's operator.

    In a branch, the samples that take it are the batch.

    Args:
        allow_repetitions: whether a sample may occur more than once, so that others do not occur at all.
        no_fixed_points: let no sample keep its place, unless it is the only one.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bb_flip(
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
) -> DataNode:
    """Mirrors boxes like their images; DALI's `fn.bb_flip`.

    Args:
        boxes: boxes as fractions of their image, FLOAT [number, 4], or [4].
        horizontal: mirror left to right if not 0. May be a node with one value per sample.
        vertical: mirror top to bottom if not 0. May be a node with one value per sample.
        ltrb: boxes are left, top, right, bottom; False: x, y, width, height.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bbox_paste(
    boxes: DataNode,
    *,
    ratio: float | np.ndarray | DataNode,
    paste_x: float | np.ndarray | DataNode = ...,
    paste_y: float | np.ndarray | DataNode = ...,
    ltrb: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Moves the boxes of images that are pasted on a larger canvas; DALI's `fn.bbox_paste`.

    Args:
        boxes: boxes as fractions of their image, FLOAT [number, 4], or [4].
        ratio: extents of the canvas divided by those of the image, at least 1. May be a node with one value per sample.
        paste_x: horizontal position of the image in the free space, 0 (left) to 1. May be a node with one value per
            sample.
        paste_y: vertical position of the image in the free space, 0 (top) to 1. May be a node with one value per
            sample.
        ltrb: boxes are left, top, right, bottom; False: x, y, width, height.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bbox_rotate(
    bboxes: DataNode,
    labels: DataNode | None = None,
    *,
    angle: float | np.ndarray | DataNode,
    input_shape: Sequence[int] | DataNode,
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
) -> list[DataNode]:
    """Rotates boxes like the images of `fn.rotate`; DALI's operator. See `jaxdali.boxes.rotate_boxes`.

    Args:
        bboxes: boxes, FLOAT [number, 4].
        labels: label of each box, integers [number] or [number, 1].
        angle: rotation of the image, in degrees, counter-clockwise. May be a node with one value per sample.
        input_shape: shape of the image before its rotation. May be a node with one value per sample.
        shape_layout: layout of `input_shape`.
        bbox_layout: boxes are left, top, right, bottom; or left, top, width, height.
        bbox_normalized: boxes are fractions of their image; False: pixels.
        keep_size: as in `fn.rotate`.
        size: (height, width) as in `fn.rotate`; fractions are cut off. May be a node with one value per sample.
        mode: "expand": boxes contain all of what was in them; "fixed": they keep their height and width, exchanged by a
            quarter turn; "halfway": the mean of both.
        remove_threshold: leave out boxes of which a smaller fraction is in the rotated image.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        The boxes; in a list with their labels, if there are any.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def box_encoder(
    boxes: DataNode,
    labels: DataNode,
    *,
    anchors: Sequence[float] | np.ndarray,
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
) -> list[DataNode]:
    """Matches boxes with anchors, as SSD does; DALI's operator. See `jaxdali.boxes.encode_boxes`.

    Args:
        boxes: boxes as fractions of their image, FLOAT [number, 4]: left, top, right, bottom.
        labels: labels of the boxes, integers [number], or [number, 1].
        anchors: left, top, right and bottom of each anchor, in one list.
        criteria: an anchor gets a box if it overlaps it by more than this.
        offset: encode boxes relative to their anchors.
        means: means of x, y, width and height, subtracted with `offset`.
        stds: standard deviations to divide by with `offset`, likewise.
        scale: factor applied to boxes and anchors first, with `offset`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        Of each anchor the middle (x, y), width and height of its box, FLOAT [anchors, 4]; and its label, [anchors].

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def brightness(
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
) -> DataNode:
    """Changes the brightness of images; DALI's operator of the same name.

    `out = brightness_shift * R + brightness * in`, see `fn.brightness_contrast`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        brightness: factor of the result. May be a node with one value per sample.
        brightness_shift: added to the result, in units of the output's range. May be a node with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def brightness_contrast(
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
) -> DataNode:
    """Changes the brightness and the contrast of images; DALI's operator of the same name.

    `out = brightness_shift * R + brightness * (c + contrast * (in - c))`.
    `R` is the largest value of an integer output type, 1 for a float one; `c` is `contrast_center`, by default half of
    the input's range (128 for uint8). Integers are rounded half away from zero and saturated. See
    `jaxdali.image.brightness_contrast`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        brightness: factor of the result. May be a node with one value per sample.
        brightness_shift: added to the result, in units of the output's range. May be a node with one value per sample.
        contrast: factor of the distance from `contrast_center`. May be a node with one value per sample.
        contrast_center: the level that contrast does not change; by default half of the input's range. May be a node
            with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def cast(
    data: DataNode,
    *,
    dtype: DALIDataType,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Converts numbers to another type; DALI's `fn.cast`.

    Floats become integers by rounding, halves away from zero, and saturating; NaN becomes 0. Integers saturate. Numbers
    that round to 0 become False, all others True. See `jaxdali.image.round_to_dtype`.

    Args:
        data: any numbers.
        dtype: that of the output. Without jax_enable_x64, INT64 and UINT64 are computed in 32 bits, and a number that
            does not fit is an error: `Pipeline.run` returns INT64, iterators the int32 that JAX then has.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def cast_like(
    data: DataNode,
    like: DataNode,
    *,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Converts the first input to the type of the second input; DALI's `fn.cast_like`. Numbers are rounded as in
    `fn.cast`.

    Args:
        data: any numbers.
        like: node whose type is used.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def cat(
    *inputs: DataNode,
    axis: int = ...,
    axis_name: str | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Concatenates the samples of its inputs along an axis; DALI's `fn.cat`.

    Args:
        inputs: nodes to join, of the same type and number of dimensions.
        axis: axis along which they are concatenated; negative numbers count from the last axis.
        axis_name: name of this axis in the layout, instead of `axis`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: samples differ in an extent of another axis, where the batch is handed out.
    """
    ...

def clahe(
    data: DataNode,
    *,
    tiles_x: int,
    tiles_y: int,
    clip_limit: float,
    luma_only: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Equalizes the levels of each tile of UINT8 images, as OpenCV's CLAHE; DALI's operator.

    Images are gray, or red, green and blue. See `jaxdali.image.clahe`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC", by their number of axes.
        tiles_x: number of tiles from left to right.
        tiles_y: number of tiles from top to bottom.
        clip_limit: largest count of a level in a tile, as a multiple of the mean count; 0 or less: no limit.
        luma_only: change only the lightness of images with three channels; False: each channel separately.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        bins: without effect: there is one for each of 256 levels, as in DALI whatever is given.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def color_space_conversion(
    data: DataNode,
    *,
    image_type: DALIImageType,
    output_type: DALIImageType,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Converts UINT8 images, channels last, from one colour space to another; DALI's operator.

    As in DALI, YCbCr has luma from 16 to 235 and chroma from 16 to 240. See `jaxdali.image.convert_color_space`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        image_type: colour space of the input.
        output_type: colour space of the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def color_twist(
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
) -> DataNode:
    """Changes hue, saturation, contrast and brightness of images of three channels, the last axis; DALI's operator.

    `out = brightness * (c + contrast * (M @ in - c))`: `M` rotates hues and scales saturation as `fn.hsv` does, `c` is
    128 for integers and 0.5 for floats. See `jaxdali.image.color_twist`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        brightness: factor of the result. May be a node with one value per sample.
        contrast: factor of the distance from 128, or from 0.5 for floats. May be a node with one value per sample.
        hue: rotation of the hue, in degrees. May be a node with one value per sample.
        saturation: factor of the saturation. May be a node with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def constant(
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
) -> DataNode:
    """Gives the same numbers for every sample; DALI's `fn.constant`. `types.Constant` is another way to write it.

    Args:
        fdata: the numbers, as FLOAT.
        idata: instead of `fdata`: integers, as INT32.
        shape: a shape that one number fills; by default a vector of the numbers.
        dtype: another type; integers are rounded half away from zero and saturated.
        layout: of the value.
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def contrast(
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
) -> DataNode:
    """Changes the contrast of images; DALI's operator of the same name.

    `out = c + contrast * (in - c)`, see `fn.brightness_contrast`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        contrast: factor of the distance from `contrast_center`. May be a node with one value per sample.
        contrast_center: the level that contrast does not change; by default half of the input's range. May be a node
            with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def coord_flip(
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
) -> DataNode:
    """Mirrors the coordinates of points; DALI's `fn.coord_flip`.

    Args:
        points: points, FLOAT [number, 1 to 3].
        layout: order of the coordinates, at least one letter for each; by default "xyz".
        flip_x: mirror x if not 0. May be a node with one value per sample.
        flip_y: mirror y if not 0. May be a node with one value per sample.
        flip_z: mirror z if not 0. May be a node with one value per sample.
        center_x: the x at which to mirror. May be a node with one value per sample.
        center_y: the y at which to mirror. May be a node with one value per sample.
        center_z: the z at which to mirror. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def coord_transform(
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
) -> DataNode:
    """Transforms points, whose coordinates are along the last axis: `out = M @ in + T`; DALI's operator.

    See `jaxdali.image.affine.transformed`.

    Args:
        data: any numbers.
        M: matrix `[m, n]`, or a number by which all coordinates are multiplied. May be a node with one value per
            sample.
        T: offset `[m]` added after the matrix, or one number for all coordinates. May be a node with one value per
            sample.
        MT: `M` and `T` in one matrix, `[m, n + 1]`; a number is treated as for `M`. May be a node with one value per
            sample.
        dtype: type of the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def copy(
    data: DataNode,
    *,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Returns its input; DALI's `fn.copy`. Arrays are immutable, so nothing is copied.

    Args:
        data: any numbers.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def crop(
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
) -> DataNode:
    """Cuts a window out of every image, volume or sequence; DALI's `fn.crop`. If its size is a node, results differ in
    size. Without a window nothing is cut.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "DHWC" or "FDHWC", by their number of axes.
        crop: (height, width) of the window, or one number for both; for volumes (depth, height, width) and for
            sequences (frames, height, width), otherwise they keep their depth or frames. Fractions are cut off. A number
            below 1 selects the whole axis. May be a node with one value per sample.
        crop_h: height of the window; together with `crop_w`, instead of `crop`; 0: that of the image. May be a node
            with one value per sample.
        crop_w: width of the window; 0: that of the image. May be a node with one value per sample.
        crop_pos_x: horizontal position of the window in the free space, 0 (left) to 1 (right). May be a node with one
            value per sample.
        crop_pos_y: vertical position of the window in the free space, 0 (top) to 1 (bottom). May be a node with one
            value per sample.
        rounding: how the corner of the window is rounded; `round` rounds halves away from zero.
        crop_d: depth of the window of volumes, or its number of frames of sequences, together with `crop_h` and
            `crop_w`; images have none. May be a node with one value per sample.
        crop_pos_z: position of the window in the free space along the depth or the frames, 0 to 1. May be a node with
            one value per sample.
        dtype: that of the output; by default the input's.
        out_of_bounds_policy: what happens if a window exceeds its image. "error": a SourceDataError when the batch is
            handed out; "pad" or "constant": the outside is filled with `fill_values`; "trim_to_shape": the window is cut to
            the image, so that sizes differ.
        fill_values: level outside of an image: one number, or one per channel.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def crop_mirror_normalize(
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
) -> DataNode:
    """Crops, mirrors left to right, and normalises; DALI's operator.

    `out = (in - mean) / std * scale + shift`. Without a window nothing is cropped. `fill_values` are numbers of the output:
    they are not normalised.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "DHWC" or "FDHWC", by their number of axes.
        crop: (height, width) of the window, or one number for both; for volumes (depth, height, width) and for
            sequences (frames, height, width), otherwise they keep their depth or frames. Fractions are cut off. A number
            below 1 selects the whole axis. May be a node with one value per sample.
        crop_h: height of the window; together with `crop_w`, instead of `crop`; 0: that of the image. May be a node
            with one value per sample.
        crop_w: width of the window; 0: that of the image. May be a node with one value per sample.
        crop_pos_x: horizontal position of the window in the free space, 0 (left) to 1 (right). May be a node with one
            value per sample.
        crop_pos_y: vertical position of the window in the free space, 0 (top) to 1 (bottom). May be a node with one
            value per sample.
        rounding: how the corner of the window is rounded; `round` rounds halves away from zero.
        crop_d: depth of the window of volumes, or its number of frames of sequences, together with `crop_h` and
            `crop_w`; images have none. May be a node with one value per sample.
        crop_pos_z: position of the window in the free space along the depth or the frames, 0 to 1. May be a node with
            one value per sample.
        mirror: mirror left to right if not 0. May be a node with one value per sample.
        mean: a number, or one per channel. May be a node with one value per sample.
        std: a number, or one per channel. May be a node with one value per sample.
        scale: factor after the division by `std`.
        shift: added last.
        dtype: that of the output; integers are rounded half away from zero and saturated.
        output_layout: that of the output; for sequences and volumes one letter for each of their axes, such as FCHW. If
            the axes have another order, such as CFHW, the result is transposed.
        pad_output: add channels until their number is a power of two: filled with the last of `fill_values` for padded
            windows, else with 0.
        out_of_bounds_policy: what happens if a window exceeds its image. "error": a SourceDataError when the batch is
            handed out; "pad" or "constant": the outside is filled with `fill_values`; "trim_to_shape": the window is cut to
            the image, so that sizes differ.
        fill_values: level outside of an image: one number, or one per channel.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def debayer(
    data: DataNode,
    *,
    blue_position: int | Sequence[int] | DataNode,
    algorithm: Literal["bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Makes RGB images from Bayer mosaics, as OpenCV does; DALI's `fn.debayer`, with its CPU algorithms on all devices.

    On GPUs, DALI has only NPP's algorithm, which interpolates green differently.

    Args:
        data: mosaics of UINT8 or UINT16, layout "HW" or "HWC" with one channel; for sequences each frame. Without a
            layout they are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        blue_position: (row, column) of blue in each square of 2 x 2 pixels, the first of which begins in the second row
            and column: (0, 0) is BGGR, (0, 1) GBRG, (1, 0) GRBG, (1, 1) RGGB. For sequences also one per frame,
            `fn.per_frame`. May be a node with one value per sample.
        algorithm: "bilinear_ocv": the mean of the nearest pixels of a colour; "edgeaware_ocv": green along the smaller
            difference; "vng_ocv": along small gradients, UINT8 only; "gray_ocv": the luma of the first, one channel.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a position of a node is neither 0 nor 1, where the batch is handed out.
    """
    ...

def element_extract(
    input: DataNode,
    *,
    element_map: int | Sequence[int],
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> list[DataNode]:
    """Extracts elements of sequences, each as a separate output; DALI's `fn.element_extract`.

    Args:
        input: sequences; their layout, if they have one, begins with "F".
        element_map: indices of the elements along the first axis, counted from 0.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node for each element, in a list; of one element the node.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a sequence is too short, where the batch is handed out.
    """
    ...

def equalize(
    data: DataNode,
    *,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Equalizes the levels of each channel of UINT8 images, as OpenCV's equalizeHist; DALI's operator.

    A channel with a single level stays as it is.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def erase(
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
) -> DataNode:
    """Fills regions of each sample with `fill_value`; DALI's operator.

    A region extends from `anchor` to `anchor + shape`, both truncated to whole pixels, and is clipped to the sample.
    Fractions of a fill value are cut off for integers.

    `fn.erase(images, anchor=(10, 20), shape=(50, 60))` makes rows 10 to 59 of columns 20 to 79 black.
    `fn.erase(images, anchor=(0, 0, 0.5, 0.5), shape=(0.25, 0.25, 0.5, 0.5), normalized=True, fill_value=(255, 0, 0))`
    makes two regions red: one in the top left corner, and the quarter at the bottom right.

    Args:
        data: any numbers.
        anchor: where each region begins, a number for each axis, region after region. May be a node with one value per
            sample.
        shape: extents of each region, likewise. May be a node with one value per sample.
        fill_value: the level of erased pixels, a number or one per channel. May be a node with one value per sample.
        axes: the axes that the numbers refer to.
        axis_names: the same axes by the names of the layout.
        normalized: whether `anchor` and `shape` are fractions of the sample.
        normalized_anchor: whether `anchor` is a fraction of the sample.
        normalized_shape: whether `shape` is a fraction of the sample.
        centered_anchor: whether `anchor` is the centre of a region, not its corner.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def expand_dims(
    data: DataNode,
    *,
    axes: int | Sequence[int],
    new_axis_names: str = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Adds axes with the extent 1; DALI's `fn.expand_dims`.

    Args:
        data: any numbers.
        axes: positions of the new axes in the output.
        new_axis_names: names of the new axes in the layout; if axes are added without names, the output has no layout.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

@overload
def external_source(
    source: Callable[..., Any] | Iterable[Any] = ...,
    num_outputs: None = None,
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
) -> DataNode: ...
@overload
def external_source(
    source: Callable[..., Any] | Iterable[Any] = ...,
    *,
    num_outputs: int,
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
) -> list[DataNode]: ...
@overload
def external_source(
    source: Callable[..., Any] | Iterable[Any],
    num_outputs: int,
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
) -> list[DataNode]:
    """Reads data from Python; DALI's `fn.external_source`.

    A sample is a NumPy array (or one of torch, jax or DLPack on the CPU). A batch is an array `[n, ...]`, a list of
    samples, or a TensorList of another pipeline, with at most `batch_size` samples. A callable should depend only on
    its argument, and draw random numbers from its `rng`. With `parallel=True` it is copied to worker processes, and may
    be asked for samples past the end. Iterables and generator functions are started where they run, when their first
    data are requested. In sample mode an incomplete batch at the end is dropped, unless the source is an object with
    `__len__`, which is then the number of samples per epoch.

    With device="gpu", samples appear on the GPU. Whole batches (not `parallel`) may be there already: arrays of CuPy or
    torch, `jax.Array`s, TensorLists of another pipeline, or anything with `__dlpack__` or `__cuda_array_interface__`.
    They never pass through the host. They have at least one sample.

    Two pipelines may share a node. Each pipeline is fed separately, and each calls a function of the index separately.
    A function without arguments is called by both. An iterator belongs to one of them.

    Args:
        source: where the data come from. None: whole batches are fed, see `Pipeline.feed_input`. Otherwise it gives
            samples (`batch=False`) or whole batches (`batch=True`), and is the first of the following that applies. A
            generator function without parameters, or an object whose `__call__` is one: it is iterated. An iterable,
            including a generator or another iterator: `next` is called once per batch, or once per sample. A callable whose
            parameters are exactly `worker_id` and `num_workers`, and that returns an iterable: with `parallel=True` each
            worker iterates its own (numbered from 0, of `py_num_workers`); otherwise there is one, for (0, 1). Any other
            callable: in sample mode it takes a `types.SampleInfo`, or nothing; in batch mode it takes the index of the
            iteration (or a `types.BatchInfo`, see `batch_info`), or nothing. It raises StopIteration at the end of the
            data.
        num_outputs: None: the source gives one array, and one node is returned; n (including 1): it gives a tuple or
            list of at least n arrays, and a list of n nodes is returned.
        cycle: what happens at the end of an iterable source. "no" (False, None): StopIteration; the next epoch
            continues with the same iterator, which may have rewound itself. "quiet" (True): it is restarted, and the data
            never end. "raise": StopIteration; the next epoch restarts it.
        layout: layout of the samples: one for all outputs, or a list with one per output; outputs missing from a
            shorter list may have any. A given layout is checked.
        dtype: type of the samples: one for all outputs, or a list, as for `layout`.
        ndim: number of dimensions of the samples: one for all outputs, or a list, as for `layout`.
        batch: True: the source gives whole batches; False: it gives samples. By default samples with `parallel=True`,
            otherwise batches.
        batch_info: True: a callable in batch mode that takes an argument gets a `types.BatchInfo`. It has no effect on
            other sources.
        repeat_last: only for data that are fed: repeat the last batch if there is no newer one. True is refused
            together with a source.
        blocking: whether `run` waits for another thread to feed data; otherwise missing data are an error. With a
            source it always waits.
        parallel: run the source in the pipeline's worker processes (`py_num_workers`). In sample mode it must be a
            callable with one argument. In batch mode it may also be an iterable. One worker then iterates it, or, if it is
            a factory, each worker does.
        no_copy: for data that are fed, and for batches with device="gpu". True: the data are read when a run needs
            them, and must not change before; otherwise they are copied at once. The data of any other source are copied
            into a slot, with parallel=True by the worker process. For these, True changes nothing, and False is refused
            with parallel=True, as in DALI.
        prefetch_queue_depth: parallel only: number of batches that workers prepare in addition to those of the
            pipeline; 1 by default.
        bytes_per_sample_hint: expected size of a sample: one number for all outputs together, or a list with one per
            output. Slots start with this size and need not grow. `Pipeline.executor_statistics` reports it. With 0, the
            pipeline's `bytes_per_sample` applies. Batches with device="gpu" use no slots, so it has no effect on them.
        cuda_stream: stream for batches in GPU memory with device="gpu", see `Pipeline.feed_input`. It has no effect on
            other batches, as in DALI.
        use_copy_kernel: likewise.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node, or a list of `num_outputs` of them.

    Raises:
        ConfigError: an argument cannot be honoured.
        ConfigTypeError: the source is of another kind, or has another signature.
    """
    ...

def filter(
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
) -> DataNode:
    """Computes weighted sums of each pixel's neighbours; DALI's `fn.filter`.

    Kernels are not mirrored. Sums are float32. It takes images, volumes, and each frame of sequences; without a layout
    all axes are spatial, and with one, all but frames and channels. Kernels may differ in size. See
    `jaxdali.image.correlate`.

    Args:
        data: images, such as "HWC", or volumes, such as "DHWC", with channels first, last or none; for sequences
            ("FHWC", ...) each frame. The other axes count in the order that they have, whatever their letters.
        filter: kernels, FLOAT, `[R, S]`, or `[Q, R, S]` for volumes.
        fill_value: level beyond the edges with border="constant", a number.
        anchor: position in the kernel that lies on the pixel, a number or one per axis; -1: its middle. May be a node
            with one value per sample.
        border: how images are extended beyond their edges: "reflect_101" or "101", "reflect_1001" or "1001", "wrap",
            "clamp", "constant".
        dtype: that of the output, FLOAT or the input's, which is the default.
        mode: "valid": only where the kernel lies within the image.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def flip(
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
) -> DataNode:
    """Mirrors images and volumes; DALI's `fn.flip`.

    Left to right (`horizontal`), top to bottom (`vertical`), front to back (`depthwise`), or in several of these ways.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        horizontal: mirror left to right if not 0. May be a node with one value per sample.
        vertical: mirror top to bottom if not 0. May be a node with one value per sample.
        depthwise: mirror volumes front to back if not 0; images have no depth. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def full(
    fill_value: DataNode,
    *,
    shape: int | Sequence[int] | DataNode | None = ...,
    layout: str | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Fills arrays with a number, or with an array that is broadcast by NumPy's rules; DALI's `fn.full`. Without a
    shape, the output is the first number.

    Args:
        fill_value: a number, or an array that is broadcast to the shape.
        shape: shape of a sample; by default a scalar. May be a node with one value per sample.
        layout: layout of the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def full_like(
    data_like: DataNode,
    fill_value: DataNode,
    *,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Fills arrays as `fn.full` does, with the shapes and the type of another node's samples; DALI's `fn.full_like`.

    Args:
        data_like: node whose samples give the shapes, type and layout of the output; its numbers are ignored.
        fill_value: a number, or an array that is broadcast to the shape.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def gaussian_blur(
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
) -> DataNode:
    """Blurs images, volumes and arrays of one axis with Gaussian windows; DALI's `fn.gaussian_blur`.

    Beyond their edges they are mirrored. Without a layout all axes are spatial; with one, all but frames and channels. It
    is fastest if the window is small and known in advance, as for a number or
    `fn.random.uniform(range=)`. See `jaxdali.image.gaussian_blur`.

    Args:
        data: images, such as "HWC", or volumes, such as "DHWC", with channels first, last or none; for sequences
            ("FHWC", ...) each frame. The other axes count in the order that they have, whatever their letters.
        sigma: standard deviation in pixels, one per sample or one per axis; 0: derived from the window. May be a node
            with one value per sample.
        window_size: number of taps, odd, likewise; 0: `2 * ceil(3 * sigma) + 1`. May be a node with one value per
            sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def get_property(
    data: DataNode,
    *,
    key: Literal["layout", "source_info"],
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Returns a property of samples as bytes, `uint8[n]`; DALI's `fn.get_property`.

    Args:
        data: any numbers.
        key: "layout": the layout of the samples. "source_info": the reader's name for the data from which the samples
            were made, following first inputs. For a file it is the path, relative to the reader's `file_root` if it has
            one. For a record it is the file and the position in it. Labels that accompany files have none, nor do outputs
            of external sources.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def grid_mask(
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
) -> DataNode:
    """Sets the squares of a grid to 0; DALI's operator. Samples have H and W in their layout, or no layout.

    Args:
        data: any numbers.
        ratio: extent of a square as a fraction of a tile's. May be a node with one value per sample.
        angle: rotation of the grid, in radians. May be a node with one value per sample.
        shift_x: shift of the rotated grid to the right, in pixels. May be a node with one value per sample.
        shift_y: shift of the rotated grid downwards, in pixels. May be a node with one value per sample.
        tile: extent of a tile (a square and the gap to the next), in pixels. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def hsv(
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
) -> DataNode:
    """Rotates hues and scales saturation and value of images of three channels, the last axis; DALI's operator.

    As in DALI this is one matrix applied to RGB, see `jaxdali.image.hsv`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        hue: rotation of the hue, in degrees. May be a node with one value per sample.
        saturation: factor of the saturation. May be a node with one value per sample.
        value: factor of the result. May be a node with one value per sample.
        dtype: that of the output, also if the input is floats.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def hue(
    data: DataNode,
    *,
    hue: float | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Rotates hues of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        hue: rotation of the hue, in degrees. May be a node with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def jitter(
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
) -> DataNode:
    """Takes each pixel from a random position nearby; DALI's `fn.jitter`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC", by their number of axes.
        nDegree: extent, in pixels, of the neighbourhood that pixels come from: at most half of it away along each axis.
        mask: 0 leaves the image as it is. May be a node with one value per sample.
        fill_value: level outside of the images, converted to their type as in C.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        interp_type: without effect: pixels move by whole pixels, between which nothing is interpolated.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def jpeg_compression_distortion(
    data: DataNode,
    *,
    quality: float | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Shows UINT8 RGB images as they look after being saved as JPEG and read again; DALI's operator.

    The numbers are those of libjpeg, as DALI's on the CPU, without a file. See `jaxdali.image.jpeg_distortion`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC", by their number of axes.
        quality: 1 to 100, the best; other values are clipped. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def laplacian(
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
) -> DataNode:
    """Adds up the second derivatives along each axis; DALI's `fn.laplacian`.

    It takes images, volumes and arrays of one axis. Images are extended beyond their edges by mirroring. Without a
    layout all axes are spatial; with one, all but frames and channels. It is fastest if window sizes are numbers. See
    `jaxdali.image.laplacian`.

    Args:
        data: images, such as "HWC", or volumes, such as "DHWC", with channels first, last or none; for sequences
            ("FHWC", ...) each frame. The other axes count in the order that they have, whatever their letters.
        window_size: size of derivative windows, odd, 3 to 31, a number or one per axis. May be a node with one value
            per sample.
        smoothing_size: size of the windows that smooth along the other axes, odd, 1 to 31; by default the derivative's
            window size. May be a node with one value per sample.
        scale: factors of the derivatives, a number or one per axis. May be a node with one value per sample.
        normalized_kernel: divide each derivative by 2 to the power of the sum of its window sizes, less the number of
            axes and 2.
        dtype: that of the output, FLOAT or the input's, which is the default.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def lookup_table(
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
) -> DataNode:
    """Replaces integers according to a table; DALI's `fn.lookup_table`. Values are rounded half away from zero.

    Args:
        data: any numbers.
        keys: numbers to replace, from 0 to 65535; if a key occurs more than once, the last one counts.
        values: replacement for each of the keys.
        default_value: replacement for all other numbers.
        dtype: type of the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def mel_filter_bank(
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
) -> DataNode:
    """Sums up spectra in bands that are evenly spaced on the mel scale; DALI's `fn.mel_filter_bank`.

    Frequencies are along the axis "f" of the layout; without one along the last but one, or the only one.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        nfilter: bands.
        sample_rate: sample rate of the signal, in Hz.
        freq_low: where the first band begins, in Hz.
        freq_high: where the last band ends; 0: half of the sample rate.
        mel_formula: the formula that converts Hz to mel.
        normalize: give each band an area of 1; False: a height of 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def mfcc(
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
) -> DataNode:
    """Computes the first coefficients of the cosine transform of mel spectra in decibels; DALI's `fn.mfcc`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        n_mfcc: number of coefficients, at most the number of bands.
        axis: the axis of the bands; as in DALI, not counted from the last.
        dct_type: type of the cosine transform.
        normalize: make its rows orthonormal; not for type 1.
        lifter: multiply coefficient k by `1 + lifter / 2 * sin(pi * (k + 1) / lifter)`; 0: by 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def multi_paste(
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
) -> DataNode:
    """Pastes regions of several images on each canvas, later ones over earlier ones; DALI's operator, used for mosaics.

    The rest of a canvas is 0. Where regions begin, fractions of a pixel are cut off; their extents are rounded up. In a
    branch, the samples that take it are the batch, and are counted from 0.

    Args:
        inputs: images of one type. All that are pasted on one canvas have the same number of channels, and if
            `output_size` is numbers, all have. Without a layout they are taken for "HWC" or "FHWC", by their number of
            axes.
        in_ids: for each region of an output, the index of the sample it comes from; nodes may have another number of
            regions in each sample. By default each input's own sample. May be a node with one value per sample.
        in_anchors: where regions begin in their image, in pixels. May be a node with one value per sample.
        in_anchors_rel: the same as fractions of the image. May be a node with one value per sample.
        shapes: height and width of the regions; by default to the end of their image. May be a node with one value per
            sample.
        shapes_rel: the same as fractions of the image. May be a node with one value per sample.
        out_anchors: where regions are pasted, in pixels of the canvas. May be a node with one value per sample.
        out_anchors_rel: the same as fractions of the canvas. May be a node with one value per sample.
        output_size: (height, width) of the canvas; fractions are cut off. By default that of the inputs, which must
            have one shape. As in DALI, a third number, as a shape has, is not used: channels are those of the inputs. May
            be a node with one value per sample.
        dtype: that of the output; by default the inputs'.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a region leaves its image or the canvas, an index is not in the batch, or inputs differ in
            shape and `output_size` is not given, where the batch is handed out.
    """
    ...

def nonsilent_region(
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
) -> list[DataNode]:
    """Finds where a signal is not silent; DALI's `fn.nonsilent_region`.

    Args:
        data: signals, FLOAT [samples].
        cutoff_db: in decibels of the reference; windows below it are silent.
        window_length: samples per window, over which the power is averaged.
        reference_power: the power of 0 dB; 0: the largest power of a window of each signal.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        reset_interval: without effect: the power of each window is summed by itself, so that nothing has to be reset.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        Two nodes, `int32`: the first sample of the first window that is not silent; and how many samples there are from
        there to the end of the last one, 0 where all are silent.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def normalize(
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
) -> DataNode:
    """Subtracts the mean and divides by the standard deviation; DALI's `fn.normalize`.

    Args:
        data: any numbers.
        axes: axes along which the mean and the standard deviation are computed, counted from 0. By default those along
            which `mean` or `stddev` has the extent 1, or all.
        axis_names: names of these axes in the layout, instead of `axes`.
        mean: mean to subtract: a number, or an array that is broadcast. By default the mean of the sample. May be a
            node with one value per sample.
        stddev: standard deviation to divide by: a number, or an array that is broadcast. By default that of the sample;
            where it is 0, the results are 0. May be a node with one value per sample.
        batch: compute the mean and the standard deviation over all samples of the batch; in a branch, over those that
            take it.
        ddof: delta degrees of freedom: the sum of squares is divided by the number of elements minus this number.
        epsilon: number added to the square of the standard deviation.
        scale: factor by which results are multiplied.
        shift: number added to the scaled results.
        dtype: type of the output. Integers are rounded half away from zero and saturated.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def one_hot(
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
) -> DataNode:
    """Converts each number to a vector with a different value at the position of its class; DALI's `fn.one_hot`.

    A number that is not a class gives a vector without this value. The fraction of floats is cut off.

    Args:
        data: any numbers.
        num_classes: extent of the new axis.
        axis: position of the new axis in the output; -1 or not given: after the others. If it is not given, samples
            with a single number are treated as scalars, regardless of their dimensions.
        axis_name: name of the new axis in the layout; if it is not given, the output has no layout.
        dtype: type of the output.
        on_value: value at the position of the class. For integer types, fractions are cut off and numbers wrap around.
        off_value: value at all other positions, converted in the same way.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def ones(
    *,
    shape: int | Sequence[int] | DataNode | None = ...,
    layout: str | None = ...,
    dtype: DALIDataType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Creates arrays of ones; DALI's `fn.ones`.

    Args:
        shape: shape of a sample; by default a scalar. May be a node with one value per sample.
        layout: layout of the output.
        dtype: type of the output.
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def ones_like(
    data_like: DataNode,
    *,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Creates arrays of ones with the shapes of another node's samples; DALI's `fn.ones_like`.

    Args:
        data_like: node whose samples give the shapes, type and layout of the output; its numbers are ignored.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def pad(
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
) -> DataNode:
    """Pads samples at the end of their axes; DALI's `fn.pad`.

    Without `shape`, all samples are padded to the largest extent in the batch along each of the axes; in a branch, to
    that of the samples which take it.

    Args:
        data: any numbers.
        axes: axes to pad; negative numbers count from the last axis. By default, or if there are none, all axes. May be
            a node with one value per sample.
        axis_names: names of these axes in the layout, instead of `axes`.
        shape: smallest extents, one for each of the axes, or one for all; a negative number, or not given: the largest
            extent in the batch. May be a node with one value per sample.
        align: round extents up to multiples of this number, one for each of the axes, or one for all. May be a node
            with one value per sample.
        fill_value: value of the padding. For integer types, its fraction is cut off and it wraps around. May be a node
            with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def paste(
    data: DataNode,
    *,
    ratio: float | DataNode,
    fill_value: float | Sequence[float],
    min_canvas_size: float | DataNode = ...,
    paste_x: float | np.ndarray | DataNode = ...,
    paste_y: float | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Pastes each image on a canvas that is larger by `ratio`; DALI's operator. Fractions of a pixel are cut off.

    If the ratio is a node whose largest number is not known in advance, unlike that of `fn.random.uniform(range=)`,
    canvases are at most four times as high and wide as their images.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC", by their number of axes.
        ratio: height and width of the canvas, as multiples of the image's; at least 1. May be a node with one value per
            sample.
        fill_value: level of the canvas, a number or one per channel.
        min_canvas_size: smallest height and width of the canvas. May be a node with one value per sample.
        paste_x: horizontal position of the image in the free space, 0 (left) to 1. May be a node with one value per
            sample.
        paste_y: vertical position of the image in the free space, 0 (top) to 1. May be a node with one value per
            sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        n_channels: without effect: images have the channels that they have.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def peek_image_shape(
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
) -> DataNode:
    """Reads the shapes of images from their headers, and decodes nothing; DALI's operator.

    A shape is (height, width, channels).

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        dtype: that of the output.
        adjust_orientation: give the shape after EXIF orientation; False: the shape stored in JPEG files. Other formats
            are always rotated.
        image_type: GRAY: one channel; ANY_DATA: the file's number of channels; otherwise 3.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its
            image and all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger
            "jaxdali" name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an
            image are those in its header, or else those of the others in the batch if they agree, or none.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def per_frame(
    data: DataNode,
    *,
    replace: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Marks the first axis of samples as frames; DALI's operator.

    Used as an argument of an operator on sequences, such as `sigma=fn.per_frame(sigma)` of `fn.gaussian_blur`, it gives
    each frame its own value. Samples without a layout get one: "F", followed by "*" for the other axes.

    Args:
        data: any numbers.
        replace: replace the first letter of the layout with "F"; by default a layout that begins with another letter is
            an error.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def permute_batch(
    data: DataNode,
    *,
    indices: int | Sequence[int] | DataNode,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Returns the samples of the batch in a different order; DALI's `fn.permute_batch`.

    In a branch, the samples that take it are the batch, and are counted from 0.

    Args:
        data: any numbers.
        indices: for each returned sample its index in the batch: as many numbers as there are samples, or one for all.
            An index may occur more than once, and others not at all. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: an index is out of the batch, where that is handed out.
    """
    ...

def power_spectrum(
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
) -> DataNode:
    """Computes the spectrum of signals along an axis; DALI's `fn.power_spectrum`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        axis: the axis to transform; negative ones count from the last.
        nfft: length of the transform: longer axes are cut off, shorter ones padded with zeros. By default the axis'
            extent, which must then be the same for all samples.
        power: 2: squares of the amplitudes; 1: the amplitudes.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node: `nfft // 2 + 1` numbers along the axis, FLOAT.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def preemphasis_filter(
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
) -> DataNode:
    """Subtracts from each number of a signal the previous one times `preemph_coeff`; DALI's `fn.preemphasis_filter`.

    The numbers of samples with several axes are one signal, the last axis first: channels are not told apart.

    Args:
        data: signals, FLOAT [samples].
        preemph_coeff: factor of the previous number. May be a node with one value per sample.
        border: what precedes the first number: 0, the number itself, or the second one.
        dtype: that of the output; integers are rounded half away from zero and saturated.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def python_function(
    *data: DataNode,
    function: Callable[..., Any],
    num_outputs: int = ...,
    batch_processing: bool = ...,
    output_layouts: str | Sequence[str] | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> Any:
    """Calls a Python function with NumPy arrays; DALI's `fn.python_function`.

    It is slow. The pipeline's program is cut in two at the function. Between the two parts, every batch is copied to
    the host, waited for, and copied back. Images made before the function are computed separately. Python code that
    needs nothing from the device belongs in a source (`fn.external_source(parallel=True)`), whose workers run alongside
    training. Functions of `jax.Array`s belong in `jaxdali.plugin.jax.fn.jax_function`, which is compiled into the
    program.

    The function is called on the thread that takes batches, in their order, as many batches ahead as the pipeline
    computes. It is called once per batch or once per sample, in a branch with the samples that take it; but until there
    was one, with all samples, because nothing else tells the types of its outputs. It owns its arrays and may write to
    them. An exception that it raises is raised with the batch for which it was called, as a `SourceError` that is of
    its type, too. With `num_outputs=0` it is called although nothing depends on it.

    Args:
        data: arguments of the function, in this order.
        function: a function that takes one array for each input: a sample. It returns an array, or a tuple with one
            array for each output. Samples may differ in shape, but not in type and number of axes.
        num_outputs: number of arrays that the function returns; 0: its result is ignored.
        batch_processing: call the function once per batch: it takes a list of samples for each input, and returns a
            list of samples, or a tuple with such a list for each output.
        output_layouts: layouts of the outputs, such as "HWC": one for all, or a list. An output that is not listed has
            none.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node, or a list of `num_outputs` of them.

    Raises:
        ConfigError: an argument cannot be honoured.
        OutputError: the function returned something else; when the batch is handed out.
    """
    ...

def random_bbox_crop(
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
) -> list[DataNode]:
    """Draws a window of each image that keeps enough of its boxes; DALI's operator, used to train SSD.

    `jaxdali.boxes.random_crop` describes how it is drawn. `fn.slice` cuts it.

    Args:
        boxes: boxes as fractions of their image, FLOAT [number, 4]; of volumes [number, 6].
        labels: labels of the boxes, integers [number], or [number, any].
        thresholds: overlaps of window and boxes, 0 to 1, one of which is drawn and required.
        threshold_type: "iou": intersection over union; "overlap": fraction of the box.
        all_boxes_above_threshold: all boxes must overlap that much; False: at least one.
        allow_no_crop: allow keeping the whole image, with the probability of one threshold.
        aspect_ratio: (smallest, largest) width / height of windows; for volumes also width / depth and height / depth,
            or one range for all. By default 1.
        scaling: (smallest, largest) extents of windows, as fractions of the image's. By default 1.
        bbox_prune_threshold: keep boxes of which this fraction is in the window, 0 to 1. By default those whose centre
            is.
        num_attempts: windows to try with one threshold.
        total_num_attempts: windows to try in all; then the one that overlaps boxes most is taken, or the whole image if
            no window has a fitting ratio. -1 or not given: 10000.
        input_shape: extents of the image, to which ratios refer. By default those of a square. May be a node with one
            value per sample.
        crop_shape: extents of windows, which begin at whole pixels; needs `input_shape`, and replaces `scaling`,
            `aspect_ratio` and `allow_no_crop`. Windows are then in pixels, not fractions. May be a node with one value per
            sample.
        shape_layout: order of both; by default "WH" or "WHD".
        bbox_layout: layout of a box: "xyXY", its beginning and end, or "xyWH", its beginning and extents, in any order;
            for volumes "xyzXYZ" or "xyzWHD". By default "xyXY", or "xyzXYZ".
        ltrb: False: `bbox_layout` is "xyWH"; deprecated in DALI.
        output_bbox_indices: also return the indices of the boxes that are kept.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        quiet: without effect: no warning is given where no window fits.

    Returns:
        Where windows begin, FLOAT [2]; their extents, FLOAT [2]; the boxes in them; labels, if there are any; and the
        indices of the boxes that are kept, if asked for.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a box leaves its image, where the batch is handed out.
    """
    ...

def random_crop_generator(
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
) -> list[DataNode]:
    """Draws a window of each image, as `fn.random_resized_crop` does; DALI's operator. `fn.slice` or
    `fn.decoders.image_slice` cuts it.

    Args:
        shapes: shapes of images, integers (height, width), or (height, width, channels).
        random_area: (smallest, largest) fraction of the image's area that the window covers, at most 4. Hardly any
            window above 1 fits; one that does not is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Returns:
        Where windows begin and their extents, INT32 [2] each: height before width.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: an extent is below 1 or above 1048575, where the batch is handed out.
    """
    ...

def random_resized_crop(
    data: DataNode,
    *,
    size: float | Sequence[float],
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
) -> DataNode:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Windows are whole pixels, and the filter does not read beyond them. After a decoder, only the window is decoded.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC", by their number of axes.
        size: (height, width), or one number for both; fractions are rounded to the nearest pixel.
        random_area: (smallest, largest) fraction of the image's area that the window covers, at most 4. Hardly any
            window above 1 fits; one that does not is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        interp_type: filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR
            with antialiasing. May be a node with one value per sample.
        min_filter: filter of axes that shrink; not given: `interp_type`. May be a node with one value per sample.
        mag_filter: filter of axes that grow; not given: `interp_type`. May be a node with one value per sample.
        antialias: widen the filter when shrinking. It has no effect on INTERP_NN.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def reinterpret(
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
) -> DataNode:
    """Reads the bytes of samples as another type, and can change their shape or layout; DALI's `fn.reinterpret`.

    Without a shape, the last axis keeps its number of bytes. Anything other than 0 is read as True.

    Args:
        data: any numbers.
        shape_input: the new shape as numbers, instead of `shape`.
        dtype: type as which the bytes are read; by default that of the input.
        layout: layout of the output; "": none. By default that of the input, if it has the same number of axes.
        shape: shape of each sample; -1: the extent is inferred. May be a node with one value per sample.
        rel_shape: factors of the input's extents, instead of `shape`, in order or as given by `src_dims`. The products
            are rounded, halves upwards. A negative factor: the extent is inferred. There may be one factor more than the
            input has axes; it comes last and is negative. May be a node with one value per sample.
        src_dims: for each axis of the output, the axis of the input from which it takes its extent; -1: a new axis with
            the extent 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: types of 64 bits without jax_enable_x64, but for integers that 32 hold.
        SourceDataError: a sample has another number of bytes, where the batch is handed out.
    """
    ...

def reshape(
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
) -> DataNode:
    """Changes the shape of samples, their layout, or both; DALI's `fn.reshape`. The order of their numbers stays the
    same.

    Args:
        data: any numbers.
        shape_input: the new shape as numbers, instead of `shape`.
        layout: layout of the output; "": none. By default that of the input, if it has the same number of axes.
        shape: shape of each sample; -1: the extent is inferred. May be a node with one value per sample.
        rel_shape: factors of the input's extents, instead of `shape`, in order or as given by `src_dims`. The products
            are rounded, halves upwards. A negative factor: the extent is inferred. There may be one factor more than the
            input has axes; it comes last and is negative. May be a node with one value per sample.
        src_dims: for each axis of the output, the axis of the input from which it takes its extent; -1: a new axis with
            the extent 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a sample has another number of numbers, where the batch is handed out.
    """
    ...

@overload
def resize(
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
    save_attrs: Literal[True],
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> list[DataNode]: ...
@overload
def resize(
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
    save_attrs: Literal[False] = False,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes every image or volume; DALI's `fn.resize`.

    Sizes are rounded to the nearest pixel, halves upwards, and are at least 1. Results of different sizes are on a
    canvas chosen for each batch from the headers of its files. A size that is a node without limits known in advance
    (draws of fn.random.uniform(range=) have them) is first copied to the host, which finds the largest of the batch;
    `max_size` avoids that. If `resize_longer`, `max_size` or `size` with mode="not_larger" limit both axes, that limit
    is the canvas of every batch, and iterators return the output as a pair: `[N, height, width, C]`, each image in the
    top left corner, and shapes, `int32[N, 3]`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        size: (height, width), for volumes (depth, height, width), or one number for all. 0: determined by the other
            extents and `mode`; a negative number mirrors. May be a node with one value per sample.
        resize_x: width, instead of `size`. 0 or not given: determined by the height. May be a node with one value per
            sample.
        resize_y: height, instead of `size`. 0 or not given: determined by the width. May be a node with one value per
            sample.
        resize_z: depth of volumes, instead of `size`. 0 or not given: determined by the other extents. Images have
            none. May be a node with one value per sample.
        resize_shorter: length of the shorter axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        resize_longer: length of the longer axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        mode: "default": resize to the given size; an axis without one is scaled like the other axis. "stretch": an axis
            without a size keeps its extent. "not_larger", "not_smaller": keep the aspect ratio, and let no axis exceed, or
            fall below, the size.
        max_size: largest (height, width) of a result, or one number for both.
        roi_start: (y, x) where the region to resize begins, in pixels. If it is beyond `roi_end`, the region is
            mirrored. May be a node with one value per sample.
        roi_end: (y, x) where the region ends. May be a node with one value per sample.
        roi_relative: whether the region is given in fractions of the image.
        subpixel_scale: when a size is rounded to whole pixels, adjust the region by the same factor, so that the scale
            stays the same.
        interp_type: filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR
            with antialiasing. May be a node with one value per sample.
        min_filter: filter of axes that shrink; not given: `interp_type`. May be a node with one value per sample.
        mag_filter: filter of axes that grow; not given: `interp_type`. May be a node with one value per sample.
        antialias: widen the filter when shrinking. It has no effect on INTERP_NN.
        dtype: type of the output; by default that of the input.
        save_attrs: also return the shape of each image before resizing, INT32 (height, width).
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        With `save_attrs` a list of two nodes: images and extents.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def resize_crop_mirror(
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
) -> DataNode:
    """Resizes every image or volume, cuts a window out of the result, and mirrors it; DALI's operator.

    Only what becomes the window is resized. The window may be larger than the result: the pixels at the edge are then
    repeated. Sizes are those of `fn.resize`, windows those of `fn.crop`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        size: (height, width), for volumes (depth, height, width), or one number for all. 0: determined by the other
            extents and `mode`; a negative number mirrors. May be a node with one value per sample.
        resize_x: width, instead of `size`. 0 or not given: determined by the height. May be a node with one value per
            sample.
        resize_y: height, instead of `size`. 0 or not given: determined by the width. May be a node with one value per
            sample.
        resize_z: depth of volumes, instead of `size`. 0 or not given: determined by the other extents. Images have
            none. May be a node with one value per sample.
        resize_shorter: length of the shorter axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        resize_longer: length of the longer axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        mode: "default": resize to the given size; an axis without one is scaled like the other axis. "stretch": an axis
            without a size keeps its extent. "not_larger", "not_smaller": keep the aspect ratio, and let no axis exceed, or
            fall below, the size.
        max_size: largest (height, width) of a result, or one number for both.
        roi_start: (y, x) where the region to resize begins, in pixels. If it is beyond `roi_end`, the region is
            mirrored. May be a node with one value per sample.
        roi_end: (y, x) where the region ends. May be a node with one value per sample.
        roi_relative: whether the region is given in fractions of the image.
        subpixel_scale: when a size is rounded to whole pixels, adjust the region by the same factor, so that the scale
            stays the same.
        crop: (height, width) of the window, or one number for both; for volumes (depth, height, width) and for
            sequences (frames, height, width), otherwise they keep their depth or frames. Fractions are cut off. A number
            below 1 selects the whole axis. May be a node with one value per sample.
        crop_h: height of the window; together with `crop_w`, instead of `crop`; 0: that of the image. May be a node
            with one value per sample.
        crop_w: width of the window; 0: that of the image. May be a node with one value per sample.
        crop_pos_x: horizontal position of the window in the free space, 0 (left) to 1 (right). May be a node with one
            value per sample.
        crop_pos_y: vertical position of the window in the free space, 0 (top) to 1 (bottom). May be a node with one
            value per sample.
        rounding: how the corner of the window is rounded; `round` rounds halves away from zero.
        crop_d: depth of the window of volumes, or its number of frames of sequences, together with `crop_h` and
            `crop_w`; images have none. May be a node with one value per sample.
        crop_pos_z: position of the window in the free space along the depth or the frames, 0 to 1. May be a node with
            one value per sample.
        mirror: the sum of 1 (left to right), 2 (top to bottom) and 4 (volumes front to back). May be a node with one
            value per sample.
        interp_type: filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR
            with antialiasing. May be a node with one value per sample.
        min_filter: filter of axes that shrink; not given: `interp_type`. May be a node with one value per sample.
        mag_filter: filter of axes that grow; not given: `interp_type`. May be a node with one value per sample.
        antialias: widen the filter when shrinking. It has no effect on INTERP_NN.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def roi_random_crop(
    data: DataNode | None = None,
    *,
    crop_shape: int | Sequence[int] | DataNode,
    roi_start: int | Sequence[int] | DataNode,
    roi_end: int | Sequence[int] | DataNode | None = ...,
    roi_shape: int | Sequence[int] | DataNode | None = ...,
    in_shape: int | Sequence[int] | DataNode | None = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws where a window begins that contains a region, or lies within a larger one; DALI's operator.

    The result is INT64 [axes].

    Args:
        data: data that windows must not leave; only their shape counts.
        crop_shape: extents of the window. May be a node with one value per sample.
        roi_start: where the region begins. May be a node with one value per sample.
        roi_end: where the region ends. May be a node with one value per sample.
        roi_shape: extents of the region, instead of `roi_end`. May be a node with one value per sample.
        in_shape: shape that windows must not leave, instead of the input. Without either, windows may be anywhere. May
            be a node with one value per sample.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a region or a window does not fit into the input, where the batch is handed out.
    """
    ...

def rotate(
    data: DataNode,
    *,
    angle: float | np.ndarray | DataNode,
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
) -> DataNode:
    """Rotates images around their centre, and volumes around an axis through their centre; DALI's `fn.rotate`.

    Without `size` and `keep_size`, each result is as large as the rotated image requires, so results with different
    angles differ in size. Their extents are odd where those of the input are, so that a pixel in the centre stays in
    the centre. All frames of a sequence get the same extents, which are large enough for each of them. See
    `jaxdali.image.rotate` and `rotate_volumes`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        angle: angle in degrees, counter-clockwise. May be a node with one value per sample.
        fill_value: level outside of the images; by default the level of the nearest pixel.
        interp_type: INTERP_LINEAR or INTERP_NN.
        size: (height, width) of the output, for volumes (depth, height, width), rounded to whole pixels. The fraction
            of a node's numbers is cut off. May be a node with one value per sample.
        dtype: type of the output; by default that of the input.
        axis: axis (x, y, z) around which volumes are rotated; images are rotated in their plane. May be a node with one
            value per sample.
        keep_size: keep the size of the input; by default the output is large enough to hold the whole rotated image.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def saturation(
    data: DataNode,
    *,
    saturation: float | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Scales the saturation of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Args:
        data: any numbers. Without a layout they are taken for "HWC" or "FHWC", by their number of axes.
        saturation: factor of the saturation. May be a node with one value per sample.
        dtype: that of the output; by default the input's.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def sequence_rearrange(
    input: DataNode,
    *,
    new_order: int | Sequence[int] | DataNode,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Rearranges the frames of each sequence; DALI's operator.

    Args:
        input: sequences; their layout, if they have one, begins with "F".
        new_order: for each returned frame its index in the sequence; an index may occur more than once, and others not
            at all. The samples of a node may differ in length. May be a node with one value per sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a sequence has no such frame, or none would be left, where the batch is handed out.
    """
    ...

def slice(
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
) -> DataNode:
    """Cuts a window out of every sample; DALI's `fn.slice`. An edge that is not given is that of the sample.

    Positions are rounded half away from zero. A padded sample is as large as its window. If the window's size is a node
    without limits known in advance, its numbers are copied to the host first.

    Args:
        data: any numbers.
        anchor: where each window begins, one number for each of `axes`.
        shape_input: size of each window, one number for each of `axes`.
        start: where the window begins, one number for each of the axes, or one for all. May be a node with one value
            per sample.
        rel_start: where the window begins, in fractions of the sample's extents. May be a node with one value per
            sample.
        end: where the window ends. May be a node with one value per sample.
        rel_end: where the window ends, in fractions of the sample's extents. May be a node with one value per sample.
        shape: size of the window. May be a node with one value per sample.
        rel_shape: size of the window, in fractions of the sample's extents. May be a node with one value per sample.
        axes: axes that the numbers refer to; negative ones count from the last axis. `[]`: all axes. May be a node with
            one value per sample.
        axis_names: names of these axes in the layout. If neither is given: "WH".
        normalized_anchor: whether floats in the input `anchor` are fractions of the sample.
        normalized_shape: whether floats in the input `shape_input` are fractions of the sample.
        out_of_bounds_policy: what happens if a window exceeds its sample. "error": a SourceDataError when the batch is
            handed out; "pad" or "constant": the outside is filled with `fill_values`; "trim_to_shape": the window is cut to
            the sample.
        fill_values: value outside of a sample: one number, or one per channel. For integer types, fractions are cut off
            and numbers wrap around.
        dtype: type of the output; by default that of the input. For integer types, fractions are cut off.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def spectrogram(
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
) -> DataNode:
    """Computes the spectra of a signal's windows; DALI's `fn.spectrogram`.

    Args:
        data: signals, FLOAT [samples].
        window_length: samples per window.
        window_step: samples from one window to the next.
        nfft: length of the transform, with the window in its middle; by default `window_length`.
        window_fn: weights of a window's samples; by default those of a Hann window.
        power: 2: squares of the amplitudes; 1: the amplitudes.
        center_windows: centre the first window on sample 0; False: it begins there.
        reflect_padding: mirror the signal at its ends; False: it is 0 beyond them.
        layout: that of the output: rows are frequencies or times.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node: spectra, `float32[nfft // 2 + 1, windows]`, or with `layout`="tf" turned.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a signal is empty, or shorter than a window where windows are not centered.
    """
    ...

def sphere(
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
) -> DataNode:
    """Shows images as they look through a glass ball; DALI's `fn.sphere`. See `jaxdali.image.sphere`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC", by their number of axes.
        mask: 0 leaves the image as it is. May be a node with one value per sample.
        fill_value: level outside of the images, converted to their type as in C.
        interp_type: INTERP_NN or INTERP_LINEAR.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def squeeze(
    data: DataNode,
    *,
    axes: int | Sequence[int] | None = ...,
    axis_names: str | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Removes axes with the extent 1, or any axes of samples that have no numbers with or without them; DALI's
    `fn.squeeze`.

    Args:
        data: any numbers; without the removed axes, samples have as many of them.
        axes: axes to remove, counted from 0.
        axis_names: names of these axes in the layout, instead of `axes`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: numbers would be removed with an axis, where the batch is handed out.
    """
    ...

def ssd_random_crop(
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
) -> list[DataNode]:
    """Draws a window of each image that keeps enough of its boxes, and cuts it; DALI's operator, which is deprecated there.

    `fn.random_bbox_crop` draws windows by rules of your own, and `fn.slice` cuts them: they decode no more than the window.

    Args:
        images: images, layout "HWC".
        boxes: boxes as fractions of their image, FLOAT [number, 4]: left, top, right, bottom.
        labels: label of each box, integers [number] or [number, 1].
        num_attempts: windows to draw before another overlap, or none, is tried.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Returns:
        The windows of the images, the boxes in them, and their labels.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a box leaves its image, where the batch is handed out.
    """
    ...

def stack(
    *inputs: DataNode,
    axis: int = ...,
    axis_name: str | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Stacks the samples of its inputs, which have the same shape, along a new axis; DALI's `fn.stack`.

    Args:
        inputs: nodes to join, of the same type and number of dimensions.
        axis: position of the new axis in the output; negative numbers count from its last axis.
        axis_name: name of the new axis in the layout; if it is not given, the output has no layout.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: samples differ in shape, where the batch is handed out.
    """
    ...

def tensor_resize(
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
) -> DataNode:
    """Resizes arrays along any of their axes; DALI's `fn.tensor_resize`, with any number of axes.

    Samples with drawn extents are stored on a canvas. In most modes the sizes determine how large it is; otherwise
    `max_size` must.

    Args:
        data: any numbers.
        sizes: extents of the output, one for each of the axes, or one for all. 0: determined by the other extents and
            `mode`; a negative number mirrors. The numbers of a node must be above 0. May be a node with one value per
            sample.
        scales: scale factors, instead of `sizes`: the extents as fractions of those of the whole sample. May be a node
            with one value per sample.
        axes: axes that all of these arguments refer to; negative numbers count from the last axis. By default all axes.
            `[]`: none, and samples stay as they are.
        axis_names: names of these axes in the layout, instead of `axes`.
        mode: "default": resize to the given sizes; axes without one are scaled by the geometric mean of the other
            scales, in which each axis that is not selected counts as 1. "stretch": axes without a size keep their extents.
            "not_larger", "not_smaller": scale all axes, including those that are not selected, by one factor, so that none
            exceeds, or falls below, its size.
        max_size: largest extents of a result, one for each of the axes, or one for all.
        roi_start: where the region to resize begins. If it is beyond `roi_end`, the region is mirrored. May be a node
            with one value per sample.
        roi_end: where the region ends. May be a node with one value per sample.
        roi_relative: whether the region is given in fractions of the extents.
        size_rounding: how extents are rounded to whole numbers; "round" rounds halves upwards.
        alignment: the point of the region that stays fixed when extents are rounded, from 0 (its start) to 1 (its end);
            one for each of the axes, or one for all. May be a node with one value per sample.
        subpixel_scale: when extents are rounded, adjust the region by the same factor, so that the scale stays the
            same.
        interp_type: filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR
            with antialiasing. May be a node with one value per sample.
        min_filter: filter of axes that shrink; not given: `interp_type`. May be a node with one value per sample.
        mag_filter: filter of axes that grow; not given: `interp_type`. May be a node with one value per sample.
        antialias: widen the filter when shrinking. It has no effect on INTERP_NN.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def to_decibels(
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
) -> DataNode:
    """Converts magnitudes to decibels; DALI's `fn.to_decibels`.

    `out = multiplier * log10(data / reference)`, but at least `cutoff_db`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        multiplier: factor of the logarithm: 10 for powers, 20 for amplitudes.
        reference: the value of 0 dB; 0: the largest number of each sample.
        cutoff_db: the smallest result.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def transpose(
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
) -> DataNode:
    """Reorders the axes of samples; DALI's `fn.transpose`.

    Args:
        data: any numbers.
        perm: axis i of the output is axis `perm[i]` of the input. By default the order of the axes is reversed.
        transpose_layout: reorder the layout, too; False: it stays the same.
        output_layout: layout of the output, instead of the reordered one.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def warp_affine(
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
) -> DataNode:
    """Moves pixels by an affine map; DALI's `fn.warp_affine`.

    Output pixel `(x, y)` is the value of the input at `matrix @ (x + 0.5, y + 0.5, 1)`; for volumes it is `(x, y, z)`.
    `fn.transforms` makes such maps. See `jaxdali.image.warp_affine`, which also explains where DALI's positions differ.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        maps: affine maps, `[2, 3]`, for volumes `[3, 4]`, instead of `matrix`.
        matrix: affine map: two rows of three numbers, for volumes three rows of four. May be a node with one value per
            sample.
        fill_value: level outside of the images; by default the level of the nearest pixel.
        interp_type: INTERP_LINEAR or INTERP_NN.
        size: (height, width) of the output, for volumes (depth, height, width), rounded to whole pixels. The fraction
            of a node's numbers is cut off. May be a node with one value per sample.
        dtype: type of the output; by default that of the input.
        inverse_map: the map leads from the output to the input; False: from the input to the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def water(
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
) -> DataNode:
    """Shows images as they look under water; DALI's `fn.water`. See `jaxdali.image.water`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC", by their number of axes.
        mask: 0 leaves the image as it is. May be a node with one value per sample.
        ampl_x: amplitude of the wave along x, in pixels.
        ampl_y: amplitude of the wave along y, in pixels.
        freq_x: frequency of the wave along x, in radians per row.
        freq_y: frequency of the wave along y, in radians per column.
        phase_x: phase of the wave along x, in radians.
        phase_y: phase of the wave along y, in radians.
        fill_value: level outside of the images, converted to their type as in C.
        interp_type: INTERP_NN or INTERP_LINEAR.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def zeros(
    *,
    shape: int | Sequence[int] | DataNode | None = ...,
    layout: str | None = ...,
    dtype: DALIDataType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Creates arrays of zeros; DALI's `fn.zeros`.

    Args:
        shape: shape of a sample; by default a scalar. May be a node with one value per sample.
        layout: layout of the output.
        dtype: type of the output.
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def zeros_like(
    data_like: DataNode,
    *,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Creates arrays of zeros with the shapes of another node's samples; DALI's `fn.zeros_like`.

    Args:
        data_like: node whose samples give the shapes, type and layout of the output; its numbers are ignored.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def fast_resize_crop_mirror(
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
) -> DataNode:
    """Resizes every image or volume, cuts a window out of the result, and mirrors it; DALI's operator.

    Only what becomes the window is resized. The window may be larger than the result: the pixels at the edge are then
    repeated. Sizes are those of `fn.resize`, windows those of `fn.crop`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC" or "FDHWC", by their number of axes.
        size: (height, width), for volumes (depth, height, width), or one number for all. 0: determined by the other
            extents and `mode`; a negative number mirrors. May be a node with one value per sample.
        resize_x: width, instead of `size`. 0 or not given: determined by the height. May be a node with one value per
            sample.
        resize_y: height, instead of `size`. 0 or not given: determined by the width. May be a node with one value per
            sample.
        resize_z: depth of volumes, instead of `size`. 0 or not given: determined by the other extents. Images have
            none. May be a node with one value per sample.
        resize_shorter: length of the shorter axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        resize_longer: length of the longer axis, instead of `size`; the aspect ratio is kept. May be a node with one
            value per sample.
        mode: "default": resize to the given size; an axis without one is scaled like the other axis. "stretch": an axis
            without a size keeps its extent. "not_larger", "not_smaller": keep the aspect ratio, and let no axis exceed, or
            fall below, the size.
        max_size: largest (height, width) of a result, or one number for both.
        roi_start: (y, x) where the region to resize begins, in pixels. If it is beyond `roi_end`, the region is
            mirrored. May be a node with one value per sample.
        roi_end: (y, x) where the region ends. May be a node with one value per sample.
        roi_relative: whether the region is given in fractions of the image.
        subpixel_scale: when a size is rounded to whole pixels, adjust the region by the same factor, so that the scale
            stays the same.
        crop: (height, width) of the window, or one number for both; for volumes (depth, height, width) and for
            sequences (frames, height, width), otherwise they keep their depth or frames. Fractions are cut off. A number
            below 1 selects the whole axis. May be a node with one value per sample.
        crop_h: height of the window; together with `crop_w`, instead of `crop`; 0: that of the image. May be a node
            with one value per sample.
        crop_w: width of the window; 0: that of the image. May be a node with one value per sample.
        crop_pos_x: horizontal position of the window in the free space, 0 (left) to 1 (right). May be a node with one
            value per sample.
        crop_pos_y: vertical position of the window in the free space, 0 (top) to 1 (bottom). May be a node with one
            value per sample.
        rounding: how the corner of the window is rounded; `round` rounds halves away from zero.
        crop_d: depth of the window of volumes, or its number of frames of sequences, together with `crop_h` and
            `crop_w`; images have none. May be a node with one value per sample.
        crop_pos_z: position of the window in the free space along the depth or the frames, 0 to 1. May be a node with
            one value per sample.
        mirror: the sum of 1 (left to right), 2 (top to bottom) and 4 (volumes front to back). May be a node with one
            value per sample.
        interp_type: filter to use if neither `min_filter` nor `mag_filter` is given. INTERP_TRIANGULAR is INTERP_LINEAR
            with antialiasing. May be a node with one value per sample.
        min_filter: filter of axes that shrink; not given: `interp_type`. May be a node with one value per sample.
        mag_filter: filter of axes that grow; not given: `interp_type`. May be a node with one value per sample.
        antialias: widen the filter when shrinking. It has no effect on INTERP_NN.
        dtype: type of the output; by default that of the input.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def shapes(
    data: DataNode,
    *,
    dtype: DALIDataType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Returns the shape of each sample, `[ndim]`.

    Args:
        data: any numbers.
        dtype: type of the output.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        type: deprecated: is the old name of dtype=; use that.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

audio_decoder = decoders.audio
caffe2_reader = readers.caffe2
caffe_reader = readers.caffe
coco_reader = readers.coco
coin_flip = random.coin_flip
file_reader = readers.file
image_decoder = decoders.image
image_decoder_crop = decoders.image_crop
image_decoder_random_crop = decoders.image_random_crop
image_decoder_slice = decoders.image_slice
mxnet_reader = readers.mxnet
nemo_asr_reader = readers.nemo_asr
normal_distribution = random.normal
numpy_reader = readers.numpy
sequence_reader = readers.sequence
transform_translation = transforms.translation
tfrecord_reader = readers.tfrecord
uniform = random.uniform
video_reader = readers.video
video_reader_resize = readers.video_resize
