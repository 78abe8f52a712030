"""Random clips of videos on a GPU, decoded by its video engines and by FFmpeg in workers: frames/s.

    python benchmarks/gpu_clips.py [--rounds 3] [--seconds 3] [--workers 14] [--rows "H.264 1920x1080" ...]
        [--ways "engines, Loader" ...] [--beside-step]

Batches of 8 clips of 16 frames of a moving texture, with a key frame every 30 frames, by a Loader, and by a pipeline with
`readers.video`. What the engines do not decode here, such as VP9 and AV1, FFmpeg decodes in all ways. All frames of the
first clip are compared with FFmpeg's. CPU time is that of this process and its workers.
With `--beside-step`: how long a training step takes, alone and with a batch of clips for each; it is made to take half as
long again as the Loader needs for a batch.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from processes import cpu_s, descendants
from videos_measure import CLIP, expected, path_of, write
from videos_measure import ROWS as VIDEOS

import jaxdali
from jaxdali import fn, source

ROWS = tuple(row for row in VIDEOS if not row.startswith("MJPEG"))
# Whether a pipeline reads, and the argument decode_ahead.
WAYS = {
    "engines, Loader": (False, None),
    "engines, pipeline": (True, None),
    "FFmpeg, Loader": (False, 0),
    "FFmpeg, pipeline": (True, 0),
}
DALI = "DALI readers.video"
BATCH, WARM = 8, 6


@contextlib.contextmanager
def batches_of(path: str, pipeline: bool, ahead: int | None, workers: int) -> Iterator[Callable[[], jax.Array]]:
    """Yields a function that returns the frames of the next batch. Those of the first clip were compared with FFmpeg's."""
    if pipeline:

        @jaxdali.pipeline_def
        def clips() -> Any:
            return fn.readers.video(
                device="gpu",
                filenames=[path] * 4,
                sequence_length=CLIP,
                step=1,
                random_shuffle=True,
                enable_frame_num=True,
            )

        given = {"batch_size": BATCH, "num_threads": workers, "device_id": 0, "decode_ahead": ahead}
        with clips(**given) as pipe:
            frames, numbers = pipe.run_arrays()
            np.testing.assert_array_equal(frames[0], expected(path, int(numbers[0, 0])))
            yield lambda: pipe.run_arrays()[0]
    else:
        data = source.VideoClips([path] * 4, CLIP, step=1)
        given = {"batch_size": BATCH, "workers": workers, "decode_ahead": ahead, "last_batch": "drop"}
        with jaxdali.Loader(data, shuffle=True, **given) as loader:
            batches = iter(loader)
            first = next(batches)
            np.testing.assert_array_equal(first["frames"][0], expected(path, int(first["numbers"][0, 0])))
            yield lambda: next(batches)["frames"]


def measure(path: str, way: str, workers: int, seconds: float) -> tuple[float, float]:
    """Returns frames/s, and milliseconds of CPU time per frame."""
    with batches_of(path, *WAYS[way], workers) as take:
        for _ in range(WARM):
            jax.block_until_ready(take())
        began, used, frames = time.monotonic(), cpu_s(descendants()), 0
        while time.monotonic() - began < seconds:
            jax.block_until_ready(take())
            frames += BATCH * CLIP
        took = time.monotonic() - began
        return frames / took, (cpu_s(descendants()) - used) / frames * 1e3


def beside_step(path: str, rate: float, workers: int, seconds: float) -> tuple[float, float]:
    """Returns how many milliseconds a training step takes alone, and with a batch of clips for each.

    Args:
        rate: frames/s of the Loader alone.
    """
    weights = jnp.ones((8192, 8192), jnp.bfloat16)

    @functools.partial(jax.jit, static_argnums=2)
    def step(weights: jax.Array, frames: jax.Array, products: int) -> jax.Array:
        shift = frames[:, :, ::16, ::16].astype(jnp.bfloat16).mean() * 1e-3
        return jax.lax.fori_loop(0, products, lambda _, made: made @ made * 1e-4 + shift, weights)

    def timed(take: Callable[[], jax.Array], products: int) -> float:
        made, count = step(weights, take(), products), 0
        jax.block_until_ready(made)
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            made, before = step(made, take(), products), made
            jax.block_until_ready(before)  # one step is queued behind the one that runs
            count += 1
        jax.block_until_ready(made)
        return (time.monotonic() - began) / count * 1e3

    with batches_of(path, False, None, workers) as take:
        same = take()
        one = timed(lambda: same, 64) / 64
        products = max(round(1.5e3 * BATCH * CLIP / rate / one), 1)
        # The Loader has its batches ready, and decodes nothing, while it is not asked.
        time.sleep(2)
        return timed(lambda: same, products), timed(take, products)


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


def rounds_of(path: str, ways: list[str], arguments: argparse.Namespace) -> dict[str, list[tuple[float, float]]]:
    """Returns what was measured of each way, in turn; nothing of DALI where it refuses the file."""
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(arguments.rounds):
        for way in list(ways):
            if way != DALI:
                found[way].append(measure(path, way, arguments.workers, arguments.seconds))
                continue
            try:
                found[way].append(measure_dali(path, arguments.seconds))
            except RuntimeError as error:  # there is no engine for it
                print(f"DALI: {str(error).splitlines()[0]}", flush=True)
                ways.remove(way)
    return {way: numbers for way, numbers in found.items() if numbers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--ways", nargs="+", choices=[*WAYS, DALI], default=[*WAYS, DALI], metavar="WAY")
    parser.add_argument("--beside-step", action="store_true")
    arguments = parser.parse_args()
    print(jax.devices()[0].device_kind)
    print("| row | decoded by | frames/s | CPU ms a frame |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in arguments.rows:
            write(row, folder)
            has_dali = importlib.util.find_spec("nvidia") and importlib.util.find_spec("nvidia.dali")
            ways = [way for way in arguments.ways if way != DALI or has_dali]
            found = rounds_of(path_of(row, folder), ways, arguments)
            for way, numbers in found.items():
                rates, times = zip(*numbers, strict=True)
                spread = f"{statistics.median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})"
                print(f"| {row} | {way} | {spread} | {statistics.median(times):.2f} |", flush=True)
            if arguments.beside_step:
                rate, _ = measure(path_of(row, folder), "engines, Loader", arguments.workers, arguments.seconds)
                alone, beside = beside_step(path_of(row, folder), rate, arguments.workers, arguments.seconds)
                print(
                    f"{row}: a step of {alone:.1f} ms takes {beside:.1f} ms with a batch of clips for each", flush=True
                )


if __name__ == "__main__":
    main()
