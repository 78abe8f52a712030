"""`jaxdali index`: where the records of files lie, written down beside them, for readers of this library and DALI's."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ..errors import ConfigError
from .names import shown

if TYPE_CHECKING:
    import numpy as np

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="of TFRecords")
    parser.add_argument("--output", metavar="FOLDER", help="where the indices go (default: beside each file)")


def run(arguments: argparse.Namespace) -> int:
    """Writes FILE.idx for each file: where its records lie, so that no reader has to look for them."""
    from ..records.index_files import write_places

    if arguments.output is not None and not os.path.isdir(arguments.output):
        raise ConfigError(f"--output {shown(arguments.output)}: there is no such folder; make it first")
    for number, path in enumerate(arguments.files, 1):
        places = _places(path)
        folder, name = os.path.split(path)
        index = os.path.join(folder if arguments.output is None else arguments.output, f"{name}.idx")
        write_places(index, places)
        print(f"{number}/{len(arguments.files)} {shown(index)}: {len(places)} records", file=sys.stderr, flush=True)
    return 0


def _places(path: str) -> np.ndarray:
    from ..records.tfrecord import index_tfrecord

    return index_tfrecord(path)
