"""Writes tar archives with Python's own library."""

from __future__ import annotations

import io
import pathlib
import tarfile
from collections.abc import Mapping


def write_tar(
    path: pathlib.Path, files: Mapping[str, bytes | tuple[bytes, str]], form: int = tarfile.GNU_FORMAT
) -> pathlib.Path:
    """Writes an archive of files, links and folders; for the latter two, contents are (type, target)."""
    path.parent.mkdir(exist_ok=True, parents=True)
    with tarfile.open(path, "w", format=form) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
            else:
                member.type, member.linkname = content
                archive.addfile(member)
    return path
