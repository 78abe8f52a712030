"""Runs one pipeline in one system: `operators_measure.py ROW SYSTEM FOLDERS SECONDS TASK` prints its numbers as JSON.

ROW is "PIPELINE | SOURCE | FILES"; FOLDERS has a folder for each kind of files; TASK is JSON: fields of `Task`.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Generator
from typing import Any

import numpy as np
from photographs import file_names, ranges
from pipelines import CONTRAST, DEFINITIONS, EXTENT, Definition, Task, open_pipeline
from processes import cpu_s, descendants, end

# Batches before the timed window, fewer if they take long.
WARM_BATCHES, LEAST_BATCHES, WARM_S = 8, 3, 3.0
# On a GPU, this many batches follow each compared one, because its bytes must be copied. Its labels are compared, too.
UNSEEN_ON_GPU = 7

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
    if task.source == "callback" and task.workers != 0:
        pipe.start_py_workers()
    for batch in DALIGenericIterator(pipe, names):
        yield tuple(batch[name] for name in names)


def _image(array: Any, place: int) -> np.ndarray:
    """One image of a batch; only this image is copied from a GPU."""
    on_cpu = all(device.platform == "cpu" for device in array.devices())
    return np.asarray(array)[place] if on_cpu else np.asarray(array[place])


class Check:
    """Ends the process if a batch is wrong: checks shapes, dtypes and every label; and for one image that its values
    are within the range of its file, which resizing keeps. Its time counts as the consumer's, for both systems alike.

    Cubic filters, padding and contrast leave the range, so it is widened for them, and for nvJPEG's deviations.
    """

    def __init__(self, name: str, folder: str, batch: int, device: str):
        self._definition = definition = DEFINITIONS[name]
        self._batch = batch
        self._shape = (batch, definition.channels, EXTENT, EXTENT)
        found = ranges(folder).astype(np.float32)
        if definition.channels == 1:
            found = np.stack([found[:, :1].min(2), found[:, 1:].max(2)], 1)
        low, high = found[:, 0], found[:, 1]
        if definition.contrast:
            most = CONTRAST[1]
            low, high = np.minimum(low, 128 + most * (low - 128)), np.maximum(high, 128 + most * (high - 128))
        self._margin = 60.0 if name == "cubic crop" else 6.6 if device == "gpu" else 0.6
        self._least, self._most = low.clip(0, 255), high.clip(0, 255)
        self._pads = name == "longer, pad"

    def __call__(self, number: int, batch: tuple[Any, ...]) -> None:
        *images, labels = batch
        count = len(self._least)
        expected = np.arange(number * self._batch, (number + 1) * self._batch) % count
        if not np.array_equal(np.ravel(np.asarray(labels)), expected):
            raise SystemExit(f"batch {number} has the labels {np.ravel(labels)[:3]}..., expected {expected[:3]}...")
        one = number % self._batch
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
        # With more contrast, a dark part of a photograph is black all over.
        varies = self._definition.contrast or pixels.std() > 1
        return bool(within and varies and (pixels.max((1, 2)) < self._most[file] + self._margin).all())


def _peak_mib(pids: list[int]) -> float:
    """The peak resident memory of this process and the others, summed up."""
    total = 0
    for pid in [os.getpid(), *pids]:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return total / 1024


def _device_mib() -> float:
    """MiB of the first GPU's memory that are in use by all processes."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
    command = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", f"--id={first}"]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def main() -> None:
    started = time.perf_counter()
    row, system, folders, seconds, options = sys.argv[1:]
    name, source, kind = row.split(" | ")
    folder = str(pathlib.Path(folders, kind))
    task = Task(file_names(folder), source, **json.loads(options))
    check = Check(name, folder, task.batch, task.device)
    every = 1 if task.device == "cpu" else 1 + UNSEEN_ON_GPU
    stream = open_stream(system, DEFINITIONS[name], task)
    numbers = itertools.count()
    check(next(numbers), next(stream))
    first_s, started = time.perf_counter() - started, time.perf_counter()
    for number in itertools.islice(numbers, WARM_BATCHES):
        check(number, next(stream))
        if number + 1 >= LEAST_BATCHES and time.perf_counter() - started > WARM_S:
            break
    processes = descendants()
    cpu, started, images = cpu_s(processes), time.perf_counter(), 0
    while time.perf_counter() - started < float(seconds):
        batch = next(stream)
        number = next(numbers)
        if number % every == 0:
            check(number, batch)
        images += task.batch
    for array in batch:
        array.block_until_ready()
    elapsed = time.perf_counter() - started
    cpu = cpu_s(processes) - cpu
    figures = {"value": images / elapsed, "cpu_us": 1e6 * cpu / images, "peak_mib": _peak_mib(processes)}
    figures["first_s"] = first_s
    if task.device == "gpu":
        figures["device_mib"] = _device_mib()
    print(json.dumps(figures), flush=True)
    # Not every system ends its threads and processes if its stream is abandoned.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
