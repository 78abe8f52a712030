"""How fast samples come from worker processes, what that costs, and how fast workers start. No GPU, no decoding.

    python benchmarks/external_source.py [--quick] [--rounds 5] [--json FILE] [--plot FILE.png]

Every counted batch is checked. Peers (the extra `bench`) take part if they are installed. The defaults take
about 15 minutes on two cores.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile

import harness
from dataset import write_file
from rows import IMAGES, MODULES, ROWS, SMALL
from table import print_table


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="timed window of a measurement (twice in slow rows)")
    parser.add_argument("--quick", action="store_true", help="one round of 0.5 s, to try things out")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--plot", help="where to draw them, as PNG")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 0.5
    return arguments


def main() -> None:
    arguments = parse_arguments()
    found = harness.available({system: MODULES[system] for system in arguments.systems})
    rows = {name: [system for system in ROWS[name].systems if system in found] for name in arguments.rows}
    about = harness.machine()
    with tempfile.TemporaryDirectory() as folder:
        for data in (SMALL, IMAGES):
            write_file(data, folder)
        program = str(pathlib.Path(__file__).with_name("measure.py"))
        results = harness.interleave(program, rows, [folder, str(arguments.seconds)], arguments.rounds)
    print(harness.headline(about))
    print_table(results, {name: ROWS[name].unit for name in rows}, "jaxdali")
    if arguments.json:
        harness.write_json(arguments.json, results, about)
    if arguments.plot:
        from plot import draw

        draw(results, arguments.plot)


if __name__ == "__main__":
    main()
