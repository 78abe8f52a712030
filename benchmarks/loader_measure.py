"""One system, one row, in a process of its own: `loader_measure.py ROW SYSTEM WORKERS SECONDS` prints its numbers."""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
from loader_rows import ROWS, WIDTH, Row
from processes import cpu_s, descendants

WARM_BATCHES = 10


def _loader(row: Row, name: str, workers: int) -> Iterator[Any]:
    import jaxdali

    def augment(batch: Any, keys: jax.Array) -> Any:
        if name == "arrays in memory":
            return _scaled(batch)
        if name == "padded tokens":
            ids, shapes = batch["ids"]
            return {"ids": ids, "length": shapes[:, 0]}
        files = {leaf: jaxdali.image.open(batch[leaf], color="GRAY" if leaf == "mask" else "RGB") for leaf in batch}
        decoded = {
            leaf: files[leaf].resize(size=(128, 128)).array() for leaf in files
        }  # their own size: no pixel changes
        return {"image": decoded["image"], "mask": decoded["mask"][..., 0]}

    ragged = {"ids": WIDTH} if name == "padded tokens" else ()
    return iter(jaxdali.Loader(row.data(), augment, batch_size=row.batch, ragged=ragged, workers=workers))


def _grain(row: Row, name: str, workers: int) -> Iterator[Any]:
    import grain  # pyright: ignore[reportMissingImports]
    from absl import flags  # pyright: ignore[reportMissingImports]

    flags.FLAGS.mark_as_parsed()  # grain's workers read its flags, which absl.app.run parses

    samples = grain.MapDataset.source(row.data())
    scales = name == "arrays in memory"  # which a compiled program does faster than workers
    samples = samples if scales else samples.map(row.prepare)
    batches = samples.repeat().batch(row.batch, drop_remainder=True).to_iter_dataset()
    if workers:
        batches = batches.mp_prefetch(grain.MultiprocessingOptions(num_workers=workers))
    finish = jax.jit(_scaled) if scales else jax.device_put
    return (finish(batch) for batch in batches)


def _scaled(batch: Any) -> Any:
    return {"x": batch["x"].astype(np.float32) / 127.5 - 1, "y": batch["y"]}


SYSTEMS = {"jaxdali": _loader, "grain": _grain}


def check(row: Row, data: Any, number: int, batch: Any) -> None:
    """Compares one sample of a batch, each time another one, with what is expected of it."""
    at = number % row.batch
    expected = row.prepare(data[(number * row.batch + at) % len(data)])
    for leaf, value in expected.items():
        found = np.asarray(batch[leaf])
        if found.shape != (row.batch, *np.shape(value)):
            raise SystemExit(f"batch {number}: {leaf} has shape {found.shape} for samples of {np.shape(value)}")
        if np.abs(found[at] - np.asarray(value, np.float64)).max() > row.tolerance:
            raise SystemExit(f"batch {number}, sample {at}: {leaf} is not that of the data")


def _memory(pids: list[int]) -> float:
    """MiB of this process and others; of pages that n of them share, each has an n-th."""
    total = 0
    for pid in ["self", *map(str, pids)]:
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def main() -> None:
    name, system, workers, seconds = sys.argv[1:]
    row = ROWS[name]
    data, batches = row.data(), SYSTEMS[system](row, name, int(workers))
    for number in range(WARM_BATCHES):
        check(row, data, number, jax.block_until_ready(next(batches)))
    pids = descendants()
    used, began, samples, number = cpu_s(pids), time.perf_counter(), 0, WARM_BATCHES
    while (passed := time.perf_counter() - began) < float(seconds):
        check(row, data, number, jax.block_until_ready(next(batches)))
        number, samples = number + 1, samples + row.batch
    numbers = {"rate": samples / passed, "cpu_us": (cpu_s(pids) - used) * 1e6 / samples, "memory_mib": _memory(pids)}
    print(json.dumps(numbers), flush=True)


if __name__ == "__main__":
    main()
