from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..graph.call import DataNode
from ..types import DALIDataType, DALIImageType

def audio(
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
) -> list[DataNode]:
    """Decodes files of sound: WAV, FLAC, Ogg (Vorbis, Opus) and what else libsndfile reads; DALI's
    `fn.decoders.audio`. It wants `pip install 'jaxdali[audio]'`.

    Files are decoded where they are read: those of a reader, or of a source with `parallel=True`, in the workers. A file
    that cannot be decoded is a SourceError, which names it.

    Args:
        data: files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`.
        downmix: channels become one, their average.
        dtype: of the signal: FLOAT from -1 to 1, INT16 or INT32.
        sample_rate: of the signal, in Hz; by default the file's. For a node with a rate for each sample, such as draws
            are, the host resamples what workers have decoded, see `fn.audio_resample`.
        quality: of another rate: 0 is a sinc of 3 lobes to either side, 50 of 16, 100 of 64.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        Two nodes: the signals, `[samples, channels]`, or with `downmix` `[samples]`; and their rates in Hz, `float32`.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: soundfile is not installed.
        GraphError: `data` does not come straight from a source.
    """
    ...

def image(
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
) -> DataNode:
    """Decodes images, `dtype[H, W, 3]` (GRAY: `[H, W, 1]`, ANY_DATA: 1 to 4), layout "HWC"; DALI's `fn.decoders.image`.

    JPEG (baseline and progressive, gray, CMYK), PNG, WebP, BMP and TIFF. On the CPU the
    pixels are those of Pillow's `Image.open(file).convert("RGB")`, but that levels of 16 bits become the nearest of 8, if
    `dtype` is not UINT16. Other formats, and channels of 32 bits, are UNSUPPORTED: return arrays from your source.
    device="mixed": files on the host, images on the pipeline's device.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, the luma of a JPEG as it is in
            the file. ANY_DATA: the channels that each file has, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A
            batch has as many as the widest of its files; the others are zeros when they are decoded, and not of their
            shapes.
        dtype: of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type; 1 of
            FLOAT. UINT16, which only the CPU decodes to so far, keeps the levels of files of 16 bits; others have them
            rounded to 8.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then give
            the output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators
            over several devices need it for images that keep their sizes. None: as large as each batch needs it. With a
            canvas, images are decoded whole whatever follows.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a
            pipeline are named in warnings of the logger "jaxdali". None: as the pipeline's `on_error` says. The image has
            the extents that its header tells, or else those of the others in the batch if they agree, or none.
        adjust_orientation: turn images as EXIF orientation says; False: they are as they are stored. Decoders of the
            same files say the same.
        decoder: who decodes on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        affine: without effect: threads belong to XLA.
        hybrid_huffman_threshold: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        hw_decoder_load: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        device_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        device_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_width_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_height_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        use_fast_idct: without effect: the accurate inverse transform is used, whose pixels equal Pillow's; on CPUs of
            today it is as fast.
        cache_batch_copy: without effect: images are decoded each time; keep decoded ones in a source where that takes
            too long.
        cache_debug: without effect: images are decoded each time; keep decoded ones in a source where that takes too
            long.
        cache_size: without effect: images are decoded each time; keep decoded ones in a source where that takes too
            long.
        cache_threshold: without effect: images are decoded each time; keep decoded ones in a source where that takes
            too long.
        cache_type: without effect: images are decoded each time; keep decoded ones in a source where that takes too
            long.
        memory_stats: deprecated: has no effect any more; leave it out.
        split_stages: deprecated: has no effect any more; leave it out.
        use_chunk_allocator: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def image_crop(
    data: DataNode,
    *,
    crop: float | Sequence[float] | DataNode | None = ...,
    crop_h: float | DataNode = ...,
    crop_w: float | DataNode = ...,
    crop_pos_x: float | Sequence[float] | np.ndarray | DataNode = ...,
    crop_pos_y: float | Sequence[float] | np.ndarray | DataNode = ...,
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
) -> DataNode:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,
    results differ in size.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        crop: (height, width) of the window, or one number for both; fractions are cut off. A number of a node that is
            below 1 stands for all of its axis. May be a node, with a value a sample.
        crop_h: height of the window, with `crop_w` in place of `crop`. May be a node, with a value a sample.
        crop_w: width of the window. May be a node, with a value a sample.
        crop_pos_x: where the window is in what is left over from left to right, 0 to 1. May be a node, with a value a
            sample.
        crop_pos_y: likewise from top to bottom. May be a node, with a value a sample.
        rounding: of the window's corner; `round` is half away from zero.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, the luma of a JPEG as it is in
            the file. ANY_DATA: the channels that each file has, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A
            batch has as many as the widest of its files; the others are zeros when they are decoded, and not of their
            shapes.
        dtype: of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type; 1 of
            FLOAT. UINT16, which only the CPU decodes to so far, keeps the levels of files of 16 bits; others have them
            rounded to 8.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then give
            the output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators
            over several devices need it for images that keep their sizes. None: as large as each batch needs it. With a
            canvas, images are decoded whole whatever follows.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a
            pipeline are named in warnings of the logger "jaxdali". None: as the pipeline's `on_error` says. The image has
            the extents that its header tells, or else those of the others in the batch if they agree, or none.
        adjust_orientation: turn images as EXIF orientation says; False: they are as they are stored. Decoders of the
            same files say the same.
        decoder: who decodes on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        affine: without effect: threads belong to XLA.
        hybrid_huffman_threshold: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        hw_decoder_load: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        device_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        device_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_width_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_height_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        use_fast_idct: without effect: the accurate inverse transform is used, whose pixels equal Pillow's; on CPUs of
            today it is as fast.
        crop_d: 0 only: images have two dimensions.
        crop_pos_z: 0.5 only: images have two dimensions.
        memory_stats: deprecated: has no effect any more; leave it out.
        split_stages: deprecated: has no effect any more; leave it out.
        use_chunk_allocator: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def image_random_crop(
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
) -> DataNode:
    """Decodes a random window of each image; DALI's `fn.decoders.image_random_crop`.

    Windows differ in size. Only they are decoded. A `canvas` is for the images of which the windows are parts.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        random_area: (smallest, largest) fraction of the image that the window covers, at most 4. A fraction above 1
            fits into hardly any image: it is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: a stream of its own, see `fn.random.uniform`.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, the luma of a JPEG as it is in
            the file. ANY_DATA: the channels that each file has, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A
            batch has as many as the widest of its files; the others are zeros when they are decoded, and not of their
            shapes.
        dtype: of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type; 1 of
            FLOAT. UINT16, which only the CPU decodes to so far, keeps the levels of files of 16 bits; others have them
            rounded to 8.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then give
            the output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators
            over several devices need it for images that keep their sizes. None: as large as each batch needs it. With a
            canvas, images are decoded whole whatever follows.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a
            pipeline are named in warnings of the logger "jaxdali". None: as the pipeline's `on_error` says. The image has
            the extents that its header tells, or else those of the others in the batch if they agree, or none.
        adjust_orientation: turn images as EXIF orientation says; False: they are as they are stored. Decoders of the
            same files say the same.
        decoder: who decodes on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        affine: without effect: threads belong to XLA.
        hybrid_huffman_threshold: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        hw_decoder_load: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        device_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        device_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_width_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_height_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        use_fast_idct: without effect: the accurate inverse transform is used, whose pixels equal Pillow's; on CPUs of
            today it is as fast.
        memory_stats: deprecated: has no effect any more; leave it out.
        split_stages: deprecated: has no effect any more; leave it out.
        use_chunk_allocator: deprecated: has no effect any more; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def image_slice(
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
    axes: int | Sequence[int] = ...,
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
) -> DataNode:
    """Decodes a window of each image; DALI's `fn.decoders.image_slice`. Only the window is decoded.

    What is not given is the image's own edge. Numbers of pixels are rounded, halves upwards. A window that leaves its image
    is a SourceDataError where the batch is handed out. Floats of the inputs are fractions of the image, as
    `normalized_anchor` and `normalized_shape` say.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        anchor: where each window begins, a number for each of `axes`.
        shape_input: how large it is, likewise.
        start: where the window begins, in pixels, a number for each of `axes`. May be a node, with a value a sample.
        rel_start: likewise in fractions of the image. May be a node, with a value a sample.
        end: where it ends, in pixels. May be a node, with a value a sample.
        rel_end: likewise in fractions of the image. May be a node, with a value a sample.
        shape: how large it is, in pixels. May be a node, with a value a sample.
        rel_shape: likewise in fractions of the image. May be a node, with a value a sample.
        axes: what the numbers are for: 0 height, 1 width.
        axis_names: likewise by "H" and "W", in place of `axes`.
        normalized_anchor: the input `anchor`, where it has floats, is in fractions of the image.
        normalized_shape: likewise the input `shape`.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, the luma of a JPEG as it is in
            the file. ANY_DATA: the channels that each file has, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A
            batch has as many as the widest of its files; the others are zeros when they are decoded, and not of their
            shapes.
        dtype: of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type; 1 of
            FLOAT. UINT16, which only the CPU decodes to so far, keeps the levels of files of 16 bits; others have them
            rounded to 8.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then give
            the output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators
            over several devices need it for images that keep their sizes. None: as large as each batch needs it. With a
            canvas, images are decoded whole whatever follows.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a
            pipeline are named in warnings of the logger "jaxdali". None: as the pipeline's `on_error` says. The image has
            the extents that its header tells, or else those of the others in the batch if they agree, or none.
        adjust_orientation: turn images as EXIF orientation says; False: they are as they are stored. Decoders of the
            same files say the same.
        decoder: who decodes on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        affine: without effect: threads belong to XLA.
        hybrid_huffman_threshold: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        hw_decoder_load: without effect: who decodes an image follows from the file and from `decoder` ("cuda",
            "hardware", "gpu", "hybrid" or "cpu").
        device_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        device_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        host_memory_padding_jpeg2k: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_width_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        preallocate_height_hint: without effect: memory for decoding grows to what the batches need, and stays; see
            `decode_memory` of `Pipeline`.
        use_fast_idct: without effect: the accurate inverse transform is used, whose pixels equal Pillow's; on CPUs of
            today it is as fast.
        memory_stats: deprecated: has no effect any more; leave it out.
        split_stages: deprecated: has no effect any more; leave it out.
        use_chunk_allocator: deprecated: has no effect any more; leave it out.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def numpy(
    data: DataNode,
    *,
    dtype: DALIDataType | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The arrays of NumPy's files that are there as bytes; DALI's `fn.decoders.numpy`.

    Files are read when the batch is computed, one after the other, on the thread that takes batches. Samples may differ in
    shape. Where the files are on disk `fn.readers.numpy` has workers read them.

    Args:
        data: the bytes of a .npy file, `uint8[n]`.
        dtype: of the output; integers are rounded half away from zero and saturated. None: that of the files, which is
            the same for all of a batch then.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a sample is no such file, or those of a batch differ in type or number of axes; when the batch
            is handed out.
    """
    ...

