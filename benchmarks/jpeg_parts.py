"""What decoding a JPEG file on a CPU consists of: entropy coding, transforms, upsampling, colours, in instructions and time.

    python benchmarks/jpeg_parts.py --libraries FOLDER [--images FOLDER] [--files 40] [--times 10]

FOLDER/include and FOLDER/lib have libjpeg-turbo as a static library with symbols, as `make wheels` builds it in
~/.cache/jaxdali/wheels-x86_64/libraries. Compiles ffi/decoding with it. Instructions are valgrind's, and time is samples of
perf's; reading files and starting are left out. Both have to be installed (apt-get install valgrind linux-perf).
"""

from __future__ import annotations

import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterable

from photographs import write_files

_HERE = pathlib.Path(__file__).parent
_FFI = _HERE.parent / "ffi"
_SOURCES = ("jpeg_decoder.cc", "jpeg_header.cc", "exif.cc")
KINDS = {"baseline": 0.0, "progressive": 1.0}
# Parts by names of functions; the first that is found counts.
PARTS = {
    "entropy coding": r"decode_mcu|jpeg_fill_bit_buffer|jpeg_huff_decode",
    "inverse transform": r"idct",
    "upsampling": r"upsample",
    "colours": r"ycc_rgb",
    "scans": r"consume_data|decompress_data|decompress_onepass|access_virt|process_data",
    "copies": r"mem(set|move|cpy)|jzero",
}
# Of the program itself, and of its start.
_OUTSIDE = re.compile(r"main|std::|_dl_|do_lookup|strcmp|streambuf|ReadFiles|Draw|check_match|[_ ]?\bread")


def build(libraries: str, program: str) -> None:
    sources = [str(_HERE / "jpeg_parts.cc"), *(str(_FFI / "decoding" / name) for name in _SOURCES)]
    include = ["-I", str(_FFI), "-I", f"{libraries}/include"]
    command = ["c++", "-std=c++17", "-O3", "-g", *include, "-o", program, *sources, f"{libraries}/lib/libjpeg.a"]
    subprocess.run(command, check=True)


def shares(functions: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Percent of each part, and of what is refined in it, of all but the program itself."""
    found: dict[str, float] = dict.fromkeys((*PARTS, "other"), 0.0)
    refined = 0.0
    for name, count in functions:
        if _OUTSIDE.search(name):
            continue
        found[next((part for part, pattern in PARTS.items() if re.search(pattern, name)), "other")] += count
        refined += count * ("refine" in name)
    total = sum(found.values())
    return {**{part: 100 * count / total for part, count in found.items()}, "(refinement)": 100 * refined / total}


def _output(command: str) -> str:
    """What a command writes; no argument contains a space."""
    return subprocess.run(
        command.split(), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout


def instructions(program: str, folder: str, what: str) -> tuple[dict[str, float], float]:
    """Shares of instructions, and how many an image takes."""
    _output(f"valgrind --tool=callgrind --callgrind-out-file={folder}/callgrind {program} {folder} {what} 1")
    listing = _output(f"callgrind_annotate --threshold=100 {folder}/callgrind").splitlines()
    lines = (re.match(r"\s*([\d,]+) \([^)]*\)\s+(\S+?:.+)", line) for line in listing)
    functions = [(line[2], int(line[1].replace(",", ""))) for line in lines if line]
    count = len(list(pathlib.Path(folder).glob("*.jpg")))
    return shares(functions), sum(number for name, number in functions if not _OUTSIDE.search(name)) / count


def time(program: str, folder: str, what: str, times: int) -> dict[str, float]:
    """Shares of the processor's time."""
    _output(f"perf record -q -e cpu-clock:u -F 4000 -o {folder}/perf {program} {folder} {what} {times}")
    listing = _output(f"perf report -i {folder}/perf --stdio -s symbol").splitlines()
    lines = (re.match(r"\s*([\d.]+)%\s+\[.\]\s+(\S.*\S)", line) for line in listing)
    return shares((line[2], float(line[1])) for line in lines if line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--libraries", required=True, help="where libjpeg-turbo is")
    parser.add_argument("--images", help="folder of photographs, at least 500 x 375, to cut the files out of")
    parser.add_argument("--files", type=int, default=40, help="how many distinct files of each kind")
    parser.add_argument("--times", type=int, default=10, help="how often each is decoded where time is measured")
    arguments = parser.parse_args()
    print("| files | Minstructions | us | " + " | ".join((*PARTS, "other", "(refinement)")) + " |")
    print("|---" * (len(PARTS) + 5) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        program = f"{scratch}/jpeg_parts"
        build(arguments.libraries, program)
        for kind, progressive in KINDS.items():
            folder = f"{scratch}/{kind}"
            pathlib.Path(folder).mkdir()
            sizes = [(375, 500), (333, 500)]
            write_files(folder, arguments.files, arguments.images, sizes, 40 << 10, progressive=progressive)
            for what in ("whole", "windows"):
                counted, number = instructions(program, folder, what)
                timed = time(program, folder, what, arguments.times)
                took = [float(_output(f"{program} {folder} {what} {arguments.times}")) for _ in range(3)]
                figures = " | ".join(f"{counted[part]:.0f}, {timed[part]:.0f} %" for part in counted)
                print(
                    f"| {kind}, {what} | {number / 1e6:.2f} | {statistics.median(took):.0f} | {figures} |", flush=True
                )


if __name__ == "__main__":
    main()
