import os
from collections.abc import Sequence
from typing import Any, Literal

from jaxdali._dali.graph.call import DataNode

class Video:
    """Clips of videos, forever; DALI's `fn.experimental.readers.video`.

    Arguments as of `jaxdali.fn.experimental.readers.video`, each here or in the call.
    """
    def __init__(
        self,
        *,
        filenames: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
        labels: Sequence[int] | None = ...,
        file_root: str | os.PathLike[str] | None = ...,
        file_list: str | os.PathLike[str] | None = ...,
        file_list_format: Literal["timestamps", "frames"] = ...,
        file_list_rounding: Literal["start_down_end_up", "start_up_end_down", "all_up", "all_down"] = ...,
        sequence_length: int = ...,
        stride: int = ...,
        step: int = ...,
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
    ) -> None: ...
    def __call__(
        self,
        *,
        filenames: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = ...,
        labels: Sequence[int] | None = ...,
        file_root: str | os.PathLike[str] | None = ...,
        file_list: str | os.PathLike[str] | None = ...,
        file_list_format: Literal["timestamps", "frames"] = ...,
        file_list_rounding: Literal["start_down_end_up", "start_up_end_down", "all_up", "all_down"] = ...,
        sequence_length: int = ...,
        stride: int = ...,
        step: int = ...,
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
    ) -> list[DataNode]: ...
