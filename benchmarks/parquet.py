"""What a Loader spends on rows of Parquet files: in order, shuffled by row groups, and shuffled as a whole.

    python benchmarks/parquet.py [--seconds 3] [--workers 1 2]

"tokens" are 200,000 rows of 64 int32, 10,000 per row group; "images" 4,000 rows of 50,000 bytes, 200 per row group. CPU
time includes the process and its workers.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from processes import cpu_s, descendants

from jaxdali import Loader, source

BATCH = {"tokens": 256, "images": 64}


def write(folder: pathlib.Path) -> None:
    chance = np.random.default_rng(0)
    ids = pa.FixedSizeListArray.from_arrays(pa.array(chance.integers(0, 50_000, 200_000 * 64).astype(np.int32)), 64)
    pq.write_table(pa.table({"x": ids}), folder / "tokens.parquet", row_group_size=10_000)
    images = pa.table({"x": [chance.bytes(50_000) for _ in range(4000)]})
    pq.write_table(images, folder / "images.parquet", row_group_size=200)


def as_array(sample: dict) -> dict:
    """Converts bytes that are not an image to an array."""
    return {"x": np.frombuffer(sample["x"], np.uint8)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder))
        print("| rows | order | workers | rows/s | CPU us a row |\n|---|---|---|---|---|", flush=True)
        for kind, batch in BATCH.items():
            rows = source.Parquet(f"{folder}/{kind}.parquet")
            data = rows if kind == "tokens" else source.map(rows, as_array)
            orders = {
                "as they lie": {},
                "RowGroupSampler": {"sampler": source.RowGroupSampler(rows.groups, seed=1)},
                "shuffle=True": {"shuffle": True},
            }
            for order, given in orders.items():
                for workers in arguments.workers:
                    with Loader(data, batch_size=batch, workers=workers, **given) as loader:
                        batches = iter(loader)
                        next(batches)
                        pids = descendants()
                        used, began, count = cpu_s(pids), time.perf_counter(), 0
                        while (passed := time.perf_counter() - began) < arguments.seconds:
                            next(batches)
                            count += batch
                        cpu = (cpu_s(pids) - used) * 1e6 / count
                    print(f"| {kind} | {order} | {workers} | {count / passed:.0f} | {cpu:.0f} |", flush=True)


if __name__ == "__main__":
    main()
