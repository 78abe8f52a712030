"""Ends actors, machines and heads of a Ray cluster at random moments, and compares every batch with that of local workers.

    python tests/remote/kills.py [--actors 300] [--machines 40] [--heads 5] [--seed 0]

It takes about an hour. Runs are of several kinds of sources; each goes on from a state in the middle, with local workers
where the run before had a cluster's, and the other way round. What it prints last is how many of each were ended, how
many batches were compared, and how long the longest wait for a batch was.
"""

from __future__ import annotations

import argparse
import io
import os
import pathlib
import random
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))

import jax
import numpy as np
from PIL import Image
from ray_cluster import Cluster

import jaxdali.fn as fn
import jaxdali.remote
from jaxdali import Loader, WorkerError, pipeline_def

HEAD_S = 90.0
ACTORS = 3


class Arrays:
    """Arrays of one shape, of several, texts and numbers."""

    def __len__(self) -> int:
        return 1600

    def __getitem__(self, index: int, rng: Any) -> dict[str, Any]:
        time.sleep(0.003)
        return {
            "x": rng.random((64, 64), np.float32),
            "y": index,
            "ids": np.arange(index % 7 + 1),
            "name": f"sample {index}",
        }


class Files:
    """Files of images, of formats that the device decodes, and that workers do."""

    def __len__(self) -> int:
        return 1600

    def __getitem__(self, index: int) -> dict[str, Any]:
        pixels = np.random.default_rng(index).integers(0, 256, (40, 30, 3), np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG" if index % 3 else "PNG")
        return {"image": file.getvalue(), "label": np.int32(index)}


def decode(batch: Any, keys: Any) -> Any:
    return {"x": jaxdali.image.decode_resample(batch["image"], None, (32, 32)), "y": batch["label"]}


KINDS: dict[str, tuple[type, Any, dict[str, Any]]] = {
    "arrays": (Arrays, None, {"ragged": ("ids",)}),
    "files": (Files, decode, {}),
}


def sample(info: Any) -> np.ndarray:
    time.sleep(0.002)
    if info.idx_in_epoch >= 1600:
        raise StopIteration
    return info.rng.random((1 + info.idx_in_epoch % 3, 50))


def whole_batch(iteration: int) -> list[np.ndarray]:
    return [np.full(iteration % 4 + 1, row) for row in range(16)]


@pipeline_def(batch_size=16, seed=3, prefetch_queue_depth=2)
def parallel_sources() -> Any:
    return (
        fn.external_source(source=sample, batch=False, parallel=True),
        fn.external_source(source=whole_batch, batch=True, parallel=True),
    )


class Run:
    """Counts, and the cluster that things are done to."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.cluster = Cluster(machines=2)
        self.ended = {"actors": 0, "machines": 0, "heads": 0}
        self.compared, self.longest_s = 0, 0.0

    @property
    def workers(self) -> Any:
        return jaxdali.remote.Ray(ACTORS, address=self.cluster.address)

    def strike(self, wanted: dict[str, int]) -> None:
        """Ends an actor or a machine, if more are to be ended."""
        actors = self.cluster.do("actors") if self.ended["actors"] < wanted["actors"] else []
        if self.ended["machines"] < wanted["machines"] and self.random.random() < 0.12:
            self.cluster.do("remove")
            self.cluster.do("add")
            self.ended["machines"] += 1
        elif actors:
            try:
                os.kill(self.random.choice(actors), signal.SIGKILL)
            except ProcessLookupError:
                return
            self.ended["actors"] += 1

    def compare(self, found: Any, expected: Any) -> None:
        jax.tree.map(np.testing.assert_array_equal, jax.tree.map(np.asarray, found), jax.tree.map(np.asarray, expected))
        self.compared += 1

    def timed(self, iterator: Iterator[Any]) -> Any:
        began = time.monotonic()
        value = next(iterator, None)
        self.longest_s = max(self.longest_s, time.monotonic() - began)
        return value

    def loaders(self, kind: str, wanted: dict[str, int]) -> None:
        """One epoch, half of it with a cluster, and half of it with local workers; which comes first is drawn."""
        data, augment, how = KINDS[kind]
        options = {"batch_size": 16, "shuffle": True, "seed": self.random.randrange(1000), "epochs": 1, **how}
        # On a slow machine the same actor may be ended several times before it has loaded its data.
        options["worker_restarts"] = 100
        halves = [self.workers, 1]
        self.random.shuffle(halves)
        with Loader(data(), augment, workers=0, **options) as local:
            expected = local.enumerate()
            state = None
            for half, workers in enumerate(halves):
                with Loader(data(), augment, workers=workers, **options) as loader:
                    if state is not None:
                        loader.set_state(state)
                    steps = loader.enumerate()
                    while (found := self.timed(steps)) is not None:
                        step, batch = next(expected)
                        if found[0] != step:
                            raise SystemExit(f"step {found[0]} came in place of {step}")
                        self.compare(found[1], batch)
                        if workers != 1 and self.random.random() < 0.3:
                            self.strike(wanted)
                        if half == 0 and step == 49:
                            state = loader.get_state()
                            break
            if next(expected, None) is not None:
                raise SystemExit("batches are missing at the end")

    def pipelines(self, wanted: dict[str, int]) -> None:
        """An epoch of a pipeline with a parallel source of samples, and one of batches."""
        with parallel_sources(py_num_workers=self.workers) as remote, parallel_sources(py_num_workers=1) as local:
            for _ in range(100):
                began = time.monotonic()
                found = remote.run()
                self.longest_s = max(self.longest_s, time.monotonic() - began)
                for one, other in zip(found, local.run(), strict=True):
                    self.compare([one.at(row) for row in range(len(one))], [other.at(row) for row in range(len(other))])
                if self.random.random() < 0.3:
                    self.strike(wanted)

    def head(self) -> None:
        """Ends the head during an epoch; local workers go on from the state."""
        options = {"batch_size": 16, "shuffle": True, "seed": 1, "epochs": 1, "ragged": ("ids",)}
        with Loader(Arrays(), None, workers=0, **options) as local:
            expected, state, strike_at = local.enumerate(), None, self.random.randint(3, 10)
            began = time.monotonic()
            with Loader(Arrays(), None, workers=self.workers, **options) as loader:
                steps = loader.enumerate()
                try:
                    while (found := next(steps, None)) is not None:
                        self.compare(found[1], next(expected)[1])
                        state = loader.get_state()
                        if found[0] == strike_at:
                            self.cluster.do("end head")
                            for actor in self.cluster.do("actors"):
                                os.kill(actor, signal.SIGKILL)
                            began = time.monotonic()
                    raise SystemExit("the epoch ended without a head")
                except WorkerError as error:
                    took = time.monotonic() - began
                    print(f"head {self.ended['heads'] + 1}: after {took:.0f} s, {str(error)[:90]}", flush=True)
                    if took > HEAD_S or "head of the Ray cluster" not in str(error):
                        raise
            with Loader(Arrays(), None, workers=1, **options) as loader:
                loader.set_state(state)
                for step, batch in loader.enumerate():
                    expected_step, other = next(expected)
                    assert step == expected_step
                    self.compare(batch, other)
        self.ended["heads"] += 1
        self.cluster.close()
        self.cluster = Cluster(machines=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--actors", type=int, default=300)
    parser.add_argument("--machines", type=int, default=40)
    parser.add_argument("--heads", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wanted = {"actors": arguments.actors, "machines": arguments.machines, "heads": arguments.heads}
    run = Run(arguments.seed)
    try:
        number = 0
        while any(run.ended[name] < wanted[name] for name in ("actors", "machines")):
            kind = [*KINDS, "pipeline"][number % (len(KINDS) + 1)]
            if kind == "pipeline":
                run.pipelines(wanted)
            else:
                run.loaders(kind, wanted)
            number += 1
            print(f"run {number}, {kind}: {run.ended}, {run.compared} compared", flush=True)
        while run.ended["heads"] < wanted["heads"]:
            run.head()
    finally:
        run.cluster.close()
    print(f"ended {run.ended}; {run.compared} comparisons, all equal; the longest wait was {run.longest_s:.1f} s")


if __name__ == "__main__":
    main()
