"""Feeds for resnet50.py: a batch that stays on the device, jaxdali's Loader, and NVIDIA DALI.

Each is an iterator of (images, labels) on the device.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
from collections.abc import Iterator

import jax
import jax.numpy as jnp
from resnet50_files import EndlessFiles

import jaxdali
from jaxdali.random import coin_flip, resized_crop_window

__all__ = ["FEEDS", "Task", "make_loader"]

MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
SEED = 0

Batches = Iterator[tuple[jax.Array, jax.Array]]


@dataclasses.dataclass(frozen=True)
class Task:
    """What a feed must deliver.

    Attributes:
        batch_size: images for all devices together.
        workers: processes for all devices together.
        sharding: of images and labels.
        decoder, decode_ahead: for jaxdali; DALI's "mixed" decoder has its own defaults.
    """

    data: jaxdali.source.ImageFolder
    batch_size: int
    size: tuple[int, int]
    workers: int
    decoder: str
    decode_ahead: int | None
    sharding: jax.sharding.Sharding


def resident(task: Task, stack: contextlib.ExitStack) -> Batches:
    """Repeats one batch of noise, made on the device: the time of a step that never waits for data."""

    def make():
        images = jax.random.normal(jax.random.key(SEED), (task.batch_size, *task.size, 3), jnp.bfloat16)
        return images, jnp.arange(task.batch_size, dtype=jnp.int32) % len(task.data.classes)

    return itertools.repeat(jax.block_until_ready(jax.jit(make, out_shardings=task.sharding)()))


def make_loader(task: Task) -> jaxdali.Loader:
    """Decodes a random window of each file, resizes it, mirrors half of them, and normalises."""

    def augment(batch, keys):
        files = batch["image"]
        images = jaxdali.image.decode_resample(
            files,
            resized_crop_window(keys, files.sizes),
            task.size,
            flip=coin_flip(keys, 0.5),
            mean=MEAN,
            std=STD,
            dtype=jnp.bfloat16,
            decoder=task.decoder,
        )
        return images, batch["label"]

    return jaxdali.Loader(
        task.data,
        augment,
        batch_size=task.batch_size,
        last_batch="drop",
        shuffle=True,
        seed=SEED,
        workers=task.workers,
        sharding=task.sharding if task.sharding.num_devices > 1 else None,
        decode_ahead=task.decode_ahead,
    )


def jaxdali_loader(task: Task, stack: contextlib.ExitStack) -> Batches:
    loader = stack.enter_context(make_loader(task))
    loader.start()  # the workers read while the training step compiles
    return iter(loader)


def dali(task: Task, stack: contextlib.ExitStack) -> Batches:
    """The same with DALI, which lacks bfloat16: returns float16, which the training step casts. One pipeline per device."""
    from nvidia.dali import fn, pipeline_def, types
    from nvidia.dali.plugin.jax import DALIGenericIterator

    gpu = jax.default_backend() == "gpu"
    count = task.sharding.num_devices
    if count > 1 and not gpu:
        raise RuntimeError("its pipelines share a batch on GPUs only")

    @pipeline_def(
        batch_size=task.batch_size // count,
        num_threads=8,
        py_num_workers=task.workers // count,
        py_start_method="spawn",
        seed=SEED,
    )
    def pipeline(source):
        files, labels = fn.external_source(
            source,
            num_outputs=2,
            batch=False,
            parallel=True,
            prefetch_queue_depth=2,
            dtype=[types.UINT8, types.INT32],
        )
        images = fn.decoders.image(files, device="mixed" if gpu else "cpu")
        images = fn.random_resized_crop(images, size=task.size)
        images = fn.crop_mirror_normalize(
            images,
            mirror=fn.random.coin_flip(),
            mean=MEAN,
            std=STD,
            dtype=types.FLOAT16,
            output_layout="HWC",
        )
        return images, labels.gpu() if gpu else labels

    files = [EndlessFiles(task.data.paths, task.data.labels, SEED + part) for part in range(count)]
    pipelines = [pipeline(source, device_id=part if gpu else None) for part, source in enumerate(files)]
    batches = DALIGenericIterator(pipelines, ["images", "labels"], sharding=task.sharding if count > 1 else None)
    return ((batch["images"], batch["labels"]) for batch in batches)


FEEDS = {"resident": resident, "jaxdali": jaxdali_loader, "DALI": dali}
