"""What each operator of `fn` costs beside DALI's on the CPU: a table, and JSON that `docs/generate.py` reads.

    python benchmarks/catalogue.py [--only NAME ...] [--sizes small images] [--rounds 9] [--seconds 1.5] [--json FILE]
                                   [--update FILE]

Two uses of each operator (`catalogue_cases.py`): by batches of 8 images of 32 x 32 and of 480 x 640, and of 8 that are no
larger and differ in size. Results are compared before they are timed. Time is the slope between pipelines with 1 and 9
applications on the same inputs (`catalogue_measure.py`). Numbers mean something as ratios of one run; those of CPU time also
on a machine that others use.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import harness
from catalogue_cases import CASES, LEFT_OUT, reason_of
from catalogue_inputs import BATCH, SIZES
from table import short

# Nine results at once are more than one that is used and let go. glibc would give back their memory and take it anew for
# each batch, which costs more than most operators do; so it keeps it, for both systems, and has it in one piece from the
# beginning. Else it takes ten batches until it has no more to take.
MEMORY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TOP_PAD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(16 << 30),
}
# An application to a batch that takes less than this is as good as free.
NOTHING_US = 100.0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of operators, or of rooms")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=9, help="at most so many of each case")
    parser.add_argument("--seconds", type=float, default=1.5, help="no round begins later, but four there are")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--update", help="a file that --json wrote; operators that are measured now replace theirs")
    parser.add_argument(
        "--slow", metavar="FILE", help="print what is slower than a third of DALI, of what --json wrote"
    )
    parser.add_argument("--check", action="store_true", help="compare results, and time nothing")
    return parser.parse_args()


def chosen(only: list[str] | None) -> list[str]:
    """The operators that are measured. Ends the program where a name is none of them."""
    import jaxdali.operators  # noqa: F401 (which declares them)
    from jaxdali.graph.declared import operators

    known = {name for name, one in operators().items() if getattr(one, "door", "") == "fn"}
    if missing := sorted(name for name in known - CASES.keys() if reason_of(name) is None):
        raise SystemExit(f"no case and no reason for {', '.join(missing)}: see catalogue_cases.py")
    if only is None:
        return sorted(CASES)
    found = [name for name in sorted(CASES) if any(name == one or name.startswith(f"{one}.") for one in only)]
    if not found:
        raise SystemExit(f"none of {', '.join(only)} is measured; known are {', '.join(sorted(CASES))}")
    return found


def measured(names: Sequence[str], options: Sequence[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each operator with what `catalogue_measure.py` says of its cases; where a process dies, another one goes on."""
    program, left = str(pathlib.Path(__file__).with_name("catalogue_measure.py")), list(names)
    while left:
        command = [sys.executable, program, *options, *left]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **MEMORY}) as process:
            assert process.stdout is not None
            for line in process.stdout:
                answer = json.loads(line)
                left.remove(answer["name"])
                yield answer["name"], answer["cases"]
        if left:
            name, reason = left.pop(0), {"failed": f"the process ended with {process.returncode}"}
            yield name, [{"text": case.text, **dict.fromkeys(options[0].split(), reason)} for case in CASES[name]]


def ratios(answer: Mapping[str, Any]) -> list[float]:
    """DALI's time over jaxdali's, by the clock and of CPU time: more is better. Empty: it was not measured.

    Times are medians, and below `NOTHING_US` as good as that: noise is not compared with noise.
    """
    found = []
    for kind in ("", ", CPU"):
        ours, theirs = answer.get(f"jaxdali{kind}"), answer.get(f"DALI{kind}")
        if ours and theirs:
            mine, its = (max(median, NOTHING_US) for median, _, _ in (ours, theirs))
            found.append(round(its / mine, 3))
    return found


def print_slow(results: Mapping[str, Any], share: float = 1 / 3) -> None:
    """Cases that are slower than that share of DALI's speed, the slowest first."""
    found = [
        (*answer["ratio"][::-1], name, case["text"], size, answer["jaxdali, CPU"][0], answer["DALI, CPU"][0])
        for name, cases in results.items()
        for case in cases
        for size, answer in case.items()
        if size in SIZES and answer.get("ratio", [1, 1])[1] < share
    ]
    print("| operator | use | size | jaxdali, us of CPU | DALI | ratio | by the clock |\n|---|---|---|---|---|---|---|")
    for of_cpu, ratio, name, text, size, ours, theirs in sorted(found):
        print(f"| {name} | {text} | {size} | {short(ours)} | {short(theirs)} | {of_cpu:.2g} | {ratio:.2g} |")


def print_row(name: str, text: str, size: str, answer: dict[str, Any]) -> None:
    start, figures = f"| {name} | {text} | {size} |", []
    for system in ("jaxdali", "DALI"):
        median, least, most = map(short, answer[system]) if system in answer else ("", "", "")
        figures.append(f"{median} | {least} to {most}")
    apart = answer.get("failed") or ("drawn" if "drawn" in answer else f"{answer['largest']:.2g}")
    shown = " | ".join(f"{one:.2g}" for one in ratios(answer)) or " | "
    print(f"{start} {' | '.join(figures)} | {shown} | {apart} |", flush=True)


def written(about: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """JSON, an operator a line: as what is checked in it is read line by line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results)]
    parts = [f'"machine": {json.dumps(about)}', f'"left_out": {json.dumps(LEFT_OUT, indent=1)}']
    return "{\n" + ",\n".join([*parts, '"results": {\n' + ",\n".join(lines) + "\n}"]) + "\n}\n"


def main() -> None:
    arguments = parse_arguments()
    if arguments.slow:
        print_slow(json.loads(pathlib.Path(arguments.slow).read_text())["results"])
        return
    if len(harness.available({"jaxdali": "jaxdali", "DALI": "nvidia.dali"})) < 2:
        raise SystemExit("both systems are needed; the extra `oracles` installs DALI")
    about, names = harness.machine(), chosen(arguments.only)
    results: dict[str, Any] = {}
    if arguments.update and pathlib.Path(arguments.update).exists():
        results = json.loads(pathlib.Path(arguments.update).read_text())["results"]
    rounds = 0 if arguments.check else arguments.rounds
    print(f"{about['cpu']}, {about['cpus']} CPUs, batches of {BATCH}, microseconds of an application\n")
    print("| operator | use | size | jaxdali, us | min to max | DALI, us | min to max | ratio | of CPU time | apart |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name, answer in measured(names, [" ".join(arguments.sizes), str(rounds), str(arguments.seconds)]):
        for row in answer:
            for size in (size for size in arguments.sizes if size in row):
                print_row(name, row["text"], size, row[size])
                if found := ratios(row[size]):
                    row[size]["ratio"] = found
        results[name] = answer
        for path in filter(None, (arguments.json, arguments.update)):
            # After each, so that what was measured stays if the program is interrupted.
            pathlib.Path(path).write_text(written(about, results))


if __name__ == "__main__":
    main()
