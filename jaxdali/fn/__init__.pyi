from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np

from ..graph.call import DataNode
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
    """Signals at another rate, by a sinc in a Hann window; DALI's `fn.audio_resample`.

    How long a signal becomes may depend on data, so it is computed on the host, between two programs of the device: every
    batch comes to the host there. Rates that are known beforehand belong in `fn.decoders.audio(sample_rate=)`, whose workers
    do it.

    Args:
        data: signals, `[samples]` or `[samples, channels]`: FLOAT, or integers of up to 32 bits.
        dtype: of the output, integers of up to 32 bits or FLOAT; by default the input's. What is 1 of FLOAT is the
            largest number of an integer, and -1 the smallest of one without sign.
        in_rate: of the input, in any unit; goes with `out_rate`. May be a node, with a value a sample.
        out_rate: of the output, in the same unit. May be a node, with a value a sample.
        scale: the ratio of the rates, in place of them. May be a node, with a value a sample.
        out_length: samples of the output, in place of a rate. May be a node, with a value a sample.
        quality: of another rate: 0 is a sinc of 3 lobes to either side, 50 of 16, 100 of 64.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Draws an order of the batch's samples, of each the index of one, for `fn.permute_batch`; DALI's operator.

    Args:
        allow_repetitions: a sample may come twice, and others not at all.
        no_fixed_points: no sample keeps its place, unless it is the only one.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bb_flip(
    boxes: DataNode,
    *,
    horizontal: float | Sequence[float] | np.ndarray | DataNode = ...,
    vertical: float | Sequence[float] | np.ndarray | DataNode = ...,
    ltrb: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The boxes of images that are mirrored; DALI's `fn.bb_flip`.

    Args:
        boxes: boxes in fractions of their image, FLOAT [number, 4], or [4].
        horizontal: mirrored left to right where it is not 0. May be a node, with a value a sample.
        vertical: mirrored top to bottom where it is not 0. May be a node, with a value a sample.
        ltrb: boxes are left, top, right, bottom; else x, y, width, height.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bbox_paste(
    boxes: DataNode,
    *,
    ratio: float | Sequence[float] | np.ndarray | DataNode,
    paste_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    paste_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    ltrb: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The boxes of images that are pasted on a larger canvas; DALI's `fn.bbox_paste`.

    Args:
        boxes: boxes in fractions of their image, FLOAT [number, 4], or [4].
        ratio: extents of the canvas by those of the image, at least 1. May be a node, with a value a sample.
        paste_x: where the image is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        paste_y: likewise from top to bottom. May be a node, with a value a sample.
        ltrb: boxes are left, top, right, bottom; else x, y, width, height.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def bbox_rotate(
    bboxes: DataNode,
    labels: DataNode | None = None,
    *,
    angle: float | Sequence[float] | np.ndarray | DataNode,
    input_shape: Sequence[int] | DataNode,
    shape_layout: str = ...,
    bbox_layout: Literal["xyXY", "xyWH"] = ...,
    bbox_normalized: bool = ...,
    keep_size: bool = ...,
    size: float | Sequence[float] | None = ...,
    mode: Literal["expand", "fixed", "halfway"] = ...,
    remove_threshold: float = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> list[DataNode]:
    """The boxes of images that `fn.rotate` rotates; DALI's operator. See `jaxdali.boxes.rotate_boxes`.

    Args:
        bboxes: boxes, FLOAT [number, 4].
        labels: one of each box, integers [number] or [number, 1].
        angle: of the image, in degrees, counter-clockwise. May be a node, with a value a sample.
        input_shape: of the image before it is rotated. May be a node, with a value a sample.
        shape_layout: what the numbers of `input_shape` are.
        bbox_layout: left, top, right, bottom; or left, top, width, height.
        bbox_normalized: boxes are in fractions of their image; else in pixels.
        keep_size: as of `fn.rotate`.
        size: (height, width) as of `fn.rotate`; fractions are cut off.
        mode: "expand": boxes hold all of what was in them; "fixed": they keep their height and width, which a quarter
            turn changes for each other; "halfway": the mean.
        remove_threshold: boxes are left out of which a smaller part is in the rotated image.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        The boxes, in a list; and their labels, if there are any.

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
        boxes: boxes in fractions of their image, FLOAT [number, 4]: left, top, right, bottom.
        labels: of the boxes, integers [number], or [number, 1].
        anchors: left, top, right and bottom of each, one behind the other.
        criteria: more than this an anchor overlaps the box that it is given.
        offset: boxes are told by how they differ from their anchors.
        means: of x, y, width and height, which are subtracted, with `offset`.
        stds: what is divided by then, likewise.
        scale: what boxes and anchors are multiplied with before, with `offset`.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        Of each anchor the middle (x, y), width and height of its box, FLOAT [anchors, 4]; and its label, [anchors].

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def brightness(
    data: DataNode,
    *,
    brightness: float | Sequence[float] | np.ndarray | DataNode = ...,
    brightness_shift: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """`out = brightness_shift * R + brightness * in`, as `fn.brightness_contrast`; DALI's operator of the same name.

    Args:
        data: any numbers.
        brightness: factor of the result. May be a node, with a value a sample.
        brightness_shift: added to the result, in units of the output's range. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def brightness_contrast(
    data: DataNode,
    *,
    brightness: float | Sequence[float] | np.ndarray | DataNode = ...,
    brightness_shift: float | Sequence[float] | np.ndarray | DataNode = ...,
    contrast: float | Sequence[float] | np.ndarray | DataNode = ...,
    contrast_center: float | Sequence[float] | np.ndarray | DataNode | None = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """`out = brightness_shift * R + brightness * (c + contrast * (in - c))`; DALI's operator of the same name.

    `R` is the largest value of an integer output type, 1 for a float one; `c` is `contrast_center`, by default half of
    the input's range (128 for uint8). Integers are rounded half away from zero and saturated. See
    `jaxdali.image.brightness_contrast`.

    Args:
        data: any numbers.
        brightness: factor of the result. May be a node, with a value a sample.
        brightness_shift: added to the result, in units of the output's range. May be a node, with a value a sample.
        contrast: factor of the distance from `contrast_center`. May be a node, with a value a sample.
        contrast_center: what contrast leaves alone; not given: half of the input's range. May be a node, with a value a
            sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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

    Floats become integers by rounding, halves away from zero, and saturating; NaN becomes 0. Integers saturate. What rounds
    to 0 is False, all else True. See `jaxdali.image.round_to_dtype`.

    Args:
        data: any numbers.
        dtype: of the output. Without jax_enable_x64 INT64 and UINT64 are computed with in 32 bits, and a number that
            does not fit is an error: `Pipeline.run` gives INT64, iterators the int32 that JAX has then.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Converts the first input to the type of the second one; DALI's `fn.cast_like`. Numbers are rounded as by `fn.cast`.

    Args:
        data: any numbers.
        like: whose type they are given.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Joins the samples of its inputs along an axis; DALI's `fn.cat`.

    Args:
        inputs: what is joined, of one type and number of dimensions.
        axis: along which they are one behind the other; below 0 counted from the last one.
        axis_name: the same by its letter in the layout.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Makes the levels of each tile of images of UINT8 equally frequent, as OpenCV's CLAHE; DALI's operator.

    Images are gray, or red, green and blue. See `jaxdali.image.clahe`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        tiles_x: how many tiles there are from left to right.
        tiles_y: and from top to bottom.
        clip_limit: of a tile's levels none counts more often than so many times the mean frequency; 0 or less: no
            limit.
        luma_only: of three channels the lightness is changed; else each channel by itself.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        bins: without effect: there is one for each of 256 levels, as in DALI whatever is given.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Converts images of UINT8, channels last, from one colour space to another; DALI's operator.

    YCbCr has luma from 16 to 235 and differences of colours from 16 to 240, as in DALI. See
    `jaxdali.image.convert_color_space`.

    Args:
        data: any numbers.
        image_type: colour space of the input.
        output_type: colour space of the output.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def color_twist(
    data: DataNode,
    *,
    brightness: float | Sequence[float] | np.ndarray | DataNode = ...,
    contrast: float | Sequence[float] | np.ndarray | DataNode = ...,
    hue: float | Sequence[float] | np.ndarray | DataNode = ...,
    saturation: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Changes hue, saturation, contrast and brightness of images of three channels, the last axis; DALI's operator.

    `out = brightness * (c + contrast * (M @ in - c))`: `M` turns hues and scales saturation as `fn.hsv` does, `c` is 128 for
    integers and 0.5 for floats. See `jaxdali.image.color_twist`.

    Args:
        data: any numbers.
        brightness: factor of the result. May be a node, with a value a sample.
        contrast: factor of the distance from 128, of floats from 0.5. May be a node, with a value a sample.
        hue: by how much hues turn, in degrees. May be a node, with a value a sample.
        saturation: factor of the saturation. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The same numbers for every sample; DALI's `fn.constant`. `types.Constant` is another way to write it.

    Args:
        fdata: the numbers, as FLOAT.
        idata: in place of `fdata` integers, as INT32.
        shape: which one number fills; not given: a vector of the numbers.
        dtype: another type. Halves are rounded away from zero, and what is too much saturates.
        layout: of the value.
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def contrast(
    data: DataNode,
    *,
    contrast: float | Sequence[float] | np.ndarray | DataNode = ...,
    contrast_center: float | Sequence[float] | np.ndarray | DataNode | None = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """`out = c + contrast * (in - c)`, as `fn.brightness_contrast`; DALI's operator of the same name.

    Args:
        data: any numbers.
        contrast: factor of the distance from `contrast_center`. May be a node, with a value a sample.
        contrast_center: what contrast leaves alone; not given: half of the input's range. May be a node, with a value a
            sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def coord_flip(
    points: DataNode,
    *,
    layout: str = ...,
    flip_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    flip_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    flip_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    center_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    center_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    center_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Mirrors the coordinates of points; DALI's `fn.coord_flip`.

    Args:
        points: points, FLOAT [number, 1 to 3].
        layout: order of coordinates, as many letters as there are or more; not given: "xyz".
        flip_x: x is mirrored where it is not 0. May be a node, with a value a sample.
        flip_y: y is mirrored where it is not 0. May be a node, with a value a sample.
        flip_z: z is mirrored where it is not 0. May be a node, with a value a sample.
        center_x: where x is mirrored. May be a node, with a value a sample.
        center_y: where y is mirrored. May be a node, with a value a sample.
        center_z: where z is mirrored. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Moves points, whose coordinates are the last axis: `out = M @ in + T`; DALI's operator.

    See `jaxdali.image.affine.transformed`.

    Args:
        data: any numbers.
        M: matrix `[m, n]`, or a number, a factor of all of them. May be a node, with a value a sample.
        T: what is added behind it, `[m]`, or a number for all. May be a node, with a value a sample.
        MT: both in one, `[m, n + 1]`; a number is as one of `M`. May be a node, with a value a sample.
        dtype: of the output.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The input; DALI's `fn.copy`. Arrays do not change, so nothing is copied.

    Args:
        data: any numbers.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def crop(
    data: DataNode,
    *,
    crop: float | Sequence[float] | DataNode | None = ...,
    crop_h: float | DataNode = ...,
    crop_w: float | DataNode = ...,
    crop_pos_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    crop_pos_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    rounding: Literal["round", "truncate"] = ...,
    crop_d: float | DataNode = ...,
    crop_pos_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    out_of_bounds_policy: Literal["error", "pad", "constant", "trim_to_shape"] = ...,
    fill_values: float | Sequence[float] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Cuts a window out of every image or volume; DALI's `fn.crop`. Where its size is a node, results differ in size.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        crop: (height, width) of the window, or one number for both; of volumes (depth, height, width), else they keep
            their depth; fractions are cut off. A number of a node that is below 1 stands for all of its axis. May be a
            node, with a value a sample.
        crop_h: height of the window, with `crop_w` in place of `crop`. May be a node, with a value a sample.
        crop_w: width of the window. May be a node, with a value a sample.
        crop_pos_x: where the window is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        crop_pos_y: likewise from top to bottom. May be a node, with a value a sample.
        rounding: of the window's corner; `round` is half away from zero.
        crop_d: depth of the window of volumes, beside `crop_h` and `crop_w`; images have none. May be a node, with a
            value a sample.
        crop_pos_z: where the window is in what is left over of the depth, 0 to 1. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        out_of_bounds_policy: what becomes of a window that is larger than its image. "error": a SourceDataError where
            the batch is handed out; "pad" or "constant": what is outside is `fill_values`; "trim_to_shape": it is cut to
            the image, so that sizes differ.
        fill_values: what is outside of an image: a number, or one a channel.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def crop_mirror_normalize(
    data: DataNode,
    *,
    crop: float | Sequence[float] | DataNode | None = ...,
    crop_h: float | DataNode = ...,
    crop_w: float | DataNode = ...,
    crop_pos_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    crop_pos_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    rounding: Literal["round", "truncate"] = ...,
    crop_d: float | DataNode = ...,
    crop_pos_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    mirror: float | Sequence[float] | np.ndarray | DataNode = ...,
    mean: float | Sequence[float] | np.ndarray | DataNode = ...,
    std: float | Sequence[float] | np.ndarray | DataNode = ...,
    scale: float = ...,
    shift: float = ...,
    dtype: DALIDataType = ...,
    output_layout: Literal["CHW", "HWC", "FCHW", "FHWC", "CDHW", "DHWC", "FCDHW", "FDHWC"] = ...,
    pad_output: bool = ...,
    out_of_bounds_policy: Literal["error", "pad", "constant", "trim_to_shape"] = ...,
    fill_values: float | Sequence[float] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Without a window nothing is cut off. `fill_values` are numbers of the output: they are not normalised.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        crop: (height, width) of the window, or one number for both; of volumes (depth, height, width), else they keep
            their depth; fractions are cut off. A number of a node that is below 1 stands for all of its axis. May be a
            node, with a value a sample.
        crop_h: height of the window, with `crop_w` in place of `crop`. May be a node, with a value a sample.
        crop_w: width of the window. May be a node, with a value a sample.
        crop_pos_x: where the window is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        crop_pos_y: likewise from top to bottom. May be a node, with a value a sample.
        rounding: of the window's corner; `round` is half away from zero.
        crop_d: depth of the window of volumes, beside `crop_h` and `crop_w`; images have none. May be a node, with a
            value a sample.
        crop_pos_z: where the window is in what is left over of the depth, 0 to 1. May be a node, with a value a sample.
        mirror: mirrors left to right where it is not 0. May be a node, with a value a sample.
        mean: a number, or one a channel. May be a node, with a value a sample.
        std: a number, or one a channel. May be a node, with a value a sample.
        scale: factor behind `std`.
        shift: added at last.
        dtype: of the output; integers are rounded half away from zero and saturated.
        output_layout: of the output; of sequences and volumes a letter for each of their axes, such as FCHW. In another
            order of the same axes, such as CFHW, they are transposed behind.
        pad_output: adds channels until their number is a power of two: the last of `fill_values` with padded windows,
            else 0.
        out_of_bounds_policy: what becomes of a window that is larger than its image. "error": a SourceDataError where
            the batch is handed out; "pad" or "constant": what is outside is `fill_values`; "trim_to_shape": it is cut to
            the image, so that sizes differ.
        fill_values: what is outside of an image: a number, or one a channel.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Makes images of mosaics, as OpenCV does; DALI's `fn.debayer`, on all devices with what it has on CPUs.

    DALI's on GPUs has NPP's algorithm alone, whose green is another one.

    Args:
        data: mosaics of UINT8 or UINT16, layout "HW" or "HWC" with one channel; of sequences each.
        blue_position: (row, column) of blue in each square of 2 x 2 pixels, of which the first one begins in the second
            row and column: (0, 0) is BGGR, (0, 1) GBRG, (1, 0) GRBG, (1, 1) RGGB. Of sequences also one a frame,
            `fn.per_frame`. May be a node, with a value a sample.
        algorithm: "bilinear_ocv": the mean of the nearest pixels of a colour; "edgeaware_ocv": green along the smaller
            difference; "vng_ocv": along small gradients, of UINT8 only; "gray_ocv": the luma of the first, one channel.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Elements of sequences, each as an output; DALI's `fn.element_extract`.

    Args:
        input: sequences, whose layout, if they have one, begins with "F".
        element_map: which elements, along the first axis, from 0 on.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Makes the levels of each channel of images of UINT8 equally frequent, as OpenCV's equalizeHist; DALI's operator.

    A channel of one level alone stays as it is. See `jaxdali.image.levels.change_levels`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Fills parts of each sample with `fill_value`; DALI's operator.

    A part is from the whole number of pixels in `anchor` to that in `anchor + shape`; what is outside of the sample is
    left out. Fractions of a fill are cut off for integers.

    Args:
        data: any numbers.
        anchor: where each part begins, a number for each axis, part behind part. May be a node, with a value a sample.
        shape: how large each part is, likewise. May be a node, with a value a sample.
        fill_value: what is there then, a number or one a channel. May be a node, with a value a sample.
        axes: what the numbers are for.
        axis_names: likewise by the names of the layout.
        normalized: `anchor` and `shape` are fractions of each sample.
        normalized_anchor: `anchor` is.
        normalized_shape: `shape` is.
        centered_anchor: `anchor` is the middle of a part.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Adds axes of extent 1; DALI's `fn.expand_dims`.

    Args:
        data: any numbers.
        axes: where the new axes are in the output.
        new_axis_names: their letters in its layout; not given: it has no layout.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Data from Python; DALI's `fn.external_source`.

    A sample is a NumPy array (or torch, jax, DLPack on the CPU); a batch is an array `[n, ...]`, a list of samples, or a
    TensorList of another pipeline, of at most `batch_size` samples. A callable should depend on nothing but its argument,
    and draw random numbers from its `rng`: with `parallel=True` it is copied to worker processes, and asked for samples past
    the end. Iterables and generator functions are begun where they run, when their first data are asked for. In sample mode
    an incomplete batch at the end is dropped, unless the source is an object with `__len__`: that is the number of samples
    of an epoch.

    device="gpu": samples appear on the GPU. Whole batches (not `parallel`) may be there already: arrays of CuPy or torch,
    `jax.Array`s, TensorLists of another pipeline, or anything with `__dlpack__` or `__cuda_array_interface__`, and never
    pass through the host. They have at least one sample.

    Two pipelines may have the same node. Each is fed by itself, and asks a function of the index by itself; a function
    without arguments is called by both, and an iterator belongs to one of them.

    Args:
        source: None: whole batches are fed, see `Pipeline.feed_input`. Else what gives samples (`batch=False`) or whole
            batches (`batch=True`), the first of these that it is: a generator function without parameters, or an object
            whose `__call__` is one: iterated; an iterable, also a generator or another iterator: `next` is called once a
            batch, or once a sample; a callable whose parameters are exactly `worker_id` and `num_workers`, that returns an
            iterable: with `parallel=True` each worker iterates its own (from 0, of `py_num_workers`), else there is one, of
            (0, 1); a callable. In sample mode it takes a `types.SampleInfo`, or nothing; in batch mode the index of the
            iteration (or a `types.BatchInfo`, see `batch_info`), or nothing. It raises StopIteration when the data end.
        num_outputs: None: the source gives one array, and one node is returned; n (also 1): it gives a tuple or list of
            at least n, and a list of n nodes is returned.
        cycle: for what is iterated, what happens at its end: "no" (False, None): StopIteration, and the next epoch asks
            the same iterator, which may have rewound itself; "quiet" (True): it is begun again, and the data never end;
            "raise": StopIteration, and the next epoch begins it again.
        layout: of the samples; one for all outputs, or one each, and a shorter list leaves the rest open. What is given
            is checked.
        dtype: of the samples, likewise.
        ndim: of the samples, likewise.
        batch: True: the source gives whole batches; False: samples. Not given: samples with `parallel=True`, else
            batches.
        batch_info: True: a callable in batch mode that takes an argument gets a `types.BatchInfo`. Without effect on
            others.
        repeat_last: only for data that are fed: the last batch is given again where there is no newer one. True
            together with a source is refused.
        blocking: whether `run` waits for data that are to be fed, by another thread; else it is an error where there
            are none. With a source it always waits.
        parallel: run the source in the pipeline's worker processes (`py_num_workers`). In sample mode it must be a
            callable of one argument. In batch mode it may also be iterated, by one worker, or by each if it is a factory.
        no_copy: of data that are fed, and of batches with device="gpu": True: they are read when a run needs them, and
            must not change before; else they are copied at once. What another source returns is copied into a slot, with
            parallel=True by its process; True changes nothing there, and False is refused with parallel=True, as by DALI.
        prefetch_queue_depth: parallel only: batches that workers prepare beyond those of the pipeline; 1 by default.
        bytes_per_sample_hint: expected size of a sample: one number for all outputs together, or a list with one each;
            slots start that large and need not grow. `Pipeline.executor_statistics` tells it. 0 says nothing, then
            `bytes_per_sample` of the pipeline counts. Batches with device="gpu" are in no slot, so there is none to size.
        cuda_stream: with device="gpu", for batches in GPU memory, see `Pipeline.feed_input`. Without effect on others,
            as in DALI.
        use_copy_kernel: likewise.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    border: Literal["reflect_101", "reflect_1001", "wrap", "clamp", "constant"] = ...,
    dtype: DALIDataType | None = ...,
    mode: Literal["same", "valid"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Sums of the neighbours of each pixel with weights, which are not mirrored; DALI's `fn.filter`.

    Sums are float32. Images, volumes, and each frame of sequences; without a layout all axes are spatial. Kernels may differ
    in size. See `jaxdali.image.correlate`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        filter: kernels, FLOAT, `[R, S]`, or `[Q, R, S]` of volumes.
        fill_value: what is beyond the edges with border="constant", a number.
        anchor: what of the kernel is on the pixel, a number or one an axis; -1: its middle. May be a node, with a value
            a sample.
        border: what images go on with beyond their edges.
        dtype: of the output, FLOAT or that of the input, which it is if not given.
        mode: "valid": only where the kernel is within the image.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def flip(
    data: DataNode,
    *,
    horizontal: float | Sequence[float] | np.ndarray | DataNode = ...,
    vertical: float | Sequence[float] | np.ndarray | DataNode = ...,
    depthwise: float | Sequence[float] | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Mirrors images and volumes left to right (`horizontal`), top to bottom (`vertical`), front to back (`depthwise`), or
    in several of these ways; DALI's `fn.flip`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        horizontal: mirrors left to right where it is not 0. May be a node, with a value a sample.
        vertical: mirrors top to bottom where it is not 0. May be a node, with a value a sample.
        depthwise: mirrors volumes front to back where it is not 0; images have no depth. May be a node, with a value a
            sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """An array of a number, or of an array that is repeated by NumPy's rules; DALI's `fn.full`. Without a shape it is the
    first number.

    Args:
        fill_value: a number, or an array that is broadcast to the shape.
        shape: of a sample; not given: a scalar. Of a node the largest must be known beforehand: it is drawn, or a
            node's shape(). May be a node, with a value a sample.
        layout: of the output.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The same in the shapes of another node's samples, and of its type; DALI's `fn.full_like`.

    Args:
        data_like: whose samples' shapes, type and layout it has; its numbers do not count.
        fill_value: a number, or an array that is broadcast to the shape.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Blurs images and volumes by Gaussian windows, beyond whose edges they go on mirrored; DALI's `fn.gaussian_blur`.

    It is fastest where the window is small and known beforehand, as of a number or `fn.random.uniform(range=)`. See
    `jaxdali.image.gaussian_blur`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        sigma: standard deviation in pixels, one a sample or one an axis; 0: by the window. May be a node, with a value
            a sample.
        window_size: taps, odd, likewise; 0: `2 * ceil(3 * sigma) + 1`. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """What is known of samples beside their numbers, as bytes `uint8[n]`; DALI's `fn.get_property`.

    Args:
        data: any numbers.
        key: "layout": of the samples. "source_info": what the reader calls that of which they were made, by first
            inputs: the path of a file, relative to the reader's `file_root`, where it has one; of a record its file and its
            place in that. Labels beside files have none, nor does what external sources give.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Makes squares of images 0 that are in a grid; DALI's operator. Samples have H and W in their layout, or no layout.

    Args:
        data: any numbers.
        ratio: extent of a square in that of a tile. May be a node, with a value a sample.
        angle: by which the grid is turned, in radians. May be a node, with a value a sample.
        shift_x: by which it is moved then, to the right, in pixels. May be a node, with a value a sample.
        shift_y: likewise downwards. May be a node, with a value a sample.
        tile: extent of a tile, a square and what is between squares, in pixels. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def hsv(
    data: DataNode,
    *,
    hue: float | Sequence[float] | np.ndarray | DataNode = ...,
    saturation: float | Sequence[float] | np.ndarray | DataNode = ...,
    value: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Turns hues and scales saturation and value of images of three channels, the last axis; DALI's operator.

    As in DALI that is one matrix of the channels of RGB, see `jaxdali.image.hsv`.

    Args:
        data: any numbers.
        hue: by how much hues turn, in degrees. May be a node, with a value a sample.
        saturation: factor of the saturation. May be a node, with a value a sample.
        value: factor of the result. May be a node, with a value a sample.
        dtype: of the output, also of floats.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def hue(
    data: DataNode,
    *,
    hue: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Turns hues of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Args:
        data: any numbers.
        hue: by how much hues turn, in degrees. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def jitter(
    data: DataNode,
    *,
    nDegree: int = ...,
    mask: float | Sequence[float] | np.ndarray | DataNode = ...,
    fill_value: float = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Takes each pixel from a random place nearby; DALI's `fn.jitter`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        nDegree: pixels come from at most half of it away, along each axis.
        mask: the image stays as it is where it is 0. May be a node, with a value a sample.
        fill_value: what is outside of the images, stored in their type as C does.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        interp_type: without effect: pixels move by whole pixels, between which nothing is interpolated.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def jpeg_compression_distortion(
    data: DataNode,
    *,
    quality: float | Sequence[float] | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """What is left of images of UINT8 in RGB that were saved as JPEG, and read; DALI's operator.

    The numbers are those of libjpeg, as DALI's on the CPU, without a file. See `jaxdali.image.jpeg_distortion`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        quality: 1 to 100, the best; what is outside is the nearest of these. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The sum of second derivatives along each axis of images and volumes; DALI's `fn.laplacian`.

    Images go on beyond their edges mirrored. Without a layout all axes are spatial. It is fastest where windows are numbers.
    See `jaxdali.image.laplacian`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        window_size: of derivatives, odd, 3 to 23, a number or one an axis. May be a node, with a value a sample.
        smoothing_size: of what smooths along the other axes, odd, 1 to 23; not given: the derivative's window size. May
            be a node, with a value a sample.
        scale: factors of the derivatives, a number or one an axis. May be a node, with a value a sample.
        normalized_kernel: each derivative is divided by two to the power of the sum of its windows less the number of
            axes and 2.
        dtype: of the output, FLOAT or that of the input, which it is if not given.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Replaces integers by what a table says; DALI's `fn.lookup_table`. Values are rounded, halves away from zero.

    Args:
        data: any numbers.
        keys: numbers, from 0 to 65535; of a key that is there twice the last one counts.
        values: what becomes of each.
        default_value: what becomes of all others.
        dtype: of the output.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
        sample_rate: of the signal, in Hz.
        freq_low: where the first band begins, in Hz.
        freq_high: where the last one ends; 0: half of the sample rate.
        mel_formula: how Hz become mel.
        normalize: the area of each band is 1; else its height.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The first coefficients of a cosine transform, of mel spectra in decibels; DALI's `fn.mfcc`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        n_mfcc: coefficients, of which there are no more than bands.
        axis: along which the bands lie.
        dct_type: of the cosine transform.
        normalize: its rows are orthonormal; not of type 1.
        lifter: coefficient k is multiplied by `1 + lifter / 2 * sin(pi * (k + 1) / lifter)`; 0: by 1.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    output_size: float | Sequence[float] | None = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Pastes regions of several images on each canvas, later ones over earlier ones; DALI's operator, of which mosaics are
    made.

    What nothing is pasted on is 0. Fractions of a pixel are cut off where regions begin, and of their extents rounded up.

    Args:
        inputs: images, of one type and number of channels.
        in_ids: of which samples of the input the regions of an output are, one a region; of a node samples may differ
            in length. Not given: of each input its own sample. May be a node, with a value a sample.
        in_anchors: where regions begin in their image, in pixels. May be a node, with a value a sample.
        in_anchors_rel: likewise in fractions of the image. May be a node, with a value a sample.
        shapes: height and width of the regions; not given: to the end of their image. May be a node, with a value a
            sample.
        shapes_rel: likewise in fractions of the image. May be a node, with a value a sample.
        out_anchors: where regions are pasted, in pixels of the canvas. May be a node, with a value a sample.
        out_anchors_rel: likewise in fractions of the canvas. May be a node, with a value a sample.
        output_size: (height, width) of the canvas; fractions are cut off. Not given: that of the inputs, which have one
            shape.
        dtype: of the output; not given: that of the inputs.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Where a signal is not silent; DALI's `fn.nonsilent_region`.

    Args:
        data: signals, FLOAT [samples].
        cutoff_db: decibels of the reference, below which a window is silent.
        window_length: samples of a window, over which power is averaged.
        reference_power: what is 0 dB; 0: the largest power of a window of each signal.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        reset_interval: without effect: the power of each window is summed by itself, so that nothing has to be reset.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
        axes: along which the mean and the deviation are taken, from 0 on. Not given: those along which `mean` or
            `stddev` have the extent 1, or all.
        axis_names: the same by letters of the layout.
        mean: that is subtracted: a number, or an array that is broadcast. Not given: the sample's. May be a node, with
            a value a sample.
        stddev: that is divided by, likewise. Where the sample's is 0, so are the results. May be a node, with a value a
            sample.
        batch: mean and deviation are those of all samples together.
        ddof: how many less than there are numbers the sum of squares is divided by.
        epsilon: added to the deviation's square.
        scale: that results are multiplied with.
        shift: added to them.
        dtype: of the output. Halves are rounded away from zero, what is too much saturates.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """A vector for each number, with another value in the place of its class; DALI's `fn.one_hot`.

    A number that is no class gives a vector without it. Of floats the fraction is cut off.

    Args:
        data: any numbers.
        num_classes: extent of the new axis.
        axis: where the new axis is in the output; -1: behind the others, as where it is not given. Then samples of one
            number are scalars, whatever their dimensions are.
        axis_name: its letter in the layout; not given: the output has no layout.
        dtype: of the output.
        on_value: in the place of the class. Fractions are cut off for integers, which wrap round.
        off_value: elsewhere, likewise.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Ones; DALI's `fn.ones`.

    Args:
        shape: of a sample; not given: a scalar. Of a node the largest must be known beforehand: it is drawn, or a
            node's shape(). May be a node, with a value a sample.
        layout: of the output.
        dtype: of the output.
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Ones in the shapes of another node's samples; DALI's `fn.ones_like`.

    Args:
        data_like: whose samples' shapes, type and layout it has; its numbers do not count.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def pad(
    data: DataNode,
    *,
    axes: int | Sequence[int] | None = ...,
    axis_names: str | None = ...,
    shape: int | Sequence[int] | DataNode | None = ...,
    align: int | Sequence[int] | DataNode | None = ...,
    fill_value: float | Sequence[float] | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Makes samples larger, behind their ends; DALI's `fn.pad`.

    Without `shape` all are as large as the largest of the batch is in each of the axes.

    Args:
        data: any numbers.
        axes: that are padded; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        shape: least extents, for each of the axes, or one for all; below 0, or not given: the largest extent of the
            batch. Of a node the largest must be known beforehand: it is drawn, or a node's shape(). May be a node, with a
            value a sample.
        align: extents are rounded up to multiples of it, for each of the axes, or one for all; of a node likewise. May
            be a node, with a value a sample.
        fill_value: what is new. Of integers its fraction is cut off, and what is too much wraps round. May be a node,
            with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    paste_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    paste_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Pastes each image on a canvas that is larger by `ratio`; DALI's operator. Fractions of a pixel are cut off.

    Where a node says how large canvases are, and its largest number is not known beforehand, as that of
    `fn.random.uniform(range=)` is, they are at most four times as high and wide as their images.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        ratio: height and width of the canvas, in those of the image; at least 1. May be a node, with a value a sample.
        fill_value: of the canvas, a number or one a channel.
        min_canvas_size: height and width that the canvas has at least. May be a node, with a value a sample.
        paste_x: where the image is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        paste_y: likewise from top to bottom. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        n_channels: without effect: images have the channels that they have.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The shapes of images, (height, width, channels), as their headers tell; DALI's operator. Nothing is decoded for it.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        dtype: of the output.
        adjust_orientation: after EXIF orientation; False: as JPEG files have them. Others are turned.
        image_type: GRAY: with one channel; ANY_DATA: with those of the file; else 3.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a
            pipeline are named in warnings of the logger "jaxdali". None: as the pipeline's `on_error` says. The image has
            the extents that its header tells, or else those of the others in the batch if they agree, or none.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Says that the first axis of samples counts frames; DALI's operator.

    As an argument of an operator on sequences, such as `sigma=fn.per_frame(sigma)` of `fn.gaussian_blur`, each frame is
    given its own. Samples without a layout get one: "F", and "*" for the other axes.

    Args:
        data: any numbers.
        replace: the first letter of a layout becomes "F"; else a layout that begins with another one is an error.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Samples of the batch in another order; DALI's `fn.permute_batch`.

    Args:
        data: any numbers.
        indices: of each sample that is returned the index in the batch: as many as it has samples, or one for all. Some
            may come twice, and others not at all. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The spectrum of signals along an axis; DALI's `fn.power_spectrum`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        axis: that is transformed; below 0 counted from the last one.
        nfft: of the transform: what is longer is cut off, what is shorter filled up with zeros. Not given: the axis'
            extent, which is the same for all samples then.
        power: 2: of the amplitudes their squares; 1: themselves.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        A node: `nfft // 2 + 1` numbers along the axis, FLOAT.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def preemphasis_filter(
    data: DataNode,
    *,
    preemph_coeff: float | Sequence[float] | np.ndarray | DataNode = ...,
    border: Literal["zero", "clamp", "reflect"] = ...,
    dtype: DALIDataType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Subtracts from each number of a signal a part of the one before; DALI's `fn.preemphasis_filter`.

    Args:
        data: signals, FLOAT [samples].
        preemph_coeff: that the number before is multiplied by. May be a node, with a value a sample.
        border: before the first number is 0, itself, or the second.
        dtype: of the output. Halves are rounded away from zero, what is too much saturates.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Calls a function of Python with NumPy's arrays; DALI's `fn.python_function`.

    It is slow: where the function stands the pipeline's program is cut in two, and between its parts every batch comes to
    the host, is waited for, and goes back. Images that are made before it are made on their own. Python that needs nothing
    of the device belongs in a source (`fn.external_source(parallel=True)`), whose workers run beside training, and functions
    of `jax.Array`s in `jaxdali.plugin.jax.fn.jax_function`, which is compiled into the program.

    The function is called on the thread that takes batches, in their order, as many batches ahead as the pipeline computes,
    and once for a batch or for each of its samples. In a branch it is called with all samples. Its arrays are its own, and
    may be written to. What it raises is raised with the batch that it was called for. With `num_outputs=0` it is called
    although nothing depends on it.

    Args:
        data: what the function is called with, in this order.
        function: of arrays, one for each input: a sample. It returns an array, or a tuple with one for each output.
            Samples may differ in shape, but not in type and number of axes.
        num_outputs: how many arrays it returns; 0: what it returns does not matter.
        batch_processing: it is called once a batch: with a list of samples for each input, and returns a list of
            samples, or a tuple with such a list for each output.
        output_layouts: of the outputs, such as "HWC": one for all, or a list. Those without have none.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Draws a window of each image that keeps enough of its boxes; DALI's operator, of which SSD is trained.

    See `jaxdali.boxes.random_crop` for how it is drawn. `fn.slice` cuts it.

    Args:
        boxes: boxes in fractions of their image, FLOAT [number, 4]; of volumes [number, 6].
        labels: of the boxes, integers [number], or [number, any].
        thresholds: one of which is drawn: so much, 0 to 1, a window must overlap boxes.
        threshold_type: as intersection over union; or "overlap": of the box.
        all_boxes_above_threshold: all boxes overlap so much; else one does.
        allow_no_crop: to keep all of the image is as likely as each threshold.
        aspect_ratio: (smallest, largest) width / height of windows; of volumes also width / depth and height / depth,
            or one range for all. Not given: 1.
        scaling: (smallest, largest) extents of windows in those of the image. Not given: 1.
        bbox_prune_threshold: boxes are kept of which such a part is in the window, 0 to 1. Not given: those whose
            middle is.
        num_attempts: windows that are tried with one threshold.
        total_num_attempts: windows that are tried at all; then the one that overlaps boxes most is taken, or all of the
            image if none has a fitting ratio. -1, or not given: 10000.
        input_shape: extents of the image, of which ratios are meant. Not given: those of a square. May be a node, with
            a value a sample.
        crop_shape: extents of windows, which begin at whole pixels; needs `input_shape`, and is in place of `scaling`,
            `aspect_ratio` and `allow_no_crop`. Windows are in pixels then, not in fractions. May be a node, with a value a
            sample.
        shape_layout: order of both; not given: "WH" or "WHD".
        bbox_layout: what the numbers of a box are: "xyXY", where it begins and ends, or "xyWH", where it begins and its
            extents, in any order; of volumes "xyzXYZ" or "xyzWHD". Not given: "xyXY", or "xyzXYZ".
        ltrb: False: `bbox_layout` is "xyWH"; deprecated in DALI.
        output_bbox_indices: also returns the indices of the boxes that are kept.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
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
        shapes: of images, integers (height, width), or (height, width, channels).
        random_area: (smallest, largest) fraction of the image that the window covers, at most 4. A fraction above 1
            fits into hardly any image: it is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: a stream of its own, see `fn.random.uniform`.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

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
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
    antialias: bool = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Windows are whole pixels, and taps do not reach beyond them. Behind a decoder only the window is decoded.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        size: (height, width), or one number for both; fractions are rounded to the nearest pixel.
        random_area: (smallest, largest) fraction of the image that the window covers, at most 4. A fraction above 1
            fits into hardly any image: it is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: a stream of its own, see `fn.random.uniform`.
        interp_type: filter, where neither `min_filter` nor `mag_filter` says. INTERP_TRIANGULAR is INTERP_LINEAR with
            antialiasing.
        min_filter: filter of axes that shrink; not given: `interp_type`.
        mag_filter: filter of axes that grow; not given: `interp_type`.
        antialias: widens the filter when shrinking. INTERP_NN has none.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def reinterpret(
    data: DataNode,
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
    """Reads the bytes of samples as another type, and gives them another shape or layout; DALI's `fn.reinterpret`.

    Without a shape the last axis has as many bytes as before. What is not 0 is True.

    Args:
        data: any numbers.
        dtype: that the bytes are read as; not given: the input's.
        layout: of the output; "": none. Not given: the input's, where it has as many axes.
        shape: of each sample; -1: as large as it must be. Of a node the largest must be known beforehand: it is drawn,
            or a node's shape(). May be a node, with a value a sample.
        rel_shape: in place of `shape`: factors of the input's extents, in order or as `src_dims` says, the product
            rounded, halves up; a negative one: as large as it must be. One more than the input has axes may be the last
            one, and negative. May be a node, with a value a sample.
        src_dims: which axis of the input each axis of the output has its extent of; -1: it is new, and 1.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: types of 64 bits without jax_enable_x64.
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
    """Gives samples another shape, another layout, or both; DALI's `fn.reshape`. Their numbers stay in order.

    Args:
        data: any numbers.
        shape_input: in place of `shape`, numbers.
        layout: of the output; "": none. Not given: the input's, where it has as many axes.
        shape: of each sample; -1: as large as it must be. Of a node the largest must be known beforehand: it is drawn,
            or a node's shape(). May be a node, with a value a sample.
        rel_shape: in place of `shape`: factors of the input's extents, in order or as `src_dims` says, the product
            rounded, halves up; a negative one: as large as it must be. One more than the input has axes may be the last
            one, and negative. May be a node, with a value a sample.
        src_dims: which axis of the input each axis of the output has its extent of; -1: it is new, and 1.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
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
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
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

    Sizes are rounded to the nearest pixel, halves upwards, and are at least 1. Results of different sizes are on a canvas
    that is chosen for each batch from the headers of its files. A size that is a node, and has no limits that are known
    beforehand, as draws of fn.random.uniform(range=) have them, comes to the host first, where the largest of the batch is
    looked for: `max_size` spares that. Where `resize_longer`, `max_size` or `size` with mode="not_larger" limit both axes,
    that is the canvas of every batch, and iterators give the output as a pair: `[N, height, width, C]`, each image in the
    top left corner, and shapes, `int32[N, 3]`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        size: (height, width), of volumes (depth, height, width), or one number for all. 0: follows from the others and
            `mode`; a negative number mirrors. May be a node, with a value a sample.
        resize_x: width, in place of `size`. 0 or not given: as the height has it. May be a node, with a value a sample.
        resize_y: height. 0 or not given: as the width has it. May be a node, with a value a sample.
        resize_z: depth of volumes, likewise; images have none. May be a node, with a value a sample.
        resize_shorter: of the shorter axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        resize_longer: of the longer axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        mode: "default": the size that is given, an axis that is not is scaled as the other one; "stretch": such an axis
            stays; "not_larger", "not_smaller": the aspect stays, and no axis exceeds, or falls below, the size.
        max_size: (height, width), or one number for both, that no result exceeds.
        roi_start: (y, x), where the region that is resized begins, in pixels. Behind `roi_end`: it is mirrored. May be
            a node, with a value a sample.
        roi_end: (y, x), where it ends. May be a node, with a value a sample.
        roi_relative: the region is given in fractions of the image.
        subpixel_scale: where a size is rounded to whole pixels, the region grows or shrinks by as much, so that the
            scale stays.
        interp_type: filter, where neither `min_filter` nor `mag_filter` says. INTERP_TRIANGULAR is INTERP_LINEAR with
            antialiasing.
        min_filter: filter of axes that shrink; not given: `interp_type`.
        mag_filter: filter of axes that grow; not given: `interp_type`.
        antialias: widens the filter when shrinking. INTERP_NN has none.
        dtype: of the output; not given: that of the input.
        save_attrs: also returns the shape of each image before, INT32 (height, width).
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    crop_h: float | DataNode = ...,
    crop_w: float | DataNode = ...,
    crop_pos_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    crop_pos_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    rounding: Literal["round", "truncate"] = ...,
    crop_d: float | DataNode = ...,
    crop_pos_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    mirror: float | Sequence[float] | np.ndarray | DataNode = ...,
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
    antialias: bool = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes every image or volume, cuts a window out of the result, and mirrors that; DALI's operator.

    Only what becomes the window is resized. It may be larger than the result: the pixels at the edge are repeated then.
    Sizes are those of `fn.resize`, windows those of `fn.crop`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        size: (height, width), of volumes (depth, height, width), or one number for all. 0: follows from the others and
            `mode`; a negative number mirrors. May be a node, with a value a sample.
        resize_x: width, in place of `size`. 0 or not given: as the height has it. May be a node, with a value a sample.
        resize_y: height. 0 or not given: as the width has it. May be a node, with a value a sample.
        resize_z: depth of volumes, likewise; images have none. May be a node, with a value a sample.
        resize_shorter: of the shorter axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        resize_longer: of the longer axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        mode: "default": the size that is given, an axis that is not is scaled as the other one; "stretch": such an axis
            stays; "not_larger", "not_smaller": the aspect stays, and no axis exceeds, or falls below, the size.
        max_size: (height, width), or one number for both, that no result exceeds.
        roi_start: (y, x), where the region that is resized begins, in pixels. Behind `roi_end`: it is mirrored. May be
            a node, with a value a sample.
        roi_end: (y, x), where it ends. May be a node, with a value a sample.
        roi_relative: the region is given in fractions of the image.
        subpixel_scale: where a size is rounded to whole pixels, the region grows or shrinks by as much, so that the
            scale stays.
        crop: (height, width) of the window, or one number for both; of volumes (depth, height, width), else they keep
            their depth; fractions are cut off. A number of a node that is below 1 stands for all of its axis. May be a
            node, with a value a sample.
        crop_h: height of the window, with `crop_w` in place of `crop`. May be a node, with a value a sample.
        crop_w: width of the window. May be a node, with a value a sample.
        crop_pos_x: where the window is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        crop_pos_y: likewise from top to bottom. May be a node, with a value a sample.
        rounding: of the window's corner; `round` is half away from zero.
        crop_d: depth of the window of volumes, beside `crop_h` and `crop_w`; images have none. May be a node, with a
            value a sample.
        crop_pos_z: where the window is in what is left over of the depth, 0 to 1. May be a node, with a value a sample.
        mirror: the sum of 1, left to right, 2, top to bottom, and 4, volumes front to back. May be a node, with a value
            a sample.
        interp_type: filter, where neither `min_filter` nor `mag_filter` says. INTERP_TRIANGULAR is INTERP_LINEAR with
            antialiasing.
        min_filter: filter of axes that shrink; not given: `interp_type`.
        mag_filter: filter of axes that grow; not given: `interp_type`.
        antialias: widens the filter when shrinking. INTERP_NN has none.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Draws where a window begins that holds all of a region, or, of a larger region, is in it: INT64 [axes]; DALI's
    operator.

    Args:
        data: what windows must not leave; its numbers do not count.
        crop_shape: extents of the window. May be a node, with a value a sample.
        roi_start: where the region begins. May be a node, with a value a sample.
        roi_end: where it ends. May be a node, with a value a sample.
        roi_shape: its extents, in place of `roi_end`. May be a node, with a value a sample.
        in_shape: in place of the input its shape. Neither given: windows may be anywhere. May be a node, with a value a
            sample.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a region or a window does not fit into the input, where the batch is handed out.
    """
    ...

def rotate(
    data: DataNode,
    *,
    angle: float | Sequence[float] | np.ndarray | DataNode,
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
    """Rotates images round their middle, and volumes round an axis through it; DALI's `fn.rotate`.

    Without `size` and `keep_size` results are as large as the rotated image needs, so they differ in size where angles do.
    Their extents are odd where the input's are, so that the middle stays one. Frames of a sequence get the same extents,
    which hold each of them. See `jaxdali.image.rotate` and `rotate_volumes`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        angle: in degrees, counter-clockwise. May be a node, with a value a sample.
        fill_value: what is outside of the images; not given: their nearest pixel.
        interp_type: INTERP_LINEAR or INTERP_NN.
        size: (height, width) of the output, of volumes (depth, height, width), rounded. Of a node the fraction is cut
            off, and the largest must be known beforehand: it is drawn, or a node's shape(). May be a node, with a value a
            sample.
        dtype: of the output; not given: that of the input.
        axis: of volumes, (x, y, z), round which they are turned; images are in their plane. May be a node, with a value
            a sample.
        keep_size: the output is as large as the input; else it holds all of the rotated image.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def saturation(
    data: DataNode,
    *,
    saturation: float | Sequence[float] | np.ndarray | DataNode = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Scales the saturation of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`.

    Args:
        data: any numbers.
        saturation: factor of the saturation. May be a node, with a value a sample.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: without effect: the three channels are taken for red, green and blue, as in DALI.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The frames of each sequence in another order; DALI's operator.

    Args:
        input: sequences, whose layout, if they have one, begins with "F".
        new_order: of each frame that is returned the index in its sequence; some may come twice, and others not at all.
            Samples of a node may differ in length. May be a node, with a value a sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    axes: int | Sequence[int] | None = ...,
    axis_names: str | None = ...,
    normalized_anchor: bool = ...,
    normalized_shape: bool = ...,
    out_of_bounds_policy: Literal["error", "pad", "constant", "trim_to_shape"] = ...,
    fill_values: float | Sequence[float] = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Cuts a window out of every sample; DALI's `fn.slice`. What is not given is the sample's own edge.

    Places are rounded, halves away from zero. A sample that is filled up is as large as its window; where that is a
    node without limits that are known beforehand, its numbers come to the host first.

    Args:
        data: any numbers.
        anchor: where each window begins, a number for each of `axes`.
        shape_input: how large it is, likewise.
        start: where the window begins, a number for each of the axes, or one for all. May be a node, with a value a
            sample.
        rel_start: likewise in fractions of the sample's extents. May be a node, with a value a sample.
        end: where it ends. May be a node, with a value a sample.
        rel_end: likewise in fractions. May be a node, with a value a sample.
        shape: how large it is. May be a node, with a value a sample.
        rel_shape: likewise in fractions. May be a node, with a value a sample.
        axes: what the numbers are for; below 0 counted from the last one.
        axis_names: the same by letters of the layout. Neither given: "WH".
        normalized_anchor: the input `anchor`, where it has floats, is in fractions of the sample.
        normalized_shape: likewise the input `shape_input`.
        out_of_bounds_policy: what becomes of a window that leaves its sample. "error": a SourceDataError where the
            batch is handed out; "pad" or "constant": what is outside is `fill_values`; "trim_to_shape": it is cut to the
            sample.
        fill_values: what is outside of a sample: a number, or one a channel. Of integers fractions are cut off, and
            what is too much wraps round.
        dtype: of the output; not given: that of the input. For integers fractions are cut off.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        image_type: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Spectra of the windows of a signal, one behind the other; DALI's `fn.spectrogram`.

    Args:
        data: signals, FLOAT [samples].
        window_length: samples of a window.
        window_step: samples from one window to the next.
        nfft: of the transform; by default `window_length`. A window is in its middle.
        window_fn: weights of a window's samples; by default a Hann window's.
        power: 2: of the amplitudes their squares; 1: themselves.
        center_windows: sample 0 is in the middle of the first window; else that begins with it.
        reflect_padding: what is outside is the signal mirrored at its ends; else 0.
        layout: of the output: rows are frequencies or times.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    mask: float | Sequence[float] | np.ndarray | DataNode = ...,
    fill_value: float = ...,
    interp_type: DALIInterpType = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Images as they look behind a ball of glass; DALI's `fn.sphere`. See `jaxdali.image.sphere`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        mask: the image stays as it is where it is 0. May be a node, with a value a sample.
        fill_value: what is outside of the images, stored in their type as C does.
        interp_type: INTERP_NN or INTERP_LINEAR.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Takes away axes whose extent is 1; DALI's `fn.squeeze`.

    Args:
        data: any numbers, with an axis of extent 1.
        axes: that go, from 0 on.
        axis_names: the same by letters of the layout.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: an axis has another extent than 1, where the batch is handed out.
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
        boxes: boxes in fractions of their image, FLOAT [number, 4]: left, top, right, bottom.
        labels: one of each box, integers [number] or [number, 1].
        num_attempts: windows to draw before another overlap, or none, is asked for.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

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
    """Joins the samples of its inputs, which have one shape, along a new axis; DALI's `fn.stack`.

    Args:
        inputs: what is joined, of one type and number of dimensions.
        axis: of the output, that is new; below 0 counted from its last one.
        axis_name: its letter in the layout; not given: the output has no layout.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
    antialias: bool = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes arrays along any of their axes; DALI's `fn.tensor_resize`, with as many axes as they have.

    Extents of what is drawn are on a canvas, so it must be known beforehand how large they can be: sizes do that in most
    modes, and else `max_size` does.

    Args:
        data: any numbers.
        sizes: extents, one for each of the axes, or one for all. 0: follows from the others and `mode`; a negative
            number mirrors. Of a node the largest must be known beforehand, and they are above 0. May be a node, with a
            value a sample.
        scales: in place of `sizes`, parts of the extents of the whole sample. May be a node, with a value a sample.
        axes: that all of these refer to; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        mode: "default": the sizes that are given, axes that are open are scaled by the geometric mean of the others,
            which counts 1 for each axis that is not named; "stretch": open axes stay; "not_larger", "not_smaller": all axes
            have one scale, also those that are not named, so that none exceeds, or falls below, its size.
        max_size: extents that no result exceeds, one for each of the axes, or one for all.
        roi_start: where the region that is resized begins. Behind `roi_end`: it is mirrored. May be a node, with a
            value a sample.
        roi_end: where it ends. May be a node, with a value a sample.
        roi_relative: the region is given in fractions of the extents.
        size_rounding: how extents become whole numbers; halves are rounded upwards.
        alignment: which place of the region stays where it is when extents are rounded, 0 where it begins to 1 where it
            ends; one for each of the axes, or one for all. May be a node, with a value a sample.
        subpixel_scale: the region grows or shrinks as extents are rounded, so that the scale stays.
        interp_type: filter, where neither `min_filter` nor `mag_filter` says. INTERP_TRIANGULAR is INTERP_LINEAR with
            antialiasing.
        min_filter: filter of axes that shrink; not given: `interp_type`.
        mag_filter: filter of axes that grow; not given: `interp_type`.
        antialias: widens the filter when shrinking. INTERP_NN has none.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """`multiplier * log10(data / reference)`, and no less than `cutoff_db`; DALI's `fn.to_decibels`.

    Args:
        data: numbers, FLOAT, such as spectra, layout "ft" or "tf".
        multiplier: of the logarithm: 10 of powers, 20 of amplitudes.
        reference: what is 0 dB; 0: the largest number of each sample.
        cutoff_db: the least result.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Puts the axes of samples in another order; DALI's `fn.transpose`.

    Args:
        data: any numbers.
        perm: axis i of the output is axis `perm[i]` of the input. Not given: the order is reversed.
        transpose_layout: the layout is reordered, too; else it stays as it is.
        output_layout: layout of the output, in place of that.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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

    Output pixel `(x, y)` is what the input has at `matrix @ (x + 0.5, y + 0.5, 1)`; of volumes it is `(x, y, z)`.
    `fn.transforms` makes such maps. See `jaxdali.image.warp_affine`, also on where DALI's positions differ.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        maps: affine maps, `[2, 3]`, of volumes `[3, 4]`, in place of `matrix`.
        matrix: affine map, two rows of three numbers, of volumes three of four. May be a node, with a value a sample.
        fill_value: what is outside of the images; not given: their nearest pixel.
        interp_type: INTERP_LINEAR or INTERP_NN.
        size: (height, width) of the output, of volumes (depth, height, width), rounded. Of a node the fraction is cut
            off, and the largest must be known beforehand: it is drawn, or a node's shape(). May be a node, with a value a
            sample.
        dtype: of the output; not given: that of the input.
        inverse_map: it leads from the output to the input; else from the input to the output.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        output_dtype: deprecated: is the old name of dtype=; use that.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def water(
    data: DataNode,
    *,
    mask: float | Sequence[float] | np.ndarray | DataNode = ...,
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
    """Images as they look under water; DALI's `fn.water`. See `jaxdali.image.water`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        mask: the image stays as it is where it is 0. May be a node, with a value a sample.
        ampl_x: amplitude of the wave along x, in pixels.
        ampl_y: of the wave along y.
        freq_x: frequency of the wave along x, in radians a row.
        freq_y: of the wave along y, in radians a column.
        phase_x: phase of the wave along x, in radians.
        phase_y: of the wave along y.
        fill_value: what is outside of the images, stored in their type as C does.
        interp_type: INTERP_NN or INTERP_LINEAR.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Zeros; DALI's `fn.zeros`.

    Args:
        shape: of a sample; not given: a scalar. Of a node the largest must be known beforehand: it is drawn, or a
            node's shape(). May be a node, with a value a sample.
        layout: of the output.
        dtype: of the output.
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Zeros in the shapes of another node's samples; DALI's `fn.zeros_like`.

    Args:
        data_like: whose samples' shapes, type and layout it has; its numbers do not count.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    crop_h: float | DataNode = ...,
    crop_w: float | DataNode = ...,
    crop_pos_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    crop_pos_y: float | Sequence[float] | np.ndarray | DataNode = ...,
    rounding: Literal["round", "truncate"] = ...,
    crop_d: float | DataNode = ...,
    crop_pos_z: float | Sequence[float] | np.ndarray | DataNode = ...,
    mirror: float | Sequence[float] | np.ndarray | DataNode = ...,
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
    antialias: bool = ...,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes every image or volume, cuts a window out of the result, and mirrors that; DALI's operator.

    Only what becomes the window is resized. It may be larger than the result: the pixels at the edge are repeated then.
    Sizes are those of `fn.resize`, windows those of `fn.crop`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        size: (height, width), of volumes (depth, height, width), or one number for all. 0: follows from the others and
            `mode`; a negative number mirrors. May be a node, with a value a sample.
        resize_x: width, in place of `size`. 0 or not given: as the height has it. May be a node, with a value a sample.
        resize_y: height. 0 or not given: as the width has it. May be a node, with a value a sample.
        resize_z: depth of volumes, likewise; images have none. May be a node, with a value a sample.
        resize_shorter: of the shorter axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        resize_longer: of the longer axis, the aspect stays; in place of `size`. May be a node, with a value a sample.
        mode: "default": the size that is given, an axis that is not is scaled as the other one; "stretch": such an axis
            stays; "not_larger", "not_smaller": the aspect stays, and no axis exceeds, or falls below, the size.
        max_size: (height, width), or one number for both, that no result exceeds.
        roi_start: (y, x), where the region that is resized begins, in pixels. Behind `roi_end`: it is mirrored. May be
            a node, with a value a sample.
        roi_end: (y, x), where it ends. May be a node, with a value a sample.
        roi_relative: the region is given in fractions of the image.
        subpixel_scale: where a size is rounded to whole pixels, the region grows or shrinks by as much, so that the
            scale stays.
        crop: (height, width) of the window, or one number for both; of volumes (depth, height, width), else they keep
            their depth; fractions are cut off. A number of a node that is below 1 stands for all of its axis. May be a
            node, with a value a sample.
        crop_h: height of the window, with `crop_w` in place of `crop`. May be a node, with a value a sample.
        crop_w: width of the window. May be a node, with a value a sample.
        crop_pos_x: where the window is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        crop_pos_y: likewise from top to bottom. May be a node, with a value a sample.
        rounding: of the window's corner; `round` is half away from zero.
        crop_d: depth of the window of volumes, beside `crop_h` and `crop_w`; images have none. May be a node, with a
            value a sample.
        crop_pos_z: where the window is in what is left over of the depth, 0 to 1. May be a node, with a value a sample.
        mirror: the sum of 1, left to right, 2, top to bottom, and 4, volumes front to back. May be a node, with a value
            a sample.
        interp_type: filter, where neither `min_filter` nor `mag_filter` says. INTERP_TRIANGULAR is INTERP_LINEAR with
            antialiasing.
        min_filter: filter of axes that shrink; not given: `interp_type`.
        mag_filter: filter of axes that grow; not given: `interp_type`.
        antialias: widens the filter when shrinking. INTERP_NN has none.
        dtype: of the output; not given: that of the input.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """The shape of each sample, `[ndim]`.

    Args:
        data: any numbers.
        dtype: of the output.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

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
