"""Clips of a Loader that a GPU's video engines decode: FFmpeg's pixels, and a damaged clip is its own error."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import av
import numpy as np
import pytest
from odd_videos import ODD, two_matrices, two_sizes, write_odd
from packed_clips import is_packed
from video_files import scanned_once, write_video
from video_pipelines import check_same, of_decoders, of_readers

import jaxdali
import jaxdali.fn as fn
import jaxdali.types as types
from jaxdali import Pipeline, SourceDataError
from jaxdali._run.executor.decode_ahead import clips_ahead
from jaxdali.source import VideoClips, subset
from jaxdali.tensors import TensorListCPU, TensorListGPU

pytestmark = pytest.mark.gpu

# NVIDIA's decoder of HEVC takes no smaller ones.
HEIGHT, WIDTH = 160, 256


@pytest.fixture(scope="module", autouse=True)
def engine():
    from jaxdali._device.ffi.cuda import cuda_module

    try:
        offered = cuda_module().video_caps(0)
    except RuntimeError as error:
        given_up = pytest.fail if os.environ.get("JAXDALI_REQUIRE_GPU", "0") != "0" else pytest.skip
        given_up(f"no engine decodes videos here: {error}")
    assert 4 in offered


@pytest.fixture
def taken(monkeypatch):
    """How many clips came as packets, and why others' packets were not decoded."""
    found: dict[str, list[object]] = {"packed": [], "supplied": []}
    start, supply = clips_ahead._start, clips_ahead._supply

    def started(step, column, packed, devices):
        found["packed"] += [row for row in range(len(column)) if is_packed(column.at(row))]
        return start(step, column, packed, devices)

    def supplied(step, column, row, why, elsewhere):
        found["supplied"].append(why)
        return supply(step, column, row, why, elsewhere)

    monkeypatch.setattr(clips_ahead, "_start", started)
    monkeypatch.setattr(clips_ahead, "_supply", supplied)
    return found


def videos(paths: list[str], length: int = 4, **given: object) -> VideoClips:
    with scanned_once():
        return VideoClips(paths, length, **given)  # type: ignore[arg-type]


def check(data: VideoClips, batch_size: int = 2, workers: int = 0) -> int:
    """Compares the clips of a Loader with those that are decoded here, and returns how many there are."""
    seen = 0
    with jaxdali.Loader(data, batch_size=batch_size, workers=workers, epochs=1, last_batch="drop") as loader:
        for batch in loader:
            for row, frames in enumerate(np.asarray(batch["frames"])):
                np.testing.assert_array_equal(frames, data[seen + row]["frames"])
                np.testing.assert_array_equal(batch["numbers"][row], data[seen + row]["numbers"])
            seen += batch_size
    return seen


@pytest.mark.parametrize("name", [name for name, odd in ODD.items() if odd.codec in ("libx264", "libx265")])
def test_frames_are_ffmpeg_s(tmp_path, taken, name):
    count = check(videos([write_odd(tmp_path, ODD[name], HEIGHT, WIDTH)]))
    if name in ("b_frames.mp4", "open.ts", "cut.mkv", "edited.mp4", "uneven.mp4"):
        assert len(taken["packed"]) == count and not taken["supplied"]


def test_clips_of_several_files_in_workers(tmp_path, taken):
    paths = [write_video(tmp_path / f"{number}.mp4", 20 + number, HEIGHT, WIDTH) for number in range(3)]
    data = videos(paths, 5, stride=2, step=3, pad="constant", fill=(9, 100, 200))
    count = check(data, 4, workers=2)
    assert len(taken["packed"]) == count and not taken["supplied"]


@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_each_clip_has_its_own_colors(tmp_path, taken, codec):
    data = videos([two_matrices(tmp_path / "two.ts", codec, (5, 1), HEIGHT, WIDTH)])
    assert check(data) == len(data) and len(taken["packed"]) >= len(data) - 1 and not taken["supplied"]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_turned_clips_are_upright(tmp_path, taken, degrees):
    assert check(videos([write_video(tmp_path / "turned.mp4", 16, HEIGHT, WIDTH, degrees=degrees)])) == 4
    assert len(taken["packed"]) == 4


def test_augment_gets_the_frames(tmp_path, taken):
    data = videos([write_video(tmp_path / "one.mp4", 16, HEIGHT, WIDTH)])

    def summed(batch, keys):
        return batch["frames"].astype("int32").sum((1, 2, 3, 4))

    with jaxdali.Loader(data, summed, batch_size=2, workers=0, epochs=1) as loader:
        found = np.concatenate([np.asarray(sums) for sums in loader])
    assert found.tolist() == [int(data[index]["frames"].sum()) for index in range(4)] and len(taken["packed"]) == 4


def test_without_decoding_ahead_workers_decode(tmp_path, taken):
    data = videos([write_video(tmp_path / "one.mp4", 16, HEIGHT, WIDTH)])
    with jaxdali.Loader(data, batch_size=2, workers=0, epochs=1, decode_ahead=0) as loader:
        np.testing.assert_array_equal(next(iter(loader))["frames"][0], data[0]["frames"])
    assert not taken["packed"]


