"""The examples run as they are, in a fresh process or by their functions."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

import flax_train  # noqa: E402
import make_images  # noqa: E402


def run_demo(output: pathlib.Path, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", str(EXAMPLES / "demo.py"), "--output", str(output)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120, cwd=output.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    # Without a GPU "mixed" means the CPU, and that is said once.
    assert done.stderr.count("run on the CPU") == 1
    return done.stdout


def test_the_demo_checks_every_pixel_and_draws(tmp_path):
    text = run_demo(tmp_path / "demo")
    assert "144 images compared" in text and "all equal, bit for bit" in text
    for name in ("training", "validation"):
        with Image.open(tmp_path / "demo" / f"{name}.png") as sheet:
            assert sheet.width > 1000 and len(sheet.convert("RGB").getcolors(1 << 20)) > 1000


def test_the_demo_takes_a_folder_without_a_list(tmp_path):
    folder = tmp_path / "photos"
    make_images.make_images(folder, count=9)
    (folder / "file_list.txt").unlink()
    for _ in range(2):  # the second run finds what the first one left
        assert "48 images compared" in run_demo(tmp_path / "demo", "--images", str(folder))


def test_the_generated_set_is_mixed_and_deterministic(tmp_path):
    entries = make_images.make_images(tmp_path / "a")
    make_images.make_images(tmp_path / "b")
    sizes, modes, chroma, progressive, orientations = set(), set(), set(), 0, set()
    for name, _ in entries:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        with Image.open(tmp_path / "a" / name) as image:
            sizes.add(image.size)
            modes.add(image.mode)
            chroma.add(tuple(component[1:3] for component in image.layer))
            progressive += "progressive" in image.info
            orientations.add(image.getexif().get(0x0112, 1))
    assert len(sizes) > 8 and modes == {"RGB", "L"} and len(chroma) >= 4
    assert progressive and orientations == {1, 6}


@pytest.mark.parametrize("workers", [0, 2])
def test_training_from_files_equals_training_from_arrays(workers):
    from_files, from_arrays, _ = flax_train.compare(40, workers)
    np.testing.assert_allclose(from_files, from_arrays, atol=1e-3)
    assert len(from_files) == 40 and (from_files[-10:] < 0.5 * from_files[:10]).all()
