"""Compares pipelines of image operators with DALI's: JPEG files to batches of `jax.Array`s on the CPU or a GPU.

    python benchmarks/operators.py [--quick] [--rows ROW ...] [--rounds 5] [--seconds 3] [--memory] [--json FILE]
                                   [--device gpu] [--batch 64] [--workers 1] [--threads 2] [--depth 2]

Every pipeline (`pipelines.py`) is one definition for both systems, with files from a Python callback and from a reader.
Before anything is timed, both make batches of the same files without randomness, which are compared: at most 1 % of the
values may be a level off, and none more than two. If jaxdali refuses a pipeline, the reason is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import harness
from photographs import write_files
from pipelines import DEFINITIONS
from table import short

SYSTEMS = ("jaxdali", "DALI")
SOURCES = ("callback", "reader")
# (height, width) of the files in turn, and their mean size: as in ImageNet at 500 pixels, and as in COCO.
KINDS: dict[str, tuple[list[tuple[int, int]], int]] = {
    "500 px": ([(375, 500), (333, 500), (500, 375), (375, 500), (335, 500)], 51 << 10),
    "640 px": ([(427, 640), (480, 640), (640, 427), (480, 640), (426, 640)], 36 << 10),
}
MEMORY_ROWS = ("validation", "two crops", "tutorial")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", nargs="+", choices=DEFINITIONS, metavar="ROW", help=f"of {', '.join(DEFINITIONS)}")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=SOURCES, help="what gives the files")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="of files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="timed window of a measurement")
    parser.add_argument("--quick", action="store_true", help="one round of 1 s and 500 files, to try things out")
    parser.add_argument("--memory", action="store_true", help="show peaks of memory, of a few rows unless --rows")
    parser.add_argument("--files", type=int, default=2000, help="how many distinct files of each kind")
    parser.add_argument("--images", help="folder of photographs, at least 640 x 640, to cut the files out of")
    parser.add_argument(
        "--workers", type=int, help="processes that read files (py_num_workers); 0: callbacks run in the main one"
    )
    parser.add_argument("--threads", type=int, default=2, help="threads that decode (num_threads)")
    parser.add_argument("--depth", type=int, default=2, help="finished batches kept ahead (prefetch_queue_depth)")
    parser.add_argument("--batch", type=int, default=64, help="images of a batch")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), default="cpu", help='gpu: DALI decodes "mixed", and its operators follow'
    )
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds, arguments.files = 1, 1.0, 500
    if arguments.rows is None:
        arguments.rows = MEMORY_ROWS if arguments.memory else list(DEFINITIONS)
    return arguments


def task(arguments: argparse.Namespace) -> str:
    """The task for both systems: fields of `pipelines.Task`, as JSON."""
    names = ("workers", "threads", "device", "batch", "depth")
    return json.dumps({name: getattr(arguments, name) for name in names})


def compare(name: str, kind: str, arguments: argparse.Namespace, folder: str) -> dict[str, Any]:
    """The answer of `operators_check.py` for a pipeline: `off`, `refused` or `failed`."""
    program = str(pathlib.Path(__file__).with_name("operators_check.py"))
    answer = harness.measure([program, name, arguments.sources[-1], str(pathlib.Path(folder, kind)), task(arguments)])
    return {"failed": answer.strip().splitlines()[-1]} if isinstance(answer, str) else answer


def _figure(values: Sequence[float]) -> str:
    return f"{short(statistics.median(values))} | {short(min(values))} to {short(max(values))}"


def print_rows(
    results: harness.Results, compared: Mapping[str, Mapping[str, Any]], metric: str, unit: str, better: str
) -> None:
    """Prints medians and spreads of both systems, and of the rounds' ratios.

    Args:
        compared: the result of the comparison for each row.
    """
    print(f"| pipeline | files | jaxdali, {unit} | min to max | DALI, {unit} | min to max | ratio | min to max | off |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row, answer in compared.items():
        name, source, kind = row.split(" | ")
        start = f"| {name} | {kind}, {source} |"
        ours, theirs = (results.get(row, {}).get(system, {}).get(metric, []) for system in SYSTEMS)
        if ours and theirs:
            pairs = zip(ours, theirs, strict=False) if better == "more" else zip(theirs, ours, strict=False)
            ratios = _figure([one / other for one, other in pairs])
            print(f"{start} {_figure(ours)} | {_figure(theirs)} | {ratios} | {100 * answer['off']:.2g} % |")
        else:
            reason = [f"{word}: {answer[word]}" for word in ("refused", "failed") if word in answer]
            print(f"{start} {(reason or ['failed in every round'])[0]} | | | | | | |")


def main() -> None:
    arguments = parse_arguments()
    if len(harness.available({"jaxdali": "jaxdali", "DALI": "nvidia.dali"})) < 2:
        raise SystemExit("both systems are needed; the extra `oracles` installs DALI")
    about = harness.machine()
    if arguments.device == "gpu":
        # For both systems: JAX's preallocation would hide how much memory is needed.
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    with tempfile.TemporaryDirectory() as folder:
        compared, timed = {}, {}
        for kind in arguments.kinds:
            sizes, mean_bytes = KINDS[kind]
            pathlib.Path(folder, kind).mkdir()
            size = write_files(str(pathlib.Path(folder, kind)), arguments.files, arguments.images, sizes, mean_bytes)
            print(f"{kind}: {arguments.files} files of {size / 1024:.0f} KiB in the mean")
        for name in arguments.rows:
            for kind in arguments.kinds:
                answer = compare(name, kind, arguments, folder)
                rows = [f"{name} | {source} | {kind}" for source in arguments.sources]
                compared.update(dict.fromkeys(rows, answer))
                timed.update(dict.fromkeys(rows, SYSTEMS) if "off" in answer else {})
        program = str(pathlib.Path(__file__).with_name("operators_measure.py"))
        options = [folder, str(arguments.seconds), task(arguments)]
        results = harness.interleave(program, timed, options, arguments.rounds)
    print(harness.headline(about) + "\n")
    if arguments.memory:
        print_rows(results, compared, "peak_mib", "MiB at most", "less")
    else:
        print_rows(results, compared, "value", "images/s", "more")
    if arguments.device == "gpu":
        print_rows(results, compared, "device_mib", "MiB of the GPU", "less")
        print_rows(results, compared, "first_s", "s to the first batch", "less")
    if arguments.json:
        harness.write_json(arguments.json, results, {**about, "compared": compared})


if __name__ == "__main__":
    main()
