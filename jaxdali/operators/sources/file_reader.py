"""Reads files and their labels."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import ConfigError
from ...graph.call import Call
from ...graph.declared import declare
from ...graph.sites import user_stacklevel
from ...readers.listing import FILE_FILTERS, LabelledFiles
from ..kinds import FLAG, LARGEST_SEED, PATH, SEED, Kind, integer, several
from ..presize import MOST_BYTES, check_hint
from ..record import Operator, Param, Static
from .reader_spec import ReaderSpec

__all__ = ["file_reader"]

_SHARDING = (*("shard_id", "num_shards", "stick_to_shard", "pad_last_batch", "random_shuffle", "shuffle_after_epoch"),)


def _text(word: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{word} must be text, got {value!r:.80}")
    return value


_TEXT = Kind("str", _text)


def _labels(word: str, value: Any) -> np.ndarray:
    try:
        labels = np.asarray(value if isinstance(value, np.ndarray) else list(value))
    except (TypeError, ValueError):
        labels = np.asarray(None)
    limits = np.iinfo(np.int32)
    if labels.size and (labels.dtype.kind not in "iu" or labels.ndim != 1):
        raise ConfigError(f"{word} must be integers, one for each file, got {value!r:.80}")
    if labels.size and not (limits.min <= labels.min() and labels.max() <= limits.max):
        raise ConfigError(f"{word} must be integers that int32 holds, got {value!r:.80}")
    return labels.astype(np.int32)


_PARAMS: tuple[Param, ...] = (
    Static(
        "file_root",
        PATH,
        None,
        "a folder with one folder a class; the index of a class's folder, in sorted order, is the label. Or, with `files` "
        "or `file_list`, where relative paths begin",
    ),
    Static("files", several(PATH), None, "paths"),
    Static(
        "labels", Kind("Sequence[int]", _labels), None, "one int32 for each of `files`; without, its label is its index"
    ),
    Static(
        "file_list",
        PATH,
        None,
        'path of a text with "path label" in every line. Without `file_root` paths begin at its folder',
    ),
    Static(
        "file_filters",
        several(_TEXT),
        None,
        "with `file_root` alone: patterns of the names of files that count; by default the endings of images and sounds "
        "that DALI decodes",
    ),
    Static("dir_filters", several(_TEXT), None, "likewise of the classes' folders"),
    Static("case_sensitive_filter", FLAG, False, "whether they tell upper from lower case"),
    Static(
        "shard_id",
        integer(0),
        0,
        "of N files these are files `floor(shard_id * N / num_shards)` to `floor((shard_id + 1) * N / num_shards)`",
    ),
    Static("num_shards", integer(1), 1, "how many shards there are"),
    Static("stick_to_shard", FLAG, False, "read this shard only. By default the next shard's files follow"),
    Static(
        "pad_last_batch",
        FLAG,
        False,
        "end every pass through a shard with a full batch, for which its last sample is repeated; all shards take equally "
        "many batches, and the next pass begins where a shard begins. By default batches cross borders",
    ),
    Static(
        "random_shuffle",
        FLAG,
        False,
        "read the files of a shard in another order each time; and cut the shards out of the shuffled list of files, which "
        "is the same in every process",
    ),
    Static(
        "shuffle_after_epoch",
        FLAG,
        False,
        "shuffle all files before they are cut into shards, each time that the data begin, the first time included. Every "
        "shard and process has the same order. It implies `stick_to_shard`, which is not to be given as well, nor "
        "`random_shuffle`",
    ),
    Static(
        "shuffle_after_epoch_seed", integer(0, LARGEST_SEED), None, "of that order; it is always the same by default"
    ),
    Static("seed", SEED, None, "of the order of `random_shuffle`; the pipeline's by default"),
    Param(
        "initial_fill",
        integer(1),
        1024,
        "how many files DALI draws from. Here it is all files of the shard, whatever this says: their order is a keyed "
        "permutation, for which nothing is kept in memory",
        hint=True,
    ),
    Param(
        "prefetch_queue_depth", integer(1), 1, "batches that are read ahead, beyond those of the pipeline", hint=True
    ),
    Param(
        "tensor_init_bytes",
        integer(0, MOST_BYTES),
        None,
        "expected size of a file. Slots start that large, and need not grow; see `Pipeline.executor_statistics`. 0 says "
        "nothing, then `bytes_per_sample` of the pipeline counts",
        hint=True,
    ),
    Param(
        "bytes_per_sample_hint",
        Kind("int | Sequence[int]", lambda _word, value: check_hint(value, 2), (1000, (500, 4))),
        None,
        "likewise; also as a list, of a file and of its label, which then counts alone",
        hint=True,
    ),
)


def _spec(given: Mapping[str, Any]) -> ReaderSpec:
    hint = given.get("bytes_per_sample_hint")
    if not isinstance(hint, tuple):
        hint = max(hint or 0, given.get("tensor_init_bytes") or 0) or None
    if given["shuffle_after_epoch_seed"] is not None and not given["shuffle_after_epoch"]:
        warnings.warn(
            "`shuffle_after_epoch_seed` has no effect when `shuffle_after_epoch` is False.",
            stacklevel=user_stacklevel(),
        )
    spec = ReaderSpec(
        files=_listed(given),
        sharding={name: given[name] for name in _SHARDING},
        seed=given["seed"],
        shuffle_after_epoch_seed=given["shuffle_after_epoch_seed"],
        prefetch_queue_depth=given["prefetch_queue_depth"],
        bytes_per_sample_hint=hint,
    )
    spec.stream(1)  # what is wrong with it is said where it is written
    return spec


def _listed(given: Mapping[str, Any]) -> LabelledFiles:
    root, files, labels, file_list = (given[name] for name in ("file_root", "files", "labels", "file_list"))
    if files is not None and file_list is not None:
        raise ConfigError("File paths can be provided through `files` or `file_list` but not both.")
    if labels is not None and files is None:
        raise ConfigError("The argument `labels` is valid only when file paths are provided as `files` argument.")
    for name in ("file_filters", "dir_filters"):
        patterns: Sequence[str] | None = given[name]
        if patterns is not None and not patterns:
            raise ConfigError(f"`{name}` list cannot be empty.")
        if patterns is not None and (files is not None or file_list is not None):
            raise ConfigError(
                f"`{name}` is for a file_root whose folders are searched; files and file_list name each file"
            )
    if files is not None:
        return LabelledFiles.from_arguments(files, labels, os.path.abspath(root or ""))
    if file_list is not None:
        return LabelledFiles.from_list(os.path.abspath(file_list), None if root is None else os.path.abspath(root))
    if root is None:
        raise ConfigError("`file_root` argument is required when not using `files` or `file_list`.")
    wanted = FILE_FILTERS if given["file_filters"] is None else given["file_filters"]
    return LabelledFiles.from_folder(
        os.path.abspath(root), wanted, given["dir_filters"], given["case_sensitive_filter"]
    )


def _describe(call: Call) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What it gives, not how that was written."""
    spec: ReaderSpec = call.source
    usual = {param.name: param.default for param in _PARAMS if param.name in _SHARDING}
    own = {"seed": spec.seed, "shuffle_after_epoch_seed": spec.shuffle_after_epoch_seed}
    found = {"epoch_size": len(spec.files), **spec.sharding, **own, "files": spec.files.digest()[:16]}
    return found, {**usual, **dict.fromkeys(own)}


file_reader = declare(
    Operator(
        name="readers.file",
        doc="""Files and their labels, for ever; DALI's `fn.readers.file`.

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that does. The
    stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the iterator,
    see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a file and the number of shards that its reader has visited before, so in an epoch a file gets
    the same numbers whichever shard it is in.
    """,
        params=_PARAMS,
        accepted={
            "read_ahead": "every file is read whole",
            "dont_use_mmap": "no file is mapped",
            "lazy_init": "files are listed when the operator is written",
            "skip_cached_images": "decoded images are not cached, so every file is read",
        },
        devices=("cpu",),
        outputs=lambda _params: 2,
        returns="Two nodes: the bytes of the files, `uint8[size]`, and the labels, `int32[1]`.",
        raises={
            "OSError": "a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path"
        },
        source=_spec,
        describe=_describe,
    )
)
