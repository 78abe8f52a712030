"""Writes folders of image files."""

from __future__ import annotations

import pathlib
from typing import Any

from jpeg_files import pillow_jpeg
from samples import COUNT, SMALL, Arguments, Samples, content

from jaxdali._dali.readers.listing import LabelledFiles


def write_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """Writes a file for each sample."""
    (folder / "files").mkdir(exist_ok=True)
    paths = [folder / "files" / f"{index:02}.jpg" for index in range(COUNT)]
    for index, path in enumerate(paths):
        path.write_bytes(content(index))
    return paths


def few_files(root: pathlib.Path) -> None:
    """Writes two classes of files, of which one has a sub-folder."""
    for name in ("a/0.jpg", "a/1.jpg", "b/2.jpg", "b/c/3.jpg"):
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_bytes(pillow_jpeg(*SMALL, seed=int(name[-5])))


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], LabelledFiles]:
    files = write_files(folder)
    return {"files": files}, LabelledFiles([*map(str, files)], range(COUNT))


SAMPLES = {"file": Samples(_write, "file")}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    few_files(root)
    (root / "list.txt").write_text("a/0.jpg 3\nb/2.jpg 4\n")
    values = {
        "file_root": [{"file_root": root}, {"file_root": root / "b"}],
        "files": [{"files": ["a/0.jpg"]}, {"files": ["a/1.jpg"]}],
        "labels": [{"files": ["a/0.jpg"], "labels": [3]}, {"files": ["a/0.jpg"], "labels": [4]}],
        "file_list": [{"file_list": root / "list.txt"}],
        "file_filters": [{"file_filters": ["0.jpg"]}, {"file_filters": "1.jpg"}],
        "dir_filters": [{"dir_filters": ["a"]}, {"dir_filters": "b"}],
        "case_sensitive_filter": [{"file_filters": ["*.JPG", "0.jpg"], "case_sensitive_filter": True}],
    }
    return {"readers.file": Arguments({"file_root": root}, values)}
