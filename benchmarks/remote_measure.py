"""Runs one system and row in its own process: `remote_measure.py ROW SYSTEM WORKERS SECONDS` prints its numbers."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import json
import pathlib
import sys
import tempfile
import time
from collections.abc import Generator
from typing import Any

import numpy as np

WARM_BATCHES = 20
FILE_BYTES = 64 << 20
STORE_BYTES = 512 << 20
# Batches of a run of Ray Data; more than any system makes in the time.
LONGEST = 5000


@dataclasses.dataclass(frozen=True)
class Row:
    """What a sample is: a row of a file, and how long Python computes for it."""

    size: int
    batch: int
    busy_s: float = 0.0


ROWS = {
    "150 KiB": Row(150 << 10, 64),
    "1 KiB": Row(1 << 10, 256),
    "5 ms of Python a sample": Row(1 << 10, 32, 0.005),
}


class Rows:
    """Map-style data: rows of a file that is mapped in each process."""

    def __init__(self, path: str, row: Row):
        self._path, self._row, self._file = path, row, None

    def __len__(self) -> int:
        return FILE_BYTES // self._row.size

    def __getitem__(self, index: int) -> np.ndarray:
        if self._file is None:
            self._file = np.memmap(self._path, np.uint8, "r", shape=(len(self), self._row.size))
        until = time.thread_time() + self._row.busy_s
        while self._row.busy_s and time.thread_time() < until:
            pass
        return self._file[index]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}


def start_cluster(workers: int) -> Any:
    # Ray Data reads, here numbers, in tasks beside its actors.
    from ray.cluster_utils import Cluster

    return Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": workers + 1, "object_store_memory": STORE_BYTES, "include_dashboard": False},
    )


def batches_of_loader(data: Rows, row: Row, workers: Any) -> Generator[np.ndarray]:
    import jaxdali

    with jaxdali.Loader(data, None, batch_size=row.batch, last_batch="drop", workers=workers) as loader:
        for batch in loader:
            yield np.asarray(batch)


def batches_of_ray_data(data: Rows, row: Row, workers: int, address: str) -> Generator[np.ndarray]:
    import ray
    import ray.data

    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    ray.data.DataContext.get_current().enable_progress_bars = False

    count = len(data) // row.batch * row.batch

    class Reads:
        def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
            return {"x": np.stack([data[int(index) % count] for index in batch["id"]])}

    # One run: the actors of each would be started anew.
    rows = ray.data.range(LONGEST * row.batch, override_num_blocks=LONGEST)
    actors = ray.data.ActorPoolStrategy(size=workers)
    made = rows.map_batches(Reads, batch_size=row.batch, compute=actors)
    yield from (batch["x"] for batch in made.iter_batches(batch_size=row.batch, prefetch_batches=4))


def batches_of_ray_alone(data: Rows, row: Row, workers: Any, address: str) -> Generator[np.ndarray]:
    """The same pieces as those of jaxdali, as plain arrays: what Ray itself costs. Each is copied once, as there."""
    import ray

    from jaxdali._feed.remote.settings import pieces_of

    pieces = pieces_of(workers)
    ray.init(address=address, log_to_driver=False, logging_level="ERROR")

    class Reads:
        def make(self, start: int, stop: int) -> np.ndarray:
            return np.stack([data[index] for index in range(start, stop)])

    remote: Any = ray.remote(Reads)
    actors = [remote.remote() for _ in range(workers.num_workers)]
    starts = [row.batch * piece // pieces for piece in range(pieces + 1)]
    per_epoch, batch = len(data) // row.batch, np.empty((row.batch, row.size), np.uint8)
    asked: collections.deque[Any] = collections.deque()
    numbers = itertools.count()
    while True:
        while len(asked) < workers.num_workers * workers.in_flight:
            number = next(numbers)
            step, piece = divmod(number, pieces)
            first = step % per_epoch * row.batch
            actor = actors[number % len(actors)]
            asked.append((piece, actor.make.remote(first + starts[piece], first + starts[piece + 1])))
        piece, made = asked.popleft()
        batch[starts[piece] : starts[piece + 1]] = ray.get(made)
        if piece == pieces - 1:
            yield batch


def main() -> None:
    name, system, workers, seconds = sys.argv[1:]
    row = ROWS[name]
    from processes import cpu_s, descendants

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "rows")
        path.write_bytes(np.random.default_rng(0).integers(0, 256, FILE_BYTES, np.uint8).tobytes())
        data = Rows(str(path), row)
        batches: Generator[np.ndarray]
        cluster: Any = None
        if system == "local":
            batches = batches_of_loader(data, row, int(workers))
        else:
            cluster = start_cluster(int(workers))
            import jaxdali.remote

            actors = jaxdali.remote.Ray(int(workers), address=cluster.address)
            if system == "remote":
                batches = batches_of_loader(data, row, actors)
            elif system == "Ray alone":
                batches = batches_of_ray_alone(data, row, actors, cluster.address)
            else:
                batches = batches_of_ray_data(data, row, int(workers), cluster.address)
        per_epoch = len(data) // row.batch
        expected = Rows(str(path), dataclasses.replace(row, busy_s=0))

        def check(number: int, batch: np.ndarray) -> None:
            at = number % row.batch
            if not np.array_equal(batch[at], expected[number % per_epoch * row.batch + at]):
                raise SystemExit(f"batch {number}, sample {at} is not that of the file")

        for number in range(WARM_BATCHES):
            check(number, next(batches))
        pids = descendants()
        used, began = cpu_s(pids), time.perf_counter()
        for number in itertools.count(WARM_BATCHES):
            check(number, next(batches))
            if (passed := time.perf_counter() - began) >= float(seconds):
                break
        samples = (number + 1 - WARM_BATCHES) * row.batch
        numbers = {"rate": samples / passed, "cpu_us": (cpu_s(pids) - used) * 1e6 / samples}
        batches.close()
        if cluster is not None:
            import ray

            ray.shutdown()
            cluster.shutdown()
        print(json.dumps(numbers), flush=True)


if __name__ == "__main__":
    main()
