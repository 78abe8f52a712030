"""Compares clips of videos by `experimental.readers.video` with DALI's on the CPU: frames/s, and CPU time per frame.

    python benchmarks/videos.py [--rounds 5] [--seconds 3] [--threads 2] [--rows "VP9 640x360" ...] [--json FILE]

Random clips of 16 frames of a moving texture, with a key frame every 30 frames, by `num_threads` processes or threads, in
batches of as many. All frames of each system's first clip are compared with FFmpeg's. DALI decodes neither H.264 nor HEVC
nor AV1 on the CPU.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile

import harness
from videos_measure import ROWS, write

MODULES = {"jaxdali": "jaxdali", "DALI": "nvidia.dali"}


def print_table(results: harness.Results) -> None:
    print("| row | system | frames/s | CPU ms a frame | DALI's CPU time over its own |")
    print("|---|---|---|---|---|")
    for row, systems in results.items():
        cpu = {name: statistics.median(numbers["cpu_ms"]) for name, numbers in systems.items() if numbers}
        for name, numbers in systems.items():
            if numbers:
                rate = statistics.median(numbers["frames_per_s"])
                ratio = f"{cpu['DALI'] / cpu[name]:.2f}" if "DALI" in cpu else ""
                spread = f"{min(numbers['cpu_ms']):.2f} to {max(numbers['cpu_ms']):.2f}"
                print(f"| {row} | {name} | {rate:.0f} | {cpu[name]:.2f} ({spread}) | {ratio} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--threads", type=int, default=2, help="num_threads of both")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    systems = harness.available(MODULES)
    about = harness.machine()
    program = str(pathlib.Path(__file__).with_name("videos_measure.py"))
    with tempfile.TemporaryDirectory() as folder:
        for row in arguments.rows:
            write(row, folder)
        of_row = {
            row: [one for one in systems if one == "jaxdali" or row.startswith(("VP9", "MJPEG"))]
            for row in arguments.rows
        }
        results = harness.interleave(
            program, of_row, [folder, str(arguments.seconds), str(arguments.threads)], arguments.rounds
        )
    harness.report(results, about, print_table, arguments.json)


if __name__ == "__main__":
    main()
