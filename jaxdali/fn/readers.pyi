import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..pipeline import DataNode
from ..tfrecord import Feature
from ..types import DALIDataType, DALIImageType, DALIInterpType

def caffe(
    *,
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    image_available: bool = ...,
    label_available: bool = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    seed: int | None = ...,
    random_shuffle: bool = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads images and labels from Caffe's databases, forever; DALI's `fn.readers.caffe`.

    Samples come in the order of their keys.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: paths of LMDB databases: folders that contain a data.mdb, or such files, or URLs of either (URLs of files
            end with .mdb). No library is needed, and no process may write to the databases.
        image_available: whether the samples have an image.
        label_available: whether the samples have a label.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        random_shuffle: read the samples of a shard in a different order each time, wherever they are stored. The order
            of the keys determines which samples belong to a shard.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, of an image and of its label, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: values are located when the operator is written.

    Returns:
        Nodes: the bytes of the images, `uint8[size]`, or where these are raw pixels `uint8[height, width, channels]`;
        and the labels, `int32[1]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a database cannot be read.
        SourceDataError: from `run`: a value is something else; names the file and the byte.
    """
    ...

def caffe2(
    *,
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    image_available: bool = ...,
    label_type: int = ...,
    num_labels: int = ...,
    additional_inputs: int = ...,
    bbox: bool = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    seed: int | None = ...,
    random_shuffle: bool = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads images, and what is beside them, from Caffe2's databases, forever; DALI's `fn.readers.caffe2`.

    Samples come in the order of their keys.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: paths of LMDB databases: folders that contain a data.mdb, or such files, or URLs of either (URLs of files
            end with .mdb). No library is needed, and no process may write to the databases.
        image_available: whether the samples have an image.
        label_type: 0: a number; 1: indices that are set to 1 in a vector of `num_labels`, where DALI 2.4 fails; 2: any
            numbers; 3: indices and weights that form such a vector; 4: no label.
        num_labels: length of the label vector with `label_type` 1 and 3.
        additional_inputs: number of tensors that follow the label.
        bbox: whether a box follows these tensors.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        random_shuffle: read the samples of a shard in a different order each time, wherever they are stored. The order
            of the keys determines which samples belong to a shard.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number per output, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: values are located when the operator is written.

    Returns:
        Nodes: the bytes of the images, `uint8[size]`, or raw pixels, `uint8[height, width, channels]`; the labels,
        `int32[1]` or `float32[1]`, `[n]` or `[num_labels]`; of each additional input `int32[n]` or `float32[n]`; the
        boxes, `int32[4]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a database cannot be read.
        SourceDataError: from `run`: a value is something else; names the file and the byte.
    """
    ...

def coco(
    *,
    file_root: str | os.PathLike[str],
    annotations_file: str | os.PathLike[str] | None = ...,
    images: str | Sequence[str] | None = ...,
    ltrb: bool = ...,
    ratio: bool = ...,
    size_threshold: float = ...,
    skip_empty: bool = ...,
    include_iscrowd: bool = ...,
    avoid_class_remapping: bool = ...,
    polygon_masks: bool = ...,
    pixelwise_masks: bool = ...,
    masks: bool = ...,
    image_ids: bool = ...,
    preprocessed_annotations: str | os.PathLike[str] | None = ...,
    save_preprocessed_annotations: bool = ...,
    save_preprocessed_annotations_dir: str | os.PathLike[str] | None = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads images and their objects, by annotations in COCO's format, forever; DALI's `fn.readers.coco`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Where masks of pixels meet, the largest label counts, as in DALI. Of several masks of one label DALI loses some pixels: a
    mask in runs that is not the last one, and what reaches the image's last pixel. Here all of them count.

    Args:
        file_root: folder of the image files.
        annotations_file: path of a JSON file with annotations in COCO's format.
        images: names of files as they appear in the annotations, in the order in which to read them; names may occur
            more than once, and those that do not appear there are left out. By default all images are read, in the order of
            their ids.
        ltrb: return boxes as left, top, right and bottom; by default as x, y, width and height, as in the file.
        ratio: return boxes and polygons in fractions of the image's width and height.
        size_threshold: ignore objects whose box is less wide or less high than this, in pixels.
        skip_empty: skip images in which all objects are ignored, or that have none.
        include_iscrowd: include objects with iscrowd=1.
        avoid_class_remapping: use the category ids as labels; by default labels are 1, 2, ... in the order of the
            categories in the file.
        polygon_masks: also return polygons and their vertices.
        pixelwise_masks: also return the label of each pixel; not with polygon_masks.
        masks: deprecated: like polygon_masks, but polygons count coordinates, two per vertex, instead of vertices.
        image_ids: also return the ids of the images.
        preprocessed_annotations: a folder written by save_preprocessed_annotations, here or in DALI; instead of
            annotations_file. All options that concern annotations are as they were when it was written.
        save_preprocessed_annotations: save the preprocessed annotations in a folder.
        save_preprocessed_annotations_dir: the folder in which they are saved; it must exist.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time. Shards are cut out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are divided into shards, each time the data begin,
            including the first time. The order is the same for every shard and process. It implies `stick_to_shard`, and
            cannot be combined with it or with `random_shuffle`.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number per output, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: annotations are read when the operator is written.
        save_img_ids: deprecated: is the old name of image_ids=; use that.
        meta_files_path: deprecated: is the old name of preprocessed_annotations=; use that.
        dump_meta_files: deprecated: is the old name of save_preprocessed_annotations=; use that.
        dump_meta_files_path: deprecated: is the old name of save_preprocessed_annotations_dir=; use that.

    Returns:
        Nodes: the bytes of the images, `uint8[size]`; boxes, `float32[n, 4]`; labels, `int32[n]`. Then with
        `polygon_masks` polygons, `int32[p, 3]`, of each its object and its first and last vertex (exclusive), and
        vertices, `float32[v, 2]`, x and y; with `pixelwise_masks` `int32[height, width, 1]`, 0 where no object is; with
        `image_ids` `int32[1]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: annotations cannot be read. That of an image comes as SourceError from `run`, with its path.
    """
    ...

def file(
    *,
    file_root: str | os.PathLike[str] | None = ...,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    labels: Sequence[int] | None = ...,
    file_list: str | os.PathLike[str] | None = ...,
    file_filters: str | Sequence[str] | None = ...,
    dir_filters: str | Sequence[str] | None = ...,
    case_sensitive_filter: bool = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads files and their labels, forever; DALI's `fn.readers.file`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder with one subfolder per class; the index of a subfolder, in sorted order, is the label. With
            `files` or `file_list`: the folder to which relative paths refer.
        files: paths or URLs of the files.
        labels: one int32 for each of `files`; by default the label of a file is its index.
        file_list: path of a text file with "path label" on each line. Without `file_root`, paths are relative to its
            folder.
        file_filters: only with `file_root` alone: patterns that file names must match; by default the extensions of
            images and audio files that DALI decodes.
        dir_filters: only with `file_root` alone: patterns that the names of class folders must match.
        case_sensitive_filter: whether the patterns are case-sensitive.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time. Shards are cut out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are divided into shards, each time the data begin,
            including the first time. The order is the same for every shard and process. It implies `stick_to_shard`, and
            cannot be combined with it or with `random_shuffle`.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, of a file and of its label, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are listed when the operator is written.

    Returns:
        Two nodes: the bytes of the files, `uint8[size]`, and the labels, `int32[1]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path.
    """
    ...

def mxnet(
    *,
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    index_path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads images and their labels from MXNet's RecordIO files, forever; DALI's `fn.readers.mxnet`.

    They come in the order of the files.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: paths or URLs of the RecordIO files.
        index_path: an index file for each of `path`, with lines "KEY OFFSET", made by `im2rec`, `rec2idx` or `jaxdali
            index`; or a single one whose offsets count through all files. If it is not given, the records are located when
            the operator is created.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time, wherever they are stored. The order
            of the files determines which samples belong to a shard.
        shuffle_after_epoch: shuffle the files, but not the samples in them, before they are divided into shards, each
            time the data begin, including the first time. The order is the same for every shard and process. It implies
            `stick_to_shard`, and cannot be combined with it. With `random_shuffle`, the samples of each shard are shuffled
            as well.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, of an image and of its labels, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: indices are read when the operator is written.

    Returns:
        Two nodes: the bytes of the images, `uint8[size]`, and the labels, `float32[n]`, one or more.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file or an index cannot be read.
        SourceDataError: from `run`: a record is damaged; names the file and the byte.
    """
    ...

def nemo_asr(
    *,
    manifest_filepaths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    read_sample_rate: bool = ...,
    read_text: bool = ...,
    read_idxs: bool = ...,
    min_duration: float = ...,
    max_duration: float = ...,
    downmix: bool = ...,
    dtype: DALIDataType = ...,
    sample_rate: float = ...,
    quality: float = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads sounds, and what is said in them, by NeMo's manifests, forever; DALI's `fn.readers.nemo_asr`.

    It wants `pip install 'jaxdali[audio]'`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        manifest_filepaths: paths of NeMo manifests. Each line is JSON for one sample: `audio_filepath`, optionally
            `duration` and `offset` of the part to read, in seconds, and optionally `text`. Paths are relative to the
            current folder. Lines without a path are skipped.
        read_sample_rate: also return the sample rates of the files, regardless of `sample_rate`.
        read_text: also return the texts.
        read_idxs: also return the index of each sample among the lines of its manifest that are not skipped.
        min_duration: in seconds; samples that are shorter, or have no duration, are skipped; 0: none are skipped.
        max_duration: in seconds; samples that are longer are skipped; 0: none are skipped.
        downmix: average all channels into one.
        dtype: that of the signal: FLOAT from -1 to 1, INT16 or INT32.
        sample_rate: sample rate of the signals, in Hz; 0 or less: that of each file.
        quality: quality of resampling: 0 is a sinc of 3 lobes on either side, 50 of 16, 100 of 64.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time. Shards are cut out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are divided into shards, each time the data begin,
            including the first time. The order is the same for every shard and process. It implies `stick_to_shard`, and
            cannot be combined with it or with `random_shuffle`.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number per output, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: manifests are read when the operator is written.
        normalize_text: deprecated: has no effect any more; leave it out.

    Returns:
        A node, or a list of them: the signals, `[samples]`, without `downmix` `[samples, channels]`; with
        `read_sample_rate` the rates, `float32`; with `read_text` the texts in UTF-8, `uint8[n]`; with `read_idxs`
        `int64[1]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: soundfile is not installed.
        OSError: a manifest cannot be read. That of a sound comes as SourceError from `run`, with its path.
    """
    ...

def numpy(
    *,
    file_root: str | os.PathLike[str] | None = ...,
    file_filter: str = ...,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    file_list: str | os.PathLike[str] | None = ...,
    roi_start: int | Sequence[int] | DataNode | None = ...,
    rel_roi_start: float | Sequence[float] | DataNode | None = ...,
    roi_end: int | Sequence[int] | DataNode | None = ...,
    rel_roi_end: float | Sequence[float] | DataNode | None = ...,
    roi_shape: int | Sequence[int] | DataNode | None = ...,
    rel_roi_shape: float | Sequence[float] | DataNode | None = ...,
    roi_axes: int | Sequence[int] = ...,
    out_of_bounds_policy: str = ...,
    fill_value: float = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Reads arrays from NumPy's files, forever; DALI's `fn.readers.numpy`.

    Two readers with one `seed` stay in step, as of images and of labels.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder that is searched for files, and the folders right in it, but none deeper; or the folder to
            which relative paths refer.
        file_filter: only with `file_root` alone: a pattern that file names must match.
        files: paths or URLs of the files.
        file_list: path of a text file with one path per line. Without `file_root`, paths are relative to its folder.
        roi_start: where the region to read begins in each array; one number per axis, or one for all. If an argument of
            the region is a node, arrays are read whole, and cut by `fn.slice`. May be a node with one value per sample.
        rel_roi_start: where the region begins, in fractions of the array. May be a node with one value per sample.
        roi_end: where the region ends (exclusive). May be a node with one value per sample.
        rel_roi_end: where the region ends, in fractions of the array. May be a node with one value per sample.
        roi_shape: size of the region, instead of its end. May be a node with one value per sample.
        rel_roi_shape: size of the region, in fractions of the array, instead of its end. May be a node with one value
            per sample.
        roi_axes: axes that these arguments refer to; negative ones count from the last. By default all axes.
        out_of_bounds_policy: what happens if the region exceeds the array: an error, padding with `fill_value`, or the
            region is cut off.
        fill_value: value of the padding with `out_of_bounds_policy`="pad".
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time. Shards are cut out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are divided into shards, each time the data begin,
            including the first time. The order is the same for every shard and process. It implies `stick_to_shard`, and
            cannot be combined with it or with `random_shuffle`.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, of the array, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are listed when the operator is written.
        cache_header_information: without effect: a header is read with its array.
        register_buffers: without effect: files are read by the host.
        use_o_direct: without effect: files are read through the system's cache.

    Returns:
        A node: the array of each file, rows first, of bools, integers, or floats of 16 to 64 bits.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path.
        SourceDataError: from `run`: a file is not an array of numbers, is cut off, or has not what is wanted.
    """
    ...

def sequence(
    *,
    file_root: str | os.PathLike[str],
    sequence_length: int,
    step: int = ...,
    stride: int = ...,
    image_type: DALIImageType = ...,
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
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Reads clips of videos whose frames are images in folders, forever; DALI's `fn.readers.sequence`.

    No clip reaches from one folder into the next, and there are only full ones. Where the videos themselves are there,
    `fn.readers.video` reads them from fewer bytes.

    Images are decoded in the worker processes, by Pillow, and turned as their Exif data say.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder with one subfolder per video. A subfolder contains the frames of the video, one image each,
            in the order of their names.
        sequence_length: number of frames per clip.
        step: distance from the first frame of a clip to that of the next clip.
        stride: distance from one frame of a clip to the next.
        image_type: `RGB`, `BGR`, `GRAY`, or `ANY_DATA`: the channels that the files have.
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
        bytes_per_sample_hint: likewise; also as a list, of the clip, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are listed when the operator is written.

    Returns:
        A node of clips, `uint8[sequence_length, height, width, C]`, layout FHWC.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a folder cannot be read. That of a file comes as SourceError from `run`, with its path.
        SourceDataError: from `run`: a frame cannot be decoded, or is not as large as the first one of its clip.
    """
    ...

def tfrecord(
    *,
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    features: Mapping[str, Feature],
    index_path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> dict[str, DataNode]:
    """Reads features of the Examples in TFRecord files, forever; DALI's `fn.readers.tfrecord`.

    No TensorFlow is needed. A feature has all of its values, or is an error. So is one of several strings, of which
    DALI gives the first: `jaxdali.source.TFRecords` gives them all. Of a SequenceExample, which DALI does not read, a
    name is that of a feature of the context or of a feature list, whose steps are the first axis; each step has one
    `partial_shape` of numbers, or one.

    A fixed feature that an Example lacks has its default value, where DALI gives what is in memory; one of any number
    of values has none, `[0]` or `[0, *partial_shape]`. Lengths and checksums of records are checked; what is damaged is an
    error that names the file and the byte.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: paths or URLs of the files; compressed files are not supported.
        features: the features to read from each Example: a dictionary from their names to a
            `jaxdali.tfrecord.FixedLenFeature` or `VarLenFeature`.
        index_path: an index file for each of `path`, with the positions of its records, made by `jaxdali index` or
            DALI's `tfrecord2idx`. If it is not given, the records are located when the operator is created, which reads the
            length of every record.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time, wherever they are stored. The order
            of the files determines which samples belong to a shard.
        shuffle_after_epoch: shuffle the files, but not the samples in them, before they are divided into shards, each
            time the data begin, including the first time. The order is the same for every shard and process. It implies
            `stick_to_shard`, and cannot be combined with it. With `random_shuffle`, the samples of each shard are shuffled
            as well.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number a feature, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: indices are read when the operator is written.
        use_o_direct: without effect: files are read through the system's cache.

    Returns:
        A dictionary of nodes, by the names of `features`: of a string its bytes, `uint8[size]`, and `uint8[0]` if there
        is none; of numbers `int64` or `float32`, of `shape`, or `[n]` or `[n, *partial_shape]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file or an index cannot be read.
        SourceDataError: from `run`: a record is damaged, is not an Example, or has a feature of another type or number
            of values.
    """
    ...

def video(
    *,
    filenames: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    labels: Sequence[int] | None = ...,
    file_root: str | os.PathLike[str] | None = ...,
    file_list: str | os.PathLike[str] | None = ...,
    file_list_frame_num: bool = ...,
    file_list_include_preceding_frame: bool = ...,
    sequence_length: int,
    stride: int = ...,
    step: int = ...,
    adjust_orientation: bool = ...,
    pad_sequences: bool = ...,
    dtype: DALIDataType = ...,
    normalized: bool = ...,
    enable_frame_num: bool | Literal["none", "scalar", "sequence"] = ...,
    enable_timestamps: bool = ...,
    skip_vfr_check: bool = ...,
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
    """Reads clips of videos, forever; DALI's `fn.readers.video`.

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
            folder, as in DALI. From `start` to `end`, exclusive, in seconds, of which the first frame is `ceil(start *
            rate)` and the end `floor(end * rate)`; less than 0: from the end of the file.
        file_list_frame_num: `start` and `end` in the list are frame numbers.
        file_list_include_preceding_frame: round outwards: the first frame is `floor(start * rate)`, and the end is
            `ceil(end * rate)`.
        sequence_length: number of frames per clip.
        stride: distance from one frame of a clip to the next.
        step: distance from the first frame of a clip to that of the next clip; less than 1: `sequence_length * stride`,
            as in DALI, whose documentation says `sequence_length`.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does, which has no such argument for videos.
        pad_sequences: add one more clip if the end of a file is too short for a full one. The missing frames are 0, and
            their numbers and times are -1.
        dtype: `UINT8` or `FLOAT`; `FLOAT` takes four times the memory in transit.
        normalized: scale floats to 0 to 1; by default they are 0 to 255.
        enable_frame_num: also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`;
            `"sequence"`, of each, `int32[sequence_length]`.
        enable_timestamps: also return when frames are shown, in seconds after the first one of the file:
            `float64[sequence_length]`.
        skip_vfr_check: also read files whose frames are not evenly spaced in time.
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
        additional_decode_surfaces: without effect: a decoder has as many as its video needs.
        image_type: <DALIImageType.RGB: 0> only: frames are red, green and blue; fn.color_space_conversion makes another
            color space of them.
        channels: 3 only: frames are red, green and blue.

    Returns:
        A node of clips, `uint8[sequence_length, height, width, 3]`, or `float32`, layout FHWC; a list of nodes where
        there are labels, `int32[1]`, with `file_root`, `file_list` and `labels`, numbers or times.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file, a folder or the list cannot be read.
        SourceDataError: from `run`: a frame cannot be decoded; names the file and the frame.
    """
    ...

def video_resize(
    *,
    filenames: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    labels: Sequence[int] | None = ...,
    file_root: str | os.PathLike[str] | None = ...,
    file_list: str | os.PathLike[str] | None = ...,
    file_list_frame_num: bool = ...,
    file_list_include_preceding_frame: bool = ...,
    sequence_length: int,
    stride: int = ...,
    step: int = ...,
    adjust_orientation: bool = ...,
    pad_sequences: bool = ...,
    dtype: DALIDataType = ...,
    normalized: bool = ...,
    enable_frame_num: bool | Literal["none", "scalar", "sequence"] = ...,
    enable_timestamps: bool = ...,
    skip_vfr_check: bool = ...,
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
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads clips of videos in an endless stream and resizes them; DALI's `fn.readers.video_resize`. It is
    `fn.readers.video` followed by `fn.resize`, each with its own arguments.

    Frames are decoded as there, and resized in the program. A name is that of the reader.

    Args:
        filenames: paths.
        labels: one int32 for each of `filenames`; an empty list: the label of a file is its index. If it is not given,
            there are no labels.
        file_root: a folder with one subfolder per class; the index of a subfolder, in sorted order, is the label. Files
            that are not videos are skipped with a warning.
        file_list: path of a text with "path label [start [end]]" in every line; relative paths begin at the current
            folder, as in DALI. From `start` to `end`, exclusive, in seconds, of which the first frame is `ceil(start *
            rate)` and the end `floor(end * rate)`; less than 0: from the end of the file.
        file_list_frame_num: `start` and `end` in the list are frame numbers.
        file_list_include_preceding_frame: round outwards: the first frame is `floor(start * rate)`, and the end is
            `ceil(end * rate)`.
        sequence_length: number of frames per clip.
        stride: distance from one frame of a clip to the next.
        step: distance from the first frame of a clip to that of the next clip; less than 1: `sequence_length * stride`,
            as in DALI, whose documentation says `sequence_length`.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does, which has no such argument for videos.
        pad_sequences: add one more clip if the end of a file is too short for a full one. The missing frames are 0, and
            their numbers and times are -1.
        dtype: `UINT8` or `FLOAT`; `FLOAT` takes four times the memory in transit.
        normalized: scale floats to 0 to 1; by default they are 0 to 255.
        enable_frame_num: also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`;
            `"sequence"`, of each, `int32[sequence_length]`.
        enable_timestamps: also return when frames are shown, in seconds after the first one of the file:
            `float64[sequence_length]`.
        skip_vfr_check: also read files whose frames are not evenly spaced in time.
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
        device: where it runs: "cpu" or "gpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are looked through when the operator is written.
        additional_decode_surfaces: without effect: a decoder has as many as its video needs.
        minibatch_size: without effect: the whole batch is one computation.
        temp_buffer_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        image_type: <DALIImageType.RGB: 0> only: frames are red, green and blue; fn.color_space_conversion makes another
            color space of them.
        channels: 3 only: frames are red, green and blue.

    Returns:
        A node of clips, `uint8[sequence_length, height, width, 3]`, or `float32`, layout FHWC; a list of nodes where
        there are labels, `int32[1]`, with `file_root`, `file_list` and `labels`, numbers or times.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file, a folder or the list cannot be read.
        SourceDataError: from `run`: a frame cannot be decoded; names the file and the frame.
    """
    ...

def webdataset(
    *,
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    ext: str | Sequence[str],
    index_paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
    dtypes: DALIDataType | Sequence[DALIDataType] | None = ...,
    missing_component_behavior: Literal["empty", "skip", "error"] = ...,
    case_sensitive_extensions: bool = ...,
    shard_id: int = ...,
    num_shards: int = ...,
    stick_to_shard: bool = ...,
    pad_last_batch: bool = ...,
    random_shuffle: bool = ...,
    shuffle_after_epoch: bool = ...,
    shuffle_after_epoch_seed: int | None = ...,
    seed: int | None = ...,
    initial_fill: int = ...,
    prefetch_queue_depth: int = ...,
    tensor_init_bytes: int | None = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    cache_dir: str | os.PathLike[str] | None = ...,
    cache_bytes: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Reads samples from tar archives, forever; DALI's `fn.readers.webdataset`.

    A sample are files in a row whose names differ behind their first dot only. Names that begin with a dot, links and
    folders do not count.

    Warnings of the logger "jaxdali" name the first sample that has several files for an output, of which the first
    counts, and the first one whose files do not lie together, so that they are two samples that lack some.

    Long names in PAX's archives count whole, where DALI cuts them off at 100 bytes.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    https://jaxdali.github.io/jaxdali/stable/pipelines/#files-in-buckets

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        paths: paths or URLs of the archives; compressed archives are not supported.
        ext: file extension for each output: everything after the first dot of the name, such as "jpg" or "left.png".
            Several alternatives are separated by ";", such as "jpg;jpeg"; the file that comes first in the archive is used.
        index_paths: an index file for each of `paths`, made by DALI's `wds2idx` or `jaxdali index`. If it is not given,
            the archives are scanned when the operator is created.
        dtypes: for each output, the type of the numbers in the file, in little-endian order; by default `UINT8`, the
            bytes of the file.
        missing_component_behavior: what happens if a sample has no file for an output: the output is empty, the sample
            is skipped, or an error is raised when the operator is created.
        case_sensitive_extensions: whether extensions are case-sensitive.
        shard_id: index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        num_shards: number of shards.
        stick_to_shard: read only this shard. By default the samples of the next shard follow.
        pad_last_batch: end every pass through a shard with a full batch, in which its last sample is repeated. All
            shards then have the same number of batches, and the next pass begins at the start of a shard. By default
            batches cross the borders of shards.
        random_shuffle: read the samples of a shard in a different order each time, wherever they are stored. The order
            of the files determines which samples belong to a shard.
        shuffle_after_epoch: shuffle the files, but not the samples in them, before they are divided into shards, each
            time the data begin, including the first time. The order is the same for every shard and process. It implies
            `stick_to_shard`, and cannot be combined with it. With `random_shuffle`, the samples of each shard are shuffled
            as well.
        shuffle_after_epoch_seed: seed of the order of `shuffle_after_epoch`; by default it is always the same.
        seed: seed of the order of `random_shuffle`; by default the pipeline's.
        initial_fill: size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the
            whole shard. Their order is a keyed permutation, which keeps nothing in memory.
        prefetch_queue_depth: number of batches to read ahead, in addition to those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start with this size and need not grow; see
            `Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies.
        bytes_per_sample_hint: likewise; also as a list, one number per output, which then counts alone.
        cache_dir: a folder in which data read from URLs are cached, shared by all processes that use it; by default
            nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is the same.
        cache_bytes: largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed
            first.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: archives or indices are read when the operator is written.

    Returns:
        A node for each of `ext`: what its file holds, `uint8[size]`, or as many numbers of its type.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: an archive or an index cannot be read.
        SourceDataError: from `run`: an archive is shorter than its index says.
    """
    ...
