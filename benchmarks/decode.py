"""How fast files of images become training batches on the CPU: random resized crop to 224 x 224, flip, normalise, float32.

    python benchmarks/decode.py [--quick] [--rounds 5] [--files 4000] [--images FOLDER] [--kinds KIND ...] [--json FILE]

The files are drawn, or cut out of the photographs in FOLDER. Checks labels, and that pixels are possible for their
file. DALI and tf.data take part if they are installed.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile

import harness
from photographs import KINDS, write_files
from table import print_table

MODULES = {
    "jaxdali": "jaxdali",
    "jaxdali readers.file": "jaxdali",
    "DALI external_source": "nvidia.dali",
    "DALI readers.file": "nvidia.dali",
    "tf.data": "tensorflow",
}
# Of large files there are fewer, because of the room they take.
FEWER = {"JPEG large": 60}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="timed window of a measurement")
    parser.add_argument("--quick", action="store_true", help="one round of 2 s and 1000 files, to try things out")
    parser.add_argument("--files", type=int, default=4000, help="how many distinct files")
    parser.add_argument("--images", help="folder of photographs, at least 500 x 375, to cut the files out of")
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=["JPEG"], metavar="KIND", help=f"of {', '.join(KINDS)}"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that read files, of those that have any")
    parser.add_argument("--threads", type=int, default=2, help="threads that decode")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these")
    parser.add_argument("--json", help="where to write every number")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds, arguments.files = 1, 2.0, 1000
    return arguments


def main() -> None:
    arguments = parse_arguments()
    systems = harness.available({system: MODULES[system] for system in arguments.systems})
    about = harness.machine()
    results = {}
    for kind in arguments.kinds:
        with tempfile.TemporaryDirectory() as folder:
            count = min(arguments.files, FEWER.get(kind, arguments.files))
            size = write_files(folder, count, arguments.images, **KINDS[kind])
            print(f"{kind}: {count} files of {size / 1024:.0f} KiB in the mean", flush=True)
            program = str(pathlib.Path(__file__).with_name("decode_measure.py"))
            options = [folder, str(arguments.seconds), str(arguments.workers), str(arguments.threads)]
            row = f"{kind} to 224x224x3 float32"
            results |= harness.interleave(program, {row: systems}, options, arguments.rounds)
    print(harness.headline(about))
    print_table(results, dict.fromkeys(results, "images/s"), "jaxdali")
    if arguments.json:
        harness.write_json(arguments.json, results, about)


if __name__ == "__main__":
    main()
