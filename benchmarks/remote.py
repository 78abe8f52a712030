"""Samples/s and CPU time of workers on a Ray cluster, beside local workers and Ray Data.

    python benchmarks/remote.py [--quick] [--rounds 5] [--rows ROW ...] [--systems SYSTEM ...] [--json FILE]

The cluster is one machine, this one, so that all systems have the same CPUs: what is measured is what it costs to have
samples made by actors, and not what a network does. "Ray alone" is a
program without jaxdali whose actors return the same pieces, as arrays. Every measurement has a cluster of its own. All
systems read the same rows of a file, in order, and the consumer compares a sample of every batch.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics

import harness
from remote_measure import ROWS

MODULES = {"local": "jaxdali", "remote": "ray", "Ray alone": "ray", "Ray Data": "ray.data"}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=2, help="processes or actors that read samples")
    parser.add_argument("--quick", action="store_true", help="one round of a second, to try things out")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these systems")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 1.0
    return arguments


def print_table(results: harness.Results) -> None:
    """Prints medians of the rounds, and what the CPUs did more for a sample than for one of local workers."""
    print("| row | system | samples/s | min to max | ratio to local | CPU us a sample | more than local |")
    print("|---|---|---|---|---|---|---|")
    for row, systems in results.items():
        local = {name: statistics.median(values) for name, values in systems.get("local", {}).items()}
        for system, numbers in systems.items():
            if not numbers:
                print(f"| {row} | {system} | failed | | | | |")
                continue
            rate, cpu = (statistics.median(numbers[name]) for name in ("rate", "cpu_us"))
            spread = f"{min(numbers['rate']):.0f} to {max(numbers['rate']):.0f}"
            ratio = (
                f"{rate / local['rate']:.3g} | {cpu:.3g} | {cpu - local['cpu_us']:.3g}" if local else f" | {cpu:.3g} | "
            )
            print(f"| {row} | {system} | {rate:.0f} | {spread} | {ratio} |")


def main() -> None:
    arguments = parse_arguments()
    systems = harness.available({name: MODULES[name] for name in arguments.systems})
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("remote_measure.py"))
    options = [str(arguments.workers), str(arguments.seconds)]
    results = harness.interleave(program, {row: systems for row in arguments.rows}, options, arguments.rounds)
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
