"""TFRecord files as a map-style source."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.example import Value, parse_example
from ..records.features import Feature
from ..records.index_files import read_indices
from ..records.record_files import Records
from ..records.tfrecord_file import begins_tfrecord, index_tfrecord, payload, tfrecord_text
from ..storage.cache import make_cache
from .direct import Direct, Own
from .file_format import FileFormat
from .file_reading import Path, Paths, absolute_paths
from .record_source import OfRecords

__all__ = ["TFRecords"]


class TFRecords(OfRecords):
    """The Examples, or SequenceExamples, of TFRecord files: `data[i]` is a dictionary of the features you name. Numbers
    are an array. A `FixedLenFeature([], tfrecord.string, "")` is the bytes of its string, such as an image file's; with
    the shape `[n]` it is a list of n of them, and a `VarLenFeature` of strings is a list of all that are there.

    A feature has all of its values, or is an error. Of a SequenceExample, a name is that of a feature of the context or of
    a feature list: the steps of the latter are the first axis, or the list of strings. TensorFlow is not needed. Checksums
    are verified.

    Args:
        path: paths or URLs of the files; compressed files cannot be read.
        features: by their names in the files, `tfrecord.FixedLenFeature` or `VarLenFeature`.
        index_path: for each file an index of its records, as written by `jaxdali index` or DALI's `tfrecord2idx`. None:
            the records are found now, by reading the length of each.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        records: where each record lies.

    Raises:
        ConfigError: arguments contradict each other, a file has no records, or its index cannot be made.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if a record is damaged, is not an
            Example, or holds a feature of another type or number of values.

    Example:
        Clips of a varying number of frames, of which the first and the last are wanted::

            data = source.TFRecords("clips.tfrecord", {"frames": tfrecord.VarLenFeature(tfrecord.string, "")})
            pairs = source.map(data, lambda clip: {"first": clip["frames"][0], "last": clip["frames"][-1]})
    """

    _format = FileFormat("TFRecord", r"\.tfrecords?\b", begins_tfrecord, 12, index=tfrecord_text)

    def __init__(
        self,
        path: Paths,
        features: Mapping[str, Feature],
        index_path: Paths | None = None,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        paths = absolute_paths(path)
        indices = (None if index_path is None else absolute_paths(index_path)) or None  # none may be an empty list
        if indices is not None and len(indices) != len(paths):
            raise ConfigError(
                f"{len(indices)} index files for {len(paths)} data files; expected one for each: `jaxdali index` writes them"
            )
        for name, feature in features.items():
            if not isinstance(name, str) or not isinstance(feature, Feature):
                raise ConfigError(
                    f"features[{name!r:.80}] must be a FixedLenFeature or VarLenFeature of jaxdali.tfrecord, got "
                    f"{feature!r:.80}"
                )
        if not features:
            raise ConfigError("features must name at least one feature; got none")
        self.features = dict(features)
        self._direct = Own[Direct]()
        ranges = map(index_tfrecord, paths) if indices is None else read_indices(indices)
        self.records = Records(paths, list(ranges), make_cache(cache_dir, cache_bytes))

    def __getitem__(self, index: int) -> dict[str, Any]:
        try:
            return self._read(index)
        except SourceDataError as error:
            raise SourceDataError(f"{self.source_info(index)}: {error}") from None

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns a reader's outputs for Example `index`: arrays in the order of the features; a string is `uint8[n]`, and
        so is none. Raises SourceDataError also if a feature has several strings.
        """
        return tuple(_array(name, value) for name, value in self._read(index).items())

    def direct(self) -> Direct | None:
        """Returns a native function that writes Examples into slots, for readers."""
        if self.records.remote:
            return None
        wanted = [(name.encode(), one.dtype, one.fixed, one.shape or ()) for name, one in self.features.items()]
        return self._direct.of(lambda: _host.ExampleRows(*self.records.where, wanted).write)

    def _read(self, index: int) -> dict[str, Value]:
        return parse_example(payload(self.records.read(index)), self.features)

    def name_of(self, index: int, output: int) -> str:
        """Returns what DALI calls Example `index`, the same for each `output`."""
        return self.records.name_of(index)

    def digest(self) -> str:
        """Returns a hash of what is read."""
        return hashlib.sha256(f"{self.records.digest()} {self.features!r}".encode()).hexdigest()


def _array(name: str, value: Value) -> np.ndarray:
    if isinstance(value, list):
        if len(value) > 1:
            raise SourceDataError(
                f"{name!r} has {len(value)} strings, but an output of fn.readers.tfrecord is one array; "
                "jaxdali.source.TFRecords, for a Loader or fn.external_source, gives all of them"
            )
        value = value[0] if value else b""
    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value
