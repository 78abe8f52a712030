"""Samples/s and CPU time of readers of URLs, from a server that answers at once and from one that pauses first.

    python benchmarks/storage.py [--latency-ms 20] [--rounds 3] [--seconds 3] [--workers 2] [--size 65536]

The server is tests/support/object_server.py, in a process of its own on the loopback interface. Samples have one size,
read shuffled: each is an object ("file"), or a record in a shard ("tfrecord"). "fsspec" reads these objects with one
thread per request in flight. With s3fs installed there are two more rows: the objects as s3://, by jaxdali and by
s3fs itself. CPU time is that of the reading processes, not of the server.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import harness
from processes import cpu_s

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "support"))
from object_server import object_server
from tfrecord_files import write_tfrecord

import jaxdali.tfrecord as tfrec
from jaxdali import fn, pipeline_def

COUNT, SHARDS, BATCH = 2048, 4, 64
# s3://BUCKET/KEY is what the server, as AWS_ENDPOINT_URL, has at /BUCKET/KEY.
S3 = "s3:/"

# (samples, seconds, seconds of CPU time)
Measured = tuple[int, float, float]


def write(folder: pathlib.Path, size: int) -> None:
    """Writes the same samples as files and in shards."""
    chance = random.Random(0)
    samples = [chance.randbytes(size) for _ in range(COUNT)]
    (folder / "files" / "a").mkdir(parents=True)
    for number, sample in enumerate(samples):
        (folder / "files" / "a" / f"{number:05}.bin").write_bytes(sample)
    for shard in range(SHARDS):
        write_tfrecord(folder / f"{shard}.tfrecord", [{"data": one} for one in samples[shard::SHARDS]])


def ours(reader: str, url: str, workers: int, seconds: float) -> Measured:
    @pipeline_def(batch_size=BATCH, py_num_workers=workers, seed=1)
    def pipeline():
        if reader == "file":
            files = [f"{url}/files/a/{number:05}.bin" for number in range(COUNT)]
            return fn.readers.file(files=files, random_shuffle=True)[0]
        shards = [f"{url}/{shard}.tfrecord" for shard in range(SHARDS)]
        features = {"data": tfrec.FixedLenFeature([], tfrec.string, "")}
        given = fn.readers.tfrecord(
            path=shards, index_path=[f"{one}.idx" for one in shards], features=features, random_shuffle=True
        )
        return given["data"]

    with pipeline() as pipe:
        for _ in range(4):
            pipe.run()
        pids = pipe.worker_pids()
        return timed(lambda: len(pipe.run()) * BATCH, pids, seconds)


def fsspec_threads(_reader: str, url: str, workers: int, seconds: float) -> Measured:
    import fsspec

    if url == S3:
        # The endpoint is an argument, because filesystems of the same arguments are one. The default is ten connections.
        options = {"endpoint_url": os.environ["AWS_ENDPOINT_URL"], "config_kwargs": {"max_pool_connections": 100}}
        fs = fsspec.filesystem("s3", **options)
    else:
        fs = fsspec.filesystem("http")
    order = random.Random(1).choices(range(COUNT), k=1 << 20)
    names = iter([f"{url}/files/a/{number:05}.bin" for number in order])
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        waiting = [pool.submit(fs.cat_file, next(names)) for _ in range(128)]

        def one() -> int:
            waiting.pop(0).result()
            waiting.append(pool.submit(fs.cat_file, next(names)))
            return 1

        for _ in range(100):
            one()
        found = timed(one, [], seconds)
        pool.shutdown(cancel_futures=True)
    return found


def timed(step: Callable[[], int], pids: list[int], seconds: float) -> Measured:
    """Runs steps for a while; each returns the number of samples that it took."""
    cpu, began, samples = cpu_s(pids), time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        samples += step()
    return samples, time.perf_counter() - began, cpu_s(pids) - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--latency-ms", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=1 << 16)
    arguments = parser.parse_args()
    rows = [
        ("file", "jaxdali", ours, ""),
        ("tfrecord", "jaxdali", ours, ""),
        ("file", "fsspec", fsspec_threads, ""),
    ]
    if harness.available({"s3fs": "s3fs"}):
        rows += [("file", "jaxdali, s3://", ours, S3), ("file", "s3fs", fsspec_threads, S3)]
        # The server checks no credentials, but without any s3fs asks the network for them. Both systems sign with these.
        os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_DEFAULT_REGION="us-east-1")
    with tempfile.TemporaryDirectory() as name:
        write(pathlib.Path(name), arguments.size)
        print("| reader | system | samples/s at once | samples/s after a pause | of it | CPU us a sample |")
        print("|---|---|---|---|---|---|", flush=True)
        for reader, system, measure, url in rows:
            rates: dict[float, list[float]] = {0.0: [], arguments.latency_ms: []}
            cpu = []
            for _ in range(arguments.rounds):
                for latency, found in rates.items():
                    with object_server(name, "--latency-ms", str(latency)) as server:
                        os.environ["AWS_ENDPOINT_URL"] = server.url
                        samples, seconds, used = measure(
                            reader, url or server.url, arguments.workers, arguments.seconds
                        )
                    found.append(samples / seconds)
                    cpu.append(1e6 * used / samples)
            at_once, later = (statistics.median(found) for found in rates.values())
            shares = [b / a for a, b in zip(*rates.values(), strict=True)]
            print(
                f"| {reader} | {system} | {at_once:.0f} | {later:.0f} | {statistics.median(shares):.2f} "
                f"({min(shares):.2f} to {max(shares):.2f}) | {statistics.median(cpu):.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
