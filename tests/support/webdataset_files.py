"""Writes tar archives with Python's own library."""

from __future__ import annotations

import io
import pathlib
import struct
import tarfile
from collections.abc import Mapping
from typing import Any

from samples import HALVES, Arguments, Samples, both, content

from jaxdali import types
from jaxdali.source import WebDataset


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


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], WebDataset]:
    paths = both(folder, "{}.tar")
    for path, mine in zip(paths, HALVES, strict=True):
        members = {}
        for index in mine:
            members[f"{index:02}.jpg"] = content(index)
            members[f"{index:02}.id"] = struct.pack("<ii", index, -index)
        write_tar(path, members)
    wanted = {"ext": ["jpg", "id"], "dtypes": [types.UINT8, types.INT32]}
    return {"paths": paths, **wanted}, WebDataset(paths, ["jpg", "id"], dtypes=[None, "i4"])


SAMPLES = {"webdataset": Samples(_write, "webdataset", native=True)}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name, data in (("a.tar", b"0123"), ("b.tar", b"01234567")):
        write_tar(root / name, {"0.x": data, "1.X": data, "1.y": data, "2.x": data})
    (root / "tar.idx").write_text("v1.2 1\nx 512 4 0.x\n")
    values = {
        "paths": [{"paths": root / "a.tar"}, {"paths": root / "b.tar"}],
        "ext": [{"ext": "x"}, {"ext": ["x", "y"]}],
        "index_paths": [{"index_paths": root / "tar.idx"}],
        "missing_component_behavior": [
            {"missing_component_behavior": "skip"},
            {"missing_component_behavior": "error", "ext": "x;y"},
        ],
        "case_sensitive_extensions": [{"case_sensitive_extensions": False}],
    }
    return {"readers.webdataset": Arguments({"paths": root / "a.tar", "ext": "x"}, values)}
