"""Runs a trainer of tests/programs/jax_trainers, or its original: `trainers_measure.py TRAINER SYSTEM FOLDER SECONDS`.

It prints samples/s and CPU time per sample; `trainers_measure.py data FOLDER` makes the data.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import time
from typing import Any

import numpy as np
from processes import cpu_s, descendants

TESTS = pathlib.Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "programs" / "jax_trainers")]

SAMPLES, BATCH, SIDE = 96, 32, 64
WARM_BATCHES = 6


def make_data(folder: str) -> None:
    """Writes the trainers' data, with photographs of about 300 x 400 pixels and enough samples for several batches."""
    import trainer_data  # pyright: ignore[reportMissingImports]

    trainer_data.COUNT = SAMPLES
    trainer_data._SIZES = [(240, 320), (360, 280), (300, 300), (280, 400)]  # pyright: ignore[reportPrivateUsage]
    trainer_data.write_data(pathlib.Path(folder))
    np.save(f"{folder}/corpus.npy", np.random.default_rng(0).integers(1, 1000, 100_000).astype(np.uint16))


def open_batches(name: str, system: str, folder: str) -> Any:
    """An iterator over batches as the trainer, or its original, returns them."""
    import trainer_programs as programs  # pyright: ignore[reportMissingImports]

    for module in (programs.of_arrays, programs.of_images, programs.of_scenes, programs.of_tokens):
        module.BATCH = BATCH
        if hasattr(module, "SIZE"):
            module.SIZE = SIDE
    programs.of_scenes.BATCH = 4 if name == "scenic_detr" else BATCH  # there are only four COCO images
    return iter((programs.TRAINERS[name] if system == "jaxdali" else programs.original(name))(folder))


def main() -> None:
    if sys.argv[1] == "data":
        return make_data(sys.argv[2])
    name, system, folder, seconds = sys.argv[1:]
    import jax

    def rows(batch: Any) -> int:
        # NumPy arrays are put on the device, because training needs them there.
        leaf = jax.tree.leaves(jax.block_until_ready(jax.device_put(batch)))[0]
        return leaf.shape[0] * leaf.shape[1] if name == "pmapped" else leaf.shape[0]

    batches = open_batches(name, system, folder)
    for _ in range(WARM_BATCHES):
        rows(next(batches))
    pids = descendants()
    used, began, count = cpu_s(pids), time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < float(seconds):
        count += rows(next(batches))
    print(json.dumps({"rate": count / passed, "cpu_us": (cpu_s(pids) - used) * 1e6 / count}), flush=True)
    os._exit(0)  # does not wait for what others leave running


if __name__ == "__main__":
    main()
