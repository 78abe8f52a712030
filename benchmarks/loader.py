"""Samples/s, CPU time and memory of Loaders, from map-style data to `jax.Array`s on the CPU.

    python benchmarks/loader.py [--quick] [--rounds 5] [--rows ROW ...] [--systems SYSTEM ...] [--json FILE]

Every system reads the same data, in the same order except for bucketed and packed tokens. Work on samples is done in
`augment` in jaxdali; in the workers of grain and torch; in as many threads in SPDL, or for arrays in a compiled
program; and in tf.data's own operators. One sample of every batch is compared with NumPy's and Pillow's result, within
the measured time. Systems that are not installed are left out, and so are rows that a system cannot do.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics

import harness
from loader_rows import ROWS
from loader_systems import LACKS

MODULES = {
    "jaxdali": "jaxdali",
    "grain": "grain",
    "torch": "torch",
    "tf.data": "tensorflow",
    "SPDL": "spdl.pipeline",
    "NumPy": "numpy",
}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=2, help="processes that read samples")
    parser.add_argument("--quick", action="store_true", help="one round of a second, to try things out")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these systems")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 1.0
    return arguments


def print_table(results: harness.Results) -> None:
    """Prints the median of the rounds, and their spread, for each row and system."""
    print("| row | system | samples/s | min to max | CPU us a sample | memory MiB |\n|---|---|---|---|---|---|")
    for row, systems in results.items():
        for system, numbers in systems.items():
            if not numbers:
                print(f"| {row} | {system} | failed | | | |")
                continue
            rate, cpu, memory = (statistics.median(numbers[name]) for name in ("rate", "cpu_us", "memory_mib"))
            spread = f"{min(numbers['rate']):.0f} to {max(numbers['rate']):.0f}"
            print(f"| {row} | {system} | {rate:.0f} | {spread} | {cpu:.3g} | {memory:.0f} |")


def main() -> None:
    arguments = parse_arguments()
    systems = harness.available({name: MODULES[name] for name in arguments.systems})
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("loader_measure.py"))
    options = [str(arguments.workers), str(arguments.seconds)]
    rows = {row: [system for system in systems if row not in LACKS.get(system, ())] for row in arguments.rows}
    results = harness.interleave(program, rows, options, arguments.rounds)
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
