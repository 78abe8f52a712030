"""`jaxdali index`: writes index files, which say where records are, for readers of this library and of DALI."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

from jaxdali.errors import ConfigError
from .formats import by_first_bytes, by_name, first_bytes, formats
from .safe_text import shown

__all__ = ["add_arguments", "run"]

# Characters in the progress bar, and seconds between two updates.
_WIDTH, _PAUSE_S = 30, 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="shards of a format that has indices, such as TFRecords, *.rec or *.tar",
    )
    parser.add_argument("--output", metavar="FOLDER", help="where the indices go (default: beside each file)")


def run(arguments: argparse.Namespace) -> int:
    """Writes FILE.idx for each file: where its records are, so that no reader has to look for them."""
    from jaxdali._feed.records.index_files import write_text

    if arguments.output is not None and not os.path.isdir(arguments.output):
        raise ConfigError(f"--output {shown(arguments.output)}: there is no such folder; make it first")
    for path in arguments.files:
        if os.path.isdir(path):
            raise ConfigError(
                f"{shown(path)} is a folder; name the files in it. LMDB databases have an index of their own and need "
                "no other"
            )
    for number, path in enumerate(arguments.files, 1):
        bar = _Bar(f"{number}/{len(arguments.files)} {shown(path)}", sys.stderr)
        text, count = _index(path, bar.look)
        bar.end()
        folder, name = os.path.split(path)
        index = os.path.join(folder if arguments.output is None else arguments.output, f"{name}.idx")
        write_text(index, text)
        print(f"{number}/{len(arguments.files)} {shown(index)}: {count} records", file=sys.stderr, flush=True)
    return 0


class _Bar:
    """A progress bar for a file that is searched, in a terminal line that is overwritten."""

    def __init__(self, name: str, stream: TextIO):
        self._name, self._stream, self._shown = name, stream, False
        self._next = time.monotonic() + _PAUSE_S if stream.isatty() else math.inf

    def look(self, offset: int, size: int) -> None:
        """Called with the progress; draws the bar."""
        if (now := time.monotonic()) < self._next:
            return
        done = offset / max(size, 1)
        full = int(done * _WIDTH)
        self._stream.write(f"\r{self._name} [{'#' * full}{'.' * (_WIDTH - full)}] {done:4.0%}")
        self._stream.flush()
        self._next, self._shown = now + _PAUSE_S, True

    def end(self) -> None:
        """Clears the line, if it was drawn."""
        if self._shown:
            self._stream.write("\r\x1b[K")


def _index(path: str, watch: Callable[[int, int], None]) -> tuple[bytes, int]:
    """Returns the text of an index, and its number of records."""
    from jaxdali._feed.records.tfrecord_file import tfrecord_text

    # Of what is no other format, the error says at which byte it is no TFRecord file.
    others = [one for one in formats() if one.index not in (None, tfrecord_text)]
    form = by_name(path, others) or by_first_bytes(first_bytes(path), others)
    return tfrecord_text(path, watch) if form is None or form.index is None else form.index(path, watch)
