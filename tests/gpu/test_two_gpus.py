"""Two GPUs: each decodes its own rows of a sharded batch, and pipelines run on either."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import pillow_jpeg
from video_files import write_video

import jaxdali as dali
from jaxdali import fn
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.image import EncodedBatch, decode, decode_resample
from jaxdali.source import VideoClips

pytestmark = pytest.mark.gpu(2)

FILES = [pillow_jpeg(30 + k, 50 - k, subsampling=k % 3) for k in range(16)]
WINDOWS = np.array([(k % 5, k % 7, 10 + k % 6, 12) for k in range(16)], np.int32)


def make_sharded(axis_type):
    """Makes one row of bytes per device, each in the host memory of its own GPU."""
    mesh = jax.make_mesh((2,), ("data",), axis_types=(axis_type,), devices=local_gpus()[:2])
    sharding = NamedSharding(mesh, P("data"))
    host = NamedSharding(mesh, P("data"), memory_kind="pinned_host")
    parts = [EncodedBatch.from_encoded(FILES[k : k + 8], device=local_gpus()[k // 8]) for k in (0, 8)]
    capacity = max(part.bytes.shape[1] for part in parts)
    padded = [np.pad(np.asarray(part.bytes), ((0, 0), (0, capacity - part.bytes.shape[1]))) for part in parts]
    rows, sizes = (np.concatenate([np.asarray(getattr(part, name)) for part in parts]) for name in ("rows", "sizes"))
    return EncodedBatch(
        jax.device_put(np.concatenate(padded), host), *jax.device_put((rows, sizes), sharding), sharding
    )


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("mapped", [False, True], ids=["jit", "shard_map"])
def test_each_gpu_decodes_its_own_rows(axis_type, mapped):
    batch = make_sharded(axis_type)
    alone = EncodedBatch.from_encoded(FILES, device=local_gpus()[0])
    expected = decode_resample(alone, WINDOWS, (9, 7), mean=100.0), decode(alone, (50, 50))

    def program(batch, windows):
        return decode_resample(batch, windows, (9, 7), mean=100.0), decode(batch, (50, 50))

    if mapped:
        program = jax.shard_map(program, mesh=batch.sharding.mesh, in_specs=P("data"), out_specs=P("data"))
    windows = jax.device_put(WINDOWS, batch.sharding)
    compiled = jax.jit(program).lower(batch, windows).compile()
    text = compiled.as_text()
    assert not any(word in text for word in ("all-gather", "all-reduce", "all-to-all", "collective-permute"))
    assert f"u8[1,{batch.bytes.shape[1]}]" in text
    for got, wanted in zip(compiled(batch, windows), expected, strict=True):
        assert got.devices() == set(local_gpus()[:2])
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def sample(info):
    return np.frombuffer(FILES[info.idx_in_epoch % 16], np.uint8), np.int32([info.idx_in_epoch])


@dali.pipeline_def(batch_size=8, seed=3)
def graph():
    files, labels = fn.external_source(sample, num_outputs=2, batch=False)
    return fn.random_resized_crop(fn.decoders.image(files, device="mixed"), size=16), labels


def test_pipelines_on_both_at_the_same_time():
    def run(device_id, found):
        with graph(device_id=device_id) as pipe:
            for _ in range(40):
                images, _ = pipe.run()
                assert images.at(0).devices() == {local_gpus()[device_id]}
                found.append(np.asarray(images.as_cpu().as_array()))

    found = [], []
    threads = [threading.Thread(target=run, args=(device_id, found[device_id])) for device_id in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found[0]) == 40
    np.testing.assert_array_equal(*map(np.stack, found))


def test_a_step_over_both_that_decodes_inside():
    batch = make_sharded(AxisType.Explicit)

    @jax.jit
    def step(batch, weights):
        images = decode_resample(batch, None, (16, 16), dtype=jnp.float32)
        return jnp.einsum("nhwc,c->n", images, weights).sum()

    with jax.set_mesh(batch.sharding.mesh):
        total = step(batch, jnp.ones(3))
    images = decode_resample(EncodedBatch.from_encoded(FILES, device=local_gpus()[0]), None, (16, 16))
    assert abs(float(total) - np.asarray(images).astype(np.float64).sum()) < 16


def test_clips_of_videos_are_decoded_by_each(tmp_path):
    data = VideoClips([write_video(tmp_path / f"{number}.mp4", 40, 160, 256) for number in range(2)], 4)
    sharding = NamedSharding(jax.make_mesh((2,), ("data",), devices=local_gpus()[:2]), P("data"))
    with dali.Loader(data, batch_size=4, workers=2, epochs=1, sharding=sharding) as loader:
        for step, batch in loader.enumerate():
            assert batch["frames"].sharding == sharding
            for row, frames in enumerate(np.asarray(batch["frames"])):
                np.testing.assert_array_equal(frames, data[4 * step + row]["frames"])


_PROCESS = """
import sys, jax, numpy as np, jaxdali
from jax.sharding import NamedSharding, PartitionSpec
from jaxdali.source import VideoClips
from jaxdali._run.executor.decode_ahead.clips_ahead import _program
jax.distributed.initialize(sys.argv[1], 2, int(sys.argv[2]), local_device_ids=[0])
data = VideoClips(sys.argv[3:], 4)
sharding = NamedSharding(jax.make_mesh((2,), ("data",)), PartitionSpec("data"))
with jaxdali.Loader(data, batch_size=4, workers=2, epochs=1, sharding=sharding) as loader:
    for step, batch in loader.enumerate():
        (mine,) = batch["frames"].addressable_shards
        first = 4 * step + (mine.index[0].start or 0)
        for row, frames in enumerate(np.asarray(mine.data)):
            np.testing.assert_array_equal(frames, data[first + row]["frames"])
assert step == 4 and _program.cache_info().currsize == 1
"""


def test_clips_of_videos_in_a_process_for_each(tmp_path):
    files = [str(write_video(tmp_path / f"{number}.mp4", 40, 160, 256)) for number in range(2)]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, address, str(number), *files],
            env={**os.environ, "CUDA_VISIBLE_DEVICES": str(number), "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
        )
        for number in range(2)
    ]
    assert [one.wait(timeout=120) for one in started] == [0, 0]
