"""How long `jaxdali index` takes for a million records, compared with reading the whole file.

    python benchmarks/index.py [--records 1000000] [--size 200] [--rounds 3] [--folder FOLDER]

Before each number of a "disk" row the file's pages are dropped from the system's cache; in a "cache" row all are in it.
The folder should be on the disk to be measured.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pathlib
import statistics
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator

import harness
from reader_files import Size, content, recordio, tfrecord

from jaxdali._cli.main import main as jaxdali

# Number of records that are written at once.
_BLOCK = 1000


def of_tfrecord(size: int, first: int) -> bytes:
    """A block of records."""
    return tfrecord(content(Size(1, size, 1), 0), first) * _BLOCK


def of_rec(size: int, first: int) -> bytes:
    """A block of RecordIO records."""
    return recordio(content(Size(1, size, 1), 0), first) * _BLOCK


def of_tar(size: int, first: int) -> bytes:
    """A block of samples with one file each."""
    found = io.BytesIO()
    for number in range(first, first + _BLOCK):
        member = tarfile.TarInfo(f"{number:08}.jpg")
        member.size = size
        found.write(member.tobuf(tarfile.USTAR_FORMAT) + bytes(size + -size % 512))
    return found.getvalue()


@contextlib.contextmanager
def written(folder: str, make: Callable[[int, int], bytes], size: int, records: int) -> Iterator[str]:
    """Yields the path of a file that exists as long as it is needed."""
    path = pathlib.Path(folder, f"a.{make.__name__.removeprefix('of_')}")
    with path.open("wb") as file:
        for first in range(0, records, _BLOCK):
            file.write(make(size, first))
        file.flush()
        os.fsync(file.fileno())
    yield str(path)
    path.unlink()


def read(path: str) -> None:
    """Reads a whole file, one MiB at a time."""
    piece = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(piece):
            pass


def forget(path: str) -> None:
    """Drops a file from the system's cache, so that it is read from the disk next time."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def timed(done: Callable[[], object]) -> tuple[float, float]:
    """Wall seconds and CPU seconds of a call."""
    began, used = time.perf_counter(), time.process_time()
    done()
    return time.perf_counter() - began, time.process_time() - used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--size", type=int, default=200, help="bytes of a record")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="where the files are written (default: where temporary files are)")
    arguments = parser.parse_args()
    print(harness.headline(harness.machine()))
    print("| file | from | MB | read, s | of them CPU | index, s | of them CPU | reading over index |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder, contextlib.redirect_stderr(io.StringIO()):
        for make in (of_tfrecord, of_rec, of_tar):
            with written(folder, make, arguments.size, arguments.records) as path:
                for where, before in (("disk", forget), ("cache", read)):
                    print(measured(path, where, before, arguments.rounds), flush=True)


def measured(path: str, where: str, before: Callable[[str], None], rounds: int) -> str:
    """A row of the table, from the rounds' medians."""
    taken = []
    for _ in range(rounds):
        row: list[float] = []
        for done in (lambda: read(path), lambda: jaxdali(["index", path])):
            before(path)
            row += timed(done)
        taken.append(row)
    numbers = [statistics.median(column) for column in zip(*taken, strict=True)]
    megabytes, ratio = os.path.getsize(path) / 1e6, numbers[0] / numbers[2]
    told = " | ".join(f"{number:.2f}" for number in (*numbers, ratio))
    return f"| {pathlib.Path(path).suffix[1:]} | {where} | {megabytes:.0f} | {told} |"


if __name__ == "__main__":
    main()
