"""Runs the command line in a process of its own, on folders of generated images."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from jpeg_files import pillow_jpeg
from PIL import Image

GOOD = 6


def run(*arguments: object, cwd: pathlib.Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "jaxdali", *map(str, arguments)]
    # One CPU device, as users have; the suite sets eight.
    variables = {**os.environ, "XLA_FLAGS": "", **environment}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, [environment.get("PYTHONPATH"), *sys.path]))
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=variables, timeout=120)


@pytest.fixture(scope="module")
def damaged_folder(tmp_path_factory) -> pathlib.Path:
    """Six good JPEGs in sub-folders, a good PNG, and three files that are damaged in different ways."""
    root = tmp_path_factory.mktemp("images")
    for name in ("deep/a", "b"):
        (root / name).mkdir(parents=True)
    for index in range(GOOD):
        path = root / ("b" if index % 2 else "deep/a") / f"{index}.JPG"
        path.write_bytes(pillow_jpeg(40 + 4 * index, 60))
    Image.new("RGB", (30, 20), "red").save(root / "b" / "red.png")
    (root / "cut.jpeg").write_bytes(pillow_jpeg(40, 60)[:500])
    (root / "b" / "words.jpg").write_text("no image")
    (root / "b" / "empty.bmp").touch()
    (root / "read me.txt").write_text("not listed")
    return root


DAMAGED = {"cut.jpeg": "TRUNCATED", "b/words.jpg": "CORRUPT", "b/empty.bmp": "CORRUPT"}
