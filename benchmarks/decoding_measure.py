"""Runs one system and row in its own process: `decoding_measure.py ROW SYSTEM FOLDER SECONDS` prints its numbers."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import sys
import time
from typing import Any

import numpy as np
from decoding_files import CLIP, COUNT, ROWS, expected_of, paths_of
from processes import cpu_s, descendants

BATCH, BATCH_OF_CLIPS = 32, 4
WARM = 3
# By how much the mean of a resized, perhaps lossy, image may differ from that of the original; and the level of a corner.
_LEVELS = 4.0


class Program:
    """A pipeline of one system, and the check of its batches."""

    def __init__(self, row: str, source: str, threads: int, system: str, folder: str):
        self.dali: Any = importlib.import_module("nvidia.dali" if system == "DALI" else "jaxdali")
        self.fn = importlib.import_module(f"{self.dali.__name__}.fn")
        self.kind = "clips" if ROWS[row].clips else "sounds" if ROWS[row].kind == "sound" else "images"
        self.paths, self.source = paths_of(row, folder), source
        self.expected = None if self.kind == "clips" else expected_of(row, folder)
        self.batch = BATCH_OF_CLIPS if self.kind == "clips" else BATCH
        self.seen = 0
        more = {"py_num_workers": len(os.sched_getaffinity(0))} if system == "processes" else {}
        self.pipe = self.dali.Pipeline(batch_size=self.batch, num_threads=threads, device_id=None, **more)
        with self.pipe:
            self.pipe.set_outputs(*self.outputs(system))
        self.pipe.build()

    def outputs(self, system: str) -> tuple[Any, ...]:
        fn = self.fn
        if self.kind == "clips":
            return (fn.experimental.readers.video(filenames=self.paths, sequence_length=CLIP, device="cpu"),)
        if self.source == "reader":
            files, labels = fn.readers.file(files=self.paths, labels=list(range(COUNT)))
        else:
            parallel = {"parallel": True} if system == "processes" else {}
            files, labels = fn.external_source(
                Files(self.paths),
                num_outputs=2,
                batch=False,
                dtype=[self.dali.types.UINT8, self.dali.types.INT32],
                **parallel,
            )
        if self.kind == "sounds":
            return fn.decoders.audio(files)[0], labels
        return fn.resize(fn.decoders.image(files, device="cpu"), size=(224, 224)), labels

    def step(self) -> int:
        """Takes a batch, checks it, and returns how many samples (of clips: frames) it has."""
        data, *labels = self.pipe.run()
        if self.kind == "clips":
            for row in range(self.batch):
                corner = np.asarray(data.at(row))[:, 16:48, 16:48].mean((1, 2, 3)) / 2
                self.check(corner - corner[0], np.arange(CLIP))
            return self.batch * CLIP
        numbers = np.asarray(labels[0].as_array()).ravel()
        if (numbers != (self.seen + np.arange(self.batch)) % COUNT).any():
            raise SystemExit(f"labels {numbers} do not follow {self.seen}")
        self.seen += self.batch
        if self.kind == "sounds":
            found = np.array([len(data.at(row)) for row in range(self.batch)])
        else:
            found = np.asarray(data.as_array())[:, ::8, ::8].mean((1, 2, 3))
        self.check(found, self.expected[numbers])
        return self.batch

    def check(self, found: np.ndarray, wanted: np.ndarray) -> None:
        if np.abs(found - wanted).max() > _LEVELS:
            raise SystemExit(f"expected {wanted}, got {found}")


class Files:
    """Reads files by the number of the sample, as a user's callback does."""

    def __init__(self, paths: list[str]):
        self.paths = paths

    def __call__(self, info: Any) -> tuple[np.ndarray, np.ndarray]:
        index = info.idx_in_epoch % COUNT
        return np.fromfile(self.paths[index], np.uint8), np.array([index], np.int32)


def memory_mb(pids: list[int]) -> float:
    """Returns the memory of this process and others in MB; what several share is divided among them (PSS)."""
    total = 0
    for pid in [os.getpid(), *pids]:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            total += int(line.split()[1]) if line.startswith("Pss:") else 0
    return total / 1000


def main() -> None:
    name, system, folder, seconds = sys.argv[1:]
    row, source, threads = name.rsplit(", ", 2)
    began = time.perf_counter()
    program = Program(row, source, int(threads.split()[0]), system, folder)
    program.step()
    first = time.perf_counter() - began
    for _ in range(WARM):
        program.step()
    pids = descendants()
    cpu, began, samples = cpu_s(pids), time.perf_counter(), 0
    while time.perf_counter() - began < float(seconds):
        samples += program.step()
    taken = time.perf_counter() - began
    numbers = {"rate": samples / taken, "cpu_ms": 1e3 * (cpu_s(pids) - cpu) / samples, "first_s": first}
    print(json.dumps({**numbers, "memory_mb": memory_mb(pids), "processes": len(pids)}))
    if system != "DALI":
        program.pipe.close()


if __name__ == "__main__":
    main()
