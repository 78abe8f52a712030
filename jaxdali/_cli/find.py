"""Finds out what the paths of a command line are: a folder of images, or shards and their format."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence

from jaxdali._feed.source.file_format import FileFormat
from jaxdali.errors import ConfigError
from . import shards
from .folder_images import folder_of_images
from .formats import by_first_bytes, by_name, first_bytes, formats
from .image_inputs import Content

__all__ = ["PATHS", "find_content"]

PATHS = (
    "a folder with images, at any depth; or shards that jaxdali.source reads, such as *.tar, *.tfrecord, *.parquet or "
    "videos; a folder with data.mdb or *.npy; annotations.json of COCO and its folder of images; or URLs of these"
)

_COMPRESSED = re.compile(r"\.(gz|tgz|bz2|xz|zst|lz4|zip)$", re.IGNORECASE)


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
    known = formats()
    found = {path: _format_of(path, known) for path in paths}
    kinds = {form: path for path, form in reversed(found.items())}
    if len(kinds) > 1:
        one, other = list(kinds.values())[:2]
        raise ConfigError(f"{one} and {other} are of different formats; name shards of one format")
    (form,) = kinds
    return shards.content_of(known[form], form, paths)


def _folder(path: str, given: str) -> Content:
    from jaxdali._feed.storage.remote_objects import list_folders
    from jaxdali._feed.storage.urls import is_remote, joined

    try:
        return folder_of_images(path)
    except ConfigError as error:
        known = formats()
        names = list_folders([path])[0].files if is_remote(path) else sorted(os.listdir(path))
        found = [name for name in names if name.lower().endswith(".npy")]
        if found:
            return shards.arrays([joined(path, name) for name in found])
        others = [name for name in names if by_name(name, known) is not None]
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
    return by_name(path, formats()) is None and bool(_listed(path))


def _listed(path: str) -> list[str]:
    """Returns the names directly in a remote folder; nothing if it is not a folder."""
    from jaxdali._feed.storage.remote_objects import list_folders

    try:
        (listing,) = list_folders([path])
    except OSError:
        return []
    return [*listing.files, *listing.folders]


def _has(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name)) if os.path.isdir(folder) else name in _listed(folder)


def _format_of(path: str, known: Collection[FileFormat]) -> FileFormat:
    from jaxdali._base.formats.format_names import recognise

    if _COMPRESSED.search(path):
        raise ConfigError(f"{path} is compressed; unpack it, so that its records can be read in any order")
    if (form := by_name(path, known)) is not None:
        return form
    head = first_bytes(path)
    if (form := by_first_bytes(head, known)) is not None:
        return form
    if recognise(head) is not None:
        raise ConfigError(f"{path} is an image; name the folder that it is in")
    names = ", ".join(one.name for one in known if one.endings is not None)
    raise ConfigError(
        f"{path} is a file of an unknown format; expected {PATHS}; or program.py:name of a Loader or Pipeline. Formats of "
        f"shards are {names}"
    )
