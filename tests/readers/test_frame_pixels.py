"""Frames as pixels: the native function gives libswscale's bits, and supports the formats of most files."""

from __future__ import annotations

from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from video_files import decoded, write_video

from jaxdali._feed import _host
from jaxdali._feed.records.frame_pixels import FramePixels
from jaxdali._feed.records.video_file import Video

NATIVE = ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p")
OTHERS = ("yuv420p10le", "yuv410p", "yuv411p", "nv12", "gray", "rgb24", "gbrp", "yuva420p")
COLORS = (None, 1, 2, 5, 6, 7, 9, 4)
RANGES = (None, 1, 2)


def drawn(name: str, height: int, width: int, colors: int | None, levels: int | None, seed: int) -> av.VideoFrame:
    """A frame of random bytes, including values that real videos do not have."""
    frame = av.VideoFrame(width, height, name)
    chance = np.random.default_rng(seed)
    for plane in frame.planes:
        low, high = [(0, 255), (0, 255), (0, 0), (255, 255)][int(chance.integers(4))]
        plane.update(chance.integers(low, high, plane.buffer_size, np.uint8, endpoint=True).tobytes())
    if colors is not None:
        frame.colorspace = colors
    if levels is not None:
        frame.color_range = levels
    return frame


def of_libswscale(frame: av.VideoFrame) -> np.ndarray:
    ways = av.video.reformatter.Interpolation
    how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
    return frame.reformat(format="rgb24", interpolation=how).to_ndarray()


def written(pixels: FramePixels, frame: av.VideoFrame) -> np.ndarray:
    out = np.empty((frame.height, frame.width, 3), np.uint8)
    pixels.write(av, "a file", frame, out)
    return out


def native_calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Records, from now on, the chroma position of each call of the native function."""
    calls: list[bool] = []
    native = _host.yuv_to_rgb

    def call(*arguments: Any) -> None:
        calls.append(arguments[4])
        native(*arguments)

    monkeypatch.setattr(_host, "yuv_to_rgb", call)
    return calls


@settings(max_examples=150)
@given(
    name=st.sampled_from(NATIVE + OTHERS),
    height=st.integers(2, 40),
    width=st.integers(2, 70),
    colors=st.sampled_from(COLORS),
    levels=st.sampled_from(RANGES),
    seed=st.integers(0, 1 << 20),
)
def test_pixels_are_those_of_libswscale(name, height, width, colors, levels, seed):
    pixels = FramePixels()
    for number in range(3):
        frame = drawn(name, height, width, colors, levels, seed + number)
        np.testing.assert_array_equal(written(pixels, frame), of_libswscale(frame))


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.parametrize("colors", [None, 1, 2, 5, 6, 7, 9])
def test_frames_of_most_formats_are_made_natively(monkeypatch, name, colors):
    pixels = FramePixels()
    for levels in RANGES:
        for seed in range(3, 6):
            calls = native_calls(monkeypatch)
            frame = drawn(name, 16, 38, colors, levels, seed)
            np.testing.assert_array_equal(written(pixels, frame), of_libswscale(frame))
            monkeypatch.undo()
        assert len(calls) == 1


@pytest.mark.parametrize(("ending", "at_left"), [(".mp4", True), (".avi", False)])
def test_the_first_frame_shows_where_a_files_chroma_is(monkeypatch, tmp_path, ending, at_left):
    path = write_video(tmp_path / f"a{ending}", 4)
    calls = native_calls(monkeypatch)
    with Video(path) as video:
        np.testing.assert_array_equal(video.read(range(4)), decoded(path))
    assert calls == [True, False] + 3 * [at_left]


def test_gray_frames_show_nothing_and_libswscale_goes_on_until_one_does(monkeypatch):
    pixels, calls = FramePixels(), native_calls(monkeypatch)
    gray = av.VideoFrame.from_ndarray(np.full((16, 24, 3), 90, np.uint8), format="rgb24").reformat(format="yuv420p")
    colored = drawn("yuv420p", 16, 24, None, None, 5)
    for frame, tried in ((gray, 2), (gray, 2), (colored, 2), (gray, 1), (colored, 1)):
        calls.clear()
        np.testing.assert_array_equal(written(pixels, frame), of_libswscale(frame))
        assert len(calls) == tried


@pytest.mark.parametrize(
    ("luma", "blue", "red", "out"),
    [
        ((4, 6), (2, 3), (2, 3), (4, 6, 4)),
        ((4, 6), (2, 3), (2, 3), (4, 5, 3)),
        ((4, 6), (2, 3), (2, 2), (4, 6, 3)),
        ((4, 6), (1, 3), (1, 3), (4, 6, 3)),
        ((5, 6), (3, 3), (3, 3), (5, 6, 3)),
    ],
)
def test_planes_that_do_not_fit_are_refused(luma, blue, red, out):
    planes = [np.zeros(shape, np.uint8) for shape in (luma, blue, red)]
    with pytest.raises((ValueError, TypeError)):
        _host.yuv_to_rgb(*planes, (0,) * 6, True, np.zeros(out, np.uint8))
