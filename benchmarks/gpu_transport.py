"""How fast plain samples of 150 KB get from the workers' slots to one GPU.

    python benchmarks/gpu_transport.py [--rounds 9] [--workers 8] [--json FILE]

A batch is 256 images of 224x224x3 bytes; three are in flight at a time. Rounds go through all rows in turn. In one
batch of each measurement, a sample is compared with what its source made.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import cupy
import harness
import jax
import numpy as np

import jaxdali
from jaxdali._run.executor.device_io.transfer import put_column

SHAPE, BATCH = (224, 224, 3), 256
# Measurements per round; batches in flight at a time; first batches to skip, whose shape was not known yet.
BATCHES, AHEAD, SKIPPED = 8, 3, 16
BATCH_BYTES = BATCH * int(np.prod(SHAPE))


class Images:
    """Views of random bytes, at a position that depends on the index."""

    def __init__(self):
        self.bytes = np.random.default_rng(0).integers(0, 256, 32 << 20, np.uint8)

    def __len__(self) -> int:
        return 1 << 24

    def __getitem__(self, index: int) -> np.ndarray:
        size = int(np.prod(SHAPE))
        start = index * 7919 % (len(self.bytes) - size)
        return self.bytes[start : start + size].reshape(SHAPE)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--workers", type=int, default=8, help="processes that fill slots")
    parser.add_argument("--json", help="where to write every number")
    return parser.parse_args()


def check(batch: Any, first: int) -> None:
    row = first % BATCH
    if not np.array_equal(np.asarray(batch[row]), Images()[first + row]):
        raise SystemExit(f"sample {first + row} is not what its source made")


def timed(puts: list[Callable[[], Any]], first: int | None = None) -> float:
    """GB/s of copies that are started in sequence and waited for. Checks the first one if its contents are known."""
    started = time.perf_counter()
    batches = jax.block_until_ready([put() for put in puts])
    elapsed = time.perf_counter() - started
    if first is not None:
        check(batches[0], first)
    return len(puts) * BATCH_BYTES / elapsed / 1e9


def medians(rates: list[float]) -> list[float]:
    """Returns one number per round."""
    return [statistics.median(rates[k : k + BATCHES]) for k in range(0, len(rates), BATCHES)]


def link(host: Any, device: Any) -> None:
    cupy.cuda.runtime.memcpy(device.data.ptr, host.ctypes.data, BATCH_BYTES, cupy.cuda.runtime.memcpyHostToDevice)


def main() -> None:
    arguments = parse_arguments()
    gpu = jax.devices()[0]
    rates: dict[str, list[float]] = {}

    def note(name: str, rate: float) -> None:
        rates.setdefault(name, []).append(rate)

    memory = cupy.empty(BATCH_BYTES, cupy.uint8)
    with jaxdali.Loader(
        Images(), None, batch_size=BATCH, workers=arguments.workers, epochs=None, prefetch=16
    ) as loader:
        loader.start()
        host = loader._step_runner.executor._host  # reads the slots directly, before anything is put on a device
        for _ in range(SKIPPED):
            host.take()
        for _ in range(arguments.rounds * BATCHES):
            steps = [host.take() for _ in range(AHEAD)]
            columns = [step.columns[0] for step in steps]
            slots = [column.dense() for column in columns]
            ordinary = [np.array(slot) for slot in slots]
            note("from slots", timed([lambda c=c: put_column(c, gpu) for c in columns], steps[0].first_sample))
            note("jax.device_put of ordinary arrays", timed([lambda a=a: jax.device_put(a, gpu) for a in ordinary]))
            note("cudaMemcpy of the slots", timed([lambda s=s: link(s, memory) for s in slots]))
            del steps, columns, slots
    rates = {name: medians(found) for name, found in rates.items()}
    with jaxdali.Loader(Images(), None, batch_size=BATCH, workers=arguments.workers, epochs=None, prefetch=4) as loader:
        started = time.perf_counter()
        for number, batch in loader.enumerate():
            jax.block_until_ready(batch)
            if number % 64 == 0:
                check(batch, number * BATCH)
                if number:
                    rate = 64 * BATCH_BYTES / (time.perf_counter() - started) / 1e9
                    note(f"Loader, {arguments.workers} workers that copy every sample", rate)
                started = time.perf_counter()
            if number == 64 * arguments.rounds:
                break
    print(f"{gpu.device_kind}, jax {jax.__version__}; {BATCH_BYTES / 1e6:.1f} MB per batch")
    for name, found in rates.items():
        print(f"{name:48} {statistics.median(found):6.1f} GB/s  {min(found):6.1f} to {max(found):6.1f}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"about": harness.machine(), "GB_per_s": rates}, indent=1))


if __name__ == "__main__":
    main()
