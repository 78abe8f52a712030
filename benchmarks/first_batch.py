"""How long a new process takes to its first batch, and where the time goes. JPEG files to `jax.Array`s on the CPU.

    python benchmarks/first_batch.py [--rows ROW ...] [--rounds 5] [--json FILE]

Every measurement is a new process without any compiled programs; "jaxdali, cached" is the same with JAX's persistent
compilation cache, filled with what the pipeline needs. DALI does not fork workers: with jax loaded, it would hang.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile

import harness
from first_batch_measure import PARTS, SYSTEMS
from photographs import write_files
from pipelines import DEFINITIONS

STARTS = ("none", "fork", "spawn")
FILES = 128


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    usual = ["crop", "tutorial", "validation", "two crops"]
    parser.add_argument("--rows", nargs="+", choices=DEFINITIONS, default=usual, metavar="ROW", help="pipelines")
    parser.add_argument(
        "--starts",
        nargs="+",
        choices=STARTS,
        default=list(STARTS),
        help="of one worker that reads files; none: no worker",
    )
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), help="only these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="where to write every number")
    return parser.parse_args()


def print_table(results: harness.Results) -> None:
    """Prints medians of the parts, in milliseconds, and the spread of the total."""
    print(f"| pipeline | worker | system | in all, ms | min to max | {' | '.join(PARTS)} |")
    print(f"|---|---|---|---|---|{'---|' * len(PARTS)}")
    for row, systems in results.items():
        for system, numbers in systems.items():
            if numbers:
                whole = numbers["whole"]
                parts = [f"{statistics.median(numbers[part]):.0f}" if part in numbers else "" for part in PARTS]
                spread = f"{min(whole):.0f} to {max(whole):.0f}"
                print(f"| {row} | {system} | {statistics.median(whole):.0f} | {spread} | {' | '.join(parts)} |")
            else:
                print(f"| {row} | {system} | failed |")


def main() -> None:
    arguments = parse_arguments()
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("first_batch_measure.py"))
    rows = {
        f"{name} | {start}": [system for system in arguments.systems if not (system == "DALI" and start == "fork")]
        for name in arguments.rows
        for start in arguments.starts
    }
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder, "files")
        files.mkdir()
        write_files(str(files), FILES, None)
        for row, systems in rows.items():  # fills JAX's cache, and the system's file cache
            for system in systems:
                harness.measure([program, row, system, folder])
        results = harness.interleave(program, rows, [folder], arguments.rounds)
    print(harness.headline(about) + "\n")
    print_table(results)
    if arguments.json:
        harness.write_json(arguments.json, results, about)


if __name__ == "__main__":
    main()
