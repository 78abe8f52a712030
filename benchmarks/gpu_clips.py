"""Random clips of videos by a Loader on a GPU, decoded by its video engines and by FFmpeg in workers: frames/s.

    python benchmarks/gpu_clips.py [--rounds 3] [--seconds 3] [--workers 14] [--rows "H.264 1920x1080" ...]

Batches of 8 clips of 16 frames of a moving texture, with a key frame every 30 frames. All frames of the first clip are
compared with FFmpeg's. CPU time is that of this process and its workers.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import tempfile
import time

import jax
import numpy as np
from processes import cpu_s, descendants
from videos_measure import CLIP, expected, path_of, write

import jaxdali
from jaxdali import source

ROWS = ("H.264 1920x1080", "HEVC 1920x1080", "H.264 640x360", "HEVC 640x360")
# The argument decode_ahead of each way.
WAYS = {"engines": None, "FFmpeg": 0}
DALI = "DALI readers.video"
BATCH, WARM = 8, 6


def measure(path: str, ahead: int | None, workers: int, seconds: float) -> tuple[float, float]:
    """Returns frames/s, and milliseconds of CPU time per frame."""
    data = source.VideoClips([path] * 4, CLIP, step=1)
    given = {"batch_size": BATCH, "workers": workers, "decode_ahead": ahead, "last_batch": "drop"}
    with jaxdali.Loader(data, shuffle=True, **given) as loader:
        batches = iter(loader)
        first = next(batches)
        number = int(first["numbers"][0, 0])
        np.testing.assert_array_equal(first["frames"][0], expected(path, number))
        for _ in range(WARM):
            jax.block_until_ready(next(batches))
        began, used, frames = time.monotonic(), cpu_s(descendants()), 0
        while time.monotonic() - began < seconds:
            jax.block_until_ready(next(batches))
            frames += BATCH * CLIP
        took = time.monotonic() - began
        return frames / took, (cpu_s(descendants()) - used) / frames * 1e3


def measure_dali(path: str, seconds: float) -> tuple[float, float]:
    """The same of DALI's reader, whose frames stay on the GPU."""
    import nvidia.dali as dali
    from nvidia.dali.plugin.jax import DALIGenericIterator

    @dali.pipeline_def(batch_size=BATCH, num_threads=4, device_id=0, prefetch_queue_depth=2)
    def clips():
        return dali.fn.readers.video(
            device="gpu", filenames=[path] * 4, sequence_length=CLIP, step=1, random_shuffle=True, name="reader"
        )

    batches = DALIGenericIterator(clips(), ["frames"], reader_name=None, auto_reset=True)
    taken = iter(batches)
    for _ in range(WARM):
        jax.block_until_ready(next(taken)["frames"])
    began, used, frames = time.monotonic(), time.process_time(), 0
    while time.monotonic() - began < seconds:
        jax.block_until_ready(next(taken)["frames"])
        frames += BATCH * CLIP
    return frames / (time.monotonic() - began), (time.process_time() - used) / frames * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    arguments = parser.parse_args()
    print(jax.devices()[0].device_kind)
    print("| row | decoded by | frames/s | CPU ms a frame |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in arguments.rows:
            write(row, folder)
            ways = [*WAYS, *([DALI] if importlib.util.find_spec("nvidia.dali") else [])]
            found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
            for _ in range(arguments.rounds):
                for way, ahead in WAYS.items():
                    found[way].append(measure(path_of(row, folder), ahead, arguments.workers, arguments.seconds))
                if DALI in found:
                    found[DALI].append(measure_dali(path_of(row, folder), arguments.seconds))
            for way, numbers in found.items():
                rates, times = zip(*numbers, strict=True)
                spread = f"{statistics.median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})"
                print(f"| {row} | {way} | {spread} | {statistics.median(times):.2f} |", flush=True)


if __name__ == "__main__":
    main()
