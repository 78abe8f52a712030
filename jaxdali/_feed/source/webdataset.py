"""Tar archives of samples, as WebDataset has them, as a map-style source."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.index_files import read_texts
from ..records.record_files import Records
from ..records.tar import HEAD_SIZE, begins_tar, check_member, why_not_there
from ..records.tar_samples import Component, archive_text, key_of, samples_in_index, samples_in_tar
from ..storage.cache import make_cache
from ..storage.read_ahead import Ahead
from ..storage.urls import is_remote
from .direct import Direct, Own
from .file_format import FileFormat
from .file_reading import Path, Paths, absolute_paths
from .record_source import Fetched

__all__ = ["MISSING", "WebDataset"]

logger = logging.getLogger("jaxdali")

# What happens to a sample that lacks a component.
MISSING = ("empty", "skip", "error")
# How many samples of an archive that lack components are remembered. If the rest of one comes, it is that of the first ones.
_MOST_INCOMPLETE = 1 << 16


class WebDataset(Fetched):
    """The samples of tar archives, in order. A sample is a run of files whose names differ only after their first dot.
    `data[i]` is a dictionary of the components you name: a component is its bytes, such as an image file's, or an
    array. Names that begin with a dot, links and folders are ignored.

    Warnings of the logger "jaxdali" name the first sample that has several files for one component, of which the first
    counts, and the first one whose files do not lie together, so that they are two samples that lack components.

    To compute values from bytes, map a function over the samples, as in
    `source.map(data, lambda s: {"image": s["jpg"], "label": int(s["cls"])})`.

    Args:
        paths: paths or URLs of the archives; compressed archives cannot be read.
        ext: the extensions to read, such as "jpg" or "left.png"; alternatives as "jpg;jpeg", of which the file that
            comes first counts. Or a dictionary of them by names of your own.
        index_paths: an index for each archive, as written by DALI's `wds2idx` or `jaxdali index`. None: the archives
            are scanned now.
        dtypes: for each component, the type of the numbers that its file holds, little-endian, `str` for text (UTF-8), or
            None for bytes. By default all are bytes.
        missing_component_behavior: if a sample lacks a component: "empty", it is None, as an image that is missing, or an
            empty array or string; "skip", the sample is left out; or "error".
        case_sensitive_extensions: whether upper and lower case differ in extensions.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        bounds: `int64[archives + 1]`: the first sample of each archive, and the end.

    Raises:
        ConfigError: arguments contradict each other, a file is not an archive or not its index, a size is not a
            multiple of its type's, or there is no sample.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if an archive is shorter than its
            index says.

    Example:
        >>> import pathlib, shutil, tempfile
        >>> from jaxdali import source
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = pathlib.Path(folder, "1.cls").write_text("7")
        ...     source.WebDataset(shutil.make_archive(f"{folder}/train", "tar", folder, "1.cls"), ["cls"])[0]
        {'cls': b'7'}
    """

    _format = FileFormat("WebDataset", r"\.tar$", begins_tar, HEAD_SIZE, index=archive_text)
    bounds: np.ndarray

    def __init__(
        self,
        paths: Paths,
        ext: str | Sequence[str] | Mapping[str, str],
        index_paths: Paths | None = None,
        dtypes: Sequence[object] | None = None,
        missing_component_behavior: str = "empty",
        case_sensitive_extensions: bool = True,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        archives = absolute_paths(paths)
        indices = (None if index_paths is None else absolute_paths(index_paths)) or None  # none may be an empty list
        if indices is not None and len(indices) != len(archives):
            raise ConfigError(
                f"{len(indices)} index files for {len(archives)} archives; expected one for each: `jaxdali index` writes "
                "them"
            )
        named = dict(ext) if isinstance(ext, Mapping) else None
        texts = [ext] if isinstance(ext, str) else list(ext if named is None else named.values())
        self.names = list(texts if named is None else named)
        self._dtypes = _read_dtypes(dtypes, len(texts))
        if missing_component_behavior not in MISSING:
            raise ConfigError(
                f"missing_component_behavior must be one of {', '.join(MISSING)}; got {missing_component_behavior!r:.80}"
            )
        wanted = _Wanted(texts, missing_component_behavior, bool(case_sensitive_extensions))
        self._indices = indices
        self._names: list[str] | None = None
        ranges = []
        for archive, samples in _samples(archives, indices):
            ranges.append(wanted.ranges(samples, archive))
            self._check_sizes(ranges[-1], archive)
            there = ranges[-1][ranges[-1][:, :, 0] >= 0]
            if indices is not None and len(there) and not is_remote(archive):
                for offset, size in there[[0, -1]].tolist():
                    check_member(archive, offset, size)
        wanted.warn(archives)
        if not any(map(len, ranges)):
            raise ConfigError(
                f"{', '.join(archives[:3])} hold no sample with {' and '.join(map(repr, texts))}; they have "
                f"{wanted.seen_words}"
            )
        # One record for each wanted file. A missing file is a record of 0 bytes at the place where its sample begins.
        self._there = np.concatenate(ranges)[:, :, 0] >= 0
        found = [np.where(one < 0, ~one, one).reshape(-1, 2) for one in ranges]
        self._files = Records(archives, found, make_cache(cache_dir, cache_bytes))
        self.bounds = self._files.bounds // len(texts)
        self._indexed = indices is not None
        self._direct = Own[Direct]()

    def _paths_shown(self) -> Sequence[str]:
        return self._files.paths

    def __len__(self) -> int:
        return len(self._there)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {name: self._value(index, k) for k, name in enumerate(self.names)}

    def _value(self, index: int, k: int) -> Any:
        content, dtype = self._read(index, k), self._dtypes[k]
        if dtype is None:
            return content if self._there[index, k] else None
        if dtype is not str:
            return np.frombuffer(content, dtype)
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise SourceDataError(f"{self.names[k]!r} is to be text, but is not UTF-8 ({error})") from error

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns a reader's outputs for sample `index`: arrays of one axis, `uint8` for components without a dtype."""
        numbers = [dtype if isinstance(dtype, np.dtype) else np.uint8 for dtype in self._dtypes]
        return tuple(np.frombuffer(self._read(index, k), dtype) for k, dtype in enumerate(numbers))

    def ahead(self) -> Ahead | None:
        return self._files.ahead(len(self.names)) if self._files.remote else None

    def direct(self) -> Direct | None:
        """Returns a native function that writes samples into slots, for readers."""
        if self._files.remote:
            return None
        numbers = [one if isinstance(one, np.dtype) else np.dtype(np.uint8) for one in self._dtypes]
        types = [from_numpy_type(one.newbyteorder("=")) for one in numbers]
        sizes = [one.itemsize for one in numbers]
        wanted = list(zip(map(int, types), sizes, strict=True))
        return self._direct.of(lambda: _host.PlainRows(*self._files.where, wanted, self._indexed).write)

    def _read(self, index: int, k: int) -> bytes:
        if not self._there[index, k]:
            return b""
        found = self._files.read(record := index * len(self.names) + k)
        if self._indexed and found and (head := self._files.read_before(record, HEAD_SIZE)) is not None:
            if (wrong := why_not_there(head, *self._files.range_of(record))) is not None:
                raise SourceDataError(wrong)
        return found

    def source_info(self, index: int) -> str:
        """Returns the archive of sample `index`, and the place of its first wanted file there."""
        first = int(np.argmax(self._there[index]))
        return self._files.source_info(index * len(self.names) + first)

    def keep_names(self) -> None:
        """Reads the names of the wanted files, for `name_of`. Not done by default, because they take memory."""
        found: list[str] = []
        for k, (archive, samples) in enumerate(_samples(self._files.paths, self._indices)):
            names = {one.offset: one.name for sample in samples for one in sample}
            for file in range(int(self._files.bounds[k]), int(self._files.bounds[k + 1])):
                offset = self._files.range_of(file)[1]
                found.append(f"{archive}:{offset}:{names.get(offset, '')}" if self._there.flat[file] else "")
        self._names = found

    def name_of(self, index: int, output: int) -> str:
        """Returns what DALI calls file `output` of sample `index`: "ARCHIVE:OFFSET:NAME", or "" for a missing one."""
        if self._names is None:  # it was not announced that names are needed, as in debug mode
            self.keep_names()
        assert self._names is not None
        return self._names[index * len(self.names) + output]

    def digest(self) -> str:
        """Returns a hash of what is read."""
        text = f"{self._files.digest()} {self.names} {[str(dtype) for dtype in self._dtypes]}"
        return hashlib.sha256(text.encode(errors="surrogateescape") + self._there.tobytes()).hexdigest()

    def _check_sizes(self, ranges: np.ndarray, archive: str) -> None:
        for k, dtype in enumerate(self._dtypes):
            if not isinstance(dtype, np.dtype):
                continue
            wrong = np.flatnonzero(ranges[:, k, 1] % dtype.itemsize)
            if len(wrong):
                offset, size = ranges[wrong[0], k].tolist()
                raise ConfigError(
                    f"{archive} at byte {offset}: a file of {size} bytes for {self.names[k]!r}, whose type in dtypes is "
                    f"{dtype}; expected a multiple of {dtype.itemsize}"
                )


