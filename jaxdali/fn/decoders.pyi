from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..pipeline import DataNode
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
    """Decodes files of sound; DALI's `fn.decoders.audio`.

    WAV, FLAC, Ogg (Vorbis, Opus) and what else libsndfile reads. It wants `pip install 'jaxdali[audio]'`.

    Files are decoded where they are read: those of a reader, or of a source with `parallel=True`, in the workers. A file
    that cannot be decoded is a SourceError, which names it.

    Args:
        data: files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`.
        downmix: average all channels into one.
        dtype: that of the signal: FLOAT from -1 to 1, INT16 or INT32.
        sample_rate: sample rate of the signal, in Hz; by default the file's. If it is a node with one rate per sample,
            such as a draw, the host resamples what workers have decoded, see `fn.audio_resample`.
        quality: quality of resampling: 0 is a sinc of 3 lobes on either side, 50 of 16, 100 of 64.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Decodes images; DALI's `fn.decoders.image`.

    They are `dtype[H, W, 3]` (GRAY: `[H, W, 1]`, ANY_DATA: 1 to 4), layout "HWC".

    JPEG (baseline and progressive, gray, CMYK), PNG, WebP, BMP, TIFF, PNM, GIF, TGA,
    JPEG 2000 and AVIF. On the CPU the
    pixels are those of Pillow's `Image.open(file).convert("RGB")`, but that levels of 16 bits become the nearest of 8, if
    `dtype` is not UINT16. Other formats, and channels of 32 bits, are UNSUPPORTED: return arrays from your source.
    device="mixed": files on the host, images on the pipeline's device.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, a JPEG's luma as it is in the
            file. ANY_DATA: the channels of each file, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A batch has
            as many channels as the widest of its files; the additional ones of other files are zeros, and not part of their
            shapes.
        dtype: that of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type;
            1 for FLOAT. UINT16, supported only on the CPU so far, keeps the levels of 16-bit files; other types round them
            to 8 bits.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then return
            the output, and what is made from it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, see `on_error`. Iterators over
            several devices need a canvas for images that keep their sizes. None: as large as each batch needs. With a
            canvas, images are always decoded whole.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its
            image and all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger
            "jaxdali" name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an
            image are those in its header, or else those of the others in the batch if they agree, or none.
        adjust_orientation: rotate images as EXIF orientation says; False: leave them as they are stored. Decoders of
            the same files must agree.
        decoder: the decoder on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; False repeats it on a GPU. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: a GPU reserves that much memory for each
            batch decoded ahead, from the beginning and within `decode_memory`.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
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
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        GraphError: `data` does not come straight from a source.
    """
    ...

