"""Videos of unusual kinds: frames are numbered by when they are shown, in any order of reading, and shown upright."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_videos import ODD, number_of, two_sizes, write_odd
from tiers import gate
from video_files import scanned_once

from jaxdali import ConfigError, SourceDataError, fn, pipeline_def
from jaxdali._feed.records.video_file import Video, find_frames
from jaxdali.source import FileOfClips, VideoClips

_KEPT = (
    *("open.ts", "open_cut.ts", "cut.mp4", "edited.mp4", "uneven.mp4", "b_frames.avi", "plain.h264", "fields.ts"),
    *("hevc_cut.ts", "hidden_vp8.webm", "av1.webm", "cut_vp9.webm", "edited_vp9.mp4", "mpeg2.mpg", "ten_bits.mp4"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("odd")


@pytest.mark.parametrize("name", gate(ODD, _KEPT))
def test_frames_are_numbered_as_they_are_shown_in_any_order_of_reading(folder, name):
    odd = ODD[name]
    path, shown = write_odd(folder, odd), list(odd.shown)
    frames = find_frames(path)
    assert frames.count == len(shown)
    if len(odd.stamps) == len(shown):
        stamps = np.array(odd.stamps)
        np.testing.assert_allclose(frames.times - frames.times[0], (stamps - stamps[0]) / 25, atol=2e-3)
    rng = np.random.default_rng(0)
    orders = [*range(len(shown))], rng.integers(0, len(shown), 16).tolist()
    every = {}
    for order in orders:
        with Video(path, frames) as video:
            for number in order:
                pixels = video.read([number])[0]
                assert number_of(pixels) == shown[number]
                np.testing.assert_array_equal(pixels, every.setdefault(number, pixels))
    for number in (0, int(rng.integers(len(shown))), len(shown) - 1):  # as the first one that is read
        with Video(pathlib.Path(path).read_bytes(), frames) as video:
            np.testing.assert_array_equal(video.read([number])[0], every[number])


@pytest.mark.parametrize("codec", ["libx264", "libvpx-vp9"])
def test_a_clip_has_the_size_of_its_frames_and_no_clip_has_two(folder, codec):
    name = {"libx264": "two.ts", "libvpx-vp9": "two.webm"}[codec]
    with scanned_once():
        data = VideoClips([two_sizes(folder / name, codec)], 4, step=3)
    shapes = []
    for index in range(len(data)):
        numbers = [*range(3 * index, 3 * index + 4)]
        if numbers[0] < 20 <= numbers[-1]:
            with pytest.raises(
                SourceDataError, match=rf"{name}: frame 20 has 32 x 48 pixels, but frame {numbers[0]} of "
            ):
                data[index]
            continue
        clip = data[index]["frames"]
        assert [number_of(frame) for frame in clip] == numbers
        shapes.append(clip.shape[1:3])
    assert {*shapes} == {(48, 64), (32, 48)}


# What a display matrix says, and what it makes of pixels.
TURNS = {
    (0, False): lambda frames: frames,
    (90, False): lambda frames: np.rot90(frames, 1, (1, 2)),
    (180, False): lambda frames: np.rot90(frames, 2, (1, 2)),
    (270, False): lambda frames: np.rot90(frames, 3, (1, 2)),
    (0, True): lambda frames: frames[:, :, ::-1],
    (90, True): lambda frames: np.rot90(frames, 1, (1, 2))[:, :, ::-1],
    (180, True): lambda frames: np.rot90(frames, 2, (1, 2))[:, :, ::-1],
    (270, True): lambda frames: np.rot90(frames, 3, (1, 2))[:, :, ::-1],
}


@pytest.mark.parametrize(("degrees", "mirrored"), TURNS)
def test_frames_are_shown_upright(tmp_path, degrees, mirrored):
    path = write_odd(tmp_path, ODD["b_frames.mp4"], degrees=degrees, mirrored=mirrored)
    frames = find_frames(path)
    with Video(path, frames, upright=False) as stored, Video(path, frames) as shown:
        expected = stored.read([5, 30, 5])
        np.testing.assert_array_equal(shown.read([5, 30, 5]), TURNS[degrees, mirrored](expected))
        assert stored.size_of(0) == (48, 64)
        assert shown.size_of(0) == ((64, 48) if degrees in (90, 270) else (48, 64))
    assert number_of(expected[0]) == 5


def test_every_operator_shows_them_upright_unless_it_is_told_not_to(tmp_path):
    path = write_odd(tmp_path, ODD["b_frames.mp4"], degrees=90)
    file = np.fromfile(path, np.uint8)

    @pipeline_def(batch_size=1, device_id=None, py_num_workers=0)
    def program():
        outputs = []
        both: dict[str, dict[str, Any]] = {"upright": {}, "stored": {"adjust_orientation": False}}
        for name, told in both.items():
            read: dict[str, Any] = {"filenames": [path], "sequence_length": 2, **told}
            outputs += (
                fn.readers.video(**read),
                fn.experimental.readers.video(**read),
                fn.readers.video_resize(**read, resize_shorter=48),
                fn.decoders.video(fn.external_source(lambda: [file]), sequence_length=2, **told),
                fn.experimental.inputs.video(name=name, sequence_length=2, **told),
                fn.decoders.video(fn.external_source(lambda: [file]), start_frame=38, sequence_length=3, **told),
                fn.decoders.video(fn.external_source(lambda: [file]), frames=[-1, 99], **told),
            )
        return tuple(outputs)

    with scanned_once():
        with program() as pipe:
            outputs = [np.asarray(output.at(0)) for output in pipe.run(upright=[file], stored=[file])]
        for size, upright, mine in (((64, 48), True, outputs[:7]), ((48, 64), False, outputs[7:])):
            assert {output.shape[1:3] for output in mine} == {size}
            expected = VideoClips([path], 2, adjust_orientation=upright)[0]["frames"]
            for output in mine[:5]:
                np.testing.assert_array_equal(output, expected)
            assert mine[5][1].max() > 200 and mine[5][2].max() == mine[6].max() == 0


CLIPS = ["open.ts", "uneven.mp4", "cut.mp4"]


@settings(max_examples=30)
@given(
    st.integers(1, 9),
    st.integers(1, 5),
    st.integers(0, 9),
    st.sampled_from(["none", "constant", "edge", "reflect_1001", "reflect_101"]),
    st.lists(st.integers(0, 1000), min_size=1, max_size=4),
)
def test_clips_show_the_frames_that_they_name(folder, length, stride, step, pad, places):
    files = [folder / name for name in CLIPS]
    for file, name in zip(files, CLIPS, strict=True):
        if not file.exists():
            write_odd(folder, ODD[name])
    clips = [FileOfClips(file, label) for label, file in enumerate(files)]
    span, longest = (length - 1) * stride + 1, max(len(ODD[name].shown) for name in CLIPS)
    with scanned_once():
        if pad == "none" and span > longest:
            with pytest.raises(ConfigError, match=f"no file has a clip of {length} frames"):
                VideoClips(clips, length, stride, step, pad, 7)
            return
        data = VideoClips(clips, length, stride, step, pad, 7)
    for place in places:
        clip = data[place % len(data)]
        odd = ODD[CLIPS[int(clip["label"])]]
        times = np.array(odd.stamps)[list(odd.shown)]
        for frame, number, time in zip(clip["frames"], clip["numbers"], clip["times"], strict=True):
            if number < 0:
                assert (frame == 7).all() and time == -1 and pad == "constant"
            else:
                assert number_of(frame) == odd.shown[number]
                assert abs(time - (times[number] - times[0]) / 25) < 2e-3


def test_labels_are_integers_that_int32_holds():
    labels: list[Any] = [1 << 31, 0.5, "1"]
    for label in labels:
        with pytest.raises(ConfigError, match="label must be an integer"):
            FileOfClips("a.mp4", label)
