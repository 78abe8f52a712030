"""Reads files and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._feed.storage.cache import make_cache
from jaxdali._feed.storage.urls import absolute
from jaxdali.errors import ConfigError, ConfigTypeError
from ...graph.call import Params
from ...graph.declarations import declare
from ...readers.listing import FILE_FILTERS, LabelledFiles
from ..argument_kinds import FLAG, PATH, Kind, several
from ..declaration import Operator, Param, Static
from .reader_params import ACCEPTED, READING, SHARDING, TEXT, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["file_reader"]


def _labels(word: str, value: Any) -> np.ndarray:
    try:
        labels = np.asarray(value if isinstance(value, np.ndarray) else list(value))
    except (TypeError, ValueError):
        labels = np.asarray(None)
    limits = np.iinfo(np.int32)
    if isinstance(value, bytes | set | dict):
        raise ConfigTypeError(f"{word} must be a list of integers, one for each file, got {value!r:.80}")
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
        "a folder with one subfolder per class; the index of a subfolder, in sorted order, is the label. With `files`"
        " or `file_list`: the folder to which relative paths refer",
    ),
    Static("files", several(PATH), None, "paths or URLs of the files"),
    Static(
        "labels",
        Kind("Sequence[int]", _labels),
        None,
        "one int32 for each of `files`; by default the label of a file is its index",
    ),
    Static(
        "file_list",
        PATH,
        None,
        'path of a text file with "path label" on each line. Without `file_root`, paths are relative to its folder',
    ),
    Static(
        "file_filters",
        several(TEXT),
        None,
        "only with `file_root` alone: patterns that file names must match; by default the extensions of images and "
        "audio files that DALI decodes",
    ),
    Static(
        "dir_filters",
        several(TEXT),
        None,
        "only with `file_root` alone: patterns that the names of class folders must match",
    ),
    Static("case_sensitive_filter", FLAG, False, "whether the patterns are case-sensitive"),
    *SHARDING,
    *hints("of a file and of its label", 2),
)


def _spec(given: Params) -> ReaderSpec:
    return reader_spec("file", _listed(given), given, outputs=2)


def _listed(given: Params) -> LabelledFiles:
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
    cache = make_cache(**caching(given))
    if files is not None:
        return LabelledFiles.from_arguments(files, labels, absolute(root or ""), cache)
    if file_list is not None:
        return LabelledFiles.from_list(absolute(file_list), None if root is None else absolute(root), cache)
    if root is None:
        raise ConfigError("`file_root` argument is required when not using `files` or `file_list`.")
    wanted = FILE_FILTERS if given["file_filters"] is None else given["file_filters"]
    return LabelledFiles.from_folder(
        absolute(root), wanted, given["dir_filters"], given["case_sensitive_filter"], cache
    )


file_reader = declare(
    Operator(
        name="readers.file",
        doc=f"""Reads files and their labels, forever; DALI's `fn.readers.file`.

    {READING}""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "files are listed when the operator is written"},
        devices=("cpu",),
        outputs=lambda _params: 2,
        returns="Two nodes: the bytes of the files, `uint8[size]`, and the labels, `int32[1]`.",
        raises={
            "OSError": "a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path"
        },
        source=_spec,
        describe=describe_reader,
    )
)
