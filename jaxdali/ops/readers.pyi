import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..graph.call import DataNode
from ..tfrecord import Feature

class File:
    """Files and their labels, for ever; DALI's `fn.readers.file`.

    Arguments as of `jaxdali.fn.readers.file`, each here or in the call.
    """
    def __init__(
        self,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> list[DataNode]: ...

class TFRecord:
    """Features of the Examples in TFRecord files, for ever; DALI's `fn.readers.tfrecord`. No TensorFlow is needed.

    Arguments as of `jaxdali.fn.readers.tfrecord`, each here or in the call.
    """
    def __init__(
        self,
        *,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = ...,
        features: Mapping[str, Feature] = ...,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = ...,
        features: Mapping[str, Feature] = ...,
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
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> dict[str, DataNode]: ...
