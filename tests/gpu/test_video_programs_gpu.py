"""Programs of videos as people publish them, on the GPU, beside DALI: the same clips, labels and numbers.

Pixels differ a little: DALI converts colors differently (by 1.3 levels on average).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from video_files import write_video

import jaxdali
from jaxdali._run.executor.decode_ahead import clips_ahead

pytestmark = [pytest.mark.gpu, pytest.mark.dali]

HEIGHT, WIDTH = 160, 256


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("videos")
    for name, count in {"jump/1.mp4": 33, "jump/2.mp4": 20, "run/3.mp4": 26, "walk/4.mp4": 21}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_video(folder / name, count, HEIGHT, WIDTH)
    lines = [f"{folder / name} {label} {start} {end}\n" for name, label, start, end in _LISTED]
    (folder / "list.txt").write_text("".join(lines))
    return str(folder)


_LISTED = [("jump/1.mp4", 3, 2, 30), ("run/3.mp4", 7, 0, 26), ("walk/4.mp4", 5, 4, 21)]


def simple_reader(dali: ModuleType, root: str) -> list[Any]:
    """The first pipeline that DALI's documentation makes of videos: clips, and nothing else."""

    @dali.pipeline_def
    def video_pipe(filenames):
        return dali.fn.readers.video(
            device="gpu", filenames=filenames, sequence_length=8, shard_id=0, num_shards=1, initial_fill=16
        )

    pipe = video_pipe(
        batch_size=2, num_threads=2, device_id=0, seed=12, filenames=[f"{root}/jump/1.mp4", f"{root}/run/3.mp4"]
    )
    pipe.build()
    return [pipe.run() for _ in range(4)]


def super_resolution(dali: ModuleType, root: str) -> list[Any]:
    """Patches of consecutive frames, channels first, as networks for super-resolution get them."""
    fn, types = dali.fn, dali.types

    @dali.pipeline_def(batch_size=2, num_threads=2, device_id=0)
    def frames(crop):
        images, _ = fn.readers.video(
            device="gpu",
            file_root=root,
            sequence_length=3,
            normalized=False,
            random_shuffle=False,
            image_type=types.RGB,
            dtype=types.UINT8,
            stick_to_shard=True,
            step=5,
            name="Reader",
        )
        return fn.crop(images, crop=crop, crop_pos_x=0.3, crop_pos_y=0.6), fn.transpose(
            fn.cast(images, dtype=types.FLOAT), perm=[3, 0, 1, 2]
        )

    pipe = frames(crop=(64, 96))
    pipe.build()
    return [pipe.run() for _ in range(-(-pipe.epoch_size("Reader") // 2))]


def action_recognition(dali: ModuleType, root: str) -> list[Any]:
    """Clips of a list with labels, resized, cropped and normalised for a network of actions."""
    fn, types = dali.fn, dali.types

    @dali.pipeline_def(batch_size=3, num_threads=2, device_id=0)
    def clips():
        video, label, number = fn.readers.video_resize(
            device="gpu",
            file_list=f"{root}/list.txt",
            file_list_frame_num=True,
            sequence_length=4,
            stride=2,
            enable_frame_num=True,
            resize_shorter=112,
            minibatch_size=4,
            pad_last_batch=True,
            name="Reader",
        )
        normalised = fn.crop_mirror_normalize(
            video,
            crop=(96, 96),
            dtype=types.FLOAT,
            mean=[123.7, 116.3, 103.5],
            std=[58.4, 57.1, 57.4],
            output_layout="CFHW",
        )
        return normalised, label, number

    pipe = clips()
    pipe.build()
    return [pipe.run() for _ in range(4)]


def whole_videos(dali: ModuleType, root: str) -> list[Any]:
    """Videos that are decoded from their bytes, some frames of each."""
    fn, types = dali.fn, dali.types

    @dali.pipeline_def(batch_size=2, num_threads=2, device_id=0)
    def videos():
        encoded, label = fn.readers.file(file_root=root, file_filters=["*.mp4"], name="Reader")
        clip = fn.decoders.video(encoded, device="mixed", start_frame=3, sequence_length=6, stride=2)
        return fn.resize(clip, size=(80, 128), dtype=types.UINT8, antialias=False), label

    pipe = videos()
    pipe.build()
    return [pipe.run() for _ in range(2)]


# How much levels differ at most on average: normalised ones are divided by some 58.
@pytest.mark.parametrize(
    ("program", "most"),
    [(simple_reader, 2.0), (super_resolution, 2.0), (action_recognition, 0.04), (whole_videos, 2.0)],
)
def test_a_program_gives_what_dali_gives(root, program, most):
    before = clips_ahead._program.cache_info().misses
    ours, theirs = program(jaxdali, root), program(pytest.importorskip("nvidia.dali"), root)
    assert clips_ahead._program.cache_info().misses > before  # the engines decoded
    for mine, other in zip(ours, theirs, strict=True):
        for one, two in zip(mine, other, strict=True):
            assert type(one).__name__ == type(two).__name__ or two.ndim() < 3
            for row in range(len(two)):
                found, wanted = (np.asarray(samples.as_cpu().at(row)) for samples in (one, two))
                assert found.shape == wanted.shape and found.dtype == wanted.dtype
                if wanted.ndim < 3:
                    np.testing.assert_array_equal(found, wanted)
                else:
                    assert np.abs(found.astype(np.float64) - wanted).mean() < most
