"""Which files a reader reads and their labels: from a folder, a list, or the arguments."""

from __future__ import annotations

import fnmatch
import hashlib
import io
import logging
import os
import re
import stat
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._feed import _host
from jaxdali._feed.source.file_reading import kind_of_file
from jaxdali._feed.source.packed_paths import PackedPaths
from jaxdali._feed.source.record_source import Fetched
from jaxdali._feed.source.whole_files import WholeFiles
from jaxdali._feed.storage.cache import Cache
from jaxdali._feed.storage.read_ahead import Ahead
from jaxdali._feed.storage.remote_objects import fetch, list_folders
from jaxdali._feed.storage.urls import is_remote, joined, joined_all
from jaxdali.errors import ConfigError

__all__ = ["FILE_FILTERS", "LabelledFiles"]

# DALI's patterns in DALI's order: what its decoders take.
FILE_FILTERS = tuple(
    f"*.{ending}" for ending in "jpg jpeg png bmp tif tiff pnm ppm pgm pbm jp2 webp flac ogg wav".split()
)

logger = logging.getLogger("jaxdali")

_LINE = re.compile(r"^(?P<path>.*\S)\s+(?P<label>\d{1,18})\s*$")


class LabelledFiles(Fetched):
    """DALI's `readers.file`: paths and their labels, stored compactly, because there are up to millions.

    Args:
        paths: of files, or URLs.
        labels: one per path.
        cache: keeps objects of URLs; None: nothing does.

    Attributes:
        labels: int32[N].
    """

    def __init__(self, paths: Sequence[str], labels: Sequence[int] | np.ndarray, cache: Cache | None = None):
        self._paths = PackedPaths(paths)
        if not self._paths.text.all():
            wrong = next(path for path in paths if "\0" in path)
            raise ConfigError(f"the path {wrong!r:.80} contains a zero byte, which a path cannot have")
        numbers = np.asarray(labels)
        limits = np.iinfo(np.int32)
        if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
            raise ConfigError(f"labels must be integers, one per file; got {labels!r}")
        if ((numbers < limits.min) | (numbers > limits.max)).any():
            raise ConfigError(f"labels must fit int32, got {int(numbers[np.argmax(np.abs(numbers))])}")
        self.labels = numbers.astype(np.int32)
        self._files = WholeFiles(self.path, any(map(is_remote, paths)), cache)

    def __len__(self) -> int:
        return len(self._paths)

    # Each sample is a file of its own.
    bounds = None

    def row(self, index: int) -> tuple[Any, ...]:
        """Returns `uint8[size]`, the bytes of file `index` (if it is local, the ring itself reads them into a slot),
        and `int32[1]`, its label.
        """
        label = self.labels[index : index + 1]
        if self._files.is_remote(index):
            return np.frombuffer(self._files.read(index), np.uint8), label
        return _host.FileSample(os.fsencode(self.path(index))), label

    def ahead(self) -> Ahead | None:
        return self._files.ahead()

    def direct(self) -> None:
        """None: a `_host.FileSample` is written without Python anyway."""
        return None

    def source_info(self, index: int) -> str:
        """The path of file `index`."""
        return self.path(index)

    def digest(self) -> str:
        """A hash that tells lists apart."""
        found = hashlib.sha256(self._paths.text.data)
        found.update(self._paths.ends.tobytes() + self.labels.tobytes())
        return found.hexdigest()

    def path(self, index: int) -> str:
        """The path of file `index`."""
        return self._paths[index]

    @classmethod
    def from_arguments(
        cls, files: Sequence[str], labels: Sequence[int] | None, root: str, cache: Cache | None = None
    ) -> LabelledFiles:
        """The files that were named; without labels, a file's label is its index.

        Raises:
            ConfigError: there are no files, or not as many labels as files.
        """
        if not files:
            raise ConfigError("`files` specified an empty list.")
        if labels is not None and len(labels) != len(files):
            raise ConfigError(f"Provided {len(labels)} labels for {len(files)} files.")
        paths = joined_all(root, files)
        return cls(paths, np.arange(len(paths)) if labels is None else labels, cache)

    @classmethod
    def from_list(cls, path: str, root: str | None, cache: Cache | None = None) -> LabelledFiles:
        """Reads a file with "path label" in each line; empty lines do not count.

        Args:
            root: folder of paths that are not absolute; None: the folder of the list.

        Raises:
            ConfigError: a line has another form, or there is none; or the list is not a regular file, so that reading
                it might never end.
            OSError: the list cannot be read.
        """
        root = os.path.dirname(path) if root is None else root
        paths, labels = [], []
        with _lines_of(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                found = _LINE.match(line)
                if found is None:
                    raise ConfigError(
                        f'Incorrect format of the list file "{path}":{number} expected file name followed by a label; got: '
                        f"{line.rstrip():.200}"
                    )
                paths.append(found["path"].lstrip())
                labels.append(int(found["label"]))
        return cls(*_some(joined_all(root, paths), labels, path), cache)

    @classmethod
    def from_folder(
        cls,
        root: str,
        file_filters: Sequence[str],
        dir_filters: Sequence[str] | None,
        case_sensitive: bool,
        cache: Cache | None = None,
    ) -> LabelledFiles:
        """Finds files in the folders directly below `root`. A file's label is the index of its folder in sorted order,
        among the folders that count.

        Leaves out anything with a matching name that is not a regular file, and links that lead nowhere; a warning of
        the logger "jaxdali" names the first one. Another one names the first file that lies directly in `root`, or
        folder within a class's, of which nothing is read; but hidden ones.

        Args:
            file_filters: name patterns (`*`, `?`, `[ab]`) of the files that count.
            dir_filters: likewise of the folders; None: all count.
            case_sensitive: for both.

        Raises:
            ConfigError: there is no such file.
            OSError: a folder cannot be read.
        """
        wanted_dirs, wanted = _matcher(dir_filters or ("*",), case_sensitive), _matcher(file_filters, case_sensitive)
        find = _found_elsewhere if is_remote(root) else _found_here
        folders, files, left_out, misplaced = find(root, wanted_dirs, wanted)
        paths, labels = [], []
        for label, (folder, names) in enumerate(files):
            paths += [joined(joined(root, folder), name) for name in names]
            labels += [label] * len(names)
        if left_out:
            logger.warning(
                "%d entries left out that are not files, or are links that lead nowhere: %s ...",
                len(left_out),
                left_out[0],
            )
        if misplaced:
            logger.warning(
                "%d entries left out, because files count that lie directly in the folders of %s, one folder for each "
                "class: %s ...; files= names files wherever they are",
                len(misplaced),
                root,
                misplaced[0],
            )
        if not paths and folders:
            what = f"its {len(folders)} folders" if len(folders) > 1 else f"its folder {folders[0]!r}"
            raise ConfigError(
                f"No files found in {root!r}: {what} {'have' if len(folders) > 1 else 'has'} none that "
                f"{_filters(file_filters, dir_filters)} match. Give other filters, or another folder"
            )
        return cls(*_some(paths, labels, root), cache)


# All folders of a root; the names of files that count, by folder; the paths of what is no file; and those of files in the
# root and of folders in a class's, which lie elsewhere than files that count.
_Found = tuple[list[str], list[tuple[str, list[str]]], list[str], list[str]]


def _found_here(root: str, wanted_dirs: re.Pattern[str], wanted: re.Pattern[str]) -> _Found:
    files, left_out, folders, misplaced = [], [], [], []
    with os.scandir(root) as entries:
        for entry in entries:
            if not _leads_somewhere(entry, left_out):
                continue
            if entry.is_dir():
                folders.append(entry.name)
            elif wanted.match(entry.name) and not entry.name.startswith("."):
                misplaced.append(entry.path)
    folders.sort()
    for folder in folders:
        if not wanted_dirs.match(folder):
            continue
        names = []
        with os.scandir(os.path.join(root, folder)) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    misplaced += [] if entry.name.startswith(".") else [entry.path]
                elif not wanted.match(entry.name) or not _leads_somewhere(entry, left_out):
                    continue
                elif entry.is_file():
                    names.append(entry.name)
                elif not entry.is_dir():
                    left_out.append(entry.path)
        files.append((folder, sorted(names)))
    return folders, files, left_out, misplaced


def _found_elsewhere(root: str, wanted_dirs: re.Pattern[str], wanted: re.Pattern[str]) -> _Found:
    (top,) = list_folders([root])
    counted = [folder for folder in top.folders if wanted_dirs.match(folder)]
    places = [joined(root, folder) for folder in counted]
    listings = list_folders(places)
    files = [[name for name in listing.files if wanted.match(name)] for listing in listings]
    misplaced = [joined(root, name) for name in top.files if wanted.match(name) and not name.startswith(".")]
    for place, listing in zip(places, listings, strict=True):
        misplaced += [joined(place, name) for name in listing.folders if not name.startswith(".")]
    return top.folders, list(zip(counted, files, strict=True)), [], misplaced


def _lines_of(path: str) -> IO[str]:
    if is_remote(path):
        return io.StringIO(fetch(path).decode("utf-8-sig", "surrogateescape"))
    return open(path, encoding="utf-8-sig", errors="surrogateescape", opener=_open_list)


def _filters(file_filters: Sequence[str], dir_filters: Sequence[str] | None) -> str:
    said = f"file_filters={list(file_filters)!r:.200}"
    return said if dir_filters is None else f"{said} and dir_filters={list(dir_filters)!r:.200}"


def _open_list(path: str, flags: int) -> int:
    # Opening a FIFO would otherwise wait for a writer.
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise ConfigError(f"file_list={path!r} is {kind_of_file(mode)}; expected a regular file")
    return descriptor


def _some(paths: list[str], labels: list[int], where: str) -> tuple[list[str], list[int]]:
    if not paths:
        raise ConfigError(
            f"No files found in {where!r}: it expects one folder per class, or a list of paths and labels"
        )
    return paths, labels


def _leads_somewhere(entry: os.DirEntry[str], left_out: list[str]) -> bool:
    """Whether an entry exists. A link to nothing or to itself does not, and is added to `left_out`."""
    try:
        if entry.is_symlink():
            entry.stat()
    except OSError as error:
        if raised_by_handler(error):
            raise
        left_out.append(entry.path)
        return False
    return True


def _matcher(patterns: Sequence[str], case_sensitive: bool) -> re.Pattern[str]:
    expression = "|".join(f"(?:{fnmatch.translate(pattern)})" for pattern in patterns)
    return re.compile(expression, 0 if case_sensitive else re.IGNORECASE)
