"""MXNet's RecordIO files of images as a map-style source."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.index_files import read_texts
from ..records.record_files import Records
from ..records.recordio_file import (
    begins_recordio,
    index_recordio,
    joined_parts,
    offsets_of,
    ranges_between,
    recordio_text,
    split_image,
)
from ..storage.cache import make_cache
from ..storage.remote_objects import stat_objects
from ..storage.urls import is_remote
from .direct import Direct, Own
from .file_format import FileFormat
from .file_reading import Path, Paths, absolute_paths
from .record_source import OfRecords

__all__ = ["RecordIO"]


class RecordIO(OfRecords):
    """The images of RecordIO files, as `im2rec` writes them: `data[i]` is `{"image": bytes, "label": float32[n]}`, in
    the order of the files.

    Args:
        path: paths or URLs of the files.
        index_path: for each file an index with lines "KEY OFFSET", as written by `im2rec`, `rec2idx` or
            `jaxdali index`; or one index, whose offsets continue through all files. Only records that it names are
            read, each once; a warning says so if it names some twice. None: the records are found now.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        records: where each record lies.

    Raises:
        ConfigError: an index does not fit its files, or a file is not RecordIO.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if a record is damaged.
    """

    _format = FileFormat("RecordIO", r"\.rec$", begins_recordio, 4, index=recordio_text)

    def __init__(
        self,
        path: Paths,
        index_path: Paths | None = None,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        paths = absolute_paths(path)
        indices = (None if index_path is None else absolute_paths(index_path)) or None  # none may be an empty list
        if indices is None:
            ranges = [index_recordio(one) for one in paths]
        elif len(indices) not in (1, len(paths)):
            raise ConfigError(
                f"{len(indices)} index files for {len(paths)} data files; expected one for each, or one for all"
            )
        else:
            sizes = _sizes_of(paths)
            offsets = list(map(offsets_of, read_texts(indices), indices))
            if len(indices) == 1:
                offsets = _cut(offsets[0], sizes)
            ranges = [ranges_between(*given) for given in zip(offsets, sizes, paths, strict=True)]
        self.records = Records(paths, ranges, make_cache(cache_dir, cache_bytes))
        self._direct = Own[Direct]()

    def __getitem__(self, index: int) -> dict[str, Any]:
        try:
            labels, image = self._read(index)
        except SourceDataError as error:
            raise SourceDataError(f"{self.source_info(index)}: {error}") from None
        return {"image": image, "label": labels}

    def row(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns a reader's outputs for record `index`: the image's file, `uint8[size]`, and its labels, `float32[n]`."""
        labels, image = self._read(index)
        return np.frombuffer(image, np.uint8), labels

    def direct(self) -> Direct | None:
        """Returns a native function that writes images into slots, for readers."""
        if self.records.remote:
            return None
        return self._direct.of(lambda: _host.RecordioRows(*self.records.where).write)

    def _read(self, index: int) -> tuple[np.ndarray, bytes]:
        return split_image(joined_parts(self.records.read(index)))


def _sizes_of(paths: Sequence[str]) -> list[int]:
    remote = [path for path in paths if is_remote(path)]
    told = {path: size for path, (size, _) in zip(remote, stat_objects(remote), strict=True)}
    return [told[path] if path in told else os.stat(path).st_size for path in paths]


def _cut(offsets: np.ndarray, sizes: Sequence[int]) -> list[np.ndarray]:
    """Splits offsets that continue through all files by file; those after the end of the last file stay with it."""
    begins = np.cumsum([0, *sizes])
    files = np.minimum(np.searchsorted(begins, offsets, "right") - 1, len(sizes) - 1)
    return [offsets[files == file] - begins[file] for file in range(len(sizes))]
