"""`jaxdali view`, as a process."""

import re
import sys

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


PROGRAM = """
import numpy as np
from jaxdali import Loader, fn, pipeline_def, source

images = np.zeros((10, 6, 9, 3), np.uint8)
images[3] = 255
loader = Loader(source.Arrays(x=images, y=np.arange(10)), batch_size=4, epochs=1, workers=0, last_batch="drop")
labels = Loader(source.Arrays(y=np.arange(10)), batch_size=4, workers=0)


@pipeline_def(batch_size=3)
def pipe():
    return fn.external_source(iter([images[:3], images[3:6]]), batch=True)
"""


def test_a_sheet_of_batches_of_a_program(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    program, output = tmp_path / "mine.py", tmp_path / "sheet.png"
    program.write_text(PROGRAM)
    for name, count, kind in (("loader", 8, "Loader"), ("pipe", 6, "Pipeline")):
        assert main(["view", f"{program}:{name}", "--output", str(output)]) == 0
        assert f"{count} thumbnails of batches of {program}:{name}, a {kind}\n" in capsys.readouterr().out
        sheet = sheet_of(output)
        rows = -(-count // 6)
        assert sheet.shape[0] == GAP + rows * (THUMBNAIL + CAPTION + GAP)
        # The fourth one is white, the others are black.
        tops = [GAP + THUMBNAIL // 2, GAP + (THUMBNAIL + CAPTION + GAP) + THUMBNAIL // 2][:rows]
        seen = [sheet[top, GAP + k * (THUMBNAIL + GAP) + THUMBNAIL // 2, 0] for top in tops for k in range(6)][:count]
        assert [int(level) for level in seen] == [255 if row == 3 else 0 for row in range(count)]
    for arguments, words in (
        ([f"{program}:loader", "--seed", "1"], "--seed is for folders and shards"),
        ([f"{program}:loader", "."], "a program is shown alone"),
        ([f"{program}:labels"], "nothing in a batch looks like images"),
        ([f"{program}:images"], "expected a jaxdali.Loader, a Pipeline"),
    ):
        assert main(["view", *arguments, "--output", str(output)]) == 2
        assert words in capsys.readouterr().err


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
