"""`jaxdali view`, as a process."""

import re

import numpy as np
import pytest
from cli_runs import DAMAGED, GOOD, damaged_folder, run
from jpeg_files import pillow_pixels
from PIL import Image

from jaxdali._cli.main import main

__all__ = ["damaged_folder"]

# Pixels of a sheet (jaxdali/_cli/sheet.py).
THUMBNAIL, GAP, CAPTION = 200, 8, 16


def sheet_of(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_a_sheet_depends_on_the_seed_alone(damaged_folder, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        done = run("view", damaged_folder, "--count", 13, "--seed", seed, "--output", tmp_path / f"{name}.png")
        assert done.returncode == 0, done.stderr
    assert f"13 thumbnails of {GOOD + 1 + len(DAMAGED)} of {GOOD + 1 + len(DAMAGED)} images" in done.stdout
    for name, status in DAMAGED.items():
        assert f"{name}: {status}\n" in done.stderr
        # It was also reported when it occurred.
        assert re.search(rf"an image was replaced by zeros: {status}.*{re.escape(name)}", done.stderr)
    a, b, c = (sheet_of(tmp_path / f"{name}.png") for name in "abc")
    assert a.shape == (GAP + 3 * (THUMBNAIL + CAPTION + GAP), GAP + 6 * (THUMBNAIL + GAP), 3)
    assert np.array_equal(a, b) and not np.array_equal(a, c)


def test_without_augmentation_the_images_are_as_they_are(tmp_path, damaged_folder):
    folder = tmp_path / "one"
    folder.mkdir()
    file = (damaged_folder / "b" / "1.JPG").read_bytes()
    (folder / "1.jpg").write_bytes(file)
    done = run("view", folder, "--no-augment", cwd=tmp_path)
    assert done.returncode == 0 and "sheet.png: 1 thumbnails of 1 of 1 images" in done.stdout and done.stderr == ""
    pixels = pillow_pixels(file)
    height, width, _ = pixels.shape
    top, left = GAP + (THUMBNAIL - height) // 2, GAP + (THUMBNAIL - width) // 2
    assert np.array_equal(sheet_of(tmp_path / "sheet.png")[top : top + height, left : left + width], pixels)


def test_a_sheet_of_nothing_but_damaged_images_fails(tmp_path, capsys):
    (tmp_path / "a.jpg").write_text("no image")
    assert main(["view", str(tmp_path), "--count", "2", "--output", str(tmp_path / "sheet.png")]) == 1
    assert "a.jpg: CORRUPT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "code", "message"),
    [("/proc/sheet.png", 1, "/proc/sheet.png"), ("sheet.xyz", 2, "cannot write files that end in '.xyz'")],
)
def test_an_output_that_cannot_be_written(damaged_folder, tmp_path, output, code, message):
    done = run("view", damaged_folder, "--output", output, cwd=tmp_path)
    assert done.returncode == code and message in done.stderr and "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
