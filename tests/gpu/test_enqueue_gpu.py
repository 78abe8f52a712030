"""Queues half a second of work, dispatches a batch behind it, drops every name, and turns the ring ten times."""

from __future__ import annotations

import gc
import io
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg
from PIL import Image

import jaxdali as dali
from jaxdali._device.ffi.compat import local_gpus

pytestmark = pytest.mark.gpu

BATCH = 8


def png(index):
    stream = io.BytesIO()
    pixels = np.random.default_rng(index).integers(0, 256, (40 + index % 5, 50, 3), np.uint8)
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


FILES = {
    "jpeg": [pillow_jpeg(60 + k % 7, 80 - k % 5, subsampling=k % 3, quality=60 + k % 30) for k in range(64)],
    "RAW rows": [png(k) for k in range(64)],
    "libjpeg-turbo's": [pillow_jpeg(60 + k % 7, 80, mode="CMYK") for k in range(64)],
}


class Data:
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"image": self.files[index], "plain": np.full((100, 100), index, np.float32)}


@jax.jit
def busy(x, rounds):
    return jax.lax.fori_loop(0, rounds, lambda _, y: jnp.tanh(y @ y), x)


def half_a_second(x):
    """Returns how many rounds of work keep the GPU busy for half a second."""
    jax.block_until_ready(busy(x, 1))
    started = time.perf_counter()
    jax.block_until_ready(busy(x, 50))
    return int(50 * 0.5 / (time.perf_counter() - started)) + 1


def sums(batch):
    whole = dali.image.decode(batch["image"], (80, 80)).astype(jnp.int32).sum(axis=(1, 2, 3))
    small = dali.image.decode_resample(batch["image"], None, (16, 16)).astype(jnp.int32).sum(axis=(1, 2, 3))
    return whole, small, batch["plain"].sum(axis=(1, 2))


def run(files, behind_work, donate):
    function = jax.jit(sums, donate_argnums=0 if donate else ())
    heavy = jax.device_put(np.full((4096, 4096), 1e-3, np.float32), local_gpus()[0])
    rounds = half_a_second(heavy)
    results = []
    with dali.Loader(Data(files), None, batch_size=BATCH, workers=0, epochs=None) as loader:
        for step, batch in loader.enumerate():
            if step % 41 == 0:
                if behind_work:
                    busy(heavy, rounds)
                results.append(function(batch))
            del batch
            gc.collect(0)
            if step == 85:
                break
    return [np.asarray(part).tolist() for result in results for part in result]


@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
@pytest.mark.parametrize("donate", [False, True], ids=["kept", "donated"])
@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_what_was_dispatched_is_what_is_computed(files, donate):
    expected = run(files, False, False)
    assert len({tuple(part) for part in expected}) > 3
    assert run(files, True, donate) == expected