def image_crop(
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
) -> DataNode:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,
    results differ in size. Without a window the whole images are decoded.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        crop: (height, width) of the window, or one number for both. Fractions are cut off. A number below 1 selects the
            whole axis. May be a node with one value per sample.
        crop_h: height of the window; together with `crop_w`, instead of `crop`; 0: that of the image. May be a node
            with one value per sample.
        crop_w: width of the window; 0: that of the image. May be a node with one value per sample.
        crop_pos_x: horizontal position of the window in the free space, 0 (left) to 1 (right). May be a node with one
            value per sample.
        crop_pos_y: vertical position of the window in the free space, 0 (top) to 1 (bottom). May be a node with one
            value per sample.
        rounding: how the corner of the window is rounded; `round` rounds halves away from zero.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, a JPEG's luma as it is in the
            file. ANY_DATA: the channels of each file, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A batch has
            as many channels as the widest of its files; the additional ones of other files are zeros, and not part of their
            shapes.
        dtype: that of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type;
            1 for FLOAT. UINT16, supported only on the CPU so far, keeps the levels of 16-bit files; other types round them
            to 8 bits.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then return
            the output, and what is made from it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, see `on_error`. Iterators over
            several devices need a canvas for images that keep their sizes. None: as large as each batch needs. With a
            canvas, images are always decoded whole.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its
            image and all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger
            "jaxdali" name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an
            image are those in its header, or else those of the others in the batch if they agree, or none.
        adjust_orientation: rotate images as EXIF orientation says; False: leave them as they are stored. Decoders of
            the same files must agree.
        decoder: the decoder on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; False repeats it on a GPU. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: a GPU reserves that much memory for each
            batch decoded ahead, from the beginning and within `decode_memory`.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
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
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
        random_area: (smallest, largest) fraction of the image's area that the window covers, at most 4. Hardly any
            window above 1 fits; one that does not is drawn again.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, a JPEG's luma as it is in the
            file. ANY_DATA: the channels of each file, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A batch has
            as many channels as the widest of its files; the additional ones of other files are zeros, and not part of their
            shapes.
        dtype: that of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type;
            1 for FLOAT. UINT16, supported only on the CPU so far, keeps the levels of 16-bit files; other types round them
            to 8 bits.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then return
            the output, and what is made from it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, see `on_error`. Iterators over
            several devices need a canvas for images that keep their sizes. None: as large as each batch needs. With a
            canvas, images are always decoded whole.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its
            image and all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger
            "jaxdali" name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an
            image are those in its header, or else those of the others in the batch if they agree, or none.
        adjust_orientation: rotate images as EXIF orientation says; False: leave them as they are stored. Decoders of
            the same files must agree.
        decoder: the decoder on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; False repeats it on a GPU. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: a GPU reserves that much memory for each
            batch decoded ahead, from the beginning and within `decode_memory`.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
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
) -> DataNode:
    """Decodes a window of each image; DALI's `fn.decoders.image_slice`. Only the window is decoded.

    What is not given is the image's own edge. Numbers of pixels are rounded, halves upwards. A window that leaves its image
    is a SourceDataError where the batch is handed out. Floats of the inputs are fractions of the image, as
    `normalized_anchor` and `normalized_shape` say.

    Args:
        data: an output of `external_source` or of a reader: files as `uint8[n]`.
        anchor: where each window begins, one number for each of `axes`.
        shape_input: extents of the window, likewise.
        start: where the window begins, in pixels; one number for each of `axes`, or one for all. `[]`: as if not given.
            May be a node with one value per sample.
        rel_start: where the window begins, in fractions of the image. May be a node with one value per sample.
        end: where the window ends, in pixels. May be a node with one value per sample.
        rel_end: where the window ends, in fractions of the image. May be a node with one value per sample.
        shape: size of the window, in pixels. May be a node with one value per sample.
        rel_shape: size of the window, in fractions of the image. May be a node with one value per sample.
        axes: axes that the numbers refer to: 0 is the height, 1 the width. May be a node with one value per sample.
        axis_names: names of these axes, "H" and "W", instead of `axes`.
        normalized_anchor: whether floats in the input `anchor` are fractions of the image.
        normalized_shape: whether floats in the input `shape` are fractions of the image.
        output_type: RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, a JPEG's luma as it is in the
            file. ANY_DATA: the channels of each file, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A batch has
            as many channels as the widest of its files; the additional ones of other files are zeros, and not part of their
            shapes.
        dtype: that of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type;
            1 for FLOAT. UINT16, supported only on the CPU so far, keeps the levels of 16-bit files; other types round them
            to 8 bits.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then return
            the output, and what is made from it without another size, as a pair: `[N, height, width, 3]`, each image in the
            top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, see `on_error`. Iterators over
            several devices need a canvas for images that keep their sizes. None: as large as each batch needs. With a
            canvas, images are always decoded whole.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its
            image and all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger
            "jaxdali" name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an
            image are those in its header, or else those of the others in the batch if they agree, or none.
        adjust_orientation: rotate images as EXIF orientation says; False: leave them as they are stored. Decoders of
            the same files must agree.
        decoder: the decoder on a GPU; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; False repeats it on a GPU. DALI's default is
            False.
        bytes_per_sample_hint: bytes of a decoded image, on average in a batch: a GPU reserves that much memory for each
            batch decoded ahead, from the beginning and within `decode_memory`.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
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
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Decodes NumPy's files that are there as bytes; DALI's `fn.decoders.numpy`.

    Files are read when the batch is computed, one after the other, on the thread that takes batches. Samples may differ in
    shape. Where the files are on disk `fn.readers.numpy` has workers read them.

    Args:
        data: the bytes of a .npy file, `uint8[n]`.
        dtype: that of the output; integers are rounded half away from zero and saturated. None: that of the files,
            which all files of a batch must then share.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    adjust_orientation: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Decodes files of video; DALI's `fn.decoders.video`.

    It decodes all frames, those of `frames`, or those from `start_frame` to `end_frame`, or `sequence_length` of
    them. It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through PyAV, a file by one thread, also H.264,
    HEVC and AV1. With `device="mixed"` the video engines of a GPU decode H.264 and HEVC of 8 bits and 4:2:0, with the
    same pixels, unless a function of Python takes the frames. FFmpeg shows what it conceals of a damaged file; there
    it is an error, or looks otherwise if the engine does not notice. `decode_ahead=0` of the pipeline leaves all to
    FFmpeg. Colors are converted as DALI's CPU decoder does. Frames are numbered in the order in which they are shown.
    Of several streams of video FFmpeg's choice is read; sound and subtitles are not.

    Files are decoded, or looked through for a GPU, where they are read: those of a reader, or of a source with
    `parallel=True`, in the workers. Where an argument is a node they are decoded on the host, between two programs of
    the device, one after the other. What cannot be decoded is a SourceError, which names the file. Where videos are
    on disk `fn.readers.video` reads of them what it needs.

    Args:
        encoded: files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`.
        frames: frame numbers, in any order; they may repeat. May be a node with one value per sample.
        start_frame: the first frame; 0 by default. It must be in the video. May be a node with one value per sample.
        end_frame: the end of the frames, exclusive; by default that of the video. May be a node with one value per
            sample.
        sequence_length: number of frames, instead of an end. May be a node with one value per sample.
        stride: distance between frames; 1 by default. May be a node with one value per sample.
        pad_mode: how to replace frames that the video does not have: by `fill_value`; by the nearest frame ("edge",
            "repeat"); or by those on the other side of the end, including the last one ("reflect_1001", "symmetric") or not
            ("reflect_101", "reflect"). "none": the clip ends earlier, and such numbers in `frames` are an error.
        fill_value: level of each channel, from 0 to 255, or one number for all.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does, which has no such argument for videos.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        affine: without effect: a file is decoded by one thread.
        build_index: without effect: where frames are located is found without decoding.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node of clips, `uint8[frames, height, width, 3]`, layout FHWC.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: PyAV is not installed.
        GraphError: `encoded` does not come straight from a source.
    """
    ...
