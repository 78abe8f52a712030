"""`fn.readers.video` and `source.VideoClips`: the frames of a clip, their order, and the errors for wrong files."""

from __future__ import annotations

import logging
import pathlib
import tempfile

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from object_server import object_server
from video_files import CODECS, decoded, scanned_once, write_video

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def, types
from jaxdali._feed.records.video_file import Video, find_frames
from jaxdali.source import VideoClips

COUNTS = {"long.webm": 40, "short.avi": 17, "other.mp4": 23}


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        for file, count in COUNTS.items():
            write_video(pathlib.Path(name, file), count)
        yield pathlib.Path(name)


def paths(folder):
    return [str(folder / name) for name in COUNTS]


@pytest.mark.parametrize("name", COUNTS)
def test_any_frames_in_any_order_are_those_of_one_pass(folder, name):
    path, every = str(folder / name), decoded(str(folder / name))
    assert find_frames(path).count == len(every) == COUNTS[name]
    rng = np.random.default_rng(0)
    for file in (path, (folder / name).read_bytes()):
        with Video(file) as video:
            for _ in range(8):
                numbers = rng.integers(0, len(every), 4)
                np.testing.assert_array_equal(video.read(numbers.tolist()), every[numbers])


def test_a_picture_of_the_cover_is_not_the_video(tmp_path):
    path = str(tmp_path / "a.mkv")
    with av.open(path, "w") as container:
        streams = []
        for kind, size in ((".avi", 64), (".mp4", 32)):
            codec, pixels = CODECS[kind]
            streams.append(container.add_stream(codec, rate=25, width=size, height=size, pix_fmt=pixels))
        for stream, count in zip(streams, (1, 20), strict=True):
            for number in range(count):
                pixels = np.full((stream.height, stream.width, 3), 9 * number, np.uint8)
                frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
                frame.pts = number
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
    assert find_frames(path).count == 20
    with Video(path) as video:
        assert abs(video.read([19])[0].astype(int) - 9 * 19).max() < 5


@given(
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(0, 9),
    st.sampled_from(["none", "constant", "edge", "reflect_101"]),
)
def test_clips_are_parts_of_files(folder, length, stride, step, pad):
    with scanned_once():
        data = VideoClips(paths(folder), length, stride, step, pad)
    counts = np.diff(data.bounds)
    for file, frames in enumerate(COUNTS.values()):
        first = np.arange(0, frames, step or length * stride)
        whole = int((first + (length - 1) * stride < frames).sum())
        assert counts[file] == whole + (pad != "none" and whole < len(first))
    if data.bounds[1]:
        index = int(data.bounds[1]) - 1
        numbers, times = data[index]["numbers"], data[index]["times"]
        there = numbers >= 0
        np.testing.assert_allclose(times[there], numbers[there] / 25, atol=1e-9)
        assert (times[~there] == -1).all()


def test_times_are_after_the_first_frame(tmp_path):
    path = write_video(tmp_path / "late.webm", 6, first=10)
    assert find_frames(path).times[0] == pytest.approx(0.4)
    np.testing.assert_allclose(VideoClips([path], 3)[1]["times"], [0.12, 0.16, 0.2], atol=1e-9)


def test_a_loader_reads_them(folder):
    data = VideoClips(paths(folder), 4, 3, pad="constant", fill=(1, 2, 3))
    every = [decoded(path) for path in paths(folder)]
    rows = []
    with Loader(data, lambda batch, keys: batch, batch_size=4, workers=1, epochs=1) as loader:
        for batch in loader:
            rows += [{name: np.asarray(batch[name][k]) for name in batch} for k in range(4)]
    assert len(rows) >= len(data)
    for index, row in enumerate(rows[: len(data)]):
        file = int(np.searchsorted(data.bounds, index, side="right")) - 1
        for number, frame in zip(row["numbers"], row["frames"], strict=True):
            np.testing.assert_array_equal(frame, every[file][number] if number >= 0 else np.full_like(frame, (1, 2, 3)))


