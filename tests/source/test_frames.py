"""`FrameClips` and `fn.readers.sequence`: the frames of a clip, and the errors for files that are not frames."""

from __future__ import annotations

import io

import numpy as np
import pytest
from jpeg_files import pillow_jpeg
from object_server import object_server
from PIL import Image

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def, types
from jaxdali.source import FrameClips

COUNTS = {"a": 5, "b": 3, "c": 4}


@pytest.fixture
def root(tmp_path):
    for folder, (name, count) in enumerate(COUNTS.items()):
        (tmp_path / name).mkdir()
        for number in range(count):
            Image.new("RGB", (6, 4 + folder), (folder, number, 9)).save(tmp_path / name / f"{number:03}.png")
    return tmp_path


def numbers(clip):
    """Returns (folder, number) of each frame."""
    return [tuple(frame[0, 0, :2].tolist()) for frame in clip]


@pytest.mark.parametrize(("length", "step", "stride"), [(1, 1, 1), (2, 1, 1), (2, 2, 2), (3, 1, 2), (4, 3, 1)])
def test_clips_are_the_full_ones_of_each_folder(root, length, step, stride):
    span = 1 + (length - 1) * stride
    wanted = [
        [(folder, first + k * stride) for k in range(length)]
        for folder, count in enumerate(COUNTS.values())
        for first in range(0, count - span + 1, step)
    ]
    data = FrameClips(root, length, step, stride)
    assert [numbers(data[index]) for index in range(len(data))] == wanted
    assert data.source_info(len(data) - 1) == str(root / "abc"[wanted[-1][0][0]] / f"{wanted[-1][0][1]:03}.png")


def test_a_loader_reads_them(root):
    data = FrameClips(root, 3, step=2, stride=2)
    with Loader(data, lambda batch, keys: batch, batch_size=1, workers=1, epochs=1) as loader:
        seen = [np.asarray(batch) for batch in loader]
    assert [numbers(clip[0]) for clip in seen] == [[(0, 0), (0, 2), (0, 4)]]


def test_frames_are_turned_and_have_the_colors_that_are_asked_for(tmp_path):
    (tmp_path / "a").mkdir()
    image = Image.open(io.BytesIO(pillow_jpeg(16, 24, seed=1)))
    exif = image.getexif()
    exif[0x0112] = 6
    image.save(tmp_path / "a" / "0.jpg", exif=exif, quality=95)
    upright = np.asarray(Image.open(tmp_path / "a" / "0.jpg").transpose(Image.Transpose.ROTATE_270))
    np.testing.assert_array_equal(FrameClips(tmp_path, 1)[0][0], upright)
    np.testing.assert_array_equal(FrameClips(tmp_path, 1, colors="bgr")[0][0], upright[..., ::-1])
    assert FrameClips(tmp_path, 1, colors="gray")[0].shape == (1, 24, 16, 1)


def test_of_objects_elsewhere(root):
    with object_server(root) as server:
        here, there = FrameClips(root, 2), FrameClips(server.url, 2)
        assert len(here) == len(there)
        for index in range(len(here)):
            np.testing.assert_array_equal(here[index], there[index])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"sequence_length": 6},
            "No files found in .* for a clip of 6 frames, 1 apart: of its 3 folders none has 6 images",
        ),
        ({"sequence_length": 0}, "sequence_length"),
        ({"step": 0}, "step"),
        ({"stride": 0}, "stride"),
        ({"image_type": types.YCbCr}, "fn.color_space_conversion"),
    ],
)
def test_arguments_that_cannot_be_honoured(root, given, text):
    with pytest.raises(ConfigError, match=text):
        fn.readers.sequence(**{"file_root": root, "sequence_length": 2, **given})


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (pillow_jpeg(6, 4)[:200], "001.png cannot be decoded: TRUNCATED"),
        (b"no image", "001.png cannot be decoded: CORRUPT"),
        (b"8BPS" + bytes(20), "001.png cannot be decoded: UNSUPPORTED, PSD is not supported"),
        (b"\xff\xd8\xff" + b"\xff\xda" * 501, "001.png cannot be decoded: UNSUPPORTED"),
        (pillow_jpeg(9, 9), r"001.png is \[9, 9, 3\], but the first frame of its clip \[5, 6, 3\]"),
    ],
    ids=["cut off", "no image", "another format", "many scans", "another size"],
)
def test_what_is_no_frame_is_its_clips_error(root, content, text):
    (root / "b" / "001.png").write_bytes(content)
    with pytest.raises(SourceDataError, match=text):
        FrameClips(root, 2)[4]


def test_an_error_names_the_clip_and_the_pipeline_goes_on_at_the_next_epoch(root):
    (root / "a" / "003.png").write_bytes(b"no image")

    @pipeline_def(batch_size=1, device_id=None, py_num_workers=1)
    def clips():
        return fn.readers.sequence(file_root=root, sequence_length=2)

    with clips() as pipe:
        assert numbers(pipe.run()[0].at(0)) == [(0, 0), (0, 1)]
        pipe.run()
        with pytest.raises(SourceError, match=r"003.png cannot be decoded: CORRUPT"):
            pipe.run()
