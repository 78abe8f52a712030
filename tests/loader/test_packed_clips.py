"""Clips of videos that a GPU's engines decode, on the way through a Loader. FFmpeg stands for the engine here, and decodes
what it is given; tests/gpu/test_clips_gpu.py has the same with an engine.
"""

from __future__ import annotations

import copy
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec
from packed_clips import is_packed
from video_engine import Engine
from video_files import scanned_once, write_three_videos

import jaxdali
from jaxdali import SourceDataError
from jaxdali._loader import packed_clips
from jaxdali.source import VideoClips, subset


@pytest.fixture
def engine(monkeypatch):
    found = Engine(monkeypatch)
    choose = packed_clips.packed_clips
    monkeypatch.setattr(packed_clips, "offered_by", found.offered_by)
    monkeypatch.setattr(
        packed_clips, "packed_clips", lambda source, columns, place: choose(source, columns, found.on(copy.copy(place)))
    )
    return found


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return write_three_videos(tmp_path_factory.mktemp("clips"))


def videos(paths: list[str], **given: Any) -> VideoClips:
    with scanned_once():
        return VideoClips(paths, 4, **given)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_hands_out_the_frames(engine, paths, workers):
    data = videos(paths[:2], stride=2, step=3, pad="constant", fill=(9, 100, 200))
    chosen = subset(data, [7, 2, 0, 5, 3, 1])
    with jaxdali.Loader(chosen, batch_size=3, workers=workers, epochs=1) as loader:
        batches = list(loader)
        assert loader.element_spec["frames"].shape == (3, 4, 64, 96, 3)
    assert len(engine.clips) == 6 and all(map(is_packed, engine.clips))
    for key in ("frames", "label", "numbers"):
        found = np.concatenate([np.asarray(batch[key]) for batch in batches])
        np.testing.assert_array_equal(found, [chosen[index][key] for index in range(6)])


def test_clips_of_different_sizes_are_padded(engine, paths):
    data = videos(paths[1:])
    with jaxdali.Loader(data, batch_size=9, workers=0, epochs=1, ragged=("frames",)) as loader:
        (batch,) = loader
    frames, shapes = map(np.asarray, batch["frames"])
    assert len(engine.clips) == 9 and frames.shape == (9, 4, 96, 96, 3)
    for index, (pixels, shape) in enumerate(zip(frames, shapes, strict=True)):
        want = data[index]["frames"]
        assert tuple(shape) == want.shape
        np.testing.assert_array_equal(pixels[:, : shape[1], : shape[2]], want)
        assert not pixels[:, shape[1] :].any() and not pixels[:, :, shape[2] :].any()


def test_clips_of_different_sizes_are_an_error_unless_they_are_declared(engine, paths):
    with (
        jaxdali.Loader(videos(paths[1:]), batch_size=9, workers=0, epochs=1) as loader,
        pytest.raises(SourceDataError, match=r"has \(4, 64, 96, 3\), this one \(4, 96, 64, 3\)") as raised,
    ):
        list(loader)
    assert raised.value.origin.sample_index == 5


def test_what_the_engine_cannot_do_ffmpeg_does(engine, paths, caplog):
    engine.fault = ("its frames are interlaced", True)
    data = videos(paths[:1], step=8)
    with jaxdali.Loader(data, batch_size=2, workers=0, epochs=1) as loader:
        (batch,) = loader
    np.testing.assert_array_equal(batch["frames"], [data[0]["frames"], data[1]["frames"]])
    assert caplog.text.count("its frames are interlaced") == 1


def test_a_damaged_clip_is_its_own_error(engine, paths):
    engine.fault = ("a frame is damaged", False)
    with (
        jaxdali.Loader(videos(paths[:1]), batch_size=2, workers=0, epochs=1) as loader,
        pytest.raises(SourceDataError, match=r"0.mp4: a frame is damaged \[.*at frame 0") as raised,
    ):
        next(iter(loader))
    assert raised.value.origin.sample_index == 0


def test_nothing_is_packed_without_decoding_ahead_or_for_other_data(engine, paths):
    data = videos(paths[:1])
    cases: list[dict[str, Any]] = [{"data": data, "decode_ahead": 0}, {"data": [data[0], data[1]]}]
    for given in cases:
        with jaxdali.Loader(**given, batch_size=2, workers=0, epochs=1) as loader:
            np.testing.assert_array_equal(next(iter(loader))["frames"][1], data[1]["frames"])
    assert not engine.clips


@pytest.mark.parametrize("as_pair", [False, True])
def test_each_device_of_a_sharding_gets_its_own_clips(engine, paths, as_pair):
    data = videos(paths[1:] if as_pair else paths[:2])
    devices = jax.devices("cpu")[:2]
    sharding = NamedSharding(jax.make_mesh((2,), ("data",), devices=devices), PartitionSpec("data"))
    given: dict[str, Any] = {"ragged": ("frames",)} if as_pair else {}
    with jaxdali.Loader(data, batch_size=8, workers=0, epochs=1, sharding=sharding, **given) as loader:
        batch = next(iter(loader))
    assert engine.devices[:2] == [device.local_hardware_id for device in devices] and len(engine.clips) >= 8
    assert all(leaf.sharding == sharding for leaf in jax.tree.leaves(batch))
    frames, shapes = batch["frames"] if as_pair else (batch["frames"], None)
    for index in range(8):
        want = data[index]["frames"]
        assert shapes is None or tuple(np.asarray(shapes)[index]) == want.shape
        np.testing.assert_array_equal(np.asarray(frames)[(index, *map(slice, want.shape))], want)
