"""Readers: sources that know where their data lie, and cut them into shards."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Sequence
from typing import Any

from ..errors import ConfigError, check_integer
from ..missing import explain_missing
from ..pipeline.node import DataNode
from ..pipeline.presize import MOST_BYTES, check_hint
from ..pipeline.reader_spec import FILE_READER, ReaderSpec
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..readers.listing import FILE_FILTERS, LabelledFiles
from .arguments import check_seed, check_unsupported

__all__ = ["file"]

_UNSUPPORTED: dict[str, tuple[Any, str]] = {
    "lazy_init": (False, "files are listed when the pipeline is defined"),
    "skip_cached_images": (False, "decoded images are not cached, so every file is read"),
}

_LARGEST_SEED = (1 << 64) - 1


@recorded("fn.readers.file")
def file(
    *,
    file_root: str | os.PathLike[str] | None = None,
    files: Sequence[str] | str | None = None,
    labels: Sequence[int] | None = None,
    file_list: str | os.PathLike[str] | None = None,
    file_filters: Sequence[str] | str | None = None,
    dir_filters: Sequence[str] | str | None = None,
    case_sensitive_filter: bool = False,
    shard_id: int = 0,
    num_shards: int = 1,
    stick_to_shard: bool = False,
    pad_last_batch: bool = False,
    random_shuffle: bool = False,
    initial_fill: int = 1024,
    shuffle_after_epoch: bool = False,
    shuffle_after_epoch_seed: int | None = None,
    seed: int | None = None,
    prefetch_queue_depth: int = 1,
    read_ahead: bool = False,
    dont_use_mmap: bool = False,
    tensor_init_bytes: int | None = None,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    device: str = "cpu",
    name: str | None = None,
    **dali: Any,
) -> list[DataNode]:
    """Files and their labels, for ever; DALI's `fn.readers.file`.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that does. The
    stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the iterator,
    see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a file and the number of shards that its reader has visited before, so in an epoch a file gets
    the same numbers whichever shard it is in.

    Args:
        file_root: a folder with one folder a class; the index of a class's folder, in sorted order, is the label. Or, with
            `files` or `file_list`, where relative paths begin.
        files: paths. With them `labels`: one int32 each; without, a file's label is its index.
        file_list: path of a text with "path label" in every line. Without `file_root` paths begin at its folder.
        file_filters: with `file_root` alone: patterns of the names of files that count; by default the endings of images
            and sounds that DALI decodes. `dir_filters`: likewise of the classes' folders.
        case_sensitive_filter: whether they tell upper from lower case.
        shard_id, num_shards: of N files these are files `floor(shard_id * N / num_shards)` to
            `floor((shard_id + 1) * N / num_shards)`.
        stick_to_shard: read this shard only. By default the next shard's files follow.
        pad_last_batch: end every pass through a shard with a full batch, for which its last sample is repeated; all shards
            take equally many batches, and the next pass begins where a shard begins. By default batches cross borders.
        random_shuffle: read the files of a shard in another order each time; and cut the shards out of the shuffled list of
            files, which is the same in every process.
        initial_fill: how many files DALI draws from. Here it is all files of the shard, whatever this says: their order is
            a keyed permutation, for which nothing is kept in memory.
        shuffle_after_epoch: shuffle all files before they are cut into shards, each time that the data begin, the first
            time included. Every shard and process has the same order. It implies `stick_to_shard`, which is not to be given
            as well, nor `random_shuffle`.
        shuffle_after_epoch_seed: of that order; it is always the same by default.
        seed: of the order of `random_shuffle`; the pipeline's by default.
        prefetch_queue_depth: batches that are read ahead, beyond those of the pipeline.
        read_ahead, dont_use_mmap: how DALI maps files. Without effect: every file is read whole, and none is mapped.
        tensor_init_bytes, bytes_per_sample_hint: expected size of a file; the second one also as a list, of a file and of
            its label, which then counts alone. Slots start that large, and need not grow; see
            `Pipeline.executor_statistics`. 0 says nothing, then `bytes_per_sample` of the pipeline counts.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.

    Returns:
        Two nodes: the bytes of the files, `uint8[size]`, and the labels, `int32[1]`.

    Raises:
        ConfigError: an argument cannot be honoured, or there are no files.
        OSError: a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path.
    """
    check_unsupported("readers.file", dali, _UNSUPPORTED, inspect.signature(file).parameters)
    if device != "cpu":
        raise ConfigError(f'fn.readers.file(device={device!r}): files are read on the host; use device="cpu"')
    check_integer("initial_fill", initial_fill, 1)
    initial = 0 if tensor_init_bytes is None else check_integer("tensor_init_bytes", tensor_init_bytes, 0, MOST_BYTES)
    hint = check_hint(bytes_per_sample_hint, 2)
    if not isinstance(hint, tuple):
        hint = max(hint or 0, initial) or None
    if shuffle_after_epoch_seed is not None:
        shuffle_after_epoch_seed = check_integer("shuffle_after_epoch_seed", shuffle_after_epoch_seed, 0, _LARGEST_SEED)
        if not shuffle_after_epoch:
            warnings.warn("`shuffle_after_epoch_seed` has no effect when `shuffle_after_epoch` is False.", stacklevel=3)
    spec = ReaderSpec(
        files=_listed(file_root, files, labels, file_list, file_filters, dir_filters, case_sensitive_filter),
        sharding={
            "shard_id": shard_id,
            "num_shards": num_shards,
            "stick_to_shard": bool(stick_to_shard),
            "pad_last_batch": bool(pad_last_batch),
            "random_shuffle": bool(random_shuffle),
            "shuffle_after_epoch": bool(shuffle_after_epoch),
        },
        seed=check_seed(seed),
        shuffle_after_epoch_seed=shuffle_after_epoch_seed,
        prefetch_queue_depth=check_integer("prefetch_queue_depth", prefetch_queue_depth, 1),
        bytes_per_sample_hint=hint,
    )
    spec.stream(1)  # what is wrong with it is said where it is written
    operator = add_operator(FILE_READER, None, device="cpu", name=name, settings=spec)
    return [operator.node(0), operator.node(1)]


def _listed(
    file_root: str | os.PathLike[str] | None,
    files: Sequence[str] | str | None,
    labels: Sequence[int] | None,
    file_list: str | os.PathLike[str] | None,
    file_filters: Sequence[str] | str | None,
    dir_filters: Sequence[str] | str | None,
    case_sensitive: bool,
) -> LabelledFiles:
    if files is not None and file_list is not None:
        raise ConfigError("File paths can be provided through `files` or `file_list` but not both.")
    if labels is not None and files is None:
        raise ConfigError("The argument `labels` is valid only when file paths are provided as `files` argument.")
    for name, patterns in (("file_filters", file_filters), ("dir_filters", dir_filters)):
        if patterns is not None and not patterns:
            raise ConfigError(f"`{name}` list cannot be empty.")
        if patterns is not None and (files is not None or file_list is not None):
            raise ConfigError(
                f"`{name}` is for a file_root whose folders are searched; files and file_list name each file"
            )
    root = None if file_root is None else os.fspath(file_root)
    if files is not None:
        return LabelledFiles.from_arguments(_several(files), labels, os.path.abspath(root or ""))
    if file_list is not None:
        return LabelledFiles.from_list(os.path.abspath(file_list), None if root is None else os.path.abspath(root))
    if root is None:
        raise ConfigError("`file_root` argument is required when not using `files` or `file_list`.")
    wanted = FILE_FILTERS if file_filters is None else _several(file_filters)
    wanted_dirs = None if dir_filters is None else _several(dir_filters)
    return LabelledFiles.from_folder(os.path.abspath(root), wanted, wanted_dirs, case_sensitive)


def _several(value: Sequence[str] | str) -> Sequence[str]:
    return [value] if isinstance(value, str | os.PathLike) else value


__getattr__ = explain_missing("jaxdali.fn.readers", __all__)
