import os
from collections.abc import Sequence
from typing import Any, Literal

from ...pipeline import DataNode

def video(
    *,
    filenames: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    labels: Sequence[int] | None = ...,
    file_root: str | os.PathLike[str] | None = ...,
    file_list: str | os.PathLike[str] | None = ...,
    file_list_format: Literal["timestamps", "frames"] = ...,
    file_list_rounding: Literal["start_down_end_up", "start_up_end_down", "all_up", "all_down"] = ...,
    sequence_length: int,
    stride: int = ...,
    step: int = ...,
    adjust_orientation: bool = ...,
    pad_mode: str = ...,
    fill_value: float | Sequence[float] = ...,
    uniform_sample: bool = ...,
    enable_frame_num: bool | Literal["none", "scalar", "sequence"] = ...,
    enable_timestamps: bool = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads clips of videos, forever, with DALI's newer arguments; DALI's `fn.experimental.readers.video`.

    FFmpeg decodes, through PyAV (`pip install 'jaxdali[video]'`), in worker processes, as many as
    `num_threads` and the CPUs allow, a clip by one thread; colors are converted as DALI's CPU decoder does. With
    `device="gpu"` clips are on the GPU, whose video engines decode H.264 and HEVC of 8 bits and 4:2:0, with the same
    pixels, unless a function of Python takes the clips. FFmpeg shows what it conceals of a damaged clip; there it is
    an error, or looks otherwise if the engine does not notice. `decode_ahead=0` of the pipeline leaves all to FFmpeg.
    Frames are numbered in the order in which they are shown; what a file has before the first frame that can be
    decoded does not count. All frames of a clip have one size. Of several streams of video FFmpeg's choice is read;
    sound and subtitles are not.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        filenames: paths.
        labels: one int32 for each of `filenames`; an empty list: the label of a file is its index. If it is not given,
            there are no labels.
        file_root: a folder with one subfolder per class; the index of a subfolder, in sorted order, is the label. Files
            that are not videos are skipped with a warning.
        file_list: path of a text with "path label [start [end]]" in every line; relative paths begin at the current
            folder, as in DALI. Clips are of what is from `start` to `end`, exclusive.
        file_list_format: unit of `start` and `end` in the list: seconds, or frame numbers, where negative ones count
            from the end of the file.
        file_list_rounding: how a `start` or `end` between two frames is rounded.
        sequence_length: number of frames per clip.
        stride: distance from one frame of a clip to the next.
        step: distance from the first frame of a clip to that of the next clip; less than 1: `sequence_length * stride`,
            as in DALI, whose documentation says `sequence_length`.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does, which has no such argument for videos.
        pad_mode: how to pad one more clip if the end of a file is too short for a full one. "constant": the missing
            frames are `fill_value`, and their numbers and times are -1; "edge", "repeat": the last frame is repeated;
            "reflect_1001", "symmetric": the preceding frames in reverse order, including the last one; "reflect_101",
            "reflect": the same without the last one; "none": there is no such clip.
        fill_value: level of each channel, from 0 to 255, or one number for all.
        uniform_sample: read one clip per file, with frames evenly spaced from the first to the last frame; `stride`,
            `step` and `pad_mode` are ignored.
        enable_frame_num: also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`;
            `"sequence"`, of each, `int32[sequence_length]`.
        enable_timestamps: also return when frames are shown, in seconds after the first one of the file:
            `float64[sequence_length]`.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time. Shards are cut out of the shuffled
            list of samples, which is the same in every process.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number per output, which then counts alone.
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are looked through when the operator is written.
        file_list_include_end: without effect: the end is exclusive, as in DALI, where this changes nothing either.
        image_type: <DALIImageType.RGB: 0> only: frames are red, green and blue; fn.color_space_conversion makes another
            color space of them.

    Returns:
        A node of clips, `uint8[sequence_length, height, width, 3]`, or `float32`, layout FHWC; a list of nodes where
        there are labels, `int32[1]`, with `file_root`, `file_list` and `labels`, numbers or times.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file, a folder or the list cannot be read.
        SourceDataError: from `run`: a frame cannot be decoded; names the file and the frame.
    """
    ...
