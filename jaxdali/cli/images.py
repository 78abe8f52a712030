"""The images of a folder: which there are, and which of them are damaged."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence

from ..batch import Status
from ..errors import ConfigError
from .names import shown

__all__ = ["check_can_write", "damaged_images", "find_images", "name_damaged"]

# Files that are decoded at a time: their bytes are in memory, of their pixels 8 by 8.
_AT_A_TIME = 32
_NAMED = 10


def find_images(folder: str) -> list[str]:
    """Paths of all images below a folder, sorted. What else than a regular file has such a name, and a link that leads
    nowhere, is left out, and named on stderr.

    Raises:
        ConfigError: there is no such folder, or no image below it.
        OSError: a folder cannot be read.
    """
    from ..source.files import kind_of_file
    from ..source.folder import EXTENSIONS

    if not os.path.exists(folder):
        raise ConfigError(f"{folder}: there is no such folder")
    if not os.path.isdir(folder):
        raise ConfigError(
            f"{folder} is a file; name a folder with images. Shards are measured by `jaxdali bench program.py:name`, of a "
            "Loader or Pipeline that reads them"
        )

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
        print(f"{len(others)} that are no files are left out:", file=sys.stderr)
        _name(folder, sorted(others.items()))
    if not paths:
        raise ConfigError(f"{folder}: no file below it ends in one of {', '.join(EXTENSIONS)}")
    return sorted(paths)


def damaged_images(paths: Sequence[str]) -> dict[str, Status]:
    """Those files that cannot be decoded, and why. Decodes all of them, on the CPU.

    Raises:
        OSError: a file cannot be read.
    """
    import jax
    import numpy as np

    from ..image import EncodedBatch, decode_resample
    from ..source.files import read_file

    cpu = jax.local_devices(backend="cpu")[0]
    found = {}
    for start in range(0, len(paths), _AT_A_TIME):
        part = paths[start : start + _AT_A_TIME]
        batch = EncodedBatch.from_encoded([read_file(path) for path in part], device=cpu)
        # The whole of each image is decoded; a canvas for all would be as large as the largest.
        _, status = decode_resample(batch, None, (8, 8), on_error="zeros")
        codes = np.asarray(status).tolist()
        found |= {path: Status(code) for path, code in zip(part, codes, strict=True) if code != Status.OK}
    return found


def name_damaged(folder: str, damaged: dict[str, Status]) -> None:
    """Says on stderr which files are damaged: the first few."""
    _name(folder, [(path, status.name) for path, status in damaged.items()])


def _name(folder: str, words: Sequence[tuple[str, str]]) -> None:
    for path, word in words[:_NAMED]:
        print(f"  {shown(os.path.relpath(path, folder))}: {word}", file=sys.stderr)
    if len(words) > _NAMED:
        print(f"  and {len(words) - _NAMED} more", file=sys.stderr)


def check_can_write(path: str | None) -> None:
    """Tries whether a file can be written, before the work that it is for; leaves what is there as it is.

    Raises:
        OSError: it cannot.
    """
    if path is None:
        return
    new = not os.path.lexists(path)
    with open(path, "ab"):
        pass
    if new:
        os.unlink(path)
