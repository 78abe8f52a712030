"""Clips of frames in folders compared with DALI: which frames they have and in which colours, of all kinds of files."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from beside_dali import SYSTEMS, load
from PIL import Image

pytestmark = pytest.mark.dali

HEIGHT, WIDTH = 24, 34


def colors(number: int, height: int = HEIGHT) -> np.ndarray:
    y, x = np.mgrid[:height, :WIDTH]
    return np.stack([(x * 3 + number * 7) % 256, (y * 5 + number) % 256, (x + y + number * 11) % 256], -1).astype(
        np.uint8
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> pathlib.Path:
    root = tmp_path_factory.mktemp("frames")
    for name, count, height in (("v9", 7, 24), ("v10", 5, 20), (".hidden", 4, 20), ("short", 1, 20)):
        (root / name).mkdir()
        for number in range(count):
            Image.fromarray(colors(number, height)).save(root / name / f"{number:03}.png")
    (root / "v9" / "sub").mkdir()
    Image.fromarray(colors(9)).save(root / "v9" / "sub" / "000.png")
    Image.fromarray(colors(9)).save(root / "v9" / ".000.png")
    Image.fromarray(colors(9)).save(root / "top.png")
    (root / "v9" / "notes.txt").write_text("no image")
    (root / "w").symlink_to(root / "v10")
    return root


def clips(system: str, root: pathlib.Path, image_type: str, **given: Any) -> list[Any]:
    dali = load(system)
    pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=None, seed=7, py_num_workers=0)
    with pipe:
        image = getattr(dali.types, image_type)
        pipe.set_outputs(dali.fn.readers.sequence(file_root=str(root), image_type=image, name="R", **given))
    pipe.build()
    size = pipe.epoch_size("R")
    runs = [pipe.run()[0] for _ in range(size + 1)]
    return [size, *[(out.layout(), np.array(out.at(0))) for out in runs]]


def same(*given: Any, atol: int = 0, **more: Any) -> None:
    theirs, ours = (clips(system, *given, **more) for system in SYSTEMS)
    assert ours[0] == theirs[0] and len(ours) >= 3
    for (layout, mine), (other_layout, other) in zip(ours[1:], theirs[1:], strict=True):
        assert layout == other_layout
        assert mine.shape == other.shape and mine.dtype == other.dtype
        np.testing.assert_allclose(mine.astype(int), other.astype(int), rtol=0, atol=atol)


@pytest.mark.parametrize(
    "given",
    [{"sequence_length": 3}, {"sequence_length": 2, "step": 2, "stride": 3}, {"sequence_length": 5, "step": 4}],
    ids=str,
)
def test_clips_are_dalis(folder, given):
    same(folder, "RGB", **given)


KINDS = ["color.jpg", "gray.jpg", "color.png", "gray.png", "alpha.png", "color.bmp", "deep.png"]


@pytest.mark.parametrize("image_type", ["RGB", "BGR", "GRAY", "ANY_DATA"])
def test_frames_are_dalis_of_every_kind_of_file(tmp_path, image_type):
    for kind in KINDS:
        if (kind, image_type) == ("gray.jpg", "ANY_DATA"):  # crashes DALI
            continue
        (tmp_path / kind / "video").mkdir(parents=True)
        for number in range(2):
            pixels = colors(number)
            if kind.startswith("gray"):
                pixels = pixels[..., 2]
            elif kind.startswith("deep"):
                pixels = pixels[..., 2].astype(np.uint16) * 257
            elif kind.startswith("alpha"):
                pixels = np.dstack([pixels, np.full(pixels.shape[:2], 40, np.uint8)])
            Image.fromarray(pixels).save(tmp_path / kind / "video" / f"{number}.{kind[-3:]}")
        # The luma is libjpeg's, which rounds differently.
        rounded = image_type == "GRAY" and kind in ("color.png", "alpha.png", "color.bmp")
        same(tmp_path / kind, image_type, sequence_length=1, atol=int(rounded))