def test_a_damaged_clip_is_its_own_error_or_keeps_what_comes_before_the_damage(tmp_path):
    path = pathlib.Path(write_video(tmp_path / "one.mp4", 28, HEIGHT, WIDTH))
    with av.open(str(path)) as container:
        packets = [(int(packet.pos or 0), packet.size) for packet in container.demux(video=0) if packet.size]
    content = bytearray(path.read_bytes())
    place, size = packets[7]  # a key frame
    content[place + size // 2 : place + size // 2 + 40] = bytes(
        byte ^ 0x5A for byte in content[place + size // 2 :][:40]
    )
    path.write_bytes(content)
    data = videos([str(path)], 7)
    found: list[object] = []
    for index in range(len(data)):
        with jaxdali.Loader(subset(data, [index]), batch_size=1, workers=0, epochs=1) as loader:
            try:
                frames, want = np.asarray(next(iter(loader))["frames"][0]), data[index]["frames"]
                # Damage that the engine does not notice is concealed otherwise than by FFmpeg.
                np.testing.assert_array_equal(*((one if index != 1 else one[0, :16]) for one in (frames, want)))
                found.append("shown")
            except SourceDataError as error:
                found.append(error.origin.sample_index)
    assert [found[0], *found[2:]] == ["shown"] * 3 and found[1] in (0, "shown")


def test_a_clip_of_another_size_is_refused_like_ffmpeg_s(tmp_path):
    data = videos([two_sizes(tmp_path / "two.ts", "libx264")])
    for ahead in (None, 0):
        with (
            jaxdali.Loader(data, batch_size=1, workers=0, epochs=1, decode_ahead=ahead) as loader,
            pytest.raises(SourceDataError, match="differ in shape"),
        ):
            list(loader)


def test_clips_of_different_sizes_are_padded(tmp_path, taken):
    sizes = [(HEIGHT, WIDTH), (240, 192), (320, 176), (HEIGHT, WIDTH)]
    paths = [write_video(tmp_path / f"{number}.mp4", 8, *size) for number, size in enumerate(sizes)]
    data = videos(paths)
    with jaxdali.Loader(data, batch_size=4, workers=0, epochs=1, ragged=("frames",)) as loader:
        batches = [tuple(map(np.asarray, batch["frames"])) for batch in loader]
    assert len(taken["packed"]) == len(data) == 8 and not taken["supplied"]
    for index in range(len(data)):
        frames, shapes = (part[index % 4] for part in batches[index // 4])
        want = data[index]["frames"]
        assert tuple(shapes) == want.shape
        np.testing.assert_array_equal(frames[:, : shapes[1], : shapes[2]], want)
        assert not frames[:, shapes[1] :].any() and not frames[:, :, shapes[2] :].any()


def test_pipelines_give_ffmpeg_s_frames_on_the_gpu(tmp_path, taken):
    sizes = ((18, HEIGHT, WIDTH), (20, HEIGHT, WIDTH), (16, WIDTH, HEIGHT))
    paths = [write_video(tmp_path / f"{number}.mp4", *size) for number, size in enumerate(sizes)]
    clips, *_, cropped, small = check_same(lambda: of_readers(paths))
    assert isinstance(clips, TensorListGPU) and isinstance(cropped, TensorListGPU) and isinstance(small, TensorListGPU)
    for workers in (0, 2):
        whole, some, on_host = check_same(lambda: of_decoders(paths), py_num_workers=workers)
        assert isinstance(whole, TensorListGPU) and isinstance(some, TensorListGPU)
        assert isinstance(on_host, TensorListCPU)
    assert len(taken["packed"]) >= 4 * 6 + 2 * 2 * 6 and not taken["supplied"]


def test_files_in_memory(tmp_path, taken):
    content = np.fromfile(write_video(tmp_path / "one.mp4", 16, HEIGHT, WIDTH), np.uint8)

    def define():
        files = fn.external_source(lambda info: content, batch=False, dtype=types.UINT8)
        return fn.resize(fn.decoders.video(files, device="mixed", start_frame=2, sequence_length=3), size=(50, 70))

    check_same(define)
    assert len(taken["packed"]) >= 6 and not taken["supplied"]


def test_a_pipeline_asks_the_gpu_before_this_process_uses_it(tmp_path):
    path = write_video(tmp_path / "one.mp4", 16, HEIGHT, WIDTH)
    program = f"""
import jaxdali, jaxdali.fn as fn
from jaxdali._device.ffi.driver import cuda_is_initialized
pipe = jaxdali.Pipeline(batch_size=2, num_threads=1, device_id=0, py_num_workers=1, py_start_method="fork")
pipe.set_outputs(fn.readers.video(device="gpu", filenames=[{path!r}], sequence_length=4))
pipe.start_py_workers()
assert not cuda_is_initialized()
with pipe:
    (clips,) = pipe.run()
from jaxdali._run.executor.decode_ahead.clips_ahead import _program
assert _program.cache_info().currsize == 1 and clips.shape() == [(4, {HEIGHT}, {WIDTH}, 3)] * 2
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_clips_of_workers_that_are_killed(tmp_path, taken):
    path = write_video(tmp_path / "one.mp4", 60, HEIGHT, WIDTH)
    data = videos([path], 4, step=2)
    with scanned_once():
        pipe = Pipeline(
            batch_size=4, num_threads=2, device_id=0, py_num_workers=2, worker_restarts=90, prefetch_queue_depth=1
        )
        pipe.set_outputs(fn.readers.video(device="gpu", filenames=[path], sequence_length=4, step=2))
    with pipe:
        for batch in range(24):
            (clips,) = pipe.run()
            for row, frames in enumerate(np.asarray(clips.as_cpu().as_array())):
                np.testing.assert_array_equal(frames, data[(4 * batch + row) % len(data)]["frames"])
            if batch % 4 == 0:
                with contextlib.suppress(ProcessLookupError):  # it was killed before, but not yet noticed
                    os.kill(pipe.worker_pids()[0], signal.SIGKILL)
        assert pipe.stats().worker_deaths
    assert len(taken["packed"]) >= 96 and not taken["supplied"]
