"""What a ready batch costs the training thread: the time inside `next`. No GPU.

    python benchmarks/next_call.py [--quick] [--rounds 3] [--json FILE]

Batches have two outputs, images of 224 x 224 x 3 float32 and labels. Worker processes make them during the 50 ms of
other work between calls. Each device of the host platform gets two samples of every batch. Everything is checked,
outside of the measured time. "JAX alone" is the unavoidable minimum: putting two arrays of that size on the devices,
and calling a compiled program if something is computed. The defaults take about 4 minutes on two cores.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics

import harness

ROWS = {
    f"{devices}, {what}": ["JAX alone", "iterator", "Loader"] + ["Pipeline.run"] * (devices == "1 device")
    for devices in ("1 device", "8 devices")
    for what in ("from the source", "computed", "decoded")
}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=120, help="that are measured in a round")
    parser.add_argument("--quick", action="store_true", help="one round of 40 calls, to try things out")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.calls = 1, 40
    return arguments


def print_table(results: harness.Results) -> None:
    """Prints medians and spreads of the rounds' medians, in microseconds, for each row and system."""
    print("| row | system | CPU us | min to max | wall us | min to max |\n|---|---|---|---|---|---|")
    for row, systems in results.items():
        for system, numbers in systems.items():
            if not numbers:
                print(f"| {row} | {system} | failed | | | |")
                continue
            cells = [
                f"{statistics.median(values):.0f} | {min(values):.0f} to {max(values):.0f}"
                for values in (numbers["cpu_us"], numbers["wall_us"])
            ]
            print(f"| {row} | {system} | {' | '.join(cells)} |")


def main() -> None:
    arguments = parse_arguments()
    rows = {name: ROWS[name] for name in arguments.rows}
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("next_call_measure.py"))
    results = harness.interleave(program, rows, [str(arguments.calls)], arguments.rounds)
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
