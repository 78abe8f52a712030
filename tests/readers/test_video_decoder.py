"""`fn.decoders.video`: where files are decoded, which formats it supports, and the errors for other files."""

from __future__ import annotations

import numpy as np
import pytest
from video_files import decoded, write_video

from jaxdali import ConfigError, SourceError, fn, pipeline_def, types


@pytest.fixture
def files(tmp_path):
    return [write_video(tmp_path / name, 9) for name in ("a.webm", "b.mp4", "c.avi")]


def test_workers_decode_what_a_reader_gives_and_the_rest_of_a_program_takes_clips(files):
    @pipeline_def(batch_size=3, device_id=None, py_num_workers=1)
    def clips():
        encoded, labels = fn.readers.file(files=files)
        clip = fn.decoders.video(encoded, start_frame=2, end_frame=8, stride=2, device="mixed")
        return clip, fn.flip(clip, horizontal=1), labels

    with clips() as pipe:
        clip, flipped, labels = (output.as_cpu() for output in pipe.run())
    assert clip.layout() == "FHWC" and labels.as_array().ravel().tolist() == [0, 1, 2]
    for row, path in enumerate(files):
        np.testing.assert_array_equal(clip.at(row), decoded(path)[2:8:2])
        np.testing.assert_array_equal(flipped.at(row), decoded(path)[2:8:2, :, ::-1])


def test_a_node_says_where_the_clip_of_each_sample_begins(files):
    @pipeline_def(batch_size=3, device_id=None, py_num_workers=1)
    def clips():
        encoded, label = fn.readers.file(files=files)
        first = fn.cast(label, dtype=types.INT32) * 3
        return fn.decoders.video(encoded, start_frame=first, sequence_length=4, pad_mode="edge")

    with clips() as pipe:
        (clip,) = pipe.run()
    for row, path in enumerate(files):
        np.testing.assert_array_equal(clip.at(row), decoded(path)[np.minimum(np.arange(4) + 3 * row, 8)])


@pytest.mark.parametrize("content", [b"no video", b"\x1aE\xdf\xa3" + bytes(90)], ids=["text", "header"])
def test_what_is_no_video_is_an_error_that_names_the_file(files, tmp_path, content):
    bad = tmp_path / "bad.webm"
    bad.write_bytes(content)

    @pipeline_def(batch_size=1, device_id=None, py_num_workers=1)
    def clips():
        return fn.decoders.video(fn.readers.file(files=[files[0], str(bad)])[0])

    with clips() as pipe:
        assert pipe.run()[0].at(0).shape == (9, 32, 48, 3)
        with pytest.raises(SourceError, match=r"bad.webm is not a video that can be read"):
            pipe.run()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"frames": [1], "stride": 2}, "got frames= and stride="),
        ({"end_frame": 3, "sequence_length": 2}, "give one of them"),
        ({"fill_value": 256}, "from 0 to 255"),
        ({"fill_value": [1, 2]}, "one for each of 3 channels"),
        ({"frames": 1.5}, "integers"),
        ({"pad_mode": "wrap"}, "must be one of none"),
    ],
)
def test_arguments_that_cannot_be_honoured(files, given, text):
    with pytest.raises(ConfigError, match=text):
        fn.decoders.video(fn.readers.file(files=files)[0], **given)
