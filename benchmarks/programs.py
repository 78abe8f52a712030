"""Compares what whole programs cost with DALI on the CPU: those of tests/programs, run unchanged by both systems.

    python benchmarks/programs.py [--only NAME ...] [--rounds 7] [--seconds 0.5] [--sizes equal|mixed] [--photographs DIR]
                                  [--data DIR] [--json FILE] [--update FILE]

JPEGs are 480 x 640 and batches have 32 samples; data that a program makes itself, mostly NumPy arrays, keeps its small
size. Each program runs in one process per system, and these take batches in turn (`programs_measure.py`). Dtypes and
shapes of the first batches are compared, shapes only where nothing is random. CPU time is that of a process and all its
workers; its ratios are meaningful even on a machine that others use, and above 1 if jaxdali takes less.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import harness
from programs_data import SIZES, write_data
from programs_texts import BATCH, FOLDER, PROGRAMS, kinds_of

SYSTEMS = {"jaxdali": "jaxdali", "DALI": "nvidia.dali"}
LEAST, MOST = 4, 200


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=PROGRAMS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="about so long each round of the slower system takes"
    )
    parser.add_argument("--sizes", choices=SIZES, default="equal", help="mixed: four sizes in turns")
    parser.add_argument("--photographs", metavar="DIR", help="JPEGs from which windows are cut; else they are drawn")
    parser.add_argument("--data", metavar="DIR", help="a folder for the data, which stay; else they are made anew")
    parser.add_argument("--json", metavar="FILE", help="where to write every number")
    parser.add_argument(
        "--update", metavar="FILE", help="a file that --json wrote; what is measured now replaces its part"
    )
    return parser.parse_args()


class Runner:
    """Runs a program with one system, in a process that waits for questions."""

    def __init__(self, name: str, kind: str, system: str, data: str, folder: str):
        program = str(pathlib.Path(__file__).with_name("programs_measure.py"))
        self._errors = tempfile.TemporaryFile("w+")  # close() closes it
        self._process = subprocess.Popen(
            [sys.executable, program, name, kind, SYSTEMS[system], data, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def answer(self) -> dict[str, Any]:
        """Returns the next answer.

        Raises:
            RuntimeError: the process has ended; with the end of its output.
        """
        assert self._process.stdout is not None
        if line := self._process.stdout.readline():
            return json.loads(line)
        self._process.wait()
        self._errors.seek(0)
        raise RuntimeError(self._errors.read().strip()[-600:] or f"it ended with {self._process.returncode}")

    def ask(self, count: int) -> dict[str, Any]:
        """What that many batches took."""
        assert self._process.stdin is not None
        print(count, file=self._process.stdin, flush=True)
        return self.answer()

    def close(self) -> None:
        # Ends standard input, and thereby the process; kills it if it hangs.
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._errors.close()


def different(name: str, ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    """How the first batches differ from DALI's; empty if they do not."""
    sys.path.append(str(FOLDER))
    words = importlib.import_module("kinds").KINDS.get(name, "exact").split()
    for mine, its in zip(ours, theirs, strict=True):
        if max(len(shape) if isinstance(shape[0], list) else shape[0] for *_, shape in its) < BATCH:
            return f"no batch of {BATCH}, but {its}"
        if len(mine) != len(its):
            return f"{len(mine)} arrays, with DALI {len(its)}"
        for one, two, kind in zip(mine, its, words if len(words) == len(mine) else words[:1] * len(mine), strict=True):
            # Random values may decide sizes.
            shapes = [[len(form[2]), form[2] if kind != "drawn" else ()] for form in (one, two)]
            if one[:2] != two[:2] or shapes[0] != shapes[1]:
                return f"{one}, with DALI {two}"
    return ""


def measured(name: str, kind: str, arguments: argparse.Namespace, data: str, folder: str) -> dict[str, Any]:
    """The numbers of the rounds for each system and metric, or why there are none."""
    runners = {system: Runner(name, kind, system, data, folder) for system in SYSTEMS}
    found: dict[str, Any] = {system: {"cpu_ms": [], "ms": []} for system in SYSTEMS}
    try:
        first = {}
        for system, runner in runners.items():
            try:
                first[system] = runner.answer()
            except RuntimeError as error:
                return {"failed": f"{system}: {error}"}
        if wrong := different(name, *(first[system]["shown"] for system in SYSTEMS)):
            return {"failed": wrong}
        slowest = max(one["seconds"] for one in first.values())
        count = min(max(round(arguments.seconds / slowest), LEAST), MOST)
        for number in range(arguments.rounds):
            for system in [*SYSTEMS][:: 1 if number % 2 else -1]:
                for metric, value in runners[system].ask(count).items():
                    found[system][metric].append(round(value, 4))
    except RuntimeError as error:
        return {"failed": str(error)}
    finally:
        for runner in runners.values():
            runner.close()
    return {**found, "ratio": ratios(found)}


def ratios(found: Mapping[str, Any]) -> dict[str, list[float]]:
    """DALI's medians over ours, with the minimum and maximum over the rounds."""
    result = {}
    for metric in ("cpu_ms", "ms"):
        ours, theirs = (found[system][metric] for system in SYSTEMS)
        of_rounds = [b / a for a, b in zip(ours, theirs, strict=True)]
        ratio = statistics.median(theirs) / statistics.median(ours)
        result[metric] = [round(one, 3) for one in (ratio, min(of_rounds), max(of_rounds))]
    return result


def shown(results: Mapping[str, Any]) -> Iterator[str]:
    """Yields the lines of a table."""
    yield "| program | jaxdali, ms of CPU a batch | DALI | ratio | min to max | by the clock |"
    yield "|---|---|---|---|---|---|"
    for name, answer in results.items():
        if failed := answer.get("failed"):
            yield f"| {name} | failed: {failed.splitlines()[-1]} | | | | |"
            continue
        ours, theirs = (statistics.median(answer[system]["cpu_ms"]) for system in SYSTEMS)
        ratio, least, most = answer["ratio"]["cpu_ms"]
        clock = answer["ratio"]["ms"][0]
        yield f"| {name} | {ours:.3g} | {theirs:.3g} | {ratio:.2f} | {least:.2f} to {most:.2f} | {clock:.2f} |"


def main() -> None:
    arguments = parse_arguments()
    if len(harness.available(SYSTEMS)) < 2:
        raise SystemExit("both systems are needed; the extra `oracles` installs DALI")
    about = harness.machine()
    results: dict[str, Any] = {}
    if arguments.update and pathlib.Path(arguments.update).exists():
        results = json.loads(pathlib.Path(arguments.update).read_text())["results"]
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(arguments.data or f"{folder}/data")
        write_data(data, SIZES[arguments.sizes], arguments.photographs)
        print(f"{about['cpu']}, {about['cpus']} CPUs, batches of {BATCH}\n", flush=True)
        for number, line in enumerate(shown({})):
            print(line, flush=bool(number))
        for name in arguments.only or PROGRAMS:
            for kind in kinds_of(name):
                title = f"{name} {kind}".strip()
                results[title] = measured(name, kind, arguments, str(data), folder)
                print([*shown({title: results[title]})][-1], flush=True)
                for path in filter(None, (arguments.json, arguments.update)):
                    # After each program, so that an interruption loses nothing.
                    harness.write_json(path, dict(sorted(results.items())), about)


if __name__ == "__main__":
    main()
