"""Runs one system in its own process: `decode_measure.py ROW SYSTEM FOLDER SECONDS WORKERS THREADS` prints JSON."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sys
import time
from collections.abc import Generator
from typing import Any

import numpy as np
from photographs import file_names, ranges
from pipelines import Files
from processes import cpu_s, descendants, end

BATCH = 64
EXTENT = 224
MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]

# Batches before the timed window.
WARM_BATCHES = 8

Stream = Generator[tuple[Any, Any], None, None]


def _images(fn: Any, types: Any, files: Any) -> Any:
    images = fn.decoders.image_random_crop(files)
    images = fn.resize(images, size=[EXTENT, EXTENT])
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=MEAN, std=STD, dtype=types.FLOAT)


def _pipeline(dali: Any, names: list[str], workers: int, threads: int, reader: bool) -> Any:
    """The same graph for both systems: `dali` is nvidia.dali or jaxdali."""
    options = {} if dali.__name__ == "jaxdali" else {"device_id": None}

    @dali.pipeline_def(
        batch_size=BATCH, num_threads=threads, py_num_workers=workers, py_start_method="spawn", seed=1, **options
    )
    def graph():
        if reader:
            files, labels = dali.fn.readers.file(files=names, labels=list(range(len(names))))
        else:
            source = Files(names)
            files, labels = dali.fn.external_source(
                source, num_outputs=2, batch=False, parallel=True, prefetch_queue_depth=2
            )
        return _images(dali.fn, dali.types, files), labels

    return graph()


def jaxdali(names: list[str], workers: int, threads: int, reader: bool) -> Stream:
    import jaxdali as system

    with contextlib.closing(_pipeline(system, names, workers, threads, reader)) as pipe:
        while True:
            yield tuple(output.as_array() for output in pipe.run())  # type: ignore[misc]


def dali(names: list[str], workers: int, threads: int, reader: bool) -> Stream:
    import nvidia.dali as system

    pipe = _pipeline(system, names, workers, threads, reader)
    if not reader:
        pipe.start_py_workers()
    pipe.build()
    while True:
        yield tuple(output.as_array() for output in pipe.run())  # type: ignore[misc]


def tf_data(names: list[str], threads: int) -> Stream:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # its start-up messages fill stderr
    import tensorflow as tf

    # One thread processes a sample; the available threads work on different samples.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(threads)
    tf.random.set_seed(1)
    scale = 1 / np.array(STD, np.float32)
    shift = np.array(MEAN, np.float32) * scale

    def load(name: Any, label: Any) -> tuple[Any, Any]:
        file = tf.io.read_file(name)
        start, size, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(file),
            tf.zeros([1, 0, 4]),
            min_object_covered=0.0,
            aspect_ratio_range=(3 / 4, 4 / 3),
            area_range=(0.08, 1.0),
            max_attempts=10,
            use_image_if_no_bounding_boxes=True,
        )
        window = tf.concat([start[:2], size[:2]], 0)
        image = tf.image.decode_and_crop_jpeg(file, window, channels=3, dct_method="INTEGER_ACCURATE")
        image = tf.image.resize(image, [EXTENT, EXTENT], antialias=True)
        return tf.image.random_flip_left_right(image) * scale - shift, label

    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    files = tf.data.Dataset.from_tensor_slices((names, np.arange(len(names), dtype=np.int32))).repeat()
    batches = files.map(load, num_parallel_calls=threads).batch(BATCH).prefetch(2).with_options(options)
    for images, labels in batches.as_numpy_iterator():
        # A view, because TensorFlow's own layout is "HWC", and transposing would cost time.
        yield images.transpose(0, 3, 1, 2), labels


def open_stream(system: str, names: list[str], workers: int, threads: int) -> Stream:
    if system.startswith("jaxdali"):
        return jaxdali(names, workers, threads, system == "jaxdali readers.file")
    if system == "tf.data":
        return tf_data(names, threads)
    return dali(names, workers, threads, system == "DALI readers.file")


class Check:
    """Ends the process if a batch is wrong: checks every label, and for one image that its values are within the range
    of its file, which resizing keeps. Its time counts as the consumer's, for all systems alike.
    """

    def __init__(self, folder: str):
        self._ranges = ranges(folder).astype(np.float32)

    def __call__(self, number: int, images: np.ndarray, labels: np.ndarray) -> None:
        count = len(self._ranges)
        expected = np.arange(number * BATCH, (number + 1) * BATCH) % count
        one = number % BATCH
        pixels = images[one] * np.array(STD, np.float32)[:, None, None] + np.array(MEAN, np.float32)[:, None, None]
        least, most = self._ranges[expected[one]]
        within = (pixels.min((1, 2)) > least - 0.6) & (pixels.max((1, 2)) < most + 0.6)
        if images.shape != (BATCH, 3, EXTENT, EXTENT) or not within.all() or pixels.std() < 1:
            raise SystemExit(f"image {one} of batch {number} is not one of its file")
        if not np.array_equal(np.ravel(labels), expected):
            raise SystemExit(f"batch {number} has the labels {np.ravel(labels)[:3]}..., expected {expected[:3]}...")


def main() -> None:
    _, system, folder, seconds, workers, threads = sys.argv[1:]
    check = Check(folder)
    stream = open_stream(system, file_names(folder), int(workers), int(threads))
    numbers = itertools.count()
    for number in itertools.islice(numbers, WARM_BATCHES):
        check(number, *next(stream))
    processes = descendants()
    cpu, started, images = cpu_s(processes), time.perf_counter(), 0
    while time.perf_counter() - started < float(seconds):
        check(next(numbers), *next(stream))
        images += BATCH
    elapsed = time.perf_counter() - started
    cpu = cpu_s(processes) - cpu
    print(json.dumps({"value": images / elapsed, "cpu_us": 1e6 * cpu / images}), flush=True)
    # Not every system ends its threads and processes if its stream is abandoned.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