def _samples(archives: Sequence[str], indices: Sequence[str] | None) -> Iterator[tuple[str, Iterator[list[Component]]]]:
    """Yields each archive and its samples, from its index if there is one."""
    if indices is None:
        yield from ((archive, samples_in_tar(archive)) for archive in archives)
    else:
        for archive, index, text in zip(archives, indices, read_texts(indices), strict=True):
            yield archive, samples_in_index(text, index)


class _Wanted:
    """Finds the wanted components in samples."""

    def __init__(self, texts: Sequence[str], missing: str, case_sensitive: bool):
        self.texts, self.missing, self.case_sensitive = texts, missing, case_sensitive
        self._outputs: dict[str, list[int]] = {}
        for k, text in enumerate(texts):
            options = [option for option in text.split(";") if option] if isinstance(text, str) else []
            if not options or any(option.startswith(".") for option in options):
                raise ConfigError(
                    f"ext must be extensions without their first dot, such as 'jpg', 'left.png' or 'jpg;jpeg'; got "
                    f"{text!r:.80}"
                )
            for option in options:
                outputs = self._outputs.setdefault(self._folded(option), [])
                outputs += [k] if k not in outputs else []
        if not texts:
            raise ConfigError("ext expects at least one extension, such as 'jpg'; got none")
        self._found = [0] * len(texts)
        self._seen: Counter[str] = Counter()
        self._doubled = self._parted = ""

    def ranges(self, samples: Iterable[Sequence[Component]], archive: str) -> np.ndarray:
        """Returns offset and size of the wanted components of each sample that counts, `int64[n, wanted, 2]`. A missing one
        has `~offset` of its sample, and size 0.

        Raises:
            ConfigError: a component is missing, and that is an error.
        """
        rows: list[list[tuple[int, int]]] = []
        incomplete: dict[str, list[tuple[int, int]]] = {}
        for sample in samples:
            row = [(~sample[0].offset, 0)] * len(self.texts)
            for ext, offset, size, *_ in sample:
                ext = self._folded(ext)
                self._seen[ext] += 1
                for k in self._outputs.get(ext, ()):
                    if row[k][0] < 0:
                        row[k] = offset, size
                        self._found[k] += 1
                    else:
                        self._doubled = self._doubled or f"{archive} at byte {offset}"
            lacking = [text for text, (offset, _) in zip(self.texts, row, strict=True) if offset < 0]
            if lacking and self.missing == "error":
                raise ConfigError(
                    f"{archive}: the sample at byte {sample[0].offset} has no {lacking[0]!r}, only "
                    f"{', '.join(repr(one.ext) for one in sample[:8])}; missing_component_behavior= says what to do then"
                )
            if lacking and not self._parted:
                self._look_for_rest(key_of(sample[0].name), row, incomplete, archive)
            if not lacking or self.missing == "empty":
                rows.append(row)
        return np.array(rows, np.int64).reshape(-1, len(self.texts), 2)

    def _look_for_rest(
        self, key: str, row: list[tuple[int, int]], incomplete: dict[str, list[tuple[int, int]]], archive: str
    ) -> None:
        """Notes whether a sample that lacks components has some that an earlier one with the same name lacks."""
        earlier = incomplete.get(key, row)
        for (offset, _), (before, _) in zip(row, earlier, strict=True):
            if before < 0 <= offset:
                begins = min(one if one >= 0 else ~one for one, _ in earlier)
                self._parted = f"{archive}: the files of {key!r} at byte {begins} and at byte {offset}"
        if key and len(incomplete) < _MOST_INCOMPLETE:  # an index may have no names
            incomplete.setdefault(key, row)

    def warn(self, archives: Sequence[str]) -> None:
        """Logs warnings about what looks like a mistake."""
        if self._parted:
            logger.warning(
                "%s do not lie together, so they are two samples that lack components: a sample is files in a row. Pack "
                "them in the order of their names, such as by `tar --sort=name`",
                self._parted,
            )
        if self._doubled:
            logger.warning("%s: a sample has several files for one of %s; the first counts", self._doubled, self.texts)
        for text, found in zip(self.texts, self._found, strict=True):
            if not found and self.missing == "empty" and self._seen:
                logger.warning("no sample of %s ... has %r; they have %s", archives[0], text, self.seen_words)

    @property
    def seen_words(self) -> str:
        """Describes the files that were seen, by their extensions."""
        found = ", ".join(repr(ext) for ext, _ in self._seen.most_common(12))
        return f"files with {found}" if found else "no files"

    def _folded(self, ext: str) -> str:
        return ext if self.case_sensitive else ext.lower()


def _read_dtypes(dtypes: Sequence[Any] | None, count: int) -> list[np.dtype | type[str] | None]:
    if dtypes is None:
        return [None] * count
    if isinstance(dtypes, str) or not isinstance(dtypes, Sequence) or len(dtypes) != count:
        raise ConfigError(f"dtypes must be a list of a type for each of the {count} in ext, got {dtypes!r:.80}")
    found = [one if one in (None, str) else np.dtype(one).newbyteorder("<") for one in dtypes]
    for dtype in found:
        if isinstance(dtype, np.dtype) and (dtype.kind not in "uif" or dtype.itemsize > 8):
            raise ConfigError(f"dtypes must be of integers, or of floats of 16 to 64 bits; got {dtype}")
    return found
