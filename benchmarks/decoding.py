"""Compares how fast files are decoded that no device function decodes: by default, by more processes, and by DALI.

    python benchmarks/decoding.py [--threads 2 8] [--rounds 3] [--rows PNG "VP9 1920x1080" ...] [--json FILE]

"default" says num_threads, as DALI's programs do; "processes" also says py_num_workers, the number of CPUs. Images are 500
x 375 pixels, resized to 224 x 224; clips have 16 frames. The labels of every batch and the means of its images are
compared with those of the files; of clips, the numbers of the frames, which their pixels show; of sounds, the lengths.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile

import harness
from decoding_files import ROWS, write_files

MODULES = {"default": "jaxdali", "processes": "jaxdali", "DALI": "nvidia.dali"}
SOURCES = ("reader", "external source")


def print_table(results: harness.Results) -> None:
    """Prints medians of the rounds, and the paired ratios of the default to the others."""
    print("| row | system | samples/s | min to max | CPU ms a sample | MB | default over it |")
    print("|---|---|---|---|---|---|---|")
    for row, systems in results.items():
        default = systems.get("default", {}).get("rate", [])
        for system, numbers in systems.items():
            if not numbers:
                print(f"| {row} | {system} | failed | | | | |")
                continue
            rate, cpu, memory = (statistics.median(numbers[name]) for name in ("rate", "cpu_ms", "memory_mb"))
            spread = f"{min(numbers['rate']):.0f} to {max(numbers['rate']):.0f}"
            ratios = [one / other for one, other in zip(default, numbers["rate"], strict=False)]
            ratio = f"{statistics.median(ratios):.2f}" if system != "default" and ratios else ""
            print(f"| {row} | {system} | {rate:.0f} | {spread} | {cpu:.2f} | {memory:.0f} | {ratio} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 8], help="num_threads")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES), help="only these sources")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these systems")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    systems = [one for one in harness.available(MODULES) if one in arguments.systems]
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("decoding_measure.py"))
    rows = {
        f"{row}, {source}, {threads} threads": systems
        for row in arguments.rows
        for source in arguments.sources
        for threads in arguments.threads
        if source == "reader" or not ROWS[row].clips
    }
    with tempfile.TemporaryDirectory() as folder:
        for row in arguments.rows:
            write_files(row, folder)
        results = harness.interleave(program, rows, [folder, str(arguments.seconds)], arguments.rounds)
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