def test_a_pipeline_gives_labels_numbers_and_times(folder):
    @pipeline_def(batch_size=2, device_id=0, py_num_workers=2)
    def clips():
        options = {"enable_frame_num": "sequence", "enable_timestamps": True, "dtype": types.FLOAT, "normalized": True}
        found = fn.readers.video(
            device="gpu", filenames=paths(folder), labels=[], sequence_length=5, name="R", **options
        )
        return fn.crop_mirror_normalize(found[0], crop=(16, 16), output_layout="CFHW"), *found[1:]

    with clips() as pipe:
        assert pipe.reader_meta("R")["epoch_size"] == 8 + 3 + 4
        seen = [pipe.run() for _ in range(5)]
    images, labels, numbers, times = (np.concatenate([run[k].as_cpu().as_array() for run in seen]) for k in range(4))
    assert images.shape == (10, 3, 5, 16, 16) and images.dtype == np.float32 and 0 < images.max() <= 1
    assert labels.ravel().tolist() == [0] * 8 + [1] * 2
    assert numbers[9].tolist() == [5, 6, 7, 8, 9] and times.dtype == np.float64
    np.testing.assert_allclose(times, numbers / 25)
    np.testing.assert_allclose(
        images[9].transpose(1, 2, 3, 0), decoded(paths(folder)[1])[5:10, 8:24, 16:32] / np.float32(255), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("line", "options", "first", "end"),
    [
        ("", {}, 0, 40),
        ("0.21 0.99", {}, 6, 24),
        ("0.21 0.99", {"file_list_include_preceding_frame": True}, 5, 25),
        ("0.2 1", {}, 5, 25),
        ("4 9", {"file_list_frame_num": True}, 4, 9),
        ("3.5 9.5", {"file_list_frame_num": True}, 4, 9),
        ("-9 -2", {"file_list_frame_num": True}, 31, 38),
        ("7", {"file_list_frame_num": True}, 7, 40),
        ("30 99", {"file_list_frame_num": True}, 30, 40),
    ],
)
def test_a_list_says_which_part_of_a_file_counts(folder, tmp_path, line, options, first, end):
    listed = tmp_path / "list.txt"
    listed.write_text(f"{folder / 'long.webm'} 3 {line}\n")

    @pipeline_def(batch_size=1, device_id=None, py_num_workers=0)
    def frames():
        return tuple(
            fn.readers.video(file_list=str(listed), sequence_length=1, enable_frame_num=True, name="R", **options)[1:]
        )

    with frames() as pipe:
        count = pipe.reader_meta("R")["epoch_size"]
        seen = [[int(output.as_array()[0, 0]) for output in pipe.run()] for _ in range(count)]
    assert seen == [[3, number] for number in range(first, end)]


def test_what_is_no_video_is_left_out_of_a_folder_and_refused_where_it_is_named(folder, tmp_path, caplog):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("no video")
    with pytest.raises(ConfigError, match=r"notes.txt is not a video that can be read"):
        fn.readers.video(filenames=[str(tmp_path / "a" / "notes.txt")], sequence_length=2)
    with pytest.raises(ConfigError, match="none of the 1 files"):
        fn.readers.video(file_root=str(tmp_path), sequence_length=2)
    (tmp_path / "a" / "clip.avi").write_bytes((folder / "short.avi").read_bytes())
    with caplog.at_level(logging.WARNING, "jaxdali"):
        found = fn.readers.video(file_root=str(tmp_path), sequence_length=17)
    assert len(found) == 2 and "notes.txt" in caplog.text
    with pytest.raises(ConfigError, match=r"no file has a clip of 18 frames: the longest of 1, .*, has 17"):
        fn.readers.video(file_root=str(tmp_path), sequence_length=18)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, "one of `filenames`, `file_root` and `file_list`"),
        ({"filenames": ["x.mp4"], "file_root": "x"}, "one of `filenames`, `file_root` and `file_list`"),
        ({"file_root": "x", "labels": [1]}, "`labels` goes with `filenames`"),
        ({"filenames": ["x.mp4"], "labels": [1, 2]}, "Provided 2 labels for 1 files"),
        ({"filenames": ["x.mp4"], "normalized": True}, "needs dtype=FLOAT"),
        ({"filenames": ["x.mp4"], "dtype": types.INT32}, "must be UINT8 or FLOAT"),
        ({"filenames": ["x.mp4"], "image_type": types.YCbCr}, "fn.color_space_conversion"),
        ({"filenames": ["x.mp4"], "sequence_length": 0}, "sequence_length"),
    ],
)
def test_arguments_that_do_not_go_together(given, text):
    with pytest.raises(ConfigError, match=text):
        fn.readers.video(**{"sequence_length": 2, **given})