def video(
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
) -> DataNode:
    """Decodes files of video: all frames, those of `frames`, or those from `start_frame` to `end_frame`, or
    `sequence_length` of them; DALI's `fn.decoders.video`. It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through
    PyAV, a file by one thread, whatever the device, and also H.264, HEVC and AV1. Colors are converted as DALI's CPU decoder
    does. Marks that say how a video is to be turned do not count.

    Files are decoded where they are read: those of a reader, or of a source with `parallel=True`, in the workers. Where an
    argument is a node they are decoded on the host, between two programs of the device, one after the other. What cannot be
    decoded is a SourceError, which names the file. Where videos are on disk `fn.readers.video` reads of them what it needs.

    Args:
        encoded: files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`.
        frames: numbers of frames, in any order, also several times. May be a node, with a value a sample.
        start_frame: the first frame, less than the video has; 0 by default. May be a node, with a value a sample.
        end_frame: where the frames end, exclusive; by default with the video. May be a node, with a value a sample.
        sequence_length: how many frames, in place of an end. May be a node, with a value a sample.
        stride: from one frame to the next; 1 by default. May be a node, with a value a sample.
        pad_mode: what stands for frames that the video does not have: `fill_value`; the nearest one ("edge", "repeat");
            or those at the other side of the end, with the last one ("reflect_1001", "symmetric") or without
            ("reflect_101", "reflect"). "none": the clip ends before, and numbers of `frames` are an error.
        fill_value: of each channel, from 0 to 255, or one number for all.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        affine: without effect: a file is decoded by one thread.
        build_index: without effect: where frames are located is found without decoding.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        A node of clips, `uint8[frames, height, width, 3]`, layout FHWC.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: PyAV is not installed.
        GraphError: `encoded` does not come straight from a source.
    """
    ...
