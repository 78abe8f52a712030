"""Runs one system and row in its own process: `loader_measure.py ROW SYSTEM WORKERS SECONDS` prints its numbers."""

from __future__ import annotations

import json
import pathlib
import sys
import time
from typing import Any

import jax
import numpy as np
from loader_rows import ROWS, Row
from loader_systems import SYSTEMS
from processes import cpu_s, descendants

WARM_BATCHES = 10


def check(row: Row, data: Any, number: int, batch: Any) -> None:
    """Compares one sample of a batch, a different one each time, with the expected one."""
    at = number % row.batch
    if not row.ordered:
        _check_text(data, np.asarray(batch["ids"]), at, number)
        return
    expected = row.prepare(data[(number * row.batch + at) % len(data)])
    for leaf, value in expected.items():
        found = np.asarray(batch[leaf])
        if found.shape != (row.batch, *np.shape(value)):
            raise SystemExit(f"batch {number}: {leaf} has shape {found.shape} for samples of {np.shape(value)}")
        if np.abs(found[at] - np.asarray(value, np.float64)).max() > row.tolerance:
            raise SystemExit(f"batch {number}, sample {at}: {leaf} is not that of the data")


def _check_text(data: Any, ids: np.ndarray, at: int, number: int) -> None:
    text = data[int(ids[at, 0]) - 1]["ids"]
    if not (ids[at, : len(text)] == text).all():
        raise SystemExit(f"batch {number}, row {at}: it does not begin with the text that its first token names")


def _memory(pids: list[int]) -> float:
    """MiB used by this process and others; a page shared by n of them counts as an n-th for each."""
    total = 0
    for pid in ["self", *map(str, pids)]:
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def main() -> None:
    name, system, workers, seconds = sys.argv[1:]
    row = ROWS[name]
    data = row.data()
    batches = SYSTEMS[system](row, data, name, int(workers))
    for number in range(WARM_BATCHES):
        check(row, data, number, jax.block_until_ready(next(batches)))
    pids = descendants()
    used, began, samples, number = cpu_s(pids), time.perf_counter(), 0, WARM_BATCHES
    while (passed := time.perf_counter() - began) < float(seconds):
        check(row, data, number, batch := jax.block_until_ready(next(batches)))
        # If rows contain several texts, counts the texts.
        texts = row.batch if "segment_ids" not in batch and "ids_segment_ids" not in batch else _texts(batch)
        number, samples = number + 1, samples + texts
    numbers = {"rate": samples / passed, "cpu_us": (cpu_s(pids) - used) * 1e6 / samples, "memory_mib": _memory(pids)}
    print(json.dumps(numbers), flush=True)


def _texts(batch: Any) -> int:
    segments = batch["segment_ids"] if "segment_ids" in batch else batch["ids_segment_ids"]
    return int(np.asarray(segments).max(axis=1).sum())


if __name__ == "__main__":
    main()
