"""Samples/s and CPU time of the trainers in tests/programs/jax_trainers, compared with their originals.

    python benchmarks/trainers.py [--rounds 3] [--seconds 2] [--only TRAINER ...] [--json FILE]

Batches of 32, images of about 300 x 400 pixels that become 64 x 64, and otherwise the data of the tests. Loaders have
their default workers; NumPy arrays that an original returns are put on the device. Needs grain, torch and TensorFlow.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import harness
import trainers_measure  # noqa: F401 - its import says where the trainers are

SYSTEMS = ("jaxdali", "original")


def parse_arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The trainers of tests beside their originals.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="TRAINER")
    parser.add_argument("--json", help="where to write every number")
    return parser.parse_args()


def print_table(results: harness.Results) -> None:
    """Prints medians of the rounds for each trainer, and our rate divided by the original's."""
    print("| trainer | samples/s | its original | ratio | CPU us a sample | its original |\n|---|---|---|---|---|---|")
    for name, systems in results.items():
        if not all(systems.values()):
            print(f"| {name} | failed | | | | |")
            continue
        rates, cpu = (
            [statistics.median(systems[system][metric]) for system in SYSTEMS] for metric in ("rate", "cpu_us")
        )
        print(f"| {name} | {rates[0]:.0f} | {rates[1]:.0f} | {rates[0] / rates[1]:.2f} | {cpu[0]:.0f} | {cpu[1]:.0f} |")


def main() -> None:
    from trainer_programs import TRAINERS  # pyright: ignore[reportMissingImports]

    arguments = parse_arguments(list(TRAINERS))
    program = str(pathlib.Path(__file__).with_name("trainers_measure.py"))
    about = harness.machine()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, program, "data", folder], check=True)
        rows = {name: SYSTEMS for name in arguments.only}
        results = harness.interleave(program, rows, [folder, str(arguments.seconds)], arguments.rounds)
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
