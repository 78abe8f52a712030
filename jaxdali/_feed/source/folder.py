"""A folder of images, one sub-folder per class."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from jaxdali._base.gallery import MOST_SHOWN, Shown, as_html, gallery
from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.pictures import thumbnail_of_file
from jaxdali.errors import ConfigError
from ..storage.cache import make_cache
from ..storage.read_ahead import Ahead
from ..storage.remote_objects import list_folders
from ..storage.urls import absolute, is_remote, joined
from .file_format import FileFormat
from .file_reading import kind_of_file
from .packed_paths import PackedPaths
from .record_source import Fetched, described
from .whole_files import WholeFiles

__all__ = ["EXTENSIONS", "ImageFolder", "remote_images"]

# The image formats that every decoder here reads (_base/formats).
EXTENSIONS = (
    *(".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".pnm", ".ppm", ".pgm", ".pbm", ".gif", ".tga"),
    *(".jp2", ".j2k", ".j2c", ".avif"),
)

# Limits on folders of objects: how many lie within each other, and how many there are in all. Keys of S3 have 1024 bytes.
_DEEPEST, _MOST_FOLDERS = 513, 1 << 20


class ImageFolder(Fetched):
    """Encoded images below `root`, labelled by their sub-folder: a map-style source for `Loader`.

    `data[i]` is `{"image": bytes, "label": np.int32}`: the file's contents, and the index of its sub-folder in sorted
    order. Construction only lists names. Files and folders whose name begins with "." are ignored; a class may be a
    link to a folder. Images right in `root` have no class, and are left out.

    Args:
        root: a folder with one sub-folder per class; or a URL, such as s3://bucket/train.
        extensions: the lower-case extensions of the files that count.
        cache_dir, cache_bytes: a folder that caches objects read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it. An object is taken to be unchanged as long as its name is.

    Attributes:
        root: `str`, absolute, or the URL.
        classes: `list[str]`, the names of the sub-folders, sorted; `classes[label]` is the name of a label.
        paths: a sequence of `str`, absolute or URLs, class by class; in each folder its files, sorted, before those of
            its sub-folders. It takes little memory, which workers share; `list(paths)` is a list.
        labels: `int32[len(paths)]`, the label of each file.

    Raises:
        ConfigError: `root` has no sub-folder, or one without an image; or an entry that counts is a broken link, or not
            a regular file.
        OSError: a folder cannot be read. `data[i]` raises it if a file cannot be read, or is no longer a regular file.

    Example:
        >>> import pathlib, tempfile
        >>> from jaxdali import source
        >>> with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory(prefix="cat", dir=root) as cat:
        ...     _ = pathlib.Path(cat, "1.jpg").write_bytes(b"a file")
        ...     source.ImageFolder(root)[0]
        {'image': b'a file', 'label': np.int32(0)}
    """

    _format = FileFormat("folder")
    root: str
    classes: list[str]
    paths: Sequence[str]
    labels: np.ndarray

    def __init__(
        self,
        root: str | os.PathLike[str],
        extensions: tuple[str, ...] = EXTENSIONS,
        *,
        cache_dir: str | os.PathLike[str] | None = None,
        cache_bytes: int | None = None,
    ):
        self.root = absolute(root)
        remote = is_remote(self.root)
        self._files = WholeFiles(self.source_info, remote, make_cache(cache_dir, cache_bytes))
        self.classes = _remote_classes(self.root) if remote else _classes(self.root)
        if not self.classes:
            raise ConfigError(
                f"ImageFolder expects one sub-folder per class, but {self.root} has none; to read files without classes, "
                "write a class with __len__ and a __getitem__ that returns their bytes"
            )
        folders = [joined(self.root, name) for name in self.classes]
        found = remote_images(folders, extensions) if remote else (_images(folder, extensions) for folder in folders)
        counts: list[int] = []
        self.paths = PackedPaths(self._counted(folders, found, counts, extensions))
        self.labels = np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    def _counted(
        self, folders: Sequence[str], found: Iterable[Iterable[str]], counts: list[int], extensions: tuple[str, ...]
    ) -> Iterator[str]:
        """Yields the paths of all classes, and appends to `counts` how many each has.

        Raises:
            ConfigError: a class has none.
        """
        for name, folder, images in zip(self.classes, folders, found, strict=True):
            count = 0
            for path in images:
                yield path
                count += 1
            if not count:
                raise ConfigError(
                    f"no file below {folder} ends in one of {', '.join(extensions)}, so the class {name!r} would have no "
                    "image; remove the folder, rename it to begin with a dot, or give other extensions="
                )
            counts.append(count)

    def __len__(self) -> int:
        return len(self.paths)

    def __repr__(self) -> str:
        return described("ImageFolder", [self.root], len(self), f"{len(self.classes)} classes")

    def _repr_html_(self) -> str:
        return as_html(self._as_html, self)

    def _as_html(self) -> str:
        """Returns thumbnails of images from the whole folder; of remote ones the repr alone, as they would be fetched."""
        shown = 0 if is_remote(self.root) else min(len(self), MOST_SHOWN)
        indices = np.linspace(0, len(self) - 1, shown).astype(int).tolist()
        cells = [Shown.of(self._caption(index), lambda index=index: self._thumbnail(index)) for index in indices]
        return gallery(repr(self), cells, len(self) if cells else 0)

    def _caption(self, index: int) -> str:
        return f"{index}: {self.classes[self.labels[index]]}"

    def _thumbnail(self, index: int) -> bytes:
        return thumbnail_of_file(bytes(self._files.read(index)))

    def __getitem__(self, index: int) -> dict[str, object]:
        return {"image": self._files.read(index), "label": self.labels[index]}

    def ahead(self) -> Ahead | None:
        return self._files.ahead()

    def source_info(self, index: int) -> str:
        """Returns the path of file `index`, which errors show."""
        return self.paths[index]


def _classes(root: str) -> list[str]:
    found = []
    for entry in _entries(root):
        _check_link(entry)
        if entry.is_dir():
            found.append(entry.name)
    return found


def _remote_classes(root: str) -> list[str]:
    return [name for name in list_folders([root])[0].folders if not name.startswith(".")]


def remote_images(folders: Sequence[str], extensions: tuple[str, ...]) -> Iterator[Iterator[str]]:
    """Yields the URLs of the objects below each folder that have the extensions. Lists all folders of a level at once; none
    of them may lie within another one.

    Raises:
        ConfigError: there are more folders, or more within each other, than data have: a server may list a folder within
            itself.
    """
    found: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    level = list(folders)
    for depth in range(_DEEPEST + 1):
        if not level:
            break
        if depth == _DEEPEST or len(found) + len(level) > _MOST_FOLDERS:
            raise ConfigError(
                f"{level[0]} lies below {depth} folders, and {len(found) + len(level)} were found; at most {_DEEPEST - 1} "
                f"within each other are read, and {_MOST_FOLDERS} in all. Does the server list a folder within itself?"
            )
        for folder, listing in zip(level, list_folders(level), strict=True):
            found[folder] = [
                name for name in listing.files if not name.startswith(".") and name.lower().endswith(extensions)
            ]
            below[folder] = [
                joined(folder, name) for name in dict.fromkeys(listing.folders) if not name.startswith(".")
            ]
        level = [one for folder in level for one in below[folder]]
    for folder in folders:
        ordered = _in_order(folder, below.__getitem__)
        yield (joined(one, name) for one in ordered for name in found.pop(one))


def _images(folder: str, extensions: tuple[str, ...]) -> Iterator[str]:
    """Yields the paths of the files that count, those directly in `folder` first."""
    below: dict[str, list[str]] = {}
    for one in _in_order(folder, below.pop):
        below[one] = []
        for entry in _entries(one):
            if entry.is_dir(follow_symlinks=False):
                below[one].append(entry.path)
            elif entry.name.lower().endswith(extensions):
                _check_link(entry)
                if entry.is_file():
                    yield entry.path
                elif not entry.is_dir():
                    kind = kind_of_file(entry.stat().st_mode)
                    raise ConfigError(f"{entry.path} is {kind}; expected a regular file. Remove it")


def _in_order(folder: str, below: Callable[[str], list[str]]) -> Iterator[str]:
    """Yields a folder and all those below, each before its own: without recursion, since they may be thousands deep. Asks
    for those below a folder after it was yielded.
    """
    left = [folder]
    while left:
        one = left.pop()
        yield one
        left += reversed(below(one))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Returns the entries of a folder, sorted by name, without hidden ones."""
    with os.scandir(folder) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _check_link(entry: os.DirEntry[str]) -> None:
    """Raises ConfigError if the entry is a link to nothing, or to itself."""
    if entry.is_symlink():
        try:
            entry.stat()
        except OSError as error:
            if raised_by_handler(error):
                raise
            raise ConfigError(
                f"{entry.path} is a link that leads nowhere ({error.strerror}); remove it, or repair it"
            ) from error
