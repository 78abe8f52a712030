"""Writes folders of frames."""

from __future__ import annotations

import pathlib
from typing import Any

from jpeg_files import pillow_jpeg
from PIL import Image
from samples import COUNT, SMALL, Arguments, Samples

from jaxdali.source import FrameClips


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], FrameClips]:
    (folder / "frames" / "one").mkdir(parents=True)
    for index in range(COUNT):
        Image.new("RGB", (6, 4), (index, 9, 200)).save(folder / "frames" / "one" / f"{index:02}.png")
    return {"file_root": folder / "frames", "sequence_length": 1}, FrameClips(folder / "frames", 1)


SAMPLES = {"sequence": Samples(_write, "sequence")}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name, count in (("frames/a", 7), ("frames/b", 6), ("others/a", 8)):
        (root / name).mkdir(parents=True)
        for k in range(count):
            (root / name / f"{k}.jpg").write_bytes(pillow_jpeg(*SMALL, seed=k))
    roots = [{"file_root": root / name} for name in ("frames", "others")]
    return {"readers.sequence": Arguments({**roots[0], "sequence_length": 2}, {"file_root": roots})}
