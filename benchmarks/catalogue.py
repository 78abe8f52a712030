"""Compares the cost of each operator of `fn` with DALI's on the CPU or a GPU: a table, and JSON for `docs/generate.py`.

    python benchmarks/catalogue.py [--only NAME ...] [--sizes small images] [--rounds 9] [--seconds 1.5] [--json FILE]
                                   [--update FILE]
    python benchmarks/catalogue.py --device gpu [--processes 10] [--uses first] [--deadline 480] [--json FILE]
    python benchmarks/catalogue.py --device gpu --merge FILE --update docs/catalogue.json
    python benchmarks/catalogue.py --later --update docs/catalogue.json
    python benchmarks/catalogue.py [--device gpu] --unmeasured docs/catalogue.json

Measures two uses of each operator (`catalogue_cases.py`): on the CPU with batches of 8 images of 32 x 32 and of 480 x
640, and of 8 images up to these sizes that differ in size; on a GPU with batches of 64 large ones. Results are compared
before they are timed. The time is the slope between pipelines with 1 and 9 applications to the same inputs
(`catalogue_cpu.py`, `catalogue_gpu.py`). Only ratios within one run mean something; those of CPU time even on a shared
machine.

With several processes, a use that fails or crashes its process only costs its own row, and each answer is in the file
as soon as it is known.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import sys
import tempfile
import time
from typing import Any

import harness
from catalogue_cases import CASES, cases_on, reason_of
from catalogue_file import merged, postponed, read, save, unmeasured
from catalogue_inputs import BATCH, SIZES
from catalogue_rows import print_head, print_row, print_slow, ratios
from catalogue_task import Question, Task
from catalogue_workers import answers

# Nine results at once need more memory than one that is used and freed. glibc would return their memory and allocate it
# anew for each batch, which costs more than most operators. So it keeps the memory, for both systems, and gets it in
# one piece at the start. Otherwise it would take ten batches until it needs no more.
MEMORY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TOP_PAD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(16 << 30),
}
ENVIRONMENT = {
    "cpu": {"JAX_PLATFORMS": os.environ.get("JAX_PLATFORMS", "cpu"), **MEMORY},
    # Several processes share the GPU's memory.
    "gpu": {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
    "rehearsal": {"JAX_PLATFORMS": "cpu"},
}
# A use that takes longer has failed. After the deadline, answers are still waited for this long.
LONGEST_S, BEHIND_S = {"cpu": 1800.0, "gpu": 150.0, "rehearsal": 600.0}, 40.0
GPU_BATCH, GPU_ROUNDS = 64, 5


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=ENVIRONMENT, default="cpu", help="rehearsal: as gpu, where there is none")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of operators, or of rooms")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, help="of images; not given: all on a CPU, images on a GPU")
    parser.add_argument("--uses", choices=("first", "both"), default="both")
    parser.add_argument("--batch", type=int, help="samples; not given: 8 on a CPU, 64 on a GPU")
    parser.add_argument("--rounds", type=int, help="at most so many of each case; not given: 9 on a CPU, 5 on a GPU")
    parser.add_argument("--seconds", type=float, default=1.5, help="CPU: no round begins later, but four there are")
    parser.add_argument(
        "--processes", type=int, default=1, help="that measure side by side, and take turns with the GPU"
    )
    parser.add_argument("--known", metavar="FILE", help="uses that --json wrote to it before are not measured again")
    parser.add_argument("--deadline", type=float, default=1e9, help="seconds after which no other use is begun")
    parser.add_argument("--untraced", action="store_true", help="GPU: by the clock alone, without a profile")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--update", help="a file that --json wrote; uses that are measured now replace theirs")
    parser.add_argument("--merge", metavar="FILE", help="measure nothing; take what --json wrote for --update")
    parser.add_argument(
        "--slow", metavar="FILE", help="print what is slower than a third of DALI, of what --json wrote"
    )
    parser.add_argument(
        "--later", action="store_true", help="measure nothing; note in the file of --update what is not"
    )
    parser.add_argument(
        "--unmeasured", metavar="FILE", help="print the operators that --json or --update have not written to it yet"
    )
    parser.add_argument("--check", action="store_true", help="compare results, and time nothing")
    arguments = parser.parse_args()
    on_cpu = arguments.device == "cpu"
    if on_cpu and arguments.batch not in (None, BATCH):
        parser.error(f"--batch is for GPUs; on a CPU it is {BATCH}")
    if on_cpu and (arguments.processes != 1 or arguments.uses != "both"):
        parser.error("--processes and --uses are for GPUs; on a CPU one process measures both uses")
    if (arguments.merge or arguments.later) and not arguments.update:
        parser.error("--merge and --later change the file of --update")
    arguments.sizes = arguments.sizes or (list(SIZES) if on_cpu else ["images"])
    arguments.batch = arguments.batch or (BATCH if on_cpu else GPU_BATCH)
    arguments.rounds = 0 if arguments.check else arguments.rounds or (9 if on_cpu else GPU_ROUNDS)
    return arguments


def chosen(only: list[str] | None, device: str) -> list[str]:
    """Returns the operators to measure. Ends the program if a name is unknown."""
    import jaxdali._dali.operators  # noqa: F401 (which declares them)
    from jaxdali._dali.graph.declarations import operators

    known = {name for name, one in operators().items() if getattr(one, "namespace", "") == "fn"}
    if missing := sorted(name for name in known - CASES.keys() if reason_of(name) is None):
        raise SystemExit(f"no case and no reason for {', '.join(missing)}: see catalogue_cases.py")
    # Operators that run on the host in any case are not measured on a GPU.
    on_host = {name for name, one in operators().items() if list(getattr(one, "devices", ())) == ["cpu"]}
    cases = cases_on(device).keys() - (set() if device == "cpu" else on_host)
    if only is None:
        return sorted(cases)
    found = [name for name in sorted(cases) if any(name == one or name.startswith(f"{one}.") for one in only)]
    if not found:
        raise SystemExit(f"none of {', '.join(only)} is measured; known are {', '.join(sorted(cases))}")
    return found


def questions(names: list[str], sizes: list[str], uses: str, device: str) -> list[Question]:
    """What to measure, in order: operator by operator, or on a GPU all first uses before the second ones. Second uses
    are only measured with the last size.
    """
    cases = cases_on(device)
    found = [
        Question(name, use, case.text, tuple(sizes if use == 0 else sizes[-1:]))
        for name in names
        for use, case in enumerate(cases[name])
        if use == 0 or uses == "both"
    ]
    return found if device == "cpu" else sorted(found, key=lambda one: one.use)


def known_uses(path: str, device: str) -> set[tuple[str, int]]:
    """The operators and uses that are in a file of `--json`."""
    found = json.loads(pathlib.Path(path).read_text())
    results = (found if device == "cpu" else found["gpu"])["results"]
    return {(name, one["use"]) for name, uses in results.items() for one in uses if "use" in one}


def run(arguments: argparse.Namespace, lock: str) -> None:
    """Measures, prints, and writes each answer as it comes, so that an interruption loses nothing."""
    started, device = time.monotonic(), arguments.device
    about = harness.machine() | {"batch": arguments.batch}
    task = Task(device, arguments.batch, arguments.rounds, arguments.seconds, lock, not arguments.untraced)
    asked = questions(chosen(arguments.only, device), arguments.sizes, arguments.uses, device)
    if arguments.known:
        asked = [one for one in asked if (one.name, one.use) not in known_uses(arguments.known, device)]
    print(f"{about['cpu']}, {about['cpus']} CPUs, batches of {task.batch}, microseconds of an application\n")
    print_head(device)
    begin_until = started + arguments.deadline
    times = (begin_until, begin_until + BEHIND_S, LONGEST_S[device])
    rows: dict[str, list[dict[str, Any]]] = {}
    count = 0
    for question, answer in answers(task, asked, arguments.processes, ENVIRONMENT[device], *times):
        count += 1
        about["device"] = answer.pop("device", about.get("device", ""))
        for size in question.sizes:
            print_row(question.name, question.text, size, answer[size], device)
            if found := ratios(answer[size], device):
                answer[size]["ratio"] = found
        rows.setdefault(question.name, []).append({"use": question.use, **answer})
        if arguments.json:
            save(arguments.json, merged({}, about, rows, device))
        if arguments.update:
            save(arguments.update, merged(read(arguments.update), about, rows, device))
    print(f"{count} of {len(asked)} uses in {time.monotonic() - started:.0f} s", file=sys.stderr)


def main() -> None:
    arguments = parse_arguments()
    if arguments.slow:
        print_slow(read(arguments.slow)["results"])
        return
    if arguments.unmeasured:
        names = {*chosen(arguments.only, arguments.device)} & {
            *unmeasured(read(arguments.unmeasured), arguments.device)
        }
        print("".join(f"{name}\n" for name in sorted(names)), end="")
        return
    if arguments.later:
        save(arguments.update, postponed(read(arguments.update)))
        return
    if arguments.merge:
        found = read(arguments.merge)["gpu"]
        save(arguments.update, merged(read(arguments.update), found["machine"], found["results"], "gpu"))
        return
    if len(harness.available({"jaxdali": "jaxdali", "DALI": "nvidia.dali"})) < 2:
        raise SystemExit("both systems are needed; the extra `oracles` installs DALI")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory() as folder:
        run(arguments, str(pathlib.Path(folder, "lock")))


if __name__ == "__main__":
    main()
