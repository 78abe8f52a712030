"""Compares two builds of jaxdali in turn: a wheel and what gcc makes here, or a change of compilers' flags and none.

    python benchmarks/builds.py SITE OTHER [--rows water:0:images png ...] [--rounds 21] [--json FILE]

SITE and OTHER are folders with a `jaxdali` each, as `pip install --target FOLDER --no-deps WHEEL` makes them; everything
else is that of the Python which runs this. A row is a use of an operator in `catalogue_cases.py` with inputs of a size, as
in `catalogue.py`, or `png` or `webp`, which is decoded as workers do it. Each build has a process of its own, and a round
is a measurement of both, each time in another order. The ratio is that of CPU time, user and system, of all threads:
more than 1 where OTHER takes less. On a busy machine many rounds are needed.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import harness
import numpy as np
from catalogue import ENVIRONMENT

ROWS = ("decoders.image:0:images", "jpeg_compression_distortion:0:images", "water:0:images", "png", "webp")
LEAST_S = 0.1  # of CPU time, that a measurement takes


class Build:
    """The process of one build."""

    def __init__(self, site: str):
        program = str(pathlib.Path(__file__).with_name("builds_measure.py"))
        environment = {**os.environ, **ENVIRONMENT["cpu"], "PYTHONPATH": site}
        self._process = subprocess.Popen(
            [sys.executable, program, site], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *question: Any) -> Any:
        """Sends a question and returns the answer; ends this program if there is none, or it is an error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else f"the process ended with status {self._process.wait()}"
        if isinstance(answer, str):
            raise SystemExit(f"{self._process.args}, asked for {question}: {answer}")
        return answer


def measure(row: str, builds: list[Build], rounds: int) -> np.ndarray:
    """[rounds, builds, 2]: CPU seconds without and with what is measured. The builds' results are compared before."""
    digests = [build.ask("prepare", row) for build in builds]
    if digests[0] != digests[1]:
        raise SystemExit(f"{row}: the builds' results differ")
    runs = max(1, int(LEAST_S / builds[0].ask("time", 1)[1]))
    found = []
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        times = {place: builds[place].ask("time", runs) for place in order}
        found.append([times[0], times[1]])
    return np.array(found)


def print_row(row: str, found: np.ndarray) -> None:
    """Prints the least of each build, and the ratio of the two; and of the ratios in each round the median and a half."""
    least = np.diff(found.min(0))[:, 0]
    rounds = np.diff(found)[:, :, 0]
    low, median, high = np.quantile(rounds[:, 0] / rounds[:, 1], [0.25, 0.5, 0.75])
    figures = [f"{1e3 * time:.2f}" for time in least] + [f"{least[0] / least[1]:.3f}", f"{median:.3f}"]
    print(f"| {row} | {' | '.join(figures)} | {low:.3f} to {high:.3f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", help="folder with a jaxdali")
    parser.add_argument("other", help="folder with another one")
    parser.add_argument("--rows", nargs="+", default=ROWS, metavar="ROW")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    about = harness.machine()
    builds = [Build(str(pathlib.Path(site).resolve())) for site in (arguments.site, arguments.other)]
    print(harness.headline(about) + "\n")
    print(
        "| row | least ms | of OTHER | ratio | median of the rounds' ratios | half of them |\n|---|---|---|---|---|---|"
    )
    results: harness.Results = {}
    for row in arguments.rows:
        found = measure(row, builds, arguments.rounds)
        print_row(row, found)
        for place, site in enumerate((arguments.site, arguments.other)):
            results.setdefault(row, {})[site] = {"cpu_s": np.diff(found[:, place])[:, 0].tolist()}
    if arguments.json:
        harness.write_json(arguments.json, results, about)


if __name__ == "__main__":
    main()
