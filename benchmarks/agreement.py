"""What it costs that processes agree on each step: the time inside `next`, with and without `agree=True`. No GPU.

    python benchmarks/agreement.py [--processes 2] [--rounds 5] [--quick] [--json FILE]

Processes of one JAX program, connected on this machine, share a Loader of small images that are decoded. In each round
they take the same steps with `agree=False` and with `agree=True`, in turn, at prefetch 2 and 1; between two calls of
`next` they do nothing for as long as a training step would take. The samples of each step are checked, outside of the
measured time. All processes are on one machine here, and so take CPU time from each other: give them a CPU each.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import harness
import numpy as np

ROWS = 8  # per process
SETTINGS = [(prefetch, agree) for prefetch in (2, 1) for agree in (False, True)]


class Images:
    """Small JPEGs, and their numbers."""

    def __init__(self, length: int):
        from PIL import Image

        buffer = io.BytesIO()
        Image.fromarray(np.full((64, 64, 3), 99, np.uint8)).save(buffer, "JPEG")
        self.length, self.file = length, buffer.getvalue()

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> dict[str, object]:
        return {"image": self.file, "number": np.int32(index)}


def measure(process: int, processes: int, port: int, arguments: argparse.Namespace, path: str) -> None:
    """Takes part as one of the processes. Writes the seconds inside each `next`, by setting and round."""
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.distributed.initialize(f"localhost:{port}", processes, process)
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    import jaxdali

    def augment(batch, keys):
        return {"x": jaxdali.image.open(batch["image"]).resize(size=(32, 32)).array(), "n": batch["number"]}

    sharding = NamedSharding(Mesh(np.array(jax.devices()), "data"), PartitionSpec("data"))
    found: dict[str, list[list[float]]] = {}
    for _ in range(arguments.rounds):
        for prefetch, agree in SETTINGS:
            data = Images(ROWS * processes * arguments.steps)
            options = {"batch_size": ROWS * processes, "epochs": 1, "workers": 0, "sharding": sharding}
            with jaxdali.Loader(data, augment, prefetch=prefetch, agree=agree, **options) as loader:
                spent = times_of(loader, process, processes, arguments)
            found.setdefault(f"prefetch={prefetch}, agree={agree}", []).append(spent)
    pathlib.Path(path).write_text(json.dumps(found))


def times_of(loader, process: int, processes: int, arguments: argparse.Namespace) -> list[float]:
    """Returns the seconds that each `next` took, without the first ones, which compile."""
    spent = []
    steps = iter(loader)
    for step in range(arguments.steps):
        began = time.perf_counter()
        batch = next(steps)
        spent.append(time.perf_counter() - began)
        (mine,) = batch["n"].addressable_shards
        first = (step * processes + process) * ROWS
        assert np.asarray(mine.data).tolist() == [*range(first, first + ROWS)], "other samples than it should be"
        time.sleep(arguments.step_ms / 1e3)
    return spent[5:]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300, help="that are taken with each setting in a round")
    parser.add_argument("--step-ms", type=float, default=20.0, help="what a training step takes")
    parser.add_argument("--quick", action="store_true", help="one round of 60 steps, to try things out")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--take-part", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.steps = 1, 60
    return arguments


def print_table(results: dict[str, list[list[float]]]) -> None:
    """Prints the median and the 99th percentile of all calls of all processes, and the spread of the rounds' ones."""
    print("| setting | p50 us | min to max | p99 us | min to max |\n|---|---|---|---|---|")
    for setting, rounds in results.items():
        cells = []
        for percent in (50, 99):
            of_rounds = [np.percentile(spent, percent) * 1e6 for spent in rounds]
            cells += [f"{np.median(of_rounds):.0f}", f"{min(of_rounds):.0f} to {max(of_rounds):.0f}"]
        print(f"| {setting} | {' | '.join(cells)} |")


def main() -> None:
    arguments = parse_arguments()
    if arguments.take_part is not None:
        process, port, path = arguments.take_part
        measure(int(process), arguments.processes, int(port), arguments, path)
        return
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
        free.close()
        paths = [os.path.join(folder, str(process)) for process in range(arguments.processes)]
        command = [sys.executable, *sys.argv, "--take-part"]
        running = [subprocess.Popen([*command, str(k), port, path]) for k, path in enumerate(paths)]
        if any([process.wait() for process in running]):
            raise SystemExit("a process failed")
        found = [json.loads(pathlib.Path(path).read_text()) for path in paths]
    rounds = range(arguments.rounds)
    results = {name: [[x for one in found for x in one[name][k]] for k in rounds] for name in found[0]}
    harness.report(results, harness.machine(), print_table, arguments.json)


if __name__ == "__main__":
    main()