def test_uneven_files_want_to_be_allowed(tmp_path):
    path = write_video(tmp_path / "uneven.webm", 20, uneven=True)
    with pytest.raises(ConfigError, match="skip_vfr_check=True"):
        fn.readers.video(filenames=[path], sequence_length=2)
    fn.readers.video(filenames=[path], sequence_length=2, skip_vfr_check=True)
    data = VideoClips([path], 20)
    np.testing.assert_allclose(np.diff(data[0]["times"])[:6], [0.04, 0.04, 0.08] * 2, atol=2e-3)


def test_a_file_that_was_cut_off_or_names_others_is_an_error(folder, tmp_path):
    whole = (folder / "long.webm").read_bytes()
    cut = tmp_path / "cut.webm"
    cut.write_bytes(whole)
    data = VideoClips([str(cut)], 4)
    cut.write_bytes(whole[: len(whole) // 2])

    def last():
        return data[len(data) - 1]

    with pytest.raises(SourceDataError, match=r"cut.webm: frame 36 of 40 cannot be decoded"):
        last()
    assert data[0]["frames"].shape == (4, 32, 48, 3)
    playlist = tmp_path / "list.m3u8"
    playlist.write_text(f"#EXTM3U\n#EXTINF:1,\n{folder / 'long.webm'}\n#EXT-X-ENDLIST\n")
    with pytest.raises(ConfigError, match="is not a video that can be read"):
        VideoClips([str(playlist)], 4)


def test_a_frame_that_cannot_be_decoded_is_that_batchs_error(folder, tmp_path):
    path = tmp_path / "cut.webm"
    whole = (folder / "long.webm").read_bytes()
    path.write_bytes(whole)

    @pipeline_def(batch_size=3, device_id=None, py_num_workers=1)
    def clips():
        return fn.readers.video(filenames=[str(path)], sequence_length=4)

    pipe = clips()
    path.write_bytes(whole[: len(whole) // 2])
    with pipe:
        assert pipe.run()[0].shape()[0][0] == 4
        with pytest.raises(SourceError, match=r"(?s)cut.webm: frame \d+ of 40 cannot be decoded"):
            pipe.run()


def test_clips_of_a_server_are_those_of_the_files(folder):
    with object_server(folder, "--fault", "unavailable", "--every", "3") as server:
        data = VideoClips([f"{server.url}/{name}" for name in COUNTS], 4, 3)
        here = VideoClips(paths(folder), 4, 3)
        assert len(data) == len(here)
        for index in range(len(data)):
            for mine, other in zip(data.row(index), here.row(index), strict=True):
                np.testing.assert_array_equal(mine, other)


def test_clips_may_be_resized_where_they_are_read(folder):
    @pipeline_def(batch_size=2, device_id=None, py_num_workers=1)
    def clips():
        given = {"filenames": paths(folder), "labels": [], "sequence_length": 5, "enable_frame_num": True}
        resized, *told = fn.readers.video_resize(**given, dtype=types.FLOAT, resize_shorter=12, name="R")
        whole, *others = fn.readers.video(**given, dtype=types.FLOAT)
        return resized, fn.resize(whole, resize_shorter=12), *told, *others

    with clips() as pipe:
        assert pipe.reader_meta("R")["epoch_size"] == 8 + 3 + 4
        resized, expected, *told = (output.as_array() for output in pipe.run())
    assert resized.shape == (2, 5, 12, 18, 3) and resized.dtype == np.float32
    np.testing.assert_array_equal(resized, expected)
    for mine, other in zip(told[:2], told[2:], strict=True):
        np.testing.assert_array_equal(mine, other)


def test_a_file_without_video_is_an_error(tmp_path):
    path = tmp_path / "sound.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        frame.sample_rate = 8000
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)
    with pytest.raises(ConfigError, match=r"sound.mkv is not a video that can be read: it has no video stream"):
        VideoClips([path], 1)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, r"fn.readers.video_resize.*resize_x.*got none"),
        ({"resize_x": 8, "size": 9}, "resize_x.* and size|size and resize_x"),
        ({"resize_x": 8, "colour": 9}, "fn.readers.video_resize has no argument 'colour'"),
        ({"resize_x": "8"}, r"fn.readers.video_resize\(resize_x=\)"),
        ({"resize_x": 8, "image_type": types.YCbCr}, "fn.readers.video_resize.*fn.color_space_conversion"),
        ({"resize_x": 8, "sequence_length": None}, "sequence_length=. is missing"),
    ],
)
def test_arguments_of_the_reader_that_resizes(folder, given, text):
    with pytest.raises(ConfigError, match=text):
        fn.readers.video_resize(**{"filenames": paths(folder), "sequence_length": 2, **given})
