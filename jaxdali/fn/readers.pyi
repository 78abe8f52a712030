import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..graph.call import DataNode
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
    """Images and labels in Caffe's databases, forever; DALI's `fn.readers.caffe`.

    Samples come in the order of their keys.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: of LMDB's databases: folders with a data.mdb, or such files, or URLs of either (of files they end with
            .mdb). No library is needed, and no process may write to them.
        image_available: whether there is an image.
        label_available: whether there is a label.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        random_shuffle: read the samples of a shard in another order each time, wherever they are. Which samples a shard
            has follows from the order of the keys.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, of an image and of its label, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: the places of values are looked for when the operator is written.

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
    """Images in Caffe2's databases and what is beside them, forever; DALI's
    `fn.readers.caffe2`.

    Samples come in the order of their keys.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: of LMDB's databases: folders with a data.mdb, or such files, or URLs of either (of files they end with
            .mdb). No library is needed, and no process may write to them.
        image_available: whether there is an image.
        label_type: 0: a number; 1: indices, which become 1 in a vector of `num_labels`, where DALI 2.4 fails; 2: any
            numbers; 3: indices and weights, which become such a vector; 4: there is none.
        num_labels: with `label_type` 1 and 3.
        additional_inputs: tensors behind the label.
        bbox: whether a box is behind those.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        random_shuffle: read the samples of a shard in another order each time, wherever they are. Which samples a shard
            has follows from the order of the keys.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: the places of values are looked for when the operator is written.

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
    """Images and their objects, of annotations in COCO's format, forever; DALI's `fn.readers.coco`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Where masks of pixels meet, the largest label counts, as in DALI. Of several masks of one label DALI loses some pixels: a
    mask in runs that is not the last one, and what reaches the image's last pixel. Here all of them count.

    Args:
        file_root: where the files of images are.
        annotations_file: of annotations in COCO's format, JSON.
        images: names of files as the annotations have them, in the order in which they come, also several times. Not
            given, all of them come, in the order of their ids.
        ltrb: boxes are left, top, right and bottom; by default x, y, width and height, as in the file.
        ratio: boxes and polygons are fractions of the image's width and height.
        size_threshold: an object whose box has less width or height, in pixels, does not count.
        skip_empty: leave out images without an object that counts.
        include_iscrowd: objects with iscrowd=1 count.
        avoid_class_remapping: labels are ids of categories; by default 1, 2, ... in the order of the categories in the
            file.
        polygon_masks: return polygons and their vertices.
        pixelwise_masks: return of each pixel the label; not with polygon_masks.
        masks: deprecated: as polygon_masks, but polygons are given with numbers of coordinates, two a vertex, in place
            of vertices.
        image_ids: return the ids of images.
        preprocessed_annotations: a folder that save_preprocessed_annotations wrote, here or in DALI, in place of
            annotations_file; what depends on annotations is as it was then.
        save_preprocessed_annotations: write what was worked out of the annotations into a folder.
        save_preprocessed_annotations_dir: that folder, which must be there.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are cut into shards, each time that the data begin, the
            first time included. Every shard and process has the same order. It implies `stick_to_shard`, which is not to be
            given as well, nor `random_shuffle`.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
    """Files and their labels, forever; DALI's `fn.readers.file`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder with one folder a class; the index of a class's folder, in sorted order, is the label. Or,
            with `files` or `file_list`, where relative paths begin.
        files: paths, or URLs.
        labels: one int32 for each of `files`; without, its label is its index.
        file_list: path of a text with "path label" in every line. Without `file_root` paths begin at its folder.
        file_filters: with `file_root` alone: patterns of the names of files that count; by default the endings of
            images and sounds that DALI decodes.
        dir_filters: likewise of the classes' folders.
        case_sensitive_filter: whether they tell upper from lower case.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are cut into shards, each time that the data begin, the
            first time included. Every shard and process has the same order. It implies `stick_to_shard`, which is not to be
            given as well, nor `random_shuffle`.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, of a file and of its label, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
    """Images and their labels in MXNet's RecordIO files, in the order of the files, forever; DALI's
    `fn.readers.mxnet`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: of the RecordIO files, or URLs.
        index_path: a file for each of `path` with lines "KEY OFFSET", of `im2rec`, `rec2idx` or `jaxdali index`; or
            one, whose offsets count through all files. Not given, records are looked for when the operator is written.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time, wherever they are. Which samples a shard
            has follows from the order of the files.
        shuffle_after_epoch: shuffle the files, not the samples in them, before they are cut into shards, each time that
            the data begin, the first time included. Every shard and process has the same order. It implies
            `stick_to_shard`, which is not to be given as well; with `random_shuffle` the samples of each shard are shuffled
            besides.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, of an image and of its labels, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
    """Sounds and what is said in them, of NeMo's manifests, forever; DALI's `fn.readers.nemo_asr`. It wants
    `pip install 'jaxdali[audio]'`.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        manifest_filepaths: of NeMo's manifests: a line of JSON for each sample, with `audio_filepath`, and where it is
            given `duration` and `offset` in seconds, of the part that is read, and `text`. Paths begin at the current
            folder. Lines without a path are left out.
        read_sample_rate: return the rates of the files, whatever `sample_rate` is.
        read_text: return the texts.
        read_idxs: return which line of its manifest a sample is, of those that count.
        min_duration: in seconds; what is shorter, or has no duration, is left out; 0: nothing is.
        max_duration: in seconds; what is longer is left out; 0: nothing is.
        downmix: channels become one, their average.
        dtype: of the signal: FLOAT from -1 to 1, INT16 or INT32.
        sample_rate: of the signals, in Hz; 0 or less: the files'.
        quality: of another rate: 0 is a sinc of 3 lobes to either side, 50 of 16, 100 of 64.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are cut into shards, each time that the data begin, the
            first time included. Every shard and process has the same order. It implies `stick_to_shard`, which is not to be
            given as well, nor `random_shuffle`.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
    roi_start: int | Sequence[int] | None = ...,
    rel_roi_start: float | Sequence[float] | None = ...,
    roi_end: int | Sequence[int] | None = ...,
    rel_roi_end: float | Sequence[float] | None = ...,
    roi_shape: int | Sequence[int] | None = ...,
    rel_roi_shape: float | Sequence[float] | None = ...,
    roi_axes: int | Sequence[int] = ...,
    out_of_bounds_policy: Literal["error", "pad", "trim_to_shape"] = ...,
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
    """Arrays in NumPy's files, forever; DALI's `fn.readers.numpy`. Two readers with one `seed` stay in
    step, as of images and of labels.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder, in which and in whose folders files are found; or where relative paths begin.
        file_filter: with `file_root` alone: a pattern of the names of files that count.
        files: paths, or URLs.
        file_list: of a text with a path in every line. Without `file_root` paths begin at its folder.
        roi_start: where the part of each array that is read begins, of each axis, or one for all.
        rel_roi_start: likewise, as fractions of the array.
        roi_end: where it ends, exclusive.
        rel_roi_end: likewise, as fractions of the array.
        roi_shape: how large it is, in place of its end.
        rel_roi_shape: likewise, as fractions of the array.
        roi_axes: axes that these speak of; negative ones count from the last. By default all.
        out_of_bounds_policy: where the part reaches out of the array: an error, filled with `fill_value`, or cut off.
        fill_value: with `out_of_bounds_policy`="pad".
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        shuffle_after_epoch: shuffle all samples before they are cut into shards, each time that the data begin, the
            first time included. Every shard and process has the same order. It implies `stick_to_shard`, which is not to be
            given as well, nor `random_shuffle`.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, of the array, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
        SourceDataError: from `run`: a file is no array of numbers, is cut off, or has not what is wanted.
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
    """Clips of videos whose frames are images in folders, forever; DALI's `fn.readers.sequence`. No clip reaches
    from one folder into the next, and there are only full ones. Where the videos themselves are there, `fn.readers.video`
    reads them from fewer bytes.

    Images are decoded in the worker processes, by Pillow, and turned as their Exif data say.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        file_root: a folder with a folder for each video, in which are its frames: an image each, in the order of their
            names.
        sequence_length: frames of a clip.
        step: from the first frame of a clip to that of the next one.
        stride: from one frame of a clip to the next.
        image_type: `RGB`, `BGR`, `GRAY`, or `ANY_DATA`: the channels that the files have.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, of the clip, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
    """Features of the Examples in TFRecord files, forever; DALI's `fn.readers.tfrecord`. No TensorFlow is needed.

    A fixed feature that an Example lacks has its default value, where DALI gives what is in memory; one of any number
    of values has none, `[0]` or `[0, *partial_shape]`. Lengths and checksums of records are checked; what is damaged is an
    error that names the file and the byte.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        path: of the files, or URLs; compressed ones are not read.
        features: what is wanted of each Example: by its name there a `jaxdali.tfrecord.FixedLenFeature` or
            `VarLenFeature`.
        index_path: a file for each of `path` with the places of its records, of `jaxdali index` or DALI's
            `tfrecord2idx`. Not given, they are found when the operator is written, for which the length of every record is
            read.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time, wherever they are. Which samples a shard
            has follows from the order of the files.
        shuffle_after_epoch: shuffle the files, not the samples in them, before they are cut into shards, each time that
            the data begin, the first time included. Every shard and process has the same order. It implies
            `stick_to_shard`, which is not to be given as well; with `random_shuffle` the samples of each shard are shuffled
            besides.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number a feature, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: indices are read when the operator is written.
        use_o_direct: without effect: files are read through the system's cache.

    Returns:
        A dictionary of nodes, by the names of `features`: of a string the bytes of its first text, `uint8[size]`; of
        numbers `int64` or `float32`, of `shape`, or `[n]` or `[n, *partial_shape]`.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file or an index cannot be read.
        SourceDataError: from `run`: a record is damaged, is no Example, or has a feature of another type or size.
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
    """Clips of videos, forever; DALI's `fn.readers.video`.

    FFmpeg decodes, through PyAV (`pip install 'jaxdali[video]'`), in the worker processes (`py_num_workers`),
    a clip by one thread, whatever the device; colors are converted as DALI's CPU decoder does. With `device="gpu"` clips
    are copied to the GPU. Marks that say how a video is to be turned do not count.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        filenames: paths.
        labels: one int32 for each of `filenames`; an empty list: the label of a file is its index. Without, there are
            none.
        file_root: a folder with one folder a class; the index of a class's folder, in sorted order, is the label. Files
            that are no videos are left out, with a warning.
        file_list: path of a text with "path label [start [end]]" in every line; relative paths begin at the current
            folder, as in DALI. From `start` to `end`, exclusive, in seconds, of which the first frame is `ceil(start *
            rate)` and the end `floor(end * rate)`; less than 0: from the end of the file.
        file_list_frame_num: those are numbers of frames.
        file_list_include_preceding_frame: the first frame is `floor(start * rate)`, and the end `ceil(end * rate)`.
        sequence_length: frames of a clip.
        stride: from one frame of a clip to the next.
        step: from the first frame of a clip to that of the next one; less than 1: `sequence_length * stride`, as in
            DALI, whose documents say `sequence_length`.
        pad_sequences: one clip more where the end of a file is not enough for one: what it lacks is 0, with -1 for
            numbers and times.
        dtype: `UINT8` or `FLOAT`, which takes four times the memory on the way.
        normalized: floats from 0 to 1, by default to 255.
        enable_frame_num: also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`;
            `"sequence"`, of each, `int32[sequence_length]`.
        enable_timestamps: also return when frames are shown, in seconds: `float64[sequence_length]`.
        skip_vfr_check: read files whose frames are at different distances, too.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are looked through when the operator is written.
        additional_decode_surfaces: without effect: FFmpeg decodes, which has none.
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
    interp_type: DALIInterpType = ...,
    min_filter: DALIInterpType | None = ...,
    mag_filter: DALIInterpType | None = ...,
    antialias: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> list[DataNode]:
    """Clips of videos that are resized, forever; DALI's `fn.readers.video_resize`: `fn.readers.video`, and behind
    it `fn.resize` with the arguments that are its own.

    FFmpeg decodes in the worker processes, whatever the device, and frames are resized in the program. A name is the
    reader's.

    Args:
        filenames: paths.
        labels: one int32 for each of `filenames`; an empty list: the label of a file is its index. Without, there are
            none.
        file_root: a folder with one folder a class; the index of a class's folder, in sorted order, is the label. Files
            that are no videos are left out, with a warning.
        file_list: path of a text with "path label [start [end]]" in every line; relative paths begin at the current
            folder, as in DALI. From `start` to `end`, exclusive, in seconds, of which the first frame is `ceil(start *
            rate)` and the end `floor(end * rate)`; less than 0: from the end of the file.
        file_list_frame_num: those are numbers of frames.
        file_list_include_preceding_frame: the first frame is `floor(start * rate)`, and the end `ceil(end * rate)`.
        sequence_length: frames of a clip.
        stride: from one frame of a clip to the next.
        step: from the first frame of a clip to that of the next one; less than 1: `sequence_length * stride`, as in
            DALI, whose documents say `sequence_length`.
        pad_sequences: one clip more where the end of a file is not enough for one: what it lacks is 0, with -1 for
            numbers and times.
        dtype: `UINT8` or `FLOAT`, which takes four times the memory on the way.
        normalized: floats from 0 to 1, by default to 255.
        enable_frame_num: also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`;
            `"sequence"`, of each, `int32[sequence_length]`.
        enable_timestamps: also return when frames are shown, in seconds: `float64[sequence_length]`.
        skip_vfr_check: read files whose frames are at different distances, too.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time; and cut the shards out of the shuffled
            list of samples, which is the same in every process.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
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
        device: where it is placed: "cpu" or "gpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        read_ahead: without effect: samples are read ahead by `prefetch_queue_depth`, each of them whole.
        dont_use_mmap: without effect: no file is mapped.
        skip_cached_images: without effect: decoded images are not cached, so every file is read.
        lazy_init: without effect: files are looked through when the operator is written.
        additional_decode_surfaces: without effect: FFmpeg decodes, which has none.
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
    """Samples in tar archives, forever; DALI's `fn.readers.webdataset`. A sample are files in a row whose names
    differ behind their first dot only. Names that begin with a dot, links and folders do not count.

    Long names in PAX's archives count whole, where DALI cuts them off at 100 bytes.

    Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; docs/pipelines.md says
    how objects are read.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in.

    Args:
        paths: of the archives, or URLs; compressed ones are not read.
        ext: for each output the extension of its file, which is what follows the first dot of a name, such as "jpg" or
            "left.png"; or several, as "jpg;jpeg", of which the file that comes first counts.
        index_paths: a file for each of `paths`, of DALI's `wds2idx` or `jaxdali index`. Not given, archives are looked
            through when the operator is written.
        dtypes: of each output the type of the numbers that a file is, low byte first; by default `UINT8`, its bytes.
        missing_component_behavior: where a sample has no file for an output: it is empty, the sample does not count, or
            an error when the operator is written.
        case_sensitive_extensions: whether extensions tell upper from lower case.
        shard_id: of N samples these are samples `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N /
            num_shards)`.
        num_shards: how many shards there are.
        stick_to_shard: read this shard only. By default the next shard's samples follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all
            shards take equally many batches, and the next pass begins where a shard begins. By default batches cross
            borders.
        random_shuffle: read the samples of a shard in another order each time, wherever they are. Which samples a shard
            has follows from the order of the files.
        shuffle_after_epoch: shuffle the files, not the samples in them, before they are cut into shards, each time that
            the data begin, the first time included. Every shard and process has the same order. It implies
            `stick_to_shard`, which is not to be given as well; with `random_shuffle` the samples of each shard are shuffled
            besides.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        initial_fill: how many samples DALI draws from. Here it is all samples of the shard, whatever this says: their
            order is a keyed permutation, for which nothing is kept in memory.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        tensor_init_bytes: expected size of a sample. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        bytes_per_sample_hint: likewise; also as a list, one number an output, which then counts alone.
        cache_dir: a folder in which what is read of URLs is kept, for all processes that are given it; by default
            nothing is. An object that is read whole is taken to be the same as long as its name is.
        cache_bytes: how many bytes that folder may have, 16 GiB by default; what was used least recently goes.
        device: where it is placed: "cpu". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
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
