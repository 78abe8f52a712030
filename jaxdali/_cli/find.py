"""Finds out what the paths of a command line are: a folder of images, or shards and their format."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from jaxdali.errors import ConfigError
from . import shards
from .contents import Content
from .images import folder_of_images
from .parquet_files import parquet_files

__all__ = ["PATHS", "find_content"]

PATHS = (
    "a folder with images, at any depth; or shards: *.tar, *.tfrecord, *.rec, *.parquet, *.npy, videos, a folder with "
    "data.mdb or *.npy, annotations.json of COCO and its folder of images; or URLs of these"
)

_ENDINGS: tuple[tuple[str, Callable[[Sequence[str]], Content]], ...] = (
    (r"\.tar$", shards.archives),
    (r"\.rec$", shards.record_files),
    (r"\.mdb$", shards.databases),
    (r"\.npy$", shards.arrays),
    (r"\.parquet$", parquet_files),
    (r"\.tfrecords?\b", shards.tfrecords),
    (r"\.(mp4|m4v|mkv|webm|avi|mov|mpe?g|ts|flv|wmv)$", shards.videos),
)
_COMPRESSED = re.compile(r"\.(gz|tgz|bz2|xz|zst|lz4|zip)$", re.IGNORECASE)
# How many of a file's first bytes are read if its name does not tell its format.
_HEAD = 512


def find_content(given: Sequence[str]) -> Content:
    """Finds the content that the paths name.

    Raises:
        ConfigError: they name nothing known, or several things; the text says what to name.
        OSError: a folder or a file cannot be read.
        JaxDaliError: the first record is damaged.
    """
    from jaxdali._feed.storage.urls import absolute

    paths = [absolute(path) for path in given]
    json = [path for path in paths if path.lower().endswith(".json")]
    if json:
        if len(paths) != 2 or len(json) != 1:
            raise ConfigError(
                f"{json[0]}: for COCO, name one annotations file and the folder of its images, such as "
                f"annotations.json train2017/; got {len(paths)} paths. To measure NeMo manifests, write a Pipeline or "
                "Loader: `jaxdali bench program.py:name`"
            )
        return shards.coco(json[0], next(path for path in paths if path not in json))
    folders = [path for path in paths if _is_folder(path)]
    if not folders:
        return _files(paths)
    if all(_has(folder, "data.mdb") for folder in folders) and len(folders) == len(paths):
        return shards.databases(paths)
    if len(paths) > 1:
        raise ConfigError(f"{folders[0]} is one of {len(paths)} paths; name one folder of images, or shards alone")
    return _folder(paths[0], given[0])


def _files(paths: Sequence[str]) -> Content:
    readers = {path: _reader_of(path) for path in paths}
    kinds = {reader: path for path, reader in reversed(readers.items())}
    if len(kinds) > 1:
        one, other = list(kinds.values())[:2]
        raise ConfigError(f"{one} and {other} are of different formats; name shards of one format")
    return next(iter(kinds))(paths)


def _folder(path: str, given: str) -> Content:
    from jaxdali._feed.storage.objects import list_folders
    from jaxdali._feed.storage.urls import is_remote, joined

    try:
        return folder_of_images(path)
    except ConfigError as error:
        names = list_folders([path])[0].files if is_remote(path) else sorted(os.listdir(path))
        found = [name for name in names if name.lower().endswith(".npy")]
        if found:
            return shards.arrays([joined(path, name) for name in found])
        others = [name for name in names if _by_name(name) is not None]
        if not others:
            raise
        ending = os.path.splitext(others[0])[1]
        raise ConfigError(f"{error}; to read its shards, name them: {given.rstrip('/')}/*{ending}") from None


def _is_folder(path: str) -> bool:
    from jaxdali._feed.storage.urls import is_remote

    if not is_remote(path):
        if not os.path.exists(path):
            raise ConfigError(f"{path}: there is no such file or folder")
        return os.path.isdir(path)
    return _by_name(path) is None and bool({*_listed(path)})


def _listed(path: str) -> list[str]:
    """Returns the names directly in a remote folder; nothing if it is not a folder."""
    from jaxdali._feed.storage.objects import list_folders

    try:
        (listing,) = list_folders([path])
    except OSError:
        return []
    return [*listing.files, *listing.folders]


def _has(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name)) if os.path.isdir(folder) else name in _listed(folder)


def _by_name(path: str) -> Callable[[Sequence[str]], Content] | None:
    name = path.partition("?")[0] if "://" in path else path
    return next((reader for ending, reader in _ENDINGS if re.search(ending, name, re.IGNORECASE)), None)


def _reader_of(path: str) -> Callable[[Sequence[str]], Content]:
    if _COMPRESSED.search(path):
        raise ConfigError(f"{path} is compressed; unpack it, so that its records can be read in any order")
    return _by_name(path) or _by_first_bytes(path)


def _by_first_bytes(path: str) -> Callable[[Sequence[str]], Content]:
    from jaxdali._base.formats.names import recognise
    from jaxdali._feed.records.recordio import begins_recordio
    from jaxdali._feed.records.safe_open import open_checked
    from jaxdali._feed.records.tar import begins_tar
    from jaxdali._feed.records.tfrecord import begins_tfrecord

    with open_checked(path) as file:
        head = file.read(min(_HEAD, file.size), 0)
    if begins_tfrecord(head):
        return shards.tfrecords
    if begins_recordio(head):
        return shards.record_files
    if begins_tar(head):
        return shards.archives
    if head.startswith(b"\x93NUMPY"):
        return shards.arrays
    if head.startswith(b"PAR1"):
        return parquet_files
    if recognise(head) is not None:
        raise ConfigError(f"{path} is an image; name the folder that it is in")
    raise ConfigError(
        f"{path} is a file of an unknown format; expected {PATHS}; or program.py:name of a Loader or Pipeline"
    )
