"""Pipelines and Loaders whose batches are recorded in recorded_batches.json: they must only change on purpose.

Each case is a function that yields batches, dictionaries of arrays. Those of ON_MANY take a number of devices. Their
batches are the same on any number, except with a reader, whose shards deal the files out differently: it has a case per
number.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from recorded_sources import (
    BATCH,
    Samples,
    batches,
    damaged,
    drawn_on_the_host,
    file,
    folder,
    generator,
    numbers,
    ragged,
    sample,
)

import jaxdali
from jaxdali import Loader, fn, pipeline_def, types
from jaxdali import math as dmath
from jaxdali.plugin.jax import data_iterator

SEED = 1234
ON_ONE: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {}
ON_MANY: dict[str, Callable[[int], Iterator[dict[str, Any]]]] = {}


def encoded():
    return fn.external_source(file, batch=False)


def rows():
    return fn.external_source(numbers, batch=False)


def reader(**options):
    return fn.readers.file(file_root=folder(), name="files", **options)


def of_run(pipe, count=5):
    """Batches of `run` across epochs; each sample is an array of its own."""
    with pipe:
        for _ in range(count):
            try:
                outputs = pipe.run()
            except StopIteration:
                pipe.reset()
                yield {"end": np.zeros(0)}
                continue
            yield {f"{o}.{k}": np.asarray(out.at(k)) for o, out in enumerate(outputs) for k in range(len(out))}


def case(graph=None, **options):
    """Adds a case: a pipeline of what `graph` defines."""
    if graph is None:
        return functools.partial(case, **options)

    def found():
        return of_run(pipeline_def(**{"batch_size": BATCH, "seed": SEED, **options})(graph)())

    ON_ONE[graph.__name__] = found
    return graph


# DRAWS ----------------------------------------------------------------------------------------------------------------


@case
def draws_of_every_kind():
    uniform, normal, flip = fn.random.uniform(range=(2.0, 5.0)), fn.random.normal(mean=1.0), fn.random.coin_flip()
    return uniform, normal, flip, fn.random.uniform(values=[1.0, 4.0, 9.0]), fn.random.uniform()


@case
def draws_with_shapes_and_types():
    return (
        fn.random.uniform(range=(0, 200), shape=(2, 3), dtype=types.UINT8),
        fn.random.normal(stddev=20.0, shape=5, dtype=types.INT16),
        fn.random.coin_flip(probability=0.25, shape=[4], dtype=types.BOOL),
    )


@case
def unused_draws_count():
    fn.random.uniform()
    second = fn.random.uniform()
    fn.random.coin_flip()
    return fn.random.normal(), second


@case
def outputs_in_another_order():
    first, second, third = fn.random.uniform(), fn.random.uniform(), fn.random.normal()
    return third, first, second


@case
def a_seed_of_its_own():
    return fn.random.uniform(seed=7), fn.random.uniform(), fn.random.uniform(seed=7), fn.random.coin_flip(seed=8)


@case
def draws_like_ragged_samples():
    node = fn.external_source(ragged, batch=False)
    return node, fn.random.uniform(node), fn.random.normal(node), fn.random.coin_flip(node)


@case
def draws_from_nodes():
    low = fn.random.uniform(range=(0.0, 1.0))
    bounds = rows()[0:2] * 0 + np.array([1.0, 4.0], np.float32)
    return fn.random.uniform(range=bounds), fn.random.normal(mean=low, stddev=2.0), fn.random.coin_flip(probability=low)


@case(seed=99)
def draws_of_another_seed():
    return fn.random.uniform(), fn.random.coin_flip()


# NUMBERS --------------------------------------------------------------------------------------------------------------


@case
def arithmetic():
    node = rows()
    return node * 2 + 1, node // 3.0, (node > 4) & (node < 9), -node, 7 - node, node**2, abs(3 - node)


@case
def arithmetic_of_integers():
    node = fn.external_source(batches, batch=True)
    return node * 3 - 1, node / 4, node // 3, node % 3, node << 1, ~node, node ^ 5


@case
def functions():
    node = rows() + 1
    return dmath.sqrt(node), dmath.log(node), dmath.clamp(node, 2, 5), dmath.max(node, 3), dmath.atan2(node, 2.0)


@case
def subscripts():
    node, at = rows(), fn.external_source(batches, batch=True)[0] % 3
    return node[0], node[-1], node[0:2], node[::2], node[at]


@case
def constants_and_shapes():
    node = fn.external_source(ragged, batch=False)
    return node.shape(), types.Constant(5) + rows(), types.Constant(np.arange(3, dtype=np.float32)) * rows()


@case
def constants_alone():
    return types.Constant(3) + fn.random.coin_flip(), types.Constant([1.5, 2.5])


# SOURCES --------------------------------------------------------------------------------------------------------------


@case
def a_generator():
    return fn.external_source(generator, batch=True, cycle="raise"), fn.random.uniform()


@case
def a_source_that_draws():
    return fn.external_source(drawn_on_the_host, batch=False)


@case(py_num_workers=2, py_start_method="forkserver")
def two_parallel_sources():
    first = fn.external_source(numbers, batch=False, parallel=True)
    return first, fn.external_source(ragged, batch=False, parallel=True), fn.random.uniform()


@case
def a_reader():
    files, labels = reader()
    return files, labels, fn.random.uniform()


@case
def a_shuffled_reader():
    return *reader(random_shuffle=True), fn.random.uniform()


@case
def a_shard_that_is_padded():
    return *reader(random_shuffle=True, shard_id=1, num_shards=3, pad_last_batch=True), fn.random.coin_flip()


@case
def a_shard_that_stays():
    return reader(shard_id=2, num_shards=4, stick_to_shard=True, seed=5, random_shuffle=True)[1]


@case
def shuffled_after_each_epoch():
    return reader(shuffle_after_epoch=True)[1]


# IMAGES ---------------------------------------------------------------------------------------------------------------


@case
def the_tutorial():
    files, labels = fn.external_source(sample, num_outputs=2, batch=False)
    images = fn.decoders.image(files, device="mixed")
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(1, 3.0)))
    images = fn.resize(images, size=(20, 24))
    return fn.crop_mirror_normalize(images, mean=127.5, std=64.0, mirror=fn.random.coin_flip()), labels


@case
def random_windows_normalised():
    images = fn.decoders.image(encoded())
    images = fn.random_resized_crop(images, size=(20, 20), random_area=(0.3, 0.9), seed=3)
    flips = fn.random.coin_flip()
    return fn.crop_mirror_normalize(
        images, mean=[100.0, 110, 120], std=[50.0, 60, 70], mirror=flips, dtype=types.FLOAT16
    )


@case
def windows_of_the_decoder():
    images = fn.decoders.image_random_crop(encoded(), random_area=(0.2, 0.8), num_attempts=3)
    return fn.resize(images, size=(16, 18)), fn.random.uniform()


@case
def whole_windows_of_the_decoder():
    return fn.decoders.image_random_crop(encoded(), random_aspect_ratio=(0.5, 1.5))


@case
def images_of_their_own_sizes():
    images = fn.decoders.image(encoded())
    return images, fn.brightness_contrast(images, brightness=1.3, brightness_shift=0.1), fn.flip(images, vertical=1)


@case
def on_a_canvas():
    return fn.decoders.image(encoded(), canvas=(70, 72))


@case
def crops():
    images = fn.decoders.image(encoded())
    one = fn.crop(images, crop=(20, 16), crop_pos_x=fn.random.uniform(range=(0, 1)), crop_pos_y=0.25)
    two = fn.random_resized_crop(images, size=(12, 14))
    return one, two, fn.crop_mirror_normalize(images, crop=(22, 22), output_layout="HWC", dtype=types.UINT8)


@case(on_error="zeros")
def a_bad_image_is_zeros():
    images = fn.resize(fn.decoders.image(fn.external_source(damaged, batch=False)), size=(10, 10))
    return images, images * 0.5 + 1


# POSITIONS ------------------------------------------------------------------------------------------------------------


def _restorable(checkpoint=None):
    @pipeline_def(batch_size=BATCH, seed=SEED, enable_checkpointing=True, checkpoint=checkpoint)
    def pipe():
        return rows(), reader(random_shuffle=True)[1], fn.random.uniform()

    return pipe()


def restored_positions():
    with _restorable() as first:
        for _ in range(2):
            first.run()
        record = first.checkpoint()
    yield from of_run(_restorable(record))


ON_ONE["restored_positions"] = restored_positions


# OVER DEVICES ---------------------------------------------------------------------------------------------------------


def _sharding(count):
    return NamedSharding(Mesh(np.array(jax.devices("cpu")[:count]), ("data",)), PartitionSpec("data"))


def iterator_of_a_reader(count):
    @data_iterator(reader_name="files", sharding=_sharding(count), auto_reset=True)
    def mine(shard_id, num_shards):
        options = {"shard_id": shard_id, "num_shards": num_shards, "pad_last_batch": True, "random_shuffle": True}
        files, labels = reader(**options)
        images = fn.resize(fn.decoders.image_random_crop(files), size=(8, 8))
        return {"images": images, "labels": labels, "drawn": fn.random.normal()}

    with mine(batch_size=8, seed=SEED) as batches:
        for _ in range(2):
            yield next(batches)


def iterator_of_a_source(count):
    @data_iterator(output_map=["drawn", "shifted"], sharding=_sharding(count), size=24)
    def mine(shard_id, num_shards):
        drawn = fn.random.uniform(shape=3)
        return drawn, drawn + 1

    with mine(batch_size=8, seed=SEED) as batches:
        for _ in range(3):
            yield next(batches)


def _augment(batch, keys):
    crops = jaxdali.random.resized_crop_window(keys, batch["image"].sizes)
    pixels = jaxdali.image.decode_resample(batch["image"], crops, (8, 10))
    return {"x": pixels, "y": batch["label"], "u": jaxdali.random.uniform(keys, minval=-1.0, maxval=1.0)}


def _loader(count, start, **options):
    with Loader(Samples(), _augment, batch_size=8, seed=SEED, sharding=_sharding(count), **options) as loader:
        loader.seek(start)
        yield from itertools.islice(loader, 3)


def loader_in_order(count):
    return _loader(count, 0)


def shuffled_loader_in_a_later_epoch(count):
    return _loader(count, 7, shuffle=True)


def loader_that_drops(count):
    return _loader(count, 1, shuffle=True, last_batch="drop")


for function in (
    iterator_of_a_source,
    loader_in_order,
    shuffled_loader_in_a_later_epoch,
    loader_that_drops,
):
    ON_MANY[function.__name__] = function
DEVICES = (1, 2, 8)
for devices in DEVICES:
    ON_ONE[f"iterator_of_a_reader_on_{devices}"] = functools.partial(iterator_of_a_reader, devices)
