"""Files that the ring reads itself: the same bytes as in Python, and Python's errors."""

import io
import os
import pathlib

import numpy as np
import pytest
from jpeg_files import pillow_jpeg
from PIL import Image

from jaxdali import ConfigError, SourceError, fn, pipeline_def


def png():
    stream = io.BytesIO()
    Image.fromarray(np.arange(7 * 5 * 3, dtype=np.uint8).reshape(7, 5, 3)).save(stream, "PNG")
    return stream.getvalue()


def contents(paths, workers):
    @pipeline_def(batch_size=len(paths), py_num_workers=workers, seed=1)
    def mine():
        return fn.readers.file(files=[os.fspath(path) for path in paths])

    with mine() as pipe:
        files, _ = pipe.run()
        return [bytes(files.at(k)) for k in range(len(paths))]


@pytest.mark.parametrize("workers", [0, 1])
def test_every_file_comes_as_python_reads_it(tmp_path, workers):
    written = {
        "jpeg": pillow_jpeg(9, 8),
        "png": png(),
        "empty": b"",
        "short": b"\xff",
        "long": bytes(range(256)) * 40000,
    }
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
    os.symlink(tmp_path / "png", tmp_path / "link")
    raw = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe name")
    pathlib.Path(raw).write_bytes(b"not UTF-8")
    # The last but one claims to be empty; the last one is empty, and is the only device with an end.
    paths = [*(tmp_path / name for name in written), tmp_path / "link", raw, "/proc/version", os.devnull]
    assert contents(paths, workers) == [pathlib.Path(path).read_bytes() for path in paths]


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("nothing", FileNotFoundError),
        ("folder", IsADirectoryError),
        ("loop", OSError),
        ("FIFO", OSError),
        ("device", OSError),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, workers, kind, error):
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(b"x")
    if kind == "folder":
        bad.mkdir()
    elif kind == "loop":
        os.symlink(bad, bad)
    elif kind == "FIFO":
        os.mkfifo(bad)
    elif kind == "device":
        os.symlink("/dev/zero", bad)

    @pipeline_def(batch_size=2, py_num_workers=workers, seed=1)
    def mine():
        return fn.readers.file(files=[os.fspath(good), os.fspath(bad)])

    with mine() as pipe, pytest.raises(error) as caught:
        pipe.run()
    assert os.fspath(bad) in str(caught.value)
    assert kind not in ("FIFO", "device") or f"expected a regular file, got a {kind}" in str(caught.value)
    assert not workers or isinstance(caught.value, SourceError)


def test_a_name_is_not_cut_off(tmp_path):
    (tmp_path / "good").write_bytes(b"x")

    @pipeline_def(batch_size=1, py_num_workers=0, seed=1)
    def mine():
        return fn.readers.file(files=[os.fspath(tmp_path / "good") + "\0.jpg"])

    with pytest.raises(ConfigError, match="contains a zero byte"):
        mine()


def test_images_of_other_formats_are_decoded_in_the_worker(tmp_path):
    for name, content in (("a.png", png()), ("b.jpg", pillow_jpeg(7, 5))):
        (tmp_path / name).write_bytes(content)

    @pipeline_def(batch_size=2, py_num_workers=1, seed=1)
    def mine():
        files, labels = fn.readers.file(files=[os.fspath(tmp_path / name) for name in ("a.png", "b.jpg")])
        return fn.decoders.image(files), labels

    with mine() as pipe:
        images, _ = pipe.run()
    np.testing.assert_array_equal(images.at(0), np.arange(7 * 5 * 3, dtype=np.uint8).reshape(7, 5, 3))
    assert images.at(1).shape == (7, 5, 3)
