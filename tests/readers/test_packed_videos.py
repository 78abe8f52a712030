"""Clips that are packed for a GPU's video engines: their packets are those that the frames need, and no others' fault."""

from __future__ import annotations

import numpy as np
import pytest
from odd_videos import ODD, two_matrices, two_sizes, write_odd
from packed_clips import OFFERED, by_ffmpeg, is_packed
from tiers import gate
from video_files import scanned_once, write_video

from jaxdali import SourceDataError
from jaxdali._feed.records.packed_clip import origin_of, pack_pixels, shape_of
from jaxdali._feed.records.video_aside import read_aside
from jaxdali._feed.records.video_file import Video
from jaxdali.source import VideoClips

# Kinds that engines do not take, or whose packets are not known by their stamps.
_DECODED = ("plain.h264", "plain.hevc", "b_frames.avi", "ten_bits.mp4", "all_chroma.mp4", "gray.mp4", "fields.ts")
_OURS = [name for name, odd in ODD.items() if odd.codec in ("libx264", "libx265") and name not in _DECODED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("packed")


@pytest.mark.parametrize("name", gate(_OURS, ("open.ts", "open_cut.ts", "edited.mp4", "uneven.mp4", "hevc_cut.ts")))
def test_packets_of_a_clip_give_its_frames(folder, name):
    path = write_odd(folder, ODD[name])
    with scanned_once():
        data = VideoClips([path], 5, stride=4, step=3, pad="constant", fill=(9, 100, 200))
    packed = 0
    for index in np.random.default_rng(0).permutation(len(data)).tolist():
        clip, sample = data.packed(index, OFFERED), data[index]
        assert shape_of(clip["frames"]) == sample["frames"].shape
        if is_packed(clip["frames"]):
            packed += 1
            np.testing.assert_array_equal(by_ffmpeg(clip["frames"]), sample["frames"])
            assert len(clip["frames"]) < sample["frames"].nbytes / 2
        for key in ("label", "numbers", "times"):
            np.testing.assert_array_equal(clip[key], sample[key])
    assert packed == len(data)


@pytest.mark.parametrize("name", gate([*_DECODED, "hidden_vp8.webm", "mpeg2.mpg", "av1.webm"], ("ten_bits.mp4",)))
def test_what_an_engine_does_not_take_is_packed_as_pixels(folder, name):
    path = write_odd(folder, ODD[name])
    with scanned_once():
        data = VideoClips([path], 4)
    frames = data.packed(1, OFFERED)["frames"]
    assert not is_packed(frames) and origin_of(frames) == {}
    np.testing.assert_array_equal(frames, pack_pixels(data[1]["frames"]))


def test_what_an_engine_does_not_offer_is_packed_as_pixels(folder):
    path = write_video(folder / "one.mp4", 8, 64, 96)
    with scanned_once():
        data = VideoClips([path], 4)
    few = 6 * 4 - 1  # blocks of 16 x 16
    limits = [(16, 48, 64, 96, few), (16, 48, 48, 96, 999), (80, 48, 999, 999, 999)]
    for offered in ({}, {8: OFFERED[8]}, *({4: one} for one in limits)):
        assert not is_packed(data.packed(0, offered)["frames"])
    assert is_packed(data.packed(0, {4: (64, 96, 64, 96, few + 1)})["frames"])


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_clip_is_packed_as_it_is_shown(folder, degrees):
    path = write_video(folder / f"turned{degrees}.mp4", 9, 64, 96, degrees=degrees)
    with scanned_once():
        data = VideoClips([path], 4)
    np.testing.assert_array_equal(by_ffmpeg(data.packed(1, OFFERED)["frames"]), data[1]["frames"])


def test_packing_and_decoding_take_turns(folder):
    path = write_odd(folder, ODD["b_frames.mp4"])
    with scanned_once():
        data = VideoClips([path], 4)
    alone = [data[index]["frames"] for index in range(len(data))]
    for index in (2, 3, 0, 1, 5, 4):
        assert is_packed(data.packed(index, OFFERED)["frames"])
        np.testing.assert_array_equal(data[index]["frames"], alone[index])


def test_a_clip_is_decoded_aside_as_it_is_here(folder):
    path = two_sizes(folder / "two.ts", "libx264")
    with Video(path) as video:
        np.testing.assert_array_equal(read_aside(path, [3, 5], True, [0, 0, 0]), video.read([3, 5]))
    frames = read_aside(path, [7, -1], True, [1, 2, 3])
    assert (frames[1] == [1, 2, 3]).all() and frames[0].std() > 1
    with pytest.raises(SourceDataError, match="has 32 x 48 pixels"):
        read_aside(path, [3, 30], True, [0, 0, 0])
    with pytest.raises(FileNotFoundError, match="absent"):
        read_aside(str(folder / "absent.mp4"), [0], True, [0, 0, 0])


@pytest.mark.parametrize(("name", "codec"), [("two.ts", "libx264"), ("two_h265.ts", "libx265")])
def test_each_clip_has_the_colors_and_extents_of_its_own_sequence(folder, name, codec):
    for path in (two_matrices(folder / f"m_{name}", codec, (5, 1)), two_sizes(folder / f"s_{name}", codec)):
        with scanned_once():
            data, again = VideoClips([path], 3, step=4), VideoClips([path], 3, step=4)
        alone = [data[index]["frames"] for index in range(len(data))]
        for index in (9, 0, 8, 6, 1, 7, 2, 5, 3, 4):  # whatever was read before
            np.testing.assert_array_equal(again[index]["frames"], alone[index])
        clips = [data.packed(index, OFFERED)["frames"] for index in range(len(data))]
        looks = [clip[:192].view(np.int64)[[3, 4, *range(10, 16)]].tolist() for clip in clips if is_packed(clip)]
        assert len(clips) == 10 and len(looks) >= 9 and len({*map(tuple, looks)}) == 2
        for index, clip in enumerate(clips):
            if is_packed(clip):
                np.testing.assert_array_equal(by_ffmpeg(clip), alone[index])


def test_colors_do_not_depend_on_what_was_read_before(folder):
    with scanned_once():
        data = VideoClips([two_matrices(folder / "named_late.ts", "libx264", (2, 1))], 3, step=4)
    first, last = data[0]["frames"], data[9]["frames"]
    np.testing.assert_array_equal(data[0]["frames"], first)
    np.testing.assert_array_equal(by_ffmpeg(data.packed(0, OFFERED)["frames"]), first)
    np.testing.assert_array_equal(by_ffmpeg(data.packed(9, OFFERED)["frames"]), last)
