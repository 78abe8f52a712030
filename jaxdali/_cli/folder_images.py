"""Finds the images of a folder, and damaged images."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence

from jaxdali._base.batch import Status
from jaxdali.errors import ConfigError
from .image_inputs import Content, Indexed, size_of_files
from .safe_text import shown

__all__ = ["check_can_write", "damaged_images", "find_images", "folder_of_images", "name_damaged"]

# The number of files decoded at a time: memory holds their bytes, but only 8 x 8 of their pixels.
_AT_A_TIME = 32
_NAMED = 10


def folder_of_images(folder: str) -> Content:
    """Returns all images below a folder or a URL, sorted.

    Raises:
        ConfigError: there is no image.
        OSError: a folder cannot be read.
    """
    from jaxdali import fn
    from jaxdali._feed.source.whole_files import Files

    paths = find_images(folder)
    return Content(
        **{"kind": "folder", "unit": "images", "paths": [folder], "encoded": True, "is_folder": True},
        nodes=lambda name: fn.readers.file(files=paths, name=name),
        data=lambda: Files(paths),
        shown=lambda content: content,
        bytes_of=lambda: size_of_files(paths),
    )


def find_images(folder: str) -> list[str]:
    """Returns the paths of all images below a folder, sorted. Leaves out dangling links, and other non-regular files
    with the name of an image, and lists them on stderr.
    """
    from jaxdali._feed.source.file_reading import kind_of_file
    from jaxdali._feed.source.folder import EXTENSIONS, remote_images
    from jaxdali._feed.storage.urls import is_remote

    if is_remote(folder):
        (found,) = map(sorted, remote_images([folder], EXTENSIONS))
        if not found:
            raise ConfigError(f"{folder}: no object below it ends in one of {', '.join(EXTENSIONS)}")
        return found

    def refuse(error: OSError) -> None:
        raise error

    paths, others = [], {}
    for parent, _, names in os.walk(folder, onerror=refuse):
        for path in (os.path.join(parent, name) for name in names if name.lower().endswith(EXTENSIONS)):
            try:
                mode = os.stat(path).st_mode
            except OSError as error:
                others[path] = f"it leads nowhere ({error.strerror})" if os.path.islink(path) else error.strerror
                continue
            if stat.S_ISREG(mode):
                paths.append(path)
            else:
                others[path] = kind_of_file(mode)
    if others:
        print(f"{len(others)} that are not files are left out:", file=sys.stderr)
        _name(sorted((os.path.relpath(path, folder), why) for path, why in others.items()))
    if not paths:
        raise ConfigError(f"{folder}: no file below it ends in one of {', '.join(EXTENSIONS)}")
    return sorted(paths)


def damaged_images(pictures: Indexed, indices: Sequence[int]) -> dict[int, Status]:
    """Decodes images on the CPU; returns those that fail or are missing, and why.

    Raises:
        OSError: a file cannot be read.
    """
    import jax
    import numpy as np

    from jaxdali._device.image.decode_resample import decode_resample
    from jaxdali._device.image.encoded import EncodedBatch

    cpu = jax.local_devices(backend="cpu")[0]
    found = {}
    for start in range(0, len(indices), _AT_A_TIME):
        part = indices[start : start + _AT_A_TIME]
        batch = EncodedBatch.from_encoded([pictures.read(index) for index in part], device=cpu)
        # Decodes each image as a whole and resamples it; a canvas for all would be as large as the largest image.
        _, status = decode_resample(batch, None, (8, 8), on_error="zeros")
        codes = np.asarray(status).tolist()
        found |= {index: Status(code) for index, code in zip(part, codes, strict=True) if code != Status.OK}
    return found


def name_damaged(pictures: Indexed, damaged: dict[int, Status]) -> None:
    """Lists the first few damaged images on stderr."""
    _name([(pictures.name(index), status.name) for index, status in damaged.items()])


def _name(words: Sequence[tuple[str, str]]) -> None:
    for name, word in words[:_NAMED]:
        print(f"  {shown(name)}: {word}", file=sys.stderr)
    if len(words) > _NAMED:
        print(f"  and {len(words) - _NAMED} more", file=sys.stderr)


def check_can_write(path: str | None) -> None:
    """Checks, before any work is done, that a file can be written; leaves an existing file unchanged.

    Raises:
        OSError: it cannot be written.
    """
    if path is None:
        return
    new = not os.path.lexists(path)
    with open(path, "ab"):
        pass
    if new:
        os.unlink(path)
