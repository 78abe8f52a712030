"""Runs one system and row: `readers_measure.py ROW SYSTEM FOLDER WORKERS SECONDS` prints its numbers."""

from __future__ import annotations

import json
import math
import pathlib
import struct
import sys
import time
from typing import Any

import numpy as np
from processes import cpu_s, descendants, end
from reader_files import SIZES, Size, content, extent
from reader_systems import open_peer, open_pipeline

WARM_BATCHES, WARM_S = 10, 0.3
# Samples before the far position.
FAR = 1_000_192
# Number of pipelines that are opened at each of the two positions.
TURNS = 5


class Check:
    """Ends the process if a batch is wrong: checks every label, the length of every sample, and all bytes of one. Its
    time counts for all systems alike.
    """

    def __init__(self, reader: str, size: Size):
        self.reader, self.size = reader, size

    def __call__(self, number: int, contents: Any, labels: Any) -> None:
        batch, size = self.size.batch, self.size
        first = number * batch % size.count
        if labels is not None:
            expected = np.arange(first, first + batch)
            expected = expected if self.reader == "nemo_asr" else expected % 1000
            if not np.array_equal(np.ravel(labels), expected):
                raise SystemExit(f"batch {number} has the labels {np.ravel(labels)[:4]}..., not {expected[:4]}...")
        place = number % batch
        if size.size > 1 << 16:  # a decoder would touch all pages of a sample, even if they are only mapped
            for k in range(batch):
                np.frombuffer(contents[k], np.uint8)[::4096].sum()
        found = contents[place]
        if self.reader.startswith("numpy"):
            side = extent(size) // 2 if "region" in self.reader else extent(size)
            expected = np.full((side, side), (first + place) & 255, np.uint8)
            expected[0, :8] = np.frombuffer(struct.pack("<Q", first + place), np.uint8)
            right = np.array_equal(np.asarray(found), expected)
        else:
            whole = content(size, first + place)
            right = bytes(found) == (whole[: len(whole) // 2 * 2] if self.reader == "nemo_asr" else whole)
        if not right or len(contents) != batch:
            raise SystemExit(f"batch {number}, sample {place}: another content")


class At:
    """The samples of a list of tensors, by index."""

    def __init__(self, tensors: Any):
        self._tensors = tensors

    def __len__(self) -> int:
        return len(self._tensors)

    def __getitem__(self, index: int) -> Any:
        return np.asarray(self._tensors.at(index))


def _batches(system: str, reader: str, folder: pathlib.Path, size: Size, workers: int) -> Any:
    if not system.startswith(("jaxdali", "DALI")):
        yield from open_peer(system, reader, folder, size, workers)
    pipe = open_pipeline(system, reader, folder, size, workers)
    while True:
        contents, *labels = pipe.run()
        yield At(contents), np.asarray(labels[0].as_array()) if labels else None


def _first_batches(system: str, reader: str, folder: pathlib.Path, workers: int) -> dict[str, float]:
    """Seconds from building a pipeline to its first batch: of a new one, and of one that continues at FAR. They take
    turns, because a process's first pipeline is slower: the minimum of each counts.
    """
    size = SIZES["small"]
    check = Check(reader, size)
    pipe = open_pipeline(system, reader, folder, size, workers, enable_checkpointing=True)
    for _ in range(FAR // size.batch):
        pipe.run()
    checkpoint = pipe.checkpoint()
    del pipe
    numbers = {"at_0_s": math.inf, "at_far_s": math.inf}
    for _ in range(TURNS):
        for name, first, given in (("at_0_s", 0, {}), ("at_far_s", FAR // size.batch, {"checkpoint": checkpoint})):
            began = time.perf_counter()
            pipe = open_pipeline(system, reader, folder, size, workers, enable_checkpointing=True, **given)
            contents, labels = pipe.run()
            numbers[name] = min(numbers[name], time.perf_counter() - began)
            check(first, At(contents), np.asarray(labels.as_array()))
            del contents, labels, pipe
    return numbers


def main() -> None:
    row, system, folder, workers, seconds = sys.argv[1:]
    kind, _, reader = row.partition(" ")
    if kind == "far":
        print(json.dumps(_first_batches(system, reader, pathlib.Path(folder, "small"), int(workers))), flush=True)
        end(descendants())
        return
    size = SIZES[kind]
    began = time.perf_counter()
    batches = _batches(system, reader, pathlib.Path(folder, kind), size, int(workers))
    check = Check(reader, size)
    number = 0
    while number < WARM_BATCHES or time.perf_counter() - began < WARM_S:
        check(number, *next(batches))
        number += 1
    pids = descendants()
    used, began, first = cpu_s(pids), time.perf_counter(), number
    while (passed := time.perf_counter() - began) < float(seconds):
        check(number, *next(batches))
        number += 1
    samples = (number - first) * size.batch
    numbers = {"rate": samples / passed, "cpu_us": (cpu_s(pids) - used) * 1e6 / samples}
    print(json.dumps(numbers), flush=True)
    end(descendants())


if __name__ == "__main__":
    main()
