"""Samples/s and CPU time of readers, compared with DALI's: from files in the system's cache to the consumer's batches.

    python benchmarks/readers.py [--quick] [--rounds 5] [--rows ROW ...] [--systems SYSTEM ...] [--json FILE]

The same samples are written in every format, small ones (3 to 4 KiB) and large ones (0.75 to 1 MiB). Every label, and
the bytes of one sample of every batch, are compared, and all pages of large samples are touched, within the measured
time. "far" rows continue from a checkpoint after a million samples. Peers that are not installed are left out; so
are the readers of Caffe's databases without `lmdb`, which writes them.
"""

from __future__ import annotations

import argparse
import importlib.util
import pathlib
import statistics
import tempfile

import harness
from reader_files import SIZES, write_files
from reader_systems import MODULES, READERS, systems_of

FAR = ["far file", "far tfrecord", "far webdataset"]
ROWS = [f"{kind} {reader}" for reader in READERS for kind in SIZES]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=1, help="processes that read, as many as DALI has threads")
    parser.add_argument("--quick", action="store_true", help="one round of half a second, to try things out")
    parser.add_argument(
        "--rows", nargs="+", choices=ROWS + FAR, default=ROWS + FAR, metavar="ROW", help="only these rows"
    )
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these systems")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 0.5
    return arguments


def print_table(results: harness.Results) -> None:
    """Prints medians of the rounds for each row and system, and how DALI's CPU time compares."""
    print("| row | system | samples/s | min to max | CPU us a sample | DALI's CPU time over its own |")
    print("|---|---|---|---|---|---|")
    for row, systems in results.items():
        if row in FAR:
            continue
        dali = systems.get("DALI", {}).get("cpu_us")
        for system, numbers in systems.items():
            if not numbers:
                print(f"| {row} | {system} | failed | | | |")
                continue
            rate, cpu = (statistics.median(numbers[name]) for name in ("rate", "cpu_us"))
            spread = f"{min(numbers['rate']):.0f} to {max(numbers['rate']):.0f}"
            ratio = f"{statistics.median(dali) / cpu:.2f}" if dali else ""
            print(f"| {row} | {system} | {rate:.0f} | {spread} | {cpu:.1f} | {ratio} |")


def print_far(results: harness.Results) -> None:
    """Prints how long the first batch takes at a far position, given by a checkpoint."""
    print("\n| row | system | first batch at 0, s | at 1,000,192, s |\n|---|---|---|---|")
    for row in FAR:
        for system, numbers in results.get(row, {}).items():
            seconds = (
                f"{statistics.median(numbers[name]):.3f}" if numbers else "failed" for name in ("at_0_s", "at_far_s")
            )
            print(f"| {row} | {system} | {' | '.join(seconds)} |")


def main() -> None:
    arguments = parse_arguments()
    systems = harness.available({name: MODULES[name] for name in arguments.systems})
    databases = importlib.util.find_spec("lmdb") is not None
    rows = [row for row in arguments.rows if databases or "caffe" not in row]
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("readers_measure.py"))
    with tempfile.TemporaryDirectory() as folder:
        for kind in {row.partition(" ")[0].replace("far", "small") for row in rows}:
            write_files(pathlib.Path(folder, kind), SIZES[kind], databases)
        of_row = {row: systems_of(row.partition(" ")[2], systems, row in FAR) for row in rows}
        options = [folder, str(arguments.workers), str(arguments.seconds)]
        results = harness.interleave(program, of_row, options, arguments.rounds)
    print(harness.headline(about))
    print_table(results)
    if set(rows) & set(FAR):
        print_far(results)
    if arguments.json:
        harness.write_json(arguments.json, results, about)


if __name__ == "__main__":
    main()
