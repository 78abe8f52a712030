"""One pipeline by one system: `operators_measure.py ROW SYSTEM FOLDERS SECONDS WORKERS THREADS DEVICE` prints its numbers as
JSON.

ROW is "PIPELINE | SOURCE | FILES"; FOLDERS has a folder for each kind of files.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import sys
import time
from collections.abc import Generator
from typing import Any

import numpy as np
from photographs import file_names, ranges
from pipelines import BATCH, CONTRAST, DEFINITIONS, EXTENT, Definition, Task, open_pipeline
from processes import cpu_s, descendants, end

# Before the window: so many batches, fewer where that takes long.
WARM_BATCHES, LEAST_BATCHES, WARM_S = 8, 3, 3.0

Stream = Generator[tuple[Any, ...], None, None]


def open_stream(system: str, definition: Definition, task: Task) -> Stream:
    """Batches of `jax.Array`s, by the system's own iterator: the images, then the label."""
    if system == "jaxdali":
        import jaxdali as module
        from jaxdali.plugin.jax import DALIGenericIterator
    else:
        import nvidia.dali as module
        from nvidia.dali.plugin.jax import DALIGenericIterator
    pipe, names = open_pipeline(module, definition, task)
    if task.source == "callback" and task.workers:
        pipe.start_py_workers()
    for batch in DALIGenericIterator(pipe, names):
        yield tuple(batch[name] for name in names)


def _image(array: Any, place: int) -> np.ndarray:
    """One of a batch; from a GPU it comes alone."""
    on_cpu = all(device.platform == "cpu" for device in array.devices())
    return np.asarray(array)[place] if on_cpu else np.asarray(array[place])


class Check:
    """Ends the process unless a batch is the right one: shapes, types, every label; and of one image, that its values lie
    within those of its file, which resizing does not leave. Its time counts as the consumer's, for both alike.

    Cubic filters, padding and contrast leave the range, which is widened for them.
    """

    def __init__(self, name: str, folder: str):
        self._definition = definition = DEFINITIONS[name]
        self._shape = (BATCH, definition.channels, EXTENT, EXTENT)
        found = ranges(folder).astype(np.float32)
        if definition.channels == 1:
            found = np.stack([found[:, :1].min(2), found[:, 1:].max(2)], 1)
        low, high = found[:, 0], found[:, 1]
        if definition.contrast:
            most = CONTRAST[1]
            low, high = np.minimum(low, 128 + most * (low - 128)), np.maximum(high, 128 + most * (high - 128))
        self._margin = 60.0 if name == "cubic crop" else 0.6
        self._least, self._most = low.clip(0, 255), high.clip(0, 255)
        self._pads = name == "longer, pad"

    def __call__(self, number: int, batch: tuple[Any, ...]) -> None:
        *images, labels = batch
        count = len(self._least)
        expected = np.arange(number * BATCH, (number + 1) * BATCH) % count
        if not np.array_equal(np.ravel(np.asarray(labels)), expected):
            raise SystemExit(f"batch {number} has the labels {np.ravel(labels)[:3]}..., expected {expected[:3]}...")
        one = number % BATCH
        for array in images:
            if array.shape != self._shape or array.dtype != np.float32:
                raise SystemExit(f"batch {number} is {array.dtype}{array.shape}, expected float32{self._shape}")
            if not self._holds(_image(array, one), int(expected[one])):
                raise SystemExit(f"image {one} of batch {number} is not one of its file")

    def _holds(self, image: np.ndarray, file: int) -> bool:
        mean, std = (np.array(part, np.float32)[:, None, None] for part in self._definition.moments())
        pixels = image * std + mean
        if self._pads:
            pixels = np.where(image == 0, mean, pixels)[:, 64:-64, 64:-64]
        within = (pixels.min((1, 2)) > self._least[file] - self._margin).all()
        return bool(within and (pixels.max((1, 2)) < self._most[file] + self._margin).all() and pixels.std() > 1)


def _peak_mib(pids: list[int]) -> float:
    """The most host memory that each of the processes, and this one, ever had resident, summed up."""
    total = 0
    for pid in [os.getpid(), *pids]:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return total / 1024


def main() -> None:
    row, system, folders, seconds, workers, threads, device = sys.argv[1:]
    name, source, kind = row.split(" | ")
    folder = str(pathlib.Path(folders, kind))
    check = Check(name, folder)
    task = Task(file_names(folder), source, int(workers), int(threads), device=device)
    stream = open_stream(system, DEFINITIONS[name], task)
    numbers, started = itertools.count(), time.perf_counter()
    for number in itertools.islice(numbers, WARM_BATCHES):
        check(number, next(stream))
        if number + 1 >= LEAST_BATCHES and time.perf_counter() - started > WARM_S:
            break
    processes = descendants()
    cpu, started, images = cpu_s(processes), time.perf_counter(), 0
    while time.perf_counter() - started < float(seconds):
        check(next(numbers), next(stream))
        images += BATCH
    elapsed = time.perf_counter() - started
    cpu = cpu_s(processes) - cpu
    figures = {"value": images / elapsed, "cpu_us": 1e6 * cpu / images, "peak_mib": _peak_mib(processes)}
    print(json.dumps(figures), flush=True)
    # Not every system ends its threads and processes when its stream is left in the middle.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
